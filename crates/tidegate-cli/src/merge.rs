//! `tidegate merge`: the parts of a benchmark that ran apart, as one table.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use tidegate_bench::shard;

use crate::{Done, arguments, output, progress, say};

const EXAMPLES: &str = "\
Examples:
  tidegate bench --engine corners --shard 1/2 --csv part-1.csv
  tidegate bench --engine corners --shard 2/2 --csv part-2.csv
  tidegate merge part-1.csv part-2.csv -o rows.csv

The rows come in the order in which one process would have written them, whatever the order of
the files; only the times differ. A part that is missing, there twice, or of a run with other
engines or maps is refused.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The CSV files of all parts, in any order
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// The CSV file to write
    #[arg(short, long, value_name = "FILE", value_parser = arguments::output())]
    output: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let read = args.files.iter().map(PathBuf::as_path);
    arguments::all_different(read, [args.output.as_path()])?;
    progress::now("putting the parts together");
    let file = std::io::BufWriter::new(output::create(&args.output)?);
    let (merged, file) = shard::merge(&args.files, file)?;
    let file = file.into_inner().map_err(|error| error.into_error());
    let file = file.with_context(|| format!("cannot write {}", args.output.display()))?;
    output::finish(file, &args.output)?;
    let (shards, maps) = (merged.shards, merged.maps);
    let rows = say::count(merged.rows);
    say::wrote(&args.output, &format!("{rows} rows of {maps} maps from {shards} parts"));
    Ok(Done::Yes)
}
