//! The heuristics of 2006 on the decomposition of 2006 (table 1 of that paper, table 2.1 of
//! the thesis): octile, dead-end and gateway over rooms, random searches and the longest
//! tenth. The paper does not name its maps, so this is the same experiment in kind.

use std::ops::ControlFlow;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::cost::Cost;
use tidegate::engine::{self, Engine};
use tidegate::search::Observer;
use tidegate::{Decomposition, Index, Movement, Path, Query, Scratch};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch;

const ENGINES: [&dyn Engine; 3] = [engine::ASTAR, engine::DEAD_END, engine::GATEWAY];

/// One engine on one map and choice of searches. Costs are the paper's: 100 a tile.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The map.
    pub map: String,
    /// `all`, or `top 10%`: the longest tenth of ten times as many searches.
    pub selection: String,
    /// The engine.
    pub engine: String,
    /// Searches.
    pub searches: usize,
    /// Mean cost of the path.
    pub cost: f64,
    /// Mean estimate at the start.
    pub estimate: f64,
    /// Mean nodes expanded.
    pub nodes: f64,
    /// Mean time in microseconds.
    pub us: f64,
}

/// The experiment.
pub struct Rooms;

/// Sees the estimate of the first node and ends the search.
struct First(Option<Cost>);

impl Observer<Cost> for First {
    fn expand(&mut self, _: u32, _: Cost, h: Cost) -> ControlFlow<()> {
        self.0.get_or_insert(h);
        ControlFlow::Break(())
    }
}

impl Experiment for Rooms {
    fn name(&self) -> &'static str {
        "rooms"
    }

    fn about(&self) -> &'static str {
        "thesis table 2.1 in kind: octile, dead-end and gateway over rooms"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        lab.maps(&["bgmaps"])
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let mut index = lab.index(unit, Movement::default())?;
        index.set_decomposition(Decomposition::rooms(index.grid()))?;
        for engine in ENGINES.into_iter().chain([engine::JPS]) {
            index.prepare(engine)?;
        }
        let count = lab.count(1_000);
        let all = lab.pairs(&index, 1, count)?;
        let top = longest(&index, lab.pairs(&index, 2, 10 * count)?, count)?;
        for (selection, queries) in [("all", &all), ("top 10%", &top)] {
            for engine in ENGINES {
                let [cost, estimate, nodes, us] = measure(&index, engine, queries)?;
                let (map, selection) = (unit.to_string(), selection.to_string());
                let (engine, searches) = (engine.name().to_string(), queries.len());
                rows.push(&Row { map, selection, engine, searches, cost, estimate, nodes, us })?;
            }
        }
        Ok(())
    }
}

/// The longest of the queries.
fn longest(
    index: &Index,
    queries: Vec<Query<'static>>,
    count: usize,
) -> Result<Vec<Query<'static>>> {
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let mut costs = Vec::new();
    for query in queries {
        let answer = index.find(engine::JPS, &query, &mut scratch, &mut path)?;
        costs.push((answer.cost().context("a solvable pair")?, query));
    }
    costs.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
    Ok(costs.into_iter().take(count).map(|(_, query)| query).collect())
}

/// Means of cost, estimate, nodes and microseconds.
fn measure(index: &Index, engine: &dyn Engine, queries: &[Query<'_>]) -> Result<[f64; 4]> {
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let mut sums = [0.0; 4];
    let hundred = |cost: Cost| cost.tiles() * 100.0;
    for query in queries {
        let mut first = First(None);
        index.find_observed(engine, query, &mut scratch, &mut path, Some(&mut first))?;
        let (us, answer) = stopwatch::micros(|| index.find(engine, query, &mut scratch, &mut path));
        let answer = answer?;
        let cost = answer.cost().context("a solvable pair")?;
        path.check_answer(index.grid(), query.start, query.goal, cost)?;
        let estimate = first.0.context("a search begins with an estimate")?;
        ensure!(estimate <= cost, "an estimate above the truth: {query:?}");
        let one = [hundred(cost), hundred(estimate), answer.stats.expanded as f64, us];
        sums.iter_mut().zip(one).for_each(|(sum, value)| *sum += value);
    }
    Ok(sums.map(|sum| sum / queries.len().max(1) as f64))
}
