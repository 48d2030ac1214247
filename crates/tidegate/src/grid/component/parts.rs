//! Labelling the connected parts of any tiles in one pass, for those who need it once.

use crate::grid::{CellId, Direction};

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
