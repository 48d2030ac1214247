//! Reading and writing `.map` files of the Moving AI collection, and plain text grids.
//!
//! A [`TileMap`] is what a file says: its letters, whatever they mean. A [`Grid`] is
//! made from it by a rule of movement and, if asked, by costs for letters.

use std::fmt::Write as _;

use super::{Grid, GridError, Movement, check_size};
use crate::cost::Factor;

/// Letters that can be walked on unless told otherwise: ground, grass, swamp.
pub const FREE_LETTERS: &[u8] = b".GS";
/// Letters that cannot: out of bounds, out of bounds, trees, water, and `#`, which
/// hand-drawn maps use.
pub const WALL_LETTERS: &[u8] = b"@OTW#";

pub(crate) fn is_free_letter(letter: u8) -> bool {
    FREE_LETTERS.contains(&letter)
}

/// What is wrong with a map file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// There is nothing in it.
    #[error("the map is empty")]
    Empty,
    /// A header line is not what it should be.
    #[error("line {line}: expected {expected}, found {found:?}")]
    Header {
        /// Line, counted from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The size is not supported.
    #[error("line {line}: {error}")]
    Size {
        /// Line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: GridError,
    },
    /// A row has the wrong number of letters.
    #[error("line {line}, column {column}: the row has {found} tiles, the map is {width} wide")]
    RowLength {
        /// Line, counted from 1.
        line: usize,
        /// The first column that is missing or too many.
        column: usize,
        /// Letters in the row.
        found: usize,
        /// Width of the map.
        width: u32,
    },
    /// There are too few or too many rows.
    #[error("line {line}: the map has {found} rows, its header says {height}")]
    RowCount {
        /// The line where a row is missing or the first one too many.
        line: usize,
        /// Rows found.
        found: usize,
        /// Rows announced.
        height: u32,
    },
    /// A letter that means nothing.
    #[error(
        "line {line}, column {column}: unknown tile {} (known are . G S and @ O T W #)",
        show_byte(*.letter)
    )]
    Letter {
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// The byte found.
        letter: u8,
    },
}

fn show_byte(byte: u8) -> String {
    if byte.is_ascii_graphic() {
        format!("{:?}", char::from(byte))
    } else {
        format!("byte 0x{byte:02x}")
    }
}

/// A map as its file gives it: a letter for every tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileMap {
    width: u32,
    height: u32,
    letters: Vec<u8>,
}

impl TileMap {
    /// A map of this size whose letters come from `letter(x, y)`.
    pub fn from_fn(
        width: u32,
        height: u32,
        mut letter: impl FnMut(u32, u32) -> u8,
    ) -> Result<TileMap, GridError> {
        check_size(width.into(), height.into())?;
        let mut letters = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            letters.extend((0..width).map(|x| letter(x, y)));
        }
        Ok(TileMap { width, height, letters })
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All letters in row order.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// Reads a `.map` file. Carriage returns, blanks at line ends and a missing last
    /// newline are tolerated; everything else must be as the format says.
    ///
    /// ```
    /// use tidegate::grid::TileMap;
    /// let map = TileMap::parse(b"type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n").unwrap();
    /// assert_eq!(map.letters(), b".@....");
    /// let bad = TileMap::parse(b"type octile\nheight 1\nwidth 3\nmap\n.x.\n").unwrap_err();
    /// assert_eq!(
    ///     bad.to_string(),
    ///     "line 5, column 2: unknown tile 'x' (known are . G S and @ O T W #)"
    /// );
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<TileMap, MapError> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(MapError::Empty);
        }
        let mut lines = bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii_end);
        let mut header = |line: usize, key: &str, expected: &'static str| {
            let text = lines.next().unwrap_or_default();
            let value = text.strip_prefix(key.as_bytes()).map(<[u8]>::trim_ascii);
            value.map(<[u8]>::to_vec).ok_or_else(|| wrong(line, expected, text))
        };
        header(1, "type", "\"type octile\"")?;
        let height =
            number(2, "\"height\" and a number", &header(2, "height", "\"height\" and a number")?)?;
        let width =
            number(3, "\"width\" and a number", &header(3, "width", "\"width\" and a number")?)?;
        let rest = header(4, "map", "\"map\"")?;
        if !rest.is_empty() {
            return Err(wrong(4, "\"map\"", &rest));
        }
        let (width, height) =
            check_size(width, height).map_err(|error| MapError::Size { line: 2, error })?;
        let body = bytes.splitn(5, |&b| b == b'\n').nth(4).unwrap_or_default();
        rows(body, 5, Some(width), Some(height))
    }

    /// Reads a plain text grid: one line per row, nothing else. The first row gives the width.
    pub fn parse_text(bytes: &[u8]) -> Result<TileMap, MapError> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(MapError::Empty);
        }
        rows(bytes, 1, None, None)
    }

    /// The map as a `.map` file.
    pub fn to_map_string(&self) -> String {
        let mut out = format!("type octile\nheight {}\nwidth {}\nmap\n", self.height, self.width);
        out.push_str(&self.to_text());
        out
    }

    /// The map as plain text, one line per row.
    pub fn to_text(&self) -> String {
        let mut out = String::with_capacity(self.letters.len() + self.height as usize);
        for row in self.letters.chunks(self.width as usize) {
            let _ = writeln!(out, "{}", String::from_utf8_lossy(row));
        }
        out
    }

    /// The grid of this map by the usual meaning of the letters.
    pub fn grid(&self, movement: Movement) -> Grid {
        self.grid_with(movement, &LetterCosts::default())
    }

    /// The grid of this map with its own meaning of the letters.
    pub fn grid_with(&self, movement: Movement, costs: &LetterCosts) -> Grid {
        let at = |x, y| self.letters[(y * self.width + x) as usize];
        let grid =
            Grid::from_fn(self.width, self.height, movement, |x, y| costs.of(at(x, y)).is_some())
                .expect("the size was checked when the map was made");
        let factor = |&letter: &u8| costs.of(letter).unwrap_or(Factor::ONE);
        grid.with_factors(self.letters.iter().map(factor).collect())
    }
}

impl From<&Grid> for TileMap {
    /// Free tiles become `.`, walls `@`.
    fn from(grid: &Grid) -> TileMap {
        let letter = |x: u32, y: u32| if grid.is_free_at(x as i32, y as i32) { b'.' } else { b'@' };
        TileMap::from_fn(grid.width(), grid.height(), letter).expect("a grid's size is checked")
    }
}

fn wrong(line: usize, expected: &'static str, found: &[u8]) -> MapError {
    let mut found = String::from_utf8_lossy(&found[..found.len().min(40)]).into_owned();
    if found.is_empty() {
        found = "nothing".into();
    }
    MapError::Header { line, expected, found }
}

fn number(line: usize, expected: &'static str, text: &[u8]) -> Result<u64, MapError> {
    let parsed = std::str::from_utf8(text).ok().and_then(|t| t.parse::<u64>().ok());
    parsed.ok_or_else(|| wrong(line, expected, text))
}

/// Reads rows of letters. Nothing is allocated beyond what the file itself holds.
#[deny(clippy::arithmetic_side_effects)]
fn rows(
    body: &[u8],
    first_line: usize,
    width: Option<u32>,
    height: Option<u32>,
) -> Result<TileMap, MapError> {
    let body = body.trim_ascii_end();
    let mut letters = Vec::with_capacity(body.len());
    let (mut wide, mut count) = (width, 0);
    for (i, row) in body.split(|&b| b == b'\n').map(<[u8]>::trim_ascii_end).enumerate() {
        let line = first_line.saturating_add(i);
        if height.is_some_and(|h| i >= h as usize) {
            let found = body.split(|&b| b == b'\n').count();
            return Err(MapError::RowCount { line, found, height: height.unwrap_or(0) });
        }
        let width = *wide.get_or_insert(row.len() as u32);
        if let Some(column) = row.iter().position(|l| !known(*l)) {
            return Err(MapError::Letter {
                line,
                column: column.saturating_add(1),
                letter: row[column],
            });
        }
        if row.len() != width as usize {
            let column = row.len().min(width as usize).saturating_add(1);
            return Err(MapError::RowLength { line, column, found: row.len(), width });
        }
        letters.extend_from_slice(row);
        count = i.saturating_add(1);
    }
    if let Some(height) = height.filter(|&h| h as usize != count) {
        return Err(MapError::RowCount {
            line: first_line.saturating_add(count),
            found: count,
            height,
        });
    }
    let (width, height) = check_size(wide.unwrap_or(0).into(), count as u64)
        .map_err(|error| MapError::Size { line: first_line, error })?;
    Ok(TileMap { width, height, letters })
}

fn known(letter: u8) -> bool {
    FREE_LETTERS.contains(&letter) || WALL_LETTERS.contains(&letter)
}

/// What each letter of a map costs to cross; `None` is wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterCosts([Option<Factor>; 256]);

impl Default for LetterCosts {
    fn default() -> LetterCosts {
        let mut table = [None; 256];
        for &letter in FREE_LETTERS {
            table[letter as usize] = Some(Factor::ONE);
        }
        LetterCosts(table)
    }
}

impl LetterCosts {
    /// What crossing this letter costs; `None` is wall.
    pub fn of(&self, letter: u8) -> Option<Factor> {
        self.0[letter as usize]
    }

    /// Reads a list such as `.=1,S=1.5,W=inf`. Letters that are not named keep their
    /// usual meaning.
    ///
    /// ```
    /// use tidegate::grid::map_file::LetterCosts;
    /// let costs = LetterCosts::parse("S=1.5,G=inf").unwrap();
    /// assert_eq!(costs.of(b'S').unwrap().hundredths(), 150);
    /// assert_eq!(costs.of(b'G'), None);
    /// assert!(LetterCosts::parse("S=0.5").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<LetterCosts, CostsError> {
        let mut costs = LetterCosts::default();
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let bad = || CostsError(part.to_string());
            let (letter, value) = part.split_once('=').ok_or_else(bad)?;
            let &[letter] = letter.trim().as_bytes() else { return Err(bad()) };
            let value = value.trim();
            costs.0[letter as usize] = if !known(letter) {
                return Err(bad());
            } else if matches!(value, "inf" | "wall") {
                None
            } else {
                Some(value.parse().ok().and_then(Factor::new).ok_or_else(bad)?)
            };
        }
        Ok(costs)
    }
}

/// A part of a cost list that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cost {0:?} is not of the form LETTER=FACTOR, with a tile letter and a factor from 1 to 655.35 or \"inf\""
)]
pub struct CostsError(String);
