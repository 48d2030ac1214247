//! Costs that come and go on top of a map's own: danger, crowds, the reach of towers.
//!
//! A layer holds an [`Extra`] for every tile. With a layer a tile's cost factor is the map's
//! own plus the extra, at most 655.35, and a step costs what [`Factor::step`] says of the two
//! sums: exactly what it would cost on the map that [`CostLayer::applied_to`] makes. A sum is
//! never less than the map's own factor, so no way gets cheaper: whatever is a lower bound on
//! the map is one under every layer, and an estimate that no step changes by more than the
//! step costs keeps that too.
//!
//! Changing a layer takes time for the tiles changed, fading and clearing it for the tiles
//! that were touched: each row knows from where to where.

mod area;

use std::ops::Range;

pub use area::Area;
pub(crate) use area::{is_within, tiles_of_disc};

use super::{CellId, Grid, Tile};
use crate::cost::{Extra, Factor};

/// What is added to the cost of tiles, for any number of queries. See the [module](self).
///
/// ```
/// use tidegate::cost::{DIAGONAL, Extra, STRAIGHT};
/// use tidegate::grid::{Area, CostLayer};
/// use tidegate::{Grid, Index, Path, Query, Scratch, engine};
/// let index = Index::new(Grid::from_rows(&["...", "...", "..."]).unwrap());
/// let mut layer = CostLayer::new(index.grid());
/// layer.add(&Area::disc((1, 1), 0.0), Extra::new(5.0).unwrap());
///
/// let (mut scratch, mut path) = (Scratch::new(), Path::new());
/// let query = Query::new((0, 1), (2, 1)).with_costs(&layer);
/// let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
/// assert_eq!(answer.cost(), Some(2 * DIAGONAL)); // around it
///
/// layer.fade(0.1); // to a tenth: straight through it again
/// let query = Query::new((0, 1), (2, 1)).with_costs(&layer);
/// let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
/// assert_eq!(answer.cost(), Some(STRAIGHT * 5 / 2)); // two steps at a quarter more
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct CostLayer {
    width: u32,
    height: u32,
    added: Vec<Extra>,
    /// By row: from which column to which anything may be added. Empty ones are 0..0.
    touched: Vec<Range<u32>>,
    /// The rows that are touched lie in here.
    rows: Range<u32>,
}

/// Why a layer or an array of costs is not taken: it is for a map of another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("costs for {given} tiles, on a map of {width} x {height}")]
pub struct OtherSize {
    /// The number of tiles that the costs are for.
    pub given: usize,
    /// Columns of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
}

impl CostLayer {
    /// A layer for maps of this size that adds nothing yet.
    pub fn new(grid: &Grid) -> CostLayer {
        let (width, height) = (grid.width(), grid.height());
        let (added, touched) = (vec![Extra::NONE; grid.tiles()], vec![0..0; height as usize]);
        CostLayer { width, height, added, touched, rows: 0..0 }
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Whether it is for maps of this size.
    pub fn fits(&self, grid: &Grid) -> bool {
        (self.width, self.height) == (grid.width(), grid.height())
    }

    /// Whether nothing was added, or all of it has been cleared or has faded.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What is added to a tile; nothing outside the map.
    pub fn at(&self, tile: Tile) -> Extra {
        let inside = u32::from(tile.x) < self.width && u32::from(tile.y) < self.height;
        let index = || tile.y as usize * self.width as usize + tile.x as usize;
        if inside { self.added[index()] } else { Extra::NONE }
    }

    /// What is added to every tile, in row order.
    #[inline]
    pub fn added(&self) -> &[Extra] {
        &self.added
    }

    /// The cost factor of a tile of a map with what is added to it.
    #[inline]
    pub(crate) fn factor(&self, grid: &Grid, cell: CellId) -> Factor {
        let own = grid.factors().map_or(Factor::ONE, |factors| factors[cell.index()]);
        own.plus(self.added[cell.index()])
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.added.capacity() * size_of::<Extra>()
            + self.touched.capacity() * size_of::<Range<u32>>()
    }

    /// The rows in which anything may be added, and in a row the columns.
    pub(crate) fn rows(&self) -> Range<u32> {
        self.rows.clone()
    }

    /// From which column to which anything may be added in a row.
    #[inline]
    pub(crate) fn columns(&self, row: u32) -> Range<u32> {
        self.touched[row as usize].clone()
    }

    /// Whether the same is added to a tile and to the eight around it. May say no at the
    /// border of the map.
    #[inline]
    pub(crate) fn is_even_around(&self, cell: CellId) -> bool {
        let (here, width) = (self.added[cell.index()], self.width as usize);
        // Beside the first and the last column lies the end of another row, which can only
        // make it look less even.
        let above = cell.index().checked_sub(width + 1).map(|first| [first, first + width]);
        above.is_some_and(|[above, beside]| {
            [above, beside, beside + width].into_iter().all(|first| {
                self.added.get(first..first + 3).is_some_and(|three| three == [here; 3])
            })
        })
    }

    /// Adds the same to every tile of an area. What lies outside the map is left out; sums
    /// end at 655.35.
    pub fn add(&mut self, area: &Area<'_>, extra: Extra) {
        let more = extra.hundredths();
        let sum = |old: Extra| Extra::from_hundredths(old.hundredths().saturating_add(more));
        self.change(area, extra, sum);
    }

    /// Raises every tile of an area to at least this much: what a bot calls the initial
    /// weight of tiles that nothing was added to.
    pub fn raise(&mut self, area: &Area<'_>, extra: Extra) {
        self.change(area, extra, |old| extra.max(old));
    }

    /// Adds to a disc all of `extra` in the middle and less towards the rim, in proportion to
    /// the distance: nothing at the radius. Rounded down to hundredths.
    pub fn add_falling(&mut self, centre: impl Into<Tile>, radius: f64, extra: Extra) {
        let centre = centre.into();
        let Some(rows) = area::rows_of_disc(centre, radius, self.height) else { return };
        let (x, y, all) = (f64::from(centre.x), f64::from(centre.y), extra.hundredths());
        for (row, half) in rows {
            let down = f64::from(row) - y;
            self.change_row(row, area::span(centre.x, half), |first, tiles| {
                let mut any = 0;
                for (column, old) in (first..).zip(tiles) {
                    let across = f64::from(column) - x;
                    let distance = (across * across + down * down).sqrt();
                    let part = f64::from(all) * (radius - distance) / radius;
                    // With a radius of nothing there is the tile in the middle alone.
                    let more = if distance == 0.0 { all } else { part as u16 };
                    *old = Extra::from_hundredths(old.hundredths().saturating_add(more));
                    any |= more;
                }
                any > 0
            });
        }
    }

    /// Adds an array of one value for every tile, in row order.
    pub fn add_each(&mut self, extras: &[Extra]) -> Result<(), OtherSize> {
        let (given, width, height) = (extras.len(), self.width, self.height);
        if given != self.added.len() {
            return Err(OtherSize { given, width, height });
        }
        for (row, extras) in (0..height).zip(extras.chunks_exact(width as usize)) {
            let is_some = |extra: &Extra| *extra > Extra::NONE;
            let Some(first) = extras.iter().position(is_some) else { continue };
            let end = extras.iter().rposition(is_some).map_or(first, |last| last + 1);
            self.change_row(row, first as u32..end as u32, |_, tiles| {
                for (old, more) in tiles.iter_mut().zip(&extras[first..end]) {
                    let sum = old.hundredths().saturating_add(more.hundredths());
                    *old = Extra::from_hundredths(sum);
                }
                true
            });
        }
        Ok(())
    }

    /// Leaves a fraction of what was added, from 0 to 1 (to 1/65,536), rounded down: what is
    /// faded again and again is nothing in the end, unless the fraction is 1.
    pub fn fade(&mut self, keep: f64) {
        let keep = (keep.clamp(0.0, 1.0) * 65536.0).round() as u32;
        if keep == 1 << 16 {
            return;
        }
        let faded = |old: Extra| ((u32::from(old.hundredths()) * keep) >> 16) as u16;
        let (mut first, mut end) = (u32::MAX, 0);
        for row in self.rows.clone() {
            let touched = &mut self.touched[row as usize];
            let tiles = &mut self.added[row_slice(self.width, row, touched)];
            let mut any = 0;
            for old in tiles {
                *old = Extra::from_hundredths(faded(*old));
                any |= old.hundredths();
            }
            if any == 0 {
                *touched = 0..0;
            } else {
                (first, end) = (first.min(row), row + 1);
            }
        }
        self.rows = if end == 0 { 0..0 } else { first..end };
    }

    /// Forgets everything that was added.
    pub fn clear(&mut self) {
        for row in std::mem::take(&mut self.rows) {
            let touched = std::mem::take(&mut self.touched[row as usize]);
            self.added[row_slice(self.width, row, &touched)].fill(Extra::NONE);
        }
    }

    /// The map whose own costs are these: its factors with what the layer adds. What costs
    /// with a layer mean is defined by this map; to search, hand the layer to
    /// [`Query::with_costs`](crate::Query::with_costs) and leave the map as it is.
    pub fn applied_to(&self, grid: &Grid) -> Result<Grid, OtherSize> {
        self.check(grid)?;
        let own = |index: usize| grid.factors().map_or(Factor::ONE, |factors| factors[index]);
        let sums = self.added.iter().enumerate().map(|(index, &extra)| own(index).plus(extra));
        Ok(grid.clone().with_factors(sums.collect()))
    }

    /// That it is for maps of this size.
    pub(crate) fn check(&self, grid: &Grid) -> Result<(), OtherSize> {
        let (width, height) = (grid.width(), grid.height());
        let other = OtherSize { given: self.added.len(), width, height };
        if self.fits(grid) { Ok(()) } else { Err(other) }
    }

    /// Changes every tile of an area, unless the change is about nothing.
    fn change(&mut self, area: &Area<'_>, by: Extra, change: impl Fn(Extra) -> Extra) {
        if by > Extra::NONE {
            area.spans(self.height, |row, span| {
                self.change_row(row, span, |_, tiles| {
                    tiles.iter_mut().for_each(|old| *old = change(*old));
                    true
                });
            });
        }
    }

    /// Changes the tiles of a row that are in the map. `change` is told the first column and
    /// says whether anything is added to any of the tiles.
    #[inline]
    fn change_row(
        &mut self,
        row: u32,
        span: Range<u32>,
        change: impl FnOnce(u32, &mut [Extra]) -> bool,
    ) {
        let span = span.start..span.end.min(self.width);
        if span.is_empty()
            || !change(span.start, &mut self.added[row_slice(self.width, row, &span)])
        {
            return;
        }
        let touched = &mut self.touched[row as usize];
        *touched = join(touched, &span);
        self.rows = join(&self.rows, &(row..row + 1));
    }
}

fn row_slice(width: u32, row: u32, columns: &Range<u32>) -> Range<usize> {
    let first = row as usize * width as usize;
    first + columns.start as usize..first + columns.end as usize
}

/// The least range that holds both.
fn join(a: &Range<u32>, b: &Range<u32>) -> Range<u32> {
    if a.is_empty() { b.clone() } else { a.start.min(b.start)..a.end.max(b.end) }
}

impl std::fmt::Debug for CostLayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (width, height, rows) = (self.width, self.height, &self.rows);
        write!(f, "CostLayer {width} x {height}, rows {rows:?} touched")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Movement;
    use crate::rng::Rng;

    /// Even is what looks even from a tile to all around it; at the border it may be denied.
    #[test]
    fn even_ground_is_told_from_other_ground() {
        let (mut even, mut uneven) = (0, 0);
        for seed in 0..80 {
            let mut rng = Rng::new(seed);
            let (width, height) = (rng.between(1, 9) as u32, rng.between(1, 9) as u32);
            let grid = Grid::from_fn(width, height, Movement::default(), |_, _| true).unwrap();
            let mut layer = CostLayer::new(&grid);
            let mut extras = vec![Extra::NONE; grid.tiles()];
            for _ in 0..rng.below(3) {
                let n = rng.below(extras.len());
                extras[n] = Extra::from_hundredths(50);
            }
            layer.add_each(&extras).unwrap();
            for (n, &here) in extras.iter().enumerate() {
                let (x, y) = (n as u32 % width, n as u32 / width);
                let same = |x: u32, y: u32| extras[(y * width + x) as usize] == here;
                let mut around = (x.saturating_sub(1)..=(x + 1).min(width - 1)).flat_map(|x| {
                    (y.saturating_sub(1)..=(y + 1).min(height - 1)).map(move |y| (x, y))
                });
                let expected = around.all(|(x, y)| same(x, y));
                let found = layer.is_even_around(CellId::from_index(n));
                let inner = x > 0 && y > 0 && x + 1 < width && y + 1 < height;
                assert!(
                    if inner { found == expected } else { expected || !found },
                    "{x}, {y}: {extras:?}"
                );
                even += usize::from(found);
                uneven += usize::from(inner && !found);
            }
        }
        assert!(even > 100 && uneven > 100, "{even} {uneven}");
    }
}
