//! Variable terrain: patches of slow ground on the Dragon Age maps.

use anyhow::{Context as _, Result};
use tidegate::cost::Factor;
use tidegate::hpa::{Hpa, HpaScratch, Options, Smoothing};
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Path, Query, Scratch, engine};

use crate::{Run, micros};

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
    let mut sums = vec![[0.0; 2]; candidates.len()];
    let (mut problems, mut astar) = (0, 0.0);
    for (number, case) in run.suite.cases(&["dao".into()], &[])?.iter().enumerate() {
        let plain = case.grid(Movement::NoCornerCutting)?;
        let pairs = case.problems(&plain)?;
        let index = Index::new(with_patches(plain, number as u64));
        let (grid, mut path) = (index.grid(), Path::new());
        let (mut scratch, mut small) = (Scratch::new(), HpaScratch::new());
        let graphs = candidates.iter().map(|(_, options)| Hpa::build(grid, options));
        let graphs = graphs.collect::<Result<Vec<_>, _>>()?;
        for problem in pairs.iter().step_by(run.every * 3) {
            let (start, goal) = (problem.start, problem.goal);
            let query = Query::new(start, goal);
            let (time, answer) =
                micros(2, || index.find(engine::ASTAR, &query, &mut scratch, &mut path));
            let Some(best) = answer?.cost().filter(|&cost| cost > 0) else { continue };
            (astar, problems) = (astar + time, problems + 1);
            for (hpa, sum) in graphs.iter().zip(&mut sums) {
                let find = || hpa.planner(grid).find(start, goal, &mut small, &mut path);
                let (time, cost) = micros(2, find);
                let cost = cost.context("no path")?;
                path.check_answer(grid, start, goal, cost)?;
                sum[0] += f64::from(cost) / f64::from(best);
                sum[1] += time;
            }
        }
    }
    let n = f64::from(problems);
    println!("  {problems} problems on slow and fast ground, astar {:.0} µs", astar / n);
    let mut csv = "option,ratio,micros,times_faster_than_astar\n".to_string();
    for ((name, _), s) in candidates.iter().zip(&sums) {
        println!(
            "  {name:28} ratio {:.5}  {:6.1} µs  {:5.1} times faster",
            s[0] / n,
            s[1] / n,
            astar / s[1]
        );
        csv += &format!("{name:?},{:.6},{:.2},{:.2}\n", s[0] / n, s[1] / n, astar / s[1]);
    }
    run.write("terrain.csv", &csv)
}
