//! What every tile is made of, and what that makes of the map for a kind of unit.

use super::{Profile, WorldError};
use crate::cost::Factor;
use crate::grid::{CellId, Grid, Tile, TileMap, check_size};
use crate::index::{Change, EditError};

/// The class of every tile: what a [`World`](super::World) keeps beside its indexes. Programs
/// that keep the indexes elsewhere, as bindings do, use it by itself.
///
/// ```
/// use tidegate::Index;
/// use tidegate::world::{Ground, Profile};
/// let mut ground = Ground::from_rows(&["...", ".#.", "..."]).unwrap();
/// let scout = Profile::new().entering(b".");
/// let mut index = Index::new(ground.grid(&scout));
/// let changed = ground.edit([((1, 1), b'.')]).unwrap();
/// index.edit(ground.changes(&scout, &changed, index.grid())).unwrap();
/// assert!(index.grid() == &ground.grid(&scout));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    width: u32,
    height: u32,
    /// Row by row.
    classes: Vec<u8>,
}

/// Tiles whose class an edit has changed.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// With the class they had. A tile may stand here twice: then it has been something else
    /// in between.
    tiles: Vec<(Tile, u8)>,
}

impl Changed {
    /// The tiles, each as often as it was changed.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        self.tiles.iter().map(|&(tile, _)| tile)
    }

    /// Whether everything stayed as it was.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }
}

impl Ground {
    /// Tiles of these classes, row by row.
    pub fn new(width: u32, height: u32, classes: Vec<u8>) -> Result<Ground, WorldError> {
        let (width, height) = check_size(width.into(), height.into())?;
        if classes.len() != width as usize * height as usize {
            return Err(WorldError::Classes { given: classes.len(), width, height });
        }
        Ok(Ground { width, height, classes })
    }

    /// Ground drawn as rows of letters; the classes are the letters.
    pub fn from_rows<S: AsRef<[u8]>>(rows: &[S]) -> Result<Ground, WorldError> {
        let rows: Vec<&[u8]> = rows.iter().map(AsRef::as_ref).collect();
        let first = rows.first().map_or(0, |row| row.len());
        let lengths = rows.iter().map(|row| row.len()).enumerate();
        if let Some((row, length)) = lengths.into_iter().find(|&(_, length)| length != first) {
            return Err(WorldError::Row { row, length, first });
        }
        let (width, height) = check_size(first as u64, rows.len() as u64)?;
        Ground::new(width, height, rows.concat())
    }

    /// The ground of a map file; the classes are its letters.
    pub fn from_map(map: &TileMap) -> Ground {
        let classes = map.letters().to_vec();
        Ground { width: map.width(), height: map.height(), classes }
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The class of a tile; `None` outside the map.
    pub fn class(&self, tile: impl Into<Tile>) -> Option<u8> {
        let tile = tile.into();
        self.contains(tile).then(|| self.classes[self.place(tile)])
    }

    /// The class of every tile, row by row.
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// Changes the classes of tiles; where a tile stands more than once, the last counts. A
    /// tile outside the map is an error, and nothing is changed.
    pub fn edit<T: Into<Tile>>(
        &mut self,
        changes: impl IntoIterator<Item = (T, u8)>,
    ) -> Result<Changed, EditError> {
        let changes: Vec<(Tile, u8)> =
            changes.into_iter().map(|(tile, class)| (tile.into(), class)).collect();
        let (width, height) = (self.width, self.height);
        if let Some(&(tile, _)) = changes.iter().find(|(tile, _)| !self.contains(*tile)) {
            return Err(EditError::Outside { tile, width, height });
        }
        let mut changed = Changed::default();
        for (tile, class) in changes {
            let place = self.place(tile);
            let old = std::mem::replace(&mut self.classes[place], class);
            if old != class {
                changed.tiles.push((tile, old));
            }
        }
        Ok(changed)
    }

    /// The map of a profile.
    pub fn grid(&self, profile: &Profile) -> Grid {
        let place = |x: u32, y: u32| Tile::new(x as u16, y as u16);
        let free = |x, y| self.worst(profile, place(x, y)).is_some();
        let grid = Grid::from_fn(self.width, self.height, profile.rule(), free);
        let grid = grid.unwrap_or_else(|_| unreachable!("the size was checked"));
        let factor = |cell: usize| {
            let tile = grid.tile(CellId::from_index(cell));
            self.worst(profile, tile).unwrap_or(Factor::ONE)
        };
        let factors: Vec<Factor> = (0..grid.tiles()).map(factor).collect();
        if factors.iter().all(|&factor| factor == Factor::ONE) {
            grid
        } else {
            grid.with_factors(factors)
        }
    }

    /// What an edit of the ground changes on the map of a profile, which is to follow it.
    pub fn changes(&self, profile: &Profile, changed: &Changed, grid: &Grid) -> Vec<Change> {
        let differs = |&&(tile, old): &&(Tile, u8)| {
            profile.factor(old) != profile.factor(self.classes[self.place(tile)])
        };
        let tiles = changed.tiles.iter().filter(differs).map(|&(tile, _)| tile);
        self.changes_at(profile, anchors(tiles, profile.size().into()), grid)
    }

    /// What changes on the map of a profile to which a class has become another than it was.
    pub fn changes_of_class(&self, profile: &Profile, class: u8, grid: &Grid) -> Vec<Change> {
        let width = self.width as usize;
        let of_class = |&place: &usize| self.classes[place] == class;
        let tile = |place: usize| Tile::new((place % width) as u16, (place / width) as u16);
        let tiles = (0..self.classes.len()).filter(of_class).map(tile);
        self.changes_at(profile, anchors(tiles, profile.size().into()), grid)
    }

    fn changes_at(&self, profile: &Profile, anchors: Vec<Tile>, grid: &Grid) -> Vec<Change> {
        let mut changes = Vec::new();
        for tile in anchors {
            match (self.worst(profile, tile), grid.is_free(tile)) {
                (Some(factor), free) => {
                    if grid.factor(tile) != factor {
                        changes.push(Change::Factor(tile, factor));
                    }
                    if !free {
                        changes.push(Change::Free(tile));
                    }
                }
                (None, true) => changes.push(Change::Wall(tile)),
                (None, false) => {}
            }
        }
        changes
    }

    /// The worst ground under a unit that stands at a tile; `None` if it does not fit.
    fn worst(&self, profile: &Profile, at: Tile) -> Option<Factor> {
        let size = usize::from(profile.size());
        let (x, y) = (usize::from(at.x), usize::from(at.y));
        if x + size > self.width as usize || y + size > self.height as usize {
            return None;
        }
        let mut worst = Factor::ONE;
        for row in y..y + size {
            let begin = row * self.width as usize + x;
            for &class in &self.classes[begin..begin + size] {
                worst = worst.max(profile.factor(class)?);
            }
        }
        Some(worst)
    }

    fn contains(&self, tile: Tile) -> bool {
        u32::from(tile.x) < self.width && u32::from(tile.y) < self.height
    }

    fn place(&self, tile: Tile) -> usize {
        usize::from(tile.y) * self.width as usize + usize::from(tile.x)
    }
}

/// Where a unit of this size stands that stands on one of these tiles.
fn anchors(tiles: impl Iterator<Item = Tile>, size: u32) -> Vec<Tile> {
    let reach = size as u16 - 1;
    let mut anchors = Vec::new();
    for tile in tiles {
        for y in tile.y.saturating_sub(reach)..=tile.y {
            anchors.extend((tile.x.saturating_sub(reach)..=tile.x).map(|x| Tile::new(x, y)));
        }
    }
    if reach > 0 {
        anchors.sort_unstable_by_key(|tile| (tile.y, tile.x));
        anchors.dedup();
    }
    anchors
}
