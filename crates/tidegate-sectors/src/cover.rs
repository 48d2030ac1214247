//! Which sectors are in use: the state that adaptation changes.
//!
//! The sectors in use tile the map: they are the leaves of the forest cut off where
//! nothing is split. A cover is a value: it can be compared, copied and rebuilt from
//! its split sectors alone, and splitting a sector and merging its halves again gives
//! back exactly what was.

use crate::hierarchy::{Hierarchy, SectorId};
use tidegate::grid::Tile;

/// The sectors in use and their neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// By sector: whether it is split. Only halves of split sectors, and roots, can be.
    split: Vec<bool>,
    /// By sector: the neighbours of one in use, in rising order; of others nothing.
    neighbours: Vec<Vec<SectorId>>,
    leaves: usize,
}

impl Cover {
    /// The basic configuration: the roots alone.
    pub fn new(hierarchy: &dyn Hierarchy) -> Cover {
        let roots = || (0..hierarchy.roots()).map(SectorId::from_index);
        let mut neighbours = vec![Vec::new(); hierarchy.len()];
        for a in roots() {
            let beside = roots().filter(|&b| a != b && hierarchy.touch(a, b));
            neighbours[a.index()] = beside.collect();
        }
        Cover { split: vec![false; hierarchy.len()], neighbours, leaves: hierarchy.roots() }
    }

    /// The cover in which exactly these sectors are split, given in rising order of
    /// level. `None` if one of them cannot be split at its turn.
    pub fn from_splits(
        hierarchy: &dyn Hierarchy,
        splits: impl IntoIterator<Item = SectorId>,
    ) -> Option<Cover> {
        let mut cover = Cover::new(hierarchy);
        splits.into_iter().all(|s| cover.split(hierarchy, s)).then_some(cover)
    }

    /// The split sectors, in rising order of their numbers.
    pub fn splits(&self) -> impl Iterator<Item = SectorId> + '_ {
        let numbers = (0..self.split.len()).filter(|&i| self.split[i]);
        numbers.map(SectorId::from_index)
    }

    /// The sectors in use, in rising order of their numbers.
    pub fn leaves<'a>(
        &'a self,
        hierarchy: &'a dyn Hierarchy,
    ) -> impl Iterator<Item = SectorId> + 'a {
        let all = (0..self.split.len()).map(SectorId::from_index);
        all.filter(move |&s| self.is_leaf(hierarchy, s))
    }

    /// How many sectors are in use.
    pub fn leaf_count(&self) -> usize {
        self.leaves
    }

    /// Whether nothing is split.
    pub fn is_basic(&self, hierarchy: &dyn Hierarchy) -> bool {
        self.leaves == hierarchy.roots()
    }

    /// Whether a sector is in use.
    pub fn is_leaf(&self, hierarchy: &dyn Hierarchy, sector: SectorId) -> bool {
        let exists = hierarchy.parent(sector).is_none_or(|p| self.split[p.index()]);
        exists && !self.split[sector.index()]
    }

    /// Whether a sector is in use and has halves.
    pub fn can_split(&self, hierarchy: &dyn Hierarchy, sector: SectorId) -> bool {
        self.is_leaf(hierarchy, sector) && hierarchy.halves(sector).is_some()
    }

    /// Whether both halves of a sector are in use.
    pub fn can_merge(&self, hierarchy: &dyn Hierarchy, whole: SectorId) -> bool {
        let unsplit = |half: SectorId| !self.split[half.index()];
        self.split[whole.index()]
            && hierarchy.halves(whole).is_some_and(|halves| halves.into_iter().all(unsplit))
    }

    /// The sector in use that holds a tile: one step per level.
    pub fn sector_of(&self, hierarchy: &dyn Hierarchy, tile: Tile) -> SectorId {
        let mut sector = hierarchy.root_of(tile);
        while let Some(halves) = hierarchy.halves(sector).filter(|_| self.split[sector.index()]) {
            sector = halves[hierarchy.half_of(sector, tile)];
        }
        sector
    }

    /// The sectors in use that share a border with one in use. Beside a whole sector
    /// both halves of a split one count, if both touch it.
    pub fn neighbours(&self, sector: SectorId) -> &[SectorId] {
        &self.neighbours[sector.index()]
    }

    /// Replaces a sector in use by its halves; `false` if it is not in use or has none.
    pub fn split(&mut self, hierarchy: &dyn Hierarchy, whole: SectorId) -> bool {
        if whole.index() >= self.split.len() || !self.can_split(hierarchy, whole) {
            return false;
        }
        let Some(halves) = hierarchy.halves(whole) else { return false };
        // Lists keep their memory, so that a cover that has seen it all allocates nothing.
        let mut beside = std::mem::take(&mut self.neighbours[whole.index()]);
        for half in halves {
            let touched = beside.iter().copied().filter(|&s| hierarchy.touch(half, s));
            self.neighbours[half.index()].extend(touched);
        }
        for &sector in &beside {
            let list = &mut self.neighbours[sector.index()];
            list.retain(|&s| s != whole);
            list.extend(halves.into_iter().filter(|&half| hierarchy.touch(half, sector)));
            list.sort_unstable();
        }
        if hierarchy.touch(halves[0], halves[1]) {
            for (a, b) in [(halves[0], halves[1]), (halves[1], halves[0])] {
                let list = &mut self.neighbours[a.index()];
                list.push(b);
                list.sort_unstable();
            }
        }
        beside.clear();
        self.neighbours[whole.index()] = beside;
        self.split[whole.index()] = true;
        self.leaves += 1;
        true
    }

    /// Replaces the two halves of a sector by the whole; `false` if not both are in use.
    pub fn merge(&mut self, hierarchy: &dyn Hierarchy, whole: SectorId) -> bool {
        if whole.index() >= self.split.len() || !self.can_merge(hierarchy, whole) {
            return false;
        }
        let Some(halves) = hierarchy.halves(whole) else { return false };
        let mut beside = std::mem::take(&mut self.neighbours[whole.index()]);
        for half in halves {
            beside.append(&mut self.neighbours[half.index()]);
        }
        beside.sort_unstable();
        beside.dedup();
        beside.retain(|s| !halves.contains(s));
        for sector in &beside {
            let list = &mut self.neighbours[sector.index()];
            list.retain(|s| !halves.contains(s));
            list.push(whole);
            list.sort_unstable();
        }
        self.neighbours[whole.index()] = beside;
        self.split[whole.index()] = false;
        self.leaves -= 1;
        true
    }

    /// Bytes of the state: the same for the same state, however it came about.
    pub fn bytes(&self) -> usize {
        let lists: usize = self.neighbours.iter().map(Vec::len).sum();
        let tables = self.split.len() + self.neighbours.len() * size_of::<Vec<SectorId>>();
        tables + lists * size_of::<SectorId>()
    }
}
