//! Opened tiles that touch each other, and the crossings they give: ways through them that
//! are shorter than any on the old map.

use super::zone::{Opened, Zone, ZoneScratch};
use crate::cost::Cost;
use crate::grid::{Movement, Tile};
use crate::labels::{LabelScratch, Labels};

/// A way through a zone from one border tile to another that is shorter than on the old map.
#[derive(Debug)]
pub(super) struct Crossing {
    pub(super) cost: Cost,
    /// Every tile, the ends included.
    pub(super) way: Vec<Tile>,
}

/// What is known of the ways through a cluster.
#[derive(Debug)]
pub(super) enum Ways {
    /// All that is new about them.
    Known(Zone, Vec<Crossing>),
    /// Nothing; it may be asked again when there is room for more.
    Waiting,
    /// Nothing, because it is too large.
    TooLarge,
}

/// Opened tiles that are connected by sides or corners.
#[derive(Debug)]
pub(super) struct Cluster {
    /// In order.
    pub(super) tiles: Vec<Tile>,
    pub(super) bounds: Bounds,
    pub(super) ways: Ways,
}

/// What finding the crossings of a cluster writes to.
#[derive(Default)]
pub(super) struct CrossingScratch {
    zone: ZoneScratch,
    pub(super) labels: LabelScratch,
    goals: Vec<Tile>,
    costs: Vec<Cost>,
}

impl Cluster {
    /// The cluster of these tiles, in order, about whose ways nothing is known yet.
    pub(super) fn new(tiles: Vec<Tile>) -> Cluster {
        Cluster { bounds: Bounds::around(&tiles), tiles, ways: Ways::Waiting }
    }

    pub(super) fn bytes(&self) -> usize {
        let ways = match &self.ways {
            Ways::Known(zone, crossings) => {
                let way = |c: &Crossing| size_of::<Crossing>() + 4 * c.way.capacity();
                zone.bytes() + crossings.iter().map(way).sum::<usize>()
            }
            _ => 0,
        };
        size_of::<Cluster>() + self.tiles.capacity() * size_of::<Tile>() + ways
    }

    pub(super) fn crossings(&self) -> &[Crossing] {
        if let Ways::Known(_, crossings) = &self.ways { crossings } else { &[] }
    }

    /// The same tiles, and this is known of their ways.
    pub(super) fn with(&self, ways: Ways) -> Cluster {
        Cluster { tiles: self.tiles.clone(), bounds: self.bounds, ways }
    }

    /// Finds the crossings. `work` is how many more tiles may be looked at; a cluster that
    /// needs more has to wait.
    pub(super) fn solve(
        &self,
        map: Opened<'_>,
        labels: &Labels,
        scratch: &mut CrossingScratch,
        work: &mut usize,
    ) -> Ways {
        let Some(zone) = Zone::new(map, &self.tiles) else { return Ways::TooLarge };
        let needed = zone.border().len() * zone.tiles.len();
        let Some(left) = work.checked_sub(needed) else { return Ways::Waiting };
        *work = left;
        let mut crossings = Vec::new();
        for from in zone.border().filter(|&from| zone.has_new_step(from)) {
            crossings_from(&zone, from, labels, scratch, &mut crossings);
        }
        Ways::Known(zone, crossings)
    }
}

/// Appends the crossings from a border tile to border tiles of higher numbers.
fn crossings_from(
    zone: &Zone,
    from: usize,
    labels: &Labels,
    scratch: &mut CrossingScratch,
    out: &mut Vec<Crossing>,
) {
    let start = zone.tiles[from];
    zone.search(from, &mut scratch.zone);
    let exits = zone.exits(from, &scratch.zone).filter(|&(to, _)| to > from);
    let hidden = exits.filter(|&(to, _)| !labels.sight.sees(start, zone.tiles[to]));
    let hidden: Vec<(usize, Cost)> = hidden.collect();
    if hidden.is_empty() {
        return;
    }
    scratch.goals.clear();
    scratch.goals.extend(hidden.iter().map(|&(to, _)| zone.tiles[to]));
    labels.costs_from(start, &scratch.goals, &mut scratch.labels, &mut scratch.costs);
    for (&(to, cost), &before) in hidden.iter().zip(&scratch.costs) {
        if cost < before {
            let mut way = Vec::new();
            zone.way_back(to, &scratch.zone, &mut way);
            out.push(Crossing { cost, way });
        }
    }
}

/// The rectangle of a cluster and its border.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    low: Tile,
    high: Tile,
}

impl Bounds {
    fn around(tiles: &[Tile]) -> Bounds {
        let (mut low, mut high) = (Tile::new(u16::MAX, u16::MAX), Tile::new(0, 0));
        for tile in tiles {
            low = Tile::new(low.x.min(tile.x), low.y.min(tile.y));
            high = Tile::new(high.x.max(tile.x), high.y.max(tile.y));
        }
        Bounds {
            low: Tile::new(low.x.saturating_sub(1), low.y.saturating_sub(1)),
            high: Tile::new(high.x.saturating_add(1), high.y.saturating_add(1)),
        }
    }

    /// A lower bound of the cost of any way between two tiles that takes a new step here.
    #[inline]
    pub(super) fn detour(&self, movement: Movement, start: Tile, goal: Tile) -> Cost {
        movement.estimate(start, self.nearest(start)) + movement.estimate(self.nearest(goal), goal)
    }

    #[inline]
    fn nearest(&self, tile: Tile) -> Tile {
        Tile::new(
            tile.x.clamp(self.low.x, self.high.x.max(self.low.x)),
            tile.y.clamp(self.low.y, self.high.y.max(self.low.y)),
        )
    }
}
