// Zones and gates in numbers, as authors of bots ask for them: the chosen one in full, all of
// them in lists. Pockets, small pieces that no unit can reach or leave, are zones with a list apart.

import * as api from './api.js';
import * as map from './map.js';
import { $, make, fill, count, fixed } from './dom.js';
import { state, set, on } from './store.js';
import { camera, panes, redraw, visible } from './stage.js';
import { table } from './table.js';
import * as edit from './edit.js';

let card, lists, tabs;
let kind = 'zone'; // the list that is shown
let asking = null; // about what is chosen

export function begin() {
  card = make('div', { id: 'region-card' });
  const zones = table([
    { name: 'zone', title: 'Number', value: (z) => z.number, show: (z) => z.number },
    { name: 'tiles', title: 'Area', value: (z) => z.area, show: (z) => count(z.area) },
    { name: 'gates', title: 'Gates around it', value: (z) => z.gates.length, show: (z) => z.gates.length },
    { name: 'depth', title: 'How far its deepest tile is from walls', value: (z) => z.altitude, show: (z) => fixed(z.altitude, 1) },
  ], { choose: (z) => choose('zone', z), sort: { column: 1, down: true } });
  const pockets = table([
    { name: 'pocket', title: 'Number', value: (z) => z.number, show: (z) => z.number },
    { name: 'tiles', title: 'Area', value: (z) => z.area, show: (z) => count(z.area) },
    { name: 'at', title: 'Its deepest tile', value: (z) => z.deepest[1] * 65536 + z.deepest[0], show: (z) => z.deepest.join(', ') },
  ], { choose: (z) => choose('zone', z), sort: { column: 1, down: true } });
  const gates = table([
    { name: 'gate', title: 'Number', value: (g) => g.number, show: (g) => g.number },
    { name: 'width', title: 'Length of the line in tiles', value: (g) => g.span, show: (g) => fixed(g.span, 1) },
    { name: 'zones', title: 'The zones it joins', value: (g) => (g.separates ? numberOf('zone', g.zones[0]) : -1), show: joined },
    { name: 'made', title: 'By the method, or by hand', value: (g) => (g.source === 'manual' ? 1 : 0), show: (g) => (g.source === 'manual' ? 'by hand' : '') },
  ], { choose: (g) => choose('gate', g), sort: { column: 1, down: true } });
  lists = { zone: zones, gate: gates, pocket: pockets };
  tabs = Object.entries({ zone: 'Zones', gate: 'Gates', pocket: 'Pockets' }).map(([name, title]) => make('button', { onclick: () => flip(name), id: `list-${name}s`, role: 'radio' }, title));
  fill($('#regions'), card, make('div.tools-row.tools.flat', {}, make('div', { role: 'radiogroup', 'aria-label': 'List' }, tabs), make('span.spring', {}), again()), zones.element, gates.element, pockets.element);
  $('#regions').classList.add('flush');
  on(['doc'], () => {
    const isPocket = (zone) => zone.pocket;
    zones.put(state.doc.zones.filter((zone) => !zone.pocket));
    gates.put(state.doc.gate_list);
    pockets.put(state.doc.zones.filter(isPocket));
    tabs[2].hidden = !state.doc.zones.some(isPocket);
    if (kind === 'pocket' && tabs[2].hidden) flip('zone');
  });
  on(['selected', 'doc'], inspect);
  flip('zone');
  inspect();
}

const numberOf = (name, id) => state.doc[name === 'zone' ? 'zones' : 'gate_list'][id].number;

const joined = (gate) => (gate.separates
  ? gate.zones.map((id) => numberOf('zone', id)).join(' – ')
  : make('span.bad', { title: edit.useless(gate) }, 'separates nothing'));

const METHODS = {
  water: ['Water', 'decompose', { method: 'water' }],
  hallways: ['Water, with hallways', 'decompose', { method: 'water', hallways: true }],
  rooms: ['Rooms', 'decompose', { method: 'rooms' }],
  revert: ['As it was opened', 'revert', {}],
  original: ['As the map’s own file', 'original', {}],
};

/** Makes all gates again; undo brings the old ones back. */
function again() {
  const list = make('select', {
    id: 'make-again',
    title: 'Make all zones and gates again; undo brings these back',
    'aria-label': 'Make all zones and gates again',
    onchange: () => {
      const [, op, fields] = METHODS[list.value];
      list.value = '';
      edit.change(op, fields);
    },
  }, make('option', { value: '', hidden: true }, 'Again…'), Object.entries(METHODS).map(([value, [name]]) => make('option', { value }, name)));
  return list;
}

function flip(name) {
  kind = name;
  Object.entries(lists).forEach(([other, list]) => { list.element.hidden = kind !== other; });
  tabs.forEach((tab) => tab.setAttribute('aria-checked', tab.id === `list-${kind}s`));
}

function choose(name, thing) {
  set({ selected: { kind: name, id: thing.id } });
  const [x, y] = name === 'zone' ? thing.deepest : thing.middle;
  const [left, top, right, bottom] = visible(panes[0]);
  if (x < left || x > right || y < top || y > bottom) camera.look(x + 0.5, y + 0.5, camera.scale);
}

/** Fetches and shows what is known of the chosen zone or gate. */
async function inspect() {
  asking?.abort();
  const { selected, doc } = state;
  const all = doc && selected ? { zone: doc.zones, gate: doc.gate_list }[selected.kind] : null;
  if (!all || selected.id >= all.length) {
    fill(card, make('p.empty', {}, 'Click a zone or a gate on the map or in the list.'));
    return;
  }
  flip(all[selected.id].pocket ? 'pocket' : selected.kind);
  const { version } = doc;
  asking = new AbortController();
  let facts;
  try {
    facts = await api.get(map.path(`/${selected.kind}s/${selected.id}`), asking.signal);
  } catch (problem) {
    if (problem.code === 'not_found' || problem.name === 'AbortError') return;
    throw problem;
  }
  if (state.selected !== selected || state.doc.version !== version) return;
  if (selected.kind === 'zone') {
    lists[kind].mark((zone) => zone.id === selected.id);
    set({ outline: { id: selected.id, corners: facts.outline } });
    fill(card, ...zoneCard(facts));
  } else {
    lists.gate.mark((gate) => gate.id === selected.id);
    fill(card, ...gateCard(facts));
  }
  redraw();
}

const facts = (rows) => make('dl.facts', {}, rows.flatMap(([name, value, title]) => [make('dt', { title }, name), make('dd', {}, value)]));

const pick = (name, id) => make('button.quiet.link', { onclick: () => set({ selected: { kind: name, id } }) }, `${numberOf(name, id)}`);

const listOf = (items) => (items.length ? make('span.list', {}, items) : 'none');

/** Numbers stay through edits; a file counts from 0 without gaps. */
const inFiles = ({ id, number }) => (id === number ? [] : [['Number in files', `${id}`, 'Saved files number zones and gates from 0 without gaps']]);

function zoneCard(zone) {
  return [make('div.card.region', {},
    make('header', {}, make('b', {}, `${zone.pocket ? 'Pocket' : 'Zone'} ${zone.number}`), make('span.spring', {}),
      make('button.quiet', { title: 'Divide it by the line that is shortest for what it cuts off', onclick: () => edit.change('split_zone', { zone: zone.id }) }, 'Split')),
    facts([
      ['Area', `${count(zone.area)} tiles (${(100 * zone.share).toFixed(1)} %)`],
      ['Centre of gravity', zone.centroid.map((v) => fixed(v, 1)).join(', ')],
      ['Deepest tile', `${zone.deepest.join(', ')}`, 'The tile farthest from walls: a place for a base'],
      ['its distance to walls', `${fixed(zone.altitude, 1)} tiles`],
      ['Border', `${count(zone.perimeter)} tile sides`],
      ['Bounds', `${zone.bounds[0]}, ${zone.bounds[1]} to ${zone.bounds[2]}, ${zone.bounds[3]}`],
      ...(zone.pocket ? [['Pocket', 'yes: no unit can reach or leave it']] : []),
      ['Dead end', zone.dead_end ? 'yes, one way in' : 'no'],
      ['Neighbours', listOf([...new Set(zone.neighbours.map((n) => n.zone))].map((id) => pick('zone', id)))],
      ['Gates', listOf(zone.gates.map((id) => pick('gate', id)))],
      ...inFiles(zone),
    ]))];
}

function gateCard(gate) {
  const distinct = new Map(gate.distances.map((far) => [far.gate, far]));
  const nearest = [...distinct.values()].sort((a, b) => a.length - b.length).slice(0, 5);
  return [make('div.card.region', {},
    make('header', {}, make('b', {}, `Gate ${gate.number}`), make('span.spring', {}),
      make('button.quiet', { id: 'remove-gate', title: 'Take it away (Delete)', onclick: edit.removeChosen }, 'Remove')),
    facts([
      ['Width', `${fixed(gate.span, 1)} tiles`],
      ['Ends', `${gate.a.join(', ')} and ${gate.b.join(', ')}`],
      ['Middle', gate.middle.join(', ')],
      ['Made', gate.source === 'manual' ? 'by hand' : 'by the method'],
      ['Only way', gate.bridge ? 'yes: closing it cuts the map' : 'no', 'Whether the region graph falls apart without it'],
      ['Joins zones', gate.separates ? listOf(gate.zones.map((id) => pick('zone', id))) : joined(gate)],
      ...nearest.map(({ gate: id, length }, i) => [i === 0 ? 'Nearest gates' : '', make('span.list', {}, pick('gate', id), ` ${fixed(length, 1)} steps`)]),
      ...inFiles(gate),
    ]))];
}
