//! What a run found, as text: figures by module, then the mutants that no test caught.

use crate::list::Mutant;
use crate::trial::{Standing, Trial};

/// The modules of docs/mutants.md, and how the names of their files begin.
const MODULES: [(&str, &[&str]); 10] = [
    ("cost", &["cost"]),
    ("grid: components", &["grid/component"]),
    ("grid: blocked tiles", &["grid/blocked"]),
    ("grid: cost layers", &["grid/cost_layer"]),
    ("grid", &["grid"]),
    ("path", &["path"]),
    ("search", &["search"]),
    ("labels: maps that change", &["labels/live"]),
    ("labels: queries, blocks", &["labels", "hubs"]),
    ("repair (corners, jps, hpa, index)", &["corners", "jps", "hpa", "index"]),
];

const COLUMNS: [(&str, &[Standing]); 8] = [
    ("mutants", &[]),
    ("unviable", &[Standing::Unviable]),
    ("not run", &[Standing::NotRun]),
    ("caught", &[Standing::Caught, Standing::Endless]),
    ("endless", &[Standing::Endless]),
    ("survived", &[Standing::Survived]),
    ("not reached", &[Standing::NotReached]),
    ("out of time", &[Standing::OutOfTime]),
];

/// Prints the figures of these mutants.
pub fn print(trial: &Trial<'_>, chosen: &[&Mutant]) {
    let titles: Vec<&str> = COLUMNS.iter().map(|column| column.0).collect();
    println!("| module | {} |\n|{}", titles.join(" | "), "---|".repeat(titles.len() + 1));
    let module = |mutant: &Mutant| {
        MODULES
            .iter()
            .position(|(_, starts)| starts.iter().any(|start| mutant.name.starts_with(start)))
    };
    for (i, (name, _)) in MODULES.iter().enumerate() {
        let part: Vec<&Mutant> =
            chosen.iter().copied().filter(|mutant| module(mutant) == Some(i)).collect();
        row(name, trial, &part);
    }
    row("all", trial, chosen);
    for standing in [Standing::Survived, Standing::NotReached, Standing::OutOfTime] {
        println!("\n{standing:?}, each behind its number:");
        for mutant in chosen.iter().filter(|mutant| trial.standing(mutant) == standing) {
            println!("{} {}", mutant.number, mutant.name);
        }
    }
}

fn row(name: &str, trial: &Trial<'_>, part: &[&Mutant]) {
    let standings: Vec<Standing> = part.iter().map(|mutant| trial.standing(mutant)).collect();
    let count = |wanted: &[Standing]| match wanted.is_empty() {
        true => standings.len(),
        false => standings.iter().filter(|standing| wanted.contains(standing)).count(),
    };
    let figures: Vec<String> =
        COLUMNS.iter().map(|(_, wanted)| count(wanted).to_string()).collect();
    println!("| {name} | {} |", figures.join(" | "));
}
