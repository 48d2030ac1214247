//! A search written down step by step, in the bytes that the page plays back; and the watcher
//! that stops a search whose client has left.

use std::ops::ControlFlow;

use tidegate::cost::Cost;
use tidegate::search::{NO_PARENT, Observer, Stats};
use tidegate::{Grid, Query};

use crate::work::Stop;

/// The most events that are written down.
pub(crate) const MAX_EVENTS: usize = 1_000_000;
/// Expansions between two looks whether to stop.
const BREATH: u32 = 256;

/// Put on the open list, expanded, expanded again, put back on the open list.
const OPEN: u32 = 0;
const EXPAND: u32 = 1;
const EXPAND_AGAIN: u32 = 2;
const REOPEN: u32 = 3;

/// The events so far.
#[derive(Debug)]
pub(crate) struct Tracer {
    bytes: Vec<u8>,
    total: u32,
    /// The number of the search in which a tile was last expanded: some engines run several.
    expanded_in: Vec<u32>,
    search: u32,
    begun: bool,
}

impl Tracer {
    pub(crate) fn new(tiles: usize) -> Tracer {
        let expanded_in = vec![0; tiles];
        Tracer { bytes: Vec::new(), total: 0, expanded_in, search: 1, begun: false }
    }

    fn event(&mut self, kind: u32, node: u32, parent: u32, g: Cost, h: Cost) {
        self.total = self.total.saturating_add(1);
        if self.bytes.len() < MAX_EVENTS * 16 {
            for number in [node | kind << 28, parent, g.get(), h.get()] {
                self.bytes.extend(number.to_le_bytes());
            }
        }
    }

    fn was_expanded(&self, node: u32) -> bool {
        self.expanded_in.get(node as usize) == Some(&self.search)
    }

    fn generate(&mut self, node: u32, parent: u32, g: Cost, h: Cost) {
        // A source after expansions begins another search.
        if parent == NO_PARENT && self.begun {
            (self.search, self.begun) = (self.search + 1, false);
        }
        let kind = if self.was_expanded(node) { REOPEN } else { OPEN };
        self.event(kind, node, parent, g, h);
    }

    fn expand(&mut self, node: u32, g: Cost, h: Cost) {
        self.begun = true;
        let kind = if self.was_expanded(node) { EXPAND_AGAIN } else { EXPAND };
        self.event(kind, node, NO_PARENT, g, h);
        if let Some(last) = self.expanded_in.get_mut(node as usize) {
            *last = self.search;
        }
    }
}

/// Stops a search when told to, and writes it down if wanted.
pub(crate) struct Watch<'a> {
    stop: &'a Stop,
    breath: u32,
    tracer: Option<Tracer>,
}

impl Watch<'_> {
    pub(crate) fn new(stop: &Stop, tracer: Option<Tracer>) -> Watch<'_> {
        Watch { stop, breath: BREATH, tracer }
    }

    /// Head and events.
    pub(crate) fn into_bytes(self, grid: &Grid, query: &Query<'_>, stats: &Stats) -> Vec<u8> {
        let tracer = self.tracer.unwrap_or_else(|| Tracer::new(0));
        let cell = |tile| grid.cell(tile).map_or(u32::MAX, |cell| cell.index() as u32);
        let count = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let numbers = [
            (tracer.bytes.len() / 16) as u32,
            tracer.total,
            grid.width(),
            count(stats.expanded),
            count(stats.reexpanded),
            cell(query.start),
            cell(query.goal),
        ];
        let mut out = Vec::with_capacity(32 + tracer.bytes.len());
        out.extend(b"TGTR");
        numbers.iter().for_each(|n| out.extend(n.to_le_bytes()));
        out.extend(tracer.bytes);
        out
    }
}

impl Observer<Cost> for Watch<'_> {
    fn generate(&mut self, node: u32, parent: u32, g: Cost, h: Cost) {
        if let Some(tracer) = &mut self.tracer {
            tracer.generate(node, parent, g, h);
        }
    }

    fn expand(&mut self, node: u32, g: Cost, h: Cost) -> ControlFlow<()> {
        if let Some(tracer) = &mut self.tracer {
            tracer.expand(node, g, h);
        }
        self.breath -= 1;
        if self.breath == 0 {
            self.breath = BREATH;
            if self.stop.is_set() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
