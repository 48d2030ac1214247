//! One state of a map: the index with its tables, and zones and gates as people count them.

use std::sync::Arc;

use tidegate::decompose::Matching;
use tidegate::index::{Change, EditReport, TableState};
use tidegate::{CellId, Decomposition, Grid, Index};
use web_time::Instant;

use super::numbers::{Numbers, Origins};
use crate::api_error::{ApiError, ApiResult};

/// One state of a map. The numbers of walls and gates are the versions that made them; equal
/// numbers mean equal walls, or zones and gates.
///
/// An edit of the map works on a clone of the index: what both share stays shared, what the edit
/// changes is copied once. So states that are kept cost what differs between them.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// The map with its zones and the tables that were built. Its zones and gates keep their
    /// ids through edits, those that are gone leave gaps.
    pub(crate) index: Index,
    /// The same zones and gates without gaps, in the order that files have.
    pub(crate) parts: Arc<Decomposition>,
    /// Which zone and gate of the index is which of `parts`.
    order: Arc<Matching>,
    pub(crate) numbers: Arc<Numbers>,
    pub(crate) walls: u64,
    pub(crate) gates: u64,
}

/// What an edit of the map took, and what became of the tables.
#[derive(Clone, Debug)]
pub(crate) struct EditCost {
    pub(crate) micros: f64,
    pub(crate) report: EditReport,
}

impl Scene {
    /// The state of an index, its zones numbered by the library.
    pub(super) fn new(index: Index, (walls, gates): (u64, u64)) -> ApiResult<Scene> {
        let (parts, order) = in_order(&index)?;
        let numbers = Arc::new(Numbers::new(index.grid(), &parts));
        Ok(Scene { index, parts, order, numbers, walls, gates })
    }

    /// The same with other numbers and colours, if they fit.
    pub(super) fn with_numbers(self, numbers: &Arc<Numbers>) -> Scene {
        let fit = numbers.fit(&self.parts);
        Scene { numbers: if fit { Arc::clone(numbers) } else { self.numbers }, ..self }
    }

    /// The walls.
    pub(crate) fn grid(&self) -> &Grid {
        self.index.grid()
    }

    /// What distinguishes this state from others of the same map.
    pub(crate) fn key(&self) -> (u64, u64) {
        (self.walls, self.gates)
    }

    /// What an edit made of this state. Zones and gates that the library kept have the numbers
    /// that they had.
    pub(super) fn edited(&self, index: Index, version: u64) -> ApiResult<Scene> {
        let (parts, order) = in_order(&index)?;
        let ids = index.decomposition().map_or((0, 0), |d| (d.zones().len(), d.gates().len()));
        let origins = Origins::by_id(&self.order, &order, ids, &parts);
        let numbers = Arc::new(self.numbers.carried(&self.parts, &parts, &origins));
        Ok(Scene { index, parts, order, numbers, walls: version, gates: version })
    }

    /// The same walls with other zones and gates, whose numbers go by the tiles they share.
    pub(super) fn divided(&self, parts: Decomposition, version: u64) -> ApiResult<Scene> {
        let mut index = self.index.clone();
        index.set_decomposition(parts).map_err(ApiError::internal)?;
        let (parts, order) = in_order(&index)?;
        let origins = Origins::by_tiles(&self.parts, &parts);
        let numbers = Arc::new(self.numbers.carried(&self.parts, &parts, &origins));
        Ok(Scene { index, parts, order, numbers, walls: self.walls, gates: version })
    }

    /// This state with what another one has built and this one has not, if it can follow.
    pub(super) fn with_tables_of(mut self, other: &Index) -> Scene {
        take_tables(&mut self.index, other);
        self
    }

    /// The number that people see of a zone of the index.
    pub(crate) fn zone_number(&self, id: tidegate::decompose::ZoneId) -> Option<u32> {
        Some(self.numbers.zone(self.order.zone(id)?.index()))
    }

    /// The place in `parts` of a gate of the index.
    pub(super) fn gate_at(&self, id: tidegate::decompose::GateId) -> Option<usize> {
        Some(self.order.gate(id)?.index())
    }
}

/// Zones and gates of an index without gaps, and which is which.
fn in_order(index: &Index) -> ApiResult<(Arc<Decomposition>, Arc<Matching>)> {
    let parts = index.decomposition().ok_or_else(|| ApiError::internal("zones are missing"))?;
    let (parts, order) = parts.numbered_in_order();
    Ok((Arc::new(parts), Arc::new(order)))
}

/// Takes the tables of another index that this one has not, or has not up to date.
pub(super) fn take_tables(index: &mut Index, other: &Index) {
    for (kind, state) in other.table_states().collect::<Vec<_>>() {
        let has = index.table_state(kind);
        if state == TableState::Current
            && has != Some(TableState::Current)
            && let Some(built) = other.built(kind)
        {
            // One that cannot follow is built anew when it is wanted.
            let _ = index.adopt(built);
        }
    }
}

/// An index with these tiles toggled, and what that took.
pub(super) fn toggled(index: &Index, cells: &[CellId]) -> ApiResult<(Index, EditCost)> {
    let grid = index.grid();
    let change = |&cell: &CellId| match grid.is_free_cell(cell) {
        true => Change::wall(grid.tile(cell)),
        false => Change::free(grid.tile(cell)),
    };
    let changes: Vec<Change> = cells.iter().map(change).collect();
    let mut index = index.clone();
    let clock = Instant::now();
    let report = index.edit(changes).map_err(ApiError::refused)?;
    let micros = clock.elapsed().as_secs_f64() * 1e6;
    Ok((index, EditCost { micros, report }))
}

/// An index turned into one with these walls, zones and gates; tables follow as far as they can.
pub(super) fn turned_into(
    index: &Index,
    grid: &Grid,
    parts: &Decomposition,
) -> ApiResult<(Index, Option<EditCost>)> {
    let cells = difference(index.grid(), grid);
    let (mut index, cost) = match cells.is_empty() {
        true => (index.clone(), None),
        false => toggled(index, &cells).map(|(index, cost)| (index, Some(cost)))?,
    };
    let same = |now: &Decomposition| now.lines().eq(parts.lines()) && origin(now) == origin(parts);
    if !index.decomposition().is_some_and(same) {
        index.set_decomposition(parts.clone()).map_err(ApiError::internal)?;
    }
    Ok((index, cost))
}

/// How zones and gates were made, and of how many lines.
pub(super) fn origin(parts: &Decomposition) -> (tidegate::decompose::Method, u32) {
    (parts.method(), parts.raw_gates())
}

/// The tiles that are wall in one of two maps and free in the other.
pub(crate) fn difference(one: &Grid, other: &Grid) -> Vec<CellId> {
    one.free_bits().symmetric_difference(other.free_bits()).map(CellId::from_index).collect()
}
