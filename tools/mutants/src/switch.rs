//! Which mutant is alive: a module of the changed library, beside its others.

use std::fs::File;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// The number of the mutant that is alive, or one of the next two.
static ALIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
/// The environment was not asked yet.
const UNKNOWN: u32 = 0;
/// None is alive; places are written down when they are first reached.
const RECORDING: u32 = 1;

/// Which places were reached, one bit each.
static REACHED: [AtomicU64; 1 << 8] = [const { AtomicU64::new(0) }; 1 << 8];

static FILE: OnceLock<File> = OnceLock::new();

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
    // Opened at once and written to without allocating: some tests count what is held.
    let file = FILE.get_or_init(|| {
        let path = std::env::var_os("MUTANT_REACHED").expect("where to write");
        File::options().append(true).create(true).open(path).expect("opens")
    });
    let (word, bit) = (&REACHED[first as usize / 64], 1 << (first % 64));
    if word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0 {
        let mut line = [b' '; 12];
        writeln!(&mut line[..], "{first}").expect("a short number");
        let mut file = file;
        file.write_all(&line).expect("writes");
    }
    u32::MAX
}
