//! A decomposition in the index file: its lines, from which all else follows.
#![warn(clippy::arithmetic_side_effects)]

use super::{Decomposition, GateLine, Method, Source};
use crate::artifact::{Reader, WireError, Writer};
use crate::grid::{Grid, Tile};

const METHODS: [Method; 3] = [Method::Water, Method::Rooms, Method::Given];
const SOURCES: [Source; 2] = [Source::Automatic, Source::Manual];

impl Decomposition {
    /// Writes the lines and how they were found.
    pub(crate) fn write_lines(&self, out: &mut Writer) {
        let method = METHODS.iter().position(|&m| m == self.method).unwrap_or(0);
        out.u8(method as u8);
        out.u32(self.raw_gates);
        out.u64(self.gates.len() as u64);
        for line in self.lines() {
            for tile in [line.a(), line.b()] {
                out.u16(tile.x);
                out.u16(tile.y);
            }
            out.u8(SOURCES.iter().position(|&s| s == line.source()).unwrap_or(0) as u8);
        }
    }

    /// Reads lines and makes the decomposition again, which checks them against the map.
    pub(crate) fn read_lines(
        from: &mut Reader<'_>,
        grid: &Grid,
    ) -> Result<Decomposition, WireError> {
        let method = METHODS.get(usize::from(from.u8("method")?)).copied();
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
            lines.push(GateLine::new(a, b, source));
        }
        let made = Decomposition::from_gates(grid, lines)
            .map_err(|error| WireError::meaning(error.to_string()))?;
        Ok(Decomposition { method, raw_gates, ..made })
    }
}
