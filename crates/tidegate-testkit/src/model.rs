//! A model of the whole library: programs of edits, builds, drops, saves, loads, snapshots, adoptions and
//! questions of every kind to every engine, checked step by step against a map that is nothing but an array
//! of tiles and Dijkstra.
//!
//! A [`Program`] is plain data. It is made [from bytes](Program::from_bytes), any bytes, so that the property
//! test, the fuzz target and the soak all run this one implementation. One that fails is
//! [shrunk](Program::shrunk) and [printed](Program::code) as a test.
//!
//! ```
//! use tidegate::Movement;
//! use tidegate_testkit::model::{Ask, Program, Set, Step::*};
//! let steps = vec![
//!     Prepare("corners"),
//!     Edit(vec![Set::Wall((1, 0))]),
//!     Find(Ask::new("corners", (0, 0), (2, 0))),
//! ];
//! let counts = Program::new(Movement::NoCornerCutting, &["...", "..."], steps).check();
//! assert_eq!((counts.edits, counts.answers), (1, 1));
//! ```

mod decode;
mod plain;
mod program;
mod questions;
mod run;
mod shrink;
mod surroundings;
mod tables;

pub use decode::Writer;
pub use plain::At;
pub use program::{Ask, Paint, Program, Set, Step};
pub use run::{Plant, Runner};

/// What was done, so that a test can tell that it was not nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Steps of programs.
    pub steps: usize,
    /// Edits that changed the map.
    pub edits: usize,
    /// Paths, walks, steps of units and fields that were compared with the model.
    pub answers: usize,
    /// Answers of engines whose own tables an edit had overtaken.
    pub in_place: usize,
    /// Questions that were refused, rightly.
    pub refused: usize,
    /// Tables built apart that were adopted, and of those the ones that had edits to follow.
    pub adopted: (usize, usize),
    /// Indexes that were written and read again.
    pub loaded: usize,
    /// Returns to a snapshot.
    pub returned: usize,
    /// Searches in slices that went on after a pause, and those that found the map changed.
    pub slices: (usize, usize),
    /// Paths handed out earlier that were judged, and those still said to be shortest.
    pub paths: (usize, usize),
    /// How many times as long as the best the longest path of an approximate engine was.
    pub longest: f64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.steps += other.steps;
        self.edits += other.edits;
        self.answers += other.answers;
        self.in_place += other.in_place;
        self.refused += other.refused;
        self.adopted.0 += other.adopted.0;
        self.adopted.1 += other.adopted.1;
        self.loaded += other.loaded;
        self.returned += other.returned;
        self.slices.0 += other.slices.0;
        self.slices.1 += other.slices.1;
        self.paths.0 += other.paths.0;
        self.paths.1 += other.paths.1;
        self.longest = self.longest.max(other.longest);
    }
}
