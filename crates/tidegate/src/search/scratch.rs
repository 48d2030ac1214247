//! The memory of one running search, reused by the next one without being cleared.
//!
//! A record belongs to the running search only if it carries its generation, so
//! starting a search costs nothing however large the map is.

use super::slice::Slices;
use super::{Heuristic, Open, Space, Weight};

/// The parent of a source.
pub const NO_PARENT: u32 = u32::MAX;
/// The parent of a node that was dropped because the goal cannot be reached from it.
const DROPPED: u32 = u32::MAX - 1;

#[derive(Clone, Copy, Debug)]
struct Record<W> {
    /// Twice the generation, plus one once expanded.
    stamp: u32,
    parent: u32,
    g: W,
    h: W,
}

/// Costs and parents by node.
#[derive(Clone, Debug)]
pub(super) struct Records<W> {
    records: Vec<Record<W>>,
    stamp: u32,
    /// Whether a node got cheaper after it was expanded.
    reopened: bool,
}

/// Everything a search writes to: one per thread, for any number of searches on any
/// number of maps.
#[derive(Clone, Debug)]
pub struct SearchScratch<W, Q> {
    records: Records<W>,
    open: Q,
    pub(super) slices: Slices<W>,
}

impl<W: Weight> Records<W> {
    /// The estimate at `node` if reaching it at `g` over `parent` is news, which is then
    /// written down. For a node without hope (no estimate) it never is.
    #[inline]
    pub(super) fn improve(
        &mut self,
        node: u32,
        g: W,
        parent: u32,
        heuristic: &mut impl Heuristic<W>,
    ) -> Option<W> {
        let stamp = self.stamp;
        let record = &mut self.records[node as usize];
        if record.stamp & !1 == stamp {
            if !g.improves(record.g, record.stamp & 1 == 1) {
                return None;
            }
            self.reopened |= record.stamp & 1 == 1;
            record.g = g;
            record.parent = parent;
            Some(record.h)
        } else {
            // An estimate beyond every cost would overflow when added to one.
            let limited = |h| if h > W::LIMIT { W::LIMIT } else { h };
            let estimate = heuristic.estimate(node).map(limited);
            *record = match estimate {
                Some(h) => Record { stamp, parent, g, h },
                // Nothing improves on zero: a dropped node is not asked about again.
                None => Record { stamp, parent: DROPPED, g: W::ZERO, h: W::ZERO },
            };
            estimate
        }
    }

    #[inline]
    pub(super) fn h(&self, node: u32) -> W {
        self.records[node as usize].h
    }

    #[inline]
    fn parent(&self, node: u32) -> u32 {
        self.records[node as usize].parent
    }

    /// Marks a popped entry as expanded and says whether it had been before, and its parent; `None` if
    /// the entry is stale.
    #[inline]
    pub(super) fn close(&mut self, node: u32, g: W) -> Option<(bool, u32)> {
        let record = &mut self.records[node as usize];
        if record.g != g {
            return None;
        }
        let again = record.stamp & 1 == 1;
        record.stamp |= 1;
        Some((again, record.parent))
    }

    /// The cost of the way back from a goal that was popped at `g`. It is less than `g`
    /// if a node on the way got cheaper and its successors were not updated yet, which
    /// happens only with an estimate that exceeds the truth.
    pub(super) fn settle(&mut self, space: &impl Space<Weight = W>, goal: u32, g: W) -> W {
        if !self.reopened {
            return g;
        }
        let (mut node, mut sum) = (goal, W::ZERO);
        while let Some(parent) = Some(self.parent(node)).filter(|&p| p != NO_PARENT) {
            let mut least: Option<W> = None;
            space.successors(parent, NO_PARENT, |next, step| {
                if next == node && least.is_none_or(|old| step < old) {
                    least = Some(step);
                }
            });
            let Some(step) = least else { return g };
            (node, sum) = (parent, sum + step);
        }
        sum = sum + self.records[node as usize].g;
        if !sum.improves(g, true) {
            return g;
        }
        self.records[goal as usize].g = sum;
        sum
    }
}

impl<W: Weight, Q: Open<W> + Default> SearchScratch<W, Q> {
    /// Empty; it grows to the largest space it is used on.
    pub fn new() -> SearchScratch<W, Q> {
        let records = Records { records: Vec::new(), stamp: 0, reopened: false };
        SearchScratch { records, open: Q::default(), slices: Slices::default() }
    }
}

impl<W: Weight, Q: Open<W> + Default> Default for SearchScratch<W, Q> {
    fn default() -> Self {
        SearchScratch::new()
    }
}

impl<W: Weight, Q: Open<W>> SearchScratch<W, Q> {
    pub(super) fn begin(&mut self, nodes: usize) {
        let blank = Record { stamp: 0, parent: NO_PARENT, g: W::ZERO, h: W::ZERO };
        let records = &mut self.records;
        if records.records.len() < nodes {
            records.records.resize(nodes, blank);
        }
        if records.stamp >= u32::MAX - 3 {
            records.records.fill(blank);
            records.stamp = 0;
        }
        records.stamp += 2;
        records.reopened = false;
        self.open.clear(nodes);
    }

    /// Exchanges the records, not the open lists: searches in another order can then
    /// use the same memory.
    pub(crate) fn swap_records<R>(&mut self, other: &mut SearchScratch<W, R>) {
        std::mem::swap(&mut self.records, &mut other.records);
        std::mem::swap(&mut self.slices, &mut other.slices);
    }

    /// The number of the search that the records belong to.
    pub(super) fn stamp(&self) -> u32 {
        self.records.stamp
    }

    pub(super) fn split(&mut self) -> (&mut Records<W>, &mut Q) {
        (&mut self.records, &mut self.open)
    }

    /// The cost at which the last search reached a node, if it did. It is the least
    /// cost if the node was expanded.
    #[inline]
    pub fn cost(&self, node: u32) -> Option<W> {
        let record = self.records.records.get(node as usize)?;
        let known = record.stamp & !1 == self.records.stamp && record.parent != DROPPED;
        known.then_some(record.g)
    }

    /// Whether the last search expanded a node.
    #[inline]
    pub fn is_expanded(&self, node: u32) -> bool {
        let record = self.records.records.get(node as usize);
        record.is_some_and(|r| r.stamp == self.records.stamp | 1)
    }

    /// Where the last search came from when it reached a node.
    #[inline]
    pub fn parent(&self, node: u32) -> Option<u32> {
        let record = self.records.records.get(node as usize)?;
        let known = record.stamp & !1 == self.records.stamp && record.parent < DROPPED;
        known.then_some(record.parent)
    }

    /// The nodes from `node` back to its source.
    pub fn way_back(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(node), |&n| self.parent(n))
    }

    /// Bytes held, open list included.
    pub fn bytes(&self) -> usize {
        self.records.records.capacity() * size_of::<Record<W>>() + self.open.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Cost, STRAIGHT};
    use crate::search::BucketQueue;

    /// What a search dropped was neither reached nor expanded.
    #[test]
    fn states_of_nodes_are_told_apart() {
        let mut scratch = SearchScratch::<Cost, BucketQueue>::new();
        scratch.begin(4);
        let (stamp, g, h) = (scratch.stamp(), STRAIGHT, Cost::ZERO);
        let records = &mut scratch.records.records;
        records[1] = Record { stamp, parent: DROPPED, g: Cost::ZERO, h };
        records[2] = Record { stamp, parent: 3, g, h };
        records[3] = Record { stamp: stamp | 1, parent: NO_PARENT, g, h };
        let told = |n| (scratch.cost(n), scratch.parent(n), scratch.is_expanded(n));
        assert_eq!(told(0), (None, None, false), "not reached");
        assert_eq!(told(1), (None, None, false), "dropped");
        assert_eq!(told(2), (Some(g), Some(3), false), "reached");
        assert_eq!(told(3), (Some(g), None, true), "expanded");
        assert_eq!(told(4), (None, None, false), "outside");
        assert_eq!(scratch.way_back(2).collect::<Vec<_>>(), [2, 3]);
    }

    /// When the numbers of searches run out they begin again, and nothing is known from before.
    #[test]
    fn numbers_of_searches_begin_again() {
        let mut scratch = SearchScratch::<Cost, BucketQueue>::new();
        scratch.begin(2);
        let last = u32::MAX - 3;
        for stamp in [2, last] {
            scratch.records.stamp = stamp - 2;
            scratch.begin(2);
            assert_eq!(scratch.stamp(), stamp);
            let blank = Record { stamp, parent: NO_PARENT, g: Cost::ZERO, h: Cost::ZERO };
            scratch.records.records[usize::from(stamp == last)] = blank;
        }
        assert_eq!((scratch.cost(0), scratch.cost(1)), (None, Some(Cost::ZERO)));
        scratch.begin(2);
        assert_eq!(scratch.stamp(), 2);
        assert_eq!((scratch.cost(0), scratch.cost(1)), (None, None));
    }
}
