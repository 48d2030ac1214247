//! `hpa` and `hpa-paper`: the hierarchy of clusters, tuned and as published.

use super::tile_search::Attended;
use super::{Ask, BuildError, Engine, Observe, Promise, replace_detour, search_tiles};
use crate::artifact::{Part, Reader, WireError, Writer};
use crate::heuristic::Octile;
use crate::hpa::{Halt, Hpa, HpaScratch, Options};
use crate::index::{Answer, Index, Outcome, QueryError, Scratch};
use crate::path::Path;

/// A graph made with the settings of one of the two engines.
#[derive(Clone, Debug)]
pub(crate) struct Preset<const PAPER: bool>(Hpa);

#[derive(Debug)]
pub(super) struct HpaEngine {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    options: fn() -> Options,
    slot: fn(&Index) -> Option<&Hpa>,
    put: fn(&mut Index, Hpa),
}

pub(super) const TUNED: HpaEngine = HpaEngine {
    name: "hpa",
    about: "near-optimal paths over a hierarchy of clusters",
    options: Options::default,
    slot: |index| index.hpa.as_ref().map(|preset| &preset.0),
    put: |index, hpa| index.hpa = Some(Preset(hpa)),
};

pub(super) const PAPER: HpaEngine = HpaEngine {
    name: "hpa-paper",
    about: "HPA* with the settings of its paper, for comparison",
    options: Options::paper,
    slot: |index| index.hpa_paper.as_ref().map(|preset| &preset.0),
    put: |index, hpa| index.hpa_paper = Some(Preset(hpa)),
};

impl<const PAPER_SETTINGS: bool> Part for Preset<PAPER_SETTINGS> {
    const TAG: [u8; 4] = if PAPER_SETTINGS { *b"hpap" } else { *b"hpa " };

    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }

    fn read(from: &mut Reader<'_>, index: &Index) -> Result<Self, WireError> {
        let engine = if PAPER_SETTINGS { &PAPER } else { &TUNED };
        Ok(Preset(Hpa::read(from, index.grid(), &(engine.options)())?))
    }
}

impl Index {
    /// The graph of `hpa` or `hpa-paper`; `None` if not built.
    pub fn hpa(&self, engine: &str) -> Option<&Hpa> {
        let engine = [&TUNED, &PAPER].into_iter().find(|e| e.name == engine)?;
        (engine.slot)(self)
    }
}

impl Scratch {
    /// What the last query of `hpa` or `hpa-paper` left behind.
    pub fn hpa(&self) -> &HpaScratch {
        &self.hpa
    }
}

impl Engine for HpaEngine {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn promise(&self) -> Promise {
        Promise::Approximate
    }

    fn is_ready(&self, index: &Index) -> bool {
        (self.slot)(index).is_some()
    }

    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        let hpa = Hpa::build(index.grid(), &(self.options)())
            .map_err(|e| BuildError::Unsupported { engine: self.name, why: e.to_string() })?;
        (self.put)(index, hpa);
        Ok(())
    }

    fn bytes(&self, index: &Index) -> usize {
        (self.slot)(index).map_or(0, Hpa::bytes)
    }

    /// A wish for a partial path is answered over the tiles: the graph knows borders of
    /// clusters, not the tile nearest to a goal that cannot be reached.
    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        let (grid, query) = (ask.index.grid(), ask.query);
        if query.partial {
            let mut octile = Octile::new(grid, query.goal);
            return search_tiles(ask, &mut octile, &mut scratch.tiles, path, watch);
        }
        let Some(hpa) = (self.slot)(ask.index) else {
            return Err(QueryError::NotBuilt { engine: self.name });
        };
        let planner = hpa.planner(grid);
        let (start, goal, tiles) = (query.start, query.goal, &mut scratch.tiles);
        let scratch = &mut scratch.hpa;
        let mut attended = Attended::new(query, watch);
        let found = if attended.is_alone(query) {
            planner.find_watched(start, goal, scratch, path, &mut ())
        } else {
            planner.find_watched(start, goal, scratch, path, &mut attended)
        };
        let mut stats = scratch.effort().total();
        let outcome = match found {
            // On uniform ground the graph itself sees to it that no detour is long.
            Ok(cost) if grid.factors().is_none() => Outcome::Found(cost),
            Ok(cost) => {
                let (better, work) = replace_detour(ask, cost, &mut attended, tiles, path);
                stats += work;
                Outcome::Found(better.unwrap_or(cost))
            }
            Err(Halt::Stopped) => Outcome::Stopped,
            // The ends are connected, so there is a way: only its cost cannot be counted.
            Err(Halt::NoWay) => return Err(QueryError::TooFar),
        };
        Ok(Answer { outcome, stats })
    }
}
