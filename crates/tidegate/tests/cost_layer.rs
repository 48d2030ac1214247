//! Cost layers: their arithmetic against a plain model, and every engine on them against the
//! oracle.

use tidegate::cost::{Cost, Extra, Factor, STRAIGHT};
use tidegate::decompose::{Decomposition, GateLine, Source};
use tidegate::grid::{Area, CostLayer};
use tidegate::index::Near;
use tidegate::rng::Rng;
use tidegate::{
    Blocked, Grid, Index, Movement, Outcome, Path, Query, QueryError, Scratch, Tile, engine,
};
use tidegate_testkit::{maps, oracle, properties};

/// A layer as it is defined: a number for every tile, changed one by one.
struct Model {
    width: i64,
    height: i64,
    added: Vec<u16>,
}

impl Model {
    fn each(&mut self, mut change: impl FnMut(i64, i64, u16) -> u16) {
        for y in 0..self.height {
            for x in 0..self.width {
                let at = &mut self.added[(y * self.width + x) as usize];
                *at = change(x, y, *at);
            }
        }
    }

    fn same_as(&self, layer: &CostLayer, context: &str) {
        let added: Vec<u16> = layer.added().iter().map(|extra| extra.hundredths()).collect();
        assert_eq!(added, self.added, "{context}");
        assert_eq!(layer.is_empty(), self.added.iter().all(|&added| added == 0), "{context}");
        for y in 0..=self.height {
            for x in 0..=self.width {
                let inside = x < self.width && y < self.height;
                let expected = if inside { self.added[(y * self.width + x) as usize] } else { 0 };
                let found = layer.at(Tile::new(x as u16, y as u16)).hundredths();
                assert_eq!(found, expected, "{context}");
            }
        }
    }
}

/// Whether (x, y) is on the border of a polygon or inside it, edge by edge.
fn in_polygon(corners: &[Tile], (x, y): (i64, i64)) -> bool {
    let mut inside = false;
    for (n, b) in corners.iter().enumerate() {
        let a = corners[(n + corners.len() - 1) % corners.len()];
        let ((ax, ay), (bx, by)) = ((a.x.into(), a.y.into()), (b.x.into(), b.y.into()));
        let (ax, ay, bx, by): (i64, i64, i64, i64) = (ax, ay, bx, by);
        let side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        let between = ax.min(bx) <= x && x <= ax.max(bx) && ay.min(by) <= y && y <= ay.max(by);
        if side == 0 && between {
            return true;
        }
        // A ray to the east crosses the edge.
        if (ay > y) != (by > y) && (side > 0) == (by > ay) {
            inside = !inside;
        }
    }
    inside
}

/// 6,000 changes of every kind: discs, rings, polygons that cross themselves, falling discs,
/// arrays, fading, clearing, on maps down to one tile, with much of it outside.
#[test]
fn changes_are_those_of_a_plain_model() {
    let (mut faded_away, mut saturated) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let (width, height) = (1 + rng.below(24) as i64, 1 + rng.below(24) as i64);
        let grid = Grid::from_fn(width as u32, height as u32, Movement::default(), |_, _| true);
        let mut layer = CostLayer::new(&grid.unwrap());
        let mut model = Model { width, height, added: vec![0; (width * height) as usize] };
        for step in 0..20 {
            let tile = |rng: &mut Rng| Tile::new(rng.below(30) as u16, rng.below(30) as u16);
            let centre = tile(&mut rng);
            let (cx, cy) = (i64::from(centre.x), i64::from(centre.y));
            let amount = [0, 1, 7, 250, 40_000][rng.below(5)];
            let extra = Extra::from_hundredths(amount);
            let radius = [-1.0, 0.0, 0.9, 2.0, 5.3, 100.0, f64::NAN][rng.below(7)];
            let hole = [-1.0, 0.0, 1.5, 4.0, 6.0, 1e9][rng.below(6)];
            let square = |x: i64, y: i64| ((x - cx).pow(2) + (y - cy).pow(2)) as f64;
            let kind = rng.below(9);
            match kind {
                0 => {
                    layer.add(&Area::disc(centre, radius), extra);
                    let within = |x, y| radius >= 0.0 && square(x, y) <= radius * radius;
                    model.each(
                        |x, y, old| {
                            if within(x, y) { old.saturating_add(amount) } else { old }
                        },
                    );
                }
                1 => {
                    layer.add(&Area::ring(centre, hole, radius), extra);
                    let in_hole = |x, y| hole >= 0.0 && square(x, y) <= hole * hole;
                    let within =
                        |x, y| radius >= 0.0 && square(x, y) <= radius * radius && !in_hole(x, y);
                    model.each(
                        |x, y, old| {
                            if within(x, y) { old.saturating_add(amount) } else { old }
                        },
                    );
                }
                2 => {
                    layer.raise(&Area::disc(centre, radius), extra);
                    let within = |x, y| radius >= 0.0 && square(x, y) <= radius * radius;
                    model.each(|x, y, old| if within(x, y) { old.max(amount) } else { old });
                }
                3 | 4 => {
                    let corners: Vec<Tile> = (0..rng.below(7)).map(|_| tile(&mut rng)).collect();
                    layer.add(&Area::Polygon(&corners), extra);
                    model.each(|x, y, old| {
                        let within = in_polygon(&corners, (x, y));
                        if within { old.saturating_add(amount) } else { old }
                    });
                }
                5 => {
                    layer.add_falling(centre, radius, extra);
                    model.each(|x, y, old| {
                        let distance = square(x, y).sqrt();
                        let part = f64::from(amount) * (radius - distance) / radius;
                        let all = distance == 0.0 && radius >= 0.0;
                        let more = if all { f64::from(amount) } else { part };
                        let within = radius >= 0.0 && distance <= radius;
                        if within { old.saturating_add(more.floor() as u16) } else { old }
                    });
                }
                6 => {
                    let mut extras = vec![0; model.added.len()];
                    extras.iter_mut().for_each(|e| *e = rng.below(5) as u16 / 4 * amount);
                    let typed: Vec<Extra> =
                        extras.iter().map(|&e| Extra::from_hundredths(e)).collect();
                    layer.add_each(&typed).unwrap();
                    let sum = model.added.iter().zip(&extras).map(|(a, &b)| a.saturating_add(b));
                    model.added = sum.collect();
                    assert!(layer.add_each(&typed[1..]).is_err());
                }
                7 => {
                    let keep = [0.0, 0.25, 0.9, 0.999, 1.0, 7.0][rng.below(6)];
                    let before = layer.is_empty();
                    layer.fade(keep);
                    let units = (f64::min(keep, 1.0) * 65536.0).round() as u64;
                    model.each(|_, _, old| ((u64::from(old) * units) >> 16) as u16);
                    faded_away += usize::from(!before && layer.is_empty());
                }
                _ if rng.chance(30) => {
                    layer.clear();
                    model.each(|_, _, _| 0);
                }
                _ => {}
            }
            model.same_as(&layer, &format!("seed {seed}, step {step}, kind {kind}, {radius}"));
        }
        saturated += usize::from(model.added.contains(&u16::MAX));
    }
    assert!(faded_away > 20 && saturated > 20, "{faded_away} faded away, {saturated} at the top");
}

#[test]
fn what_fades_is_gone_in_the_end() {
    let grid = Grid::from_fn(9, 9, Movement::default(), |_, _| true).unwrap();
    let mut layer = CostLayer::new(&grid);
    layer.add(&Area::disc((4, 4), 3.0), Extra::MOST);
    let mut fades = 0;
    while !layer.is_empty() {
        layer.fade(0.9);
        fades += 1;
    }
    assert!((50..120).contains(&fades), "{fades}");
}

/// The engines that go by a layer; all others refuse.
const ABLE: [&str; 11] = [
    "astar",
    "hpa",
    "hpa-paper",
    "dead-end",
    "gateway",
    "gateway-2way",
    "gateway-consistent",
    "portal",
    "differential",
    "gateway+differential",
    "auto",
];

/// A layer of some discs, rings and noise.
fn layer(grid: &Grid, rng: &mut Rng) -> CostLayer {
    let mut layer = CostLayer::new(grid);
    for tile in maps::free_tiles(grid, 1 + rng.below(5), rng) {
        let extra = Extra::from_hundredths([1, 40, 300, 5_000, 65_535][rng.below(5)]);
        let radius = 1.0 + rng.below(60) as f64 / 10.0;
        match rng.below(4) {
            0 => layer.add(&Area::ring(tile, radius / 2.0, radius), extra),
            1 => layer.add_falling(tile, radius, extra),
            _ => layer.add(&Area::disc(tile, radius), extra),
        }
    }
    if rng.chance(25) {
        let noise = |_| Extra::from_hundredths(rng.below(4) as u16 * 30);
        layer.add_each(&(0..grid.tiles()).map(noise).collect::<Vec<_>>()).unwrap();
    }
    layer
}

/// Thousands of queries with layers, half of them with blocked tiles too, some on ground with
/// factors of its own: as the oracle on the map that the layer makes.
#[test]
fn engines_are_exact_on_a_layer_or_refuse() {
    let (mut asked, mut refused, mut reopened, mut near) = (0, 0, 0, (0, 0));
    for seed in 0..360 {
        let mut rng = Rng::new(seed ^ 0x1a7e5);
        let mut grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        if seed % 5 == 0 {
            let factor = |_| Factor::from_hundredths(100 + rng.below(3) as u16 * 60).unwrap();
            let factors = (0..grid.tiles()).map(factor).collect();
            grid = grid.with_factors(factors);
        }
        let layer = layer(&grid, &mut rng);
        let count = [0, 4, 20][rng.below(3)];
        let shut = maps::free_tiles(&grid, count, &mut rng);
        let blocked = Blocked::new(shut.iter().copied());
        let mut truth = layer.applied_to(&grid).unwrap();
        shut.iter().for_each(|&tile| _ = truth.set_free(tile, false));
        let ends = maps::free_tiles(&truth, 12, &mut rng);
        let mut index = Index::new(grid);
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        for engine in tidegate_sectors::ENGINES {
            let built = properties::prepare(&mut index, *engine).unwrap();
            for pair in ends.chunks_exact(2) {
                let (start, goal) = (pair[0], pair[1]);
                let query = Query::new(start, goal).with_blocked(&blocked).with_costs(&layer);
                let answer = index.find(*engine, &query, &mut scratch, &mut path);
                let context = format!("seed {seed}, {}: {start:?} to {goal:?}", engine.name());
                assert_eq!(ABLE.contains(&engine.name()), engine.info().respects_costs);
                if !engine.info().respects_costs && !layer.is_empty() {
                    let error = answer.unwrap_err();
                    let unsupported = matches!(error, QueryError::Unsupported { .. });
                    let not_built = matches!(error, QueryError::NotBuilt { .. });
                    assert!(if built { unsupported } else { not_built }, "{context}: {error}");
                    refused += 1;
                    continue;
                }
                let answer = answer.unwrap_or_else(|error| panic!("{context}: {error}"));
                let least = oracle::distance(&truth, start, goal);
                if engine.promise() == engine::Promise::Approximate {
                    let (least, cost) = (least.unwrap_or(0), answer.cost().map_or(0, u64::from));
                    assert!(least <= cost && cost <= 4 * least, "{context}: {cost}, {least}");
                    (near.0, near.1) = (near.0 + cost, near.1 + least);
                } else {
                    assert_eq!(answer.cost().map(u64::from), least, "{context}\n{truth:?}");
                }
                if let Some(cost) = answer.cost() {
                    assert_eq!(path.check_answer(&truth, start, goal, cost), Ok(()), "{context}");
                }
                let consistent = ["astar", "differential", "gateway-consistent"];
                if consistent.contains(&engine.name()) {
                    assert_eq!(answer.stats.reexpanded, 0, "{context}");
                } else {
                    reopened += answer.stats.reexpanded;
                }
                asked += 1;
            }
        }
    }
    let longer = 100.0 * (near.0 as f64 / near.1 as f64 - 1.0);
    println!("{asked} asked, {refused} refused, {reopened} tiles expanded again");
    println!("approximate answers are {longer:.3} % longer than the best");
    assert!(asked > 12_000 && refused > 5_000, "{asked} asked, {refused} refused");
}

/// On maps of many clusters `hpa` looks for a way around danger beside its path: legal, at the
/// cost it states, and on the whole near to the best.
#[test]
#[cfg(feature = "generate")]
fn hpa_stays_near_the_best_on_a_layer() {
    use tidegate::generate::{Kind, generate};
    let (mut sums, mut asked, mut differ) = ((0, 0), 0, 0);
    for seed in 0..24 {
        let kind = [Kind::Rts, Kind::Rooms, Kind::Caves][seed as usize % 3];
        let movement = Movement::ALL[seed as usize / 3 % 3];
        let map = generate(kind, 150, 150, seed).unwrap();
        let mut index = Index::new(map.grid(movement));
        let mut rng = Rng::new(seed);
        let mut layer = CostLayer::new(index.grid());
        for centre in maps::free_tiles(index.grid(), 12, &mut rng) {
            let radius = 4.0 + rng.below(12) as f64;
            layer.add(&Area::disc(centre, radius), Extra::from_hundredths(500));
        }
        let truth = layer.applied_to(index.grid()).unwrap();
        let ends = maps::free_tiles(index.grid(), 16, &mut rng);
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        for engine in [engine::HPA, engine::HPA_PAPER] {
            index.prepare(engine).unwrap();
            for pair in ends.chunks_exact(2) {
                let query = Query::new(pair[0], pair[1]).with_costs(&layer);
                let answer = index.find(engine, &query, &mut scratch, &mut path).unwrap();
                let least = oracle::distance(&truth, pair[0], pair[1]);
                assert_eq!(answer.cost().is_some(), least.is_some(), "seed {seed}");
                let (Some(cost), Some(least)) = (answer.cost(), least) else { continue };
                assert_eq!(path.check_answer(&truth, pair[0], pair[1], cost), Ok(()), "{seed}");
                assert_eq!(path.check_under(index.grid(), &layer), Ok(cost.into()), "{seed}");
                let cost = u64::from(cost);
                assert!(least <= cost && cost <= 4 * least, "seed {seed}: {cost}, {least}");
                (sums.0, sums.1, asked) = (sums.0 + cost, sums.1 + least, asked + 1);
                differ += usize::from(cost > least);
            }
        }
    }
    let longer = 100.0 * (sums.0 as f64 / sums.1 as f64 - 1.0);
    println!("{asked} paths of hpa, {differ} not the best, {longer:.2} % longer in all");
    assert!(asked > 250 && differ > 10 && longer < 1.0, "{asked}, {differ}, {longer}");
}

/// A room to the east with one gate, column 5, is a dead end for whoever goes from one end of
/// the gate to the other; not where the gate and all before it cost more than a walk inside.
#[test]
fn a_way_leads_through_a_dead_end_where_its_gate_costs_more() {
    let grid = Grid::from_fn(9, 7, Movement::default(), |_, _| true).unwrap();
    let gate = GateLine::new(Tile::new(5, 0), Tile::new(5, 6), Source::Manual);
    let parts = Decomposition::from_gates(&grid, [gate]).unwrap();
    let mut layer = CostLayer::new(&grid);
    let before = [(0, 1), (5, 1), (5, 5), (0, 5)].map(Tile::from);
    layer.add(&Area::Polygon(&before), Extra::from_hundredths(1_000));
    let truth = layer.applied_to(&grid).unwrap();
    let mut index = Index::new(grid);
    index.set_decomposition(parts).unwrap();
    let (start, goal) = (Tile::new(4, 0), Tile::new(4, 6));
    let least = oracle::distance(&truth, start, goal);
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let able = |engine: &&&dyn engine::Engine| {
        engine.info().respects_costs && engine.promise() == engine::Promise::Optimal
    };
    for engine in tidegate_sectors::ENGINES.iter().filter(able) {
        index.prepare(*engine).unwrap();
        let query = Query::new(start, goal).with_costs(&layer);
        let answer = index.find(*engine, &query, &mut scratch, &mut path).unwrap();
        assert_eq!(answer.cost().map(u64::from), least, "{}", engine.name());
        assert!(path.iter().any(|tile| tile.x > 5), "{}", engine.name());
    }
}

/// Where blocked tiles or walls keep the goal from being reached, the way leads to the nearest
/// tile, of those to the one that costs least with the layer, at that cost.
#[test]
fn partial_paths_go_by_the_layer_too() {
    let mut ends_compared = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed ^ 0x9a27);
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let layer = layer(&grid, &mut rng);
        let shut = maps::free_tiles(&grid, 60, &mut rng);
        let blocked = Blocked::new(shut.iter().copied());
        let mut truth = layer.applied_to(&grid).unwrap();
        shut.iter().for_each(|&tile| _ = truth.set_free(tile, false));
        let ends = maps::free_tiles(&truth, 8, &mut rng);
        let mut index = Index::new(grid);
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        for pair in ends.chunks_exact(2) {
            let (start, goal) = (pair[0], pair[1]);
            let costs = oracle::distances(&truth, start);
            if costs[truth.cell(goal).unwrap().index()].is_some() {
                continue;
            }
            let reached = truth.free_cells().filter_map(|cell| {
                let estimate = truth.movement().estimate(truth.tile(cell), goal);
                Some((estimate, costs[cell.index()]?, cell))
            });
            let (_, cost, cell) = reached.min().unwrap();
            for engine in tidegate_sectors::ENGINES {
                assert_eq!(properties::prepare(&mut index, *engine), Ok(true));
                if !engine.info().respects_costs {
                    continue;
                }
                let query = Query::new(start, goal).with_partial();
                let query = query.with_blocked(&blocked).with_costs(&layer);
                let answer = index.find(*engine, &query, &mut scratch, &mut path).unwrap();
                let context = format!("seed {seed}, {}: {start:?} to {goal:?}", engine.name());
                assert_eq!(answer.outcome, Outcome::Unreachable, "{context}");
                assert_eq!(path.last(), Some(&truth.tile(cell)), "{context}");
                assert_eq!(path.check(&truth), Ok(cost), "{context}");
                ends_compared += 1;
            }
        }
    }
    assert!(ends_compared > 1_000, "{ends_compared}");
}

/// An empty layer is none: engines that cannot go by one answer.
#[test]
fn an_empty_layer_changes_nothing() {
    let mut index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    let mut layer = CostLayer::new(index.grid());
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let ends = (Tile::new(0, 0), Tile::new(3, 2));
    for engine in [engine::JPS, engine::LABELS, engine::CORNERS, engine::HPA, engine::AUTO] {
        index.prepare(engine).unwrap();
        let query = Query::new(ends.0, ends.1).with_costs(&layer);
        let answer = index.find(engine, &query, &mut scratch, &mut path).unwrap();
        assert_eq!(answer.cost(), Some(5 * STRAIGHT));
    }
    let query = Query::new(ends.0, ends.1).with_costs(&layer);
    let plain = Query::new(ends.0, ends.1);
    assert_eq!(index.answered_by(engine::AUTO, &query), index.answered_by(engine::AUTO, &plain));
    layer.add(&Area::disc((1, 0), 0.0), Extra::from_hundredths(1));
    let query = Query::new(ends.0, ends.1).with_costs(&layer);
    assert_eq!(index.answered_by(engine::AUTO, &query), Ok("astar"));
    let error = index.find(engine::JPS, &query, &mut scratch, &mut path).unwrap_err();
    let text = "engine jps cannot answer this: it cannot go by a cost layer: use astar, hpa, or \
                an engine of gates or landmarks";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_layer_of_another_size_is_an_error() {
    let index = Index::new(Grid::from_rows(&["...."]).unwrap());
    let other = Grid::from_rows(&["..", ".."]).unwrap();
    let layer = CostLayer::new(&other);
    assert!(layer.fits(&other) && !layer.fits(index.grid()));
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let query = Query::new((0, 0), (3, 0)).with_costs(&layer);
    let found = index.find(engine::ASTAR, &query, &mut scratch, &mut path);
    assert!(matches!(found, Err(QueryError::OtherSize(_))), "{found:?}");
    assert!(layer.applied_to(index.grid()).is_err());
}

/// Where to flee, against every tile looked at one by one.
#[test]
fn the_cheapest_tile_near_is_that_of_a_plain_search() {
    let (mut moved, mut alone, mut none) = (0, 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed ^ 0xf1ee);
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let layer = layer(&grid, &mut rng);
        let Some(&from) = maps::free_tiles(&grid, 1, &mut rng).first() else {
            none += 1;
            continue;
        };
        let count = [0, 4, 40][rng.below(3)];
        let shut = maps::free_tiles(&grid, count, &mut rng);
        let blocked = Blocked::new(shut.iter().copied());
        let mut walled = grid.clone();
        shut.iter().filter(|&&tile| tile != from).for_each(|&t| _ = walled.set_free(t, false));
        let truth = oracle::distances(&walled, from);
        let index = Index::new(grid);
        let radius = rng.below(100) as f64 / 10.0;
        let range = rng.below(12) as u32 * STRAIGHT;
        for near in [Near::Radius(radius), Near::Walk(range)] {
            let best = walled.free_cells().filter_map(|cell| {
                let tile = walled.tile(cell);
                let cost = Cost::try_from(truth[cell.index()]?).unwrap();
                let (dx, dy) = (tile.x.abs_diff(from.x), tile.y.abs_diff(from.y));
                let is_near = match near {
                    Near::Radius(radius) => f64::from(dx).hypot(f64::from(dy)) <= radius,
                    Near::Walk(range) => cost <= range,
                };
                is_near.then_some((layer.at(tile), cost, cell))
            });
            let (extra, cost, cell) = best.min().unwrap();
            let mut scratch = Scratch::new();
            let blocked = Some(&blocked);
            let found = index.cheapest_within(from, near, &layer, blocked, &mut scratch).unwrap();
            let context = format!("seed {seed}, {near:?} of {from:?}");
            assert_eq!(
                (found.tile, found.extra, found.cost),
                (walled.tile(cell), extra, cost),
                "{context}"
            );
            moved += usize::from(found.tile != from);
        }
        let grid = index.grid();
        let inside = |cell: &_| {
            let tile = grid.tile(*cell);
            let (dx, dy) = (tile.x.abs_diff(from.x), tile.y.abs_diff(from.y));
            f64::from(dx).hypot(f64::from(dy)) <= radius
        };
        let near: Vec<Tile> = grid.free_cells().filter(inside).map(|c| grid.tile(c)).collect();
        let least = near.iter().map(|&tile| layer.at(tile)).min().unwrap();
        let all: Vec<Tile> = near.into_iter().filter(|&tile| layer.at(tile) == least).collect();
        assert_eq!(index.cheapest_tiles(from, radius, &layer), Ok(all), "seed {seed}");
        alone += usize::from(radius < 1.0);
    }
    assert!(moved > 300 && alone > 20 && none < 150, "{moved} moved, {alone}, {none}");
}
