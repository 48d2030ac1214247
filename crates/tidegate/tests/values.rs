//! The small values that everything is made of: tiles, directions, rules, costs, factors, paths. Each
//! is compared with what its documentation says, in the plainest way there is.

use tidegate::cost::{self, Cost, DIAGONAL, Extra, Factor, LIMIT, Length, STRAIGHT};
use tidegate::grid::{CellId, GridError, MAX_SIDE, OtherMap, Revision, check_size};
use tidegate::index::{Change, Table};
use tidegate::jps::JpsMap;
use tidegate::labels::LiveLabels;
use tidegate::path::PathError;
use tidegate::rng::Rng;
use tidegate::search::{BelowCost, Blind, End, Event, NO_PARENT, Recorder, Stats, search};
use tidegate::search::{
    BucketQueue, HeapQueue, Heuristic, Octile, Open, SearchScratch, Space, Weight,
};
use tidegate::{Blocked, CostLayer, Direction, Grid, Index, Movement, Path, Tile, engine};

#[test]
fn tiles_are_written_and_read() {
    for (x, y) in [(0, 0), (12, 34), (34, 12), (u16::MAX, 1)] {
        let tile = Tile::new(x, y);
        assert_eq!((Tile::from((x, y)), Tile::from([x, y])), (tile, tile));
        assert_eq!(<(u16, u16)>::from(tile), (x, y));
        assert_eq!(tile.to_string(), format!("{x},{y}"));
        assert_eq!(format!("{tile:?}"), format!("({x}, {y})"));
        assert_eq!(tile.to_string().parse(), Ok(tile));
        assert_eq!(format!(" {x} ,  {y} ").parse(), Ok(tile));
    }
    for text in ["", "1", "1;2", "1,", ",1", "1,2,3", "-1,2", "65536,0", "x,y"] {
        let error = text.parse::<Tile>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{text:?} is no tile")), "{error}");
    }
    assert_eq!(format!("{:?}", CellId::from_index(17)), "#17");
}

#[test]
fn directions_are_the_eight_steps() {
    let mut seen = Vec::new();
    for (bit, direction) in Direction::ALL.into_iter().enumerate() {
        let (dx, dy) = direction.delta();
        assert_eq!(Direction::from_bit(bit as u32), direction);
        assert_eq!(Direction::from_bit(bit as u32 + 8), direction);
        assert_eq!(direction.mask(), 1 << bit);
        assert_eq!(Direction::from_delta(dx, dy), Some(direction));
        assert_eq!(direction.is_diagonal(), dx != 0 && dy != 0);
        assert_eq!(direction.cost(), if dx != 0 && dy != 0 { DIAGONAL } else { STRAIGHT });
        assert_eq!(direction.opposite().delta(), (-dx, -dy));
        seen.push((dx, dy));
    }
    let east_first = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
    assert_eq!(seen, east_first);
    for (dx, dy) in [(0, 0), (2, 0), (0, -2), (2, 1), (-1, 2), (-2, -2)] {
        assert_eq!(Direction::from_delta(dx, dy), None);
    }
}

#[test]
fn rules_have_names_and_estimates() {
    let names = ["no-corner-cutting", "one-side-free", "four-connected"];
    for (movement, name) in Movement::ALL.into_iter().zip(names) {
        assert_eq!((movement.name(), movement.to_string().as_str()), (name, name));
        assert_eq!(Movement::from_name(name), Some(movement));
        // On an empty map the estimate is the way: one step nearer costs one step less.
        let goal = Tile::new(4, 3);
        for (x, y) in (0..9).flat_map(|x| (0..7).map(move |y| (x, y))) {
            let (dx, dy) = (u32::from(goal.x.abs_diff(x)), u32::from(goal.y.abs_diff(y)));
            let diagonal = if name == "four-connected" { 0 } else { dx.min(dy) };
            let way = (dx + dy - 2 * diagonal) * STRAIGHT + diagonal * DIAGONAL;
            assert_eq!(movement.estimate(Tile::new(x, y), goal), way);
            assert_eq!(movement.estimate(goal, Tile::new(x, y)), way);
            if name != "four-connected" {
                assert_eq!((cost::octile(dx, dy), goal.octile(Tile::new(x, y))), (way, way));
            } else {
                assert_eq!(cost::manhattan(dx, dy), way);
            }
        }
    }
    assert_eq!(Movement::from_name("four"), None);
}

#[test]
fn costs_are_integers() {
    let units = Cost::new;
    let (a, b) = (units(70), units(12));
    assert_eq!([a + b, a - b, a * 3, 3 * a, a / 4, a / 7], [82, 58, 210, 210, 17, 10].map(units));
    assert_eq!([a.abs_diff(b), b.abs_diff(a), a.saturating_sub(b)], [units(58); 3]);
    assert_eq!([b.saturating_sub(a), a.saturating_add(b)], [0, 82].map(units));
    assert_eq!(units(u32::MAX).saturating_add(a), units(u32::MAX));
    let mut sum = a;
    sum += b;
    assert_eq!(sum, units(82));
    sum -= a;
    assert_eq!(sum, b);
    assert_eq!((u32::from(a), u64::from(a), a.get()), (70, 70, 70));
    assert_eq!((3 * STRAIGHT).tiles(), 3.0);
    assert_eq!(LIMIT.get(), u32::MAX / 2 - 1);
    let length = Length { straight: 3, diagonal: 2 };
    assert_eq!(length.value(), 3.0 + 2.0 * std::f64::consts::SQRT_2);
    assert_eq!(length.cost(), 3 * 5741 + 2 * 8119);
    assert_eq!(Length::of(DIAGONAL - units(1)), None);
}

#[test]
fn factors_are_hundredths() {
    for hundredths in [0, 99, 100, 150, u16::MAX] {
        let value = f64::from(hundredths) / 100.0;
        let (factor, extra) = (Factor::from_hundredths(hundredths), Extra::new(value));
        assert_eq!(factor.map(Factor::hundredths), (hundredths >= 100).then_some(hundredths));
        assert_eq!(Factor::new(value), factor);
        assert_eq!(extra.map(Extra::hundredths), Some(hundredths));
        assert_eq!(extra, Some(Extra::from_hundredths(hundredths)));
        let sum = Factor::ONE.plus(Extra::from_hundredths(hundredths)).hundredths();
        assert_eq!(sum, hundredths.saturating_add(100));
    }
    assert_eq!((Factor::new(655.36), Factor::new(f64::NAN)), (None, None));
    assert_eq!((Extra::new(655.36), Extra::new(-0.01)), (None, None));
    // The mean of both tiles.
    let (road, swamp) = (Factor::ONE, Factor::new(2.5).unwrap());
    assert_eq!(road.step(swamp, STRAIGHT), Cost::new(5741 * 350 / 200));
    assert_eq!(swamp.step(swamp, DIAGONAL), Cost::new(8119 * 500 / 200));
}

#[test]
fn sizes_of_maps_are_checked() {
    let side = u64::from(MAX_SIDE);
    for (width, height) in [(1, 1), (side, 1), (1, side), (1 << 14, 1 << 14), (side, 4096)] {
        assert_eq!(check_size(width, height), Ok((width as u32, height as u32)));
    }
    for (width, height) in [(0, 1), (1, 0), (side + 1, 1), (1, side + 1), (1 << 14, (1 << 14) + 1)]
    {
        assert_eq!(check_size(width, height), Err(GridError::Size { width, height }));
    }
}

/// What a grid says of a tile is what it was made from, whatever way is asked.
#[test]
fn grids_are_the_tiles_they_were_made_from() {
    for (width, height) in [(1, 1), (7, 5), (5, 7), (64, 3), (65, 2), (3, 130), (1000, 1)] {
        let free = |x: u32, y: u32| !(x * 7 + y * 5 + x * y).is_multiple_of(3);
        let grid = Grid::from_fn(width, height, Movement::default(), free).unwrap();
        let mut count = 0;
        for (n, cell) in (0..grid.tiles()).map(CellId::from_index).enumerate() {
            let (x, y) = (n as u32 % width, n as u32 / width);
            let tile = Tile::new(x as u16, y as u16);
            assert_eq!((grid.tile(cell), grid.cell(tile)), (tile, Some(cell)));
            assert!(grid.contains(tile));
            assert_eq!([grid.is_free(tile), grid.is_free_cell(cell)], [free(x, y); 2]);
            assert_eq!(grid.is_free_at(x as i32, y as i32), free(x, y));
            count += usize::from(free(x, y));
            let steps: Vec<Tile> = grid.neighbours(cell).map(|(to, _)| grid.tile(to)).collect();
            for (x, y) in (0..25).map(|n| (tile.x + n % 5, tile.y + n / 5)) {
                let other = Tile::new(x.saturating_sub(2), y.saturating_sub(2));
                assert_eq!(grid.is_legal_step(tile, other), steps.contains(&other));
            }
        }
        assert_eq!((grid.free_tiles(), grid.free_cells().count()), (count, count));
        let (right, below) = (Tile::new(width as u16, 0), Tile::new(0, height as u16));
        for outside in [right, below] {
            assert!(!grid.contains(outside) && !grid.is_free(outside));
            assert_eq!(grid.cell(outside), None);
        }
        let (right, below) = (width as i32, height as i32);
        for outside in [(-1, 0), (0, -1), (right, 0), (right, below - 1), (0, below)] {
            assert!(!grid.is_free_at(outside.0, outside.1), "{outside:?}");
        }
    }
}

/// Maps of up to 200 tiles a side are drawn, larger ones only named.
#[test]
fn maps_are_drawn_unless_they_are_large() {
    for (width, height) in [(3, 2), (200, 1), (1, 200), (201, 1), (1, 201), (201, 201)] {
        let free = |x: u32, y: u32| (x + y).is_multiple_of(2);
        let grid = Grid::from_fn(width, height, Movement::default(), free).unwrap();
        let mut expected = format!("Grid {width} x {height}, no-corner-cutting\n");
        if width <= 200 && height <= 200 {
            for y in 0..height {
                expected.extend((0..width).map(|x| if free(x, y) { '.' } else { '@' }));
                expected.push('\n');
            }
        } else {
            expected += &format!("({} free tiles, too large to draw)", grid.free_tiles());
        }
        assert_eq!(format!("{grid:?}"), expected);
    }
}

#[test]
fn fingerprints_tell_maps_apart() {
    let grid = Grid::from_rows(&["..#", "...", "#.."]).unwrap();
    let mut prints = vec![grid.fingerprint()];
    assert_eq!(grid.clone().fingerprint(), prints[0]);
    prints.push(grid.clone().with_movement(Movement::FourConnected).fingerprint());
    prints.push(Grid::from_rows(&["..#...#.."]).unwrap().fingerprint());
    for y in 0..3 {
        for x in 0..3 {
            let (mut other, tile) = (grid.clone(), Tile::new(x, y));
            assert!(other.set_free(tile, !grid.is_free(tile)));
            prints.push(other.fingerprint());
            let mut other = grid.clone();
            assert!(other.set_factor(tile, Factor::new(1.5).unwrap()));
            prints.push(other.fingerprint());
        }
    }
    let shown: std::collections::BTreeSet<String> = prints.iter().map(|p| p.to_string()).collect();
    assert_eq!(shown.len(), prints.len());
    assert!(
        shown.iter().all(|hex| hex.len() == 64 && u128::from_str_radix(&hex[32..], 16).is_ok())
    );
    assert_eq!(format!("{:?}", prints[0]), format!("Fingerprint({})", prints[0]));
}

/// A path is its tiles, whatever longer one it held before.
#[test]
fn paths_are_their_tiles() {
    let tiles = |list: &[(u16, u16)]| list.iter().map(|&tile| tile.into()).collect::<Vec<Tile>>();
    let mut path = Path::new();
    [(0, 0), (3, 3), (7, 3), (7, 0)].iter().for_each(|&to| path.run_to(to.into()));
    assert_eq!(path.length(), Length { straight: 7, diagonal: 3 });
    let turns = tiles(&[(0, 0), (3, 3), (7, 3), (7, 0)]);
    assert_eq!(path.turning_points().collect::<Vec<_>>(), turns);
    path.reverse();
    assert_eq!(
        path.turning_points().collect::<Vec<_>>(),
        turns.into_iter().rev().collect::<Vec<_>>()
    );
    path.clear();
    assert!(path.is_empty() && path.turning_points().next().is_none());
    assert_eq!(path.length(), Length::default());
    path.push(Tile::new(5, 5));
    path.run_to(Tile::new(2, 5));
    path.truncate(3);
    let short = tiles(&[(5, 5), (4, 5), (3, 5)]);
    assert_eq!(path.tiles(), short);
    assert_eq!((&path).into_iter().copied().collect::<Vec<_>>(), short);
    assert_eq!(format!("{path:?}"), "Path { tiles: [(5, 5), (4, 5), (3, 5)] }");
    assert_eq!(path, Path::from_tiles(short.clone()));
    assert_ne!(path, Path::from_tiles(tiles(&[(5, 5), (4, 5)])));
    assert_eq!(path.clone().into_iter().collect::<Vec<_>>(), short);
    assert_eq!(path.into_iter().collect::<Vec<_>>(), short);
}

#[test]
fn what_is_no_path_is_told() {
    let grid = Grid::from_rows(&["...", ".#.", "..."]).unwrap();
    let check = |list: &[(u16, u16)]| {
        let path = Path::from_tiles(list.iter().map(|&tile| tile.into()).collect());
        path.check(&grid)
    };
    let wall = |step, tile: (u16, u16)| Err(PathError::Wall { step, tile: tile.into() });
    assert_eq!(check(&[]), Err(PathError::Empty));
    assert_eq!(check(&[(0, 0)]), Ok(0));
    assert_eq!(check(&[(0, 0), (1, 0), (2, 0), (2, 1)]), Ok(3 * 5741));
    assert_eq!(check(&[(1, 1)]), wall(0, (1, 1)));
    assert_eq!(check(&[(1, 1), (1, 0)]), wall(0, (1, 1)));
    assert_eq!(check(&[(0, 0), (1, 0), (1, 1)]), wall(2, (1, 1)));
    assert_eq!(check(&[(1, 0), (2, 0), (3, 0)]), wall(2, (3, 0)));
    for (from, to) in [((1, 0), (2, 1)), ((0, 0), (2, 0)), ((0, 0), (0, 0)), ((0, 2), (0, 0))] {
        let step = PathError::Step { step: 1, from: from.into(), to: to.into() };
        assert_eq!(check(&[from, to]), Err(step));
    }
    let path = Path::from_tiles(vec![Tile::new(0, 0), Tile::new(0, 1), Tile::new(0, 2)]);
    let (start, goal, cost) = (path[0], path[2], 2 * STRAIGHT);
    assert_eq!(path.check_answer(&grid, start, goal, cost), Ok(()));
    assert!(matches!(path.check_answer(&grid, start, path[1], cost), Err(PathError::Ends { .. })));
    assert!(matches!(path.check_answer(&grid, goal, goal, cost), Err(PathError::Ends { .. })));
    let claimed = cost + Cost::new(1);
    let wrong = Err(PathError::Cost { found: cost.into(), claimed });
    assert_eq!(path.check_answer(&grid, start, goal, claimed), wrong);
    // A blocked tile on the way, beside the way, and at its start.
    let clear = |x, y| path.clear_of(&grid, &Blocked::new([Tile::new(x, y)]));
    assert_eq!([clear(0, 2), clear(0, 1), clear(1, 0), clear(0, 0)], [2, 1, 3, 3]);
    // Anywhere on a map, in all directions.
    let open = Grid::from_fn(9, 9, Movement::default(), |_, _| true).unwrap();
    let middle = Tile::new(4, 4);
    for direction in Direction::ALL {
        let (dx, dy) = direction.delta();
        let at = |n: i32| Tile::new((4 + n * dx) as u16, (4 + n * dy) as u16);
        let path = Path::from_tiles((0..4).map(at).collect());
        let clear = [0, 1, 2, 3].map(|n| path.clear_of(&open, &Blocked::new([at(n)])));
        assert_eq!((path[0], clear), (middle, [4, 1, 2, 3]), "{direction:?}");
    }
}

/// Every list gives what was put on it by least f, then larger g, then smaller number.
fn drains<W: Weight, Q: Open<W> + Default>(units: impl Fn(u32) -> W) {
    let mut open = Q::default();
    open.clear(100);
    assert!(open.is_empty() && open.pop().is_none());
    for (f, g, node) in [(9, 3, 1), (5, 2, 8), (5, 4, 9), (5, 4, 7), (6, 6, 2)] {
        open.push(units(f), units(g), node);
    }
    assert!(!open.is_empty() && open.len() == 5 && open.bytes() >= 5 * 12);
    let order = [(4, 7), (4, 9), (2, 8), (6, 2), (3, 1)];
    for (n, (g, node)) in order.into_iter().enumerate() {
        let popped = open.pop().unwrap();
        assert!(popped.0.order(&units(g)).is_eq() && popped.1 == node, "{n}: {popped:?}");
        assert_eq!(open.len(), 4 - n);
    }
    assert!(open.is_empty() && open.pop().is_none());
}

#[test]
fn open_lists_have_one_order() {
    drains::<Cost, BucketQueue>(Cost::new);
    drains::<Cost, HeapQueue<Cost>>(Cost::new);
    drains::<u64, HeapQueue<u64>>(u64::from);
    drains::<f64, HeapQueue<f64>>(f64::from);
    assert!(3_u64.improves(4, true) && !4_u64.improves(4, false) && !5_u64.improves(4, false));
    assert!(3.0.improves(4.0, true) && !4.0.improves(4.0, false) && !5.0.improves(4.0, true));
    // Noise is no reason to expand a node again.
    let less = 4.0 - 1e-12;
    assert!(less.improves(4.0, false) && !less.improves(4.0, true));
}

/// Many entries close together, some of which come when others of their kind were taken already.
#[test]
fn crowded_open_lists_have_the_same_order() {
    let (mut open, mut heap) = (BucketQueue::default(), HeapQueue::<Cost>::default());
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        open.clear(1 << 10);
        Open::<Cost>::clear(&mut heap, 1 << 10);
        let width = [1, 40, 5_000][seed as usize % 3];
        for _ in 0..6 {
            for node in 0..rng.below(90) as u32 {
                let (f, g) = (70_000 + rng.below(width) as u32, rng.below(50_000) as u32);
                open.push(Cost::new(f), Cost::new(g), node);
                heap.push(Cost::new(f), Cost::new(g), node);
            }
            for _ in 0..rng.below(60) {
                assert_eq!(open.pop(), heap.pop(), "seed {seed}");
                assert_eq!((open.len(), open.is_empty()), (heap.len(), heap.is_empty()));
            }
        }
        while let Some(entry) = heap.pop() {
            assert_eq!(open.pop(), Some(entry), "seed {seed}");
        }
        assert_eq!(open.pop(), None);
    }
}

/// Work adds up; the most that was open at once is the larger of two.
#[test]
fn statistics_are_added() {
    let mut sum = Stats { expanded: 2, reexpanded: 3, generated: 5, peak_open: 7 };
    sum += Stats { expanded: 10, reexpanded: 20, generated: 30, peak_open: 4 };
    assert_eq!(sum, Stats { expanded: 12, reexpanded: 23, generated: 35, peak_open: 7 });
    sum += Stats { peak_open: 9, ..Stats::default() };
    assert_eq!(sum, Stats { expanded: 12, reexpanded: 23, generated: 35, peak_open: 9 });
}

#[test]
fn layers_add_arrays() {
    let grid = Grid::from_rows(&["....", "....", "...."]).unwrap();
    let mut layer = CostLayer::new(&grid);
    assert_eq!((layer.width(), layer.height(), layer.is_empty()), (4, 3, true));
    let extras: Vec<Extra> = (0..12).map(|n| Extra::from_hundredths(n % 5 * n)).collect();
    layer.add_each(&extras).unwrap();
    assert_eq!(layer.added(), extras);
    layer.add_each(&extras).unwrap();
    let twice: Vec<Extra> =
        extras.iter().map(|extra| Extra::from_hundredths(2 * extra.hundredths())).collect();
    assert_eq!(layer.added(), twice);
    assert!(!layer.is_empty());
    layer.clear();
    assert!(layer.is_empty() && layer.added().iter().all(|&extra| extra == Extra::NONE));
    for wrong in [&extras[1..], &[]] {
        assert!(layer.add_each(wrong).is_err());
    }
    assert!(layer.is_empty());
}

/// Maps that differ in one tile, or in where a wall stands, are told apart at once.
#[test]
fn revisions_tell_walls_apart() {
    let open = Grid::from_fn(9, 7, Movement::default(), |_, _| true).unwrap();
    let mut maps = vec![open.clone()];
    for cell in (0..open.tiles()).map(CellId::from_index) {
        let mut grid = open.clone();
        grid.set_free(open.tile(cell), false);
        assert_eq!(Revision::of(&open).after_change(cell), Revision::of(&grid));
        assert_eq!(Revision::of(&grid).after_change(cell), Revision::of(&open));
        maps.push(grid);
    }
    for (n, a) in maps.iter().enumerate() {
        for (m, b) in maps.iter().enumerate() {
            let expected = if n == m { Ok(()) } else { Err(OtherMap::Walls) };
            assert_eq!(Revision::of(a).check(b), expected);
            assert_eq!(Revision::of(a).check_form(b), Ok(()));
        }
    }
    let four = open.clone().with_movement(Movement::FourConnected);
    let rule = OtherMap::Movement { of: Movement::default(), map: Movement::FourConnected };
    assert_eq!(Revision::of(&open).check(&four), Err(rule));
    let turned = Grid::from_fn(7, 9, Movement::default(), |_, _| true).unwrap();
    let size = OtherMap::Size { of: (9, 7), map: (7, 9) };
    assert_eq!(Revision::of(&open).check(&turned), Err(size));
}

/// One step between two nodes.
struct Step(Cost);

impl Space for Step {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        2
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        if node == 0 {
            visit(1, self.0);
        }
    }
}

/// The largest cost is that of a path; one more is too far, which is not the same as no way.
#[test]
fn the_limit_of_costs_is_sharp() {
    let end = |cost| {
        let mut scratch = SearchScratch::<Cost, BucketQueue>::new();
        let (sources, is_goal) = ([(0, Cost::ZERO)], |node| node == 1);
        search(&Step(cost), &sources, is_goal, &mut Blind, &mut scratch, &mut Recorder::new(0)).0
    };
    assert_eq!(end(LIMIT), End::Goal(1, LIMIT));
    assert_eq!(end(LIMIT + Cost::new(1)), End::TooFar);
    // What is recorded: all that fits, in order; counted is what does not, too.
    for limit in [0, 2, 9] {
        let (mut recorder, mut scratch) =
            (Recorder::new(limit), SearchScratch::<Cost, BucketQueue>::new());
        let (sources, is_goal) = ([(0, Cost::ZERO)], |node| node == 1);
        let (_, stats) =
            search(&Step(STRAIGHT), &sources, is_goal, &mut Blind, &mut scratch, &mut recorder);
        assert_eq!(stats, Stats { expanded: 2, reexpanded: 0, generated: 2, peak_open: 1 });
        let (g, h) = (STRAIGHT, Cost::ZERO);
        let all = [
            Event::Generate { node: 0, parent: NO_PARENT, g: h, h },
            Event::Expand { node: 0, g: h, h },
            Event::Generate { node: 1, parent: 0, g, h },
            Event::Expand { node: 1, g, h },
        ];
        assert_eq!((recorder.events.as_slice(), recorder.seen), (&all[..limit.min(4)], 4));
        let expanded = [0, 1].into_iter().take(limit.min(4) / 2);
        assert_eq!(recorder.expanded().collect::<Vec<_>>(), expanded.collect::<Vec<_>>());
    }
}

/// What stands between a search and its watcher passes everything on, and ends what is beaten.
#[test]
fn a_search_is_watched_through_a_bound() {
    let watch = |best: Option<Cost>| {
        let (mut recorder, mut scratch) =
            (Recorder::new(9), SearchScratch::<Cost, BucketQueue>::new());
        let (space, sources, is_goal) = (Step(STRAIGHT), [(0, Cost::ZERO)], |node| node == 1);
        let Some(best) = best else {
            let (end, _) =
                search(&space, &sources, is_goal, &mut Blind, &mut scratch, &mut recorder);
            return (end, recorder.events, false);
        };
        let mut below = BelowCost { inner: &mut recorder, best, beaten: false };
        let (end, _) = search(&space, &sources, is_goal, &mut Blind, &mut scratch, &mut below);
        let beaten = below.beaten;
        (end, recorder.events, beaten)
    };
    let plain = watch(None);
    assert_eq!(plain.0, End::Goal(1, STRAIGHT));
    assert_eq!(watch(Some(STRAIGHT + Cost::new(1))), plain);
    assert_eq!(watch(Some(STRAIGHT)), (End::Stopped, plain.1[..3].to_vec(), true));
}

#[test]
fn the_octile_estimate_is_the_way_on_an_empty_map() {
    for movement in Movement::ALL {
        let grid = Grid::from_fn(7, 5, movement, |_, _| true).unwrap();
        let goal = Tile::new(2, 3);
        let mut octile = Octile::new(&grid, goal);
        for cell in grid.free_cells() {
            let (node, tile) = (cell.index() as u32, grid.tile(cell));
            let way = movement.estimate(tile, goal);
            assert_eq!((octile.at(node), octile.from(tile)), (way, way));
            assert_eq!(octile.estimate(node), Some(way));
        }
    }
}

/// Two ways to node 1, of which the one by node 2 is found later; then on to node 3.
struct Detour(f64);

impl Space for Detour {
    type Weight = f64;

    fn nodes(&self) -> usize {
        4
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, f64)) {
        match node {
            0 => [(1, 1.0), (2, 0.5)].into_iter().for_each(|(next, step)| visit(next, step)),
            1 => visit(3, 100.0),
            2 => visit(1, self.0),
            _ => {}
        }
    }
}

/// Makes node 2 look worse than it is.
struct Wrong;

impl Heuristic<f64> for Wrong {
    fn estimate(&mut self, node: u32) -> Option<f64> {
        Some(if node == 2 { 10.0 } else { 0.0 })
    }
}

/// A node that was expanded is expanded again if it got cheaper, but not for the noise of rounding.
#[test]
fn noise_is_no_reason_to_expand_again() {
    for (step, again, cost) in [(0.5 - 1e-13, 0, 101.0), (0.25, 1, 100.75), (0.75, 0, 101.0)] {
        let mut scratch = SearchScratch::<f64, HeapQueue<f64>>::new();
        let (sources, is_goal) = ([(0, 0.0)], |node| node == 3);
        let (end, stats) =
            search(&Detour(step), &sources, is_goal, &mut Wrong, &mut scratch, &mut ());
        assert_eq!((end, stats.reexpanded), (End::Goal(3, cost), again), "{step}");
        assert_eq!(scratch.way_back(3).collect::<Vec<_>>()[0..2], [3, 1]);
    }
}

/// Printed for people, a layer is its size, not its numbers.
#[test]
fn a_layer_is_shown_by_its_size() {
    let grid = Grid::from_rows(&["....", "...."]).unwrap();
    let shown = format!("{:?}", CostLayer::new(&grid));
    assert!(shown.starts_with("CostLayer 4 x 2"), "{shown}");
}

/// Labels count the tiles that differ from the map they were made for.
#[test]
fn labels_count_what_has_changed() {
    let mut index = Index::new(Grid::from_rows(&["..#..", "..#..", ".....", "..#.."]).unwrap());
    index.prepare(engine::LABELS).unwrap();
    let counts = |index: &Index| {
        let labels = index.table::<LiveLabels>().unwrap();
        (labels.closed(), labels.opened(), labels.is_current())
    };
    assert_eq!(counts(&index), (0, 0, true));
    index.edit([Change::free((2, 0)), Change::free((2, 3)), Change::wall((0, 0))]).unwrap();
    assert_eq!(counts(&index), (1, 2, false));
    index.edit([Change::wall((2, 0)), Change::wall((4, 0))]).unwrap();
    assert_eq!(counts(&index), (2, 1, false));
    let back = [Change::wall((2, 3)), Change::free((0, 0)), Change::free((4, 0))];
    index.edit(back).unwrap();
    assert_eq!(counts(&index), (0, 0, true));
}

/// A table that an index has can be handed to another; one that it has not cannot.
#[test]
fn tables_that_are_built_can_be_taken_out() {
    let mut index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    assert!(index.built(JpsMap::KIND).is_none());
    let mut other = index.clone();
    index.prepare(engine::JPS).unwrap();
    other.adopt(index.built(JpsMap::KIND).unwrap()).unwrap();
    assert!(other.table::<JpsMap>().is_some());
}
