//! Numbers of zones and gates: carried over to a decomposition that was made again, and
//! closed up where some are gone.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{Decomposition, GateId, Method, Place, Places, WaterOptions, ZoneId};
use crate::grid::{CellId, Grid};

/// Which zone and gate of one decomposition is which of another of the same map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    zones: Vec<Option<ZoneId>>,
    gates: Vec<Option<GateId>>,
}

impl Matching {
    /// What has become of a zone.
    pub fn zone(&self, old: ZoneId) -> Option<ZoneId> {
        self.zones.get(old.index()).copied().flatten()
    }

    /// What has become of a gate.
    pub fn gate(&self, old: GateId) -> Option<GateId> {
        self.gates.get(old.index()).copied().flatten()
    }

    /// From lists by new number of the old one, `None` where a number is gone.
    pub(super) fn from_numbers(zones: &[Option<usize>], gates: &[Option<usize>]) -> Matching {
        fn turned<I: Copy>(numbers: &[Option<usize>], id: impl Fn(usize) -> I) -> Vec<Option<I>> {
            let mut out = vec![None; numbers.iter().flatten().count()];
            for (new, old) in numbers.iter().enumerate() {
                if let Some(old) = *old {
                    out[old] = Some(id(new));
                }
            }
            out
        }
        Matching {
            zones: turned(zones, ZoneId::from_index),
            gates: turned(gates, GateId::from_index),
        }
    }

    /// Pairs the zones and the gates of two decompositions of maps of one size: those that
    /// share the most tiles first, each at most once.
    ///
    /// # Panics
    /// If the maps differ in size.
    pub fn new(old: &Decomposition, new: &Decomposition) -> Matching {
        assert_eq!(old.size(), new.size(), "decompositions of one map");
        let mut counts: HashMap<(Place, Place), u32> = HashMap::new();
        // Neighbours in a row mostly belong together, so runs are counted and not tiles.
        let mut run = ((Place::Wall, Place::Wall), 0);
        for cell in (0..new.places.len()).map(CellId::from_index) {
            let pair = (old.place(cell), new.place(cell));
            if pair == run.0 {
                run.1 += 1;
            } else {
                *counts.entry(run.0).or_default() += run.1;
                run = (pair, 1);
            }
        }
        *counts.entry(run.0).or_default() += run.1;
        let (mut zones, mut gates) = (Vec::new(), Vec::new());
        for (pair, tiles) in counts {
            match pair {
                (Place::Zone(from), Place::Zone(to)) => zones.push((Reverse(tiles), from, to)),
                (Place::Gate(from), Place::Gate(to)) => gates.push((Reverse(tiles), from, to)),
                _ => {}
            }
        }
        Matching {
            zones: paired(zones, old.zones.len(), new.zones.len(), ZoneId::index),
            gates: paired(gates, old.gates.len(), new.gates.len(), GateId::index),
        }
    }
}

/// Pairs by most tiles, then by number; each is paired once.
fn paired<I: Copy + Ord>(
    mut shared: Vec<(Reverse<u32>, I, I)>,
    old: usize,
    new: usize,
    index: impl Fn(I) -> usize,
) -> Vec<Option<I>> {
    shared.sort_unstable();
    let mut pairs = vec![None; old];
    let mut taken = vec![false; new];
    for (_, from, to) in shared {
        if pairs[index(from)].is_none() && !taken[index(to)] {
            pairs[index(from)] = Some(to);
            taken[index(to)] = true;
        }
    }
    pairs
}

impl Decomposition {
    /// Makes the decomposition of a map again from scratch, by the method that made this one,
    /// and says what has become of its zones and gates. `options` are those of the
    /// water-level method; a decomposition from given gates is made of its own lines, those
    /// that do not fit the map left out.
    ///
    /// # Panics
    /// If the map has another size.
    pub fn rebuild(&self, grid: &Grid, options: &WaterOptions) -> (Decomposition, Matching) {
        let new = match self.method {
            Method::Water => Decomposition::water(grid, options),
            Method::Rooms => Decomposition::rooms(grid),
            Method::Given => {
                let fitting = self.lines().filter(|line| line.check(grid).is_ok());
                let mut lines: Vec<_> = fitting.collect();
                loop {
                    let claims = super::claims::Claims::new(grid, &lines);
                    let mut tiles = claims.tiles.iter();
                    if !tiles.any(Vec::is_empty) {
                        let raw_gates = lines.len() as u32;
                        break Decomposition::derive(grid, &lines, claims, self.method, raw_gates);
                    }
                    let mut tiles = claims.tiles.iter();
                    lines.retain(|_| tiles.next().is_some_and(|tiles| !tiles.is_empty()));
                }
            }
        };
        let matching = Matching::new(self, &new);
        (new, matching)
    }

    /// Whether numbers are those that the lines alone would give: none is gone, and zones are
    /// in the row order of their first tiles.
    pub fn is_numbered_in_order(&self) -> bool {
        self.zones.is_sorted_by_key(|zone| zone.first)
            && !self.zones.iter().any(|zone| zone.is_gone())
            && !self.gates.iter().any(|gate| gate.is_gone())
    }

    /// The same zones and gates with the numbers that the lines alone would give, and what
    /// has become of the old ones.
    ///
    /// ```
    /// use tidegate::decompose::Decomposition;
    /// use tidegate::{Grid, Tile};
    /// let mut grid = Grid::from_rows(&[".#..", ".#.."]).unwrap();
    /// let mut parts = Decomposition::from_gates(&grid, []).unwrap();
    /// let old = parts.zones()[1].id();
    /// let tiles = [Tile::new(0, 0), Tile::new(0, 1)];
    /// tiles.map(|tile| grid.set_free(tile, false));
    /// parts.follow(&grid, &tiles);
    /// assert!(parts.zones()[0].is_gone());
    /// let (closed_up, matching) = parts.numbered_in_order();
    /// assert_eq!(matching.zone(old).unwrap().index(), 0);
    /// assert_eq!(closed_up, Decomposition::from_gates(&grid, []).unwrap());
    /// ```
    pub fn numbered_in_order(&self) -> (Decomposition, Matching) {
        let mut order: Vec<ZoneId> = self.all_live_zones().map(|zone| zone.id).collect();
        order.sort_unstable_by_key(|zone| self.zones[zone.index()].first);
        let mut matching =
            Matching { zones: vec![None; self.zones.len()], gates: vec![None; self.gates.len()] };
        for (i, zone) in order.into_iter().enumerate() {
            matching.zones[zone.index()] = Some(ZoneId::from_index(i));
        }
        for (i, gate) in self.live_gates().enumerate() {
            matching.gates[gate.id.index()] = Some(GateId::from_index(i));
        }
        let zones = matching.zones.iter().flatten().count();
        let gates = matching.gates.iter().flatten().count();
        (self.renumbered(&matching, zones, gates), matching)
    }

    /// The same zones and gates under other numbers, with so many numbers for each. Gates
    /// keep their order.
    pub(super) fn renumbered(
        &self,
        matching: &Matching,
        zones: usize,
        gates: usize,
    ) -> Decomposition {
        let zone = |old: ZoneId| matching.zone(old).expect("zones that are there have numbers");
        let gate = |old: GateId| matching.gate(old).expect("gates that are there have numbers");
        let mut places = Places::new(self.places.len(), zones, gates);
        self.for_runs(|place, tiles| match place {
            Place::Wall => {}
            Place::Zone(old) => places.fill(tiles, zone(old)),
            Place::Gate(old) => {
                let tiles = tiles.map(CellId::from_index);
                tiles.for_each(|tile| places.set(tile, Place::Gate(gate(old))));
            }
        });
        let mut made = Decomposition {
            places,
            zones: (0..zones).map(|i| super::Zone::gone(ZoneId::from_index(i))).collect(),
            gates: (0..gates).map(|i| super::Gate::gone(GateId::from_index(i))).collect(),
            ..*self
        };
        for old in self.all_live_zones() {
            let around = old.gates.iter().map(|&g| gate(g)).collect();
            let id = zone(old.id);
            made.zones[id.index()] = super::Zone { id, gates: around, ..old.clone() };
        }
        for old in self.live_gates() {
            let mut new = old.clone();
            new.id = gate(old.id);
            new.zones.iter_mut().for_each(|z| *z = zone(*z));
            new.zones.sort_unstable();
            new.gates.iter_mut().for_each(|g| *g = gate(*g));
            let at = new.id.index();
            made.gates[at] = new;
        }
        made
    }
}
