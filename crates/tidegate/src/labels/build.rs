//! Building labels: corners, graph, order, corner labels, blocks; refused where they
//! do not pay.

use super::Labels;
use super::blocks::Source;
use super::estimate::{Steps, before_joining};
use super::links::Survey;
use crate::cost::{LIMIT, octile};
use crate::grid::Grid;
use crate::hubs::{
    self, BlockSource, Estimate, Growth, HubStore, Links, MAX_CORNERS, MAX_ROWS, Stop, TooLarge,
    blocks,
};
use crate::taut::CornerGraph;
use crate::taut::Rules;
use crate::taut::Sight;

/// The most entries that corners may have in all: what the links of trees can address.
pub(crate) const MAX_TREE_ENTRIES: u64 = 1 << 29;

/// Building may take this many times the memory of what is built.
pub(crate) const WORKING: u64 = 16;

/// How tiles share their labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// Blocks of 8 x 8 tiles where that costs little time, and of 4 x 4 elsewhere: more large ones
    /// where labels would take much memory otherwise, and only large ones if nothing else fits the
    /// budget.
    #[default]
    Auto,
    /// Blocks of 4 x 4 tiles: the fastest.
    Fast,
    /// Blocks of 8 x 8 tiles: about half the memory, a little slower.
    Small,
    /// Every tile by itself, so that nothing a neighbour needs hides a mistake.
    #[cfg(test)]
    Single,
}

impl Form {
    /// All forms, in the order of their numbers in files.
    pub const ALL: [Form; 3] = [Form::Auto, Form::Fast, Form::Small];

    pub(crate) const fn shift(self) -> u32 {
        if matches!(self, Form::Fast) { 2 } else { 3 }
    }

    /// Which squares of tiles become large blocks: at least and at most.
    pub(crate) const fn growth(self) -> (Growth, Growth) {
        match self {
            Form::Fast => (Growth::NONE, Growth::NONE),
            Form::Small => (Growth::ALL, Growth::ALL),
            _ => (AUTO_LEAST, AUTO_MOST),
        }
    }

    /// By the sizes of blocks that there are: small ones, large ones.
    pub(crate) const fn of_sizes(sizes: (bool, bool)) -> Form {
        match sizes {
            (_, false) => Form::Fast,
            (false, true) => Form::Small,
            (true, true) => Form::Auto,
        }
    }
}

/// [`Form::Auto`] takes a large block wherever a query looks at a quarter more at most...
const AUTO_LEAST: Growth = Growth(125);
/// ... and at twice as much to stay below [`AUTO_BYTES`].
const AUTO_MOST: Growth = Growth(200);
/// Bytes a tile, walls not counted, that [`Form::Auto`] tries to stay below.
const AUTO_BYTES: u64 = 64;

/// What to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelOptions {
    /// How tiles share their labels.
    pub form: Form,
    /// The most memory the labels may take. Building stops, mostly before it begins,
    /// where they would take more.
    pub budget_bytes: u64,
    /// Seed of the sampled paths that decide the order of hubs. Every seed gives exact
    /// answers.
    pub seed: u64,
    /// How many nodes of sampled shortest-path trees decide the order of hubs: more
    /// makes labels a little smaller and building slower.
    pub effort: usize,
}

impl Default for LabelOptions {
    fn default() -> LabelOptions {
        LabelOptions { form: Form::Auto, budget_bytes: 192 << 20, seed: 1, effort: 16_000_000 }
    }
}

impl LabelOptions {
    /// Refuses a map whose labels would not fit the budget, as far as is known before its corners are joined:
    /// by more than such an estimate may be wrong. What is nearer is judged again when corners are labelled.
    pub(crate) fn refuse(&self, ahead: &Estimate) -> Result<(), LabelsError> {
        let form = if self.form == Form::Fast { Form::Fast } else { Form::Small };
        let (estimate, budget) = (ahead.bytes(form.shift()), self.budget_bytes);
        let doubtful = budget.saturating_add(budget / 4);
        if estimate <= doubtful { Ok(()) } else { Err(LabelsError::TooLarge { estimate, budget }) }
    }

    /// Which squares of tiles become large blocks, such that labels fit the budget. Besides blocks
    /// they hold so many bytes.
    pub(crate) fn fit(
        &self,
        source: &impl BlockSource,
        besides: u64,
    ) -> Result<Growth, LabelsError> {
        let budget = self.budget_bytes;
        let too_large = |estimate: u64| LabelsError::TooLarge { estimate, budget };
        let wished = if self.form == Form::Auto {
            budget.min(AUTO_BYTES * source.grid().free_tiles() as u64)
        } else {
            budget
        };
        let fit = |range, bytes: u64| {
            let fit = hubs::fit(source, range, bytes.saturating_sub(besides));
            fit.map(|(growth, blocks)| (growth, besides + blocks))
        };
        let (growth, estimate) =
            fit(self.form.growth(), wished).ok_or(too_large(budget.saturating_mul(2)))?;
        if estimate <= budget {
            return Ok(growth);
        }
        if self.form == Form::Auto {
            let last = (Growth::ALL, Growth::ALL);
            let (growth, estimate) =
                fit(last, budget).ok_or(too_large(budget.saturating_mul(2)))?;
            return if estimate <= budget { Ok(growth) } else { Err(too_large(estimate)) };
        }
        Err(too_large(estimate))
    }
}

/// Why there are no labels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelsError {
    /// The map has cost factors; labels rest on uniform ground.
    #[error(
        "labels need uniform ground, and this map has cost factors: use an engine that searches, such as astar"
    )]
    Factors,
    /// The labels would not fit the budget.
    #[error(
        "labels of this map would take about {estimate} bytes, above the budget of {budget}: too many corners; use jps, which needs no index, or raise the budget"
    )]
    TooLarge {
        /// What they would take, in bytes, as estimated from samples.
        estimate: u64,
        /// What was allowed.
        budget: u64,
    },
    /// Building would take more memory than is allowed, whatever the labels themselves took.
    #[error(
        "building labels of this map would take at least {connections} bytes for the connections of its tiles, above {WORKING} times the budget of {budget}: too many corners; use jps, which needs no index, or raise the budget"
    )]
    TooManyConnections {
        /// What the connections would take while labels are built, in bytes, as estimated from
        /// samples.
        connections: u64,
        /// What was allowed for the labels.
        budget: u64,
    },
    /// The map has too many corners for labels, whatever the budget.
    #[error(
        "labels hold maps of less than {most} corners or connections: this one has more; use jps"
    )]
    TooManyCorners {
        /// How many they hold.
        most: u64,
    },
    /// The map has too many rows for labels.
    #[error("labels hold maps of at most 32768 rows, and this one has {0}: use jps")]
    Rows(u32),
    /// Distances on this map do not fit 32 bits.
    #[error("paths on this map may be longer than labels can count: use an engine that searches")]
    TooLong,
}

impl Labels {
    /// Builds the labels of a map.
    pub fn build(grid: &Grid, options: &LabelOptions) -> Result<Labels, LabelsError> {
        Labels::build_by(grid, options, Rules::of(grid.movement()))
    }

    /// The same by given rules, which tests break.
    pub(super) fn build_by(
        grid: &Grid,
        options: &LabelOptions,
        rules: &Rules,
    ) -> Result<Labels, LabelsError> {
        let (graph, links) = join(grid, options, rules)?;
        let length = |tile, corner| graph.to_corner(tile, corner);
        let order = hubs::order(&graph, &links, length, (options.effort, options.seed));
        Labels::build_ordered(grid, options, rules, (graph, links), &order)
    }

    /// The same with hubs in a given order.
    pub(super) fn build_ordered(
        grid: &Grid,
        options: &LabelOptions,
        rules: &Rules,
        (graph, mut links): (CornerGraph, Links),
        order: &[u32],
    ) -> Result<Labels, LabelsError> {
        let graph = graph.renamed(order);
        links.rename(order);
        let sight = Sight::new(grid);
        let too_large =
            |estimate: u64| LabelsError::TooLarge { estimate, budget: options.budget_bytes };
        let limit = (options.budget_bytes / 4).min(MAX_TREE_ENTRIES);
        let labels = hubs::label(&graph, limit as usize).map_err(|stop| match stop {
            Stop::Long => LabelsError::TooLong,
            Stop::Many => too_large(4 * (limit + 1)),
        })?;
        let reach = octile(grid.width(), grid.height());
        if 2 * (u64::from(labels.radius) + u64::from(reach)) > u64::from(LIMIT) {
            return Err(LabelsError::TooLong);
        }
        let source = Source { grid, rules, graph: &graph, links: &links, labels: &labels };
        let size = (grid.width(), grid.height());
        #[cfg(test)]
        if options.form == Form::Single {
            let hubs = HubStore::join_single(size, hubs::single_blocks(&source), labels.trees);
            return Ok(Labels { movement: grid.movement(), hubs, sight });
        }
        let besides = sight.bytes() + labels.trees.bytes() + 4 * graph.len();
        let growth = options.fit(&source, besides as u64)?;
        let made = blocks(&source, growth);
        // Blocks are written again, in fewer bits: what they were made from goes before.
        drop((graph, links, labels.labels));
        let hubs = HubStore::join(size, made, labels.trees, options.budget_bytes);
        let hubs = hubs.map_err(|why| match why {
            TooLarge::Bytes(bytes) => too_large(bytes),
            TooLarge::Block => too_large(options.budget_bytes.saturating_mul(2)),
        })?;
        let made = Labels { movement: grid.movement(), hubs, sight };
        if made.bytes() as u64 > options.budget_bytes {
            return Err(too_large(made.bytes() as u64));
        }
        Ok(made)
    }
}

/// Corners and their graph, if the map is one for labels at all.
pub(super) fn join(
    grid: &Grid,
    options: &LabelOptions,
    rules: &Rules,
) -> Result<(CornerGraph, Links), LabelsError> {
    if grid.factors().is_some() {
        return Err(LabelsError::Factors);
    }
    if grid.height() > MAX_ROWS {
        return Err(LabelsError::Rows(grid.height()));
    }
    let ahead = Estimate::ahead(grid, &Steps(rules), (options.effort, options.seed));
    ahead.map_or(Ok(()), |ahead| options.refuse(&ahead))?;
    let survey = Survey::new(grid, rules);
    let budget = options.budget_bytes;
    let least = before_joining(&survey);
    if survey.corners.len() >= MAX_CORNERS {
        return Err(LabelsError::TooManyCorners { most: MAX_CORNERS as u64 });
    }
    if least > budget.saturating_mul(WORKING) {
        return Err(LabelsError::TooManyConnections { connections: least, budget });
    }
    // Connections are numbered with 32 bits.
    survey.join().ok_or(LabelsError::TooManyCorners { most: 1 << 32 })
}
