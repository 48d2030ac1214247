//! Bounds of time, and how queries and changes fared against them.

/// The time a query should take, in ticks of the planner's clock, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    lower: u64,
    upper: u64,
}

impl Bounds {
    /// From `lower` to `upper`; `None` if they are the wrong way round.
    pub const fn new(lower: u64, upper: u64) -> Option<Bounds> {
        if lower <= upper { Some(Bounds { lower, upper }) } else { None }
    }

    /// Queries below it leave time for better paths.
    pub const fn lower(self) -> u64 {
        self.lower
    }

    /// Queries above it are too slow.
    pub const fn upper(self) -> u64 {
        self.upper
    }
}

impl Default for Bounds {
    /// The paper's 1 to 3 milliseconds on a machine that expands a tile in a
    /// microsecond, counted in expansions.
    fn default() -> Bounds {
        Bounds { lower: 1_000, upper: 3_000 }
    }
}

/// What a planner has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Queries that found their goal.
    pub queries: u64,
    /// Of those, below the lower bound.
    pub below: u64,
    /// Of those, above the upper bound.
    pub above: u64,
    /// Of those, answered by plain A*.
    pub direct: u64,
    /// Sectors split.
    pub splits: u64,
    /// Pairs of sectors merged.
    pub merges: u64,
    /// Changes taken back because they did not help; only while preparing.
    pub reverts: u64,
    /// Time spent on splits.
    pub split_ticks: u64,
    /// Time spent on merges.
    pub merge_ticks: u64,
    /// Time spent on noting queries, changes apart.
    pub note_ticks: u64,
}

impl Tally {
    /// How many counts there are.
    pub(super) const COUNTS: usize = 10;

    /// Share of the queries that took a time within the bounds; 1 if there was none.
    pub fn inside(&self) -> f64 {
        let outside = self.below + self.above;
        if self.queries == 0 { 1.0 } else { 1.0 - outside as f64 / self.queries as f64 }
    }

    /// All counts, in the order in which they are saved.
    pub(super) fn counts_mut(&mut self) -> [&mut u64; Tally::COUNTS] {
        let Tally {
            queries,
            below,
            above,
            direct,
            splits,
            merges,
            reverts,
            split_ticks,
            merge_ticks,
            note_ticks,
        } = self;
        [
            queries,
            below,
            above,
            direct,
            splits,
            merges,
            reverts,
            split_ticks,
            merge_ticks,
            note_ticks,
        ]
    }
}
