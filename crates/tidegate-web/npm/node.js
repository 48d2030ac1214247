// The same module, for Node: its bytes come from the file beside it.
import { readFile } from 'node:fs/promises';
import start from './tidegate.js';

export * from './tidegate.js';

export default async function init(source) {
  return start(source ?? { module_or_path: await readFile(new URL('./tidegate_bg.wasm', import.meta.url)) });
}
