//! Judging an answer before its time is believed.

use std::cmp::Ordering;

use rayon::prelude::*;
use serde::Serialize;
use tidegate::cost::{Length, STRAIGHT};
use tidegate::engine::Promise;
use tidegate::grid::scen_file::Problem;
use tidegate::path::PathError;
use tidegate::{Answer, Grid, Outcome, Path, QueryError};
use tidegate_testkit::oracle;

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A legal path of exactly the reference length.
    Optimal,
    /// A legal path, longer than the reference.
    Longer,
    /// A legal path, shorter than the reference: the reference or the check is wrong.
    Shorter,
    /// Not a legal path of the cost it claims, or "no way" where there is one.
    Invalid,
    /// Rightly no path.
    Unreachable,
    /// The engine refused: an end on a wall, a rule it cannot do.
    Error,
}

impl Status {
    /// The word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Status::Optimal => "optimal",
            Status::Longer => "longer",
            Status::Shorter => "shorter",
            Status::Invalid => "invalid",
            Status::Unreachable => "unreachable",
            Status::Error => "error",
        }
    }

    /// Whether an engine with this promise must not answer so.
    pub fn breaks(self, promise: Promise) -> bool {
        match self {
            Status::Invalid | Status::Shorter => true,
            Status::Longer => promise == Promise::Optimal,
            Status::Optimal | Status::Unreachable | Status::Error => false,
        }
    }
}

/// What the answers to a map's problems are compared with.
#[derive(Clone, Debug)]
pub enum Reference {
    /// The lengths in the scenario file.
    File,
    /// Costs worked out by the oracle, one per problem taken.
    Oracle(Vec<Option<u64>>),
}

impl Reference {
    /// The file's lengths, unless they cannot be meant for these tiles: another rule of
    /// movement, or a scenario with problems that begin or end on walls (as in the
    /// Warcraft III set). `taken` are the problems of `scenario` that will be run.
    pub fn choose(grid: &Grid, scenario: &[Problem], taken: &[&Problem]) -> Reference {
        let on_wall = |p: &Problem| !grid.is_free(p.start) || !grid.is_free(p.goal);
        if grid.movement() == Default::default() && !scenario.iter().any(on_wall) {
            return Reference::File;
        }
        Reference::oracle(grid, taken)
    }

    /// The oracle's lengths, for maps that were changed since their scenario was made.
    pub fn oracle(grid: &Grid, taken: &[&Problem]) -> Reference {
        Reference::Oracle(
            taken.par_iter().map(|p| oracle::distance(grid, p.start, p.goal)).collect(),
        )
    }

    /// The reference length of problem number `taken` among those taken.
    pub fn length(&self, problem: &Problem, taken: usize) -> f64 {
        match self {
            Reference::File => problem.length,
            Reference::Oracle(costs) => {
                costs[taken].map_or(0.0, |c| c as f64 / f64::from(STRAIGHT.get()))
            }
        }
    }

    fn compare(&self, problem: &Problem, taken: usize, length: Length) -> Ordering {
        match self {
            Reference::File => problem.compare(length.value()),
            Reference::Oracle(costs) => Some(length.cost()).cmp(&costs[taken]),
        }
    }

    fn is_unreachable(&self, problem: &Problem, taken: usize) -> bool {
        match self {
            Reference::File => problem.is_unreachable(),
            Reference::Oracle(costs) => costs[taken].is_none(),
        }
    }
}

/// What an answer is worth, and why if it is not the best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The verdict in a word.
    pub status: Status,
    /// What is wrong; `None` for an optimal path and for rightly none.
    pub reason: Option<String>,
}

/// Judges an answer: path legal from start to goal, cost as claimed, length compared
/// with the reference.
pub fn judge(
    grid: &Grid,
    problem: &Problem,
    taken: usize,
    reference: &Reference,
    answer: &Result<Answer, QueryError>,
    path: &Path,
) -> Verdict {
    let because = |status, reason: String| Verdict { status, reason: Some(reason) };
    let unreachable = reference.is_unreachable(problem, taken);
    let best = reference.length(problem, taken);
    let cost = match answer.as_ref().map(|a| a.outcome) {
        Err(error) => return because(Status::Error, error.to_string()),
        Ok(Outcome::Unreachable) if unreachable => {
            return Verdict { status: Status::Unreachable, reason: None };
        }
        Ok(Outcome::Unreachable) => {
            let why = format!("no path was found; the reference is one of length {best:.5}");
            return because(Status::Invalid, why);
        }
        Ok(Outcome::Stopped) => {
            return because(Status::Invalid, "the search was stopped before its end".into());
        }
        Ok(Outcome::Found(cost)) => cost,
    };
    if let Err(error) = path.check_answer(grid, problem.start, problem.goal, cost) {
        return because(Status::Invalid, wrong(&error));
    }
    let length = path.length().value();
    if unreachable {
        let why = format!("a legal path of length {length:.5}; the reference says there is none");
        return because(Status::Invalid, why);
    }
    let compared = |word: &str| format!("length {length:.5}, {word} than the reference {best:.5}");
    match reference.compare(problem, taken, path.length()) {
        Ordering::Equal => Verdict { status: Status::Optimal, reason: None },
        Ordering::Greater => because(Status::Longer, compared("longer")),
        Ordering::Less => because(Status::Shorter, compared("shorter")),
    }
}

/// Costs are given in tiles too: nobody knows the unit by heart.
fn wrong(error: &PathError) -> String {
    match *error {
        PathError::Cost { found, claimed } => format!(
            "the answer states the cost {} ({:.5} tiles), its steps add up to {found} \
             ({:.5} tiles)",
            claimed.get(),
            claimed.tiles(),
            found as f64 / f64::from(STRAIGHT.get())
        ),
        _ => error.to_string(),
    }
}
