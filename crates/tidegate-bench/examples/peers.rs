//! Other crates on the same problems, written to `peers.csv` in a record folder: the A* of
//! `pathfinding` beside `astar`, and `hierarchical_pathfinding` beside `hpa`. Both run in
//! turns in one thread; answers are checked before times count.
//!
//! ```text
//! cargo run --release -p tidegate-bench --example peers -- SUITE [RECORD] [EVERY]
//! ```
//!
//! `hierarchical_pathfinding` counts every step as one, diagonal or not, and lets diagonal
//! steps pass between walls. So it is run twice: with its Moore neighbourhood as it comes
//! (the lengths of its paths are then measured with diagonal steps as √2 and compared with
//! the best of the stricter rule, which can only flatter it), and with its Manhattan
//! neighbourhood, whose rule and costs are exactly our `FourConnected`.

use anyhow::{Context as _, Result, ensure};
use hierarchical_pathfinding::prelude::*;
use tidegate::cost::Cost;
use tidegate::hpa::{Hpa, HpaScratch, Options};
use tidegate::search::Octile;
use tidegate::{Index, Movement, Path, Query, Scratch, Tile, engine};
use tidegate_bench::experiment::peers::{NAME, Row};
use tidegate_bench::experiment::{Experiment, Lab, Scale, perform};
use tidegate_bench::notebook::{Notebook, Rows};
use tidegate_bench::stopwatch::least_micros;
use tidegate_bench::suite::Suite;

struct Peers;

impl Experiment for Peers {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "other crates on the same problems"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        Ok(lab.maps(&["sc1", "bg512"])?.into_iter().step_by(3).collect())
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let case = lab.case(unit)?;
        let grid = case.grid(Movement::NoCornerCutting)?;
        let problems = case.problems(&grid)?;
        let queries: Vec<Query<'static>> = problems
            .iter()
            .step_by(lab.every(problems.len()))
            .map(|p| Query::new(p.start, p.goal))
            .collect();
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let four = Index::new(grid.clone().with_movement(Movement::FourConnected));
        let index = Index::new(grid);
        let done = [
            ("pathfinding, astar", "astar", plain(&index, &queries)?),
            (
                "hierarchical_pathfinding, as it comes",
                "hpa",
                hierarchical(&index, MooreNeighborhood::new(width, height), &queries)?,
            ),
            (
                "hierarchical_pathfinding, four neighbours",
                "hpa",
                hierarchical(&four, ManhattanNeighborhood::new(width, height), &queries)?,
            ),
        ];
        for (rival, ours, row) in done {
            let (set, map) = (case.set.clone(), case.map.clone());
            rows.push(&Row { set, map, rival: rival.into(), ours: ours.into(), ..row })?;
        }
        Ok(())
    }
}

/// The `pathfinding` crate with the same rule, the same costs and the same estimate.
fn plain(index: &Index, queries: &[Query<'_>]) -> Result<Row> {
    let (grid, mut row) = (index.grid(), Row::default());
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    for query in queries {
        let (us, answer) =
            least_micros(2, || index.find(engine::ASTAR, query, &mut scratch, &mut path));
        let ours = answer?.cost();
        let octile = Octile::new(grid, query.goal);
        let (start, goal) =
            grid.cell(query.start).zip(grid.cell(query.goal)).context("tiles of the map")?;
        let (their_us, found) = least_micros(2, || {
            pathfinding::prelude::astar(
                &start,
                |&cell| grid.neighbours(cell).map(|(next, way)| (next, way.cost().get())),
                |&cell| octile.from(grid.tile(cell)).get(),
                |&cell| cell == goal,
            )
        });
        ensure!(ours == found.map(|(_, cost)| Cost::new(cost)), "the two disagree on {query:?}");
        row.problems += 1;
        row.our_us += us;
        row.their_us += their_us;
    }
    Ok(row)
}

fn hierarchical(
    index: &Index,
    neighbourhood: impl Neighborhood + Sync,
    queries: &[Query<'_>],
) -> Result<Row> {
    let (grid, mut row) = (index.grid(), Row::default());
    let free = |(x, y): (usize, usize)| grid.is_free(Tile::new(x as u16, y as u16));
    let cost = |at| if free(at) { 1 } else { -1 };
    let size = (grid.width() as usize, grid.height() as usize);
    let theirs = PathCache::new(size, cost, neighbourhood, PathCacheConfig::with_chunk_size(32));
    let hpa = Hpa::build(grid, &Options::default())?;
    let point = |t: Tile| (usize::from(t.x), usize::from(t.y));
    let (mut scratch, mut small, mut path) = (Scratch::new(), HpaScratch::new(), Path::new());
    for query in queries {
        let (start, goal) = (query.start, query.goal);
        let best = index.find(engine::ASTAR, query, &mut scratch, &mut path)?.cost();
        let Some(best) = best.filter(|&cost| cost > Cost::ZERO) else { continue };
        let planner = hpa.planner(grid);
        let (us, ours) = least_micros(2, || planner.find(start, goal, &mut small, &mut path));
        let ours = ours.context("no path")?;
        path.check_answer(grid, start, goal, ours)?;
        let (their_us, found) = least_micros(2, || {
            let found = theirs.find_path(point(start), point(goal), cost)?;
            Some(found.resolve(cost))
        });
        let Some(found) = found else { continue };
        let tile = |&(x, y): &(usize, usize)| Tile::new(x as u16, y as u16);
        let tiles = std::iter::once(start).chain(found.iter().map(tile)).collect();
        let their_path = Path::from_tiles(tiles);
        let percent = |cost: u64| (cost as f64 / f64::from(best.get()) - 1.0) * 100.0;
        row.problems += 1;
        row.our_us += us;
        row.their_us += their_us;
        row.our_error += percent(ours.into());
        row.their_error += percent(their_path.length().cost());
        row.their_illegal += usize::from(their_path.check(grid).is_err());
    }
    Ok(row)
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let suite = arguments.next().context("usage: peers SUITE [RECORD] [EVERY]")?;
    let record = arguments.next().unwrap_or_else(|| "record".into());
    let every = arguments.next().map_or(Ok(10), |k| k.parse()).context("EVERY is a number")?;
    let suite = Suite::open(suite)?;
    let name = suite.sets()?.join(" ");
    let lab = Lab { suite, name, scale: Scale { quick: false, every }, seed: 0 };
    perform(&Peers, &lab, &Notebook::new(record), |progress| {
        println!("{}/{} {}", progress.done, progress.all, progress.unit);
    })
}
