//! Programs: a map and what is done with it, as plain data that can be written down as Rust.

use std::fmt::Write as _;

use tidegate::Movement;

use super::plain::At;

/// A map and what is done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The rule of movement.
    pub movement: Movement,
    /// The map drawn: `.` free, `#` wall, `2`, `3`, `9` and `~` free at a higher cost.
    pub rows: Vec<String>,
    /// What is done, one after the other.
    pub steps: Vec<Step>,
}

/// A tile as it is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// A wall.
    Wall(At),
    /// Free.
    Free(At),
    /// At a cost in hundredths, 100 or more.
    Cost(At, u16),
}

/// What is done to the cost layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Adds hundredths to a disc: its centre and radius.
    Add(At, u8, u16),
    /// Raises a disc to so many hundredths at least.
    Raise(At, u8, u16),
    /// Leaves so many 16ths.
    Fade(u8),
    /// Forgets everything.
    Clear,
}

/// A question for a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The engine, by name.
    pub engine: &'static str,
    /// Where the path begins.
    pub start: At,
    /// Where it ends.
    pub goal: At,
    /// Tiles that cannot be entered.
    pub blocked: Vec<At>,
    /// Whether the layer counts.
    pub costs: bool,
    /// Whether a way to the nearest tile is wanted where there is none to the goal.
    pub partial: bool,
    /// The most expansions.
    pub budget: Option<u64>,
    /// Whether stale tables are an error.
    pub strict: bool,
}

impl Ask {
    /// A plain question.
    pub fn new(engine: &'static str, start: At, goal: At) -> Ask {
        let (blocked, budget) = (Vec::new(), None);
        Ask { engine, start, goal, blocked, costs: false, partial: false, budget, strict: false }
    }
}

/// One thing that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The map is changed.
    Edit(Vec<Set>),
    /// An engine's tables are built.
    Prepare(&'static str),
    /// An engine's tables are dropped.
    Drop(&'static str),
    /// The tables for walks at any angle are built; with labels if so wished.
    PrepareWalks(bool),
    /// They are dropped.
    DropWalks,
    /// What edits have made slower is built again.
    Rebuild,
    /// Zones and gates are made again.
    DecomposeAgain,
    /// Zones with these gates, as far as each is accepted.
    Gates(Vec<(At, At)>),
    /// The index is written to bytes.
    Save,
    /// The bytes written last are read, and the program goes on with that index.
    Load,
    /// Somebody keeps the index as it is.
    Snapshot,
    /// The program goes on with what was kept.
    Return,
    /// On the snapshot, or the index as it is now, a table of an engine is built apart.
    BuildApart(&'static str, u8),
    /// The table that was built apart is adopted.
    Adopt,
    /// The cost layer changes.
    Layer(Vec<Paint>),
    /// A path is asked for.
    Find(Ask),
    /// Several are, of the engine of the first.
    Batch(Vec<Ask>),
    /// A search in slices begins: the slice, and how many of them are run now.
    Begin(Ask, u8, u8),
    /// It goes on for so many slices.
    Go(u8),
    /// The distances to some goals, and the nearest of them: start, goals, blocked tiles.
    Goals(At, Vec<At>, Vec<At>),
    /// What lies within so many tiles: start, range, blocked tiles.
    Within(At, u8, Vec<At>),
    /// The way to within so many tiles of a target: start, target, range, blocked tiles.
    Approach(At, At, u8, Vec<At>),
    /// The next step of units to a goal: units, goal, blocked tiles, whether the layer counts.
    Order(Vec<At>, At, Vec<At>, bool),
    /// A field: goals, until which units, blocked tiles, whether the layer counts.
    Field(Vec<At>, Option<Vec<At>>, Vec<At>, bool),
    /// A walk at any angle between two points, in 256ths of tiles, around blocked tiles.
    Walk((i32, i32), (i32, i32), Vec<At>),
    /// A unit of this size asks an engine in a world of this ground.
    Unit(u8, &'static str, At, At),
}

impl Program {
    /// A program from a drawn map.
    pub fn new(movement: Movement, rows: &[&str], steps: Vec<Step>) -> Program {
        let rows = rows.iter().map(|&row| row.to_owned()).collect();
        Program { movement, rows, steps }
    }

    /// The program as a test that can be pasted into any file of tests.
    pub fn code(&self) -> String {
        let mut code = String::from("#[test]\nfn found_by_the_model() {\n");
        let mut line = |text: String| writeln!(code, "    {text}").expect("a string takes all");
        line("#[allow(unused_imports)]".to_owned());
        line("use tidegate_testkit::model::{Ask, Paint::*, Program, Set::*, Step::*};".to_owned());
        line("#[rustfmt::skip]".to_owned());
        line("Program::new(".to_owned());
        line(format!("    tidegate::Movement::{:?},", self.movement));
        line("    &[".to_owned());
        self.rows.iter().for_each(|row| line(format!("        {row:?},")));
        line("    ],".to_owned());
        line("    vec![".to_owned());
        // Only lists have brackets here: what is printed is Rust but for how it makes lists.
        let steps = self.steps.iter().map(|step| format!("{step:?},").replace('[', "vec!["));
        steps.for_each(|step| line(format!("        {step}")));
        line("    ],".to_owned());
        line(")".to_owned());
        line(".check();".to_owned());
        code.push_str("}\n");
        code
    }
}

impl Step {
    /// Every tile that the step names.
    pub(super) fn tiles_mut(&mut self) -> Vec<&mut At> {
        let mut tiles: Vec<&mut At> = Vec::new();
        match self {
            Step::Edit(sets) => tiles.extend(sets.iter_mut().map(|set| match set {
                Set::Wall(at) | Set::Free(at) | Set::Cost(at, _) => at,
            })),
            Step::Gates(gates) => gates.iter_mut().for_each(|(a, b)| tiles.extend([a, b])),
            Step::Layer(paints) => tiles.extend(paints.iter_mut().filter_map(|p| match p {
                Paint::Add(at, ..) | Paint::Raise(at, ..) => Some(at),
                Paint::Fade(_) | Paint::Clear => None,
            })),
            Step::Find(ask) | Step::Begin(ask, ..) => tiles.extend(ask.tiles_mut()),
            Step::Batch(asks) => tiles.extend(asks.iter_mut().flat_map(Ask::tiles_mut)),
            Step::Goals(start, goals, blocked) => {
                tiles.push(start);
                tiles.extend(goals.iter_mut().chain(blocked));
            }
            Step::Within(start, _, blocked) => {
                tiles.push(start);
                tiles.extend(blocked);
            }
            Step::Approach(start, target, _, blocked) => {
                tiles.extend([start, target]);
                tiles.extend(blocked);
            }
            Step::Order(units, goal, blocked, _) => {
                tiles.push(goal);
                tiles.extend(units.iter_mut().chain(blocked));
            }
            Step::Field(goals, until, blocked, _) => {
                tiles.extend(goals.iter_mut().chain(blocked));
                tiles.extend(until.iter_mut().flatten());
            }
            Step::Walk(_, _, blocked) => tiles.extend(blocked),
            Step::Unit(_, _, start, goal) => tiles.extend([start, goal]),
            _ => {}
        }
        tiles
    }

    /// Every point in a tile that the step names.
    pub(super) fn points_mut(&mut self) -> Vec<&mut (i32, i32)> {
        if let Step::Walk(start, goal, _) = self { vec![start, goal] } else { Vec::new() }
    }
}

impl Ask {
    fn tiles_mut(&mut self) -> Vec<&mut At> {
        [&mut self.start, &mut self.goal].into_iter().chain(&mut self.blocked).collect()
    }
}
