//! Runs programs on the library and on the model side by side: what changes the map, the tables and which
//! index is asked. What is asked stands in `questions` and `surroundings`.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use tidegate::anyangle::{AnyAngle, LiveAngleLabels};
use tidegate::batch::Batch;
use tidegate::cost::Factor;
use tidegate::engine::Engine;
use tidegate::index::{Built, Change, EditError, PathState, Table};
use tidegate::orders::Orders;
use tidegate::{CostLayer, GoalField, Index, Path, Scratch, SlicedSearch, Tile};
use tidegate_sectors::by_name;

use super::Counts;
use super::plain::{At, EVEN, Plain};
use super::program::{Ask, Program, Set, Step};
use super::surroundings::Units;

/// A fault of the model's own, to test that faults are found and shrunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// None.
    Nothing,
    /// After an edit the model claims that every way costs one more.
    WrongCostAfterEdit,
    /// A question to an adopted table panics.
    PanicAfterAdoption,
}

/// What the model knows of an index.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) plain: Plain,
    /// The tables that were built and not dropped, stale ones too, by tag.
    pub(super) built: Vec<[u8; 4]>,
    pub(super) revision: u64,
    /// Another number whenever map or tables may have changed.
    pub(super) version: u64,
}

/// A search in slices that is under way.
pub(super) struct Sliced {
    pub(super) search: SlicedSearch,
    pub(super) ask: Ask,
    pub(super) slice: u8,
    pub(super) layer: CostLayer,
    /// The version, and the map, that it began on.
    pub(super) began: (u64, Plain),
}

/// An index and the model of it.
pub struct Runner {
    pub(super) index: Index,
    pub(super) state: State,
    pub(super) snapshot: Option<(Index, State, Vec<u8>)>,
    pub(super) saved: Option<(Vec<u8>, State)>,
    pub(super) apart: Option<(Built, State)>,
    pub(super) layer: (CostLayer, Vec<u16>),
    pub(super) sliced: Option<Sliced>,
    /// Shortest paths that were handed out, and the revision.
    pub(super) paths: Vec<(Path, u64)>,
    pub(super) units: Option<Units>,
    pub(super) scratch: Scratch,
    pub(super) orders: Orders,
    /// The units, the goal and the blocked tiles of the last order; no units before the first.
    last_order: (Vec<At>, At, Vec<At>),
    pub(super) field: GoalField,
    pub(super) batch: Batch,
    pub(super) counts: Counts,
    versions: u64,
    plant: Plant,
}

pub(super) type Checked = Result<(), String>;

/// An error unless this holds.
pub(super) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(what()) }
}

pub(super) fn engine(name: &str) -> &'static dyn Engine {
    by_name(name).unwrap_or_else(|| panic!("no engine {name:?}"))
}

pub(super) fn tile((x, y): At) -> Tile {
    Tile::new(x, y)
}

/// Does something, and catches its panic before anything is printed or, under a fuzzer, ends the process.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    thread_local!(static QUIET: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    QUIET.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    done
}

impl Program {
    /// Runs the program. What went wrong, and at which step; panics of the library are caught.
    pub fn run(&self, plant: Plant) -> Result<Counts, String> {
        let mut runner = Runner::new(self, plant);
        for (n, step) in self.steps.iter().enumerate() {
            let done = caught(|| runner.step(step)).unwrap_or_else(|panic| {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                Err(format!("panicked: {}", text.unwrap_or("with no text")))
            });
            let map = || runner.state.plain.rows().join("\n");
            done.map_err(|what| format!("step {n}, {step:?}: {what}\n{}", map()))?;
        }
        Ok(runner.counts)
    }

    /// Runs the program, and panics with a shrunk one as code if anything is wrong.
    pub fn check(&self) -> Counts {
        self.run(Plant::Nothing).unwrap_or_else(|what| {
            let shrunk = self.shrunk(|program| program.run(Plant::Nothing).is_err());
            let why = shrunk.run(Plant::Nothing).err().unwrap_or_default();
            panic!("{what}\n\nshrunk: {why}\n\n{}", shrunk.code())
        })
    }
}

impl Runner {
    /// Before the first step of a program.
    pub fn new(program: &Program, plant: Plant) -> Runner {
        let plain = Plain::from_rows(&program.rows, program.movement);
        let index = Index::new(plain.grid());
        let layer = (CostLayer::new(index.grid()), vec![0; plain.free.len()]);
        Runner {
            index,
            state: State { plain, built: Vec::new(), revision: 0, version: 0 },
            snapshot: None,
            saved: None,
            apart: None,
            layer,
            sliced: None,
            paths: Vec::new(),
            units: None,
            scratch: Scratch::new(),
            orders: Orders::new(),
            last_order: (Vec::new(), (0, 0), Vec::new()),
            field: GoalField::new(),
            batch: Batch::with_threads(1),
            counts: Counts { longest: 1.0, ..Counts::default() },
            versions: 0,
            plant,
        }
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The index as it is.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Bytes of memory that the queries hold.
    pub fn scratch_bytes(&self) -> usize {
        self.scratch.bytes()
    }

    /// Does one step and checks what came of it.
    pub fn step(&mut self, step: &Step) -> Result<(), String> {
        self.counts.steps += 1;
        match step {
            Step::Edit(sets) => {
                self.edit(sets)?;
                // Units go on under the order that they have.
                let (units, goal, blocked) = self.last_order.clone();
                if units.is_empty() { Ok(()) } else { self.order(&units, goal, &blocked, false) }
            }
            Step::Prepare(name) => self.prepare(engine(name)),
            Step::Drop(name) => self.drop_tables(engine(name).tables()),
            Step::PrepareWalks(labels) => self.prepare_walks(*labels),
            Step::DropWalks => self.drop_tables(&[AnyAngle::KIND, LiveAngleLabels::KIND]),
            Step::Rebuild => self.rebuild(),
            Step::DecomposeAgain => self.decompose_again(),
            Step::Gates(gates) => self.set_gates(gates),
            Step::Save => {
                self.save();
                Ok(())
            }
            Step::Load => self.load(),
            Step::Snapshot => {
                let bytes = self.index.to_bytes();
                self.snapshot = Some((self.index.clone(), self.state.clone(), bytes));
                Ok(())
            }
            Step::Return => self.go_back(),
            Step::BuildApart(name, n) => self.build_apart(engine(name), *n),
            Step::Adopt => self.adopt(),
            Step::Layer(paints) => self.paint(paints),
            Step::Find(ask) => self.find(ask),
            Step::Batch(asks) => self.batch(asks),
            Step::Begin(ask, slice, runs) => self.begin(ask, *slice, *runs),
            Step::Go(runs) => self.go_on(*runs),
            Step::Goals(start, goals, blocked) => self.goals(*start, goals, blocked),
            Step::Within(start, range, blocked) => self.within(*start, *range, blocked),
            Step::Approach(start, target, range, blocked) => {
                self.approach(*start, *target, *range, blocked)
            }
            Step::Order(units, goal, blocked, costs) => {
                self.last_order = (units.clone(), *goal, blocked.clone());
                self.order(units, *goal, blocked, *costs)
            }
            Step::Field(goals, until, blocked, costs) => {
                self.field(goals, until.as_deref(), blocked, *costs)
            }
            Step::Walk(start, goal, blocked) => self.walk(*start, *goal, blocked),
            Step::Unit(size, name, start, goal) => self.unit(*size, engine(name), *start, *goal),
        }
    }

    /// Notes that map or tables may have changed.
    pub(super) fn changed(&mut self) {
        self.versions += 1;
        self.state.version = self.versions;
    }

    pub(super) fn version(&self) -> u64 {
        self.state.version
    }

    /// What the model says a way costs: the truth, unless a fault was planted.
    pub(super) fn claimed(&self, least: Option<u64>) -> Option<u64> {
        if self.plant == Plant::PanicAfterAdoption && self.counts.adopted.0 > 0 {
            panic!("planted");
        }
        let wrong = self.plant == Plant::WrongCostAfterEdit && self.counts.edits > 0;
        least.map(|cost| cost + u64::from(wrong && cost > 0))
    }

    fn edit(&mut self, sets: &[Set]) -> Checked {
        let changes = sets.iter().map(|&set| match set {
            Set::Wall(at) => Change::wall(at),
            Set::Free(at) => Change::free(at),
            Set::Cost(at, cost) => {
                Change::factor(at, Factor::from_hundredths(cost.max(EVEN)).expect("at least one"))
            }
        });
        let changes: Vec<Change> = changes.collect();
        let before = self.state.plain.clone();
        let outside =
            changes.iter().map(|change| change.tile()).find(|t| !before.contains((t.x, t.y)));
        let edited = self.index.edit(changes);
        if let Some(wanted) = outside {
            self.counts.refused += 1;
            let refused =
                matches!(&edited, Err(EditError::Outside { tile, .. }) if *tile == wanted);
            ensure(refused, || format!("{edited:?} though {wanted} lies outside"))?;
            return self.state.plain.compare(self.index.grid());
        }
        let map = &mut self.state.plain;
        for &set in sets {
            match set {
                Set::Wall(at) | Set::Free(at) => {
                    let place = map.index(at);
                    map.free[place] = matches!(set, Set::Free(_));
                }
                Set::Cost(at, cost) => {
                    let place = map.index(at);
                    map.factors[place] = cost.max(EVEN);
                }
            }
        }
        let report = edited.map_err(|error| error.to_string())?;
        let differs = *map != before;
        ensure(report.edit.is_empty() != differs, || format!("{:?}", report.edit))?;
        let is_new = |set: &Set| match *set {
            Set::Wall(at) => before.free[before.index(at)],
            Set::Free(at) => !before.free[before.index(at)],
            Set::Cost(at, cost) => before.factors[before.index(at)] != cost.max(EVEN),
        };
        if differs {
            self.counts.edits += 1;
            self.state.revision += 1;
            self.changed();
        } else if sets.iter().any(is_new) {
            // There and back again in one edit: a search in slices may take it for a change.
            self.changed();
        }
        let revisions = (report.revision, self.index.revision());
        let revision = self.state.revision;
        ensure(revisions == (revision, revision), || format!("{revisions:?}, not {revision}"))?;
        self.state.plain.compare(self.index.grid())?;
        self.tables_are_right()?;
        if !self.is_large() || self.counts.edits.is_multiple_of(8) {
            self.zones_are_right()?;
            self.hierarchies_are_right()?;
        }
        self.units_follow()?;
        self.judge_paths()
    }

    /// Whether the map is one of a game, not of a test.
    fn is_large(&self) -> bool {
        self.state.plain.free.len() > 10_000
    }

    /// What is said of paths that were handed out is true.
    pub(super) fn judge_paths(&mut self) -> Checked {
        // On a large map the model takes long.
        let most = if self.is_large() { 1 } else { 8 };
        let kept = self.paths.len().saturating_sub(most);
        self.paths.drain(..kept);
        for (path, found_at) in &self.paths {
            let state = self.index.path_state(path, *found_at);
            let cost = self.state.plain.cost_of(path);
            self.counts.paths.0 += 1;
            let holds = match (&state, &cost) {
                (PathState::Broken(_), Err(_)) | (PathState::Legal, Ok(_)) => true,
                (PathState::Shortest, Ok(cost)) => {
                    self.counts.paths.1 += 1;
                    let (first, last) = (path[0], path[path.len() - 1]);
                    let all = self.state.plain.flood(&[(first.x, first.y)]);
                    all[self.state.plain.index((last.x, last.y))] == Some(*cost)
                }
                _ => false,
            };
            ensure(holds, || format!("{path:?} of revision {found_at}: {state:?}, {cost:?}"))?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Runner at revision {}, {:?}", self.state.revision, self.counts)
    }
}
