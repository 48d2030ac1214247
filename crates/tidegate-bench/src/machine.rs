//! What a run ran on, and when.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The commit this program was built from.
pub const COMMIT: &str = env!("TIDEGATE_COMMIT");

/// A machine, as far as it tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's own name.
    pub processor: String,
    /// Threads it runs at once.
    pub threads: usize,
    /// Operating system and architecture.
    pub system: String,
    /// Whether the program was built with optimisation and without debug checks.
    pub optimised: bool,
}

impl Machine {
    /// This one.
    pub fn here() -> Machine {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let processor = name.map_or_else(|| "unknown processor".into(), |(_, n)| n.trim().into());
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        Machine { processor, threads, system, optimised: !cfg!(debug_assertions) }
    }
}

/// How far the memory of this process rises above what it is when this begins. Memory that the allocator
/// holds already and uses again is not seen. Linux tells; elsewhere nothing is known.
#[derive(Clone, Copy, Debug)]
pub struct MemoryPeak {
    before: Option<u64>,
}

impl MemoryPeak {
    /// From now on.
    pub fn begin() -> MemoryPeak {
        // Sets the most memory that was ever held back to what is held now.
        let set_back = std::fs::write("/proc/self/clear_refs", "5").is_ok();
        MemoryPeak { before: if set_back { status("VmRSS:") } else { None } }
    }

    /// The most since it began, in bytes above what it was then; 0 if that is not known.
    pub fn rise(self) -> u64 {
        let most = status("VmHWM:");
        self.before.zip(most).map_or(0, |(before, most)| most.saturating_sub(before))
    }
}

/// A line of what the system says of this process, in bytes.
fn status(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

/// Today in UTC as year-month-day.
pub fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(now.as_secs() / 86_400)
}

/// The date so many days after 1 January 1970. Years are counted from March, so that the
/// leap day is the last of its year.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let of_month = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{of_month:02}", era * 400 + year + carry)
}

#[cfg(test)]
mod tests {
    use super::{MemoryPeak, date};

    #[test]
    #[cfg(target_os = "linux")]
    fn a_peak_is_seen_after_it_is_gone() {
        // There is one peak for the whole process: another test that begins to measure in between sets it back.
        let rises = (0..50).map(|_| {
            let peak = MemoryPeak::begin();
            drop(std::hint::black_box(vec![1_u8; 64 << 20]));
            peak.rise()
        });
        let seen = rises
            .inspect(|rise| println!("{rise}"))
            .any(|rise| (60 << 20..1 << 30).contains(&rise));
        assert!(seen, "a peak that is gone was never seen");
    }

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(11_017), "2000-03-01");
        assert_eq!(date(20_454), "2026-01-01");
    }
}
