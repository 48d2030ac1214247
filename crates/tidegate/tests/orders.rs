//! Orders: the next step of each unit lies on a shortest way, by whichever way it was found.

use tidegate::cost::Extra;
use tidegate::grid::Area;
use tidegate::index::Change;
use tidegate::orders::{Order, OrderedBy, Orders};
use tidegate::rng::Rng;
use tidegate::{Blocked, CostLayer, Index, Movement, Path, QueryError, Tile, engine};
use tidegate_testkit::{maps, oracle};

#[test]
fn steps_lie_on_shortest_ways() {
    let (mut orders, mut by_field, mut by_engine, mut checked) = (Orders::new(), 0, 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let mut index = Index::new(maps::small(seed, Movement::ALL[seed as usize % 3]));
        if rng.chance(50) {
            index.prepare([engine::JPS, engine::LABELS][rng.below(2)]).unwrap();
        }
        let most = [3, 40][rng.below(2)];
        let count = 2 + rng.below(most);
        let tiles = maps::free_tiles(index.grid(), count, &mut rng);
        let Some((&goal, units)) = tiles.split_first() else { continue };
        let mut blocked = Blocked::new(units.iter().copied().filter(|_| rng.chance(30)));
        blocked.remove(goal);
        let mut layer = CostLayer::new(index.grid());
        layer.add(&Area::disc(goal, 3.0), Extra::new(rng.below(3) as f64).unwrap());
        let mut order = Order::new(goal);
        if rng.chance(50) {
            order = order.with_blocked(&blocked);
        }
        if rng.chance(50) {
            order = order.with_costs(&layer);
        }
        match index.order(units, &order, &mut orders).unwrap() {
            OrderedBy::Field => by_field += 1,
            OrderedBy::Engine(_) => by_engine += 1,
        }
        let mut grid = index.grid().clone();
        if order.costs.is_some() {
            grid = layer.applied_to(&grid).unwrap();
        }
        assert_eq!(orders.steps().len(), units.len());
        for (&unit, &step) in units.iter().zip(orders.steps()) {
            let mut walled = grid.clone();
            if order.blocked.is_some() {
                blocked.iter().for_each(|tile| _ = walled.set_free(tile, tile == unit));
            }
            let context = || format!("seed {seed}, {unit:?} to {goal:?} by {step:?}\n{walled:?}");
            let least = oracle::distance(&walled, unit, goal);
            match (step, least) {
                (None, least) => assert!(least.is_none_or(|least| least == 0), "{}", context()),
                (Some(step), Some(least)) => {
                    assert!(walled.is_legal_step(unit, step), "{}", context());
                    let cell = |tile| walled.cell(tile).unwrap();
                    let (dx, dy) = (step.x.abs_diff(unit.x), step.y.abs_diff(unit.y));
                    let mut moves = walled.neighbours(cell(unit));
                    let (_, direction) = moves.find(|&(to, _)| to == cell(step)).unwrap();
                    let first = walled.step_cost(cell(unit), cell(step), direction);
                    let rest = oracle::distance(&walled, step, goal).unwrap();
                    assert!(
                        dx <= 1 && dy <= 1 && u64::from(first) + rest == least,
                        "{}",
                        context()
                    );
                    checked += 1;
                }
                (Some(_), None) => panic!("{}", context()),
            }
        }
    }
    println!("{checked} steps, {by_field} orders by field, {by_engine} by engines");
    assert!(checked > 2_000 && by_field >= 20 && by_engine >= 20);
}

/// Units walk, and now and then the map changes: a field that is used again says what a new one
/// says.
#[test]
fn fields_of_earlier_orders_are_used_while_they_are_right() {
    let mut walked = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let mut index = Index::new(maps::small(seed, Movement::ALL[seed as usize % 3]));
        let tiles = maps::free_tiles(index.grid(), 30, &mut rng);
        let Some((&goal, units)) = tiles.split_first() else { continue };
        let mut units = units.to_vec();
        let mut orders = Orders::new();
        for _ in 0..12 {
            if rng.chance(30) {
                let tile = tiles[rng.below(tiles.len())];
                let others = !units.contains(&tile) && tile != goal;
                let change = if index.grid().is_free(tile) && others {
                    Change::Wall(tile)
                } else {
                    Change::Free(tile)
                };
                index.edit([change]).unwrap();
            }
            if rng.chance(20) {
                // One that the field may not know of.
                units[0] = maps::free_tiles(index.grid(), 1, &mut rng)[0];
            }
            let to = if rng.chance(10) { units[0] } else { goal };
            let used = index.order(&units, &Order::new(to), &mut orders).unwrap();
            let steps = orders.steps().to_vec();
            for (&unit, &step) in units.iter().zip(&steps) {
                let grid = index.grid();
                let least = oracle::distance(grid, unit, to);
                let Some(step) = step else {
                    assert!(least.is_none_or(|least| least == 0), "seed {seed}, {used:?}");
                    continue;
                };
                let first = Path::from_tiles(vec![unit, step]).check(grid);
                let first = first.unwrap_or_else(|e| panic!("seed {seed}: {e}"));
                let rest = oracle::distance(grid, step, to).unwrap();
                assert_eq!(Some(first + rest), least, "seed {seed}, {unit} to {to}");
                walked += 1;
            }
            for (unit, step) in units.iter_mut().zip(steps) {
                *unit = step.unwrap_or(*unit);
            }
        }
    }
    assert!(walked > 5_000, "{walked} steps");
}

#[test]
fn wrong_units_and_goals_are_errors() {
    let index = Index::new(tidegate::Grid::from_rows(&["..#"]).unwrap());
    let mut orders = Orders::new();
    let wall = Tile::new(2, 0);
    let error = index.order(&[Tile::new(0, 0)], &Order::new(wall), &mut orders);
    assert_eq!(error, Err(QueryError::Wall { end: "goal", tile: wall }));
    let error = index.order(&[Tile::new(0, 0), wall], &Order::new((0, 0)), &mut orders);
    assert!(error.is_err());
    index.order(&[Tile::new(1, 0)], &Order::new((0, 0)), &mut orders).unwrap();
    let error = index.order(&[Tile::new(1, 0), wall], &Order::new((0, 0)), &mut orders);
    assert!(error.is_err(), "with a field that is there");
    assert!(index.order(&[], &Order::new((0, 0)), &mut orders).is_ok());
}
