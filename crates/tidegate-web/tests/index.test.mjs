// Every function of an index against a plain Dijkstra, on small random maps of all shapes and rules.
import assert from 'node:assert/strict';
import test from 'node:test';
import tidegate, { RULES, far, random, steps, walked } from './load.mjs';

const { CostLayer, Index, World } = tidegate;
const SIZES = [[1, 1], [1, 9], [9, 1], [2, 2], [7, 5], [12, 12], [17, 11]];

function* maps(count) {
  for (let seed = 1; seed <= count; seed++) {
    const below = random(seed);
    const [width, height] = SIZES[below(SIZES.length)];
    const free = Uint8Array.from({ length: width * height }, () => Number(below(100) < 72));
    if (!free.includes(1)) free[0] = 1;
    yield { map: { free, width, height }, rule: RULES[seed % 3], below, seed };
  }
}

const tilesOf = ({ free, width }) => [...free.keys()].filter((cell) => free[cell]).map((cell) => [cell % width, Math.floor(cell / width)]);
const near = (a, b, what, by = 1e-6) => assert.ok(a === b || Math.abs(a - b) < by, `${what}: ${a}, not ${b}`);
// Steps over ground that costs more are counted in 5741ths of a tile, rounded at every step.
const ROUNDED = 0.01;

/** One query against what Dijkstra says. */
function check(index, { map, rule, seed }, [x0, y0], [x1, y1], distance, options, what, blocked) {
  const wanted = distance[y1 * map.width + x1];
  const path = index.path(x0, y0, x1, y1, options);
  const length = index.distance(x0, y0, x1, y1, options);
  const says = `${what}, seed ${seed}, ${rule}, ${x0},${y0} to ${x1},${y1}`;
  if (wanted === Infinity) {
    assert.equal(path, null, says);
    assert.equal(length, null, says);
    return 0;
  }
  near(length, wanted, says, options?.costs && ROUNDED);
  assert.deepEqual([path[0], path[1], path.at(-2), path.at(-1)], [x0, y0, x1, y1], says);
  const steplength = walked(map, rule, path, blocked);
  if (!options?.costs) near(steplength, wanted, says);
  return 1;
}

test('paths of every optimal engine, before and after edits', () => {
  const engines = tidegate.engines().filter((engine) => engine.optimal).map((engine) => engine.name);
  let found = 0;
  for (const made of maps(90)) {
    const { map, rule, below } = made;
    const index = new Index(map.free, map.width, map.height, { movement: rule });
    const engine = engines[made.seed % engines.length];
    index.prepare(engine);
    for (let round = 0; round < 3; round++) {
      const tiles = tilesOf(map);
      const pick = () => tiles[below(tiles.length)];
      for (let n = 0; n < 6; n++) {
        const [start, goal] = [pick(), pick()];
        found += check(index, made, start, goal, far(map, rule, [start]), { engine }, engine);
      }
      // Some walls fall, some are built; at least one tile stays free.
      const changes = Array.from({ length: 4 }, () => [below(map.width), below(map.height), below(2) === 1]);
      changes.push([0, 0, true]);
      const before = index.freeTiles;
      const report = round % 2 ? index.edit(changes) : index.edit(Int32Array.from(changes.flat().map(Number)));
      for (const [x, y, free] of changes) map.free[y * map.width + x] = Number(free);
      assert.deepEqual(index.freeTiles, map.free);
      const changed = map.free.reduce((sum, free, cell) => sum + Number(free !== before[cell]), 0);
      assert.equal((report.closed.length + report.opened.length) / 2, changed);
      assert.equal(report.revision, index.revision);
    }
  }
  assert.ok(found > 900, `${found} paths found`);
});

test('blocked tiles, costs that come and go, costs of the map', () => {
  let found = 0;
  for (const made of maps(60)) {
    const { map, rule, below } = made;
    const cells = map.width * map.height;
    const index = new Index(map.free, map.width, map.height, { movement: rule });
    const tiles = tilesOf(map);
    const pick = () => tiles[below(tiles.length)];
    const [start, goal] = [pick(), pick()];
    const apart = ([x, y]) => (x !== start[0] || y !== start[1]) && (x !== goal[0] || y !== goal[1]);
    const shut = Array.from({ length: 3 }, pick).filter(apart);
    const blocked = new Set(shut.map(String));
    found += check(index, made, start, goal, far(map, rule, [start], { blocked }), { blocked: Int32Array.from(shut.flat()) }, 'blocked', blocked);

    const danger = new CostLayer(index);
    assert.equal(danger.isEmpty, true);
    danger.add(...pick(), 2, 3.5);
    danger.addArray(Float32Array.from({ length: cells }, () => below(5)));
    danger.fade(0.5);
    const extra = danger.array;
    found += check(index, made, start, goal, far(map, rule, [start], { extra }), { costs: danger }, 'danger');
    danger.clear();
    assert.equal(danger.isEmpty, true);

    const costs = Float64Array.from({ length: cells }, () => (100 + below(300)) / 100);
    const hilly = new Index(map.free, map.width, map.height, { movement: rule, costs });
    const distance = far(map, rule, [start], { costs });
    const length = hilly.distance(...start, ...goal);
    near(length ?? Infinity, distance[goal[1] * map.width + goal[0]], 'costs', ROUNDED);
    assert.deepEqual(hilly.costs, costs);
    index.setCosts(costs);
    assert.equal(index.distance(...start, ...goal), length);
  }
  assert.ok(found > 80, `${found} paths found`);
});

test('many goals, fields, what can be reached', () => {
  for (const { map, rule, below, seed } of maps(60)) {
    const index = new Index(map.free, map.width, map.height, { movement: rule });
    const tiles = tilesOf(map);
    const start = tiles[below(tiles.length)];
    const distance = far(map, rule, [start]);
    const wanted = tiles.map(([x, y]) => distance[y * map.width + x]);
    index.distances(...start, tiles.flat()).forEach((length, n) => near(length, wanted[n], `distances, seed ${seed}`));

    const { offsets, tiles: all } = index.paths(tiles.flatMap(() => start), Uint16Array.from(tiles.flat()), { engine: 'astar' });
    assert.equal(offsets.length, tiles.length + 1);
    tiles.forEach((_, n) => {
      const path = all.subarray(2 * offsets[n], 2 * offsets[n + 1]);
      if (wanted[n] === Infinity) assert.equal(path.length, 0);
      else near(walked(map, rule, path), wanted[n], `paths, seed ${seed}`);
    });

    const goals = [start, tiles[below(tiles.length)]];
    const field = index.field(goals.flat());
    const flood = far(map, rule, goals);
    for (let cell = 0; cell < flood.length; cell++) {
      near(field.distance[cell], flood[cell], `field, seed ${seed}`);
      const [dx, dy] = field.nextStep.subarray(2 * cell, 2 * cell + 2);
      if (flood[cell] === 0 || flood[cell] === Infinity) assert.deepEqual([dx, dy], [0, 0]);
      else {
        const [x, y] = [cell % map.width, Math.floor(cell / map.width)];
        const step = steps(map, rule, x, y).find(([a, b]) => a === x + dx && b === y + dy);
        near(flood[cell] - step[2], flood[step[1] * map.width + step[0]], `next step, seed ${seed}`);
      }
    }

    for (const [n, [x, y]] of tiles.entries()) assert.equal(index.reachable(...start, x, y), wanted[n] !== Infinity);
    const to = [below(map.width), below(map.height)];
    const [x, y] = index.nearestReachable(...start, ...to);
    assert.notEqual(distance[y * map.width + x], Infinity);
    if (distance[to[1] * map.width + to[0]] !== Infinity) assert.deepEqual([x, y], to);
  }
});

test('units of every size, on their ground, before and after edits', () => {
  let found = 0;
  for (const { map: { free, width, height }, rule, below, seed } of maps(60)) {
    // Floor, mud and water, in place of the map's walls.
    const ground = Uint8Array.from(free, (tile) => (tile ? '.m'.charCodeAt(below(2)) : '~'.charCodeAt(0)));
    const world = new World(ground, width, height);
    const size = 1 + below(3);
    const unit = world.add({ size, movement: rule, enters: ['.', 'm'.charCodeAt(0)] });
    const slow = world.add({ movement: rule, enters: [['.', 1], ['m', 2.5]] });
    if (seed % 2) world.prepare(unit, 'corners');
    for (let round = 0; round < 2; round++) {
      const fits = (x, y) => x + size <= width && y + size <= height
        && Array.from({ length: size * size }, (_, n) => ground[(y + Math.floor(n / size)) * width + x + (n % size)]).every((tile) => '.m'.includes(String.fromCharCode(tile)));
      const map = { free: Uint8Array.from(ground, (_, cell) => Number(fits(cell % width, Math.floor(cell / width)))), width, height };
      const index = world.index(unit);
      assert.deepEqual(index.freeTiles, map.free);
      const tiles = tilesOf(map);
      for (let n = 0; n < 4 && tiles.length; n++) {
        const [start, goal] = [tiles[below(tiles.length)], tiles[below(tiles.length)]];
        found += check(index, { map, rule, seed }, start, goal, far(map, rule, [start]), undefined, `size ${size}`);
      }
      const flat = { free: Uint8Array.from(ground, (tile) => Number(tile !== 126)), width, height };
      const costs = Float64Array.from(ground, (tile) => (tile === 109 ? 2.5 : 1));
      const [start, goal] = [tilesOf(flat)[0], tilesOf(flat).at(-1)];
      if (start) near(world.index(slow).distance(...start, ...goal) ?? Infinity, far(flat, rule, [start], { costs })[goal[1] * width + goal[0]], 'mud', ROUNDED);
      const [x, y, tile] = [below(width), below(height), '.m~'[below(3)]];
      world.edit([[x, y, tile]]);
      ground[y * width + x] = tile.charCodeAt(0);
      assert.equal(world.ground(x, y), ground[y * width + x]);
    }
  }
  assert.ok(found > 150, `${found} paths found`);
});

test('zones and gates', () => {
  // Two rooms and a door between them.
  const [width, height] = [19, 9];
  const free = new Uint8Array(width * height).fill(1);
  for (let y = 0; y < height; y++) free[y * width + 9] = Number(y === 4);
  const index = new Index(free, width, height);
  const parts = index.decompose();
  const [gate] = parts.gates;
  assert.equal(parts.gates.length, 1);
  assert.equal(gate.width, 1);
  assert.deepEqual(gate.middle, [9, 4]);
  assert.deepEqual([...gate.tiles], [9, 4]);
  assert.deepEqual(parts.regions.map((zone) => zone.area), [81, 81]);
  const [left, right] = [parts.zoneOf(0, 0), parts.zoneOf(18, 8)];
  assert.deepEqual(parts.graph, { [left]: { [right]: [gate.id] }, [right]: { [left]: [gate.id] } });
  assert.deepEqual(parts.route(0, 0, 18, 0), [gate.id]);
  assert.deepEqual(parts.gatesOn(index.path(0, 0, 18, 0)), [gate.id]);
  assert.equal(parts.nearestGate(3, 3), gate.id);
  const { zones, gateTiles, altitude } = parts;
  free.forEach((isFree, cell) => {
    const x = cell % width;
    assert.equal(gateTiles[cell], cell === 4 * width + 9 ? gate.id : -1);
    if (!isFree) assert.equal(zones[cell], -1);
    else if (x !== 9) assert.equal(zones[cell], x < 9 ? left : right);
    else assert.ok([left, right].includes(zones[cell]));
    assert.equal(altitude[cell] > 0, isFree === 1);
  });
  assert.deepEqual([...parts.outline(left)].sort((a, b) => a - b).at(-1), 9);
  // The parts stay what they are; the index's own follow.
  index.edit([[9, 4, false]]);
  assert.equal(parts.gates.length, 1);
  assert.equal(index.decompose().gates.length, 0);
});

test('saved and loaded', () => {
  for (const { map, rule } of maps(12)) {
    const index = new Index(map.free, map.width, map.height, { movement: rule });
    index.prepare('corners', 'gateway');
    const again = Index.load(index.save());
    assert.deepEqual([again.width, again.height, again.movement], [map.width, map.height, rule]);
    assert.deepEqual(again.freeTiles, map.free);
    assert.deepEqual(again.engines, index.engines);
    assert.ok(again.engines.includes('corners'));
  }
});

test('maps are read', () => {
  const text = 'type octile\nheight 2\nwidth 3\nmap\n.@G\nTS.\n';
  for (const file of [text, new TextEncoder().encode(text), '.@G\nTS.\n']) {
    const map = tidegate.readMap(file);
    assert.deepEqual([map.width, map.height], [3, 2]);
    assert.deepEqual([...map.free], [1, 0, 1, 0, 1, 1]);
    assert.equal(String.fromCharCode(...map.kinds), '.@GTS.');
  }
});
