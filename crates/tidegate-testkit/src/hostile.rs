//! Hostile input: for everything that is read or asked, a function that takes any bytes
//! and panics if a promise is broken. Fuzzers call them with bytes of their own making,
//! ordinary tests with seeds, mutations of seeds and every input that once did harm.

mod edits;
mod files;
mod index_file;
mod program;
mod query;
mod walks;

use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Tile};

pub use edits::soak;
pub use index_file::{answers_are_valid, mend};

/// One way in, and examples of what belongs there.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What is attacked; also the name of the fuzz target.
    pub name: &'static str,
    /// Tries some bytes. Panics if a promise is broken.
    pub run: fn(&[u8]),
    /// Good examples to begin from.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All ways in.
pub const ALL: [Target; 10] = [
    Target { name: "map", run: files::map, seeds: files::map_seeds },
    Target { name: "text", run: files::text, seeds: files::text_seeds },
    Target { name: "png", run: files::png, seeds: files::png_seeds },
    Target { name: "scenario", run: files::scenario, seeds: files::scenario_seeds },
    Target { name: "decomposition", run: files::decomposition, seeds: files::decomposition_seeds },
    Target { name: "index", run: index_file::run, seeds: index_file::seeds },
    Target { name: "edits", run: edits::run, seeds: edits::seeds },
    Target { name: "query", run: query::run, seeds: query::seeds },
    Target { name: "walks", run: walks::run, seeds: walks::seeds },
    Target { name: "model", run: program::run, seeds: program::seeds },
];

/// Tries some bytes on the target of this name.
pub fn run(name: &str, bytes: &[u8]) {
    let target = ALL.iter().find(|target| target.name == name);
    (target.unwrap_or_else(|| panic!("no target {name:?}")).run)(bytes);
}

/// The seeds of a target, changed at random in the ways a fuzzer does: for tests that run
/// without one.
pub fn mutated(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = rng.pick(seeds).cloned().unwrap_or_default();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let end = (at + rng.below(9)).min(bytes.len());
        match rng.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            1 if at < bytes.len() => bytes[at] = rng.bits() as u8,
            2 if at < bytes.len() => bytes[at] = [0, 1, b'9', 0x7f, 0x80, 0xff][rng.below(6)],
            3 => drop(bytes.drain(at..end)),
            4 => {
                let other = rng.pick(seeds).cloned().unwrap_or_default();
                let from = rng.below(other.len() + 1);
                let part = &other[from..(from + rng.below(33)).min(other.len())];
                bytes.splice(at..end, part.iter().copied());
            }
            _ => bytes.truncate(at.max(bytes.len() / 2)),
        }
    }
    bytes
}

/// Bytes read one after the other; zeros when they have run out.
#[derive(Debug)]
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// From the first of these on.
    pub fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes(bytes)
    }

    /// Whether they have run out.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn next(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    /// A number below `n`, from several bytes where one is too small.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let (mut number, mut most) = (usize::from(self.next()), 256);
        while most < n {
            (number, most) = (number << 8 | usize::from(self.next()), most << 8);
        }
        number % n
    }

    /// A tile of the map or just beyond it.
    fn tile(&mut self, grid: &Grid) -> Tile {
        let side = |length: u32, bytes: &mut Self| bytes.below(length as usize + 1) as u16;
        Tile::new(side(grid.width(), self), side(grid.height(), self))
    }

    /// A map with sides of at most `most` tiles, a bit for each tile.
    fn grid(&mut self, most: usize) -> Grid {
        let (width, height) = (1 + self.below(most), 1 + self.below(most));
        let movement = Movement::ALL[self.below(3)];
        let mut bits = 0;
        let free = |x: u32, y: u32| {
            let at = (y as usize * width + x as usize) % 8;
            if at == 0 {
                bits = self.next();
            }
            bits >> at & 1 == 0
        };
        Grid::from_fn(width as u32, height as u32, movement, free).expect("a small size")
    }
}

/// Inputs that once did harm, kept in `testdata/hostile/NAME/`.
pub fn kept(name: &str) -> std::io::Result<Vec<Vec<u8>>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/hostile");
    let folder = std::path::Path::new(root).join(name);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(|file| file.file_name());
    files.iter().map(|file| std::fs::read(file.path())).collect()
}
