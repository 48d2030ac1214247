//! Which directions are worth trying after arriving from one: the pruning of jump point
//! search, as a table for each rule of movement.
//!
//! Of all shortest paths between two tiles, one takes each diagonal step as early as it
//! can (with four neighbours: each step along a column). Only such paths are searched.
//! On them, a turn from straight to anything else is possible only where a wall keeps it
//! from being made earlier. Drawn for a path that comes from the west; `n` is the tile
//! in hand, `?` is where it may go besides straight on:
//!
//! ```text
//!   no-corner-cutting      one-side-free        four-connected
//!        # ? ?                . # ?                 # ? .
//!        → n →                → n →                 → n →
//! ```
//!
//! After a diagonal step, the two straight directions it is made of and the diagonal
//! itself are always open; they are tried while the diagonal run is still going on, so
//! a tile inside a run is never a node. Only under `one-side-free` can a run also turn
//! by a right angle, round a wall beside it: that tile becomes a node for that turn alone.
//!
//! *Why nothing is lost* (no corner cutting; the others alike). Take any shortest path
//! and look at a straight step, say east to `n`, followed by a step to the north-east or
//! north. If the tile north-west of `n` is free, then the north-east step can be made
//! first (or replaces both steps), so the path can be changed into one as short, or
//! shorter, with its diagonal steps earlier. This cannot go on for ever, and it ends
//! with a path of the kind above. Two diagonal steps at a right angle are never part of
//! a shortest path: the tile between them is free, and two straight steps are shorter.

use crate::grid::{Direction, Movement};

/// Directions to try, as a move mask, by arrival direction and by legal moves.
pub(super) type Table = [[u8; 256]; 8];

/// The table for a rule of movement.
pub(super) fn table(movement: Movement) -> Box<Table> {
    let mut table = Box::new([[0; 256]; 8]);
    for arrival in Direction::ALL {
        for moves in 0..=255 {
            table[arrival as usize][usize::from(moves)] = directions(movement, arrival, moves);
        }
    }
    table
}

/// A direction turned by `steps` times 45 degrees, clockwise.
fn turn(direction: Direction, steps: i32) -> u8 {
    const CLOCK: [Direction; 8] = {
        use Direction::*;
        [E, SE, S, SW, W, NW, N, NE]
    };
    let at = CLOCK.iter().position(|&d| d == direction).unwrap_or(0) as i32;
    CLOCK[((at + steps) & 7) as usize].mask()
}

fn directions(movement: Movement, arrival: Direction, moves: u8) -> u8 {
    let open = |steps: i32| moves & turn(arrival, steps) != 0;
    let mut mask = 0;
    if !arrival.is_diagonal() {
        mask |= turn(arrival, 0);
        for side in [-1, 1] {
            match movement {
                // The tile beside is free; the step back across that side is not legal,
                // though the tile we came from is free: so the tile before is wall.
                Movement::NoCornerCutting => {
                    if open(2 * side) && !open(3 * side) {
                        mask |= turn(arrival, 2 * side) | turn(arrival, side);
                    }
                }
                Movement::OneSideFree => {
                    if !open(2 * side) {
                        mask |= turn(arrival, side);
                    }
                }
                // Diagonal moves are never legal here, so they cannot tell of the tile
                // before: a turn is tried wherever the scan stopped.
                Movement::FourConnected => mask |= turn(arrival, 2 * side),
            }
        }
    } else if movement == Movement::OneSideFree {
        for side in [-1, 1] {
            // The tile that the diagonal step passed on this side is a wall.
            if !open(3 * side) {
                mask |= turn(arrival, 2 * side);
            }
        }
    }
    mask & moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::movable;

    #[test]
    fn turns_are_those_of_the_drawings() {
        use Direction::*;
        let all = 0xff;
        // Free tiles all around: nothing but straight on.
        for movement in [Movement::NoCornerCutting, Movement::OneSideFree] {
            let moves = movable(all, movement);
            assert_eq!(directions(movement, E, moves), E.mask());
        }
        let moves = movable(all & !NW.mask(), Movement::NoCornerCutting);
        let turns = E.mask() | N.mask() | NE.mask();
        assert_eq!(directions(Movement::NoCornerCutting, E, moves), turns);
        let moves = movable(all & !N.mask(), Movement::OneSideFree);
        assert_eq!(directions(Movement::OneSideFree, E, moves), E.mask() | NE.mask());
        let moves = movable(all & !W.mask(), Movement::OneSideFree);
        assert_eq!(directions(Movement::OneSideFree, SE, moves), SW.mask());
    }
}
