//! What walks at any angle cost on the problems of a suite: microseconds by search and by labels of both
//! forms, memory and time to build; and how much shorter they are than octile paths and than these
//! pulled tight. All lengths are compared.
//!
//! ```sh
//! cargo run --profile quick -p tidegate --example anyangle_costs -- SUITE SET [EVERY]
//! ```
//!
//! SUITE is a folder with `maps/SET/*.map` and `scenarios/SET/*.map.scen`. Times are the least of five
//! rounds over the problems of a map.

use std::hint::black_box;
use std::io::Write as _;
use std::path::Path as FilePath;
use std::time::Instant;

use tidegate::anyangle::{AngleLabels, AngleScratch, AnyAngle, AnyAngleScratch, Walk};
use tidegate::grid::{TileMap, scen_file};
use tidegate::labels::{Form, LabelOptions};
use tidegate::straighten::{LineRule, Sight, Waypoints};
use tidegate::{Index, Movement, Path, Query, Scratch, Tile, engine};

type Failure = Box<dyn std::error::Error>;

const ROUNDS: usize = 5;

/// What one way to answer takes, over all maps.
#[derive(Default)]
struct Costs {
    maps: usize,
    refused: usize,
    queries: usize,
    /// Sums over the least rounds, in microseconds.
    distance: f64,
    walk: f64,
    /// The least time of every query, with that of looking at the clock.
    each: Vec<f64>,
    bytes: usize,
    seconds: f64,
}

impl Costs {
    fn measure(&mut self, pairs: &[(Tile, Tile)], mut find: impl FnMut(Tile, Tile)) -> f64 {
        let mut least = f64::INFINITY;
        let mut each = vec![f64::INFINITY; pairs.len()];
        for _ in 0..ROUNDS {
            let clock = Instant::now();
            pairs.iter().for_each(|&(start, goal)| find(start, goal));
            least = least.min(clock.elapsed().as_secs_f64() * 1e6);
            for (&(start, goal), each) in pairs.iter().zip(&mut each) {
                let clock = Instant::now();
                find(start, goal);
                *each = each.min(clock.elapsed().as_secs_f64() * 1e6);
            }
        }
        self.each.extend(each);
        least
    }

    fn tell(&mut self, name: &str) -> std::io::Result<()> {
        self.each.sort_by(f64::total_cmp);
        let (queries, maps) = (self.queries.max(1) as f64, self.maps.max(1) as f64);
        let part = |share: usize| self.each.get(self.each.len() * share / 100).copied();
        writeln!(
            std::io::stdout(),
            "  {name:7} distance {:8.2} µs, walk {:8.2}, median {:8.2}, 99 % within {:9.2}; {:8.2} MB, \
             {:6.3} s a map; {} maps{}",
            self.distance / queries,
            self.walk / queries,
            part(50).unwrap_or(0.0),
            part(99).unwrap_or(0.0),
            self.bytes as f64 / 1e6 / maps,
            self.seconds / maps,
            self.maps,
            if self.refused > 0 { format!(", {} refused", self.refused) } else { String::new() },
        )
    }
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [suite, set, rest @ ..] = &arguments[..] else {
        return Err("give a suite's folder and the name of a set".into());
    };
    let every: usize = rest.first().map_or(Ok(10), |text| text.parse())?;
    let only = rest.get(1);
    let folder = FilePath::new(suite).join("maps").join(set);
    let mut files: Vec<_> =
        std::fs::read_dir(&folder)?.map(|file| Ok(file?.path())).collect::<Result<_, Failure>>()?;
    files.sort();
    let (mut sums, mut bends, mut expanded, mut count) = ([0.0; 3], 0, 0, 0);
    let mut costs = [Costs::default(), Costs::default(), Costs::default()];
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if only.is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let scenario =
            FilePath::new(suite).join("scenarios").join(set).join(format!("{name}.scen"));
        let Ok(problems) = std::fs::read(&scenario) else { continue };
        let map = TileMap::parse(&std::fs::read(&file)?)?;
        // Octile paths that may cut half a corner, as a point does.
        let mut index = Index::new(map.grid(Movement::OneSideFree));
        index.prepare(engine::JPS)?;
        let clock = Instant::now();
        let plane = AnyAngle::new(index.grid());
        costs[0].seconds += clock.elapsed().as_secs_f64();
        costs[0].bytes += plane.bytes();
        let (mut scratch, mut walk) = (AnyAngleScratch::new(), Walk::default());
        let (mut search, mut path) = (Scratch::new(), Path::new());
        let mut pulled = Waypoints::new();
        let mut pairs = Vec::new();
        let mut lengths = Vec::new();
        for problem in scen_file::parse(&problems)?.iter().step_by(every) {
            let (start, goal) = (problem.start, problem.goal);
            let answer = index.find(engine::JPS, &Query::new(start, goal), &mut search, &mut path);
            let Ok(answer) = answer else { continue };
            let found = plane.find_into(start, goal, &mut scratch, &mut walk);
            assert_eq!(found, answer.cost().is_some(), "{name}: {start} to {goal}");
            if !found {
                continue;
            }
            Sight::new(index.grid()).with_rule(LineRule::Point).straighten(&path, &mut pulled)?;
            let three = [walk.length(), pulled.length(), path.length().value()];
            assert!(three[0] <= three[1] + 1e-9, "{name}: {start} to {goal}: {three:?}");
            sums.iter_mut().zip(three).for_each(|(sum, length)| *sum += length);
            bends += walk.points().len().saturating_sub(2);
            expanded += scratch.expanded();
            pairs.push((start, goal));
            lengths.push(three[0]);
        }
        count += pairs.len();
        let least = costs[0].measure(&pairs, |start, goal| {
            black_box(plane.find_into(start, goal, &mut scratch, &mut walk));
        });
        costs[0].maps += 1;
        costs[0].queries += pairs.len();
        costs[0].distance += least;
        costs[0].walk += least;
        for (form, costs) in [Form::Fast, Form::Small].into_iter().zip(&mut costs[1..]) {
            let clock = Instant::now();
            let options = LabelOptions { form, ..LabelOptions::default() };
            let Ok(labels) = AngleLabels::build(index.grid(), &options) else {
                costs.refused += 1;
                continue;
            };
            costs.seconds += clock.elapsed().as_secs_f64();
            costs.bytes += labels.bytes();
            costs.maps += 1;
            costs.queries += pairs.len();
            let mut scratch = AngleScratch::new();
            for (&(start, goal), length) in pairs.iter().zip(&lengths) {
                let found = labels.distance(start, goal, &mut scratch).unwrap_or(f64::INFINITY);
                assert!(
                    (found - length).abs() < 1e-9,
                    "{name}: {start} to {goal}: {found}, {length}"
                );
            }
            costs.walk += costs.measure(&pairs, |start, goal| {
                black_box(labels.find_into(start, goal, &mut scratch, &mut walk));
            });
            costs.distance += Costs::default().measure(&pairs, |start, goal| {
                black_box(labels.distance(start, goal, &mut scratch));
            });
            if only.is_some() {
                writeln!(
                    std::io::stdout(),
                    "{name} {form:?}: {} corners, {:.1} entries a block, {} bytes",
                    labels.corners(),
                    labels.mean_entries(),
                    labels.bytes()
                )?;
            }
        }
    }
    if count == 0 {
        return Err(format!("no problems in {}", folder.display()).into());
    }
    writeln!(
        std::io::stdout(),
        "{set}: {count} problems; {:.1} corners expanded, {:.1} bends; pulled tight {:.2} % longer, octile \
         {:.2} % longer",
        expanded as f64 / count as f64,
        bends as f64 / count as f64,
        100.0 * (sums[1] / sums[0] - 1.0),
        100.0 * (sums[2] / sums[0] - 1.0),
    )?;
    for (name, costs) in ["search", "fast", "small"].into_iter().zip(&mut costs) {
        costs.tell(name)?;
    }
    Ok(())
}
