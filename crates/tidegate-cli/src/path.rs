//! `tidegate path`: one query, answered and shown.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use serde_json::json;
use tidegate::engine::Engine;
use tidegate::search::Recorder;
use tidegate::{Blocked, CellId, Index, Outcome, Path, Query, Scratch, Tile, draw};

use crate::load::{self, MapOptions};
use crate::{Done, output};

/// A trace keeps at most this many events.
const MAX_EVENTS: usize = 4_000_000;

const EXAMPLES: &str = "\
Examples:
  tidegate path testdata/suite/maps/bundled/rts-256.map --from 20,20 --to 230,230
  tidegate path my.map --from 0,0 --to 9,9 --json
  tidegate path my.map --from 0,0 --to 9,9 --png search.png --trace search.trace.json
  tidegate path my.map --from 0,0 --to 9,9 --budget 1000 --partial
  tidegate path my.map --from 0,0 --to 9,9 --block 4,4 --block 6,0:6,8";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map (.map, .png, .txt) or index (.tide)
    map: PathBuf,
    /// Start tile
    #[arg(long, value_name = "X,Y", value_parser = crate::parse_tile)]
    from: Tile,
    /// Goal tile
    #[arg(long, value_name = "X,Y", value_parser = crate::parse_tile)]
    to: Tile,
    /// The engine to ask
    #[arg(long, default_value = "auto", value_parser = crate::parse_engine)]
    engine: &'static dyn Engine,
    /// Stop after this many expansions
    #[arg(long, value_name = "N")]
    budget: Option<u64>,
    /// If the goal is not reached, give the way to the nearest tile that was
    #[arg(long)]
    partial: bool,
    /// Go around this tile, or around the rectangle between two tiles, as if a unit stood
    /// there (may be repeated)
    #[arg(long, value_name = "X,Y[:X,Y]", value_parser = parse_block)]
    block: Vec<(Tile, Tile)>,
    /// Draw the search and the path
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Pixels per tile in the picture
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: u32,
    /// Write the search as a trace for the Posthoc visualiser
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Print JSON with every tile
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: MapOptions,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let mut index = load::index(&args.map, &args.options)?;
    index.prepare(args.engine)?;
    let mut query = Query::new(args.from, args.to);
    query.budget = args.budget;
    query.partial = args.partial;
    let size = (index.grid().width() as u16, index.grid().height() as u16);
    let blocked = Blocked::new(args.block.iter().flat_map(|&block| tiles_of(block, size)));
    query.blocked = (!blocked.is_empty()).then_some(&blocked);
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let clock = Instant::now();
    let answer = index.find(args.engine, &query, &mut scratch, &mut path)?;
    let micros = clock.elapsed().as_secs_f64() * 1e6;
    if args.png.is_some() || args.trace.is_some() {
        watch_again(&args, &index, &query)?;
    }
    let status = match answer.outcome {
        Outcome::Found(_) => "found",
        Outcome::Unreachable => "unreachable",
        Outcome::Stopped => "stopped",
    };
    let length = path.length();
    let turns: Vec<Tile> = path.turning_points().collect();
    let mut out = std::io::stdout().lock();
    if args.json {
        let pair = |t: &Tile| [t.x, t.y];
        let value = json!({
            "status": status,
            "engine": args.engine.name(),
            "length": length.value(),
            "straight": length.straight,
            "diagonal": length.diagonal,
            "expanded": answer.stats.expanded,
            "generated": answer.stats.generated,
            "micros": micros,
            "turning_points": turns.iter().map(pair).collect::<Vec<_>>(),
            "path": path.tiles().iter().map(pair).collect::<Vec<_>>(),
        });
        writeln!(out, "{value}")?;
    } else {
        let engine = args.engine.name();
        match answer.outcome {
            Outcome::Found(_) => writeln!(
                out,
                "{} to {}: length {:.5} ({} straight, {} diagonal)",
                args.from,
                args.to,
                length.value(),
                length.straight,
                length.diagonal
            )?,
            Outcome::Unreachable => writeln!(out, "{} to {}: no way", args.from, args.to)?,
            Outcome::Stopped => {
                writeln!(out, "{} to {}: stopped by the budget", args.from, args.to)?;
            }
        }
        if let (true, Some(last)) = (status != "found", path.tiles().last()) {
            writeln!(
                out,
                "nearest tile reached: {last}, {:.5} away from the start",
                length.value()
            )?;
        }
        let expanded = answer.stats.expanded;
        writeln!(out, "{engine}: {micros:.1} µs, {expanded} expansions")?;
        if !turns.is_empty() {
            let turns: Vec<String> = turns.iter().map(Tile::to_string).collect();
            writeln!(out, "turning points: {}", turns.join("  "))?;
        }
    }
    Ok(if answer.cost().is_some() { Done::Yes } else { Done::No })
}

/// Reads a tile, or two that are corners of a rectangle.
fn parse_block(text: &str) -> Result<(Tile, Tile), String> {
    let (a, b) = text.split_once(':').unwrap_or((text, text));
    Ok((crate::parse_tile(a)?, crate::parse_tile(b)?))
}

/// The tiles of a rectangle that lie on a map of this size.
fn tiles_of((a, b): (Tile, Tile), (width, height): (u16, u16)) -> impl Iterator<Item = Tile> {
    let columns = a.x.min(b.x)..width.min(a.x.max(b.x).saturating_add(1));
    let rows = a.y.min(b.y)..height.min(a.y.max(b.y).saturating_add(1));
    rows.flat_map(move |y| columns.clone().map(move |x| Tile::new(x, y)))
}

/// Asks once more with a recorder, so that watching costs the measured query nothing. With
/// fresh memory: an engine that learns from queries then searches as it did before.
fn watch_again(args: &Args, index: &Index, query: &Query<'_>) -> Result<()> {
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let mut seen = Recorder::new(MAX_EVENTS);
    index.find_watched(args.engine, query, &mut scratch, &mut path, Some(&mut seen))?;
    if let Some(file) = &args.png {
        let cells: Vec<CellId> = seen.expanded().map(|n| CellId::from_index(n as usize)).collect();
        let picture = draw::search(index.grid(), &cells, &path, args.scale)?;
        output::write(file, &picture.to_png()?)?;
    }
    if let Some(file) = &args.trace {
        let trace = tidegate_studio::posthoc(index.grid(), query, &seen.events);
        output::write(file, &serde_json::to_vec(&trace)?)?;
    }
    Ok(())
}
