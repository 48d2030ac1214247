//! Many times in little room: how many fell into each sixteenth of a doubling.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Counts of times; a bucket is 4.4 % wide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Histogram(BTreeMap<u32, u64>);

const PER_DOUBLING: f64 = 16.0;

impl Histogram {
    /// Counts a time.
    pub fn add(&mut self, nanos: u64) {
        let bucket = (nanos.max(1) as f64).log2() * PER_DOUBLING;
        *self.0.entry(bucket as u32).or_default() += 1;
    }

    /// Takes in another's counts.
    pub fn merge(&mut self, other: &Histogram) {
        for (&bucket, count) in &other.0 {
            *self.0.entry(bucket).or_default() += count;
        }
    }

    /// The time in microseconds that this share of all stays below, right to 2.2 %.
    pub fn micros_at(&self, share: f64) -> f64 {
        let wanted = (self.total() as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (&bucket, &count) in &self.0 {
            seen += count;
            if seen >= wanted {
                return middle(bucket);
            }
        }
        0.0
    }

    /// For every bucket that was hit: its time in microseconds and the share of all times
    /// up to it.
    pub fn shares(&self) -> Vec<(f64, f64)> {
        let (mut seen, total) = (0, self.total().max(1) as f64);
        let share = |(&bucket, &count): (&u32, &u64)| {
            seen += count;
            (middle(bucket), seen as f64 / total)
        };
        self.0.iter().map(share).collect()
    }

    fn total(&self) -> u64 {
        self.0.values().sum()
    }
}

fn middle(bucket: u32) -> f64 {
    ((f64::from(bucket) + 0.5) / PER_DOUBLING).exp2() / 1e3
}

impl From<Histogram> for String {
    fn from(histogram: Histogram) -> String {
        let pairs: Vec<String> = histogram.0.iter().map(|(b, n)| format!("{b}:{n}")).collect();
        pairs.join(" ")
    }
}

impl TryFrom<String> for Histogram {
    type Error = String;

    fn try_from(text: String) -> Result<Histogram, String> {
        let pair = |pair: &str| {
            let (bucket, count) = pair.split_once(':')?;
            Some((bucket.parse().ok()?, count.parse().ok()?))
        };
        let pairs: Option<BTreeMap<u32, u64>> = text.split_whitespace().map(pair).collect();
        pairs.map(Histogram).ok_or_else(|| format!("no counts of times: {text:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Histogram;

    #[test]
    fn shares_of_times_are_right_to_a_bucket() {
        let mut histogram = Histogram::default();
        (1..=1000).for_each(|n| histogram.add(n * 1000));
        for (share, truth) in [(0.5, 500.0), (0.99, 990.0), (1.0, 1000.0)] {
            let found = histogram.micros_at(share);
            assert!((found / truth - 1.0).abs() < 0.03, "{share}: {found} for {truth}");
        }
        let text = String::from(histogram.clone());
        assert_eq!(Histogram::try_from(text), Ok(histogram));
    }
}
