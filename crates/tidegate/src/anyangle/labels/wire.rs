//! Labels of walks as bytes and back.

use super::super::AnyAngle;
use super::super::scan::sees;
use super::AngleLabels;
use super::blocks::stored;
use super::build::{MOST_BITS, reach};
use super::graph::{Span, point};
use crate::artifact::Writer;
use crate::cost::LIMIT;
use crate::grid::{Grid, Tile};
use crate::hubs::{Bad, HubStore, Lines};
use crate::labels::LabelsReadError;

impl AngleLabels {
    /// Appends the labels as bytes. The same labels always give the same bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::new();
        self.write_to(&mut writer);
        out.extend_from_slice(&writer.into_bytes());
    }

    /// The same, to a file perhaps.
    pub(in crate::anyangle) fn write_to(&self, out: &mut Writer) {
        self.hubs.write(self.bits, out);
    }

    /// The labels of a map from the bytes that [`AngleLabels::write`] made.
    pub fn read(grid: &Grid, bytes: &[u8]) -> Result<AngleLabels, LabelsReadError> {
        let (hubs, bits) = HubStore::read(bytes, (grid.width(), grid.height()))?;
        if !(1..=MOST_BITS).contains(&bits) {
            return Err(Bad::Words("lengths of unknown kind").into());
        }
        let labels =
            AngleLabels { hubs, angle: AnyAngle::new(grid), bits, lists: Default::default() };
        labels.hubs.check(&Straight(&labels))?;
        Ok(labels)
    }
}

/// Straight lines.
struct Straight<'a>(&'a AngleLabels);

impl Lines for Straight<'_> {
    type Length = Span;

    fn is_corner(&self, corner: Tile) -> bool {
        let (x, y) = (i32::from(corner.x), i32::from(corner.y));
        let plane = &self.0.angle.plane;
        x <= plane.width && y <= plane.height && plane.is_bend(x, y)
    }

    fn line(&self, from: Tile, to: Tile) -> Option<Span> {
        let (from, to) = (point(from), point(to));
        sees(&self.0.angle.plane, from, to).then(|| Span::between(from, to))
    }

    fn reaches(&self, tile: Tile, corner: Tile) -> bool {
        let plane = &self.0.angle.plane;
        let is_free = plane.is_free(tile.x.into(), tile.y.into());
        is_free && self.is_corner(corner) && sees(plane, tile.into(), point(corner))
    }

    fn stored(&self, length: Span) -> u32 {
        stored(length, self.0.bits)
    }

    fn most(&self) -> u32 {
        (LIMIT.get() / 2).saturating_sub(reach(self.0.hubs.width, self.0.hubs.height, self.0.bits))
    }
}
