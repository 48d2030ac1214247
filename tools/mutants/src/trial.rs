//! Each mutant before the tests that reach it, until one of them fails.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::build::FOLDER;
use crate::list::{Fate, Mutant};
use crate::tests::{Outcome, Test};

/// What is known of all mutants; each run of a test is a line of a file, which the next run reads.
pub struct Trial<'a> {
    tests: &'a [Test],
    cases: HashMap<&'a str, Case>,
    /// How often a test caught a mutant of a file or of a function.
    catches: HashMap<(String, String), usize>,
    file: File,
}

/// What is known of one mutant.
#[derive(Default)]
struct Case {
    passed: HashSet<String>,
    caught: Option<Outcome>,
    seconds: f64,
}

/// How a mutant stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    Unviable,
    NotRun,
    Caught,
    /// Caught because a test ran without end.
    Endless,
    /// Every test that reaches it passes.
    Survived,
    NotReached,
    /// Some tests that reach it were not run yet.
    OutOfTime,
}

/// A mutant meets quick tests first, and slower ones when all mutants have met the quick ones.
const ROUNDS: [f64; 5] = [1.0, 4.0, 16.0, 64.0, f64::INFINITY];

impl<'a> Trial<'a> {
    /// What earlier runs found out.
    pub fn new(mutants: &'a [Mutant], tests: &'a [Test]) -> Result<Trial<'a>> {
        let path = Path::new(FOLDER).join("results.tsv");
        let before = fs::read_to_string(&path).unwrap_or_default();
        let file = File::options().append(true).create(true).open(path)?;
        let cases = mutants.iter().map(|mutant| (mutant.name.as_str(), Case::default())).collect();
        let mut trial = Trial { tests, cases, catches: HashMap::new(), file };
        let by_name: HashMap<&str, &Mutant> =
            mutants.iter().map(|m| (m.name.as_str(), m)).collect();
        for line in before.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let [outcome, seconds, test, name] = parts[..] else { continue };
            let outcome = match outcome {
                "passed" => Outcome::Passed,
                "failed" => Outcome::Failed,
                "unviable" => Outcome::Unviable,
                _ => Outcome::Endless,
            };
            if let Some(mutant) = by_name.get(name) {
                trial.note(mutant, test, outcome, seconds.parse()?);
            }
        }
        Ok(trial)
    }

    fn note(&mut self, mutant: &Mutant, test: &str, outcome: Outcome, seconds: f64) {
        let case = self.cases.get_mut(mutant.name.as_str()).expect("every mutant has one");
        case.seconds += seconds;
        if outcome == Outcome::Passed {
            case.passed.insert(test.to_owned());
            return;
        }
        case.caught = Some(outcome);
        for part in [&mutant.file, &mutant.function] {
            *self.catches.entry((part.clone(), test.to_owned())).or_default() += 1;
        }
    }

    /// Notes how a test ended, and keeps it for the next run.
    pub fn record(&mut self, m: &Mutant, test: &str, outcome: Outcome, seconds: f64) -> Result<()> {
        let word = format!("{outcome:?}").to_lowercase();
        writeln!(self.file, "{word}\t{seconds:.3}\t{test}\t{}", m.name).context("results.tsv")?;
        self.note(m, test, outcome, seconds);
        Ok(())
    }

    /// Whether any test was run on a mutant.
    pub fn is_met(&self, mutant: &Mutant) -> bool {
        let case = &self.cases[mutant.name.as_str()];
        case.caught.is_some() || !case.passed.is_empty()
    }

    /// The tests that reach a mutant and have not been passed, the most promising first.
    fn left(&self, mutant: &Mutant) -> Vec<&'a Test> {
        let passed = &self.cases[mutant.name.as_str()].passed;
        let reaches = |test: &&Test| test.places.binary_search(&mutant.place).is_ok();
        let mut left: Vec<&Test> =
            self.tests.iter().filter(reaches).filter(|t| !passed.contains(&t.name)).collect();
        left.sort_by(|a, b| self.cost(mutant, a).total_cmp(&self.cost(mutant, b)));
        left
    }

    /// A test's time, which counts less where it caught other mutants.
    fn cost(&self, mutant: &Mutant, test: &Test) -> f64 {
        let catches = |part: &String| {
            self.catches.get(&(part.clone(), test.name.clone())).copied().unwrap_or(0)
        };
        let (file, function) = (catches(&mutant.file), catches(&mutant.function));
        (0.005 + test.seconds) / (1 + file + 10 * function) as f64
    }

    pub fn standing(&self, mutant: &Mutant) -> Standing {
        match (mutant.fate, self.cases[mutant.name.as_str()].caught) {
            (Fate::Unviable, _) | (_, Some(Outcome::Unviable)) => Standing::Unviable,
            (_, Some(Outcome::Endless)) => Standing::Endless,
            (_, Some(_)) => Standing::Caught,
            (Fate::NotRun, None) if self.is_met(mutant) => Standing::Survived,
            (Fate::NotRun, None) => Standing::NotRun,
            (Fate::Ready, None) => {
                let mut reaching = self
                    .tests
                    .iter()
                    .filter(|test| test.places.binary_search(&mutant.place).is_ok());
                match (reaching.next(), self.left(mutant).is_empty()) {
                    (None, _) => Standing::NotReached,
                    (_, true) => Standing::Survived,
                    (_, false) => Standing::OutOfTime,
                }
            }
        }
    }

    /// Runs mutants in an order that is random but always the same, until the time is up.
    pub fn run(&mut self, chosen: &[&'a Mutant], until: Instant) -> Result<()> {
        let mut order = chosen.to_vec();
        order.sort_by_cached_key(|mutant| {
            let mut hasher = DefaultHasher::new();
            mutant.name.hash(&mut hasher);
            hasher.finish()
        });
        for budget in ROUNDS {
            let mut open = 0;
            for &mutant in &order {
                if self.standing(mutant) == Standing::OutOfTime
                    && !self.meet(mutant, budget, until)?
                {
                    open += 1;
                }
                if Instant::now() > until {
                    return Ok(());
                }
            }
            eprintln!("{open} are open after {budget} s of tests each");
        }
        Ok(())
    }

    /// Runs the tests that fit into the budget; whether it is decided.
    fn meet(&mut self, mutant: &'a Mutant, budget: f64, until: Instant) -> Result<bool> {
        let mut all = true;
        for test in self.left(mutant) {
            let spent = self.cases[mutant.name.as_str()].seconds;
            if spent + test.seconds > budget || Instant::now() > until {
                all = false;
                continue;
            }
            let (outcome, seconds) = test.run(mutant.number)?;
            self.record(mutant, &test.name, outcome, seconds)?;
            if outcome != Outcome::Passed {
                return Ok(true);
            }
        }
        Ok(all)
    }
}
