//! Labels of walks on a map that changes.
//!
//! Where tiles were only closed since the labels were built, a walk of the old map that is still free is
//! still the shortest: there are fewer walks than before, not more. Where a closed tile is in the way, or
//! tiles were opened, the labels do not know.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::labels::{AngleLabels, AngleScratch};
use super::scan::sees;
use super::{AnyAngle, PARTS, Point, Walk};
use crate::artifact::{Reader, WireError, Writer};
use crate::grid::{Grid, Tile};
use crate::index::{Edit, Index, Refused, Table, TableState};
use crate::labels::LabelOptions;

impl Table for AnyAngle {
    type Options = ();
    const NAME: &'static str = "anyangle";
    const TAG: [u8; 4] = *b"angl";

    fn build(index: &Index, (): &()) -> Result<AnyAngle, Refused> {
        Ok(AnyAngle::new(index.grid()))
    }

    fn repair(table: &mut Arc<AnyAngle>, index: &Index, edit: &mut Edit) -> TableState {
        if !edit.walls().is_empty() {
            Arc::make_mut(table).update(index.grid(), edit.walls());
        }
        TableState::Current
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    /// Nothing: the map says it all.
    fn write(&self, _: &mut Writer) {}

    fn read(_: &mut Reader<'_>, index: &Index, (): &()) -> Result<AnyAngle, WireError> {
        Ok(AnyAngle::new(index.grid()))
    }
}

/// Labels of walks, and what has changed since they were built.
#[derive(Clone, Debug)]
pub struct LiveAngleLabels {
    labels: Arc<AngleLabels>,
    /// The map as it is now.
    now: AnyAngle,
    /// Tiles that are free in one of both maps only.
    changed: BTreeSet<Tile>,
    /// How many of these were walls.
    opened: usize,
}

/// What labels know about a walk on a map that has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveWalk {
    /// It is the shortest.
    Found,
    /// There is none.
    Unreachable,
    /// They do not know.
    Unknown,
}

impl LiveAngleLabels {
    /// For the map that the labels were built for.
    pub fn new(labels: AngleLabels) -> LiveAngleLabels {
        let now = labels.map().clone();
        LiveAngleLabels { labels: Arc::new(labels), now, changed: BTreeSet::new(), opened: 0 }
    }

    /// The labels of the map as it was.
    pub fn labels(&self) -> &AngleLabels {
        &self.labels
    }

    /// The map as it is now, for searches.
    pub fn now(&self) -> &AnyAngle {
        &self.now
    }

    /// Whether the map is the one that the labels were built for.
    pub fn is_current(&self) -> bool {
        self.changed.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.labels.bytes() + self.now.bytes() + 8 * self.changed.len()
    }

    /// Takes over tiles of the map that became free or wall.
    pub fn follow(&mut self, grid: &Grid, changed: &[Tile]) {
        for &tile in changed {
            let was_free = self.labels.map().is_free(tile);
            let differs = was_free != grid.is_free(tile);
            let opened = usize::from(!was_free);
            if differs && self.changed.insert(tile) {
                self.opened += opened;
            } else if !differs && self.changed.remove(&tile) {
                self.opened -= opened;
            }
        }
        self.now.update(grid, changed);
    }

    /// The shortest walk between two points, if the labels know it; quickest between the centres of tiles.
    pub fn find_into(
        &self,
        start: Point,
        goal: Point,
        scratch: &mut AngleScratch,
        walk: &mut Walk,
    ) -> LiveWalk {
        walk.points.clear();
        if !self.now.is_free(start) || !self.now.is_free(goal) {
            return LiveWalk::Unreachable;
        }
        if self.opened > 0 {
            return LiveWalk::Unknown;
        }
        let found = match start.as_centre().zip(goal.as_centre()) {
            Some((start, goal)) => self.labels.find_into(start, goal, scratch, walk),
            None => self.labels.find_between(start, goal, scratch, walk),
        };
        if !found {
            return LiveWalk::Unreachable;
        }
        if self.is_current() || walk.is_free(&self.now) {
            LiveWalk::Found
        } else {
            walk.points.clear();
            LiveWalk::Unknown
        }
    }
}

impl Walk {
    /// Whether all of it can be walked on this map.
    pub fn is_free(&self, map: &AnyAngle) -> bool {
        let free = self.points.iter().all(|&point| map.is_free(point));
        // A bend between two walls that touch there leads from one side to the other.
        let bends = self.points.get(1..self.points.len().saturating_sub(1)).unwrap_or(&[]);
        let is_shut = |at: &Point| {
            let on_corner = at.x % PARTS == 0 && at.y % PARTS == 0;
            on_corner && map.plane.is_shut(at.x / PARTS, at.y / PARTS)
        };
        let lines = || self.points.windows(2).all(|line| sees(&map.plane, line[0], line[1]));
        free && !bends.iter().any(is_shut) && lines()
    }
}

impl Table for LiveAngleLabels {
    type Options = LabelOptions;
    const NAME: &'static str = "anyangle-labels";
    const TAG: [u8; 4] = *b"anll";

    fn build(index: &Index, options: &LabelOptions) -> Result<LiveAngleLabels, Refused> {
        let labels = AngleLabels::build(index.grid(), options).map_err(Refused::because)?;
        Ok(LiveAngleLabels::new(labels))
    }

    fn repair(table: &mut Arc<Self>, index: &Index, edit: &mut Edit) -> TableState {
        if !edit.walls().is_empty() {
            Arc::make_mut(table).follow(index.grid(), edit.walls());
        }
        if table.is_current() { TableState::Current } else { TableState::Overlay }
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn write(&self, out: &mut Writer) {
        out.u64(self.changed.len() as u64);
        for tile in &self.changed {
            out.u16(tile.x);
            out.u16(tile.y);
        }
        self.labels.write_to(out);
    }

    fn read(
        from: &mut Reader<'_>,
        index: &Index,
        _: &LabelOptions,
    ) -> Result<LiveAngleLabels, WireError> {
        let count = from.count(4, "changed tiles")?;
        let mut changed = BTreeSet::new();
        for _ in 0..count {
            let tile = Tile::new(from.u16("column")?, from.u16("row")?);
            if index.grid().cell(tile).is_none() || !changed.insert(tile) {
                return Err(WireError::meaning("a changed tile that is none"));
            }
        }
        let now = index.grid();
        let is_free = |x: u32, y: u32| {
            let tile = Tile::new(x as u16, y as u16);
            now.is_free(tile) != changed.contains(&tile)
        };
        let before = Grid::from_fn(now.width(), now.height(), now.movement(), is_free)
            .map_err(|error| WireError::meaning(error.to_string()))?;
        let labels = AngleLabels::read(&before, from.rest())
            .map_err(|error| WireError::meaning(error.to_string()))?;
        let mut live = LiveAngleLabels::new(labels);
        live.follow(now, &changed.into_iter().collect::<Vec<_>>());
        Ok(live)
    }
}
