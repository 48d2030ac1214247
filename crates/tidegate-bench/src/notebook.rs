//! What an experiment leaves behind: one small CSV file per experiment, with a first line
//! that says what made it.
//!
//! The file is replaced as a whole after every unit of work, so a run that was broken off
//! loses at most one unit and goes on where it stopped.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::machine::Machine;
use crate::output;

/// The first line of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The experiment.
    pub experiment: String,
    /// What was run: suite, share of the problems, seed. A record is only continued by a
    /// run of the same kind.
    pub scale: String,
    /// The machine and compiler it ran on.
    pub machine: Machine,
    /// The commits of the program that made it, usually one.
    pub commits: Vec<String>,
    /// The day it was begun.
    pub date: String,
    /// Whether all units are done.
    pub complete: bool,
    /// The units that are done.
    pub done: Vec<String>,
}

/// A record: its head and its rows as CSV text with a header.
#[derive(Clone, Debug)]
pub struct Record {
    /// What made it.
    pub head: Head,
    body: String,
}

/// Rows of one unit on their way into a record.
pub struct Rows(csv::Writer<Vec<u8>>);

impl Default for Rows {
    fn default() -> Rows {
        Rows(csv::Writer::from_writer(Vec::new()))
    }
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, row: &impl Serialize) -> Result<()> {
        self.0.serialize(row).context("a row that is no row of a table")
    }

    fn into_text(self) -> Result<String> {
        let bytes = self.0.into_inner().map_err(|e| e.into_error())?;
        Ok(String::from_utf8(bytes)?)
    }
}

impl Record {
    /// A record without rows.
    pub fn new(head: Head) -> Record {
        Record { head, body: String::new() }
    }

    /// Puts the rows of a unit behind those that are there.
    pub fn add(&mut self, unit: &str, rows: Rows) -> Result<()> {
        let text = rows.into_text()?;
        let (header, rest) = text.split_once('\n').unwrap_or((&text, ""));
        match self.body.split_once('\n') {
            None => self.body = text,
            Some(_) if text.is_empty() => {}
            Some((known, _)) => {
                ensure!(known == header, "the columns changed from {known} to {header}");
                self.body += rest;
            }
        }
        self.head.done.push(unit.to_string());
        Ok(())
    }

    /// The rows.
    pub fn rows<T: DeserializeOwned>(&self) -> Result<Vec<T>> {
        let mut reader = csv::Reader::from_reader(self.body.as_bytes());
        let rows: Result<Vec<T>, _> = reader.deserialize().collect();
        rows.with_context(|| format!("the record of {} has other columns", self.head.experiment))
    }

    /// The record as text.
    pub fn to_text(&self) -> Result<String> {
        Ok(format!("# {}\n{}", serde_json::to_string(&self.head)?, self.body))
    }

    /// Reads a record's text.
    pub fn parse(text: &str) -> Result<Record> {
        let (first, body) = text.split_once('\n').unwrap_or((text, ""));
        let head = first.strip_prefix("# ").context("the first line is no head of a record")?;
        let head = serde_json::from_str(head).context("the first line is no head of a record")?;
        Ok(Record { head, body: body.to_string() })
    }
}

/// A folder of records.
#[derive(Clone, Debug)]
pub struct Notebook {
    folder: PathBuf,
}

impl Notebook {
    /// A folder of records; it need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Notebook {
        Notebook { folder: folder.into() }
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of an experiment.
    pub fn file(&self, experiment: &str) -> PathBuf {
        self.folder.join(format!("{experiment}.csv"))
    }

    /// The record of an experiment, if there is one.
    pub fn read(&self, experiment: &str) -> Result<Option<Record>> {
        let file = self.file(experiment);
        if !file.exists() {
            return Ok(None);
        }
        let shown = || format!("cannot read the record {}", file.display());
        let text = fs::read_to_string(&file).with_context(shown)?;
        Ok(Some(Record::parse(&text).with_context(shown)?))
    }

    /// Saves a record: the old file or the new one, never a torn one.
    pub fn save(&self, record: &Record) -> Result<()> {
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
        output::write(&self.file(&record.head.experiment), record.to_text()?.as_bytes())
    }
}
