import { parentPort } from 'node:worker_threads';
import tidegate from './load.mjs';

parentPort.once('message', ({ map: { free, width, height }, end: [x0, y0, x1, y1] }) => {
  const index = new tidegate.Index(free, width, height);
  index.prepare('corners');
  const bytes = index.save();
  parentPort.postMessage({ bytes, path: index.path(x0, y0, x1, y1, { engine: 'corners' }) }, [bytes.buffer]);
});
