//! `tidegate index`: everything worked out in advance, as one file.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use tidegate::anyangle::{AnyAngle, LiveAngleLabels};
use tidegate::engine::{self, Engine};
use tidegate::index::Table;
use tidegate::labels::{Form, LabelOptions};
use tidegate::{Decomposition, Index};

use crate::load::{self, MapOptions};
use crate::say::{self, say};
use crate::{Done, arguments, estimate, output, progress};

const EXAMPLES: &str = "\
Examples:
  tidegate index my.map -o my.tide
  tidegate index my.map -o my.tide --engine gateway --engine jps
  tidegate index my.map -o my.tide --decomposition edited.json
  tidegate index my.map -o my.tide --engine labels --label-form small --label-memory 32
  tidegate index my.map -o my.tide --engine labels --any-angle

The file carries the map, so every command that takes a map also takes the index. It is written
beside its name and renamed when complete: a crash leaves the old file or the new one.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map (.map, .png, .txt), or an index to add to (.tide)
    map: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE", value_parser = arguments::output())]
    output: PathBuf,
    /// An engine to build (may be repeated); without it, all that can do this map
    #[arg(long, value_name = "ENGINE", value_parser = arguments::engine())]
    engine: Vec<&'static dyn Engine>,
    /// Labels for walks at any angle, too: 'tidegate path --any-angle' then takes about a
    /// microsecond
    #[arg(long)]
    any_angle: bool,
    /// Zones and gates to use, as written by 'tidegate decompose --json'
    #[arg(long, value_name = "FILE")]
    decomposition: Option<PathBuf>,
    /// The most memory that labels may take, in MiB [default: 192]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    label_memory: Option<u64>,
    /// How tiles share their labels: fast (4 x 4 tiles), small (8 x 8, about two thirds of the size),
    /// or auto, which mixes both: 8 x 8 where that costs little time or memory is short [default: auto]
    #[arg(long, value_name = "FORM", value_parser = arguments::label_form())]
    label_form: Option<Form>,
    #[command(flatten)]
    options: MapOptions,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let read = std::iter::once(&args.map).chain(&args.decomposition);
    arguments::all_different(read.map(PathBuf::as_path), [&*args.output])?;
    let mut index = load::index(&args.map, &args.options)?;
    if let Some(file) = &args.decomposition {
        let shown = || file.display().to_string();
        let text = String::from_utf8(load::bytes(file)?).with_context(shown)?;
        let parts = Decomposition::from_json(index.grid(), &text).with_context(shown)?;
        index.set_decomposition(parts).with_context(shown)?;
    }
    let all = args.engine.is_empty();
    let engines = if all { tidegate_sectors::ENGINES.to_vec() } else { args.engine.clone() };
    let labels = label_options(&args, &index, &engines)?;
    estimate::tell(&index, &engines);
    for (i, engine) in engines.iter().enumerate() {
        progress::now(format!("{} of {} engines: {}", i + 1, engines.len(), engine.name()));
        let clock = Instant::now();
        let built = if engine.name() == engine::LABELS.name() && !engine.is_ready(&index) {
            index.build::<tidegate::labels::LiveLabels>(&labels)
        } else {
            index.prepare(*engine)
        };
        let seconds = clock.elapsed().as_secs_f64();
        match built {
            Ok(()) => {
                let kilobytes = engine.bytes(&index) as f64 / 1024.0;
                say!("{:<20} {seconds:>8.3} s {kilobytes:>10.0} KB", engine.name());
            }
            Err(error) if all => say!("left out: {error}"),
            Err(error) => return Err(error.into()),
        }
    }
    if args.any_angle {
        progress::now("labels for walks at any angle");
        let clock = Instant::now();
        index.prepare_table(AnyAngle::KIND)?;
        if !index.has(LiveAngleLabels::KIND) {
            index.build::<LiveAngleLabels>(&labels)?;
        }
        let seconds = clock.elapsed().as_secs_f64();
        let kilobytes = index.table_bytes(LiveAngleLabels::KIND) as f64 / 1024.0;
        say!("{:<20} {seconds:>8.3} s {kilobytes:>10.0} KB", LiveAngleLabels::NAME);
    }
    progress::now(format!("writing {}", args.output.display()));
    let bytes = index.to_bytes();
    output::write(&args.output, &bytes)?;
    say::wrote(&args.output, &say::size(bytes.len() as u64));
    Ok(Done::Yes)
}

/// How labels are to be built. An option that would do nothing is refused.
fn label_options(args: &Args, index: &Index, engines: &[&dyn Engine]) -> Result<LabelOptions> {
    let of_engine = engines.iter().any(|engine| engine.name() == engine::LABELS.name());
    let wanted = of_engine || args.any_angle;
    for (option, given) in [
        ("--label-form", args.label_form.is_some()),
        ("--label-memory", args.label_memory.is_some()),
    ] {
        ensure!(
            !given || !of_engine || !engine::LABELS.is_ready(index),
            "{} has its labels built in; leave out {option}",
            args.map.display()
        );
        ensure!(!given || wanted, "{option} is for the engine labels, which is not to be built");
    }
    let usual = LabelOptions::default();
    Ok(LabelOptions {
        form: args.label_form.unwrap_or(usual.form),
        budget_bytes: args.label_memory.map_or(usual.budget_bytes, |mebibytes| mebibytes << 20),
        ..usual
    })
}
