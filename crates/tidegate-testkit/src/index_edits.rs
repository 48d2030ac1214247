//! Edits of an index: after each one every engine answers on the map as it is now, and what
//! a table, a path or a report says of itself is true.

use tidegate::cost::Factor;
use tidegate::engine::{Engine, Promise};
use tidegate::grid::component::Components;
use tidegate::hpa::Hpa;
use tidegate::index::{Built, Change, PathState, TableKind};
use tidegate::{Grid, Index, Path, Query, Scratch, Tile};

use crate::{oracle, properties};

/// What was done, so that a test can tell that it was not nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Edits that changed the map.
    pub edits: usize,
    /// Answers compared with the oracle.
    pub answers: usize,
    /// Answers of engines whose own tables an edit had overtaken.
    pub in_place: usize,
    /// Paths of earlier revisions that were judged, and those still said to be shortest.
    pub paths: (usize, usize),
    /// Tables that were built apart and adopted after further edits.
    pub adopted: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.edits += other.edits;
        self.answers += other.answers;
        self.in_place += other.in_place;
        self.paths.0 += other.paths.0;
        self.paths.1 += other.paths.1;
        self.adopted += other.adopted;
    }
}

/// A game of edits and questions.
struct Game<'a, F> {
    engines: &'a [&'static dyn Engine],
    index: Index,
    below: F,
    scratch: Scratch,
    /// Paths that were handed out, optimal when they were, and the revision.
    paths: Vec<(Path, u64)>,
    /// Somebody holds an earlier map.
    snapshot: Option<Index>,
    built: Option<Built>,
    counts: Counts,
}

/// Plays `steps` edits on a map, with the tables of some of the engines, and asks after
/// each. `below(n)` chooses a number below `n`. Panics where anything is wrong.
pub fn play(
    grid: Grid,
    engines: &[&'static dyn Engine],
    below: impl FnMut(usize) -> usize,
    steps: usize,
) -> Counts {
    let index = Index::new(grid);
    let mut game = Game {
        engines,
        index,
        below,
        scratch: Scratch::new(),
        paths: Vec::new(),
        snapshot: None,
        built: None,
        counts: Counts::default(),
    };
    for &engine in engines {
        if (game.below)(4) > 0 {
            properties::prepare(&mut game.index, engine).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    for _ in 0..steps {
        game.meanwhile();
        game.edit();
        game.tables_are_right();
        game.ask();
        game.judge_paths();
    }
    game.counts
}

impl<F: FnMut(usize) -> usize> Game<'_, F> {
    fn tile(&mut self) -> Tile {
        let (width, height) = (self.index.grid().width(), self.index.grid().height());
        let x = (self.below)(width as usize);
        Tile::new(x as u16, (self.below)(height as usize) as u16)
    }

    /// What happens in a game besides edits: snapshots, tables built apart, a file written
    /// and read, tables built again.
    fn meanwhile(&mut self) {
        match (self.below)(12) {
            0 => self.snapshot = Some(self.index.clone()),
            1 => self.snapshot = None,
            2 => {
                let mut apart = self.index.clone();
                let kinds: Vec<&'static TableKind> =
                    apart.table_states().map(|(kind, _)| kind).collect();
                if !kinds.is_empty() {
                    let kind = kinds[(self.below)(kinds.len())];
                    self.built = apart.build_again_apart(kind).ok();
                }
            }
            3 | 4 => {
                if let Some(built) = self.built.take() {
                    let (before, kind) = (self.index.clone(), built.kind());
                    match self.index.adopt(built) {
                        Ok(state) => {
                            assert_eq!(self.index.table_state(kind), Some(state));
                            self.counts.adopted += 1;
                        }
                        Err(_) => assert!(self.index.differences(&before).is_empty()),
                    }
                }
            }
            5 => {
                let bytes = self.index.to_bytes();
                let again = Index::from_bytes_with(&bytes, self.engines).expect("its own bytes");
                assert_eq!(again.to_bytes(), bytes);
                assert_eq!(again.revision(), self.index.revision());
                // What was not saved is built again.
                let lost: Vec<&'static TableKind> = self
                    .index
                    .table_states()
                    .map(|(kind, _)| kind)
                    .filter(|kind| !again.has(kind))
                    .collect();
                self.index = again;
                for kind in lost {
                    let _ = self.index.prepare_table(kind);
                }
            }
            6 if self.index.rebuild().is_ok() => assert!(self.index.want_rebuild().is_empty()),
            _ => {}
        }
    }

    /// An edit: scattered tiles, a wall or breach of several, costs.
    fn edit(&mut self) {
        let costs = self.index.grid().factors().is_some();
        let mut changes = Vec::new();
        match (self.below)(6) {
            0 | 1 => {
                let tile = self.tile();
                let free = self.index.grid().is_free(tile);
                changes.push(if free { Change::Wall(tile) } else { Change::Free(tile) });
            }
            2 => {
                for _ in 0..=(self.below)(8) {
                    let (tile, free) = (self.tile(), (self.below)(2) == 0);
                    changes.push(if free { Change::Free(tile) } else { Change::Wall(tile) });
                }
            }
            3 | 4 => {
                let (tile, length, free) = (self.tile(), 2 + (self.below)(8), (self.below)(2) == 0);
                let down = (self.below)(2) == 0;
                for n in 0..length as u16 {
                    let (dx, dy) = if down { (0, n) } else { (n, 0) };
                    let tile = Tile::new(tile.x + dx, tile.y + dy);
                    if self.index.grid().contains(tile) {
                        changes.push(if free { Change::Free(tile) } else { Change::Wall(tile) });
                    }
                }
            }
            _ if costs || (self.below)(16) == 0 => {
                for _ in 0..=(self.below)(3) {
                    let hundredths = 100 + 50 * (self.below)(5) as u16;
                    let factor = Factor::from_hundredths(hundredths).expect("at least one");
                    changes.push(Change::Factor(self.tile(), factor));
                }
            }
            _ => {}
        }
        let before = self.index.clone();
        let expected = self.apply(&changes, before.grid());
        let report = self.index.edit(changes.iter().copied()).expect("inside the map");
        assert_eq!(self.index.grid(), &expected);
        let changed = before.grid() != self.index.grid();
        assert_eq!(report.revision, before.revision() + u64::from(changed), "{changes:?}");
        assert_eq!(report.edit.is_empty(), !changed);
        self.counts.edits += usize::from(changed);
        if let Some(snapshot) = &self.snapshot {
            assert!(snapshot.revision() <= before.revision(), "a snapshot stays what it is");
        }
    }

    /// The map after changes, tile by tile.
    fn apply(&self, changes: &[Change], grid: &Grid) -> Grid {
        let mut grid = grid.clone();
        for change in changes {
            match *change {
                Change::Wall(tile) => grid.set_free(tile, false),
                Change::Free(tile) => grid.set_free(tile, true),
                Change::Factor(tile, factor) => grid.set_factor(tile, factor),
                _ => unreachable!("no other change is made here"),
            };
        }
        grid
    }

    /// Tables that are repaired bit by bit are those of a fresh build; zones are valid.
    fn tables_are_right(&self) {
        let grid = self.index.grid();
        let (ours, fresh) = (self.index.components(), Components::of(grid));
        let mut pairs = std::collections::HashMap::new();
        for cell in grid.free_cells() {
            let number = fresh.number(cell);
            assert_eq!(*pairs.entry(ours.number(cell)).or_insert(number), number, "{grid:?}");
        }
        assert_eq!(ours.count(), fresh.count(), "{grid:?}");
        if let Some(zones) = self.index.decomposition() {
            zones.check(grid).unwrap_or_else(|v| panic!("{v}\n{grid:?}"));
        }
        for engine in ["hpa", "hpa-paper"] {
            if let Some(hpa) = Hpa::in_index(&self.index, engine) {
                let fresh = Hpa::build(grid, hpa.options()).expect("its own options");
                assert!(hpa.same_graph(&fresh), "{engine}\n{grid:?}");
            }
        }
    }

    /// Every engine that was built answers as the oracle.
    fn ask(&mut self) {
        let free: Vec<Tile> =
            self.index.grid().free_cells().map(|cell| self.index.grid().tile(cell)).collect();
        if free.is_empty() {
            return;
        }
        let start = free[(self.below)(free.len())];
        let distances = oracle::distances(self.index.grid(), start);
        let goals = [free[(self.below)(free.len())], free[0]];
        let told = self.index.distances(start, &goals, None, &mut self.scratch);
        let told: Vec<Option<u64>> =
            told.expect("free tiles").iter().map(|cost| cost.map(u64::from)).collect();
        let cells = goals.map(|goal| self.index.grid().cell(goal).expect("inside"));
        assert_eq!(told, cells.map(|cell| distances[cell.index()]), "{:?}", self.index.grid());
        for _ in 0..3 {
            let goal = free[(self.below)(free.len())];
            let cell = self.index.grid().cell(goal).expect("inside");
            let least = distances[cell.index()];
            assert_eq!(self.index.reachable(start, goal), least.is_some());
            for &engine in self.engines {
                let stale = self.index.is_stale(engine);
                if !stale && !engine.has_tables(&self.index) {
                    continue;
                }
                let ends = (start, goal);
                let longer = properties::compare_with_oracle(
                    &self.index,
                    engine,
                    ends,
                    least,
                    &mut self.scratch,
                )
                .unwrap_or_else(|e| {
                    panic!("{e}\n{:?}", self.index.table_states().collect::<Vec<_>>())
                });
                self.counts.answers += 1;
                self.counts.in_place += usize::from(stale);
                let query = Query::new(start, goal).refusing_stale();
                let mut path = Path::new();
                let strict = self.index.find(engine, &query, &mut self.scratch, &mut path);
                assert_eq!(strict.is_err(), stale, "{}: {strict:?}", engine.name());
                assert!(!stale || longer == 1.0, "{}: exact in its place", engine.name());
                let keep = engine.promise() == Promise::Optimal && least.is_some();
                if keep && (self.below)(8) == 0 && path.len() > 1 {
                    self.paths.push((path, self.index.revision()));
                }
            }
        }
    }

    /// What is said of paths that were handed out is true.
    fn judge_paths(&mut self) {
        let index = &self.index;
        let kept = self.paths.len().saturating_sub(12);
        self.paths.drain(..kept);
        for (path, found_at) in &self.paths {
            let state = index.path_state(path, *found_at);
            let checked = path.check(index.grid());
            self.counts.paths.0 += 1;
            match (&state, &checked) {
                (PathState::Broken(told), Err(error)) => assert_eq!(told, error),
                (PathState::Legal, Ok(_)) => {}
                (PathState::Shortest, Ok(cost)) => {
                    let ends = (path[0], path[path.len() - 1]);
                    let least = oracle::distance(index.grid(), ends.0, ends.1);
                    assert_eq!(Some(*cost), least, "{ends:?} since {found_at}\n{:?}", index.grid());
                    self.counts.paths.1 += 1;
                }
                _ => panic!("{state:?}, but {checked:?}"),
            }
        }
    }
}
