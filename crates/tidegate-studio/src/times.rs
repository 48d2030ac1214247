//! Times that can be compared: the median of repeated runs, and how far they spread.

use std::time::Duration;

use web_time::Instant;

/// Runs of one query: the fewest, the most, and how long they may take together.
const FEWEST: usize = 5;
const MOST: usize = 25;
const TOGETHER: Duration = Duration::from_millis(50);
/// What takes less is done several times for one look at the clock: browsers let theirs go on in steps of up to a tenth of
/// a millisecond.
const LOOK: Duration =
    if cfg!(target_arch = "wasm32") { Duration::from_millis(2) } else { Duration::ZERO };

/// Microseconds of a number of runs.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub(crate) struct Times {
    /// The median.
    pub(crate) micros: f64,
    /// The least and the most, without the outer quarters.
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) runs: usize,
}

impl Times {
    /// From the microseconds of runs; at least one.
    pub(crate) fn of(mut micros: Vec<f64>) -> Times {
        micros.sort_by(f64::total_cmp);
        let last = micros.len() - 1;
        let quarter = micros.len() / 4;
        Times {
            micros: (micros[last / 2] + micros[last.div_ceil(2)]) / 2.0,
            low: micros[quarter],
            high: micros[last - quarter],
            runs: micros.len(),
        }
    }

    /// Repeats something that was done before, so that memory is warm. `first` is about how
    /// long it takes.
    pub(crate) fn repeat<E>(
        first: Duration,
        run: impl FnMut() -> Result<(), E>,
    ) -> Result<Times, E> {
        let fit = TOGETHER.as_nanos() / first.as_nanos().max(1);
        Times::measure((fit as usize).clamp(FEWEST, MOST) | 1, run)
    }

    /// So many runs.
    pub(crate) fn measure<E>(
        count: usize,
        mut run: impl FnMut() -> Result<(), E>,
    ) -> Result<Times, E> {
        let mut micros = Vec::with_capacity(count);
        for _ in 0..count {
            let (clock, mut runs) = (Instant::now(), 0);
            let mut time = Duration::ZERO;
            while runs == 0 || time < LOOK {
                run()?;
                runs += 1;
                time = clock.elapsed();
            }
            micros.push(time.as_secs_f64() * 1e6 / f64::from(runs));
        }
        Ok(Times::of(micros))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_and_its_quartiles() {
        let times = Times::of(vec![9.0, 1.0, 100.0, 3.0, 5.0]);
        assert_eq!((times.low, times.micros, times.high, times.runs), (3.0, 5.0, 9.0, 5));
        let even = Times::of(vec![4.0, 2.0]);
        assert_eq!((even.low, even.micros, even.high), (2.0, 3.0, 4.0));
        let one = Times::of(vec![7.0]);
        assert_eq!((one.low, one.micros, one.high, one.runs), (7.0, 7.0, 7.0, 1));
    }

    #[test]
    fn quick_things_are_done_more_often() {
        let count = |first: Duration| {
            let mut runs = 0;
            let again = || -> Result<(), ()> {
                runs += 1;
                Ok(())
            };
            let times = Times::repeat(first, again).unwrap();
            assert_eq!(times.runs, runs);
            runs
        };
        assert_eq!(count(Duration::from_micros(3)), MOST);
        assert_eq!(count(Duration::from_secs(1)), FEWEST);
        assert_eq!(count(Duration::ZERO), MOST);
        assert_eq!(Times::repeat(Duration::ZERO, || Err(5)), Err(5));
    }
}
