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
        self.labels.write_to(out);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::{Sections, open};
    use crate::cost::INFINITY;
    use crate::index::{Index, Query, Scratch, Table, TableOptions};
    use crate::labels::live::live_tests::{check, edited_maps};
    use crate::labels::{LabelEngine, LabelOptions, LiveAnswer, LiveScratch};
    use crate::path::Path;
    use crate::rng::Rng;
    use crate::taut::exact_tests::dijkstra;

    fn section(live: &LiveLabels) -> Vec<u8> {
        let mut out = Writer::new();
        Table::write(live, &mut out);
        out.into_bytes()
    }

    /// Written and read again: the same answers, in an index too, where a search answers what
    /// the labels do not know.
    #[test]
    fn a_file_holds_the_changes() {
        let (mut shorter, mut searched) = (0, 0);
        edited_maps(60, (6, 20), |_, _, grid, live, rng| {
            let bytes = section(live);
            let read = LiveLabels::read(&mut Reader::new(&bytes), grid).unwrap();
            assert_eq!(section(&read), bytes);
            assert_eq!((read.closed(), read.opened()), (live.closed(), live.opened()));
            shorter += check(grid, &read, rng, 3).shorter;
            let map = Index::new(grid.clone()).to_bytes();
            let (fingerprint, sections) = open(&map).unwrap();
            let mut file = Sections::default();
            file.add(sections[0].0, |out| out.raw(sections[0].1));
            file.add(LiveLabels::TAG, |out| {
                LabelOptions::default().write(out);
                out.raw(&bytes);
            });
            let engines: [&dyn crate::index::Engine; 1] = [&LabelEngine];
            let index = Index::from_bytes_with(&file.into_bytes(fingerprint), &engines).unwrap();
            let (mut scratch, mut path) = (Scratch::new(), Path::new());
            let free: Vec<CellId> = grid.free_cells().collect();
            for &s in free.iter().take(3) {
                let truth = dijkstra(grid, s);
                for &t in &free {
                    let query = Query::new(grid.tile(s), grid.tile(t));
                    let answer = index.find(&LabelEngine, &query, &mut scratch, &mut path).unwrap();
                    assert_eq!(answer.cost().unwrap_or(INFINITY), truth[t.index()]);
                    searched += usize::from(answer.stats.expanded > 0 && answer.cost().is_some());
                }
            }
        });
        assert!(shorter > 1000 && searched > 1000, "{shorter} {searched}");
    }

    /// Bytes that someone changed are refused or give legal paths of the cost stated.
    #[test]
    fn changed_bytes_do_no_harm() {
        let mut rng = Rng::new(8);
        let (mut refused, mut taken) = (0, 0);
        edited_maps(30, (6, 12), |_, _, grid, live, _| {
            let bytes = section(live);
            let length = Labels::written_length(&bytes).unwrap();
            for _ in 0..60 {
                let mut other = bytes.clone();
                let from = if rng.chance(70) { length.min(other.len() - 1) } else { 0 };
                let at = from + rng.below(other.len() - from);
                match rng.below(3) {
                    0 => other[at] ^= 1 << rng.below(8),
                    1 => other.truncate(at),
                    _ => other[at] = rng.bits() as u8,
                }
                let Ok(live) = LiveLabels::read(&mut Reader::new(&other), grid) else {
                    refused += 1;
                    continue;
                };
                taken += 1;
                let (mut scratch, mut path) = (LiveScratch::new(), Path::new());
                let free: Vec<CellId> = grid.free_cells().collect();
                for _ in 0..30 {
                    let (Some(&a), Some(&b)) = (rng.pick(&free), rng.pick(&free)) else { continue };
                    let (a, b) = (grid.tile(a), grid.tile(b));
                    if let LiveAnswer::Found(cost) = live.path(grid, a, b, &mut scratch, &mut path)
                    {
                        path.check_answer(grid, a, b, cost).unwrap();
                    }
                }
            }
        });
        assert!(refused > 100 && taken > 100, "{refused} {taken}");
    }

    /// Which tiles differ is told in order, each once, and all lie on the map.
    #[test]
    fn differing_tiles_are_checked() {
        let grid = Grid::from_rows(&["...", "..."]).unwrap();
        let read = |cells: &[u32]| {
            let mut out = Writer::new();
            out.u32s(cells);
            read_differing(&out.into_bytes(), &grid).ok()
        };
        assert_eq!(read(&[0, 2, 5]), Some(vec![Tile::new(0, 0), Tile::new(2, 0), Tile::new(2, 1)]));
        for wrong in [&[][..], &[2, 2], &[3, 1], &[6], &[0, 1, 7]] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
