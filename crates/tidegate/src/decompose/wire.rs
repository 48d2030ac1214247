//! A decomposition in the index file: its lines, from which all else follows but numbers.
//!
//! Numbers are written only where they are not those that the lines give, after the map was
//! changed: then the method's byte has [`NUMBERED`] set, and after the lines come, for gates
//! and for zones, how many numbers there are and for each its position among those that are
//! there, from 1, or 0 if it is gone. Positions of zones are by the row order of first tiles.
#![warn(clippy::arithmetic_side_effects)]

use super::numbering::Matching;
use super::{Decomposition, GateId, GateLine, Method, Source, ZoneId};
use crate::artifact::{Reader, WireError, Writer};
use crate::grid::{Grid, Tile};

const METHODS: [Method; 3] = [Method::Water, Method::Rooms, Method::Given];
/// The bit that says that numbers follow.
const NUMBERED: u8 = 0x80;
const SOURCES: [Source; 2] = [Source::Automatic, Source::Manual];

impl Decomposition {
    /// What [`Decomposition::write_lines`] writes where there are no gates.
    pub(crate) fn write_no_lines((method, raw_gates): (Method, u32), out: &mut Writer) {
        let method = METHODS.iter().position(|&m| m == method).unwrap_or(0);
        out.u8(method as u8);
        out.u32(raw_gates);
        out.u64(0);
    }

    /// Writes the lines, how they were found, and the numbers if need be.
    pub(crate) fn write_lines(&self, out: &mut Writer) {
        let method = METHODS.iter().position(|&m| m == self.method).unwrap_or(0);
        let numbered = if self.is_numbered_in_order() { 0 } else { NUMBERED };
        out.u8(method as u8 | numbered);
        out.u32(self.raw_gates);
        out.u64(self.live_gates().count() as u64);
        for line in self.lines() {
            for tile in [line.a(), line.b()] {
                out.u16(tile.x);
                out.u16(tile.y);
            }
            out.u8(SOURCES.iter().position(|&s| s == line.source()).unwrap_or(0) as u8);
        }
        if numbered != 0 {
            let order = self.numbered_in_order().1;
            let position = |at: Option<usize>| at.map_or(0, |at| (at as u32).saturating_add(1));
            let gates = self.gates.iter().map(|g| position(order.gate(g.id).map(GateId::index)));
            out.u32s(&gates.collect::<Vec<u32>>());
            let zones = self.zones.iter().map(|z| position(order.zone(z.id).map(ZoneId::index)));
            out.u32s(&zones.collect::<Vec<u32>>());
        }
    }

    /// Reads lines and makes the decomposition again, which checks them against the map.
    pub(crate) fn read_lines(
        from: &mut Reader<'_>,
        grid: &Grid,
    ) -> Result<Decomposition, WireError> {
        let method = from.u8("method")?;
        let numbered = method & NUMBERED != 0;
        let method = METHODS.get(usize::from(method & !NUMBERED)).copied();
        let method = method.ok_or_else(|| WireError::meaning("unknown method"))?;
        let raw_gates = from.u32("raw gates")?;
        let count = from.count(9, "gates")?;
        let tile = |from: &mut Reader<'_>| {
            Ok::<_, WireError>(Tile::new(from.u16("gate")?, from.u16("gate")?))
        };
        let mut lines = Vec::with_capacity(count);
        for _ in 0..count {
            let (a, b) = (tile(from)?, tile(from)?);
            let source = SOURCES.get(usize::from(from.u8("source")?)).copied();
            let source = source.ok_or_else(|| WireError::meaning("unknown source of a gate"))?;
            let line = GateLine::new(a, b, source);
            if line.a() != a {
                return Err(WireError::meaning("the ends of a gate are not in row order"));
            }
            lines.push(line);
        }
        let made = Decomposition::from_gates(grid, lines)
            .map_err(|error| WireError::meaning(error.to_string()))?;
        let made = Decomposition { method, raw_gates, ..made };
        if !numbered {
            return Ok(made);
        }
        let gates = read_numbers(from, made.gates.len(), "gate numbers")?;
        if !gates.iter().flatten().is_sorted() {
            return Err(WireError::meaning("gates are not in the order of their numbers"));
        }
        let zones = read_numbers(from, made.zones.len(), "zone numbers")?;
        let matching = Matching::from_numbers(&zones, &gates);
        Ok(made.renumbered(&matching, zones.len(), gates.len()))
    }
}

/// For every number the position it stands for; each of `count` positions stands once.
fn read_numbers(
    from: &mut Reader<'_>,
    count: usize,
    what: &'static str,
) -> Result<Vec<Option<usize>>, WireError> {
    let mut seen = vec![false; count];
    let mut numbers = Vec::new();
    for number in from.u32s(what)? {
        let position = (number as usize).checked_sub(1);
        let seen = position.map(|at| seen.get_mut(at));
        if seen.is_some_and(|seen| seen.is_none_or(|seen| std::mem::replace(seen, true))) {
            return Err(WireError::meaning("a number of a zone or gate is wrong"));
        }
        numbers.push(position);
    }
    if seen.contains(&false) {
        return Err(WireError::meaning("a zone or gate has no number"));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompose::WaterOptions;
    use crate::grid::Movement;
    use crate::rng::Rng;

    fn written(parts: &Decomposition) -> Vec<u8> {
        let mut out = Writer::new();
        parts.write_lines(&mut out);
        out.into_bytes()
    }

    fn read(bytes: &[u8], grid: &Grid) -> Result<Decomposition, WireError> {
        let mut from = Reader::new(bytes);
        let parts = Decomposition::read_lines(&mut from, grid)?;
        from.finish()?;
        Ok(parts)
    }

    #[test]
    fn a_gate_is_told_in_one_way_alone() {
        let grid = Grid::from_rows(&[".....", ".....", "....."]).unwrap();
        let line = GateLine::new(Tile::new(2, 0), Tile::new(2, 2), Source::Manual);
        let parts = Decomposition::from_gates(&grid, [line]).unwrap();
        let mut bytes = written(&parts);
        assert_eq!(read(&bytes, &grid), Ok(parts));
        // Behind the method and two counts: four bytes for each end.
        let (a, b) = bytes[13..21].split_at_mut(4);
        a.swap_with_slice(b);
        let error = read(&bytes, &grid).unwrap_err().to_string();
        assert!(error.contains("row order"), "{error}");
    }

    #[test]
    fn numbers_with_gaps_come_back_and_wrong_ones_are_refused() {
        let mut grid =
            Grid::from_fn(40, 40, Movement::default(), |x, y| (x / 2 + y / 3) % 7 != 0).unwrap();
        let mut parts = Decomposition::water(&grid, &WaterOptions::raw());
        assert_eq!(read(&written(&parts), &grid), Ok(parts.clone()));
        let (mut rng, mut gaps, mut refused) = (Rng::new(3), 0, 0);
        for _ in 0..200 {
            let tile = Tile::new(rng.below(40) as u16, rng.below(40) as u16);
            grid.set_free(tile, !grid.is_free(tile));
            parts.follow(&grid, &[tile]);
            let bytes = written(&parts);
            assert_eq!(read(&bytes, &grid).as_ref(), Ok(&parts));
            if bytes[0] & NUMBERED != 0 {
                gaps += 1;
                // Any other number makes two alike or leaves one out.
                let numbers = 4 * parts.zones.len();
                let mut spoiled = bytes.clone();
                let at = bytes.len() - numbers + 4 * rng.below(parts.zones.len());
                spoiled[at] = spoiled[at].wrapping_add(1);
                refused += usize::from(read(&spoiled, &grid).is_err());
                assert!(read(&bytes[..bytes.len() - 1], &grid).is_err());
            }
        }
        assert!(gaps > 50 && refused == gaps, "{gaps} with gaps, {refused} refused");
    }
}
