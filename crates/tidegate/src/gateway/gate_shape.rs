//! The shapes of gates, so that the distance from a tile to a gate costs the same for
//! a gate of a hundred tiles as for one of a single tile.

use crate::cost::Cost;
use crate::decompose::Decomposition;
use crate::grid::{Grid, Movement, Tile};

/// A straight run of tiles: a rectangle one tile wide, or a diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    low: Tile,
    high: Tile,
    slope: Slope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slope {
    /// All tiles of the rectangle from `low` to `high`.
    Rectangle,
    /// The diagonal from the upper left to the lower right corner of a square.
    Falling,
    /// The diagonal from the lower left to the upper right corner of a square.
    Rising,
}

impl Segment {
    /// The tile of the segment that is nearest on an empty map, whatever the rule of
    /// movement.
    #[inline]
    pub fn nearest(&self, tile: Tile) -> Tile {
        let clamp = |v: i32, low: u16, high: u16| v.clamp(low.into(), high.into()) as u16;
        let (x, y) = (i32::from(tile.x), i32::from(tile.y));
        let (low, high) = (self.low, self.high);
        match self.slope {
            Slope::Rectangle => Tile::new(clamp(x, low.x, high.x), clamp(y, low.y, high.y)),
            // Along a diagonal the cost falls until the column halfway between the
            // tile's column and the column in which the diagonal meets the tile's row.
            Slope::Falling => {
                let meets = i32::from(low.x) + y - i32::from(low.y);
                let at = clamp((x + meets) >> 1, low.x, high.x);
                Tile::new(at, low.y + (at - low.x))
            }
            Slope::Rising => {
                let meets = i32::from(low.x) + i32::from(high.y) - y;
                let at = clamp((x + meets) >> 1, low.x, high.x);
                Tile::new(at, high.y - (at - low.x))
            }
        }
    }

    /// The cost from a tile to the nearest tile of the segment on an empty map.
    #[inline]
    pub fn distance(&self, tile: Tile, movement: Movement) -> Cost {
        movement.estimate(tile, self.nearest(tile))
    }

    fn rectangle(tiles: &[Tile]) -> Segment {
        let (mut low, mut high) = (tiles[0], tiles[0]);
        for tile in tiles {
            low = Tile::new(low.x.min(tile.x), low.y.min(tile.y));
            high = Tile::new(high.x.max(tile.x), high.y.max(tile.y));
        }
        Segment { low, high, slope: Slope::Rectangle }
    }
}

/// For every gate, segments that cover its tiles.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GateShapes {
    segments: Vec<Segment>,
    /// By gate, and one more: where its segments begin.
    first: Vec<u32>,
}

impl GateShapes {
    /// The shapes of all gates. A straight gate is one segment, a diagonal one is its
    /// line and the stairs beside it.
    pub fn of(grid: &Grid, decomposition: &Decomposition) -> GateShapes {
        let mut shapes = GateShapes { segments: Vec::new(), first: vec![0] };
        for gate in decomposition.gates() {
            let tiles: Vec<Tile> = gate.tiles().iter().map(|&cell| grid.tile(cell)).collect();
            if !gate.is_gone() {
                shapes.cover(tiles);
            }
            shapes.first.push(shapes.segments.len() as u32);
        }
        shapes
    }

    /// The segments of a gate.
    #[inline]
    pub fn segments(&self, gate: usize) -> &[Segment] {
        &self.segments[self.first[gate] as usize..self.first[gate + 1] as usize]
    }

    /// The cost from a tile to the nearest tile of a gate on an empty map: never more
    /// than the truth.
    pub fn distance(&self, gate: usize, tile: Tile, movement: Movement) -> Cost {
        let costs = self.segments(gate).iter().map(|s| s.distance(tile, movement));
        costs.min().unwrap_or(Cost::ZERO)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.segments.len() * size_of::<Segment>() + self.first.len() * 4
    }

    fn cover(&mut self, mut tiles: Vec<Tile>) {
        let whole = Segment::rectangle(&tiles);
        if whole.low.x == whole.high.x || whole.low.y == whole.high.y {
            self.segments.push(whole);
            return;
        }
        // The ends tell which way a diagonal gate runs; each diagonal that holds some of
        // its tiles becomes a segment.
        let (a, b) = (tiles[0], tiles[tiles.len() - 1]);
        let falling = (a.x <= b.x) == (a.y <= b.y);
        let number = |t: Tile| {
            let (x, y) = (i32::from(t.x), i32::from(t.y));
            if falling { x - y } else { x + y }
        };
        tiles.sort_unstable_by_key(|&t| (number(t), t.x));
        for run in tiles.chunk_by(|&a, &b| number(a) == number(b)) {
            let slope = if falling { Slope::Falling } else { Slope::Rising };
            self.segments.push(Segment { slope, ..Segment::rectangle(run) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_tile_is_the_nearest_by_counting() {
        let tiles = |slope: Slope| -> Vec<Tile> {
            (0..=6)
                .map(|i| match slope {
                    Slope::Rectangle => Tile::new(5 + i, 9),
                    Slope::Falling => Tile::new(5 + i, 9 + i),
                    Slope::Rising => Tile::new(5 + i, 15 - i),
                })
                .collect()
        };
        for slope in [Slope::Rectangle, Slope::Falling, Slope::Rising] {
            let run = tiles(slope);
            let segment = Segment { slope, ..Segment::rectangle(&run) };
            for movement in Movement::ALL {
                for (x, y) in (0..24).flat_map(|x| (0..24).map(move |y| (x, y))) {
                    let tile = Tile::new(x, y);
                    let least = run.iter().map(|&t| movement.estimate(tile, t)).min().unwrap();
                    assert_eq!(segment.distance(tile, movement), least, "{slope:?} {tile:?}");
                }
            }
        }
    }
}
