//! Jump point search: exact paths, fast, with next to nothing prepared.
//!
//! [`JpsMap`] holds the rows and columns of a map as bits; it is made in one pass and
//! can be updated tile by tile. A search expands only **jump points**, tiles where a
//! shortest path may have to turn (`grid/turns.rs` says which), and finds them by scanning 64
//! tiles at a time (`lines.rs`). It gives exactly the least cost under every
//! rule of movement, on uniform ground.
//!
//! The order of expansion is total: least f, then larger g, then jump points by their
//! number (`nodes.rs`), then the goal. A jump point reached again at equal cost from
//! another side is expanded again, but only for the directions that are new: `pending`
//! and `done` keep them apart, which matters on maps full of small obstacles.
//! (No test we have notices when this merging is left out; it stays because the proof in
//! `grid/turns.rs` rests on every side being tried.)
//!
//! *Why not the one loop of [`crate::search`]*: what to try at a node depends on how it
//! was reached, and equal costs from two sides must be merged, not dropped. The loop
//! could do that with a node for every jump point and direction of arrival. Tried so
//! within this loop: 1.2 times the expansions and 1.3 to 1.6 times the time on StarCraft
//! maps, about twice both on maps with scattered walls, and four times the memory.

mod around;
mod engine;
mod lines;
mod nodes;
mod run;

use crate::cost::Cost;
use crate::grid::turns::{self, Table};
use crate::grid::{Blocked, CellId, Grid, Movement, OtherMap, Revision, Tile};
use crate::path::Path;
use crate::search::{BucketQueue, End, Observer, Open, Stats};
use around::Around;
pub(crate) use engine::JpsEngine;
use lines::Lines;
use nodes::Nodes;
use run::{FOUR_CONNECTED, NO_CORNER_CUTTING, ONE_SIDE_FREE, PackedTile, Record, Run};

/// Why a map cannot be searched this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JpsError {
    /// The ground is not uniform.
    #[error("jump point search needs uniform ground, and this map has cost factors")]
    Factors,
    /// The bits are those of another map, or of this one before an edit.
    #[error("the bits are not those of this map: {0}")]
    OtherMap(#[from] OtherMap),
}

/// A map as bits along rows and columns.
#[derive(Clone, Debug)]
pub struct JpsMap {
    /// The state of the map that the bits show.
    revision: Revision,
    rows: Lines,
    /// Not used with four neighbours.
    columns: Option<Lines>,
    nodes: Nodes,
    table: &'static Table,
}

impl JpsMap {
    /// The bits of a map with uniform ground.
    pub fn new(grid: &Grid) -> Result<JpsMap, JpsError> {
        if grid.factors().is_some() {
            return Err(JpsError::Factors);
        }
        let four = grid.movement() == Movement::FourConnected;
        let rows = Lines::new(grid, false);
        let columns = (!four).then(|| Lines::new(grid, true));
        let table = turns::forced(grid.movement());
        let nodes = Nodes::new(grid, &rows, columns.as_ref(), table);
        Ok(JpsMap { revision: Revision::of(grid), rows, columns, nodes, table })
    }

    /// Takes over tiles of the grid that became free or wall, one or many; those that did
    /// not change or lie outside do no harm. A grid of another size or rule has nothing to
    /// take over; a search on it is refused. Each tile takes about a microsecond, whatever
    /// the size of the map.
    pub fn update(&mut self, grid: &Grid, changed: &[Tile]) {
        self.follow(View { grid, blocked: None }, changed);
    }

    fn follow(&mut self, view: View<'_>, changed: &[Tile]) {
        let grid = view.grid;
        if self.revision.check_form(grid).is_err() {
            return;
        }
        let is_new =
            |tile: &Tile| self.rows.is_free(tile.y.into(), tile.x.into()) != view.is_free(*tile);
        let mut changed: Vec<Tile> =
            changed.iter().copied().filter(|&tile| grid.contains(tile)).filter(is_new).collect();
        changed.sort_unstable();
        changed.dedup();
        for cell in changed.iter().filter_map(|&tile| grid.cell(tile)) {
            self.revision = self.revision.after_change(cell);
        }
        self.rows.update(view, &changed, false);
        if let Some(columns) = &mut self.columns {
            columns.update(view, &changed, true);
        }
        self.nodes.update(view, &changed, &self.rows, self.columns.as_ref(), self.table);
    }

    /// The record of a place: jump points by their number, then start and goal.
    #[inline]
    fn number(&self, [start, goal]: [PackedTile; 2], place: PackedTile) -> u32 {
        if place == start {
            self.nodes.end()
        } else if place == goal {
            self.nodes.end() + 1
        } else {
            self.nodes.rank(place.x(), place.y())
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let columns = self.columns.as_ref().map_or(0, Lines::bytes);
        self.rows.bytes() + columns + self.nodes.bytes() + size_of::<Table>()
    }
}

/// A map, with or without tiles that are blocked for one query.
#[derive(Clone, Copy)]
struct View<'a> {
    grid: &'a Grid,
    blocked: Option<&'a Blocked>,
}

impl View<'_> {
    fn is_free(&self, tile: Tile) -> bool {
        self.grid.is_free(tile) && self.blocked.is_none_or(|blocked| !blocked.contains(tile))
    }

    /// The steps that may be taken from a tile. A blocked tile can be left: it is where the
    /// unit itself stands.
    #[inline]
    fn moves(&self, cell: CellId) -> u8 {
        let moves = self.grid.moves(cell);
        match self.blocked {
            None => moves,
            Some(blocked) => blocked.moves(self.grid, self.grid.tile(cell), moves),
        }
    }
}

/// The memory of one running search, reused by the next without being cleared.
#[derive(Clone, Debug, Default)]
pub struct Jps {
    records: Vec<Record>,
    generation: u16,
    open: BucketQueue,
    /// Start and goal of the last search.
    ends: [PackedTile; 2],
    /// Jump points of the path in hand.
    way: Vec<Tile>,
    /// The bits of the map with the blocked tiles of the last query that had some.
    around: Around,
}

impl Jps {
    /// Empty; it grows to the largest map it is used on.
    pub fn new() -> Jps {
        Jps::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
            + self.open.bytes()
            + self.way.capacity() * size_of::<Tile>()
            + self.around.bytes()
    }

    /// Searches from `start` to `goal`, both free cells of `grid`, of which `map` holds
    /// the bits; it is an error if it holds those of another map or of an earlier state.
    /// [`Jps::write_path`] then gives the way.
    ///
    /// ```
    /// use tidegate::jps::{Jps, JpsMap};
    /// use tidegate::search::End;
    /// use tidegate::{Grid, Path, Tile};
    /// let grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
    /// let map = JpsMap::new(&grid).unwrap();
    /// let (mut jps, mut path) = (Jps::new(), Path::new());
    /// let ends = [Tile::new(2, 0), Tile::new(2, 2)].map(|t| grid.cell(t).unwrap());
    /// let (end, _) = jps.search(&map, &grid, ends[0], ends[1], &mut ()).unwrap();
    /// let End::Goal(_, cost) = end else { panic!("there is a way") };
    /// jps.write_path(&map, &grid, ends[1], &mut path);
    /// assert_eq!(path.check(&grid).unwrap(), u64::from(cost));
    /// ```
    pub fn search<O: Observer<Cost> + ?Sized>(
        &mut self,
        map: &JpsMap,
        grid: &Grid,
        start: CellId,
        goal: CellId,
        observer: &mut O,
    ) -> Result<(End<Cost>, Stats), JpsError> {
        map.revision.check(grid)?;
        self.search_in(map, View { grid, blocked: None }, start, goal, observer)
    }

    /// Like [`Jps::search`], around tiles that are blocked. The start may be one of them.
    /// [`Jps::write_path_around`] then gives the way. The bits of the map with these tiles are
    /// kept for the next query: only what differs is then changed.
    pub fn search_around<O: Observer<Cost> + ?Sized>(
        &mut self,
        map: &JpsMap,
        grid: &Grid,
        blocked: &Blocked,
        ends: [CellId; 2],
        observer: &mut O,
    ) -> Result<(End<Cost>, Stats), JpsError> {
        map.revision.check(grid)?;
        let mut around = std::mem::take(&mut self.around);
        let view = View { grid, blocked: Some(blocked) };
        let found = self.search_in(around.follow(map, view), view, ends[0], ends[1], observer);
        self.around = around;
        found
    }

    fn search_in<O: Observer<Cost> + ?Sized>(
        &mut self,
        map: &JpsMap,
        view: View<'_>,
        start: CellId,
        goal: CellId,
        observer: &mut O,
    ) -> Result<(End<Cost>, Stats), JpsError> {
        let grid = view.grid;
        if grid.factors().is_some() {
            return Err(JpsError::Factors);
        }
        self.begin(map.nodes.end() as usize + 2);
        self.ends = [PackedTile::of(grid, start), PackedTile::of(grid, goal)];
        let (records, open) = (&mut self.records, &mut self.open);
        let run = Run::new(map, view, self.ends, self.generation, records, open, observer);
        Ok(match grid.movement() {
            Movement::NoCornerCutting => run.all::<NO_CORNER_CUTTING>(),
            Movement::OneSideFree => run.all::<ONE_SIDE_FREE>(),
            Movement::FourConnected => run.all::<FOUR_CONNECTED>(),
        })
    }

    /// Writes the way that the last search found: from its start to `last`, a cell that
    /// it reached. A cell that it did not reach leaves the path empty.
    pub fn write_path(&mut self, map: &JpsMap, grid: &Grid, last: CellId, path: &mut Path) {
        path.clear();
        self.way.clear();
        let mut number = map.number(self.ends, PackedTile::of(grid, last));
        while let Some(record) = self.records.get(number as usize) {
            if record.generation != self.generation {
                return;
            }
            self.way.push(record.place.tile());
            number = record.parent;
        }
        let columns_first = grid.movement() == Movement::FourConnected;
        let mut at: Option<Tile> = None;
        for &to in self.way.iter().rev() {
            if let Some(at) = at {
                path.run_to(if columns_first { Tile::new(at.x, to.y) } else { elbow(at, to) });
            }
            path.run_to(to);
            at = Some(to);
        }
    }

    /// Writes the way that [`Jps::search_around`] found, as [`Jps::write_path`] does.
    pub fn write_path_around(&mut self, grid: &Grid, last: CellId, path: &mut Path) {
        let around = std::mem::take(&mut self.around);
        match around.map() {
            Some(map) => self.write_path(map, grid, last, path),
            None => path.clear(),
        }
        self.around = around;
    }

    fn begin(&mut self, records: usize) {
        if self.records.len() < records {
            self.records.resize(records, Record::default());
        }
        if self.generation == u16::MAX {
            self.records.fill(Record::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.open.clear(records);
    }
}

/// Where a run that begins with diagonal steps from `a` turns straight to reach `b`.
fn elbow(a: Tile, b: Tile) -> Tile {
    let diagonal = a.x.abs_diff(b.x).min(a.y.abs_diff(b.y));
    let towards = |from: u16, to: u16| if to > from { from + diagonal } else { from - diagonal };
    Tile::new(towards(a.x, b.x), towards(a.y, b.y))
}
