// What the page stands on: a server, which it reaches by HTTP. Every request carries the token that came in the address's fragment; the token
// is kept for reloads of this tab and taken out of the address. The page without a server has a file of its own
// in place of this one, with the same functions.

const KEY = 'tidegate-token';
const token = () => sessionStorage.getItem(KEY) ?? '';

/** Takes the token out of the address; the rest of the fragment is the view. Says what is wrong, if anything is. */
export function begin() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const given = parts.get('token');
  if (given) {
    sessionStorage.setItem(KEY, given);
    parts.delete('token');
    history.replaceState(null, '', `${location.pathname}#${parts}`);
  }
  return token() ? null : 'This page needs the whole address that the program printed: it ends in a token. Copy it from the terminal, or start the studio again.';
}

/** Sends a request; the answer as `fetch` gives it. */
export async function reach(path, { method, body, type, signal }) {
  const headers = { 'X-Tidegate-Token': token() };
  if (type) headers['Content-Type'] = type;
  try {
    return await fetch(`api${path}`, { method, headers, body, signal });
  } catch (problem) {
    if (problem.name === 'AbortError') throw problem;
    throw new Error('The studio does not answer. Is the program still running?');
  }
}

/** The address of a view for another tab, and where it works. */
export const shared = (fragment) => ({
  link: `${location.origin}${location.pathname}#${fragment}&token=${token()}`,
  where: 'It works on this machine while the studio runs.',
});

/** Where unsaved changes go when the page is left for another map. */
export const UNSAVED = 'They stay here while the studio runs, and are lost when it stops.';

/** The two engines that are compared at first. */
export const ENGINES = ['astar', 'gateway-consistent'];

/** What a newcomer reads on the map. */
export const hint = (bold, fingers) => ['Drag pin ', bold('A'), ' or ', bold('B'), ', or press ', bold(fingers ? '▶' : 'Space'), ' to watch the search.'];
