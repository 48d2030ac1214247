//! A copy of the workspace with all mutants in it, checked until it compiles, and its test programs.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::list::{Fate, Mutant};
use crate::rewrite::{Blame, Source};

/// Where everything lies that a run makes.
pub const FOLDER: &str = "target/mutants";
const TREE: &str = "target/mutants/tree";
const LIBRARY: &str = "crates/tidegate/src/lib.rs";

/// The files with mutants, whose mutants get their numbers.
pub fn sources(mutants: &mut [Mutant]) -> Result<Vec<Source>> {
    let mut files: Vec<String> = mutants.iter().map(|mutant| mutant.file.clone()).collect();
    files.sort();
    files.dedup();
    // The numbers below are the switch's own.
    let mut next = 2;
    let read = |file: &String| Source::new(file, fs::read_to_string(file)?, mutants, &mut next);
    files.iter().map(read).collect()
}

/// Writes the copy and drops mutants until it compiles. What was dropped is kept for the next run.
pub fn check(sources: &[Source], mutants: &mut [Mutant]) -> Result<()> {
    copy(TREE)?;
    let kept = Path::new(FOLDER).join("dropped.tsv");
    let mut hasher = DefaultHasher::new();
    sources.iter().for_each(|source| source.text().hash(&mut hasher));
    let stamp = hasher.finish().to_string();
    let before = fs::read_to_string(&kept).unwrap_or_default();
    if before.lines().next() == Some(&stamp) {
        for line in before.lines().skip(1) {
            let (fate, name) = line.split_once('\t').context("dropped.tsv")?;
            let fate = if fate == "unviable" { Fate::Unviable } else { Fate::NotRun };
            mutants
                .iter_mut()
                .filter(|mutant| mutant.name == name)
                .for_each(|mutant| mutant.fate = fate);
        }
    }
    loop {
        let blames = write(sources, mutants)?;
        let errors = errors()?;
        let mut dropped = 0;
        for error in &errors {
            for (mutant, fate) in blamed(error, sources, &blames, mutants) {
                dropped += usize::from(mutants[mutant].fate == Fate::Ready);
                mutants[mutant].fate = fate;
            }
        }
        eprintln!("{} errors, {dropped} mutants dropped", errors.len());
        if errors.is_empty() {
            break;
        }
        ensure!(
            dropped > 0,
            "no mutant's error: {}",
            errors[0]["rendered"].as_str().unwrap_or_default()
        );
    }
    let mut text = stamp + "\n";
    for mutant in mutants.iter() {
        match mutant.fate {
            Fate::Ready => {}
            Fate::Unviable => text += &format!("unviable\t{}\n", mutant.name),
            Fate::NotRun => text += &format!("not run\t{}\n", mutant.name),
        }
    }
    Ok(fs::write(kept, text)?)
}

/// Copies what git knows but the library. Files that did not change are left alone: cargo looks at their age.
pub fn copy(tree: &str) -> Result<()> {
    let output = Command::new("git").args(["ls-files", "-co", "--exclude-standard"]).output()?;
    ensure!(output.status.success(), "git ls-files");
    for file in String::from_utf8(output.stdout)?.lines() {
        if !file.starts_with("crates/tidegate/src/") && Path::new(file).is_file() {
            put(tree, file, &fs::read(file)?)?;
        }
    }
    Ok(())
}

fn put(tree: &str, file: &str, bytes: &[u8]) -> Result<()> {
    let path = Path::new(tree).join(file);
    if fs::read(&path).is_ok_and(|before| before == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().context("a file in a folder")?)?;
    fs::write(&path, bytes).with_context(|| file.to_owned())
}

/// Writes the library with the mutants that are ready.
fn write(sources: &[Source], mutants: &[Mutant]) -> Result<Vec<Vec<Blame>>> {
    put(TREE, "crates/tidegate/src/mutant.rs", include_bytes!("switch.rs"))?;
    let (texts, all): (Vec<String>, Vec<Vec<Blame>>) =
        sources.iter().map(|source| source.render(mutants)).unzip();
    put_library(TREE, |file, text| match sources.iter().position(|source| source.file == file) {
        Some(i) => texts[i].clone(),
        None if file == LIBRARY => text + "mod mutant;\n",
        None => text,
    })?;
    Ok(all)
}

/// Writes the library with the text that is made of each file's.
pub fn put_library(tree: &str, mut change: impl FnMut(&str, String) -> String) -> Result<()> {
    let output = Command::new("git").args(["ls-files", "crates/tidegate/src"]).output()?;
    for file in String::from_utf8(output.stdout)?.lines() {
        put(tree, file, change(file, fs::read_to_string(file)?).as_bytes())?;
    }
    Ok(())
}

/// cargo on the copy.
fn cargo(arguments: &[&str]) -> Result<Vec<Value>> {
    let target = env::current_dir()?.join(FOLDER).join("build");
    let output = Command::new("cargo")
        .args(arguments)
        .args(["--package=tidegate", "--lib", "--tests", "--locked", "--message-format=json"])
        .current_dir(TREE)
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTFLAGS", "--cap-lints=allow")
        .stderr(Stdio::inherit())
        .output()?;
    let lines = String::from_utf8(output.stdout)?;
    lines.lines().map(|line| serde_json::from_str(line).context("cargo's message")).collect()
}

fn errors() -> Result<Vec<Value>> {
    let messages = cargo(&["check", "--quiet", "--keep-going"])?;
    let compiled = messages.iter().any(|message| message["success"] == true);
    let errors: Vec<Value> =
        messages.into_iter().map(|mut message| message["message"].take()).collect();
    // The last error of each file only counts the others.
    let errors: Vec<Value> = errors
        .into_iter()
        .filter(|error| {
            error["level"] == "error"
                && error["spans"].as_array().is_some_and(|spans| !spans.is_empty())
        })
        .collect();
    ensure!(compiled || !errors.is_empty(), "cargo check failed");
    Ok(errors)
}

/// The mutants that an error speaks of, and what they are then.
fn blamed(
    error: &Value,
    sources: &[Source],
    blames: &[Vec<Blame>],
    mutants: &[Mutant],
) -> Vec<(usize, Fate)> {
    // A function that is asked for by a constant stays `const`, with no switch in it.
    let message = error["message"].as_str().unwrap_or_default();
    if error["code"]["code"] == "E0015" && !message.contains("mutant::at") {
        let path: String = message.split('`').nth(1).unwrap_or_default().replace("::<", "<");
        let path = path.split('<').next().unwrap_or_default();
        let mut names = path.rsplit("::");
        let (name, owner) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        let is_method = owner.starts_with(char::is_uppercase);
        let name = if is_method { format!("{owner}::{name}") } else { name.to_owned() };
        let meant = |mutant: &Mutant| mutant.function == name;
        return (0..mutants.len())
            .filter(|&i| meant(&mutants[i]))
            .map(|i| (i, Fate::NotRun))
            .collect();
    }
    let mut all = Vec::new();
    for span in
        error["spans"].as_array().into_iter().flatten().filter(|span| span["is_primary"] == true)
    {
        let (Some(start), Some(end)) = (span["byte_start"].as_u64(), span["byte_end"].as_u64())
        else {
            continue;
        };
        let Some(i) = sources.iter().position(|source| span["file_name"] == *source.file) else {
            continue;
        };
        let around =
            |blame: &&Blame| blame.range.start <= start as usize && end as usize <= blame.range.end;
        if let Some(blame) = blames[i].iter().filter(around).min_by_key(|blame| blame.range.len()) {
            all.extend(blame.mutants.iter().map(|&mutant| (mutant, blame.fate)));
        }
    }
    all
}

/// Builds the tests: the name of each program and where it is.
pub fn programs() -> Result<Vec<(String, PathBuf)>> {
    let messages = cargo(&["test", "--no-run"])?;
    let mut programs = Vec::new();
    for message in messages.iter().filter(|message| message["profile"]["test"] == true) {
        if let (Some(name), Some(path)) =
            (message["target"]["name"].as_str(), message["executable"].as_str())
        {
            programs.push((name.to_owned(), PathBuf::from(path)));
        }
    }
    if !messages.iter().any(|message| message["success"] == true) {
        bail!("the tests were not built");
    }
    Ok(programs)
}

/// Where test programs run: beside the library's manifest.
pub fn home() -> PathBuf {
    Path::new(TREE).join("crates/tidegate")
}
