//! A game that changes its map: ticks of edits and queries, every answer checked.
//!
//! Every third tick walls of three to five tiles are built, blown up, or broken through, and
//! in every tick units ask for paths. Each engine has an index of its own that is edited with
//! [`Index::edit`]. The judge is `jps` on an index that is made from nothing after each edit,
//! so nothing of what is judged was repaired.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use tidegate::background::Background;
use tidegate::engine::{self, Engine, Promise};
use tidegate::index::Change;
use tidegate::rng::Rng;
use tidegate::{Direction, Grid, Index, Path, Query, Scratch, Tile};

use crate::stopwatch::wall_seconds;

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// Ticks.
    pub ticks: usize,
    /// Queries in each.
    pub queries: usize,
    /// Another seed, other walls and ways.
    pub seed: u64,
    /// Ticks a second, in which tables are built again on a thread beside the game. Without it
    /// the game is played as fast as it goes, and nothing is built again.
    pub rate: Option<f64>,
}

/// An edit in every so manieth tick.
const EVERY: usize = 3;

/// One engine on one map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TickRow {
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// The engine.
    pub engine: String,
    /// Why it was left out.
    pub refused: Option<String>,
    /// Seconds to build its tables.
    pub build_s: f64,
    /// Edits made.
    pub edits: usize,
    /// Queries answered.
    pub queries: usize,
    /// Microseconds of an edit: the mean.
    pub edit_us: f64,
    /// What 99 of 100 edits stay below.
    pub edit_p99_us: f64,
    /// Microseconds of a query: the mean.
    pub query_us: f64,
    /// What 99 of 100 queries stay below.
    pub query_p99_us: f64,
    /// Microseconds of a tick, its edit, if it has one, and its queries: the mean.
    pub tick_us: f64,
    /// What 99 of 100 ticks stay below.
    pub tick_p99_us: f64,
    /// The share of queries that another engine answered, because an edit had overtaken the
    /// tables of this one.
    pub in_place: f64,
    /// The share of queries that took a search.
    pub searched: f64,
    /// Tables that were built again beside the game.
    pub rebuilt: usize,
    /// Answers that are not as they should be.
    pub wrong: usize,
    /// The first of them.
    pub first_wrong: Option<String>,
    /// How its tables stood to the map at the end.
    pub states: String,
}

/// The mean of some times, and what 99 of 100 stay below.
fn mean_and_p99(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_unstable_by(f64::total_cmp);
    let p99 = times.get(times.len() * 99 / 100).copied().unwrap_or(0.0);
    (times.iter().sum::<f64>() / times.len().max(1) as f64, p99)
}

/// An engine with its index.
struct Player<'a> {
    engine: &'a dyn Engine,
    index: Index,
    scratch: Scratch,
    path: Path,
    row: TickRow,
    edits: Vec<f64>,
    queries: Vec<f64>,
    ticks: Vec<f64>,
    in_place: usize,
    searched: usize,
    background: Background,
    rebuilt: usize,
}

/// The map as it should be, and the walls that were built on it.
struct World {
    grid: Grid,
    rng: Rng,
    built: Vec<Vec<Tile>>,
}

/// Plays the game on a map with every engine, in turns.
pub fn play(
    (set, map): (&str, &str),
    grid: &Grid,
    engines: &[&dyn Engine],
    game: Game,
    mut tell: impl FnMut(usize),
) -> Result<Vec<TickRow>> {
    if grid.factors().is_some() {
        bail!("{set}/{map}: the judge is jps, which needs uniform ground");
    }
    let mut players: Vec<Player<'_>> =
        engines.iter().map(|&engine| Player::new((set, map), grid, engine)).collect();
    let mut world =
        World { grid: grid.clone(), rng: Rng::new(game.seed ^ 0x71C4), built: Vec::new() };
    let mut judge = Judge::new(grid)?;
    let begin = Instant::now();
    for tick in 0..game.ticks {
        let changes = if tick % EVERY == 0 { world.edit() } else { Vec::new() };
        if !changes.is_empty() {
            judge = Judge::new(&world.grid)?;
        }
        let queries = world.queries(game.queries);
        if queries.is_empty() {
            bail!("{set}/{map}: no free tile is left");
        }
        let least: Vec<Option<u64>> = queries.iter().map(|query| judge.distance(query)).collect();
        for player in players.iter_mut().filter(|player| player.row.refused.is_none()) {
            player.tick(&changes, &queries, &least, game.rate.is_some())?;
        }
        tell(tick + 1);
        if let Some(rate) = game.rate {
            let due = Duration::from_secs_f64((tick + 1) as f64 / rate);
            thread::sleep(due.saturating_sub(begin.elapsed()));
        }
    }
    Ok(players.into_iter().map(Player::finish).collect())
}

/// An index made from nothing for the map as it is now.
struct Judge {
    index: Index,
    scratch: Scratch,
}

impl Judge {
    fn new(grid: &Grid) -> Result<Judge> {
        let mut index = Index::new(grid.clone());
        index.prepare(engine::JPS)?;
        Ok(Judge { index, scratch: Scratch::new() })
    }

    fn distance(&mut self, query: &Query<'_>) -> Option<u64> {
        let found = self.index.distance(engine::JPS, query, &mut self.scratch);
        found.ok().flatten().map(u64::from)
    }
}

impl World {
    /// Changes the map and says how.
    fn edit(&mut self) -> Vec<Change> {
        let length = 3 + self.rng.below(3);
        let choice = self.rng.below(4);
        let (tiles, free) = if choice == 0 && !self.built.is_empty() {
            let at = self.rng.below(self.built.len());
            (self.built.swap_remove(at), true)
        } else if choice == 1 {
            (self.line(length, false), true)
        } else {
            let tiles = self.line(length, true);
            self.built.push(tiles.clone());
            (tiles, false)
        };
        let set = |&tile: &Tile| {
            self.grid.set_free(tile, free);
            if free { Change::Free(tile) } else { Change::Wall(tile) }
        };
        tiles.iter().map(set).collect()
    }

    /// Tiles in a line that are all free or all wall: from a free tile, or into a wall.
    fn line(&mut self, length: usize, free: bool) -> Vec<Tile> {
        for _ in 0..1000 {
            let Some(start) = self.free_tile() else { break };
            let (dx, dy) = Direction::ALL[self.rng.below(4)].delta();
            let far = if free { 0..length as i32 } else { 1..length as i32 + 1 };
            let place = |n: i32| (i32::from(start.x) + n * dx, i32::from(start.y) + n * dy);
            let tile = |(x, y): (i32, i32)| {
                let tile = Tile::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?);
                (self.grid.contains(tile) && self.grid.is_free(tile) == free).then_some(tile)
            };
            let tiles: Vec<Tile> = far.map(place).map_while(tile).collect();
            if !tiles.is_empty() {
                return tiles;
            }
        }
        Vec::new()
    }

    fn free_tile(&mut self) -> Option<Tile> {
        let (width, height) = (self.grid.width() as usize, self.grid.height() as usize);
        (0..100_000).find_map(|_| {
            let tile = Tile::new(self.rng.below(width) as u16, self.rng.below(height) as u16);
            self.grid.is_free(tile).then_some(tile)
        })
    }

    fn queries(&mut self, count: usize) -> Vec<Query<'static>> {
        (0..count).filter_map(|_| Some(Query::new(self.free_tile()?, self.free_tile()?))).collect()
    }
}

impl<'a> Player<'a> {
    fn new((set, map): (&str, &str), grid: &Grid, engine: &'a dyn Engine) -> Player<'a> {
        let mut index = Index::new(grid.clone());
        let (build_s, built) = wall_seconds(|| index.prepare(engine));
        let row = TickRow {
            set: set.to_owned(),
            map: map.to_owned(),
            engine: engine.name().to_owned(),
            refused: built.err().map(|error| error.to_string()),
            build_s,
            edits: 0,
            queries: 0,
            edit_us: 0.0,
            edit_p99_us: 0.0,
            query_us: 0.0,
            query_p99_us: 0.0,
            tick_us: 0.0,
            tick_p99_us: 0.0,
            in_place: 0.0,
            searched: 0.0,
            rebuilt: 0,
            wrong: 0,
            first_wrong: None,
            states: String::new(),
        };
        let (scratch, path) = (Scratch::new(), Path::new());
        let (edits, queries, ticks) = (Vec::new(), Vec::new(), Vec::new());
        let background = Background::new();
        Player {
            engine,
            index,
            scratch,
            path,
            row,
            edits,
            queries,
            ticks,
            in_place: 0,
            searched: 0,
            background,
            rebuilt: 0,
        }
    }

    fn tick(
        &mut self,
        changes: &[Change],
        queries: &[Query<'_>],
        least: &[Option<u64>],
        rebuild: bool,
    ) -> Result<()> {
        let mut tick = 0.0;
        if rebuild {
            let begin = Instant::now();
            self.rebuilt += self.background.poll(&mut self.index).len();
            self.background.start(&self.index);
            tick += begin.elapsed().as_nanos() as f64 / 1e3;
        }
        if !changes.is_empty() {
            let begin = Instant::now();
            self.index.edit(changes.iter().copied())?;
            self.edits.push(begin.elapsed().as_nanos() as f64 / 1e3);
            tick += self.edits.last().copied().unwrap_or(0.0);
        }
        let stale = self.index.is_stale(self.engine);
        for (query, &least) in queries.iter().zip(least) {
            let begin = Instant::now();
            let answer = self.index.find(self.engine, query, &mut self.scratch, &mut self.path);
            let time = begin.elapsed().as_nanos() as f64 / 1e3;
            self.queries.push(time);
            tick += time;
            self.in_place += usize::from(stale);
            let wrong = match answer {
                Err(error) => Some(error.to_string()),
                Ok(answer) => {
                    self.searched += usize::from(answer.stats.expanded > 0);
                    self.judge(query, answer.cost(), least).err()
                }
            };
            if let Some(why) = wrong {
                self.row.wrong += 1;
                let (start, goal) = (query.start, query.goal);
                self.row.first_wrong.get_or_insert(format!("{start} to {goal}: {why}"));
            }
        }
        self.ticks.push(tick);
        Ok(())
    }

    fn judge(
        &self,
        query: &Query<'_>,
        cost: Option<tidegate::cost::Cost>,
        least: Option<u64>,
    ) -> Result<(), String> {
        let (cost, least) = match (cost, least) {
            (None, None) => return Ok(()),
            (Some(cost), Some(least)) => (cost, least),
            (cost, least) => return Err(format!("{cost:?}, the judge says {least:?}")),
        };
        self.path
            .check_answer(self.index.grid(), query.start, query.goal, cost)
            .map_err(|error| error.to_string())?;
        let (cost, optimal) = (u64::from(cost), self.engine.promise() == Promise::Optimal);
        if cost < least || (optimal && cost > least) {
            return Err(format!("costs {cost}, the judge says {least}"));
        }
        Ok(())
    }

    fn finish(self) -> TickRow {
        let queries = self.queries.len();
        let states = self.index.table_states();
        let states: Vec<String> =
            states.map(|(kind, state)| format!("{} {state}", kind.name)).collect();
        let edits = self.edits.len();
        let (edit_us, edit_p99_us) = mean_and_p99(self.edits);
        let (query_us, query_p99_us) = mean_and_p99(self.queries);
        let (tick_us, tick_p99_us) = mean_and_p99(self.ticks);
        TickRow {
            edits,
            queries,
            edit_us,
            edit_p99_us,
            query_us,
            query_p99_us,
            tick_us,
            tick_p99_us,
            in_place: self.in_place as f64 / queries.max(1) as f64,
            searched: self.searched as f64 / queries.max(1) as f64,
            rebuilt: self.rebuilt,
            states: states.join(", "),
            ..self.row
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_right_in_every_tick() {
        let grid =
            tidegate::generate::generate(tidegate::generate::Kind::Rts, 96, 96, 5).expect("a map");
        let grid = grid.grid(tidegate::Movement::NoCornerCutting);
        let game = Game { ticks: 24, queries: 10, seed: 3, rate: None };
        let rows = play(("test", "rts"), &grid, tidegate_sectors::ENGINES, game, |_| ()).unwrap();
        for row in rows {
            assert_eq!(row.first_wrong, None, "{}", row.engine);
            assert_eq!((row.edits, row.queries), (8, 240), "{}", row.engine);
        }
    }

    #[test]
    fn tables_built_again_beside_the_game_are_right_too() {
        let grid = tidegate::generate::generate(tidegate::generate::Kind::Rts, 64, 64, 2);
        let grid = grid.expect("a map").grid(tidegate::Movement::NoCornerCutting);
        let game = Game { ticks: 60, queries: 10, seed: 3, rate: Some(200.0) };
        let engines = [engine::LABELS, engine::GATEWAY];
        let rows = play(("test", "rts"), &grid, &engines, game, |_| ()).unwrap();
        for row in rows {
            assert_eq!(row.first_wrong, None, "{}", row.engine);
        }
    }

    /// An engine that goes straight on through walls it does not know of.
    #[test]
    fn an_engine_on_the_map_of_yesterday_is_noticed() {
        let rows: Vec<String> = vec![".".repeat(60); 40];
        let grid = Grid::from_rows(&rows).unwrap();
        let mut player = Player::new(("test", "plain"), &grid, engine::ASTAR);
        let query = [Query::new((0, 20), (59, 20))];
        let mut now = grid.clone();
        (0..39).for_each(|y| _ = now.set_free(Tile::new(30, y), false));
        let least = [Judge::new(&now).unwrap().distance(&query[0])];
        player.tick(&[], &query, &least, false).unwrap();
        assert_eq!(player.row.wrong, 1);
    }
}
