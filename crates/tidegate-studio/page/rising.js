// When the water reaches each tile, from the levels and lakes that the server tells.
//
// Levels are flooded from the deepest on. Within a level lakes grow breadth-first from what is
// already under water; a lake without any begins at its first tile in row order. The clock runs
// by the ground that is flooded: at time 500 of 1000, half of it.

export const END = 1000;

/** Per tile the time at which it is flooded (never on walls), and per lake its birth. */
export function rising({ levels, labels, highest, lakes }, width) {
  const count = levels.length;
  const far = new Int32Array(count).fill(-1); // growth steps within the tile's level
  const byLevel = Array.from({ length: 256 }, () => []);
  for (let i = 0; i < count; i++) if (levels[i]) byLevel[levels[i]].push(i);
  const around = (i) => {
    const x = i % width;
    return [x + 1 < width ? i + 1 : -1, x > 0 ? i - 1 : -1, i + width < count ? i + width : -1, i - width];
  };
  const queue = new Int32Array(count);
  for (let level = highest; level > 0; level--) {
    let [read, write] = [0, 0];
    const put = (i, distance) => {
      far[i] = distance;
      queue[write++] = i;
    };
    const grow = () => {
      while (read < write) {
        const i = queue[read++];
        for (const n of around(i)) {
          if (n >= 0 && far[n] < 0 && levels[n] === level && labels[n] === labels[i]) put(n, far[i] + 1);
        }
      }
    };
    for (const i of byLevel[level]) {
      if (around(i).some((n) => n >= 0 && levels[n] > level && labels[n] === labels[i])) put(i, 1);
    }
    grow();
    for (const spring of byLevel[level]) {
      if (far[spring] >= 0) continue;
      put(spring, 0);
      grow();
    }
  }
  // How many tiles each wave of each level floods, then how many are flooded after it.
  const waves = new Map();
  const wave = (i) => (highest - levels[i]) * count + far[i];
  for (let i = 0; i < count; i++) if (levels[i]) waves.set(wave(i), (waves.get(wave(i)) ?? 0) + 1);
  const ground = [...waves.values()].reduce((a, b) => a + b, 0);
  let flooded = 0;
  for (const key of [...waves.keys()].sort((a, b) => a - b)) {
    flooded += waves.get(key);
    waves.set(key, Math.max(Math.round((END * flooded) / ground), 1));
  }
  const times = new Uint16Array(count).fill(0xffff);
  const births = new Uint16Array(lakes).fill(0xffff);
  for (let i = 0; i < count; i++) {
    if (!levels[i]) continue;
    times[i] = waves.get(wave(i));
    if (times[i] < births[labels[i]]) births[labels[i]] = times[i];
  }
  return { times, births };
}
