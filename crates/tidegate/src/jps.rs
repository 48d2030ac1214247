//! Jump point search: exact paths, fast, with next to nothing prepared.
//!
//! [`JpsMap`] holds the rows and columns of a map as bits; it is made in one pass and
//! can be updated tile by tile. A search expands only **jump points**, tiles where a
//! shortest path may have to turn (`rule.rs` says which), and finds them by scanning 64
//! tiles at a time (`lines.rs`). It gives exactly the least cost under every
//! rule of movement, on uniform ground.
//!
//! The order of expansion is that of all searches here: least f, then larger g, then
//! smaller cell number. A jump point reached again at equal cost from another side is
//! expanded again, but only for the directions that are new: `pending` and `done` keep
//! them apart, which matters on maps full of small obstacles.
//!
//! *Why not the one loop of [`crate::search`]*: what to try at a node depends on how it
//! was reached, and equal costs from two sides must be merged, not dropped. The loop
//! could do this with a node for every tile and direction of arrival, at four times the
//! memory and more expansions; measured, see `examples/jps_speed.rs`.

mod lines;
mod rule;

use std::ops::ControlFlow;

use crate::cost::{Cost, LIMIT};
use crate::grid::{Bits, CellId, Direction, Grid, Movement, Tile};
use crate::path::Path;
use crate::search::{BucketQueue, End, NO_PARENT, Observer, Open, Stats};
use lines::Lines;
use rule::Table;

/// Why a map cannot be searched this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JpsError {
    /// The ground is not uniform.
    #[error("jump point search needs uniform ground, and this map has cost factors")]
    Factors,
}

/// A map as bits along rows and columns.
#[derive(Clone, Debug)]
pub struct JpsMap {
    rows: Lines,
    /// Not used with four neighbours.
    columns: Option<Lines>,
    table: Box<Table>,
}

impl JpsMap {
    /// The bits of a map with uniform ground.
    pub fn new(grid: &Grid) -> Result<JpsMap, JpsError> {
        if grid.factors().is_some() {
            return Err(JpsError::Factors);
        }
        let movement = grid.movement();
        let columns = movement != Movement::FourConnected;
        Ok(JpsMap {
            rows: Lines::new(grid, false),
            columns: columns.then(|| Lines::new(grid, true)),
            table: rule::table(movement),
        })
    }

    /// Takes over a tile of the grid that became free or wall.
    pub fn update(&mut self, grid: &Grid, tile: Tile) {
        self.rows.update(grid, tile, false);
        if let Some(columns) = &mut self.columns {
            columns.update(grid, tile, true);
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.columns.as_ref().map_or(0, Lines::bytes) + size_of::<Table>()
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    generation: u32,
    g: Cost,
    parent: u32,
    /// Directions of arrival that wait to be expanded, and directions that were tried.
    pending: u8,
    done: u8,
}

/// The memory of one running search, reused by the next without being cleared.
#[derive(Clone, Debug, Default)]
pub struct Jps {
    records: Vec<Record>,
    generation: u32,
    open: BucketQueue,
    /// Jump points of the path in hand.
    way: Vec<u32>,
}

impl Jps {
    /// Empty; it grows to the largest map it is used on.
    pub fn new() -> Jps {
        Jps::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>() + self.open.bytes()
    }

    /// Searches from `start` to `goal`, both free cells of `grid`, of which `map` holds
    /// the bits. [`Jps::write_path`] then gives the way.
    ///
    /// ```
    /// use tidegate::jps::{Jps, JpsMap};
    /// use tidegate::search::End;
    /// use tidegate::{Grid, Path, Tile};
    /// let grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
    /// let map = JpsMap::new(&grid).unwrap();
    /// let (mut jps, mut path) = (Jps::new(), Path::new());
    /// let ends = [Tile::new(2, 0), Tile::new(2, 2)].map(|t| grid.cell(t).unwrap());
    /// let (end, _) = jps.search(&map, &grid, ends[0], ends[1], &mut ());
    /// let End::Goal(goal, cost) = end else { panic!("there is a way") };
    /// jps.write_path(&grid, goal, &mut path);
    /// assert_eq!(path.check(&grid).unwrap(), u64::from(cost));
    /// ```
    pub fn search<O: Observer<Cost> + ?Sized>(
        &mut self,
        map: &JpsMap,
        grid: &Grid,
        start: CellId,
        goal: CellId,
        observer: &mut O,
    ) -> (End<Cost>, Stats) {
        self.begin(grid.tiles());
        let mut run = Run {
            map,
            grid,
            width: grid.width() as i32,
            goal: Place::of(grid, goal),
            records: &mut self.records,
            generation: self.generation,
            open: &mut self.open,
            stats: Stats::default(),
            too_far: false,
            observer,
            from: NO_PARENT,
        };
        let end = match grid.movement() {
            Movement::NoCornerCutting => run.all::<NO_CORNER_CUTTING>(Place::of(grid, start)),
            Movement::OneSideFree => run.all::<ONE_SIDE_FREE>(Place::of(grid, start)),
            Movement::FourConnected => run.all::<FOUR_CONNECTED>(Place::of(grid, start)),
        };
        (end, run.stats)
    }

    /// Writes the way from the last search's start to a jump point that it reached.
    pub fn write_path(&mut self, grid: &Grid, last: u32, path: &mut Path) {
        self.way.clear();
        let mut node = last;
        while node != NO_PARENT {
            self.way.push(node);
            node = self.records[node as usize].parent;
        }
        let columns_first = grid.movement() == Movement::FourConnected;
        path.clear();
        let mut at: Option<Tile> = None;
        for &node in self.way.iter().rev() {
            let to = grid.tile(CellId::from_index(node as usize));
            if let Some(at) = at {
                path.run_to(if columns_first { Tile::new(at.x, to.y) } else { elbow(at, to) });
            }
            path.run_to(to);
            at = Some(to);
        }
    }

    fn begin(&mut self, tiles: usize) {
        if self.records.len() < tiles {
            self.records.resize(tiles, Record::default());
        }
        if self.generation == u32::MAX {
            self.records.fill(Record::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.open.clear();
    }
}

/// Where a run that begins with diagonal steps from `a` turns straight to reach `b`.
fn elbow(a: Tile, b: Tile) -> Tile {
    let diagonal = a.x.abs_diff(b.x).min(a.y.abs_diff(b.y));
    let towards = |from: u16, to: u16| if to > from { from + diagonal } else { from - diagonal };
    Tile::new(towards(a.x, b.x), towards(a.y, b.y))
}

const NO_CORNER_CUTTING: u8 = Movement::NoCornerCutting as u8;
const ONE_SIDE_FREE: u8 = Movement::OneSideFree as u8;
const FOUR_CONNECTED: u8 = Movement::FourConnected as u8;

/// A tile with its number, so that neither has to be worked out from the other.
#[derive(Clone, Copy)]
struct Place {
    x: i32,
    y: i32,
    cell: u32,
}

impl Place {
    fn of(grid: &Grid, cell: CellId) -> Place {
        let tile = grid.tile(cell);
        Place { x: tile.x.into(), y: tile.y.into(), cell: cell.index() as u32 }
    }
}

/// A search under way.
struct Run<'a, O: ?Sized> {
    map: &'a JpsMap,
    grid: &'a Grid,
    width: i32,
    goal: Place,
    records: &'a mut [Record],
    generation: u32,
    open: &'a mut BucketQueue,
    stats: Stats,
    too_far: bool,
    observer: &'a mut O,
    /// The jump point being expanded.
    from: u32,
}

impl<O: Observer<Cost> + ?Sized> Run<'_, O> {
    fn all<const RULE: u8>(&mut self, start: Place) -> End<Cost> {
        let h = self.estimate::<RULE>(start.x, start.y);
        let fresh = Record { generation: self.generation, parent: NO_PARENT, ..Record::default() };
        self.records[start.cell as usize] = Record { pending: u8::MAX, ..fresh };
        self.stats.generated += 1;
        self.observer.generate(start.cell, NO_PARENT, 0, h);
        self.open.push(h, 0, start.cell);
        while let Some((g, cell)) = self.open.pop() {
            let record = &mut self.records[cell as usize];
            if record.g != g || record.pending == 0 {
                continue;
            }
            let moves = self.grid.moves(CellId::from_index(cell as usize));
            let arrivals = std::mem::take(&mut record.pending);
            let directions =
                if cell == start.cell { moves } else { self.directions(arrivals, moves) };
            let record = &mut self.records[cell as usize];
            let again = record.done != 0;
            let directions = directions & !record.done;
            record.done |= directions;
            self.stats.expanded += 1;
            self.stats.reexpanded += u64::from(again);
            let (x, y) = ((cell % self.width as u32) as i32, (cell / self.width as u32) as i32);
            let h = self.estimate::<RULE>(x, y);
            if self.observer.expand(cell, g, h) == ControlFlow::Break(()) {
                return End::Stopped;
            }
            if cell == self.goal.cell {
                return End::Goal(cell, g);
            }
            self.from = cell;
            self.expand::<RULE>(Place { x, y, cell }, g, directions);
            self.stats.peak_open = self.stats.peak_open.max(self.open.len() as u64);
        }
        if self.too_far { End::TooFar } else { End::Exhausted }
    }

    #[inline]
    fn directions(&self, arrivals: u8, moves: u8) -> u8 {
        let table = &self.map.table;
        Bits(arrivals).fold(0, |mask, a| mask | table[a as usize & 7][usize::from(moves)])
    }

    #[inline]
    fn expand<const RULE: u8>(&mut self, at: Place, g: Cost, directions: u8) {
        use Direction::*;
        for bit in Bits(directions) {
            match Direction::from_bit(bit) {
                E => self.east::<RULE>(at, g),
                W => self.west::<RULE>(at, g),
                S if RULE == FOUR_CONNECTED => self.run::<RULE>(at, g, S),
                N if RULE == FOUR_CONNECTED => self.run::<RULE>(at, g, N),
                S => self.south::<RULE>(at, g),
                N => self.north::<RULE>(at, g),
                diagonal => self.run::<RULE>(at, g, diagonal),
            }
        }
    }

    /// Steps on in one direction and scans to both sides from every tile on the way.
    #[inline]
    fn run<const RULE: u8>(&mut self, mut at: Place, mut g: Cost, direction: Direction) {
        use Direction::*;
        let (dx, dy) = direction.delta();
        let step = dy * self.width + dx;
        let mut moves = self.grid.moves(CellId::from_index(at.cell as usize));
        while moves & direction.mask() != 0 {
            at = Place { x: at.x + dx, y: at.y + dy, cell: at.cell.wrapping_add_signed(step) };
            g += direction.cost();
            if at.cell == self.goal.cell {
                self.reach::<RULE>(at, g, direction);
                return;
            }
            moves = self.grid.moves(CellId::from_index(at.cell as usize));
            if RULE == ONE_SIDE_FREE && self.map.table[direction as usize][usize::from(moves)] != 0
            {
                self.reach::<RULE>(at, g, direction);
            }
            if matches!(direction, SE | NE) || RULE == FOUR_CONNECTED {
                self.east::<RULE>(at, g);
            }
            if matches!(direction, SW | NW) || RULE == FOUR_CONNECTED {
                self.west::<RULE>(at, g);
            }
            if matches!(direction, SE | SW) {
                self.south::<RULE>(at, g);
            }
            if matches!(direction, NE | NW) {
                self.north::<RULE>(at, g);
            }
        }
    }

    #[inline]
    fn east<const RULE: u8>(&mut self, at: Place, g: Cost) {
        let (mut x, mut found) = self.map.rows.scan_up(at.y, at.x);
        if at.y == self.goal.y && self.goal.x > at.x && self.goal.x <= x {
            (x, found) = (self.goal.x, true);
        }
        if found {
            let steps = x - at.x;
            let to = Place { x, y: at.y, cell: at.cell + steps as u32 };
            self.reach::<RULE>(to, g + steps as Cost * Direction::E.cost(), Direction::E);
        }
    }

    #[inline]
    fn west<const RULE: u8>(&mut self, at: Place, g: Cost) {
        let (mut x, mut found) = self.map.rows.scan_down(at.y, at.x);
        if at.y == self.goal.y && self.goal.x < at.x && self.goal.x >= x {
            (x, found) = (self.goal.x, true);
        }
        if found {
            let steps = at.x - x;
            let to = Place { x, y: at.y, cell: at.cell - steps as u32 };
            self.reach::<RULE>(to, g + steps as Cost * Direction::W.cost(), Direction::W);
        }
    }

    #[inline]
    fn south<const RULE: u8>(&mut self, at: Place, g: Cost) {
        let Some(columns) = &self.map.columns else { return };
        let (mut y, mut found) = columns.scan_up(at.x, at.y);
        if at.x == self.goal.x && self.goal.y > at.y && self.goal.y <= y {
            (y, found) = (self.goal.y, true);
        }
        if found {
            let steps = y - at.y;
            let to = Place { x: at.x, y, cell: at.cell + (steps * self.width) as u32 };
            self.reach::<RULE>(to, g + steps as Cost * Direction::S.cost(), Direction::S);
        }
    }

    #[inline]
    fn north<const RULE: u8>(&mut self, at: Place, g: Cost) {
        let Some(columns) = &self.map.columns else { return };
        let (mut y, mut found) = columns.scan_down(at.x, at.y);
        if at.x == self.goal.x && self.goal.y < at.y && self.goal.y >= y {
            (y, found) = (self.goal.y, true);
        }
        if found {
            let steps = at.y - y;
            let to = Place { x: at.x, y, cell: at.cell - (steps * self.width) as u32 };
            self.reach::<RULE>(to, g + steps as Cost * Direction::N.cost(), Direction::N);
        }
    }

    /// Writes down that a jump point can be reached at cost `g`, moving in `arrival`.
    #[inline]
    fn reach<const RULE: u8>(&mut self, to: Place, g: Cost, arrival: Direction) {
        let record = &mut self.records[to.cell as usize];
        if record.generation == self.generation {
            if g > record.g {
                return;
            }
            if g == record.g {
                let waits = record.pending != 0;
                record.pending |= arrival.mask();
                if waits {
                    return;
                }
                let pending = record.pending;
                let done = record.done;
                let moves = self.grid.moves(CellId::from_index(to.cell as usize));
                if self.directions(pending, moves) & !done == 0 {
                    self.records[to.cell as usize].pending = 0;
                    return;
                }
                self.push::<RULE>(to, g);
                return;
            }
        }
        if g > LIMIT {
            self.too_far = true;
            return;
        }
        let (generation, parent) = (self.generation, self.from);
        *record = Record { generation, g, parent, pending: arrival.mask(), done: 0 };
        self.push::<RULE>(to, g);
    }

    #[inline]
    fn push<const RULE: u8>(&mut self, to: Place, g: Cost) {
        let h = self.estimate::<RULE>(to.x, to.y);
        self.stats.generated += 1;
        self.observer.generate(to.cell, self.from, g, h);
        self.open.push(g + h, g, to.cell);
    }

    #[inline]
    fn estimate<const RULE: u8>(&self, x: i32, y: i32) -> Cost {
        let (dx, dy) = (x.abs_diff(self.goal.x), y.abs_diff(self.goal.y));
        if RULE == FOUR_CONNECTED {
            crate::cost::manhattan(dx, dy)
        } else {
            crate::cost::octile(dx, dy)
        }
    }
}
