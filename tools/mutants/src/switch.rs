//! Which mutant is alive: a module of the changed library, beside its others.

use std::io::Write;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// The number of the mutant that is alive, or one of the next two.
static ALIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
/// The environment was not asked yet.
const UNKNOWN: u32 = 0;
/// None is alive; places are written down when they are first reached.
const RECORDING: u32 = 1;

/// Which places were reached, one bit each.
static REACHED: [AtomicU64; 1 << 8] = [const { AtomicU64::new(0) }; 1 << 8];

/// Which change is alive at this place, counted from its first one; anything else leaves the place as it is.
#[inline(always)]
pub fn at(first: u32) -> u32 {
    let alive = ALIVE.load(Relaxed);
    if alive > RECORDING { alive.wrapping_sub(first) } else { begin(alive, first) }
}

#[cold]
fn begin(alive: u32, first: u32) -> u32 {
    if alive == UNKNOWN {
        let number = std::env::var("MUTANT").ok().and_then(|number| number.parse().ok());
        ALIVE.store(number.unwrap_or(u32::MAX), Relaxed);
        return at(first);
    }
    let (word, bit) = (&REACHED[first as usize / 64], 1 << (first % 64));
    if word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0 {
        let path = std::env::var_os("MUTANT_REACHED").expect("where to write");
        let mut file = std::fs::File::options().append(true).create(true).open(path).expect("opens");
        file.write_all(format!("{first}\n").as_bytes()).expect("writes");
    }
    u32::MAX
}
