//! Ramps by their definition, on small maps with heights at random.

use std::collections::BTreeMap;

use tidegate::decompose::{Decomposition, Gate, GateLine, Place, Source, WaterOptions, ZoneId};
use tidegate::region::{Heights, Regions};
use tidegate::rng::Rng;
use tidegate::{CellId, Grid, Movement, Tile};
use tidegate_testkit::maps;

/// The commonest height of a side, by steps to every tile of the zone: as many rounds as tiles.
fn plain(grid: &Grid, parts: &Decomposition, gate: &Gate, zone: ZoneId, at: &[u8]) -> Option<u8> {
    let mut steps: BTreeMap<CellId, u32> = gate.tiles().iter().map(|&cell| (cell, 0)).collect();
    for round in 0..12 {
        for cell in grid.free_cells().filter(|&c| parts.place(c) == Place::Zone(zone)) {
            let near = |(next, _): (CellId, _)| steps.get(&next) == Some(&round);
            if !steps.contains_key(&cell) && grid.neighbours(cell).any(near) {
                steps.insert(cell, round + 1);
            }
        }
    }
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for (cell, _) in steps.iter().filter(|(_, steps)| **steps > 0) {
        *counts.entry(at[cell.index()]).or_default() += 1;
    }
    let most = counts.values().max()?;
    counts.iter().find(|(_, count)| *count == most).map(|(&height, _)| height)
}

#[test]
fn ramps_are_what_their_definition_says() {
    let (mut ramps, mut level) = (0, 0);
    for seed in 0..120 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let parts = Decomposition::water(&grid, &WaterOptions::raw());
        let mut rng = Rng::new(seed);
        // Slopes with noise, so that sides differ often but not always.
        let slope = rng.below(3) as u16;
        let at: Vec<u8> = (0..grid.tiles())
            .map(|i| (grid.tile(CellId::from_index(i)).x * slope / 8) as u8 + rng.below(2) as u8)
            .collect();
        let heights = Heights::new(&grid, at.clone()).unwrap();
        assert_eq!(heights, Heights::from_fn(&grid, |t| at[grid.cell(t).unwrap().index()]));
        let regions = Regions::new(&grid, &parts);
        let mut listed = regions.ramps(&heights).into_iter();
        for gate in parts.gates() {
            for zone in parts.zones() {
                let is_beside = gate.zones().contains(&zone.id());
                let side = plain(&grid, &parts, gate, zone.id(), &at).filter(|_| is_beside);
                assert_eq!(regions.side_height(gate.id(), zone.id(), &heights), side, "{seed}");
            }
            let &[a, b] = gate.zones() else { continue };
            let side = |zone| plain(&grid, &parts, gate, zone, &at).unwrap();
            if side(a) == side(b) {
                level += 1;
                assert_eq!(regions.ramp(gate.id(), &heights), None);
                continue;
            }
            ramps += 1;
            let ramp = listed.next().unwrap();
            let higher = if side(a) > side(b) { [a, b] } else { [b, a] };
            assert_eq!((ramp.gate(), [ramp.upper(), ramp.lower()]), (gate.id(), higher));
            assert_eq!(ramp.rise(), side(a).abs_diff(side(b)));
        }
        assert_eq!(listed.next(), None);
    }
    assert!(ramps > 50 && level > 50, "{ramps} ramps, {level} level gates");
}

/// The tiles of a ramp count as its gate's side, but the ground behind it is more.
#[test]
fn a_plateau_is_higher_than_the_plain_behind_its_ramp() {
    let free = |x: u32, y: u32| !(10..16).contains(&x) || (4..7).contains(&y);
    let grid = Grid::from_fn(26, 11, Movement::default(), free).unwrap();
    let heights = Heights::from_fn(&grid, |t| (16u16.saturating_sub(t.x)).min(6) as u8);
    let line = GateLine::new(Tile::new(12, 4), Tile::new(12, 6), Source::Manual);
    let parts = Decomposition::from_gates(&grid, [line]).unwrap();
    let regions = Regions::new(&grid, &parts);
    let ramp = regions.ramp(parts.gates()[0].id(), &heights).unwrap();
    assert_eq!(Some(ramp.upper()), regions.zone_of(Tile::new(0, 0)));
    assert_eq!((Some(ramp.lower()), ramp.rise()), (regions.zone_of(Tile::new(25, 0)), 6));
}
