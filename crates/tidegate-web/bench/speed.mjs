// How long a path takes in Node, by engine: `node speed.mjs FOLDER... [--map rts-512.map]`, each folder a package. With several
// packages they take turns, so that what else the machine does troubles all alike.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const words = process.argv.slice(2);
const at = words.indexOf('--map');
const [, name] = at < 0 ? [null, 'rts-512.map'] : words.splice(at, 2);
const suite = new URL('../../tidegate-bench/suite/', import.meta.url);
const text = await readFile(new URL(`maps/bundled/${name}`, suite), 'utf8');
const scen = await readFile(new URL(`scenarios/bundled/${name}.scen`, suite), 'utf8');
const ends = scen.trim().split('\n').slice(1).map((line) => line.split('\t').slice(4, 8).map(Number));

const packages = [];
for (const folder of words) {
  const tidegate = await import(pathToFileURL(resolve(folder, 'tidegate.js')));
  await tidegate.default({ module_or_path: await readFile(resolve(folder, 'tidegate_bg.wasm')) });
  const map = tidegate.readMap(text);
  packages.push({ folder, index: new tidegate.Index(map.free, map.width, map.height) });
}
for (const engine of ['astar', 'jps', 'corners', 'labels']) {
  const row = packages.map(({ folder, index }) => {
    const began = performance.now();
    index.prepare(engine);
    return { folder, index, built: performance.now() - began, best: Infinity };
  });
  // Short rounds, of which the best counts: on a busy machine others are interrupted.
  for (const until = performance.now() + 3000 * row.length; performance.now() < until;) {
    for (const one of row) {
      const began = performance.now();
      for (const [x0, y0, x1, y1] of ends) one.index.path(x0, y0, x1, y1, { engine });
      one.best = Math.min(one.best, (performance.now() - began) * 1000 / ends.length);
    }
  }
  for (const { folder, built, best } of row) console.log(engine.padEnd(20), folder.padEnd(24), `${best.toFixed(1)} µs a path`.padStart(18), `built in ${built.toFixed(0)} ms`.padStart(20));
}
