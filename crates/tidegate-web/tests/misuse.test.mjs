// What must be refused, with its code and the word that names the argument; and that everything goes on afterwards.
import assert from 'node:assert/strict';
import test from 'node:test';
import tidegate from './load.mjs';

const { CostLayer, Index, World, readMap } = tidegate;
const open = () => new Index(new Uint8Array(12).fill(1), 4, 3);
const walled = () => new Index(Uint8Array.of(1, 0, 1, 1), 4, 1);
const other = () => new Index(new Uint8Array(4).fill(1), 2, 2);
const gone = (array) => structuredClone(array.buffer, { transfer: [array.buffer] }) && array;

const TABLE = [
  // The map.
  ['array', /free .*4 x 3 = 12 bytes, not Uint8Array\(11\)/, () => new Index(new Uint8Array(11), 4, 3)],
  ['array', /free .* not Int32Array/, () => new Index(new Int32Array(12), 4, 3)],
  ['array', /free .* not Array\(12\)/, () => new Index(Array(12).fill(1), 4, 3)],
  ['array', /free .* not undefined/, () => new Index(undefined, 4, 3)],
  ['array', /free .* not null/, () => new Index(null, 4, 3)],
  ['array', /free at 1,2 is 46/, () => new Index(Uint8Array.from({ length: 12 }, (_, n) => (n === 9 ? 46 : 1)), 4, 3)],
  ['argument', /width and height .*NaN/, () => new Index(new Uint8Array(12), NaN, 3)],
  ['argument', /width and height .*4.5/, () => new Index(new Uint8Array(12), 4.5, 3)],
  ['argument', /width and height .*-4/, () => new Index(new Uint8Array(12), -4, 3)],
  ['argument', /width and height/, () => new Index(new Uint8Array(12), Infinity, 3)],
  ['argument', /./, () => new Index(new Uint8Array(0), 0, 0)],
  ['argument', /./, () => new Index(new Uint8Array(12), 1e9, 1e9)],
  ['argument', /no movement "sideways"; there are: no-corner-cutting/, () => new Index(new Uint8Array(12), 4, 3, { movement: 'sideways' })],
  ['argument', /movement must be a string, not 7/, () => new Index(new Uint8Array(12), 4, 3, { movement: 7 })],
  ['argument', /options must be an object, not "fast"/, () => new Index(new Uint8Array(12), 4, 3, 'fast')],
  ['array', /costs .*12 numbers, not 3/, () => new Index(new Uint8Array(12).fill(1), 4, 3, { costs: [1, 2, 3] })],
  ['array', /costs at 2,1 is NaN/, () => new Index(new Uint8Array(12).fill(1), 4, 3, { costs: Array.from({ length: 12 }, (_, n) => (n === 6 ? NaN : 1)) })],
  ['array', /costs at 0,0 is 0.5/, () => open().setCosts(Array(12).fill(0.5))],
  // Tiles.
  ['coordinate', /start 4,0 lies outside the map of 4 x 3/, () => open().path(4, 0, 0, 0)],
  ['coordinate', /goal 0,3 lies outside/, () => open().path(0, 0, 0, 3)],
  ['coordinate', /start -1,0 lies outside/, () => open().path(-1, 0, 0, 0)],
  ['coordinate', /start 65536,0 lies outside/, () => open().path(65536, 0, 0, 0)],
  ['coordinate', /start 4294967296,0 lies outside/, () => open().path(2 ** 32, 0, 0, 0)],
  ['coordinate', /goal must be two whole numbers, not NaN and 0/, () => open().path(0, 0, NaN, 0)],
  ['coordinate', /goal must be two whole numbers, not NaN and NaN/, () => open().path(0, 0)],
  ['coordinate', /start must be two whole numbers, not 0.5 and 0/, () => open().distance(0.5, 0, 1, 1)],
  ['coordinate', /whole numbers, not inf/, () => open().path(Infinity, 0, 1, 1)],
  ['coordinate', /goal 1,0 is a wall/, () => walled().path(0, 0, 1, 0)],
  ['coordinate', /start 1,0 is a wall/, () => walled().distance(1, 0, 0, 0)],
  ['coordinate', /goals\[1\] 1,0 is a wall/, () => walled().distances(0, 0, [0, 0, 1, 0])],
  ['coordinate', /goals\[0\] 9,9 lies outside/, () => open().field([9, 9])],
  ['coordinate', /blocked\[0\] must be two whole numbers/, () => open().path(0, 0, 1, 1, { blocked: ['x', 'y'] })],
  ['coordinate', /goal 1,1 is blocked/, () => open().path(0, 0, 1, 1, { blocked: [1, 1] })],
  ['array', /goals .*one after the other, not 3 numbers/, () => open().distances(0, 0, [1, 2, 3])],
  ['array', /goals must be an array of numbers, not 7/, () => open().distances(0, 0, 7)],
  ['array', /goals must be an array of numbers, not object/, () => open().field({})],
  ['array', /goals must hold nothing but numbers/, () => open().field([1n, 2n])],
  ['array', /goals must hold nothing but numbers/, () => open().field([{ valueOf() { throw new Error('no'); } }, 0])],
  ['array', /goals must be an array of numbers/, () => open().field(BigInt64Array.of(1n, 2n))],
  ['array', /equally many, not 1 and 2/, () => open().paths([0, 0], [1, 1, 2, 2])],
  // Walks.
  ['coordinate', /start 4,0 lies outside the map of 4 x 3/, () => open().walk(4, 0, 0, 0)],
  ['coordinate', /goal must be two whole numbers, not 0.5 and 0/, () => open().walk(0, 0, 0.5, 0)],
  ['coordinate', /goal must be two whole numbers, not NaN and NaN/, () => open().walk(0, 0)],
  ['coordinate', /goal \(1.5, 0.5\) lies in a wall/, () => walled().walk(0, 0, 1, 0)],
  ['coordinate', /start \(1.25, 0.5\) lies in a wall/, () => walled().walk(1.25, 0.5, 0, 0, { points: true })],
  ['coordinate', /start \(4.5, 0\) lies outside the map of 4 x 3 tiles/, () => open().walk(4.5, 0, 0, 0, { points: true })],
  ['coordinate', /goal \(NaN, 0\) is no point/, () => open().walk(0, 0, NaN, 0, { points: true })],
  ['coordinate', /start \(inf, 0\) is no point/, () => open().walk(Infinity, 0, 0, 0, { points: true })],
  ['coordinate', /goal \(1.5, 1.5\) is blocked/, () => open().walk(0, 0, 1, 1, { blocked: [1, 1] })],
  ['argument', /points must be true or false, not 1/, () => open().walk(0, 0, 1, 1, { points: 1 })],
  ['argument', /options must be an object/, () => open().walk(0, 0, 1, 1, true)],
  ['argument', /no form "tiny"; there are: auto, fast, small/, () => open().prepareWalks({ form: 'tiny' })],
  ['argument', /budget is -1/, () => open().prepareWalks({ budget: -1 })],
  ['argument', /budget is NaN/, () => open().prepareWalks({ budget: NaN })],
  ['argument', /budget is 2147483649: .* at most 2147483648/, () => open().prepareWalks({ budget: 2 ** 31 + 1 })],
  ['engine', /anyangle-labels/, () => walled().prepareWalks({ budget: 1 })],
  // Engines and options.
  ['engine', /no engine "fast"; there are: auto|no engine "fast"; there are/, () => open().path(0, 0, 1, 1, { engine: 'fast' })],
  ['engine', /labels is not built .*index.prepare\("labels"\)/, () => open().path(0, 0, 1, 1, { engine: 'labels' })],
  ['engine', /given by its name, not 3/, () => open().prepare(3)],
  ['engine', /no engine/, () => open().prepare('jps', 'none')],
  ['argument', /costs must be a CostLayer, not object/, () => open().path(0, 0, 1, 1, { costs: {} })],
  ['argument', /costs must be a CostLayer, not object/, () => open().path(0, 0, 1, 1, { costs: { _key: 12345 } })],
  ['array', /costs are for maps of 2 x 2 tiles, this one has 4 x 3/, () => open().path(0, 0, 1, 1, { costs: new CostLayer(other()) })],
  // Changes.
  ['coordinate', /changes\[1\] 9,0 lies outside/, () => open().edit([[0, 0, false], [9, 0, true]])],
  ['array', /changes\[0\] must be \[x, y, free\], not Array\(2\)/, () => open().edit([[0, 0]])],
  ['array', /changes\[0\]: free must be true or false, not "yes"/, () => open().edit([[0, 0, 'yes']])],
  ['array', /changes\[0\]: free must be true or false, not 2/, () => open().edit(Int32Array.of(0, 0, 2))],
  ['array', /changes .*not 4 numbers/, () => open().edit(Int32Array.of(0, 0, 1, 1))],
  ['array', /changes must be an array/, () => open().edit('all')],
  // Layers and parts.
  ['argument', /centre 9,9 lies outside/, () => new CostLayer(open()).add(9, 9, 1, 1)],
  ['argument', /radius is -1/, () => new CostLayer(open()).add(1, 1, -1, 1)],
  ['argument', /radius is NaN/, () => new CostLayer(open()).add(1, 1, NaN, 1)],
  ['argument', /extra is 1000/, () => new CostLayer(open()).add(1, 1, 1, 1000)],
  ['argument', /a ring does not fall/, () => new CostLayer(open()).add(1, 1, 3, 1, { inner: 1, falling: true })],
  ['argument', /keep is 2/, () => new CostLayer(open()).fade(2)],
  ['array', /extras .*12 numbers, not 1/, () => new CostLayer(open()).addArray([1])],
  ['argument', /no zone 99/, () => open().decompose().outline(99)],
  ['argument', /no zone NaN/, () => open().decompose().outline(NaN)],
  ['argument', /no zone 0.5/, () => open().decompose().outline(0.5)],
  // Worlds.
  ['array', /ground .*12 bytes, not Uint8Array\(3\)/, () => new World(new Uint8Array(3), 4, 3)],
  ['argument', /size is 0/, () => new World(new Uint8Array(12), 4, 3).add({ size: 0, enters: '.' })],
  ['argument', /size is 1.5/, () => new World(new Uint8Array(12), 4, 3).add({ size: 1.5, enters: '.' })],
  ['argument', /size is 33/, () => new World(new Uint8Array(12), 4, 3).add({ size: 33, enters: '.' })],
  ['argument', /enters is missing/, () => new World(new Uint8Array(12), 4, 3).add({})],
  ['array', /enters must be a list, not 46/, () => new World(new Uint8Array(12), 4, 3).add({ enters: 46 })],
  ['argument', /enters\[0\]: a class is .*not 256/, () => new World(new Uint8Array(12), 4, 3).add({ enters: [256] })],
  ['argument', /enters\[0\]: a class is .*not "ab"/, () => new World(new Uint8Array(12), 4, 3).add({ enters: ['ab'] })],
  ['argument', /enters\[1\]: a cost factor .*not 0/, () => new World(new Uint8Array(12), 4, 3).add({ enters: [1, [2, 0]] })],
  ['argument', /no profile 0/, () => new World(new Uint8Array(12), 4, 3).index(0)],
  ['argument', /no profile NaN/, () => new World(new Uint8Array(12), 4, 3).prepare(NaN, 'jps')],
  ['coordinate', /changes\[0\] 4,0 lies outside/, () => new World(new Uint8Array(12), 4, 3).edit([[4, 0, 1]])],
  ['array', /changes must be a list/, () => new World(new Uint8Array(12), 4, 3).edit(7)],
  // More than there is: refused by what they say they are, before anything is copied.
  ['argument', /a map of 4097 x 4096 tiles is too large here: at most 16777216 tiles/, () => new Index(new Uint8Array(0), 4097, 4096)],
  ['argument', /a map of 16384 x 16384 tiles is too large here/, () => new World(new Uint8Array(0), 16384, 16384)],
  ['array', /goals must have at most 16777216 elements, not 4294967295/, () => open().distances(0, 0, Array(2 ** 32 - 1))],
  ['array', /changes must have at most 16777216 elements/, () => open().edit(Array(2 ** 32 - 1))],
  ['array', /enters must have at most 16777216 elements/, () => new World(new Uint8Array(12), 4, 3).add({ enters: Array(2 ** 32 - 1) })],
  ['array', /costs must hold 4 x 3 = 12 numbers, not 4294967295/, () => open().setCosts(Array(2 ** 32 - 1))],
  ['array', /free .*12 bytes, not Uint8Array\(12\)/, () => new Index(Object.defineProperty(new Uint8Array(3), 'length', { value: 12 }), 4, 3)],
  // Buffers that are gone.
  ['array', /free .*12 bytes, not Uint8Array\(0\)/, () => new Index(gone(new Uint8Array(12)), 4, 3)],
  ['array', /bytes cannot be read/, () => Index.load(gone(new Uint8Array(12)))],
  // Files.
  ['file', /./, () => readMap('what is this?\n')],
  ['file', /./, () => readMap('')],
  ['file', /./, () => readMap('type octile\nheight 2\nwidth 3\nmap\n...\n')],
  ['file', /./, () => readMap(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3))],
  ['array', /a map must be a Uint8Array, not 7/, () => readMap(7)],
  ['file', /./, () => Index.load(new Uint8Array(0))],
  ['file', /./, () => Index.load(open().save().subarray(0, 60))],
  ['file', /./, () => { const bytes = open().save(); bytes[40] ^= 1; Index.load(bytes); }],
  ['array', /bytes must be a Uint8Array, not "x.tide"/, () => Index.load('x.tide')],
];

const NAMES = { array: 'ArrayError', argument: 'ArgumentError', coordinate: 'CoordinateError', engine: 'EngineError', file: 'FileError' };

test(`${TABLE.length} kinds of misuse`, () => {
  for (const [code, message, misuse] of TABLE) {
    assert.throws(misuse, (error) => {
      const says = `${misuse}: ${error}`;
      assert.ok(error instanceof Error, says);
      assert.equal(error.code, code, says);
      assert.equal(error.name, NAMES[code], says);
      assert.match(error.message, message, says);
      return true;
    });
  }
  // Nothing broke.
  assert.equal(open().path(0, 0, 3, 2).length, 8);
});

test('a refused edit changes nothing', () => {
  const index = open();
  assert.throws(() => index.edit([[0, 0, false], [9, 9, false]]));
  assert.deepEqual([...index.freeTiles], Array(12).fill(1));
  assert.equal(index.revision, 0);
});

test('values that are let go', () => {
  const index = open();
  const [layer, parts] = [new CostLayer(index), index.decompose()];
  index.free();
  assert.throws(() => index.path(0, 0, 1, 1), Error);
  assert.throws(() => index.width, Error);
  assert.throws(() => index.free(), Error);
  assert.equal(parts.gates.length, 0); // parts live on
  const again = open();
  again.path(0, 0, 1, 1, { costs: layer });
  layer.free();
  assert.throws(() => again.path(0, 0, 1, 1, { costs: layer }), Error);
  assert.throws(() => layer.clear(), Error);
  assert.equal(again.path(0, 0, 1, 1).length, 4);
  assert.throws(() => Index.prototype.path.call({}, 0, 0, 1, 1), Error);
  assert.throws(() => Index(), TypeError);
  assert.throws(() => new CostLayer({}), Error);
  parts.free();
});

test('arguments that throw', () => {
  const index = open();
  const thrower = () => { throw new RangeError('mine'); };
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  const throwing = (list, at) => Object.defineProperty(list, at, { get: thrower });
  for (const call of [
    () => index.edit(throwing([[0, 0, true]], 0)),
    () => index.edit([throwing([0, 0, true], 2)]),
    () => index.edit(new Proxy([], { get: thrower })),
    () => index.setCosts(Object.defineProperty(new Uint8Array(12), 'length', { get: thrower })),
    () => new World(new Uint8Array(12), 4, 3).add({ enters: throwing(['.'], 0) }),
    () => new World(new Uint8Array(12), 4, 3).edit([throwing([0, 0, 1], 0)]),
  ]) assert.throws(call, RangeError);
  assert.throws(() => index.edit(proxy), TypeError);
  assert.throws(() => index.edit([proxy]), TypeError);
  // It is not in use any more.
  assert.equal(index.edit([[0, 0, false]]).revision, 1);
  index.free();
});

test('options that call back', () => {
  const index = open();
  // A getter may read the index, but not change it.
  assert.equal(index.path(0, 0, 3, 0, { get engine() { return index.path(0, 0, 1, 0) && 'astar'; } }).length, 8);
  assert.throws(() => index.path(0, 0, 3, 0, { get engine() { index.edit([[1, 1, false]]); return 'astar'; } }), { code: 'argument' });
  assert.throws(() => index.path(0, 0, 3, 0, { get engine() { throw new RangeError('mine'); } }), RangeError);
  assert.equal(index.edit([[1, 1, false]]).revision, 1);
  assert.equal(index.path(0, 0, 3, 0, null).length, 8);
  index.free();
});

test('arrays of another realm', async () => {
  const vm = await import('node:vm');
  const free = vm.runInNewContext('new Uint8Array(12).fill(1)');
  assert.ok(!(free instanceof Uint8Array));
  const index = new Index(free, 4, 3);
  assert.deepEqual([...index.distances(0, 0, vm.runInNewContext('[3, 0]'))], [3]);
});

test('a module that broke down says so', async () => {
  // In a worker, whose module has no memory to grow into.
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(new URL('broken.worker.mjs', import.meta.url));
  const said = await new Promise((done, failed) => worker.on('message', done).on('error', failed));
  await worker.terminate();
  assert.equal(said.first, 'RuntimeError');
  assert.deepEqual(said.later, ['broken', 'broken', 'broken', 'broken']);
});
