// The layers that can be switched, in the order in which they are drawn, and the legend of
// those that show.

import { $, make, fill, count } from './dom.js';
import { state, set, on } from './store.js';
import { addPainter, redraw } from './stage.js';
import * as map from './map.js';
import * as palette from './palette.js';
import { paintGates, paintNumbers, paintChosenZone, paintGrid } from './layers/gates.js';
import { paintPaths, paintPins } from './layers/paths.js';
import { paintTrace } from './layers/trace.js';
import { paintDanger } from './layers/danger.js';
import { paintWay } from './layers/field.js';
import { isDanger } from './danger.js';
import { isShown as isFieldShown, isCutOff } from './field.js';
import { paintGraph, paintHpa, paintSectors } from './layers/abstract.js';

/** name, key, what the tool tip says, whether it shows at first. */
export const LAYERS = [
  { id: 'zones', name: 'Zones', key: 'z', shown: true, about: 'Areas that belong together, each in a colour' },
  { id: 'gates', name: 'Gates', key: 'g', shown: true, about: 'Where zones meet: the choke points' },
  { id: 'numbers', name: 'Numbers', key: 'n', shown: true, about: 'The number of each zone' },
  { id: 'depth', name: 'Depth', key: 'd', shown: false, about: 'How far each tile is from walls' },
  { id: 'field', name: 'Distance to goal', key: 'f', shown: false, about: 'How far each tile is from the goal; point at one to see the way from there' },
  { id: 'graph', name: 'Region graph', key: 'c', shown: false, about: 'Zones joined through their gates' },
  { id: 'hpa', name: 'HPA* clusters', key: 'h', shown: false, about: 'Clusters, entrances and abstract edges of hierarchical A*' },
  { id: 'sectors', name: 'Sectors', key: 's', shown: false, about: 'The sectors of DSMA and MAAT' },
  { id: 'search', name: 'Search', key: 'x', shown: false, about: 'Which tiles the search looked at' },
  { id: 'path', name: 'Path', key: 'v', shown: true, about: 'The path found' },
  { id: 'walk', name: 'Straightened', key: 'k', shown: false, about: 'The path pulled straight from waypoint to waypoint: never longer' },
];

export function begin() {
  state.layers = Object.fromEntries(LAYERS.map(({ id, shown }) => [id, shown]));
  for (const paint of [paintTrace, paintSectors, paintGrid, paintDanger, paintHpa, paintGates, paintChosenZone, paintGraph, paintPaths, paintWay, paintNumbers, paintPins]) {
    addPainter(paint);
  }
  fill($('#layers'), LAYERS.map(({ id, name, key, about }) =>
    make('label.layer', { title: `${about} (${key.toUpperCase()})` },
      make('input', { type: 'checkbox', id: `layer-${id}`, onchange: () => toggle(id) }),
      make('span', {}, name), make('kbd', {}, key.toUpperCase()))));
  on(['layers', 'doc', 'altitudes', 'theme', 'results', 'traces', 'compare', 'water', 'selected', 'tool', 'start', 'goal', 'outline', 'strokes', 'tiles', 'field', 'danger', 'dangerBrush', 'anyAngle', 'walk'], redraw);
  on(['hover'], () => (isFieldShown() || isDanger()) && redraw());
  on(['layers'], showSwitches);
  on(['layers', 'doc'], () => {
    if (state.layers.depth && state.doc) map.needAltitudes().then(redraw);
  });
  on(['layers', 'theme', 'water', 'doc', 'results', 'compare', 'field', 'danger', 'walk'], showLegend);
  showSwitches();
  showLegend();
}

export function toggle(id, show = !state.layers[id]) {
  set({ layers: { ...state.layers, [id]: show } });
}

function showSwitches() {
  for (const { id } of LAYERS) $(`#layer-${id}`).checked = state.layers[id];
}

/** What the colours and lines on the map mean, as far as there are any. */
function showLegend() {
  const { doc, layers, results, water, theme } = state;
  const c = palette.colours(theme);
  const gates = layers.gates && doc ? doc.gate_list : [];
  const rows = [['Wall', (g) => box(g, c.wall)]];
  if (state.ground) rows.push([`Too narrow for ${doc.unit} × ${doc.unit}`, (g) => box(g, palette.css(palette.tight(theme)))]);
  if (water !== null) {
    rows.push(['Dry ground', (g) => box(g, palette.css(palette.dry(theme, 0.3)))],
      ['Lakes', (g) => swatches(g, [0, 1, 2, 3].map((n) => palette.css(palette.lake(theme, n))))],
      ['Where lakes met', (g) => box(g, c.gate)]);
  } else {
    if (isFieldShown()) rows.push(...fieldRows(theme));
    else if (layers.depth) rows.push(['Shallow to deep', (g) => ramp(g, (part) => palette.depth(theme, part))]);
    else if (layers.zones && doc?.zones.length) rows.push(['Zones', (g) => swatches(g, [0, 1, 2, 3].map((n) => palette.css(palette.lake(theme, n))))]);
    if (state.danger.length) rows.push(['Danger', (g) => disc(g, c)]);
    if (gates.some((gate) => gate.source !== 'manual')) rows.push(['Gate', (g) => stroke(g, c.gate, 3)]);
    if (gates.some((gate) => gate.source === 'manual')) rows.push(['Gate drawn by hand', (g) => stroke(g, c.manual, 3)]);
    if (layers.graph) rows.push(['Zones joined', (g) => dots(g, c.graph)]);
    if (layers.hpa) rows.push(['Clusters, entrances', (g) => dots(g, c.hpa)]);
    if (layers.sectors) rows.push(['Sectors', (g) => swatches(g, [5, 6, 4].map((n) => palette.css(palette.lake(theme, n))))]);
    if (layers.search) {
      rows.push(['Open: seen, not expanded', (g) => box(g, c.open)], ['Closed: expanded', (g) => box(g, c.closed)],
        ['Expanded again', (g) => box(g, c.again)]);
    }
    if (layers.path && results[0]?.status === 'found') rows.push(['Path of engine 1', (g) => stroke(g, c.paths[0], 3)]);
    if (layers.path && twoPaths()) rows.push(['Path of engine 2', (g) => stroke(g, c.paths[1], 3)]);
    if (layers.walk && results.some((result) => result?.status === 'found')) rows.push(['Straightened', (g) => walk(g, c)]);
    if (state.walk?.status === 'found') rows.push(['Walk at any angle', (g) => walk(g, { ...c, paths: [c.walk] })]);
  }
  fill($('#legend'), rows.map(([text, draw]) => {
    const canvas = make('canvas', { width: 60, height: 28, 'aria-hidden': 'true' });
    const context = canvas.getContext('2d');
    context.scale(2, 2);
    draw(context);
    return make('div.legend-row', {}, canvas, text);
  }));
}

/** The distance to the goal: its scale, its contours, and ground that is cut off. */
function fieldRows(theme) {
  const { field: { most, spacing, values }, tiles } = state;
  const rows = [[`Goal to ${count(Math.round(most))} tiles away`, (g) => ramp(g, palette.far)],
    [`Every ${count(spacing)} ${spacing === 1 ? 'tile' : 'tiles'}`, contours]];
  if (values.some((value, i) => isCutOff(value) && tiles[i])) rows.push(['No way to the goal', (g) => hatch(g, theme)]);
  rows.push(['Way from the pointer', way]);
  return rows;
}

/** Whether the second engine's path can be seen. */
function twoPaths() {
  const [one, two] = state.results;
  return state.compare || (two?.path && one?.path && String(one.path) !== String(two.path));
}

function box(context, colour) {
  context.fillStyle = colour;
  context.fillRect(0, 0, 30, 14);
  context.strokeStyle = '#8888'; // a wall is as dark as the panel
  context.strokeRect(0.5, 0.5, 29, 13);
}

function swatches(context, list) {
  list.forEach((colour, i) => {
    context.fillStyle = colour;
    context.fillRect((30 / list.length) * i, 0, 30 / list.length + 1, 14);
  });
}

function ramp(context, shade) {
  for (let x = 0; x < 30; x++) {
    context.fillStyle = palette.css(shade(x / 29));
    context.fillRect(x, 0, 1.1, 14);
  }
}

function disc(context, { danger }) {
  context.beginPath();
  context.ellipse(15, 7, 14, 6.2, 0, 0, 2 * Math.PI);
  context.fillStyle = `${danger}88`;
  context.fill();
  context.strokeStyle = danger;
  context.stroke();
}

function contours(context) {
  const colour = palette.far(0.35);
  box(context, palette.css(colour));
  context.fillStyle = palette.css(palette.contour(colour));
  for (const x of [6, 15, 24]) context.fillRect(x, 0, 2, 14);
}

function hatch(context, theme) {
  box(context, palette.css(palette.cutOff(theme, 0)));
  context.strokeStyle = palette.css(palette.cutOff(theme, 1));
  context.lineWidth = 2;
  context.beginPath();
  for (let x = -12; x < 30; x += 7) {
    context.moveTo(x, 14);
    context.lineTo(x + 14, 0);
  }
  context.stroke();
}

function way(context) {
  const c = palette.colours(state.theme);
  stroke(context, c.pathEdge, 4.4);
  context.setLineDash([5, 4]);
  stroke(context, c.path, 2);
}

function walk(context, { paths, pathEdge }) {
  stroke(context, pathEdge, 4);
  stroke(context, paths[0], 1.5);
  for (const x of [4, 26]) {
    context.beginPath();
    context.arc(x, 7, 3.2, 0, 2 * Math.PI);
    context.fillStyle = pathEdge;
    context.fill();
  }
}

function stroke(context, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(3, 7);
  context.lineTo(27, 7);
  context.stroke();
}

function dots(context, colour) {
  stroke(context, colour, 1.2);
  context.fillStyle = colour;
  for (const x of [5, 25]) {
    context.beginPath();
    context.arc(x, 7, 3, 0, 7);
    context.fill();
  }
}
