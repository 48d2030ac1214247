//! A decomposition made fit for searching: what people did by hand to some maps, done by
//! measuring.
//!
//! Zones and gates that please people are not always those that guide a search best. A
//! hall with sixty gates costs sixty distances a tile; a gate as long as a field says
//! little about where one crosses it. [`tune`] proposes changes of a few kinds (leave out
//! long gates, split zones with too many, cut gates into pieces) and
//! keeps those that make a sample of random searches cheaper. It counts expansions, not
//! seconds, so the same map and seed give the same gates everywhere. The decomposition
//! it starts from is left as it is.
//!
//! Cheaper is first of all not to expand more than `gateway` does on the untuned gates,
//! and then to take less time as [`weigh`] estimates it. So all gates are left out only
//! where `gateway` saves nothing either.

use super::gate_distances::GateDistances;
use super::zone_distances::ZoneDistances;
use super::{Consistent, ConsistentScratch, GatewayScratch};
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::Cost;
use crate::decompose::{Decomposition, GateError, GateLine, Place, Source};
use crate::grid::component::Components;
use crate::grid::{CellId, Grid, Tile};
use crate::index::{Refused, TableOptions};
use crate::rng::Rng;
use crate::search::{
    BucketQueue, GridSpace, Heuristic, MartelliQueue, Open, SearchScratch, search,
};
use crate::threads;

/// How to tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TuneOptions {
    /// Where the sample comes from.
    pub seed: u64,
    /// How many searches are sampled; fewer on maps of more than 2^20 tiles, so that
    /// tuning takes time by the tile, but never fewer than eight.
    pub queries: usize,
}

impl Default for TuneOptions {
    fn default() -> TuneOptions {
        TuneOptions { seed: 1, queries: 32 }
    }
}

impl TableOptions for TuneOptions {
    fn write(&self, out: &mut Writer) {
        out.u64(self.seed);
        out.u64((self.queries as u64).min(MOST_QUERIES));
    }

    fn read(from: &mut Reader<'_>) -> Result<TuneOptions, WireError> {
        let seed = from.u64("seed of the sample")?;
        match from.u64("searches of the sample")? {
            queries @ 0..=MOST_QUERIES => Ok(TuneOptions { seed, queries: queries as usize }),
            _ => Err(WireError::meaning("too many searches in the sample")),
        }
    }
}

/// The most searches that are sampled.
const MOST_QUERIES: u64 = 1 << 16;

/// What tuning did.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The tables of the best decomposition, which is in them.
    pub tables: ZoneDistances,
    /// Expansions of the whole sample, before and after.
    pub expanded: (u64, u64),
    /// The changes that were kept, in order.
    pub kept: Vec<&'static str>,
}

/// What an expansion costs when its estimates look at tables, in expansions by octile.
const LOOKUP_FACTOR: f64 = 1.8;
/// So many bytes of table a tile make it dearer by one more.
const BYTES_PER_EXTRA_EXPANSION: f64 = 50.0;
/// A zone with more gates than this is split.
const MANY_GATES: usize = 10;
/// Zones smaller than this are left alone.
const SMALL_ZONE: u32 = 2_000;
/// A changed decomposition with more distances a tile than this is not tried: it would
/// have to save more expansions than any does.
const MOST_DISTANCES: u64 = 64;

/// A kind of change: the lines of a changed decomposition, or none if nothing is to do.
type Change = fn(&Grid, &Decomposition) -> Option<Vec<GateLine>>;

const CHANGES: [(&str, Change); 9] = [
    ("leave out gates longer than 40", |_, made| drop_long_gates(made, 40)),
    ("leave out gates longer than 24", |_, made| drop_long_gates(made, 24)),
    ("leave out gates longer than 14", |_, made| drop_long_gates(made, 14)),
    ("leave out gates longer than 8", |_, made| drop_long_gates(made, 8)),
    ("split zones with many gates", |grid, made| split_zones(grid, made, 6)),
    ("split zones with many gates once", |grid, made| split_zones(grid, made, 1)),
    ("cut gates into pieces of 8", |_, made| cut_gates(made, 8)),
    ("cut gates into pieces of 4", |_, made| cut_gates(made, 4)),
    // On open ground octile is as good, and quicker to work out.
    ("leave out all gates", |_, made| (!made.gates().is_empty()).then(Vec::new)),
];

/// Changes a decomposition for the better of sampled searches.
pub fn tune(grid: &Grid, start: &Decomposition, options: &TuneOptions) -> Result<Tuned, Refused> {
    tune_beside(grid, start, None, options)
}

/// The same, with the tables of `gateway` on the same gates if they are at hand.
pub(crate) fn tune_beside(
    grid: &Grid,
    start: &Decomposition,
    gateway: Option<&GateDistances>,
    options: &TuneOptions,
) -> Result<Tuned, Refused> {
    let sample = sample(grid, options);
    let mut tables = ZoneDistances::build(grid, start.clone())?;
    let gateway = gateway_expansions(grid, start, gateway, &sample);
    let rank = |tables: &ZoneDistances, expanded: u64| {
        let (behind, dearer) = gateway.map_or((0, 1.0), |g| behind(tables, expanded, g));
        (behind, dearer * weigh(grid, tables, expanded))
    };
    let before = expansions(grid, &tables, &sample);
    let (mut expanded, mut kept) = (before, Vec::new());
    for (name, change) in CHANGES {
        let Some(lines) = change(grid, tables.decomposition()) else { continue };
        let Some(made) = from_lines(grid, lines) else { continue };
        if ZoneDistances::entries(&made) > MOST_DISTANCES * grid.tiles() as u64 {
            continue;
        }
        let Ok(changed) = ZoneDistances::build(grid, made) else { continue };
        let cost = expansions(grid, &changed, &sample);
        if rank(&changed, cost) < rank(&tables, expanded) {
            (tables, expanded) = (changed, cost);
            kept.push(name);
        }
    }
    Ok(Tuned { tables, expanded: (before, expanded), kept })
}

/// How many expansions the sample is behind `gateway`, and how much dearer it counts for
/// being near that: other searches than those of the sample should not fall behind
/// either. Gates that save `gateway` next to nothing may be left out.
fn behind(tables: &ZoneDistances, expanded: u64, gateway: u64) -> (u64, f64) {
    if tables.decomposition().gates().is_empty() {
        return (expanded.saturating_sub(gateway + gateway / 32), 1.0);
    }
    let share = expanded as f64 / gateway.max(1) as f64;
    (expanded.saturating_sub(gateway), 1.0 + 2.0 * (share - 0.8).max(0.0))
}

/// What `gateway` expands for the sample on the untuned gates, if there are any.
fn gateway_expansions(
    grid: &Grid,
    start: &Decomposition,
    gateway: Option<&GateDistances>,
    sample: &[(CellId, CellId)],
) -> Option<u64> {
    let built;
    let tables = match gateway {
        _ if start.gates().is_empty() => return None,
        Some(tables) => tables,
        None => {
            built = GateDistances::build(grid, start).ok()?;
            &built
        }
    };
    Some(total(sample, |scratch: &mut (SearchScratch<Cost, MartelliQueue>, _), ends| {
        let (tiles, gates): (_, &mut GatewayScratch) = (&mut scratch.0, &mut scratch.1);
        expanded(grid, ends, &mut tables.estimate(grid, start, ends.1, gates), tiles)
    }))
}

/// What a sample costs in time: expansions, made dearer by the look at the tables and by
/// the bytes of table that a search walks through. On StarCraft maps an expansion takes
/// 1.5 to 3.7 times as long as by octile; the two factors lie a little above that, so
/// that gates stay only where they clearly pay.
fn weigh(grid: &Grid, tables: &ZoneDistances, expanded: u64) -> f64 {
    if tables.decomposition().gates().is_empty() {
        return expanded as f64;
    }
    let bytes = tables.bytes() as f64 / grid.free_tiles().max(1) as f64;
    expanded as f64 * (LOOKUP_FACTOR + bytes / BYTES_PER_EXTRA_EXPANSION)
}

/// Pairs of connected tiles, evenly from near to far as problems of benchmarks are. Most
/// random pairs are neither.
fn sample(grid: &Grid, options: &TuneOptions) -> Vec<(CellId, CellId)> {
    let components = Components::of(grid);
    let cells: Vec<CellId> = grid.free_cells().collect();
    let mut rng = Rng::new(options.seed);
    let fewer = options.queries.saturating_mul(1 << 20) / grid.tiles().max(1 << 20);
    let queries = fewer.max(options.queries.min(8));
    let mut pairs = Vec::with_capacity(queries * 8);
    for _ in 0..queries * 8 {
        if let (Some(&a), Some(&b)) = (rng.pick(&cells), rng.pick(&cells))
            && components.connected(a, b)
        {
            pairs.push((grid.movement().estimate(grid.tile(a), grid.tile(b)), a, b));
        }
    }
    pairs.sort_unstable();
    let longest = pairs.last().map_or(0, |&(length, ..)| u64::from(length));
    let mut chosen = Vec::with_capacity(queries);
    for k in 1..=queries as u64 {
        let wanted = longest * k / queries as u64;
        let at = pairs.partition_point(|&(length, ..)| u64::from(length) < wanted);
        if at < pairs.len() {
            let (_, a, b) = pairs.remove(at);
            chosen.push((a, b));
        } else if let Some((_, a, b)) = pairs.pop() {
            chosen.push((a, b));
        }
    }
    chosen
}

/// How many tiles the sampled searches expand in all.
fn expansions(grid: &Grid, tables: &ZoneDistances, sample: &[(CellId, CellId)]) -> u64 {
    total(sample, |scratch: &mut (SearchScratch<Cost, BucketQueue>, _), ends| {
        let (tiles, gates): (_, &mut ConsistentScratch) = (&mut scratch.0, &mut scratch.1);
        expanded(grid, ends, &mut Consistent::new(grid, tables, ends.1, gates), tiles)
    })
}

/// How many tiles one search expands.
fn expanded<Q: Open<Cost>>(
    grid: &Grid,
    (start, goal): (CellId, CellId),
    estimate: &mut impl Heuristic<Cost>,
    scratch: &mut SearchScratch<Cost, Q>,
) -> u64 {
    let (sources, goal) = ([(start.index() as u32, Cost::ZERO)], goal.index() as u32);
    let space = GridSpace::new(grid);
    search(&space, &sources, |node| node == goal, estimate, scratch, &mut ()).1.expanded
}

/// The sum over a sample, each thread with a scratch of its own.
fn total<S: Default + Send>(
    sample: &[(CellId, CellId)],
    one: impl Fn(&mut S, (CellId, CellId)) -> u64 + Sync + Send,
) -> u64 {
    threads::map(sample.len(), 4096, S::default, |scratch, n| one(scratch, sample[n]))
        .into_iter()
        .sum()
}

/// The decomposition of these lines without those that do not fit.
fn from_lines(grid: &Grid, mut lines: Vec<GateLine>) -> Option<Decomposition> {
    loop {
        match Decomposition::from_gates(grid, lines.iter().copied()) {
            Ok(made) => return Some(made),
            Err(GateError::Overlap { .. }) => return None,
            Err(GateError::Line { gate, .. } | GateError::Covered { gate }) => {
                lines.remove(gate);
            }
        }
    }
}

/// Cuts every large zone with many gates in two, along the row or column in its middle
/// half that has the fewest tiles; then again what is left, so many times.
fn split_zones(grid: &Grid, made: &Decomposition, rounds: u32) -> Option<Vec<GateLine>> {
    let mut lines: Vec<GateLine> = made.lines().collect();
    let before = lines.len();
    let mut made = made.clone();
    for _ in 0..rounds {
        let count = lines.len();
        for zone in made.zones() {
            if zone.gates().len() > MANY_GATES && zone.area() >= SMALL_ZONE {
                lines.extend(cut(grid, &made, Place::Zone(zone.id()), zone.area()));
            }
        }
        if lines.len() == count {
            break;
        }
        made = from_lines(grid, lines.clone())?;
    }
    (lines.len() > before).then_some(lines)
}

/// Gates over a whole row or column of a zone.
fn cut(grid: &Grid, made: &Decomposition, zone: Place, area: u32) -> Vec<GateLine> {
    let (mut columns, mut rows) =
        (vec![0_u32; grid.width() as usize], vec![0_u32; grid.height() as usize]);
    for cell in grid.free_cells().filter(|&cell| made.place(cell) == zone) {
        let tile = grid.tile(cell);
        columns[usize::from(tile.x)] += 1;
        rows[usize::from(tile.y)] += 1;
    }
    let thinnest = |counts: &[u32]| {
        let mut below = 0;
        let mut best: Option<(u32, usize)> = None;
        for (i, &count) in counts.iter().enumerate() {
            let middle = below >= area / 4 && below + count <= area - area / 4;
            if middle && count > 0 && best.is_none_or(|(least, _)| count < least) {
                best = Some((count, i));
            }
            below += count;
        }
        best
    };
    let along_column = match (thinnest(&columns), thinnest(&rows)) {
        (Some(column), Some(row)) if row.0 < column.0 => (false, row.1),
        (Some(column), _) => (true, column.1),
        (None, Some(row)) => (false, row.1),
        (None, None) => return Vec::new(),
    };
    let (is_column, at) = along_column;
    let length = if is_column { grid.height() } else { grid.width() };
    let tile = |i: u32| match is_column {
        true => Tile::new(at as u16, i as u16),
        false => Tile::new(i as u16, at as u16),
    };
    let inside = |i: u32| grid.cell(tile(i)).is_some_and(|cell| made.place(cell) == zone);
    let mut lines = Vec::new();
    let mut start = None;
    for i in 0..=length {
        match (i < length && inside(i), start) {
            (true, None) => start = Some(i),
            (false, Some(first)) => {
                lines.push(GateLine::new(tile(first), tile(i - 1), Source::Automatic));
                start = None;
            }
            _ => {}
        }
    }
    lines
}

/// Leaves out gates that run across open ground. Every gate on a way blurs the estimate
/// by its length, and a larger zone costs nothing but a distance per gate.
fn drop_long_gates(made: &Decomposition, most: u32) -> Option<Vec<GateLine>> {
    let lines: Vec<GateLine> = made.lines().filter(|line| line.width() <= most).collect();
    (lines.len() < made.lines().count()).then_some(lines)
}

/// Cuts long gates into pieces of nearly equal length, at most `most` tiles each.
fn cut_gates(made: &Decomposition, most: u32) -> Option<Vec<GateLine>> {
    let mut lines = Vec::new();
    for line in made.lines() {
        let tiles: Vec<Tile> = line.tiles().collect();
        let pieces = line.width().div_ceil(most) as usize;
        for piece in 0..pieces {
            let first = piece * tiles.len() / pieces;
            let last = (piece + 1) * tiles.len() / pieces - 1;
            lines.push(GateLine::new(tiles[first], tiles[last], line.source()));
        }
    }
    (lines.len() > made.lines().count()).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompose::WaterOptions;
    use crate::grid::Movement;

    #[test]
    fn tuning_never_makes_the_sample_dearer_and_is_repeatable() {
        let grid = Grid::from_fn(120, 90, Movement::default(), |x, y| {
            // A hall with many niches: a zone with many gates.
            (30..60).contains(&y) || (x % 8 < 5 && !(y == 29 || y == 60) || x % 8 == 2)
        })
        .unwrap();
        let start = Decomposition::water(&grid, &WaterOptions::default());
        let options = TuneOptions { seed: 7, queries: 24 };
        let tuned = tune(&grid, &start, &options).unwrap();
        assert_eq!(tune(&grid, &start, &options).unwrap().tables, tuned.tables);
        tuned.tables.decomposition().check(&grid).unwrap();
        let sample = sample(&grid, &options);
        let (before, after) = tuned.expanded;
        let untuned = ZoneDistances::build(&grid, start).unwrap();
        assert_eq!(expansions(&grid, &untuned, &sample), before);
        assert_eq!(expansions(&grid, &tuned.tables, &sample), after);
        assert!(weigh(&grid, &tuned.tables, after) <= weigh(&grid, &untuned, before));
    }

    #[test]
    fn a_cut_runs_from_wall_to_wall() {
        let grid = Grid::from_rows(&["......", "..##..", "......", "......"]).unwrap();
        let made = Decomposition::from_gates(&grid, []).unwrap();
        let zone = Place::Zone(made.zones()[0].id());
        let lines = cut(&grid, &made, zone, made.zones()[0].area());
        let tuned = Decomposition::from_gates(&grid, lines).unwrap();
        assert_eq!(tuned.zones().len(), 2);
    }
}
