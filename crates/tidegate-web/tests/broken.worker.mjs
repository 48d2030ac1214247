// Uses the memory up, then tells how later calls end.
import { parentPort } from 'node:worker_threads';
import tidegate from './load.mjs';

const index = new tidegate.Index(new Uint8Array(4).fill(1), 2, 2);
const kept = [];
let first;
try {
  for (const side of [4096, 2048, 1024, 512]) {
    const free = new Uint8Array(side * side).fill(1);
    for (;;) kept.push(new tidegate.Index(free, side, side));
  }
} catch (error) {
  first = error.name;
}
const later = [
  () => index.path(0, 0, 1, 1),
  () => new tidegate.Index(new Uint8Array(4).fill(1), 2, 2),
  () => index.edit([[0, 0, false]]),
  () => tidegate.readMap('..\n'),
].map((call) => {
  try {
    return call();
  } catch (error) {
    return error.code;
  }
});
parentPort.postMessage({ first, later });
