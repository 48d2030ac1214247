//! `tidegate report`: the documents' experiments run again, and one page of them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use tidegate_bench::experiment::{self, Experiment, Lab, Scale};
use tidegate_bench::notebook::Notebook;
use tidegate_bench::suite::{self, Suite};
use tidegate_bench::{output, report};

use crate::say::say;
use crate::{Done, arguments};

const EXAMPLES: &str = "\
Examples:
  tidegate report --quick                          less than two minutes, a sample of everything
  tidegate report --suite ../bench                 everything, for hours; go on with the same command
  tidegate report --suite ../bench --only engines  one experiment of it
  tidegate report --draw                           the page again, from what is recorded
  tidegate report --list                           the experiments
  tidegate report --refresh README.md              put the recorded figures into a text

Every experiment keeps its results in one small CSV file in the record folder, saved after every
map: a run that was broken off goes on where it stopped, and nothing is measured twice. Remove a
file to measure it again. Without --suite the maps are those of $TIDEGATE_BENCH, else the bundled
ones, which are inside the program.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder of maps and scenarios [default: $TIDEGATE_BENCH, else the bundled maps]
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// The folder of records [default: record; with --quick: record-quick]
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// The page to write
    #[arg(short, long, value_name = "FILE", default_value = "report.html", value_parser = arguments::output())]
    output: PathBuf,
    /// Take a few maps of every set and a few problems of every map
    #[arg(long)]
    quick: bool,
    /// Take problems 0, K, 2K, ... of each scenario
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Only this experiment (may be repeated)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Added to every seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Run nothing, only draw
    #[arg(long, conflicts_with_all = ["only", "every"])]
    draw: bool,
    /// List the experiments
    #[arg(long)]
    list: bool,
    /// Put the recorded figures between the marks of a text (may be repeated); runs nothing
    #[arg(long, value_name = "FILE")]
    refresh: Vec<PathBuf>,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    if args.list {
        for experiment in experiment::ALL {
            say!("{:<14} {}", experiment.name(), experiment.about());
        }
        return Ok(Done::Yes);
    }
    let chosen = choose(&args.only)?;
    let folder = if args.quick { "record-quick" } else { "record" };
    let notebook = Notebook::new(args.record.clone().unwrap_or_else(|| folder.into()));
    if !args.refresh.is_empty() {
        for file in &args.refresh {
            refresh(file, &notebook)?;
            say!("{}: refreshed", file.display());
        }
        return Ok(Done::Yes);
    }
    let lab = lab(&args);
    if !args.draw {
        perform(&chosen, lab.as_ref().map_err(|e| anyhow::anyhow!("{e:#}"))?, &notebook)?;
    }
    let page = report::page(&notebook, lab.as_ref().ok())?;
    let file =
        if args.output.is_dir() { args.output.join("report.html") } else { args.output.clone() };
    output::write(&file, page.as_bytes())?;
    say!("page: {}; records: {}", file.display(), notebook.folder().display());
    Ok(Done::Yes)
}

fn choose(only: &[String]) -> Result<Vec<&'static dyn Experiment>> {
    let all = experiment::ALL;
    for name in only {
        let names: Vec<&str> = all.iter().map(|e| e.name()).collect();
        ensure!(
            names.contains(&name.as_str()),
            "no experiment {name:?}; there are: {}",
            names.join(", ")
        );
    }
    let wanted = |e: &&dyn Experiment| only.is_empty() || only.iter().any(|name| name == e.name());
    Ok(all.iter().copied().filter(wanted).collect())
}

fn lab(args: &Args) -> Result<Lab> {
    let folder = std::env::var_os("TIDEGATE_BENCH").filter(|folder| !folder.is_empty());
    let suite = match args.suite.clone().or(folder.map(PathBuf::from)) {
        Some(folder) => Suite::open(folder).context("there are no maps to run on")?,
        None => Suite::bundled(),
    };
    let name = suite.sets()?.join(" ");
    let scale = Scale { quick: args.quick, every: args.every as usize };
    Ok(Lab { suite, name, scale, seed: args.seed })
}

fn perform(chosen: &[&dyn Experiment], lab: &Lab, notebook: &Notebook) -> Result<()> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}, {elapsed} gone: {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let mut units = Vec::new();
    for experiment in chosen {
        units.push(experiment.units(lab)?.len() as u64);
    }
    let bar = ProgressBar::new(units.iter().sum()).with_style(style);
    let mut before = 0;
    for (experiment, units) in chosen.iter().zip(units) {
        let (clock, name) = (Instant::now(), experiment.name());
        let mut fresh = 0;
        experiment::perform(*experiment, lab, notebook, |progress| {
            fresh += 1;
            bar.set_position(before + progress.done as u64);
            bar.set_message(format!("{name}: {}", progress.unit));
        })?;
        before += units;
        bar.set_position(before);
        let outcome = match (units, fresh) {
            (0, _) => "left out: this suite has no maps for it".to_string(),
            (_, 0) => format!("{units} units, all on record"),
            _ => format!("{fresh} of {units} units in {:.0} s", clock.elapsed().as_secs_f64()),
        };
        bar.suspend(|| say!("{name:<14} {outcome}"));
    }
    bar.finish_and_clear();
    Ok(())
}

fn refresh(file: &Path, notebook: &Notebook) -> Result<()> {
    let shown = || file.display().to_string();
    let text = String::from_utf8(suite::read(file)?).with_context(shown)?;
    let fresh = report::refresh(&text, notebook).with_context(shown)?;
    output::write(file, fresh.as_bytes())
}
