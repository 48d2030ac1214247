//! `corners`: exact answers in about ten microseconds, from tables built in a moment.

use std::sync::Arc;

use super::query::Route;
use super::{CornerScratch, Corners, CornersError};
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;
use crate::index::{
    Answer, Edit, Engine, EngineInfo, EngineScratch, FindContext, FindResult, Index, Outcome,
    QueryError, QueryObserver, Refused, ResolvedQuery, Scratch, Table, TableKind, TableState,
};
use crate::jps::JpsMap;
use crate::taut::walk;

#[derive(Debug)]
pub(crate) struct CornerEngine;

static INFO: EngineInfo = EngineInfo::optimal(
    "corners",
    "contraction hierarchy over the taut corner graph; answers in about ten microseconds, built in a moment",
);

/// Tiles of one edit that are repaired: with more, building again is quicker.
const MOST_TILES: usize = 48;

/// The section holds the order of contraction; the rest follows from it and the map.
impl Table for Corners {
    type Options = ();
    const NAME: &'static str = "hierarchy of corners";
    const TAG: [u8; 4] = *b"crnr";

    fn build(index: &Index, (): &()) -> Result<Corners, Refused> {
        Corners::build(index.grid()).map_err(Refused::because)
    }

    fn repair(table: &mut Arc<Self>, index: &Index, edit: &mut Edit) -> TableState {
        // With twice the arcs repairs take several times as long, and soon more than a build.
        let worn_out = table.arcs() > 2 * table.built_arcs + 512;
        let too_many = edit.walls().len() > MOST_TILES;
        if index.grid().factors().is_some() || worn_out || too_many {
            return TableState::Stale;
        }
        if !edit.walls().is_empty()
            && Arc::make_mut(table).update(index.grid(), edit.walls()).is_err()
        {
            return TableState::Stale;
        }
        if table.is_aged() { TableState::Aged } else { TableState::Current }
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn write(&self, out: &mut Writer) {
        let ranks = self.ranks();
        out.u32(ranks.len() as u32);
        ranks.into_iter().for_each(|rank| out.u32(rank));
    }

    fn read(from: &mut Reader<'_>, index: &Index, (): &()) -> Result<Corners, WireError> {
        let count = from.u32("number of corners")? as usize;
        let mut ranks = Vec::new();
        for _ in 0..count {
            ranks.push(from.u32("rank of a corner")?);
        }
        Corners::with_ranks(index.grid(), &ranks)
            .map_err(|error: CornersError| WireError::meaning(error.to_string()))
    }
}

impl EngineScratch for CornerScratch {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl Engine for CornerEngine {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    fn tables(&self) -> &'static [&'static TableKind] {
        &[Corners::KIND]
    }

    /// It answers where so much was edited that the hierarchy is worn out.
    fn beside(&self) -> &'static [&'static TableKind] {
        &[JpsMap::KIND]
    }

    fn distances(
        &self,
        index: &Index,
        start: Tile,
        goals: &[Tile],
        scratch: &mut Scratch,
    ) -> Option<Vec<Option<Cost>>> {
        let corners: &Corners = index.table()?;
        // A search to all goals looks at most of the tiles, at about a hundredth of the
        // time of a query each.
        let fewer = goals.len() <= 4 + index.grid().free_tiles() / 1000;
        let mut costs = Vec::new();
        if fewer {
            corners.distances(start, goals, scratch.slot(), &mut costs);
        }
        fewer.then_some(costs)
    }

    fn expected_micros(&self, query: &ResolvedQuery<'_>) -> Option<f64> {
        let side = f64::from(query.index.grid().free_tiles() as u32).sqrt();
        Some(2.0 + 0.02 * side * query.expected_share())
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, observer } = context;
        let corners: &Corners = query.index.table().ok_or_else(|| self.not_built())?;
        let grid = query.index.grid();
        let (start, goal) = (query.query.start, query.query.goal);
        let space: &mut CornerScratch = scratch.slot();
        let mut watch = QueryObserver::new(query, observer);
        let route = if watch.is_unobserved(query.query) {
            corners.route(start, goal, INFINITY, space, &mut ())
        } else {
            corners.route(start, goal, INFINITY, space, &mut watch)
        };
        let stats = space.stats;
        let outcome = match route {
            Route::Direct(cost) | Route::Over(cost, _) => {
                corners.write_turns(start, goal, route, space);
                walk::write_legs(grid.movement(), &space.turns, true, path);
                Outcome::Found(cost)
            }
            // The ends are connected, so only the limit of costs is left.
            Route::Nowhere => return Err(QueryError::TooFar),
            Route::Stopped => {
                if query.query.partial {
                    space.turns.clear();
                    space.turns.push(start);
                    if let Some((_, _, corner)) = space.nearest {
                        corners.write_start_side(corner, space);
                    }
                    walk::write_legs(grid.movement(), &space.turns, true, path);
                }
                Outcome::Stopped
            }
        };
        Ok(Answer { outcome, stats })
    }
}
