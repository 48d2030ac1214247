// A search as it was watched: events in memory as they came, and a bitmap that shows them up
// to a position. Going forward paints the new events only; going back paints from the start,
// a few milliseconds for a million events.
//
// Memory: 16 bytes an event, and 12 bytes a tile for the bitmap, its canvas and the last event
// of each tile.

import { state } from '../store.js';
import * as palette from '../palette.js';

export const OPEN = 0;
export const CLOSED = 1;
export const CLOSED_AGAIN = 2;
export const OPEN_AGAIN = 3;
const NONE = 0xffffffff;

export class Trace {
  constructor(buffer, width, height) {
    const head = new DataView(buffer);
    this.count = head.getUint32(4, true);
    this.all = head.getUint32(8, true);
    this.expansions = head.getUint32(16, true);
    this.events = new Uint32Array(buffer, 32, this.count * 4);
    this.width = width;
    this.at = 0;
    this.expanded = 0;
    this.last = new Int32Array(width * height).fill(-1);
    this.canvas = document.createElement('canvas');
    this.canvas.width = width;
    this.canvas.height = height;
    this.context = this.canvas.getContext('2d');
    this.image = this.context.createImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.theme = null;
  }

  kind(event) {
    return this.events[4 * event] >>> 28;
  }

  cell(event) {
    return this.events[4 * event] & 0x0fffffff;
  }

  /** Shows the first `count` events. */
  seek(count) {
    count = Math.min(Math.max(count, 0), this.count);
    if (count < this.at || this.theme !== state.theme) this.restart();
    if (count === this.at) return;
    const { events, last, pixels, shades, width } = this;
    let [left, top, right, bottom] = [width, Infinity, -1, -1];
    for (let event = this.at; event < count; event++) {
      const word = events[4 * event];
      const kind = word >>> 28;
      const cell = word & 0x0fffffff;
      last[cell] = event;
      pixels[cell] = shades[kind];
      if (kind === CLOSED || kind === CLOSED_AGAIN) this.expanded += 1;
      const x = cell % width;
      const y = (cell - x) / width;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    this.at = count;
    this.context.putImageData(this.image, 0, 0, left, top, right - left + 1, bottom - top + 1);
  }

  restart() {
    const colours = palette.colours(state.theme);
    const shade = (colour, alpha) => palette.pixel([...palette.parse(colour).slice(0, 3), alpha]);
    this.shades = [shade(colours.open, 235), shade(colours.closed, 205), shade(colours.again, 230), shade(colours.open, 235)];
    this.theme = state.theme;
    this.at = 0;
    this.expanded = 0;
    this.last.fill(-1);
    this.pixels.fill(0);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Where the expansion after the one under way begins. */
  nextExpansion(from = this.at) {
    let event = from;
    const expands = (e) => this.kind(e) === CLOSED || this.kind(e) === CLOSED_AGAIN;
    while (event < this.count && !expands(event)) event += 1;
    event += 1;
    while (event < this.count && !expands(event)) event += 1;
    return Math.min(event, this.count);
  }

  /** Where the expansion under way began. */
  lastExpansion(from = this.at) {
    let event = from - 1;
    while (event > 0 && this.kind(event) !== CLOSED && this.kind(event) !== CLOSED_AGAIN) event -= 1;
    return Math.max(event, 0);
  }

  /** What the search knows of a tile at this moment, or null: costs in tiles. */
  facts([x, y]) {
    const event = this.last[y * this.width + x];
    if (event < 0) return null;
    const [, parent, g, h] = this.events.subarray(4 * event, 4 * event + 4);
    const kind = this.kind(event);
    return { kind, g: g / 5741, h: h / 5741, f: (g + h) / 5741, parent: parent === NONE ? null : parent };
  }

  /** The tile that was expanded last. */
  current() {
    for (let event = this.at - 1; event >= 0; event--) {
      const kind = this.kind(event);
      if (kind === CLOSED || kind === CLOSED_AGAIN) return this.cell(event);
    }
    return null;
  }
}

export function paintTrace(context, { pane, colours, unit }) {
  const trace = state.traces[state.compare ? pane : 0];
  if (!trace || !state.layers.search || state.water !== null) return;
  context.drawImage(trace.canvas, 0, 0);
  const cell = trace.at < trace.count ? trace.current() : null;
  if (cell === null) return;
  const x = cell % trace.width;
  context.beginPath();
  context.arc(x + 0.5, (cell - x) / trace.width + 0.5, Math.max(4 * unit, 0.6), 0, 7);
  context.strokeStyle = colours.now;
  context.lineWidth = 1.6 * unit;
  context.stroke();
}
