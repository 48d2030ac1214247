// Walks at any angle against a search over every corner of tiles, on small random maps that are edited.
import assert from 'node:assert/strict';
import test from 'node:test';
import tidegate, { RULES, random } from './load.mjs';

const { Index } = tidegate;
const SIZES = [[1, 1], [1, 7], [8, 1], [3, 2], [5, 5], [7, 6]];
const PARTS = 256;

const isFree = ({ free, width, height }, x, y) => x >= 0 && y >= 0 && x < width && y < height && free[y * width + x] === 1;

/** Whether two walls touch at a corner and nowhere else. */
function isShut(map, x, y) {
  const [a, b, c, d] = [[-1, -1], [0, 0], [0, -1], [-1, 0]].map(([dx, dy]) => isFree(map, x + dx, y + dy));
  return a === b && c === d && a !== c;
}

/** Whether a point lies in a free tile or on its edge, where a tile has this side. */
function onFree(map, x, y, side) {
  const columns = [Math.floor(x / side), Math.ceil(x / side) - 1];
  const rows = [Math.floor(y / side), Math.ceil(y / side) - 1];
  return columns.some((column) => rows.some((row) => isFree(map, column, row)));
}

/** Whether each piece of a line between lines of the grid can be walked. Whole numbers below 2^53 throughout. */
function sees(map, [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const scale = (Math.abs(dx) || 1) * (Math.abs(dy) || 1);
  const cuts = new Set([0, scale]);
  for (const [from, way, side] of [[ax, dx, map.width], [ay, dy, map.height]]) {
    for (let line = 0; way !== 0 && line <= side; line++) {
      const share = (line * PARTS - from) * (scale / Math.abs(way)) * Math.sign(way);
      if (share > 0 && share < scale) cuts.add(share);
    }
  }
  const ordered = [...cuts].sort((a, b) => a - b);
  const side = PARTS * scale;
  for (let n = 1; n < ordered.length; n++) {
    const [x, y] = [ax * scale + dx * ordered[n], ay * scale + dy * ordered[n]];
    const last = n === ordered.length - 1;
    if (!last && x % side === 0 && y % side === 0 && isShut(map, x / side, y / side)) return false;
    const both = ordered[n] + ordered[n - 1];
    if (!onFree(map, 2 * ax * scale + dx * both, 2 * ay * scale + dy * both, 2 * side)) return false;
  }
  return true;
}

/** The length of the shortest walk; Infinity if there is none. */
function shortest(map, start, goal) {
  const nodes = [start, goal];
  for (let y = 0; y <= map.height; y++) {
    for (let x = 0; x <= map.width; x++) if (!isShut(map, x, y) && onFree(map, x, y, 1)) nodes.push([x * PARTS, y * PARTS]);
  }
  const far = nodes.map((_, n) => (n === 0 ? 0 : Infinity));
  const left = new Set(nodes.keys());
  for (;;) {
    let least = -1;
    for (const n of left) if (far[n] < (far[least] ?? Infinity)) least = n;
    if (least < 0 || least === 1) return far[1] / PARTS;
    left.delete(least);
    for (const n of left) {
      const more = far[least] + Math.hypot(nodes[n][0] - nodes[least][0], nodes[n][1] - nodes[least][1]);
      if (more < far[n] && sees(map, nodes[least], nodes[n])) far[n] = more;
    }
  }
}

function check(map, walk, start, goal, says) {
  const wanted = shortest(map, start, goal);
  if (walk === null) return assert.equal(wanted, Infinity, says), 0;
  const points = Array.from({ length: walk.points.length / 2 }, (_, n) => [walk.points[2 * n] * PARTS, walk.points[2 * n + 1] * PARTS]);
  assert.ok(walk.points instanceof Float64Array && points.flat().every(Number.isInteger), says);
  assert.deepEqual([points[0], points.at(-1)], [start, goal], says);
  const lines = points.slice(1).map((point, n) => [points[n], point]);
  assert.ok(lines.every(([a, b]) => sees(map, a, b)), says);
  const sum = lines.reduce((all, [[ax, ay], [bx, by]]) => all + Math.hypot(bx - ax, by - ay) / PARTS, 0);
  assert.ok(Math.abs(sum - walk.length) < 1e-9 && Math.abs(wanted - walk.length) < 1e-9, `${says}: ${walk.length}, not ${wanted}`);
  return 1;
}

test('walks between tiles and points, before and after edits, with blocked tiles', () => {
  let found = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const below = random(seed);
    const [width, height] = SIZES[seed % SIZES.length];
    const map = { width, height, free: Uint8Array.from({ length: width * height }, () => Number(below(100) < 70)) };
    map.free[0] = 1;
    const index = new Index(map.free, width, height, { movement: RULES[seed % 3] });
    if (seed % 4) index.prepareWalks([, { labels: false }, { form: 'fast' }, { form: 'small' }][seed % 4]);
    const tiles = () => [...map.free.keys()].filter((cell) => map.free[cell]).map((cell) => [cell % width, Math.floor(cell / width)]);
    const centre = ([x, y]) => [x * PARTS + 128, y * PARTS + 128];
    for (let round = 0; round < 3; round++) {
      const all = tiles();
      const pick = () => all[below(all.length)];
      for (let n = 0; n < 3; n++) {
        const [start, goal] = [pick(), pick()];
        const says = `seed ${seed}, round ${round}, ${start} to ${goal}`;
        found += check(map, index.walk(...start, ...goal), centre(start), centre(goal), says);
        const [a, b] = [start, goal].map((tile) => tile.map((at) => at * PARTS + [0, 1, 128, 200, 256][below(5)]));
        const asked = [...a, ...b].map((at) => at / PARTS);
        found += check(map, index.walk(...asked, { points: true }), a, b, `${says}, points ${asked}`);
        const blocked = pick();
        if (String(blocked) === String(start) || String(blocked) === String(goal)) continue;
        const shut = { ...map, free: map.free.with(blocked[1] * width + blocked[0], 0) };
        found += check(shut, index.walk(...start, ...goal, { blocked }), centre(start), centre(goal), `${says}, blocked ${blocked}`);
      }
      const [x, y] = [below(width), below(height)];
      const now = Number(x + y === 0 || !map.free[y * width + x]);
      map.free[y * width + x] = now;
      index.edit([[x, y, now === 1]]);
    }
  }
  assert.ok(found > 700, `${found} walks`);
});

test('tables of walks are kept in the file', () => {
  const index = new Index(Uint8Array.from({ length: 81 }, (_, n) => Number(n % 9 !== 4 || n > 71)), 9, 9);
  const plain = index.save().length;
  index.prepareWalks({ labels: false });
  index.prepareWalks();
  const bytes = index.save();
  assert.ok(bytes.length > plain);
  assert.equal(Index.load(bytes).walk(0, 0, 8, 0).length, index.walk(0, 0, 8, 0).length);
  assert.deepEqual([...index.walk(0, 0, 0, 0).points], [0.5, 0.5]);
});
