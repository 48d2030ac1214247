//! Lines and straightened paths against geometry written out plainly, in exact fractions.

use tidegate::cost::Factor;
use tidegate::engine::{self, Promise};
use tidegate::path::PathError;
use tidegate::rng::Rng;
use tidegate::straighten::{LineRule, Sight, Waypoints};
use tidegate::{Blocked, Grid, Index, Movement, Path, Query, Scratch, Tile};
use tidegate_testkit::maps;

const RULES: [LineRule; 3] = [LineRule::Point, LineRule::Square, LineRule::RowsAndColumns];

/// A fraction with a positive denominator; those here are small.
#[derive(Clone, Copy)]
struct Fraction(i64, i64);

impl Fraction {
    fn is_less(self, other: Fraction) -> bool {
        self.0 * other.1 < other.0 * self.1
    }
}

/// A line from one point to another, coordinates in half tiles.
#[derive(Clone, Copy)]
struct Line {
    from: [i64; 2],
    to: [i64; 2],
}

impl Line {
    /// Whether some point of the line, ends included, lies strictly between `low` and `high`
    /// in both axes: whether the open box and the line meet.
    fn meets(&self, low: [i64; 2], high: [i64; 2]) -> bool {
        // The points of the line are from + t (to - from): all t from 0 to 1 that are above
        // every lower bound and below every upper one.
        let (mut lower, mut upper) = (vec![], vec![]);
        for axis in 0..2 {
            let (at, ahead) = (self.from[axis], self.to[axis] - self.from[axis]);
            if ahead == 0 {
                if at <= low[axis] || at >= high[axis] {
                    return false;
                }
                continue;
            }
            let (near, far) = if ahead > 0 { (low, high) } else { (high, low) };
            let at_border = |border: i64| {
                let sign = ahead.signum();
                Fraction((border - at) * sign, ahead * sign)
            };
            lower.push(at_border(near[axis]));
            upper.push(at_border(far[axis]));
        }
        let (zero, one) = (Fraction(0, 1), Fraction(1, 1));
        lower.iter().all(|l| l.is_less(one) && upper.iter().all(|u| l.is_less(*u)))
            && upper.iter().all(|u| zero.is_less(*u))
    }

    /// Whether the line leads through this point.
    fn leads_through(&self, point: [i64; 2]) -> bool {
        let [dx, dy] = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        let [px, py] = [point[0] - self.from[0], point[1] - self.from[1]];
        let along = px * dx + py * dy;
        self.from != self.to && px * dy == py * dx && (0..=dx * dx + dy * dy).contains(&along)
    }
}

/// The walls, and one ring of those around the map.
fn walls(grid: &Grid) -> impl Iterator<Item = [i64; 2]> + '_ {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    let all = (-1..=height).flat_map(move |y| (-1..=width).map(move |x| (x, y)));
    all.filter(|&(x, y)| !grid.is_free_at(x, y)).map(|(x, y)| [i64::from(x), i64::from(y)])
}

/// A square of side `size` tiles whose centre walks from one point to another, in half tiles:
/// does it touch the inside of a wall?
fn square_is_free(walls: &[[i64; 2]], line: Line, size: i64) -> bool {
    // The square meets a wall where its centre is nearer to the wall than half of both sides.
    let meets = |&[x, y]: &[i64; 2]| {
        let (centre, reach) = ([2 * x + 1, 2 * y + 1], size + 1);
        line.meets(centre.map(|c| c - reach), centre.map(|c| c + reach))
    };
    !walls.iter().any(meets)
}

fn centre(tile: Tile) -> [i64; 2] {
    [2 * i64::from(tile.x) + 1, 2 * i64::from(tile.y) + 1]
}

/// The rules as they are written, by looking at every wall.
fn sees_plainly(grid: &Grid, walls: &[[i64; 2]], rule: LineRule, from: Tile, to: Tile) -> bool {
    let line = Line { from: centre(from), to: centre(to) };
    let ends = grid.is_free(from) && grid.is_free(to);
    let is_wall = |x: i64, y: i64| !grid.is_free_at(x as i32, y as i32);
    // A point where two walls touch at their corners, whatever else is around it.
    let squeezes = || {
        walls.iter().any(|&[x, y]| {
            [(1, 1), (1, -1)].iter().any(|&(dx, dy)| {
                let corner = [2 * x + 2, 2 * y + 1 + dy];
                is_wall(x + dx, y + dy) && line.leads_through(corner)
            })
        })
    };
    let straight = from.x == to.x || from.y == to.y;
    ends && match rule {
        LineRule::Point => square_is_free(walls, line, 0) && !squeezes(),
        LineRule::Square => square_is_free(walls, line, 1),
        _ => straight && square_is_free(walls, line, 0),
    }
}

fn tiles(grid: &Grid) -> Vec<Tile> {
    let (width, height) = (grid.width() as u16, grid.height() as u16);
    (0..height).flat_map(|y| (0..width).map(move |x| Tile::new(x, y))).collect()
}

/// Compares all pairs of tiles under all rules; how many lines are clear.
fn compare_all(grid: &Grid) -> u64 {
    let (tiles, walls) = (tiles(grid), walls(grid).collect::<Vec<_>>());
    let mut clear = 0;
    for rule in RULES {
        let sight = Sight::new(grid).with_rule(rule);
        for &from in &tiles {
            for &to in &tiles {
                let plainly = sees_plainly(grid, &walls, rule, from, to);
                assert_eq!(sight.sees(from, to), plainly, "{rule:?} {from:?} {to:?}\n{grid:?}");
                clear += u64::from(plainly);
            }
        }
    }
    clear
}

#[test]
fn sight_is_the_geometry_on_every_small_map() {
    let (mut maps, mut lines, mut clear) = (0, 0, 0);
    for (width, height) in [(3, 4), (5, 2), (1, 6), (6, 1)] {
        for bits in 0_u32..1 << (width * height) {
            let free = |x: u32, y: u32| bits >> (y * width + x) & 1 == 0;
            let grid = Grid::from_fn(width, height, Movement::OneSideFree, free).unwrap();
            clear += compare_all(&grid);
            lines += 3 * u64::from(width * height).pow(2);
            maps += 1;
        }
    }
    println!("{maps} maps, {lines} lines, {clear} of them clear: 0 wrong");
    assert_eq!(maps, 4096 + 1024 + 64 + 64);
    assert!(clear > 100_000, "{clear}");
}

#[test]
fn sight_is_the_geometry_on_random_maps() {
    let mut clear = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let (width, height) = (3 + rng.below(9) as u32, 3 + rng.below(9) as u32);
        let walls = [3, 8, 15][rng.below(3)];
        let movement = Movement::NoCornerCutting;
        let grid = Grid::from_fn(width, height, movement, |_, _| !rng.chance(walls)).unwrap();
        clear += compare_all(&grid);
    }
    assert!(clear > 100_000, "{clear}");
}

/// A line to a neighbour is clear exactly if the movement makes that step.
#[test]
fn a_line_to_a_neighbour_is_a_legal_step() {
    for seed in 0..300 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let sight = Sight::new(&grid);
        for from in grid.free_cells().map(|cell| grid.tile(cell)) {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let x = from.x.checked_add_signed(dx);
                let Some(to) = x.map(|x| Tile::new(x, from.y + dy as u16)) else { continue };
                let legal = grid.is_free(to) && grid.is_legal_step(from, to);
                assert_eq!(sight.sees(from, to), legal, "{from:?} {to:?}\n{grid:?}");
            }
        }
    }
}

/// The grid of a unit of `size` tiles: a tile is free if the square that begins there is.
fn grown(grid: &Grid, size: u32, movement: Movement) -> Grid {
    let free = |x: u32, y: u32| {
        let mut square = (0..size).flat_map(|dy| (0..size).map(move |dx| (x + dx, y + dy)));
        square.all(|(x, y)| grid.is_free_at(x as i32, y as i32))
    };
    Grid::from_fn(grid.width(), grid.height(), movement, free).unwrap()
}

/// Sight on the grid of a size is the sweep of its square over the map itself.
#[test]
fn a_large_unit_sweeps_free_tiles_only() {
    let (mut clear, mut lines) = (0, 0);
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let (width, height) = (4 + rng.below(8) as u32, 4 + rng.below(8) as u32);
        let map = Grid::from_fn(width, height, Movement::ALL[0], |_, _| !rng.chance(7)).unwrap();
        let walls: Vec<_> = walls(&map).collect();
        let size = 1 + seed as u32 % 4;
        let sized = grown(&map, size, Movement::NoCornerCutting);
        let tiles: Vec<Tile> = sized.free_cells().map(|cell| sized.tile(cell)).collect();
        for &from in &tiles {
            for &to in &tiles {
                let middle = |tile: Tile| centre(tile).map(|at| at + i64::from(size) - 1);
                let line = Line { from: middle(from), to: middle(to) };
                let sight = Sight::new(&sized);
                let sweeps = square_is_free(&walls, line, size.into());
                let context = || format!("size {size} {from:?} {to:?}\n{map:?}");
                assert_eq!(sight.sees(from, to), sweeps, "{}", context());
                // The point's rule keeps a smaller square free.
                if sight.with_rule(LineRule::Point).sees(from, to) {
                    assert!(square_is_free(&walls, line, i64::from(size) - 1), "{}", context());
                }
                lines += 1;
                clear += u64::from(sweeps);
            }
        }
    }
    println!("{lines} lines of sizes 1 to 4, {clear} clear: 0 wrong");
    assert!(clear > 10_000 && lines - clear > 10_000, "{clear} of {lines}");
}

fn length(tiles: &[Tile]) -> f64 {
    let line = |pair: &[Tile]| {
        let (a, b) = (centre(pair[0]), centre(pair[1]));
        ((a[0] - b[0]) as f64 / 2.0).hypot((a[1] - b[1]) as f64 / 2.0)
    };
    tiles.windows(2).map(line).sum()
}

/// The shortest walk over tiles of the path in their order: what pulling could give at best.
fn best_pull(grid: &Grid, walls: &[[i64; 2]], rule: LineRule, path: &[Tile]) -> f64 {
    let mut least = vec![f64::INFINITY; path.len()];
    least[0] = 0.0;
    for to in 1..path.len() {
        for from in 0..to {
            if sees_plainly(grid, walls, rule, path[from], path[to]) {
                least[to] = least[to].min(least[from] + length(&[path[from], path[to]]));
            }
        }
    }
    least[path.len() - 1]
}

/// Waypoints are tiles of the path, in order, from end to end, with clear lines between them.
fn check(grid: &Grid, walls: &[[i64; 2]], rule: LineRule, path: &Path, walk: &Waypoints) {
    let context = || format!("{rule:?} {path:?} {walk:?}\n{grid:?}");
    assert_eq!((walk.first(), walk.last()), (path.first(), path.last()), "{}", context());
    assert!(walk.steps().windows(2).all(|pair| pair[0] < pair[1]), "{}", context());
    let on_path: Vec<Tile> = walk.steps().iter().map(|&step| path[step]).collect();
    assert_eq!(on_path, walk.tiles(), "{}", context());
    for line in walk.windows(2) {
        assert!(sees_plainly(grid, walls, rule, line[0], line[1]), "{line:?} {}", context());
    }
    assert!(walk.length() <= path.length().value() + 1e-9, "{}", context());
    assert!((walk.length() - length(walk)).abs() < 1e-9);
}

/// Every engine's path, three rules of movement, sizes 1 to 3: legal for the size on the map
/// itself, never longer, and close to the best that pulling at the path's tiles can give.
#[test]
fn straightened_paths_of_every_engine_are_legal() {
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let (mut paths, mut shorter, mut waypoints, mut turns) = (0, 0, 0, 0);
    let mut sums = [0.0; 3];
    for seed in 0..120 {
        let mut rng = Rng::new(seed ^ 0x57a1);
        let movement = Movement::ALL[seed as usize % 3];
        let size = 1 + (seed / 3) as u32 % 3;
        let map = maps::small(seed, movement);
        let grid = grown(&map, size, movement);
        let (map_walls, own_walls) =
            (walls(&map).collect::<Vec<_>>(), walls(&grid).collect::<Vec<_>>());
        let tiles = maps::free_tiles(&grid, 12, &mut rng);
        let rule = LineRule::of(movement);
        let mut index = Index::new(grid);
        engine::ALL.iter().for_each(|engine| index.prepare(*engine).unwrap());
        for pair in tiles.chunks_exact(2) {
            for engine in engine::ALL {
                let query = Query::new(pair[0], pair[1]);
                let answer = index.find(*engine, &query, &mut scratch, &mut path).unwrap();
                if answer.cost().is_none() {
                    continue;
                }
                let walk = path.straightened(index.grid()).unwrap();
                check(index.grid(), &own_walls, rule, &path, &walk);
                let body = if movement == Movement::OneSideFree { size - 1 } else { size };
                for line in walk.windows(2) {
                    let middle = |tile: Tile| centre(tile).map(|at| at + i64::from(size) - 1);
                    let line = Line { from: middle(line[0]), to: middle(line[1]) };
                    assert!(
                        square_is_free(&map_walls, line, body.into()),
                        "{line:?}",
                        line = line.to
                    );
                }
                let best = best_pull(index.grid(), &own_walls, rule, &path);
                let all = [walk.length(), best, path.length().value()];
                assert!(all[0] >= best - 1e-9, "{all:?}");
                let optimal = engine.promise() == Promise::Optimal;
                assert!(!optimal || all[0] < 1.1 * best + 1e-9, "{all:?} {path:?} {walk:?}");
                sums = [sums[0] + all[0], sums[1] + all[1], sums[2] + all[2]];
                paths += 1;
                shorter += u64::from(all[0] < all[2] - 1e-9);
                waypoints += walk.len();
                turns += path.turning_points().count();
            }
        }
    }
    let [walk, best, path] = sums;
    println!(
        "{paths} paths, 0 illegal, {shorter} shorter: {:.4} of the path, {:.5} of the best pull; \
         {waypoints} waypoints for {turns} turning points",
        walk / path,
        walk / best
    );
    assert!(paths > 3_000 && shorter > 500, "{shorter} of {paths}");
    assert!(walk < 1.01 * best, "{walk} {best}");
}

/// A point may cut what a square may not: paths of other rules of movement under each rule.
#[test]
fn a_path_that_is_not_clear_itself_is_an_error() {
    let grid = Grid::from_rows(&["..", "#."]).unwrap().with_movement(Movement::OneSideFree);
    let step = Path::from_tiles(vec![Tile::new(0, 0), Tile::new(1, 1)]);
    assert_eq!(step.straightened(&grid).unwrap().len(), 2);
    let mut walk = Waypoints::new();
    let refused = Sight::new(&grid).with_rule(LineRule::Square).straighten(&step, &mut walk);
    let [from, to] = [step[0], step[1]];
    assert_eq!(refused, Err(PathError::Step { step: 1, from, to }));
    assert!(walk.is_empty());
    assert_eq!(Path::new().straightened(&grid), Err(PathError::Empty));
    let wall = Path::from_tiles(vec![Tile::new(0, 1)]);
    assert_eq!(wall.straightened(&grid), Err(PathError::Wall { step: 0, tile: wall[0] }));
    let outside = Path::from_tiles(vec![Tile::new(0, 9)]);
    assert!(outside.straightened(&grid).is_err());
    let alone = Path::from_tiles(vec![Tile::new(1, 1)]);
    assert_eq!(alone.straightened(&grid).unwrap().tiles(), alone.tiles());
}

/// Tiles blocked for the query count as walls.
#[test]
fn blocked_tiles_are_walls_for_a_line() {
    let (mut scratch, mut path, mut walk) = (Scratch::new(), Path::new(), Waypoints::new());
    let mut paths = 0;
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let index = Index::new(maps::small(seed, Movement::ALL[seed as usize % 3]));
        let grid = index.grid();
        let tiles = maps::free_tiles(grid, 60, &mut rng);
        let Some((ends, others)) = tiles.split_at_checked(8) else { continue };
        let blocked = Blocked::new(others.iter().copied().filter(|tile| !ends.contains(tile)));
        let mut walled = grid.clone();
        let is_shut = |&&tile: &&Tile| blocked.contains(tile);
        others.iter().filter(is_shut).for_each(|&tile| _ = walled.set_free(tile, false));
        let walls: Vec<_> = walls(&walled).collect();
        for pair in ends.chunks_exact(2) {
            let query = Query::new(pair[0], pair[1]).with_blocked(&blocked);
            let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
            if answer.cost().is_some() {
                Sight::new(grid).with_blocked(&blocked).straighten(&path, &mut walk).unwrap();
                check(&walled, &walls, LineRule::of(grid.movement()), &path, &walk);
                paths += 1;
                // The unit itself is among the blocked: it may leave, and nothing else changes.
                let mut with_own = blocked.clone();
                with_own.insert(pair[0]);
                let query = Query::new(pair[0], pair[1]).with_blocked(&with_own);
                let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
                assert!(answer.cost().is_some());
                let mut own = Waypoints::new();
                Sight::new(grid).with_blocked(&with_own).straighten(&path, &mut own).unwrap();
                assert_eq!(own, walk);
                let back = Query::new(pair[1], pair[0]).with_blocked(&blocked);
                index.find(engine::ASTAR, &back, &mut scratch, &mut path).unwrap();
                let refused = Sight::new(grid).with_blocked(&with_own).straighten(&path, &mut own);
                assert_eq!(refused.is_err(), pair[0] != pair[1], "another stands on the goal");
            }
        }
    }
    assert!(paths > 200, "{paths}");
}

/// On ground of different costs no line costs more than what it replaces: it touches only tiles
/// that cost no more than every tile of that stretch.
#[test]
fn a_line_never_leads_over_dearer_ground() {
    let (mut lines, mut shortened) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut grid =
            Grid::from_fn(24, 24, Movement::ALL[seed as usize % 2], |_, _| !rng.chance(8)).unwrap();
        // Patches of dear ground.
        for _ in 0..6 {
            let (x, y) = (rng.below(20) as u16, rng.below(20) as u16);
            let factor = Factor::new(1.0 + rng.below(4) as f64).unwrap();
            for tile in (0..5).flat_map(|dx| (0..5).map(move |dy| Tile::new(x + dx, y + dy))) {
                grid.set_factor(tile, factor);
            }
        }
        let tiles = maps::free_tiles(&grid, 8, &mut rng);
        let index = Index::new(grid);
        let grid = index.grid();
        for pair in tiles.chunks_exact(2) {
            let Some(path) = index.path(pair[0], pair[1]).unwrap() else { continue };
            let walk = path.straightened(grid).unwrap();
            for (line, steps) in walk.windows(2).zip(walk.steps().windows(2)) {
                lines += 1;
                if steps[1] - steps[0] == 1 {
                    continue;
                }
                shortened += 1;
                let stretch = &path[steps[0]..=steps[1]];
                let least = stretch.iter().map(|&tile| grid.factor(tile)).min().unwrap();
                // Dearer tiles as walls: a point enters none of them.
                let dear = grid.free_cells().map(|cell| grid.tile(cell));
                let dear = dear.filter(|&tile| grid.factor(tile) > least);
                let dear: Vec<_> = dear.map(|tile| [tile.x.into(), tile.y.into()]).collect();
                let way = Line { from: centre(line[0]), to: centre(line[1]) };
                assert!(square_is_free(&dear, way, 0), "seed {seed} {line:?}\n{grid:?}");
            }
        }
    }
    assert!(lines > 1_000 && shortened > 500, "{shortened} of {lines}");
}
