//! What a map is opened with: saved work beside it, else the zones it came with, else water.

use std::sync::{Arc, PoisonError};

use tidegate::decompose::WaterOptions;
use tidegate::{Decomposition, Grid, Tile};

use super::scene::turned_into;
use super::{Document, Scene, Status};
use crate::api_error::ApiResult;
use crate::saved::Beside;

impl Document {
    /// What is now, and its version. The first look takes the map apart: not for the threads
    /// that answer.
    pub(crate) fn look(&self) -> ApiResult<(Scene, Status)> {
        let _one_at_a_time = self.first_look.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(unit) = &self.unit {
            return self.look_as(unit);
        }
        {
            let inner = self.inner();
            if let Some(scene) = &inner.scene {
                return Ok((scene.clone(), inner.status()));
            }
        }
        let beside = self.files.open(self.original.grid());
        let original = self.original_parts();
        let (grid, parts) = match &beside {
            Beside::Work { grid, parts, .. } => (&**grid, parts),
            _ => (self.original.grid(), &original),
        };
        let (index, _) = turned_into(&self.original, grid, parts)?;
        let scene = Scene::new(index, (1, 1))?;
        let recoveries = self.find_recoveries(&scene);
        let mut inner = self.inner();
        inner.beside = beside;
        inner.recoveries = recoveries;
        inner.opened = Some(scene.clone());
        inner.scene = Some(scene.clone());
        Ok((scene, inner.status()))
    }

    /// Zones and gates of the map as it came.
    pub(super) fn original_parts(&self) -> Arc<Decomposition> {
        let made = || Decomposition::water(self.original.grid(), &WaterOptions::default());
        Arc::new(self.original.decomposition().cloned().unwrap_or_else(made))
    }

    /// Whether walls are not those of the map as it came.
    pub(crate) fn walls_differ(&self, grid: &Grid) -> bool {
        grid.free_bits() != self.original.grid().free_bits()
    }

    /// The saved work that lay beside the map when it was opened.
    pub(crate) fn beside(&self) -> Beside {
        self.inner().beside.clone()
    }

    /// A query that shows something: the longest problem, else two far ends of the map.
    pub(crate) fn sample(&self) -> Option<(Tile, Tile)> {
        let (index, problems) = (self.index(), self.problems());
        let grid = index.grid();
        let longest = problems
            .iter()
            .filter(|p| grid.is_free(p.start) && grid.is_free(p.goal))
            .max_by(|a, b| a.length.total_cmp(&b.length));
        longest.map(|p| (p.start, p.goal)).or_else(|| {
            let components = index.components();
            let sizes = components.sizes();
            let largest = (0..sizes.len() as u32).max_by_key(|&n| sizes[n as usize])?;
            let mut inside = grid.free_cells().filter(|&c| components.number(c) == Some(largest));
            let first = inside.next()?;
            let last = inside.last().unwrap_or(first);
            Some((grid.tile(first), grid.tile(last)))
        })
    }
}
