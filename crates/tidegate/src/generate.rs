//! Maps made from a seed: the same letters for the same options, on every platform, for ever.
//!
//! Every kind gives a map of exactly the size asked for. All but [`Kind::Random`] give
//! ground that hangs together: any free tile can be reached from any other, under every
//! rule of movement. Whole numbers do most of the work; where [`Kind::Rts`] uses
//! floating point it keeps to `+ - * /`, square roots and rounding, which IEEE 754
//! fixes to the last bit.

mod canvas;
mod caves;
mod maze;
mod noise;
pub mod problems;
mod random;
mod rooms;
mod rts;

use std::fmt;

use crate::grid::{GridError, TileMap, check_size};
use crate::rng::Rng;

/// What a generated map looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A building: rooms of many sizes, corridors, doors.
    Rooms,
    /// Natural caves: halls and winding passages.
    Caves,
    /// A maze with a few loops.
    Maze,
    /// Walls scattered without order.
    Random,
    /// A strategy map, the same from both sides: plateaus with cliffs and ramps, lakes,
    /// an open middle.
    Rts,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Rooms, Kind::Caves, Kind::Maze, Kind::Random, Kind::Rts];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Rooms => "rooms",
            Kind::Caves => "caves",
            Kind::Maze => "maze",
            Kind::Random => "random",
            Kind::Rts => "rts",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What to generate.
///
/// ```
/// use tidegate::generate::{Kind, Options};
/// let maze = Options { corridor: 1, ..Options::new(Kind::Maze, 21, 11, 7) }.generate().unwrap();
/// println!("{}", maze.to_text());
/// assert_eq!((maze.width(), maze.height()), (21, 11));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What it looks like.
    pub kind: Kind,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Another seed gives another map.
    pub seed: u64,
    /// [`Kind::Random`]: how many tiles of a hundred are walls. More than 100 means 100.
    pub percent: u32,
    /// [`Kind::Maze`]: how many tiles wide the corridors are, at least 1.
    pub corridor: u32,
}

impl Options {
    /// The usual settings: a quarter of walls, corridors of two tiles.
    pub const fn new(kind: Kind, width: u32, height: u32, seed: u64) -> Options {
        Options { kind, width, height, seed, percent: 25, corridor: 2 }
    }

    /// Makes the map. Fails only for a size that no map can have.
    pub fn generate(&self) -> Result<TileMap, GridError> {
        let (width, height) = check_size(self.width.into(), self.height.into())?;
        let mut rng = Rng::new(self.seed);
        let (w, h) = (width as i32, height as i32);
        let mut canvas = match self.kind {
            Kind::Rooms => rooms::draw(w, h, &mut rng),
            Kind::Caves => caves::draw(w, h, &mut rng),
            Kind::Maze => {
                maze::draw(w, h, self.corridor.clamp(1, width.max(height)) as i32, &mut rng)
            }
            Kind::Random => random::draw(w, h, self.percent, &mut rng),
            Kind::Rts => rts::draw(w, h, &mut rng),
        };
        if self.kind != Kind::Random {
            canvas.never_all_wall();
        }
        TileMap::from_fn(width, height, |x, y| canvas.at(x as i32, y as i32))
    }
}

/// A map of this kind and size with the usual settings; see [`Options`] for more.
///
/// ```
/// use tidegate::generate::{Kind, generate};
/// let map = generate(Kind::Rts, 256, 256, 1).unwrap();
/// assert_eq!(map, generate(Kind::Rts, 256, 256, 1).unwrap());
/// ```
pub fn generate(kind: Kind, width: u32, height: u32, seed: u64) -> Result<TileMap, GridError> {
    Options::new(kind, width, height, seed).generate()
}

/// Union-find: the member that stands for all that are joined with `a`.
fn root(joined: &mut [usize], mut a: usize) -> usize {
    while joined[a] != a {
        joined[a] = joined[joined[a]];
        a = joined[a];
    }
    a
}
