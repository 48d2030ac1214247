//! Cleaning: gates that a person would not draw are taken away.
//!
//! One rule does most of it: **a gate is narrower than the ground on both sides of it.**
//! The ground of a zone is as wide as the largest disc that fits into it, walls and the
//! other gates in the way. A strip between two parallel gates, a sliver cut off in a
//! corner, a long line across open ground: all break the rule. The gate that breaks it
//! worst goes first, the zones beside it become one, and the rest is judged anew, because
//! ground becomes wider when a gate goes. Besides, a zone of a few tiles is no place.

use super::gate::{GateLine, Source};
use super::{Decomposition, Place};
use crate::depth;
use crate::grid::{CellId, Grid, Tile};

/// How much longer than the ground is wide a gate may be. A gate straight across an even
/// corridor has 1; a little more lets corridors keep theirs where walls are rough.
const LONGEST: f64 = 1.3;
/// Ends of gates at most this many tiles apart are near each other.
const NEAR: u16 = 8;
/// Zones with fewer tiles are noise.
const SMALLEST: u32 = 16;

/// Lines cut where they meet an earlier one, so that no gate crosses another.
pub(super) fn cut_at_crossings(grid: &Grid, lines: &[GateLine]) -> Vec<GateLine> {
    let mut taken = fixedbitset::FixedBitSet::with_capacity(grid.tiles());
    let mut out = Vec::with_capacity(lines.len());
    for line in lines {
        let mut part: Option<(Tile, Tile)> = None;
        let mut finish = |part: &mut Option<(Tile, Tile)>| {
            out.extend(part.take().map(|(a, b)| GateLine::new(a, b, line.source())));
        };
        for tile in line.tiles() {
            let Some(cell) = grid.cell(tile) else { continue };
            if taken.put(cell.index()) {
                finish(&mut part);
            } else {
                part = Some((part.map_or(tile, |(a, _)| a), tile));
            }
        }
        finish(&mut part);
    }
    out
}

/// The lines that remain of a decomposition's gates. Manual gates always remain.
pub(super) fn clean(grid: &Grid, raw: &Decomposition) -> Vec<GateLine> {
    let mut sites = Sites::new(grid, raw);
    let mut alive: Vec<bool> = vec![true; raw.gates.len()];
    while let Some(gate) = worst(raw, &mut sites, &alive) {
        alive[gate] = false;
        sites.open(gate);
    }
    raw.lines().zip(alive).filter(|(_, alive)| *alive).map(|(line, _)| line).collect()
}

/// A gate judged: how many times longer it is than the narrower ground beside it is wide
/// (infinite if it separates nothing), and the sites beside it.
struct Judged {
    gate: usize,
    excess: f64,
    around: Vec<usize>,
}

/// The gate that breaks the rules worst.
fn worst(raw: &Decomposition, sites: &mut Sites<'_>, alive: &[bool]) -> Option<usize> {
    let mut judged = judge_all(raw, sites, (0..alive.len()).filter(|&gate| alive[gate]));
    judged.sort_by(|a, b| b.excess.total_cmp(&a.excess).then(a.gate.cmp(&b.gate)));
    let mut next = 0;
    while let Some(worst) = judged.get(next).filter(|worst| worst.excess > LONGEST) {
        // The ground may be wider than known so far; if so, judge again and sort in.
        if worst.around.clone().into_iter().any(|site| sites.measure(site)) {
            let again = judge_all(raw, sites, judged[next..].iter().map(|one| one.gate));
            judged.truncate(next);
            judged.extend(again);
            judged[next..].sort_by(|a, b| b.excess.total_cmp(&a.excess).then(a.gate.cmp(&b.gate)));
            continue;
        }
        // Good gates between the same two zones would separate nothing any more once this
        // one is gone: they save it if they are half as long as the bad ones together.
        let (mut good, mut bad) = (0.0, 0.0);
        for other in judged.iter().filter(|other| other.around == worst.around) {
            let sum = if other.excess <= LONGEST { &mut good } else { &mut bad };
            *sum += raw.gates[other.gate].line.span();
        }
        let automatic = raw.gates[worst.gate].source() == Source::Automatic;
        if automatic && (worst.excess > 2.0 * LONGEST || 2.0 * good < bad) {
            return Some(worst.gate);
        }
        next += 1;
    }
    None
}

/// Judges gates. Those between the same sites whose ends are near each other count as
/// one: they are pieces of one stroke over small walls, or bend around a corner.
fn judge_all(
    raw: &Decomposition,
    sites: &mut Sites<'_>,
    gates: impl Iterator<Item = usize>,
) -> Vec<Judged> {
    let mut judged: Vec<Judged> = gates
        .map(|gate| Judged { gate, excess: f64::INFINITY, around: sites.around(gate) })
        .collect();
    let mut chain: Vec<usize> = (0..judged.len()).collect();
    for i in 0..judged.len() {
        for j in 0..i {
            if judged[i].around == judged[j].around
                && near(raw.gates[judged[i].gate].line, raw.gates[judged[j].gate].line)
            {
                let (one, other) = (root(&mut chain, i), root(&mut chain, j));
                chain[one] = other;
            }
        }
    }
    let mut spans = vec![0.0; judged.len()];
    for i in 0..judged.len() {
        spans[root(&mut chain, i)] += raw.gates[judged[i].gate].line.span();
    }
    for (i, one) in judged.iter_mut().enumerate().filter(|(_, one)| one.around.len() >= 2) {
        let beside = || one.around.iter().map(|&site| &sites.sites[site]);
        let narrowest = beside().map(Site::width).fold(f64::INFINITY, f64::min);
        let sliver = beside().any(|site| site.area < SMALLEST);
        one.excess = spans[root(&mut chain, i)] / narrowest * if sliver { 1e3 } else { 1.0 };
    }
    judged
}

/// Whether an end of one line is near an end of the other.
fn near(one: GateLine, other: GateLine) -> bool {
    let close = |p: Tile, q: Tile| p.x.abs_diff(q.x).max(p.y.abs_diff(q.y)) <= NEAR;
    [one.a(), one.b()].into_iter().any(|p| close(p, other.a()) || close(p, other.b()))
}

fn root(chain: &mut [usize], mut i: usize) -> usize {
    while chain[i] != i {
        chain[i] = chain[chain[i]];
        i = chain[i];
    }
    i
}

/// Zones as they merge: what a site covers, how large and how wide it is.
struct Sites<'a> {
    grid: &'a Grid,
    raw: &'a Decomposition,
    /// By zone, then by gate: the site it has become part of.
    parent: Vec<usize>,
    sites: Vec<Site>,
}

#[derive(Clone, Copy)]
struct Site {
    area: u32,
    /// Left, top, right, bottom; all included.
    bounds: [u32; 4],
    /// The distance index of its deepest tile, other sites and gates being walls.
    deepest: u16,
    /// Whether that is exact. After a merger it is the larger of the two, and measured
    /// only when it matters.
    measured: bool,
}

impl Site {
    /// The diameter of the largest disc inside, in tiles.
    fn width(&self) -> f64 {
        (f64::from(self.deepest) * 0.4 - 1.0).max(1.0)
    }

    fn join(&mut self, other: Site) {
        let [l, t, r, b] = other.bounds;
        let [left, top, right, bottom] = self.bounds;
        self.bounds = [left.min(l), top.min(t), right.max(r), bottom.max(b)];
        self.area += other.area;
        self.deepest = self.deepest.max(other.deepest);
    }
}

impl<'a> Sites<'a> {
    fn new(grid: &'a Grid, raw: &'a Decomposition) -> Sites<'a> {
        let nodes = raw.zones.len() + raw.gates.len();
        let empty =
            Site { area: 0, bounds: [u32::MAX, u32::MAX, 0, 0], deepest: 0, measured: true };
        let width = grid.width() as usize;
        let mut out = Sites { grid, raw, parent: (0..nodes).collect(), sites: vec![empty; nodes] };
        let distance = depth::distances(grid.width(), grid.height(), |x, y| {
            matches!(raw.place(CellId::from_index(y * width + x)), Place::Zone(_))
        });
        for cell in grid.free_cells() {
            let Some(node) = out.node(cell) else { continue };
            let (x, y) = ((cell.index() % width) as u32, (cell.index() / width) as u32);
            let deepest = distance[cell.index()];
            out.sites[node].join(Site { area: 1, bounds: [x, y, x, y], deepest, measured: true });
        }
        out
    }

    /// The zone or gate of a tile, as a number over both.
    fn node(&self, cell: CellId) -> Option<usize> {
        match self.raw.place(cell) {
            Place::Wall => None,
            Place::Zone(zone) => Some(zone.index()),
            Place::Gate(gate) => Some(self.raw.zones.len() + gate.index()),
        }
    }

    fn find(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    /// The sites beside a gate, each once.
    fn around(&mut self, gate: usize) -> Vec<usize> {
        let raw = self.raw;
        let mut sites: Vec<usize> =
            raw.gates[gate].zones.iter().map(|zone| self.find(zone.index())).collect();
        sites.sort_unstable();
        sites.dedup();
        sites
    }

    /// Takes a gate away: it and all beside it become one site.
    fn open(&mut self, gate: usize) {
        let sites = self.around(gate);
        let own = self.raw.zones.len() + gate;
        for site in sites {
            self.parent[site] = own;
            let joined = self.sites[site];
            self.sites[own].join(joined);
        }
        self.sites[own].measured = false;
    }

    /// Makes sure that the deepest tile of a site is exact. Returns whether that was news.
    fn measure(&mut self, site: usize) -> bool {
        if self.sites[site].measured {
            return false;
        }
        let [left, top, right, bottom] = self.sites[site].bounds;
        // Look every node up once, not every tile.
        let member: Vec<bool> = (0..self.parent.len()).map(|n| self.find(n) == site).collect();
        let width = self.grid.width() as usize;
        let inside = depth::distances(right - left + 1, bottom - top + 1, |x, y| {
            let cell = (y + top as usize) * width + x + left as usize;
            self.node(CellId::from_index(cell)).is_some_and(|node| member[node])
        });
        self.sites[site].deepest = inside.into_iter().max().unwrap_or(0);
        self.sites[site].measured = true;
        true
    }
}
