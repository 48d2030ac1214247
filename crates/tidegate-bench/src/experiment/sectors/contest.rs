//! All engines on the same pairs of one map, one pair after the other.

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use tidegate::cost::Cost;
use tidegate::decompose::{Decomposition, WaterOptions};
use tidegate::hpa::{Hpa, HpaScratch, Options, Smoothing};
use tidegate::{Index, Path, Query, Scratch, engine};
use tidegate_sectors::{
    Bounds, Clock, Dsma, Expansions, Ground, Maat, Pairs, Policy, Preparation, SectorPlanner,
    prepare,
};

use super::{Sheet, Trial};
use crate::stopwatch;

/// Where time comes from and what bounds are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// The paper's 1 to 3 milliseconds.
    Paper,
    /// A thousand to three thousand expansions: 1 to 3 ms at a microsecond each, about
    /// what the paper's machine took. The same on every run.
    Scaled,
    /// The same in time, at what an expansion takes here.
    ScaledTime,
}

/// Pairs that the engines are not prepared on.
const SEED: u64 = 77;
const LEVELS: u8 = 4;

impl Regime {
    /// All of them.
    pub const ALL: [Regime; 3] = [Regime::Paper, Regime::Scaled, Regime::ScaledTime];

    /// The word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Regime::Paper => "paper",
            Regime::Scaled => "scaled",
            Regime::ScaledTime => "scaled-time",
        }
    }

    fn bounds(self, index: &Index) -> Result<Bounds> {
        let (lower, upper) = match self {
            Regime::Paper => (1_000_000, 3_000_000),
            Regime::Scaled => (1_000, 3_000),
            Regime::ScaledTime => {
                let nanos = nanos_per_expansion(index)?;
                ((1_000.0 * nanos) as u64, (3_000.0 * nanos) as u64)
            }
        };
        Bounds::new(lower, upper).context("bounds in order")
    }

    fn clock(self) -> Box<dyn Clock> {
        match self {
            Regime::Scaled => Box::new(Expansions),
            _ => Box::new(|_: u64| stopwatch::nanos()),
        }
    }
}

fn nanos_per_expansion(index: &Index) -> Result<f64> {
    let (mut scratch, mut path, mut expanded) = (Scratch::new(), Path::new(), 0);
    let mut nanos = 0;
    for query in queries(index, 5, 60) {
        let begin = stopwatch::nanos();
        let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path)?;
        nanos += stopwatch::nanos() - begin;
        expanded += answer.stats.expanded;
    }
    Ok(nanos as f64 / expanded.max(1) as f64)
}

fn queries(index: &Index, seed: u64, count: usize) -> Vec<Query<'static>> {
    let tile = |cell| index.grid().tile(cell);
    let pairs = Pairs::new(index.grid(), index.components(), seed).take(count);
    pairs.map(|(start, goal)| Query::new(tile(start), tile(goal))).collect()
}

/// A planner of either policy.
enum Adaptive {
    Dsma(SectorPlanner<Dsma>),
    Maat(SectorPlanner<Maat>),
}

struct Contestant {
    name: &'static str,
    planner: Adaptive,
    reverts: u64,
    prepare_seconds: f64,
}

impl Contestant {
    fn dsma(name: &'static str, ground: &Arc<Ground>, bounds: Bounds) -> Contestant {
        let planner = Adaptive::Dsma(SectorPlanner::dsma(Arc::clone(ground), bounds));
        Contestant { name, planner, reverts: 0, prepare_seconds: 0.0 }
    }

    fn maat(
        name: &'static str,
        index: &Index,
        ground: &Arc<Ground>,
        how: &Preparation,
        clock: &mut dyn Clock,
    ) -> Contestant {
        let begin = stopwatch::nanos();
        let mut planner = prepare(index, Arc::clone(ground), how, clock);
        let prepare_seconds = (stopwatch::nanos() - begin) as f64 / 1e9;
        let reverts = planner.tally().reverts;
        planner.reset_tally();
        Contestant { name, planner: Adaptive::Maat(planner), reverts, prepare_seconds }
    }

    fn tidied(self) -> Contestant {
        let planner = match self.planner {
            Adaptive::Dsma(planner) => Adaptive::Dsma(planner.tidied()),
            Adaptive::Maat(planner) => Adaptive::Maat(planner.tidied()),
        };
        Contestant { planner, ..self }
    }
}

/// The zones of a map as sectors.
pub(super) fn zones(index: &Index) -> Arc<Ground> {
    let water = Decomposition::water(index.grid(), &WaterOptions::default());
    Arc::new(Ground::zones(index.grid(), &water))
}

/// Runs every engine on the pairs and writes down what came out.
pub(super) fn compete(
    index: &Index,
    zones: &Arc<Ground>,
    regime: Regime,
    pairs: usize,
    seed: u64,
    sheet: &mut Sheet,
) -> Result<()> {
    let (bounds, mut clock) = (regime.bounds(index)?, regime.clock());
    let clock = &mut *clock;
    let how = Preparation { pairs, seed: 1 + seed, bounds };
    let centroids = Arc::new(Ground::triangles(index.grid(), LEVELS)?);
    let mut field = vec![
        Contestant::dsma("dsma", &centroids, bounds),
        Contestant::maat("maat", index, &centroids, &how, clock),
    ];
    if regime != Regime::Paper {
        field.push(Contestant::maat("maat-zones", index, zones, &how, clock).tidied());
    }
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let hpa = Hpa::build(index.grid(), &unsmoothed_hpa())?;
    let (clusters, mut hpa_scratch) = (hpa.planner(index.grid()), HpaScratch::new());
    for query in queries(index, SEED + seed, pairs) {
        let begin = stopwatch::nanos();
        let best = index.find(engine::ASTAR, &query, &mut scratch, &mut path)?;
        let nanos = stopwatch::nanos() - begin;
        let optimal = best.cost().context("a solvable pair")?;
        sheet.add("astar", &Trial { optimal, cost: optimal, expanded: best.stats.expanded, nanos });
        let begin = stopwatch::nanos();
        let cost = clusters.find(query.start, query.goal, &mut hpa_scratch, &mut path);
        let nanos = stopwatch::nanos() - begin;
        let cost = cost.context("a solvable pair")?;
        check(index, &query, &path, cost, optimal)?;
        let expanded = hpa_scratch.effort().total().expanded;
        sheet.add("hpa", &Trial { optimal, cost, expanded, nanos });
        for contestant in &mut field {
            let begin = stopwatch::nanos();
            let (scratch, path) = (&mut scratch, &mut path);
            let (answer, planned) = match &mut contestant.planner {
                Adaptive::Dsma(p) => {
                    (p.find(index, &query, clock, scratch, path)?, p.last_trip().ticks)
                }
                Adaptive::Maat(p) => {
                    (p.find(index, &query, clock, scratch, path)?, p.last_trip().ticks)
                }
            };
            let spent = stopwatch::nanos() - begin;
            // The paper counts planning without the adaptation after it.
            let nanos = if regime == Regime::Scaled { spent } else { planned };
            let cost = answer.cost().context("a solvable pair")?;
            check(index, &query, path, cost, optimal)?;
            let trial = Trial { optimal, cost, expanded: answer.stats.expanded, nanos };
            sheet.add(contestant.name, &trial);
        }
    }
    for contestant in &field {
        match &contestant.planner {
            Adaptive::Dsma(planner) => note(regime, sheet, contestant, planner),
            Adaptive::Maat(planner) => note(regime, sheet, contestant, planner),
        }
    }
    Ok(())
}

/// The rival of the paper: HPA* with three levels and without smoothing.
fn unsmoothed_hpa() -> Options {
    Options { levels: Some(3), smoothing: Smoothing::Off, ..Options::paper() }
}

/// A path counts only if it is legal, costs what it claims and no less than the best.
fn check(index: &Index, query: &Query<'_>, path: &Path, cost: Cost, optimal: Cost) -> Result<()> {
    path.check_answer(index.grid(), query.start, query.goal, cost)?;
    ensure!(cost >= optimal, "a path shorter than the best: {query:?}");
    Ok(())
}

fn note<P: Policy>(
    regime: Regime,
    sheet: &mut Sheet,
    contestant: &Contestant,
    planner: &SectorPlanner<P>,
) {
    let (tally, bounds) = (planner.tally(), planner.bounds());
    let row = sheet.row(contestant.name);
    (row.below, row.above, row.direct) = (tally.below, tally.above, tally.direct);
    row.sectors = planner.cover().leaf_count();
    row.changes = tally.splits + tally.merges;
    row.reverts = contestant.reverts;
    if regime != Regime::Scaled {
        row.change_us = (tally.split_ticks + tally.merge_ticks) as f64 / 1e3;
    }
    (row.lower, row.upper) = (bounds.lower(), bounds.upper());
    row.prepare_s = contestant.prepare_seconds;
}
