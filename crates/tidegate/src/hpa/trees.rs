//! The ways behind intra-edges, kept so that refinement is a table look-up.
//!
//! Every node owns a row: for each place of its cluster one level below, the next place
//! on a best way to the node. At the bottom the places are tiles and an entry is a
//! direction in four bits; above, places are nodes and an entry is a node in two bytes, as
//! its number counted from the first one of the cluster.
//! Walking a row from anywhere in the cluster ends at the row's node.

/// No way leads from here.
pub(crate) const NO_STEP: u8 = 15;
/// No way leads from here, or this is the node itself.
pub(crate) const NO_HOP: u16 = u16::MAX;

/// The rows of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClusterTrees {
    /// By cluster: the rows of its nodes, one after the other.
    pub(crate) rows: Vec<Vec<u8>>,
}

impl ClusterTrees {
    /// The row of the node with this number in its cluster of `nodes` nodes.
    #[inline]
    pub(crate) fn row(&self, cluster: u32, number: u32, nodes: u32) -> &[u8] {
        let rows = &self.rows[cluster as usize];
        let width = rows.len() / nodes as usize;
        &rows[number as usize * width..][..width]
    }

    pub(crate) fn bytes(&self) -> usize {
        let rows = self.rows.iter().map(Vec::capacity).sum::<usize>();
        rows + self.rows.capacity() * size_of::<Vec<u8>>()
    }
}

/// The direction kept for a tile.
#[inline]
pub(crate) fn step(row: &[u8], place: u32) -> u8 {
    (row[place as usize / 2] >> (4 * (place % 2))) & 15
}

/// Changes the direction kept for a tile.
pub(crate) fn set_step(row: &mut [u8], place: u32, step: u8) {
    let (byte, shift) = (&mut row[place as usize / 2], 4 * (place % 2));
    *byte = *byte & !(15 << shift) | step << shift;
}

/// Appends a row of directions.
pub(crate) fn push_steps(bytes: &mut Vec<u8>, mut steps: impl Iterator<Item = u8>) {
    while let Some(low) = steps.next() {
        bytes.push(low | steps.next().unwrap_or(NO_STEP) << 4);
    }
}

/// The next node kept for a node.
#[inline]
pub(crate) fn hop(row: &[u8], place: u32) -> u16 {
    let at = 2 * place as usize;
    u16::from_le_bytes([row[at], row[at + 1]])
}

/// Appends a row of nodes.
pub(crate) fn push_hops(bytes: &mut Vec<u8>, hops: impl Iterator<Item = u16>) {
    bytes.extend(hops.flat_map(u16::to_le_bytes));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_they_were_written() {
        for count in [0_usize, 1, 2, 7, 8] {
            let mut bytes = Vec::new();
            push_steps(&mut bytes, (0..count).map(|i| i as u8 * 2 % 16));
            assert_eq!(bytes.len(), count.div_ceil(2));
            assert!((0..count).all(|i| step(&bytes, i as u32) == i as u8 * 2 % 16));
        }
        let mut bytes = Vec::new();
        push_hops(&mut bytes, [7, NO_HOP, 300].into_iter());
        assert_eq!([hop(&bytes, 0), hop(&bytes, 1), hop(&bytes, 2)], [7, NO_HOP, 300]);
    }
}
