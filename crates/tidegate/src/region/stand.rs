//! Where to stand at a gate, and how far it is.

use super::Regions;
use crate::cost::Cost;
use crate::decompose::{GateId, Place, ZoneId};
use crate::grid::{CellId, Tile};
use crate::search::{Blind, End, GridSpace, Octile, search};
use crate::straighten::{LineRule, Sight};

impl Regions<'_> {
    /// Both sides of a gate: for every zone beside it, in the order of [`Gate::zones`], the tile
    /// of the zone with the shortest way from the middle of the line; of several the first in
    /// row order. Two for an ordinary gate.
    ///
    /// [`Gate::zones`]: crate::decompose::Gate::zones
    ///
    /// # Panics
    /// If there is no gate of this number.
    ///
    /// ```
    /// use tidegate::decompose::{Decomposition, GateLine, Source};
    /// use tidegate::region::Regions;
    /// use tidegate::{Grid, Tile};
    /// let grid = Grid::from_rows(&["...#...", ".......", ".......", ".......", "...#..."]).unwrap();
    /// let line = GateLine::new(Tile::new(3, 1), Tile::new(3, 3), Source::Manual);
    /// let parts = Decomposition::from_gates(&grid, [line]).unwrap();
    /// let regions = Regions::new(&grid, &parts);
    /// let sides: Vec<Tile> =
    ///     regions.gate_sides(parts.gates()[0].id()).into_iter().map(|(_, tile)| tile).collect();
    /// assert_eq!(sides, [Tile::new(2, 2), Tile::new(4, 2)]);
    /// ```
    pub fn gate_sides(&self, gate: GateId) -> Vec<(ZoneId, Tile)> {
        let gate = self.gate(gate);
        let start = self.grid.cell(gate.line().middle()).filter(|_| !gate.is_gone());
        let sources: Vec<(u32, Cost)> =
            start.iter().map(|cell| (cell.index() as u32, Cost::ZERO)).collect();
        let mut sides: Vec<Option<Tile>> = vec![None; gate.zones().len()];
        let mut left = sides.len();
        // Nodes come by cost, then by number: the first of a zone is the one asked for.
        let all_found = |node: u32| {
            let cell = CellId::from_index(node as usize);
            if let Place::Zone(zone) = self.parts.place(cell)
                && let Ok(i) = gate.zones().binary_search(&zone)
                && sides[i].is_none()
            {
                sides[i] = Some(self.grid.tile(cell));
                left -= 1;
            }
            left == 0
        };
        let space = GridSpace::new(self.grid);
        self.scratch.with(|scratch| {
            search(&space, &sources, all_found, &mut Blind, scratch, &mut ());
        });
        let zones = gate.zones().iter().zip(sides);
        zones.filter_map(|(&zone, tile)| Some((zone, tile?))).collect()
    }

    /// The tile from which a gate is held by those who shoot `range` tiles far from the side of
    /// `zone`: it lies in the zone, and every tile of the gate's line is seen from there and at
    /// most `range` away, from centre to centre. Of all such tiles it is the farthest behind the
    /// line (from the tile, if the line is a single one); of equally far ones the nearest to the
    /// perpendicular through the middle, then the first in row order. `None` if there is no such tile: the line is too
    /// wide for the range, or the ground behind it is bent.
    ///
    /// Sight is that of a point ([`LineRule::Point`]), whatever the rule of movement.
    ///
    /// # Panics
    /// If there is no gate of this number.
    ///
    /// ```
    /// use tidegate::decompose::{Decomposition, GateLine, Source};
    /// use tidegate::region::Regions;
    /// use tidegate::{Grid, Tile};
    /// let wall = "......#......";
    /// let door = ".............";
    /// let grid = Grid::from_rows(&[wall, wall, door, door, door, wall, wall]).unwrap();
    /// let line = GateLine::new(Tile::new(6, 2), Tile::new(6, 4), Source::Manual);
    /// let parts = Decomposition::from_gates(&grid, [line]).unwrap();
    /// let regions = Regions::new(&grid, &parts);
    /// let left = regions.zone_of(Tile::new(0, 0)).unwrap();
    /// let gate = parts.gates()[0].id();
    /// assert_eq!(regions.holding_tile(gate, left, 5), Some(Tile::new(2, 3)));
    /// assert_eq!(regions.holding_tile(gate, left, 1), None);
    /// ```
    pub fn holding_tile(&self, gate: GateId, zone: ZoneId, range: u16) -> Option<Tile> {
        let gate = self.gate(gate);
        if gate.is_gone() {
            return None;
        }
        let (line, reach) = (gate.line(), i64::from(range) * i64::from(range));
        let between =
            |a: Tile, b: Tile| (i64::from(a.x) - i64::from(b.x), i64::from(a.y) - i64::from(b.y));
        let squared = |a: Tile, b: Tile| {
            let (dx, dy) = between(a, b);
            dx * dx + dy * dy
        };
        let middle = line.middle();
        let (along_x, along_y) = between(line.b(), line.a());
        let behind = |tile: Tile| {
            let (dx, dy) = between(tile, middle);
            let across = dx * along_y.signum() - dy * along_x.signum();
            if line.width() == 1 { squared(tile, middle) } else { across.abs() }
        };
        let off_centre = |tile: Tile| {
            let (dx, dy) = between(tile, middle);
            (dx * along_x.signum() + dy * along_y.signum()).abs()
        };
        // Every tile in reach of both ends is in reach of the line.
        let (a, b) = (line.a(), line.b());
        let columns = a.x.max(b.x).saturating_sub(range)..=a.x.min(b.x).saturating_add(range);
        let rows = a.y.max(b.y).saturating_sub(range)..=a.y.min(b.y).saturating_add(range);
        let (right, bottom) = (self.grid.width() as u16, self.grid.height() as u16);
        let mut tiles: Vec<(i64, i64, Tile)> = Vec::new();
        for y in rows.take_while(|&y| y < bottom) {
            for x in columns.clone().take_while(|&x| x < right) {
                let tile = Tile::new(x, y);
                let near = squared(tile, a) <= reach && squared(tile, b) <= reach;
                if near && self.place(tile) == Place::Zone(zone) {
                    tiles.push((-behind(tile), off_centre(tile), tile));
                }
            }
        }
        tiles.sort_by_key(|&(far, off, tile)| (far, off, tile.y, tile.x));
        let sight = Sight::new(self.grid).with_rule(LineRule::Point);
        let holds = |tile: Tile| line.tiles().all(|target| sight.sees(tile, target));
        tiles.into_iter().map(|(.., tile)| tile).find(|&tile| holds(tile))
    }

    /// The way from a tile to the nearest tile of a gate's line: its exact cost, and where it
    /// ends. `None` if there is no way. To ask for many tiles, make a
    /// [`GoalField`](crate::GoalField) of the line's tiles.
    ///
    /// # Panics
    /// If there is no gate of this number.
    ///
    /// ```
    /// use tidegate::cost::STRAIGHT;
    /// use tidegate::decompose::{Decomposition, GateLine, Source};
    /// use tidegate::region::Regions;
    /// use tidegate::{Grid, Tile};
    /// let grid = Grid::from_rows(&[".....", ".....", "....."]).unwrap();
    /// let line = GateLine::new(Tile::new(2, 0), Tile::new(2, 2), Source::Manual);
    /// let parts = Decomposition::from_gates(&grid, [line]).unwrap();
    /// let regions = Regions::new(&grid, &parts);
    /// let gate = parts.gates()[0].id();
    /// let (cost, tile) = regions.distance_to_line(Tile::new(0, 0), gate).unwrap();
    /// assert_eq!((cost, tile), (2 * STRAIGHT, Tile::new(2, 0))); // the middle is farther
    /// ```
    pub fn distance_to_line(&self, tile: Tile, gate: GateId) -> Option<(Cost, Tile)> {
        let gate = self.gate(gate);
        let start = self.grid.cell(tile).filter(|&cell| self.grid.is_free_cell(cell))?;
        if gate.is_gone() || !self.connected(tile, gate.a()) {
            return None;
        }
        // Steps cost the same both ways, so the search goes from the line to the tile.
        let cells = gate.line().tiles().filter_map(|tile| self.grid.cell(tile));
        let sources: Vec<(u32, Cost)> =
            cells.map(|cell| (cell.index() as u32, Cost::ZERO)).collect();
        let goal = start.index() as u32;
        let (space, mut estimate) = (GridSpace::new(self.grid), Octile::new(self.grid, tile));
        self.scratch.with(|scratch| {
            let at_goal = |node: u32| node == goal;
            let (end, _) = search(&space, &sources, at_goal, &mut estimate, scratch, &mut ());
            let End::Goal(node, cost) = end else { return None };
            let source = scratch.way_back(node).last()?;
            Some((cost, self.grid.tile(CellId::from_index(source as usize))))
        })
    }
}
