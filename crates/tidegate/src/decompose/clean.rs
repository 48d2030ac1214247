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
    let living = (0..alive.len()).filter(|&gate| alive[gate]);
    let mut judged: Vec<Judged> = living.map(|gate| judge(raw, sites, gate)).collect();
    judged.sort_by(|a, b| b.excess.total_cmp(&a.excess).then(a.gate.cmp(&b.gate)));
    let mut next = 0;
    while let Some(worst) = judged.get(next).filter(|worst| worst.excess > LONGEST) {
        // The ground may be wider than known so far; if so, judge again and sort in.
        if worst.around.clone().into_iter().any(|site| sites.measure(site)) {
            for one in &mut judged[next..] {
                *one = judge(raw, sites, one.gate);
            }
            judged[next..].sort_by(|a, b| b.excess.total_cmp(&a.excess).then(a.gate.cmp(&b.gate)));
            continue;
        }
        // A good gate beside it would separate nothing any more once this one is gone.
        let good = |other: &Judged| other.excess <= LONGEST && other.around == worst.around;
        let automatic = raw.gates[worst.gate].source() == Source::Automatic;
        if automatic && (worst.excess > 2.0 * LONGEST || !judged.iter().any(good)) {
            return Some(worst.gate);
        }
        next += 1;
    }
    None
}

fn judge(raw: &Decomposition, sites: &mut Sites<'_>, gate: usize) -> Judged {
    let around = sites.around(gate);
    let narrowest = around.iter().map(|&site| sites.sites[site].width()).min_by(f64::total_cmp);
    let sliver = around.iter().any(|&site| sites.sites[site].area < SMALLEST);
    let excess = match narrowest {
        Some(width) if around.len() >= 2 => {
            raw.gates[gate].line.span() / width * if sliver { 1e3 } else { 1.0 }
        }
        _ => f64::INFINITY,
    };
    Judged { gate, excess, around }
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
