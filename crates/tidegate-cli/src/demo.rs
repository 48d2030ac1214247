//! `tidegate demo`: the whole story on a bundled map.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use tidegate::draw::{self, DrawOptions};
use tidegate::engine::{self, Engine, Promise};
use tidegate::grid::{TileMap, scen_file};
use tidegate::search::Recorder;
use tidegate::{CellId, Decomposition, Index, Movement, Path, Query, Scratch};
use tidegate_bench::record::Tally;
use tidegate_bench::run::{Job, run_on};

use crate::{Done, bench, output};

const MAP: &[u8] = include_bytes!("../../../testdata/suite/maps/bundled/rts-512.map");
const PROBLEMS: &[u8] =
    include_bytes!("../../../testdata/suite/scenarios/bundled/rts-512.map.scen");

const PAGE_HEAD: &str = "<!doctype html>
<meta charset=\"utf-8\">
<title>Tidegate: a map, its gates, its paths</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
  pre { overflow-x: auto; background: #f4f1e8; padding: 1rem; }
  figure { margin: 2rem 0; } img { width: 100%; image-rendering: pixelated; }
  figcaption { color: #555; }
</style>
<h1>A map, its gates, its paths</h1>
";

const EXAMPLES: &str = "\
Examples:
  tidegate demo
  tidegate demo -o /tmp/demo

Needs no files: the map is built in. Takes a few seconds.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to put the pictures and the page
    #[arg(short, long, value_name = "DIR", default_value = "demo")]
    output: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let mut out = std::io::stdout().lock();
    let map = TileMap::parse(MAP)?;
    let problems = scen_file::parse(PROBLEMS)?;
    let grid = map.grid(Movement::default());
    writeln!(
        out,
        "A strategy map of {} x {} tiles, {} of them free.",
        grid.width(),
        grid.height(),
        grid.free_tiles()
    )?;

    let decomposition = Decomposition::water(&grid, &Default::default());
    writeln!(
        out,
        "The water rises: {} zones, {} gates.",
        decomposition.zones().len(),
        decomposition.gates().len()
    )?;

    writeln!(out, "Every engine answers the same {} problems:\n", problems.len())?;
    out.flush()?;
    let mut tally = Tally::default();
    let (set, name) = ("bundled", "rts-512");
    let job =
        Job { set, map: name, grid: &grid, problems: &problems, every: 1, engines: engine::ALL };
    let mut index = Index::new(grid.clone());
    index.set_decomposition(decomposition.clone());
    let run = run_on(&mut index, &job, |row, _, reference| {
        tally.add(row, reference);
        Ok(())
    })?;
    run.built.iter().for_each(|built| tally.add_built(set, name, built));
    let summaries: Vec<_> = tally.summaries().into_iter().filter(|s| s.map != "*").collect();
    writeln!(out, "{}\n", bench::table(&summaries, true))?;

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
    let mut page = format!("{PAGE_HEAD}<pre>{}</pre>\n", bench::table(&summaries, true));
    for (file, caption, png) in &pictures {
        output::write(&args.output.join(file), png)?;
        page +=
            &format!("<figure><img src=\"{file}\"><figcaption>{caption}</figcaption></figure>\n");
    }
    let file = args.output.join("index.html");
    output::write(&file, page.as_bytes())?;
    writeln!(out, "Pictures and a page: {}", file.display())?;
    writeln!(
        out,
        "\nTry next:\n  tidegate generate rts --size 256x256 --seed 7 -o my.map\n  \
         tidegate decompose my.map --png zones.png --scale 3\n  \
         tidegate path my.map --from 40,40 --to 200,200 --png search.png\n  tidegate --help"
    )?;
    let promises: Vec<(&'static str, Promise)> =
        engine::ALL.iter().map(|e| (e.name(), e.promise())).collect();
    Ok(if tally.failures(&promises).is_empty() { Done::Yes } else { Done::No })
}

/// The picture of a search.
fn searched(index: &Index, engine: &dyn Engine, query: &Query<'_>) -> Result<Vec<u8>> {
    let (mut path, mut seen) = (Path::new(), Recorder::new(usize::MAX));
    index.find_watched(engine, query, &mut Scratch::new(), &mut path, Some(&mut seen))?;
    let cells: Vec<CellId> = seen.expanded().map(|n| CellId::from_index(n as usize)).collect();
    Ok(draw::search(index.grid(), &cells, &path, 2)?.to_png()?)
}
