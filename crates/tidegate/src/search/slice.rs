//! A part of a search, and what is kept of it until the next part.

use super::{Nearest, Open, Run, SearchScratch, Weight};

/// The next part of a search, or all of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice<W> {
    /// The search, so far as it went in the slices before.
    pub(crate) run: Run,
    /// How many expansions this slice may take.
    pub(crate) expansions: u64,
    /// The nearest tile expanded so far, if somebody wants it.
    pub(crate) nearest: Nearest<W>,
    /// The least estimate of any tile that can be reached, if the search is for that tile.
    pub(crate) least: Option<W>,
}

/// What a scratch knows of slices: nothing, unless somebody asks for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slices<W> {
    /// The next slice, until a search takes it: its expansions, and the search that the
    /// scratch held when it was asked for.
    asked: Option<(u64, u32)>,
    /// The search that paused, and its number in the scratch.
    paused: Option<(Slice<W>, u32)>,
}

impl<W> Default for Slices<W> {
    fn default() -> Slices<W> {
        Slices { asked: None, paused: None }
    }
}

impl<W: Weight> Slice<W> {
    /// A search from its beginning to its end.
    pub(crate) fn whole() -> Slice<W> {
        let nearest = Nearest { best: None };
        Slice { run: Run::default(), expansions: u64::MAX, nearest, least: None }
    }

    /// Whether the search may pause before its end.
    pub(crate) fn may_pause(&self) -> bool {
        self.expansions < u64::MAX
    }

    /// Whether slices came before this one.
    pub(crate) fn is_resumed(&self) -> bool {
        self.run.has_begun
    }
}

impl<W: Weight, Q: Open<W>> SearchScratch<W, Q> {
    /// Asks the next query's search for a slice of at least one expansion: the next of the
    /// search that paused, or the first of a new one.
    pub(crate) fn ask_for_slice(&mut self, expansions: u64) {
        self.slices.asked = Some((expansions.max(1), self.stamp()));
    }

    /// Forgets the search that paused.
    pub(crate) fn forget_paused(&mut self) {
        self.slices = Slices::default();
    }

    /// Whether a search has paused that the next slice goes on with.
    pub(crate) fn has_paused(&self) -> bool {
        self.slices.asked.is_none() && self.slices.paused.is_some()
    }

    /// What a query's search is to do: all of it, unless a slice was asked for. Only the
    /// first search of a query takes slices, and only if the engine uses the scratch for no
    /// other: what is kept here would be lost before the next slice.
    pub(crate) fn take_slice(&mut self) -> Slice<W> {
        let now = self.stamp();
        match (self.slices.asked.take(), self.slices.paused.take()) {
            (Some((expansions, asked)), None) if asked == now => {
                Slice { expansions, ..Slice::whole() }
            }
            (Some((expansions, _)), Some((slice, stamp))) if stamp == now => {
                Slice { expansions, ..slice }
            }
            _ => Slice::whole(),
        }
    }

    /// Keeps a search until the next slice.
    pub(crate) fn pause(&mut self, slice: Slice<W>) {
        self.slices.paused = Some((slice, self.stamp()));
    }
}
