//! Which corners a tile may go to first: lists per block of 8 x 8 tiles.
//!
//! A block lists the corners that any of its tiles is connected to, each with a mask of
//! those tiles. Most masks occur in many blocks, so a list holds their numbers.

use std::collections::HashMap;

use crate::grid::Tile;
use crate::taut::{CornerBits, CornerGraph, Rules, Span};

/// The corners that the tiles of a block are connected to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Via {
    pub(super) corner: u32,
    pub(super) mask: u32,
}

/// The lists of all blocks.
#[derive(Clone, Debug)]
pub(super) struct Vias {
    pub(super) across: u32,
    pub(super) first: Vec<u32>,
    pub(super) corners: Vec<u32>,
    pub(super) mask_of: Vec<u16>,
    pub(super) masks: Vec<u64>,
}

impl Vias {
    pub(super) fn new(size: (u32, u32), bits: &CornerBits, rules: &Rules, graph: &CornerGraph) -> Vias {
        let (across, down) = (size.0.div_ceil(8), size.1.div_ceil(8));
        let blocks = (across * down) as usize;
        // By corner: its blocks and the tiles it sees there.
        let mut all: Vec<(u32, u32, u64)> = Vec::new();
        let mut seen: Vec<u64> = vec![0; blocks];
        let mut touched: Vec<u32> = Vec::new();
        for corner in 0..graph.len() as u32 {
            let (tile, pattern) =
                (graph.tiles[corner as usize], graph.patterns[corner as usize]);
            bits.each_span(rules, tile, rules.ends(pattern), |span| {
                each_block(span, across, |block, mask| {
                    if seen[block as usize] == 0 {
                        touched.push(block);
                    }
                    seen[block as usize] |= mask;
                });
            });
            for block in touched.drain(..) {
                all.push((block, corner, std::mem::take(&mut seen[block as usize])));
            }
        }
        all.sort_unstable();
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let mut masks = Vec::new();
        let mut first = vec![0; blocks + 1];
        let mut corners = Vec::with_capacity(all.len());
        let mut mask_of = Vec::with_capacity(all.len());
        for &(block, corner, mask) in &all {
            first[block as usize + 1] += 1;
            corners.push(corner);
            let number = *numbers.entry(mask).or_insert_with(|| {
                masks.push(mask);
                masks.len() as u32 - 1
            });
            mask_of.push(number as u16);
        }
        (0..blocks).for_each(|b| first[b + 1] += first[b]);
        eprintln!("vias {} masks {} per block {:.1}", all.len(), masks.len(), all.len() as f64 / blocks as f64);
        Vias { across, first, corners, mask_of, masks }
    }

    /// The corners that a tile is connected to.
    #[inline]
    pub(super) fn each(&self, tile: Tile, mut visit: impl FnMut(u32)) {
        let block = (u32::from(tile.y) >> 3) * self.across + (u32::from(tile.x) >> 3);
        let lane = u32::from(tile.y & 7) << 3 | u32::from(tile.x & 7);
        let range = self.first[block as usize] as usize..self.first[block as usize + 1] as usize;
        for (&corner, &mask) in self.corners[range.clone()].iter().zip(&self.mask_of[range]) {
            if self.masks[usize::from(mask)] >> lane & 1 != 0 {
                visit(corner);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        4 * self.first.len() + 6 * self.corners.len() + 8 * self.masks.len()
    }
}

/// Cuts a span into blocks: for each its number and the mask of the tiles.
#[inline]
fn each_block(span: Span, across: u32, mut visit: impl FnMut(u32, u64)) {
    let (first, last) = if span.up {
        (span.position + 1, span.position + span.count)
    } else {
        (span.position - span.count, span.position - 1)
    };
    let (line, first, last) = (span.line as u32, first as u32, last as u32);
    for part in first >> 3..=last >> 3 {
        let low = if part == first >> 3 { first & 7 } else { 0 };
        let high = if part == last >> 3 { last & 7 } else { 7 };
        // Tiles low to high of the eight: in a row side by side, in a column 8 apart.
        if span.upright {
            let tiles = 0x0101_0101_0101_0101_u64 >> (8 * (7 - (high - low))) << (8 * low);
            visit(part * across + (line >> 3), tiles << (line & 7));
        } else {
            let tiles = 0xFF_u64 >> (7 - (high - low)) << low;
            visit((line >> 3) * across + part, tiles << (8 * (line & 7)));
        }
    }
}
