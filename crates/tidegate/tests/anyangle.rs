//! Walks at any angle against an oracle that tries every line against every wall.

use tidegate::anyangle::{
    AngleLabels, AngleScratch, AnyAngle, AnyAngleScratch, LiveAngleLabels, PARTS, Point, Walk,
    WalkError, WalkQuery, WalkSource,
};
use tidegate::index::Change;
use tidegate::labels::{Form, LabelOptions};
use tidegate::rng::Rng;
use tidegate::{Blocked, Grid, Index, Movement, Scratch, Tile};
use tidegate_testkit::{maps, visibility};

/// All pairs of these points; how many were compared.
fn compare(grid: &Grid, points: &[Point], context: &dyn std::fmt::Display) -> usize {
    let (plane, mut scratch) = (AnyAngle::new(grid), AnyAngleScratch::new());
    let (least, mut walk) = (visibility::lengths(grid, points), Walk::default());
    let options = LabelOptions { effort: 500, ..LabelOptions::default() };
    let labels = AngleLabels::build(grid, &options).unwrap();
    let (mut of_labels, mut other) = (AngleScratch::new(), Walk::default());
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
            let labelled = labels.find_between(start, goal, &mut of_labels, &mut other);
            let same = (other.length() - length).abs() < 1e-9 && other.is_free(&plane);
            assert!(
                labelled == found && (same || !found),
                "{context}: {start} to {goal}: {other:?}\n{grid:?}"
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

fn index_with_walks(grid: Grid) -> Index {
    let mut index = Index::new(grid);
    index.build::<AnyAngle>(&()).unwrap();
    let options = LabelOptions { effort: 2_000, ..LabelOptions::default() };
    index.build::<LiveAngleLabels>(&options).unwrap();
    index
}

/// An index is asked for walks between edits, around blocked tiles, and after it was saved and read.
#[test]
fn walks_of_an_index_follow_edits() {
    let mut scratch = Scratch::new();
    let (mut by_labels, mut by_search, mut none, mut refused) = (0, 0, 0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let (width, height) = (4 + rng.below(14) as u32, 4 + rng.below(14) as u32);
        let walls = [5, 20, 35][rng.below(3)];
        let grid = Grid::from_fn(width, height, Movement::default(), |_, _| !rng.chance(walls));
        let mut index = index_with_walks(grid.unwrap());
        for round in 0..8 {
            // Closings alone at first, then both.
            let tiles: Vec<Tile> = (0..rng.below(4))
                .map(|_| {
                    Tile::new(rng.below(width as usize) as u16, rng.below(height as usize) as u16)
                })
                .collect();
            let close = |tile: &Tile| round < 4 || index.grid().is_free(*tile);
            let changes: Vec<Change> = tiles
                .iter()
                .map(|tile| if close(tile) { Change::wall(*tile) } else { Change::free(*tile) })
                .collect();
            index.edit(changes).unwrap();
            if rng.chance(30) {
                index = Index::from_bytes(&index.to_bytes()).unwrap();
            }
            let blocked = Blocked::new(maps::free_tiles(index.grid(), rng.below(4), &mut rng));
            let free = |x: u32, y: u32| {
                let tile = Tile::new(x as u16, y as u16);
                index.grid().is_free(tile) && !blocked.contains(tile)
            };
            let around = Grid::from_fn(width, height, Movement::default(), free).unwrap();
            let mut points: Vec<Point> =
                maps::free_tiles(index.grid(), 10, &mut rng).into_iter().map(Point::from).collect();
            points.push(Point::new(rng.below(256 * width as usize) as i32, 77));
            let least = visibility::lengths(&around, &points);
            let mut walk = Walk::default();
            for (a, &start) in points.iter().enumerate() {
                for (b, &goal) in points.iter().enumerate() {
                    let query = WalkQuery::new(start, goal).with_blocked(&blocked);
                    let context = format!("{seed} {round}: {start} to {goal}\n{around:?}");
                    match index.find_walk(&query, &mut scratch, &mut walk) {
                        Ok(Some(source)) => {
                            let difference = (walk.length() - least[a][b]).abs();
                            assert!(
                                difference < 1e-9,
                                "{context}: {} {}",
                                walk.length(),
                                least[a][b]
                            );
                            assert!(walk.is_free(&AnyAngle::new(&around)), "{context}");
                            for tile in walk.tiles(&AnyAngle::new(&around)) {
                                assert!(around.is_free(tile), "{context}");
                            }
                            match source {
                                WalkSource::Labels => by_labels += 1,
                                WalkSource::Search { .. } => by_search += 1,
                            }
                        }
                        Ok(None) => {
                            assert!(
                                least[a][b].is_infinite() && walk.points().is_empty(),
                                "{context}"
                            );
                            none += 1;
                        }
                        Err(error) => {
                            let plane = AnyAngle::new(&around);
                            assert!(
                                !plane.is_free(start) || !plane.is_free(goal),
                                "{context}: {error}"
                            );
                            refused += 1;
                        }
                    }
                }
            }
        }
    }
    println!(
        "{by_labels} by labels, {by_search} by search, {none} without a way, {refused} refused"
    );
    assert!(by_labels > 5_000 && by_search > 5_000 && none > 500 && refused > 500);
}

#[test]
fn ends_that_are_none_are_refused_by_name() {
    let index = index_with_walks(Grid::from_rows(&["..#", "..."]).unwrap());
    let far = Point::new(3 * PARTS + 1, 0);
    let outside = index.walk((0, 0), far).unwrap_err();
    assert!(matches!(outside, WalkError::Outside { end: "goal", .. }));
    assert_eq!(outside.to_string(), "goal (3.00390625, 0) lies outside the map of 3 x 2 tiles");
    assert!(matches!(index.walk((2, 0), (0, 0)), Err(WalkError::Wall { end: "start", .. })));
    // Corners of the map can be walked to, and without tables, too.
    let bare = Index::new(index.grid().clone());
    for index in [&index, &bare] {
        let walk = index.walk(Point::new(0, 0), Point::new(3 * PARTS, 2 * PARTS)).unwrap().unwrap();
        assert_eq!(walk.length(), 13_f64.sqrt());
    }
}

/// Bytes that were changed are refused, or the walks they lead to can be walked.
#[test]
fn changed_bytes_are_refused_or_harmless() {
    let grid = Grid::from_rows(&["....#....", ".##...##.", ".#..#..#.", "....#....", ".##...##."])
        .unwrap();
    let mut bytes = Vec::new();
    AngleLabels::build(&grid, &LabelOptions::default()).unwrap().write(&mut bytes);
    let (mut refused, mut harmless) = (0, 0);
    let (mut scratch, plane) = (AngleScratch::new(), AnyAngle::new(&grid));
    let tiles: Vec<Tile> = grid.free_cells().map(|cell| grid.tile(cell)).collect();
    for at in 0..bytes.len() {
        for change in [1, 0x10, 0x80, 0xFF] {
            bytes[at] ^= change;
            match AngleLabels::read(&grid, &bytes) {
                Err(_) => refused += 1,
                Ok(labels) => {
                    harmless += 1;
                    for (&start, &goal) in tiles.iter().zip(tiles.iter().rev()) {
                        if let Some(walk) = labels.find(start, goal, &mut scratch) {
                            assert!(walk.is_free(&plane), "{at}");
                            assert_eq!(walk.points()[0], start.into());
                        }
                    }
                }
            }
            bytes[at] ^= change;
        }
        assert!(AngleLabels::read(&grid, &bytes[..at]).is_err());
    }
    assert!(refused > 1_000 && harmless > 0, "{refused} {harmless}");
}
