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
    glance: Glance,
}

/// What decides on most pairs of ends, in little space.
#[derive(Clone, Copy)]
struct Glance {
    to: u32,
    /// Before and after.
    arcs: [ArcGlance; 2],
}

/// The cost of an arc, the classes in which it leaves the corner (none if there is no
/// arc), and those in which ways go on that came over it.
#[derive(Clone, Copy, Default)]
struct ArcGlance {
    cost: u32,
    leave: u16,
    turns: u16,
}

/// More than any way costs.
const NO_WAY: u32 = u32::MAX;

impl ArcGlance {
    /// The cost of the way to another end.
    #[inline]
    fn cost_to(self, other: ArcGlance) -> u32 {
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
                arcs[time].map_or(ArcGlance::default(), |arc| {
                    let turns = departures(rules, states[time].0, back(arc.leave));
                    ArcGlance { cost: arc.cost, leave: arc.leave, turns }
                })
            };
            let glance = Glance { to, arcs: [at(0), at(1)] };
            let differs = states[0].0 != states[1].0 || arcs[0] != arcs[1];
            ends.push(End { to, key: self.key(to), arcs, differs, glance });
        }
        ends.sort_unstable_by_key(|end| end.key);
        ends
    }

    /// Queues the arcs that the change of a corner concerns. `marks` is 0 for every corner.
    pub(super) fn pass_on(&self, corner: u32, ends: &[End], queue: &mut Queue, marks: &mut [u32]) {
        let numbered = |(n, end): (usize, &End)| (n, end.glance);
        let all: Vec<(usize, Glance)> = ends.iter().enumerate().map(numbered).collect();
        let differing = all.iter().copied().filter(|&(n, _)| ends[n].differs);
        let differing: Vec<(usize, Glance)> = differing.collect();
        let mut found = Vec::new();
        for (n, low) in ends.iter().enumerate() {
            let above = if low.differs {
                &all[n + 1..]
            } else {
                &differing[differing.partition_point(|&(m, _)| m <= n)..]
            };
            // What the arcs to the ends above cost.
            let is_marked = above.len() > FEW;
            if is_marked {
                self.all(low.to).for_each(|arc| marks[arc.to as usize] = arc.cost + 1);
            }
            for &(m, high) in above {
                let costs = low.glance.costs_to(high);
                let least = costs[0].min(costs[1]);
                if least == NO_WAY {
                    continue;
                }
                let known = if is_marked {
                    marks[high.to as usize].checked_sub(1)
                } else {
                    self.arc(low.to, high.to).map(|arc| arc.cost)
                };
                let known = known.unwrap_or(NO_WAY);
                if least <= known {
                    found.extend(low.change(corner, &ends[m], costs, known));
                }
            }
            if is_marked {
                self.all(low.to).for_each(|arc| marks[arc.to as usize] = 0);
            }
            if !found.is_empty() {
                queue.entry(low.key).or_default().append(&mut found);
            }
        }
    }
}

/// So many arcs of a corner are looked up one by one; for more, all are marked.
const FEW: usize = 6;

impl Glance {
    /// What the ways to another end cost, before and after.
    #[inline]
    fn costs_to(self, other: Glance) -> [u32; 2] {
        // Not by `map`, which is not inlined here: this runs for millions of pairs.
        let at = |time: usize| self.arcs[time].cost_to(other.arcs[time]);
        [at(0), at(1)]
    }
}

impl End {
    /// What the change of the way from this end over the corner to a higher one means for
    /// the arc between the two, given what the ways cost and what the arc did.
    fn change(&self, corner: u32, high: &End, costs: [u32; 2], known: u32) -> Option<Change> {
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
