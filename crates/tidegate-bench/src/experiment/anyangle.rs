//! Walks at any angle: by search and from labels of both forms, between the centres of tiles and between
//! other points; and how much shorter they are than steps from tile to tile, and than these pulled
//! tight. Every length is compared with that of the search, every walk is walked.

use std::hint::black_box;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::anyangle::{AngleLabels, AngleScratch, AnyAngle, AnyAngleScratch, Point, Walk};
use tidegate::labels::{Form, LabelOptions};
use tidegate::straighten::{LineRule, Sight, Waypoints};
use tidegate::{Index, Movement, Path, Query, Scratch, Tile, engine};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::{Times, wall_seconds};

/// One way to answer on one map; times in microseconds, least of three rounds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// `search`, or the form of labels: `fast` or `small`.
    pub way: String,
    /// Why it was refused; then all that follows is 0.
    pub refused: String,
    /// Problems.
    pub problems: usize,
    /// Bytes.
    pub bytes: usize,
    /// Seconds to build, on all cores.
    pub build_s: f64,
    /// Mean time of a length.
    pub distance_us: f64,
    /// Mean time of a walk.
    pub walk_us: f64,
    /// p99 of that.
    pub walk_p99_us: f64,
    /// Mean time of a walk between points that are no centres.
    pub points_us: f64,
    /// The sum of all lengths: of walks, of paths pulled tight, of paths.
    pub walked: f64,
    /// Of paths pulled tight.
    pub pulled: f64,
    /// Of paths that may cut half a corner.
    pub stepped: f64,
}

/// The experiment.
pub struct Walks;

impl Experiment for Walks {
    fn name(&self) -> &'static str {
        "anyangle"
    }

    fn about(&self) -> &'static str {
        "walks at any angle: by search, from labels, and beside paths of steps"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let cases = lab.cases(&["sc1", "bg512", "dao", "mazes", "rooms"])?;
        let cases = cases.iter().filter(|case| case.has_problems());
        Ok(cases.map(|case| format!("{}/{}", case.set, case.map)).collect())
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let case = lab.case(unit)?;
        let mut index = Index::new(case.grid(Movement::OneSideFree)?);
        index.prepare(engine::JPS)?;
        let (build_s, map) = wall_seconds(|| AnyAngle::new(index.grid()));
        let problems = case.problems(index.grid())?;
        let every = lab.every(problems.len());
        let pairs = problems.iter().step_by(every).map(|problem| (problem.start, problem.goal));
        let asked = Asked::new(&index, &map, pairs)?;
        let row = Row {
            set: case.set,
            map: case.map,
            problems: asked.pairs.len(),
            walked: asked.lengths.iter().sum(),
            pulled: asked.pulled,
            stepped: asked.stepped,
            ..Row::default()
        };
        rows.push(&by_search(row.clone(), &asked, &map, build_s))?;
        for (name, form) in [("auto", Form::Auto), ("fast", Form::Fast), ("small", Form::Small)] {
            let options = LabelOptions { form, ..LabelOptions::default() };
            let (build_s, labels) = wall_seconds(|| AngleLabels::build(index.grid(), &options));
            let row = Row { way: name.into(), build_s, ..row.clone() };
            rows.push(&match labels {
                Ok(labels) => by_labels(row, &asked, &labels)?,
                Err(error) => Row { refused: error.to_string(), ..row },
            })?;
        }
        Ok(())
    }
}

/// Problems that have an answer, and the lengths of their answers.
struct Asked {
    pairs: Vec<(Tile, Tile)>,
    lengths: Vec<f64>,
    pulled: f64,
    stepped: f64,
}

impl Asked {
    fn new(
        index: &Index,
        map: &AnyAngle,
        pairs: impl Iterator<Item = (Tile, Tile)>,
    ) -> Result<Asked> {
        let mut asked = Asked { pairs: Vec::new(), lengths: Vec::new(), pulled: 0.0, stepped: 0.0 };
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let (mut search, mut walk) = (AnyAngleScratch::new(), Walk::default());
        let mut pulled = Waypoints::new();
        let sight = Sight::new(index.grid()).with_rule(LineRule::Point);
        for (start, goal) in pairs {
            let query = Query::new(start, goal);
            let Ok(answer) = index.find(engine::JPS, &query, &mut scratch, &mut path) else {
                continue;
            };
            let found = map.find_into(start, goal, &mut search, &mut walk);
            ensure!(found == answer.cost().is_some(), "{start} to {goal}: walk and path disagree");
            if !found {
                continue;
            }
            sight.straighten(&path, &mut pulled)?;
            let longer = walk.length() > pulled.length() + 1e-9;
            ensure!(!longer && walk.is_free(map), "{start} to {goal}: {:?}", walk.points());
            asked.pairs.push((start, goal));
            asked.lengths.push(walk.length());
            asked.pulled += pulled.length();
            asked.stepped += path.length().value();
        }
        Ok(asked)
    }

    /// The least time of every problem in three rounds.
    fn times(&self, mut find: impl FnMut(Tile, Tile)) -> Times {
        let mut times = Times::new(self.pairs.len());
        for _ in 0..3 {
            for (n, &(start, goal)) in self.pairs.iter().enumerate() {
                times.take(n, || find(start, goal));
            }
        }
        times
    }
}

/// A point of the tile that is not its centre.
fn aside(tile: Tile) -> Point {
    let centre = Point::from(tile);
    Point::new(centre.x + 37, centre.y - 81)
}

fn by_search(row: Row, asked: &Asked, map: &AnyAngle, build_s: f64) -> Row {
    let (mut scratch, mut walk) = (AnyAngleScratch::new(), Walk::default());
    let times = asked.times(|start, goal| {
        black_box(map.find_into(start, goal, &mut scratch, &mut walk));
    });
    let points = asked.times(|start, goal| {
        black_box(map.find_into(aside(start), aside(goal), &mut scratch, &mut walk));
    });
    Row {
        way: "search".into(),
        bytes: map.bytes(),
        build_s,
        distance_us: times.mean(),
        walk_us: times.mean(),
        walk_p99_us: times.p99(),
        points_us: points.mean(),
        ..row
    }
}

fn by_labels(row: Row, asked: &Asked, labels: &AngleLabels) -> Result<Row> {
    let (mut scratch, mut walk) = (AngleScratch::new(), Walk::default());
    for (&(start, goal), least) in asked.pairs.iter().zip(&asked.lengths) {
        ensure!(labels.find_into(start, goal, &mut scratch, &mut walk), "{start} to {goal}: none");
        let difference = (walk.length() - least).abs();
        ensure!(difference < 1e-9, "{start} to {goal}: off by {difference}");
        ensure!(walk.is_free(labels.map()), "{start} to {goal}: {:?}", walk.points());
    }
    let bytes = labels.bytes();
    let walks = asked.times(|start, goal| {
        black_box(labels.find_into(start, goal, &mut scratch, &mut walk));
    });
    let distances = asked.times(|start, goal| {
        black_box(labels.distance(start, goal, &mut scratch));
    });
    let points = asked.times(|start, goal| {
        black_box(labels.find_between(aside(start), aside(goal), &mut scratch, &mut walk));
    });
    Ok(Row {
        bytes,
        distance_us: distances.mean(),
        walk_us: walks.mean(),
        walk_p99_us: walks.p99(),
        points_us: points.mean(),
        ..row
    })
}
