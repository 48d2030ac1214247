//! Where to stand, or to flee to: the tile near a unit to which a cost layer adds least.

use std::ops::ControlFlow;

use super::{Index, QueryError, Scratch};
use crate::cost::{Cost, Extra};
use crate::grid::{Blocked, CellId, CostLayer, Grid, OtherSize, Tile, is_within, tiles_of_disc};
use crate::search::{Blind, Observer};

/// Which tiles near a unit are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Near {
    /// Those at most so many tiles away as the crow flies, if any way leads there.
    Radius(f64),
    /// Those to which a way leads that costs at most this, layer not counted.
    Walk(Cost),
}

/// A tile to stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cheapest {
    /// The tile.
    pub tile: Tile,
    /// What the layer adds there.
    pub extra: Extra,
    /// The cost of the way there, layer not counted.
    pub cost: Cost,
}

/// Remembers the best of the tiles that are looked at.
struct Best<'a> {
    grid: &'a Grid,
    from: Tile,
    near: Near,
    layer: &'a CostLayer,
    best: Option<(Extra, Cost, u32)>,
}

impl Observer<Cost> for Best<'_> {
    fn expand(&mut self, node: u32, g: Cost, _: Cost) -> ControlFlow<()> {
        let cell = CellId::from_index(node as usize);
        let is_near = match self.near {
            Near::Walk(range) if g > range => return ControlFlow::Break(()),
            Near::Walk(_) => true,
            Near::Radius(radius) => is_within(self.from, self.grid.tile(cell), radius),
        };
        let found = (self.layer.added()[cell.index()], g, node);
        if is_near && self.best.is_none_or(|best| found < best) {
            self.best = Some(found);
        }
        ControlFlow::Continue(())
    }
}

impl Index {
    /// The tile near a unit to which a layer adds least; of those the one that costs least to
    /// walk to, layer not counted; of those the one with the smallest [`CellId`]. The unit's
    /// own tile is among them, whether it is blocked or not.
    ///
    /// ```
    /// use tidegate::cost::{Extra, STRAIGHT};
    /// use tidegate::grid::{Area, CostLayer};
    /// use tidegate::index::Near;
    /// use tidegate::{Grid, Index, Scratch, Tile};
    /// let index = Index::new(Grid::from_rows(&["........"]).unwrap());
    /// let mut layer = CostLayer::new(index.grid());
    /// layer.add(&Area::disc((3, 0), 2.0), Extra::new(4.0).unwrap());
    /// let (unit, near) = (Tile::new(4, 0), Near::Radius(3.0));
    /// let safe = index.cheapest_within(unit, near, &layer, None, &mut Scratch::new())?;
    /// assert_eq!((safe.tile, safe.extra, safe.cost), (Tile::new(6, 0), Extra::NONE, 2 * STRAIGHT));
    /// # Ok::<(), tidegate::QueryError>(())
    /// ```
    pub fn cheapest_within(
        &self,
        from: Tile,
        near: Near,
        layer: &CostLayer,
        blocked: Option<&Blocked>,
        scratch: &mut Scratch,
    ) -> Result<Cheapest, QueryError> {
        layer.check(self.grid())?;
        let start = self.end("start", from, None)?;
        let grid = self.grid();
        let extra = |cell: CellId| layer.added()[cell.index()];
        // Nothing is better than the first tile that is popped with the least of all.
        let least = match near {
            Near::Walk(_) => Extra::NONE,
            Near::Radius(radius) => {
                let can_stand = |&(tile, cell): &(Tile, CellId)| {
                    let taken = tile != from && blocked.is_some_and(|b| b.contains(tile));
                    !taken && self.components().connected(start, cell)
                };
                let tiles = self.free_tiles_within(from, radius).filter(can_stand);
                tiles.map(|(_, cell)| extra(cell)).min().unwrap_or(Extra::NONE)
            }
        };
        let is_best = |node: u32| {
            let cell = CellId::from_index(node as usize);
            extra(cell) <= least
                && match near {
                    Near::Walk(_) => true,
                    Near::Radius(radius) => is_within(from, grid.tile(cell), radius),
                }
        };
        let mut best = Best { grid, from, near, layer, best: None };
        match self.flood(start, blocked, is_best, &mut Blind, scratch, &mut best) {
            // What is too far to be counted is no matter here.
            Ok(_) | Err(QueryError::TooFar) => {}
            Err(error) => return Err(error),
        }
        let own = (layer.at(from), Cost::ZERO, start.index() as u32);
        let (extra, cost, node) = best.best.unwrap_or(own);
        let tile = self.grid().tile(CellId::from_index(node as usize));
        Ok(Cheapest { tile, extra, cost })
    }

    /// The free tiles at most `radius` from a tile, as the crow flies, to which a layer adds
    /// least, in row order; whether a way leads there or not.
    pub fn cheapest_tiles(
        &self,
        centre: impl Into<Tile>,
        radius: f64,
        layer: &CostLayer,
    ) -> Result<Vec<Tile>, OtherSize> {
        layer.check(self.grid())?;
        let (mut least, mut found) = (Extra::MOST, Vec::new());
        for (tile, cell) in self.free_tiles_within(centre.into(), radius) {
            let extra = layer.added()[cell.index()];
            if extra < least {
                least = extra;
                found.clear();
            }
            if extra == least {
                found.push(tile);
            }
        }
        Ok(found)
    }

    fn free_tiles_within(
        &self,
        centre: Tile,
        radius: f64,
    ) -> impl Iterator<Item = (Tile, CellId)> + '_ {
        let grid = self.grid();
        tiles_of_disc(centre, radius, (grid.width(), grid.height()))
            .filter_map(|tile| Some((tile, grid.cell(tile)?)))
            .filter(|&(_, cell)| grid.is_free_cell(cell))
    }
}
