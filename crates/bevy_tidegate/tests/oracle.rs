//! Small maps of every shape that change under units that walk: after every tick all answers are
//! compared with Dijkstra on a map that this test keeps by itself.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_tidegate::{
    Answers, EditTiles, GoalOrder, NextStep, PathFailed, PathRequest, PathStatus, TidegatePlugin,
    TilePath, TilePosition, TileWorld,
};
use tidegate::cost::Factor;
use tidegate::rng::Rng;
use tidegate::world::{Profile, ProfileId, World as Ground};
use tidegate::{Grid, Movement, Tile, engine};
use tidegate_testkit::{maps, oracle};

const CLASSES: &[u8] = b"..#D";
const MUD: u8 = b'm';

/// A game, and its map a second time.
struct Game {
    app: App,
    size: (u32, u32),
    ground: Vec<u8>,
    profiles: Vec<(ProfileId, Profile)>,
    units: Vec<Entity>,
    rng: Rng,
}

impl Game {
    fn new(seed: u64, rule: Movement, answers: Answers) -> Game {
        let mut rng = Rng::new(seed);
        let grid = maps::small(seed, rule);
        let cells = (0..grid.tiles()).map(tidegate::CellId::from_index);
        let ground: Vec<u8> =
            cells.map(|cell| if grid.is_free_cell(cell) { b'.' } else { b'#' }).collect();
        let size = (grid.width(), grid.height());
        let mut world = Ground::new(size.0, size.1, ground.clone()).unwrap();
        let mud = Factor::new(2.5).unwrap();
        let profiles = [
            Profile::new().moving(rule).entering(b"."),
            Profile::new().moving(rule).entering(b".D").of_size(2),
            Profile::new().moving(rule).entering(b".D").entering_at(MUD, mud),
        ];
        let profiles = profiles.map(|profile| (world.add(profile.clone()), profile)).to_vec();
        let mut world = TileWorld::new(world);
        if seed.is_multiple_of(2) {
            world.prepare(profiles[0].0, engine::CORNERS).unwrap();
            world.keep_ready(profiles[1].0, engine::LABELS);
        }
        let mut app = App::new();
        app.add_plugins(TidegatePlugin::default().answering(answers)).insert_resource(world);
        let mut game = Game { app, size, ground, profiles, units: Vec::new(), rng: Rng::new(seed) };
        for n in 0..12 {
            let (at, goal) = (game.any_tile(), game.any_tile());
            let profile = game.profiles[n % 3].0;
            let unit = game.app.world_mut().spawn(TilePosition(at)).id();
            game.units.push(unit);
            game.send(unit, profile, goal, n % 2 == 0, rng.chance(50));
        }
        game
    }

    fn any_tile(&mut self) -> Tile {
        let (width, height) = (self.size.0 as usize, self.size.1 as usize);
        Tile::new(self.rng.below(width) as u16, self.rng.below(height) as u16)
    }

    fn send(&mut self, unit: Entity, profile: ProfileId, goal: Tile, path: bool, nearest: bool) {
        let mut unit = self.app.world_mut().entity_mut(unit);
        if path {
            let engines = [engine::AUTO, engine::JPS, engine::CORNERS, engine::ASTAR];
            let request = PathRequest::new(profile, goal).with_engine(engines[goal.x as usize % 4]);
            unit.insert(if nearest { request.or_nearest() } else { request });
        } else {
            let order = GoalOrder::new(profile, goal);
            unit.insert(if nearest { order.or_nearest() } else { order });
        }
    }

    /// Some tiles change, some units go on, some get another goal.
    fn play(&mut self, mud: bool) {
        let mut changes = Vec::new();
        for _ in 0..self.rng.below(4) {
            let tile = self.any_tile();
            let class =
                if mud && self.rng.chance(20) { MUD } else { *self.rng.pick(CLASSES).unwrap() };
            self.ground[tile.y as usize * self.size.0 as usize + tile.x as usize] = class;
            changes.push((tile, class));
        }
        self.app.world_mut().write_message(EditTiles::new(changes));
        for unit in self.units.clone() {
            let world = self.app.world_mut();
            let step = world.get::<NextStep>(unit).and_then(|step| step.tile());
            let at = world.get::<TilePosition>(unit).unwrap().0;
            let next = world.get::<TilePath>(unit).and_then(|path| path.next_from(at));
            // Some stay where they are, some are carried off.
            let carried = self.rng.chance(3).then(|| self.any_tile());
            let world = self.app.world_mut();
            if let Some(tile) = carried.or(step).or(next).filter(|_| self.rng.chance(70)) {
                world.get_mut::<TilePosition>(unit).unwrap().0 = tile;
            }
            if self.rng.chance(5) {
                let (goal, nearest) = (self.any_tile(), self.rng.chance(50));
                let world = self.app.world();
                let request = world.get::<PathRequest>(unit).map(|request| request.profile);
                let order = world.get::<GoalOrder>(unit).map(|order| order.profile);
                let profile = request.or(order).unwrap();
                self.send(unit, profile, goal, request.is_some(), nearest);
            }
        }
    }

    /// The map of a profile, worked out from nothing.
    fn grid(&self, profile: ProfileId) -> Grid {
        let profile = &self.profiles[profile.index()].1;
        let (width, height) = self.size;
        let under = |x: u32, y: u32| {
            let size = u32::from(profile.size());
            let tiles = (0..size * size).map(move |n| (x + n % size, y + n / size));
            tiles.map(|(x, y)| {
                let inside = x < width && y < height;
                inside.then(|| profile.factor(self.ground[(y * width + x) as usize])).flatten()
            })
        };
        let free = |x, y| under(x, y).all(|factor| factor.is_some());
        let grid = Grid::from_fn(width, height, profile.rule(), free).unwrap();
        let cells = (0..width * height).map(|n| (n % width, n / width));
        let worst = cells.map(|(x, y)| under(x, y).flatten().max().unwrap_or(Factor::ONE));
        let factors: Vec<Factor> = worst.collect();
        if factors.iter().all(|&factor| factor == Factor::ONE) {
            grid
        } else {
            grid.with_factors(factors)
        }
    }

    /// Where a unit has to end that is sent to a goal, by looking at every tile.
    fn end(&self, grid: &Grid, from: Tile, goal: Tile, nearest: bool) -> Tile {
        let reached = oracle::distances(grid, from);
        let is_reached = |tile| grid.cell(tile).is_some_and(|cell| reached[cell.index()].is_some());
        if is_reached(goal) || !nearest || !grid.is_free(from) {
            return goal;
        }
        let cells = (0..grid.tiles()).map(tidegate::CellId::from_index);
        let tiles = cells.map(|cell| grid.tile(cell)).filter(|&tile| is_reached(tile));
        let distance = |tile| grid.movement().estimate(tile, goal);
        tiles.min_by_key(|&tile| distance(tile)).unwrap()
    }

    /// Compares all that units have with the oracle. `settled`: nothing is under way.
    fn check(&self, settled: bool, what: &str) -> usize {
        let world = self.app.world();
        let grids: Vec<Grid> = self.profiles.iter().map(|&(id, _)| self.grid(id)).collect();
        let mut compared = 0;
        for &unit in &self.units {
            let at = world.get::<TilePosition>(unit).unwrap().0;
            if let Some(request) = world.get::<PathRequest>(unit) {
                let grid = &grids[request.profile.index()];
                let path = world.get::<TilePath>(unit);
                let status = *world.get::<PathStatus>(unit).unwrap();
                if let Some(path) = path {
                    // Whatever is under way: what a unit has it can walk.
                    let rest = tidegate::Path::from_tiles(path.rest().to_vec());
                    let cost = rest.check(grid).unwrap_or_else(|e| panic!("{what}: {e}"));
                    assert_eq!(rest[0], at, "{what}: the path begins elsewhere");
                    if status == PathStatus::Found {
                        let end = self.end(grid, at, request.goal, request.or_nearest);
                        assert!(
                            !settled || path.goal() == end,
                            "{what}: {} for {end}",
                            path.goal()
                        );
                        let best = oracle::distance(grid, at, path.goal());
                        assert_eq!(Some(cost), best, "{what}: {at} to {}", path.goal());
                        compared += 1;
                    }
                }
                if settled {
                    let end = self.end(grid, at, request.goal, request.or_nearest);
                    let reached = oracle::distance(grid, at, end).is_some();
                    assert_eq!(path.is_some(), reached, "{what}: {at} to {end}, {status:?}");
                    let failed = world.get::<PathFailed>(unit);
                    assert_eq!(failed.is_some(), !reached, "{what}: {failed:?}");
                    let ends = [PathStatus::Found, PathStatus::Failed];
                    assert!(ends.contains(&status), "{what}: {status:?}");
                }
                continue;
            }
            // Orders are always given in the same tick.
            let order = world.get::<GoalOrder>(unit).unwrap();
            let grid = &grids[order.profile.index()];
            let step = *world.get::<NextStep>(unit).unwrap();
            if order.or_nearest && oracle::distance(grid, at, order.goal).is_none() {
                // It comes nearer to where it cannot come, or is as near as it can.
                let end = self.end(grid, at, order.goal, true);
                match step {
                    NextStep::Arrived => assert_eq!(at, end, "{what}"),
                    NextStep::Step(tile) => assert!(grid.is_legal_step(at, tile), "{what}"),
                    _ => assert!(!grid.is_free(at), "{what}: {step:?}"),
                }
                continue;
            }
            match (oracle::distance(grid, at, order.goal), step) {
                (Some(0), NextStep::Arrived) | (None, NextStep::NoWay) => {}
                (Some(best), NextStep::Step(tile)) => {
                    let one = tidegate::Path::from_tiles(vec![at, tile]).check(grid);
                    let one = one.unwrap_or_else(|e| panic!("{what}: {e}"));
                    let rest = oracle::distance(grid, tile, order.goal).unwrap();
                    assert_eq!(one + rest, best, "{what}: {at} to {} by {tile}", order.goal);
                }
                other => panic!("{what}: {at} to {}: {other:?}", order.goal),
            }
            compared += 1;
        }
        compared
    }
}

#[test]
fn answers_of_the_same_tick_are_exact() {
    let mut compared = 0;
    for seed in 0..60 {
        for rule in Movement::ALL {
            let mut game = Game::new(seed, rule, Answers::SameTick { most: usize::MAX });
            for tick in 0..12 {
                game.app.update();
                compared += game.check(true, &format!("seed {seed}, {rule:?}, tick {tick}"));
                game.play(tick > 6);
            }
        }
    }
    assert!(compared > 5_000, "{compared} answers compared");
}

#[test]
fn answers_of_later_ticks_are_legal_at_once_and_exact_in_the_end() {
    let mut compared = 0;
    for seed in 100..130 {
        for rule in Movement::ALL {
            let mut game = Game::new(seed, rule, Answers::WhenReady);
            for tick in 0..20 {
                game.app.update();
                compared += game.check(false, &format!("seed {seed}, {rule:?}, tick {tick}"));
                game.play(tick > 12);
            }
            let under_way = |game: &mut Game| {
                let mut units = game.app.world_mut().query::<&PathStatus>();
                let done = [PathStatus::Found, PathStatus::Failed];
                units.iter(game.app.world()).any(|status| !done.contains(status))
            };
            game.app.update();
            while under_way(&mut game) {
                std::thread::yield_now();
                game.app.update();
            }
            compared += game.check(true, &format!("seed {seed}, {rule:?}, in the end"));
        }
    }
    assert!(compared > 3_000, "{compared} answers compared");
}

/// With fewer answers in a tick than requests everyone has his turn.
#[test]
fn who_waits_is_answered_in_his_turn() {
    for seed in 200..220 {
        let mut game = Game::new(seed, Movement::NoCornerCutting, Answers::SameTick { most: 2 });
        for _ in 0..4 {
            game.app.update();
        }
        game.check(true, &format!("seed {seed}"));
    }
}
