//! Components follow every change of the map: after each step they are those of a flood
//! over legal steps, under every rule; the nearest tile that can be reached is the one
//! that looking at all tiles finds.

use tidegate::grid::component::Components;
use tidegate::grid::{CellId, Grid, Movement, Tile};
use tidegate::rng::Rng;

/// By tile: its component, numbered in row order of the first tiles; `None` on walls.
fn flood(grid: &Grid) -> (Vec<Option<u32>>, Vec<u32>) {
    let (mut numbers, mut sizes) = (vec![None; grid.tiles()], Vec::new());
    for first in grid.free_cells() {
        if numbers[first.index()].is_some() {
            continue;
        }
        let (number, mut stack) = (sizes.len() as u32, vec![first]);
        numbers[first.index()] = Some(number);
        sizes.push(0);
        while let Some(cell) = stack.pop() {
            sizes[number as usize] += 1;
            for (next, _) in grid.neighbours(cell) {
                if numbers[next.index()].is_none() {
                    numbers[next.index()] = Some(number);
                    stack.push(next);
                }
            }
        }
    }
    (numbers, sizes)
}

/// Compares with a flood: the same tiles together, the same sizes, nothing more.
fn check(components: &Components, grid: &Grid, what: &str) {
    let (numbers, sizes) = flood(grid);
    assert_eq!(components.count(), sizes.len(), "{what}\n{grid:?}");
    let mut partner = vec![None; sizes.len()];
    for cell in (0..grid.tiles()).map(CellId::from_index) {
        let (ours, flooded) = (components.number(cell), numbers[cell.index()]);
        let partner = flooded.and_then(|n| *partner[n as usize].get_or_insert(ours));
        assert_eq!(ours, partner, "{what}, tile {}\n{grid:?}", grid.tile(cell));
    }
    // As many on both sides and each ours has one partner: they are the same.
    let mut left = components.sizes().to_vec();
    for (number, size) in sizes.iter().enumerate() {
        let ours = partner[number].flatten().expect("a component without a tile") as usize;
        assert_eq!(std::mem::take(&mut left[ours]), *size, "{what}\n{grid:?}");
    }
    assert!(left.iter().all(|&size| size == 0), "{what}: sizes of nothing {left:?}");
    assert!(*components == Components::of(grid), "{what}\n{grid:?}");
}

fn random_grid(rng: &mut Rng, movement: Movement) -> Grid {
    let (width, height) = match rng.below(8) {
        0 => (1, 1 + rng.below(150) as u32),
        1 => (1 + rng.below(150) as u32, 1),
        2 => (32, 32),
        3 => (64, 33),
        _ => (1 + rng.below(90) as u32, 1 + rng.below(70) as u32),
    };
    let walls = [0, 5, 20, 40, 60, 100][rng.below(6)];
    let rooms = rng.chance(30);
    let free = |x: u32, y: u32| {
        let line = rooms && (x % 11 == 7 || y % 13 == 5);
        !rng.chance(if line { 93 } else { walls })
    };
    Grid::from_fn(width, height, movement, free).unwrap()
}

fn set(grid: &mut Grid, tiles: &[Tile], free: bool) {
    for &tile in tiles {
        grid.set_free(tile, free);
    }
}

/// A change as players make them: a tile, a wall or a breach of up to 8 tiles, a line from
/// edge to edge, or tiles all over; some tiles twice, some unchanged, some outside.
fn random_edit(rng: &mut Rng, grid: &mut Grid) -> Vec<Tile> {
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let at = |x: usize, y: usize| Tile::new(x as u16, y as u16);
    let (x, y) = (rng.below(width), rng.below(height));
    let mut tiles = Vec::new();
    let mut free = rng.chance(50);
    match rng.below(8) {
        0..=2 => {
            free = !grid.is_free(at(x, y));
            tiles.push(at(x, y));
        }
        3 => (0..=rng.below(8)).for_each(|i| tiles.push(at(x + i, y))),
        4 => (0..=rng.below(8)).for_each(|i| tiles.push(at(x, y + i))),
        5 => tiles.extend((0..height).map(|y| at(x, y))),
        6 => tiles.extend((0..width).map(|x| at(x, y))),
        _ => {
            for _ in 0..rng.below(60) {
                let tile = at(rng.below(width), rng.below(height));
                grid.set_free(tile, rng.chance(50));
                tiles.push(tile);
            }
            return tiles;
        }
    }
    set(grid, &tiles, free);
    if rng.chance(20) {
        tiles.push(tiles[0]);
        tiles.push(at(rng.below(width), rng.below(height)));
    }
    tiles
}

#[test]
fn after_every_change_the_components_are_those_of_a_flood() {
    let (mut steps, mut most) = (0, 0);
    for seed in 0..360 {
        let mut rng = Rng::new(seed);
        let mut grid = random_grid(&mut rng, Movement::ALL[seed as usize % 3]);
        let mut components = Components::of(&grid);
        check(&components, &grid, &format!("seed {seed}, fresh"));
        for step in 0..25 {
            let changed = random_edit(&mut rng, &mut grid);
            components.update(&grid, &changed);
            check(&components, &grid, &format!("seed {seed}, step {step}: {changed:?}"));
            (steps, most) = (steps + 1, components.count().max(most));
        }
    }
    assert!(steps == 9000 && most > 300, "{steps} steps, at most {most} components");
}

/// Numbers and pieces that are given back are used again: nothing grows for ever.
#[test]
fn memory_does_not_grow_with_the_number_of_changes() {
    let mut rng = Rng::new(5);
    let mut grid = Grid::from_fn(70, 70, Movement::default(), |_, _| !rng.chance(35)).unwrap();
    let mut components = Components::of(&grid);
    let mut held = 0;
    for edit in 0..6000 {
        let tile = Tile::new(rng.below(70) as u16, rng.below(70) as u16);
        grid.set_free(tile, !rng.chance(35));
        components.update(&grid, &[tile]);
        if edit == 1000 {
            held = components.bytes();
        }
    }
    assert!(components.bytes() < held * 3 / 2, "{held}, then {}", components.bytes());
    check(&components, &grid, "6000 edits");
}

#[test]
fn a_wall_across_the_map_and_its_removal() {
    let mut grid = Grid::from_fn(300, 200, Movement::OneSideFree, |_, _| true).unwrap();
    let mut components = Components::of(&grid);
    let wall: Vec<Tile> = (0..200).map(|y| Tile::new(90 + y / 4, y)).collect();
    // Each step of the wall is two tiles wide where it moves on.
    let wall: Vec<Tile> = wall.iter().flat_map(|&t| [t, Tile::new(t.x + 1, t.y)]).collect();
    for (i, &tile) in wall.iter().enumerate() {
        grid.set_free(tile, false);
        components.update(&grid, &[tile]);
        assert_eq!(components.count(), if i + 2 < wall.len() { 1 } else { 2 }, "tile {i}");
    }
    check(&components, &grid, "cut in two");
    let (a, b) = (CellId::from_index(0), CellId::from_index(299));
    assert!(!components.connected(a, b));
    set(&mut grid, &wall, true);
    components.update(&grid, &wall);
    assert!(components.connected(a, b));
    check(&components, &grid, "the wall is gone");
    // All at once to wall and back.
    let all: Vec<Tile> = grid.free_cells().map(|cell| grid.tile(cell)).collect();
    set(&mut grid, &all, false);
    components.update(&grid, &all);
    assert_eq!(components.count(), 0);
    assert_eq!(components.nearest_reachable(&grid, all[0], all[1]), None);
    set(&mut grid, &all, true);
    components.update(&grid, &all);
    check(&components, &grid, "all free again");
}

/// The nearest tile by looking at all of them.
fn nearest(grid: &Grid, components: &Components, from: Tile, to: Tile) -> Option<Tile> {
    let from = grid.cell(from)?;
    let edge = |at: u16, side: u32| u32::from(at).min(side - 1) as u16;
    let to = Tile::new(edge(to.x, grid.width()), edge(to.y, grid.height()));
    let reached = grid.free_cells().filter(|&cell| components.connected(from, cell));
    let estimate = |cell: &CellId| (grid.movement().estimate(grid.tile(*cell), to), *cell);
    reached.min_by_key(estimate).map(|cell| grid.tile(cell))
}

#[test]
fn the_nearest_tile_is_the_one_that_looking_at_all_finds() {
    let (mut asked, mut moved) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(1000 + seed);
        let mut grid = random_grid(&mut rng, Movement::ALL[seed as usize % 3]);
        let mut components = Components::of(&grid);
        for _ in 0..3 {
            let changed = random_edit(&mut rng, &mut grid);
            components.update(&grid, &changed);
        }
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        for _ in 0..60 {
            let mut tile = |beyond: usize| {
                Tile::new(rng.below(width + beyond) as u16, rng.below(height + beyond) as u16)
            };
            let (from, to) = (tile(1), tile(5));
            let found = components.nearest_reachable(&grid, from, to);
            assert_eq!(found, nearest(&grid, &components, from, to), "{from} to {to}\n{grid:?}");
            asked += 1;
            moved += usize::from(found.is_some_and(|found| found != to));
        }
    }
    assert!(asked == 18_000 && moved > 3000, "{moved} of {asked}");
}

/// A goal deep in a mass of wall, farther than many chunks; one tile can be reached.
#[test]
fn the_nearest_tile_may_be_far_away() {
    for movement in Movement::ALL {
        let free = |x, y| (x, y) == (3, 250) || (200..210).contains(&x) && (90..100).contains(&y);
        let grid = Grid::from_fn(400, 300, movement, free).unwrap();
        let components = Components::of(&grid);
        for (from, to) in [((3, 250), (399, 0)), ((3, 250), (205, 95)), ((200, 90), (0, 299))] {
            let (from, to) = (Tile::from(from), Tile::from(to));
            let found = components.nearest_reachable(&grid, from, to);
            assert_eq!(found, nearest(&grid, &components, from, to));
        }
        let outside = Tile::new(60_000, 60_000);
        let found = components.nearest_reachable(&grid, Tile::new(205, 95), outside);
        assert_eq!(found, Some(Tile::new(209, 99)));
        assert_eq!(components.nearest_reachable(&grid, outside, outside), None);
    }
}

/// The teeth of a comb have all lengths: the nearest tile often lies in a later ring of chunks than the first that is
/// found.
#[test]
fn the_nearest_tile_may_lie_in_a_later_ring() {
    let mut rng = Rng::new(5);
    for round in 0..6 {
        let lengths: Vec<u32> = (0..24).map(|_| rng.below(260) as u32).collect();
        let step = 17 + 13 * round;
        let tooth = |x: u32, y: u32| x % step == 3 && y < lengths[(x / step) as usize % 24];
        let movement = Movement::ALL[round as usize % 3];
        let free = |x, y| y == 0 || tooth(x, y);
        let grid = Grid::from_fn(400, 300, movement, free).unwrap();
        let components = Components::of(&grid);
        for _ in 0..60 {
            let to = Tile::new(rng.below(400) as u16, rng.below(300) as u16);
            let found = components.nearest_reachable(&grid, Tile::new(0, 0), to);
            assert_eq!(found, nearest(&grid, &components, Tile::new(0, 0), to), "{to}");
        }
    }
}

/// Components are equal if the same tiles hang together, whatever the numbers.
#[test]
fn components_of_other_maps_differ() {
    let parse = |rows: &[&str]| Components::of(&Grid::from_rows(rows).unwrap());
    let apart = parse(&["..#..", "..#..", "..#.."]);
    assert_ne!(apart, parse(&["..#..", "..#..", "....."]));
    assert_ne!(apart, parse(&["..##.", "..##.", "..##."]));
    assert_ne!(apart, parse(&["..#..", "..#.."]));
    assert_eq!(apart, parse(&["..#..", "..#..", "..#.."]));
}

/// A door in a wall along the border of two chunks, on either side of it and across or down: opened it joins both
/// halves, closed it parts them, again and again.
#[test]
fn a_door_between_chunks_opens_and_closes() {
    for (at, across) in [(31, true), (32, true), (31, false), (32, false)] {
        let along = |x: u32, y: u32| if across { (x, y) } else { (y, x) };
        let free = |x, y| along(x, y).0 != at;
        let mut grid = Grid::from_fn(70, 70, Movement::default(), free).unwrap();
        let mut components = Components::of(&grid);
        let halves = [(3, 3), (60, 60)].map(|(x, y)| grid.cell(Tile::new(x, y)).unwrap());
        for (n, place) in [5, 40, 31, 32, 5, 63].into_iter().enumerate() {
            let (x, y) = along(at, place);
            let door = Tile::new(x as u16, y as u16);
            for open in [true, false] {
                grid.set_free(door, open);
                components.update(&grid, &[door]);
                let context = format!("door {n} at {door}, open: {open}");
                assert_eq!(components.connected(halves[0], halves[1]), open, "{context}");
                assert_eq!(components, Components::of(&grid), "{context}");
            }
        }
    }
}

/// Edits of several chunks at once, side by side and far apart, on maps of many chunks: lines of wall with few
/// doors, so that most of them join or part something.
#[test]
fn many_chunks_change_at_once() {
    for seed in 0..6 {
        let mut rng = Rng::new(77 + seed);
        let (width, height) = (230, 170);
        let free = |x: u32, y: u32| !(x.is_multiple_of(16) || y % 16 == 15) || rng.chance(2);
        let mut grid = Grid::from_fn(width, height, Movement::default(), free).unwrap();
        let mut components = Components::of(&grid);
        for round in 0..60 {
            let mut changed = Vec::new();
            for _ in 0..1 + rng.below(3) {
                // Around a point where four chunks meet, or anywhere.
                let (x, y) = (32 * rng.between(1, 7), 32 * rng.between(1, 5));
                for _ in 0..1 + rng.below(6) {
                    let tile = Tile::new(
                        (x + rng.between(-3, 3)).clamp(0, width as i32 - 1) as u16,
                        (y + rng.between(-3, 3)).clamp(0, height as i32 - 1) as u16,
                    );
                    grid.set_free(tile, !grid.is_free(tile));
                    changed.push(tile);
                }
            }
            components.update(&grid, &changed);
            assert_eq!(components, Components::of(&grid), "seed {seed}, round {round}");
        }
    }
}
