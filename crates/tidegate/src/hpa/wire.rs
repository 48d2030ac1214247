//! The graph as a section of the index file: flat arrays, checked before use. In the file
//! nodes are counted without gaps; in memory every cluster has a range of numbers.
#![warn(clippy::arithmetic_side_effects)]

use super::level::{Edge, Level};
use super::shape::Shape;
use super::trees::{self, NO_HOP};
use super::{Hpa, Options, new_revision};
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::Cost;
use crate::grid::{Grid, Tile};

impl Hpa {
    /// Writes the levels; options and shape follow from the engine and the map.
    pub(crate) fn write(&self, out: &mut Writer) {
        let mut lower: Option<FileNumbers> = None;
        for (index, level) in self.levels.iter().enumerate() {
            let numbers = FileNumbers::of(level);
            out.u32s(&numbers.first);
            let place = |&node: &u32| {
                let tile = level.tile[node as usize];
                u32::from(tile.y) << 16 | u32::from(tile.x)
            };
            out.u32s(&numbers.nodes.iter().map(place).collect::<Vec<_>>());
            let below = numbers.nodes.iter().map(|&node| level.below[node as usize]);
            let in_file = |below| lower.as_ref().map_or(below, |lower| lower.in_file(below));
            out.u32s(&below.map(in_file).collect::<Vec<_>>());
            let mut end = 0_u32;
            let ends = numbers.nodes.iter().map(|&node| {
                end = end.saturating_add(level.edges(node).len() as u32);
                end
            });
            out.u32s(&std::iter::once(0).chain(ends).collect::<Vec<_>>());
            let edges = numbers.nodes.iter().flat_map(|&node| level.edges(node));
            let edges = edges.flat_map(|e| [numbers.in_file(e.to), e.cost.get()]);
            out.u32s(&edges.collect::<Vec<_>>());
            out.u8(level.trees.is_some().into());
            if level.trees.is_some() {
                self.write_ways(index, lower.as_ref(), out);
            }
            lower = Some(numbers);
        }
    }

    fn write_ways(&self, index: usize, lower: Option<&FileNumbers>, out: &mut Writer) {
        let level = &self.levels[index];
        let (mut starts, mut bytes) = (vec![0], Vec::new());
        for (cluster, rows) in level.trees.iter().flat_map(|t| &t.rows).enumerate() {
            match lower {
                None => bytes.extend(rows),
                Some(lower) => {
                    let children = self.shape.layer(index).children(cluster as u32);
                    let (first, _) = lower.inside(&children);
                    let base = self.levels[index.saturating_sub(1)].numbers_of(children).start;
                    let hops = hops(rows).map(|hop| {
                        let to = base.saturating_add(hop.into());
                        let place = || lower.in_file(to).saturating_sub(first) as u16;
                        if hop == NO_HOP { NO_HOP } else { place() }
                    });
                    trees::push_hops(&mut bytes, hops);
                }
            }
            starts.push(bytes.len() as u64);
        }
        out.u64(starts.len() as u64);
        starts.iter().for_each(|&start| out.u64(start));
        out.u64(bytes.len() as u64);
        out.raw(&bytes);
    }

    /// Reads the graph of a map by these options and checks it.
    pub(crate) fn read(
        from: &mut Reader<'_>,
        grid: &Grid,
        options: &Options,
    ) -> Result<Hpa, WireError> {
        let former = options.former_levels_for(grid);
        let mut whole = from.clone();
        let read = Hpa::read_levels(&mut whole, grid, options, options.levels_for(grid));
        // A file of before has fewer levels, so it ends where the next one should begin.
        if matches!(read, Err(WireError::Short { .. })) && former < options.levels_for(grid) {
            return Hpa::read_levels(from, grid, options, former);
        }
        *from = whole;
        read
    }

    fn read_levels(
        from: &mut Reader<'_>,
        grid: &Grid,
        options: &Options,
        levels: usize,
    ) -> Result<Hpa, WireError> {
        let shape = Shape::new(grid, options.cluster, options.factor, levels);
        let levels = Vec::with_capacity(shape.levels());
        let (revision, uniform) = (new_revision(), grid.factors().is_none());
        let mut hpa = Hpa { options: *options, shape, levels, revision, uniform };
        let mut lower = None;
        for index in 0..hpa.shape.levels() {
            let mut level = hpa.empty_level(index);
            let numbers = read_graph(from, &mut level, lower.as_ref())?;
            hpa.read_ways(from, index, &mut level, lower.as_ref())?;
            hpa.levels.push(level);
            lower = Some(numbers);
            let above = index.saturating_add(1);
            if above < hpa.shape.levels() {
                let clusters = 0..hpa.shape.layer(above).clusters() as u32;
                hpa.set_places(above, &clusters.collect::<Vec<_>>());
            }
        }
        hpa.check(grid).map_err(|error| WireError::meaning(error.to_string()))?;
        Ok(hpa)
    }

    fn read_ways(
        &self,
        from: &mut Reader<'_>,
        index: usize,
        level: &mut Level,
        lower: Option<&FileNumbers>,
    ) -> Result<(), WireError> {
        let Some(trees) = &mut level.trees else {
            return if from.u8("ways")? == 0 { Ok(()) } else { Err(misfit()) };
        };
        if from.u8("ways")? != 1 || from.count(8, "rows")? != trees.rows.len().saturating_add(1) {
            return Err(misfit());
        }
        let starts = (0..=trees.rows.len()).map(|_| from.u64("rows"));
        let starts = starts.collect::<Result<Vec<u64>, _>>()?;
        let count = from.count(1, "ways")?;
        let bytes = from.raw(count, "ways")?;
        for (cluster, ends) in starts.windows(2).enumerate() {
            let rows = bytes.get(ends[0] as usize..ends[1] as usize).ok_or_else(misfit)?;
            trees.rows[cluster] = match lower {
                None => rows.to_vec(),
                Some(lower) => {
                    let children = self.shape.layer(index).children(cluster as u32);
                    let base = self.levels[index.saturating_sub(1)].numbers_of(children.clone());
                    let (_, nodes) = lower.inside(&children);
                    let in_memory = |hop: u16| {
                        let to = nodes.get(usize::from(hop));
                        let number = to.map(|to| to.saturating_sub(base.start) as u16);
                        if hop == NO_HOP { Ok(NO_HOP) } else { number.ok_or_else(misfit) }
                    };
                    let hops = hops(rows).map(in_memory).collect::<Result<Vec<u16>, _>>()?;
                    let mut rows = Vec::with_capacity(rows.len());
                    trees::push_hops(&mut rows, hops.into_iter());
                    rows
                }
            };
        }
        let whole = starts.first() == Some(&0) && starts.last() == Some(&(bytes.len() as u64));
        if whole { Ok(()) } else { Err(misfit()) }
    }
}

fn misfit() -> WireError {
    WireError::meaning("nodes, edges and ways do not fit their clusters")
}

/// All entries of rows of nodes.
fn hops(rows: &[u8]) -> impl Iterator<Item = u16> + use<'_> {
    (0..rows.len() as u32 / 2).map(|place| trees::hop(rows, place))
}

/// How the nodes of a level are counted in a file.
struct FileNumbers {
    /// The nodes in order.
    nodes: Vec<u32>,
    /// By cluster: how many nodes come before its own; and the end.
    first: Vec<u32>,
    /// By number in memory, if it is a node.
    place: Vec<u32>,
}

impl FileNumbers {
    fn of(level: &Level) -> FileNumbers {
        let nodes: Vec<u32> = level.clusters().flat_map(|c| level.cluster(c)).collect();
        let mut place = vec![0; level.numbers() as usize];
        (0..).zip(&nodes).for_each(|(i, &node)| place[node as usize] = i);
        let mut end = 0_u32;
        let ends = level.count.iter().map(|&count| {
            end = end.saturating_add(count);
            end
        });
        FileNumbers { nodes, first: std::iter::once(0).chain(ends).collect(), place }
    }

    fn in_file(&self, node: u32) -> u32 {
        self.place[node as usize]
    }

    /// The nodes of a run of clusters, and how many come before them.
    fn inside(&self, clusters: &std::ops::Range<usize>) -> (u32, &[u32]) {
        let (from, to) = (self.first[clusters.start], self.first[clusters.end]);
        (from, &self.nodes[from as usize..to as usize])
    }
}

/// Fills a level that has no nodes yet with nodes and edges.
fn read_graph(
    from: &mut Reader<'_>,
    level: &mut Level,
    lower: Option<&FileNumbers>,
) -> Result<FileNumbers, WireError> {
    let starts = from.u32s("clusters")?;
    let tiles = from.u32s("nodes")?;
    let below = from.u32s("nodes below")?;
    let edge_starts = from.u32s("edge starts")?;
    let edges = from.u32s("edges")?;
    let nodes = tiles.len();
    check_rising(&starts, level.count.len(), nodes)?;
    check_rising(&edge_starts, nodes, edges.len() / 2)?;
    if below.len() != nodes || !edges.len().is_multiple_of(2) {
        return Err(misfit());
    }
    for (cluster, ends) in starts.windows(2).enumerate() {
        let numbers = level.numbers_of(cluster..cluster.saturating_add(1));
        let count = ends[1].saturating_sub(ends[0]);
        if count >= numbers.end.saturating_sub(numbers.start) {
            return Err(misfit());
        }
        level.count[cluster] = count;
    }
    let numbers = FileNumbers::of(level);
    for (i, &node) in numbers.nodes.iter().enumerate() {
        let (slot, place) = (node as usize, tiles[i]);
        level.tile[slot] = Tile::new(place as u16, (place >> 16) as u16);
        level.below[slot] = match lower {
            None => below[i],
            Some(lower) => *lower.nodes.get(below[i] as usize).ok_or_else(misfit)?,
        };
        level.edge_start[slot] = edge_starts[i];
    }
    for (cluster, ends) in starts.windows(2).enumerate() {
        let [first, end] = [ends[0], ends[1]].map(|node| edge_starts[node as usize]);
        let slots = level.slots(cluster as u32);
        (level.edge_start[slots.start], level.edge_start[slots.end]) = (first, end);
        level.edge_room[cluster] = end.saturating_sub(first);
    }
    let edge = |e: &[u32]| {
        let to = *numbers.nodes.get(e[0] as usize).ok_or_else(misfit)?;
        Ok(Edge { to, cost: Cost::new(e[1]) })
    };
    level.edges = edges.chunks_exact(2).map(edge).collect::<Result<Vec<_>, WireError>>()?;
    level.edges.shrink_to_fit();
    Ok(numbers)
}

/// Checks that there are `count` numbers and the end, which start at 0, never fall and end
/// at `end`.
fn check_rising(numbers: &[u32], count: usize, end: usize) -> Result<(), WireError> {
    let ends = (numbers.first(), numbers.last().map(|&last| last as usize));
    let fits = numbers.len().checked_sub(1) == Some(count) && ends == (Some(&0), Some(end));
    if fits && numbers.is_sorted() { Ok(()) } else { Err(misfit()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Movement;
    use crate::hpa::HpaScratch;
    use crate::path::Path;
    use crate::rng::Rng;

    /// A graph of fewer levels, as they were built before, is read and answers.
    #[test]
    fn files_with_the_former_number_of_levels_are_read() {
        let options = Options::default();
        let mut rng = Rng::new(3);
        let (width, height) = (345, 40);
        let grid =
            Grid::from_fn(width, height, Movement::default(), |_, _| !rng.chance(12)).unwrap();
        assert_eq!((options.former_levels_for(&grid), options.levels_for(&grid)), (1, 2));
        for levels in [1, 2] {
            let built = Hpa::build(&grid, &Options { levels: Some(levels), ..options }).unwrap();
            let mut out = Writer::new();
            built.write(&mut out);
            let bytes = out.into_bytes();
            let mut from = Reader::new(&bytes);
            let read = Hpa::read(&mut from, &grid, &options).unwrap();
            from.finish().unwrap();
            assert_eq!(read.levels.len(), levels as usize);
            let (mut scratch, mut path, mut again) = (HpaScratch::new(), Path::new(), Path::new());
            let free: Vec<Tile> = grid.free_cells().map(|cell| grid.tile(cell)).collect();
            for n in 0..40 {
                let (a, b) = (free[n * 97 % free.len()], free[free.len() - 1 - n * 61]);
                let first = built.planner(&grid).find(a, b, &mut scratch, &mut path);
                assert_eq!(read.planner(&grid).find(a, b, &mut scratch, &mut again), first);
                assert_eq!(path, again);
            }
            // Cut off, it is refused all the same.
            for cut in [1, bytes.len() / 3, bytes.len() / 2] {
                let cut = &bytes[..bytes.len() - cut];
                assert!(Hpa::read(&mut Reader::new(cut), &grid, &options).is_err());
            }
        }
    }
}
