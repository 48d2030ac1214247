// Reads exported traces as the Posthoc visualiser does, and says what would not be drawn.
//
//   npm install --prefix tools/posthoc
//   node tools/posthoc/check.mjs search.trace.json …
//
// Expressions are taken apart by the package that Posthoc itself uses, with its `${{` and `}}`;
// a string without an expression stands for itself. Each expression is evaluated for every
// event, with `$` for the event and the names `color`, `theme`, `step`, `parent`, `events`.

import { readFileSync } from 'node:fs';
import parser from 'string-template-parser';

const NEVER = /(?!)/; // Posthoc has no pipes and no quotes in its templates.
const parse = parser.parseStringTemplateGenerator({
  VARIABLE_START: /^[$][{]{2} */,
  VARIABLE_END: /^ *[}]{2}/,
  PIPE_START: NEVER,
  PIPE_PARAMETER_START: NEVER,
  QUOTED_STRING: NEVER,
});

// The names that Posthoc has colours for (besides red, blue, …).
const color = Object.fromEntries(
  ['source', 'destination', 'updating', 'expanding', 'generating', 'closing', 'end']
    .map((name, i) => [name, `#00000${i}`]),
);
const theme = { foreground: '#000000', background: '#ffffff', accent: '#0000ff' };
const PRIMITIVES = ['rect', 'circle', 'path', 'polygon'];

/** A property of a view as a function of the event. */
function compile(property) {
  if (typeof property !== 'string') return () => property;
  const { literals, variables } = parse(property);
  const evaluate = variables.map(({ name }) => new Function('$', 'color', 'theme', 'step', 'parent', 'events', `return ${name};`));
  if (literals.join('') === '') return (scope) => evaluate[0](...scope);
  return (scope) => literals.map((text, i) => text + (evaluate[i] ? evaluate[i](...scope) : '')).join('');
}

function check(file) {
  const trace = JSON.parse(readFileSync(file, 'utf8'));
  const problems = [];
  const complain = (text) => problems.length < 10 && problems.push(`${file}: ${text}`);
  if (trace.version !== '1.4.0') complain(`version ${trace.version}`);
  if (!/\.trace\.(json|yaml|yml)$/.test(file)) complain('Posthoc opens only names that end in .trace.json');
  const views = (trace.views?.main ?? []).map(({ $, ...rest }) => {
    if (!PRIMITIVES.includes($)) complain(`main draws ${$}, which is none of ${PRIMITIVES}`);
    return Object.entries(rest).map(([key, value]) => [key, compile(value)]);
  });
  if (views.length === 0) complain('main draws nothing');
  const pivot = ['x', 'y'].map((key) => [key, compile(trace.pivot?.[key])]);
  const known = new Map();
  const drawn = {};
  trace.events.forEach((event, step) => {
    const parent = event.pId == null ? undefined : known.get(event.pId);
    if (event.pId != null && !parent) complain(`event ${step} (${event.type} ${event.id}): no parent ${event.pId} before it`);
    // A path is followed while ids count as true.
    if (!event.id) complain(`event ${step}: the id ${event.id} ends every path`);
    const scope = [event, color, theme, step, parent, trace.events];
    for (const view of views) {
      const shape = Object.fromEntries(view.map(([key, value]) => [key, value(scope)]));
      for (const key of ['x', 'y', 'width', 'height']) {
        if (!Number.isFinite(shape[key])) complain(`event ${step} (${event.type}): ${key} is ${shape[key]}`);
      }
      if (!/^#[0-9a-f]{6}$/.test(shape.fill)) complain(`event ${step} (${event.type}): fill is ${shape.fill}`);
    }
    for (const [key, value] of pivot) {
      if (!Number.isFinite(value(scope))) complain(`event ${step}: pivot ${key} is ${value(scope)}`);
    }
    known.set(event.id, event);
    drawn[event.type] = (drawn[event.type] ?? 0) + 1;
  });
  // Expanded and closed nodes lead back to the start.
  const source = trace.events.find((event) => event.type === 'source');
  for (const event of trace.events) {
    if (['expand', 'close'].includes(event.type) && event.pId == null && event.g > 0) {
      complain(`${event.type} ${event.id} has no parent`);
    }
  }
  const steps = way(trace.events);
  if (steps.length && steps.at(-1) !== source?.id) complain(`the path of the last node ends at ${steps.at(-1)}, not at the start ${source?.id}`);
  return { problems, drawn, steps: steps.length, cut: trace.cut };
}

/** The ids from the last expanded node back to one without a parent. */
function way(events) {
  const parents = new Map(events.filter((e) => e.pId != null).map((e) => [e.id, e.pId]));
  const steps = [];
  let at = events.findLast((e) => e.type === 'expand')?.id;
  while (at && steps.length <= events.length) {
    steps.push(at);
    at = parents.get(at);
  }
  return steps;
}

let failed = false;
for (const file of process.argv.slice(2)) {
  const { problems, ...facts } = check(file);
  problems.forEach((text) => console.log(text));
  failed ||= problems.length > 0;
  console.log(JSON.stringify(facts));
}
process.exit(failed ? 1 : 0);
