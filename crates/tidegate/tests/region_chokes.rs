//! Choke points, loops, dead ends and where to stand, against their definitions.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use tidegate::decompose::{Decomposition, Gate, GateId, Place, WaterOptions, Zone, ZoneId};
use tidegate::region::Regions;
use tidegate::rng::Rng;
use tidegate::straighten::{LineRule, Sight};
use tidegate::{CellId, Grid, Movement, Tile};
use tidegate_testkit::{maps, oracle};

fn cases(count: u64) -> impl Iterator<Item = (u64, Grid, Decomposition)> {
    (0..count).map(|seed| {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let parts = match seed / 3 % 3 {
            0 => Decomposition::water(&grid, &WaterOptions::raw()),
            1 => Decomposition::rooms(&grid),
            _ => Decomposition::water(&grid, &WaterOptions::default()),
        };
        (seed, grid, parts)
    })
}

/// The zones that hang together when the tiles of a gate may not be entered, each set sorted.
fn pieces(grid: &Grid, parts: &Decomposition, closed: Option<GateId>) -> Vec<BTreeSet<ZoneId>> {
    let shut = |cell: CellId| closed.is_some_and(|gate| parts.place(cell) == Place::Gate(gate));
    let mut seen = vec![false; grid.tiles()];
    let mut found = Vec::new();
    for root in grid.free_cells().filter(|&cell| !shut(cell)) {
        let (mut queue, mut zones) = (vec![root], BTreeSet::new());
        while let Some(cell) = queue.pop() {
            if std::mem::replace(&mut seen[cell.index()], true) {
                continue;
            }
            if let Place::Zone(zone) = parts.place(cell) {
                zones.insert(zone);
            }
            queue.extend(grid.neighbours(cell).map(|(next, _)| next).filter(|&next| !shut(next)));
        }
        if !zones.is_empty() {
            found.push(zones);
        }
    }
    found
}

fn area(parts: &Decomposition, zones: &BTreeSet<ZoneId>) -> u64 {
    zones.iter().map(|zone| u64::from(parts.zones()[zone.index()].area())).sum()
}

#[test]
fn closing_a_gate_cuts_off_what_the_tiles_say() {
    let (mut bridges, mut others, mut joined, mut ends) = (0, 0, 0, 0);
    for (seed, grid, parts) in cases(240) {
        let regions = Regions::new(&grid, &parts);
        let loops = regions.loops();
        let whole = pieces(&grid, &parts, None);
        let mut apart: BTreeSet<(ZoneId, ZoneId)> = BTreeSet::new();
        for gate in parts.gates() {
            let context = format!("gate {} of seed {seed}\n{grid:?}", gate.id());
            let Some(zone) = gate.zones().first() else { continue };
            let around = whole.iter().find(|zones| zones.contains(zone)).unwrap();
            let mut left = pieces(&grid, &parts, Some(gate.id()));
            left.retain(|zones| zones.is_subset(around));
            left.sort_by_key(|zones| (Reverse(area(&parts, zones)), zones.first().copied()));
            let found: Vec<BTreeSet<ZoneId>> = regions
                .pieces_without(gate.id())
                .into_iter()
                .map(|zones| zones.into_iter().collect())
                .collect();
            assert_eq!(found, left, "{context}");
            let cut_off: u64 = left[1..].iter().map(|zones| area(&parts, zones)).sum();
            let bridge = loops.bridge(gate.id());
            assert_eq!(
                bridge.map(|b| (b.gate(), b.cut_off())),
                (left.len() > 1).then_some((gate.id(), cut_off)),
                "{context}"
            );
            if bridge.is_some() {
                bridges += 1
            } else {
                others += 1
            }
            for (i, a) in left.iter().enumerate() {
                for b in &left[..i] {
                    apart.extend(
                        a.iter().flat_map(|&a| b.iter().map(move |&b| (a.min(b), a.max(b)))),
                    );
                }
            }
        }
        assert_eq!(
            loops.bridges().len(),
            parts.gates().iter().filter(|g| loops.bridge(g.id()).is_some()).count()
        );
        let mut seen = 0;
        for (i, group) in loops.groups().iter().enumerate() {
            assert!(group.is_sorted());
            assert!(i == 0 || loops.groups()[i - 1][0] < group[0]);
            seen += group.len();
            assert!(group.iter().all(|&zone| loops.group_of(zone) == Some(i)));
            joined += usize::from(group.len() > 1);
        }
        let zones: Vec<&Zone> = parts.live_zones().collect();
        assert_eq!(seen, zones.len());
        assert!(parts.pockets().all(|pocket| loops.group_of(pocket.id()).is_none()));
        for (i, a) in zones.iter().enumerate() {
            for b in &zones[..i] {
                let connected = whole.iter().any(|z| z.contains(&a.id()) && z.contains(&b.id()));
                let together = connected && !apart.contains(&(b.id(), a.id()));
                let same = loops.group_of(a.id()) == loops.group_of(b.id());
                assert_eq!(same, together, "zones {} {} of seed {seed}\n{grid:?}", a.id(), b.id());
            }
        }
        // A dead end's zones touch one gate that can cut them off, all other groups none or more.
        let out = |group: &Vec<ZoneId>| -> BTreeSet<GateId> {
            let beside = |gate: &&Gate| group.iter().any(|zone| gate.zones().contains(zone));
            let gates = parts.gates().iter().filter(beside).map(|gate| gate.id());
            gates.filter(|&gate| loops.bridge(gate).is_some()).collect()
        };
        let single = loops.groups().iter().enumerate().filter_map(|(i, group)| {
            let out = out(group);
            (out.len() == 1).then(|| (*out.first().unwrap(), i))
        });
        let found = loops.dead_ends().iter().map(|end| (end.gate(), end.group()));
        ends += loops.dead_ends().len();
        assert!(found.eq(single), "seed {seed}\n{grid:?}");
    }
    println!("{bridges} bridges, {others} other gates, {joined} loops, {ends} dead ends");
    assert!(bridges > 300 && others > 300 && joined > 80 && ends > 200);
}

/// Lengths and numbers of gates between the middles of all gates, by trying every gate between.
fn between_gates(grid: &Grid, parts: &Decomposition) -> Vec<Vec<Option<(u64, u64)>>> {
    let (gates, movement) = (parts.gates(), grid.movement());
    let far = |a: &Gate, b: &Gate| movement.estimate(a.line().middle(), b.line().middle());
    let step = |a: &Gate, b: &Gate| {
        let joined = a.zones().iter().any(|zone| b.zones().contains(zone));
        (joined || a.gates().contains(&b.id())).then(|| (u64::from(far(a, b).get()), 1))
    };
    let mut table: Vec<Vec<Option<(u64, u64)>>> = gates
        .iter()
        .map(|a| gates.iter().map(|b| if a == b { Some((0, 0)) } else { step(a, b) }).collect())
        .collect();
    for via in 0..gates.len() {
        for a in 0..gates.len() {
            for b in 0..gates.len() {
                let Some((x, y)) = table[a][via].zip(table[via][b]) else { continue };
                let sum = (x.0 + y.0, x.1 + y.1);
                if table[a][b].is_none_or(|old| sum < old) {
                    table[a][b] = Some(sum);
                }
            }
        }
    }
    table
}

#[test]
fn traffic_is_that_of_all_shortest_routes() {
    let (mut compared, mut ties) = (0, 0);
    for (seed, grid, parts) in cases(240) {
        if parts.gates().len() > 60 {
            continue;
        }
        let regions = Regions::new(&grid, &parts);
        let table = between_gates(&grid, &parts);
        let leg = |zone: ZoneId, gate: GateId| {
            let middle = regions.gate(gate).line().middle();
            u64::from(grid.movement().estimate(regions.deepest(zone), middle).get())
        };
        let mut traffic = vec![0; parts.gates().len()];
        let mut total = 0;
        for s in parts.zones() {
            for t in &parts.zones()[s.id().index() + 1..] {
                // From a zone's deepest tile to a gate, over all its doors.
                let reach = |zone: ZoneId, gate: usize| {
                    let doors = regions.zone(zone).gates().iter();
                    let ways = doors.filter_map(|door| {
                        let (far, gates) = table[door.index()][gate]?;
                        Some((far + leg(zone, *door), gates))
                    });
                    ways.min()
                };
                let over = |gate: usize| {
                    let (a, b) = reach(s.id(), gate).zip(reach(t.id(), gate))?;
                    Some((a.0 + b.0, a.1 + b.1))
                };
                let all: Vec<_> = (0..parts.gates().len()).map(over).collect();
                let Some(least) = all.iter().flatten().min() else { continue };
                let pairs = u64::from(s.area()) * u64::from(t.area());
                total += pairs;
                let on = (0..all.len()).filter(|&gate| all[gate] == Some(*least));
                on.for_each(|gate| traffic[gate] += pairs);
            }
        }
        let mut wanted: Vec<(Reverse<u64>, u32, GateId)> = (parts.gates().iter())
            .map(|gate| (Reverse(traffic[gate.id().index()]), gate.width(), gate.id()))
            .filter(|(traffic, ..)| traffic.0 > 0)
            .collect();
        wanted.sort();
        let points = regions.choke_points(usize::MAX);
        let found: Vec<_> = points
            .iter()
            .map(|p| (Reverse(p.traffic()), regions.gate(p.gate()).width(), p.gate()))
            .collect();
        assert_eq!(found, wanted, "seed {seed}\n{grid:?}");
        compared += found.len();
        ties += found.windows(2).filter(|pair| pair[0].0 == pair[1].0).count();
        for point in points {
            assert!((point.share() - point.traffic() as f64 / total as f64).abs() < 1e-12);
            let cut_off = regions.loops().bridge(point.gate()).map_or(0, |b| b.cut_off());
            assert_eq!(point.cut_off(), cut_off);
        }
        let few = regions.choke_points(3);
        assert_eq!(few, &points[..points.len().min(3)]);
    }
    println!("{compared} gates compared, {ties} of equal traffic");
    assert!(compared > 600 && ties > 20);
}

#[test]
fn sides_are_the_nearest_tiles_of_their_zones() {
    let mut compared = 0;
    for (seed, grid, parts) in cases(160) {
        let regions = Regions::new(&grid, &parts);
        for gate in parts.gates() {
            let far = oracle::distances(&grid, gate.line().middle());
            let nearest = |&zone: &ZoneId| {
                let cells = grid.free_cells().filter(|&c| parts.place(c) == Place::Zone(zone));
                let least = cells.filter_map(|c| Some((far[c.index()]?, c.index()))).min();
                least.map(|(_, i)| (zone, grid.tile(CellId::from_index(i))))
            };
            let wanted: Vec<_> = gate.zones().iter().filter_map(nearest).collect();
            let found = regions.gate_sides(gate.id());
            assert_eq!(found, wanted, "gate {} of seed {seed}\n{grid:?}", gate.id());
            compared += found.len();
        }
    }
    assert!(compared > 1000, "{compared} sides");
}

#[test]
fn holding_tiles_reach_and_see_the_line_from_as_far_as_can_be() {
    let (mut found, mut none, mut unseen) = (0, 0, 0);
    for (seed, grid, parts) in cases(160) {
        let regions = Regions::new(&grid, &parts);
        let sight = Sight::new(&grid).with_rule(LineRule::Point);
        let mut rng = Rng::new(seed);
        for gate in parts.gates() {
            let range = rng.below(14) as u16;
            let line: Vec<Tile> = gate.line().tiles().collect();
            let middle = line[line.len() / 2];
            let squared = |a: Tile, b: Tile| {
                let (dx, dy) = (u32::from(a.x.abs_diff(b.x)), u32::from(a.y.abs_diff(b.y)));
                dx * dx + dy * dy
            };
            // The line's vector and that from its middle to a tile.
            let vectors = |tile: Tile| {
                let to = |a: u16, b: u16| i32::from(b) - i32::from(a);
                let (a, b) = (gate.a(), gate.b());
                ((to(a.x, b.x), to(a.y, b.y)), (to(middle.x, tile.x), to(middle.y, tile.y)))
            };
            let off = |tile: Tile| {
                let (along, to) = vectors(tile);
                (along.0 * to.0 + along.1 * to.1).abs()
            };
            let behind = |tile: Tile| {
                let (along, to) = vectors(tile);
                let across = (along.0 * to.1 - along.1 * to.0).unsigned_abs();
                if line.len() == 1 { squared(tile, middle) } else { across }
            };
            for &zone in gate.zones() {
                let near = |tile: Tile| {
                    line.iter().all(|&t| squared(tile, t) <= u32::from(range) * u32::from(range))
                };
                let tiles = grid.free_cells().map(|cell| grid.tile(cell));
                let near: Vec<Tile> =
                    tiles.filter(|&t| regions.zone_of(t) == Some(zone) && near(t)).collect();
                let sees = |tile: &Tile| line.iter().all(|&t| sight.sees(*tile, t));
                let key = |t: &Tile| (Reverse(behind(*t)), off(*t), t.y, t.x);
                let wanted = near.iter().copied().filter(sees).min_by_key(key);
                let held = regions.holding_tile(gate.id(), zone, range);
                let context = format!("gate {} zone {zone} range {range} seed {seed}", gate.id());
                assert_eq!(held, wanted, "{context}\n{grid:?}");
                unseen += usize::from(wanted != near.iter().copied().min_by_key(key));
                if held.is_some() { found += 1 } else { none += 1 }
            }
        }
    }
    println!("{found} held, {none} not, sight mattered to {unseen}");
    assert!(found > 500 && none > 50 && unseen > 50);
}

#[test]
fn distances_to_lines_are_those_of_the_nearest_tile() {
    let (mut compared, mut nearer, mut none) = (0, 0, 0);
    for (seed, grid, parts) in cases(160) {
        let regions = Regions::new(&grid, &parts);
        let mut rng = Rng::new(seed);
        for tile in maps::free_tiles(&grid, 4, &mut rng) {
            let far = oracle::distances(&grid, tile);
            let at = |t: Tile| far[grid.cell(t).unwrap().index()];
            for gate in parts.gates() {
                let context = format!("{tile} to gate {} of seed {seed}\n{grid:?}", gate.id());
                let wanted = gate.line().tiles().filter_map(at).min();
                let found = regions.distance_to_line(tile, gate.id());
                assert_eq!(found.map(|(cost, _)| u64::from(cost)), wanted, "{context}");
                if let Some((cost, end)) = found {
                    assert_eq!(at(end), Some(u64::from(cost)), "{context}");
                    assert!(gate.line().contains(end), "{context}");
                }
                compared += 1;
                none += usize::from(wanted.is_none());
                nearer += usize::from(wanted != at(gate.line().middle()));
            }
        }
        assert_eq!(
            parts.gates().first().and_then(|g| regions.distance_to_line(Tile::new(999, 0), g.id())),
            None
        );
    }
    println!("{compared} distances, {nearer} less than to the middle, {none} without a way");
    assert!(compared > 2000 && nearer > 500 && none > 20);
}
