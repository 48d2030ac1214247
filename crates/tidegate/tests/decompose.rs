//! The properties of decompositions on many maps, and the counts of the published table.

use tidegate::decompose::{
    Decomposition, GateError, GateLine, LineError, Place, Source, WaterOptions, WaterStages,
};
use tidegate::grid::TileMap;
use tidegate::rng::Rng;
use tidegate::{CellId, Grid, Movement, Tile};
use tidegate_testkit::{bench_data, maps};

fn scattered(width: u32, height: u32, percent: u32, movement: Movement, seed: u64) -> Grid {
    let mut rng = Rng::new(seed);
    Grid::from_fn(width, height, movement, |_, _| !rng.chance(percent)).unwrap()
}

/// Straight lines wherever they fit, as a person might draw them without looking.
fn random_lines(grid: &Grid, rng: &mut Rng, count: usize) -> Vec<GateLine> {
    let mut lines: Vec<GateLine> = Vec::new();
    for _ in 0..count * 20 {
        let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
        let (dx, dy) = *rng.pick(&[(1, 0), (0, 1), (1, 1), (1, -1)]).unwrap();
        let length = rng.below(12) as i32;
        let (ex, ey) = (x as i32 + dx * length, y as i32 + dy * length);
        if ex < 0 || ey < 0 {
            continue;
        }
        let end = Tile::new(ex as u16, ey as u16);
        let line = GateLine::new(Tile::new(x as u16, y as u16), end, Source::Manual);
        let fresh = line.tiles().any(|t| !lines.iter().any(|l| l.tiles().any(|u| u == t)));
        if line.check(grid).is_ok() && fresh {
            lines.push(line);
        }
        if lines.len() == count {
            break;
        }
    }
    lines
}

#[test]
fn any_lines_make_a_lawful_decomposition() {
    for seed in 0..150 {
        let movement = Movement::ALL[seed as usize % 3];
        let mut rng = Rng::new(seed);
        let (w, h) = (1 + rng.below(40) as u32, 1 + rng.below(40) as u32);
        let grid = scattered(w, h, [0, 5, 20, 40][rng.below(4)], movement, seed);
        let lines = random_lines(&grid, &mut rng, 12);
        let made = Decomposition::from_gates(&grid, lines.clone()).unwrap();
        made.check(&grid).unwrap_or_else(|v| panic!("{v}\nseed {seed} {lines:?} {grid:?}"));
        assert!(made.lines().eq(lines));
    }
}

#[test]
fn every_method_makes_a_lawful_decomposition() {
    let plain = WaterOptions::default();
    for seed in 0..150 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let all = || {
            [
                Decomposition::water(&grid, &plain),
                Decomposition::water(&grid, &WaterOptions::raw()),
                Decomposition::water(&grid, &plain.with_hallways(true)),
                Decomposition::water(&grid, &plain.with_lowres(2)),
                Decomposition::rooms(&grid),
            ]
        };
        let made = all();
        for parts in &made {
            parts.check(&grid).unwrap_or_else(|v| {
                panic!(
                    "{v}
seed {seed} {grid:?}"
                )
            });
            assert!(parts.gates().iter().all(|gate| gate.separates()), "seed {seed} {grid:?}");
        }
        assert_eq!(made, all(), "seed {seed}");
    }
}

#[test]
fn a_diagonal_gate_lets_no_step_through() {
    let grid = Grid::from_rows(&["....", "....", "....", "...."]).unwrap();
    for movement in Movement::ALL {
        let grid = grid.clone().with_movement(movement);
        let line = GateLine::new(Tile::new(0, 3), Tile::new(3, 0), Source::Manual);
        let made = Decomposition::from_gates(&grid, [line]).unwrap();
        made.check(&grid).unwrap();
        assert_eq!(made.zones().len(), 2, "{movement}");
        let stairs = if movement == Movement::FourConnected { 0 } else { 3 };
        assert_eq!(made.gates()[0].tiles().len(), 4 + stairs);
    }
}

#[test]
fn lines_that_fit_no_map_are_refused() {
    let grid = Grid::from_rows(&["..#.", ".#..", "...."]).unwrap();
    let line = |a: (u16, u16), b: (u16, u16)| {
        GateLine::new(Tile::new(a.0, a.1), Tile::new(b.0, b.1), Source::Manual)
    };
    let error = |l| Decomposition::from_gates(&grid, [l]).unwrap_err();
    let in_line = |error| GateError::Line { gate: 0, error };
    assert_eq!(error(line((0, 0), (3, 0))), in_line(LineError::Wall(Tile::new(2, 0))));
    assert_eq!(error(line((9, 0), (0, 0))), in_line(LineError::Outside(Tile::new(9, 0))));
    let (a, b) = (Tile::new(0, 0), Tile::new(1, 2));
    assert_eq!(error(line((0, 0), (1, 2))), in_line(LineError::Slanted(a, b)));
    assert_eq!(error(line((1, 0), (2, 1))), in_line(LineError::Pinched(Tile::new(1, 0))));
    let twice = [line((0, 2), (3, 2)), line((1, 2), (2, 2))];
    assert_eq!(Decomposition::from_gates(&grid, twice), Err(GateError::Covered { gate: 1 }));
}

#[test]
fn a_door_between_two_rooms_is_found() {
    let mut rows = vec![".".repeat(20) + "#" + &".".repeat(20); 21];
    rows[10] = ".".repeat(41);
    let grid = Grid::from_rows(&rows).unwrap();
    let made = Decomposition::water(&grid, &WaterOptions::default());
    assert_eq!((made.gates().len(), made.zones().len()), (1, 2));
    let door = CellId::from_index(10 * 41 + 20);
    assert!(matches!(made.place(door), Place::Gate(_)), "{:?}", made.gates());
}

/// Table 3.1 of the thesis, and what the reading that fits it best gives.
#[test]
fn raw_gates_are_those_of_the_table() {
    let Some(bench) = bench_data::folder("raw_gates_are_those_of_the_table") else { return };
    // Small ones only: the evidence example runs them all.
    for (name, expected) in [
        ("sc1/Brushfire", 29),
        ("sc1/FireWalker", 21),
        ("sc1/BigGameHunters", 20),
        ("bg512/AR0205SR", 41),
        ("bg512/AR0406SR", 60),
        ("bg512/AR0041SR", 0),
        ("bg512/AR0418SR", 0),
    ] {
        let bytes = std::fs::read(bench.join("maps").join(name).with_extension("map")).unwrap();
        let grid = TileMap::parse(&bytes).unwrap().grid(Movement::default());
        let stages = WaterStages::new(&grid, &WaterOptions::default());
        assert_eq!(stages.clusters.len(), expected, "{name}");
        stages.cleaned(&grid).check(&grid).unwrap();
    }
}

/// Two rooms and a corridor between them: the lakes meet somewhere inside it.
#[test]
fn a_hallway_becomes_a_zone_with_a_gate_at_each_end() {
    for turn in [false, true] {
        let free = |x: u32, y: u32| {
            let room = |x0: u32| (x0..x0 + 25).contains(&x) && (2..27).contains(&y);
            room(2) || room(70) || ((27..70).contains(&x) && (11..17).contains(&y))
        };
        let grid = if turn {
            Grid::from_fn(30, 100, Movement::default(), |x, y| free(y, x))
        } else {
            Grid::from_fn(100, 30, Movement::default(), free)
        };
        let grid = grid.unwrap();
        let plain = Decomposition::water(&grid, &WaterOptions::default());
        assert_eq!((plain.gates().len(), plain.zones().len()), (1, 2));
        let hall = Decomposition::water(&grid, &WaterOptions::default().with_hallways(true));
        hall.check(&grid).unwrap();
        assert_eq!((hall.gates().len(), hall.zones().len()), (2, 3));
        let mut ends: Vec<u16> =
            hall.lines().map(|l| if turn { l.middle().y } else { l.middle().x }).collect();
        ends.sort_unstable();
        assert_eq!(ends, [27, 69]);
    }
}

#[test]
fn low_resolution_finds_the_same_door() {
    let mut rows = vec![".".repeat(64) + "####" + &".".repeat(64); 80];
    for row in &mut rows[36..44] {
        *row = ".".repeat(132);
    }
    let grid = Grid::from_rows(&rows).unwrap();
    for k in [1, 2, 3, 4, 7] {
        let made = Decomposition::water(&grid, &WaterOptions::default().with_lowres(k));
        made.check(&grid).unwrap();
        assert_eq!((made.gates().len(), made.zones().len()), (1, 2), "lowres {k}");
        assert!((64..68).contains(&made.gates()[0].a().x), "lowres {k}: {:?}", made.gates());
    }
}
