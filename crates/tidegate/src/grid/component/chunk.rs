//! The pieces of one chunk and the links to the chunks beside it.

use super::{Components, NO_PIECE, NONE, Piece};

/// Side of a chunk in tiles: a row of one is a word of bits.
pub(super) const SIDE: u32 = 32;

/// What lies in a chunk and what it touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    pub(super) pieces: Vec<u32>,
    /// Pieces here and pieces of the chunk to the east that touch, each pair once.
    pub(super) east: Vec<(u32, u32)>,
    /// The same to the south.
    pub(super) south: Vec<(u32, u32)>,
    /// Whether an update is about to label it again.
    pub(super) dirty: bool,
}

impl Chunk {
    pub(super) fn bytes(&self) -> usize {
        4 * self.pieces.capacity() + 8 * (self.east.capacity() + self.south.capacity())
    }
}

/// Free tiles of a row side by side.
#[derive(Clone, Copy, Debug)]
struct Run {
    row: u32,
    bits: u32,
    /// A run of the same piece that is not later; the first of a piece points at itself.
    parent: u32,
    piece: u32,
}

/// The memory of labelling, reused from chunk to chunk.
#[derive(Debug, Default)]
pub(super) struct Labeller {
    runs: Vec<Run>,
}

impl Labeller {
    fn find(&mut self, mut run: u32) -> u32 {
        while self.runs[run as usize].parent != run {
            let above = self.runs[run as usize].parent;
            self.runs[run as usize].parent = self.runs[above as usize].parent;
            run = above;
        }
        run
    }

    /// Cuts rows of bits into runs and joins those that touch.
    fn join_runs(&mut self, rows: impl Iterator<Item = u32>) {
        self.runs.clear();
        // The runs of the row above that a run of this row may touch.
        let mut above = 0..0;
        for (row, mut free) in rows.enumerate() {
            let first = self.runs.len();
            while free != 0 {
                // Adding the lowest bit clears the lowest run and leaves the rest.
                let bits = free & !free.wrapping_add(free & free.wrapping_neg());
                free &= !bits;
                let run = self.runs.len() as u32;
                self.runs.push(Run { row: row as u32, bits, parent: run, piece: 0 });
                for other in above.clone() {
                    if self.runs[other].bits & bits != 0 {
                        let (a, b) = (self.find(other as u32), self.find(run));
                        self.runs[a.max(b) as usize].parent = a.min(b);
                    }
                }
            }
            above = first..self.runs.len();
        }
    }
}

/// A rectangle of tiles: left, top, width, height.
type Bounds = (u32, u32, u32, u32);

impl Components {
    /// The tiles of a chunk.
    pub(super) fn bounds(&self, chunk: u32) -> Bounds {
        let (x, y) = (chunk % self.columns * SIDE, chunk / self.columns * SIDE);
        (x, y, (self.width - x).min(SIDE), (self.height - y).min(SIDE))
    }

    /// The chunk of a tile.
    #[inline]
    pub(super) fn chunk_at(&self, x: u32, y: u32) -> u32 {
        y / SIDE * self.columns + x / SIDE
    }

    /// Works out the pieces of a chunk from the tiles that have one, whichever it is. A
    /// new piece gets the component of the first old piece whose tiles it took over, or
    /// none; sizes follow. Links are left as they were.
    pub(super) fn label(&mut self, chunk: u32, labeller: &mut Labeller) {
        let (x0, y0, width, height) = self.bounds(chunk);
        let stride = self.width;
        let start = |row: u32| ((y0 + row) * stride + x0) as usize;
        labeller.join_runs((0..height).map(|row| {
            let row = &self.piece_of[start(row)..start(row) + width as usize];
            row.iter().enumerate().fold(0, |bits, (i, &piece)| bits | u32::from(piece != 0) << i)
        }));
        // The new pieces take their numbers while the old ones are still known.
        let mut pieces = std::mem::take(&mut self.chunks[chunk as usize].pieces);
        let old = pieces.len();
        for i in 0..labeller.runs.len() {
            let Run { row, bits, .. } = labeller.runs[i];
            let root = labeller.find(i as u32) as usize;
            if root == i {
                let piece = self.new_piece(chunk);
                pieces.push(piece);
                labeller.runs[i].piece = piece;
            }
            let piece = labeller.runs[root].piece;
            labeller.runs[i].piece = piece;
            if self.pieces[piece as usize].component == NONE {
                let first = start(row) + bits.trailing_zeros() as usize;
                let tiles = &self.piece_of[first..first + bits.count_ones() as usize];
                let known =
                    |&old: &u32| self.pieces.get(old as usize).map_or(NONE, |p| p.component);
                let known = tiles.iter().map(known).find(|&number| number != NONE);
                self.pieces[piece as usize].component = known.unwrap_or(NONE);
            }
            self.pieces[piece as usize].tiles += bits.count_ones();
        }
        for run in &labeller.runs {
            let first = start(run.row) + run.bits.trailing_zeros() as usize;
            self.piece_of[first..first + run.bits.count_ones() as usize].fill(run.piece);
        }
        for &piece in &pieces[old..] {
            let Piece { component, tiles, .. } = self.pieces[piece as usize];
            if let Some(size) = self.sizes.get_mut(component as usize) {
                *size += tiles;
            }
        }
        pieces.drain(..old).for_each(|piece| self.drop_piece(piece));
        self.chunks[chunk as usize].pieces = pieces;
    }

    /// A piece of a chunk without tiles and component.
    pub(super) fn new_piece(&mut self, chunk: u32) -> u32 {
        let piece = self.unused_pieces.pop().unwrap_or_else(|| {
            self.pieces.push(NO_PIECE);
            self.pieces.len() as u32 - 1
        });
        self.pieces[piece as usize].chunk = chunk;
        piece
    }

    fn drop_piece(&mut self, piece: u32) {
        let Piece { component, tiles, .. } = self.pieces[piece as usize];
        if let Some(size) = self.sizes.get_mut(component as usize) {
            *size -= tiles;
        }
        self.pieces[piece as usize] = NO_PIECE;
        self.unused_pieces.push(piece);
    }

    /// Works out which pieces touch across the eastern and the southern border of a chunk.
    pub(super) fn link(&mut self, chunk: u32) {
        let (x0, y0, width, height) = self.bounds(chunk);
        let (right, below) = (x0 + width, y0 + height);
        let at = |x: u32, y: u32| self.piece_of[(y * self.width + x) as usize];
        let links = &mut self.chunks[chunk as usize];
        let (mut east, mut south) =
            (std::mem::take(&mut links.east), std::mem::take(&mut links.south));
        east.clear();
        south.clear();
        if right < self.width {
            (y0..below).for_each(|y| add_link(&mut east, at(right - 1, y), at(right, y)));
        }
        if below < self.height {
            (x0..right).for_each(|x| add_link(&mut south, at(x, below - 1), at(x, below)));
        }
        let links = &mut self.chunks[chunk as usize];
        (links.east, links.south) = (east, south);
    }

    /// Calls `visit` with the pieces that a piece is linked to.
    #[inline]
    pub(super) fn for_linked(&self, piece: u32, mut visit: impl FnMut(u32)) {
        let chunk = self.pieces[piece as usize].chunk;
        let here = &self.chunks[chunk as usize];
        let ahead = here.east.iter().chain(&here.south);
        ahead.filter(|link| link.0 == piece).for_each(|link| visit(link.1));
        let (west, north) = self.before(chunk);
        let west = west.map_or(&[][..], |west| &self.chunks[west as usize].east);
        let north = north.map_or(&[][..], |north| &self.chunks[north as usize].south);
        let back = west.iter().chain(north);
        back.filter(|link| link.1 == piece).for_each(|link| visit(link.0));
    }

    /// The chunks to the west and to the north.
    pub(super) fn before(&self, chunk: u32) -> (Option<u32>, Option<u32>) {
        let west = (!chunk.is_multiple_of(self.columns)).then(|| chunk - 1);
        (west, chunk.checked_sub(self.columns))
    }
}

/// Writes down that two pieces touch, unless one of them is wall.
pub(super) fn add_link(links: &mut Vec<(u32, u32)>, a: u32, b: u32) {
    if a != 0 && b != 0 && !links.contains(&(a, b)) {
        links.push((a, b));
    }
}
