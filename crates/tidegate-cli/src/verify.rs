//! `tidegate verify`: every check there is, against the oracle.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use tidegate::rng::Rng;
use tidegate::{Scratch, engine};
use tidegate_testkit::{laws, maps};

use crate::Done;
use crate::load::{self, MapOptions};

const EXAMPLES: &str = "\
Examples:
  tidegate verify my.tide
  tidegate verify my.tide my.map --queries 1000
  tidegate verify my.tide --rebuild

Reads the whole file (length, checksums, meaning of every part), compares it with the map if one
is given, checks zones and gates, and puts random queries to every engine in it. The oracle is
textbook Dijkstra. Checksums show damage, not intent: for a file from someone you do not trust,
--rebuild builds every table again and compares them byte by byte. Exit code 1 if anything is wrong with an answer, 2 if the file is refused.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The index (or a map, to check the engines that need no tables)
    index: PathBuf,
    /// The map it should be of
    map: Option<PathBuf>,
    /// Random queries per engine
    #[arg(long, value_name = "N", default_value_t = 100)]
    queries: usize,
    /// Also build all tables anew and compare: as much work as building them was
    #[arg(long)]
    rebuild: bool,
    /// Another seed, other queries
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    options: MapOptions,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let mut out = std::io::stdout().lock();
    let index = load::index(&args.index, &args.options)?;
    let grid = index.grid();
    writeln!(out, "file: complete, {} x {} tiles", grid.width(), grid.height())?;
    if let Some(map) = &args.map {
        let options = MapOptions { movement: grid.movement(), ..args.options.clone() };
        let (ours, theirs) = (grid.fingerprint(), load::grid(map, &options)?.fingerprint());
        ensure!(ours == theirs, "{} is not the map of this index", map.display());
        writeln!(out, "map: the same, {ours}")?;
    }
    let mut sound = true;
    if let Some(parts) = index.decomposition() {
        let (zones, gates) = (parts.zones().len(), parts.gates().len());
        match parts.check(grid) {
            Ok(()) => {
                writeln!(out, "decomposition: {zones} zones and {gates} gates keep the laws")?
            }
            Err(violation) => {
                writeln!(out, "decomposition: {violation}")?;
                sound = false;
            }
        }
    }
    if args.rebuild {
        match index.differences(&index.rebuilt()?)[..] {
            [] => writeln!(out, "tables: the same as built anew")?,
            ref sections => {
                let sections = sections.join(", ");
                writeln!(out, "tables: not the same as built anew here: {sections}")?;
                sound = false;
            }
        }
    }
    for engine in tidegate_sectors::ENGINES.iter().filter(|e| e.is_ready(&index)) {
        let mut rng = Rng::new(args.seed);
        let mut scratch = Scratch::new();
        let tiles = maps::free_tiles(grid, args.queries * 2, &mut rng);
        let broken = tiles.chunks_exact(2).find_map(|pair| {
            laws::answers_as_oracle(&index, *engine, pair[0], pair[1], &mut scratch).err()
        });
        match broken {
            None => {
                writeln!(out, "{}: {} answers as the oracle's", engine.name(), tiles.len() / 2)?
            }
            Some(what) => {
                writeln!(out, "{}: {what}", engine.name())?;
                sound = false;
            }
        }
    }
    Ok(if sound { Done::Yes } else { Done::No })
}
