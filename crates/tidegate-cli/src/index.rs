//! `tidegate index`: everything worked out in advance, as one file.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use tidegate::Decomposition;
use tidegate::engine::{self, Engine};
use tidegate::labels::{Form, LabelOptions};
use tidegate_bench::suite;

use crate::Done;
use crate::load::{self, MapOptions};

const EXAMPLES: &str = "\
Examples:
  tidegate index my.map -o my.tide
  tidegate index my.map -o my.tide --engine gateway --engine jps
  tidegate index my.map -o my.tide --decomposition edited.json
  tidegate index my.map -o my.tide --engine labels --label-form small --label-memory 32

The file carries the map, so every command that takes a map also takes the index. It is written
beside its name and renamed when complete: a crash leaves the old file or the new one.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map (.map, .png, .txt), or an index to add to (.tide)
    map: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// An engine to build (may be repeated); without it, all that can do this map
    #[arg(long, value_name = "ENGINE", value_parser = crate::parse_engine)]
    engine: Vec<&'static dyn Engine>,
    /// Zones and gates to use, as written by 'tidegate decompose --json'
    #[arg(long, value_name = "FILE")]
    decomposition: Option<PathBuf>,
    /// The most memory that labels may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 192, value_parser = clap::value_parser!(u64).range(1..=65_536))]
    label_memory: u64,
    /// How tiles share their labels: fast (4 x 4 tiles), small (8 x 8, about half the size),
    /// or auto, the faster that fits
    #[arg(long, value_name = "FORM", default_value = "auto", value_parser = parse_form)]
    label_form: Form,
    #[command(flatten)]
    options: MapOptions,
}

fn parse_form(text: &str) -> Result<Form, String> {
    match text {
        "auto" => Ok(Form::Auto),
        "fast" => Ok(Form::Fast),
        "small" => Ok(Form::Small),
        _ => Err("known forms are: auto, fast, small".into()),
    }
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let mut index = load::index(&args.map, &args.options)?;
    if let Some(file) = &args.decomposition {
        let shown = || file.display().to_string();
        let text = String::from_utf8(suite::read(file)?).with_context(shown)?;
        let parts = Decomposition::from_json(index.grid(), &text).with_context(shown)?;
        index.set_decomposition(parts).with_context(shown)?;
    }
    let labels = LabelOptions {
        form: args.label_form,
        budget_bytes: args.label_memory << 20,
        ..LabelOptions::default()
    };
    let all = args.engine.is_empty();
    let engines = if all { tidegate_sectors::ENGINES.to_vec() } else { args.engine.clone() };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(engines.len() as u64).with_style(style);
    let mut out = std::io::stdout().lock();
    for engine in engines {
        bar.set_message(engine.name());
        let clock = Instant::now();
        let built = if engine.name() == engine::LABELS.name() && !engine.is_ready(&index) {
            index.build::<tidegate::labels::Labels>(&labels)
        } else {
            index.prepare(engine)
        };
        let seconds = clock.elapsed().as_secs_f64();
        match built {
            Ok(()) => {
                let kilobytes = engine.bytes(&index) as f64 / 1024.0;
                let line = format!("{:<20} {seconds:>8.3} s {kilobytes:>10.0} KB", engine.name());
                bar.suspend(|| writeln!(out, "{line}"))?;
            }
            Err(error) if all => bar.suspend(|| writeln!(out, "left out: {error}"))?,
            Err(error) => return Err(error.into()),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    index.save(&args.output).with_context(|| format!("cannot write {}", args.output.display()))?;
    let bytes = std::fs::metadata(&args.output).map_or(0, |m| m.len());
    writeln!(out, "{}: {:.0} KB", args.output.display(), bytes as f64 / 1024.0)?;
    Ok(Done::Yes)
}
