// The open map: its facts, tiles and places, always of one version.

import * as api from './api.js';
import { rising } from './rising.js';
import { state, set } from './store.js';

/** The id of a map, whatever the size of the unit that it is looked at for. */
export const plainId = (id) => id.split('~')[0];

/** The id of the open map for units of so many tiles. */
export const idFor = (size) => `${plainId(state.doc.id)}${size > 1 ? `~${size}` : ''}`;

export const path = (rest = '') => `/maps/${encodeURIComponent(state.doc.id)}${rest}`;

/** The list of maps, the engines, and which map comes first. */
export async function list() {
  const all = await api.get('');
  set({ documents: all.maps, engines: all.engines, limits: all.limits, saves: all.save_dir });
  return all;
}

/** Opens a map; `more(facts, isFree)` gives what else changes with it. */
export async function open(id, more) {
  await load(id, more);
}

/** Fetches what has changed since we last looked. */
export async function refresh() {
  await load(state.doc.id, null);
}

async function load(id, more) {
  for (let tries = 0; tries < 5; tries++) {
    const route = `/maps/${encodeURIComponent(id)}`;
    const old = more ? null : state.doc;
    // The facts are small once the tiles are here; the first time all come together.
    let facts, tiles, places;
    const isUnit = plainId(id) !== id;
    const fetchGround = () => (isUnit ? api.bytes(`/maps/${encodeURIComponent(plainId(id))}/tiles`) : { kept: null });
    let ground = null;
    if (old) {
      facts = await api.get(route);
      const sameWalls = facts.walls === old.walls;
      const samePlaces = facts.gates === old.gates && sameWalls;
      [tiles, places, ground] = await Promise.all([
        sameWalls && !state.painting ? { kept: state.tiles } : api.bytes(`${route}/tiles`),
        samePlaces ? { kept: state.places } : api.bytes(`${route}/zones`),
        sameWalls ? { kept: state.ground } : fetchGround(),
      ]);
    } else {
      [facts, tiles, places, ground] = await Promise.all([
        api.get(route), api.bytes(`${route}/tiles`), api.bytes(`${route}/zones`), fetchGround(),
      ]);
    }
    const late = [tiles, places, ground].some((part) => part.buffer && part.version !== facts.version);
    if (late) continue; // someone changed it in between
    const changes = {
      doc: facts,
      tiles: tiles.kept ?? bits(tiles.buffer, 16, facts.width * facts.height),
      ground: ground.buffer ? bits(ground.buffer, 16, facts.width * facts.height) : ground.kept,
      places: places.kept ?? numbers(places.buffer),
      painting: false,
    };
    if (!tiles.kept) Object.assign(changes, { altitudes: null, lakes: null, water: null });
    if (more) Object.assign(changes, more(facts, ([x, y]) => Boolean(changes.tiles[y * facts.width + x])));
    set(changes);
    return;
  }
  throw new Error('the map changes faster than it can be read');
}

function bits(buffer, from, count) {
  const packed = new Uint8Array(buffer, from);
  const out = new Uint8Array(count);
  for (let i = 0; i < count; i++) out[i] = (packed[i >> 3] >> (i & 7)) & 1;
  return out;
}

function numbers(buffer, from = 16, width = new DataView(buffer).getUint32(4, true)) {
  return width === 2 ? new Uint16Array(buffer, from) : new Uint32Array(buffer, from);
}

/** The distance to the nearest wall of every tile, fetched when first wanted. */
export async function needAltitudes() {
  if (state.altitudes) return;
  const { buffer } = await api.bytes(path('/depth'));
  const most = new DataView(buffer).getUint32(12, true);
  set({ altitudes: { most, values: new Uint16Array(buffer, 16) } });
}

let lakesAsked = null;

/** Levels and lakes of every tile, fetched when first wanted. */
export function needLakes() {
  if (state.lakes) return Promise.resolve();
  lakesAsked ??= fetchLakes().finally(() => { lakesAsked = null; });
  return lakesAsked;
}

async function fetchLakes() {
  const { buffer } = await api.bytes(path('/water'));
  const head = new DataView(buffer);
  const [highest, lakes, width] = [4, 8, 12].map((at) => head.getUint32(at, true));
  const count = state.tiles.length;
  const labelsAt = 16 + Math.ceil(count / 4) * 4;
  const levels = new Uint8Array(buffer, 16, count);
  const Kind = width === 2 ? Uint16Array : Uint32Array;
  const labels = new Kind(buffer, labelsAt, count);
  const met = bits(buffer, labelsAt + count * width, count);
  const { times, births } = rising({ levels, labels, highest, lakes }, state.doc.width);
  set({ lakes: { highest, levels, labels, met, times, births, colours: spread(labels, lakes) } });
}

/** Colour numbers for lakes so that neighbours seldom look alike: each takes the number that
    its neighbours to the left and above use least. */
function spread(labels, lakes) {
  const { width } = state.doc;
  const touch = Array.from({ length: lakes }, () => new Set());
  const join = (a, b) => {
    if (a < lakes && b < lakes && a !== b) {
      touch[a].add(b);
      touch[b].add(a);
    }
  };
  for (let i = 1; i < labels.length; i++) {
    join(labels[i], labels[i - 1]);
    if (i >= width) join(labels[i], labels[i - width]);
  }
  const numbersOf = new Uint8Array(lakes).fill(255);
  for (let lake = 0; lake < lakes; lake++) {
    const uses = new Array(8).fill(0);
    for (const other of touch[lake]) if (numbersOf[other] < 8) uses[numbersOf[other]] += 1;
    let best = lake % 8;
    for (let c = 0; c < 8; c++) if (uses[(lake + c) % 8] < uses[best]) best = (lake + c) % 8;
    numbersOf[lake] = best;
  }
  return numbersOf;
}

/** What a tile belongs to: { kind: 'wall' | 'zone' | 'gate', id }. */
export function placeOf([x, y]) {
  const number = state.places[y * state.doc.width + x];
  const zones = state.doc.zones.length;
  if (number === 0) return { kind: 'wall', id: null };
  return number <= zones ? { kind: 'zone', id: number - 1 } : { kind: 'gate', id: number - 1 - zones };
}

export const isFree = ([x, y]) => Boolean(state.tiles[y * state.doc.width + x]);

/** Whether a tile is free, but the unit does not fit there. */
export const isTight = ([x, y]) => Boolean(state.ground?.[y * state.doc.width + x]) && !isFree([x, y]);

const isInside = ([x, y]) => x >= 0 && y >= 0 && x < state.doc.width && y < state.doc.height;

/** Why no pin can stand at a place, in words; null if one can. */
export function whyNot(tile) {
  const { width, height } = state.doc;
  if (!isInside(tile)) return `${tile.join(', ')} is outside the map: it goes from 0, 0 to ${width - 1}, ${height - 1}.`;
  if (isFree(tile)) return null;
  const near = nearestFree(tile);
  if (isTight(tile)) return `A unit of ${state.doc.unit} × ${state.doc.unit} tiles does not fit at ${tile.join(', ')}.${near ? ` The nearest place is ${near.join(', ')}.` : ''}`;
  return `${tile.join(', ')} is a wall.${near ? ` The nearest free tile is ${near.join(', ')}.` : ''}`;
}

/** The free tile nearest to a place, or null if all is wall. */
export function nearestFree([x, y]) {
  const { width, height } = state.doc;
  const middle = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  let best = null;
  let least = Infinity;
  // Squares around the place, until they are farther away than what was found.
  for (let ring = 0; ring * ring < least && ring < Math.max(width, height); ring++) {
    const look = (dx, dy) => {
      const tile = [middle[0] + dx, middle[1] + dy];
      const far = dx * dx + dy * dy;
      if (far < least && isInside(tile) && isFree(tile)) [best, least] = [tile, far];
    };
    for (let i = -ring; i <= ring; i++) {
      look(i, -ring);
      look(i, ring);
      look(-ring, i);
      look(ring, i);
    }
  }
  return best;
}
