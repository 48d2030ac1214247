//! Labels of a changed map as bytes: the labels, then the tiles that differ from the map they
//! were made for. Where nothing differs, nothing follows, as in files from before there were
//! changes to follow.

use super::LiveLabels;
use crate::artifact::{Reader, WireError, Writer};
use crate::grid::{CellId, Grid, Tile};
use crate::labels::Labels;

impl LiveLabels {
    /// Writes everything that [`LiveLabels::read`] needs besides the map.
    pub(in crate::labels) fn write(&self, out: &mut Writer) {
        let mut bytes = Vec::new();
        self.labels.write(&mut bytes);
        out.raw(&bytes);
        if !self.is_current() {
            let differing = self.closed.iter().chain(self.opened.keys());
            let mut differing: Vec<u32> = differing.map(|cell| cell.index() as u32).collect();
            differing.sort_unstable();
            out.u32s(&differing);
        }
    }

    /// Reads labels and checks them against the map they were made for: this one with the
    /// differences undone.
    pub(in crate::labels) fn read(
        from: &mut Reader<'_>,
        grid: &Grid,
    ) -> Result<LiveLabels, WireError> {
        let rest = from.rest();
        let length = Labels::written_length(rest).unwrap_or(rest.len());
        let (labels, differing) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        let meaning = |error: &dyn std::fmt::Display| WireError::meaning(error.to_string());
        let read = |map: &Grid| Labels::read(map, labels).map_err(|error| meaning(&error));
        if differing.is_empty() {
            return Ok(LiveLabels::new(grid, read(grid)?));
        }
        let tiles = read_differing(differing, grid)?;
        let mut before = grid.clone();
        for &tile in &tiles {
            before.set_free(tile, !grid.is_free(tile));
        }
        let mut live = LiveLabels::new(&before, read(&before)?);
        live.follow(grid, &tiles);
        Ok(live)
    }
}

fn read_differing(bytes: &[u8], grid: &Grid) -> Result<Vec<Tile>, WireError> {
    let mut from = Reader::new(bytes);
    let cells = from.u32s("differing tiles")?;
    from.finish()?;
    let ascending = cells.windows(2).all(|pair| pair[0] < pair[1]);
    let inside = cells.last().is_some_and(|&last| (last as usize) < grid.tiles());
    if !ascending || !inside {
        return Err(WireError::meaning("differing tiles out of order or outside the map"));
    }
    Ok(cells.into_iter().map(|cell| grid.tile(CellId::from_index(cell as usize))).collect())
}
