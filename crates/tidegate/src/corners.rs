//! corners
#![allow(missing_docs)]
mod hierarchy;
mod order;
mod query;
mod slab;
mod vias;

use crate::grid::{Grid, Movement, Tile};
use crate::taut::{CornerBits, CornerGraph, Rules};
use hierarchy::{Corner, Hierarchy};
use vias::Vias;
pub use query::CornerScratch;

#[derive(Clone, Debug)]
pub struct Corners {
    movement: Movement,
    rules: &'static Rules,
    bits: CornerBits,
    hierarchy: Hierarchy,
    vias: Vias,
}

fn spread(v: u16) -> u32 {
    let mut x = u32::from(v);
    x = (x | x << 8) & 0x00FF00FF;
    x = (x | x << 4) & 0x0F0F0F0F;
    x = (x | x << 2) & 0x33333333;
    (x | x << 1) & 0x55555555
}

impl Corners {
    pub fn build(grid: &Grid) -> Option<Corners> {
        let rules = Rules::of(grid.movement());
        let t = std::time::Instant::now();
        let bits = CornerBits::new(grid, rules);
        let mut corners = bits.corners();
        corners.sort_unstable_by_key(|(t, _)| spread(t.x) | spread(t.y) << 1);
        eprintln!("bits {:?}", t.elapsed());
        let graph = CornerGraph::new(&bits, rules, &corners);
        eprintln!("graph {:?} corners {} edges {}", t.elapsed(), graph.len(), (0..graph.len() as u32).map(|c| graph.edges(c).len()).sum::<usize>());
        let ranks = order::ranks(rules, &graph).ok()?;
        eprintln!("order {:?}", t.elapsed());
        let list = corners.iter().zip(&ranks).map(|(&(tile, pattern), &rank)| Corner { tile, pattern, rank }).collect();
        let hierarchy = Hierarchy::contract(rules, list, |c, visit| graph.edges(c).iter().for_each(|e| visit(e.to)));
        let used: usize = hierarchy.used.iter().map(|&u| usize::from(u)).sum();
        let all: usize = (0..graph.len() as u32).map(|c| hierarchy.up.get(c).len()).sum();
        eprintln!("contracted {:?} arcs {all} used {used}", t.elapsed());
        let vias = Vias::new((grid.width(), grid.height()), &bits, rules, &graph);
        eprintln!("vias {:?}", t.elapsed());
        eprintln!("bytes: bits {} hierarchy {} vias {}", bits.bytes(), hierarchy.bytes(), vias.bytes());
        Some(Corners { movement: grid.movement(), rules, bits, hierarchy, vias })
    }
}
