//! Figures 5 to 8 and table 3 of the paper: 100 seeded random solvable pairs on each of
//! the 120 Baldur's Gate maps, with the paper's rule of movement and settings.

use anyhow::Result;
use tidegate::hpa::{Hpa, HpaScratch, OpenMeter, Options, Piece, Smoothing};
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Path, Query, Scratch, Tile, engine};

use crate::plot::{Chart, Series};
use crate::{Run, micros};

const BIN: f64 = 25.0;
const SIZES: [u32; 10] = [5, 8, 10, 12, 15, 20, 25, 30, 35, 40];

/// Everything measured on one problem.
#[derive(Clone, Default)]
struct Row {
    length: f64,
    /// Expansions and microseconds with 0 to 3 levels.
    expanded: [f64; 4],
    micros: [f64; 4],
    /// Main, SG and refinement with 1 to 3 levels.
    efforts: [[f64; 3]; 3],
    /// Percent over the optimum before and after smoothing.
    before: f64,
    after: f64,
}

pub(crate) fn show(run: &Run) -> Result<()> {
    let mut rows = Vec::new();
    let mut by_size = [[0.0; 2]; SIZES.len()];
    let mut meters: [OpenMeter; 4] = Default::default();
    for (number, case) in run.suite.cases(&["bgmaps".into()], &[])?.iter().enumerate() {
        let index = Index::new(case.grid(Movement::OneSideFree)?);
        let pairs = pairs(&index, number as u64);
        measure_levels(&index, &pairs, &mut rows)?;
        measure_sizes(index.grid(), &pairs, &mut by_size)?;
        measure_open(&index, &pairs, &mut meters)?;
    }
    println!("  {} problems", rows.len());
    let bins = bins(&rows);
    figure5(run, &bins)?;
    figure6(run, &bins)?;
    figure7(run, &bins, &rows)?;
    figure8(run, &by_size, rows.len())?;
    table3(run, &meters)
}

/// Seeded random pairs of different tiles with a path between them.
fn pairs(index: &Index, seed: u64) -> Vec<(Tile, Tile)> {
    let (grid, mut rng) = (index.grid(), Rng::new(seed));
    let cells: Vec<_> = grid.free_cells().collect();
    let mut pairs = Vec::new();
    while pairs.len() < 100 {
        let (a, b) = (cells[rng.below(cells.len())], cells[rng.below(cells.len())]);
        if a != b && index.components().connected(a, b) {
            pairs.push((grid.tile(a), grid.tile(b)));
        }
    }
    pairs
}

fn measure_levels(index: &Index, pairs: &[(Tile, Tile)], rows: &mut Vec<Row>) -> Result<()> {
    let grid = index.grid();
    let graph = |levels| Hpa::build(grid, &Options { levels: Some(levels), ..Options::paper() });
    let smooth = [graph(1)?, graph(2)?, graph(3)?];
    let rough = smooth.clone().map(|hpa| hpa.with_smoothing(Smoothing::Off));
    let (mut scratch, mut hpa, mut path) = (Scratch::new(), HpaScratch::new(), Path::new());
    for &(start, goal) in pairs {
        let mut row = Row::default();
        let query = Query::new(start, goal);
        let (time, answer) =
            micros(2, || index.find(engine::ASTAR, &query, &mut scratch, &mut path));
        let answer = answer?;
        row.length = path.length().value();
        (row.micros[0], row.expanded[0]) = (time, answer.stats.expanded as f64);
        let best = f64::from(answer.cost().unwrap_or(1).max(1));
        let mut costs = [0; 3];
        for level in 0..3 {
            let planner = rough[level].planner(grid);
            let (time, cost) = micros(2, || planner.find(start, goal, &mut hpa, &mut path));
            costs[level] = cost.unwrap_or(0);
            let (effort, total) = (*hpa.effort(), hpa.effort().total());
            (row.micros[level + 1], row.expanded[level + 1]) = (time, total.expanded as f64);
            row.efforts[level] = [effort.main, effort.insertion, effort.refinement]
                .map(|stats| stats.expanded as f64);
        }
        assert!(costs.iter().all(|&c| c == costs[0]), "the cost depends on the levels");
        let planner = smooth[0].planner(grid);
        let cost = planner.find(start, goal, &mut hpa, &mut path).unwrap_or(0);
        path.check_answer(grid, start, goal, cost)?;
        row.before = (f64::from(costs[0]) / best - 1.0) * 100.0;
        row.after = (f64::from(cost) / best - 1.0) * 100.0;
        rows.push(row);
    }
    Ok(())
}

fn measure_sizes(grid: &Grid, pairs: &[(Tile, Tile)], sums: &mut [[f64; 2]]) -> Result<()> {
    let (mut scratch, mut path) = (HpaScratch::new(), Path::new());
    for (&cluster, sum) in SIZES.iter().zip(sums) {
        let smoothing = Smoothing::Off;
        let hpa = Hpa::build(grid, &Options { cluster, smoothing, ..Options::paper() })?;
        for &(start, goal) in pairs {
            hpa.planner(grid).find(start, goal, &mut scratch, &mut path);
            sum[0] += scratch.effort().main.expanded as f64;
            sum[1] += scratch.effort().insertion.expanded as f64;
        }
    }
    Ok(())
}

/// Mean lengths of the open list: plain A*, then main, SG and refinement on one level.
fn measure_open(index: &Index, pairs: &[(Tile, Tile)], meters: &mut [OpenMeter; 4]) -> Result<()> {
    let grid = index.grid();
    let hpa = Hpa::build(grid, &Options::paper())?.with_smoothing(Smoothing::Off);
    let planner = hpa.planner(grid);
    let (mut scratch, mut small, mut path) = (Scratch::new(), HpaScratch::new(), Path::new());
    for &(start, goal) in pairs {
        let query = Query::new(start, goal);
        let [low, main, insertion, refinement] = &mut *meters;
        index.find_watched(engine::ASTAR, &query, &mut scratch, &mut path, Some(low))?;
        let start = planner.anchor_watched(start, &mut small, insertion);
        let goal = planner.anchor_watched(goal, &mut small, insertion);
        let (Some(start), Some(goal)) = (start, goal) else { continue };
        let journey = planner.journey_watched(&start, &goal, &mut small, main)?;
        let Some(mut journey) = journey else { continue };
        while let Piece::Walk(_) = journey.next_watched(planner, &mut small, refinement) {}
    }
    Ok(())
}

/// Means over the problems of similar length: the middle of the bin and their rows.
fn bins(rows: &[Row]) -> Vec<(f64, Vec<&Row>)> {
    let longest = rows.iter().map(|r| r.length).fold(0.0, f64::max);
    let bin = |i: usize| {
        let inside = |r: &&Row| (r.length / BIN) as usize == i;
        ((i as f64 + 0.5) * BIN, rows.iter().filter(inside).collect::<Vec<_>>())
    };
    // Means over fewer than ten problems say little.
    (0..=(longest / BIN) as usize).map(bin).take_while(|(_, rows)| rows.len() >= 10).collect()
}

fn mean(rows: &[&Row], value: impl Fn(&Row) -> f64) -> f64 {
    rows.iter().map(|r| value(r)).sum::<f64>() / rows.len() as f64
}

fn series(name: &str, bins: &[(f64, Vec<&Row>)], value: impl Fn(&Row) -> f64) -> Series {
    let points = bins.iter().map(|(x, rows)| (*x, mean(rows, &value))).collect();
    Series { name: name.into(), points }
}

fn figure5(run: &Run, bins: &[(f64, Vec<&Row>)]) -> Result<()> {
    let names = ["low-level A*", "1 level", "2 levels", "3 levels"];
    type Value = fn(&Row) -> [f64; 4];
    let halves: [(&str, &str, Value); 2] = [
        ("figure5-expansions", "expanded nodes", |r| r.expanded),
        ("figure5-time", "microseconds", |r| r.micros),
    ];
    for (file, label, value) in halves {
        let lines = (0..4).map(|i| series(names[i], bins, |r| value(r)[i])).collect();
        let chart = Chart {
            title: format!("Figure 5: {label}, A* against HPA* (insertion, main, refinement)"),
            x: "solution length".into(),
            y: label.into(),
            series: lines,
        };
        run.write(&format!("{file}.svg"), &chart.lines())?;
        run.write(&format!("{file}.csv"), &chart.csv())?;
    }
    Ok(())
}

fn figure6(run: &Run, bins: &[(f64, Vec<&Row>)]) -> Result<()> {
    for level in 0..3 {
        let share = |i: usize| {
            move |r: &Row| {
                let sum = r.efforts[level].iter().sum::<f64>().max(1.0);
                r.efforts[level][i] / sum * 100.0
            }
        };
        let names = ["main", "insertion (SG)", "refinement"];
        let chart = Chart {
            title: format!("Figure 6: shares of the effort, abstract levels: {}", level + 1),
            x: "solution length".into(),
            y: "percent of expansions".into(),
            series: (0..3).map(|i| series(names[i], bins, share(i))).collect(),
        };
        run.write(&format!("figure6-level{}.svg", level + 1), &chart.stacked())?;
        run.write(&format!("figure6-level{}.csv", level + 1), &chart.csv())?;
    }
    Ok(())
}

fn figure7(run: &Run, bins: &[(f64, Vec<&Row>)], rows: &[Row]) -> Result<()> {
    let chart = Chart {
        title: "Figure 7: error over the optimum (the same for 1, 2 and 3 levels)".into(),
        x: "solution length".into(),
        y: "percent".into(),
        series: vec![
            series("before smoothing", bins, |r| r.before),
            series("after smoothing", bins, |r| r.after),
        ],
    };
    let all: Vec<&Row> = rows.iter().collect();
    let (before, after) = (mean(&all, |r| r.before), mean(&all, |r| r.after));
    println!("  mean error {before:.3} % before, {after:.3} % after smoothing (paper: within 1 %)");
    let speed = |r: &Row| [0, 1, 2, 3].map(|i| r.expanded[0] / r.expanded[i].max(1.0));
    let long: Vec<&Row> = rows.iter().filter(|r| r.length >= 300.0).collect();
    for level in 1..4 {
        let times = mean(&long, |r| r.micros[0]) / mean(&long, |r| r.micros[level]);
        let fewer = mean(&long, |r| speed(r)[level]);
        println!(
            "  length from 300: {level} level(s): {fewer:.1} times fewer expansions, {times:.1} times faster"
        );
    }
    run.write("figure7.svg", &chart.lines())?;
    run.write("figure7.csv", &chart.csv())
}

fn figure8(run: &Run, sums: &[[f64; 2]], problems: usize) -> Result<()> {
    let line = |name: &str, value: &dyn Fn(&[f64; 2]) -> f64| Series {
        name: name.into(),
        points: SIZES
            .iter()
            .zip(sums)
            .map(|(&size, sum)| (f64::from(size), value(sum) / problems as f64))
            .collect(),
    };
    let chart = Chart {
        title: "Figure 8: effort of an abstract path by cluster size".into(),
        x: "cluster size".into(),
        y: "expanded nodes".into(),
        series: vec![
            line("main search", &|s| s[0]),
            line("insertion (SG)", &|s| s[1]),
            line("both", &|s| s[0] + s[1]),
        ],
    };
    run.write("figure8.svg", &chart.lines())?;
    run.write("figure8.csv", &chart.csv())
}

fn table3(run: &Run, meters: &[OpenMeter; 4]) -> Result<()> {
    let mut csv = "search,paper,ours\n".to_string();
    let paper = [51.24, 17.23, 4.50, 5.48];
    let names = ["low level", "abstract, main", "insertion (SG)", "refinement"];
    for ((name, paper), meter) in names.iter().zip(paper).zip(meters) {
        println!("  mean open list: {name:16} paper {paper:6.2}  ours {:6.2}", meter.mean());
        csv += &format!("{name},{paper},{:.2}\n", meter.mean());
    }
    run.write("table3.csv", &csv)
}
