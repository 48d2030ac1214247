// A table whose columns can be sorted by a click and whose rows can be chosen. Long lists are
// shown in part: only as many rows as a person will look at.

import { make, fill, count } from './dom.js';

const SHOWN = 400;

/** `columns`: { name, title, value(row), show(row) }. `choose(row)` on a click. */
export function table(columns, { choose, sort = null }) {
  let rows = [];
  let order = sort; // { column, down }
  let chosen = null;
  const head = make('tr', {});
  const body = make('tbody', {});
  const more = make('p.note', {});
  const element = make('div.scroll', {}, make('table', {}, make('thead', {}, head), body), more);

  function draw() {
    fill(head, columns.map((column, i) => {
      const sorted = order?.column === i ? (order.down ? 'descending' : 'ascending') : 'none';
      const arrow = sorted === 'none' ? '' : order.down ? ' ↓' : ' ↑';
      return make('th', { title: column.title, 'aria-sort': sorted, onclick: () => sortBy(i) }, column.name + arrow);
    }));
    const list = [...rows];
    if (order) {
      const { value } = columns[order.column];
      list.sort((a, b) => (order.down ? -1 : 1) * (value(a) - value(b)));
    }
    fill(body, list.slice(0, SHOWN).map((row) =>
      make('tr', { className: row === chosen ? 'on' : '', onclick: () => pick(row) },
        columns.map((column) => make('td', {}, column.show(row))))));
    more.textContent = list.length > SHOWN ? `and ${count(list.length - SHOWN)} more` : '';
  }

  function sortBy(column) {
    order = { column, down: order?.column === column ? !order.down : true };
    draw();
  }

  function pick(row) {
    chosen = row;
    draw();
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
      const row = rows.find(match) ?? null;
      if (row === chosen) return;
      chosen = row;
      draw();
    },
  };
}
