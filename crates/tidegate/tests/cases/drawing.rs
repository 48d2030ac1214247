//! Drawn maps: letters in rows, long rows in short, and the eight ways to turn them.

use std::iter::Peekable;
use std::str::Chars;

use tidegate::Tile;

/// A map as letters, every row of the same length.
#[derive(Clone, Debug)]
pub(crate) struct Drawing(Vec<Vec<char>>);

impl Drawing {
    /// Rows as they are drawn; empty lines and spaces around them do not count.
    pub(crate) fn plain(text: &str) -> Result<Drawing, String> {
        Drawing::of(rows(text).map(|row| Ok(row.chars().collect())))
    }

    /// Rows in short: a number repeats the letter or the group in parentheses after it,
    /// `N *` before a row repeats the row. `3 * 2.#4(#.)` stands for three rows `..##.#.#.#.`
    /// (spaces do not count).
    pub(crate) fn wide(text: &str) -> Result<Drawing, String> {
        let mut all = Vec::new();
        for line in rows(text) {
            let (times, row) = match line.split_once('*') {
                Some((times, row)) => {
                    (times.trim().parse().map_err(|e| format!("{line}: {e}"))?, row)
                }
                None => (1, line),
            };
            let mut letters = row.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            letters.push(')');
            let row =
                group(&mut letters.chars().peekable()).ok_or(format!("cannot read {line:?}"))?;
            all.extend(std::iter::repeat_n(row, times));
        }
        Drawing::of(all.into_iter().map(Ok))
    }

    fn of(rows: impl Iterator<Item = Result<Vec<char>, String>>) -> Result<Drawing, String> {
        let rows: Vec<Vec<char>> = rows.collect::<Result<_, _>>()?;
        match rows.iter().position(|row| row.is_empty() || row.len() != rows[0].len()) {
            _ if rows.is_empty() => Err("no rows".into()),
            Some(y) => Err(format!("row {y} has {} letters, not {}", rows[y].len(), rows[0].len())),
            None => Ok(Drawing(rows)),
        }
    }

    pub(crate) fn width(&self) -> u16 {
        self.0[0].len() as u16
    }

    pub(crate) fn height(&self) -> u16 {
        self.0.len() as u16
    }

    /// All tiles in row order with their letters.
    pub(crate) fn letters(&self) -> impl Iterator<Item = (Tile, char)> + '_ {
        let row = |(y, row): (usize, &'_ Vec<char>)| {
            let tile = move |(x, c): (usize, char)| (Tile::new(x as u16, y as u16), c);
            row.clone().into_iter().enumerate().map(tile)
        };
        self.0.iter().enumerate().flat_map(row)
    }

    /// Where the map is turned, mirrored or transposed, this is where a tile goes: 8 ways,
    /// number 0 leaves all as drawn.
    pub(crate) fn turn(&self, way: u32) -> impl Fn(Tile) -> Tile + use<> {
        let (w, h) = (self.width(), self.height());
        move |t: Tile| {
            let x = if way & 1 != 0 { w - 1 - t.x } else { t.x };
            let y = if way & 2 != 0 { h - 1 - t.y } else { t.y };
            if way & 4 != 0 { Tile::new(y, x) } else { Tile::new(x, y) }
        }
    }

    /// The drawing turned that way.
    pub(crate) fn turned(&self, way: u32) -> Drawing {
        let (mut width, mut height) = (self.width(), self.height());
        if way & 4 != 0 {
            (width, height) = (height, width);
        }
        let (turn, mut rows) = (self.turn(way), vec![vec!['#'; width.into()]; height.into()]);
        for (tile, letter) in self.letters() {
            let to = turn(tile);
            rows[usize::from(to.y)][usize::from(to.x)] = letter;
        }
        Drawing(rows)
    }
}

fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|row| !row.is_empty())
}

/// Letters and groups with their counts up to the closing parenthesis.
fn group(letters: &mut Peekable<Chars<'_>>) -> Option<Vec<char>> {
    let mut row = Vec::new();
    loop {
        let mut count: Option<usize> = None;
        while let Some(digit) = letters.peek().and_then(|c| c.to_digit(10)) {
            count = Some(count.unwrap_or(0).checked_mul(10)? + digit as usize);
            letters.next();
        }
        let part = match (letters.next()?, count) {
            (')', None) => return Some(row),
            (')', Some(_)) => return None,
            ('(', _) => group(letters)?,
            (letter, _) => vec![letter],
        };
        (0..count.unwrap_or(1)).for_each(|_| row.extend(&part));
    }
}

#[test]
fn long_rows_in_short_are_the_rows_they_stand_for() {
    let text = |drawing: Result<Drawing, String>| -> Vec<String> {
        drawing.unwrap().0.iter().map(|row| row.iter().collect()).collect()
    };
    assert_eq!(
        text(Drawing::wide("2 * 3.#2(#.)\nS 2(.#) 2. G")),
        ["...##.#.", "...##.#.", "S.#.#..G"]
    );
    assert_eq!(text(Drawing::wide("10(2(.)#)")), ["..#".repeat(10)]);
    for wrong in ["", "3", "2(..", "2 * ", "x * ..", "2.\n3."] {
        assert!(Drawing::wide(wrong).is_err(), "{wrong:?}");
    }
    let drawing = Drawing::plain("S..\n.#G").unwrap();
    let turns: Vec<String> = (0..8).map(|way| text(Ok(drawing.turned(way))).join("/")).collect();
    assert_eq!(turns[..3], ["S../.#G", "..S/G#.", ".#G/S.."]);
    assert_eq!(turns[4], "S./.#/.G");
}
