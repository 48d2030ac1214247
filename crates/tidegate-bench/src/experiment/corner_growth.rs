//! How `corners` grows with the map: generated strategy maps of doubling sides, beside
//! `jps`. Every answer is compared with that of `jps`, and every path is walked.

use std::hint::black_box;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::corners::{CornerScratch, Corners};
use tidegate::generate::{Kind, generate};
use tidegate::jps::JpsMap;
use tidegate::{Index, Movement, Path, Query, Scratch, Tile, engine};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::{Times, micros};

/// One map; times of queries in microseconds, least of three rounds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// Tiles a side.
    pub side: u32,
    /// Free tiles.
    pub free_tiles: usize,
    /// Problems.
    pub problems: usize,
    /// Corners of the map.
    pub corners: usize,
    /// Arcs of the hierarchy.
    pub arcs: usize,
    /// Bytes.
    pub bytes: usize,
    /// Seconds of processor time to build, on one core.
    pub build_s: f64,
    /// Mean corners expanded by a query.
    pub expanded: f64,
    /// Mean time of a distance.
    pub distance_us: f64,
    /// Mean time of the turning points.
    pub turns_us: f64,
    /// Mean time of every tile.
    pub path_us: f64,
    /// p99 of that.
    pub path_p99_us: f64,
    /// Mean time of every tile by `jps`.
    pub jps_us: f64,
    /// Mean tiles of a path.
    pub tiles: f64,
}

/// The experiment.
pub struct CornerGrowth;

impl Experiment for CornerGrowth {
    fn name(&self) -> &'static str {
        "corner-growth"
    }

    fn about(&self) -> &'static str {
        "corners: build, memory and answers on maps that grow"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let sides: &[u32] =
            if lab.scale.quick { &[256, 512] } else { &[256, 512, 1024, 2048, 4096] };
        Ok(sides.iter().map(u32::to_string).collect())
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let side = unit.parse()?;
        let made = generate(Kind::Rts, side, side, 1 + lab.seed)?;
        let mut index = Index::new(made.grid(Movement::NoCornerCutting));
        let pairs = lab.pairs(&index, 11, lab.count(1_000))?;
        index.build::<JpsMap>(&())?;
        // A pool of one thread, whose processor time is all there is.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let (build_us, corners) = pool.install(|| micros(|| Corners::build(index.grid())));
        let row = Row { side, build_s: build_us / 1e6, ..Row::default() };
        rows.push(&measure(row, &mut index, &pairs, &corners?)?)
    }
}

fn measure(row: Row, index: &mut Index, pairs: &[Query<'_>], corners: &Corners) -> Result<Row> {
    let (mut scratch, mut space, mut path) = (Scratch::new(), CornerScratch::new(), Path::new());
    let mut turns: Vec<Tile> = Vec::new();
    let mut times = [(); 4].map(|()| Times::new(pairs.len()));
    let mut tiles = 0;
    for round in 0..3 {
        for (n, q) in pairs.iter().enumerate() {
            times[0].take(n, || {
                black_box(corners.distance(q.start, q.goal, &mut space));
            });
        }
        for (n, q) in pairs.iter().enumerate() {
            times[1].take(n, || {
                corners.turning_points(q.start, q.goal, &mut space, &mut turns);
            });
        }
        for (n, q) in pairs.iter().enumerate() {
            let mut cost = None;
            times[2].take(n, || cost = corners.path(q.start, q.goal, &mut space, &mut path));
            if round == 0 {
                let expected = index.distance(engine::JPS, q, &mut scratch)?;
                ensure!(cost == expected, "{q:?}: {cost:?}, not {expected:?}");
                tiles += path.len();
                if let Some(cost) = cost {
                    path.check_answer(index.grid(), q.start, q.goal, cost)?;
                }
            }
        }
        for (n, q) in pairs.iter().enumerate() {
            times[3].take(n, || drop(index.find(engine::JPS, q, &mut scratch, &mut path)));
        }
    }
    let mut expanded = 0;
    index.prepare(engine::CORNERS)?;
    for q in pairs {
        expanded += index.find(engine::CORNERS, q, &mut scratch, &mut path)?.stats.expanded;
    }
    let each = |sum: f64| sum / pairs.len().max(1) as f64;
    Ok(Row {
        free_tiles: index.grid().free_tiles(),
        problems: pairs.len(),
        corners: corners.corners(),
        arcs: corners.arcs(),
        bytes: corners.bytes(),
        expanded: each(expanded as f64),
        distance_us: times[0].mean(),
        turns_us: times[1].mean(),
        path_us: times[2].mean(),
        path_p99_us: times[2].p99(),
        jps_us: times[3].mean(),
        tiles: each(tiles as f64),
        ..row
    })
}
