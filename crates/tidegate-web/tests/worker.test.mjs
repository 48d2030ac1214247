// In a worker: an index is built there and comes back as bytes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import tidegate, { suite } from './load.mjs';

test('a worker builds, this thread asks', async () => {
  const { map, ends: [end] } = (await suite()).find(({ name }) => name === 'rooms-200x150.map');
  const worker = new Worker(new URL('build.worker.mjs', import.meta.url));
  worker.postMessage({ map, end });
  const { bytes, path } = await new Promise((done, failed) => worker.on('message', done).on('error', failed));
  await worker.terminate();
  const index = tidegate.Index.load(bytes);
  assert.ok(index.engines.includes('corners'));
  assert.deepEqual(index.path(...end, { engine: 'corners' }), path);
});
