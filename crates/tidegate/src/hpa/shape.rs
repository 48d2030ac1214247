//! How a map is cut into clusters, and clusters into larger ones. Pure arithmetic: the
//! shape depends on the size of the map and the options, never on its walls.
//!
//! The clusters of a level are numbered so that the children of every larger cluster
//! have consecutive numbers. So everything inside a cluster of any level is one range of
//! nodes on every level below, and a search that must stay inside compares two numbers.

use crate::grid::{Grid, Tile};

/// A rectangle of tiles: `x0 <= x < x1`, `y0 <= y < y1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) x0: u32,
    pub(crate) y0: u32,
    pub(crate) x1: u32,
    pub(crate) y1: u32,
}

impl Rect {
    pub(crate) fn width(&self) -> u32 {
        self.x1 - self.x0
    }

    pub(crate) fn height(&self) -> u32 {
        self.y1 - self.y0
    }

    /// The smallest rectangle around both tiles.
    pub(crate) fn around(a: Tile, b: Tile) -> Rect {
        let (x0, x1) = (a.x.min(b.x).into(), u32::from(a.x.max(b.x)) + 1);
        let (y0, y1) = (a.y.min(b.y).into(), u32::from(a.y.max(b.y)) + 1);
        Rect { x0, y0, x1, y1 }
    }

    /// The smallest rectangle around both.
    pub(crate) fn joined(&self, other: &Rect) -> Rect {
        Rect {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Grown by `margin` tiles on every side, inside the map.
    pub(crate) fn grown(&self, margin: u32, grid: &Grid) -> Rect {
        Rect {
            x0: self.x0.saturating_sub(margin),
            y0: self.y0.saturating_sub(margin),
            x1: self.x1.saturating_add(margin).min(grid.width()),
            y1: self.y1.saturating_add(margin).min(grid.height()),
        }
    }
}

/// The clusters of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
    side: u32,
    columns: u32,
    /// Number of the cluster in each place, in row order.
    number: Vec<u32>,
    /// Column and row of each cluster.
    place: Vec<(u32, u32)>,
    /// First child of each cluster in the layer below, and the end; empty at the bottom.
    children: Vec<u32>,
}

/// All layers of clusters over a map, the smallest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    width: u32,
    height: u32,
    layers: Vec<Layer>,
}

impl Shape {
    /// Cuts a map into clusters of `side` x `side` tiles, and groups `factor` x `factor`
    /// clusters into one of the next level. Clusters at the right and lower edge are
    /// smaller where the side does not divide the map.
    pub(crate) fn new(grid: &Grid, side: u32, factor: u32, levels: usize) -> Shape {
        let (width, height) = (grid.width(), grid.height());
        let sides: Vec<u32> =
            std::iter::successors(Some(side), |s| Some(s.saturating_mul(factor).min(1 << 20)))
                .take(levels)
                .collect();
        let mut layers: Vec<Layer> = Vec::with_capacity(levels);
        // From the top down, because the order above decides the order below.
        for &side in sides.iter().rev() {
            let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
            let mut layer = Layer {
                side,
                columns,
                number: vec![0; columns as usize * rows as usize],
                place: Vec::with_capacity(columns as usize * rows as usize),
                children: Vec::new(),
            };
            match layers.last_mut() {
                None => layer.add(0, 0, columns, rows),
                Some(above) => {
                    above.children.reserve_exact(above.place.len() + 1);
                    for &(column, row) in &above.place {
                        above.children.push(layer.place.len() as u32);
                        let (c, r) = (column * factor, row * factor);
                        layer.add(c, r, (c + factor).min(columns), (r + factor).min(rows));
                    }
                    above.children.push(layer.place.len() as u32);
                }
            }
            layers.push(layer);
        }
        layers.reverse();
        Shape { width, height, layers }
    }

    pub(crate) fn layer(&self, level: usize) -> &Layer {
        &self.layers[level]
    }

    pub(crate) fn levels(&self) -> usize {
        self.layers.len()
    }

    /// The tiles of a cluster.
    pub(crate) fn rect(&self, level: usize, cluster: u32) -> Rect {
        let layer = &self.layers[level];
        let (column, row) = layer.place[cluster as usize];
        let (x0, y0) = (column * layer.side, row * layer.side);
        Rect {
            x0,
            y0,
            x1: (x0 + layer.side).min(self.width),
            y1: (y0 + layer.side).min(self.height),
        }
    }

    /// Bytes held on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let layer =
            |l: &Layer| 4 * (l.number.capacity() + l.children.capacity()) + 8 * l.place.capacity();
        let layers: usize = self.layers.iter().map(layer).sum();
        layers + self.layers.capacity() * size_of::<Layer>()
    }
}

impl Layer {
    /// Numbers the clusters of a block of places, row by row.
    fn add(&mut self, column0: u32, row0: u32, column1: u32, row1: u32) {
        for row in row0..row1 {
            for column in column0..column1 {
                self.number[(row * self.columns + column) as usize] = self.place.len() as u32;
                self.place.push((column, row));
            }
        }
    }

    /// How many clusters there are.
    pub(crate) fn clusters(&self) -> usize {
        self.place.len()
    }

    pub(crate) fn side(&self) -> u32 {
        self.side
    }

    /// The cluster that holds a tile.
    #[inline]
    pub(crate) fn cluster_of(&self, tile: Tile) -> u32 {
        let (column, row) = (u32::from(tile.x) / self.side, u32::from(tile.y) / self.side);
        self.number[(row * self.columns + column) as usize]
    }

    /// Column and row of a cluster.
    pub(crate) fn place(&self, cluster: u32) -> (u32, u32) {
        self.place[cluster as usize]
    }

    /// The clusters beside this one, up to four.
    pub(crate) fn beside(&self, cluster: u32) -> impl Iterator<Item = u32> + use<'_> {
        let (column, row) = self.place(cluster);
        let rows = self.number.len() as u32 / self.columns;
        let places = [(1, 0), (0, 1), (u32::MAX, 0), (0, u32::MAX)];
        let places = places.map(|(dx, dy)| (column.wrapping_add(dx), row.wrapping_add(dy)));
        let inside = move |&(column, row): &(u32, u32)| column < self.columns && row < rows;
        let number = |(column, row)| self.number[(row * self.columns + column) as usize];
        places.into_iter().filter(inside).map(number)
    }

    /// This cluster and those around it, so many rings of them.
    pub(crate) fn around(&self, cluster: u32, rings: u32) -> impl Iterator<Item = u32> + use<'_> {
        let (column, row) = self.place(cluster);
        let rows = self.number.len() as u32 / self.columns;
        let near = move |at: u32, end: u32| at.saturating_sub(rings)..(at + rings + 1).min(end);
        near(row, rows).flat_map(move |row| {
            near(column, self.columns)
                .map(move |column| self.number[(row * self.columns + column) as usize])
        })
    }

    /// The clusters of the layer below inside this one.
    pub(crate) fn children(&self, cluster: u32) -> std::ops::Range<usize> {
        let first = cluster as usize;
        self.children[first] as usize..self.children[first + 1] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes that nothing divides: every tile lies in exactly one cluster per level, and
    /// in a child of its own parent.
    #[test]
    fn clusters_cover_the_map_and_nest() {
        for (width, height, side, factor) in [(23, 17, 5, 2), (1, 40, 3, 3), (64, 64, 8, 2)] {
            let grid = Grid::from_fn(width, height, Default::default(), |_, _| true).unwrap();
            let shape = Shape::new(&grid, side, factor, 3);
            for level in 0..3 {
                let mut covered = 0;
                for cluster in 0..shape.layer(level).clusters() as u32 {
                    let rect = shape.rect(level, cluster);
                    covered += rect.width() * rect.height();
                    let corner = Tile::new(rect.x0 as u16, rect.y0 as u16);
                    assert_eq!(shape.layer(level).cluster_of(corner), cluster);
                    if level > 0 {
                        for child in shape.layer(level).children(cluster) {
                            let inner = shape.rect(level - 1, child as u32);
                            assert_eq!(inner.joined(&rect), rect);
                        }
                    }
                }
                assert_eq!(covered, width * height);
            }
        }
    }
}
