// What the page stands on without a server: a worker with the studio in WebAssembly, which is asked as the server would be.
// It takes the place of the studio's own host.js.

// From a folder (file://) browsers fetch nothing and start no workers but from memory: there all comes from one script.
const fromFolder = location.protocol === 'file:';

let worker = null;
let problem = null; // why nothing answers any more
let asked = null; // the request that the worker has
const waiting = [];

/** Starts the worker. Says what is wrong, if anything is. */
export function begin() {
  if (!('WebAssembly' in globalThis)) return 'This page needs a browser with WebAssembly.';
  start().catch((error) => fail(`The studio did not start: ${error.message}`));
  return null;
}

async function start() {
  if (fromFolder) {
    await new Promise((done, failed) => {
      const script = document.createElement('script');
      script.onload = done;
      script.onerror = () => failed(new Error('offline.js is missing beside this page. Or serve the folder, with python3 -m http.server.'));
      script.src = 'offline.js';
      document.head.append(script);
    });
    const { source, module } = globalThis.tidegateOffline;
    const packed = Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0));
    const bytes = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
    delete globalThis.tidegateOffline;
    listen(new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))), bytes);
  } else {
    listen(new Worker('worker.js'), new URL('studio.wasm', location.href).href);
  }
}

/** Tells the worker where the studio is, or its bytes, and gives it what was asked meanwhile. */
function listen(made, module) {
  worker = made;
  worker.onmessage = ({ data }) => {
    if (data.broken) return fail(data.broken);
    const { done, status, headers, body } = { ...asked, ...data };
    asked = null;
    next();
    return done(new Response(body.byteLength ? body : null, { status, headers }));
  };
  worker.onerror = (event) => fail(event.message ?? 'The worker could not be loaded.');
  worker.postMessage({ module });
  next();
}

function fail(why) {
  problem = new Error(`${why} Load this page again.`);
  for (const one of [asked, ...waiting.splice(0)]) one?.failed(problem);
}

/** Gives the worker the next request, one at a time: those that were taken back meanwhile are never sent. */
function next() {
  if (asked || !worker || !waiting.length) return;
  asked = waiting.shift();
  worker.postMessage(asked.request);
}

/** Sends a request; the answer as `fetch` gives it. */
export async function reach(path, { method, body, type, signal }) {
  signal?.throwIfAborted();
  if (problem) throw problem;
  const bytes = body instanceof Blob ? new Uint8Array(await body.arrayBuffer()) : new TextEncoder().encode(body ?? '');
  return new Promise((done, failed) => {
    const one = { request: { method, path: `/api${path}`, type: type ?? '', body: bytes }, done, failed };
    signal?.addEventListener('abort', () => {
      const at = waiting.indexOf(one);
      if (at >= 0) waiting.splice(at, 1);
      failed(signal.reason);
    });
    waiting.push(one);
    next();
  });
}

/** The address of a view for another tab, and where it works. */
export const shared = (fragment) => ({
  link: `${location.href.split('#')[0]}#${fragment}`,
  where: 'It shows bundled maps as they came; maps of your own and changes stay on this page.',
});

/** Changes stay in the worker: nothing need be asked when another map is opened. */
export const UNSAVED = null;

/** The two engines that are compared at first: their tables are built in a moment. */
export const ENGINES = ['astar', 'corners'];

/** What a newcomer reads on the map. */
export const hint = (bold, fingers) => ['Drag pin ', bold('A'), ' or ', bold('B'), ', paint a ', bold('wall'), fingers ? '.' : ', or drop a map of your own.'];
