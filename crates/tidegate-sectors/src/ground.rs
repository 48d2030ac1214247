//! A map's sectors with the tiles that paths are led through: fixed, shared by planners.
//!
//! It says where sub-goals are, not whether they can be reached: that is looked up when
//! a path is asked for, so that walls may come and go.

use crate::cover::Cover;
use crate::gates::GateGraph;
use crate::hierarchy::{Hierarchy, SectorId};
use crate::triangles::{Triangles, TrianglesError};
use crate::zones::ZoneTree;
use tidegate::decompose::Decomposition;
use tidegate::depth;
use tidegate::grid::{CellId, Grid, Tile};

/// Where a path through a triangle is led.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SubGoal {
    /// Through the tile at the centroid, as in the paper.
    #[default]
    Centroid,
    /// Through the tile furthest from any wall; of equals the first in row order.
    Deepest,
}

/// A hierarchy of sectors and their sub-goals.
#[derive(Clone, Debug)]
pub struct Ground {
    shape: Shape,
    /// What distinguishes this ground from others, for saved states.
    mark: [u8; 16],
}

/// What the sectors are.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Triangles with a sub-goal each.
    Triangles(Triangles, Vec<Tile>),
    /// Zones, crossed from gate to gate.
    Zones(ZoneTree, Box<GateGraph>),
}

impl Ground {
    /// The paper's ground: triangles, halved at most `levels` times, crossed by the
    /// tiles at their centroids.
    pub fn triangles(grid: &Grid, levels: u8) -> Result<Ground, TrianglesError> {
        Ground::triangles_through(grid, levels, SubGoal::Centroid)
    }

    /// Triangles with sub-goals of another kind.
    pub fn triangles_through(
        grid: &Grid,
        levels: u8,
        sub_goal: SubGoal,
    ) -> Result<Ground, TrianglesError> {
        let triangles = Triangles::new(grid.width(), grid.height(), levels)?;
        let aims = match sub_goal {
            SubGoal::Centroid => centroids(&triangles),
            SubGoal::Deepest => deepest(grid, &triangles),
        };
        Ok(Ground::new(Shape::Triangles(triangles, aims)))
    }

    /// Sectors that follow a decomposition of the map: its zones, crossed from gate to
    /// gate.
    pub fn zones(grid: &Grid, decomposition: &Decomposition) -> Ground {
        let gates = GateGraph::new(grid, decomposition);
        Ground::new(Shape::Zones(ZoneTree::new(decomposition), Box::new(gates)))
    }

    fn new(shape: Shape) -> Ground {
        let mut ground = Ground { shape, mark: [0; 16] };
        let mut hash = blake3::Hasher::new();
        hash.update(b"tidegate sectors 1");
        for sector in ground.all() {
            let parent = ground.hierarchy().parent(sector);
            let parent = parent.map_or(u32::MAX, |p| p.index() as u32);
            hash.update(&parent.to_le_bytes());
        }
        for tile in ground.sub_goals() {
            hash.update(&tile.x.to_le_bytes());
            hash.update(&tile.y.to_le_bytes());
        }
        ground.mark.copy_from_slice(&hash.finalize().as_bytes()[..16]);
        ground
    }

    /// All sectors there may be.
    pub fn hierarchy(&self) -> &dyn Hierarchy {
        match &self.shape {
            Shape::Triangles(triangles, _) => triangles,
            Shape::Zones(zones, _) => zones,
        }
    }

    /// The triangles, if the sectors are triangles.
    pub fn as_triangles(&self) -> Option<&Triangles> {
        match &self.shape {
            Shape::Triangles(triangles, _) => Some(triangles),
            Shape::Zones(..) => None,
        }
    }

    /// The sub-goal of a triangle: the tile a path that crosses it is led through if it
    /// can be. `None` for zones, which are crossed from gate to gate.
    pub fn aim(&self, sector: SectorId) -> Option<Tile> {
        match &self.shape {
            Shape::Triangles(_, aims) => Some(aims[sector.index()]),
            Shape::Zones(..) => None,
        }
    }

    /// The sub-goals with these sectors in use, walls included: one tile of every
    /// triangle, or all tiles of the gates between two sectors.
    pub fn stops(&self, cover: &Cover) -> Vec<Tile> {
        match &self.shape {
            Shape::Triangles(triangles, aims) => {
                cover.leaves(triangles).map(|sector| aims[sector.index()]).collect()
            }
            Shape::Zones(zones, gates) => {
                let between = |&gate: &u32| {
                    let sector = |&zone: &u32| cover.sector_of(zones, gates.sample(zone));
                    let mut sectors = gates.zones_of(gate).iter().map(sector);
                    let first = sectors.next();
                    sectors.any(|sector| Some(sector) != first)
                };
                let gates_between = (0..gates.len() as u32).filter(between);
                gates_between.flat_map(|gate| gates.tiles(gate).iter().copied()).collect()
            }
        }
    }

    /// Every tile that may become a sub-goal.
    pub fn sub_goals(&self) -> Vec<Tile> {
        match &self.shape {
            Shape::Triangles(_, aims) => aims.clone(),
            Shape::Zones(_, gates) => gates.all_tiles().collect(),
        }
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What distinguishes this ground from others: a saved state only fits its own.
    pub fn mark(&self) -> [u8; 16] {
        self.mark
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let sub_goals = match &self.shape {
            Shape::Triangles(_, aims) => aims.len() * size_of::<Tile>(),
            Shape::Zones(_, gates) => gates.bytes(),
        };
        self.hierarchy().bytes() + sub_goals
    }

    fn all(&self) -> impl Iterator<Item = SectorId> + use<> {
        (0..self.hierarchy().len()).map(SectorId::from_index)
    }
}

fn centroids(triangles: &Triangles) -> Vec<Tile> {
    (0..triangles.len()).map(|i| triangles.centroid(SectorId::from_index(i))).collect()
}

/// The deepest tile of every sector; the centroid where a sector has no free tile.
fn deepest(grid: &Grid, triangles: &Triangles) -> Vec<Tile> {
    let mut aims = centroids(triangles);
    let mut best = vec![0; triangles.len()];
    for (i, &depth) in depth::nearest_walls(grid).iter().enumerate().filter(|&(_, &d)| d > 0) {
        let tile = grid.tile(CellId::from_index(i));
        let mut at = Some(triangles.root_of(tile));
        while let Some(sector) = at {
            if depth > best[sector.index()] {
                (best[sector.index()], aims[sector.index()]) = (depth, tile);
            }
            at = triangles.halves(sector).map(|halves| halves[triangles.half_of(sector, tile)]);
        }
    }
    aims
}
