//! How everything grows with the map: generated strategy maps of doubling sides. What each part of an index
//! takes to build, in seconds and in memory, what its tables take, and what a query takes. Answers of exact
//! engines are compared with those of `jps`, and every path is walked.

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::anyangle::{AngleLabels, AngleScratch};
use tidegate::decompose::WaterOptions;
use tidegate::engine::{self, Engine, Promise};
use tidegate::generate::{Kind, generate};
use tidegate::labels::{Form, LabelOptions, LabelScratch, Labels, LabelsError};
use tidegate::region::Regions;
use tidegate::{Decomposition, Index, Movement, Path, Query, Scratch};

use super::{Experiment, Lab};
use crate::machine::MemoryPeak;
use crate::notebook::Rows;
use crate::stopwatch::{Times, micros};

/// One part on one map.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// Tiles a side.
    pub side: u32,
    /// Free tiles.
    pub free_tiles: usize,
    /// What is measured: a stage or an engine.
    pub part: String,
    /// Why there is none; then `bytes` is what was estimated, and `build_s` what it took to know.
    pub refused: String,
    /// Seconds of processor time to build, on one thread, what it rests on not counted.
    pub build_s: f64,
    /// Bytes of its tables.
    pub bytes: u64,
    /// How far the memory of the process rose above what it was before, at most; 0 if unknown.
    pub peak_bytes: u64,
    /// Problems that were asked.
    pub problems: usize,
    /// Mean microseconds of a query with every tile, least of two rounds.
    pub us: f64,
    /// p99 of that.
    pub p99_us: f64,
}

impl Row {
    fn refuse(self, why: &LabelsError) -> Row {
        let bytes = match why {
            LabelsError::TooLarge { estimate, .. } => *estimate,
            _ => 0,
        };
        Row { refused: why.to_string(), bytes, ..self }
    }
}

/// The engines, each up to the side beyond which it is left out, because building takes minutes.
const ENGINES: [(&dyn Engine, u32); 6] = [
    (engine::JPS, u32::MAX),
    (engine::ASTAR, u32::MAX),
    (engine::HPA, u32::MAX),
    (engine::CORNERS, u32::MAX),
    (engine::DIFFERENTIAL, u32::MAX),
    (engine::GATEWAY_CONSISTENT, 2048),
];

/// The experiment.
pub struct Growth;

impl Experiment for Growth {
    fn name(&self) -> &'static str {
        "growth"
    }

    fn about(&self) -> &'static str {
        "build, memory and answers of everything on maps of 512 to 8192 tiles a side"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let sides: &[u32] =
            if lab.scale.quick { &[128, 256] } else { &[512, 1024, 2048, 4096, 8192] };
        Ok(sides.iter().map(u32::to_string).collect())
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let side = unit.parse()?;
        let grid = generate(Kind::Rts, side, side, 1 + lab.seed)?.grid(Movement::NoCornerCutting);
        let free_tiles = grid.free_tiles();
        let mut push = |row: Row| rows.push(&Row { side, free_tiles, ..row });
        // A pool of one thread: so builds are compared by their work.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let pool = &pool;
        let (row, parts) =
            built(pool, "decomposition", || Decomposition::water(&grid, &WaterOptions::default()));
        push(row)?;
        let (row, _) = built(pool, "regions", || {
            let regions = Regions::new(&grid, &parts);
            let first = parts.zones().first().map(|zone| zone.id());
            // What is worked out once, when it is first asked for.
            first.map(|zone| (regions.deepest(zone), regions.breadth(zone)))
        });
        push(row)?;
        let mut index = Index::new(grid);
        let asked = Asked::new(lab, &mut index)?;
        let held = index.clone();
        for (engine, most) in ENGINES {
            if side > most {
                continue;
            }
            let mut index = held.clone();
            if engine.name().starts_with("gateway") {
                index.set_decomposition(parts.clone())?;
            }
            let (row, made) = built(pool, engine.name(), || index.prepare(engine));
            made.with_context(|| engine.name())?;
            let row = Row { bytes: engine.bytes(&index) as u64, ..row };
            push(asked.measure(row, &index, engine)?)?;
        }
        for (name, form) in [("labels", Form::Auto), ("labels, small", Form::Small)] {
            let options = LabelOptions { form, ..LabelOptions::default() };
            let (row, made) = built(pool, name, || Labels::build(held.grid(), &options));
            push(match made {
                Ok(labels) => asked.labels(row, &labels)?,
                Err(why) => row.refuse(&why),
            })?;
        }
        push(walks(pool, &held, &asked)?)
    }
}

/// Builds a part on one thread.
fn built<T: Send>(
    pool: &rayon::ThreadPool,
    part: &str,
    build: impl FnOnce() -> T + Send,
) -> (Row, T) {
    let peak = MemoryPeak::begin();
    let (build_us, made) = pool.install(|| micros(build));
    let build_s = build_us / 1e6;
    (Row { part: part.into(), build_s, peak_bytes: peak.rise(), ..Row::default() }, made)
}

/// Walks at any angle by labels in the small form, which is the larger map's.
fn walks(pool: &rayon::ThreadPool, index: &Index, asked: &Asked) -> Result<Row> {
    let options = LabelOptions { form: Form::Small, ..LabelOptions::default() };
    let (row, made) =
        built(pool, "any angle, small", || AngleLabels::build(index.grid(), &options));
    let labels = match made {
        Ok(labels) => labels,
        Err(why) => return Ok(row.refuse(&why)),
    };
    let (mut scratch, mut times) = (AngleScratch::new(), Times::new(asked.queries.len()));
    for _ in 0..2 {
        for (n, query) in asked.queries.iter().enumerate() {
            let mut found = None;
            times.take_either(n, || found = labels.find(query.start, query.goal, &mut scratch));
            ensure!(found.is_some(), "no walk for {query:?}");
        }
    }
    let (us, p99_us) = (times.mean(), times.p99());
    Ok(Row { bytes: labels.bytes() as u64, problems: times.len(), us, p99_us, ..row })
}

/// The problems of a map, and how far it is.
struct Asked {
    queries: Vec<Query<'static>>,
    costs: Vec<Option<tidegate::cost::Cost>>,
}

impl Asked {
    fn new(lab: &Lab, index: &mut Index) -> Result<Asked> {
        let queries = lab.pairs(index, 11, lab.count(50))?;
        let mut by_jps = index.clone();
        by_jps.prepare(engine::JPS)?;
        let mut scratch = Scratch::new();
        let costs: Result<_, _> =
            queries.iter().map(|q| by_jps.distance(engine::JPS, q, &mut scratch)).collect();
        Ok(Asked { queries, costs: costs? })
    }

    fn labels(&self, row: Row, labels: &Labels) -> Result<Row> {
        let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
        let mut times = Times::new(self.queries.len());
        for _ in 0..2 {
            for (n, (query, best)) in self.queries.iter().zip(&self.costs).enumerate() {
                let mut cost = None;
                let (start, goal) = (query.start, query.goal);
                times.take_either(n, || cost = labels.path(start, goal, &mut scratch, &mut path));
                ensure!(cost == *best, "labels for {query:?}: {cost:?}, not {best:?}");
            }
        }
        let (us, p99_us) = (times.mean(), times.p99());
        Ok(Row { bytes: labels.bytes() as u64, problems: times.len(), us, p99_us, ..row })
    }

    fn measure(&self, row: Row, index: &Index, engine: &dyn Engine) -> Result<Row> {
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let mut times = Times::new(self.queries.len());
        for round in 0..2 {
            for (n, (query, best)) in self.queries.iter().zip(&self.costs).enumerate() {
                let mut answer = None;
                times.take_either(n, || {
                    answer = Some(index.find(engine, query, &mut scratch, &mut path))
                });
                let cost = answer.context("an answer")??.cost();
                if round > 0 {
                    continue;
                }
                let right = match engine.info().promise {
                    Promise::Optimal => cost == *best,
                    _ => cost >= *best,
                };
                ensure!(right, "{} for {query:?}: {cost:?}, not {best:?}", engine.name());
                let cost = cost.with_context(|| format!("no path for {query:?}"))?;
                path.check_answer(index.grid(), query.start, query.goal, cost)?;
            }
        }
        let (us, p99_us) = (times.mean(), times.p99());
        Ok(Row { problems: times.len(), us, p99_us, ..row })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Lab, Scale, perform};
    use super::*;
    use crate::notebook::Notebook;
    use crate::suite::Suite;

    #[test]
    fn small_maps_are_measured_and_recorded() {
        let scale = Scale { quick: true, every: 1 };
        let lab = Lab { suite: Suite::bundled(), name: "bundled".into(), scale, seed: 0 };
        let folder = std::env::temp_dir().join(format!("tidegate-growth-{}", std::process::id()));
        let notebook = Notebook::new(&folder);
        perform(&Growth, &lab, &notebook, |_| ()).unwrap();
        let record = notebook.read("growth").unwrap().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(record.head.complete);
        let rows: Vec<Row> = record.rows().unwrap();
        let parts = |side: u32| -> Vec<String> {
            rows.iter().filter(|r| r.side == side).map(|r| r.part.clone()).collect()
        };
        assert_eq!(parts(128), parts(256));
        assert_eq!(parts(128).len(), 2 + ENGINES.len() + 3);
        for row in
            rows.iter().skip(2).filter(|row| row.part != "decomposition" && row.part != "regions")
        {
            assert!(row.refused.is_empty(), "{row:?}");
            assert_eq!(row.problems, 2, "{row:?}");
            assert!(row.us > 0.0 && (row.bytes > 0) == (row.part != "astar"), "{row:?}");
        }
    }
}
