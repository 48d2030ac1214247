//! Time as this thread spent it: on a busy machine the clock on the wall mostly measures
//! the others.

use std::time::Instant;

/// Nanoseconds since some moment: processor time of this thread where the system tells,
/// else the clock's.
#[cfg(unix)]
pub fn nanos() -> u64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Nanoseconds since some moment: processor time of this thread where the system tells,
/// else the clock's.
#[cfg(not(unix))]
pub fn nanos() -> u64 {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Microseconds of work, and its result.
pub fn micros<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begin = nanos();
    let result = work();
    ((nanos() - begin) as f64 / 1e3, result)
}

/// The least of several runs in microseconds, and the last result.
pub fn least_micros<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let (mut least, mut result) = micros(&mut work);
    for _ in 1..runs {
        let (time, again) = micros(&mut work);
        (least, result) = (least.min(time), again);
    }
    (least, result)
}

/// Seconds on the wall, and the result: for work that uses all cores.
pub fn wall_seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begin = Instant::now();
    let result = work();
    (begin.elapsed().as_secs_f64(), result)
}

/// Times in nanoseconds, one per problem: the least of several rounds, so that a busy
/// machine's pauses do not count. Between two rounds all other problems are asked.
#[derive(Clone, Debug)]
pub struct Times(Vec<u64>);

impl Times {
    /// No times yet for so many problems.
    pub fn new(problems: usize) -> Times {
        Times(vec![u64::MAX; problems])
    }

    /// Measures work on problem `n` by the clock on the wall (the finest there is).
    pub fn take(&mut self, n: usize, work: impl FnOnce()) {
        let begin = Instant::now();
        work();
        self.0[n] = self.0[n].min(begin.elapsed().as_nanos() as u64);
    }

    /// The same, or by the processor's time of this thread if that is less: what is slow is interrupted, and
    /// for what is quick the processor's time is too coarse.
    pub fn take_either(&mut self, n: usize, work: impl FnOnce()) {
        let (spent, begin) = (nanos(), Instant::now());
        work();
        let wall = begin.elapsed().as_nanos() as u64;
        self.0[n] = self.0[n].min(wall).min(nanos() - spent);
    }

    /// How many problems there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Mean in microseconds.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<u64>() as f64 / self.0.len().max(1) as f64 / 1e3
    }

    /// What 99 of 100 stay below, in microseconds.
    pub fn p99(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() * 99 / 100).map_or(0.0, |&t| t as f64 / 1e3)
    }
}
