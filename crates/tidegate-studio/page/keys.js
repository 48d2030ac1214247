// Every key, in one table: the help sheet and the handler read the same.

import { $, make, fill } from './dom.js';
import { set, state } from './store.js';
import { fit } from './stage.js';
import { LAYERS, toggle } from './layers.js';
import { zoomBy, brush } from './pointer.js';
import * as edit from './edit.js';
import * as link from './link.js';
import * as paths from './paths.js';
import * as player from './player.js';
import * as theme from './theme.js';
import * as water from './water.js';

const tool = (name) => () => set({ tool: name });
const tab = (name) => () => set({ tab: name });

const SECTIONS = [
  ['Tools', [
    ['1', 'Path: set start and goal', tool('path')],
    ['2', 'Gate: draw, drag ends', tool('gate')],
    ['3', 'Merge two zones', tool('merge')],
    ['4', 'Wall: paint', tool('wall')],
    ['5', 'Ground: paint', tool('ground')],
    ['[', 'Smaller brush', () => { brush.size = Math.max(1, brush.size - 1); }],
    [']', 'Larger brush', () => { brush.size = Math.min(12, brush.size + 1); }],
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
    ['w', 'Swap start and goal', paths.swap],
  ]],
  ['View', [
    ['+', 'Nearer', () => zoomBy(1.5)],
    ['-', 'Farther', () => zoomBy(1 / 1.5)],
    ['0', 'The whole map', fit],
    ['t', 'Light or dark', theme.toggle],
    ['Escape', 'Choose nothing', () => set({ selected: null, outline: null, tool: 'path' })],
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

export function begin() {
  addEventListener('keydown', press);
  $('#help').onclick = help;
  $('#save').onclick = edit.save;
}

function press(event) {
  const field = event.target.closest?.('select, input:not([type="checkbox"]):not([type="range"]), dialog[open]');
  if (field || event.altKey || !state.doc) return;
  const range = event.target.matches?.('input[type="range"]');
  if (range && /^(Arrow|Home|End)/.test(event.key)) return;
  const held = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const name = held ? `Ctrl+${event.shiftKey ? 'Shift+' : ''}${key.toUpperCase()}` : key;
  const act = actions.get(name);
  if (!act) return;
  if (name === ' ' && event.target.matches?.('button')) event.target.blur();
  event.preventDefault();
  act();
}

export function help() {
  const sheet = $('#keys');
  if (sheet.open) return sheet.close();
  fill(sheet, make('h1', {}, 'Keys'),
    make('div.keys', {}, SECTIONS.map(([title, keys]) => make('section', {}, make('h2', {}, title),
      keys.map(([key, what]) => make('div', {}, what, make('kbd', {}, NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key))))))),
    make('p.note', {}, 'Wheel: zoom. Drag the ground, or hold Alt with any tool: pan. Click: goal. Shift-click or right click: start.'),
    make('div.buttons', {}, make('button.main', { onclick: () => sheet.close() }, 'Close')));
  return sheet.showModal();
}
