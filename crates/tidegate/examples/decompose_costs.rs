//! What a decomposition takes on this machine, stage by stage:
//! `cargo run --profile quick -p tidegate --example decompose_costs -- MAP...`.
//!
//! For each map in the Moving AI format, or each side length (a generated strategy map), one line:
//! milliseconds for the depth map, the water, what comes before the cleaning as a whole, the
//! decomposition as a whole, and what [`Regions`] works out once; the least of five runs. The last
//! column is a fingerprint of zones and gates, so that two builds can be compared.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use tidegate::decompose::water::Water;
use tidegate::decompose::{WaterOptions, WaterStages};
use tidegate::depth::DepthMap;
use tidegate::generate::{Kind, generate};
use tidegate::grid::TileMap;
use tidegate::region::Regions;
use tidegate::{Decomposition, Grid, Movement};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    match run() {
        Err(error) if error.downcast_ref().is_some_and(closed) => Ok(()),
        other => other,
    }
}

/// Milliseconds, the least of five runs.
fn least<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut run = || {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..5).map(|_| run()).fold(f64::INFINITY, f64::min)
}

fn map(name: &str) -> Result<Grid, Failure> {
    if let Ok(side) = name.parse::<u32>() {
        return Ok(generate(Kind::Rts, side, side, 1)?.grid(Movement::NoCornerCutting));
    }
    let bytes = std::fs::read(name).map_err(|error| format!("{name}: {error}"))?;
    let map = TileMap::parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
    Ok(map.grid(Movement::NoCornerCutting))
}

/// FNV-1a over what each tile belongs to and the lines of the gates.
fn fingerprint(grid: &Grid, parts: &Decomposition) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut take = |text: &str| {
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for cell in grid.free_cells() {
        take(&format!("{:?}", parts.place(cell)));
    }
    take(&format!("{:?}{:?}", parts.zones(), parts.gates()));
    hash
}

fn run() -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        return Err("give the names of maps, or side lengths".into());
    }
    const COLUMNS: [&str; 5] = ["depth", "water", "before clean", "whole", "regions"];
    writeln!(out, "{:24} zones gates  {}", "ms", COLUMNS.map(|c| format!("{c:>12}")).join(" "))?;
    let mut sums = [0.0; COLUMNS.len()];
    for name in &names {
        let grid = map(name)?;
        let options = WaterOptions::default();
        let depth = DepthMap::new(&grid);
        let parts = Decomposition::water(&grid, &options);
        let figures = [
            least(|| DepthMap::new(&grid)),
            least(|| Water::rise(&grid, &depth)),
            least(|| WaterStages::new(&grid, &options)),
            least(|| Decomposition::water(&grid, &options)),
            least(|| {
                let regions = Regions::new(&grid, &parts);
                let first = parts.zones().first().map(|zone| zone.id());
                first.map(|zone| (regions.deepest(zone), regions.breadth(zone)))
            }),
        ];
        sums.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
        let short = std::path::Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let (zones, gates) = (parts.live_zones().count(), parts.gates().len());
        let figures = figures.map(|f| format!("{f:12.2}")).join(" ");
        let print = fingerprint(&grid, &parts);
        writeln!(out, "{short:24} {zones:5} {gates:5}  {figures} {print:016x}")?;
    }
    let means = sums.map(|sum| format!("{:12.2}", sum / names.len() as f64)).join(" ");
    writeln!(out, "{:24} {:11}  {means}", "mean", "")?;
    Ok(())
}
