//! `tidegate path`: one query, answered and shown.

mod walk;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tidegate::cost::Cost;
use tidegate::engine::Engine;
use tidegate::search::Recorder;
use tidegate::{Answer, Blocked, CellId, Index, Outcome, Path, Query, Scratch, Tile, draw};

use crate::arguments::Place;
use crate::load::{self, MapOptions};
use crate::say::{self, note, say};
use crate::{Done, arguments, estimate, output, progress};

/// A trace keeps at most this many events.
const MAX_EVENTS: usize = 4_000_000;
/// Longer lists are folded, and this many of their tiles shown.
const MAX_LISTED: usize = 12;
const SHOWN: usize = 8;

const EXAMPLES: &str = "\
Examples:
  tidegate path my.map --from 20,20 --to 230,230
  tidegate path my.map --from 0,0 --to 9,9 --engine labels --turns
  tidegate path my.map --from 0,0 --to 9,9 --json
  tidegate path my.map --from 0,0 --to 9,9 --png search.png --trace search.trace.json
  tidegate path my.map --from 0,0 --to 9,9 --budget 1000 --partial
  tidegate path my.map --from 0,0 --to 9,9 --block 4,4 --block 6,0:6,8
  tidegate path my.map --from 0,0 --to 9,9 --any-angle --png walk.png
  tidegate path my.map --from 0.25,0.5 --to 9.5,9.75 --any-angle";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map (.map, .png, .txt) or index (.tide)
    map: PathBuf,
    /// Start tile; with --any-angle also a point, by decimals
    #[arg(long, value_name = "X,Y", value_parser = arguments::place)]
    from: Place,
    /// Goal tile, or point
    #[arg(long, value_name = "X,Y", value_parser = arguments::place)]
    to: Place,
    /// Walk straight from corner to corner at any angle, not from tile to tile: the shortest
    /// such walk of a point, from labels where the index has them, else by a search
    #[arg(long, conflicts_with_all = ["engine", "budget", "partial", "trace"])]
    any_angle: bool,
    /// The engine to ask
    #[arg(long, default_value = "auto", value_parser = arguments::engine())]
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
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    png: Option<PathBuf>,
    /// Pixels per tile in the picture [default: 3]
    #[arg(long, value_name = "N", requires = "png", value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: Option<u32>,
    /// Write the search as a trace for the Posthoc visualiser
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    trace: Option<PathBuf>,
    /// Print all turning points, not only the first
    #[arg(long)]
    turns: bool,
    /// Print every tile of the path
    #[arg(long)]
    tiles: bool,
    /// Print JSON with every tile
    #[arg(long, conflicts_with_all = ["turns", "tiles"])]
    json: bool,
    #[command(flatten)]
    options: MapOptions,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let written = [&args.png, &args.trace].into_iter().flatten();
    arguments::all_different([&*args.map], written.map(PathBuf::as_path))?;
    let mut index = load::index(&args.map, &args.options)?;
    if args.any_angle {
        return walk::run(&args, index);
    }
    let mut query = Query::new(args.from.tile()?, args.to.tile()?);
    query.budget = args.budget;
    query.partial = args.partial;
    let blocked = blocked(&args, &index);
    query.blocked = (!blocked.is_empty()).then_some(&blocked);
    // A query that cannot be answered is refused before anything is built for it.
    index.resolve(&query)?;
    let built = build(&mut index, args.engine)?;
    progress::now(format!("{} searches", args.engine.name()));
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let clock = Instant::now();
    let answer = index.find(args.engine, &query, &mut scratch, &mut path)?;
    let micros = clock.elapsed().as_secs_f64() * 1e6;
    let engine = args.engine.answered_by(&index.resolve(&query)?);
    if args.json {
        print_json(&args, engine, &answer, &path, micros);
    } else {
        print(&args, &query, engine, &answer, &path, micros);
        if let Some(seconds) = built {
            let name = args.engine.name();
            say!(
                "the tables of {name} were built first, in {seconds:.2} s; 'tidegate index' keeps them"
            );
        }
    }
    if args.png.is_some() || args.trace.is_some() {
        progress::now("drawing");
        watch_again(&args, &index, &query)?;
    }
    Ok(if answer.cost().is_some() { Done::Yes } else { Done::No })
}

/// The tiles to go around.
fn blocked(args: &Args, index: &Index) -> Blocked {
    let size = (index.grid().width() as u16, index.grid().height() as u16);
    Blocked::new(args.block.iter().flat_map(|&block| tiles_of(block, size)))
}

/// Builds the engine's tables if they are not there. How long that took.
fn build(index: &mut Index, engine: &'static dyn Engine) -> Result<Option<f64>> {
    if engine.is_ready(index) {
        return Ok(None);
    }
    estimate::tell(index, &[engine]);
    progress::now(format!("building the tables of {}", engine.name()));
    let clock = Instant::now();
    index.prepare(engine)?;
    Ok(Some(clock.elapsed().as_secs_f64()))
}

fn print_json(args: &Args, engine: &str, answer: &Answer, path: &Path, micros: f64) {
    let length = path.length();
    let pair = |t: Tile| [t.x, t.y];
    let value = json!({
        "status": match answer.outcome {
            Outcome::Found(_) => "found",
            Outcome::Unreachable => "unreachable",
            Outcome::Stopped => "stopped",
        },
        "engine": args.engine.name(),
        "answered_by": engine,
        "length": length.value(),
        "straight": length.straight,
        "diagonal": length.diagonal,
        "expanded": answer.stats.expanded,
        "generated": answer.stats.generated,
        "micros": micros,
        "turning_points": path.turning_points().map(pair).collect::<Vec<_>>(),
        "path": path.tiles().iter().copied().map(pair).collect::<Vec<_>>(),
    });
    say!("{value}");
}

fn print(args: &Args, query: &Query<'_>, engine: &str, answer: &Answer, path: &Path, micros: f64) {
    let length = path.length();
    let ends = format!("{} to {}", query.start, query.goal);
    let (straight, diagonal, value) = (length.straight, length.diagonal, length.value());
    match answer.outcome {
        Outcome::Found(_) => {
            say!("{ends}: length {value:.5} ({straight} straight, {diagonal} diagonal)");
        }
        Outcome::Unreachable => say!("{ends}: no way"),
        Outcome::Stopped => say!("{ends}: stopped by the budget"),
    }
    if let (None, Some(last)) = (answer.cost(), path.tiles().last()) {
        say!("nearest tile reached: {last}, {value:.5} away from the start");
    }
    let asked = args.engine.name();
    let chosen = if engine == asked { String::new() } else { format!(" (chosen by {asked})") };
    say!("{engine}{chosen}: {micros:.1} µs, {} expansions", answer.stats.expanded);
    let turns: Vec<Tile> = path.turning_points().collect();
    if !turns.is_empty() {
        say!(
            "{}",
            listed("turning points", &turns, if args.turns { None } else { Some("--turns") })
        );
    }
    if args.tiles && !path.tiles().is_empty() {
        say!("{}", listed("tiles", path.tiles(), None));
    }
}

/// A list of places on one line, folded if it is long and an option shows all of it.
fn listed<T: ToString>(what: &str, tiles: &[T], option: Option<&str>) -> String {
    let text = |tiles: &[T]| tiles.iter().map(T::to_string).collect::<Vec<_>>().join("  ");
    match option {
        Some(option) if tiles.len() > MAX_LISTED => {
            let more = tiles.len() - SHOWN;
            format!("{what}: {}  … and {more} more ({option} shows all)", text(&tiles[..SHOWN]))
        }
        _ => format!("{what}: {}", text(tiles)),
    }
}

/// Says what was written, unless a program reads along.
fn wrote(args: &Args, file: &std::path::Path, what: &str) {
    if !args.json {
        say::wrote(file, what);
    }
}

/// Reads a tile, or two that are corners of a rectangle.
fn parse_block(text: &str) -> Result<(Tile, Tile), String> {
    let (a, b) = text.split_once(':').unwrap_or((text, text));
    Ok((arguments::tile(a)?, arguments::tile(b)?))
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
    index.find_observed(args.engine, query, &mut scratch, &mut path, Some(&mut seen))?;
    if let Some(file) = &args.png {
        let cells: Vec<CellId> = seen.expanded().map(|n| CellId::from_index(n as usize)).collect();
        let picture = draw::search(index.grid(), &cells, &path, args.scale.unwrap_or(3))?;
        output::write(file, &picture.to_png()?)?;
        wrote(args, file, "the search and the path");
    }
    if let Some(file) = &args.trace {
        write_trace(file, index, query, &seen)?;
        wrote(args, file, "the trace of the search");
    }
    Ok(())
}

/// Writes what was seen for Posthoc; a bar shows how far it is, since a million events take a
/// while.
fn write_trace(
    file: &std::path::Path,
    index: &Index,
    query: &Query<'_>,
    seen: &Recorder<Cost>,
) -> Result<()> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} events of the trace");
    let bar = ProgressBar::new(seen.events.len() as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let cannot_write = || format!("cannot write {}", file.display());
    let mut out = output::create(file)?;
    let ends = (query.start, query.goal);
    draw::posthoc(&mut out, index.grid(), ends, seen, |done| bar.set_position(done as u64))
        .with_context(cannot_write)?;
    output::finish(out, file)?;
    bar.finish_and_clear();
    if (seen.events.len() as u64) < seen.seen {
        note!(
            "note: {} is cut: it has the first {} of {} events",
            file.display(),
            seen.events.len(),
            seen.seen
        );
    }
    Ok(())
}
