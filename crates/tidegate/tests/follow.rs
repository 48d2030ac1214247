//! A decomposition that follows edits of its map: sound after every edit, the same as made of
//! its lines from scratch, with numbers that stay and a report that is exactly the difference.
#![cfg(feature = "generate")]

use std::collections::BTreeSet;

use tidegate::decompose::{
    Decomposition, Gate, GateId, GateLine, Place, Source, WaterOptions, ZoneChanges, ZoneId,
};
use tidegate::generate::{Kind, generate};
use tidegate::grid::TileMap;
use tidegate::rng::Rng;
use tidegate::{CellId, Grid, Movement, Tile};
use tidegate_testkit::{bench_data, maps};

/// Tiles to change: a stroke, a block, scattered tiles, or what lies on and around a gate.
fn random_change(grid: &Grid, parts: &Decomposition, rng: &mut Rng) -> (Vec<Tile>, bool) {
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let mut tile = Tile::new(rng.below(width) as u16, rng.below(height) as u16);
    let lines: Vec<GateLine> = parts.lines().collect();
    let near_gate = rng.chance(50).then(|| rng.pick(&lines).copied()).flatten();
    if let Some(line) = near_gate {
        let on_line: Vec<Tile> = line.tiles().collect();
        let at = on_line[rng.below(on_line.len())];
        let near = |v: u16, d: i32| (i32::from(v) + d).max(0) as u16;
        tile = Tile::new(near(at.x, rng.between(-2, 2)), near(at.y, rng.between(-2, 2)));
    }
    let free = rng.chance(50);
    let along = |dx: i32, dy: i32, steps: i32| {
        (0..steps).map(move |i| (i32::from(tile.x) + dx * i, i32::from(tile.y) + dy * i))
    };
    let spots: Vec<(i32, i32)> = match rng.below(6) {
        0..=2 => along(0, 0, 1).collect(),
        3 => along(rng.between(-1, 1), rng.between(-1, 1), rng.between(1, 9)).collect(),
        4 => (0..rng.between(1, 3))
            .flat_map(|y| along(1, 0, 3).map(move |s| (s.0, s.1 + y)))
            .collect(),
        _ => match near_gate {
            Some(line) => line.tiles().map(|t| (t.x.into(), t.y.into())).collect(),
            None => (0..10).map(|_| (rng.below(width) as i32, rng.below(height) as i32)).collect(),
        },
    };
    let inside =
        |&(x, y): &(i32, i32)| x >= 0 && y >= 0 && (x as usize) < width && (y as usize) < height;
    let tiles = spots.into_iter().filter(inside).map(|(x, y)| Tile::new(x as u16, y as u16));
    (tiles.collect(), free)
}

fn zone(place: Place) -> Option<ZoneId> {
    if let Place::Zone(zone) = place { Some(zone) } else { None }
}

/// The difference between two states, by looking at every tile and every gate.
fn difference(before: &Decomposition, after: &Decomposition) -> ZoneChanges {
    let was = |zone: ZoneId| before.zones().get(zone.index()).is_some_and(|z| !z.is_gone());
    let is = |zone: ZoneId| after.zones().get(zone.index()).is_some_and(|z| !z.is_gone());
    let (mut touched, mut split, mut merged) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let tiles = before.width() as usize * before.height() as usize;
    for cell in (0..tiles).map(CellId::from_index) {
        let (old, new) = (before.place(cell), after.place(cell));
        if old == new {
            continue;
        }
        touched.extend([zone(old), zone(new)].into_iter().flatten());
        if let (Some(from), Some(into)) = (zone(old), zone(new)) {
            if !was(into) {
                split.insert((from, into));
            } else if !is(from) {
                merged.insert((from, into));
            }
        }
    }
    let mut out = ZoneChanges::default();
    out.zones_came = touched.iter().copied().filter(|&z| !was(z)).collect();
    out.zones_went = touched.iter().copied().filter(|&z| !is(z)).collect();
    out.zones_changed = touched.iter().copied().filter(|&z| was(z) && is(z)).collect();
    (out.split, out.merged) = (split.into_iter().collect(), merged.into_iter().collect());
    for gate in after.gates() {
        let old = before.gates().get(gate.id().index());
        match (old.filter(|g| !g.is_gone()), gate.is_gone()) {
            (None, false) => out.gates_came.push(gate.id()),
            (Some(_), true) => out.gates_went.push(gate.id()),
            (Some(old), false) if old != gate => out.gates_changed.push(gate.id()),
            _ => {}
        }
    }
    out
}

/// What is far from a change keeps its number and its tiles. Zones of a few tiles may become
/// offcuts of a gate, or cease to be, when what lies on the gate's other side changes.
fn assert_untouched(before: &Decomposition, after: &Decomposition, grid: &Grid, tiles: &[Tile]) {
    const OFFCUT: u32 = 8;
    let distance = |a: Tile, b: Tile| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
    let around = |tile: Tile| {
        let near = |v: u16| v.saturating_sub(1)..=v + 1;
        near(tile.y).flat_map(move |y| near(tile.x).map(move |x| Tile::new(x, y)))
    };
    let cells = tiles.iter().flat_map(|&tile| around(tile)).filter_map(|tile| grid.cell(tile));
    let near: BTreeSet<ZoneId> = cells.filter_map(|cell| zone(before.place(cell))).collect();
    let is_large =
        |parts: &Decomposition, zone: ZoneId| parts.zones()[zone.index()].area() > OFFCUT;
    let is_kept = |gate: &Gate| gate.line() == after.gates()[gate.id().index()].line();
    let changes = difference(before, after);
    // A gate between zones that merged is of no use any more, wherever it is.
    let merged: BTreeSet<ZoneId> = changes.merged.iter().flat_map(|&(a, b)| [a, b]).collect();
    for gate in before.live_gates() {
        let far = |t: Tile| tiles.iter().all(|&c| distance(t, c) > 2);
        let touching = gate.gates().iter().map(|g| &before.gates()[g.index()]);
        let group: Vec<&Gate> = touching.chain([gate]).collect();
        let is_far = group
            .iter()
            .all(|g| g.line().tiles().all(far) && g.tiles().iter().all(|&t| far(grid.tile(t))));
        let mut zones = group.iter().flat_map(|g| g.zones());
        let zones_are_far = zones.all(|zone| !near.contains(zone) && !merged.contains(zone));
        assert!(!(is_far && zones_are_far) || is_kept(gate), "{gate:?} is far from {tiles:?}");
    }
    let changed = changes.zones_changed.iter().chain(&changes.zones_went);
    for &id in changed.filter(|&&id| is_large(before, id) && !near.contains(&id)) {
        let gates = before.zones()[id.index()].gates();
        let same_tiles =
            |g: &GateId| before.gates()[g.index()].tiles() == after.gates()[g.index()].tiles();
        let all_kept = gates.iter().all(same_tiles);
        assert!(!all_kept, "zone {id} is far from {tiles:?}");
    }
}

/// Changes a map and its decomposition, and checks all of it.
fn change(grid: &mut Grid, parts: &mut Decomposition, tiles: &[Tile], free: bool) -> ZoneChanges {
    let before = parts.clone();
    let changed: Vec<Tile> = tiles
        .iter()
        .copied()
        .filter(|&t| grid.is_free(t) != free && grid.set_free(t, free))
        .collect();
    let changes = parts.follow(grid, tiles);
    let what = || format!("free {free}: {changed:?} in\n{grid:?}");
    parts.check(grid).unwrap_or_else(|violation| panic!("{violation}: {}", what()));
    assert_eq!(changes, difference(&before, parts), "{}", what());
    let fresh = Decomposition::from_gates(grid, parts.lines());
    let fresh = fresh.unwrap_or_else(|error| panic!("{error}: {}", what()));
    let fresh = fresh.with_origin(parts.method(), parts.raw_gates());
    assert_eq!(parts.numbered_in_order().0, fresh, "{}", what());
    assert_untouched(&before, parts, grid, &changed);
    // An automatic gate that separated two zones does so still, or is gone.
    for gate in parts.live_gates().filter(|gate| gate.source() == Source::Automatic) {
        let old = before.gates().get(gate.id().index());
        assert!(gate.separates() || old.is_some_and(|g| !g.separates()), "{gate:?} {}", what());
    }
    changes
}

fn by(method: usize, grid: &Grid) -> Decomposition {
    match method {
        0 => Decomposition::water(grid, &WaterOptions::default()),
        1 => Decomposition::rooms(grid),
        2 => Decomposition::water(grid, &WaterOptions::raw()),
        _ => crossing_lines(grid),
    }
}

/// Gates by hand and automatic ones that cross, overlap and lead nowhere.
fn crossing_lines(grid: &Grid) -> Decomposition {
    let mut rng = Rng::new(grid.free_tiles() as u64);
    let mut lines: Vec<GateLine> = Vec::new();
    for _ in 0..60 {
        let a = (rng.below(grid.width() as usize) as i32, rng.below(grid.height() as usize) as i32);
        let (dx, dy, steps) = (rng.between(-1, 1), rng.between(-1, 1), rng.between(0, 12));
        let b = ((a.0 + dx * steps).max(0), (a.1 + dy * steps).max(0));
        let tile = |(x, y): (i32, i32)| Tile::new(x as u16, y as u16);
        let source = if rng.chance(50) { Source::Manual } else { Source::Automatic };
        lines.push(GateLine::new(tile(a), tile(b), source));
        if Decomposition::from_gates(grid, lines.iter().copied()).is_err() {
            lines.pop();
        }
    }
    Decomposition::from_gates(grid, lines).unwrap()
}

/// How often each kind of change was seen, so that a test says if it has become too tame.
#[derive(Debug, Default)]
struct Seen {
    zones_came: usize,
    zones_went: usize,
    split: usize,
    merged: usize,
    gates_came: usize,
    gates_went: usize,
    gates_changed: usize,
}

impl Seen {
    fn add(&mut self, changes: &ZoneChanges) {
        self.zones_came += changes.zones_came.len();
        self.zones_went += changes.zones_went.len();
        self.split += changes.split.len();
        self.merged += changes.merged.len();
        self.gates_came += changes.gates_came.len();
        self.gates_went += changes.gates_went.len();
        self.gates_changed += changes.gates_changed.len();
    }

    fn assert_each_at_least(&self, least: usize) {
        let all = [
            self.zones_came,
            self.zones_went,
            self.split,
            self.merged,
            self.gates_came,
            self.gates_went,
            self.gates_changed,
        ];
        assert!(all.iter().all(|&count| count >= least), "{self:?}");
    }
}

#[test]
fn small_maps_follow_any_edits() {
    let mut seen = Seen::default();
    for seed in 0..480 {
        let mut grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let mut parts = by(seed as usize / 3 % 4, &grid);
        let mut rng = Rng::new(seed ^ 0xF0110);
        for _ in 0..25 {
            let (tiles, free) = random_change(&grid, &parts, &mut rng);
            seen.add(&change(&mut grid, &mut parts, &tiles, free));
        }
    }
    seen.assert_each_at_least(100);
}

#[test]
fn generated_maps_follow_any_edits() {
    let mut seen = Seen::default();
    for (i, kind) in Kind::ALL.into_iter().enumerate() {
        for movement in Movement::ALL {
            for method in 0..3 {
                let seed = (i * 9 + method) as u64;
                let mut grid = generate(kind, 72, 64, seed).unwrap().grid(movement);
                let mut parts = by(method, &grid);
                let mut rng = Rng::new(seed ^ 0xF0111);
                for _ in 0..60 {
                    let (tiles, free) = random_change(&grid, &parts, &mut rng);
                    seen.add(&change(&mut grid, &mut parts, &tiles, free));
                }
            }
        }
    }
    seen.assert_each_at_least(100);
}

/// Numbers stay: of a hundred zones and gates hardly one loses its number in an edit, and what is
/// new never gets a number that was used before.
#[test]
fn numbers_stay_over_many_edits() {
    let mut grid = generate(Kind::Rts, 128, 128, 7).unwrap().grid(Movement::default());
    let mut parts = by(0, &grid);
    let mut rng = Rng::new(0xF0113);
    let (mut zones_kept, mut gates_kept, edits) = (0.0, 0.0, 300);
    let mut used = (parts.zones().len(), parts.gates().len());
    for _ in 0..edits {
        let (mut tiles, free) = random_change(&grid, &parts, &mut rng);
        tiles.retain(|&tile| grid.is_free(tile) != free && grid.set_free(tile, free));
        let zones = parts.zones().iter().filter(|zone| !zone.is_gone()).count();
        let gates = parts.live_gates().count();
        let changes = parts.follow(&grid, &tiles);
        parts.check(&grid).unwrap();
        zones_kept += 1.0 - changes.zones_went.len() as f64 / zones.max(1) as f64;
        gates_kept += 1.0 - changes.gates_went.len() as f64 / gates.max(1) as f64;
        assert!(changes.zones_came.iter().all(|zone| zone.index() >= used.0));
        assert!(changes.gates_came.iter().all(|gate| gate.index() >= used.1));
        used = (parts.zones().len(), parts.gates().len());
    }
    let (zones, gates) = (zones_kept / f64::from(edits), gates_kept / f64::from(edits));
    assert!(zones > 0.99 && gates > 0.98, "zones {zones}, gates {gates}");
}

/// Edits on real maps, each checked in full.
fn edit_real_maps(test: &str, edits: usize) {
    let Some(bench) = bench_data::folder(test) else { return };
    let maps = ["bg512/AR0011SR", "bg512/AR0205SR", "sc1/Brushfire", "sc1/ArcticStation"];
    let mut seen = Seen::default();
    for (seed, name) in (0..).zip(maps) {
        let bytes = std::fs::read(bench.join("maps").join(name).with_extension("map")).unwrap();
        let mut grid = TileMap::parse(&bytes).unwrap().grid(Movement::ALL[seed as usize % 3]);
        let mut parts = by(usize::from(seed == 1), &grid);
        let mut rng = Rng::new(seed ^ 0xF0112);
        for _ in 0..edits {
            let (tiles, free) = random_change(&grid, &parts, &mut rng);
            seen.add(&change(&mut grid, &mut parts, &tiles, free));
        }
    }
    println!("{} edits on {} maps: {seen:?}", edits, maps.len());
    seen.assert_each_at_least(edits / 100);
}

#[test]
fn real_maps_follow_edits() {
    edit_real_maps("real_maps_follow_edits", 25);
}

/// `cargo test --release -p tidegate --test follow -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes: 2,000 edits on four maps, every one checked in full"]
fn real_maps_follow_thousands_of_edits() {
    edit_real_maps("real_maps_follow_thousands_of_edits", 2_000);
}
