//! One jump point search from beginning to end. Every cost written down is that of a
//! real path, and a jump point that is popped has its least cost.

use std::ops::ControlFlow;

use super::{JpsMap, View};
use crate::cost::{self, Cost, DIAGONAL, LIMIT, STRAIGHT};
use crate::grid::{Bits, CellId, Direction, Grid, Movement, Tile};
use crate::search::{BucketQueue, End, NO_PARENT, Observer, Open, Stats};

pub(super) const NO_CORNER_CUTTING: u8 = Movement::NoCornerCutting as u8;
pub(super) const ONE_SIDE_FREE: u8 = Movement::OneSideFree as u8;
pub(super) const FOUR_CONNECTED: u8 = Movement::FourConnected as u8;

/// A tile packed into one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedTile(u32);

impl PackedTile {
    pub(super) fn of(grid: &Grid, cell: CellId) -> PackedTile {
        let tile = grid.tile(cell);
        PackedTile::new(tile.x.into(), tile.y.into())
    }

    #[inline]
    fn new(x: i32, y: i32) -> PackedTile {
        PackedTile((y << 16 | x) as u32)
    }

    #[inline]
    pub(super) fn x(self) -> i32 {
        (self.0 & 0xffff) as i32
    }

    #[inline]
    pub(super) fn y(self) -> i32 {
        (self.0 >> 16) as i32
    }

    pub(super) fn tile(self) -> Tile {
        Tile::new(self.x() as u16, self.y() as u16)
    }
}

/// What a search knows of a jump point, in 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record {
    g: Cost,
    /// The record of the jump point before it.
    pub(super) parent: u32,
    pub(super) place: PackedTile,
    /// The search that wrote this.
    pub(super) generation: u16,
    /// Directions of arrival that wait to be expanded, and directions that were tried.
    pending: u8,
    done: u8,
}

/// A search under way.
pub(super) struct Run<'a, O: ?Sized> {
    map: &'a JpsMap,
    view: View<'a>,
    ends: [PackedTile; 2],
    goal_x: i32,
    goal_y: i32,
    records: &'a mut [Record],
    generation: u16,
    open: &'a mut BucketQueue,
    stats: Stats,
    too_far: bool,
    observer: &'a mut O,
    /// The record of the jump point being expanded.
    from: u32,
}

impl<'a, O: Observer<Cost> + ?Sized> Run<'a, O> {
    pub(super) fn new(
        map: &'a JpsMap,
        view: View<'a>,
        ends: [PackedTile; 2],
        generation: u16,
        records: &'a mut [Record],
        open: &'a mut BucketQueue,
        observer: &'a mut O,
    ) -> Run<'a, O> {
        let [_, goal] = ends;
        Run {
            map,
            view,
            ends,
            goal_x: goal.x(),
            goal_y: goal.y(),
            records,
            generation,
            open,
            stats: Stats::default(),
            too_far: false,
            observer,
            from: NO_PARENT,
        }
    }

    /// Searches to the end under one rule of movement.
    pub(super) fn all<const RULE: u8>(mut self) -> (End<Cost>, Stats) {
        let [start, goal] = self.ends;
        self.reach::<RULE>(start.x(), start.y(), Cost::ZERO, Direction::E);
        while let Some((g, number)) = self.open.pop() {
            let Record { g: least, place, pending, done: tried, .. } =
                self.records[number as usize];
            if least != g || pending == 0 {
                continue;
            }
            let cell = self.cell(place);
            let moves = self.view.moves(cell);
            let all = if place == start { moves } else { self.directions(pending, moves) };
            let record = &mut self.records[number as usize];
            (record.pending, record.done) = (0, tried | all);
            let (x, y) = (place.x(), place.y());
            let (node, h) = (cell.index() as u32, self.estimate::<RULE>(x, y));
            if self.observer.expand(node, g, h) == ControlFlow::Break(()) {
                return (End::Stopped, self.stats);
            }
            self.stats.expanded += 1;
            self.stats.reexpanded += u64::from(tried != 0);
            if place == goal {
                return (End::Goal(node, g), self.stats);
            }
            self.from = number;
            self.expand::<RULE>(x, y, g, all & !tried);
            self.stats.peak_open = self.stats.peak_open.max(self.open.len() as u64);
        }
        (if self.too_far { End::TooFar } else { End::Exhausted }, self.stats)
    }

    fn cell(&self, place: PackedTile) -> CellId {
        CellId::from_index(
            place.y() as usize * self.view.grid.width() as usize + place.x() as usize,
        )
    }

    #[inline]
    fn directions(&self, arrivals: u8, moves: u8) -> u8 {
        let table = &self.map.table;
        Bits(arrivals).fold(0, |mask, a| mask | table[a as usize & 7][usize::from(moves)])
    }

    #[inline]
    fn expand<const RULE: u8>(&mut self, x: i32, y: i32, g: Cost, directions: u8) {
        use Direction::*;
        for bit in Bits(directions) {
            match Direction::from_bit(bit) {
                E => drop(self.east::<RULE>(x, y, g)),
                W => drop(self.west::<RULE>(x, y, g)),
                S if RULE == FOUR_CONNECTED => self.column::<RULE>(x, y, g, S),
                N if RULE == FOUR_CONNECTED => self.column::<RULE>(x, y, g, N),
                S => drop(self.south::<RULE>(x, y, g)),
                N => drop(self.north::<RULE>(x, y, g)),
                SE => self.diagonal::<RULE>(x, y, g, SE, Self::east::<RULE>, Self::south::<RULE>),
                SW => self.diagonal::<RULE>(x, y, g, SW, Self::west::<RULE>, Self::south::<RULE>),
                NW => self.diagonal::<RULE>(x, y, g, NW, Self::west::<RULE>, Self::north::<RULE>),
                NE => self.diagonal::<RULE>(x, y, g, NE, Self::east::<RULE>, Self::north::<RULE>),
            }
        }
    }

    /// Steps on diagonally, the first step being legal, and scans along row and column
    /// from every tile on the way. The scans say whether the tiles beside the next step
    /// are free.
    #[inline(always)]
    fn diagonal<const RULE: u8>(
        &mut self,
        mut x: i32,
        mut y: i32,
        mut g: Cost,
        direction: Direction,
        along_row: impl Fn(&mut Self, i32, i32, Cost) -> bool,
        along_column: impl Fn(&mut Self, i32, i32, Cost) -> bool,
    ) {
        let (dx, dy) = direction.delta();
        // Under one-side-free the first step may itself have passed a wall.
        let (mut beside_row, mut beside_column) = match RULE {
            ONE_SIDE_FREE => (self.is_free(x + dx, y), self.is_free(x, y + dy)),
            _ => (true, true),
        };
        loop {
            (x, y, g) = (x + dx, y + dy, g + DIAGONAL);
            if !self.is_free(x, y) {
                return;
            }
            if x == self.goal_x && y == self.goal_y {
                return self.reach::<RULE>(x, y, g, direction);
            }
            if RULE == ONE_SIDE_FREE && !(beside_row && beside_column) {
                let moves = self.view.moves(self.cell(PackedTile::new(x, y)));
                if self.map.table[direction as usize][usize::from(moves)] != 0 {
                    self.reach::<RULE>(x, y, g, direction);
                }
            }
            beside_row = along_row(self, x, y, g);
            beside_column = along_column(self, x, y, g);
            let legal = match RULE {
                ONE_SIDE_FREE => beside_row || beside_column,
                _ => beside_row && beside_column,
            };
            if !legal {
                return;
            }
        }
    }

    /// With four neighbours: steps on along a column and scans both ways along each row.
    fn column<const RULE: u8>(&mut self, x: i32, mut y: i32, mut g: Cost, direction: Direction) {
        let (_, dy) = direction.delta();
        loop {
            (y, g) = (y + dy, g + STRAIGHT);
            if !self.is_free(x, y) {
                return;
            }
            if x == self.goal_x && y == self.goal_y {
                return self.reach::<RULE>(x, y, g, direction);
            }
            self.east::<RULE>(x, y, g);
            self.west::<RULE>(x, y, g);
        }
    }

    #[inline]
    fn is_free(&self, x: i32, y: i32) -> bool {
        self.map.rows.is_free(y, x)
    }

    /// Scans to the east, writes down what is found, and says whether the next tile is
    /// free; so do the other three.
    #[inline(always)]
    fn east<const RULE: u8>(&mut self, x: i32, y: i32, g: Cost) -> bool {
        let (mut stop, mut found) = self.map.rows.scan_up(y, x);
        if y == self.goal_y && self.goal_x > x && self.goal_x <= stop {
            (stop, found) = (self.goal_x, true);
        }
        if found {
            self.reach::<RULE>(stop, y, g + (stop - x) as u32 * STRAIGHT, Direction::E);
        }
        found || stop > x + 1
    }

    #[inline(always)]
    fn west<const RULE: u8>(&mut self, x: i32, y: i32, g: Cost) -> bool {
        let (mut stop, mut found) = self.map.rows.scan_down(y, x);
        if y == self.goal_y && self.goal_x < x && self.goal_x >= stop {
            (stop, found) = (self.goal_x, true);
        }
        if found {
            self.reach::<RULE>(stop, y, g + (x - stop) as u32 * STRAIGHT, Direction::W);
        }
        found || stop < x - 1
    }

    #[inline(always)]
    fn south<const RULE: u8>(&mut self, x: i32, y: i32, g: Cost) -> bool {
        let Some(columns) = &self.map.columns else { return false };
        let (mut stop, mut found) = columns.scan_up(x, y);
        if x == self.goal_x && self.goal_y > y && self.goal_y <= stop {
            (stop, found) = (self.goal_y, true);
        }
        if found {
            self.reach::<RULE>(x, stop, g + (stop - y) as u32 * STRAIGHT, Direction::S);
        }
        found || stop > y + 1
    }

    #[inline(always)]
    fn north<const RULE: u8>(&mut self, x: i32, y: i32, g: Cost) -> bool {
        let Some(columns) = &self.map.columns else { return false };
        let (mut stop, mut found) = columns.scan_down(x, y);
        if x == self.goal_x && self.goal_y < y && self.goal_y >= stop {
            (stop, found) = (self.goal_y, true);
        }
        if found {
            self.reach::<RULE>(x, stop, g + (y - stop) as u32 * STRAIGHT, Direction::N);
        }
        found || stop < y - 1
    }

    /// Writes down that a jump point can be reached at cost `g`, moving in `arrival`.
    #[inline(never)]
    fn reach<const RULE: u8>(&mut self, x: i32, y: i32, g: Cost, arrival: Direction) {
        let place = PackedTile::new(x, y);
        let number = self.map.number(self.ends, place);
        let record = self.records[number as usize];
        if record.generation == self.generation && g >= record.g {
            if g == record.g {
                self.merge::<RULE>(number, record, arrival);
            }
            return;
        }
        if g > LIMIT {
            self.too_far = true;
            return;
        }
        let (generation, parent, pending) = (self.generation, self.from, arrival.mask());
        let record = Record { g, parent, place, generation, pending, done: 0 };
        self.records[number as usize] = record;
        self.push::<RULE>(number, place, g);
    }

    /// A jump point is reached again at equal cost, from another side: what that side
    /// adds is tried too.
    fn merge<const RULE: u8>(&mut self, number: u32, record: Record, arrival: Direction) {
        if record.pending == 0 {
            let moves = self.view.moves(self.cell(record.place));
            if self.directions(arrival.mask(), moves) & !record.done == 0 {
                return;
            }
            self.push::<RULE>(number, record.place, record.g);
        }
        self.records[number as usize].pending |= arrival.mask();
    }

    #[inline]
    fn push<const RULE: u8>(&mut self, number: u32, place: PackedTile, g: Cost) {
        let h = self.estimate::<RULE>(place.x(), place.y());
        self.stats.generated += 1;
        let from = self.records.get(self.from as usize).map(|r| self.cell(r.place));
        let from = from.map_or(NO_PARENT, |cell| cell.index() as u32);
        self.observer.generate(self.cell(place).index() as u32, from, g, h);
        self.open.push(g + h, g, number);
    }

    #[inline]
    fn estimate<const RULE: u8>(&self, x: i32, y: i32) -> Cost {
        let (dx, dy) = (x.abs_diff(self.goal_x), y.abs_diff(self.goal_y));
        if RULE == FOUR_CONNECTED { cost::manhattan(dx, dy) } else { cost::octile(dx, dy) }
    }
}
