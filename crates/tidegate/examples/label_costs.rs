//! What an answer of the labels costs on this machine, and what its parts take:
//!
//! ```text
//! cargo run --release -p tidegate --example label_costs -- MAP...
//! ```
//!
//! A map is a file of the Moving AI collection with its scenario beside it (`maps/SET/X.map`
//! and `scenarios/SET/X.map.scen`), or `rts:SIDE:SEED` for a generated one. At most 300
//! problems are asked of each. Times are microseconds a problem in the quietest of several
//! passes over all problems, one thread; `write` is what every tile takes beyond the turning
//! points, `copy` what copying the finished tiles would, `cold` the middle one of seven first passes:
//! caches displaced, and memory for queries made anew. Every path is walked, and compared with the length in
//! the scenario, before a time is printed.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use tidegate::generate::{Kind, generate, problems::problems};
use tidegate::grid::{TileMap, scen_file, scen_file::Problem};
use tidegate::labels::{Form, LabelOptions, LabelScratch, Labels};
use tidegate::{Grid, Movement, Path};

type Failure = Box<dyn std::error::Error>;

const PROBLEMS: usize = 300;
const PASSES: usize = 25;
const COLD_PASSES: usize = 7;

/// Prints a line; who closes the pipe has read enough.
fn say(line: impl std::fmt::Display) -> std::io::Result<()> {
    writeln!(std::io::stdout(), "{line}")
}

fn main() -> Result<(), Failure> {
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    match run() {
        Err(error) if error.downcast_ref().is_some_and(closed) => Ok(()),
        other => other,
    }
}

fn run() -> Result<(), Failure> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        return Err("give at least one map: a file, or rts:SIDE:SEED".into());
    }
    say(
        "map,form,problems,tiles a path,turns us,tiles us,ratio,write us,copy us,cold us,MB,build s",
    )?;
    for name in &names {
        let (grid, asked) = load(name).map_err(|error| format!("{name}: {error}"))?;
        for form in [Form::Auto, Form::Fast, Form::Small] {
            measure(name, form, &grid, &asked).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(())
}

/// A map, and problems spread over all its lengths.
fn load(name: &str) -> Result<(Grid, Vec<Problem>), Failure> {
    let (grid, all) = if let Some(rts) = name.strip_prefix("rts:") {
        let (side, seed) = rts.split_once(':').unwrap_or((rts, "1"));
        let (side, seed) = (side.parse()?, seed.parse()?);
        let grid = generate(Kind::Rts, side, side, seed)?.grid(Movement::default());
        let all = problems(&grid, "rts", PROBLEMS, seed);
        (grid, all)
    } else {
        let grid = TileMap::parse(&std::fs::read(name)?)?.grid(Movement::default());
        let scenario = format!("{}.scen", name.replace("maps/", "scenarios/"));
        let bytes = std::fs::read(&scenario).map_err(|error| format!("{scenario}: {error}"))?;
        (grid, scen_file::parse(&bytes)?)
    };
    let step = (all.len() / PROBLEMS).max(1);
    let asked: Vec<Problem> = all.into_iter().step_by(step).take(PROBLEMS).collect();
    for problem in &asked {
        problem.check(&grid)?;
    }
    Ok((grid, asked))
}

/// Microseconds a problem of one pass.
fn pass(asked: &[Problem], mut ask: impl FnMut(usize, &Problem)) -> f64 {
    let begin = Instant::now();
    for (n, problem) in asked.iter().enumerate() {
        ask(n, problem);
    }
    begin.elapsed().as_secs_f64() * 1e6 / asked.len().max(1) as f64
}

/// The quietest of several.
fn least(asked: &[Problem], mut ask: impl FnMut(usize, &Problem)) -> f64 {
    (0..PASSES).map(|_| pass(asked, &mut ask)).fold(f64::INFINITY, f64::min)
}

fn measure(name: &str, form: Form, grid: &Grid, asked: &[Problem]) -> Result<(), Failure> {
    let begin = Instant::now();

    let options = LabelOptions { form, budget_bytes: 1 << 30, ..LabelOptions::default() };
    let labels = Labels::build(grid, &options)?;
    let build = begin.elapsed().as_secs_f64();
    let mut bytes = Vec::new();
    labels.write(&mut bytes);
    drop(labels);
    let labels = Labels::read(grid, &bytes)?;
    let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
    let mut cold: Vec<f64> = (0..COLD_PASSES)
        .map(|_| {
            // Reading checks every word, and asking reads many: these displace them.
            black_box(vec![1_u8; 256 << 20]);
            (scratch, path) = (LabelScratch::new(), Path::new());
            pass(asked, |_, problem| {
                labels.path(problem.start, problem.goal, &mut scratch, &mut path);
                black_box(path.tiles());
            })
        })
        .collect();
    cold.sort_by(f64::total_cmp);
    let cold = cold[COLD_PASSES / 2];
    let mut finished = Vec::new();
    for problem in asked {
        let cost = labels.path(problem.start, problem.goal, &mut scratch, &mut path);
        let cost = cost.ok_or_else(|| format!("no way for {problem:?}"))?;
        path.check_answer(grid, problem.start, problem.goal, cost)?;
        if !problem.compare(path.length().value()).is_eq() {
            return Err(
                format!("{} is not the length of {problem:?}", path.length().value()).into()
            );
        }
        finished.push(path.tiles().to_vec());
    }
    let (mut turns, mut copy) = (Vec::new(), Vec::new());
    let turning = least(asked, |_, problem| {
        labels.turning_points(problem.start, problem.goal, &mut scratch, &mut turns);
        black_box(&mut turns);
    });
    let tiles = least(asked, |_, problem| {
        labels.path(problem.start, problem.goal, &mut scratch, &mut path);
        black_box(path.tiles());
    });
    let copying = least(asked, |n, _| {
        copy.clear();
        copy.extend_from_slice(&finished[n]);
        black_box(&mut copy);
    });
    let length = finished.iter().map(Vec::len).sum::<usize>() as f64 / asked.len().max(1) as f64;
    say(format_args!(
        "{},{form:?},{},{length:.0},{turning:.3},{tiles:.3},{:.2},{:.3},{copying:.3},{cold:.2},{:.2},{build:.2}",
        name.rsplit('/').next().unwrap_or(name),
        asked.len(),
        tiles / turning,
        tiles - turning,
        labels.bytes() as f64 / 1e6,
    ))?;
    Ok(())
}
