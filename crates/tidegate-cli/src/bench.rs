//! `tidegate bench`: engines measured on a suite, answers checked first.

mod edits;
mod reasons;
mod table;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use tidegate::Movement;
use tidegate::engine::{Engine, Promise};
use tidegate_bench::record::{Tally, write_path};
use tidegate_bench::run::{Job, run_map};
use tidegate_bench::shard::{Head, Shard};
use tidegate_bench::suite::{Case, Suite};
use tidegate_bench::thesis::LikeThesis;
use tidegate_bench::ticks::Game;

use self::reasons::Reasons;
use crate::say::{note, say};
use crate::{Done, arguments, output};

const EXAMPLES: &str = "\
Examples:
  tidegate bench
  tidegate bench my.map --engine astar --engine jps
  tidegate bench --suite ../bench --set sc1 --every 20
  tidegate bench --map rts-256 --engine astar --csv rows.csv --json summary.json
  tidegate bench --map rts-256 --engine hpa --reasons reasons.csv
  tidegate bench --map rts-256 --engine corners --engine jps --edits 300
  tidegate bench --suite ../bench --shard 2/8 --csv part-2.csv

A suite is a folder with maps/SET/NAME.map and scenarios/SET/NAME.map.scen; without one the
bundled maps are taken, which are inside the program. Every path is checked (both ends, each
step, the cost) before any time is printed. The command fails with exit code 1 if any path is
invalid, shorter than the reference, or longer though its engine promises the best, if an engine
answers nothing but errors, and if nothing was measured. It prints the first reasons; --reasons
has them all.

The table has as many columns as fit; --json and --csv have all.

With --shard 2/8 only the second of eight parts is run, map 2, 10, 18 and so on. Each part may run
on another machine; tidegate merge makes one table of their CSV files.

With --edits a game is played instead of the problems: in every third tick walls of three to five
tiles are built, blown up or broken through, and in every tick units ask for paths. Each engine
has an index of its own that follows the edits; the judge is jps on an index made from nothing
after each. \"In place\" is the share of queries that another engine answered, because the edits
had overtaken the tables of the one that was asked. With --rate tables are built again beside.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Maps that belong to no suite; the problems of NAME.map are in NAME.map.scen
    #[arg(value_name = "MAPS", conflicts_with_all = ["suite", "set", "map"])]
    files: Vec<PathBuf>,
    /// The folder of maps and scenarios [default: the bundled maps]
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Only this set (may be repeated)
    #[arg(long, value_name = "SET")]
    set: Vec<String>,
    /// Only this map (may be repeated)
    #[arg(long, value_name = "MAP")]
    map: Vec<String>,
    /// Only this engine (may be repeated)
    #[arg(long, value_name = "ENGINE", value_parser = arguments::engine())]
    engine: Vec<&'static dyn Engine>,
    /// Take problems 0, K, 2K, ... of each scenario
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Also run A* in the thesis's arithmetic, for comparison with its tables
    #[arg(long)]
    like_thesis: bool,
    /// Rule of movement; other rules than the default are judged by the oracle
    #[arg(long, value_name = "RULE", default_value = "no-corner-cutting", value_parser = arguments::movement())]
    movement: Movement,
    /// Write one row per problem and engine
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    csv: Option<PathBuf>,
    /// Write every path, one JSON object per line
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    paths: Option<PathBuf>,
    /// Write the figures per set, map and engine
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    json: Option<PathBuf>,
    /// Write why each answer is not the best: invalid, error, shorter, longer
    #[arg(long, value_name = "FILE")]
    reasons: Option<PathBuf>,
    /// Print a line per map, not only per set
    #[arg(long)]
    maps: bool,
    /// Run only part I of N, counted from 1, for tidegate merge
    #[arg(long, value_name = "I/N", conflicts_with = "edits")]
    shard: Option<Shard>,
    /// Play so many ticks of a game that changes the map
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with_all = ["every", "like_thesis", "csv", "paths", "reasons", "maps"])]
    edits: Option<u32>,
    /// Queries in each tick
    #[arg(long, value_name = "N", default_value_t = 40, requires = "edits", value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,
    /// Play so many ticks a second, and build tables again on a thread beside the game
    #[arg(long, value_name = "TICKS", requires = "edits", value_parser = rate)]
    rate: Option<f64>,
    /// Another game: other walls, other ways
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "edits")]
    seed: u64,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let mut cases = if args.files.is_empty() {
        let suite = match &args.suite {
            Some(folder) => Suite::open(folder).context("there are no maps to run on")?,
            None => Suite::bundled(),
        };
        suite.cases(&args.set, &args.map)?
    } else if args.edits.is_some() {
        args.files.iter().map(|file| Case::of_map(file)).collect()
    } else {
        args.files.iter().map(|file| Case::of_file(file)).collect::<Result<_>>()?
    };
    let read = cases.iter().flat_map(Case::files);
    let written = [&args.csv, &args.paths, &args.json, &args.reasons].into_iter().flatten();
    arguments::all_different(read, written.map(PathBuf::as_path))?;
    let thesis = LikeThesis;
    let mut engines: Vec<&dyn Engine> = args.engine.iter().map(|e| *e as &dyn Engine).collect();
    if engines.is_empty() && !args.like_thesis {
        engines.extend(tidegate_sectors::ENGINES);
    }
    if args.like_thesis {
        engines.push(&thesis);
    }
    if let Some(ticks) = args.edits {
        let (ticks, queries) = (ticks as usize, args.queries as usize);
        let game = Game { ticks, queries, seed: args.seed, rate: args.rate };
        return edits::run(&cases, &engines, args.movement, game, args.json.as_deref());
    }
    let promises: Vec<(&'static str, Promise)> =
        engines.iter().map(|e| (e.name(), e.promise())).collect();
    let mut notes = Vec::new();
    let mut file = args.csv.as_deref().map(output::create).transpose()?;
    if let Some(shard) = args.shard {
        let all_maps = cases.len();
        cases = shard.take(cases)?;
        if cases.is_empty() {
            notes.push(format!("part {shard} has no maps: there are {all_maps}"));
        }
        if let Some(file) = &mut file {
            let head = head(&args, shard, &engines, all_maps, &cases);
            head.write(file).with_context(|| cannot_write(&args.csv))?;
        }
    }
    let is_empty_part = args.shard.is_some() && cases.is_empty();
    let mut rows = file.map(csv::Writer::from_writer);
    let mut paths = args.paths.as_deref().map(output::create).transpose()?;
    let mut reasons = Reasons::new(args.reasons.as_deref(), &promises)?;
    let mut tally = Tally::default();
    let bar = progress(cases.len(), "maps");
    for case in &cases {
        bar.set_message(format!("{}/{}", case.set, case.map));
        let grid = case.grid(args.movement)?;
        let problems = case.problems(&grid)?;
        if problems.is_empty() {
            notes.push(format!("{}/{}: no scenario, left out", case.set, case.map));
            bar.inc(1);
            continue;
        }
        let job = Job {
            set: &case.set,
            map: &case.map,
            grid: &grid,
            problems: &problems,
            every: args.every as usize,
            engines: &engines,
        };
        let run = run_map(&job, |row, path, reference| {
            tally.add(row, reference);
            reasons.add(row)?;
            if let Some(rows) = &mut rows {
                rows.serialize(row).with_context(|| cannot_write(&args.csv))?;
            }
            if let Some(paths) = &mut paths {
                write_path(paths, row, path).with_context(|| cannot_write(&args.paths))?;
            }
            Ok(())
        })?;
        if run.oracle {
            notes.push(format!(
                "{}/{}: the file's lengths do not fit these tiles; the oracle's are used",
                case.set, case.map
            ));
        }
        for built in &run.built {
            tally.add_built(&case.set, &case.map, built);
            notes.extend(
                built.refused.iter().map(|why| format!("{}/{}: {why}", case.set, case.map)),
            );
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let summaries = tally.summaries();
    // Files first: a reader of the table may go away.
    if let (Some(rows), Some(file)) = (rows, &args.csv) {
        let rows = rows.into_inner().map_err(|e| e.into_error());
        output::finish(rows.with_context(|| cannot_write(&args.csv))?, file)?;
    }
    if let (Some(paths), Some(file)) = (paths, &args.paths) {
        output::finish(paths, file)?;
    }
    if let Some(file) = &args.json {
        output::write(file, &serde_json::to_vec_pretty(&summaries)?)?;
    }
    let first = reasons.finish()?;
    say!("{}", table::fitting(&summaries, args.maps, table::width()));
    for note in &notes {
        say!("note: {note}");
    }
    let failures = if is_empty_part { Vec::new() } else { tally.failures(&promises) };
    for failure in &failures {
        say!("FAILED {failure}");
    }
    if failures.is_empty() {
        return Ok(Done::Yes);
    }
    for line in first.lines() {
        note!("{line}");
    }
    Ok(Done::No)
}

/// What the rows of a part begin with.
fn head(
    args: &Args,
    shard: Shard,
    engines: &[&dyn Engine],
    all_maps: usize,
    cases: &[Case],
) -> Head {
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    let run = format!("{}, every {}, {}", names.join(" "), args.every, args.movement);
    let maps = cases.iter().map(|case| (case.set.clone(), case.map.clone())).collect();
    Head { shard: shard.to_string(), run, all_maps, maps }
}

fn cannot_write(file: &Option<PathBuf>) -> String {
    format!("cannot write {}", file.as_deref().unwrap_or("".as_ref()).display())
}

fn progress(length: usize, what: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{eta}} left: {{msg}}");
    let style = ProgressStyle::with_template(&template);
    ProgressBar::new(length as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: Result<f64, _> = text.parse();
    rate.ok()
        .filter(|rate| (0.01..=10_000.0).contains(rate))
        .ok_or_else(|| "a number of ticks a second from 0.01 to 10000 is wanted".to_owned())
}
