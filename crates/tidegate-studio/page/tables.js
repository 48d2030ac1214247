// After an edit of the walls: what it took, what became of zones and of the engines' tables, and
// when those that fell behind are built again.

import * as api from './api.js';
import * as map from './map.js';
import { $, make, fill, count, duration } from './dom.js';
import { state, on } from './store.js';
import { complain, say } from './message.js';
import { isBrush } from './brush.js';

const WORDS = { current: 'repaired', aged: 'aged', overlay: 'overlay', bounds: 'bounds', stale: 'stale' };
const ABOUT = {
  current: 'Repaired: it is a table of the map as it is now.',
  aged: 'Repaired, but slower than a new one would be. It is exact.',
  overlay: 'A table of an earlier map with the changes laid over it: exact, another engine helps where they matter.',
  bounds: 'A table of an earlier map, used as lower bounds: exact, but searches are larger.',
  stale: 'Not used until it is built again, which begins when you pause: another engine answers.',
};
const PAUSE = 400;

let timer = 0;
let round = null; // the last time that tables were built again, as far as it was told

export function begin() {
  on(['doc'], follow);
  on(['doc', 'lastEdit', 'tool'], show);
}

/** While tables are being built, looks after them until they are. */
function follow() {
  const { id, background } = state.doc;
  if (round?.id !== id) round = { id, number: background.round };
  else if (background.round !== round.number) tell(background);
  clearTimeout(timer);
  if (background.pending) timer = setTimeout(look, PAUSE, id);
}

async function look(id) {
  if (state.doc.id !== id) return;
  if (state.painting) return void (timer = setTimeout(look, PAUSE, id));
  try {
    const now = await api.get(map.path('/state'));
    if (state.doc.id !== id) return;
    if (differs(now)) await map.refresh();
    else if (now.background.pending) timer = setTimeout(look, PAUSE, id);
  } catch (problem) {
    if (problem.code !== 'gone') complain(problem);
  }
}

/** Whether tables or their building are not as the page shows them. */
export const differs = (now) => JSON.stringify([now.tables, now.background]) !== JSON.stringify([state.doc.tables, state.doc.background]);

/** Says what was built again. */
function tell({ round: number, seconds, built, failed }) {
  round.number = number;
  if (failed.length) complain(new Error(failed.map(({ why }) => why).join('. ')));
  else if (built.length && !(isBrush() && state.lastEdit)) say(`Built again in ${duration(seconds * 1e6)}: ${built.join(', ')}.`);
}

/** How the tables of an engine stand to the map; null if it has none. */
export function stateOf(engine) {
  const mine = state.doc.tables.filter(({ engines }) => engines.includes(engine));
  return ['stale', 'overlay', 'bounds', 'aged', 'current'].find((name) => mine.some((table) => table.state === name)) ?? null;
}

function show() {
  const { doc, lastEdit: last } = state;
  const mine = last?.map === doc?.id ? last : null;
  $('#edit-cost').hidden = !mine;
  if (!mine) return;
  const { edit } = mine;
  fill($('#edit-cost'),
    make('p', {}, make('b', {}, `${count(edit.tiles)} ${edit.tiles === 1 ? 'tile' : 'tiles'}`), `, revision ${count(edit.revision)}: `,
      make('b', { title: 'How long the index took to follow: map, zones and all tables' }, duration(edit.micros)), zones(edit)),
    chips(mine.tables));
}

/** Every table as the edit left it, and as it is now if it was built again. */
function chips(tables) {
  if (!tables.length) return null;
  const { background, tables: now } = state.doc;
  return make('p.chips', {}, tables.map(({ name, engines, state: then }) => {
    const is = now.find((table) => table.name === name)?.state ?? then;
    const again = is === 'current' && then !== 'current';
    const later = is === 'current' || !background.pending ? '' : background.working ? ', building…' : '…';
    return make(`span.chip.${is}`, { title: `${name}. ${again ? 'Built again since.' : ABOUT[is]}` },
      make('b', {}, engines.join(', ') || name), ` ${again ? 'built again' : WORDS[is]}${later}`);
  }));
}

const list = (numbers) => (numbers.length > 6 ? `${numbers.slice(0, 6).join(', ')} and ${numbers.length - 6} more` : numbers.join(', '));
const some = (numbers, name) => `${name}${numbers.length === 1 ? '' : 's'} ${list(numbers)}`;

/** What became of zones and gates, in a few words. */
function zones({ came, went, split, merged, gates_came: gatesCame, gates_went: gatesWent }) {
  const parts = [];
  const groups = (pairs, by) => [...Map.groupBy(pairs, (pair) => pair[by])];
  for (const [from, pairs] of groups(split, 0)) parts.push(`zone ${from} split: ${list(pairs.map((pair) => pair[1]))} came`);
  for (const [into, pairs] of groups(merged, 1)) parts.push(`${some(pairs.map((pair) => pair[0]), 'zone')} merged into ${into}`);
  const told = new Set([...split.map((pair) => pair[1]), ...merged.map((pair) => pair[0])]);
  const rest = (numbers) => numbers.filter((number) => !told.has(number));
  if (rest(came).length) parts.push(`${some(rest(came), 'zone')} came`);
  if (rest(went).length) parts.push(`${some(rest(went), 'zone')} went`);
  if (gatesCame.length) parts.push(`${some(gatesCame, 'gate')} came`);
  if (gatesWent.length) parts.push(`${some(gatesWent, 'gate')} went`);
  if (!parts.length) return '; zones as before';
  const text = parts.slice(0, 4).join('; ') + (parts.length > 4 ? `; ${parts.length - 4} more` : '');
  return `; ${text}`;
}
