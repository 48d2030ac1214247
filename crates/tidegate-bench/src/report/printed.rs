//! What the documents print, for comparison: facts with their place.

/// A summary table of the thesis: octile and gateway over a set of maps.
pub(super) struct Summary {
    pub(super) table: &'static str,
    pub(super) of: &'static str,
    pub(super) set: &'static str,
    pub(super) maps: usize,
    /// Mean seconds and expansions with the octile heuristic.
    pub(super) octile: (f64, f64),
    /// The same with the gateway heuristic.
    pub(super) gateway: (f64, f64),
    pub(super) speedup: &'static str,
}

/// Tables 4.1 to 4.4 of the thesis.
pub(super) const SUMMARIES: [Summary; 4] = [
    Summary {
        table: "4.1",
        of: "all 30 StarCraft maps",
        set: "sc1",
        maps: 30,
        octile: (0.605, 48_033.0),
        gateway: (0.495, 32_002.0),
        speedup: "22 %",
    },
    Summary {
        table: "4.2",
        of: "the 21 best of them",
        set: "sc1",
        maps: 21,
        octile: (0.65, 51_784.0),
        gateway: (0.433, 29_555.0),
        speedup: "50 %",
    },
    Summary {
        table: "4.3",
        of: "all 30, five mended by hand",
        set: "sc1",
        maps: 30,
        octile: (0.604, 48_033.0),
        gateway: (0.43, 29_327.0),
        speedup: "40 %",
    },
    Summary {
        table: "4.4",
        of: "38 maps of Baldur's Gate II",
        set: "bg512",
        maps: 38,
        octile: (0.09, 8_369.0),
        gateway: (0.067, 5_856.0),
        speedup: "34 %",
    },
];

/// Table 3.1 of the thesis: map, gates, seconds, seconds at low resolution (0: not given).
pub(super) const GATES: [(&str, f64, f64, f64); 19] = [
    ("AcrosstheCape", 57.0, 7.71, 0.14),
    ("ArcticStation", 82.0, 10.15, 0.40),
    ("Backwoods", 79.0, 3.59, 0.07),
    ("BigGameHunters", 20.0, 2.26, 0.044),
    ("BlackLotus", 63.0, 5.01, 0.12),
    ("BlastFurnace", 68.0, 9.55, 0.17),
    ("BrokenSteppes", 86.0, 12.23, 0.27),
    ("Brushfire", 29.0, 1.14, 0.045),
    ("CatwalkAlley", 98.0, 4.56, 0.12),
    ("Cauldron", 140.0, 18.70, 0.66),
    ("Crossroads", 54.0, 8.91, 0.19),
    ("DarkContinent", 46.0, 4.92, 0.12),
    ("Elderlands", 42.0, 10.54, 0.19),
    ("Enigma", 64.0, 4.16, 0.12),
    ("FireWalker", 16.0, 1.35, 0.03),
    ("FloodedPlains", 85.0, 8.83, 0.26),
    ("GladiatorPits", 76.0, 6.49, 0.13),
    ("AR0205SR", 41.0, 1.31, 0.0),
    ("AR0406SR", 60.0, 0.73, 0.0),
];

/// Table 2.1 of the thesis (table 1 of the paper of 2006), the nine game maps: selection,
/// measure, octile, dead-end, gateway.
pub(super) const ROOMS: [(&str, &str, [f64; 3]); 8] = [
    ("all", "path cost", [10_339.0; 3]),
    ("all", "estimate", [7_788.0, 7_788.0, 9_884.0]),
    ("all", "nodes", [1_231.0, 1_120.0, 723.0]),
    ("all", "time", [27.3, 24.6, 22.6]),
    ("top 10%", "path cost", [20_468.0; 3]),
    ("top 10%", "estimate", [13_290.0, 13_290.0, 19_731.0]),
    ("top 10%", "nodes", [3_701.0, 3_370.0, 2_313.0]),
    ("top 10%", "time", [69.2, 60.7, 54.5]),
];

/// The paper on decomposition (AIIDE 2015): savings of the gateway heuristic on the maps of
/// its table, in expansions and in time.
pub(super) const SAVINGS: (f64, f64) = (0.43, 0.32);

/// Table 2 of the HPA* paper: nodes, inter-edges and intra-edges that are on level 0 to 3.
pub(super) const HPA_SIZES: [[f64; 3]; 4] =
    [[4_469.0, 16_420.0, 0.0], [367.0, 198.0, 722.0], [181.0, 98.0, 662.0], [89.0, 48.0, 462.0]];

/// Table 3 of the HPA* paper: mean open lists of the low level, main, insertion, refinement.
pub(super) const HPA_OPEN: [f64; 4] = [51.24, 17.23, 4.50, 5.48];
