// The line at the foot: what is under the pointer.

import { $, make, fill, count, fixed, coarse } from './dom.js';
import { state, on } from './store.js';
import { placeOf, isTight } from './map.js';
import { dangerAt } from './danger.js';
import { isShown as isFieldShown, wayFrom } from './field.js';
import { OPEN, CLOSED, CLOSED_AGAIN } from './layers/trace.js';

export function begin() {
  on(['hover', 'doc', 'traces', 'position', 'tool', 'altitudes', 'lakes', 'compare', 'field', 'danger'], show);
  on(['doc'], showFacts);
}

function show() {
  const { hover, doc, tool } = state;
  if (!doc) return;
  if (!hover) {
    fill($('#tile'), make('span', {}, coarse() ? TOUCH : TIPS[tool]));
    return;
  }
  const cell = hover[1] * doc.width + hover[0];
  const place = placeOf(hover);
  const parts = [['tile', `${hover[0]}, ${hover[1]}`]];
  if (place.kind === 'zone') {
    const zone = doc.zones[place.id];
    parts.push([zone.pocket ? 'pocket' : 'zone', `${zone.number}`], ['of', `${count(zone.area)} tiles`], ['with', `${zone.gates.length} gates`]);
  } else if (place.kind === 'gate') {
    const gate = doc.gate_list[place.id];
    const joins = gate.separates ? ['joins', gate.zones.map((id) => doc.zones[id].number).join(' and ')] : ['', 'separates nothing'];
    parts.push(['gate', `${gate.number}`], ['width', fixed(gate.span, 1)], joins);
  } else parts.push(['', isTight(hover) ? `too narrow for ${doc.unit} × ${doc.unit}` : 'wall']);
  const extra = dangerAt(hover);
  if (extra && place.kind !== 'wall') parts.push(['danger', `+${fixed(extra, 2)}`]);
  if (isFieldShown() && place.kind !== 'wall') parts.push(toGoal(hover));
  if (state.altitudes && place.kind !== 'wall') parts.push(['to the wall', fixed(state.altitudes.values[cell] / 5, 1)]);
  if (state.lakes && place.kind !== 'wall') parts.push(['water level', `${state.lakes.levels[cell]}`]);
  state.traces.slice(0, state.compare ? 2 : 1).forEach((trace, slot) => {
    const facts = state.layers.search ? trace?.facts(hover) : null;
    if (!facts) return;
    const kind = { [OPEN]: 'open', [CLOSED]: 'closed', [CLOSED_AGAIN]: 'closed again' }[facts.kind] ?? 'open again';
    parts.push([state.chosen[slot], kind], ['f', fixed(facts.f, 2)], ['g', fixed(facts.g, 2)], ['h', fixed(facts.h, 2)]);
  });
  fill($('#tile'), parts.map(([name, value]) => make('span', {}, name ? `${name} ` : '', make('b', {}, value))));
}

/** The distance to the goal, as a name and a value. */
function toGoal(tile) {
  const way = wayFrom(tile);
  if (!way) return ['', 'no way to the goal'];
  return ['to the goal', `${fixed(way.length, 2)}${state.danger.length ? `, with danger ${fixed(way.cost, 1)}` : ''}`];
}

const TIPS = {
  path: 'Click for a goal, shift-click for a start, drag the pins; drag the ground to pan, wheel to zoom.',
  gate: 'Draw a line from wall to wall for a new gate; drag a handle to move an end; click a gate and press Delete to take it away. Alt-drag pans.',
  merge: 'Click a zone, then a neighbour: the gates between them go.',
  wall: 'Paint walls; the right button paints ground. [ and ] change the brush, M its shape. Alt-drag pans.',
  danger: 'Click to add a disc of danger: paths and the distance to the goal go by it. The right button takes one away. [ and ] change the disc.',
  ground: 'Paint free ground; the right button paints walls. [ and ] change the brush, M its shape. Alt-drag pans.',
};

const TOUCH = 'Tap for a goal, drag the pins; drag to pan, pinch to zoom.';

function showFacts() {
  const { doc } = state;
  const pockets = doc.zones.filter((zone) => zone.pocket).length;
  const facts = [`${doc.width} × ${doc.height}`, `${count(doc.free)} free tiles`,
    `${count(doc.zones.length - pockets)} zones`, `${count(doc.gate_list.length)} gates`];
  if (pockets > 0) facts.push(`${count(pockets)} ${pockets === 1 ? 'pocket' : 'pockets'}`);
  $('#facts').textContent = facts.join(' · ');
}
