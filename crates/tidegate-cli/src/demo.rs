//! `tidegate demo`: the whole story on a bundled map.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use comfy_table::{CellAlignment, Table, presets};
use tidegate::draw::{self, DrawOptions};
use tidegate::engine::{self, Engine, Promise};
use tidegate::grid::{TileMap, scen_file};
use tidegate::search::Recorder;
use tidegate::{CellId, Decomposition, Index, Movement, Path, Query, Scratch};
use tidegate_bench::record::{Summary, Tally};
use tidegate_bench::run::{Job, run_on};

use crate::say::say;
use crate::{Done, arguments, output, progress};

const PAGE_HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>Tidegate: a map, its gates, its paths</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
  pre { overflow-x: auto; padding: 1rem; border: 1px solid #8886; }
  .pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
  figure { margin: 0; } img { width: 100%; image-rendering: pixelated; }
</style>
<h1>A map, its gates, its paths</h1>
";

const EXAMPLES: &str = "\
Examples:
  tidegate demo
  tidegate demo -o /tmp/demo

Needs no files: the map is built in. Takes a few seconds.";

/// What to try after the demo.
const NEXT: [&str; 6] = [
    "studio",
    "generate rts --size 256x256 --seed 7 -o my.map",
    "decompose my.map --png zones.png --scale 3",
    "path my.map --from 20,20 --to 230,230 --png search.png",
    "report --quick",
    "--help",
];

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to put the pictures and the page
    #[arg(short, long, value_name = "DIR", default_value = "demo", value_parser = arguments::output())]
    output: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let (name, map, problems) = tidegate_bench::suite::bundled()[0];
    let map = TileMap::parse(map)?;
    let problems = scen_file::parse(problems)?;
    let grid = map.grid(Movement::default());
    say!(
        "A strategy map of {} x {} tiles, {} of them free.",
        grid.width(),
        grid.height(),
        grid.free_tiles()
    );

    progress::now("the water rises");
    let decomposition = Decomposition::water(&grid, &Default::default());
    say!(
        "The water rises: {} zones, {} gates.",
        decomposition.zones().len(),
        decomposition.gates().len()
    );

    let engines = tidegate_sectors::ENGINES.len();
    say!(
        "{engines} engines build their tables and answer the same {} problems; every path is checked.\n",
        problems.len()
    );
    progress::now("a few seconds");
    let mut tally = Tally::default();
    let set = "bundled";
    let job = Job {
        set,
        map: name,
        grid: &grid,
        problems: &problems,
        every: 1,
        engines: tidegate_sectors::ENGINES,
    };
    let mut index = Index::new(grid.clone());
    index.set_decomposition(decomposition.clone())?;
    let run = run_on(&mut index, &job, |row, _, reference| {
        tally.add(row, reference);
        Ok(())
    })?;
    progress::now("drawing");
    run.built.iter().for_each(|built| tally.add_built(set, name, built));
    let table = table(tally.summaries()).to_string();
    say!("{table}\n");

    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot make the folder {}", args.output.display()))?;
    let options = DrawOptions::default().with_scale(2);
    let longest = problems.iter().max_by(|a, b| a.length.total_cmp(&b.length));
    let longest = longest.context("the bundled scenario has problems")?;
    let searched = |engine| searched(&index, engine, &Query::new(longest.start, longest.goal));
    let pictures = [
        ("map.png", "The map", map.to_png(2)?),
        (
            "zones.png",
            "Its zones and gates",
            draw::zones(&grid, &decomposition, &options)?.to_png()?,
        ),
        ("astar.png", "What A* looks at on the longest problem", searched(engine::ASTAR)?),
        (
            "gateway.png",
            "What it looks at when gates guide it",
            searched(engine::GATEWAY_CONSISTENT)?,
        ),
    ];
    let mut page = format!("{PAGE_HEAD}<pre>{table}</pre>\n<div class=\"pictures\">\n");
    for (file, caption, png) in &pictures {
        output::write(&args.output.join(file), png)?;
        page += &format!(
            "<figure><img src=\"{file}\" alt=\"{caption}\"><figcaption>{caption}</figcaption></figure>\n"
        );
    }
    page += "</div>\n</html>\n";
    let file = args.output.join("index.html");
    output::write(&file, page.as_bytes())?;
    say!("Pictures and a page: {}", file.display());
    // Who came by way of cargo has no tidegate on the path yet.
    let program =
        if std::env::var_os("CARGO").is_some() { "cargo run --release --" } else { "tidegate" };
    say!("\nTry next:");
    for command in NEXT {
        say!("  {program} {command}");
    }
    let promises: Vec<(&'static str, Promise)> =
        tidegate_sectors::ENGINES.iter().map(|e| (e.name(), e.promise())).collect();
    Ok(if tally.failures(&promises).is_empty() { Done::Yes } else { Done::No })
}

/// The engines by their mean time, narrow enough for any terminal.
fn table(mut summaries: Vec<Summary>) -> Table {
    summaries.retain(|s| s.map != "*");
    summaries.sort_by(|a, b| a.mean_nanos.total_cmp(&b.mean_nanos));
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["engine", "mean µs", "p99 µs", "expanded", "too long", "build s", "KB"]);
    for s in &summaries {
        table.add_row([
            s.engine.to_string(),
            format!("{:.1}", s.mean_nanos / 1e3),
            format!("{:.1}", s.p99_nanos as f64 / 1e3),
            format!("{:.0}", s.mean_expanded),
            format!("{:.2} %", (s.mean_ratio - 1.0) * 100.0),
            format!("{:.2}", s.build_seconds),
            format!("{:.0}", s.index_bytes as f64 / 1024.0),
        ]);
    }
    for column in 1..7 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The picture of a search.
fn searched(index: &Index, engine: &dyn Engine, query: &Query<'_>) -> Result<Vec<u8>> {
    let (mut path, mut seen) = (Path::new(), Recorder::new(usize::MAX));
    index.find_observed(engine, query, &mut Scratch::new(), &mut path, Some(&mut seen))?;
    let cells: Vec<CellId> = seen.expanded().map(|n| CellId::from_index(n as usize)).collect();
    Ok(draw::search(index.grid(), &cells, &path, 2)?.to_png()?)
}
