//! Following changes of the map.
//!
//! First all tiles that became wall are taken out, then all that became free are put in.
//! Most tiles settle on the spot: a tile whose free neighbours still touch each other
//! around it takes only itself away, and one beside a single piece joins it. For the
//! others their chunk is labelled again, once for all its tiles. Pieces that came apart
//! are searched for over the links, from all of them in turn, until all but one have met
//! another or come to an end: what is cut off is found in the time its own size takes.
//! Components that grow together take the number of the larger one.

use super::chunk::{Labeller, SIDE, add_link};
use super::{Components, NONE};
use crate::grid::{Direction, Grid, Tile};

/// The piece of a free tile that waits for its chunk to be labelled.
const WAITING: u32 = u32::MAX;

impl Components {
    /// Takes over tiles that became free or wall, one or many; `grid` is the map after the
    /// change. Tiles that did not change or lie outside do no harm. The components are then
    /// those of a fresh build, though their numbers need not be in row order: a component
    /// that stays keeps its number, what is cut off gets a new one, and of several that
    /// grow together the largest keeps its number.
    ///
    /// One tile takes a few microseconds; where a large part is cut off or joined, about as
    /// long as looking at each 32 x 32 tiles of the smaller side.
    ///
    /// ```
    /// use tidegate::{grid::component::Components, Grid, Tile};
    /// let mut grid = Grid::from_rows(&["...", "#.#", "..."]).unwrap();
    /// let mut components = Components::of(&grid);
    /// let door = Tile::new(1, 1);
    /// grid.set_free(door, false);
    /// components.update(&grid, &[door]);
    /// assert_eq!((components.count(), components.sizes()), (2, &[3, 3][..]));
    /// assert!(components == Components::of(&grid));
    /// ```
    ///
    /// # Panics
    /// If the grid has another size.
    pub fn update(&mut self, grid: &Grid, changed: &[Tile]) {
        let size = (grid.width(), grid.height());
        assert_eq!((self.width, self.height), size, "components of a map of another size");
        let mut dirty = Vec::new();
        for &tile in changed.iter().filter(|&&tile| grid.contains(tile) && !grid.is_free(tile)) {
            self.close(tile, &mut dirty);
        }
        let mut labeller = Labeller::default();
        while let Some(chunk) = dirty.pop() {
            let group = self.dirty_group(chunk);
            if !group.is_empty() {
                self.take_apart(&group, &mut labeller);
            }
        }
        for &tile in changed.iter().filter(|&&tile| grid.is_free(tile)) {
            self.open(tile, &mut dirty);
        }
        if !dirty.is_empty() {
            self.put_together(&dirty, &mut labeller);
        }
    }

    /// The piece of a tile next to one inside; 0 outside the map.
    fn piece_beside(&self, tile: Tile, direction: Direction) -> u32 {
        let (dx, dy) = direction.delta();
        let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
        // A negative number becomes one that is larger than every side.
        let inside = (x as u32) < self.width && (y as u32) < self.height;
        if inside { self.piece_of[y as usize * self.width as usize + x as usize] } else { 0 }
    }

    fn index(&self, tile: Tile) -> usize {
        usize::from(tile.y) * self.width as usize + usize::from(tile.x)
    }

    /// The chunk of a tile, and whether all neighbours lie in it too.
    fn place(&self, tile: Tile) -> (u32, bool) {
        let (x, y) = (u32::from(tile.x), u32::from(tile.y));
        let inner = 1..SIDE - 1;
        (self.chunk_at(x, y), inner.contains(&(x % SIDE)) && inner.contains(&(y % SIDE)))
    }

    fn mark_dirty(&mut self, chunk: u32, dirty: &mut Vec<u32>) {
        if !std::mem::replace(&mut self.chunks[chunk as usize].dirty, true) {
            dirty.push(chunk);
        }
    }

    /// Takes a tile out.
    fn close(&mut self, tile: Tile, dirty: &mut Vec<u32>) {
        let index = self.index(tile);
        let piece = std::mem::replace(&mut self.piece_of[index], 0);
        let (chunk, inner) = self.place(tile);
        if piece == 0 {
            return;
        }
        if self.chunks[chunk as usize].dirty || !inner || !self.touch_around(tile) {
            return self.mark_dirty(chunk, dirty);
        }
        let piece = &mut self.pieces[piece as usize];
        piece.tiles -= 1;
        self.sizes[piece.component as usize] -= 1;
    }

    /// Whether the free tiles beside a tile, of which there are some, touch each other in
    /// the ring of eight around it.
    fn touch_around(&self, tile: Tile) -> bool {
        use Direction::*;
        let free = [E, SE, S, SW, W, NW, N, NE].map(|d| self.piece_beside(tile, d) != 0);
        // A group of straight neighbours ends where the next straight one is wall or
        // cannot be reached over the diagonal one between.
        let ends = (0..8).step_by(2);
        ends.filter(|&i| free[i] && !(free[i + 1] && free[(i + 2) % 8])).count() == 1
            || free.iter().all(|&free| free)
    }

    /// The dirty chunks that hang together around this one, sorted; none if it is clean.
    /// They are clean afterwards. Those far apart are no business of each other: a search
    /// from one to the other would cross the map.
    fn dirty_group(&mut self, chunk: u32) -> Vec<u32> {
        let (rows, columns) = (self.chunks.len() as u32 / self.columns, self.columns);
        let (mut group, mut next) = (Vec::new(), vec![chunk]);
        while let Some(chunk) = next.pop() {
            if !std::mem::replace(&mut self.chunks[chunk as usize].dirty, false) {
                continue;
            }
            group.push(chunk);
            let around = |at: u32, count: u32| at.saturating_sub(1)..(at + 2).min(count);
            for row in around(chunk / columns, rows) {
                next.extend(around(chunk % columns, columns).map(|column| row * columns + column));
            }
        }
        group.sort_unstable();
        group
    }

    /// Labels chunks again out of which tiles were taken, sorted, and numbers what came
    /// apart.
    fn take_apart(&mut self, dirty: &[u32], labeller: &mut Labeller) {
        // Every part of a component that came apart has a piece in a dirty chunk now or
        // was linked to one.
        let mut seeds = Vec::new();
        let mut numbers = Vec::new();
        for &chunk in dirty {
            for i in 0..self.chunks[chunk as usize].pieces.len() {
                let piece = self.chunks[chunk as usize].pieces[i];
                numbers.push(self.pieces[piece as usize].component);
                self.for_linked(piece, |next| {
                    let chunk = self.pieces[next as usize].chunk;
                    if dirty.binary_search(&chunk).is_err() {
                        seeds.push(next);
                    }
                });
            }
        }
        self.label_again(dirty, labeller);
        for &chunk in dirty {
            seeds.extend(&self.chunks[chunk as usize].pieces);
        }
        let number = |&piece: &u32| self.pieces[piece as usize].component;
        seeds.sort_unstable_by_key(|piece| (number(piece), *piece));
        seeds.dedup();
        let groups: Vec<&[u32]> = seeds.chunk_by(|a, b| number(a) == number(b)).collect();
        for seeds in groups {
            self.separate(seeds);
        }
        self.release(numbers);
    }

    fn label_again(&mut self, dirty: &[u32], labeller: &mut Labeller) {
        dirty.iter().for_each(|&chunk| self.label(chunk, labeller));
        for &chunk in dirty {
            let (west, north) = self.before(chunk);
            [Some(chunk), west, north].into_iter().flatten().for_each(|chunk| self.link(chunk));
            self.chunks[chunk as usize].dirty = false;
        }
    }

    /// Numbers that no tile has any more can be used again.
    fn release(&mut self, mut numbers: Vec<u32>) {
        numbers.sort_unstable();
        numbers.dedup();
        numbers.retain(|&number| self.sizes.get(number as usize) == Some(&0));
        self.unused_numbers.extend(numbers);
    }

    pub(super) fn new_number(&mut self) -> u32 {
        self.unused_numbers.pop().unwrap_or_else(|| {
            self.sizes.push(0);
            self.sizes.len() as u32 - 1
        })
    }

    /// Puts a tile in.
    fn open(&mut self, tile: Tile, dirty: &mut Vec<u32>) {
        let index = self.index(tile);
        if self.piece_of[index] != 0 {
            return;
        }
        let (chunk, _) = self.place(tile);
        let (mut piece, mut alone) = (0, true);
        for direction in STRAIGHT {
            let next = self.piece_beside(tile, direction);
            if next != 0 && next != WAITING && self.pieces[next as usize].chunk == chunk {
                alone &= piece == 0 || piece == next;
                piece = next;
            }
        }
        if self.chunks[chunk as usize].dirty || !alone {
            self.piece_of[index] = WAITING;
            return self.mark_dirty(chunk, dirty);
        }
        if piece == 0 {
            piece = self.new_piece(chunk);
            self.chunks[chunk as usize].pieces.push(piece);
            self.pieces[piece as usize].component = self.new_number();
        }
        self.piece_of[index] = piece;
        let entry = &mut self.pieces[piece as usize];
        entry.tiles += 1;
        self.sizes[entry.component as usize] += 1;
        for direction in STRAIGHT {
            let next = self.piece_beside(tile, direction);
            if next != 0 && next != WAITING && self.pieces[next as usize].chunk != chunk {
                self.add_link_towards(direction, piece, next);
                self.unite(piece, next);
            }
        }
    }

    fn add_link_towards(&mut self, direction: Direction, from: u32, to: u32) {
        let chunk = |piece: u32| self.pieces[piece as usize].chunk as usize;
        let (here, there) = (chunk(from), chunk(to));
        match direction {
            Direction::E => add_link(&mut self.chunks[here].east, from, to),
            Direction::S => add_link(&mut self.chunks[here].south, from, to),
            Direction::W => add_link(&mut self.chunks[there].east, to, from),
            _ => add_link(&mut self.chunks[there].south, to, from),
        }
    }

    /// Makes the components of two linked pieces one.
    fn unite(&mut self, a: u32, b: u32) {
        let number = |piece: u32| self.pieces[piece as usize].component;
        let (of_a, of_b) = (number(a), number(b));
        if of_a == of_b {
            return;
        }
        let smaller = self.sizes[of_a as usize] < self.sizes[of_b as usize];
        let (from, old, new) = if smaller { (a, of_a, of_b) } else { (b, of_b, of_a) };
        self.paint(from, new, &mut Vec::new());
        self.release(vec![old]);
    }

    /// Labels chunks again into which tiles were put, and joins the components that touch.
    fn put_together(&mut self, dirty: &[u32], labeller: &mut Labeller) {
        let mut numbers = Vec::new();
        for &chunk in dirty {
            let pieces = &self.chunks[chunk as usize].pieces;
            numbers.extend(pieces.iter().map(|&piece| self.pieces[piece as usize].component));
        }
        self.label_again(dirty, labeller);
        let mut links = Vec::new();
        for &chunk in dirty {
            for i in 0..self.chunks[chunk as usize].pieces.len() {
                let piece = self.chunks[chunk as usize].pieces[i];
                if self.pieces[piece as usize].component == NONE {
                    let number = self.new_number();
                    self.set_number(piece, number);
                }
                self.for_linked(piece, |next| links.push((piece, next)));
            }
        }
        self.release(numbers);
        links.into_iter().for_each(|(a, b)| self.unite(a, b));
    }
}

const STRAIGHT: [Direction; 4] = [Direction::E, Direction::S, Direction::W, Direction::N];
