//! Long checks that no figure shows: a failure ends the run with the map and the seed.

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use tidegate::corners::{CornerScratch, Corners};
use tidegate::cost::Cost;
use tidegate::decompose::{Decomposition, WaterOptions};
use tidegate::generate::{Kind, Options as Wanted};
use tidegate::hpa::{Hpa, HpaScratch, Options};
use tidegate::labels::{Form, LabelOptions, LabelScratch, Labels};
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Path, Tile};
use tidegate_testkit::{maps, oracle};

use super::{Experiment, Lab};
use crate::notebook::Rows;

/// One check that held.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// What was checked.
    pub property: String,
    /// On what.
    pub on: String,
    /// How many maps or edits.
    pub cases: usize,
    /// How many single comparisons.
    pub comparisons: usize,
}

/// The experiment.
pub struct Properties;

const DECOMPOSITIONS: &str = "decompositions are valid, the same bytes from two threads";
const LABELS: &str = "labels answer all pairs as textbook Dijkstra";
const CORNERS: &str = "corners answer all pairs as textbook Dijkstra";
const REPAIRS: &str = "a repaired HPA* graph equals a rebuilt one";

impl Experiment for Properties {
    fn name(&self) -> &'static str {
        "properties"
    }

    fn about(&self) -> &'static str {
        "long checks: valid decompositions, exact labels and corners, repairs"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let mut units: Vec<String> =
            lab.suite.sets()?.into_iter().map(|set| format!("zones:{set}")).collect();
        units.push("zones:generated".into());
        units.extend(Movement::ALL.map(|rule| format!("labels:{rule}")));
        units.extend(Movement::ALL.map(|rule| format!("corners:{rule}")));
        units.push("repairs:small maps".into());
        Ok(units)
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let (kind, on) = unit.split_once(':').context("a property and its ground")?;
        let (property, cases, comparisons) = match (kind, on) {
            ("zones", "generated") => (DECOMPOSITIONS, generated_zones(lab.count(500) as u64)?, 5),
            ("zones", set) => (DECOMPOSITIONS, zones_of(lab, set)?, 5),
            ("labels" | "corners", rule) => {
                let movement = Movement::from_name(rule).context("a rule of movement")?;
                let (property, (maps, pairs)) = match kind {
                    "labels" => (LABELS, exact_labels(lab, movement)?),
                    _ => (CORNERS, exact_corners(lab, movement)?),
                };
                return rows.push(&Row {
                    property: property.into(),
                    on: format!("maps of 4 x 4 and small maps, {rule}"),
                    cases: maps,
                    comparisons: pairs,
                });
            }
            ("repairs", _) => (REPAIRS, repairs(lab.count(10_000))?, 2),
            _ => bail!("no such property"),
        };
        let comparisons = cases * comparisons;
        rows.push(&Row { property: property.into(), on: on.into(), cases, comparisons })
    }
}

fn zones_of(lab: &Lab, set: &str) -> Result<usize> {
    let cases = lab.cases(&[set])?;
    for case in &cases {
        check_decompositions(&case.grid(Movement::default())?, &format!("{set}/{}", case.map))?;
    }
    Ok(cases.len())
}

fn generated_zones(count: u64) -> Result<usize> {
    for seed in 0..count {
        let kind = Kind::ALL[seed as usize % Kind::ALL.len()];
        let (width, height) = match seed / 5 % 20 {
            0 => (1, 1 + seed as u32 % 97),
            1 => (1 + seed as u32 % 97, 1),
            2 => (3, 3),
            3 => (4096, 8),
            4 => (8, 1024),
            5 => (2, 50),
            _ => (5 + (seed * 37 % 120) as u32, 5 + (seed * 53 % 90) as u32),
        };
        let mut options = Wanted::new(kind, width, height, seed);
        // All free, all wall and everything between.
        options.percent = [0, 100, 10, 25, 40][(seed / 5 % 5) as usize];
        let movement = Movement::ALL[(seed / 7 % 3) as usize];
        let name = format!("{kind} {width}x{height} seed {seed} {movement}");
        check_decompositions(&options.generate()?.grid(movement), &name)?;
    }
    Ok(count as usize)
}

/// Both methods, all options: valid, and the same bytes from two threads.
fn check_decompositions(grid: &Grid, name: &str) -> Result<()> {
    let all = || {
        let options = WaterOptions::default();
        [
            Decomposition::water(grid, &options),
            Decomposition::water(grid, &WaterOptions::raw()),
            Decomposition::water(grid, &options.with_hallways(true)),
            Decomposition::water(grid, &options.with_lowres(4)),
            Decomposition::rooms(grid),
        ]
    };
    let (one, two) = std::thread::scope(|scope| {
        let other = scope.spawn(all);
        (all(), other.join())
    });
    let two = two.map_err(|_| anyhow::anyhow!("{name}: a panic"))?;
    for (a, b) in one.iter().zip(&two) {
        a.check(grid).map_err(|violation| anyhow::anyhow!("{name}: {violation}"))?;
        ensure!(a.to_json(grid) == b.to_json(grid), "{name}: other bytes from another thread");
    }
    Ok(())
}

/// All (in a quick run: some) maps of 4 x 4 tiles, then small maps of every shape, each with
/// a seed. Returns how many maps there are, and the sum of what `check` says.
fn on_small_maps(
    lab: &Lab,
    movement: Movement,
    mut check: impl FnMut(&Grid, u64) -> Result<usize>,
) -> Result<(usize, usize)> {
    let (mut count, mut pairs) = (0, 0);
    let step = if lab.scale.quick { 97 } else { 1 };
    for bits in (0_u32..1 << 16).step_by(step) {
        let grid = Grid::from_fn(4, 4, movement, |x, y| bits >> (4 * y + x) & 1 != 0)?;
        pairs += check(&grid, 0)?;
        count += 1;
    }
    for seed in 0..lab.count(2_000) as u64 {
        let grid = maps::small(seed, movement);
        if grid.free_tiles() <= 500 {
            pairs += check(&grid, seed)?;
            count += 1;
        }
    }
    Ok((count, pairs))
}

fn exact_labels(lab: &Lab, movement: Movement) -> Result<(usize, usize)> {
    let mut scratch = LabelScratch::new();
    on_small_maps(lab, movement, |grid, seed| {
        let form = [Form::Auto, Form::Fast, Form::Small][seed as usize % 3];
        let labels = Labels::build(grid, &LabelOptions { form, seed, ..LabelOptions::default() })?;
        all_pairs(grid, |s, t, path| {
            let distance = labels.distance(s, t, &mut scratch);
            (distance, labels.path(s, t, &mut scratch, path))
        })
    })
}

fn exact_corners(lab: &Lab, movement: Movement) -> Result<(usize, usize)> {
    let mut scratch = CornerScratch::new();
    on_small_maps(lab, movement, |grid, _| {
        let corners = Corners::build(grid)?;
        all_pairs(grid, |s, t, path| {
            let distance = corners.distance(s, t, &mut scratch);
            (distance, corners.path(s, t, &mut scratch, path))
        })
    })
}

/// All pairs of a map against the oracle; returns how many there are. `find` gives the
/// distance, and the cost of the path that it writes.
fn all_pairs(
    grid: &Grid,
    mut find: impl FnMut(Tile, Tile, &mut Path) -> (Option<Cost>, Option<Cost>),
) -> Result<usize> {
    let mut path = Path::new();
    let tiles: Vec<Tile> = grid.free_cells().map(|c| grid.tile(c)).collect();
    for &s in &tiles {
        let truth = oracle::distances(grid, s);
        for &t in &tiles {
            let cell = grid.cell(t).context("a tile of the map")?;
            let expected = truth[cell.index()].map(|c| Cost::new(c as u32));
            let found = find(s, t, &mut path);
            ensure!(
                found == (expected, expected),
                "{grid:?} from {s} to {t}: {found:?}, not {expected:?}"
            );
            if let Some(cost) = expected {
                path.check_answer(grid, s, t, cost)?;
            }
        }
    }
    Ok(tiles.len() * tiles.len())
}

/// Maps of several kinds, edited one tile at a time; after every edit the graph equals a
/// fresh one, and a query is answered as the oracle does.
fn repairs(wanted: usize) -> Result<usize> {
    let (mut edits, mut seed) = (0, 0);
    let (mut scratch, mut path) = (HpaScratch::new(), Path::new());
    while edits < wanted {
        seed += 1;
        let mut grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let mut rng = Rng::new(seed);
        let base = if rng.chance(50) { Options::default() } else { Options::paper() };
        let levels = Some(1 + rng.below(3) as u32);
        let options = Options { cluster: 3 + rng.below(8) as u32, levels, ..base };
        let mut hpa = Hpa::build(&grid, &options)?;
        for _ in 0..50 {
            let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
            let tile = Tile::new(x as u16, y as u16);
            let free = !grid.is_free(tile);
            grid.set_free(tile, free);
            hpa.repair(&grid, &[tile]);
            edits += 1;
            let fresh = Hpa::build(&grid, &options)?;
            ensure!(hpa.same_graph(&fresh), "seed {seed}: repair differs after {tile}\n{grid:?}");
            let [a, b] = maps::free_tiles(&grid, 2, &mut rng)[..] else { continue };
            let ours = hpa.planner(&grid).find(a, b, &mut scratch, &mut path);
            let least = oracle::distance(&grid, a, b);
            ensure!(ours.is_some() == least.is_some(), "seed {seed}: {a} to {b}\n{grid:?}");
            if let Some(ours) = ours {
                path.check_answer(&grid, a, b, ours)?;
            }
        }
    }
    Ok(edits)
}
