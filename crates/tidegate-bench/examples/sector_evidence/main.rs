//! The MAAT paper's experiment: HPA*, DSMA and MAAT on random pairs, as its figures 6 and 7.
//!
//! ```text
//! cargo run --profile quick -p tidegate-bench --example sector_evidence -- OUT [PAIRS] [--all] [MAP...]
//! ```
//!
//! Reads the suite in `$TIDEGATE_BENCH` (else `../shared/bench` beside the workspace):
//! sets `dao`, `wc3maps512` and `random`, rule `OneSideFree`, 1,000 seeded pairs a map.
//! Writes `maps.csv` (one row per regime, map and engine), `lengths.csv` (by path length)
//! and the figures as SVG into OUT, and prints the tables. `--all` adds the variants that
//! did not pay: deepest tiles as sub-goals, tidied MAAT, DSMA on zones. Every path is
//! checked before it is counted.

mod chart;
mod contest;
mod tables;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use tidegate::{Index, Movement};
use tidegate_bench::suite::Suite;

use contest::{Contest, Regime, compete, zones};
use tables::Book;

const SETS: [&str; 3] = ["dao", "wc3maps512", "random"];

fn main() -> Result<()> {
    let (flags, args): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let all = flags.iter().any(|flag| flag == "--all");
    let mut args = args.into_iter();
    let out =
        PathBuf::from(args.next().context("usage: sector_evidence OUT [PAIRS] [--all] [MAP...]")?);
    let pairs: usize = args.next().map_or(Ok(1_000), |n| n.parse())?;
    let maps: Vec<String> = args.collect();
    let root = tidegate_testkit::bench_data::folder("sector_evidence").context("no suite")?;
    let suite = Suite::open(root)?;
    std::fs::create_dir_all(&out)?;
    let mut book = Book::default();
    for case in suite.cases(&SETS.map(String::from), &maps)? {
        let index = Index::new(case.grid(Movement::OneSideFree)?);
        let zones = zones(&index);
        for regime in Regime::ALL {
            eprintln!("{} {} {}", case.set, case.map, regime.name());
            let mut sheet = book.of(regime.name(), &case.set, &case.map);
            compete(&index, &zones, &Contest { regime, pairs, all }, &mut sheet)?;
        }
        // After every map, so that a long run can be looked at.
        book.write(&out)?;
    }
    print!("{}", book.summary());
    Ok(())
}
