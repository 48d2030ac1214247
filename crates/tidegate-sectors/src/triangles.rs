//! The paper's sectors: the map's quarters, halved again and again.
//!
//! The map's rectangle is cut by its two diagonals into four triangles (level 0); each
//! triangle has two halves, down to the deepest level. A tile belongs to a sector if
//! its centre does, and a centre on a border belongs to exactly one side by the rules
//! written at [`Triangles::root_of`](Hierarchy::root_of) and [`Cut::half`](crate::triangle::Cut::half). So
//! however the sectors are split and merged, every tile lies in exactly one of them.

use crate::hierarchy::{Hierarchy, SectorId};
use crate::triangle::{Point, Triangle, turn};
use tidegate::grid::Tile;

/// The deepest level that can be asked for: coordinates then still fit 64 bits.
pub const MAX_LEVELS: u8 = 12;
/// Sectors of level 0.
const ROOTS: usize = 4;

/// A sector's level and its place among the sectors of that level.
fn place(sector: SectorId) -> (u32, usize) {
    let level = (sector.index() / ROOTS + 1).ilog2();
    (level, sector.index() - first_of(level))
}

/// The first number of a level.
const fn first_of(level: u32) -> usize {
    ROOTS * ((1 << level) - 1)
}

/// Why a map cannot be cut into triangles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrianglesError {
    /// A side of the map is zero or too long.
    #[error("sectors need a map with sides from 1 to 65535, not {width} x {height}")]
    Size {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// Too many levels.
    #[error("{levels} levels of sectors are too many: at most {MAX_LEVELS}")]
    Levels {
        /// Levels asked for.
        levels: u8,
    },
}

/// Every triangular sector of a map down to a deepest level, as exact integer triangles.
/// Sectors are numbered level by level, halves side by side.
///
/// ```
/// use tidegate_sectors::{Hierarchy, Triangles};
/// use tidegate::Tile;
/// let sectors = Triangles::new(8, 6, 4).unwrap();
/// assert_eq!(sectors.len(), 4 + 8 + 16 + 32 + 64);
/// let top = sectors.root_of(Tile::new(3, 0));
/// let right = sectors.root_of(Tile::new(7, 3));
/// assert!(top != right && sectors.touch(top, right));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triangles {
    width: u32,
    height: u32,
    levels: u8,
    triangles: Vec<Triangle>,
}

impl Triangles {
    /// The sectors of a map of this size, halved at most `levels` times.
    pub fn new(width: u32, height: u32, levels: u8) -> Result<Triangles, TrianglesError> {
        let side = 1..=tidegate::grid::MAX_SIDE;
        if !side.contains(&width) || !side.contains(&height) {
            return Err(TrianglesError::Size { width, height });
        }
        if levels > MAX_LEVELS {
            return Err(TrianglesError::Levels { levels });
        }
        let unit = unit(levels);
        let (w, h) = (i64::from(width) * unit, i64::from(height) * unit);
        let centre = Point::new(w / 2, h / 2);
        let corners = [Point::new(0, 0), Point::new(w, 0), Point::new(w, h), Point::new(0, h)];
        let mut triangles = Vec::with_capacity(first_of(u32::from(levels) + 1));
        triangles.extend((0..4).map(|i| Triangle::new([centre, corners[i], corners[(i + 1) % 4]])));
        for whole in 0..first_of(levels.into()) {
            let halves = triangles[whole].halves();
            triangles.extend(halves);
        }
        Ok(Triangles { width, height, levels, triangles })
    }

    /// Columns of the map.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the map.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The deepest level.
    pub fn levels(&self) -> u8 {
        self.levels
    }

    /// The shape of a sector, in units of [`Triangles::unit`] to a tile's side.
    pub fn triangle(&self, sector: SectorId) -> &Triangle {
        &self.triangles[sector.index()]
    }

    /// How many units make a tile's side.
    pub fn unit(&self) -> i64 {
        unit(self.levels)
    }

    /// The tile under the centroid of a sector. Centroids never lie on the rim of the
    /// map, so it is on the map; on a line between tiles it is the right or lower one.
    pub fn centroid(&self, sector: SectorId) -> Tile {
        let triple = self.triangle(sector).triple_centroid();
        let tile = |sum: i64| (sum / (3 * self.unit())) as u16;
        Tile::new(tile(triple.x), tile(triple.y))
    }

    fn centre(&self, tile: Tile) -> Point {
        let middle = |at: u16| (2 * i64::from(at) + 1) * self.unit() / 2;
        Point::new(middle(tile.x), middle(tile.y))
    }
}

impl Hierarchy for Triangles {
    fn len(&self) -> usize {
        self.triangles.len()
    }

    fn roots(&self) -> usize {
        ROOTS
    }

    fn parent(&self, sector: SectorId) -> Option<SectorId> {
        let (level, place) = place(sector);
        let above = level.checked_sub(1)?;
        Some(SectorId::from_index(first_of(above) + place / 2))
    }

    fn halves(&self, sector: SectorId) -> Option<[SectorId; 2]> {
        let (level, place) = place(sector);
        let first = first_of(level + 1) + 2 * place;
        (first < self.len()).then(|| [first, first + 1].map(SectorId::from_index))
    }

    /// Of the two half-diagonals that bound a quarter the first, going clockwise,
    /// belongs to it; the centre of the map belongs to the upper quarter.
    fn root_of(&self, tile: Tile) -> SectorId {
        let point = self.centre(tile);
        let holds = |&root: &usize| {
            let [centre, first, second] = self.triangles[root].corners();
            turn(centre, first, point).is_ge() && turn(centre, second, point).is_lt()
        };
        SectorId::from_index((0..ROOTS).find(holds).unwrap_or(0))
    }

    fn half_of(&self, sector: SectorId, tile: Tile) -> usize {
        self.triangle(sector).cut().half(self.centre(tile))
    }

    fn touch(&self, a: SectorId, b: SectorId) -> bool {
        self.triangle(a).touches(self.triangle(b))
    }

    fn bytes(&self) -> usize {
        self.triangles.len() * size_of::<Triangle>()
    }
}

/// Fine enough for the map's centre and for one halving per level.
const fn unit(levels: u8) -> i64 {
    2 << levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_levels_parents_and_halves_agree() {
        let sectors = Triangles::new(100, 37, 5).unwrap();
        for sector in (0..sectors.len()).map(SectorId::from_index) {
            let Some(halves) = sectors.halves(sector) else {
                assert_eq!(place(sector).0, 5);
                continue;
            };
            for half in halves {
                assert_eq!(sectors.parent(half), Some(sector));
                assert_eq!(place(half).0, place(sector).0 + 1);
            }
            let shapes = halves.map(|half| *sectors.triangle(half));
            assert_eq!(shapes, sectors.triangle(sector).halves());
        }
    }

    #[test]
    fn the_finest_sectors_fill_the_rectangle_at_the_greatest_size() {
        let sectors = Triangles::new(65_535, 65_533, MAX_LEVELS).unwrap();
        let finest = (0..sectors.len()).map(SectorId::from_index);
        let finest = finest.filter(|&s| sectors.halves(s).is_none());
        let area: i128 = finest.map(|s| i128::from(sectors.triangle(s).double_area())).sum();
        let unit = i128::from(sectors.unit());
        assert_eq!(area, 2 * 65_535 * 65_533 * unit * unit);
    }

    #[test]
    fn sizes_and_levels_out_of_range_are_refused() {
        assert!(matches!(Triangles::new(0, 5, 4), Err(TrianglesError::Size { .. })));
        assert!(matches!(Triangles::new(5, 5, 13), Err(TrianglesError::Levels { levels: 13 })));
    }
}
