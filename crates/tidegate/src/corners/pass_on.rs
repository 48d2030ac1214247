//! Which arcs further up the change of a corner's arcs concerns: those between the ends of
//! its arcs to which the way over the corner contributed, or contributes now. At the top of
//! the hierarchy these are very many pairs, so that most are passed over after a glance at
//! turns and costs.

use super::arc::{Arc, back, departures};
use super::hierarchy::Hierarchy;
use super::recontract::{Change, Queue};
use crate::cost::LIMIT;
use crate::taut::Rules;

/// Where an arc of a corner leads or led.
pub(super) struct End {
    pub(super) to: u32,
    /// The arc before and after.
    pub(super) arcs: [Option<Arc>; 2],
    /// Its rank and number.
    key: (u32, u32),
    differs: bool,
    /// Before and after: the cost, the classes in which the arc leaves the corner (none if
    /// there is no arc), and those in which ways go on that came over it.
    glance: [Glance; 2],
}

#[derive(Clone, Copy, Default)]
struct Glance {
    cost: u32,
    leave: u16,
    turns: u16,
}

/// More than any way costs.
const NO_WAY: u32 = u32::MAX;

impl Glance {
    /// The cost of the way to another end.
    #[inline]
    fn cost_to(self, other: Glance) -> u32 {
        let cost = self.cost + other.cost;
        let is_way = (other.leave & self.turns != 0) & (cost <= LIMIT.get());
        if is_way { cost } else { NO_WAY }
    }
}

impl Hierarchy {
    /// All ends of a corner's arcs in the order of contraction, given its pattern and its
    /// arcs, sorted by where they lead, before and after.
    pub(super) fn ends(&self, rules: &Rules, states: [(u8, &[Arc]); 2]) -> Vec<End> {
        let [mut old, mut new] = states.map(|(_, arcs)| arcs.iter().peekable());
        let mut ends = Vec::new();
        loop {
            let next = [old.peek(), new.peek()].into_iter().flatten().map(|arc| arc.to).min();
            let Some(to) = next else { break };
            let arcs = [old.next_if(|arc| arc.to == to), new.next_if(|arc| arc.to == to)];
            let arcs = arcs.map(Option::<&Arc>::copied);
            let at = |time: usize| {
                arcs[time].map_or(Glance::default(), |arc| {
                    let turns = departures(rules, states[time].0, back(arc.leave));
                    Glance { cost: arc.cost, leave: arc.leave, turns }
                })
            };
            let glance = [at(0), at(1)];
            let differs = states[0].0 != states[1].0 || arcs[0] != arcs[1];
            ends.push(End { to, key: self.key(to), arcs, differs, glance });
        }
        ends.sort_unstable_by_key(|end| end.key);
        ends
    }

    /// Queues the arcs that the change of a corner concerns. `marks` is 0 for every corner.
    pub(super) fn pass_on(&self, corner: u32, ends: &[End], queue: &mut Queue, marks: &mut [u32]) {
        let differing: Vec<&End> = ends.iter().filter(|end| end.differs).collect();
        let mut found = Vec::new();
        for (n, low) in ends.iter().enumerate() {
            let above = &differing[differing.partition_point(|end| end.key <= low.key)..];
            if low.differs || above.len() > FEW {
                self.all(low.to).for_each(|arc| marks[arc.to as usize] = arc.cost + 1);
                let cost = |high: &End| marks[high.to as usize].checked_sub(1);
                if low.differs {
                    let above = ends[n + 1..].iter();
                    found.extend(above.filter_map(|high| low.change(corner, high, cost)));
                } else {
                    let above = above.iter();
                    found.extend(above.filter_map(|high| low.change(corner, high, cost)));
                }
                self.all(low.to).for_each(|arc| marks[arc.to as usize] = 0);
            } else {
                let cost = |high: &End| self.arc(low.to, high.to).map(|arc| arc.cost);
                let above = above.iter();
                found.extend(above.filter_map(|high| low.change(corner, high, cost)));
            }
            if !found.is_empty() {
                queue.entry(low.key).or_default().append(&mut found);
            }
        }
    }
}

/// So many arcs of a corner are looked up one by one; for more, all are marked.
const FEW: usize = 6;

impl End {
    /// What the change of the way from this end over the corner to a higher one means for
    /// the arc between the two, which had this cost.
    #[inline]
    fn change(
        &self,
        corner: u32,
        high: &End,
        cost: impl Fn(&End) -> Option<u32>,
    ) -> Option<Change> {
        // Not by `map`, which is not inlined here: this runs for millions of pairs.
        let cost_at = |time: usize| self.glance[time].cost_to(high.glance[time]);
        let costs = [cost_at(0), cost_at(1)];
        let least = costs[0].min(costs[1]);
        if least == NO_WAY {
            return None;
        }
        let known = cost(high).unwrap_or(NO_WAY);
        if least > known {
            return None;
        }
        let way = |time: usize| {
            let (one, two) = (self.arcs[time].as_ref()?, high.arcs[time].as_ref()?);
            let counts = costs[time] != NO_WAY && costs[time] <= known;
            counts.then(|| one.through(corner, two))
        };
        let (was, is) = (way(0), way(1));
        if was == is {
            return None;
        }
        let grown = |was: Arc, is: Arc| {
            is.cost == was.cost && was.leave & !is.leave == 0 && was.arrive & !is.arrive == 0
        };
        let lost = was.is_some_and(|was| !is.is_some_and(|is| grown(was, is)));
        Some(Change { to: high.to, way: is, lost })
    }
}
