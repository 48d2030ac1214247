//! Doors: short gaps in walls that open to wider ground on both sides.
//!
//! The water counts many walls before ground is shallow to it, more on a larger map; so it
//! does not see a small room beside an open field. Doors are found by looking along rows and
//! columns: a **run** is a line of free tiles from wall to wall, and a door is a short run
//! beside which, a few tiles further on, runs are at least twice as long, both ways. In a short
//! corridor the narrowest run is taken, of equal ones the first. What the doors close off is
//! judged later, by their prominence.

use super::gate::{GateLine, Source};
use crate::grid::component::for_runs;
use crate::grid::{Grid, Tile};

/// A door has at most so many tiles.
const LONGEST: u32 = 8;
/// The wall it leads through is at most so many tiles thick.
const THICKEST: usize = 8;

/// The doors of a map, the shortest first.
pub(super) fn doors(grid: &Grid) -> Vec<GateLine> {
    let mut lines = Vec::new();
    let line = |a: (u32, u32), b: (u32, u32)| {
        let tile = |(x, y): (u32, u32)| Tile::new(x as u16, y as u16);
        GateLine::new(tile(a), tile(b), Source::Automatic)
    };
    Runs::of_rows(grid).doors(|y, run| lines.push(line((run.from, y), (run.to, y))));
    Runs::of_columns(grid).doors(|x, run| lines.push(line((x, run.from), (x, run.to))));
    lines.sort_by_key(GateLine::width);
    lines
}

/// Free tiles of a row from wall to wall; both ends are part of it.
#[derive(Clone, Copy)]
struct Run {
    from: u32,
    to: u32,
}

impl Run {
    fn length(self) -> u32 {
        self.to - self.from + 1
    }
}

/// The runs of all rows, or of all columns.
struct Runs {
    runs: Vec<Run>,
    /// By row: where its runs begin; and their end.
    starts: Vec<usize>,
}

impl Runs {
    fn of_rows(grid: &Grid) -> Runs {
        let (mut runs, mut starts) = (Vec::new(), vec![0]);
        for first in (0..grid.height()).map(|y| y * grid.width()) {
            for_runs(grid.free_bits(), first, first + grid.width(), |from, to| {
                runs.push(Run { from: from - first, to: to - 1 - first });
            });
            starts.push(runs.len());
        }
        Runs { runs, starts }
    }

    /// Row by row too, because columns lie far apart in memory.
    fn of_columns(grid: &Grid) -> Runs {
        const NONE: u32 = u32::MAX;
        let (width, free) = (grid.width() as usize, grid.free_bits());
        // By column: where the run begins that the row is in.
        let mut begun = vec![NONE; width];
        let mut found: Vec<(usize, Run)> = Vec::new();
        for y in 0..=grid.height() {
            for (x, begun) in begun.iter_mut().enumerate() {
                let is_free = y < grid.height() && free.contains(y as usize * width + x);
                if is_free == (*begun != NONE) {
                    continue;
                }
                if is_free {
                    *begun = y;
                } else {
                    found.push((x, Run { from: *begun, to: y - 1 }));
                    *begun = NONE;
                }
            }
        }
        found.sort_by_key(|&(x, _)| x);
        let starts = (0..=width).map(|x| found.partition_point(|&(other, _)| other < x)).collect();
        Runs { runs: found.into_iter().map(|(_, run)| run).collect(), starts }
    }

    fn row(&self, row: usize) -> &[Run] {
        &self.runs[self.starts[row]..self.starts[row + 1]]
    }

    /// Calls for every door with its row.
    fn doors(&self, mut found: impl FnMut(u32, Run)) {
        for row in 0..self.starts.len() - 1 {
            for &run in self.row(row).iter().filter(|run| run.length() <= LONGEST) {
                if self.opens(run, row, -1) && self.opens(run, row, 1) {
                    found(row as u32, run);
                }
            }
        }
    }

    /// Whether ground at least twice as wide follows on one side before anything narrower.
    fn opens(&self, door: Run, row: usize, way: isize) -> bool {
        let (mut run, mut row) = (door, row);
        for _ in 0..THICKEST {
            let Some(next) = row.checked_add_signed(way).filter(|&r| r + 1 < self.starts.len())
            else {
                return false;
            };
            let beside = self.row(next);
            let first = beside.partition_point(|other| other.to < run.from);
            let beside = beside[first..].iter().take_while(|other| other.from <= run.to);
            let Some(&widest) = beside.max_by_key(|other| other.length()) else { return false };
            // Of equal runs the first is the door.
            let least = if way < 0 { door.length() + 1 } else { door.length() };
            if widest.length() < least {
                return false;
            }
            if widest.length() >= 2 * door.length() {
                return true;
            }
            (run, row) = (widest, next);
        }
        false
    }
}
