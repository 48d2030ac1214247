//! How every tile is connected to the graph of corners.
//!
//! Tiles that lie together are connected to the same corners, so connections are kept by squares of
//! 8 x 8 tiles: for each corner that some of its tiles may go to first, which of them.

use super::block::LARGE;
use crate::grid::Tile;

/// For every tile, the corners it is connected to.
pub(crate) struct Links {
    /// Squares in a row.
    across: u32,
    /// Where the corners of each square begin.
    first: Vec<u32>,
    /// Corners, and the tiles of the square that are connected to them.
    corners: Vec<(u32, u64)>,
}

/// The number of a tile's square, and the tile's in it.
#[inline]
fn place(across: u32, tile: Tile) -> (usize, u32) {
    let (x, y) = (u32::from(tile.x), u32::from(tile.y));
    let inner = (1 << LARGE) - 1;
    (((y >> LARGE) * across + (x >> LARGE)) as usize, (y & inner) << LARGE | (x & inner))
}

/// Gathers the tiles that one corner after the other is connected to.
pub(crate) struct Gather {
    across: u32,
    masks: Vec<u64>,
    touched: Vec<u32>,
}

impl Gather {
    /// For a map of this size.
    pub(crate) fn new((width, height): (u32, u32)) -> Gather {
        let (across, down) = (width.div_ceil(1 << LARGE), height.div_ceil(1 << LARGE));
        Gather { across, masks: vec![0; (across * down) as usize], touched: Vec::new() }
    }

    /// A tile that the corner is connected to.
    #[inline]
    pub(crate) fn add(&mut self, tile: Tile) {
        let (square, lane) = place(self.across, tile);
        let mask = &mut self.masks[square];
        if *mask == 0 {
            self.touched.push(square as u32);
        }
        *mask |= 1 << lane;
    }

    /// The tiles of a row from one to before another.
    #[inline]
    pub(crate) fn add_run(&mut self, (mut x, end): (u16, u16), y: u16) {
        while x < end {
            let (square, lane) = place(self.across, Tile::new(x, y));
            let next = end.min((x | ((1 << LARGE) - 1)).saturating_add(1));
            let mask = &mut self.masks[square];
            if *mask == 0 {
                self.touched.push(square as u32);
            }
            *mask |= ((1 << (next - x)) - 1) << lane;
            x = next;
        }
    }

    /// All of them, by square; the next corner begins with none.
    pub(crate) fn take(&mut self) -> Vec<(u32, u64)> {
        let take = |square: u32| (square, std::mem::take(&mut self.masks[square as usize]));
        self.touched.drain(..).map(take).collect()
    }
}

impl Links {
    /// From what each corner [gathered](Gather); `None` if there is more than 32 bits can count.
    pub(crate) fn new((width, height): (u32, u32), reached: &[Vec<(u32, u64)>]) -> Option<Links> {
        let (across, down) = (width.div_ceil(1 << LARGE), height.div_ceil(1 << LARGE));
        let squares = (across * down) as usize;
        let count = reached.iter().map(Vec::len).sum::<usize>();
        u32::try_from(count).ok()?;
        let mut first = vec![0_u32; squares + 1];
        for &(square, _) in reached.iter().flatten() {
            first[square as usize + 1] += 1;
        }
        for square in 0..squares {
            first[square + 1] += first[square];
        }
        let mut next = first.clone();
        let mut corners = vec![(0, 0); count];
        for (n, marks) in (0..).zip(reached) {
            for &(square, mask) in marks {
                corners[next[square as usize] as usize] = (n, mask);
                next[square as usize] += 1;
            }
        }
        Some(Links { across, first, corners })
    }

    /// The corners of the square in which a tile lies, and which of its tiles are connected to them.
    pub(crate) fn of_square(&self, tile: Tile) -> &[(u32, u64)] {
        self.square(place(self.across, tile).0)
    }

    fn square(&self, square: usize) -> &[(u32, u64)] {
        &self.corners[self.first[square] as usize..self.first[square + 1] as usize]
    }

    /// The corners that a tile may go to first.
    #[inline]
    pub(crate) fn of(&self, tile: Tile) -> impl Iterator<Item = u32> + Clone + '_ {
        let (square, lane) = place(self.across, tile);
        let connected = self.square(square).iter().filter(move |(_, mask)| mask >> lane & 1 != 0);
        connected.map(|&(corner, _)| corner)
    }

    /// All tiles that are connected, along a curve that fills the map: squares in Z order.
    pub(crate) fn tiles(&self) -> Vec<Tile> {
        let squares = self.first.len() as u32 - 1;
        let corner = |square: u32| {
            let (x, y) = (square % self.across, square / self.across);
            Tile::new((x << LARGE) as u16, (y << LARGE) as u16)
        };
        let mut curve: Vec<u32> = (0..squares).collect();
        curve.sort_by_cached_key(|&square| z_order(corner(square)));
        let mut tiles = Vec::new();
        for square in curve {
            let Tile { x, y } = corner(square);
            let connected =
                self.square(square as usize).iter().fold(0, |all, (_, mask)| all | mask);
            let lanes = (0..1 << (2 * LARGE)).filter(|lane| connected >> lane & 1 != 0);
            tiles.extend(lanes.map(|lane: u16| Tile::new(x + lane % 8, y + lane / 8)));
        }
        tiles
    }

    /// The same connections with corner `order[i]` renamed to `i`.
    pub(crate) fn rename(&mut self, order: &[u32]) {
        let mut name = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            name[old as usize] = new as u32;
        }
        self.corners.iter_mut().for_each(|(corner, _)| *corner = name[*corner as usize]);
    }
}

/// The place of a tile along the curve in Z order: the bits of row and column in turn.
fn z_order(tile: Tile) -> u32 {
    let apart = |n: u16| {
        let n = (u32::from(n) | u32::from(n) << 8) & 0x00FF_00FF;
        let n = (n | n << 4) & 0x0F0F_0F0F;
        let n = (n | n << 2) & 0x3333_3333;
        (n | n << 1) & 0x5555_5555
    };
    apart(tile.y) << 1 | apart(tile.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_its_tiles() {
        let (mut runs, mut tiles) = (Gather::new((40, 20)), Gather::new((40, 20)));
        for (first, end, y) in [(0, 40, 3), (7, 9, 3), (8, 16, 12), (15, 15, 1), (33, 39, 19)] {
            runs.add_run((first, end), y);
            (first..end).for_each(|x| tiles.add(Tile::new(x, y)));
        }
        let taken = tiles.take();
        assert_eq!(taken.len(), 5 + 1 + 1);
        assert_eq!(runs.take(), taken);
    }
}
