//! The taut corner graph against textbook Dijkstra on the tiles: nothing may be lost,
//! and a rule broken on purpose must be noticed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::compass::opposite;
use super::corner::{turns_across_wall, turns_beside_wall};
use super::{CornerBits, CornerGraph, Rules, Sight, direction};
use crate::cost::{Cost, INFINITY};
use crate::grid::{CellId, Grid, Movement, Tile};
use crate::rng::Rng;

/// All distances from one tile, by Dijkstra's algorithm on the tiles themselves.
pub(crate) fn dijkstra(grid: &Grid, from: CellId) -> Vec<Cost> {
    let mut distance = vec![INFINITY; grid.tiles()];
    let mut open = BinaryHeap::new();
    distance[from.index()] = Cost::ZERO;
    open.push(Reverse((Cost::ZERO, from)));
    while let Some(Reverse((cost, cell))) = open.pop() {
        if cost > distance[cell.index()] {
            continue;
        }
        for (next, direction) in grid.neighbours(cell) {
            let longer = cost + direction.cost();
            if longer < distance[next.index()] {
                distance[next.index()] = longer;
                open.push(Reverse((longer, next)));
            }
        }
    }
    distance
}

/// The corner graph of a map, and for every tile the corners it is connected to.
fn joined(grid: &Grid, rules: &Rules) -> (CornerGraph, Vec<Vec<u32>>) {
    let bits = CornerBits::new(grid, rules);
    let corners = bits.corners();
    let connected = |cell: usize| {
        let tile = grid.tile(CellId::from_index(cell));
        let mut found = Vec::new();
        if !grid.is_free(tile) {
            return found;
        }
        bits.each_span(rules, tile, u16::MAX, |span| {
            bits.each_corner(span, |corner| {
                let n = corners.iter().position(|&(t, _)| t == corner).unwrap();
                if rules.ends(corners[n].1) >> opposite(direction(tile, corner)) & 1 != 0 {
                    found.push(n as u32);
                }
            });
        });
        found
    };
    let links = (0..grid.tiles()).map(connected).collect();
    (CornerGraph::new(&bits, rules, &corners), links)
}

/// How many pairs of free tiles the corner graph answers wrongly.
fn mismatches(grid: &Grid, rules: &Rules) -> usize {
    mismatches_with(grid, rules, false)
}

/// The same; `edges_only` connects a corner tile by its edges and not as other tiles.
fn mismatches_with(grid: &Grid, rules: &Rules, edges_only: bool) -> usize {
    let sight = Sight::new(grid);
    let (graph, links) = joined(grid, rules);
    let n = graph.len();
    let mut between = vec![INFINITY; n * n];
    for c in 0..n {
        between[c * n + c] = Cost::ZERO;
        for e in graph.edges(c as u32) {
            between[c * n + e.to as usize] = e.cost;
        }
    }
    for via in 0..n {
        for a in 0..n {
            for b in 0..n {
                let through = between[a * n + via] + between[via * n + b];
                between[a * n + b] = between[a * n + b].min(through);
            }
        }
    }
    let movement = grid.movement();
    let connected: Vec<Vec<u32>> = (0..grid.tiles())
        .map(|cell| {
            let tile = grid.tile(CellId::from_index(cell));
            match graph.tiles.iter().position(|&t| t == tile) {
                Some(c) if edges_only => {
                    graph.edges(c as u32).iter().map(|e| e.to).chain([c as u32]).collect()
                }
                _ => links[cell].clone(),
            }
        })
        .collect();
    let mut wrong = 0;
    for s in grid.free_cells() {
        let truth = dijkstra(grid, s);
        let from = grid.tile(s);
        for t in grid.free_cells() {
            let to = grid.tile(t);
            let mut best = INFINITY;
            if sight.sees(from, to) {
                best = movement.estimate(from, to);
            } else {
                for &u in &connected[s.index()] {
                    for &v in &connected[t.index()] {
                        let (u, v) = (u as usize, v as usize);
                        let ends = movement.estimate(from, graph.tiles[u])
                            + movement.estimate(graph.tiles[v], to);
                        best = best.min(between[u * n + v].saturating_add(ends));
                    }
                }
            }
            wrong += usize::from(best.min(INFINITY) != truth[t.index()]);
        }
    }
    wrong
}

/// The map whose free tiles are the bits of `bits`, in row order.
pub(crate) fn small_map(width: u32, height: u32, movement: Movement, bits: u32) -> Grid {
    Grid::from_fn(width, height, movement, |x, y| bits >> (y * width + x) & 1 != 0).unwrap()
}

/// A map with structure: scattered walls, rooms with doors, or blobs.
pub(crate) fn drawn_map(rng: &mut Rng, width: u32, height: u32, movement: Movement) -> Grid {
    let mut wall = vec![false; (width * height) as usize];
    let at = |x: i32, y: i32| (y * width as i32 + x) as usize;
    match rng.below(3) {
        0 => {
            let share = rng.between(5, 45) as u32;
            wall.iter_mut().for_each(|w| *w = rng.chance(share));
        }
        1 => {
            for _ in 0..rng.between(1, 4) {
                let row = rng.chance(50);
                let (long, wide) = if row { (width, height) } else { (height, width) };
                let place = rng.below(wide as usize) as i32;
                let door = rng.below(long as usize) as i32;
                for n in (0..long as i32).filter(|&n| n != door && n != door + 2) {
                    wall[if row { at(n, place) } else { at(place, n) }] = true;
                }
            }
        }
        _ => {
            for _ in 0..rng.between(1, 5) {
                let (cx, cy) = (rng.between(0, width as i32), rng.between(0, height as i32));
                let radius = rng.between(1, 4);
                for y in 0..height as i32 {
                    for x in 0..width as i32 {
                        let (dx, dy) = (x - cx, y - cy);
                        wall[at(x, y)] |= dx * dx + dy * dy < radius * radius;
                    }
                }
            }
        }
    }
    Grid::from_fn(width, height, movement, |x, y| !wall[at(x as i32, y as i32)]).unwrap()
}

#[test]
fn all_maps_of_3_by_4_are_exact() {
    for movement in Movement::ALL {
        let rules = Rules::new(movement);
        for bits in 0..1 << 12 {
            let grid = small_map(4, 3, movement, bits);
            assert_eq!(mismatches(&grid, &rules), 0, "{grid:?}");
        }
    }
}

#[test]
fn drawn_maps_are_exact() {
    let mut rng = Rng::new(11);
    for round in 0..300 {
        let movement = Movement::ALL[round % 3];
        let (w, h) = (rng.between(4, 13) as u32, rng.between(4, 13) as u32);
        let grid = drawn_map(&mut rng, w, h, movement);
        assert_eq!(mismatches(&grid, &Rules::new(movement)), 0, "round {round} {grid:?}");
    }
}

/// Breaks the rules in one way and counts wrong answers over many drawn maps.
fn wrong_answers(rules: &Rules) -> usize {
    let mut rng = Rng::new(5);
    let mut wrong = 0;
    for _ in 0..100 {
        let grid = drawn_map(&mut rng, 9, 9, rules.movement);
        wrong += mismatches(&grid, rules);
    }
    wrong
}

#[test]
fn broken_rules_are_noticed() {
    for movement in Movement::ALL {
        let turn = match movement {
            Movement::OneSideFree => turns_beside_wall,
            _ => turns_across_wall,
        };
        // Nothing broken: the same maps must agree.
        assert_eq!(wrong_answers(&Rules::new(movement)), 0);
        // Lines along a wall, in row or column, are not allowed to end at a corner.
        let straight = |d: (i32, i32)| d.0 == 0 || d.1 == 0;
        let no_straight = Rules::with_turns(movement, |p, a, l| turn(p, a, l) && !straight(a));
        assert_ne!(wrong_answers(&no_straight), 0, "{movement}: lines along walls");
        // Left turns only.
        let left = |a: (i32, i32), l: (i32, i32)| a.0 * l.1 - a.1 * l.0 <= 0;
        let one_sense = Rules::with_turns(movement, |p, a, l| turn(p, a, l) && left(a, l));
        assert_ne!(wrong_answers(&one_sense), 0, "{movement}: one sense of turning");
        // Corners of three of the four orientations only.
        let seen = |p: u8| p & 0b0001_0001 != 0b0000_0001 && p & 0b0001_1000 != 0b0001_0000;
        let fewer = Rules::with_turns(movement, |p, a, l| turn(p, a, l) && seen(p));
        assert_ne!(wrong_answers(&fewer), 0, "{movement}: corners left out");
    }
    // And the rule of one movement does not do for another.
    let mut beside = Rules::with_turns(Movement::NoCornerCutting, turns_beside_wall);
    beside.margin = true;
    assert_ne!(wrong_answers(&beside), 0, "corners beside walls");
    let across = Rules::with_turns(Movement::OneSideFree, turns_across_wall);
    assert_ne!(wrong_answers(&across), 0, "corners across walls");
}

/// A corner that is start or goal must be connected like any other tile; connecting it
/// by its corner edges alone loses paths.
#[test]
fn a_corner_as_start_needs_more_than_its_edges() {
    let mut rng = Rng::new(23);
    let mut wrong = [0, 0];
    for _ in 0..200 {
        let grid = drawn_map(&mut rng, 9, 9, Movement::NoCornerCutting);
        for edges_only in [false, true] {
            let rules = Rules::new(Movement::NoCornerCutting);
            wrong[usize::from(edges_only)] += mismatches_with(&grid, &rules, edges_only);
        }
    }
    assert!(wrong[0] == 0 && wrong[1] != 0, "{wrong:?}");
}

/// Without the columns beside the parallelogram the lengths stay right, but a line
/// walked diagonal-first from its far end cuts corners.
#[test]
fn without_the_margin_lines_are_illegal_one_way() {
    let illegal = |margin: bool| {
        let mut rng = Rng::new(29);
        let mut illegal = 0;
        for _ in 0..50 {
            let grid = drawn_map(&mut rng, 10, 10, Movement::NoCornerCutting);
            let mut rules = Rules::new(Movement::NoCornerCutting);
            rules.margin = margin;
            let sight = Sight::new(&grid);
            let (graph, links) = joined(&grid, &rules);
            for cell in grid.free_cells() {
                for &c in &links[cell.index()] {
                    let (a, b) = (grid.tile(cell), graph.tiles[c as usize]);
                    illegal += usize::from(!(sight.sees(a, b) && sight.sees_other_way(a, b)));
                }
            }
        }
        illegal
    };
    assert_eq!(illegal(true), 0);
    assert_ne!(illegal(false), 0);
}

#[test]
fn open_ground_has_no_corners() {
    let grid = Grid::from_fn(40, 30, Movement::default(), |_, _| true).unwrap();
    assert!(CornerBits::new(&grid, &Rules::new(Movement::default())).corners().is_empty());
    let sight = Sight::new(&grid);
    assert!(sight.sees(Tile::new(0, 0), Tile::new(39, 29)));
}
