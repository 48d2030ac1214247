//! `tidegate demo`: the whole story on a bundled map.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use tidegate::engine::{self, Promise};
use tidegate::grid::{TileMap, scen_file};
use tidegate::{Decomposition, Movement};
use tidegate_bench::record::Tally;
use tidegate_bench::run::{Job, run_map};

use crate::{Done, bench, output};

const MAP: &[u8] = include_bytes!("../../../testdata/suite/maps/bundled/rts-512.map");
const PROBLEMS: &[u8] =
    include_bytes!("../../../testdata/suite/scenarios/bundled/rts-512.map.scen");

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to put the pictures
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
    let run = run_map(&job, |row, _, reference| {
        tally.add(row, reference);
        Ok(())
    })?;
    run.built.iter().for_each(|built| tally.add_built(set, name, built));
    let summaries: Vec<_> = tally.summaries().into_iter().filter(|s| s.map != "*").collect();
    writeln!(out, "{}\n", bench::table(&summaries, true))?;

    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot make the folder {}", args.output.display()))?;
    let picture = args.output.join("map.png");
    output::write(&picture, &map.to_png(2)?)?;
    writeln!(out, "Written: {}", picture.display())?;
    writeln!(
        out,
        "\nTry next:\n  tidegate generate rts --size 256x256 --seed 7 -o my.map\n  \
         tidegate path my.map --from 40,40 --to 200,200\n  tidegate bench\n  tidegate --help"
    )?;
    let promises: Vec<(&'static str, Promise)> =
        engine::ALL.iter().map(|e| (e.name(), e.promise())).collect();
    Ok(if tally.failures(&promises).is_empty() { Done::Yes } else { Done::No })
}
