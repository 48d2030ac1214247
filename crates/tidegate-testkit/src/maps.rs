//! Small maps of every shape, by seed: what property tests are run on.

use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Tile};

/// A map of the seed's choice, at most about 40 tiles a side: scattered walls from 0 to
/// 60 %, rooms, caves, corridors one tile wide, single rows and columns, all wall, all
/// free; sides that no round number divides.
pub fn small(seed: u64, movement: Movement) -> Grid {
    let mut rng = Rng::new(seed);
    let (width, height) = match rng.below(10) {
        0 => (1 + rng.below(3), 1 + rng.below(40)),
        1 => (1 + rng.below(40), 1 + rng.below(3)),
        2 => (1 + rng.below(6), 1 + rng.below(6)),
        _ => (4 + rng.below(36), 4 + rng.below(36)),
    };
    let mut walls = vec![vec![false; width]; height];
    match rng.below(8) {
        0 => walls.iter_mut().flatten().for_each(|w| *w = true),
        1 => {}
        2 => rooms(&mut walls, &mut rng),
        3 => caves(&mut walls, &mut rng),
        4 => corridors(&mut walls, &mut rng),
        _ => {
            let percent = rng.below(60) as u32;
            walls.iter_mut().flatten().for_each(|w| *w = rng.chance(percent));
        }
    }
    let free = |x: u32, y: u32| !walls[y as usize][x as usize];
    Grid::from_fn(width as u32, height as u32, movement, free).expect("a small size")
}

fn rooms(walls: &mut [Vec<bool>], rng: &mut Rng) {
    let (step_x, step_y) = (4 + rng.below(7), 4 + rng.below(7));
    for (y, row) in walls.iter_mut().enumerate() {
        for (x, wall) in row.iter_mut().enumerate() {
            let line = x % step_x == step_x - 1 || y % step_y == step_y - 1;
            *wall = line && !rng.chance(12);
        }
    }
}

fn caves(walls: &mut [Vec<bool>], rng: &mut Rng) {
    walls.iter_mut().flatten().for_each(|w| *w = rng.chance(43));
    for _ in 0..3 {
        let before = walls.to_owned();
        let wall =
            |x: usize, y: usize| before.get(y).and_then(|row| row.get(x)).copied().unwrap_or(true);
        for (y, row) in walls.iter_mut().enumerate() {
            for (x, w) in row.iter_mut().enumerate() {
                let around = (0..9)
                    .filter(|i| wall((x + i % 3).wrapping_sub(1), (y + i / 3).wrapping_sub(1)));
                *w = around.count() >= 5;
            }
        }
    }
}

fn corridors(walls: &mut [Vec<bool>], rng: &mut Rng) {
    walls.iter_mut().flatten().for_each(|w| *w = true);
    let (height, width) = (walls.len(), walls[0].len());
    for _ in 0..(3 + rng.below(12)) {
        let (x, y) = (rng.below(width), rng.below(height));
        let (other_x, other_y) = (rng.below(width), rng.below(height));
        (x.min(other_x)..=x.max(other_x)).for_each(|x| walls[y][x] = false);
        (y.min(other_y)..=y.max(other_y)).for_each(|y| walls[y][other_x] = false);
    }
}

/// Free tiles of a grid, at random, with repeats; empty if there is none.
pub fn free_tiles(grid: &Grid, count: usize, rng: &mut Rng) -> Vec<Tile> {
    let cells: Vec<_> = grid.free_cells().collect();
    (0..count).filter_map(|_| rng.pick(&cells).map(|&cell| grid.tile(cell))).collect()
}

/// The same map turned, mirrored or transposed: 8 ways, number 0 is the map itself.
/// The second value moves a tile along.
pub fn turned(grid: &Grid, way: u32) -> (Grid, impl Fn(Tile) -> Tile + use<>) {
    let (w, h) = (grid.width() as u16, grid.height() as u16);
    let turn = move |t: Tile| {
        let x = if way & 1 != 0 { w - 1 - t.x } else { t.x };
        let y = if way & 2 != 0 { h - 1 - t.y } else { t.y };
        if way & 4 != 0 { Tile::new(y, x) } else { Tile::new(x, y) }
    };
    let (width, height) = if way & 4 != 0 { (h, w) } else { (w, h) };
    let mut free = vec![false; grid.tiles()];
    for cell in grid.free_cells() {
        let tile = turn(grid.tile(cell));
        free[usize::from(tile.y) * usize::from(width) + usize::from(tile.x)] = true;
    }
    let at = |x: u32, y: u32| free[(y * u32::from(width) + x) as usize];
    let turned = Grid::from_fn(width.into(), height.into(), grid.movement(), at);
    (turned.expect("the same number of tiles"), turn)
}
