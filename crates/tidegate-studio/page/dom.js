// Small helpers for the document: find, make, listen.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Makes an element: `make('button.quiet', { title: 'x', onclick }, 'text', child)`. */
export function make(what, properties = {}, ...children) {
  const [name, ...classes] = what.split('.');
  const element = document.createElement(name || 'div');
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && !key.startsWith('aria')) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Puts children in place of what was there. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((c) => c !== null && c !== undefined));
}

/** Arrow keys, Home and End go through a group of buttons, of which one is chosen; so does a
    click. Which of them Tab stops at is the caller's to set. */
export function rove(group, buttons, choose) {
  const shown = () => buttons.filter((button) => button.offsetParent);
  for (const button of buttons) button.addEventListener('click', () => choose(button));
  group.addEventListener('keydown', (event) => {
    const all = shown();
    const at = all.indexOf(event.target);
    const { key } = event;
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = all.at(to % all.length);
    choose(next);
    next.focus();
  });
}

/** Shows another of the page's icons in a button. */
export function icon(button, name) {
  const use = $('use', button);
  if (use.getAttribute('href') !== `#i-${name}`) use.setAttribute('href', `#i-${name}`);
}

/** Whether fingers do the pointing. */
export const coarse = () => matchMedia('(pointer: coarse)').matches;

const whole = new Intl.NumberFormat('en-GB');

/** A number with thin groups: 12 345. */
export const count = (n) => whole.format(n).replaceAll(',', '\u202f');

/** A number with so many digits after the point. */
export const fixed = (n, digits) => n.toFixed(digits).replace(/\B(?=(\d{3})+(?=\.))/g, '\u202f');

/** Microseconds in the unit that reads best. */
export function duration(micros) {
  if (micros < 1000) return `${micros < 10 ? micros.toFixed(1) : Math.round(micros)} µs`;
  if (micros < 1e6) return `${(micros / 1000).toFixed(micros < 1e4 ? 2 : 1)} ms`;
  return `${(micros / 1e6).toFixed(2)} s`;
}

/** A file offered to the person. */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = make('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
