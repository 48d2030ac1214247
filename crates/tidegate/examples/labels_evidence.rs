//! What the labels engine is worth, measured: answers first, then times.
//!
//! ```text
//! cargo run --profile quick --example labels_evidence -- COMMAND
//!     speed [--every K] [--rounds N] [SET/MAP ...]
//!             both forms: distance, turning points and every tile beside A* and jump point search;
//!             every answer checked tile by tile and against the scenario's length
//!     all [--small] [--effort N] [SET ...]
//!             every problem of every map of the sets: answers, bytes, build
//!     profile [SET/MAP ...]   where the time of a query goes
//!     exact [MAPS]            all 4 x 4 maps, then MAPS small maps, all pairs, all rules,
//!                             against textbook Dijkstra
//!     grow                    generated strategy maps of 256 to 2048 tiles a side
//! ```
//! Benchmark maps are looked for in `$TIDEGATE_BENCH`, else in `../shared/bench`.

use std::cmp::Ordering;
use std::time::Instant;

use tidegate::cost::{Cost, Length};
use tidegate::generate::{Kind, generate, problems::problems};
use tidegate::grid::TileMap;
use tidegate::grid::scen_file::{self, Problem};
use tidegate::labels::{Form, LabelOptions, LabelScratch, Labels};
use tidegate::{Grid, Index, Movement, Path, Query, Scratch, Tile, engine};
use tidegate_testkit::{bench_data, maps, oracle};

const MAPS: [&str; 16] = [
    "sc1/AcrosstheCape",
    "sc1/ArcticStation",
    "sc1/Aurora",
    "sc1/Cauldron",
    "sc1/CatwalkAlley",
    "sc1/GladiatorPits",
    "bg512/AR0011SR",
    "bg512/AR0205SR",
    "bg512/AR0406SR",
    "dao/brc100d",
    "dao/lak200d",
    "dao/orz100d",
    "mazes/maze512-1-0",
    "mazes/maze512-8-0",
    "rooms/8room_000",
    "rooms/32room_000",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = arguments.split_first().map_or(("", &[][..]), |(c, r)| (c.as_str(), r));
    match command {
        "speed" => speed(rest),
        "all" => all(rest),
        "profile" => profile(rest),
        "exact" => exact(rest.first().map_or(2_000, |n| n.parse().expect("a number of maps"))),
        "grow" => grow(),
        _ => eprintln!(
            "labels_evidence speed | all | profile | exact | grow (see the head of the file)"
        ),
    }
}

/// The value after a flag, if it is there.
fn flag(arguments: &[String], name: &str, usual: usize) -> usize {
    let place = arguments.iter().position(|a| a == name);
    place.and_then(|p| arguments.get(p + 1)?.parse().ok()).unwrap_or(usual)
}

/// The maps named, or the usual ones.
fn chosen(arguments: &[String]) -> Vec<String> {
    let named: Vec<String> = arguments.iter().filter(|a| a.contains('/')).cloned().collect();
    if named.is_empty() { MAPS.map(String::from).to_vec() } else { named }
}

fn load(name: &str) -> Option<(Grid, Vec<Problem>)> {
    let folder = bench_data::folder("labels_evidence")?;
    let map = std::fs::read(folder.join(format!("maps/{name}.map"))).ok()?;
    let scen = std::fs::read(folder.join(format!("scenarios/{name}.map.scen"))).ok()?;
    let grid = TileMap::parse(&map).ok()?.grid(Movement::NoCornerCutting);
    Some((grid, scen_file::parse(&scen).ok()?))
}

/// Seconds of processor time of this process, all threads (where the system tells).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or("");
    let field = |n: usize| after.split_whitespace().nth(n).and_then(|f| f.parse::<f64>().ok());
    (field(11).unwrap_or(0.0) + field(12).unwrap_or(0.0)) / 100.0
}

/// Times in nanoseconds, one per problem: the least of several rounds, so that a busy
/// machine's pauses do not count. Between two rounds all other problems are asked.
struct Times(Vec<u64>);

impl Times {
    fn new(count: usize) -> Times {
        Times(vec![u64::MAX; count])
    }

    fn take(&mut self, n: usize, work: impl FnOnce()) {
        let begin = Instant::now();
        work();
        self.0[n] = self.0[n].min(begin.elapsed().as_nanos() as u64);
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<u64>() as f64 / self.0.len().max(1) as f64 / 1e3
    }

    fn p99(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() * 99 / 100).map_or(0.0, |&t| t as f64 / 1e3)
    }
}

/// Panics unless the path is legal and as long as the scenario says.
fn check(grid: &Grid, problem: &Problem, path: &Path, cost: Option<Cost>) {
    match cost {
        Some(cost) => {
            path.check_answer(grid, problem.start, problem.goal, cost).expect("a legal path");
            let length: Length = path.length();
            let compared = problem.compare(length.value());
            assert_eq!(compared, Ordering::Equal, "{problem:?}: {}", length.value());
        }
        None => assert!(problem.is_unreachable(), "{problem:?}"),
    }
}

/// One form of labels being measured: distance, turning points, every tile.
struct Measured {
    labels: Labels,
    build: String,
    times: [Times; 3],
}

fn speed(arguments: &[String]) {
    let rounds = flag(arguments, "--rounds", 3);
    let every = flag(arguments, "--every", 10).max(1);
    println!(
        "times in µs, mean / p99, least of {rounds} rounds; labels on all problems, jps and astar \
         on every {every}th, once\n\
         map | form | corners | entries a block | MB | build s (processor s) | distance | \
         turning points | every tile | jps | astar | astar / every tile"
    );
    for name in chosen(arguments) {
        let Some((grid, problems)) = load(&name) else { continue };
        let mut forms: Vec<Measured> = Vec::new();
        for form in [Form::Fast, Form::Small] {
            let (begin, used) = (Instant::now(), processor_seconds());
            let options = LabelOptions { form, ..LabelOptions::default() };
            match Labels::build(&grid, &options) {
                Ok(labels) => {
                    let (wall, used) = (begin.elapsed().as_secs_f64(), processor_seconds() - used);
                    let times = [(); 3].map(|()| Times::new(problems.len()));
                    forms.push(Measured { labels, build: format!("{wall:.2} ({used:.2})"), times });
                }
                Err(error) => println!("{name} | {error}"),
            }
        }
        let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
        let mut turns: Vec<Tile> = Vec::new();
        for turn in 0..rounds * forms.len() {
            let (round, form) = (turn / forms.len(), turn % forms.len());
            let Measured { labels, times, .. } = &mut forms[form];
            for (n, p) in problems.iter().enumerate() {
                times[0].take(n, || {
                    std::hint::black_box(labels.distance(p.start, p.goal, &mut scratch));
                });
            }
            for (n, p) in problems.iter().enumerate() {
                times[1].take(n, || {
                    labels.turning_points(p.start, p.goal, &mut scratch, &mut turns);
                });
            }
            for (n, p) in problems.iter().enumerate() {
                let mut cost = None;
                times[2].take(n, || cost = labels.path(p.start, p.goal, &mut scratch, &mut path));
                if round == 0 {
                    check(&grid, p, &path, cost);
                }
            }
        }
        let sample: Vec<usize> = (0..problems.len()).step_by(every).collect();
        let rivals = rivals(&grid, &problems, &sample, forms.first().map(|f| &f.labels));
        for Measured { labels, build, times } in &forms {
            let same: u64 = sample.iter().map(|&n| times[2].0[n]).sum();
            let ratio = rivals[1].0 / (same as f64 / 1e3 / sample.len() as f64);
            print!("{name} | {:?} | {} | ", labels.form(), labels.corners());
            let bytes = labels.bytes() as f64 / 1e6;
            print!("{:.1} | {bytes:.1} | {build}", labels.mean_entries());
            times.iter().for_each(|t| print!(" | {:.3} / {:.3}", t.mean(), t.p99()));
            rivals.iter().for_each(|(mean, p99)| print!(" | {mean:.1} / {p99:.1}"));
            println!(" | {ratio:.0}");
        }
    }
}

/// Jump point search and A* on the sampled problems, which must agree with the labels:
/// mean and p99, in µs.
fn rivals(
    grid: &Grid,
    problems: &[Problem],
    sample: &[usize],
    labels: Option<&Labels>,
) -> [(f64, f64); 2] {
    let mut index = Index::new(grid.clone());
    let (mut path, mut scratch, mut asked) = (Path::new(), Scratch::new(), LabelScratch::new());
    [engine::JPS, engine::ASTAR].map(|engine| {
        index.prepare(engine).expect("uniform ground");
        let mut times = Times::new(sample.len());
        let mut answers = Vec::new();
        for (n, p) in sample.iter().map(|&n| &problems[n]).enumerate() {
            let query = Query::new(p.start, p.goal);
            times.take(n, || {
                let answer = index.find(engine, &query, &mut scratch, &mut path);
                answers.push(answer.expect("free ends").cost());
            });
        }
        for (answer, &n) in answers.iter().zip(sample) {
            let p = &problems[n];
            if let Some(labels) = labels {
                assert_eq!(*answer, labels.distance(p.start, p.goal, &mut asked), "{p:?}");
            }
        }
        (times.mean(), times.p99())
    })
}

/// Every problem of whole sets. In `wc3maps512` the files' lengths fit no rule, and some
/// ends are walls: there jump point search is the judge.
fn all(arguments: &[String]) {
    let Some(folder) = bench_data::folder("labels_evidence") else { return };
    let form = if arguments.iter().any(|a| a == "--small") { Form::Small } else { Form::Fast };
    let mut sets: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|a| a.starts_with(char::is_alphabetic))
        .collect();
    if sets.is_empty() {
        sets = vec!["sc1", "bg512", "dao", "wc3maps512", "mazes", "rooms", "random"];
    }
    println!(
        "map | size | corners | MB | build s (processor s) | problems, all optimal and legal | every tile µs"
    );
    for set in sets {
        let listed = std::fs::read_dir(folder.join("maps").join(set)).into_iter().flatten();
        let mut names: Vec<String> = listed
            .filter_map(|f| Some(f.ok()?.path().file_stem()?.to_str()?.to_string()))
            .map(|stem| format!("{set}/{stem}"))
            .collect();
        names.sort();
        for name in names {
            let Some((grid, problems)) = load(&name) else { continue };
            let (begin, used) = (Instant::now(), processor_seconds());
            let effort = flag(arguments, "--effort", LabelOptions::default().effort);
            let options = LabelOptions { form, effort, ..LabelOptions::default() };
            let built = Labels::build(&grid, &options);
            let (build, used) = (begin.elapsed().as_secs_f64(), processor_seconds() - used);
            let size = format!("{} x {}", grid.width(), grid.height());
            match built {
                Ok(labels) => {
                    let mean = check_all(&grid, &problems, &labels, set == "wc3maps512");
                    println!(
                        "{name} | {size} | {} | {:.1} | {build:.2} ({used:.2}) | {} | {mean:.3}",
                        labels.corners(),
                        labels.bytes() as f64 / 1e6,
                        problems.len()
                    );
                }
                Err(error) => println!("{name} | {size} | {error} | {build:.2} ({used:.2})"),
            }
        }
    }
}

/// Checks every problem; returns the mean time of a path in µs.
fn check_all(grid: &Grid, problems: &[Problem], labels: &Labels, by_search: bool) -> f64 {
    let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
    let mut index = Index::new(grid.clone());
    index.prepare(engine::JPS).expect("uniform ground");
    let (mut searched, mut other) = (Scratch::new(), Path::new());
    let mut times = Times::new(problems.len());
    for (n, p) in problems.iter().enumerate() {
        let mut cost = None;
        times.take(n, || cost = labels.path(p.start, p.goal, &mut scratch, &mut path));
        if !by_search {
            check(grid, p, &path, cost);
        } else if grid.is_free(p.start) && grid.is_free(p.goal) {
            let query = Query::new(p.start, p.goal);
            let answer = index.find(engine::JPS, &query, &mut searched, &mut other);
            let truth = answer.expect("free ends").cost();
            assert_eq!(cost, truth, "{p:?}");
            if let Some(cost) = cost {
                path.check_answer(grid, p.start, p.goal, cost).expect("a legal path");
            }
        } else {
            assert_eq!(cost, None, "{p:?}");
        }
    }
    times.mean()
}

/// Where the time goes: what a query costs when all it reads lies in the nearest cache
/// (the same query again and again), and what it costs as queries come.
fn profile(arguments: &[String]) {
    println!(
        "mean ns; hot: the same query 20 times over, as it comes: all problems in turn\nmap | clock alone | distance hot | as it comes | turning points hot | as it comes | every tile hot | as it comes | tiles | turning points"
    );
    for name in chosen(arguments) {
        let Some((grid, problems)) = load(&name) else { continue };
        let Ok(labels) = Labels::build(&grid, &LabelOptions::default()) else { continue };
        let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
        let mut turns: Vec<Tile> = Vec::new();
        let (mut tiles, mut points) = (0, 0);
        let mut ask = |kind: usize, p: &Problem| match kind {
            0 => {}
            1 => {
                std::hint::black_box(labels.distance(p.start, p.goal, &mut scratch));
            }
            2 => {
                labels.turning_points(p.start, p.goal, &mut scratch, &mut turns);
                points += turns.len();
            }
            _ => {
                labels.path(p.start, p.goal, &mut scratch, &mut path);
                tiles += path.tiles().len();
            }
        };
        let mut hot = [(); 4].map(|()| Times::new(problems.len()));
        let mut cold = [(); 4].map(|()| Times::new(problems.len()));
        for kind in 0..4 {
            for _ in 0..5 {
                for (n, p) in problems.iter().enumerate() {
                    cold[kind].take(n, || ask(kind, p));
                }
            }
            for (n, p) in problems.iter().enumerate() {
                for _ in 0..20 {
                    hot[kind].take(n, || ask(kind, p));
                }
            }
        }
        print!("{name} | {:.0}", hot[0].mean() * 1e3);
        for kind in 1..4 {
            print!(" | {:.0} | {:.0}", hot[kind].mean() * 1e3, cold[kind].mean() * 1e3);
        }
        let asked = 25 * problems.len();
        println!(" | {} | {}", tiles / asked, points / asked);
    }
}

/// All pairs of a map against the oracle; returns how many there are.
fn check_map(
    grid: &Grid,
    form: Form,
    seed: u64,
    scratch: &mut LabelScratch,
    path: &mut Path,
) -> usize {
    let options = LabelOptions { form, seed, ..LabelOptions::default() };
    let labels = Labels::build(grid, &options).expect("labels of a small map");
    let tiles: Vec<Tile> = grid.free_cells().map(|c| grid.tile(c)).collect();
    for &s in &tiles {
        let truth = oracle::distances(grid, s);
        for &t in &tiles {
            let expected = truth[grid.cell(t).expect("free").index()].map(|c| c as Cost);
            let found = labels.path(s, t, scratch, path);
            assert_eq!(found, expected, "{grid:?} from {s} to {t}");
            assert_eq!(labels.distance(s, t, scratch), expected);
            if let Some(cost) = found {
                path.check_answer(grid, s, t, cost).expect("a legal path");
            }
        }
    }
    tiles.len() * tiles.len()
}

fn exact(count: u64) {
    let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
    for movement in Movement::ALL {
        let begin = Instant::now();
        let mut pairs = 0;
        for bits in 0_u32..1 << 16 {
            let grid = Grid::from_fn(4, 4, movement, |x, y| bits >> (4 * y + x) & 1 != 0);
            let grid = grid.expect("a size that is allowed");
            pairs += check_map(&grid, Form::Fast, 1, &mut scratch, &mut path);
        }
        println!(
            "{movement}: all 65536 maps of 4 x 4, {pairs} pairs, no mismatch ({:.0} s)",
            begin.elapsed().as_secs_f64()
        );
        let mut pairs = 0;
        for seed in 0..count {
            let grid = maps::small(seed, movement);
            if grid.free_tiles() <= 500 {
                let form = [Form::Fast, Form::Small][seed as usize % 2];
                pairs += check_map(&grid, form, seed, &mut scratch, &mut path);
            }
        }
        println!(
            "{movement}: {count} small maps of every shape, {pairs} pairs, no mismatch ({:.0} s)",
            begin.elapsed().as_secs_f64()
        );
    }
}

fn grow() {
    println!(
        "generated rts maps, 500 problems each\nside | form | corners | entries a block | MB | build s (processor s) | distance µs | every tile µs | mean tiles"
    );
    for side in [256, 512, 1024, 2048] {
        let map = generate(Kind::Rts, side, side, 1).expect("a size that is allowed");
        let grid = map.grid(Movement::NoCornerCutting);
        let asked = problems(&grid, "rts", 500, 1);
        for form in [Form::Fast, Form::Small] {
            let (begin, used) = (Instant::now(), processor_seconds());
            let options = LabelOptions { form, budget_bytes: 1 << 30, ..LabelOptions::default() };
            let labels = match Labels::build(&grid, &options) {
                Ok(labels) => labels,
                Err(error) => {
                    println!("{side} | {error}");
                    continue;
                }
            };
            let (build, used) = (begin.elapsed().as_secs_f64(), processor_seconds() - used);
            let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
            let mut times = [(); 2].map(|()| Times::new(asked.len()));
            let mut tiles = 0;
            for round in 0..5 {
                for (n, p) in asked.iter().enumerate() {
                    times[0].take(n, || {
                        std::hint::black_box(labels.distance(p.start, p.goal, &mut scratch));
                    });
                    let mut cost = None;
                    times[1]
                        .take(n, || cost = labels.path(p.start, p.goal, &mut scratch, &mut path));
                    if round == 0 {
                        check(&grid, p, &path, cost);
                        tiles += path.tiles().len();
                    }
                }
            }
            println!(
                "{side} | {form:?} | {} | {:.1} | {:.1} | {build:.2} ({used:.2}) | {:.3} / {:.3} | {:.3} / {:.3} | {}",
                labels.corners(),
                labels.mean_entries(),
                labels.bytes() as f64 / 1e6,
                times[0].mean(),
                times[0].p99(),
                times[1].mean(),
                times[1].p99(),
                tiles / asked.len().max(1)
            );
        }
    }
}
