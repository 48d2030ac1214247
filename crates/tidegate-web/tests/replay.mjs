// Edits, tables built apart and adopted later, files and queries of every engine on a 32-bit machine without threads:
// the bytes that are recorded for the native library. The package has no adoption, so this is the library itself,
// compiled for WebAssembly.
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

const ROOT = new URL('../../../', import.meta.url);

test('edited indexes and their answers are as recorded', async () => {
  const recorded = await readFile(new URL('testdata/determinism.txt', ROOT), 'utf8');
  const wanted = recorded.trim().split('\n').filter((line) => line.split(' ')[1] === 'edited');
  const maps = [...new Set(wanted.map((line) => line.split(' ')[0]))];
  assert.ok(maps.length >= 3);
  const output = join(tmpdir(), `tidegate-replay-${process.pid}.txt`);
  const stdout = openSync(output, 'w');
  const preopens = { '/maps': fileURLToPath(new URL('crates/tidegate-bench/suite/maps/bundled', ROOT)) };
  const wasi = new WASI({ version: 'preview1', args: ['replay', ...maps.map((map) => `/maps/${map}`)], preopens, stdout });
  const module = await WebAssembly.compile(await readFile(process.env.TIDEGATE_REPLAY));
  const code = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
  closeSync(stdout);
  const found = readFileSync(output, 'utf8').trim().split('\n');
  rmSync(output);
  assert.equal(code, 0);
  assert.deepEqual(found, wanted);
  console.log(`${found.length} hashes of ${maps.length} edited indexes and all answers of their engines, as recorded`);
});
