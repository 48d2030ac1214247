//! A decomposition that follows a map as its walls change, with numbers that stay.
//!
//! The result is always what [`Decomposition::from_gates`] makes of the map as it is now and
//! the lines as they are now, except for the numbers: zones and gates that are still there
//! keep theirs, new ones get numbers that were never used. Only lines near a change are
//! changed themselves:
//!
//! - a wall on a line cuts it ([`lines`]); a gate grows after a wall that gave way at its end;
//! - a breach that would join zones gets a gate across it where a short one fits
//!   ([`breach`]); otherwise the zones merge and the larger keeps its number;
//! - an automatic gate that no longer separates anything is dropped ([`gates`]).
//!
//! Zones are filled again only as far as a change may have cut them ([`zones`]): the floods
//! from both sides of a cut go on in turns and stop when all but one have come to an end.

mod breach;
mod claim;
mod gates;
mod lines;
mod report;
mod zones;

pub use report::ZoneChanges;

use std::collections::{BTreeMap, BTreeSet};

use super::{Decomposition, Gate, GateId, Place, Zone, ZoneId};
use crate::grid::{CellId, Direction, Grid, Tile};

impl Decomposition {
    /// Follows a map whose tiles in `changed` became wall or free: `grid` is the map as it is
    /// now. Tiles that are as they were may be among them. What the change does not touch
    /// keeps its number and its tiles; see the [module](crate::decompose) for what a
    /// decomposition keeps, all of which holds afterwards too.
    ///
    /// ```
    /// use tidegate::decompose::Decomposition;
    /// use tidegate::{Grid, Tile};
    /// let mut grid = Grid::from_rows(&["....#....", "....#....", "....#....", "....#...."]).unwrap();
    /// let mut parts = Decomposition::from_gates(&grid, []).unwrap();
    /// let breach = Tile::new(4, 1);
    /// grid.set_free(breach, true);
    /// let changes = parts.follow(&grid, &[breach]);
    /// // The two zones are what they were, and a gate stands in the breach.
    /// assert!(changes.zones_changed.is_empty());
    /// assert_eq!(parts.gates()[changes.gates_came[0].index()].a(), breach);
    /// parts.check(&grid).unwrap();
    /// ```
    ///
    /// # Panics
    /// If the map has another size or another rule of movement than the one that the
    /// decomposition was made for.
    pub fn follow(&mut self, grid: &Grid, changed: &[Tile]) -> ZoneChanges {
        let of = (self.width, self.height, self.movement);
        let map = (grid.width(), grid.height(), grid.movement());
        assert_eq!(of, map, "a decomposition of this map");
        let mut cells: Vec<CellId> = changed.iter().filter_map(|&t| grid.cell(t)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.retain(|&cell| self.places.is_wall(cell.index()) == grid.is_free_cell(cell));
        if cells.is_empty() {
            return ZoneChanges::default();
        }
        let mut follower = Follower::new(self, grid);
        follower.change_tiles(&cells);
        follower.fit_lines(&cells);
        follower.bridge_breaches();
        follower.settle();
        follower.finish()
    }
}

/// The work of following one change.
struct Follower<'a> {
    parts: &'a mut Decomposition,
    grid: &'a Grid,
    /// How many zones and gates there were before.
    old_zones: usize,
    old_gates: usize,
    /// By zone: its area before.
    areas: Vec<u32>,
    /// Stands for no zone: its tiles have yet to be given to one.
    unassigned: ZoneId,
    /// Tiles that are or were unassigned.
    unassigned_tiles: Vec<CellId>,
    /// Tiles that became free.
    opened: Vec<CellId>,
    /// Zones that may fall apart, with the tiles around which they may.
    may_split: BTreeMap<ZoneId, Vec<CellId>>,
    /// Every tile that changed its place, with the place before.
    log: Vec<(CellId, Place)>,
    /// How much of the log the gates know already.
    seen: usize,
    /// Gates that were looked at, as they were before; `None` for new ones.
    before: BTreeMap<GateId, Option<Gate>>,
    /// Gates and whether they had two large zones when offcuts were last handed out.
    divides: BTreeMap<GateId, bool>,
    /// Small zones that may be offcuts.
    small: BTreeSet<ZoneId>,
    /// Zones that lost their first tile.
    first_lost: BTreeSet<ZoneId>,
}

impl<'a> Follower<'a> {
    fn new(parts: &'a mut Decomposition, grid: &'a Grid) -> Follower<'a> {
        let (old_zones, old_gates) = (parts.zones.len(), parts.gates.len());
        let areas = parts.zones.iter().map(Zone::area).collect();
        let mut follower = Follower {
            parts,
            grid,
            old_zones,
            old_gates,
            areas,
            unassigned: ZoneId(old_zones as u32),
            unassigned_tiles: Vec::new(),
            opened: Vec::new(),
            may_split: BTreeMap::new(),
            log: Vec::new(),
            seen: 0,
            before: BTreeMap::new(),
            divides: BTreeMap::new(),
            small: BTreeSet::new(),
            first_lost: BTreeSet::new(),
        };
        follower.unassigned = follower.new_zone();
        follower
    }

    fn place(&self, cell: CellId) -> Place {
        self.parts.place(cell)
    }

    fn zone(&self, zone: ZoneId) -> &Zone {
        &self.parts.zones[zone.index()]
    }

    fn gate(&self, gate: GateId) -> &Gate {
        &self.parts.gates[gate.index()]
    }

    /// The zone of a tile, if it has been given to one.
    fn zone_of(&self, cell: CellId) -> Option<ZoneId> {
        match self.place(cell) {
            Place::Zone(zone) if zone != self.unassigned => Some(zone),
            _ => None,
        }
    }

    fn is_unassigned(&self, cell: CellId) -> bool {
        self.place(cell) == Place::Zone(self.unassigned)
    }

    /// An empty zone with a new number.
    fn new_zone(&mut self) -> ZoneId {
        let id = ZoneId(self.parts.zones.len() as u32);
        self.parts.places.reserve(self.parts.zones.len(), 1, self.parts.gates.len());
        let first = CellId::from_index(self.grid.tiles() - 1);
        self.parts.zones.push(Zone { id, area: 0, first, gates: Vec::new(), is_pocket: false });
        id
    }

    /// Gives a tile to another place and keeps areas and first tiles right; a first tile that
    /// was lost is looked for when the zone's first tile is needed.
    fn set(&mut self, cell: CellId, to: Place) {
        let from = self.place(cell);
        if from == to {
            return;
        }
        self.log.push((cell, from));
        if let Place::Zone(zone) = from {
            let lost = &mut self.parts.zones[zone.index()];
            lost.area -= 1;
            if lost.first == cell && zone != self.unassigned {
                self.first_lost.insert(zone);
            }
        }
        if let Place::Zone(zone) = to {
            let gained = &mut self.parts.zones[zone.index()];
            gained.area += 1;
            gained.first = gained.first.min(cell);
            if zone == self.unassigned {
                self.unassigned_tiles.push(cell);
            }
        }
        self.parts.places.set(cell, to);
    }

    /// The first tile of a zone that is not empty.
    fn first(&mut self, zone: ZoneId) -> CellId {
        let known = self.zone(zone).first;
        if !self.first_lost.remove(&zone) {
            return known;
        }
        let first = self.parts.places.first_of(zone, known).unwrap_or(known);
        self.parts.zones[zone.index()].first = first;
        first
    }

    /// Gives all tiles of a zone to another place, from one of them.
    fn relabel(&mut self, start: CellId, to: Place) {
        let from = self.place(start);
        if from == to {
            return;
        }
        let grid = self.grid;
        let mut stack = vec![start];
        self.set(start, to);
        while let Some(cell) = stack.pop() {
            for (next, _) in grid.neighbours(cell) {
                if self.place(next) == from {
                    self.set(next, to);
                    stack.push(next);
                }
            }
        }
    }

    /// The tiles around a tile, whether a step leads to them or not.
    fn around(&self, cell: CellId) -> impl Iterator<Item = CellId> + use<> {
        let tile = self.grid.tile(cell);
        let (width, height) = (self.grid.width() as i32, self.grid.height() as i32);
        Direction::ALL.into_iter().filter_map(move |direction| {
            let (dx, dy) = direction.delta();
            let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
            let inside = x >= 0 && y >= 0 && x < width && y < height;
            inside.then(|| CellId::from_index((y * width + x) as usize))
        })
    }

    /// Walls take their tiles from zones and gates, opened tiles wait to be given to one.
    fn change_tiles(&mut self, cells: &[CellId]) {
        for &cell in cells {
            for near in self.around(cell).chain([cell]) {
                if let Some(gate) = self.gate_of(near) {
                    self.free_offcuts(gate);
                }
            }
        }
        for &cell in cells {
            if self.grid.is_free_cell(cell) {
                self.set(cell, Place::Zone(self.unassigned));
                self.opened.push(cell);
                continue;
            }
            if let Some(zone) = self.zone_of(cell) {
                self.may_split.entry(zone).or_default().push(cell);
            }
            self.set(cell, Place::Wall);
            // A step across a corner of the tile is gone too.
            for near in self.around(cell) {
                if let Some(zone) = self.zone_of(near) {
                    self.may_split.entry(zone).or_default().push(cell);
                }
            }
        }
    }

    /// Goes on until every tile has its place and every gate separates something.
    fn settle(&mut self) {
        loop {
            self.split_zones();
            self.fill_zones();
            let with_offcuts = self.refresh_gates();
            if self.free_doubtful_offcuts(with_offcuts) {
                continue;
            }
            self.hand_out_offcuts();
            self.refresh_gates();
            if !self.drop_useless_gate() {
                return;
            }
        }
    }
}
