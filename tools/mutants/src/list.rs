//! The mutants as `cargo mutants --list` names them, and what became of each.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// A line and a column, both from 1; columns count characters.
pub type Point = (usize, usize);

/// Whether a mutant takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is in the program and can be switched on.
    Ready,
    /// It does not compile.
    Unviable,
    /// It lies where nothing can be chosen at run time: in constants and the like.
    NotRun,
}

/// One small change of the library.
pub struct Mutant {
    /// `FILE:LINE:COLUMN: what is changed`.
    pub name: String,
    pub file: String,
    /// The kind of change, by cargo-mutants' word for it.
    pub genre: String,
    /// The function around it, as `Type::name`.
    pub function: String,
    pub start: Point,
    pub end: Point,
    pub replacement: String,
    pub fate: Fate,
    /// By which it is switched on; 0 until its place is found.
    pub number: u32,
    /// The number of the first mutant at the same place: tests reach places.
    pub place: u32,
}

/// All mutants of the files that .cargo/mutants.toml names.
pub fn list() -> Result<Vec<Mutant>> {
    let output = Command::new("cargo").args(["mutants", "--list", "--json"]).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    all.iter()
        .map(|value| read(value).with_context(|| format!("not understood: {value}")))
        .collect()
}

fn read(value: &Value) -> Option<Mutant> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let point = |value: &Value| {
        let number = |name: &str| value[name].as_u64().map(|n| n as usize);
        Some((number("line")?, number("column")?))
    };
    Some(Mutant {
        name: text(&value["name"])?.replace("crates/tidegate/src/", ""),
        file: text(&value["file"])?,
        genre: text(&value["genre"])?,
        function: text(&value["function"]["function_name"]).unwrap_or_default(),
        start: point(&value["span"]["start"])?,
        end: point(&value["span"]["end"])?,
        replacement: text(&value["replacement"])?,
        fate: Fate::NotRun,
        number: 0,
        place: 0,
    })
}
