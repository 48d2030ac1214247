// Random programs of calls of the package, a third of them with one argument that is wrong. A call is answered rightly, by a
// plain Dijkstra, or throws an ordinary error; nothing else may happen: no trap, no module that is broken from then on, no
// index that stays in use, no change where a call was refused.
//
//   node fuzz.mjs COUNT [SEED [SECONDS]]      so many programs, or what there is time for; fuzz.test.mjs runs some
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import tidegate, { RULES, far, random, walked } from './load.mjs';

const { CostLayer, Index, World, readMap } = tidegate;
const ENGINES = tidegate.engines().map((engine) => engine.name);
const CALLS = 16;
const LARGE = new Float64Array((1 << 24) + 2);

/** What arguments of this file throw when they are looked at. */
class Mine extends Error {}

/** Errors of the binding, of the arguments themselves, and of what stands before it: classes and numbers. */
function isRefusal(error) {
  if (error instanceof Mine || error instanceof TypeError) return true;
  if (error.constructor !== Error) return false;
  if (error.code) return ['array', 'argument', 'coordinate', 'engine', 'file', 'query'].includes(error.code);
  return /expected instance of|null pointer passed|attempted to take ownership|recursive use/.test(error.message);
}

function thrower() {
  throw new Mine('looked at');
}

/** A list that throws, lies or calls the package back when it is looked at. */
function strange(program, kind) {
  const { index, layer, world } = program;
  const back = () => {
    index.path(0, 0, 0, 0, null) ?? 0;
    index.edit([]);
    layer.clear();
    world.edit([]);
    return 0;
  };
  const attempt = () => {
    try {
      return back();
    } catch {
      return 0;
    }
  };
  const revoked = (of) => {
    const { proxy, revoke } = Proxy.revocable(of, {});
    revoke();
    return proxy;
  };
  const gone = (array) => {
    structuredClone(array.buffer, { transfer: [array.buffer] });
    return array;
  };
  // As a number it would be as many commas.
  const long = (length) => Object.assign(Array(length), { toString: () => 'long' });
  const getter = (list, at, get) => Object.defineProperty(list, at, { get, enumerable: true });
  return [
    () => getter([0, 0], 1, thrower),
    () => getter([[0, 0, true]], 0, thrower),
    () => [getter([0, 0, true], 2, thrower)],
    () => getter([0, 0], 0, attempt),
    () => [getter([0, 0, true], 0, attempt)],
    () => [{ valueOf: thrower }, 0],
    () => [{ valueOf: attempt }, 0],
    () => ({ valueOf: thrower }),
    () => ({ [Symbol.toPrimitive]: attempt }),
    () => ({ get engine() { return thrower(); } }),
    () => ({ get engine() { attempt(); return 'astar'; }, get blocked() { attempt(); return []; } }),
    () => ({ get costs() { return thrower(); }, get size() { return thrower(); }, get enters() { return thrower(); } }),
    () => ({ get labels() { return thrower(); } }),
    () => revoked([]),
    () => revoked({}),
    () => [revoked([])],
    () => new Proxy([0, 0], { get: thrower }),
    () => new Proxy([0, 0], { get: (of, name) => ({ length: 1e9, toString: () => 'long' })[name] ?? of[name] }),
    () => new Proxy({}, { get: thrower }),
    () => new Proxy(new Uint8Array(program.map.free.length), {}),
    () => gone(new Uint8Array(program.map.free.length)),
    () => gone(Float64Array.of(0, 0)),
    () => ({ [Symbol.toStringTag]: 'Uint8Array', length: program.map.free.length }),
    () => ({ [Symbol.toStringTag]: 'Float64Array', length: 2 ** 31 }),
    () => ({ [Symbol.toStringTag]: 'Array', get length() { return thrower(); } }),
    () => Object.defineProperty(new Uint8Array(3), 'length', { value: program.map.free.length }),
    () => Object.defineProperty(new Uint8Array(3), 'length', { get: thrower }),
    () => Object.defineProperty(new Uint8Array(program.map.free.length), Symbol.toStringTag, { get: thrower }),
    () => Object.assign([0, 0], { [Symbol.iterator]: thrower }),
    () => long(2 ** 32 - 1),
    () => long(2 ** 28),
    () => LARGE,
    () => ({ _key: 1.5 }),
    () => ({ get _key() { return thrower(); } }),
    () => ({ __wbg_ptr: 0 }),
  ][kind]();
}
const STRANGE = 35;

/** A value that fits few arguments, if any. */
function wrong(program) {
  const { below, map } = program;
  const pick = (list) => list[below(list.length)];
  return pick([
    () => pick([undefined, null, true, false, Symbol('s'), 10n, 2n ** 70n, () => 0, class {}, new Date(0), /x/]),
    () => pick([-1, 0.5, NaN, Infinity, -Infinity, -0, 2 ** 16, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, 5e-324]),
    () => pick(['', 'jps', 'labels', 'four-connected', 'x'.repeat(200), '\0', '\ud800', 'ä', 'small', '..\n.@\n']),
    () => pick([[], {}, [[]], [[1]], [[0, 0]], [[0, 0, true]], [0, 0, 0], [NaN, 0], ['a', 'b'], [null, 0], [1e300, 0], [, 1]]),
    () => pick([{ engine: 7 }, { engine: 'none' }, { blocked: 3 }, { costs: {} }, { movement: 1 }, { size: NaN }, { enters: [[]] }]),
    () => pick([new ArrayBuffer(8), new DataView(new ArrayBuffer(8)), new SharedArrayBuffer(8), new Map(), new Set([1]), Object.create(null)]),
    () => pick([Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint32Array, Float32Array, BigInt64Array].map((Kind) => new Kind(pick([0, 1, 2, 3, map.free.length])))),
    () => new Uint8Array(map.free.length).fill(pick([2, 46, 255])),
    () => new Float64Array(map.free.length).fill(pick([NaN, Infinity, 0, -1, 656])),
    () => new Uint8Array(new SharedArrayBuffer(map.free.length)),
    () => Int32Array.of(map.width, 0),
    () => [map.width, map.height, 0, 0],
    () => pick([program.index, program.layer, program.parts, program.world, Index, tidegate]),
    () => strange(program, below(STRANGE)),
    () => strange(program, below(STRANGE)),
    () => strange(program, below(STRANGE)),
    () => program.gone,
  ])();
}

class Program {
  constructor(seed) {
    this.seed = seed;
    this.log = [];
    Object.assign(this, { calls: 0, refused: 0, answers: 0 });
    const below = (this.below = random(seed));
    for (let n = 0; n < 3; n++) below(2);
    const [width, height, walls] = [1 + below(7), 1 + below(6), [0, 1, 2, 4][below(4)]];
    const free = Uint8Array.from({ length: width * height }, () => Number(below(8) >= walls));
    this.map = { width, height, free };
    this.rule = RULES[below(3)];
    this.costs = below(4) === 0 ? this.someCosts() : undefined;
    const given = free.slice();
    this.index = new Index(given, width, height, { movement: this.rule, costs: this.costs });
    given.fill(0);
    this.layer = new CostLayer(this.index);
    this.parts = this.index.decompose();
    this.world = new World(free, width, height);
    this.world.add({ enters: [1] });
    this.gone = new CostLayer(this.index);
    this.gone.free();
  }

  free() {
    for (const value of [this.index, this.layer, this.parts, this.world]) value.free();
  }

  someCosts() {
    return Array.from(this.map.free, () => [1, 1, 2.5, 9.75, 655.35][this.below(5)]);
  }

  tile() {
    const { free, width } = this.map;
    const all = [...free.keys()].filter((cell) => free[cell] === 1);
    const cell = all.length > 0 ? all[this.below(all.length)] : 0;
    return [cell % width, Math.floor(cell / width)];
  }

  tiles(most) {
    const all = Array.from({ length: this.below(most + 1) }, () => this.tile()).flat();
    return [(x) => x, Int32Array.from, Float64Array.from, Uint16Array.from][this.below(4)] === Int32Array.from ? Int32Array.from(all) : all;
  }

  /** Calls a method with these arguments, or with one that is wrong; `fine`: whether these are taken. */
  call(on, name, args, check, fine = true) {
    const { below, index } = this;
    const spoiled = below(3) === 0;
    if (spoiled) {
      args = [...args];
      const at = below(args.length + 1);
      if (at === args.length && below(2) === 0) args.pop();
      else args[at] = wrong(this);
    }
    this.log.push(`${name} of ${on.constructor?.name}${spoiled ? ', spoiled' : ''}`);
    this.calls++;
    const before = index.revision;
    let result;
    try {
      result = name === 'new' ? new on(...args) : on[name](...args);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.refused++;
      if (!spoiled && fine) throw new Error(`a good call was refused: ${error.stack}`);
      if (name === 'edit' || name === 'setCosts') assert.equal(index.revision, before, 'refused, and changed');
      return undefined;
    }
    if (spoiled) {
      // Who knows what it was.
      this.map.free = index.freeTiles;
      this.costs = index.costs ?? undefined;
      if (result?.free instanceof Function) result.free();
      return undefined;
    }
    if (check) {
      check(result);
      this.answers++;
    }
    return result;
  }

  far(sources, layer = false) {
    // A tile costs 655.35 at most.
    const most = (added, cell) => Math.min(added, 655.35 - (this.costs?.[cell] ?? 1));
    const extra = layer && !this.layer.isEmpty ? this.layer.array.map(most) : undefined;
    return far(this.map, this.rule, sources, { costs: this.costs, extra });
  }

  isNear(told, least, what) {
    const [a, b] = [told ?? Infinity, least];
    // Costs are counted in parts of a tile, rounded down step by step.
    assert.ok(a === b || Math.abs(a - b) <= 1e-3 * Math.max(1, b), `${what}: ${a}, not ${b}`);
  }

  step() {
    const { below, index, map } = this;
    const [start, goal] = [this.tile(), this.tile()];
    const anyFree = map.free.includes(1);
    const at = ([x, y]) => y * map.width + x;
    switch (below(22)) {
      case 0: case 1: {
        const engine = index.engines[below(index.engines.length)];
        const layer = below(3) === 0;
        const options = { engine, ...(layer ? { costs: this.layer } : {}) };
        const fine = anyFree && (!layer || engine === 'astar' || engine === 'auto');
        this.call(index, 'path', [...start, ...goal, options], (path) => {
          const least = this.far([start], layer)[at(goal)];
          if (path === null) return assert.equal(least, Infinity);
          assert.deepEqual([[...path.subarray(0, 2)], [...path.subarray(-2)]], [start, goal]);
          const length = walked(map, this.rule, path);
          if (!layer && !this.costs) this.isNear(length, least, `path by ${engine}`);
          path.fill(-1);
        }, fine);
        break;
      }
      case 2: case 3: {
        const engine = index.engines[below(index.engines.length)];
        this.call(index, 'distance', [...start, ...goal, { engine }], (told) => this.isNear(told, this.far([start])[at(goal)], engine), anyFree);
        break;
      }
      case 4: {
        const goals = this.tiles(5);
        this.call(index, 'distances', [...start, goals], (all) => {
          const least = this.far([start]);
          all.forEach((told, n) => this.isNear(told, least[goals[2 * n + 1] * map.width + goals[2 * n]], 'distances'));
        }, anyFree);
        break;
      }
      case 5: {
        const count = below(6);
        const [starts, goals] = [0, 1].map(() => Array.from({ length: count }, () => this.tile()).flat());
        this.call(index, 'paths', [starts, goals, undefined], ({ offsets, tiles }) => {
          assert.equal(offsets.length, count + 1);
          assert.equal(2 * offsets[count], tiles.length);
        }, anyFree);
        break;
      }
      case 6: case 7: case 8: {
        const changes = Array.from({ length: below(4) }, () => [below(map.width), below(map.height), below(2) === 1]);
        const wanted = map.free.slice();
        for (const [x, y, free] of changes) wanted[y * map.width + x] = Number(free);
        const given = below(2) === 0 ? changes : Int32Array.from(changes.flat().map(Number));
        if (this.call(index, 'edit', [given], () => assert.deepEqual(index.freeTiles, wanted))) map.free = wanted;
        break;
      }
      case 9: {
        const costs = this.someCosts();
        if (this.call(index, 'setCosts', [costs])) this.costs = index.costs ?? undefined;
        break;
      }
      case 10: {
        const goals = this.tiles(2);
        const sources = Array.from({ length: goals.length / 2 }, (_, n) => [goals[2 * n], goals[2 * n + 1]]);
        const layer = below(3) === 0;
        this.call(index, 'field', [goals, layer ? { costs: this.layer } : undefined], ({ distance, nextStep }) => {
          const least = this.far(sources, layer);
          distance.forEach((told, cell) => this.isNear(told, least[cell], 'field'));
          assert.equal(nextStep.length, 2 * map.free.length);
        }, anyFree);
        break;
      }
      case 11:
        this.call(index, 'reachable', [...start, ...goal], (yes) => assert.equal(yes, anyFree && this.far([start])[at(goal)] < Infinity));
        this.call(index, 'nearestReachable', [...start, ...goal]);
        break;
      case 12: {
        const points = below(2) === 0;
        const ends = points ? [...start, ...goal].map((n) => n + 0.25) : [...start, ...goal];
        this.call(index, 'walk', [...ends, { points }], (walk) => {
          const square = far(map, 'four-connected', [start])[at(goal)];
          assert.equal(walk === null, square === Infinity);
          if (walk) assert.ok(walk.length <= square + 1e-9 && walk.points.length >= 2);
        }, anyFree);
        break;
      }
      case 13: {
        const engines = Array.from({ length: below(3) }, () => ENGINES[below(ENGINES.length)]);
        this.call(index, 'prepare', engines, undefined, !this.costs);
        break;
      }
      case 14: {
        const budget = [undefined, 0, 1 << 20, 2 ** 31][below(4)];
        this.call(index, 'prepareWalks', [{ labels: below(2) === 0, form: ['auto', 'fast', 'small'][below(3)], budget }], undefined, budget !== 0);
        break;
      }
      case 15: {
        const { layer } = this;
        const ring = below(3) === 0;
        if (below(2) === 0) this.call(layer, 'add', [...start, [0, 1.5, 1e300][below(3)], [0, 1.25, 655.35][below(3)], ring ? { inner: 1 } : { falling: true }]);
        else this.call(layer, 'fade', [[0, 0.5, 1][below(3)]]);
        this.call(layer, 'addArray', [this.someCosts()]);
        this.call(index, 'cheapestWithin', [...start, 2.5, layer], undefined, anyFree);
        assert.equal(layer.array.length, map.free.length);
        break;
      }
      case 16: case 17: {
        if (below(2) === 0) {
          this.parts.free();
          this.parts = index.decompose();
        }
        const { parts } = this;
        const zones = parts.regions.map((zone) => zone.id);
        this.call(parts, 'outline', [zones[below(zones.length)] ?? 0], undefined, zones.length > 0);
        this.call(parts, ['zoneOf', 'nearestGate'][below(2)], start);
        this.call(parts, 'route', [...start, ...goal]);
        this.call(parts, 'gatesOn', [this.tiles(3)]);
        assert.deepEqual([parts.zones.length, parts.gateTiles.length, parts.altitude.length], Array(3).fill(map.free.length));
        assert.equal(Object.keys(parts.graph).length, zones.length);
        break;
      }
      case 18: {
        const bytes = index.save();
        for (let n = below(3); n > 0; n--) bytes[below(bytes.length)] ^= 1 << below(8);
        const other = this.call(Index, 'load', [bytes], undefined, false);
        if (other) {
          assert.deepEqual(other.freeTiles, map.free);
          other.free();
        }
        break;
      }
      case 19: {
        const text = [`type octile\nheight ${map.height}\nwidth ${map.width}\nmap\n`, '', 'type octile\nheight 65535\nwidth 65535\nmap\n'][below(3)];
        const rows = Array.from({ length: map.height }, (_, y) => [...map.free.subarray(y * map.width, (y + 1) * map.width)].map((free) => '@.'[free]).join('')).join('\n');
        const given = below(2) === 0 ? text + rows : new TextEncoder().encode(text + rows);
        this.call(tidegate, 'readMap', [given], ({ free }) => assert.deepEqual(free, map.free), !text.includes('65535'));
        break;
      }
      case 20: {
        const { world } = this;
        this.call(world, 'add', [{ size: 1 + below(4), enters: [[1], '.', [[1, 2.5]], [0, 1, '.']][below(4)], movement: RULES[below(3)] }]);
        this.call(world, 'edit', [[[below(map.width), below(map.height), [1, 0, '.'][below(3)]]]]);
        this.call(world, 'prepare', [0, 'jps'], undefined, true);
        this.call(world, 'ground', start);
        const unit = this.call(world, 'index', [0]);
        if (unit) {
          const free = unit.freeTiles;
          const cell = free.indexOf(1);
          if (cell >= 0) {
            const [x, y] = [cell % map.width, Math.floor(cell / map.width)];
            assert.equal(unit.distance(x, y, x, y), 0);
          }
          unit.free();
        }
        break;
      }
      default: {
        const other = this.call(Index, 'new', [map.free, map.width, map.height, { movement: this.rule, costs: this.costs }]);
        other?.free();
        const layer = this.call(CostLayer, 'new', [index]);
        layer?.free();
      }
    }
  }

  run() {
    try {
      for (let n = 0; n < CALLS; n++) this.step();
      // The index is not in use any more, answers, and can be changed.
      const [start, goal] = [this.tile(), this.tile()];
      if (this.map.free.includes(1)) {
        this.isNear(this.index.distance(...start, ...goal), this.far([start])[goal[1] * this.map.width + goal[0]], 'at the end');
      }
      const revision = this.index.revision;
      assert.equal(this.index.edit([[0, 0, this.map.free[0] === 0]]).revision, revision + 1);
      this.free();
    } catch (error) {
      throw new Error(`program ${this.seed}: ${this.log.slice(-8).join('; ')}: ${error.stack}`, { cause: error });
    }
  }
}

/** Runs so many programs; what was done. */
export function programs(count, seed = 1, seconds = Infinity) {
  const done = { programs: 0, calls: 0, refused: 0, answers: 0 };
  const end = performance.now() + 1000 * seconds;
  for (let n = 0; n < count && performance.now() < end; n++) {
    const program = new Program(seed * 100_003 + n);
    program.run();
    done.programs++;
    for (const name of ['calls', 'refused', 'answers']) done[name] += program[name];
  }
  return done;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { programs: count, calls, refused, answers } = programs(...process.argv.slice(2).map(Number));
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`${count} programs, ${calls} calls, ${refused} refused, ${answers} answers compared, peak ${peak} MB`);
}
