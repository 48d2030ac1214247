//! A map as a larger unit has it: free is where the unit fits. It follows the map it is of and
//! cannot be changed itself.

use std::sync::{Arc, PoisonError, Weak};

use tidegate::decompose::WaterOptions;
use tidegate::world::{Profile, World};
use tidegate::{CellId, Decomposition, Grid, Index};

use super::scene::turned_into;
use super::tables::bare;
use super::{Document, Scene, Status};
use crate::api_error::{ApiError, ApiResult};
use crate::saved::SavedFiles;

/// The largest unit, in tiles.
pub(crate) const LARGEST: u8 = 4;
const FLOOR: u8 = b'.';
const WALL: u8 = b'#';

/// Which unit a document is for, and of which map.
#[derive(Debug)]
pub(super) struct Unit {
    map: Weak<Document>,
    size: u8,
}

impl Document {
    /// This map for units of so many tiles, 2 to [`LARGEST`]; worked out when it is looked at.
    pub(crate) fn for_unit(self: &Arc<Document>, size: u8) -> Arc<Document> {
        let mut units = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, unit)) = units.iter().find(|(of, _)| *of == size) {
            return Arc::clone(unit);
        }
        let (id, stem) = (format!("{}~{size}", self.id), format!("{}~{size}", self.files.stem));
        let files = SavedFiles::new(self.files.folder.clone(), stem);
        let (name, index) = (self.name.clone(), (*self.original).clone());
        let made = Document::new(id, name, self.origin, files, None, index, Vec::new());
        let unit = Unit { map: Arc::downgrade(self), size };
        let made = Arc::new(Document { unit: Some(unit), ..made });
        units.push((size, Arc::clone(&made)));
        made
    }

    /// How many tiles wide the units are that it is for.
    pub(crate) fn unit_size(&self) -> u8 {
        self.unit.as_ref().map_or(1, |unit| unit.size)
    }

    /// An error if this is a map for larger units, which only follows another.
    pub(crate) fn check_changeable(&self) -> ApiResult<()> {
        let refusal = "a map for larger units follows the map itself: change that one, at size 1";
        if self.unit.is_some() { Err(ApiError::refused(refusal)) } else { Ok(()) }
    }

    /// What is now for the unit: made again where the walls of the map have changed.
    pub(super) fn look_as(&self, unit: &Unit) -> ApiResult<(Scene, Status)> {
        let map = unit.map.upgrade().ok_or_else(|| ApiError::not_found("the map was closed"))?;
        let (whole, status) = map.look()?;
        let old = {
            let mut inner = self.inner();
            inner.version = status.version;
            match &inner.scene {
                Some(scene) if scene.walls == status.walls => {
                    return Ok((scene.clone(), inner.status()));
                }
                old => old.as_ref().map(|scene| scene.index.clone()),
            }
        };
        let index = follow(old.as_ref(), &grown(whole.grid(), unit.size)?)?;
        let scene = Scene::new(index, (status.walls, status.walls))?;
        let _changing = self.changing();
        let mut inner = self.inner();
        inner.saved = scene.key();
        inner.opened = Some(scene.clone());
        inner.scene = Some(scene.clone());
        Ok((scene, inner.status()))
    }
}

/// An index of a map with its zones; the tables of an old one follow.
fn follow(old: Option<&Index>, grid: &Grid) -> ApiResult<Index> {
    let parts = Decomposition::water(grid, &WaterOptions::default());
    match old {
        Some(old) => Ok(turned_into(old, grid, &parts)?.0),
        None => bare(grid, &parts),
    }
}

/// The map on which a unit of this size moves as one of a single tile does.
fn grown(grid: &Grid, size: u8) -> ApiResult<Grid> {
    let class = |cell| if grid.is_free_cell(cell) { FLOOR } else { WALL };
    let ground = (0..grid.tiles()).map(|i| class(CellId::from_index(i))).collect();
    let world = World::new(grid.width(), grid.height(), ground);
    let mut world = world.map_err(ApiError::internal)?;
    let profile = Profile::new().of_size(size).moving(grid.movement()).entering([FLOOR]);
    let id = world.add(profile);
    Ok(world.index_of(id).grid().clone())
}
