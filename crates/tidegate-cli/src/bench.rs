//! `tidegate bench`: engines measured on a suite, answers checked first.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use tidegate::Movement;
use tidegate::engine::{self, Engine, Promise};
use tidegate_bench::record::{Summary, Tally, write_path};
use tidegate_bench::run::{Job, run_map};
use tidegate_bench::suite::{Case, Suite};
use tidegate_bench::thesis::LikeThesis;

use crate::say::say;
use crate::{Done, arguments, output};

const EXAMPLES: &str = "\
Examples:
  tidegate bench
  tidegate bench my.map --engine astar --engine jps
  tidegate bench --suite ../bench --set sc1 --every 20
  tidegate bench --set bundled --engine astar --csv rows.csv --json summary.json

A suite is a folder with maps/SET/NAME.map and scenarios/SET/NAME.map.scen. Every path is
checked (both ends, each step, the cost) before any time is printed. The command fails with
exit code 1 if any path is invalid, shorter than the reference, or longer though its engine
promises the best.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Maps that belong to no suite; the problems of NAME.map are in NAME.map.scen
    #[arg(value_name = "MAPS", conflicts_with_all = ["suite", "set", "map"])]
    files: Vec<PathBuf>,
    /// The folder of maps and scenarios
    #[arg(long, value_name = "DIR", default_value = "testdata/suite")]
    suite: PathBuf,
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
    /// Print a line per map, not only per set
    #[arg(long)]
    maps: bool,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let cases = if args.files.is_empty() {
        let suite = Suite::open(&args.suite)
            .context("there are no maps to run on; name some, or a suite with --suite");
        suite?.cases(&args.set, &args.map)?
    } else {
        args.files.iter().map(|file| Case::of_file(file)).collect::<Result<_>>()?
    };
    let read = cases.iter().flat_map(|c| std::iter::once(&c.map_file).chain(&c.scen_file));
    let written = [&args.csv, &args.paths, &args.json].into_iter().flatten();
    arguments::all_different(read.map(PathBuf::as_path), written.map(PathBuf::as_path))?;
    let thesis = LikeThesis::default();
    let mut engines: Vec<&dyn Engine> = args.engine.iter().map(|e| *e as &dyn Engine).collect();
    if engines.is_empty() && !args.like_thesis {
        engines.extend(engine::ALL);
    }
    if args.like_thesis {
        engines.push(&thesis);
    }
    let mut rows =
        args.csv.as_deref().map(output::create).transpose()?.map(csv::Writer::from_writer);
    let mut paths = args.paths.as_deref().map(output::create).transpose()?;
    let mut tally = Tally::default();
    let mut notes = Vec::new();
    let bar = progress(cases.len());
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
    say!("{}", table(&summaries, args.maps));
    for note in &notes {
        say!("note: {note}");
    }
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
    let promises: Vec<(&'static str, Promise)> =
        engines.iter().map(|e| (e.name(), e.promise())).collect();
    let failures = tally.failures(&promises);
    for failure in &failures {
        say!("FAILED {failure}");
    }
    Ok(if failures.is_empty() { Done::Yes } else { Done::No })
}

fn cannot_write(file: &Option<PathBuf>) -> String {
    format!("cannot write {}", file.as_deref().unwrap_or("".as_ref()).display())
}

fn progress(length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} maps, {eta} left: {msg}");
    ProgressBar::new(length as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

pub(crate) fn table(summaries: &[Summary], maps: bool) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "set", "map", "engine", "problems", "mean µs", "p50", "p99", "max", "expanded", "again",
        "ratio", "build s", "index KB", "answers",
    ]);
    for s in summaries.iter().filter(|s| maps || s.map == "*") {
        let micros = |nanos: f64| format!("{:.2}", nanos / 1000.0);
        let answers: Vec<String> = s.statuses.iter().map(|(k, n)| format!("{n} {k}")).collect();
        table.add_row([
            s.set.clone(),
            s.map.clone(),
            s.engine.to_string(),
            s.problems.to_string(),
            micros(s.mean_nanos),
            micros(s.p50_nanos as f64),
            micros(s.p99_nanos as f64),
            micros(s.max_nanos as f64),
            format!("{:.1}", s.mean_expanded),
            format!("{:.1}", s.mean_reexpanded),
            format!("{:.5}", s.mean_ratio),
            format!("{:.3}", s.build_seconds),
            format!("{:.0}", s.index_bytes as f64 / 1024.0),
            answers.join(", "),
        ]);
    }
    for column in 3..13 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
