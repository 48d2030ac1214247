//! What each option beyond the paper is worth, on a sample of sc1.

use anyhow::{Context as _, Result};
use tidegate::hpa::{Hpa, HpaScratch, Options, Placement, Smoothing};
use tidegate::{Grid, Index, Movement, Path, Query, Scratch, engine};
use tidegate_bench::suite::Case;

use crate::{Run, micros};

fn candidates() -> Vec<(&'static str, Options)> {
    let base = Options::default();
    let ends = Placement::MiddleOrEnds { wide: 6, inset: 0 };
    vec![
        ("default", base),
        ("paper, 1 level", Options::paper()),
        ("paper, 3 levels", Options { levels: Some(3), ..Options::paper() }),
        ("paper + ways kept", Options { keep_ways: true, ..Options::paper() }),
        ("ends only", Options { placement: ends, ..base }),
        ("gap 8", Options { placement: Placement::Spread { wide: 8, gap: 8 }, ..base }),
        ("all edges", Options { prune: false, ..base }),
        ("ways searched", Options { keep_ways: false, ..base }),
        ("no direct search next door", Options { adjacent: false, ..base }),
        ("1 level", Options { levels: Some(1), ..base }),
        ("2 levels", Options { levels: Some(2), ..base }),
        ("3 levels", Options { levels: Some(3), ..base }),
        ("clusters of 16", Options { cluster: 16, ..base }),
        ("clusters of 24", Options { cluster: 24, ..base }),
        ("clusters of 48", Options { cluster: 48, ..base }),
        ("no smoothing", Options { smoothing: Smoothing::Off, ..base }),
        ("lines, reach 32", Options { smoothing: Smoothing::Lines { reach: 32 }, ..base }),
        ("lines, reach 128", Options { smoothing: Smoothing::Lines { reach: 128 }, ..base }),
        ("lines, no limit", Options { smoothing: Smoothing::Lines { reach: u32::MAX }, ..base }),
        (
            "windows 16, margin 4",
            Options { smoothing: Smoothing::Windows { reach: 16, margin: 4 }, ..base },
        ),
    ]
}

pub(crate) fn show(run: &Run) -> Result<()> {
    let cases: Vec<Case> = run.suite.cases(&["sc1".into()], &[])?.into_iter().step_by(4).collect();
    compare(run, "options.csv", &candidates(), &cases, run.every * 5, |grid, _| grid)
}

/// Runs every candidate on every `every`-th problem of the maps, each map changed by
/// `change` first; prints and writes what came out.
pub(crate) fn compare(
    run: &Run,
    file: &str,
    candidates: &[(&str, Options)],
    cases: &[Case],
    every: usize,
    change: impl Fn(Grid, u64) -> Grid,
) -> Result<()> {
    let mut sums = vec![[0.0; 6]; candidates.len()];
    let (mut problems, mut astar) = (0, 0.0);
    for (number, case) in cases.iter().enumerate() {
        let plain = case.grid(Movement::NoCornerCutting)?;
        let pairs = case.problems(&plain)?;
        let index = Index::new(change(plain, number as u64));
        let (grid, mut path) = (index.grid(), Path::new());
        let (mut scratch, mut small) = (Scratch::new(), HpaScratch::new());
        let mut graphs = Vec::new();
        for ((_, options), sum) in candidates.iter().zip(&mut sums) {
            let (time, hpa) = micros(1, || Hpa::build(grid, options));
            let hpa = hpa?;
            sum[2] += time / 1e6;
            sum[3] += hpa.bytes() as f64 / 1e6;
            graphs.push(hpa);
        }
        for problem in pairs.iter().step_by(every) {
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
                sum[4] += small.effort().main.expanded as f64;
                sum[5] += small.effort().total().expanded as f64;
            }
        }
    }
    let (n, maps) = (f64::from(problems), cases.len() as f64);
    println!("  {problems} problems, astar {:.0} µs", astar / n);
    let mut csv =
        "option,ratio,micros,times_faster_than_astar,build_seconds,megabytes,main,expanded\n"
            .to_string();
    for ((name, _), sum) in candidates.iter().zip(&sums) {
        let [ratio, time, build, size, main, all] =
            [sum[0] / n, sum[1] / n, sum[2] / maps, sum[3] / maps, sum[4] / n, sum[5] / n];
        let times = astar / sum[1];
        println!(
            "  {name:28} ratio {ratio:.5}  {time:6.1} µs  {times:5.1} times faster than astar, build {build:.3} s, {size:.2} MB, main {main:.0}, all {all:.0}"
        );
        csv += &format!(
            "{name:?},{ratio:.6},{time:.2},{times:.2},{build:.4},{size:.3},{main:.1},{all:.1}\n"
        );
    }
    run.write(file, &csv)
}
