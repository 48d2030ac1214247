//! The graph as a section of the index file: flat arrays, checked before use.
#![warn(clippy::arithmetic_side_effects)]

use super::level::{Edge, Level};
use super::shape::Shape;
use super::trees::ClusterTrees;
use super::{Hpa, Options, new_revision};
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::Cost;
use crate::grid::{Grid, Tile};

impl Hpa {
    /// Writes the levels; options and shape follow from the engine and the map.
    pub(crate) fn write(&self, out: &mut Writer) {
        for level in &self.levels {
            out.u32s(&level.start);
            let places = |t: &Tile| u32::from(t.y) << 16 | u32::from(t.x);
            out.u32s(&level.tile.iter().map(places).collect::<Vec<_>>());
            out.u32s(&level.below);
            out.u32s(&level.edge_start);
            out.u32s(&level.edges.iter().flat_map(|e| [e.to, e.cost.get()]).collect::<Vec<_>>());
            out.u8(level.trees.is_some().into());
            if let Some(trees) = &level.trees {
                out.u64(trees.start.len() as u64);
                trees.start.iter().for_each(|&start| out.u64(start));
                out.u64(trees.bytes.len() as u64);
                out.raw(&trees.bytes);
            }
        }
    }

    /// Reads the graph of a map by these options and checks it.
    pub(crate) fn read(
        from: &mut Reader<'_>,
        grid: &Grid,
        options: &Options,
    ) -> Result<Hpa, WireError> {
        let shape = Shape::new(grid, options.cluster, options.factor, options.levels_for(grid));
        let levels = Vec::with_capacity(shape.levels());
        let mut hpa = Hpa { options: *options, shape, levels, revision: new_revision() };
        for _ in 0..hpa.shape.levels() {
            hpa.levels.push(read_level(from)?);
        }
        hpa.levels.shrink_to_fit();
        hpa.check(grid).map_err(|error| WireError::meaning(error.to_string()))?;
        Ok(hpa)
    }
}

fn read_level(from: &mut Reader<'_>) -> Result<Level, WireError> {
    let start = from.u32s("clusters")?;
    let place = |&place: &u32| Tile::new(place as u16, (place >> 16) as u16);
    let tile = from.u32s("nodes")?.iter().map(place).collect();
    let below = from.u32s("nodes below")?;
    let edge_start = from.u32s("edge starts")?;
    let edges = from.u32s("edges")?;
    if !edges.len().is_multiple_of(2) {
        return Err(WireError::meaning("half an edge"));
    }
    let edges = edges.chunks_exact(2).map(|e| Edge { to: e[0], cost: Cost::new(e[1]) }).collect();
    let trees = match from.u8("ways")? {
        0 => None,
        1 => {
            let starts = from.count(8, "rows")?;
            let mut start = Vec::with_capacity(starts);
            for _ in 0..starts {
                start.push(from.u64("rows")?);
            }
            let count = from.count(1, "ways")?;
            Some(ClusterTrees { start, bytes: from.raw(count, "ways")?.to_vec() })
        }
        _ => return Err(WireError::meaning("ways are there or not")),
    };
    Ok(Level { start, tile, below, edge_start, edges, trees })
}
