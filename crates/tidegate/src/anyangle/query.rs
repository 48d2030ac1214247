//! Asking an index for a walk.

use super::live::{LiveAngleLabels, LiveWalk};
use super::point::{PARTS, Point};
use super::{AngleScratch, AnyAngle, AnyAngleScratch, Walk};
use crate::grid::{Blocked, Tile};
use crate::index::{EngineScratch, Index, Scratch};

/// A question for a walk.
#[derive(Clone, Copy, Debug)]
pub struct WalkQuery<'a> {
    /// Where it begins.
    pub start: Point,
    /// Where it ends.
    pub goal: Point,
    /// Tiles that are walls for this query.
    pub blocked: Option<&'a Blocked>,
}

impl<'a> WalkQuery<'a> {
    /// From one point to another; a tile stands for its centre.
    pub fn new(start: impl Into<Point>, goal: impl Into<Point>) -> WalkQuery<'a> {
        WalkQuery { start: start.into(), goal: goal.into(), blocked: None }
    }

    /// As if these tiles were walls.
    pub fn with_blocked(self, blocked: &'a Blocked) -> WalkQuery<'a> {
        WalkQuery { blocked: Some(blocked), ..self }
    }
}

/// Why a walk cannot be asked for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WalkError {
    /// An end lies outside the map.
    #[error("{end} {point} lies outside the map of {width} x {height} tiles")]
    Outside {
        /// "start" or "goal".
        end: &'static str,
        /// The point asked for.
        point: Point,
        /// Columns of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
    /// An end lies in a wall.
    #[error("{end} {point} lies in a wall")]
    Wall {
        /// "start" or "goal".
        end: &'static str,
        /// The point asked for.
        point: Point,
    },
    /// An end lies in tiles that are blocked for this query.
    #[error("{end} {point} is blocked")]
    Blocked {
        /// "start" or "goal".
        end: &'static str,
        /// The point asked for.
        point: Point,
    },
}

/// How a walk was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkSource {
    /// By labels.
    Labels,
    /// By a search that expanded so many corners.
    Search {
        /// Corners.
        expanded: u64,
    },
}

/// The memory of walks asked of an index.
#[derive(Debug, Default)]
struct WalkScratch {
    labels: AngleScratch,
    search: AnyAngleScratch,
    /// The map with the blocked tiles of a query as walls, and searches on it.
    blocked: Option<AnyAngle>,
    around: AnyAngleScratch,
}

impl EngineScratch for WalkScratch {
    fn bytes(&self) -> usize {
        let blocked = self.blocked.as_ref().map_or(0, AnyAngle::bytes);
        self.labels.bytes() + self.search.bytes() + self.around.bytes() + blocked
    }
}

impl Index {
    /// The shortest walk at any angle between two points (a tile stands for its centre), exactly; `None` if
    /// there is none. From labels where [`LiveAngleLabels`] is built, else by a search; build
    /// [`AnyAngle`] first, or every call makes it again.
    ///
    /// ```
    /// use tidegate::anyangle::{AnyAngle, LiveAngleLabels, Point};
    /// use tidegate::labels::LabelOptions;
    /// use tidegate::{Grid, Index};
    /// let mut index = Index::new(Grid::from_rows(&["......", "..##..", "......"]).unwrap());
    /// index.build::<AnyAngle>(&()).unwrap();
    /// index.build::<LiveAngleLabels>(&LabelOptions::default()).unwrap();
    /// let walk = index.walk((1, 1), (4, 1)).unwrap().expect("there is a way");
    /// assert_eq!(walk.points().len(), 4);
    /// let point = Point::from_tiles(0.25, 0.75).unwrap();
    /// assert!(index.walk(point, (5, 2)).unwrap().unwrap().length() > 5.0);
    /// assert!(index.walk((2, 1), (4, 1)).is_err()); // a wall
    /// ```
    pub fn walk(
        &self,
        start: impl Into<Point>,
        goal: impl Into<Point>,
    ) -> Result<Option<Walk>, WalkError> {
        let (query, mut walk) = (WalkQuery::new(start, goal), Walk::default());
        let found = self.with_scratch(|scratch| self.find_walk(&query, scratch, &mut walk))?;
        Ok(found.map(|_| walk))
    }

    /// Answers a query and writes the walk into `walk`; `None`, and an empty walk, if there is none.
    pub fn find_walk(
        &self,
        query: &WalkQuery<'_>,
        scratch: &mut Scratch,
        walk: &mut Walk,
    ) -> Result<Option<WalkSource>, WalkError> {
        walk.points.clear();
        let labels: Option<&LiveAngleLabels> = self.table();
        let made;
        let map = match self.table().or(labels.map(LiveAngleLabels::now)) {
            Some(map) => map,
            None => {
                made = AnyAngle::new(self.grid());
                &made
            }
        };
        let ends = [("start", query.start), ("goal", query.goal)];
        for (end, point) in ends {
            let (width, height) = (self.grid().width(), self.grid().height());
            let inside =
                |at: i32, side: u32| (0..=i64::from(side) * i64::from(PARTS)).contains(&at.into());
            if !inside(point.x, width) || !inside(point.y, height) {
                return Err(WalkError::Outside { end, point, width, height });
            }
            if !map.is_free(point) {
                return Err(WalkError::Wall { end, point });
            }
        }
        let scratch: &mut WalkScratch = scratch.slot();
        let known = labels.map_or(LiveWalk::Unknown, |labels| {
            labels.find_into(query.start, query.goal, &mut scratch.labels, walk)
        });
        let Some(blocked) = query.blocked.filter(|blocked| !blocked.is_empty()) else {
            return Ok(match known {
                LiveWalk::Found => Some(WalkSource::Labels),
                LiveWalk::Unreachable => None,
                LiveWalk::Unknown => search(map, query, &mut scratch.search, walk),
            });
        };
        // Blocked tiles only make walks longer: one that is still free is still the shortest.
        let around = scratch.blocked.get_or_insert_with(|| map.clone());
        around.clone_from(map);
        around.close(blocked.iter());
        for (end, point) in ends {
            if !around.is_free(point) {
                return Err(WalkError::Blocked { end, point });
            }
        }
        Ok(match known {
            LiveWalk::Found if walk.is_free(around) => Some(WalkSource::Labels),
            LiveWalk::Unreachable => None,
            _ => search(around, query, &mut scratch.around, walk),
        })
    }
}

fn search(
    map: &AnyAngle,
    query: &WalkQuery<'_>,
    scratch: &mut AnyAngleScratch,
    walk: &mut Walk,
) -> Option<WalkSource> {
    let found = map.find_into(query.start, query.goal, scratch, walk);
    found.then(|| WalkSource::Search { expanded: scratch.expanded() })
}

impl Walk {
    /// The tiles that it enters, in order, each once in a row; where it runs along the edge of two free
    /// tiles, both.
    ///
    /// ```
    /// use tidegate::anyangle::AnyAngle;
    /// use tidegate::{Grid, Index, Tile};
    /// let index = Index::new(Grid::from_rows(&["...", "..."]).unwrap());
    /// let walk = index.walk((0, 0), (2, 1)).unwrap().unwrap();
    /// let tiles = walk.tiles(&AnyAngle::new(index.grid()));
    /// let of = |x, y| Tile::new(x, y);
    /// assert_eq!(tiles, [of(0, 0), of(1, 0), of(1, 1), of(2, 1)]);
    /// ```
    pub fn tiles(&self, map: &AnyAngle) -> Vec<Tile> {
        let mut tiles: Vec<Tile> = Vec::new();
        let mut enter = |x: i32, y: i32| {
            if map.plane.contains(x, y) && map.plane.is_free(x, y) {
                let tile = Tile::new(x as u16, y as u16);
                if tiles.last() != Some(&tile) {
                    tiles.push(tile);
                }
            }
        };
        if let [only] = self.points[..] {
            enter(only.x.div_euclid(PARTS), only.y.div_euclid(PARTS));
        }
        for line in self.points.windows(2) {
            let (a, b) = (line[0], line[1]);
            let (dx, dy) = (f64::from(b.x - a.x), f64::from(b.y - a.y));
            // Where it crosses lines between tiles, as shares of its length.
            let mut cuts = vec![0.0, 1.0];
            let mut cut = |from: i32, to: i32| {
                let (low, high) = (from.min(to), from.max(to));
                let lines = low.div_euclid(PARTS) + 1..=-(-high).div_euclid(PARTS) - 1;
                let share = |at: i32| f64::from(at * PARTS - from) / f64::from(to - from);
                cuts.extend(lines.map(share));
            };
            cut(a.x, b.x);
            cut(a.y, b.y);
            cuts.sort_by(f64::total_cmp);
            for pair in cuts.windows(2).filter(|pair| pair[1] - pair[0] > 1e-9) {
                let middle = (pair[0] + pair[1]) / 2.0;
                let tile =
                    |at: i32, by: f64| ((f64::from(at) + by * middle) / f64::from(PARTS)).floor();
                let (x, y) = (tile(a.x, dx) as i32, tile(a.y, dy) as i32);
                let (along_x, along_y) =
                    (dy == 0.0 && a.y % PARTS == 0, dx == 0.0 && a.x % PARTS == 0);
                if along_x || along_y {
                    enter(x - i32::from(along_y), y - i32::from(along_x));
                }
                enter(x, y);
            }
        }
        tiles
    }
}
