//! Writing out the tiles of a path from its turning points.
//!
//! Most legs are short: their tiles come out of a table, eight at a time whether the leg
//! has as many or not, and what follows overwrites the rest. Longer legs are runs of one
//! step, written in groups of eight. So writing has few branches, and wants a little space
//! behind the last tile.

use crate::grid::{Movement, Tile};
use crate::path::Path;

/// How many tiles are written at once.
const GROUP: usize = 8;
/// The table's side: legs of at most a group in every direction.
const SIDE: usize = 2 * GROUP + 1;

/// What the first tiles of each short leg add to a packed tile: diagonal steps first. After
/// its end a leg goes on in its last direction.
static LEGS: [[u32; GROUP]; SIDE * SIDE] = legs();

const fn legs() -> [[u32; GROUP]; SIDE * SIDE] {
    let mut legs = [[0; GROUP]; SIDE * SIDE];
    let mut leg = 0;
    while leg < legs.len() {
        let mut dx = (leg % SIDE) as i32 - GROUP as i32;
        let mut dy = (leg / SIDE) as i32 - GROUP as i32;
        let (mut at, mut last, mut n) = (0_u32, 0, 0);
        while n < GROUP {
            if dx != 0 || dy != 0 {
                last = step(dx, dy);
            }
            at = at.wrapping_add(last);
            legs[leg][n] = at;
            dx -= dx.signum();
            dy -= dy.signum();
            n += 1;
        }
        leg += 1;
    }
    legs
}

/// The short leg to a tile so far away.
#[inline]
fn short_leg(dx: i32, dy: i32) -> Option<&'static [u32; GROUP]> {
    LEGS.get((dy + GROUP as i32) as usize * SIDE + (dx + GROUP as i32) as usize)
}

/// A tile as a word without mark.
#[inline]
pub(crate) const fn pack(tile: Tile) -> u32 {
    (tile.y as u32) << 16 | tile.x as u32
}

/// The tile in a word.
#[inline]
pub(crate) const fn unpack(word: u32) -> Tile {
    Tile::new(word as u16, (word >> 16) as u16)
}

/// One step in a direction, as what it adds to a packed tile: packed tiles are numbers
/// (row times 65,536 plus column), so steps add up without looking at the parts.
#[inline]
const fn step(dx: i32, dy: i32) -> u32 {
    (dy.signum() * (1 << 16) + dx.signum()) as u32
}

/// Writes every tile of the legs between turning points, at least one, into `path`. Each
/// leg goes with its diagonal steps first, or last (without diagonal steps: along the
/// column first, or last).
pub(crate) fn write_legs(movement: Movement, turns: &[Tile], slant_first: bool, path: &mut Path) {
    let four = movement == Movement::FourConnected;
    let steps = |dx: u16, dy: u16| {
        if four { usize::from(dx) + usize::from(dy) } else { usize::from(dx.max(dy)) }
    };
    let room = || {
        let reach = |leg: &[Tile]| steps(leg[0].x.abs_diff(leg[1].x), leg[0].y.abs_diff(leg[1].y));
        turns.windows(2).map(reach).sum::<usize>() + 1 + GROUP
    };
    match (four, slant_first) {
        (false, true) => path.write(room, |tiles| write(tiles, turns, slant_then_straight)),
        (false, false) => path.write(room, |tiles| write(tiles, turns, straight_then_slant)),
        (true, true) => path.write(room, |tiles| write(tiles, turns, column_then_row)),
        (true, false) => path.write(room, |tiles| write(tiles, turns, row_then_column)),
    }
}

/// Writes all legs, each by `leg`, which returns how many tiles it wrote; returns how many
/// there are, or `None` where space is short.
#[inline(always)]
fn write(
    tiles: &mut [Tile],
    turns: &[Tile],
    leg: impl Fn(&mut [Tile], Tile, i32, i32) -> Option<usize>,
) -> Option<usize> {
    let all = tiles.len();
    let (first, mut space) = tiles.split_first_mut()?;
    let (&start, turns) = turns.split_first()?;
    *first = start;
    let mut from = start;
    for &to in turns {
        let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
        let written = leg(space, from, dx, dy)?;
        space = space.get_mut(written..)?;
        from = to;
    }
    Some(all - space.len())
}

#[inline(always)]
fn slant_then_straight(space: &mut [Tile], from: Tile, dx: i32, dy: i32) -> Option<usize> {
    let reach = dx.unsigned_abs().max(dy.unsigned_abs()) as usize;
    if reach > GROUP {
        let (slant, straight) = runs(dx, dy);
        return two_runs(space, from, slant, straight);
    }
    let (space, leg) = (space.first_chunk_mut::<GROUP>()?, short_leg(dx, dy)?);
    let from = pack(from);
    for n in 0..GROUP {
        space[n] = unpack(from.wrapping_add(leg[n]));
    }
    Some(reach)
}

#[inline(always)]
fn straight_then_slant(space: &mut [Tile], from: Tile, dx: i32, dy: i32) -> Option<usize> {
    let (slant, straight) = runs(dx, dy);
    two_runs(space, from, straight, slant)
}

#[inline(always)]
fn column_then_row(space: &mut [Tile], from: Tile, dx: i32, dy: i32) -> Option<usize> {
    two_runs(space, from, ((0, dy), dy.unsigned_abs()), ((dx, 0), dx.unsigned_abs()))
}

#[inline(always)]
fn row_then_column(space: &mut [Tile], from: Tile, dx: i32, dy: i32) -> Option<usize> {
    two_runs(space, from, ((dx, 0), dx.unsigned_abs()), ((0, dy), dy.unsigned_abs()))
}

/// A direction, of which the signs count, and how many steps are taken in it.
type Run = ((i32, i32), u32);

/// The diagonal and the straight steps of a leg.
#[inline(always)]
fn runs(dx: i32, dy: i32) -> (Run, Run) {
    let (ax, ay) = (dx.unsigned_abs(), dy.unsigned_abs());
    let straight = if ax > ay { (dx, 0) } else { (0, dy) };
    (((dx, dy), ax.min(ay)), (straight, ax.abs_diff(ay)))
}

/// Writes two runs; returns how many tiles they have.
#[inline(always)]
fn two_runs(space: &mut [Tile], from: Tile, first: Run, second: Run) -> Option<usize> {
    let ((dx, dy), count) = first;
    let middle = pack(from).wrapping_add(step(dx, dy).wrapping_mul(count));
    run(space, pack(from), first)?;
    run(space.get_mut(count as usize..)?, middle, second)?;
    Some((count + second.1) as usize)
}

/// Writes the tiles of a run after the packed tile `from`, rounded up to whole groups.
#[inline(always)]
fn run(space: &mut [Tile], from: u32, ((dx, dy), count): Run) -> Option<()> {
    let reach = GROUP as i32;
    let mut group = *short_leg(reach * dx.signum(), reach * dy.signum())?;
    for n in 0..GROUP {
        group[n] = group[n].wrapping_add(from);
    }
    let next = step(dx, dy).wrapping_mul(GROUP as u32);
    let whole = (count as usize).next_multiple_of(GROUP);
    for space in space.get_mut(..whole)?.as_chunks_mut::<GROUP>().0 {
        for n in 0..GROUP {
            space[n] = unpack(group[n]);
            group[n] = group[n].wrapping_add(next);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leg one step at a time.
    fn plain(movement: Movement, turns: &[Tile], slant_first: bool) -> Vec<Tile> {
        let mut tiles = vec![turns[0]];
        for &to in &turns[1..] {
            while let Some(&at) = tiles.last().filter(|&&at| at != to) {
                let dx = i32::from(to.x) - i32::from(at.x);
                let dy = i32::from(to.y) - i32::from(at.y);
                let (x, y) = match (movement == Movement::FourConnected, slant_first) {
                    (true, true) if dy != 0 => (0, dy),
                    (true, false) if dx != 0 => (dx, 0),
                    (false, false) if dx.abs() > dy.abs() => (dx, 0),
                    (false, false) if dx.abs() < dy.abs() => (0, dy),
                    _ => (dx, dy),
                };
                tiles.push(unpack(pack(at).wrapping_add(step(x, y))));
            }
        }
        tiles
    }

    #[test]
    fn legs_are_written_as_one_step_after_the_other() {
        let mut rng = crate::rng::Rng::new(5);
        let mut path = Path::new();
        for case in 0..3000 {
            // Short legs mostly, some long; at the edges of what a tile can be, too.
            let near = rng.below(65_400) as u16;
            let mut tile = |spread: usize| {
                let mut place = || near + rng.below(spread) as u16;
                Tile::new(place(), place())
            };
            let turns: Vec<Tile> =
                (0..1 + case % 17).map(|n| tile([4, 10, 19, 130][(case + n) % 4])).collect();
            for movement in Movement::ALL {
                for slant_first in [true, false] {
                    write_legs(movement, &turns, slant_first, &mut path);
                    let expected = plain(movement, &turns, slant_first);
                    assert_eq!(path.tiles(), expected, "{movement:?} {slant_first} {turns:?}");
                }
            }
            if case % 7 == 0 {
                path = Path::new();
            }
        }
    }

    #[test]
    fn every_short_leg_ends_where_it_should() {
        for (leg, tiles) in LEGS.iter().enumerate() {
            let x = (leg % SIDE) as i32 - GROUP as i32;
            let y = (leg / SIDE) as i32 - GROUP as i32;
            let reach = x.abs().max(y.abs()) as usize;
            if reach > 0 {
                assert_eq!(tiles[reach - 1], (y * (1 << 16) + x) as u32, "{x} {y}");
            }
        }
    }
}
