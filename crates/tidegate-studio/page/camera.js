// Where we look: the tile at the middle of a pane and how many pixels a tile is wide.
// All panes share one camera, so two searches side by side show the same place.

export class Camera {
  constructor() {
    this.x = 0; // in tiles
    this.y = 0;
    this.scale = 1; // CSS pixels per tile
    this.fitted = true; // the whole map shows, and shall when the panes change
    this.watchers = [];
  }

  onMove(watcher) {
    this.watchers.push(watcher);
  }

  moved() {
    for (const watcher of this.watchers) watcher();
  }

  /** The whole map in a pane of this size, with a margin. */
  fit(mapWidth, mapHeight, width, height) {
    const margin = Math.min(width, height) < 560 ? 16 : 32;
    const room = (side) => Math.max(side - 2 * margin, 32);
    this.scale = Math.min(room(width) / mapWidth, room(height) / mapHeight, 24);
    this.x = mapWidth / 2;
    this.y = mapHeight / 2;
    this.fitted = true;
    this.moved();
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.fitted = false;
    this.moved();
  }

  /** Zooms by a factor; the place at (px, py) of a pane of this size stays put. */
  zoom(factor, px, py, width, height) {
    const before = this.toTile(px, py, width, height);
    this.scale = Math.min(Math.max(this.scale * factor, 0.05), 64);
    const after = this.toTile(px, py, width, height);
    this.x += before[0] - after[0];
    this.y += before[1] - after[1];
    this.fitted = false;
    this.moved();
  }

  look(x, y, scale) {
    Object.assign(this, { x, y, scale, fitted: false });
    this.moved();
  }

  /** Pane pixels to tile coordinates with fractions. */
  toTile(px, py, width, height) {
    return [(px - width / 2) / this.scale + this.x, (py - height / 2) / this.scale + this.y];
  }

  /** The left top corner of tile (0, 0) in pane pixels. */
  origin(width, height) {
    return [width / 2 - this.x * this.scale, height / 2 - this.y * this.scale];
  }
}
