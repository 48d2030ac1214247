//! What the questions of bots take on this machine:
//! `cargo run --profile quick -p tidegate --example region_verbs -- MAP...`.
//!
//! For each map in the Moving AI format one line: the mean time of a question in microseconds,
//! over many gates and pairs of tiles, the least of five runs, so that what else runs on the
//! machine matters little. What is worked out once (`first`) has columns of its own. The last line
//! has the means over the maps.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use tidegate::decompose::WaterOptions;
use tidegate::grid::TileMap;
use tidegate::region::{Avoid, Regions};
use tidegate::rng::Rng;
use tidegate::{Decomposition, Movement, Tile};

type Failure = Box<dyn std::error::Error>;

const COLUMNS: [&str; 14] = [
    "zone of",
    "near gate",
    "first promi",
    "first choke",
    "first loops",
    "choke 10",
    "route",
    "avoid",
    "3 routes",
    "widest",
    "pieces",
    "sides",
    "hold",
    "to line",
];

fn main() -> Result<(), Failure> {
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    match run() {
        Err(error) if error.downcast_ref().is_some_and(closed) => Ok(()),
        other => other,
    }
}

/// Microseconds for each of `count` questions, the least of five runs.
fn least(count: usize, mut ask: impl FnMut(usize)) -> f64 {
    let mut run = || {
        let start = Instant::now();
        (0..count).for_each(&mut ask);
        start.elapsed().as_secs_f64() * 1e6 / count.max(1) as f64
    };
    (0..5).map(|_| run()).fold(f64::INFINITY, f64::min)
}

fn run() -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        return Err("give the names of maps".into());
    }
    writeln!(
        out,
        "{:24} zones gates  {}",
        "us each",
        COLUMNS.map(|c| format!("{c:>11}")).join(" ")
    )?;
    let (mut sums, mut maps) = ([0.0; COLUMNS.len()], 0);
    for name in &names {
        let bytes = std::fs::read(name).map_err(|error| format!("{name}: {error}"))?;
        let map = TileMap::parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
        let grid = map.grid(Movement::NoCornerCutting);
        let parts = Decomposition::water(&grid, &WaterOptions::default());
        let regions = Regions::new(&grid, &parts);
        // Pairs of deepest tiles of zones with gates, and gates, both at random.
        let zones: Vec<Tile> = parts
            .live_zones()
            .filter(|zone| !zone.gates().is_empty())
            .map(|zone| regions.deepest(zone.id()))
            .collect();
        let gates: Vec<_> = parts.live_gates().filter(|gate| gate.separates()).collect();
        if gates.is_empty() {
            writeln!(out, "{name}: no gates")?;
            continue;
        }
        let mut rng = Rng::new(1);
        let asked: Vec<_> = (0..200)
            .map(|_| {
                let (from, to) = (zones[rng.below(zones.len())], zones[rng.below(zones.len())]);
                (from, to, gates[rng.below(gates.len())])
            })
            .collect();
        let (n, none) = (asked.len(), Avoid::new());
        let fresh = || {
            let regions = Regions::new(&grid, &parts);
            black_box(regions.deepest(parts.zones()[0].id()));
            regions
        };
        let once = |ask: &dyn Fn(&Regions<'_>)| {
            let time = || {
                let regions = fresh();
                let start = Instant::now();
                ask(&regions);
                start.elapsed().as_secs_f64() * 1e6
            };
            (0..5).map(|_| time()).fold(f64::INFINITY, f64::min)
        };
        let figures = [
            least(n, |i| _ = black_box(regions.zone_of(asked[i].0))),
            least(n, |i| _ = black_box(regions.nearest_gate(asked[i].0))),
            once(&|regions| _ = black_box(regions.prominence(gates[0].id()))),
            once(&|regions| _ = black_box(regions.choke_points(10))),
            once(&|regions| _ = black_box(regions.loops())),
            least(n, |_| _ = black_box(regions.choke_points(10))),
            least(n, |i| drop(black_box(regions.shortest_route(asked[i].0, asked[i].1, &none)))),
            least(n, |i| {
                let avoid = Avoid::new().with_gates([asked[i].2.id()]);
                drop(black_box(regions.shortest_route(asked[i].0, asked[i].1, &avoid)));
            }),
            least(n, |i| drop(black_box(regions.routes(asked[i].0, asked[i].1, 3, &none)))),
            least(n, |i| drop(black_box(regions.widest_route(asked[i].0, asked[i].1, &none)))),
            least(n, |i| drop(black_box(regions.pieces_without(asked[i].2.id())))),
            least(n, |i| drop(black_box(regions.gate_sides(asked[i].2.id())))),
            least(n, |i| {
                let gate = asked[i].2;
                black_box(regions.holding_tile(gate.id(), gate.zones()[0], 24));
            }),
            least(n, |i| {
                black_box(regions.distance_to_line(asked[i].0, asked[i].2.id()));
            }),
        ];
        maps += 1;
        sums.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
        let short = std::path::Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let figures = figures.map(|f| format!("{f:11.2}")).join(" ");
        writeln!(out, "{short:24} {:5} {:5}  {figures}", zones.len(), gates.len())?;
    }
    let means = sums.map(|sum| format!("{:11.2}", sum / f64::from(maps.max(1)))).join(" ");
    writeln!(out, "{:24} {:11}  {means}", "mean", "")?;
    Ok(())
}
