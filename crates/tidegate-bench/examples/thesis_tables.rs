//! Writes the thesis's tables with our figures beside them.
//!
//! `cargo run --profile quick -p tidegate-bench --example thesis_tables -- SUITE [EVERY]`

use anyhow::{Context as _, Result};

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let suite = args.next().context("usage: thesis_tables SUITE [EVERY]")?;
    let every = args.next().map_or(Ok(20), |n| n.parse())?;
    tidegate_bench::tables::write(suite.as_ref(), every, &mut std::io::stdout().lock())
}
