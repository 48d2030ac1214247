//! Variable terrain: patches of slow ground on the Dragon Age maps.

use anyhow::Result;
use tidegate::Grid;
use tidegate::cost::Factor;
use tidegate::hpa::{Options, Smoothing};
use tidegate::rng::Rng;

use crate::{Run, options};

/// Patches of 9 x 9 tiles whose ground costs 1, 1.5, 2 or 3 times the ordinary.
fn with_patches(grid: Grid, seed: u64) -> Grid {
    let (mut rng, width) = (Rng::new(seed), grid.width() as usize);
    let across = width.div_ceil(9);
    let patches = across * (grid.height() as usize).div_ceil(9);
    let kinds = [100, 100, 150, 200, 300];
    let patches: Vec<u16> = (0..patches).map(|_| kinds[rng.below(kinds.len())]).collect();
    let factor = |cell: usize| patches[cell / width / 9 * across + cell % width / 9];
    let factor = |cell| Factor::from_hundredths(factor(cell)).unwrap_or(Factor::ONE);
    let factors = (0..grid.tiles()).map(factor).collect();
    grid.with_factors(factors)
}

pub(crate) fn show(run: &Run) -> Result<()> {
    let base = Options::default();
    let windows = |reach, margin| Smoothing::Windows { reach, margin };
    let candidates = [
        ("hpa", base),
        ("hpa-paper", Options::paper()),
        ("no smoothing", Options { smoothing: Smoothing::Off, ..base }),
        ("windows 12, margin 4", Options { smoothing: windows(12, 4), ..base }),
        ("windows 24, margin 8", Options { smoothing: windows(24, 8), ..base }),
        ("clusters of 16, windows 12", Options { cluster: 16, smoothing: windows(12, 4), ..base }),
    ];
    let cases = run.suite.cases(&["dao".into()], &[])?;
    options::compare(run, "terrain.csv", &candidates, &cases, run.every * 3, with_patches)
}
