// The paths that the engines found, and the two pins.

import { state } from '../store.js';

export function paintPaths(context, view) {
  if (state.water !== null) return;
  centre(context);
  const { results, compare, layers } = state;
  context.lineJoin = 'round';
  context.lineCap = 'round';
  // Alone, both paths are in one pane, the first one on top; side by side each has its own.
  const order = compare ? [view.pane] : [1, 0];
  for (const slot of order) {
    if (results[slot]?.status !== 'found') continue;
    if (layers.path) line(context, view, results[slot].path, slot);
    if (layers.walk) lines(context, view, results[slot].waypoints.map(([x, y]) => [x + 0.5, y + 0.5]), view.colours.paths[slot]);
  }
  if (state.walk?.status === 'found') lines(context, view, state.walk.points, view.colours.walk);
}

/** A unit stands at its upper left tile; its way is drawn through its middle. */
export function centre(context) {
  const off = (state.doc.unit - 1) / 2;
  context.translate(off, off);
}

/** Thin, over the path, with a dot at every point. */
function lines(context, { unit, colours }, points, colour) {
  context.beginPath();
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.strokeStyle = colours.pathEdge;
  context.lineWidth = 4 * unit;
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = 1.6 * unit;
  context.stroke();
  for (const [x, y] of points) {
    context.beginPath();
    context.arc(x, y, 3.4 * unit, 0, 2 * Math.PI);
    context.fillStyle = colours.pathEdge;
    context.fill();
    context.beginPath();
    context.arc(x, y, 2 * unit, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
  }
}

function line(context, { unit, colours }, path, slot) {
  context.beginPath();
  path.forEach(([x, y], i) => (i ? context.lineTo(x + 0.5, y + 0.5) : context.moveTo(x + 0.5, y + 0.5)));
  const wide = Math.max(2.6 * unit, Math.min(0.35, 6 * unit));
  context.strokeStyle = colours.pathEdge;
  context.lineWidth = wide + 2.4 * unit;
  context.stroke();
  context.strokeStyle = colours.paths[slot];
  context.lineWidth = wide;
  context.stroke();
}

export function paintPins(context, view) {
  if (state.water !== null) return;
  for (const name of ['start', 'goal']) if (state[name] && state.doc.unit > 1) square(context, view, state[name], view.colours[name]);
  if (state.start) pin(context, view, state.start, view.colours.start, 'A');
  if (state.goal) pin(context, view, state.goal, view.colours.goal, 'B');
}

/** What a unit of several tiles covers. */
function square(context, { unit, colours }, [x, y], colour) {
  for (const [ink, width] of [[colours.pinEdge, 4], [colour, 2]]) {
    context.strokeStyle = ink;
    context.lineWidth = width * unit;
    context.strokeRect(x, y, state.doc.unit, state.doc.unit);
  }
}

/** A drop with a letter whose tip is on the tile. */
function pin(context, { unit, colours }, [x, y], colour, letter) {
  context.translate(x + 0.5, y + 0.5);
  context.scale(unit, unit);
  context.beginPath();
  context.moveTo(0, 0);
  context.bezierCurveTo(-3, -6, -9, -10, -9, -17);
  context.arc(0, -17, 9, Math.PI, 0);
  context.bezierCurveTo(9, -10, 3, -6, 0, 0);
  context.closePath();
  context.fillStyle = colour;
  context.strokeStyle = colours.pinEdge;
  context.lineWidth = 1.8;
  context.fill();
  context.stroke();
  context.fillStyle = colours.pinEdge;
  context.font = '700 10.5px Inter, system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(letter, 0, -16.5);
  context.scale(1 / unit, 1 / unit);
  context.translate(-x - 0.5, -y - 0.5);
}
