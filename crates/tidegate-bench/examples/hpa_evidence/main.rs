//! What HPA* must show, measured: the paper's tables and figures beside ours, the sets of
//! scenarios, the peer crate, edits, and what each option is worth.
//!
//! ```text
//! TIDEGATE_BENCH=/path/to/bench cargo run --profile quick -p tidegate-bench \
//!     --example hpa_evidence -- all --out target/hpa-evidence
//! ```
//! Parts: `table2`, `figures`, `sets`, `peer`, `edits`, `options`, `terrain`, or `all`.
//! `--every K` takes every K-th problem of a scenario (default 10).

mod edits;
mod figures;
mod options;
mod peer;
mod plot;
mod sets;
mod table2;
mod terrain;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use tidegate_bench::suite::Suite;

/// What a part of the evidence needs.
pub(crate) struct Run {
    pub(crate) suite: Suite,
    pub(crate) out: PathBuf,
    pub(crate) every: usize,
}

impl Run {
    /// Writes a file of the evidence.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        let file = self.out.join(name);
        std::fs::write(&file, text).with_context(|| file.display().to_string())?;
        println!("  wrote {}", file.display());
        Ok(())
    }
}

/// The least time of `runs` runs in microseconds, and the last result: the machine may be
/// busy with other things, and the least time is what the work itself takes.
pub(crate) fn micros<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut once = || {
        let clock = Instant::now();
        let result = work();
        (clock.elapsed().as_secs_f64() * 1e6, result)
    };
    let (mut least, mut result) = once();
    for _ in 1..runs {
        let (time, again) = once();
        (least, result) = (least.min(time), again);
    }
    (least, result)
}

/// Nanoseconds of processor time this thread has used, where Linux tells: unlike the time
/// on the wall it does not count what other programs did meanwhile.
pub(crate) fn processor_nanos() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn main() -> Result<()> {
    let (mut parts, mut out, mut every) = (Vec::new(), PathBuf::from("target/hpa-evidence"), 10);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} wants a value"));
        match argument.as_str() {
            "--out" => out = value()?.into(),
            "--every" => every = value()?.parse()?,
            _ => parts.push(argument),
        }
    }
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let bench = std::env::var_os("TIDEGATE_BENCH").map_or(beside, PathBuf::from);
    let suite = Suite::open(bench).context("set TIDEGATE_BENCH to the benchmark folder")?;
    std::fs::create_dir_all(&out)?;
    let run = Run { suite, out, every };
    type Part = fn(&Run) -> Result<()>;
    let all: [(&str, Part); 7] = [
        ("table2", table2::show),
        ("figures", figures::show),
        ("sets", sets::show),
        ("peer", peer::show),
        ("edits", edits::show),
        ("options", options::show),
        ("terrain", terrain::show),
    ];
    for part in &parts {
        if part != "all" && !all.iter().any(|(name, _)| name == part) {
            bail!("no part {part:?}; there are: all, {}", all.map(|(name, _)| name).join(", "));
        }
    }
    for (name, show) in all {
        if parts.is_empty() || parts.iter().any(|p| p == name || p == "all") {
            println!("\n== {name}");
            show(&run)?;
        }
    }
    Ok(())
}
