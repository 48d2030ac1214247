//! Which tiles can reach each other at all: an unreachable goal is answered at once, and
//! the answer follows changes of the map.
//!
//! A legal diagonal step has a free tile beside it under every rule of movement, and the
//! two straight steps over that tile are legal too. So tiles are connected exactly if
//! straight steps over free tiles connect them, whatever the rule.
//!
//! The map is cut into chunks of 32 x 32 tiles. The free tiles of a chunk that reach each
//! other inside it are a *piece*; pieces that touch across the border of two chunks are
//! linked. A tile knows its piece and a piece its component. A change touches the pieces
//! of its own chunk (`chunk.rs`) and seldom more: only where pieces come apart or grow
//! together do searches over the links follow (`update.rs`, `separate.rs`). `nearest.rs` asks the chunks
//! around a goal which components they hold.

mod chunk;
mod nearest;
mod parts;
mod separate;
mod update;

use super::{CellId, Grid};
use chunk::{Chunk, Labeller, SIDE};
pub(crate) use parts::{Parts, for_runs, parts};

/// The number of no component.
const NONE: u32 = u32::MAX;

/// A piece of a component: tiles of one chunk that are connected inside it.
#[derive(Clone, Copy, Debug)]
struct Piece {
    component: u32,
    tiles: u32,
    chunk: u32,
    /// Which search has seen it, plus one; 0 while none runs.
    mark: u32,
}

/// Stands for the walls, as piece 0, and for numbers that are not in use.
const NO_PIECE: Piece = Piece { component: NONE, tiles: 0, chunk: 0, mark: 0 };

/// The connected components of a grid under its rule of movement. Legal steps can be
/// walked both ways, so two free tiles reach each other exactly if their numbers agree.
///
/// After [`Components::update`] the components are those of a fresh build; only their
/// numbers may differ. Two values are equal if the same tiles are connected, whatever the
/// numbers.
#[derive(Clone, Debug)]
pub struct Components {
    width: u32,
    height: u32,
    /// By tile: its piece; 0 on walls.
    piece_of: Vec<u32>,
    pieces: Vec<Piece>,
    unused_pieces: Vec<u32>,
    /// In row order.
    chunks: Vec<Chunk>,
    /// Chunks in a row of them.
    columns: u32,
    sizes: Vec<u32>,
    unused_numbers: Vec<u32>,
}

impl Components {
    /// The components of a grid, numbered in row order of their first tiles.
    pub fn of(grid: &Grid) -> Components {
        let columns = grid.width().div_ceil(SIDE);
        let chunks = columns as usize * grid.height().div_ceil(SIDE) as usize;
        let mut components = Components {
            width: grid.width(),
            height: grid.height(),
            piece_of: vec![0; grid.tiles()],
            pieces: vec![NO_PIECE],
            unused_pieces: Vec::new(),
            chunks: vec![Chunk::default(); chunks],
            columns,
            sizes: Vec::new(),
            unused_numbers: Vec::new(),
        };
        grid.free_bits().ones().for_each(|i| components.piece_of[i] = 1);
        let mut labeller = Labeller::default();
        (0..chunks as u32).for_each(|chunk| components.label(chunk, &mut labeller));
        (0..chunks as u32).for_each(|chunk| components.link(chunk));
        components.number_all();
        components
    }

    /// Numbers the components of a fresh build.
    fn number_all(&mut self) {
        let mut stack = Vec::new();
        for i in 0..self.piece_of.len() {
            let piece = self.piece_of[i];
            if piece == 0 || self.pieces[piece as usize].component != NONE {
                continue;
            }
            let number = self.sizes.len() as u32;
            self.sizes.push(0);
            self.paint(piece, number, &mut stack);
        }
    }

    /// Gives a number to a piece and to all pieces of the same number that it leads to
    /// over pieces of that number.
    fn paint(&mut self, first: u32, number: u32, stack: &mut Vec<u32>) {
        let old = self.pieces[first as usize].component;
        self.set_number(first, number);
        stack.push(first);
        while let Some(piece) = stack.pop() {
            let from = stack.len();
            self.for_linked(piece, |next| stack.push(next));
            let mut to = from;
            for i in from..stack.len() {
                let next = stack[i];
                if self.pieces[next as usize].component == old {
                    self.set_number(next, number);
                    stack[to] = next;
                    to += 1;
                }
            }
            stack.truncate(to);
        }
    }

    /// Moves a piece from its component to another one.
    fn set_number(&mut self, piece: u32, number: u32) {
        let piece = &mut self.pieces[piece as usize];
        if let Some(size) = self.sizes.get_mut(piece.component as usize) {
            *size -= piece.tiles;
        }
        self.sizes[number as usize] += piece.tiles;
        piece.component = number;
    }

    /// Whether a path leads from one tile to the other.
    ///
    /// ```
    /// use tidegate::{grid::component::Components, Grid, Tile};
    /// let grid = Grid::from_rows(&["..#.", "..#."]).unwrap();
    /// let components = Components::of(&grid);
    /// let cell = |x, y| grid.cell(Tile::new(x, y)).unwrap();
    /// assert!(components.connected(cell(0, 0), cell(1, 1)));
    /// assert!(!components.connected(cell(0, 0), cell(3, 0)));
    /// ```
    #[inline]
    pub fn connected(&self, a: CellId, b: CellId) -> bool {
        let number = self.raw_number(a);
        number == self.raw_number(b) && number != NONE
    }

    /// The component of a tile; `None` on walls.
    #[inline]
    pub fn number(&self, cell: CellId) -> Option<u32> {
        Some(self.raw_number(cell)).filter(|&number| number != NONE)
    }

    #[inline]
    fn raw_number(&self, cell: CellId) -> u32 {
        self.pieces[self.piece_of[cell.index()] as usize].component
    }

    /// Tiles in each component, by number. After an update a number may be out of use for
    /// a while: no tile has it, and its size is 0.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// How many components there are.
    pub fn count(&self) -> usize {
        self.sizes.len() - self.unused_numbers.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let numbers = self.piece_of.capacity()
            + self.unused_pieces.capacity()
            + self.sizes.capacity()
            + self.unused_numbers.capacity();
        4 * numbers
            + self.pieces.capacity() * size_of::<Piece>()
            + self.chunks.capacity() * size_of::<Chunk>()
            + self.chunks.iter().map(Chunk::bytes).sum::<usize>()
    }
}

impl PartialEq for Components {
    fn eq(&self, other: &Components) -> bool {
        let form = |c: &Components| (c.width, c.height, c.count());
        if form(self) != form(other) {
            return false;
        }
        // As many components on both sides, so one direction is enough.
        let mut partner = vec![None; self.sizes.len()];
        (0..self.piece_of.len()).map(CellId::from_index).all(|cell| {
            match (self.number(cell), other.number(cell)) {
                (Some(a), Some(b)) => *partner[a as usize].get_or_insert(b) == b,
                (a, b) => a == b,
            }
        })
    }
}

impl Eq for Components {}
