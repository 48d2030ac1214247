//! Goal fields against the oracle: every tile of random maps, with blocked tiles, cost layers
//! and cost factors.

use tidegate::cost::{Cost, Extra, Factor, INFINITY, STRAIGHT};
use tidegate::field::{FieldQuery, GoalField, NO_STEP, Reach};
use tidegate::grid::{Area, CostLayer};
use tidegate::rng::Rng;
use tidegate::{Blocked, Direction, Grid, Index, Movement, Path, QueryError, Tile};
use tidegate_testkit::{maps, oracle};

/// A map by seed: mostly small ones of every shape, some of up to 129 tiles a side; half of
/// them with cost factors.
fn map(seed: u64) -> Grid {
    let mut rng = Rng::new(seed ^ 0xf1e1d);
    let movement = Movement::ALL[seed as usize % 3];
    let grid = if seed % 16 == 5 {
        let (width, height) = (1 + rng.below(129) as u32, 1 + rng.below(129) as u32);
        let walls = rng.below(45) as u32;
        Grid::from_fn(width, height, movement, |_, _| !rng.chance(walls)).unwrap()
    } else {
        maps::small(seed, movement)
    };
    // Patches of the same ground, single dear tiles, or every tile another.
    let most = [0, 0, 2, 9, 60, 65_435][rng.below(6)];
    if most == 0 {
        return grid;
    }
    let (patch, width) = (1 + rng.below(7), grid.width() as usize);
    let noise = Rng::new(seed).below(1 << 20);
    let factor = |tile: usize| {
        let place = (tile % width / patch) * 7919 + (tile / width / patch) * 104_729 + noise;
        let step = Rng::new(place as u64).below(4) * most / 3;
        Factor::from_hundredths(100 + step as u16).unwrap()
    };
    let factors = (0..grid.tiles()).map(factor).collect();
    grid.with_factors(factors)
}

/// A layer by seed, empty for some.
fn layer(grid: &Grid, rng: &mut Rng) -> CostLayer {
    let mut layer = CostLayer::new(grid);
    for tile in maps::free_tiles(grid, rng.below(5), rng) {
        let extra = Extra::from_hundredths([1, 50, 300, 20_000][rng.below(4)]);
        let radius = rng.below(80) as f64 / 10.0;
        match rng.below(3) {
            0 => layer.add(&Area::disc(tile, radius), extra),
            1 => layer.add(&Area::ring(tile, radius / 2.0, radius), extra),
            _ => layer.add_falling(tile, radius, extra),
        }
    }
    layer
}

/// The least of the oracle's costs from any of the goals, by tile.
fn truth(grid: &Grid, goals: &[Tile]) -> Vec<Option<u64>> {
    let mut least: Vec<Option<u64>> = vec![None; grid.tiles()];
    for &goal in goals {
        for (least, cost) in least.iter_mut().zip(oracle::distances(grid, goal)) {
            *least = match (*least, cost) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
    least
}

/// What a field must say, worked out plainly: by tile the cost and the first of the
/// directions that begin a cheapest way.
struct Expected {
    grid: Grid,
    costs: Vec<Option<u64>>,
}

impl Expected {
    /// On the map with walls where tiles are blocked, with the layer's costs as its own.
    fn new(grid: &Grid, blocked: &[Tile], layer: &CostLayer, goals: &[Tile]) -> Expected {
        let costly = layer.applied_to(grid).unwrap();
        let mut walled = costly.clone();
        blocked.iter().for_each(|&tile| _ = walled.set_free(tile, false));
        let mut costs = truth(&walled, goals);
        // Who stands on a blocked tile leaves it as if it alone were not.
        for &tile in blocked {
            let mut alone = walled.clone();
            alone.set_free(tile, true);
            let cell = alone.cell(tile).unwrap();
            costs[cell.index()] = alone
                .neighbours(cell)
                .filter_map(|(next, direction)| {
                    let step = alone.step_cost(cell, next, direction);
                    Some(
                        costs[next.index()].filter(|_| walled.is_free_cell(next))?
                            + u64::from(step),
                    )
                })
                .min();
        }
        Expected { grid: walled, costs }
    }

    fn step(&self, tile: Tile) -> Option<Direction> {
        let mut alone = self.grid.clone();
        alone.set_free(tile, true);
        let cell = alone.cell(tile)?;
        let cost = self.costs[cell.index()].filter(|&cost| cost > 0)?;
        Direction::ALL.into_iter().find(|&direction| {
            let legal = alone.moves(cell) & direction.mask() != 0;
            legal && {
                let next = alone.step(cell, direction);
                let step = u64::from(alone.step_cost(cell, next, direction));
                self.grid.is_free_cell(next)
                    && self.costs[next.index()].is_some_and(|there| there + step == cost)
            }
        })
    }
}

fn tiles(grid: &Grid) -> impl Iterator<Item = Tile> + '_ {
    let rows = 0..grid.height() as u16;
    rows.flat_map(|y| (0..grid.width() as u16).map(move |x| Tile::new(x, y)))
}

#[test]
fn every_cost_and_step_is_that_of_the_oracle() {
    let (mut field, mut path, mut steps) = (GoalField::new(), Path::new(), Vec::new());
    let (mut compared, mut walked, mut standing, mut layered, mut none) = (0, 0, 0, 0, 0);
    for seed in 0..900 {
        let mut rng = Rng::new(seed);
        let grid = map(seed);
        let layer = layer(&grid, &mut rng);
        let goals = maps::free_tiles(&grid, 1 + rng.below(4), &mut rng);
        none += usize::from(goals.is_empty());
        let count = [0, 0, 3, 30][rng.below(4)];
        let mut shut = maps::free_tiles(&grid, count, &mut rng);
        shut.retain(|tile| !goals.contains(tile));
        let blocked = Blocked::new(shut.iter().copied());
        let expected = Expected::new(&grid, &shut, &layer, &goals);
        let index = Index::new(grid);
        let query = FieldQuery::new(&goals).with_blocked(&blocked).with_costs(&layer);
        field.fill(&index, &query).unwrap();
        assert!(field.is_complete());
        field.next_steps_into(&mut steps);
        layered += usize::from(!layer.is_empty());
        for (tile, (n, &cost)) in tiles(index.grid()).zip(expected.costs.iter().enumerate()) {
            let context = || format!("seed {seed}, {tile:?} to {goals:?} with {shut:?}");
            assert_eq!(field.distance(tile).map(u64::from), cost, "{}", context());
            let raw = cost.map_or(INFINITY, |cost| Cost::try_from(cost).unwrap());
            assert_eq!(field.costs()[n], raw, "{}", context());
            let reach = cost.map_or(Reach::Unreachable, |_| Reach::Goal(raw));
            assert_eq!(field.reach(tile), reach, "{}", context());
            compared += usize::from(cost.is_some());
            // Looking at every step of every large map is too slow for the plain way.
            if index.grid().tiles() > 400 && n % 37 != 0 {
                continue;
            }
            let step = expected.step(tile);
            assert_eq!(field.next_step(tile), step, "{}", context());
            assert_eq!(steps[n], step.map_or(NO_STEP, |step| step as u8), "{}", context());
            let found = field.path_from(tile, &mut path);
            assert_eq!(found.map(u64::from), cost, "{}", context());
            let Some(found) = found else {
                assert!(path.is_empty());
                continue;
            };
            assert!(goals.contains(path.last().unwrap()), "{}", context());
            let mut alone = expected.grid.clone();
            alone.set_free(tile, true);
            let last = path[path.len() - 1];
            assert_eq!(path.check_answer(&alone, tile, last, found), Ok(()), "{}", context());
            standing += usize::from(shut.contains(&tile));
            walked += 1;
        }
        assert_eq!(field.distance((index.grid().width() as u16, 0)), None);
        assert_eq!(field.reach((0, index.grid().height() as u16)), Reach::Unreachable);
    }
    println!("{compared} costs, {walked} ways, {standing} from blocked tiles, {layered} layers");
    assert!(compared > 200_000 && walked > 20_000 && standing > 300 && layered > 400);
    assert!(none < 150, "{none} maps have no free tile");
}

/// A field that ends with its units knows every unit, and what it says is true; it calls
/// nothing unreachable that it has not looked at.
#[test]
fn until_the_units_are_reached() {
    let (mut field, mut whole) = (GoalField::new(), GoalField::new());
    let (mut unknown, mut cut_off, mut complete) = (0, 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let grid = map(seed);
        let layer = layer(&grid, &mut rng);
        let goals = maps::free_tiles(&grid, 1 + rng.below(2), &mut rng);
        let units = maps::free_tiles(&grid, rng.below(4), &mut rng);
        let mut shut = maps::free_tiles(&grid, rng.below(12), &mut rng);
        // Units block each other.
        shut.extend(&units);
        shut.retain(|tile| !goals.contains(tile));
        let blocked = Blocked::new(shut.iter().copied());
        let index = Index::new(grid);
        let query = FieldQuery::new(&goals).with_blocked(&blocked).with_costs(&layer);
        whole.fill(&index, &query).unwrap();
        field.fill(&index, &query.until(&units)).unwrap();
        complete += usize::from(field.is_complete());
        for unit in &units {
            assert_eq!(field.reach(*unit), whole.reach(*unit), "seed {seed}, unit {unit:?}");
            cut_off += usize::from(field.distance(*unit).is_none());
        }
        for tile in tiles(index.grid()) {
            match field.reach(tile) {
                Reach::Unknown => {
                    let far = whole.distance(tile).is_none_or(|cost| cost >= field.known_below());
                    assert!(far && !field.is_complete(), "seed {seed}, {tile:?}");
                    assert_eq!(field.next_step(tile), None);
                    unknown += 1;
                }
                reach => {
                    assert_eq!(reach, whole.reach(tile), "seed {seed}, {tile:?}");
                    assert_eq!(field.next_step(tile), whole.next_step(tile), "seed {seed}");
                }
            }
        }
    }
    println!("{unknown} tiles unknown, {cut_off} units cut off, {complete} of 600 complete");
    assert!(unknown > 20_000 && cut_off > 50 && complete > 20 && complete < 500);
}

#[test]
fn ends_are_checked_as_in_queries() {
    let index = Index::new(Grid::from_rows(&[".#.", "..."]).unwrap());
    let mut field = index.field(&[Tile::new(0, 0)]).unwrap();
    assert_eq!(field.distance((0, 1)), Some(STRAIGHT));
    let (wall, free, outside) = (Tile::new(1, 0), Tile::new(0, 1), Tile::new(0, 2));
    let blocked = Blocked::new([free]);
    let mut refused = |goals: &[Tile], units: Option<&[Tile]>| {
        let query = FieldQuery::new(goals).with_blocked(&blocked);
        let query = units.map_or(query, |units| query.until(units));
        let error = field.fill(&index, &query).unwrap_err();
        assert_eq!(field.distance((0, 0)), None, "a field that was not filled is empty");
        assert_eq!(field.costs(), []);
        error
    };
    let (end, tile) = ("goal", wall);
    assert_eq!(refused(&[wall], None), QueryError::Wall { end, tile });
    assert_eq!(refused(&[free], None), QueryError::Blocked { end, tile: free });
    let error = QueryError::Outside { end, tile: outside, width: 3, height: 2 };
    assert_eq!(refused(&[outside], None), error);
    let good = [Tile::new(2, 0)];
    assert_eq!(refused(&good, Some(&[wall])), QueryError::Wall { end: "start", tile });
    let larger = CostLayer::new(&Grid::from_rows(&["...", "...", "..."]).unwrap());
    let error = field.fill(&index, &FieldQuery::new(&good).with_costs(&larger)).unwrap_err();
    let text = "the cost layer is for another map: costs for 9 tiles, on a map of 3 x 2";
    assert_eq!(error.to_string(), text);
    assert!(field.fill(&index, &FieldQuery::new(&[])).is_ok());
    assert_eq!(field.reach((2, 0)), Reach::Unreachable, "without goals nothing is reachable");
}

/// A corridor of dear ground, folded: its far end costs more than can be counted.
#[test]
fn a_way_too_long_to_count_is_an_error() {
    let dear = |height: u32| {
        let wall = |x: u32, y: u32| y % 2 == 1 && x != if y % 4 == 1 { 199 } else { 0 };
        let grid = Grid::from_fn(200, height, Movement::FourConnected, |x, y| !wall(x, y)).unwrap();
        let factors = vec![Factor::from_hundredths(65_535).unwrap(); grid.tiles()];
        Index::new(grid.with_factors(factors))
    };
    let goals = [Tile::new(0, 0)];
    let near = dear(3).field(&goals).unwrap();
    assert_eq!(near.distance((0, 2)).map(u64::from), Some(5741 * 65_535 / 100 * 400));
    let index = dear(5);
    assert_eq!(index.field(&goals).unwrap_err(), QueryError::TooFar);
    // What is near enough can be had.
    let mut field = GoalField::new();
    field.fill(&index, &FieldQuery::new(&goals).until(&[Tile::new(0, 2)])).unwrap();
    assert_eq!(field.distance((0, 2)), near.distance((0, 2)));
    assert_eq!(field.reach((199, 4)), Reach::Unknown);
}

/// An edit leaves a field what it was.
#[test]
fn a_field_is_of_its_revision() {
    let mut index = Index::new(Grid::from_rows(&["...."]).unwrap());
    let field = index.field(&[Tile::new(0, 0)]).unwrap();
    index.edit([tidegate::index::Change::Wall(Tile::new(1, 0))]).unwrap();
    assert_eq!(field.distance((3, 0)), Some(3 * STRAIGHT));
    assert!(field.revision() < index.revision());
}
