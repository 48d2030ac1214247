//! Walking the legs of a path on the map as it is now.
//!
//! A leg is two counts of steps, and any order of them costs the same. So where walls have
//! closed the usual order, another one that is legal now is as good:
//!
//! ```text
//!     s . . . .        slanting first, straight first, or any other order between
//!     . . # . .        the two that goes around what was closed
//!     . . . . t
//! ```
//!
//! Neighbouring legs of the same two directions are one leg, if their turning point is not
//! insisted upon.

use fixedbitset::FixedBitSet;

use crate::grid::{CellId, Direction, Grid, Movement, Tile};
use crate::path::Path;
use crate::taut::walk;

/// The most places of a leg that is searched for another order.
const MAX_PLACES: usize = 1 << 15;

/// What walking writes to.
#[derive(Clone, Debug, Default)]
pub(super) struct LegScratch {
    seen: FixedBitSet,
    merged: Vec<Tile>,
}

impl LegScratch {
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.seen.as_slice()) + self.merged.capacity() * size_of::<Tile>()
    }
}

/// A leg as two runs of steps; without diagonal steps the first is along the column.
#[derive(Clone, Copy)]
struct Leg {
    from: CellId,
    slant: (Direction, usize),
    straight: (Direction, usize),
}

impl Leg {
    fn new(grid: &Grid, from: Tile, to: Tile) -> Option<Leg> {
        let (dx, dy) = delta(from, to);
        let (ax, ay) = (dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
        let (sx, sy) = (dx.signum(), dy.signum());
        let from = grid.cell(from)?;
        let row = Direction::of(sx, 0);
        let column = Direction::of(0, sy);
        Some(if grid.movement() == Movement::FourConnected {
            Leg { from, slant: (column, ay), straight: (row, ax) }
        } else {
            let straight = if ax > ay { row } else { column };
            Leg {
                from,
                slant: (Direction::of(sx, sy), ax.min(ay)),
                straight: (straight, ax.abs_diff(ay)),
            }
        })
    }

    /// Whether the leg is legal with its slanting steps first, or last.
    #[inline]
    fn is_legal(&self, grid: &Grid, slant_first: bool) -> bool {
        let (first, second) =
            if slant_first { (self.slant, self.straight) } else { (self.straight, self.slant) };
        let middle = run(grid, self.from, first);
        middle.and_then(|middle| run(grid, middle, second)).is_some()
    }

    /// Appends the tiles of some legal order of the steps, without the first.
    fn search(&self, grid: &Grid, seen: &mut FixedBitSet, path: &mut Path) -> bool {
        let (slants, straights) = (self.slant.1, self.straight.1);
        let width = slants + 1;
        let Some(places) = width.checked_mul(straights + 1).filter(|&n| n <= MAX_PLACES) else {
            return false;
        };
        seen.clear();
        seen.grow(places);
        let begin = path.len();
        let (mut at, mut slanted, mut straight) = (self.from, 0, 0);
        while (slanted, straight) != (slants, straights) {
            let moves = grid.moves(at);
            let place = straight * width + slanted;
            let open = |(direction, _): (Direction, usize), place: usize, seen: &FixedBitSet| {
                moves & direction.mask() != 0 && !seen.contains(place)
            };
            if slanted < slants && open(self.slant, place + 1, seen) {
                (at, slanted) = (grid.step(at, self.slant.0), slanted + 1);
            } else if straight < straights && open(self.straight, place + width, seen) {
                (at, straight) = (grid.step(at, self.straight.0), straight + 1);
            } else {
                // Nothing leads on from here: one step back. A place is marked when it is
                // entered, so what is left is never entered again.
                if path.len() == begin {
                    return false;
                }
                path.truncate(path.len() - 1);
                let last = path.last().and_then(|&tile| grid.cell(tile));
                let back = if path.len() == begin { Some(self.from) } else { last };
                let Some(back) = back else { return false };
                if back == grid.step(at, self.slant.0.opposite()) && slanted > 0 {
                    slanted -= 1;
                } else {
                    straight -= 1;
                }
                at = back;
                continue;
            }
            seen.insert(straight * width + slanted);
            path.push(grid.tile(at));
        }
        true
    }
}

fn delta(from: Tile, to: Tile) -> (i32, i32) {
    (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}

/// The cell after so many steps in a direction, if all are legal.
#[inline]
fn run(grid: &Grid, mut at: CellId, (direction, count): (Direction, usize)) -> Option<CellId> {
    for _ in 0..count {
        if grid.moves(at) & direction.mask() == 0 {
            return None;
        }
        at = grid.step(at, direction);
    }
    Some(at)
}

/// Writes a way along the turning points that is legal on the map, or says that none was
/// found and leaves the path empty. `slant_first` is the order that is tried first.
pub(super) fn write_legal(
    grid: &Grid,
    turns: &[Tile],
    slant_first: bool,
    scratch: &mut LegScratch,
    path: &mut Path,
) -> bool {
    let legal = |leg: &[Tile]| {
        Leg::new(grid, leg[0], leg[1]).is_some_and(|leg| leg.is_legal(grid, slant_first))
    };
    if turns.windows(2).all(legal) {
        walk::write_legs(grid.movement(), turns, slant_first, path);
        return true;
    }
    if write_searching(grid, turns, &mut scratch.seen, path) {
        return true;
    }
    merge(turns, &mut scratch.merged);
    if scratch.merged.len() < turns.len()
        && write_searching(grid, &scratch.merged, &mut scratch.seen, path)
    {
        return true;
    }
    path.clear();
    false
}

/// The same where each leg may take its steps in any order.
fn write_searching(grid: &Grid, turns: &[Tile], seen: &mut FixedBitSet, path: &mut Path) -> bool {
    path.clear();
    let Some(&start) = turns.first() else { return false };
    path.push(start);
    turns.windows(2).all(|ends| {
        Leg::new(grid, ends[0], ends[1]).is_some_and(|leg| leg.search(grid, seen, path))
    })
}

/// Joins neighbouring legs that go in the same two directions.
fn merge(turns: &[Tile], out: &mut Vec<Tile>) {
    out.clear();
    for &tile in turns {
        // From the last but one to this tile, by way of the last: is it in one octant?
        while let [.., before, last] = out[..] {
            let straight_on = octants(before, last) & octants(last, tile) != 0;
            if !straight_on {
                break;
            }
            out.pop();
        }
        out.push(tile);
    }
}

/// The octants that a leg lies in, as bits: two if it is straight or diagonal.
fn octants(from: Tile, to: Tile) -> u8 {
    let (dx, dy) = delta(from, to);
    let (ax, ay) = (dx.abs(), dy.abs());
    let mut bits = 0;
    for octant in 0..8 {
        let (east, south, flat) = (octant & 1 != 0, octant & 2 != 0, octant & 4 != 0);
        let sideways = dx == 0 || (dx > 0) == east;
        let down = dy == 0 || (dy > 0) == south;
        let steep = if flat { ax >= ay } else { ay >= ax };
        if sideways && down && steep {
            bits |= 1 << octant;
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Two legs are joined just where going by their turning point is no detour.
    #[test]
    fn legs_of_one_octant_are_joined() {
        let vectors = || (-3..=3).flat_map(|dx| (-3..=3).map(move |dy| (dx, dy)));
        let (before, mut out) = (Tile::new(10, 10), Vec::new());
        let after = |tile: Tile, (dx, dy): (i16, i16)| {
            Tile::new(tile.x.wrapping_add_signed(dx), tile.y.wrapping_add_signed(dy))
        };
        for (a, b) in vectors().flat_map(|a| vectors().map(move |b| (a, b))) {
            let turn = after(before, a);
            let end = after(turn, b);
            merge(&[before, turn, end], &mut out);
            let is_detour = before.octile(turn) + turn.octile(end) > before.octile(end);
            let expected = if is_detour { vec![before, turn, end] } else { vec![before, end] };
            assert_eq!(out, expected, "{a:?}, {b:?}");
        }
    }

    /// Whether some order of the leg's steps is legal, tried one after the other.
    fn has_order(
        grid: &Grid,
        at: CellId,
        slant: (Direction, usize),
        straight: (Direction, usize),
    ) -> bool {
        let goes = |(direction, count): (Direction, usize)| {
            (count > 0 && grid.moves(at) & direction.mask() != 0)
                .then(|| (grid.step(at, direction), (direction, count - 1)))
        };
        (slant.1, straight.1) == (0, 0)
            || goes(slant).is_some_and(|(at, slant)| has_order(grid, at, slant, straight))
            || goes(straight).is_some_and(|(at, straight)| has_order(grid, at, slant, straight))
    }

    /// A leg is walked wherever some order of its steps is legal, and only there.
    #[test]
    fn a_leg_is_walked_if_any_order_is_legal() {
        let (mut seen, mut path, mut counts) = (FixedBitSet::new(), Path::new(), [0; 3]);
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let movement = Movement::ALL[rng.below(3)];
            let grid = Grid::from_fn(9, 7, movement, |_, _| !rng.chance(15)).unwrap();
            let cells: Vec<CellId> = grid.free_cells().collect();
            for _ in 0..60 {
                let (from, to) = (
                    grid.tile(cells[rng.below(cells.len())]),
                    grid.tile(cells[rng.below(cells.len())]),
                );
                let leg = Leg::new(&grid, from, to).unwrap();
                let expected = has_order(&grid, leg.from, leg.slant, leg.straight);
                let usual = [true, false].map(|slant_first| leg.is_legal(&grid, slant_first));
                assert!(
                    expected || usual == [false; 2],
                    "seed {seed}: {from} to {to} in\n{grid:?}"
                );
                assert_eq!(write_searching(&grid, &[from, to], &mut seen, &mut path), expected);
                if expected {
                    path.check_answer(&grid, from, to, movement.estimate(from, to)).unwrap();
                }
                for (slant_first, legal) in [true, false].into_iter().zip(usual) {
                    let mut legs = LegScratch::default();
                    assert_eq!(
                        write_legal(&grid, &[from, to], slant_first, &mut legs, &mut path),
                        expected
                    );
                    assert_eq!(path.is_empty(), !expected);
                    if legal {
                        let mut plain = Path::new();
                        walk::write_legs(movement, &[from, to], slant_first, &mut plain);
                        assert_eq!(path, plain);
                        plain.check(&grid).unwrap();
                    }
                }
                counts[usize::from(expected) + usize::from(usual == [true; 2])] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    }

    /// A turning point between two legs of the same directions may have become wall.
    #[test]
    fn a_turning_point_that_was_closed_is_gone_around() {
        let turns = [Tile::new(0, 0), Tile::new(2, 1), Tile::new(4, 2)];
        for movement in [Movement::OneSideFree, Movement::FourConnected] {
            let free = |x, y| (x, y) != (2, 1);
            let grid = Grid::from_fn(5, 3, movement, free).unwrap();
            let (mut legs, mut path) = (LegScratch::default(), Path::new());
            assert!(write_legal(&grid, &turns, true, &mut legs, &mut path), "{movement}");
            path.check_answer(&grid, turns[0], turns[2], movement.estimate(turns[0], turns[2]))
                .unwrap();
            // One that was insisted upon is not.
            let bent = [turns[0], turns[1], Tile::new(4, 0)];
            assert!(!write_legal(&grid, &bent, true, &mut legs, &mut path) && path.is_empty());
        }
    }
}
