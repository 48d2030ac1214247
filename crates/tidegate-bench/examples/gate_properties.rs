//! The properties of the gate engines on real maps.
//!
//! ```text
//! cargo run --profile quick -p tidegate-bench --example gate_properties -- SUITE COMMAND
//!     admissible [GOALS]   every estimate at every tile of all sc1 and bg512 maps, for
//!                          GOALS random goals each, against textbook Dijkstra
//!     threads [QUERIES]    queries from two threads on one index against one thread
//! ```

use anyhow::{Context as _, Result, bail, ensure};
use tidegate::cost::Cost;
use tidegate::differential::Differential;
use tidegate::differential::Landmarks;
use tidegate::engine::{self, Promise};
use tidegate::gateway::GateDistances;
use tidegate::gateway::GateSideDistances;
use tidegate::gateway::GateTileDistances;
use tidegate::gateway::GateTileEstimate;
use tidegate::grid::component::Components;
use tidegate::rng::Rng;
use tidegate::search::Heuristic;
use tidegate::{Decomposition, Grid, Index, Movement, Path, Query, Scratch, Tile};
use tidegate_bench::suite::Suite;
use tidegate_testkit::{maps, oracle};

fn main() -> Result<()> {
    let usage = "usage: gate_properties SUITE admissible|threads [NUMBER]";
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [suite, command, rest @ ..] = &args[..] else { bail!(usage) };
    let number = rest.first().map(|n| n.parse::<usize>()).transpose().context(usage)?;
    let suite = Suite::open(suite)?;
    match command.as_str() {
        "admissible" => admissible(&suite, number.unwrap_or(20)),
        "threads" => threads(&suite, number.unwrap_or(100_000)),
        _ => bail!(usage),
    }
}

/// Checks one estimate at every tile; returns how many there were.
fn check(
    what: &str,
    grid: &Grid,
    truth: &[Option<u64>],
    goal: Tile,
    consistent: bool,
    estimate: &mut impl Heuristic<Cost>,
) -> Result<u64> {
    let values: Vec<Option<Cost>> = (0..grid.tiles())
        .map(|node| truth[node].and_then(|_| estimate.estimate(node as u32)))
        .collect();
    let mut checked = 0;
    for cell in grid.free_cells() {
        let Some(least) = truth[cell.index()] else { continue };
        let here = values[cell.index()].with_context(|| format!("{what} prunes {cell:?}"))?;
        ensure!(u64::from(here) <= least, "{what} at {cell:?} to {goal}: {here:?} above {least}");
        checked += 1;
        if consistent {
            for (next, direction) in grid.neighbours(cell) {
                let there = values[next.index()].context("a neighbour is pruned")?;
                let step = grid.step_cost(cell, next, direction);
                ensure!(here <= there + step, "{what} leaps at {cell:?} to {goal}");
            }
        }
    }
    Ok(checked)
}

fn admissible(suite: &Suite, goals: usize) -> Result<()> {
    let mut total = 0;
    for case in suite.cases(&["sc1".into(), "bg512".into()], &[])? {
        let grid = case.grid(Movement::default())?;
        let decomposition = Decomposition::water(&grid, &Default::default());
        let mut index = Index::new(grid.clone());
        index.prepare(engine::GATEWAY_CONSISTENT)?;
        let gates = GateDistances::build(&grid, &decomposition)?;
        let ports = GateSideDistances::build(&grid, &decomposition)?;
        let portals = GateTileDistances::build(&grid, &decomposition)?;
        let tuned = index.table::<tidegate::gateway::TunedDistances>().context("built above")?;
        let landmarks = Landmarks::build(&grid, &Components::of(&grid), 4)?;
        let (mut one_way, mut calm, mut portal) = Default::default();
        let mut checked = 0;
        for goal in maps::free_tiles(&grid, goals, &mut Rng::new(20)) {
            let (truth, cell) = (oracle::distances(&grid, goal), grid.cell(goal).context("free")?);
            let mut h = gates.estimate(&grid, &decomposition, cell, &mut one_way);
            checked += check("gateway", &grid, &truth, goal, false, &mut h)?;
            let mut h = ports.estimate(&grid, &decomposition, cell, &mut one_way);
            checked += check("gateway-2way", &grid, &truth, goal, false, &mut h)?;
            let mut h = GateTileEstimate::new(&grid, &decomposition, &portals, cell, &mut portal);
            checked += check("portal", &grid, &truth, goal, false, &mut h)?;
            let mut h = tuned.estimate(&grid, cell, &mut calm);
            checked += check("gateway-consistent", &grid, &truth, goal, true, &mut h)?;
            let mut h = Differential::new(&grid, &landmarks, cell);
            checked += check("differential", &grid, &truth, goal, true, &mut h)?;
        }
        println!("{}/{}: {checked} estimates, none too high, none pruned", case.set, case.map);
        total += checked;
    }
    println!("all maps: {total} estimates");
    Ok(())
}

fn threads(suite: &Suite, count: usize) -> Result<()> {
    let map = "AR0011SR".to_owned();
    let case = suite.cases(&["bg512".into()], &[map])?.into_iter().next().context("the map")?;
    let grid = case.grid(Movement::default())?;
    let ends = maps::free_tiles(&grid, 2_000, &mut Rng::new(2));
    let mut index = Index::new(grid);
    let engines: Vec<_> = tidegate_sectors::ENGINES
        .iter()
        .copied()
        .filter(|e| e.promise() == Promise::Optimal)
        .collect();
    for engine in &engines {
        index.prepare(*engine)?;
    }
    let share = count / engines.len();
    let query = |n: usize, k: usize| Query::new(ends[n % 2_000], ends[(7 * n + k) % 2_000]);
    let run = |first: usize, step: usize| -> Result<Vec<(Option<Cost>, Path)>> {
        let (mut scratch, mut path, mut answers) = (Scratch::new(), Path::new(), Vec::new());
        for n in (first..share * engines.len()).step_by(step) {
            let engine = engines[n % engines.len()];
            let answer = index.find(engine, &query(n, n / 2_000), &mut scratch, &mut path)?;
            answers.push((answer.cost(), path.clone()));
        }
        Ok(answers)
    };
    let alone = run(0, 1)?;
    let halves = std::thread::scope(|scope| -> Result<Vec<_>> {
        let workers = [0, 1].map(|first| scope.spawn(move || run(first, 2)));
        workers.into_iter().map(|w| w.join().expect("no panic")).collect()
    })?;
    for (n, answer) in alone.iter().enumerate() {
        ensure!(halves[n % 2][n / 2] == *answer, "query {n} differs");
    }
    println!(
        "{} queries of {} engines: two threads answer as one, tile by tile",
        alone.len(),
        engines.len()
    );
    Ok(())
}
