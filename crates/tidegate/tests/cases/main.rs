//! The case suite: drawn maps, every engine, every rule of movement.
//!
//! A case states the least cost under each rule and the engines that refuse it; both are
//! asserted both ways. The costs are the oracle's and nobody's else: the engines are judged
//! by the files, the files by the oracle.

mod drawing;
mod file;

use std::collections::BTreeSet;
use std::path::Path as FilePath;

use file::{Case, Drawn};
use tidegate::decompose::Decomposition;
use tidegate::engine::{BuildError, Engine, Promise};
use tidegate::gateway::{TuneOptions, TunedDistances};
use tidegate::{Index, Movement, Outcome, Path, Query, QueryError, Scratch, Tile};
use tidegate_testkit::{oracle, properties};

fn cases() -> Vec<Case> {
    let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    file::read(&folder)
}

/// How many of the eight ways to turn a drawing are asked: an error names tiles as drawn, and
/// an engine that promises no cost may give another one on a turned map.
fn ways(case: &Case, engine: &dyn Engine) -> u32 {
    match engine.promise() {
        Promise::Optimal if case.error.is_none() => 8,
        _ => 1,
    }
}

#[test]
fn case_files_are_sound_and_say_what_the_oracle_says() {
    let cases = cases();
    assert!(cases.len() >= 200, "{} cases", cases.len());
    let engines: BTreeSet<&str> =
        tidegate_sectors::ENGINES.iter().map(|engine| engine.name()).collect();
    let mut names = BTreeSet::new();
    for case in &cases {
        let title = case.title();
        case.check().unwrap_or_else(|e| panic!("{title}: {e}"));
        assert!(names.insert(&case.name), "{title}: there is another case of this name");
        let unknown: Vec<&str> = case.named_engines().filter(|e| !engines.contains(e)).collect();
        assert!(unknown.is_empty(), "{title}: no engine {unknown:?}");
        for movement in Movement::ALL {
            let drawn = case.drawn(movement, 0);
            properties::legal_steps(&drawn.grid).unwrap_or_else(|e| panic!("{title}: {e}"));
            if case.error.is_none() {
                let least = oracle::distance(&drawn.walled, drawn.start, drawn.goal);
                let context = || format!("{title}, {movement}\n{:?}", drawn.walled);
                assert_eq!(case.expected(movement), least, "{}", context());
            }
        }
    }
}

#[test]
fn every_engine_answers_every_case_or_refuses_it_as_stated() {
    let cases = cases();
    let mut ran = Count::default();
    let mut wrong = Vec::new();
    std::thread::scope(|scope| {
        let run = |movement| run_all(&cases, movement);
        let threads = Movement::ALL.map(|movement| scope.spawn(move || run(movement)));
        for thread in threads {
            let (count, found) = thread.join().expect("failures are values");
            ran += count;
            wrong.extend(found);
        }
    });
    let first = wrong.iter().take(12).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} answers are wrong, the first of them:\n{first}", wrong.len());
    // What the files say, counted without running anything.
    let mut stated = Count::default();
    for (case, engine) in
        cases.iter().flat_map(|case| tidegate_sectors::ENGINES.iter().map(move |e| (case, *e)))
    {
        let (rules, turned) = (Movement::ALL.len(), ways(case, engine) as usize);
        if case.is_refused_by(engine.name()) {
            stated.refused += rules * turned;
        } else if case.error.is_some() {
            stated.errors += rules * turned;
        } else {
            for movement in Movement::ALL {
                match case.expected(movement) {
                    _ if case.is_stopped(engine.name()) => stated.stopped += 2 * turned,
                    Some(_) => stated.found += 2 * turned,
                    None => stated.no_way += 2 * turned,
                }
            }
        }
    }
    assert_eq!(ran, stated);
    let (rules, engines) = (Movement::ALL.len(), tidegate_sectors::ENGINES.len());
    println!(
        "{} cases x {rules} rules x {engines} engines, there and back, turned 8 ways where the cost is \
         promised: {} found, {} without a way, {} stopped, {} errors, {} refused as stated",
        cases.len(),
        ran.found,
        ran.no_way,
        ran.stopped,
        ran.errors,
        ran.refused
    );
}

/// How answers came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    found: usize,
    no_way: usize,
    stopped: usize,
    errors: usize,
    refused: usize,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.found += other.found;
        self.no_way += other.no_way;
        self.stopped += other.stopped;
        self.errors += other.errors;
        self.refused += other.refused;
    }
}

/// Every case under one rule on every engine: how the answers came out, and what is wrong.
fn run_all(cases: &[Case], movement: Movement) -> (Count, Vec<String>) {
    let (mut count, mut wrong) = (Count::default(), Vec::new());
    let most =
        |case: &Case| tidegate_sectors::ENGINES.iter().map(|e| ways(case, *e)).max().unwrap_or(0);
    for (case, way) in cases.iter().flat_map(|c| (0..most(c)).map(move |way| (c, way))) {
        let drawn = case.drawn(movement, way);
        for engine in tidegate_sectors::ENGINES.iter().copied().filter(|e| way < ways(case, *e)) {
            let refusal = ask(case, &drawn, engine, &mut count);
            let what = match (refusal, case.is_refused_by(engine.name())) {
                (Ok(refusal), stated) if refusal.is_some() == stated => {
                    count.refused += usize::from(stated);
                    continue;
                }
                (Ok(Some(why)), _) => format!("refused, and the case does not say so: {why}"),
                (Ok(None), _) => "answered, and the case says that it refuses".into(),
                (Err(what), _) => what,
            };
            let (title, engine) = (case.title(), engine.name());
            wrong.push(format!(
                "{title}, {movement}, turned {way}, {engine}: {what}\n{:?}",
                drawn.walled
            ));
        }
    }
    (count, wrong)
}

/// Asks one engine for the way there and back. Returns why it refused, if it did. It has an
/// index of its own: whatever its tables rest on, it must have built itself.
fn ask(
    case: &Case,
    drawn: &Drawn,
    engine: &dyn Engine,
    count: &mut Count,
) -> Result<Option<String>, String> {
    let mut index = Index::new(drawn.grid.clone());
    if let Some(gates) = &drawn.gates {
        let made = Decomposition::from_gates(&drawn.grid, gates.iter().copied());
        let made = made.map_err(|e| e.to_string())?;
        index.set_decomposition(made).map_err(|e| e.to_string())?;
        // The engines that would tune gates for themselves take these too.
        let untuned = TuneOptions { queries: 0, ..TuneOptions::default() };
        index.build::<TunedDistances>(&untuned).map_err(|e| e.to_string())?;
    }
    if let Err(BuildError::Unsupported { why, .. }) = index.prepare(engine) {
        return Ok(Some(why));
    }
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    for (start, goal) in [(drawn.start, drawn.goal), (drawn.goal, drawn.start)] {
        let mut query = Query::new(start, goal);
        query.budget = case.budget;
        query.partial = case.partial;
        query.blocked = drawn.blocked.as_ref();
        match (index.find(engine, &query, &mut scratch, &mut path), &case.error) {
            (Err(QueryError::Unsupported { why, .. }), None) => return Ok(Some(why.into())),
            (Err(error), Some(message)) if error.to_string() == *message => {
                count.errors += 1;
                return Ok(None);
            }
            (Ok(answer), None) => {
                judge(case, drawn, engine, (start, goal), answer.outcome, &path, count)?;
                let within = answer.stats.expanded <= case.budget.unwrap_or(u64::MAX);
                within.then_some(()).ok_or(format!("{} expanded", answer.stats.expanded))?;
            }
            (result, _) => return Err(format!("{start} to {goal}: {result:?}")),
        }
    }
    Ok(None)
}

fn judge(
    case: &Case,
    drawn: &Drawn,
    engine: &dyn Engine,
    (start, goal): (Tile, Tile),
    outcome: Outcome,
    path: &Path,
    count: &mut Count,
) -> Result<(), String> {
    let expected = case.expected(drawn.grid.movement());
    let exact = engine.promise() == Promise::Optimal || case.must_be_best_by(engine.name());
    let wrong = || Err(format!("{start} to {goal}: {outcome:?}, the case says {expected:?}"));
    match (outcome, expected, case.is_stopped(engine.name())) {
        (Outcome::Found(cost), Some(least), false) => {
            path.check_answer(&drawn.walled, start, goal, cost).map_err(|e| e.to_string())?;
            count.found += 1;
            let cost = u64::from(cost);
            if cost < least || (exact && cost > least) { wrong() } else { Ok(()) }
        }
        (Outcome::Unreachable, None, false) => {
            count.no_way += 1;
            nearest(case, drawn, (start, goal), path)
        }
        (Outcome::Stopped, _, true) => {
            count.stopped += 1;
            let begins = path.tiles().first().is_none_or(|first| case.partial && *first == start);
            let legal = path.is_empty() || path.check(&drawn.walled).is_ok();
            if begins && legal { Ok(()) } else { Err(format!("the partial path {path:?}")) }
        }
        _ => wrong(),
    }
}

/// Without a way there is no path; with the wish for a partial one it leads to a tile that no
/// tile within reach is nearer to the goal than.
fn nearest(
    case: &Case,
    drawn: &Drawn,
    (start, goal): (Tile, Tile),
    path: &Path,
) -> Result<(), String> {
    if !case.partial {
        return if path.is_empty() { Ok(()) } else { Err(format!("a path {path:?}")) };
    }
    let (grid, reached) = (&drawn.walled, oracle::distances(&drawn.walled, start));
    let estimate = |tile| grid.movement().estimate(tile, goal);
    let tiles = grid.free_cells().filter(|cell| reached[cell.index()].is_some());
    let least = tiles.map(|cell| estimate(grid.tile(cell))).min();
    path.check(grid).map_err(|e| e.to_string())?;
    let ends = (path.tiles().first().copied(), path.tiles().last().map(|&last| estimate(last)));
    if ends == (Some(start), least) { Ok(()) } else { Err(format!("the partial path {path:?}")) }
}
