// Every key, in one table: the help sheet and the handler read the same.

import { $, make, fill, coarse } from './dom.js';
import { set, state } from './store.js';
import { fit } from './stage.js';
import { LAYERS, toggle } from './layers.js';
import { zoomBy } from './pointer.js';
import * as brush from './brush.js';
import * as danger from './danger.js';
import * as edit from './edit.js';
import * as link from './link.js';
import { swap } from './ends.js';
import { fold, showOnly } from './panels.js';
import * as player from './player.js';
import * as theme from './theme.js';
import * as water from './water.js';

const tool = (name) => () => set({ tool: name });
const resize = (by) => (danger.isDanger() ? danger : brush).resize(by);
const tab = (name) => () => showOnly(name);

const SECTIONS = [
  ['Tools', [
    ['1', 'Path: set start and goal', tool('path')],
    ['2', 'Gate: draw, drag ends', tool('gate')],
    ['3', 'Merge two zones', tool('merge')],
    ['4', 'Wall: paint', tool('wall')],
    ['5', 'Ground: paint', tool('ground')],
    ['6', 'Danger: add discs', tool('danger')],
    ['[', 'Smaller brush', () => resize(-1)],
    [']', 'Larger brush', () => resize(1)],
    ['m', 'Brush: freehand, line, rectangle', brush.reshape],
    ['Delete', 'Remove the chosen gate', edit.removeChosen],
    ['Ctrl+Z', 'Undo', edit.undo],
    ['Ctrl+Shift+Z', 'Redo', edit.redo],
  ]],
  ['Search', [
    [' ', 'Play or pause', player.playOrPause],
    ['ArrowRight', 'One expansion on', () => player.step(1)],
    ['ArrowLeft', 'One expansion back', () => player.step(-1)],
    ['Home', 'To the beginning', () => player.seek(0)],
    ['End', 'To the end', () => player.seek(Infinity)],
    ['b', 'Two engines side by side', () => set({ compare: !state.compare })],
    ['w', 'Swap start and goal', swap],
  ]],
  ['View', [
    ['+', 'Nearer', () => zoomBy(1.5)],
    ['-', 'Farther', () => zoomBy(1 / 1.5)],
    ['0', 'The whole map', fit],
    ['t', 'Light or dark', theme.toggle],
    ['Escape', 'Choose nothing', leave],
  ]],
  ['Layers', LAYERS.map(({ id, key, name }) => [key, name, () => toggle(id)])],
  ['Water', [
    ['r', 'Let it rise', water.playOrStop],
    [',', 'Lower', () => water.move(-1)],
    ['.', 'Higher', () => water.move(1)],
  ]],
  ['Panels and files', [
    ['q', 'Path', tab('paths')],
    ['p', 'Problems', tab('problems')],
    ['i', 'Regions', tab('regions')],
    ['e', 'Effect of edits', tab('effect')],
    ['\\', 'Layers: show or fold away', () => fold('left')],
    ['/', 'Panel: show or fold away', () => fold('right')],
    ['o', 'Open a file', () => $('#file').click()],
    ['Ctrl+S', 'Save', edit.save],
    ['l', 'Copy a link to this view', link.copy],
    ['?', 'This sheet', help],
  ]],
];

const NAMES = { ' ': 'Space', ArrowRight: '→', ArrowLeft: '←', '-': '−', Escape: 'Esc', Delete: 'Del' };

const actions = new Map(SECTIONS.flatMap(([, keys]) => keys).map(([key, , act]) => [key, act]));
actions.set('Backspace', edit.removeChosen);
actions.set('=', () => zoomBy(1.5));
actions.set('Ctrl+Y', edit.redo);

let clicked = null; // what the mouse gave the focus to

export function begin() {
  addEventListener('keydown', press);
  addEventListener('pointerdown', ({ target }) => {
    clicked = target.closest('label')?.control ?? target.closest('button, input');
  }, true);
  addEventListener('focusin', ({ target }) => {
    if (target !== clicked) clicked = null;
  });
  $('#help').onclick = help;
  $('#save').onclick = edit.save;
}

/** Escape: closes what is open, chooses nothing. */
function leave() {
  $('#export-menu').hidden = true;
  set({ selected: null, outline: null, tool: 'path' });
}

function press(event) {
  const field = event.target.closest?.('select, input:not([type="checkbox"]):not([type="range"]), dialog[open]');
  if (field || event.defaultPrevented || event.altKey || !state.doc) return;
  const range = event.target.matches?.('input[type="range"]');
  if (range && /^(Arrow|Home|End)/.test(event.key)) return;
  const held = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const name = held ? `Ctrl+${event.shiftKey ? 'Shift+' : ''}${key.toUpperCase()}` : key;
  const act = actions.get(name);
  if (!act) return;
  // Space presses what the keyboard has focused; after a click of the mouse it plays.
  if (name === ' ' && event.target.matches?.('button, input')) {
    if (event.target !== clicked) return;
    event.target.blur();
  }
  event.preventDefault();
  act();
}

export function help() {
  const sheet = $('#keys');
  if (sheet.open) return sheet.close();
  fill(sheet, make('header', {}, make('h1', {}, 'Keys'), make('button.main', { onclick: () => sheet.close() }, 'Close')),
    coarse() ? make('p.note', {}, 'With fingers: tap for a goal, drag the pins, drag the ground to pan, two fingers zoom.') : null,
    make('div.keys', {}, SECTIONS.map(([title, keys]) => make('section', {}, make('h2', {}, title),
      keys.map(([key, what]) => make('div', {}, what, make('kbd', {}, NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key))))))),
    make('p.note', {}, 'By keyboard: Tab to the map, arrow keys move a cursor (Shift: ten tiles), Enter sets the goal, Shift+Enter the start, or takes a pin, a gate or the brush up and puts it down.'),
    make('p.note', {}, 'Wheel: zoom. Drag the ground, or hold Alt with any tool: pan. Click: goal. Shift-click or right click: start.'));
  return sheet.showModal();
}
