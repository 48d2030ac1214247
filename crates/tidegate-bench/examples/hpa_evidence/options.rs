//! What each option beyond the paper is worth, on a sample of sc1.

use std::time::Instant;

use anyhow::{Context as _, Result};
use tidegate::hpa::{Hpa, HpaScratch, Options, Placement, Smoothing};
use tidegate::{Index, Movement, Path, Query, Scratch, engine};

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
    let candidates = candidates();
    let mut sums = vec![[0.0; 6]; candidates.len()];
    let (mut problems, mut astar, mut maps) = (0, 0.0, 0.0);
    for case in run.suite.cases(&["sc1".into()], &[])?.iter().step_by(4) {
        let index = Index::new(case.grid(Movement::NoCornerCutting)?);
        let (grid, mut path) = (index.grid(), Path::new());
        let (mut scratch, mut small) = (Scratch::new(), HpaScratch::new());
        let mut graphs = Vec::new();
        for ((_, options), sum) in candidates.iter().zip(&mut sums) {
            let clock = Instant::now();
            graphs.push(Hpa::build(grid, options)?);
            sum[2] += clock.elapsed().as_secs_f64();
            sum[3] += graphs[graphs.len() - 1].bytes() as f64 / 1e6;
        }
        maps += 1.0;
        for problem in case.problems(grid)?.iter().step_by(run.every * 5) {
            let (start, goal) = (problem.start, problem.goal);
            let query = Query::new(start, goal);
            let (time, answer) =
                micros(2, || index.find(engine::ASTAR, &query, &mut scratch, &mut path));
            let Some(best) = answer?.cost().filter(|&cost| cost > 0) else { continue };
            (astar, problems) = (astar + time, problems + 1);
            for (hpa, sum) in graphs.iter().zip(&mut sums) {
                let find = || hpa.planner(grid).find(start, goal, &mut small, &mut path);
                let (time, cost) = micros(2, find);
                sum[0] += f64::from(cost.context("no path")?) / f64::from(best);
                sum[1] += time;
                sum[4] += small.effort().main.expanded as f64;
                sum[5] += small.effort().total().expanded as f64;
            }
        }
    }
    let n = f64::from(problems);
    println!("  {problems} problems, astar {:.0} µs", astar / n);
    let mut csv =
        "option,ratio,micros,times_faster_than_astar,build_seconds,megabytes,main,expanded\n"
            .to_string();
    for ((name, _), s) in candidates.iter().zip(&sums) {
        println!(
            "  {name:28} ratio {:.5}  {:6.1} µs  {:5.1} times faster than astar, build {:.3} s, {:.2} MB, main {:.0}, all {:.0}",
            s[0] / n,
            s[1] / n,
            astar / s[1],
            s[2] / maps,
            s[3] / maps,
            s[4] / n,
            s[5] / n
        );
        csv += &format!(
            "{name:?},{:.6},{:.2},{:.2},{:.4},{:.3},{:.1},{:.1}\n",
            s[0] / n,
            s[1] / n,
            astar / s[1],
            s[2] / maps,
            s[3] / maps,
            s[4] / n,
            s[5] / n
        );
    }
    run.write("options.csv", &csv)
}
