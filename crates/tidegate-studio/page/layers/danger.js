// Danger on the map: every disc tinted by its strength, and the outline of the brush.

import { state } from '../store.js';
import { brushOf, isDanger } from '../danger.js';

/** Half a tile more than the radius, so that all tiles that count are covered. */
function round(context, x, y, radius) {
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, radius + 0.5, 0, 2 * Math.PI);
}

export function paintDanger(context, { unit, colours }) {
  if (state.water !== null) return;
  for (const [x, y, radius, strength] of state.danger) {
    round(context, x, y, radius);
    context.fillStyle = colours.danger;
    context.globalAlpha = Math.min(0.24 + 0.09 * Math.log2(1 + strength), 0.65);
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = colours.casing;
    context.lineWidth = 3 * unit;
    context.stroke();
    context.strokeStyle = colours.danger;
    context.lineWidth = 1.4 * unit;
    context.stroke();
  }
  if (!isDanger() || !state.hover) return;
  round(context, ...state.hover, brushOf());
  for (const [colour, width] of [[colours.casing, 3.4], [colours.select, 1.4]]) {
    context.strokeStyle = colour;
    context.lineWidth = width * unit;
    context.stroke();
  }
}
