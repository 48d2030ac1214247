//! `tidegate verify`: every check there is, against the oracle.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use tidegate::engine::{Engine, Promise};
use tidegate::rng::Rng;
use tidegate::{CellId, Index, Scratch};
use tidegate_testkit::{oracle, properties};

use crate::load::{self, MapOptions};
use crate::say::say;
use crate::{Done, progress};

const EXAMPLES: &str = "\
Examples:
  tidegate verify my.tide
  tidegate verify my.tide my.map --queries 1000
  tidegate verify my.tide --rebuild

Reads the whole file (length, checksums, meaning of every part), compares it with the map if one
is given, checks zones and gates, and puts random queries to every engine in it. The oracle is
textbook Dijkstra: every path must be legal and of the cost it claims; that of an optimal engine
must cost what the oracle's does, of an approximate one the command says how much longer it was. Checksums show damage, not intent: for a file from someone you do not trust,
--rebuild builds every table again and compares them byte by byte. Exit code 1 if anything is
wrong with an answer, 2 if the file is refused.";

/// The most queries that are asked: more than a day of them on any map.
const MAX_QUERIES: u64 = 1_000_000_000;

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The index (or a map, to check the engines that need no tables)
    index: PathBuf,
    /// The map it should be of
    map: Option<PathBuf>,
    /// Random queries per engine
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(0..=MAX_QUERIES))]
    queries: u64,
    /// Also build all tables again and compare: as much work as building them was
    #[arg(long)]
    rebuild: bool,
    /// Another seed, other queries
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    options: MapOptions,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    // Where there is a map to compare with, the options say how that is read.
    let own = if args.map.is_some() { MapOptions::default() } else { args.options.clone() };
    let index = load::index(&args.index, &own)?;
    let grid = index.grid();
    say!("file: complete, {} x {} tiles", grid.width(), grid.height());
    if let Some(map) = &args.map {
        let options = MapOptions {
            movement: args.options.movement.or(Some(grid.movement())),
            ..args.options.clone()
        };
        let (ours, theirs) = (grid.fingerprint(), load::grid(map, &options)?.fingerprint());
        ensure!(ours == theirs, "{} is not the map of this index", map.display());
        say!("map: the same, {ours}");
    }
    let mut sound = true;
    if let Some(parts) = index.decomposition() {
        let (zones, gates) = (parts.zones().len(), parts.gates().len());
        progress::now("checking zones and gates");
        match parts.check(grid) {
            Ok(()) => say!("decomposition: {zones} zones and {gates} gates are as they must be"),
            Err(violation) => {
                say!("decomposition: {violation}");
                sound = false;
            }
        }
    }
    if args.rebuild {
        progress::now("building all tables again");
        if let [first, ref others @ ..] = index.repaired()[..] {
            let names = others.iter().fold(first.to_owned(), |all, name| format!("{all}, {name}"));
            say!("tables: not compared, because edits have repaired them: {names}");
        }
        match index.differences(&index.rebuilt()?)[..] {
            [] => say!("tables: the same as built again"),
            ref sections => {
                let sections = sections.join(", ");
                say!(
                    "tables: not the same as built again here (made up, or made by another version): {sections}"
                );
                sound = false;
            }
        }
    }
    Ok(if answers_are_right(&index, &args) && sound { Done::Yes } else { Done::No })
}

/// What the answers of an engine were so far.
struct Record {
    engine: &'static dyn Engine,
    answers: u64,
    longer: u64,
    /// Sum and largest of how many times as long as the best the paths were.
    ratios: f64,
    worst: f64,
    broken: Option<String>,
}

/// Puts the same random queries to all engines that are built, and says what came of it.
fn answers_are_right(index: &Index, args: &Args) -> bool {
    let grid = index.grid();
    let ready = tidegate_sectors::ENGINES.iter().filter(|engine| engine.is_ready(index));
    let mut records: Vec<Record> = ready.map(|engine| Record::new(*engine)).collect();
    let cells: Vec<CellId> = grid.free_cells().collect();
    let (mut rng, mut scratch) = (Rng::new(args.seed), Scratch::new());
    progress::now("comparing with the oracle");
    for i in 0..args.queries {
        progress::so_far(format!("comparing with the oracle: query {i} of {}", args.queries));
        let (Some(&start), Some(&goal)) = (rng.pick(&cells), rng.pick(&cells)) else { break };
        let ends = (grid.tile(start), grid.tile(goal));
        let least = oracle::distance(grid, ends.0, ends.1);
        for record in records.iter_mut().filter(|record| record.broken.is_none()) {
            record.add(properties::compare_with_oracle(
                index,
                record.engine,
                ends,
                least,
                &mut scratch,
            ));
        }
    }
    for record in &records {
        say!("{}", record.line());
    }
    records.iter().all(|record| record.broken.is_none())
}

impl Record {
    fn new(engine: &'static dyn Engine) -> Record {
        Record { engine, answers: 0, longer: 0, ratios: 0.0, worst: 1.0, broken: None }
    }

    fn add(&mut self, compared: Result<f64, String>) {
        match compared {
            Ok(ratio) => {
                self.answers += 1;
                self.longer += u64::from(ratio > 1.0);
                self.ratios += ratio;
                self.worst = self.worst.max(ratio);
            }
            Err(what) => self.broken = Some(what),
        }
    }

    /// What was checked, and what was found.
    fn line(&self) -> String {
        let (name, answers, longer) = (self.engine.name(), self.answers, self.longer);
        match (&self.broken, self.engine.promise()) {
            (Some(what), _) => format!("{name}: {what}"),
            (None, _) if answers == 0 => format!("{name}: nothing was asked"),
            (None, Promise::Optimal) => {
                format!("{name}: {answers} answers, all legal and as short as the oracle's")
            }
            (None, Promise::Approximate) => format!(
                "{name}: {answers} answers, all legal; {longer} longer than the oracle's, {:.3} \
                 times its length on average, {:.3} at worst",
                self.ratios / answers as f64,
                self.worst
            ),
        }
    }
}
