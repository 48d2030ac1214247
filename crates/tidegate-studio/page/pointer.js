// The pointer on the map, be it a mouse, a pen or fingers: panning, zooming and pinching, and
// handing presses to the tool.

import { $, $$, rove } from './dom.js';
import { state, set, on } from './store.js';
import { camera, panes, locate, fit } from './stage.js';
import { TOOLS, shape } from './tools.js';

let held = null; // what a press gave: { move(where, event), up(where, event), cancel() }
const fingers = new Map(); // pointers that are down, and where

export function begin() {
  const stage = $('#stage');
  stage.addEventListener('pointerdown', down);
  stage.addEventListener('pointermove', move);
  stage.addEventListener('pointerup', up);
  stage.addEventListener('pointercancel', cancel);
  stage.addEventListener('pointerleave', () => !held && set({ hover: null }));
  stage.addEventListener('contextmenu', (event) => event.target.matches('canvas') && event.preventDefault());
  stage.addEventListener('wheel', wheel, { passive: false });
  $('#zoom-in').onclick = () => zoomBy(1.5);
  $('#zoom-out').onclick = () => zoomBy(1 / 1.5);
  $('#zoom-fit').onclick = fit;
  rove($('.tools'), $$('[data-tool]'), (button) => set({ tool: button.dataset.tool }));
  on(['tool'], showTool);
  showTool();
}

export function zoomBy(factor) {
  const [{ width, height }] = panes;
  camera.zoom(factor, width / 2, height / 2, width, height);
}

function wheel(event) {
  if (!event.target.matches('canvas')) return;
  event.preventDefault();
  const { pane, at } = locate(event);
  const lines = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
  camera.zoom(Math.exp(-lines / 400), at[0], at[1], pane.width, pane.height);
}

const look = (event) => ({ ...locate(event), finger: event.pointerType === 'touch' });

function down(event) {
  if (!event.target.matches('canvas') || !state.doc) return;
  event.target.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size > 1) {
    held?.cancel?.();
    held = fingers.size === 2 ? pinch(locate(event).pane) : null;
    return;
  }
  const where = look(event);
  const tool = TOOLS[state.tool];
  const panning = event.button === 1 || event.altKey;
  held = (panning ? null : tool.press(where, event)) ?? pan(event, panning ? null : tool.click);
}

function move(event) {
  if (!event.target.matches('canvas') || !state.doc) return;
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, [event.clientX, event.clientY]);
  const where = look(event);
  if (where.tile?.join() !== state.hover?.join()) set({ hover: where.tile });
  if (held) held.move(where, event);
  else event.target.style.cursor = shape(where);
}

function up(event) {
  if (!fingers.delete(event.pointerId)) return;
  const mine = held;
  held = null;
  mine?.up?.(look(event), event);
}

function cancel(event) {
  fingers.delete(event.pointerId);
  held?.cancel?.();
  held = null;
}

/** Drags the map; a press without a drag is a click. */
function pan(event, click) {
  let last = [event.clientX, event.clientY];
  let far = 0;
  const still = event.pointerType === 'touch' ? 10 : 4;
  return {
    move(_, next) {
      const [dx, dy] = [next.clientX - last[0], next.clientY - last[1]];
      far += Math.abs(dx) + Math.abs(dy);
      if (far < still) return;
      last = [next.clientX, next.clientY];
      camera.pan(dx, dy);
    },
    up(where, next) {
      if (far < still) click?.(where, next);
    },
  };
}

/** Two fingers: the place between them follows, their distance zooms. */
function pinch(pane) {
  const box = pane.element.getBoundingClientRect();
  const spread = () => {
    const [[ax, ay], [bx, by]] = fingers.values();
    return { x: (ax + bx) / 2, y: (ay + by) / 2, far: Math.max(Math.hypot(ax - bx, ay - by), 1) };
  };
  let last = spread();
  return {
    move() {
      const next = spread();
      camera.pan(next.x - last.x, next.y - last.y);
      camera.zoom(next.far / last.far, next.x - box.left, next.y - box.top, pane.width, pane.height);
      last = next;
    },
  };
}

function showTool() {
  for (const button of $$('[data-tool]')) {
    button.setAttribute('aria-checked', button.dataset.tool === state.tool);
    button.tabIndex = button.dataset.tool === state.tool ? 0 : -1;
  }
  if (state.tool === 'gate' && !state.layers.gates) set({ layers: { ...state.layers, gates: true } });
}
