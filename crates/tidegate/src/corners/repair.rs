//! Following the map: the hierarchy after tiles became wall or free is bit by bit the
//! one that contracting all corners again in the kept order would give.
//!
//! Tiles are closed in one step and opened in another. What a step changes is found by
//! looking from the changed tiles: a line that is safe on one of the two maps and not on
//! the other passes a changed tile or the tile beside it, so both its ends see one of
//! these on the *wider* map, where the changed tiles are free. For every corner that
//! does, the lines in the directions concerned are listed on both maps and compared.
//!
//! New corners are contracted first. Up-lists are then worked out again in the order of
//! ranks, beginning with the corners whose lines changed, and further up as long as
//! lists come out different.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::Corners;
use super::hierarchy::{Arc, Corner, EDGE, Hierarchy, Workspace};
use super::vias::Gather;
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
    edges: BTreeSet<(u16, u16)>,
    blocks: BTreeMap<u32, u64>,
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

    /// Whether so much was repaired that building again would make answers quicker.
    pub fn is_aged(&self) -> bool {
        let (sorted, all) = (self.sorted, self.hierarchy.corners.len());
        all > sorted + sorted / 4 + 64
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
        let numbers: Vec<u32> = differ
            .iter()
            .map(|&n| self.number_or_new(concerned[n].tile, after[n].pattern))
            .collect();
        self.update_vias(differ.iter().zip(&numbers).map(|(&n, &c)| (c, &before[n], &after[n])));
        let mut lines = Lines::default();
        for (&n, &corner) in differ.iter().zip(&numbers) {
            let known = &mut self.hierarchy.corners[corner as usize];
            if known.pattern != after[n].pattern {
                known.pattern = after[n].pattern;
                lines.patterns.insert(corner);
            }
            for &(y, x) in before[n].edges.symmetric_difference(&after[n].edges) {
                let other = self.number_or_new(Tile::new(x, y), 0);
                let present = after[n].edges.contains(&(y, x));
                lines.edges.entry(self.low(corner, other)).or_default().insert(
                    if self.low(corner, other) == corner { other } else { corner },
                    present,
                );
            }
        }
        self.hierarchy.recontract(rules, &lines);
        self.vias.tidy();
    }

    fn low(&self, a: u32, b: u32) -> u32 {
        let rank = |n: u32| self.hierarchy.corners[n as usize].rank;
        if rank(a) < rank(b) { a } else { b }
    }

    fn set_free(&mut self, tiles: &[Tile], free: bool) {
        tiles.iter().for_each(|&tile| self.bits.set_free(tile, free));
        for (y, x) in surroundings(&self.bits, tiles) {
            self.bits.refresh(Tile::new(x, y), self.rules);
        }
    }

    /// The number of the corner on a tile; a new one, ranked below all others, if it
    /// never was a corner before.
    fn number_or_new(&mut self, tile: Tile, pattern: u8) -> u32 {
        if let Some(number) = self.number(tile) {
            return number;
        }
        let number = self.hierarchy.corners.len() as u32;
        self.lowest -= 1;
        self.hierarchy.corners.push(Corner::new(tile, pattern, self.lowest));
        self.hierarchy.up.add_owner();
        self.hierarchy.down.add_owner();
        self.added.insert((tile.y, tile.x), number);
        number
    }

    /// Takes over which tiles are connected to which corners.
    fn update_vias<'a>(&mut self, views: impl Iterator<Item = (u32, &'a View, &'a View)>) {
        // By block and corner: the tiles to take away, and those to add.
        let mut changes: BTreeMap<u32, BTreeMap<u32, (u64, u64)>> = BTreeMap::new();
        for (corner, before, after) in views {
            let blocks: BTreeSet<u32> =
                before.blocks.keys().chain(after.blocks.keys()).copied().collect();
            for block in blocks {
                let of = |view: &View| view.blocks.get(&block).copied().unwrap_or(0);
                if of(before) != of(after) {
                    let change = (of(before), of(after));
                    changes.entry(block).or_default().insert(corner, change);
                }
            }
        }
        let mut list = Vec::new();
        for (block, mut changes) in changes {
            list.clear();
            self.vias.each_in(block, |corner, mask| {
                let (gone, come) = changes.remove(&corner).unwrap_or_default();
                list.push((corner, mask & !gone | come));
            });
            list.extend(changes.into_iter().map(|(corner, (_, come))| (corner, come)));
            list.retain(|&(_, mask)| mask != 0);
            list.sort_unstable();
            self.vias.set(block, &list);
        }
    }
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
        Movement::FourConnected if class % 4 == 0 => 13..=19,
        Movement::FourConnected => {
            let begin = class / 4 * 4;
            return 0b1110 << begin;
        }
        // From a ray the octants on both sides, else the open octant.
        _ if class % 2 == 0 => 15..=17,
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
                seen.edges.insert((other.y, other.x));
            }
        });
    });
    gather.scan(bits, rules, from.tile, classes);
    gather.take(|block, mask| {
        seen.blocks.insert(block, mask);
    });
    seen
}

/// What changed in the graph.
#[derive(Debug, Default)]
struct Lines {
    /// By the lower corner: the higher ones, and whether there is an edge now.
    edges: BTreeMap<u32, BTreeMap<u32, bool>>,
    /// Corners that allow other turns now.
    patterns: BTreeSet<u32>,
}

impl Hierarchy {
    /// Works out again, in the order of ranks, every list that the change reaches.
    fn recontract(&mut self, rules: &Rules, lines: &Lines) {
        let mut space = Workspace::new(self.corners.len());
        let mut queue: BinaryHeap<Reverse<(i32, u32)>> = BinaryHeap::new();
        let entry = |corners: &[Corner], n: u32| Reverse((corners[n as usize].rank, n));
        queue.extend(lines.edges.keys().map(|&n| entry(&self.corners, n)));
        for &corner in &lines.patterns {
            queue.extend(self.up.get(corner).iter().map(|arc| entry(&self.corners, arc.to)));
        }
        let mut changed = BTreeSet::new();
        let mut last = None;
        while let Some(Reverse((_, corner))) = queue.pop() {
            if last.replace(corner) == Some(corner) {
                continue;
            }
            let mut old: Vec<Arc> = self.up.get(corner).to_vec();
            old.sort_unstable_by_key(|arc| arc.to);
            old.iter_mut().for_each(|arc| arc.turns = 0);
            let tile = self.corners[corner as usize].tile;
            let now = lines.edges.get(&corner);
            let kept = old.iter().filter(|arc| arc.middle == EDGE).map(|arc| arc.to);
            let kept = kept.filter(|to| now.is_none_or(|now| !now.contains_key(to)));
            let new = now.into_iter().flatten().filter(|(_, present)| **present).map(|(&to, _)| to);
            let edges = kept
                .chain(new)
                .map(|to| Arc::edge(rules, tile, to, self.corners[to as usize].tile));
            let list = self.up_list(rules, corner, edges, &mut space);
            if list == old {
                continue;
            }
            let targets: BTreeSet<u32> = old.iter().chain(list).map(|arc| arc.to).collect();
            for &to in &targets {
                let has = |list: &[Arc]| list.binary_search_by_key(&to, |arc| arc.to).is_ok();
                if has(&old) != has(list) {
                    let mut down = self.down.get(to).to_vec();
                    match down.binary_search(&corner) {
                        Ok(at) => drop(down.remove(at)),
                        Err(at) => down.insert(at, corner),
                    }
                    self.down.set(to, &down);
                }
            }
            self.up.set(corner, list);
            changed.insert(corner);
            queue.extend(targets.iter().map(|&to| entry(&self.corners, to)));
        }
        let below = |of: &BTreeSet<u32>, hierarchy: &Hierarchy| -> BTreeSet<u32> {
            let lower = of.iter().flat_map(|&corner| hierarchy.down.get(corner)).copied();
            lower.chain(of.iter().copied()).collect()
        };
        // Which arcs searches use depends on the lists one level up.
        let resort = below(&changed, self);
        let mut moved: BTreeSet<u32> = lines.patterns.clone();
        for &corner in &resort {
            let leaves = self.corners[corner as usize].leaves;
            self.sort_out(corner, &mut space);
            if self.corners[corner as usize].leaves != leaves {
                moved.insert(corner);
            }
        }
        let turned = below(&moved, self).into_iter().chain(resort);
        turned.for_each(|corner| self.find_turns(rules, corner));
        self.up.tidy();
        self.down.tidy();
    }
}
