//! `tidegate info`: what a file holds.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use tidegate::Index;
use tidegate::anyangle::{AnyAngle, LiveAngleLabels};
use tidegate::engine::Engine;
use tidegate::grid::scen_file;
use tidegate::grid::scen_file::Problem;
use tidegate::index::Table;

use crate::load::{self, MapOptions};
use crate::say::{self, say};
use crate::{Done, progress};

const EXAMPLES: &str = "\
Examples:
  tidegate info my.map
  tidegate info my.tide --json
  tidegate info my.map.scen";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A map (.map, .png, .txt), index (.tide) or scenario (.scen)
    file: PathBuf,
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: MapOptions,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let (facts, lines) = if args.file.extension().is_some_and(|e| e == "scen") {
        args.options.refuse(&args.file, "a scenario is no map")?;
        let bytes = load::bytes(&args.file)?;
        let shown = || args.file.display().to_string();
        scenario(&scen_file::parse(&bytes).with_context(shown)?)
    } else {
        let index = load::index(&args.file, &args.options)?;
        progress::now("looking at the map");
        map(&index)
    };
    if args.json {
        say!("{facts}");
    } else {
        say!("{}: {}", args.file.display(), lines.join("\n"));
    }
    Ok(Done::Yes)
}

/// What there is to know, for programs and in lines for people.
type Facts = (Value, Vec<String>);

fn map(index: &Index) -> Facts {
    let (grid, components) = (index.grid(), index.components());
    // What is prepared for an engine; one that only forwards has nothing of its own.
    let own = |engine: &&&dyn Engine| engine.name() != "auto" && engine.bytes(index) > 0;
    let mut tables: Vec<(&str, u64)> = tidegate_sectors::ENGINES
        .iter()
        .filter(own)
        .map(|engine| (engine.name(), engine.bytes(index) as u64))
        .collect();
    let walks = [AnyAngle::KIND, LiveAngleLabels::KIND].into_iter().filter(|kind| index.has(kind));
    tables.extend(walks.map(|kind| (kind.name, index.table_bytes(kind) as u64)));
    let kind = if tables.is_empty() { "map" } else { "index" };
    let largest = components.sizes().iter().max().copied().unwrap_or(0);
    let fingerprint = grid.fingerprint().to_string();
    let mut facts = json!({
        "kind": kind,
        "width": grid.width(),
        "height": grid.height(),
        "tiles": grid.tiles(),
        "free": grid.free_tiles(),
        "movement": grid.movement().name(),
        "variable_costs": grid.factors().is_some(),
        "components": components.sizes().len(),
        "largest_component": largest,
        "fingerprint": fingerprint,
    });
    let free = grid.free_tiles();
    let share = 100.0 * free as f64 / grid.tiles() as f64;
    let free = say::count(free as u64);
    let costs = if grid.factors().is_some() {
        "costs differ from tile to tile"
    } else {
        "all tiles cost the same"
    };
    let parts = match components.sizes().len() {
        0 => "no tile is free".to_string(),
        1 => "all free tiles are connected".to_string(),
        many => format!(
            "in {} parts that are not connected, the largest of {} tiles",
            say::count(many as u64),
            say::count(u64::from(largest))
        ),
    };
    let kind = if tables.is_empty() { "a map" } else { "an index" };
    let mut lines = vec![
        format!("{kind} of {} x {} tiles", grid.width(), grid.height()),
        format!("free tiles   {free} ({share:.0} %); {parts}"),
        format!("movement     {}; {costs}", grid.movement().name()),
        format!("fingerprint  {fingerprint}"),
    ];
    if !tables.is_empty() {
        lines.push("tables for".to_string());
        lines.extend(
            tables.iter().map(|(name, bytes)| format!("  {name:<20} {}", say::size(*bytes))),
        );
        let tables = tables.into_iter().map(|(name, bytes)| (name.to_string(), json!(bytes)));
        facts["bytes_of_tables"] = Value::Object(tables.collect());
    }
    (facts, lines)
}

fn scenario(problems: &[Problem]) -> Facts {
    let lengths = problems.iter().map(|p| p.length);
    let longest = lengths.clone().fold(0.0, f64::max);
    let mean = lengths.fold(0.0, |sum, length| sum + length) / problems.len().max(1) as f64;
    let unreachable = problems.iter().filter(|p| p.is_unreachable()).count();
    let map = problems.first().map_or("", |p| p.map_name());
    let facts = json!({
        "kind": "scenario",
        "map": map,
        "problems": problems.len(),
        "mean_length": mean,
        "longest": longest,
        "unreachable": unreachable,
    });
    let mut lines = vec!["a scenario without problems".to_string()];
    if !problems.is_empty() {
        let count = say::count(problems.len() as u64);
        lines = vec![
            format!("a scenario of {count} problems on {map}"),
            format!("lengths      {mean:.2} on average, {longest:.2} at most"),
            format!("unreachable  {unreachable}"),
        ];
    }
    (facts, lines)
}
