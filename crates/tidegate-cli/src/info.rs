//! `tidegate info`: what a file holds.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::json;
use tidegate::engine::{self, Engine};
use tidegate::grid::scen_file;
use tidegate_bench::suite;

use crate::Done;
use crate::load::{self, MapOptions};

const EXAMPLES: &str = "\
Examples:
  tidegate info my.map
  tidegate info problems.map.scen --json";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A map (.map, .png, .txt), index (.tide) or scenario (.scen)
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: MapOptions,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let facts = if args.file.extension().is_some_and(|e| e == "scen") {
        scenario(&args)?
    } else {
        map(&args)?
    };
    let mut out = std::io::stdout().lock();
    if args.json {
        let object: serde_json::Map<_, _> =
            facts.into_iter().map(|(k, v)| (k.replace(' ', "_"), v)).collect();
        writeln!(out, "{}", serde_json::Value::Object(object))?;
    } else {
        for (key, value) in facts {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            writeln!(out, "{key:<20} {text}")?;
        }
    }
    Ok(Done::Yes)
}

type Facts = Vec<(&'static str, serde_json::Value)>;

fn map(args: &Args) -> Result<Facts> {
    let index = load::index(&args.file, &args.options)?;
    let (grid, components) = (index.grid(), index.components());
    // What is prepared for an engine; one that only forwards has nothing of its own.
    let own = |engine: &&&dyn Engine| engine.name() != "auto" && engine.bytes(&index) > 0;
    let tables: serde_json::Map<_, _> = tidegate_sectors::ENGINES
        .iter()
        .filter(own)
        .map(|engine| (engine.name().to_string(), json!(engine.bytes(&index))))
        .collect();
    let largest = components.sizes().iter().max().copied().unwrap_or(0);
    let mut facts = vec![
        ("kind", json!(if tables.is_empty() { "map" } else { "index" })),
        ("width", json!(grid.width())),
        ("height", json!(grid.height())),
        ("tiles", json!(grid.tiles())),
        ("free", json!(grid.free_tiles())),
        ("movement", json!(grid.movement().name())),
        ("variable costs", json!(grid.factors().is_some())),
        ("components", json!(components.sizes().len())),
        ("largest component", json!(largest)),
        ("fingerprint", json!(grid.fingerprint().to_string())),
    ];
    if !tables.is_empty() {
        facts.push(("bytes of tables", tables.into()));
    }
    Ok(facts)
}

fn scenario(args: &Args) -> Result<Facts> {
    let bytes = suite::read(&args.file)?;
    let problems = scen_file::parse(&bytes).with_context(|| args.file.display().to_string())?;
    let lengths = problems.iter().map(|p| p.length);
    let longest = lengths.clone().fold(0.0, f64::max);
    let mean = lengths.sum::<f64>() / problems.len().max(1) as f64;
    let unreachable = problems.iter().filter(|p| p.is_unreachable()).count();
    Ok(vec![
        ("kind", json!("scenario")),
        ("map", json!(problems.first().map_or("", |p| p.map_name()))),
        ("problems", json!(problems.len())),
        ("mean length", json!(mean)),
        ("longest", json!(longest)),
        ("unreachable", json!(unreachable)),
    ])
}
