// Gates as lines between the middles of their end tiles, zone numbers, and what is chosen.

import { state } from '../store.js';

export function paintGates(context, view) {
  const { doc, layers, selected, hover, water } = state;
  if (!layers.gates || water !== null) return;
  const { colours, unit, scale } = view;
  const wide = Math.max(2 * unit, Math.min(0.7, 5 * unit));
  context.lineCap = 'round';
  const line = (gate) => {
    context.moveTo(gate.a[0] + 0.5, gate.a[1] + 0.5);
    context.lineTo(gate.b[0] + 0.5, gate.b[1] + 0.5);
  };
  if (scale > 1.2) stroke(context, doc.gate_list, line, colours.casing, wide + 2 * unit);
  for (const source of ['automatic', 'manual']) {
    const gates = doc.gate_list.filter((gate) => (gate.source === 'manual') === (source === 'manual'));
    const colour = source === 'manual' ? colours.manual : colours.gate;
    stroke(context, gates.filter((gate) => gate.separates), line, colour, wide);
    // Dashes for what is a gate in name only.
    context.setLineDash([2 * wide, 2 * wide]);
    stroke(context, gates.filter((gate) => !gate.separates), line, colour, wide);
    context.setLineDash([]);
  }
  const chosen = selected?.kind === 'gate' ? doc.gate_list[selected.id] : null;
  if (chosen) {
    stroke(context, [chosen], line, colours.select, wide + 4 * unit);
    stroke(context, [chosen], line, chosen.source === 'manual' ? colours.manual : colours.gate, wide);
  }
  if (state.tool === 'gate') handles(context, view, chosen);
}

function stroke(context, gates, line, colour, width) {
  context.beginPath();
  gates.forEach(line);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** Round handles at the ends, to be dragged. */
function handles(context, { colours, unit }, chosen) {
  for (const gate of state.doc.gate_list) {
    for (const [x, y] of [gate.a, gate.b]) {
      context.beginPath();
      context.arc(x + 0.5, y + 0.5, (gate === chosen ? 5.5 : 3.5) * unit, 0, 7);
      context.fillStyle = gate === chosen ? colours.select : colours.pinEdge;
      context.strokeStyle = gate.source === 'manual' ? colours.manual : colours.gate;
      context.lineWidth = 1.6 * unit;
      context.fill();
      context.stroke();
    }
  }
}

export function paintNumbers(context, { colours, unit, scale, bounds }) {
  const { doc, layers, water } = state;
  if (!layers.numbers || water !== null) return;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  for (const zone of doc.zones) {
    const [x, y] = zone.deepest;
    if (x < bounds[0] || x > bounds[2] || y < bounds[1] || y > bounds[3]) continue;
    const [left, top, right, bottom] = zone.bounds;
    const half = Math.min(right - left + 1, bottom - top + 1) / 2;
    const room = Math.min(zone.altitude, half) * scale; // CSS pixels to its border, about
    if (room < 9 && !layers.graph) continue;
    const size = layers.graph ? 10 : Math.min(Math.max(room * 0.42, 10), 16);
    context.font = `600 ${size * unit}px Inter, system-ui, sans-serif`;
    context.lineWidth = 2.5 * unit;
    context.strokeStyle = colours.labelEdge;
    context.fillStyle = colours.label;
    if (layers.graph) context.fillStyle = colours.pathEdge; // on the dots of the graph
    else context.strokeText(zone.number, x + 0.5, y + 0.5);
    context.fillText(zone.number, x + 0.5, y + 0.5);
  }
}

/** The chosen zone gets an outline; its corners come from the server. */
export function paintChosenZone(context, { colours, unit }) {
  const { outline, selected } = state;
  if (selected?.kind !== 'zone' || outline?.id !== selected.id || state.water !== null) return;
  context.beginPath();
  outline.corners.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.strokeStyle = colours.select;
  context.lineWidth = 2 * unit;
  context.stroke();
}

/** Lines between tiles when they are large enough to be told apart. */
export function paintGrid(context, { colours, unit, scale, bounds }) {
  if (scale < 9) return;
  const { width, height } = state.doc;
  const [left, top] = [Math.max(Math.floor(bounds[0]), 0), Math.max(Math.floor(bounds[1]), 0)];
  const [right, bottom] = [Math.min(Math.ceil(bounds[2]), width), Math.min(Math.ceil(bounds[3]), height)];
  context.beginPath();
  for (let x = left; x <= right; x++) {
    context.moveTo(x, top);
    context.lineTo(x, bottom);
  }
  for (let y = top; y <= bottom; y++) {
    context.moveTo(left, y);
    context.lineTo(right, y);
  }
  context.strokeStyle = colours.grid;
  context.lineWidth = unit;
  context.stroke();
}
