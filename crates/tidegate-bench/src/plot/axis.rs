//! Where values lie on an axis, and which of them are written beside it.

/// An axis, linear or in powers of ten.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is written beside it.
    pub label: String,
    /// Whether equal distances are equal factors.
    pub log: bool,
    /// The value at its beginning.
    pub low: f64,
    /// The value at its end.
    pub high: f64,
}

impl Axis {
    /// From zero.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: false, low: 0.0, high: 1.0 }
    }

    /// In powers of ten.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: true, low: 1.0, high: 10.0 }
    }

    /// The same with room for these values.
    pub fn fitted(&self, values: impl Iterator<Item = f64> + Clone) -> Axis {
        let values = values.filter(|v| v.is_finite() && (!self.log || *v > 0.0));
        let high = values.clone().fold(f64::MIN, f64::max);
        let low = values.fold(f64::MAX, f64::min);
        if low > high {
            return self.clone();
        }
        let (low, high) = if self.log {
            (low / 1.3, high * 1.3)
        } else {
            (0.0, if high > 0.0 { high * 1.05 } else { 1.0 })
        };
        Axis { low, high, ..self.clone() }
    }

    /// Where a value lies, from 0 at the beginning to 1 at the end.
    pub fn share(&self, value: f64) -> f64 {
        if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    /// Round values along the axis.
    pub fn ticks(&self) -> Vec<f64> {
        if !self.log {
            let rough = (self.high - self.low) / 5.0;
            let power = 10f64.powf(rough.log10().floor());
            let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * power);
            let step = steps.into_iter().find(|&s| s >= rough).unwrap_or(power);
            let first = (self.low / step).ceil() as i64;
            let ticks = (first..).map(|i| i as f64 * step);
            return ticks.take_while(|&t| t <= self.high * 1.0001).collect();
        }
        let (from, to) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let few = f64::from(to - from);
        let within: &[f64] = if few <= 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = if few > 7.0 { 2 } else { 1 };
        let powers = (from..=to).filter(|p| p.rem_euclid(every) == 0);
        let ticks = powers.flat_map(|p| within.iter().map(move |m| m * 10f64.powi(p)));
        ticks.filter(|t| (self.low..=self.high).contains(t)).collect()
    }
}

/// A number in few letters: `0.05`, `20`, `3k`, `1.5M`.
pub(super) fn short(value: f64) -> String {
    let trim = |text: String| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    };
    match value.abs() {
        v if v >= 1e9 => trim(format!("{:.1}", value / 1e9)) + "G",
        v if v >= 1e6 => trim(format!("{:.1}", value / 1e6)) + "M",
        v if v >= 1e4 => trim(format!("{:.1}", value / 1e3)) + "k",
        v if v >= 1.0 => trim(format!("{value:.1}")),
        v if v >= 0.01 => trim(format!("{value:.3}")),
        0.0 => "0".into(),
        _ => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, short};

    #[test]
    fn ticks_are_round_and_inside() {
        let axis = Axis::linear("x").fitted([3.0, 470.0].into_iter());
        assert_eq!(axis.ticks(), [0.0, 100.0, 200.0, 300.0, 400.0]);
        let axis = Axis::log("x").fitted([0.5, 20_000.0].into_iter());
        assert_eq!(axis.ticks(), [1.0, 10.0, 100.0, 1000.0, 10_000.0]);
        assert!((axis.share(axis.low), axis.share(axis.high)) == (0.0, 1.0));
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.05, 1.0, 250.0, 1_500.0, 20_000.0, 1_500_000.0, 2e9].map(short);
        assert_eq!(texts, ["0", "0.05", "1", "250", "1500", "20k", "1.5M", "2G"]);
    }
}
