//! The most important choke points: the gates that most journeys pass.
//!
//! A choke point matters to a bot because of who comes through: armies that go from one place to
//! another. So the **traffic** of a gate is the number of pairs of tiles in different zones
//! between which a shortest route passes it, every zone being represented by its deepest tile
//! and a zone of `n` tiles standing for `n` ends. If several routes are shortest, all their gates
//! count, so that no gate wins by its number. Against measures that close gates: they give
//! two doors side by side nothing, though all pass them. What closing a gate cuts off is told
//! beside it. Width plays no part, except between gates of equal traffic: who wants narrow ones
//! only filters by [`Gate::width`](crate::decompose::Gate::width).

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;

use super::Regions;
use crate::decompose::{GateId, Zone};
use crate::grid::Tile;
use crate::search::{Blind, Space, search};

use super::route::RouteScratch;

/// A gate and what it means to those who travel. See [`Regions::choke_points`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChokePoint {
    gate: GateId,
    traffic: u64,
    share: f64,
    cut_off: u64,
}

impl ChokePoint {
    /// The gate.
    pub fn gate(&self) -> GateId {
        self.gate
    }

    /// The number of pairs of tiles in different zones with a shortest route over it.
    pub fn traffic(&self) -> u64 {
        self.traffic
    }

    /// Its traffic as a share of all pairs of tiles in different zones that have a way to each
    /// other; from 0 to 1.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// How many tiles of zones are cut off from the largest piece when it is closed; 0 if there
    /// is another way around.
    pub fn cut_off(&self) -> u64 {
        self.cut_off
    }
}

/// All gates; a step goes from middle to middle of gates around one zone or that touch alone.
struct GateSpace<'r> {
    /// By gate: the gates it leads to, and the lengths.
    steps: Vec<Vec<(u32, u64)>>,
    regions: &'r Regions<'r>,
}

impl<'r> GateSpace<'r> {
    fn new(regions: &'r Regions<'r>) -> GateSpace<'r> {
        let none = FixedBitSet::with_capacity(regions.places());
        let steps = regions.parts.gates().iter().map(|gate| {
            let zones = gate.zones().iter().flat_map(|&zone| regions.zone(zone).gates());
            let alone = |next: &&GateId| regions.touch_alone(gate.id(), **next, &none);
            let touching = gate.gates().iter().filter(alone);
            let mut to: Vec<GateId> = zones.chain(touching).copied().collect();
            to.sort_unstable();
            to.dedup();
            let here = gate.line().middle();
            let leg = |next: GateId| regions.leg(here, regions.gate(next).line().middle());
            to.retain(|&next| next != gate.id());
            to.into_iter().map(|next| (next.index() as u32, leg(next))).collect()
        });
        GateSpace { steps: steps.collect(), regions }
    }

    /// The gates around a zone, with their lengths from a tile of it.
    fn doors(&self, zone: &Zone, tile: Tile) -> impl Iterator<Item = (u32, u64)> {
        zone.gates().iter().map(move |&gate| {
            let middle = self.regions.gate(gate).line().middle();
            (gate.index() as u32, self.regions.leg(tile, middle))
        })
    }
}

impl Space for GateSpace<'_> {
    type Weight = u64;

    fn nodes(&self) -> usize {
        self.steps.len()
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, u64)) {
        self.steps[node as usize].iter().for_each(|&(next, leg)| visit(next, leg));
    }
}

impl Regions<'_> {
    /// The `n` most important choke points, the one with the most traffic first; of equal
    /// traffic the narrower, then that of the smaller number. Traffic is the number of pairs of
    /// tiles in different zones between which a shortest route passes the gate: a gate that
    /// alone joins two halves of a map has that of all pairs across. Gates that no shortest
    /// route passes are left out.
    ///
    /// Worked out when first asked for, by a search over the gates from every zone.
    ///
    /// ```
    /// use tidegate::decompose::{Decomposition, GateLine, Source};
    /// use tidegate::region::Regions;
    /// use tidegate::{Grid, Tile};
    /// // A closet, a hall, a hall: the door between the halls matters most.
    /// let grid = Grid::from_rows(&["..#.....#.....", "........#.....", "..#..........."]).unwrap();
    /// let door = |x, y| GateLine::new(Tile::new(x, y), Tile::new(x, y), Source::Manual);
    /// let parts = Decomposition::from_gates(&grid, [door(2, 1), door(8, 2)]).unwrap();
    /// let regions = Regions::new(&grid, &parts);
    /// let [main] = regions.choke_points(1)[..] else { panic!("two gates") };
    /// assert_eq!(regions.gate(main.gate()).a(), Tile::new(8, 2));
    /// assert_eq!(main.traffic(), (6 + 15) * 15);
    /// assert_eq!(main.cut_off(), 15);
    /// ```
    pub fn choke_points(&self, n: usize) -> &[ChokePoint] {
        let all = self.choke_points.get_or_init(|| self.count_traffic());
        &all[..n.min(all.len())]
    }

    fn count_traffic(&self) -> Vec<ChokePoint> {
        let space = GateSpace::new(self);
        let zones: Vec<(&Zone, Tile)> =
            self.parts.live_zones().map(|zone| (zone, self.deepest(zone.id()))).collect();
        let mut scratch = RouteScratch::new();
        let mut traffic = vec![0_u64; self.parts.gates().len()];
        let mut total = 0_u64;
        // The gates on shortest routes to the zone at hand carry its mark.
        let mut mark = vec![0_u32; traffic.len()];
        let mut marks = 0;
        let mut queue: Vec<u32> = Vec::new();
        for (i, &(zone, tile)) in zones.iter().enumerate() {
            let sources: Vec<(u32, u64)> = space.doors(zone, tile).collect();
            if sources.is_empty() {
                continue;
            }
            search(&space, &sources, |_| false, &mut Blind, &mut scratch, &mut ());
            for &(other, end) in &zones[i + 1..] {
                let far = |(gate, leg): (u32, u64)| Some((scratch.cost(gate)? + leg, gate));
                let Some(least) = space.doors(other, end).filter_map(far).map(|f| f.0).min() else {
                    continue;
                };
                let pairs = u64::from(zone.area()) * u64::from(other.area());
                total += pairs;
                marks += 1;
                let arrivals = space.doors(other, end).filter_map(far).filter(|f| f.0 == least);
                queue.extend(arrivals.map(|f| f.1));
                while let Some(gate) = queue.pop() {
                    if std::mem::replace(&mut mark[gate as usize], marks) == marks {
                        continue;
                    }
                    traffic[gate as usize] += pairs;
                    let cost = scratch.cost(gate);
                    let before = space.steps[gate as usize]
                        .iter()
                        .filter(|&&(from, leg)| scratch.cost(from).map(|far| far + leg) == cost);
                    queue.extend(before.map(|&(from, _)| from));
                }
            }
        }
        let cut_off = |gate| self.loops().bridge(gate).map_or(0, |bridge| bridge.cut_off());
        let share = |traffic: u64| traffic as f64 / total as f64;
        let mut points: Vec<ChokePoint> = (traffic.iter().enumerate())
            .filter(|(_, traffic)| **traffic > 0)
            .map(|(i, &traffic)| {
                let gate = GateId::from_index(i);
                ChokePoint { gate, traffic, share: share(traffic), cut_off: cut_off(gate) }
            })
            .collect();
        points.sort_by_key(|p| (Reverse(p.traffic), self.gate(p.gate).width(), p.gate));
        points
    }
}
