// The package as it was built, and what several tests need.
import { readFile, readdir } from 'node:fs/promises';

export const ROOT = new URL('../../../', import.meta.url);
export const PACKAGE = new URL('target/web/pkg/', ROOT);
export const SUITE = new URL('crates/tidegate-bench/suite/', ROOT);

const tidegate = await import(new URL('node.js', PACKAGE));
await tidegate.default();
export default tidegate;

export const RULES = ['no-corner-cutting', 'one-side-free', 'four-connected'];

/** The bundled maps with the ends of their problems. */
export async function suite() {
  const names = await readdir(new URL('maps/bundled/', SUITE));
  return Promise.all(names.map(async (name) => {
    const map = await readFile(new URL(`maps/bundled/${name}`, SUITE));
    const scen = await readFile(new URL(`scenarios/bundled/${name}.scen`, SUITE), 'utf8');
    const rows = scen.trim().split('\n').slice(1).map((line) => line.split('\t'));
    const ends = rows.map((row) => row.slice(4, 8).map(Number));
    return { name, map: tidegate.readMap(map), starts: ends.flatMap((e) => e.slice(0, 2)), goals: ends.flatMap((e) => e.slice(2)), ends };
  }));
}

/** Small numbers that are the same in every run. */
export function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return Math.floor(((state ^ (state >>> 13)) >>> 0) / 2 ** 32 * below);
  };
}

/** Legal steps from a tile: the rule written once more, as plainly as can be. */
export function steps(map, rule, x, y, blocked = new Set()) {
  const open = (a, b) => a >= 0 && b >= 0 && a < map.width && b < map.height && map.free[b * map.width + a] === 1 && !blocked.has(`${a},${b}`);
  const all = [];
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]]) {
    if (!open(x + dx, y + dy)) continue;
    const diagonal = dx !== 0 && dy !== 0;
    const beside = Number(open(x + dx, y)) + Number(open(x, y + dy));
    const need = { 'no-corner-cutting': 2, 'one-side-free': 1, 'four-connected': 3 }[rule];
    if (!diagonal || beside >= need) all.push([x + dx, y + dy, diagonal ? Math.SQRT2 : 1]);
  }
  return all;
}

/** Dijkstra over the plain grid, without a heap: how far everything is from a tile. `extra` is what tiles cost more. */
export function far(map, rule, from, { blocked, extra, costs } = {}) {
  const distance = new Float64Array(map.width * map.height).fill(Infinity);
  const price = (cell) => (costs?.[cell] ?? 1) + (extra?.[cell] ?? 0);
  const done = new Uint8Array(distance.length);
  const open = new Set();
  for (const [x, y] of from) {
    distance[y * map.width + x] = 0;
    open.add(y * map.width + x);
  }
  while (open.size > 0) {
    let best = -1;
    for (const cell of open) if (best < 0 || distance[cell] < distance[best]) best = cell;
    open.delete(best);
    done[best] = 1;
    const [x, y] = [best % map.width, Math.floor(best / map.width)];
    for (const [a, b, length] of steps(map, rule, x, y, blocked)) {
      const to = b * map.width + a;
      const cost = distance[best] + length * (price(best) + price(to)) / 2;
      if (!done[to] && cost < distance[to]) {
        distance[to] = cost;
        open.add(to);
      }
    }
  }
  return distance;
}

/** The length of a path, which must consist of legal steps. */
export function walked(map, rule, path, blocked) {
  let length = 0;
  for (let i = 2; i < path.length; i += 2) {
    const step = steps(map, rule, path[i - 2], path[i - 1], blocked).find(([x, y]) => x === path[i] && y === path[i + 1]);
    if (!step) throw new Error(`no step from ${path[i - 2]},${path[i - 1]} to ${path[i]},${path[i + 1]}`);
    length += step[2];
  }
  return length;
}
