// Edits, tables built apart and adopted later, files and queries of every engine on a 32-bit machine without threads:
// the bytes that are recorded for the native library. The package has no adoption, so this is the library itself,
// compiled for WebAssembly with a system of arguments, standard input and output (node:wasi has broken down now and then).
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

const ROOT = new URL('../../../', import.meta.url);
const BAD_FILE = 8;

// Runs a program with one argument and these bytes to read; what it prints.
async function run(module, argument, input) {
  const words = ['replay', argument].map((word) => Buffer.from(`${word}\0`));
  let memory, read = 0;
  const printed = [[], []];
  const view = () => new DataView(memory.buffer);
  // The pieces of memory that a list of them names.
  const pieces = (list, count) =>
    Array.from({ length: count }, (_, n) => {
      const at = list + 8 * n;
      return new Uint8Array(memory.buffer, view().getUint32(at, true), view().getUint32(at + 4, true));
    });
  const answer = (at, value) => (view().setUint32(at, value, true), 0);
  const system = {
    args_sizes_get: (count, size) => answer(count, words.length) || answer(size, Buffer.concat(words).length),
    args_get: (list, at) => {
      words.forEach((word, n) => {
        answer(list + 4 * n, at);
        new Uint8Array(memory.buffer).set(word, at);
        at += word.length;
      });
      return 0;
    },
    environ_sizes_get: (count, size) => answer(count, 0) || answer(size, 0),
    environ_get: () => 0,
    random_get: () => 0,
    fd_read: (file, list, count, done) => {
      if (file !== 0) return BAD_FILE;
      const before = read;
      for (const piece of pieces(list, count)) {
        const part = input.subarray(read, read + piece.length);
        piece.set(part);
        read += part.length;
      }
      return answer(done, read - before);
    },
    fd_write: (file, list, count, done) => {
      if (file !== 1 && file !== 2) return BAD_FILE;
      const parts = pieces(list, count).map((piece) => Buffer.from(piece));
      printed[file - 1].push(...parts);
      return answer(done, parts.reduce((sum, part) => sum + part.length, 0));
    },
    proc_exit: (code) => {
      throw new Error(`it ended with ${code}`);
    },
  };
  const none = () => BAD_FILE;
  const imports = WebAssembly.Module.imports(module).map(({ name }) => [name, system[name] ?? none]);
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: Object.fromEntries(imports) });
  memory = exports.memory;
  const text = (parts) => Buffer.concat(parts).toString();
  try {
    exports._start();
  } catch (error) {
    throw new Error(`${argument}: ${error.message}\n${text(printed[1])}`);
  }
  return text(printed[0]);
}

test('edited indexes and their answers are as recorded', async () => {
  const recorded = await readFile(new URL('testdata/determinism.txt', ROOT), 'utf8');
  const wanted = recorded.trim().split('\n').filter((line) => line.split(' ')[1] === 'edited');
  const maps = [...new Set(wanted.map((line) => line.split(' ')[0]))];
  assert.ok(maps.length >= 3);
  const module = await WebAssembly.compile(await readFile(process.env.TIDEGATE_REPLAY));
  const found = [];
  for (const map of maps) {
    const input = await readFile(new URL(`crates/tidegate-bench/suite/maps/bundled/${map}`, ROOT));
    found.push(...(await run(module, map, input)).trim().split('\n'));
  }
  assert.deepEqual(found, wanted);
  console.log(`${found.length} hashes of ${maps.length} edited indexes and all answers of their engines, as recorded`);
});
