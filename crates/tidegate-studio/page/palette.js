// Colours of the map, for dark and light. Zones use Paul Tol's "light" scheme, which people
// with any kind of colour blindness can tell apart; so do the library's pictures.

const ZONES = ['#77aadd', '#eedd88', '#44bb99', '#ffaabb', '#99ddff', '#ee8866', '#bbcc33', '#d4d4d4'];

const THEMES = {
  dark: {
    back: '#0f1318', wall: '#1b2028', ground: '#46505c', grid: '#0f131838',
    zoneMix: 0.8, zoneInto: '#1f262f', faintMix: 0.3,
    gate: '#ff5d7a', manual: '#8fb4ff', casing: '#0b0e12d0', label: '#ffffff', labelEdge: '#10151b8c',
    path: '#ffffff', pathEdge: '#0b0e12', paths: ['#ffffff', '#ffb454'],
    start: '#4cc2b3', goal: '#ffb454', pinEdge: '#0b0e12',
    open: '#f2c14e', closed: '#4a90d9', again: '#e0559a', now: '#ffffff',
    deep: '#0b2e5c', shallow: '#a9d2ee', dry: '#5d5a52', graph: '#e8edf2', hpa: '#ffd166', sector: '#e8edf2',
    select: '#ffffff', danger: '#ff4d3d', walk: '#7dff6b',
  },
  light: {
    back: '#eceae4', wall: '#4a4d57', ground: '#f4f1e8', grid: '#00000014',
    zoneMix: 0.74, zoneInto: '#fbf8f0', faintMix: 0.38,
    gate: '#c20a3c', manual: '#10329a', casing: '#ffffffd8', label: '#14131a', labelEdge: '#ffffff99',
    path: '#14202e', pathEdge: '#ffffff', paths: ['#14202e', '#b4470a'],
    start: '#0c7a6f', goal: '#b4470a', pinEdge: '#ffffff',
    open: '#e0a100', closed: '#2f7fd1', again: '#c2187e', now: '#000000',
    deep: '#08306b', shallow: '#cfe3f5', dry: '#d9d3c3', graph: '#14202e', hpa: '#7a3b00', sector: '#14202e',
    select: '#000000', danger: '#c8102e', walk: '#0a7d00',
  },
};

/** '#rrggbb' or '#rrggbbaa' to [r, g, b, a]. */
export function parse(colour) {
  const part = (at) => parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5), colour.length > 7 ? part(7) : 255];
}

/** A pixel as ImageData stores it (little-endian RGBA). */
export const pixel = ([r, g, b, a = 255]) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;

export const mix = (one, other, part) => one.map((v, i) => Math.round(v * part + other[i] * (1 - part)));

export const css = ([r, g, b, a = 255]) => `rgb(${r} ${g} ${b} / ${a / 255})`;

export const colours = (theme) => THEMES[theme];

/** A zone's colour as the theme shows it; `faint` stands back behind a search. */
export function zone(theme, colour, faint = false) {
  const { zoneMix, zoneInto, faintMix } = THEMES[theme];
  const mixed = mix(parse(colour), parse(zoneInto), zoneMix);
  return faint ? mix(mixed, parse(zoneInto), faintMix) : mixed;
}

/** A lake's colour, by number. */
export const lake = (theme, number) => zone(theme, ZONES[number % ZONES.length]);

/** Deep water is dark; `part` 0 is the shore, 1 the deepest. */
export function depth(theme, part) {
  return mix(parse(THEMES[theme].deep), parse(THEMES[theme].shallow), part);
}

/** Ground without a zone. */
export function ground(theme, faint) {
  const { ground: plain, zoneInto, faintMix } = THEMES[theme];
  return faint ? mix(parse(plain), parse(zoneInto), faintMix) : parse(plain);
}

/** Ground where a larger unit does not fit: between ground and wall. */
export function tight(theme) {
  const { ground: plain, wall } = THEMES[theme];
  return mix(parse(plain), parse(wall), theme === 'dark' ? 0.7 : 0.55);
}

/** Ground that the water has not reached; the higher, the nearer to a wall. */
export function dry(theme, part) {
  const { dry: low, wall } = THEMES[theme];
  return mix(parse(low), parse(wall), 0.3 + 0.7 * part);
}

/** From near (0) to far (1): even steps of lightness and hue in the OKLCH space, so that equal
    distances look equally different. Both themes show the same. */
export function far(part) {
  const light = 0.93 - 0.58 * part;
  const hue = (100 + 190 * part) * (Math.PI / 180);
  const [a, b] = [0.115 * Math.cos(hue), 0.115 * Math.sin(hue)];
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((v) => {
    const inside = Math.min(Math.max(v, 0), 1);
    return Math.round(255 * (inside <= 0.0031308 ? 12.92 * inside : 1.055 * inside ** (1 / 2.4) - 0.055));
  });
}

/** A contour on a colour of the field: darker on light, lighter on dark. */
export function contour(colour) {
  const isLight = colour[0] * 0.3 + colour[1] * 0.6 + colour[2] * 0.1 > 110;
  return mix(colour, isLight ? [0, 0, 0] : [255, 255, 255], isLight ? 0.55 : 0.5);
}

/** Ground from which no way leads to the goal: hatched in these two. */
export function cutOff(theme, line) {
  const grey = theme === 'dark' ? [72, 78, 86] : [205, 203, 198];
  return line ? mix(grey, theme === 'dark' ? [200, 200, 200] : [90, 90, 90], 0.6) : grey;
}
