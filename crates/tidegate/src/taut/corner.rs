//! Where taut paths can turn: corner tiles and the turns they allow.
//!
//! What a tile is depends only on which of its eight neighbours are free, so all of
//! it is one table: for each of the 256 patterns of free neighbours and each class of
//! arrival, the classes in which a taut path may go on. A tile is a *corner* if its
//! pattern allows any turn at all. `docs/taut.md` proves that nothing else is needed.
//!
//! With both tiles beside a diagonal step free, or without diagonal steps, a corner
//! looks past a wall tile that lies across it:
//!
//! ```text
//!     . #      u is a corner towards the wall (north-east of it): a path that comes
//!     u .      from the south or west bends around the wall to the north or east
//! ```
//!
//! Where one free side is enough, paths brush past walls and turn beside them:
//!
//! ```text
//!     # .      b, the wall north of u, is passed on the right: the step from u to
//!     # .      the tile right of b is legal, and paths bend there. (Also needed:
//!     . u .    the tiles left and right of u are free.)
//!       with b straight above u
//! ```

use std::sync::OnceLock;

use super::compass::{SAMPLES, opposite};
use crate::grid::Movement;

/// The rules of the taut corner graph for one kind of movement. Tests take a good one
/// and break it, to see that the break is noticed.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) movement: Movement,
    /// By pattern of free neighbours and class of arrival: the classes of departure.
    turns: Vec<[u16; 16]>,
    /// By pattern: the classes, seen from the corner, in which a line to it may end.
    ends: Vec<u16>,
    /// Whether the test for a free parallelogram asks for the columns beside it, which
    /// diagonal steps need when both their sides must be free.
    pub(crate) margin: bool,
    /// Which of the classes of tied first edges of a label entry count when entries are
    /// filtered by direction (see `block_build`): all of them.
    pub(crate) first_edges: fn(u16) -> u16,
}

/// Bit numbers of a pattern: those of [`crate::Direction`].
const OFFSETS: [(i32, i32); 8] =
    [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];

impl Rules {
    /// The rules of a movement, worked out once.
    pub(crate) fn of(movement: Movement) -> &'static Rules {
        static MADE: [OnceLock<Rules>; 3] = [const { OnceLock::new() }; 3];
        MADE[movement as usize].get_or_init(|| Rules::new(movement))
    }

    pub(crate) fn new(movement: Movement) -> Rules {
        Rules::with_turns(movement, |pattern, arrive, leave| match movement {
            Movement::OneSideFree => turns_beside_wall(pattern, arrive, leave),
            _ => turns_across_wall(pattern, arrive, leave),
        })
    }

    /// The rules with this turn table: `turns(pattern, arrival, departure)`.
    pub(crate) fn with_turns(
        movement: Movement,
        turns: impl Fn(u8, (i32, i32), (i32, i32)) -> bool,
    ) -> Rules {
        let row = |pattern: u8| {
            SAMPLES.map(|arrive| {
                let allowed = |&leave: &usize| turns(pattern, arrive, SAMPLES[leave]);
                (0..16).filter(allowed).fold(0_u16, |set, leave| set | 1 << leave)
            })
        };
        let turns: Vec<[u16; 16]> = (0..=255).map(row).collect();
        let ends = turns.iter().map(|row| {
            let used = (0..16).filter(|&arrive| row[arrive] != 0);
            used.fold(0_u16, |set, arrive| set | 1 << opposite(arrive))
        });
        let ends = ends.collect();
        let margin = movement == Movement::NoCornerCutting;
        Rules { movement, turns, ends, margin, first_edges: |tied| tied }
    }

    /// The classes in which a taut path that arrives in class `arrive` may leave.
    #[inline]
    pub(crate) fn departures(&self, pattern: u8, arrive: usize) -> u16 {
        self.turns[pattern as usize][arrive]
    }

    /// The classes, looking away from the corner, in which a line to it may end.
    #[inline]
    pub(crate) fn ends(&self, pattern: u8) -> u16 {
        self.ends[pattern as usize]
    }
}

/// A pattern from whether the neighbour in each direction is free.
pub(crate) fn pattern_by(is_free: impl Fn(i32, i32) -> bool) -> u8 {
    let offsets = OFFSETS.iter().enumerate();
    offsets.fold(0, |set, (bit, &(dx, dy))| set | u8::from(is_free(dx, dy)) << bit)
}

fn has(pattern: u8, offset: (i32, i32)) -> bool {
    OFFSETS.iter().position(|&o| o == offset).is_some_and(|bit| pattern >> bit & 1 != 0)
}

/// The turn rule past a wall tile across the corner. Seen from the wall's side, one
/// coordinate turns from moving away to not moving away, the other the other way round.
pub(crate) fn turns_across_wall(pattern: u8, arrive: (i32, i32), leave: (i32, i32)) -> bool {
    [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().any(|(cx, cy)| {
        let corner = !has(pattern, (cx, cy)) && has(pattern, (cx, 0)) && has(pattern, (0, cy));
        let (a, b) = (arrive.0 * cx, arrive.1 * cy);
        let (p, q) = (leave.0 * cx, leave.1 * cy);
        corner && ((a < 0 && b >= 0 && q > 0 && p <= 0) || (b < 0 && a >= 0 && p > 0 && q <= 0))
    })
}

/// The turn rule beside a wall tile `b`: one of "back" and "on" lies to the right of b,
/// the other to the left, neither steeper than the free diagonals beside b allow, and
/// together they bend around b.
pub(crate) fn turns_beside_wall(pattern: u8, arrive: (i32, i32), leave: (i32, i32)) -> bool {
    [(1, 0), (0, 1), (-1, 0), (0, -1)].into_iter().any(|b| {
        let right = (-b.1, b.0);
        let wall = !has(pattern, b) && has(pattern, right) && has(pattern, (-right.0, -right.1));
        let free_right = has(pattern, (b.0 + right.0, b.1 + right.1));
        let free_left = has(pattern, (b.0 - right.0, b.1 - right.1));
        // Coordinates with x to the right of b and y towards b.
        let seen = |v: (i32, i32)| (v.0 * right.0 + v.1 * right.1, v.0 * b.0 + v.1 * b.1);
        // How steep, towards the wall, a direction on a side with or without a free
        // diagonal may be, given whether the other side has one.
        let fits = |(x, y): (i32, i32), here: bool, there: bool| {
            let top = if here { x } else { 0 };
            let bottom = if there { -x } else { 0 };
            x > 0 && bottom < y && y <= top
        };
        let passes = |one: (i32, i32), other: (i32, i32)| {
            let (r, l) = (seen(one), seen(other));
            fits(r, free_right, free_left) && fits((-l.0, l.1), free_left, free_right)
        };
        let back = (-arrive.0, -arrive.1);
        wall && (free_right || free_left) && (passes(back, leave) || passes(leave, back))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::taut::CornerBits;

    #[test]
    fn a_single_wall_tile_has_four_corners() {
        let grid = Grid::from_rows(&[".....", ".....", "..@..", ".....", "....."]).unwrap();
        let found = |movement| {
            let grid = grid.clone().with_movement(movement);
            let bits = CornerBits::new(&grid, &Rules::new(movement));
            bits.corners().into_iter().map(|(t, _)| (t.x, t.y)).collect()
        };
        let across: Vec<_> = found(Movement::NoCornerCutting);
        assert_eq!(across, [(1, 1), (3, 1), (1, 3), (3, 3)]);
        assert_eq!(across, found(Movement::FourConnected));
        let beside: Vec<_> = found(Movement::OneSideFree);
        assert_eq!(beside, [(2, 1), (1, 2), (3, 2), (2, 3)]);
    }

    /// Walking a turn backwards is a turn, so a line may end at a corner exactly if a
    /// line may begin there.
    #[test]
    fn turns_are_symmetric() {
        for movement in Movement::ALL {
            let rules = Rules::new(movement);
            for pattern in 0..=255_u8 {
                for (a, &arrive) in SAMPLES.iter().enumerate() {
                    for leave in 0..SAMPLES.len() {
                        let there = rules.departures(pattern, a) >> leave & 1;
                        let back = rules.departures(pattern, opposite(leave)) >> opposite(a) & 1;
                        assert_eq!(there, back, "{movement} {pattern:08b} {arrive:?}");
                    }
                }
            }
        }
    }
}
