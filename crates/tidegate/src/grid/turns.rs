//! Which directions are worth trying after arriving from one, as a table for each rule
//! of movement: the pruning of jump point search, which also saves plain searches most
//! of their looks at neighbours.
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
//! itself are always open. In jump point search they are tried while the diagonal run is
//! still going on, so a tile inside a run is never a node, and [`forced`] does not name
//! them; [`onward`] does. Only under `one-side-free` can a run also turn
//! by a right angle, round a wall beside it: that tile becomes a node for that turn alone.
//!
//! *Why nothing is lost* (no corner cutting; the others alike). Take any shortest path
//! and look at a straight step, say east to `n`, followed by a step to the north-east or
//! north. If the tile north-west of `n` is free, then the north-east step can be made
//! first (or replaces both steps), so the path can be changed into one as short, or
//! shorter, with its diagonal steps earlier. This cannot go on for ever, and it ends
//! with a path of the kind above. Two diagonal steps at a right angle are never part of
//! a shortest path: the tile between them is free, and two straight steps are shorter.
//!
//! *Why it does not matter which parent a node has* when there are several as good. The
//! only step left out although it may be part of a best way is a diagonal after a
//! straight one, and then the diagonal first and the straight step after it is as good.
//! A straight step is never left out for such a tie. So of the last steps of the best
//! ways to a node one is always taken, and by induction along the way every node gets
//! its least cost. Where an estimate drops nodes of best ways on purpose, the tiles beside
//! them must take every step: then the one of two equal ways that is kept is searched.

use super::{Direction, Movement};

/// Directions to try, as a move mask, by arrival direction and by legal moves.
pub(crate) type Table = [[u8; 256]; 8];

static FORCED: [Table; 3] = tables(false);
static ONWARD: [Table; 3] = tables(true);

/// Where to go on from the end of a run.
pub(crate) fn forced(movement: Movement) -> &'static Table {
    &FORCED[movement as usize]
}

/// Where to go on after a step.
pub(crate) fn onward(movement: Movement) -> &'static Table {
    &ONWARD[movement as usize]
}

const fn tables(onward: bool) -> [Table; 3] {
    let mut tables = [[[0; 256]; 8]; 3];
    let mut i = 0;
    while i < 3 * 8 * 256 {
        let (rule, bit, moves) = (i >> 11, i >> 8 & 7, i & 255);
        let arrival = Direction::from_bit(bit as u32);
        let mut mask = directions(Movement::ALL[rule], arrival, moves as u8);
        if onward && arrival.is_diagonal() {
            let sides = arrival.turned(-1).mask() | arrival.turned(1).mask();
            mask |= moves as u8 & (arrival.mask() | sides);
        }
        tables[rule][bit][moves] = mask;
        i += 1;
    }
    tables
}

const fn directions(movement: Movement, arrival: Direction, moves: u8) -> u8 {
    let mut mask = if arrival.is_diagonal() { 0 } else { arrival.mask() };
    let mut side = -1;
    while side <= 1 {
        let (ahead, beside) = (arrival.turned(side).mask(), arrival.turned(2 * side).mask());
        let before = moves & arrival.turned(3 * side).mask() != 0;
        mask |= match (movement, arrival.is_diagonal()) {
            // The step back across this side is not legal, though the tile we came from
            // is free: if the tile beside is, then the tile before it is a wall.
            (Movement::NoCornerCutting, false) if !before && moves & beside != 0 => ahead | beside,
            (Movement::OneSideFree, false) if moves & beside == 0 => ahead,
            // The tile that the diagonal step passed on this side is a wall.
            (Movement::OneSideFree, true) if !before => beside,
            // Diagonal moves are never legal here, so they cannot tell of the tile
            // before: a turn is always tried.
            (Movement::FourConnected, false) => beside,
            _ => 0,
        };
        side += 2;
    }
    mask & moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::movable;

    #[test]
    fn directions_turn_clockwise() {
        use Direction::*;
        let round = [N, NE, E, SE, S, SW, W, NW];
        for (at, from) in round.into_iter().enumerate() {
            for eighths in -9..=9 {
                let to = round[(at as i32 + eighths).rem_euclid(8) as usize];
                assert_eq!(from.turned(eighths), to, "{from:?} by {eighths}");
            }
        }
    }

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
