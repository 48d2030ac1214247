// Every engine on every problem of the bundled suite: the same tiles as the library gives natively.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import tidegate, { suite, walked } from './load.mjs';

/** The number that `native_answers` gives a path. */
function number(path) {
  let hash = 0x811c9dc5;
  for (const word of path) hash = Math.imul(hash ^ word, 0x01000193);
  return hash >>> 0;
}

const native = JSON.parse(await readFile(process.env.TIDEGATE_NATIVE, 'utf8'));
const timed = [];

for (const { name, map, starts, goals, ends } of await suite()) {
  test(name, () => {
    const index = new tidegate.Index(map.free, map.width, map.height);
    assert.deepEqual(Object.keys(native[name].engines), tidegate.engines().map((engine) => engine.name));
    for (const [engine, wanted] of Object.entries(native[name].engines)) {
      if (wanted.refused) {
        assert.throws(() => index.prepare(engine), { code: 'engine', message: wanted.refused });
        continue;
      }
      index.prepare(engine);
      const began = performance.now();
      const { offsets, tiles } = index.paths(starts, goals, { engine });
      let best = performance.now() - began;
      for (let round = 0; round < (best < 200 ? 5 : 0); round++) {
        const again = performance.now();
        index.paths(starts, goals, { engine });
        best = Math.min(best, performance.now() - again);
      }
      const micros = best * 1000 / ends.length;
      const found = ends.map((_, n) => tiles.subarray(2 * offsets[n], 2 * offsets[n + 1]));
      assert.deepEqual(found.map(number), wanted.paths, `${name}, ${engine}`);
      for (const [n, path] of found.entries()) {
        assert.ok(path.length > 0 && Number.isFinite(walked(map, 'no-corner-cutting', path)), `${name}, ${engine}, problem ${n}`);
      }
      timed.push([name, engine, ends.length, micros, wanted.micros]);
    }
    index.prepareWalks({ labels: false });
    const walks = ends.map(([x0, y0, x1, y1]) => index.walk(x0, y0, x1, y1).length);
    assert.deepEqual(walks, native[name].walks, `${name}, walks`);
  });
}

test('every answer was compared', () => {
  const paths = timed.reduce((sum, [, , count]) => sum + count, 0);
  console.log(`${paths} paths, ${new Set(timed.map(([, engine]) => engine)).size} engines, ${new Set(timed.map(([name]) => name)).size} maps: the same tiles as natively`);
  if (process.env.TIDEGATE_TIMES) for (const row of timed) console.log(row[0].padEnd(20), row[1].padEnd(22), `${row[3].toFixed(1)} µs here`.padStart(18), `${row[4].toFixed(1)} µs natively`.padStart(20));
  assert.equal(new Set(timed.map(([name]) => name)).size, Object.keys(native).length);
});
