//! Tiles that are shut for one query: units that stand about, doors that are closed.
//!
//! Made from tiles alone and good for any map. A few units on a huge map cost nothing to
//! speak of: kept are the blocked tiles and their neighbours, or the rectangle around all of
//! them where that is smaller.

use std::fmt;

use super::other_map::share;
use super::{Direction, Grid, Tile, movable};

/// No tile: sides end at 65,535, so no tile has this key.
const EMPTY: u32 = u32::MAX;
/// Mark in an entry's byte pair: the tile itself is blocked.
const SELF: u16 = 1 << 8;

/// A set of blocked tiles. Estimates made for the open map stay true when tiles are
/// blocked, because ways only get longer; so every search that asks here finds the best
/// way around.
///
/// ```
/// use tidegate::cost::STRAIGHT;
/// use tidegate::{engine, Blocked, Grid, Index, Path, Query, Scratch, Tile};
/// let index = Index::new(Grid::from_rows(&["...", "...", "..."]).unwrap());
/// let unit = Blocked::new([Tile::new(1, 1)]);
/// let query = Query::new(Tile::new(0, 0), Tile::new(2, 2)).with_blocked(&unit);
/// let (mut scratch, mut path) = (Scratch::new(), Path::new());
/// let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
/// assert_eq!(answer.cost(), Some(4 * STRAIGHT)); // around the unit, cutting no corner
/// ```
#[derive(Clone)]
pub struct Blocked {
    /// Open addressing, at most a quarter full: tile keys, and for each the blocked
    /// directions around it and whether it is blocked itself. Without keys there is an entry
    /// for every tile from `low` to `high`, row by row.
    keys: Vec<u32>,
    around: Vec<u16>,
    shift: u32,
    /// Smallest and largest column and row that are touched; where nothing is blocked the
    /// smallest lies beyond the largest.
    low: Tile,
    high: Tile,
    len: usize,
    /// Slots with a key.
    used: usize,
    /// Over the blocked tiles: sets with different tiles have different sums.
    sum: u64,
}

/// The tiles, not the table they are kept in.
impl fmt::Debug for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tiles: Vec<Tile> = self.iter().collect();
        tiles.sort_unstable();
        f.debug_set().entries(tiles).finish()
    }
}

impl Blocked {
    /// These tiles, repeats allowed.
    pub fn new(tiles: impl IntoIterator<Item = Tile>) -> Blocked {
        Blocked::with_room(tiles, false)
    }

    /// These tiles; with room, as many again can be inserted before the table is made anew.
    fn with_room(tiles: impl IntoIterator<Item = Tile>, room: bool) -> Blocked {
        let mut tiles: Vec<Tile> = tiles.into_iter().collect();
        tiles.sort_unstable();
        tiles.dedup();
        let (mut low, mut high) = (Tile::new(u16::MAX, u16::MAX), Tile::new(0, 0));
        for tile in &tiles {
            low =
                Tile::new(low.x.min(tile.x.saturating_sub(1)), low.y.min(tile.y.saturating_sub(1)));
            high = Tile::new(
                high.x.max(tile.x.saturating_add(1)),
                high.y.max(tile.y.saturating_add(1)),
            );
        }
        let count = tiles.len() * if room { 2 } else { 1 };
        let size = (count * 36).next_power_of_two().max(4);
        if room && !tiles.is_empty() {
            let wider = |low: u16, high: u16| {
                let more = (high - low) / 4 + 2;
                (low.saturating_sub(more), high.saturating_add(more))
            };
            let ((left, right), (top, bottom)) = (wider(low.x, high.x), wider(low.y, high.y));
            let area = |w: u16, h: u16| (usize::from(w) + 1).saturating_mul(usize::from(h) + 1);
            if area(right - left, bottom - top) <= size * 3 {
                (low, high) = (Tile::new(left, top), Tile::new(right, bottom));
            }
        }
        let mut blocked = Blocked {
            keys: Vec::new(),
            around: Vec::new(),
            shift: 32_u32.saturating_sub(size.trailing_zeros()),
            low,
            high,
            len: tiles.len(),
            used: 0,
            sum: 0,
        };
        // An entry takes two bytes, a key four more. Where numbers have 32 bits, the largest
        // rectangle has too many tiles to count.
        let rectangle = blocked.width().saturating_mul(blocked.height());
        if !tiles.is_empty() && rectangle <= size * 3 {
            blocked.around = vec![0; rectangle];
        } else {
            blocked.keys = vec![EMPTY; size];
            blocked.around = vec![0; size];
        }
        tiles.into_iter().for_each(|tile| blocked.mark_around(tile));
        blocked
    }

    /// Writes down a blocked tile, for itself and for its neighbours.
    fn mark_around(&mut self, tile: Tile) {
        self.sum ^= share(key(tile) as usize);
        self.mark(tile, SELF);
        for (direction, tile) in neighbours(tile) {
            self.mark(tile, direction.opposite().mask().into());
        }
    }

    /// The blocked tiles, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Tile> + '_ {
        let shut = |&slot: &usize| self.around[slot] & SELF != 0;
        (0..self.around.len()).filter(shut).map(|slot| self.tile(slot))
    }

    /// Blocks a tile; `false` if it was blocked.
    ///
    /// ```
    /// use tidegate::{Blocked, Tile};
    /// let mut units = Blocked::new([Tile::new(3, 4)]);
    /// units.remove(Tile::new(3, 4)); // it takes a step
    /// units.insert(Tile::new(4, 4));
    /// assert!(units.contains(Tile::new(4, 4)) && units.len() == 1);
    /// ```
    pub fn insert(&mut self, tile: Tile) -> bool {
        if self.contains(tile) || key(tile) == EMPTY {
            return false;
        }
        let around = |at: u16| [at.saturating_sub(1), at.saturating_add(1)];
        let ([left, right], [top, bottom]) = (around(tile.x), around(tile.y));
        let inside = left >= self.low.x && right <= self.high.x;
        let inside = inside && top >= self.low.y && bottom <= self.high.y;
        // Nine entries at most; a table that is a quarter full is made anew.
        let full = !self.keys.is_empty() && (self.used + 9) * 4 > self.keys.len();
        if full || self.around.is_empty() || !inside && self.keys.is_empty() {
            *self = Blocked::with_room(self.iter().chain([tile]), true);
            return true;
        }
        self.low = Tile::new(self.low.x.min(left), self.low.y.min(top));
        self.high = Tile::new(self.high.x.max(right), self.high.y.max(bottom));
        self.len += 1;
        self.mark_around(tile);
        true
    }

    /// Frees a tile; `false` if it was not blocked.
    pub fn remove(&mut self, tile: Tile) -> bool {
        if !self.contains(tile) {
            return false;
        }
        self.len -= 1;
        self.sum ^= share(key(tile) as usize);
        let slot = self.slot(tile);
        self.around[slot] &= !SELF;
        for (direction, tile) in neighbours(tile).filter(|&(_, tile)| key(tile) != EMPTY) {
            let slot = self.slot(tile);
            self.around[slot] &= !u16::from(direction.opposite().mask());
        }
        true
    }

    /// Frees all tiles.
    pub fn clear(&mut self) {
        self.keys.fill(EMPTY);
        self.around.fill(0);
        (self.len, self.used, self.sum) = (0, 0, 0);
    }

    /// How many tiles are blocked.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether this tile is blocked.
    pub fn contains(&self, tile: Tile) -> bool {
        self.entry(tile) & SELF != 0
    }

    /// What tells this set from any other at once.
    pub(crate) fn sum(&self) -> u64 {
        self.sum
    }

    /// The legal steps from a free tile of the grid that touch no blocked tile.
    #[inline]
    pub fn moves(&self, grid: &Grid, tile: Tile, moves: u8) -> u8 {
        match self.entry(tile) as u8 {
            0 => moves,
            shut => {
                let (x, y) = (i32::from(tile.x), i32::from(tile.y));
                let open = |d: Direction| {
                    let (dx, dy) = d.delta();
                    u8::from(grid.is_free_at(x + dx, y + dy)) << d as u8
                };
                let free = Direction::ALL.into_iter().fold(0, |mask, d| mask | open(d));
                movable(free & !shut, grid.movement())
            }
        }
    }

    #[inline]
    fn entry(&self, tile: Tile) -> u16 {
        let (low, high) = (self.low, self.high);
        if tile.x < low.x || tile.x > high.x || tile.y < low.y || tile.y > high.y {
            return 0;
        }
        // A slot without a key has no bits.
        self.around[self.slot(tile)]
    }

    /// Where a tile from `low` to `high` is, or where it would go.
    #[inline]
    fn slot(&self, tile: Tile) -> usize {
        if self.keys.is_empty() {
            let (column, row) = (tile.x - self.low.x, tile.y - self.low.y);
            return usize::from(row) * self.width() + usize::from(column);
        }
        let key = key(tile);
        let mut slot = (key.wrapping_mul(0x9E37_79B1) >> self.shift) as usize;
        while self.keys[slot] != key && self.keys[slot] != EMPTY {
            slot = (slot + 1) & (self.keys.len() - 1);
        }
        slot
    }

    fn mark(&mut self, tile: Tile, bits: u16) {
        if key(tile) == EMPTY {
            return;
        }
        let slot = self.slot(tile);
        if let Some(own) = self.keys.get_mut(slot) {
            self.used += usize::from(*own == EMPTY);
            *own = key(tile);
        }
        self.around[slot] |= bits;
    }

    /// The tile of a slot in use.
    fn tile(&self, slot: usize) -> Tile {
        match self.keys.get(slot) {
            Some(&key) => Tile::new(key as u16, (key >> 16) as u16),
            None => {
                let (row, column) = (slot / self.width(), slot % self.width());
                Tile::new(self.low.x + column as u16, self.low.y + row as u16)
            }
        }
    }

    fn width(&self) -> usize {
        usize::from(self.high.x.saturating_sub(self.low.x)) + 1
    }

    fn height(&self) -> usize {
        usize::from(self.high.y.saturating_sub(self.low.y)) + 1
    }
}

/// The tiles around a tile, with their directions.
fn neighbours(tile: Tile) -> impl Iterator<Item = (Direction, Tile)> {
    Direction::ALL.into_iter().filter_map(move |direction| {
        let (dx, dy) = direction.delta();
        let x = tile.x.checked_add_signed(dx as i16)?;
        let y = tile.y.checked_add_signed(dy as i16)?;
        Some((direction, Tile::new(x, y)))
    })
}

fn key(tile: Tile) -> u32 {
    u32::from(tile.y) << 16 | u32::from(tile.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Movement;
    use crate::rng::Rng;

    #[test]
    fn shown_are_the_tiles() {
        let blocked = Blocked::new([Tile::new(7, 2), Tile::new(1, 9), Tile::new(7, 2)]);
        assert_eq!(format!("{blocked:?}"), "{(1, 9), (7, 2)}");
        let blocked = Blocked::new([Tile::new(7, 2), Tile::new(40_000, 50_000)]);
        assert!(!blocked.keys.is_empty());
        assert_eq!(format!("{blocked:?}"), "{(7, 2), (40000, 50000)}");
    }

    #[test]
    fn a_large_rectangle_costs_a_few_bytes_a_tile() {
        let tiles = (0..1000).flat_map(|y| (0..1000).map(move |x| Tile::new(x, y)));
        let blocked = Blocked::new(tiles);
        assert_eq!(blocked.len(), 1_000_000);
        assert!(blocked.contains(Tile::new(999, 999)) && !blocked.contains(Tile::new(999, 1000)));
        let bytes = blocked.keys.len() * 4 + blocked.around.len() * 2;
        assert!(bytes < 3_000_000, "{bytes}");
    }

    /// A set that was changed tile by tile is the set of its tiles.
    #[test]
    fn a_set_is_edited() {
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let (mut blocked, mut tiles) = (Blocked::new([]), std::collections::BTreeSet::new());
            let side = [5, 40, 300, 65_536][rng.below(4)];
            for _ in 0..rng.below(900) {
                let tile = Tile::new(rng.below(side) as u16, rng.below(side) as u16);
                if rng.chance(60) {
                    assert_eq!(blocked.insert(tile), tiles.insert(tile), "seed {seed}");
                } else if let Some(&tile) = tiles.iter().nth(rng.below(tiles.len() + 1)) {
                    assert!(blocked.remove(tile) && tiles.remove(&tile), "seed {seed}");
                } else {
                    assert_eq!(tiles.remove(&tile), blocked.remove(tile), "seed {seed}");
                }
                if rng.chance(1) && rng.chance(10) {
                    blocked.clear();
                    tiles.clear();
                }
            }
            let again = Blocked::new(tiles.iter().copied());
            assert_eq!((blocked.len(), blocked.sum()), (again.len(), again.sum()), "seed {seed}");
            assert_eq!(format!("{blocked:?}"), format!("{again:?}"));
            for &tile in &tiles {
                for (_, near) in neighbours(tile) {
                    assert_eq!(blocked.entry(near), again.entry(near), "seed {seed}");
                }
            }
        }
    }

    /// Blocking tiles leaves exactly the steps that walls in their place would leave.
    #[test]
    fn blocked_tiles_are_walls_for_a_query() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let movement = Movement::ALL[rng.below(3)];
            let open = Grid::from_fn(13, 9, movement, |_, _| !rng.chance(20)).unwrap();
            let tile = |rng: &mut Rng| Tile::new(rng.below(13) as u16, rng.below(9) as u16);
            let tiles: Vec<Tile> = (0..rng.below(9)).map(|_| tile(&mut rng)).collect();
            // A tile far outside makes a rectangle that is too large to be kept.
            let outside = rng.chance(50).then_some(Tile::new(60_000, 60_000));
            let blocked = Blocked::new(tiles.iter().copied().chain(outside));
            let lone = outside.is_none() || tiles.is_empty();
            assert!(lone || !blocked.keys.is_empty());
            let mut walled = open.clone();
            tiles.iter().for_each(|&t| _ = walled.set_free(t, false));
            for cell in open.free_cells() {
                let tile = open.tile(cell);
                assert_eq!(blocked.contains(tile), tiles.contains(&tile));
                if !blocked.contains(tile) {
                    let moves = blocked.moves(&open, tile, open.moves(cell));
                    assert_eq!(moves, walled.moves(cell), "{tile:?} with {tiles:?} in\n{open:?}");
                }
            }
        }
    }
}
