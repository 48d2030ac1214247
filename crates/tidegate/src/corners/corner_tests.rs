//! Hierarchies against Dijkstra's algorithm on the tiles, rules broken on purpose, and
//! repaired hierarchies against those contracted again.

use super::hierarchy::{Corner, Hierarchy};
use super::{CornerScratch, Corners, place};
use crate::cost::INFINITY;
use crate::grid::{Grid, Movement, Tile};
use crate::path::Path;
use crate::rng::Rng;
use crate::taut::corner::turns_across_wall;
use crate::taut::exact_tests::{dijkstra, drawn_map, small_map};
use crate::taut::{CornerGraph, Rules};

/// How many ordered pairs of free tiles are answered wrongly: in length, turning points
/// or tiles.
fn wrong_pairs(grid: &Grid, corners: &Corners, scratch: &mut CornerScratch) -> usize {
    let (mut path, mut turns) = (Path::new(), Vec::new());
    let mut wrong = 0;
    for s in grid.free_cells() {
        let truth = dijkstra(grid, s);
        for t in grid.free_cells() {
            let (start, goal) = (grid.tile(s), grid.tile(t));
            let found = corners.path(start, goal, scratch, &mut path);
            let right = found.unwrap_or(INFINITY) == truth[t.index()]
                && found.is_none_or(|cost| {
                    path.check(grid).ok() == Some(u64::from(cost.get()))
                        && (path.first(), path.last()) == (Some(&start), Some(&goal))
                        && corners.turning_points(start, goal, scratch, &mut turns) == found
                        && turns.windows(2).all(|leg| leg[0] != leg[1])
                });
            wrong += usize::from(!right);
        }
    }
    wrong
}

#[test]
fn all_maps_of_3_by_4_are_exact() {
    let mut scratch = CornerScratch::new();
    for movement in Movement::ALL {
        for bits in 0..1 << 12 {
            let grid = small_map(4, 3, movement, bits);
            let corners = Corners::build(&grid).unwrap();
            assert_eq!(wrong_pairs(&grid, &corners, &mut scratch), 0, "{grid:?}");
        }
    }
}

#[test]
fn drawn_maps_are_exact() {
    let (mut rng, mut scratch) = (Rng::new(31), CornerScratch::new());
    for round in 0..300 {
        let movement = Movement::ALL[round % 3];
        let (w, h) = (rng.between(4, 24) as u32, rng.between(4, 24) as u32);
        let grid = drawn_map(&mut rng, w, h, movement);
        let corners = Corners::build(&grid).unwrap();
        assert_eq!(wrong_pairs(&grid, &corners, &mut scratch), 0, "round {round} {grid:?}");
    }
}

/// Any order of contraction gives exact answers: the order that is kept while the map
/// changes becomes an arbitrary one.
#[test]
fn random_orders_are_exact() {
    let (mut rng, mut scratch) = (Rng::new(37), CornerScratch::new());
    for round in 0..150 {
        let movement = Movement::ALL[round % 3];
        let grid = drawn_map(&mut rng, 12, 11, movement);
        let mut ranks: Vec<u32> = (0..Corners::build(&grid).unwrap().corners() as u32).collect();
        for n in (1..ranks.len()).rev() {
            ranks.swap(n, rng.below(n + 1));
        }
        let corners = Corners::with_ranks(&grid, &ranks).unwrap();
        assert_eq!(wrong_pairs(&grid, &corners, &mut scratch), 0, "round {round} {grid:?}");
        assert_eq!(corners.ranks(), ranks);
    }
}

fn wrong_answers(rules: &'static Rules) -> usize {
    let (mut rng, mut scratch) = (Rng::new(5), CornerScratch::new());
    let mut wrong = 0;
    for _ in 0..100 {
        let grid = drawn_map(&mut rng, 9, 9, rules.movement);
        wrong += wrong_pairs(&grid, &Corners::build_by(&grid, rules).unwrap(), &mut scratch);
    }
    wrong
}

#[test]
fn a_broken_turn_filter_is_noticed() {
    let movement = Movement::NoCornerCutting;
    assert_eq!(wrong_answers(Rules::of(movement)), 0);
    // One sense of turning only.
    let left = |a: (i32, i32), l: (i32, i32)| a.0 * l.1 - a.1 * l.0 <= 0;
    let turns = move |p, a, l| turns_across_wall(p, a, l) && left(a, l);
    assert_ne!(wrong_answers(Box::leak(Box::new(Rules::with_turns(movement, turns)))), 0);
    // No turn that leaves along a row or column.
    let turns = |p, a, l: (i32, i32)| turns_across_wall(p, a, l) && l.0 != 0 && l.1 != 0;
    assert_ne!(wrong_answers(Box::leak(Box::new(Rules::with_turns(movement, turns)))), 0);
}

/// Searches leave out an arc only if there is a *strictly* shorter way over a third
/// corner: leaving out one of two equal ways loses the turns that only it allows.
#[test]
fn leaving_out_equal_ways_is_noticed() {
    let (mut rng, mut scratch) = (Rng::new(41), CornerScratch::new());
    let mut wrong = 0;
    for round in 0..300 {
        let grid = drawn_map(&mut rng, 14, 14, Movement::ALL[round % 3]);
        let mut corners = Corners::build(&grid).unwrap();
        assert_eq!(wrong_pairs(&grid, &corners, &mut scratch), 0);
        let made = &mut corners.hierarchy;
        for n in 0..made.corners.len() as u32 {
            let mut list: Vec<super::arc::Arc> = made.all(n).copied().collect();
            list.sort_unstable_by_key(|arc| arc.to);
            let cost = |a: u32, b: u32| made.arc(a, b).or(made.arc(b, a)).map(|arc| arc.cost);
            let needed = |to: &super::arc::Arc| {
                list.iter().all(|first| {
                    first.to == to.to
                        || cost(first.to, to.to).is_none_or(|rest| first.cost + rest > to.cost)
                })
            };
            let sorted: Vec<_> = list.iter().map(|arc| (*arc, !needed(arc))).collect();
            made.set_arcs(n, sorted);
        }
        wrong += wrong_pairs(&grid, &corners, &mut scratch);
    }
    assert_ne!(wrong, 0);
}

/// The hierarchy and the lists of blocks, contracted again in the kept order.
fn check_repaired(grid: &Grid, repaired: &Corners, seen: &str) {
    let fresh_bits = crate::taut::CornerBits::new(grid, repaired.rules);
    assert_eq!(repaired.bits, fresh_bits, "{seen}: bits");
    let numbered: Vec<(Tile, u8)> =
        repaired.hierarchy.corners.iter().map(|c| (c.tile, c.pattern)).collect();
    let live: Vec<(Tile, u8)> = numbered.iter().copied().filter(|&(_, p)| p != 0).collect();
    let mut sorted = live.clone();
    sorted.sort_unstable_by_key(|(tile, _)| (tile.y, tile.x));
    assert_eq!(sorted, fresh_bits.corners(), "{seen}: corners");
    let graph = CornerGraph::new(&fresh_bits, repaired.rules, &live);
    let names: Vec<u32> = (0..).zip(&numbered).filter(|(_, c)| c.1 != 0).map(|(n, _)| n).collect();
    let corners: Vec<Corner> = (repaired.hierarchy.corners.iter())
        .map(|c| Corner::new(c.tile, c.pattern, c.rank))
        .collect();
    let again = Hierarchy::contract(repaired.rules, corners, |corner, visit| {
        if let Ok(n) = names.binary_search(&corner) {
            graph.edges(n as u32).iter().for_each(|edge| visit(names[edge.to as usize]));
        }
    })
    .unwrap();
    for n in 0..again.corners.len() as u32 {
        let of = |made: &Hierarchy| {
            let lists = [&made.up, &made.aside].map(|lists| lists.get(n).to_vec());
            (made.corners[n as usize], lists, made.down.get(n).to_vec())
        };
        assert_eq!(of(&repaired.hierarchy), of(&again), "{seen}: corner {n}");
    }
    assert!(again == repaired.hierarchy, "{seen}: hierarchy");
    let vias = super::Vias::new(
        (grid.width(), grid.height()),
        &fresh_bits,
        repaired.rules,
        numbered.iter().map(|&(tile, pattern)| (tile, pattern)),
    );
    for block in 0..vias.blocks() as u32 {
        let list = |vias: &super::Vias| {
            let mut found = Vec::new();
            vias.each_in(block, |corner, mask| found.push((corner, mask)));
            found
        };
        assert_eq!(list(&repaired.vias), list(&vias), "{seen}: block {block}");
    }
}

#[test]
fn repaired_is_contracted_again() {
    let (mut rng, mut scratch) = (Rng::new(43), CornerScratch::new());
    for round in 0..120 {
        let movement = Movement::ALL[round % 3];
        let (w, h) = (rng.between(1, 26) as u32, rng.between(1, 26) as u32);
        let mut grid = drawn_map(&mut rng, w, h, movement);
        let mut corners = Corners::build(&grid).unwrap();
        for edit in 0..12 {
            let mut changed = Vec::new();
            for _ in 0..[1, 1, 3, 10][edit % 4] {
                let tile = Tile::new(rng.below(w as usize) as u16, rng.below(h as usize) as u16);
                let free = rng.chance(50);
                changed.push(tile);
                grid.set_free(tile, free);
            }
            corners.update(&grid, &changed).unwrap();
            check_repaired(&grid, &corners, &format!("round {round} edit {edit} {grid:?}"));
        }
        assert_eq!(wrong_pairs(&grid, &corners, &mut scratch), 0, "round {round} {grid:?}");
        // What is saved is the order; what is loaded is the same hierarchy.
        let loaded = Corners::with_ranks(&grid, &corners.ranks()).unwrap();
        assert_eq!(loaded.ranks(), corners.ranks());
        assert_eq!(loaded.arcs(), corners.arcs());
    }
}

#[test]
fn another_map_is_refused_and_nothing_changes() {
    let mut grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
    let mut corners = Corners::build(&grid).unwrap();
    let before = corners.clone();
    grid.set_free(Tile::new(0, 0), false);
    // A change that is not named.
    assert!(corners.update(&grid, &[Tile::new(4, 0)]).is_err());
    let other = Grid::from_rows(&["....", ".##.", "...."]).unwrap();
    assert!(corners.update(&other, &[]).is_err());
    assert!(corners.hierarchy == before.hierarchy && corners.bits == before.bits);
    corners.update(&grid, &[Tile::new(0, 0), Tile::new(0, 0)]).unwrap();
    let wrong_order = Corners::with_ranks(&grid, &[0, 0, 1, 2]);
    assert!(wrong_order.is_err());
}

#[test]
fn what_does_not_pay_is_refused() {
    let mut rng = Rng::new(47);
    let scattered =
        Grid::from_fn(256, 256, Movement::NoCornerCutting, |_, _| !rng.chance(20)).unwrap();
    let refused = Corners::build(&scattered).unwrap_err();
    assert!(matches!(refused, super::CornersError::TooDense { .. }), "{refused}");
}

#[test]
fn tiles_near_each_other_stand_near_each_other() {
    let order: Vec<u32> =
        [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)].map(|(x, y)| place(Tile::new(x, y))).to_vec();
    assert_eq!(order, [0, 1, 2, 3, 4]);
}

/// A hierarchy is aged when repairs have added many arcs, and young again when it is built again.
#[test]
fn many_repairs_make_a_hierarchy_aged() {
    let mut rng = Rng::new(4);
    let mut grid = Grid::from_fn(40, 30, Movement::default(), |_, _| true).unwrap();
    let mut corners = Corners::build(&grid).unwrap();
    assert!(!corners.is_aged());
    let mut was_young = 0;
    for _ in 0..120 {
        let tile = Tile::new(rng.below(40) as u16, rng.below(30) as u16);
        grid.set_free(tile, false);
        corners.update(&grid, &[tile]).unwrap();
        was_young += usize::from(corners.arcs() > 0 && !corners.is_aged());
        assert_eq!(corners.is_aged(), corners.arcs() > 256, "built without any");
    }
    assert!(was_young > 3 && corners.is_aged(), "{was_young}");
    let mut again = Corners::build(&grid).unwrap();
    assert!(!again.is_aged());
    let tile = Tile::new(20, 15);
    grid.set_free(tile, !grid.is_free(tile));
    again.update(&grid, &[tile]).unwrap();
    assert!(!again.is_aged(), "one tile is no reason");
}
