//! A run in parts, for many machines: which maps are whose, and one table of all.
//!
//! Maps are independent, so a part of a run is every N-th map of it. The rows of a part begin
//! with a line that names the part and its maps; [`merge`] puts them in the order in which one
//! process would have written them, and refuses what does not make one whole run.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Result, bail, ensure};
use csv::StringRecord;
use serde::{Deserialize, Serialize};

use crate::suite::Case;

/// The most parts of a run.
const MOST: u32 = 100_000;

/// One part of a run: the maps number `number`, `number + of`, ..., counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

/// `2/8`: the second of eight parts.
///
/// ```
/// use tidegate_bench::shard::Shard;
/// assert!("2/8".parse::<Shard>().is_ok());
/// let bad = "0/8".parse::<Shard>().unwrap_err();
/// assert_eq!(bad.to_string(), "\"0/8\" is no part of a run: write 1/8 to 8/8 for eight parts");
/// ```
impl FromStr for Shard {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Shard> {
        let number = |part: &str| part.parse::<u32>().ok();
        let parts = text.split_once('/').and_then(|(n, of)| Some((number(n)?, number(of)?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) && of <= MOST => {
                Ok(Shard { number, of })
            }
            _ => bail!("{text:?} is no part of a run: write 1/8 to 8/8 for eight parts"),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// The maps of this part, in their order. Two maps of one name cannot be told apart
    /// afterwards, so they are an error.
    pub fn take(self, cases: Vec<Case>) -> Result<Vec<Case>> {
        let mut names: Vec<_> = cases.iter().map(|case| (&case.set, &case.map)).collect();
        names.sort();
        if let Some([(set, map), _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            bail!("two maps are called {set}/{map}: a run in parts cannot tell them apart");
        }
        Ok(cases.into_iter().skip(self.number as usize - 1).step_by(self.of as usize).collect())
    }
}

/// The first line of the rows of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Which part.
    pub shard: String,
    /// How it was run: engines, share of the problems, rule of movement.
    pub run: String,
    /// How many maps all parts have.
    pub all_maps: usize,
    /// Set and name of the maps of this part, in their order.
    pub maps: Vec<(String, String)>,
}

impl Head {
    /// Writes the line.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        Ok(writeln!(out, "# {}", serde_json::to_string(self)?)?)
    }

    fn parse(line: &str) -> Result<(Head, Shard)> {
        let head = line.strip_prefix("# ").and_then(|text| serde_json::from_str(text).ok());
        let head: Head = head.context("it was not written by `tidegate bench --shard`")?;
        let shard = head.shard.parse()?;
        Ok((head, shard))
    }
}

/// What was put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Parts.
    pub shards: usize,
    /// Maps with rows.
    pub maps: usize,
    /// Rows.
    pub rows: u64,
}

/// The rows of a part, read one after the other.
struct Part {
    file: PathBuf,
    head: Head,
    rows: csv::Reader<BufReader<File>>,
    columns: StringRecord,
    next: Option<StringRecord>,
}

impl Part {
    fn open(file: &Path) -> Result<(Shard, Part)> {
        let mut reader = BufReader::new(File::open(file)?);
        let mut line = String::new();
        // A file that is no table at all may have no line end for gigabytes.
        std::io::Read::take(&mut reader, 1 << 26).read_line(&mut line)?;
        let (head, shard) = Head::parse(line.trim_end())?;
        let mut rows = csv::Reader::from_reader(reader);
        let columns = rows.headers()?.clone();
        let mut part = Part { file: file.to_path_buf(), head, rows, columns, next: None };
        part.read()?;
        Ok((shard, part))
    }

    fn read(&mut self) -> Result<Option<StringRecord>> {
        let mut row = StringRecord::new();
        let more = self.rows.read_record(&mut row)?;
        Ok(std::mem::replace(&mut self.next, more.then_some(row)))
    }

    /// The next row if it is of this map.
    fn row_of(&mut self, set: &str, map: &str) -> Result<Option<StringRecord>> {
        let is_its = |row: &StringRecord| row.get(0) == Some(set) && row.get(1) == Some(map);
        if self.next.as_ref().is_some_and(is_its) { self.read() } else { Ok(None) }
    }

    fn named<T>(&self, result: Result<T>) -> Result<T> {
        result.with_context(|| self.file.display().to_string())
    }
}

/// Writes the rows of all parts of a run, in the order of one process. The files may be given in
/// any order; a part that is missing, there twice or of another run is an error.
pub fn merge<W: Write>(files: &[PathBuf], out: W) -> Result<(Merged, W)> {
    let mut parts: BTreeMap<u32, Part> = BTreeMap::new();
    let mut first: Option<(Shard, Head)> = None;
    for file in files {
        let named = || file.display().to_string();
        let (shard, part) = Part::open(file).with_context(named)?;
        let (model, head) = first.get_or_insert_with(|| (shard, part.head.clone()));
        let same =
            (shard.of, &part.head.run, part.head.all_maps) == (model.of, &head.run, head.all_maps);
        ensure!(
            same,
            "{}: it is part {shard} of {} maps run with {}, the first file is part {model} of {} \
             maps run with {}",
            named(),
            part.head.all_maps,
            part.head.run,
            head.all_maps,
            head.run
        );
        if let Some(twice) = parts.insert(shard.number, part) {
            bail!("{} and {} are both part {shard}", twice.file.display(), named());
        }
    }
    let (model, head) = first.context("there is nothing to put together")?;
    let missing: Vec<String> = (1..=model.of)
        .filter(|number| !parts.contains_key(number))
        .map(|number| Shard { number, ..model }.to_string())
        .collect();
    if !missing.is_empty() {
        bail!("{} of {} parts are missing: {}", missing.len(), model.of, some(&missing));
    }
    let mut out = csv::Writer::from_writer(out);
    let mut merged = Merged { shards: parts.len(), maps: 0, rows: 0 };
    let mut columns: Option<StringRecord> = None;
    for n in 0..head.all_maps {
        let number = n as u32 % model.of + 1;
        let Some(part) = parts.get_mut(&number) else { continue };
        let (set, map) = match part.head.maps.get(n / model.of as usize) {
            Some(map) => map.clone(),
            None => bail!("{}: its first line names too few maps", part.file.display()),
        };
        let before = merged.rows;
        while let Some(row) = {
            let row = part.row_of(&set, &map);
            part.named(row)?
        } {
            if columns.is_none() {
                out.write_record(&part.columns)?;
            }
            let columns = columns.get_or_insert_with(|| part.columns.clone());
            ensure!(*columns == part.columns, "{}: it has other columns", part.file.display());
            out.write_record(&row)?;
            merged.rows += 1;
        }
        merged.maps += usize::from(merged.rows > before);
    }
    for part in parts.values() {
        if let Some(row) = &part.next {
            let place = row.position().map_or(0, |position| position.line() + 1);
            bail!("{}: line {place} is of a map out of its order", part.file.display());
        }
    }
    Ok((merged, out.into_inner().map_err(|error| error.into_error())?))
}

/// The first few of many.
fn some(names: &[String]) -> String {
    let shown = names[..names.len().min(8)].join(", ");
    if names.len() > 8 { format!("{shown}, ...") } else { shown }
}
