//! Knowing when not to: what labels would take, from what those of a window hold.

use super::block::{LARGE, Layout, Most, SMALL};
use super::block_build::held;
use super::square::BlockSource;
use crate::grid::Grid;

/// Words in the trees for each entry of a corner, about: places and links.
const TREES: f64 = 1.5;
/// How much larger or smaller the largest numbers of a map may be than is thought.
const UNSURE: [f64; 3] = [0.7, 1.0, 1.4];

/// What labels would take, by form: fast and small.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    bytes: [u64; 2],
    /// How many corners were labelled to know.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test bounds it"))]
    pub(crate) labelled: usize,
}

/// What labels hold, for each free tile of the map; pairs are by form.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Density {
    pub(super) blocks: [f64; 2],
    pub(super) vias: [f64; 2],
    pub(super) entries: [f64; 2],
    /// Words of trees, for each corner.
    pub(super) trees: f64,
    /// All corners.
    pub(super) corners: f64,
    /// The largest numbers of entries.
    pub(super) most: [Most; 2],
}

impl Density {
    /// From labels of corners and some blocks.
    pub(super) fn of(source: &impl BlockSource) -> Density {
        let free = source.grid().free_tiles().max(1) as f64;
        let corners = source.labels().labels.len() as f64;
        let trees = source.labels().trees.bytes() as f64 / 4.0 / corners.max(1.0);
        let Some((held, most)) = held(source) else { return Density::default() };
        let each = |n: usize| held.map(|form| form[n] / free);
        Density { blocks: each(0), vias: each(1), entries: each(2), trees, corners, most }
    }

    /// Where corners have more entries than this.
    pub(super) fn at_least(corners: usize, entries: usize) -> Density {
        let each = entries as f64 / corners.max(1) as f64;
        let blocks = [SMALL, LARGE].map(|shift| 1.0 / f64::from(1 << (2 * shift)));
        let entries = blocks.map(|blocks| blocks * each);
        Density {
            blocks,
            entries,
            trees: TREES * each,
            corners: corners as f64,
            ..Density::default()
        }
    }

    /// The mean of several, and all their corners.
    pub(super) fn mean(all: impl Iterator<Item = Density>) -> Density {
        let all: Vec<Density> = all.collect();
        let share = 1.0 / all.len().max(1) as f64;
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + share * b[0], a[1] + share * b[1]];
        all.iter().fold(Density::default(), |sum, one| Density {
            blocks: add(sum.blocks, one.blocks),
            vias: add(sum.vias, one.vias),
            entries: add(sum.entries, one.entries),
            trees: sum.trees + share * one.trees,
            corners: sum.corners + one.corners,
            most: [0, 1].map(|n| sum.most[n].or(one.most[n])),
        })
    }

    /// What labels of a map of this density take; known from so many corners.
    pub(super) fn estimate(&self, grid: &Grid, labelled: f64) -> Estimate {
        let free = grid.free_tiles() as f64;
        let bytes = [SMALL, LARGE].map(|shift| {
            let form = usize::from(shift > SMALL);
            let entry =
                |by: f64| Layout::fitting(SMALL, self.most[form].times(by)).entry_bytes() as f64;
            let entry = UNSURE.map(entry).iter().sum::<f64>() / UNSURE.len() as f64;
            let via = [6.0, 12.0][form];
            let blocks = f64::from(grid.width().div_ceil(1 << SMALL))
                * f64::from(grid.height().div_ceil(1 << SMALL));
            let held = 4.0 * self.blocks[form] + via * self.vias[form] + entry * self.entries[form];
            // Every block has its place; every hub has its tree and its tile.
            (free * held + 4.0 * blocks + self.corners * (8.0 + 4.0 * self.trees)) as u64
        });
        Estimate { bytes, labelled: labelled as usize }
    }
}

impl Most {
    /// On a map that many times as wide, with that many times the corners.
    pub(super) fn grown(self, side: f64, corners: f64) -> Most {
        let times = |number: u32, by: f64| (f64::from(number) * by).min(f64::from(i32::MAX)) as u32;
        Most {
            hub: times(self.hub, corners),
            via: self.via,
            cost: times(self.cost, side),
            position: times(self.position, corners),
        }
    }

    /// All of them that many times as large.
    fn times(self, by: f64) -> Most {
        let via = (f64::from(self.via) * by) as u32;
        Most { via, ..self.grown(by, by) }
    }
}

impl Estimate {
    /// The memory of the labels, in bytes, in blocks of 2^shift tiles a side.
    pub(crate) fn bytes(&self, shift: u32) -> u64 {
        self.bytes[usize::from(shift > 2)]
    }
}
