//! Gates made fit for searching, and landmarks beside or instead of them: what people did by
//! hand to some maps, done by measuring.
//!
//! Zones and gates that please people are not always those that guide a search best. A
//! hall with sixty gates costs sixty distances a tile; a gate as long as a field says
//! little about where one crosses it; on some maps a few landmarks say more in less memory.
//! [`tune`] proposes changes of a few kinds (leave out long gates, split zones with too many,
//! cut gates into pieces, add landmarks, leave out all gates) and keeps those that make a
//! sample of random searches cheaper. It counts expansions, not seconds, so the same map and
//! seed give the same tables everywhere. The decomposition it starts from is left as it is.
//!
//! Cheaper is first of all not to expand more than `gateway` does on the untuned gates,
//! and then to take less time as [`weigh`] estimates it.
//!
//! No two tables of gates are held at a time: what was found best is built again at the end.

use super::gate_distances::GateDistances;
use super::tuned_distances::TunedDistances;
use super::zone_distances::ZoneDistances;
use super::{ConsistentScratch, GatewayScratch, TunedEstimate};
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::Cost;
use crate::decompose::{Decomposition, GateError, GateLine, Place, Source};
use crate::differential::Landmarks;
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
    /// The tables that were found best, with the gates they are for.
    pub tables: TunedDistances,
    /// Expansions of the whole sample, before (by octile if the gates are too many to be
    /// tried) and after.
    pub expanded: (u64, u64),
    /// The changes that were kept, in order.
    pub kept: Vec<&'static str>,
}

/// How much dearer an expansion gets when its estimate looks at gates, in expansions by octile.
const GATES_FACTOR: f64 = 2.0;
/// The same for landmarks.
const LANDMARKS_FACTOR: f64 = 0.2;
/// So many bytes of table a tile make it dearer by one more.
const BYTES_PER_EXTRA_EXPANSION: f64 = 50.0;
/// How many landmarks are tried beside gates that are still being changed.
const FEW_LANDMARKS: usize = 4;
/// How many landmarks are tried, from few to many, for as long as more are better.
const COUNTS: [usize; 6] = [2, 4, 6, 8, 12, 16];
/// Of so many far-apart tiles the landmarks are chosen.
const LANDMARK_CANDIDATES: usize = 24;
/// So many pairs of tiles say which are best.
const LANDMARK_PAIRS: usize = 1024;
/// A zone with more gates than this is split.
const MANY_GATES: usize = 10;
/// Zones smaller than this are left alone.
const SMALL_ZONE: u32 = 2_000;
/// Gates with more distances a tile than this are not tried: beside landmarks they would have
/// to save more expansions than any do, and tables are to be built in little more memory
/// than the best of them takes.
const MOST_DISTANCES: u64 = 12;

/// A kind of change: the lines of a changed decomposition, or none if nothing is to do.
type Change = fn(&Grid, &Decomposition) -> Option<Vec<GateLine>>;

const CHANGES: [(&str, Change); 8] = [
    ("leave out gates longer than 40", |_, made| drop_long_gates(made, 40)),
    ("leave out gates longer than 24", |_, made| drop_long_gates(made, 24)),
    ("leave out gates longer than 14", |_, made| drop_long_gates(made, 14)),
    ("leave out gates longer than 8", |_, made| drop_long_gates(made, 8)),
    ("split zones with many gates", |grid, made| split_zones(grid, made, 6)),
    ("split zones with many gates once", |grid, made| split_zones(grid, made, 1)),
    ("cut gates into pieces of 8", |_, made| cut_gates(made, 8)),
    ("cut gates into pieces of 4", |_, made| cut_gates(made, 4)),
];

/// Chooses gates and landmarks for the better of sampled searches.
pub fn tune(grid: &Grid, start: &Decomposition, options: &TuneOptions) -> Result<Tuned, Refused> {
    tune_beside(grid, &Components::of(grid), start, None, options)
}

/// The same, with the tables of `gateway` on the same gates if they are at hand.
pub(crate) fn tune_beside(
    grid: &Grid,
    components: &Components,
    start: &Decomposition,
    gateway: Option<&GateDistances>,
    options: &TuneOptions,
) -> Result<Tuned, Refused> {
    let sample = sample(grid, components, options.seed, fewer_on_large_maps(grid, options));
    ZoneDistances::check_size(grid, start)?;
    if sample.is_empty() {
        let zones = (!start.gates().is_empty()).then(|| ZoneDistances::build(grid, start.clone()));
        let tables = TunedDistances::new(zones.transpose()?, None);
        return Ok(Tuned { tables, expanded: (0, 0), kept: Vec::new() });
    }
    let gateway = gateway_expansions(grid, start, gateway, &sample);
    let pairs = self::sample(grid, components, !options.seed, LANDMARK_PAIRS);
    let most = COUNTS.into_iter().max().unwrap_or(0);
    let places = Landmarks::choose(grid, components, &pairs, LANDMARK_CANDIDATES, most)?;
    let trial = Trial { grid, sample, gateway, places };

    let zones = is_worth_trying(grid, start).then(|| ZoneDistances::build(grid, start.clone()));
    let zones = zones.transpose()?;
    let untuned = trial.rank(zones.as_ref(), None);
    let mut few = trial.landmarks(FEW_LANDMARKS)?;
    let mut best = zones.map(|zones| {
        let with_few = trial.rank(Some(&zones), few.as_ref());
        if with_few >= untuned {
            few = None;
        }
        if few.is_some() { with_few } else { untuned }
    });
    let (mut gates, mut kept) = (start.clone(), Vec::new());
    for (name, change) in CHANGES {
        let Some(lines) = change(grid, &gates) else { continue };
        let made = from_lines(grid, lines).filter(|made| is_worth_trying(grid, made));
        let Some(Ok(zones)) = made.map(|made| ZoneDistances::build(grid, made)) else { continue };
        let rank = trial.rank(Some(&zones), few.as_ref());
        if best.is_none_or(|best| rank < best) {
            (best, gates) = (Some(rank), zones.into_decomposition());
            kept.push(name);
        }
    }
    drop(few);
    // On open ground octile is as good as anything, and quicker to work out.
    let (mut rank, mut count) = trial.best_count(None)?;
    let mut zones = None;
    if best.is_some() {
        let built = ZoneDistances::build(grid, gates)?;
        let beside = trial.best_count(Some(&built))?;
        if beside.0 <= rank {
            ((rank, count), zones) = (beside, Some(built));
        } else {
            kept = vec!["leave out all gates"];
        }
    }
    let landmarks = trial.landmarks(count)?;
    kept.extend(landmarks.is_some().then_some("add landmarks"));
    let tables = TunedDistances::new(zones, landmarks);
    Ok(Tuned { tables, expanded: (untuned.expanded, rank.expanded), kept })
}

/// Whether the tables of these gates may be the best: they are there, and few enough.
fn is_worth_trying(grid: &Grid, made: &Decomposition) -> bool {
    let most = MOST_DISTANCES * grid.tiles() as u64;
    !made.gates().is_empty() && ZoneDistances::entries(made) <= most
}

/// How good tables are for the sample, the best first.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Rank {
    /// How many expansions more than `gateway`'s.
    behind: u64,
    /// What it costs in time, in expansions by octile.
    weight: f64,
    expanded: u64,
}

/// What tables are tried on.
struct Trial<'a> {
    grid: &'a Grid,
    sample: Vec<(CellId, CellId)>,
    /// What `gateway` expands for it, if there are gates.
    gateway: Option<u64>,
    /// Where landmarks are put, the most useful first.
    places: Vec<Vec<CellId>>,
}

impl Trial<'_> {
    /// So many landmarks, or as many as are of use.
    fn landmarks(&self, count: usize) -> Result<Option<Landmarks>, Refused> {
        let places = &self.places[..count.min(self.places.len())];
        (!places.is_empty()).then(|| Landmarks::more(None, self.grid, places)).transpose()
    }

    fn rank(&self, zones: Option<&ZoneDistances>, landmarks: Option<&Landmarks>) -> Rank {
        let expanded = expansions(self.grid, zones, landmarks, &self.sample);
        let bytes = zones.map_or(0, ZoneDistances::bytes) + landmarks.map_or(0, Landmarks::bytes);
        let weight = weigh(self.grid, zones.is_some(), landmarks.is_some(), bytes, expanded);
        let Some(gateway) = self.gateway else { return Rank { behind: 0, weight, expanded } };
        let plain = zones.is_none() && landmarks.is_none();
        let (behind, dearer) = behind(plain, expanded, gateway);
        Rank { behind, weight: weight * dearer, expanded }
    }

    /// How many landmarks are best beside these gates, and how good that is.
    fn best_count(&self, zones: Option<&ZoneDistances>) -> Result<(Rank, usize), Refused> {
        let mut best = (self.rank(zones, None), 0);
        let (mut landmarks, mut known, mut worse) = (None, 0, 0);
        for count in COUNTS.into_iter().filter(|&count| count <= self.places.len()) {
            let more = &self.places[known..count];
            landmarks = Some(Landmarks::more(landmarks, self.grid, more)?);
            known = count;
            let rank = self.rank(zones, landmarks.as_ref());
            if rank < best.0 {
                (best, worse) = ((rank, count), 0);
            } else {
                worse += 1;
            }
            if worse == 2 {
                break;
            }
        }
        Ok(best)
    }
}

/// How many expansions the sample is behind `gateway`, and how much dearer it counts for
/// being near that: other searches than those of the sample should not fall behind
/// either. Gates that save `gateway` next to nothing may be left out for the plain octile.
fn behind(plain: bool, expanded: u64, gateway: u64) -> (u64, f64) {
    if plain {
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
/// the bytes of table that a search walks through. An expansion with gates and some
/// landmarks takes 1.4 to 1.8 times as long as one with landmarks alone in as much memory,
/// and that 1.35 to 1.8 times as long as one by octile. The factors lie a little above, so
/// that tables stay only where they clearly pay.
fn weigh(grid: &Grid, gates: bool, landmarks: bool, bytes: usize, expanded: u64) -> f64 {
    let factor = |there: bool, factor: f64| if there { factor } else { 0.0 };
    let looks = factor(gates, GATES_FACTOR) + factor(landmarks, LANDMARKS_FACTOR);
    let bytes = bytes as f64 / grid.free_tiles().max(1) as f64;
    expanded as f64 * (1.0 + looks + bytes / BYTES_PER_EXTRA_EXPANSION)
}

/// How many searches are sampled on a map of this size.
fn fewer_on_large_maps(grid: &Grid, options: &TuneOptions) -> usize {
    let fewer = options.queries.saturating_mul(1 << 20) / grid.tiles().max(1 << 20);
    fewer.max(options.queries.min(8))
}

/// Pairs of connected tiles, evenly from near to far as problems of benchmarks are. Most
/// random pairs are neither.
fn sample(grid: &Grid, components: &Components, seed: u64, count: usize) -> Vec<(CellId, CellId)> {
    let cells: Vec<CellId> = grid.free_cells().collect();
    let mut rng = Rng::new(seed);
    let mut pairs = Vec::with_capacity(count * 8);
    for _ in 0..count * 8 {
        if let (Some(&a), Some(&b)) = (rng.pick(&cells), rng.pick(&cells))
            && components.connected(a, b)
        {
            pairs.push((grid.movement().estimate(grid.tile(a), grid.tile(b)), a, b));
        }
    }
    pairs.sort_unstable();
    let longest = pairs.last().map_or(0, |&(length, ..)| u64::from(length));
    let mut chosen = Vec::with_capacity(count);
    for k in 1..=count as u64 {
        let wanted = longest * k / count as u64;
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
fn expansions(
    grid: &Grid,
    zones: Option<&ZoneDistances>,
    landmarks: Option<&Landmarks>,
    sample: &[(CellId, CellId)],
) -> u64 {
    total(sample, |scratch: &mut (SearchScratch<Cost, BucketQueue>, _), ends| {
        let (tiles, gates): (_, &mut ConsistentScratch) = (&mut scratch.0, &mut scratch.1);
        let mut estimate = TunedEstimate::new(grid, zones, landmarks, ends.1, gates);
        expanded(grid, ends, &mut estimate, tiles)
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
        let sample = sample(&grid, &Components::of(&grid), 7, 24);
        let (before, after) = tuned.expanded;
        let tried = is_worth_trying(&grid, &start);
        let zones = tried.then(|| ZoneDistances::build(&grid, start).unwrap());
        let untuned = TunedDistances::new(zones, None);
        let weight = |tables: &TunedDistances, expected: u64| {
            let (zones, landmarks) = (tables.zones(), tables.landmarks());
            assert_eq!(expansions(&grid, zones, landmarks, &sample), expected);
            zones.iter().for_each(|zones| zones.decomposition().check(&grid).unwrap());
            weigh(&grid, zones.is_some(), landmarks.is_some(), tables.bytes(), expected)
        };
        assert!(weight(&tuned.tables, after) <= weight(&untuned, before));
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
