//! Following the map: the hierarchy after tiles became wall or free is bit by bit the
//! one that contracting all corners again in the kept order would give.
//!
//! Tiles are closed in one step and opened in another. What a step changes is found by
//! looking from the changed tiles: a line that is safe on one of the two maps and not on
//! the other passes a changed tile or the tile beside it, so both its ends see one of
//! these on the *wider* map, where the changed tiles are free. For every corner that
//! does, the lines in the directions concerned are listed on both maps and compared.
//!
//! A new corner takes the rank of the middle one of its neighbours. The hierarchy is then
//! contracted again where lines changed (`recontract`).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::Corners;
use super::gather::Gather;
use super::hierarchy::Corner;
use super::recontract::GraphChanges;
use crate::grid::{Grid, Movement, OtherMap, Revision, Tile};
use crate::taut::compass::opposite;
use crate::taut::{CornerBits, Rules, direction};

/// A corner from which something may look different, with the classes concerned.
#[derive(Clone, Copy, Debug)]
struct Concerned {
    tile: Tile,
    classes: u16,
}

/// What can be seen from a corner in the classes concerned.
#[derive(Debug, Default, PartialEq, Eq)]
struct View {
    /// Its pattern; 0 if it is no corner on this map.
    pattern: u8,
    /// The corners seen, by row and column, sorted.
    edges: Vec<(u16, u16)>,
    /// Blocks of tiles seen, each with its mask, sorted.
    blocks: Vec<(u32, u64)>,
}

impl Corners {
    /// Brings the hierarchy up to date after the given tiles of the map became free or
    /// wall. `grid` is the map after the change; one of another size or rule, or with
    /// cost factors, is refused and nothing is changed.
    ///
    /// ```
    /// use tidegate::corners::{CornerScratch, Corners};
    /// use tidegate::{Grid, Tile};
    /// let mut grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
    /// let mut corners = Corners::build(&grid).unwrap();
    /// let (start, goal) = (Tile::new(2, 0), Tile::new(2, 2));
    /// grid.set_free(Tile::new(2, 1), true);
    /// corners.update(&grid, &[Tile::new(2, 1)]).unwrap();
    /// assert_eq!(corners.distance(start, goal, &mut CornerScratch::new()), Some(2 * tidegate::cost::STRAIGHT));
    /// ```
    pub fn update(&mut self, grid: &Grid, changed: &[Tile]) -> Result<(), OtherMap> {
        self.revision.check_form(grid)?;
        let mut differ: Vec<Tile> = changed.to_vec();
        differ.retain(|&t| grid.contains(t) && grid.is_free(t) != self.bits.is_free(t));
        differ.sort_unstable_by_key(|t| (t.y, t.x));
        differ.dedup();
        let after = |revision: Revision, &tile: &Tile| {
            grid.cell(tile).map_or(revision, |cell| revision.after_change(cell))
        };
        differ.iter().fold(self.revision, after).check(grid)?;
        self.revision = Revision::of(grid);
        let (opened, closed): (Vec<Tile>, Vec<Tile>) =
            differ.into_iter().partition(|&tile| grid.is_free(tile));
        self.step(&closed, false);
        self.step(&opened, true);
        Ok(())
    }

    /// Whether so much was repaired that building again would make answers, and repairs,
    /// quicker: the hierarchy has a quarter more arcs than when it was built.
    pub fn is_aged(&self) -> bool {
        let all = self.arcs();
        all > self.built_arcs + self.built_arcs / 4 + 256
    }

    /// Makes all the tiles free, or all of them wall.
    fn step(&mut self, tiles: &[Tile], open: bool) {
        if tiles.is_empty() {
            return;
        }
        let rules = self.rules;
        if open {
            self.set_free(tiles, true);
        }
        // The wider map.
        let mut concerned = seers(&self.bits, rules, tiles);
        let around = surroundings(&self.bits, tiles);
        concerned.retain(|tile, _| !around.contains(tile));
        let all = around.iter().map(|&tile| (tile, u16::MAX)).chain(concerned);
        let concerned: Vec<Concerned> =
            all.map(|((y, x), classes)| Concerned { tile: Tile::new(x, y), classes }).collect();
        let mut gather = Gather::new(self.vias.across(), self.vias.blocks());
        let mut look = |bits: &CornerBits| -> Vec<View> {
            concerned.iter().map(|&from| view(bits, rules, from, &mut gather)).collect()
        };
        let wide = look(&self.bits);
        self.set_free(tiles, false);
        let narrow = look(&self.bits);
        if open {
            self.set_free(tiles, true);
        }
        let (before, after) = if open { (&narrow, &wide) } else { (&wide, &narrow) };
        let differ: Vec<usize> = (0..concerned.len()).filter(|&n| wide[n] != narrow[n]).collect();
        let numbers: Vec<u32> =
            differ.iter().map(|&n| self.number_or_new(concerned[n].tile, &after[n])).collect();
        self.update_vias(differ.iter().zip(&numbers).map(|(&n, &c)| (c, &before[n], &after[n])));
        let mut graph = GraphChanges::default();
        for (&n, &corner) in differ.iter().zip(&numbers) {
            let known = &mut self.hierarchy.corners[corner as usize];
            if known.pattern != after[n].pattern {
                graph.patterns.insert(corner, known.pattern);
                known.pattern = after[n].pattern;
            }
            for (&(y, x), before, after) in beside(&before[n].edges, &after[n].edges, |edge| *edge)
            {
                let Some(other) = self.number(Tile::new(x, y)) else { continue };
                if before.is_none() || after.is_none() {
                    let below = self.hierarchy.is_below(corner, other);
                    let (low, high) = if below { (corner, other) } else { (other, corner) };
                    graph.edges.insert((low, high), after.is_some());
                }
            }
        }
        self.hierarchy.recontract(rules, &graph);
        self.vias.tidy();
    }

    fn set_free(&mut self, tiles: &[Tile], free: bool) {
        tiles.iter().for_each(|&tile| self.bits.set_free(tile, free));
        for (y, x) in surroundings(&self.bits, tiles) {
            self.bits.refresh(Tile::new(x, y), self.rules);
        }
    }

    /// The number of the corner on a tile; a new one if it never was a corner before.
    fn number_or_new(&mut self, tile: Tile, view: &View) -> u32 {
        if let Some(number) = self.number(tile) {
            return number;
        }
        let neighbours = view.edges.iter().filter_map(|&(y, x)| self.number(Tile::new(x, y)));
        let mut ranks: Vec<u32> =
            neighbours.map(|n| self.hierarchy.corners[n as usize].rank).collect();
        ranks.sort_unstable();
        let rank = ranks.get(ranks.len() / 2).copied().unwrap_or(0);
        let number = self.hierarchy.corners.len() as u32;
        self.hierarchy.corners.push(Corner::new(tile, view.pattern, rank));
        self.hierarchy.up.add_owner();
        self.hierarchy.aside.add_owner();
        self.hierarchy.down.add_owner();
        self.added.insert((tile.y, tile.x), number);
        number
    }

    /// Takes over which tiles are connected to which corners.
    fn update_vias<'a>(&mut self, views: impl Iterator<Item = (u32, &'a View, &'a View)>) {
        // By block and corner: the tiles to take away, and those to add.
        let mut changes: Vec<(u32, u32, u64, u64)> = Vec::new();
        for (corner, before, after) in views {
            for (&(block, _), was, is) in beside(&before.blocks, &after.blocks, |&(block, _)| block)
            {
                let [gone, come] = [was, is].map(|part| part.map_or(0, |&(_, mask)| mask));
                if gone != come {
                    changes.push((block, corner, gone, come));
                }
            }
        }
        changes.sort_unstable();
        let mut list = Vec::new();
        for changes in changes.chunk_by(|a, b| a.0 == b.0) {
            let block = changes[0].0;
            list.clear();
            self.vias.each_in(block, |corner, mask| list.push((corner, mask)));
            for &(_, corner, gone, come) in changes {
                match list.binary_search_by_key(&corner, |&(corner, _)| corner) {
                    Ok(at) => list[at].1 = list[at].1 & !gone | come,
                    Err(at) => list.insert(at, (corner, come)),
                }
            }
            list.retain(|&(_, mask)| mask != 0);
            self.vias.set(block, &list);
        }
    }
}

/// Two lists sorted by the same key side by side: for every key one of the items, the item
/// of the first list and that of the second.
fn beside<'a, T, K: Ord>(
    one: &'a [T],
    two: &'a [T],
    key: impl Fn(&T) -> K,
) -> impl Iterator<Item = (&'a T, Option<&'a T>, Option<&'a T>)> {
    let (mut one, mut two) = (one.iter().peekable(), two.iter().peekable());
    std::iter::from_fn(move || {
        let order = match (one.peek(), two.peek()) {
            (Some(a), Some(b)) => key(a).cmp(&key(b)),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        let first = if order.is_le() { one.next() } else { None };
        let second = if order.is_ge() { two.next() } else { None };
        first.or(second).map(|any| (any, first, second))
    })
}

/// The tiles and all their neighbours, those outside the map left out, as (row, column).
fn surroundings(bits: &CornerBits, tiles: &[Tile]) -> BTreeSet<(u16, u16)> {
    let mut found = BTreeSet::new();
    for tile in tiles {
        for y in tile.y.saturating_sub(1)..=tile.y.saturating_add(1) {
            for x in tile.x.saturating_sub(1)..=tile.x.saturating_add(1) {
                if bits.contains(Tile::new(x, y)) {
                    found.insert((y, x));
                }
            }
        }
    }
    found
}

/// The corners that see one of the tiles, or a tile straight beside one, each with the
/// classes in which lines from it may pass there.
fn seers(bits: &CornerBits, rules: &Rules, tiles: &[Tile]) -> BTreeMap<(u16, u16), u16> {
    let mut watched = BTreeSet::new();
    for tile in tiles {
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)] {
            let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
            if let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y))
                && bits.is_free(Tile::new(x, y))
            {
                watched.insert((y, x));
            }
        }
    }
    let mut found: BTreeMap<(u16, u16), u16> = BTreeMap::new();
    for (y, x) in watched {
        let tile = Tile::new(x, y);
        bits.each_span(rules, tile, u16::MAX, |span| {
            bits.each_corner(span, |corner| {
                let classes = behind(rules.movement, direction(corner, tile));
                *found.entry((corner.y, corner.x)).or_default() |= classes;
            });
        });
    }
    found
}

/// The classes of the tiles whose ways may lead over a tile that is seen in this class.
fn behind(movement: Movement, class: usize) -> u16 {
    let reach = match movement {
        // A rectangle: from a ray up to both rays beside it, else the open quadrant.
        Movement::FourConnected if class.is_multiple_of(4) => 13..=19,
        Movement::FourConnected => {
            let begin = class / 4 * 4;
            return 0b1110 << begin;
        }
        // From a ray the octants on both sides, else the open octant.
        _ if class.is_multiple_of(2) => 15..=17,
        _ => 16..=16,
    };
    reach.fold(0, |set, n| set | 1 << ((class + n) % 16))
}

fn view(bits: &CornerBits, rules: &Rules, from: Concerned, gather: &mut Gather) -> View {
    if !bits.is_free(from.tile) {
        return View::default();
    }
    let pattern = bits.pattern(from.tile);
    let classes = rules.ends(pattern) & from.classes;
    let mut seen = View::default();
    if rules.ends(pattern) == 0 {
        return seen;
    }
    seen.pattern = pattern;
    bits.each_span(rules, from.tile, classes, |span| {
        bits.each_corner(span, |other| {
            let ends = rules.ends(bits.pattern(other));
            if ends >> opposite(direction(from.tile, other)) & 1 != 0 {
                seen.edges.push((other.y, other.x));
            }
        });
    });
    gather.scan(bits, rules, from.tile, classes);
    gather.take(|block, mask| seen.blocks.push((block, mask)));
    seen.edges.sort_unstable();
    seen.blocks.sort_unstable();
    seen
}
