// Compiled with `tsc --strict`: what must be allowed, and what must not.
import init, { CostLayer, Index, Parts, World, engines, readMap } from '@tidegate/wasm';
import type { EditReport, EngineName, Field, Gate, Movement, Paths, TidegateError, TileMap, Walk, Zone } from '@tidegate/wasm';

await init();
await init({ module_or_path: new Uint8Array(8) });
const map: TileMap = readMap('..\n');
readMap(new Uint8Array(3));
const movement: Movement = 'four-connected';
const index = new Index(map.free, map.width, map.height, { movement, costs: [1, 2] });
const engine: EngineName = engines()[0]!.name;
index.prepare();
index.prepare('labels', engine);
const path: Int32Array | null = index.path(0, 0, 1, 0, { engine, blocked: new Uint16Array([0, 1]), costs: new CostLayer(index) });
index.prepareWalks({ labels: true, form: 'small', budget: 1e6 });
const walk: Walk | null = index.walk(0.5, 0.5, 1, 0, { points: true, blocked: [0, 1] });
const far: number | null = index.distance(0, 0, 1, 0);
const all: Float64Array = index.distances(0, 0, [1, 0]);
const paths: Paths = index.paths([0, 0], Int32Array.of(1, 0));
const report: EditReport = index.edit([[0, 0, true]]);
index.edit(Uint16Array.of(0, 0, 1));
const field: Field = index.field([0, 0], { blocked: [1, 1] });
const nearest: [number, number] | null = index.nearestReachable(0, 0, 1, 0);
const parts: Parts = index.decompose();
const gates: Gate[] = parts.gates;
const zones: Zone[] = parts.regions;
const between: number[] | undefined = parts.graph[0]?.[1];
const again: Index = Index.load(index.save());
const wrong = (error: unknown): string => (error as TidegateError).code satisfies string;
index.free();
const world = new World(map.kinds, map.width, map.height);
const tank: number = world.add({ size: 2, enters: ['.', 61, ['m', 3]] });
world.prepare(world.add({ enters: '.=' }), 'jps');
world.edit([[0, 0, '~'], [1, 0, 46]]);
const now: Index = world.index(tank);

// @ts-expect-error an engine that there is not
index.prepare('fast');
// @ts-expect-error a form that there is not
index.prepareWalks({ form: 'tiny' });
// @ts-expect-error it may be null
index.walk(0, 0, 1, 0).length;
// @ts-expect-error no such rule
new Index(map.free, 1, 1, { movement: 'sideways' });
// @ts-expect-error a list is no map
new Index([1, 1], 2, 1);
// @ts-expect-error it may be null
index.path(0, 0, 1, 0).length;
// @ts-expect-error a goal is missing
index.path(0, 0, 1);
// @ts-expect-error text is no tile
index.reachable('0', 0, 1, 0);
// @ts-expect-error it enters nothing
world.add({ size: 2 });
// @ts-expect-error nothing sets the width
index.width = 3;
export { again, now, all, between, far, field, gates, nearest, path, paths, report, walk, wrong, zones };
