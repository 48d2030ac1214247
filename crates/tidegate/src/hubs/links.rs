//! How every tile is connected to the graph of corners.

/// For every tile, the corners it is connected to.
pub(crate) struct Links {
    first: Vec<u32>,
    corners: Vec<u32>,
}

impl Links {
    /// From the places, in row order, that each corner is connected to; `None` if they are more
    /// than 32 bits can count.
    pub(crate) fn new(tiles: usize, reached: &[Vec<u32>]) -> Option<Links> {
        u32::try_from(reached.iter().map(Vec::len).sum::<usize>()).ok()?;
        let mut first = vec![0_u32; tiles + 1];
        for &cell in reached.iter().flatten() {
            first[cell as usize + 1] += 1;
        }
        for cell in 0..tiles {
            first[cell + 1] += first[cell];
        }
        let mut next = first.clone();
        let mut corners = vec![0_u32; first[tiles] as usize];
        for (n, cells) in reached.iter().enumerate() {
            for &cell in cells {
                corners[next[cell as usize] as usize] = n as u32;
                next[cell as usize] += 1;
            }
        }
        Some(Links { first, corners })
    }

    /// The corners that the tile in this place of row order may go to first.
    #[inline]
    pub(crate) fn of(&self, cell: usize) -> &[u32] {
        &self.corners[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// The same connections with corner `order[i]` renamed to `i`.
    pub(crate) fn rename(&mut self, order: &[u32]) {
        let mut name = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            name[old as usize] = new as u32;
        }
        self.corners.iter_mut().for_each(|c| *c = name[*c as usize]);
        for cell in self.first.windows(2) {
            self.corners[cell[0] as usize..cell[1] as usize].sort_unstable();
        }
    }
}
