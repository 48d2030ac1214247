//! Generated maps keep their promises: size, determinism, connection, symmetry; so do
//! the problems made for them.
#![cfg(feature = "generate")]

use tidegate::generate::problems::problems;
use tidegate::generate::{Kind, Options, generate};
use tidegate::grid::{TileMap, scen_file};
use tidegate::{Grid, Movement};

const SIZES: [(u32, u32); 14] = [
    (1, 1),
    (1, 9),
    (9, 1),
    (2, 2),
    (3, 3),
    (5, 4),
    (4, 5),
    (13, 17),
    (64, 64),
    (65, 31),
    (130, 70),
    (200, 8),
    (8, 200),
    (4096, 3),
];

#[test]
fn every_kind_gives_every_size_twice_the_same() {
    for kind in Kind::ALL {
        for (width, height) in SIZES {
            let map = generate(kind, width, height, 3).unwrap();
            assert_eq!((map.width(), map.height()), (width, height));
            assert_eq!(map, generate(kind, width, height, 3).unwrap());
            let again = TileMap::parse(map.to_map_string().as_bytes()).unwrap();
            assert_eq!(map, again, "{kind} {width} x {height} uses known letters");
        }
        assert_ne!(generate(kind, 64, 64, 1).unwrap(), generate(kind, 64, 64, 2).unwrap());
        assert!(generate(kind, 0, 5, 1).is_err());
        assert!(generate(kind, 70_000, 5, 1).is_err());
        assert_eq!(Kind::from_name(kind.name()), Some(kind));
    }
}

/// Number of tiles that a flood with steps to the four sides reaches.
fn flood(grid: &Grid) -> usize {
    let Some(start) = grid.free_cells().next() else { return 0 };
    let mut seen = vec![false; grid.tiles()];
    let mut stack = vec![start];
    seen[start.index()] = true;
    let mut count = 0;
    while let Some(cell) = stack.pop() {
        count += 1;
        for (next, _) in grid.neighbours(cell) {
            if !seen[next.index()] {
                seen[next.index()] = true;
                stack.push(next);
            }
        }
    }
    count
}

#[test]
fn all_kinds_but_random_hang_together() {
    for kind in [Kind::Rooms, Kind::Caves, Kind::Maze, Kind::Rts] {
        for (width, height) in SIZES {
            for seed in 0..12 {
                let map = generate(kind, width, height, seed).unwrap();
                let grid = map.grid(Movement::FourConnected);
                let all = grid.free_tiles();
                assert!(all > 0, "{kind} {width} x {height}, seed {seed} is all wall");
                assert_eq!(flood(&grid), all, "{kind} {width} x {height}, seed {seed}\n{grid:?}");
            }
        }
    }
}

#[test]
fn an_rts_map_turned_by_half_is_the_same_map() {
    for (width, height) in SIZES {
        for seed in 0..12 {
            let map = generate(Kind::Rts, width, height, seed).unwrap();
            let mut turned = map.letters().to_vec();
            turned.reverse();
            assert!(map.letters() == turned, "{width} x {height}, seed {seed}\n{}", map.to_text());
        }
    }
}

#[test]
fn an_rts_map_has_room_to_play() {
    for seed in 0..8 {
        let map = generate(Kind::Rts, 256, 256, seed).unwrap();
        let share = |letters: &[u8]| {
            map.letters().iter().filter(|l| letters.contains(l)).count() * 100 / map.letters().len()
        };
        assert!((45..=90).contains(&share(b".GS")), "seed {seed}: {} % free", share(b".GS"));
        assert!(share(b"G") >= 8, "seed {seed}: plateaus");
        assert!(share(b"@TW") >= 8, "seed {seed}: cliffs");
    }
}

#[test]
fn random_has_the_share_of_walls_that_was_asked_for() {
    for percent in [0, 10, 45, 100, 200] {
        let options = Options { percent, ..Options::new(Kind::Random, 300, 300, 4) };
        let map = options.generate().unwrap();
        let walls = map.letters().iter().filter(|&&l| l == b'@').count();
        assert!((walls as i64 - 900 * i64::from(percent.min(100))).abs() < 900, "{percent} %");
    }
}

#[test]
fn a_maze_has_corridors_of_the_width_that_was_asked_for() {
    let options = Options { corridor: 3, ..Options::new(Kind::Maze, 39, 39, 4) };
    let map = options.generate().unwrap();
    // Ten rooms a side, three tiles each, and walls of one tile between them.
    for (i, &letter) in map.letters().iter().enumerate() {
        let (x, y) = (i % 39, i / 39);
        if x % 4 != 3 && y % 4 != 3 {
            assert_eq!(letter, b'.', "room tile {x},{y}");
        } else if x % 4 == 3 && y % 4 == 3 {
            assert_eq!(letter, b'@', "pillar {x},{y}");
        }
    }
    let wide = Options { corridor: u32::MAX, ..options }.generate().unwrap();
    assert!(wide.letters().iter().all(|&l| l == b'.'));
}

#[test]
fn problems_are_solvable_exact_and_spread_over_all_lengths() {
    for kind in Kind::ALL {
        for movement in Movement::ALL {
            let grid = generate(kind, 61, 47, 8).unwrap().grid(movement);
            let made = problems(&grid, "x.map", 60, 5);
            assert_eq!(made.len(), 60);
            assert_eq!(made, problems(&grid, "x.map", 60, 5));
            let read = scen_file::parse(scen_file::write(&made).as_bytes()).unwrap();
            let longest = made.last().unwrap().bucket as usize;
            let mut thirds = [0; 3];
            for (problem, read) in made.iter().zip(&read) {
                problem.check(&grid).unwrap();
                assert!(grid.is_free(problem.start) && grid.is_free(problem.goal));
                assert_ne!(problem.start, problem.goal);
                let truth = tidegate_testkit::oracle::distances(&grid, problem.start);
                let truth = truth[grid.cell(problem.goal).unwrap().index()].unwrap();
                assert!(read.compare(cost_as_length(truth)).is_eq(), "{problem:?}, really {truth}");
                assert_eq!(problem.bucket, (problem.length / 4.0) as u32);
                thirds[(problem.bucket as usize * 3 / (longest + 1)).min(2)] += 1;
            }
            assert!(thirds.iter().all(|&n| n >= 5), "{kind} {movement}: spread {thirds:?}");
        }
    }
    let lonely = Grid::from_rows(&["@@@", "@.@", "@@@"]).unwrap();
    assert!(problems(&lonely, "x.map", 5, 1).is_empty());
    let none = Grid::from_rows(&["@"]).unwrap();
    assert!(problems(&none, "x.map", 5, 1).is_empty());
}

/// A cost of few steps taken apart again: costs of up to 5740 diagonal steps are unique.
fn cost_as_length(cost: u64) -> f64 {
    let diagonal =
        (0..5741).find(|d| cost >= d * 8119 && (cost - d * 8119).is_multiple_of(5741)).unwrap();
    let straight = (cost - diagonal * 8119) / 5741;
    straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2
}

/// The bundled suite holds maps made long ago: today's generator gives the same bytes.
#[test]
fn the_bundled_maps_can_be_made_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tidegate-bench/suite/maps/bundled");
    let list = [
        ("rts-512", Options::new(Kind::Rts, 512, 512, 2)),
        ("rts-256", Options::new(Kind::Rts, 256, 256, 7)),
        ("rooms-200x150", Options::new(Kind::Rooms, 200, 150, 1)),
        ("caves-256", Options::new(Kind::Caves, 256, 256, 1)),
        ("maze-129", Options::new(Kind::Maze, 129, 129, 1)),
        ("random-128-25", Options::new(Kind::Random, 128, 128, 1)),
        ("caves-333x67", Options::new(Kind::Caves, 333, 67, 5)),
    ];
    for (name, options) in list {
        let stored = std::fs::read(format!("{folder}/{name}.map")).unwrap();
        let made = options.generate().unwrap().to_map_string();
        assert!(stored == made.as_bytes(), "{name} came out differently");
    }
}
