//! Labels of corners against the definition of canonical labels.

use super::links::Survey;
use crate::cost::{Cost, INFINITY};
use crate::grid::Movement;
use crate::hubs::label;
use crate::rng::Rng;
use crate::taut::Rules;
use crate::taut::exact_tests::drawn_map;

/// The definition of canonical labels, by all distances.
#[test]
fn labels_are_canonical_and_trees_hold_their_lengths() {
    let mut rng = Rng::new(2);
    for round in 0..60 {
        let movement = Movement::ALL[round % 3];
        let grid = drawn_map(&mut rng, 16, 13, movement);
        let rules = Rules::new(movement);
        let (graph, _) = Survey::new(&grid, &rules).join().unwrap();
        let n = graph.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        rng.shuffle(&mut order);
        let graph = graph.renamed(&order);
        let mut between = vec![vec![INFINITY; n]; n];
        for a in 0..n {
            between[a][a] = Cost::ZERO;
            graph.edges(a as u32).iter().for_each(|e| between[a][e.to as usize] = e.cost);
        }
        for via in 0..n {
            for a in 0..n {
                for b in 0..n {
                    let through = between[a][via] + between[via][b];
                    between[a][b] = between[a][b].min(through);
                }
            }
        }
        let made = label(&graph, usize::MAX).unwrap();
        for v in 0..n {
            let canonical = |&h: &usize| {
                let covered = |x: usize| between[h][x] + between[x][v] == between[h][v];
                between[h][v] < INFINITY && !(0..h).any(covered)
            };
            let expected: Vec<u32> = (0..n).filter(canonical).map(|h| h as u32).collect();
            let found: Vec<u32> = made.labels[v].iter().map(|e| e.hub).collect();
            assert_eq!(found, expected, "round {round}, corner {v}");
            for entry in &made.labels[v] {
                assert_eq!(entry.cost, between[entry.hub as usize][v]);
                let mut way = Vec::new();
                made.trees.climb(entry.position, |tile| way.push(tile));
                assert_eq!(way[0], graph.tiles[v]);
                assert_eq!(way[way.len() - 1], graph.tiles[entry.hub as usize]);
                let length: Cost =
                    way.windows(2).map(|leg| movement.estimate(leg[0], leg[1])).sum();
                assert_eq!(length, entry.cost);
                let firsts = graph
                    .edges(v as u32)
                    .iter()
                    .filter(|e| e.cost + between[e.to as usize][entry.hub as usize] == entry.cost);
                let classes =
                    firsts.fold(0_u16, |set, e| set | 1 << graph.class_between(v as u32, e.to));
                assert_eq!(classes, entry.first);
            }
        }
    }
}
