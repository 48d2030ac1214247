//! What is built on a decomposition works on one that followed edits: regions, JSON, the
//! editor, the index file and the engines that use gates; and numbers after a rebuild.
#![cfg(all(feature = "generate", feature = "json"))]

use tidegate::decompose::{Decomposition, Editor, Matching, Place, WaterOptions};
use tidegate::engine;
use tidegate::generate::{Kind, generate};
use tidegate::region::Regions;
use tidegate::rng::Rng;
use tidegate::{CellId, Grid, Index, Movement, Outcome, Path, Query, Scratch, Tile};
use tidegate_testkit::maps;

/// A map that was edited until numbers of zones and of gates were gone, and its decomposition.
fn edited(seed: u64) -> (Grid, Decomposition) {
    let mut grid = generate(Kind::Rts, 80, 80, seed).unwrap().grid(Movement::default());
    let mut parts = Decomposition::water(&grid, &WaterOptions::raw());
    let mut rng = Rng::new(seed ^ 0xED175);
    loop {
        let gone = |count: usize, live: usize| count - live >= 3;
        if gone(parts.gates().len(), parts.live_gates().count())
            && gone(parts.zones().len(), parts.live_zones().count())
        {
            return (grid, parts);
        }
        let lines: Vec<_> = parts.lines().collect();
        let tiles: Vec<Tile> = match rng.pick(&lines) {
            Some(line) if rng.chance(30) => line.tiles().collect(),
            _ => {
                let (x, y) = (rng.below(76) as u16, rng.below(80) as u16);
                (x..x + 4).map(|x| Tile::new(x, y)).collect()
            }
        };
        let free = rng.chance(60);
        tiles.iter().for_each(|&tile| _ = grid.set_free(tile, free));
        parts.follow(&grid, &tiles);
    }
}

#[test]
fn regions_and_json_know_what_is_there() {
    for seed in 0..4 {
        let (grid, parts) = edited(seed);
        let (fresh, matching) = parts.numbered_in_order();
        let (now, then) = (Regions::new(&grid, &parts), Regions::new(&grid, &fresh));
        for zone in parts.live_zones() {
            let same = matching.zone(zone.id()).unwrap();
            assert_eq!(now.deepest(zone.id()), then.deepest(same));
            assert_eq!(now.centroid(zone.id()), then.centroid(same));
            assert_eq!(now.bounds(zone.id()), then.bounds(same));
            assert_eq!(now.outline(zone.id()), then.outline(same));
        }
        let mut rng = Rng::new(seed);
        let free = maps::free_tiles(&grid, 60, &mut rng);
        for pair in free.chunks_exact(2) {
            let (from, to) = (pair[0], pair[1]);
            let length = |gates: Option<Vec<_>>| gates.map(|gates| gates.len());
            assert_eq!(length(now.route(from, to)), length(then.route(from, to)));
            assert_eq!(now.route(from, to).is_some(), now.connected(from, to));
        }
        let read = Decomposition::from_json(&grid, &parts.to_json(&grid)).unwrap();
        assert_eq!(read, fresh);
    }
}

#[test]
fn a_followed_decomposition_can_be_edited_by_hand() {
    for seed in 0..4 {
        let (grid, parts) = edited(seed);
        let mut editor = Editor::new(&grid, parts.clone()).unwrap();
        let first = editor.decomposition().clone();
        assert_eq!(first, parts.numbered_in_order().0);
        let largest = first.zones().iter().max_by_key(|zone| zone.area()).unwrap().id();
        let gate = editor.split_zone(largest).unwrap();
        assert_eq!(editor.decomposition().zones().len(), first.zones().len() + 1);
        editor.remove_gate(gate).unwrap();
        assert_eq!(*editor.decomposition(), first);
        assert!(editor.undo() && editor.undo());
        assert_eq!(*editor.decomposition(), first);
        // And the map may change again under what the person made.
        assert!(editor.redo());
        let (mut grid, mut parts) = (grid.clone(), editor.into_decomposition());
        let wall = parts.gates()[gate.index()].a();
        grid.set_free(wall, false);
        parts.follow(&grid, &[wall]);
        parts.check(&grid).unwrap();
    }
}

#[test]
fn engines_answer_exactly_and_files_keep_the_numbers() {
    let engines = [engine::DEAD_END, engine::GATEWAY, engine::GATEWAY_2WAY, engine::PORTAL];
    for seed in 0..2 {
        let (grid, parts) = edited(seed);
        let mut index = Index::new(grid.clone());
        index.set_decomposition(parts.clone()).unwrap();
        engines.iter().for_each(|engine| index.prepare(*engine).unwrap());
        index.prepare(engine::GATEWAY_CONSISTENT).unwrap();
        let loaded = Index::from_bytes(&index.to_bytes()).unwrap();
        assert_eq!(loaded.decomposition(), Some(&parts));
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let free = maps::free_tiles(&grid, 400, &mut Rng::new(seed));
        let mut found = 0;
        for pair in free.chunks_exact(2) {
            let query = Query::new(pair[0], pair[1]);
            let mut cost = |index: &Index, engine| {
                let answer = index.find(engine, &query, &mut scratch, &mut path).unwrap();
                answer.outcome
            };
            let best = cost(&index, engine::ASTAR);
            found += usize::from(matches!(best, Outcome::Found(_)));
            for engine in engines.into_iter().chain([engine::GATEWAY_CONSISTENT]) {
                assert_eq!(cost(&index, engine), best, "{} {pair:?}", engine.info().name);
                assert_eq!(cost(&loaded, engine), best, "{} {pair:?}", engine.info().name);
            }
        }
        assert!(found > 20, "{found} ways found");
    }
}

#[test]
fn a_rebuild_says_what_became_of_each_zone_and_gate() {
    for seed in 0..4 {
        let (grid, parts) = edited(seed);
        let (new, matching) = parts.rebuild(&grid, &WaterOptions::raw());
        assert_eq!(new, Decomposition::water(&grid, &WaterOptions::raw()));
        assert_eq!(matching, Matching::new(&parts, &new));
        // Each is paired at most once, only with what is there and shares tiles with it; and
        // what two share most of is paired.
        let tiles = || (0..grid.tiles()).map(CellId::from_index);
        let mut used = vec![false; new.zones().len()];
        let mut paired = 0;
        for zone in parts.zones() {
            let shared = |new_zone| {
                let both = |&c: &CellId| {
                    parts.place(c) == Place::Zone(zone.id())
                        && new.place(c) == Place::Zone(new_zone)
                };
                tiles().filter(both).count() as u32
            };
            match matching.zone(zone.id()) {
                None => {
                    let whole = |z: &&tidegate::decompose::Zone| {
                        2 * shared(z.id()) > zone.area().max(z.area())
                    };
                    assert!(zone.is_gone() || !new.zones().iter().any(|z| whole(&z)));
                }
                Some(new_zone) => {
                    assert!(!std::mem::replace(&mut used[new_zone.index()], true));
                    assert!(shared(new_zone) > 0 && !zone.is_gone());
                    paired += 1;
                }
            }
        }
        assert!(2 * paired > new.zones().len(), "{paired} of {}", new.zones().len());
        let pairs = parts.live_gates().filter_map(|gate| Some((gate, matching.gate(gate.id())?)));
        let pairs: Vec<_> = pairs.collect();
        for (gate, new_gate) in &pairs {
            let shared = new.gates()[new_gate.index()].tiles();
            assert!(gate.tiles().iter().any(|tile| shared.contains(tile)));
        }
        assert!(pairs.len() >= 3, "{} gates found again", pairs.len());
        // Given gates are made of their own lines.
        let given = Decomposition::from_gates(&grid, parts.lines()).unwrap();
        assert_eq!(given.rebuild(&grid, &WaterOptions::default()).0, given);
    }
}
