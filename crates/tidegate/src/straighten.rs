//! Straight lines between tiles, and paths pulled tight along them: a few waypoints in place
//! of every tile. All tests are by integers, so a line is clear or it is not.
//!
//! What walks along a line is said by a [`LineRule`]. Each rule of movement has its own, under
//! which a line to a neighbouring tile is clear exactly if the step is legal:
//!
//! | movement | rule | what walks |
//! |---|---|---|
//! | no corner cutting | [`LineRule::Square`] | a square as large as a tile |
//! | one side free | [`LineRule::Point`] | a point |
//! | four-connected | [`LineRule::RowsAndColumns`] | along rows and columns alone |
//!
//! **Larger units.** Where a tile is free if the square of `k` x `k` tiles that begins there is
//! free, a clear line under [`LineRule::Square`] is one along which that square touches no
//! wall's inside, and the reverse. For at a place between tiles the square covers just what
//! the squares at the four tiles around that place cover, and the rule asks for these four.
//! Under [`LineRule::Point`] it is the square of side `k` - 1 in its middle that touches none.

use crate::cost::Factor;
use crate::grid::{Blocked, Grid, Movement, Tile};
use crate::path::{Path, PathError};

/// What has to be free for a straight walk from the centre of a tile to that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineRule {
    /// A point walks. It enters no wall's inside and does not pass between two walls that
    /// touch at a corner; it may touch one corner. This is how paths of any angle are
    /// usually defined.
    Point,
    /// A square as large as a tile walks without turning, and touches no wall's inside. A
    /// point that keeps to such a line stays half a tile away from walls in both axes.
    Square,
    /// Only along a row or a column.
    RowsAndColumns,
}

impl LineRule {
    /// The rule under which a line to a neighbouring tile is clear exactly if this movement
    /// makes that step.
    pub fn of(movement: Movement) -> LineRule {
        match movement {
            Movement::NoCornerCutting => LineRule::Square,
            Movement::OneSideFree => LineRule::Point,
            Movement::FourConnected => LineRule::RowsAndColumns,
        }
    }
}

/// Which tiles see each other on a map.
///
/// ```
/// use tidegate::straighten::{LineRule, Sight};
/// use tidegate::Grid;
/// let grid = Grid::from_rows(&[
///     ".....",
///     "..#..",
///     ".....",
/// ]).unwrap();
/// let sight = Sight::new(&grid);
/// assert!(sight.sees((0, 0), (4, 0)));
/// assert!(!sight.sees((2, 0), (4, 1))); // the wall is too near for a square
/// assert!(sight.with_rule(LineRule::Point).sees((2, 0), (4, 1)));
/// assert!(!sight.with_rule(LineRule::Point).sees((0, 0), (4, 2)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    grid: &'a Grid,
    rule: LineRule,
    blocked: Option<&'a Blocked>,
    /// Where the unit stands that walks: it does not block itself.
    own: Option<Tile>,
}

/// A path of straight lines: the tiles at whose centres it turns, with its ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waypoints {
    tiles: Vec<Tile>,
    /// Of each tile, its number on the path.
    steps: Vec<usize>,
}

/// Waypoints read like the slice of their tiles.
impl std::ops::Deref for Waypoints {
    type Target = [Tile];

    fn deref(&self) -> &[Tile] {
        &self.tiles
    }
}

impl Waypoints {
    /// None, to be written into.
    pub fn new() -> Waypoints {
        Waypoints::default()
    }

    /// The tiles, start and goal included.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Of each tile, its number on the path that was straightened.
    pub fn steps(&self) -> &[usize] {
        &self.steps
    }

    /// The Euclidean length, in tiles.
    pub fn length(&self) -> f64 {
        let line = |pair: &[Tile]| {
            let (dx, dy) = (pair[0].x.abs_diff(pair[1].x), pair[0].y.abs_diff(pair[1].y));
            f64::from(dx).hypot(f64::from(dy))
        };
        self.tiles.windows(2).map(line).sum()
    }
}

impl Path {
    /// The path pulled tight for the map's rule of movement: see [`Sight::straighten`].
    ///
    /// ```
    /// use tidegate::{Grid, Index, Tile};
    /// let index = Index::new(Grid::from_rows(&[
    ///     "........",
    ///     "........",
    ///     "........",
    ///     "####....",
    /// ]).unwrap());
    /// let path = index.path((0, 0), (7, 3)).unwrap().unwrap();
    /// assert_eq!(path.len(), 8);
    /// let walk = path.straightened(index.grid()).unwrap();
    /// assert_eq!(walk.tiles(), [Tile::new(0, 0), Tile::new(7, 3)]);
    /// assert!(walk.length() < path.length().value());
    /// ```
    pub fn straightened(&self, grid: &Grid) -> Result<Waypoints, PathError> {
        let mut waypoints = Waypoints::new();
        Sight::new(grid).straighten(self, &mut waypoints)?;
        Ok(waypoints)
    }
}

impl<'a> Sight<'a> {
    /// On this map, under the rule of its movement.
    pub fn new(grid: &'a Grid) -> Sight<'a> {
        Sight { grid, rule: LineRule::of(grid.movement()), blocked: None, own: None }
    }

    /// Under another rule.
    pub fn with_rule(self, rule: LineRule) -> Sight<'a> {
        Sight { rule, ..self }
    }

    /// These tiles count as walls; for a path that is [straightened](Sight::straighten) all but
    /// the one where it begins, as for a [query](crate::Query::with_blocked).
    pub fn with_blocked(self, blocked: &'a Blocked) -> Sight<'a> {
        Sight { blocked: Some(blocked).filter(|blocked| !blocked.is_empty()), ..self }
    }

    /// Whether the line between the centres of two tiles is clear. Both ends must be free,
    /// and it does not matter which is which.
    pub fn sees(&self, from: impl Into<Tile>, to: impl Into<Tile>) -> bool {
        let (from, to) = (from.into(), to.into());
        is_clear(self.rule, from, to, |x, y| self.is_open(x, y))
    }

    #[inline]
    fn is_open(&self, x: i32, y: i32) -> bool {
        let shut = |blocked: &Blocked| {
            let tile = Tile::new(x as u16, y as u16);
            blocked.contains(tile) && self.own != Some(tile)
        };
        self.grid.is_free_at(x, y) && !self.blocked.is_some_and(shut)
    }

    /// Pulls a path tight: from each waypoint a straight line to a tile far along the path
    /// that it sees. The waypoints are tiles of the path in their order, so they are no longer
    /// than the path; every line between them is clear. An error names the first step of the
    /// path that is not clear itself.
    ///
    /// On ground of different costs a line is taken only over tiles that cost no more than the
    /// cheapest of those on the stretch it replaces: the walk never costs more than the path.
    ///
    /// The tile to go for is found by doubling and halving, so for a path of `n` tiles about
    /// `n log n` tiles are looked at. Sight along a path comes and goes, so now and then a line
    /// to a tile even further along would have been clear.
    pub fn straighten(&self, path: &Path, waypoints: &mut Waypoints) -> Result<(), PathError> {
        let Waypoints { tiles: turns, steps } = waypoints;
        turns.clear();
        steps.clear();
        let tiles = path.tiles();
        let first = *tiles.first().ok_or(PathError::Empty)?;
        let sight = Sight { own: Some(first), ..*self };
        if !sight.sees(first, first) {
            return Err(PathError::Wall { step: 0, tile: first });
        }
        for (i, pair) in tiles.windows(2).enumerate() {
            if !sight.sees(pair[0], pair[1]) {
                return Err(PathError::Step { step: i + 1, from: pair[0], to: pair[1] });
            }
        }
        steps.push(0);
        let mut from = 0;
        while from + 1 < tiles.len() {
            from = sight.furthest(tiles, from);
            while steps.len() > 1 && sight.replaces(tiles, steps[steps.len() - 2], from) {
                steps.pop();
            }
            steps.push(from);
        }
        turns.extend(steps.iter().map(|&step| tiles[step]));
        Ok(())
    }

    /// A tile far along the path that can be walked to from one of its tiles.
    fn furthest(&self, tiles: &[Tile], from: usize) -> usize {
        let last = tiles.len() - 1;
        let (mut seen, mut reach) = (from + 1, 1);
        let mut hidden = loop {
            let next = (seen + reach).min(last);
            if next == seen {
                return seen;
            }
            if !self.replaces(tiles, from, next) {
                break next;
            }
            (seen, reach) = (next, 2 * reach);
        };
        while hidden - seen > 1 {
            let middle = seen + (hidden - seen) / 2;
            if self.replaces(tiles, from, middle) {
                seen = middle;
            } else {
                hidden = middle;
            }
        }
        seen
    }

    /// Whether a straight line may take the place of a stretch of the path.
    fn replaces(&self, tiles: &[Tile], from: usize, to: usize) -> bool {
        let ends = (tiles[from], tiles[to]);
        if self.grid.factors().is_none() {
            return self.sees(ends.0, ends.1);
        }
        let factor = |tile: &Tile| self.grid.factor(*tile);
        let most = tiles[from..=to].iter().map(factor).min().unwrap_or(Factor::ONE);
        let is_cheap = |x: i32, y: i32| factor(&Tile::new(x as u16, y as u16)) <= most;
        is_clear(self.rule, ends.0, ends.1, |x, y| self.is_open(x, y) && is_cheap(x, y))
    }
}

/// Whether every tile that a line between two centres needs is open.
fn is_clear(rule: LineRule, from: Tile, to: Tile, open: impl Fn(i32, i32) -> bool) -> bool {
    let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
    let end = (i32::from(to.x), i32::from(to.y));
    let (step_x, step_y) = ((end.0 - x).signum(), (end.1 - y).signum());
    let (width, height) = ((end.0 - x).abs(), (end.1 - y).abs());
    if !open(x, y) {
        return false;
    }
    if width == 0 || height == 0 {
        while (x, y) != end {
            (x, y) = (x + step_x, y + step_y);
            if !open(x, y) {
                return false;
            }
        }
        return true;
    }
    // Which border comes next: that of a column if negative, of a row if positive, both at
    // once if zero. Borders of tiles lie at odd numbers of half tiles from the start, centres
    // at even ones.
    let mut next = height - width;
    match rule {
        LineRule::RowsAndColumns => false,
        // The tiles that the line enters.
        LineRule::Point => {
            while (x, y) != end {
                if next < 0 {
                    (x, next) = (x + step_x, next + 2 * height);
                } else if next > 0 {
                    (y, next) = (y + step_y, next - 2 * width);
                } else {
                    if !open(x + step_x, y) && !open(x, y + step_y) {
                        return false;
                    }
                    (x, y, next) = (x + step_x, y + step_y, next + 2 * (height - width));
                }
                if !open(x, y) {
                    return false;
                }
            }
            true
        }
        // Between the centres of four tiles the square touches all four: the line enters one
        // such cell after the other.
        LineRule::Square => {
            if !open(x + step_x, y) || !open(x, y + step_y) {
                return false;
            }
            loop {
                if !open(x + step_x, y + step_y) {
                    return false;
                }
                if next < 0 {
                    (x, next) = (x + step_x, next + height);
                    if !open(x + step_x, y) {
                        return false;
                    }
                } else if next > 0 {
                    (y, next) = (y + step_y, next - width);
                    if !open(x, y + step_y) {
                        return false;
                    }
                } else {
                    (x, y, next) = (x + step_x, y + step_y, next + height - width);
                    if (x, y) == end {
                        return true;
                    }
                    if !open(x + step_x, y) || !open(x, y + step_y) {
                        return false;
                    }
                }
            }
        }
    }
}
