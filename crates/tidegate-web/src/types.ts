/** The rule of movement: what a diagonal step needs. */
export type Movement = "no-corner-cutting" | "one-side-free" | "four-connected";

/** The engines that find paths; `engines()` says what each is. */
export type EngineName =
  | "auto" | "astar" | "jps" | "corners" | "labels" | "differential" | "dead-end" | "gateway" | "gateway-2way"
  | "gateway-consistent" | "gateway+differential" | "portal";

/** Numbers as an argument. */
export type Numbers =
  | readonly number[] | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
  | Float32Array | Float64Array;

/** Tiles as an argument: x and y of each, one after the other. */
export type Tiles = Numbers;

/** Changes of the map: `[x, y, free]` of each tile, or numbers x, y and 0 or 1, one after the other. */
export type Changes =
  | readonly (readonly [x: number, y: number, free: boolean | 0 | 1])[]
  | Exclude<Numbers, readonly number[]>;

export interface IndexOptions {
  /** "no-corner-cutting" unless given. */
  movement?: Movement;
  /** What each tile costs to cross, row by row, from 1 to 655.35. */
  costs?: Numbers;
}

export interface FieldOptions {
  /** Tiles that cannot be entered this time. */
  blocked?: Tiles;
  /** What tiles cost more this time. */
  costs?: CostLayer;
}

export interface QueryOptions extends FieldOptions {
  /** "auto" unless given. */
  engine?: EngineName;
}

export interface WalkOptions {
  /** Tiles that are walls this time. */
  blocked?: Tiles;
  /** Whether start and goal are points, in tiles from the upper left corner: the centre of tile 0,0 is 0.5,0.5. */
  points?: boolean;
}

/** What `prepareWalks` builds. */
export interface WalkTables {
  /** Whether labels are built; true unless given. */
  labels?: boolean;
  /** How tiles share labels; "auto", fast if it fits the budget, unless given. */
  form?: "auto" | "fast" | "small";
  /** The most bytes that labels may take, at most 2 GiB; 192 MB unless given. */
  budget?: number;
}

/** A walk of straight lines. */
export interface Walk {
  /** x and y of start, bends and goal, in tiles from the upper left corner. */
  points: Float64Array;
  /** How long it is, in tiles. */
  length: number;
}

/** A map that was read. Arrays have a byte for every tile, row by row. */
export interface TileMap {
  /** 1 where a tile can be entered, 0 where it is a wall. */
  free: Uint8Array;
  width: number;
  height: number;
  /** The letters of the map. */
  kinds: Uint8Array;
}

/** Many paths: path i is `tiles.subarray(2 * offsets[i], 2 * offsets[i + 1])`. */
export interface Paths {
  offsets: Uint32Array;
  tiles: Int32Array;
}

/** What an edit has done to the map. */
export interface EditReport {
  /** How often the map was edited. */
  revision: number;
  /** The tiles that became wall, x and y of each. */
  closed: Int32Array;
  /** The tiles that became free, x and y of each. */
  opened: Int32Array;
  /** The tables that would be faster if they were built again. */
  wantRebuild: string[];
}

/** The way to the nearest goal from everywhere, row by row. */
export interface Field {
  /** How far it is, in tiles; Infinity on walls and where there is no way. */
  distance: Float64Array;
  /** dx and dy of the step to take; 0 on goals, on walls and where there is no way. */
  nextStep: Int8Array;
}

/** A straight line of tiles between two zones: a choke point. */
export interface Gate {
  id: number;
  /** The tiles at its ends and in its middle. */
  a: [x: number, y: number];
  b: [x: number, y: number];
  middle: [x: number, y: number];
  /** How many tiles its line has. */
  width: number;
  /** The zones on its sides. */
  zones: number[];
  /** Other gates that touch it. */
  gates: number[];
  /** Whether a person drew it. */
  manual: boolean;
  /** Its tiles, x and y of each. */
  tiles: Int32Array;
}

/** What remains connected when the gates are shut. */
export interface Zone {
  id: number;
  /** How many tiles it has, gates not counted. */
  area: number;
  /** The mean of its tiles; it may lie outside a zone that is bent. */
  centroid: [x: number, y: number];
  /** The tile farthest from walls. */
  deepest: [x: number, y: number];
  bounds: [left: number, top: number, right: number, bottom: number];
  /** Its gates. */
  gates: number[];
}

export interface EngineInfo {
  name: EngineName;
  /** Whether its paths are always shortest. */
  optimal: boolean;
  about: string;
}

/** A class of ground: a number from 0 to 255, or the letter that has it. */
export type GroundClass = number | string;

/** A kind of unit. */
export interface UnitProfile {
  /** How many tiles it is wide and high; 1 unless given, at most 32. */
  size?: number;
  /** "no-corner-cutting" unless given. */
  movement?: Movement;
  /** The classes it may enter: letters, or a list of classes, each alone or with what it costs, from 1 to 655.35. */
  enters: string | readonly (GroundClass | readonly [ground: GroundClass, factor: number])[];
}

/** What functions of this package throw. */
export interface TidegateError extends Error {
  name: "ArrayError" | "ArgumentError" | "CoordinateError" | "EngineError" | "FileError" | "QueryError" | "BrokenError";
  code: "array" | "argument" | "coordinate" | "engine" | "file" | "query" | "broken";
}
