//! Which tiles can reach each other at all: an unreachable goal is answered at once.

use super::{CellId, Direction, Grid};

/// The connected components of a grid under its rule of movement. Legal steps can be
/// walked both ways, so two free tiles reach each other exactly if their numbers agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// By tile: its component's number plus one; 0 on walls.
    of: Vec<u32>,
    sizes: Vec<u32>,
}

impl Components {
    /// The components of a grid, numbered in row order of their first tiles.
    pub fn of(grid: &Grid) -> Components {
        let links = |i| grid.free_bits().contains(i).then(|| grid.moves(CellId::from_index(i)));
        let Parts { labels, parts } = parts(grid.width() as usize, grid.tiles(), links);
        Components { of: labels, sizes: parts.into_iter().map(|(_, size)| size).collect() }
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
        let number = self.of[a.index()];
        number == self.of[b.index()] && number != 0
    }

    /// The component of a tile; `None` on walls.
    #[inline]
    pub fn number(&self, cell: CellId) -> Option<u32> {
        self.of[cell.index()].checked_sub(1)
    }

    /// Tiles in each component.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (self.of.len() + self.sizes.len()) * 4
    }
}

/// The connected parts of some tiles of a map.
pub(crate) struct Parts {
    /// By tile: the component's number plus one; 0 for tiles that are no members.
    pub(crate) labels: Vec<u32>,
    /// By component: its first tile and its size.
    pub(crate) parts: Vec<(CellId, u32)>,
}

/// The directions to tiles that come earlier in row order.
const EARLIER: [Direction; 4] = [Direction::W, Direction::NW, Direction::N, Direction::NE];

/// Labels components in one pass with union-find and a second to settle the numbers.
/// `links` gives for a tile the mask of directions in which it is joined, or `None` if
/// it is no member; a mask need not look at whether the neighbour is a member.
/// Components are numbered in the row order of their first tiles.
pub(crate) fn parts(width: usize, tiles: usize, links: impl Fn(usize) -> Option<u8>) -> Parts {
    let mut labels = vec![0u32; tiles];
    // parent[l] <= l: the root of a set is its first label, so roots are in row order.
    let mut parent: Vec<u32> = vec![0];
    for i in 0..tiles {
        let Some(mask) = links(i) else { continue };
        let mut label = 0;
        for direction in EARLIER {
            if mask & direction.mask() == 0 {
                continue;
            }
            let (dx, dy) = direction.delta();
            let next = labels[(i as isize + dy as isize * width as isize + dx as isize) as usize];
            if next == 0 || next == label {
                continue;
            }
            label = if label == 0 { next } else { unite(&mut parent, label, next) };
        }
        if label == 0 {
            label = parent.len() as u32;
            parent.push(label);
        }
        labels[i] = label;
    }
    let mut parts: Vec<(CellId, u32)> = Vec::new();
    let mut number = vec![0u32; parent.len()];
    for (i, label) in labels.iter_mut().enumerate().filter(|(_, label)| **label != 0) {
        let known = number[*label as usize];
        *label = if known != 0 {
            known
        } else {
            let root = find(&mut parent, *label);
            if number[root as usize] == 0 {
                parts.push((CellId::from_index(i), 0));
                number[root as usize] = parts.len() as u32;
            }
            number[*label as usize] = number[root as usize];
            number[root as usize]
        };
        parts[*label as usize - 1].1 += 1;
    }
    Parts { labels, parts }
}

fn find(parent: &mut [u32], mut label: u32) -> u32 {
    while parent[label as usize] != label {
        parent[label as usize] = parent[parent[label as usize] as usize];
        label = parent[label as usize];
    }
    label
}

fn unite(parent: &mut [u32], a: u32, b: u32) -> u32 {
    let (a, b) = (find(parent, a), find(parent, b));
    let root = a.min(b);
    parent[a.max(b) as usize] = root;
    root
}
