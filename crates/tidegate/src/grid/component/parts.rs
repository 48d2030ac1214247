//! Labelling the connected parts of any tiles in one pass, for those who need it once.
//!
//! The pass goes over runs, members of a row that follow each other, not over tiles: runs are
//! found a machine word at a time, and only where two of them touch is there something to do.

use fixedbitset::FixedBitSet;

use crate::grid::{CellId, Direction};

/// Members of a row that follow each other.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// The number of the first tile,
    pub(crate) from: u32,
    /// and that after the last.
    pub(crate) to: u32,
    /// Which part they belong to.
    pub(crate) part: u32,
}

/// The connected parts of some tiles of a map.
pub(crate) struct Parts {
    /// All members in row order.
    pub(crate) runs: Vec<Run>,
    /// By part: its first tile and its size. Parts are in the row order of their first tiles.
    pub(crate) parts: Vec<(CellId, u32)>,
}

/// The connected parts of the members of a map. Neighbours in a row or a column are always
/// joined; `diagonal` says whether a member is joined to the member north-west or north-east.
pub(crate) fn parts(
    width: u32,
    members: &FixedBitSet,
    diagonal: impl Fn(CellId, Direction) -> bool,
) -> Parts {
    let mut runs: Vec<Run> = Vec::new();
    // parent[r] <= r: the root of a set is its first run.
    let mut parent: Vec<u32> = Vec::new();
    let diagonal = |cell: u32, way| diagonal(CellId::from_index(cell as usize), way);
    let mut above = 0..0;
    for row in 0..members.len() as u32 / width.max(1) {
        let first = runs.len();
        let mut passed = above.start;
        for_runs(members, row * width, (row + 1) * width, |from, to| {
            let me = runs.len();
            parent.push(me as u32);
            // Runs above, moved into this row; they may touch at the corners.
            let moved = |run: usize| (runs[run].from + width, runs[run].to + width);
            while passed < above.end && moved(passed).1 < from {
                passed += 1;
            }
            for other in passed..above.end {
                let (begin, end) = moved(other);
                if begin > to {
                    break;
                }
                if (end > from || diagonal(from, Direction::NW))
                    && (begin < to || diagonal(to - 1, Direction::NE))
                {
                    unite(&mut parent, me as u32, other as u32);
                }
            }
            runs.push(Run { from, to, part: 0 });
        });
        above = first..runs.len();
    }
    let mut parts: Vec<(CellId, u32)> = Vec::new();
    for i in 0..runs.len() {
        // The parts of earlier runs are known.
        let root = find(&mut parent, i as u32) as usize;
        runs[i].part = if root == i {
            parts.push((CellId::from_index(runs[i].from as usize), 0));
            parts.len() as u32 - 1
        } else {
            runs[root].part
        };
        parts[runs[i].part as usize].1 += runs[i].to - runs[i].from;
    }
    Parts { runs, parts }
}

/// Calls for every run of members from one tile to before another.
pub(crate) fn for_runs(members: &FixedBitSet, from: u32, to: u32, mut found: impl FnMut(u32, u32)) {
    let mut at = next(members, from, to, true);
    while at < to {
        let end = next(members, at, to, false);
        found(at, end);
        at = next(members, end, to, true);
    }
}

/// The first member or the first that is none, from one tile to before another; the latter if
/// there is none.
fn next(members: &FixedBitSet, from: u32, to: u32, member: bool) -> u32 {
    let flip = if member { 0 } else { usize::MAX };
    let words = members.as_slice();
    let mut at = from;
    while at < to {
        let shift = at % usize::BITS;
        let word = (words[(at / usize::BITS) as usize] ^ flip) >> shift;
        if word != 0 {
            return (at + word.trailing_zeros()).min(to);
        }
        at += usize::BITS - shift;
    }
    to
}

fn find(parent: &mut [u32], mut label: u32) -> u32 {
    while parent[label as usize] != label {
        parent[label as usize] = parent[parent[label as usize] as usize];
        label = parent[label as usize];
    }
    label
}

fn unite(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, Movement, flood};
    use crate::rng::Rng;

    /// The parts by a flood from every tile that has none.
    fn flooded(grid: &Grid, members: &FixedBitSet) -> (Vec<u32>, Vec<(CellId, u32)>) {
        let (mut labels, mut parts, mut stack) = (vec![0; grid.tiles()], Vec::new(), Vec::new());
        for cell in members.ones().map(CellId::from_index) {
            let beside = |cell| grid.neighbours(cell).map(|(next, _)| next);
            let enter = |cell: CellId| {
                let fresh = members.contains(cell.index()) && labels[cell.index()] == 0;
                if fresh {
                    labels[cell.index()] = parts.len() as u32 + 1;
                }
                fresh
            };
            let area = flood(&mut stack, cell, beside, enter);
            parts.extend(Some((cell, area)).filter(|_| area > 0));
        }
        (labels, parts)
    }

    #[test]
    fn runs_find_what_floods_find() {
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let sizes = [(1, 1), (1, 90), (90, 1), (7, 9), (64, 5), (130, 17), (63, 4), (65, 8)];
            let (width, height) = sizes[rng.below(sizes.len())];
            let (walls, holes) = (rng.below(70) as u32, rng.below(60) as u32);
            let movement = Movement::ALL[seed as usize % 3];
            let grid = Grid::from_fn(width, height, movement, |_, _| !rng.chance(walls)).unwrap();
            // Free tiles with holes, as gates make them: steps may lead past a hole's corner.
            let mut members = grid.free_bits().clone();
            (0..grid.tiles()).for_each(|i| members.set(i, members[i] && !rng.chance(holes)));
            let found = parts(width, &members, |cell, way| grid.moves(cell) & way.mask() != 0);
            let mut labels = vec![0; grid.tiles()];
            for run in &found.runs {
                labels[run.from as usize..run.to as usize].fill(run.part + 1);
            }
            assert_eq!((labels, found.parts), flooded(&grid, &members), "seed {seed}");
        }
    }
}
