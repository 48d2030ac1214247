// The region graph, the clusters of HPA* and the sectors: fetched when first shown, for the
// version at hand.

import * as api from '../api.js';
import * as map from '../map.js';
import { state, set } from '../store.js';
import { redraw } from '../stage.js';

const fetched = {}; // by layer: { key, value }

/** What a layer shows, or null while it is being fetched. */
function need(layer, key, fetcher) {
  const full = `${state.doc.id} ${state.doc.version} ${key}`;
  if (fetched[layer]?.key !== full) {
    const entry = { key: full, value: null };
    fetched[layer] = entry;
    fetcher().then((value) => {
      entry.value = value;
      redraw();
    }).catch((problem) => {
      if (problem.code !== 'cancelled') set({ message: { text: problem.message, bad: true } });
    });
  }
  return fetched[layer].value ?? null;
}

/** Fetches a layer that needs tables; builds them first if they are not there. */
async function built(route, engine) {
  const { id, engines } = await api.get(map.path());
  if (!engines.find(({ name }) => name === engine)?.ready) {
    const answer = await api.post(map.path('/jobs'), { kind: 'build', engine });
    set({ message: { text: `Building ${engine}…`, busy: true } });
    try {
      await api.wait((await answer.json()).job);
    } finally {
      set({ message: null });
    }
  }
  return api.get(`/maps/${encodeURIComponent(id)}${route}?engine=${engine}`);
}

const chosen = (names) => state.chosen.find((name) => names.includes(name)) ?? names[0];

export function paintGraph(context, { colours, unit }) {
  if (!state.layers.graph || state.water !== null) return;
  const graph = need('graph', '', () => api.get(map.path('/regions')));
  if (!graph) return;
  context.beginPath();
  for (const { from, via, to } of graph.edges) {
    context.moveTo(from[0] + 0.5, from[1] + 0.5);
    context.lineTo(via[0] + 0.5, via[1] + 0.5);
    context.lineTo(to[0] + 0.5, to[1] + 0.5);
  }
  context.lineJoin = 'round';
  context.strokeStyle = colours.pathEdge;
  context.lineWidth = 3.4 * unit;
  context.stroke();
  context.strokeStyle = colours.graph;
  context.lineWidth = 1.4 * unit;
  context.stroke();
  context.fillStyle = colours.graph;
  context.strokeStyle = colours.pathEdge;
  for (const zone of state.doc.zones) {
    context.beginPath();
    const radius = (state.layers.numbers ? 9 : 5) * unit;
    context.arc(zone.deepest[0] + 0.5, zone.deepest[1] + 0.5, radius, 0, 7);
    context.fill();
    context.stroke();
  }
}

export function paintHpa(context, view) {
  if (!state.layers.hpa || state.water !== null) return;
  const engine = chosen(['hpa', 'hpa-paper']);
  const hpa = need('hpa', engine, () => built('/hpa', engine));
  if (!hpa) return;
  const { colours, unit, scale } = view;
  hpa.levels.forEach((level, depth) => {
    context.beginPath();
    for (const [x0, y0, x1, y1] of level.clusters) context.rect(x0, y0, x1 - x0, y1 - y0);
    context.strokeStyle = colours.hpa;
    context.globalAlpha = 0.55;
    context.lineWidth = (0.8 + 1.1 * depth) * unit;
    context.stroke();
    if (scale > 0.9 || depth > 0) {
      context.globalAlpha = scale > 2 ? 0.4 : 0.22;
      edges(context, level.nodes, level.intra ?? [], 0.7 * unit, colours.hpa);
      context.globalAlpha = 0.95;
      edges(context, level.nodes, level.inter, 2 * unit, colours.hpa);
    }
    context.globalAlpha = 1;
    context.beginPath();
    const radius = Math.max((1.3 + 0.9 * depth) * unit, 0.18);
    for (const [x, y] of level.nodes) {
      context.moveTo(x + 0.5 + radius, y + 0.5);
      context.arc(x + 0.5, y + 0.5, radius, 0, 7);
    }
    context.fillStyle = colours.hpa;
    context.fill();
  });
  const nodes = state.results[state.compare ? view.pane : 0]?.hpa?.nodes;
  if (nodes) abstractPath(context, view, nodes);
}

function edges(context, nodes, pairs, width, colour) {
  context.beginPath();
  for (const [a, b] of pairs) {
    context.moveTo(nodes[a][0] + 0.5, nodes[a][1] + 0.5);
    context.lineTo(nodes[b][0] + 0.5, nodes[b][1] + 0.5);
  }
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** The way over abstract nodes, before it was refined. */
function abstractPath(context, { colours, unit }, nodes) {
  context.beginPath();
  nodes.forEach(([x, y], i) => (i ? context.lineTo(x + 0.5, y + 0.5) : context.moveTo(x + 0.5, y + 0.5)));
  context.setLineDash([5 * unit, 4 * unit]);
  context.strokeStyle = colours.path;
  context.lineWidth = 1.6 * unit;
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = colours.path;
  for (const [x, y] of nodes) {
    context.beginPath();
    context.arc(x + 0.5, y + 0.5, 3.4 * unit, 0, 7);
    context.fill();
  }
}

export function paintSectors(context, view) {
  if (!state.layers.sectors || state.water !== null) return;
  const engine = chosen(['maat', 'dsma', 'maat-zones']);
  const answer = state.results[state.compare ? view.pane : 0]?.sectors;
  const sectors = need('sectors', engine, () => built('/sectors', engine));
  if (!sectors) return;
  const corridor = new Set((answer?.route ?? []).map((step) => step.sector));
  const { colours, unit } = view;
  for (const sector of sectors.sectors) {
    context.beginPath();
    for (const polygon of sector.polygons) {
      polygon.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.closePath();
    }
    context.fillStyle = sector.colour;
    context.globalAlpha = corridor.size === 0 ? 0.45 : corridor.has(sector.id) ? 0.75 : 0.15;
    context.fill('evenodd');
    context.globalAlpha = 0.8;
    context.strokeStyle = colours.sector;
    context.lineWidth = (corridor.has(sector.id) ? 1.8 : 0.8) * unit;
    context.stroke();
  }
  context.globalAlpha = 1;
}
