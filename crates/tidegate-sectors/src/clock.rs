//! Time is handed in: the library reads no clock of its own.

/// Tells the time a planner judges its queries by.
pub trait Clock {
    /// Ticks since some fixed moment. `expanded` counts the nodes that the planner's
    /// searches have expanded since then; a wall clock ignores it.
    fn ticks(&mut self, expanded: u64) -> u64;
}

/// One expansion is one tick: the same on every machine and on every run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expansions;

impl Clock for Expansions {
    fn ticks(&mut self, expanded: u64) -> u64 {
        expanded
    }
}

/// Any function of the expansions is a clock, so a program hands in its own:
///
/// ```
/// use std::time::Instant;
/// use tidegate_sectors::Clock;
/// let begin = Instant::now();
/// let mut wall = |_expanded: u64| begin.elapsed().as_nanos() as u64;
/// let first = wall.ticks(0);
/// assert!(wall.ticks(0) >= first);
/// ```
impl<F: FnMut(u64) -> u64> Clock for F {
    fn ticks(&mut self, expanded: u64) -> u64 {
        self(expanded)
    }
}
