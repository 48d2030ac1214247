//! Walks at any angle against an oracle that tries every line against every wall.

use tidegate::anyangle::{
    AngleLabels, AngleScratch, AnyAngle, AnyAngleScratch, PARTS, Point, Walk,
};
use tidegate::labels::{Form, LabelOptions};
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Tile};
use tidegate_testkit::{maps, visibility};

/// All pairs of these points; how many were compared.
fn compare(grid: &Grid, points: &[Point], context: &dyn std::fmt::Display) -> usize {
    let (plane, mut scratch) = (AnyAngle::new(grid), AnyAngleScratch::new());
    let (least, mut walk) = (visibility::lengths(grid, points), Walk::default());
    let mut compared = 0;
    for (a, &start) in points.iter().enumerate() {
        for (b, &goal) in points.iter().enumerate() {
            let found = plane.find_into(start, goal, &mut scratch, &mut walk);
            let length = if found { walk.length() } else { f64::INFINITY };
            let agree = length == least[a][b] || (length - least[a][b]).abs() < 1e-9;
            assert!(
                agree,
                "{context}: {start:?} to {goal:?}: {length} by {:?}, not {}\n{grid:?}",
                walk.points(),
                least[a][b]
            );
            let lines = walk.points().windows(2);
            assert!(
                !found || lines.clone().all(|line| visibility::is_walk(grid, line[0], line[1])),
                "{context}: {:?}\n{grid:?}",
                walk.points()
            );
            assert_eq!(
                plane.sees(start, goal),
                visibility::is_walk(grid, start, goal),
                "{context}"
            );
            compared += 1;
        }
    }
    compared
}

/// Labels of both forms against the oracle, between the centres of all these tiles, built and read
/// back; how many pairs were compared.
fn compare_labels(grid: &Grid, tiles: &[Tile], context: &dyn std::fmt::Display) -> usize {
    let points: Vec<Point> = tiles.iter().map(|&tile| tile.into()).collect();
    let least = visibility::lengths(grid, &points);
    let (mut scratch, mut walk) = (AngleScratch::new(), Walk::default());
    for form in [Form::Fast, Form::Small] {
        let options = LabelOptions { form, effort: 500, ..LabelOptions::default() };
        let built = AngleLabels::build(grid, &options).unwrap();
        let mut bytes = Vec::new();
        built.write(&mut bytes);
        let labels = AngleLabels::read(grid, &bytes).unwrap();
        assert_eq!(labels, built, "{context}\n{grid:?}");
        for (a, &start) in tiles.iter().enumerate() {
            for (b, &goal) in tiles.iter().enumerate() {
                let found = labels.find_into(start, goal, &mut scratch, &mut walk);
                let length = if found { walk.length() } else { f64::INFINITY };
                let agree = length == least[a][b] || (length - least[a][b]).abs() < 1e-9;
                assert!(
                    agree,
                    "{context}, {form:?}: {start} to {goal}: {length} by {:?}, not {}\n{grid:?}",
                    walk.points(),
                    least[a][b]
                );
                let mut lines = walk.points().windows(2);
                assert!(lines.all(|line| visibility::is_walk(grid, line[0], line[1])), "{context}");
                assert_eq!(labels.distance(start, goal, &mut scratch), found.then_some(length));
            }
        }
    }
    2 * tiles.len() * tiles.len()
}

/// Labels on every map of 3 x 4 tiles, every 61st of 4 x 4 and larger ones (`TIDEGATE_ROUNDS`: all of
/// them, and so many larger ones).
#[test]
fn labels_of_all_maps() {
    let rounds = std::env::var("TIDEGATE_ROUNDS").ok().and_then(|n| n.parse().ok());
    let mut compared = 0;
    let tiles = |grid: &Grid| grid.free_cells().map(|cell| grid.tile(cell)).collect::<Vec<_>>();
    for bits in 0..1 << 12 {
        let grid = visibility::map_of_bits(4, 3, bits);
        compared += compare_labels(&grid, &tiles(&grid), &bits);
    }
    for bits in (0..1 << 16).step_by(if rounds.is_some() { 1 } else { 61 }) {
        let grid = visibility::map_of_bits(4, 4, bits);
        compared += compare_labels(&grid, &tiles(&grid), &bits);
    }
    let small = compared;
    for seed in 0..rounds.unwrap_or(60) {
        let mut rng = Rng::new(seed);
        let (width, height) = (1 + rng.below(20) as u32, 1 + rng.below(20) as u32);
        let walls = [8, 20, 35, 50][rng.below(4)];
        let grid = Grid::from_fn(width, height, Movement::default(), |_, _| !rng.chance(walls));
        let grid = grid.unwrap();
        compared += compare_labels(&grid, &tiles(&grid), &seed);
    }
    println!("{compared} pairs, {small} of them on the smallest maps");
    assert!(small > 400_000 && compared > 2 * small, "{small} {compared}");
}

/// Every map of 3 x 4 tiles, and every 61st of 4 x 4 (`TIDEGATE_ROUNDS=1`: all of them).
#[test]
fn every_small_map() {
    let mut compared = 0;
    for bits in 0..1 << 12 {
        let grid = visibility::map_of_bits(4, 3, bits);
        compared += compare(&grid, &visibility::centres(&grid), &bits);
    }
    let all = std::env::var("TIDEGATE_ROUNDS").is_ok();
    for bits in (0..1 << 16).step_by(if all { 1 } else { 61 }) {
        let grid = visibility::map_of_bits(4, 4, bits);
        compared += compare(&grid, &visibility::centres(&grid), &bits);
    }
    println!("{compared} pairs");
    assert!(compared > 200_000, "{compared}");
}

/// Larger maps of all kinds, some after edits, between centres and between any points.
#[test]
fn random_maps_and_points() {
    let rounds = std::env::var("TIDEGATE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut compared = 0;
    for seed in 0..rounds {
        let mut rng = Rng::new(seed);
        let (width, height) = (1 + rng.below(20) as u32, 1 + rng.below(20) as u32);
        let walls = [8, 20, 35, 50][rng.below(4)];
        let free: Vec<bool> = (0..width * height).map(|_| !rng.chance(walls)).collect();
        let is_free = |x: u32, y: u32| free[(y * width + x) as usize];
        let grid = Grid::from_fn(width, height, Movement::default(), is_free).unwrap();
        let mut points = visibility::centres(&grid);
        while points.len() > 24 {
            points.swap_remove(rng.below(points.len()));
        }
        // Corners, edges and points inside.
        for tile in maps::free_tiles(&grid, 12, &mut rng) {
            let part = |at: u16, rng: &mut Rng| {
                i32::from(at) * PARTS + [0, PARTS, rng.below(257) as i32][rng.below(3)]
            };
            points.push(Point::new(part(tile.x, &mut rng), part(tile.y, &mut rng)));
        }
        points.retain(|point| !is_pinched(&grid, *point));
        compared += compare(&grid, &points, &format_args!("seed {seed}"));
    }
    println!("{compared} pairs");
    assert!(compared > 30_000, "{compared}");
}

/// Where two walls touch at a corner, it belongs to both sides, and no walk leads through it; one that
/// begins there may go either way. Such points are not compared.
fn is_pinched(grid: &Grid, point: Point) -> bool {
    let (x, y) = (point.x / PARTS, point.y / PARTS);
    let wall = |dx: i32, dy: i32| !grid.is_free_at(x - dx, y - dy);
    let on_corner = point.x % PARTS == 0 && point.y % PARTS == 0;
    on_corner && ((wall(0, 0) && wall(1, 1)) || (wall(1, 0) && wall(0, 1)))
}

#[test]
fn edits_are_taken_over() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut grid = maps::small(seed, Movement::default());
        let mut plane = AnyAngle::new(&grid);
        for _ in 0..5 {
            let tiles: Vec<Tile> = (0..4)
                .map(|_| {
                    let (x, y) =
                        (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
                    Tile::new(x as u16, y as u16)
                })
                .collect();
            for &tile in &tiles {
                let free = rng.chance(50);
                grid.set_free(tile, free);
            }
            plane.update(&grid, &tiles);
            assert_eq!(plane, AnyAngle::new(&grid), "seed {seed}");
        }
    }
}

#[test]
fn what_is_no_place_for_a_walk() {
    let grid = Grid::from_rows(&["..#", "...", "#.."]).unwrap();
    let (plane, mut scratch) = (AnyAngle::new(&grid), AnyAngleScratch::new());
    assert!(plane.find((2, 0), (0, 0), &mut scratch).is_none());
    assert!(plane.find((0, 0), Point::new(-1, 5), &mut scratch).is_none());
    assert!(plane.find((0, 0), Point::new(1 << 24, 5), &mut scratch).is_none());
    assert_eq!(Point::from_tiles(f64::NAN, 0.0), None);
    assert_eq!(Point::from_tiles(0.5, 1.5), Some(Point::from((0, 1))));
    let same = plane.find((0, 0), (0, 0), &mut scratch).unwrap();
    assert_eq!((same.points().len(), same.length()), (1, 0.0));
}
