// The studio's page: begins the parts, opens the first map, and keeps an eye on other pages.

import * as api from './api.js';
import * as map from './map.js';
import { $, $$, make, fill, coarse } from './dom.js';
import { state, set, on } from './store.js';
import * as stage from './stage.js';
import * as brush from './brush.js';
import * as cursor from './cursor.js';
import * as danger from './danger.js';
import * as edit from './edit.js';
import * as effect from './effect.js';
import * as field from './field.js';
import * as files from './files.js';
import * as keys from './keys.js';
import * as layers from './layers.js';
import * as link from './link.js';
import * as message from './message.js';
import * as palette from './palette.js';
import * as panels from './panels.js';
import * as paths from './paths.js';
import * as player from './player.js';
import * as pointer from './pointer.js';
import * as problems from './problems.js';
import * as regions from './regions.js';
import * as search from './search.js';
import * as tables from './tables.js';
import * as theme from './theme.js';
import * as tile from './tile.js';
import * as tools from './tools.js';
import * as host from './host.js';
import * as unit from './unit.js';
import * as walk from './walk.js';
import * as water from './water.js';
import * as work from './work.js';

const PARTS = [theme, message, stage, layers, field, search, player, water, tools, brush, danger, cursor, pointer, edit, paths, walk, problems, regions, effect, tile, tables, work, panels, keys];

async function begin() {
  const wrong = host.begin();
  const view = link.wanted();
  for (const part of PARTS) part.begin();
  files.begin(openMap);
  unit.begin(show);
  on(['doc'], () => { document.title = `${state.doc.dirty ? '• ' : ''}${state.doc.name} – Tidegate studio`; });
  if (wrong) return halt(wrong);
  const slow = setTimeout(() => halt('Loading…'), 400);
  try {
    const { first } = await map.list();
    clearTimeout(slow);
    const names = new Set(state.engines.map(({ name }) => name));
    if (view.chosen?.length === 2 && view.chosen.every((name) => names.has(name))) set({ chosen: view.chosen });
    if (view.theme) set({ theme: view.theme });
    if (view.layers) set({ layers: Object.fromEntries(layers.LAYERS.map(({ id }) => [id, view.layers.has(id)])) });
    const exists = state.documents.some(({ id }) => id === map.plainId(view.map ?? ''));
    await show(exists ? view.map : first, exists ? view : {});
    if (!exists) hint();
  } catch (problem) {
    clearTimeout(slow);
    return halt(problem.message);
  }
  link.begin();
  setInterval(look, 2000);
  document.documentElement.dataset.ready = 'yes';
  return undefined;
}

/** Opens a map with its sample query, or as a link wants it. */
async function show(id, view = {}) {
  const slow = setTimeout(() => halt(`Opening ${id}…`), 400);
  try {
    await open(id, view);
  } finally {
    clearTimeout(slow);
    $('#veil').hidden = true;
    rest(false);
  }
}

async function open(id, view) {
  await map.open(id, ({ sample, width, height }, isFree) => {
    const inside = (t) => t && t[0] < width && t[1] < height && isFree(t);
    return {
      start: inside(view.start) ? view.start : sample?.from ?? null,
      goal: inside(view.goal) ? view.goal : sample?.to ?? null,
      compare: view.compare ?? state.compare,
      anyAngle: view.anyAngle ?? state.anyAngle,
      results: [null, null], traces: [null, null], before: null, selected: null, outline: null, hover: null, field: null, walk: null, danger: view.danger ?? [],
    };
  });
  if (view.view) stage.camera.look(...view.view);
  else stage.fit();
  if (view.water !== null && view.water !== undefined) {
    await map.needLakes();
    set({ water: Math.min(view.water, 1000) });
  }
}

async function openMap(id) {
  if (state.doc && id === map.plainId(state.doc.id)) return;
  if (!(await files.maySwitch())) {
    $('#documents').value = map.plainId(state.doc.id);
    return;
  }
  try {
    await show(id);
  } catch (problem) {
    message.complain(problem);
    if (state.doc) $('#documents').value = map.plainId(state.doc.id);
  }
}

/** One line for a newcomer, gone with the first press. */
function hint() {
  const line = $('#hint');
  fill(line, host.hint((text) => make('b', {}, text), coarse()));
  line.hidden = false;
  const end = () => { line.hidden = true; };
  addEventListener('pointerdown', end, { once: true });
  addEventListener('keydown', end, { once: true });
}

/** Covers the map with a line that says what is the matter. */
function halt(text) {
  const veil = $('#veil');
  veil.textContent = text;
  veil.hidden = false;
  rest(!state.doc);
}

/** Without a map there is nothing that the panels could do. */
function rest(idle) {
  for (const part of $$('.bar, aside, footer, #sheets, #zoom')) part.inert = idle;
}

/** Another page may have changed the map. */
async function look() {
  if (document.hidden || !state.doc || state.painting) return;
  const { id, version } = state.doc;
  try {
    const now = await api.get(map.path('/state'));
    if (state.doc.id !== id || state.doc.version !== version) return;
    if (now.version !== version || now.dirty !== state.doc.dirty || tables.differs(now)) await map.refresh();
  } catch (problem) {
    if (problem.code === 'gone') set({ message: { text: problem.message, bad: true } });
  }
}

begin();

// For the browser's tests and measurements.
window.studio = { state, set, camera: stage.camera, frames: stage.frames, panes: stage.panes, palette, map, edit, field };
