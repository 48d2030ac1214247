//! From the way of an answer to its turning points.

use super::LiveLabels;
use super::answer::{End, LiveScratch, Way};
use super::cluster::Ways;
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;
use crate::labels::LabelScratch;

impl LiveLabels {
    /// Writes the turning points of a way.
    pub(super) fn write_turns(&self, way: Way, scratch: &mut LiveScratch) -> Option<()> {
        let LiveScratch { labels, ends, turns, .. } = scratch;
        let [from, to] = &*ends;
        turns.clear();
        match way {
            Way::Labels(route) => {
                turns.push(from.tile);
                self.labels.append_corners(route, turns);
                turns.push(to.tile);
            }
            Way::Zone => {
                let Ways::Known(zone, _) = &self.cluster(from.inside?.0)?.ways else { return None };
                zone.way_back(to.inside?.1, &from.zone, turns);
                turns.reverse();
            }
            Way::Old(n, m) => {
                let (near, far) = (from.exits.get(n)?, to.exits.get(m)?);
                self.write_end(from, near.2, turns)?;
                turns.reverse();
                self.labels.append_turns(near.0, far.0, labels, turns)?;
                self.write_end(to, far.2, turns)?;
            }
            Way::Terminals(u, v) => {
                let terminals = &self.terminals.tiles;
                let near = self.exit_to(from, *terminals.get(u)?, labels)?;
                self.write_end(from, near.1, turns)?;
                turns.reverse();
                self.labels.append_turns(near.0, terminals[u], labels, turns)?;
                let mut at = u;
                while let Some((arc, near, next)) = self.terminals.first_arc(at, v) {
                    self.labels.append_turns(terminals[at], terminals[near], labels, turns)?;
                    let crossings = self.cluster(arc.cluster)?.crossings();
                    let way = &crossings.get(arc.crossing as usize)?.way;
                    append_way(way, turns);
                    at = next;
                }
                self.labels.append_turns(terminals[at], terminals[v], labels, turns)?;
                let far = self.exit_to(to, terminals[v], labels)?;
                self.labels.append_turns(terminals[v], far.0, labels, turns)?;
                self.write_end(to, far.1, turns)?;
            }
        }
        if turns.len() == 1 {
            turns.push(to.tile);
        }
        Some(())
    }

    /// Appends the tiles of an end's way, from an exit into the zone.
    fn write_end(&self, end: &End, exit: usize, turns: &mut Vec<Tile>) -> Option<()> {
        let Some((cluster, _)) = end.inside else {
            if turns.last() != Some(&end.tile) {
                turns.push(end.tile);
            }
            return Some(());
        };
        let Ways::Known(zone, _) = &self.cluster(cluster)?.ways else { return None };
        if turns.last() == Some(&zone.tiles[exit]) {
            turns.pop();
        }
        zone.way_back(exit, &end.zone, turns);
        Some(())
    }

    /// The exit of an end on the shortest way to a terminal, and its number in the zone.
    fn exit_to(
        &self,
        end: &End,
        terminal: Tile,
        labels: &mut LabelScratch,
    ) -> Option<(Tile, usize)> {
        if let [(tile, _, number)] = end.exits[..] {
            return Some((tile, number));
        }
        let mut cost = |&(tile, cost, _): &(Tile, Cost, usize)| {
            let between = self.labels.distance(tile, terminal, labels);
            cost.saturating_add(between.unwrap_or(INFINITY))
        };
        let mut exits = end.exits.iter().map(|exit| (cost(exit), exit));
        let first = exits.next()?;
        let (_, exit) = exits.fold(first, |best, next| if next.0 < best.0 { next } else { best });
        Some((exit.0, exit.2))
    }
}

/// Appends a crossing to a way that ends at one of its ends.
fn append_way(way: &[Tile], turns: &mut Vec<Tile>) {
    let at = turns.last().copied();
    if way.first().copied() == at {
        turns.extend(way.iter().skip(1));
    } else {
        turns.extend(way.iter().rev().skip(1));
    }
}
