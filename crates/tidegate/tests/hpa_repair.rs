//! A repaired HPA* graph is the graph of a fresh build, bit by bit, and answers like it:
//! single tiles, walls, breaches and changes of the ground, in clusters of any size.

use tidegate::cost::Factor;
use tidegate::hpa::{Hpa, HpaScratch, Options, Placement};
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Path, Tile};

fn random_grid(rng: &mut Rng, movement: Movement) -> Grid {
    let (width, height) = (1 + rng.below(110) as u32, 1 + rng.below(80) as u32);
    let (walls, rooms) = ([0, 10, 30, 45][rng.below(4)], rng.chance(30));
    let free = |x: u32, y: u32| {
        let line = rooms && (x % 13 == 6 || y % 11 == 4);
        !rng.chance(if line { 90 } else { walls })
    };
    Grid::from_fn(width, height, movement, free).unwrap()
}

fn random_options(rng: &mut Rng) -> Options {
    let placements = [
        Options::default().placement,
        Options::paper().placement,
        Placement::Spread { wide: 2, gap: 1 },
        Placement::MiddleOrEnds { wide: 3, inset: 0 },
    ];
    Options {
        cluster: [1, 2, 3, 7, 10, 16, 32][rng.below(7)],
        factor: 2 + rng.below(2) as u32,
        levels: Some(1 + rng.below(3) as u32),
        placement: placements[rng.below(4)],
        prune: rng.chance(70),
        keep_ways: rng.chance(80),
        ..Options::default()
    }
}

/// Changes a tile, a line, a block or tiles all over.
fn edit(rng: &mut Rng, grid: &mut Grid) -> Vec<Tile> {
    let at = |x: usize, y: usize| Tile::new(x as u16, y as u16);
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let (x, y, length) = (rng.below(width), rng.below(height), 1 + rng.below(8));
    let tiles: Vec<Tile> = match rng.below(7) {
        0..=2 => vec![at(x, y)],
        3 => (0..length).map(|i| at(x + i, y)).collect(),
        4 => (0..length).map(|i| at(x, y + i)).collect(),
        5 => (0..length).map(|i| at(x + i % 3, y + i / 3)).collect(),
        _ => (0..40).map(|_| at(rng.below(width), rng.below(height))).collect(),
    };
    let free = !grid.is_free(tiles[0]);
    for &tile in &tiles {
        grid.set_free(tile, free);
    }
    tiles
}

#[test]
fn a_repaired_graph_is_a_fresh_one_and_answers_like_it() {
    let (mut scratch, mut path, mut other) = (HpaScratch::new(), Path::new(), Path::new());
    let (mut repairs, mut found) = (0, 0);
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let mut grid = random_grid(&mut rng, Movement::ALL[seed as usize % 3]);
        let options = random_options(&mut rng);
        let mut hpa = Hpa::build(&grid, &options).unwrap();
        for step in 0..12 {
            let changed = edit(&mut rng, &mut grid);
            hpa.repair(&grid, &changed);
            let fresh = Hpa::build(&grid, &options).unwrap();
            let what = || format!("seed {seed}, step {step}: {changed:?} {options:?}\n{grid:?}");
            assert!(hpa.same_graph(&fresh), "{}", what());
            assert_eq!(hpa.sizes(), fresh.sizes(), "{}", what());
            repairs += 1;
            for _ in 0..4 {
                let mut tile = || {
                    let x = rng.below(grid.width() as usize);
                    Tile::new(x as u16, rng.below(grid.height() as usize) as u16)
                };
                let (a, b) = (tile(), tile());
                let cost = hpa.planner(&grid).find(a, b, &mut scratch, &mut path);
                assert_eq!(cost, fresh.planner(&grid).find(a, b, &mut scratch, &mut other));
                assert!(path == other, "{}", what());
                found += usize::from(cost.is_some());
            }
        }
        assert_eq!(hpa.check(&grid), Ok(()));
    }
    assert!(repairs == 1200 && found > 600, "{repairs} repairs, {found} paths");
}

/// Kept ways are followed only where the ground was uniform before and is so now.
#[test]
fn ground_that_becomes_dear_and_ordinary_again() {
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let mut grid = random_grid(&mut rng, Movement::ALL[seed as usize % 3]);
        let options = Options { cluster: 8, levels: Some(2), ..Options::default() };
        let mut hpa = Hpa::build(&grid, &options).unwrap();
        for step in 0..9 {
            let mut changed = edit(&mut rng, &mut grid);
            if step % 3 != 2 {
                let mut factors = match grid.factors() {
                    Some(factors) => factors.to_vec(),
                    None => vec![Factor::ONE; grid.tiles()],
                };
                let dear: Vec<usize> = (0..20).map(|_| rng.below(grid.tiles())).collect();
                for (cell, factor) in factors.iter_mut().enumerate() {
                    // Every other time all is ordinary ground again.
                    let new = if step % 3 == 1 { Factor::ONE } else { Factor::new(3.0).unwrap() };
                    if *factor != new && (step % 3 == 1 || dear.contains(&cell)) {
                        *factor = new;
                        changed.push(grid.tile(tidegate::grid::CellId::from_index(cell)));
                    }
                }
                grid = grid.with_factors(factors);
            }
            hpa.repair(&grid, &changed);
            let fresh = Hpa::build(&grid, &options).unwrap();
            assert!(hpa.same_graph(&fresh), "seed {seed}, step {step}: {changed:?}\n{grid:?}");
        }
    }
}

/// Thousands of edits in one place leave neither garbage nor gaps behind.
#[test]
fn memory_does_not_grow_with_the_number_of_repairs() {
    let mut rng = Rng::new(1);
    let mut grid = Grid::from_fn(64, 64, Movement::default(), |_, _| !rng.chance(20)).unwrap();
    let options = Options { cluster: 16, levels: Some(2), ..Options::default() };
    let mut hpa = Hpa::build(&grid, &options).unwrap();
    let mut most = 0;
    for round in 0..3000 {
        let tile = Tile::new(rng.below(64) as u16, rng.below(64) as u16);
        grid.set_free(tile, !rng.chance(20));
        hpa.repair(&grid, &[tile]);
        if round == 500 {
            most = hpa.bytes() * 3 / 2;
        }
    }
    assert!(hpa.bytes() < most, "{} bytes, {most} expected at most", hpa.bytes());
    assert!(hpa.same_graph(&Hpa::build(&grid, &options).unwrap()));
}
