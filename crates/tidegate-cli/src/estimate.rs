//! How long building tables will take, shown before it begins.

use tidegate::Index;
use tidegate::engine::Engine;

use crate::say::{count, note};

/// Seconds per million free tiles, the mean of the maps in `record/engines.csv`. What is built
/// in no time at all is not in the list. Maps with many gates take several times as long.
const RATES: [(&str, f64); 13] = [
    ("dead-end", 0.3),
    ("gateway", 3.8),
    ("gateway-2way", 11.0),
    ("gateway-consistent", 5.2),
    ("gateway+differential", 5.6),
    ("portal", 3.8),
    ("differential", 0.4),
    ("jps", 0.02),
    ("labels", 10.3),
    ("hpa", 0.35),
    ("hpa-paper", 0.2),
    ("maat", 9.4),
    ("maat-zones", 3.7),
];

/// Less than this is not worth a word.
const LONG: f64 = 5.0;

/// Tells, before it is done, what building these engines will take, if that is long.
pub(crate) fn tell(index: &Index, engines: &[&'static dyn Engine]) {
    let tiles = index.grid().free_tiles();
    let missing = engines.iter().filter(|engine| !engine.is_ready(index));
    let mut parts: Vec<(&str, f64)> =
        missing.map(|engine| (engine.name(), seconds(engine.name(), tiles))).collect();
    let total = parts.iter().map(|part| part.1).sum::<f64>();
    if total < LONG {
        return;
    }
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let most: Vec<String> =
        parts.iter().take(3).map(|(name, s)| format!("{name} {}", time(*s))).collect();
    note!(
        "note: building tables for {} free tiles will take about {}, more if there are many \
         gates ({}{})",
        count(tiles as u64),
        time(total),
        most.join(", "),
        if parts.len() > most.len() { ", …" } else { "" }
    );
}

fn seconds(engine: &str, tiles: usize) -> f64 {
    let rate = RATES.iter().find(|rate| rate.0 == engine).map_or(0.0, |rate| rate.1);
    rate * tiles as f64 / 1e6
}

fn time(seconds: f64) -> String {
    if seconds < 100.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}
