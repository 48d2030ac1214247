// A table whose columns can be sorted and whose rows can be chosen, by a click or by keys: the
// arrow keys go from row to row, Enter chooses. Long lists are shown in part: only as many rows
// as a person will look at.

import { make, fill, count } from './dom.js';

const SHOWN = 400;

/** `columns`: { name, title, value(row), show(row) }. `choose(row)` on a click or Enter. */
export function table(columns, { choose, sort = null }) {
  let rows = [];
  let order = sort; // { column, down }
  let chosen = null;
  let lines = new Map(); // row to its element, in the order shown
  const head = make('tr', {});
  const body = make('tbody', { onkeydown: press });
  const more = make('p.note', {});
  const heads = columns.map((column, i) => {
    const button = make('button', { title: column.title, onclick: () => sortBy(i) });
    return { button, cell: make('th', { scope: 'col' }, button) };
  });
  fill(head, heads.map(({ cell }) => cell));
  const element = make('div.scroll', {}, make('table', { role: 'grid' }, make('thead', {}, head), body), more);

  function draw() {
    heads.forEach(({ button, cell }, i) => {
      const sorted = order?.column === i ? (order.down ? 'descending' : 'ascending') : 'none';
      cell.setAttribute('aria-sort', sorted);
      button.textContent = columns[i].name + { none: '', descending: ' ↓', ascending: ' ↑' }[sorted];
    });
    const list = [...rows];
    if (order) {
      const { value } = columns[order.column];
      list.sort((a, b) => (order.down ? -1 : 1) * (value(a) - value(b)));
    }
    lines = new Map(list.slice(0, SHOWN).map((row) => [row,
      make('tr', { onclick: () => pick(row) }, columns.map((column) => make('td', {}, column.show(row))))]));
    fill(body, [...lines.values()]);
    more.textContent = list.length > SHOWN ? `and ${count(list.length - SHOWN)} more` : '';
    mark();
  }

  /** Shows which row is chosen; that one, or else the first, is where Tab stops. */
  function mark() {
    const stop = lines.get(chosen) ?? [...lines.values()][0];
    for (const [row, line] of lines) {
      line.classList.toggle('on', row === chosen);
      line.setAttribute('aria-selected', row === chosen);
      line.tabIndex = line === stop ? 0 : -1;
    }
  }

  function press(event) {
    const all = [...lines];
    const at = all.findIndex(([, line]) => line === event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[Math.min(Math.max(to, 0), all.length - 1)][1].focus();
    else if (event.key === 'Enter' || event.key === ' ') pick(all[at][0]);
    else return;
    event.preventDefault();
  }

  function sortBy(column) {
    order = { column, down: order?.column === column ? !order.down : true };
    draw();
  }

  function pick(row) {
    chosen = row;
    mark();
    choose(row);
  }

  draw();
  return {
    element,
    put(next, nextOrder = order) {
      rows = next;
      order = nextOrder;
      chosen = null;
      draw();
    },
    mark(match) {
      chosen = rows.find(match) ?? null;
      mark();
    },
  };
}
