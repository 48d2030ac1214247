// The code of the README runs, and gives what it says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { PACKAGE } from './load.mjs';

test('the code of the README', async () => {
  const readme = await readFile(new URL('README.md', PACKAGE), 'utf8');
  const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
  assert.equal(blocks.length, 2);
  const code = blocks.join('\n').replace("'@tidegate/wasm'", `'${new URL('node.js', PACKAGE)}'`)
    .replace('const world', "const kinds = free.map((tile) => (tile ? 46 : 64));\nconst world");
  const said = [];
  const told = `${code}\nexport const all = { path, far, first, field, parts, bytes };`.replace('console.log(', 'globalThis.said(');
  globalThis.said = (...words) => said.push(words.join(' '));
  const { all } = await import(`data:text/javascript,${encodeURIComponent(told)}`);
  assert.deepEqual(said, ['81 94.91']);
  assert.equal(all.field.nextStep.length, 2 * 100 * 60);
  assert.equal(all.first.length, all.path.length);
});
