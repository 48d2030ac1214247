//! The water-level method from the map to the decomposition, stage by stage.
//!
//! Every stage is a value of its own that can be looked at; none is changed by a later one.

use super::clean::Rule;
use super::cluster::Cluster;
use super::straighten::WallPieces;
use super::water::Water;
use super::{
    Decomposition, Gate, GateLine, Method, claims, clean, doors, hallway, lowres, narrow,
    straighten,
};
use crate::depth::DepthMap;
use crate::grid::Grid;

/// Settings of the water-level method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaterOptions {
    /// Whether gates that a person would not draw are taken away.
    pub clean: bool,
    /// Let the water rise on a map this many times smaller; 1 is the map itself. Quicker,
    /// and misses some gates.
    pub lowres: u32,
    /// Whether corridors of even width become zones, with gates at both ends.
    pub hallways: bool,
}

impl Default for WaterOptions {
    fn default() -> WaterOptions {
        WaterOptions { clean: true, lowres: 1, hallways: false }
    }
}

impl WaterOptions {
    /// Every straight gate that separates something, as the water gives them.
    pub fn raw() -> WaterOptions {
        WaterOptions { clean: false, ..WaterOptions::default() }
    }

    /// With the water rising on a map `k` times smaller.
    pub fn with_lowres(self, k: u32) -> WaterOptions {
        WaterOptions { lowres: k, ..self }
    }

    /// With or without gates at both ends of hallways.
    pub fn with_hallways(self, hallways: bool) -> WaterOptions {
        WaterOptions { hallways, ..self }
    }
}

/// What the water-level method goes through, stage by stage, for those who want to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaterStages {
    /// How deep every tile lies (algorithms 1, 4 and 5).
    pub depth: DepthMap,
    /// Lakes and gate tiles (algorithm 2).
    pub water: Water,
    /// The gate clusters that touch a wall (algorithm 3); table 3.1 counts them.
    pub clusters: Vec<Cluster>,
    /// The straight gates made from the clusters, as yet unchecked: some may separate nothing.
    pub lines: Vec<GateLine>,
    /// Short gaps in walls, which may be the doors of rooms too small for the water; only those
    /// that are much narrower than the ground beside them will stay.
    pub doors: Vec<GateLine>,
}

impl WaterStages {
    /// Runs all stages.
    pub fn new(grid: &Grid, options: &WaterOptions) -> WaterStages {
        let (depth, water) = if options.lowres > 1 {
            lowres::rise(grid, options.lowres)
        } else {
            let depth = DepthMap::new(grid);
            let water = Water::rise(grid, &depth);
            (depth, water)
        };
        let mut clusters = Cluster::all(grid, water.gate_tiles());
        clusters.retain(Cluster::is_gate);
        let pieces = WallPieces::new(grid);
        let lines = straighten::straight_gates(grid, &pieces, &clusters);
        let doors = if options.clean { doors::doors(grid) } else { Vec::new() };
        WaterStages { depth, water, clusters, lines, doors }
    }

    /// What the stages lead to by these options.
    pub fn decomposition(&self, grid: &Grid, options: &WaterOptions) -> Decomposition {
        let made = if options.clean { self.cleaned(grid) } else { self.raw(grid) };
        if !options.hallways {
            return made;
        }
        let lines = hallway::at_both_ends(grid, &made);
        let lines = clean::cut_at_crossings(grid, &lines);
        Decomposition::automatic(grid, lines, Method::Water, made.raw_gates)
    }

    /// The decomposition by all straight gates that separate something.
    pub fn raw(&self, grid: &Grid) -> Decomposition {
        let raw_gates = self.clusters.len() as u32;
        let lines = clean::cut_at_crossings(grid, &self.lines);
        Decomposition::automatic(grid, lines, Method::Water, raw_gates)
    }

    /// The decomposition without the gates that a person would not draw.
    pub fn cleaned(&self, grid: &Grid) -> Decomposition {
        let raw_gates = self.clusters.len() as u32;
        let of = |lines: &[GateLine]| {
            let claims = claims::Claims::new(grid, lines);
            Decomposition::derive(grid, lines, claims, Method::Water, raw_gates)
        };
        let doors = clean::cut_at_crossings(grid, &self.doors);
        let doors = clean::clean(grid, &of(&doors), Rule::DOORS, 0);
        let fixed = doors.len();
        let lines: Vec<GateLine> = doors.into_iter().chain(self.lines.iter().copied()).collect();
        let lines = clean::cut_at_crossings(grid, &lines);
        let lines = clean::clean(grid, &of(&lines), Rule::GATES, fixed);
        let made = of(&lines);
        let lines = narrow::at_narrowest_lines(grid, &made);
        let made = if made.lines().eq(lines.iter().copied()) {
            made
        } else {
            let moved = of(&clean::cut_at_crossings(grid, &lines));
            let kept = clean::clean(grid, &moved, Rule::GATES, 0);
            if kept.len() == moved.gates.len() { moved } else { of(&kept) }
        };
        if made.gates.iter().all(Gate::separates) {
            return made;
        }
        Decomposition::automatic(grid, made.lines().collect(), Method::Water, raw_gates)
    }
}
