//! Labels as bytes and back ([`hubs`](crate::hubs) checks everything that a query relies on).

use super::Labels;
use crate::artifact::Writer;
use crate::cost::{Cost, LIMIT, octile};
use crate::grid::{Grid, Movement, Tile};
use crate::hubs::{Bad, HubStore, Lines};
use crate::taut::Sight;

/// Why bytes are not the labels of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelsReadError {
    /// The bytes end too early, go on too long or are of another version.
    #[error("labels: {0}")]
    Words(&'static str),
    /// They are not labels of this map.
    #[error("labels: made for another map or rule of movement")]
    Map,
    /// A tree is wrong.
    #[error("labels: bad hub tree at word {0}")]
    Tree(usize),
    /// A block is wrong.
    #[error("labels: bad block {0}")]
    Block(usize),
}

impl From<Bad> for LabelsReadError {
    fn from(bad: Bad) -> LabelsReadError {
        match bad {
            Bad::Words(what) => LabelsReadError::Words(what),
            Bad::Map => LabelsReadError::Map,
            Bad::Tree(word) => LabelsReadError::Tree(word),
            Bad::Block(block) => LabelsReadError::Block(block),
        }
    }
}

impl Labels {
    /// Appends the labels as bytes. The same labels always give the same bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::new();
        self.write_to(&mut writer);
        out.extend_from_slice(&writer.into_bytes());
    }

    /// The same, to a file perhaps.
    pub(super) fn write_to(&self, out: &mut Writer) {
        self.hubs.write(self.movement as u32, out);
    }

    /// How many bytes at the beginning are labels, by what their head says.
    pub(super) fn written_length(bytes: &[u8]) -> Option<usize> {
        HubStore::written_length(bytes)
    }

    /// The labels of a map from the bytes that [`Labels::write`] made.
    pub fn read(grid: &Grid, bytes: &[u8]) -> Result<Labels, LabelsReadError> {
        let size = (grid.width(), grid.height());
        let (hubs, movement) = HubStore::read(bytes, size)?;
        if movement != grid.movement() as u32 || grid.factors().is_some() {
            return Err(LabelsReadError::Map);
        }
        let labels = Labels { movement: grid.movement(), hubs, sight: Sight::new(grid) };
        labels.hubs.check(&Steps { labels: &labels })?;
        Ok(labels)
    }
}

/// Ways of steps from tile to tile.
struct Steps<'a> {
    labels: &'a Labels,
}

impl Steps<'_> {
    fn movement(&self) -> Movement {
        self.labels.movement
    }
}

impl Lines for Steps<'_> {
    type Length = Cost;

    fn is_corner(&self, corner: Tile) -> bool {
        self.labels.hubs.contains(corner) && self.labels.sight.is_free(corner)
    }

    fn line(&self, from: Tile, to: Tile) -> Option<Cost> {
        self.reaches(from, to).then(|| self.movement().estimate(from, to))
    }

    /// Whether both ways between two tiles are free.
    fn reaches(&self, a: Tile, b: Tile) -> bool {
        let Labels { hubs, sight, .. } = self.labels;
        hubs.contains(a) && hubs.contains(b) && sight.sees(a, b) && sight.sees_other_way(a, b)
    }

    fn stored(&self, length: Cost) -> u32 {
        length.get()
    }

    fn most(&self) -> u32 {
        let reach = octile(self.labels.hubs.width, self.labels.hubs.height);
        (LIMIT.get() / 2).saturating_sub(reach.get())
    }
}
