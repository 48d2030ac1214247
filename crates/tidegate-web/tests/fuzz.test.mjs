// Random programs of calls with wrong arguments of every kind; TIDEGATE_PROGRAMS says how many.
import assert from 'node:assert/strict';
import test from 'node:test';
import { programs } from './fuzz.mjs';

const COUNT = Number(process.env.TIDEGATE_PROGRAMS ?? 2_000);

test(`${COUNT} random programs`, (t) => {
  const { calls, refused, answers } = programs(COUNT);
  t.diagnostic(`${calls} calls, ${refused} refused, ${answers} answers compared`);
  assert.ok(calls > 10 * COUNT && refused > COUNT && answers > 2 * COUNT);
});
