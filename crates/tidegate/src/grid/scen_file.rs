//! Reading and writing `.scen` files: lists of problems with their known lengths.
#![deny(clippy::arithmetic_side_effects)]

use std::fmt::Write as _;

use super::{Grid, Tile};

/// The most problems of a file. The largest of the Moving AI collection has some 20,000.
pub const MAX_PROBLEMS: usize = 1 << 20;
/// The longest name of a map that is kept, in bytes.
const MAX_NAME: usize = 4096;

/// One problem of a scenario file.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The bucket (roughly a quarter of the length).
    pub bucket: u32,
    /// The map as the file names it; only its last part is meaningful.
    pub map: String,
    /// Columns that the map should have.
    pub width: u32,
    /// Rows that the map should have.
    pub height: u32,
    /// Where the path begins.
    pub start: Tile,
    /// Where it ends.
    pub goal: Tile,
    /// The length the file gives. Zero with start ≠ goal means that there is no path.
    pub length: f64,
    /// How many digits the file gives after the point.
    pub decimals: u32,
}

impl Problem {
    /// The map's file name without folders: what to look for.
    pub fn map_name(&self) -> &str {
        self.map.rsplit(['/', '\\']).next().unwrap_or(&self.map)
    }

    /// Whether the file says that no path exists.
    pub fn is_unreachable(&self) -> bool {
        self.length == 0.0 && self.start != self.goal
    }

    /// Compares a length of ours with the file's, rounded to the digits it gives.
    /// Nothing but the last of those digits may differ, by one, on either side: files
    /// were written with other roundings.
    pub fn compare(&self, ours: f64) -> std::cmp::Ordering {
        // A file made with single precision is good to about seven digits.
        let unit = 10f64.powi((self.decimals as i32).saturating_neg());
        let tolerance = (0.51 * unit).max(self.length.abs() * 4e-7) + 1e-9;
        if (ours - self.length).abs() <= tolerance {
            std::cmp::Ordering::Equal
        } else {
            ours.total_cmp(&self.length)
        }
    }

    /// Checks that the problem belongs to this map: same size, both ends inside.
    pub fn check(&self, grid: &Grid) -> Result<(), ScenError> {
        let problem = |what: String| Err(ScenError::Mismatch { what });
        if (self.width, self.height) != (grid.width(), grid.height()) {
            return problem(format!(
                "the problem is for a map of {} x {}, this one is {} x {}",
                self.width,
                self.height,
                grid.width(),
                grid.height()
            ));
        }
        for (name, tile) in [("start", self.start), ("goal", self.goal)] {
            if !grid.contains(tile) {
                return problem(format!("{name} {tile} lies outside the map"));
            }
        }
        Ok(())
    }
}

/// What is wrong with a scenario file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScenError {
    /// There is nothing in it.
    #[error("the scenario is empty")]
    Empty,
    /// The first line is not a version that we know.
    #[error("line 1: expected \"version 1\", found {0:?}")]
    Version(String),
    /// A field is missing or cannot be read.
    #[error("line {line}, column {column}: expected {expected}, found {found:?}")]
    Field {
        /// Line, counted from 1.
        line: usize,
        /// Column of the field's first character, counted from 1.
        column: usize,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// There are more problems than are read.
    #[error("line {line}: at most {MAX_PROBLEMS} problems are read from one file")]
    TooMany {
        /// The line of the first that is too many.
        line: usize,
    },
    /// The problem is not one of this map.
    #[error("{what}")]
    Mismatch {
        /// What does not fit.
        what: String,
    },
}

/// Reads a scenario file. Fields may be separated by any blanks.
///
/// ```
/// let text = b"version 1\n0\tm/a.map\t3\t2\t0\t0\t2\t1\t2.41421\n";
/// let problems = tidegate::grid::scen_file::parse(text).unwrap();
/// assert_eq!(problems[0].map_name(), "a.map");
/// assert_eq!(problems[0].decimals, 5);
/// ```
pub fn parse(bytes: &[u8]) -> Result<Vec<Problem>, ScenError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ScenError::Empty);
    }
    let mut lines = bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii_end);
    let first = lines.next().unwrap_or_default();
    if !matches!(first, b"version 1" | b"version 1.0") {
        return Err(ScenError::Version(clip(first)));
    }
    let numbered = (2_usize..).zip(lines).filter(|(_, line)| !line.is_empty());
    let mut problems = Vec::new();
    for (number, line) in numbered {
        if problems.len() == MAX_PROBLEMS {
            return Err(ScenError::TooMany { line: number });
        }
        problems.push(parse_line(number, line)?);
    }
    Ok(problems)
}

fn parse_line(line: usize, bytes: &[u8]) -> Result<Problem, ScenError> {
    let mut fields = Fields { line, bytes, at: 0 };
    let problem = Problem {
        bucket: fields.number("a bucket number")?,
        map: clip_name(fields.next("a map name")?.1),
        width: fields.number("the map's width")?,
        height: fields.number("the map's height")?,
        start: Tile::new(fields.number("the start's column")?, fields.number("the start's row")?),
        goal: Tile::new(fields.number("the goal's column")?, fields.number("the goal's row")?),
        length: 0.0,
        decimals: 0,
    };
    let (at, text) = fields.next("the optimal length")?;
    let text = std::str::from_utf8(text).unwrap_or("?");
    let length: Option<f64> = text.parse().ok().filter(|l: &f64| l.is_finite() && *l >= 0.0);
    let Some(length) = length else {
        return Err(fields.wrong(at, "the optimal length", text.as_bytes()));
    };
    let decimals = text.split_once('.').map_or(0, |(_, d)| d.len().min(15) as u32);
    if let Ok((at, extra)) = fields.next("") {
        return Err(fields.wrong(at, "the end of the line", extra));
    }
    Ok(Problem { length, decimals, ..problem })
}

struct Fields<'a> {
    line: usize,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self, expected: &'static str) -> Result<(usize, &'a [u8]), ScenError> {
        let rest = &self.bytes[self.at..];
        let begin = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
        let length = rest[begin..].iter().position(u8::is_ascii_whitespace);
        let end = length.map_or(rest.len(), |l| begin.saturating_add(l));
        let at = self.at.saturating_add(begin);
        self.at = self.at.saturating_add(end);
        if begin == end {
            return Err(self.wrong(at, expected, b"the end of the line"));
        }
        Ok((at, &rest[begin..end]))
    }

    fn number<T: TryFrom<u64>>(&mut self, expected: &'static str) -> Result<T, ScenError> {
        let (at, text) = self.next(expected)?;
        let number = std::str::from_utf8(text).ok().and_then(|t| t.parse::<u64>().ok());
        number.and_then(|n| T::try_from(n).ok()).ok_or_else(|| self.wrong(at, expected, text))
    }

    fn wrong(&self, at: usize, expected: &'static str, found: &[u8]) -> ScenError {
        ScenError::Field {
            line: self.line,
            column: at.saturating_add(1),
            expected,
            found: clip(found),
        }
    }
}

fn clip(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned()
}

fn clip_name(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_NAME)]).into_owned()
}

/// Writes problems as a scenario file, lengths with their own number of digits.
pub fn write(problems: &[Problem]) -> String {
    let mut out = String::from("version 1\n");
    for p in problems {
        let _ = writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.*}",
            p.bucket,
            p.map,
            p.width,
            p.height,
            p.start.x,
            p.start.y,
            p.goal.x,
            p.goal.y,
            p.decimals as usize,
            p.length
        );
    }
    out
}
