//! Making the labels of blocks from the labels of corners.
//!
//! An entry is kept only if some tile of the block needs it: it is the best of its hub
//! there, no hub of higher rank lies on the way, and the path can turn at the via into
//! a first edge of the entry (filtering by direction; `docs/taut.md`, claim B).
//!
//! Squares of 8 x 8 tiles are made one at a time: what their tiles need is worked out once, then
//! it is written as one large block or as four small ones. A large block takes less memory than
//! four small ones and a query looks at more entries in it; how many more are allowed is said
//! from outside ([`Growth`]).

use super::block::{LARGE, Layout, MAX_VIAS, Most, Parts, SMALL};
use super::square::{BlockSource, LANES, Workspace, tile_of};
use crate::grid::{Grid, Tile};
use crate::threads;

/// How many squares are made to see what all would take, about.
const SAMPLED: usize = 256;

/// How many times the entries of a small block, in percent, one large block may have to be taken
/// instead of four small ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Growth(pub(crate) u32);

impl Growth {
    /// Small blocks only.
    pub(crate) const NONE: Growth = Growth(0);
    /// Large blocks only.
    pub(crate) const ALL: Growth = Growth(u32::MAX);
}

/// What a square of tiles would take.
struct Weight {
    /// Vias and entries as a large block, and of all its small ones.
    large: [u64; 2],
    small: [u64; 2],
    /// How many times the entries of its small blocks the large one has, in percent.
    growth: u32,
    /// The largest numbers of the entries of its small blocks and of its large one.
    most: [Most; 2],
}

/// The words of all blocks, square by square, in the [wide](Layout::wide) layout; `None` for a
/// square with more vias or entries than a block can hold.
pub(crate) fn blocks<S: BlockSource>(source: &S, growth: Growth) -> Vec<Option<Vec<u32>>> {
    let (across, down) = squares(source.grid());
    each_square(source, (across * down) as usize, 1, |space| {
        let mut words = Vec::new();
        space.encode(source, growth, &mut words).map(|()| {
            words.shrink_to_fit();
            words
        })
    })
}

/// What every `step`-th square of the map would take.
fn weigh<S: BlockSource>(source: &S, step: usize) -> Vec<Option<Weight>> {
    let (across, down) = squares(source.grid());
    let count = ((across * down) as usize).div_ceil(step);
    each_square(source, count, step, |space| space.weight(source))
}

/// Which squares to make large blocks of, such that everything takes at most `target` bytes if it
/// can: as few as possible, from `range.0` to `range.1`. Returns it with the bytes that are
/// estimated from a sample of squares; `None` if there are squares that no block can hold.
pub(crate) fn fit<S: BlockSource>(
    source: &S,
    (least, most): (Growth, Growth),
    target: u64,
) -> Option<(Growth, u64)> {
    let (across, down) = squares(source.grid());
    let count = u64::from(across) * u64::from(down);
    let weights = sampled(source)?;
    let numbers = weights.iter().fold(Most::default(), |all, weight| all.or(weight.most[1]));
    let entry = Layout::fitting(SMALL, numbers).entry_bytes();
    // A via takes a word and its mask; a block its place and its counts.
    let held = |[vias, entries]: [u64; 2], mask: u64| vias * (4 + mask) + entries * entry;
    let bytes = |growth: Growth| {
        let taken = weights.iter().map(|weight| {
            if weight.growth <= growth.0 {
                4 + held(weight.large, 8)
            } else {
                16 + held(weight.small, 2)
            }
        });
        16 * count + taken.sum::<u64>() * count / (weights.len() as u64).max(1)
    };
    let steps = weights.iter().map(|weight| Growth(weight.growth));
    let mut steps: Vec<Growth> = steps.filter(|g| (least..=most).contains(g)).collect();
    steps.extend([least, most]);
    steps.sort_unstable();
    let fits = |growth: &&Growth| bytes(**growth) <= target;
    let growth = steps.iter().find(fits).copied().unwrap_or(most);
    Some((growth, bytes(growth)))
}

/// What about [`SAMPLED`] squares of the map would take.
fn sampled<S: BlockSource>(source: &S) -> Option<Vec<Weight>> {
    let (across, down) = squares(source.grid());
    let mut step = ((across * down) as usize / SAMPLED).max(1);
    // So that the sample does not stay in a few columns.
    while step > 1 && common_divisor(step, across as usize) > 1 {
        step += 1;
    }
    weigh(source, step).into_iter().collect()
}

/// How many blocks, vias and entries a map has, and the largest numbers of entries, from some of its squares: in
/// small blocks and in large ones. `None` if there are squares that no block can hold.
pub(super) fn held<S: BlockSource>(source: &S) -> Option<([[f64; 3]; 2], [Most; 2])> {
    let (across, down) = squares(source.grid());
    let weights = sampled(source)?;
    let each = f64::from(across * down) / weights.len().max(1) as f64;
    let sum = |of: fn(&Weight) -> [u64; 2], blocks: f64| {
        let [vias, entries] = weights.iter().map(of).fold([0; 2], |[a, b], [c, d]| [a + c, b + d]);
        [blocks * f64::from(across * down), each * vias as f64, each * entries as f64]
    };
    let most = |n: usize| weights.iter().fold(Most::default(), |all, one| all.or(one.most[n]));
    let sums = [sum(|weight| weight.small, 4.0), sum(|weight| weight.large, 1.0)];
    Some((sums, [0, 1].map(most)))
}

/// The greatest common divisor.
fn common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// The blocks of single tiles, in row order, in the wide layout.
#[cfg(test)]
pub(crate) fn single_blocks<S: BlockSource>(source: &S) -> Vec<Option<Vec<u32>>> {
    let grid = source.grid();
    let (across, down) = squares(grid);
    let singles = each_square(source, (across * down) as usize, 1, |space| {
        let lanes = 0..LANES as u32;
        lanes
            .map(|lane| {
                let mut parts = space.parts(source, 1 << lane);
                parts.vias.iter_mut().for_each(|via| via.1 = 1);
                let mut words = Vec::new();
                parts.encode(Layout::wide(0), &mut words).map(|()| words)
            })
            .collect::<Vec<_>>()
    });
    let tiles = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
    tiles
        .map(|(x, y)| {
            let (square, lane) = ((y >> LARGE) * across + (x >> LARGE), (y & 7) << 3 | (x & 7));
            singles[square as usize][lane as usize].clone()
        })
        .collect()
}

/// How many squares there are across and down.
fn squares(grid: &Grid) -> (u32, u32) {
    (grid.width().div_ceil(1 << LARGE), grid.height().div_ceil(1 << LARGE))
}

/// Calls `made` for every `step`-th square when all is known about it.
fn each_square<S: BlockSource, T: Send>(
    source: &S,
    count: usize,
    step: usize,
    made: impl Fn(&mut Workspace<S>) -> T + Sync,
) -> Vec<T> {
    let across = squares(source.grid()).0;
    let corners = source.labels().labels.len();
    threads::map(
        count,
        LANES,
        || Workspace::<S>::new(corners),
        |space, n| {
            let n = (n * step) as u32;
            let origin = Tile::new(((n % across) << LARGE) as u16, ((n / across) << LARGE) as u16);
            space.square(source, origin);
            made(space)
        },
    )
}

/// The tiles of the small blocks of a square, in their order.
fn quarters() -> [u64; 4] {
    let first = 0x0F0F_0F0F;
    [first, first << 4, first << 32, first << 36]
}

/// The tiles of a small block, counted in the block, from those counted in the square.
fn in_quarter(mask: u64, quarter: usize) -> u64 {
    let mask = mask >> [0, 4, 32, 36][quarter];
    (0..4).fold(0, |all, row| all | (mask >> (8 * row) & 15) << (4 * row))
}

impl<S: BlockSource> Workspace<S> {
    /// Appends the words of its large block or of its small ones.
    fn encode(&self, source: &S, growth: Growth, words: &mut Vec<u32>) -> Option<()> {
        if self.vias.len() >= MAX_VIAS {
            return None;
        }
        let layout = Layout::wide(SMALL);
        let large = || {
            let mut parts = self.parts(source, u64::MAX);
            parts.large = true;
            parts
        };
        if growth == Growth::ALL {
            return large().encode(layout, words);
        }
        let small = self.small_blocks(source);
        if growth > Growth::NONE {
            let large = large();
            if self.grown(&large, &small) <= growth.0 {
                return large.encode(layout, words);
            }
        }
        small.iter().flatten().try_for_each(|parts| parts.encode(layout, words))
    }

    /// Its small blocks that lie on the map.
    fn small_blocks(&self, source: &S) -> [Option<Parts>; 4] {
        let small = quarters();
        std::array::from_fn(|quarter| {
            let corner = tile_of(self.origin, small[quarter].trailing_zeros());
            source.grid().contains(corner).then(|| {
                let mut parts = self.parts(source, small[quarter]);
                parts.vias.iter_mut().for_each(|via| via.1 = in_quarter(via.1, quarter));
                parts
            })
        })
    }

    /// How many times the entries of small blocks a large one has, in percent: what a query looks
    /// at from the mean of all tiles that need anything.
    fn grown(&self, large: &Parts, small: &[Option<Parts>; 4]) -> u32 {
        let looked_at = |parts: &Parts| (parts.vias.len() + parts.entries.len()) as u64;
        let asking = self.vias.iter().fold(0, |all, via| all | via.mask);
        let (mut tiles, mut sum) = (0, 0);
        for (parts, quarter) in small.iter().zip(quarters()) {
            let asking = u64::from((asking & quarter).count_ones());
            tiles += asking;
            sum += asking * parts.as_ref().map_or(0, looked_at);
        }
        u32::try_from((100 * tiles * looked_at(large)).checked_div(sum).unwrap_or(0))
            .unwrap_or(u32::MAX)
    }

    /// What it would take.
    fn weight(&self, source: &S) -> Option<Weight> {
        if self.vias.len() >= MAX_VIAS {
            return None;
        }
        let (large, small) = (self.parts(source, u64::MAX), self.small_blocks(source));
        let size = |parts: &Parts| [parts.vias.len() as u64, parts.entries.len() as u64];
        let mut most = [Most::default(); 2];
        small.iter().flatten().flat_map(|p| &p.entries).for_each(|entry| most[0].raise(entry));
        large.entries.iter().for_each(|entry| most[1].raise(entry));
        let sum = |[a, b]: [u64; 2], [c, d]: [u64; 2]| [a + c, b + d];
        Some(Weight {
            large: size(&large),
            small: small.iter().flatten().map(size).fold([0; 2], sum),
            growth: self.grown(&large, &small),
            most,
        })
    }
}
