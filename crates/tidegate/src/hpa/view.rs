//! The graph as it can be drawn: clusters, nodes and edges of every level, and the abstract
//! path of the last query.

use super::{Hpa, HpaScratch};
use crate::grid::Tile;

/// One level of a graph, for those who want to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelView {
    /// Side of its clusters in tiles.
    pub side: u32,
    /// Left, top, right and bottom of every cluster; right and bottom are past the end.
    pub clusters: Vec<[u32; 4]>,
    /// Where its nodes stand.
    pub nodes: Vec<Tile>,
    /// Pairs of nodes joined by a step between clusters, each once.
    pub inter: Vec<(u32, u32)>,
    /// Pairs of nodes joined by a way inside their cluster, each once.
    pub intra: Vec<(u32, u32)>,
}

impl Hpa {
    /// All levels, the lowest first.
    ///
    /// ```
    /// use tidegate::{Grid, hpa::{Hpa, Options}};
    /// let grid = Grid::from_rows(&["......", "......", "......"]).unwrap();
    /// let hpa = Hpa::build(&grid, &Options { cluster: 3, ..Options::default() }).unwrap();
    /// let levels = hpa.view();
    /// assert_eq!(levels[0].clusters, [[0, 0, 3, 3], [3, 0, 6, 3]]);
    /// assert_eq!(levels[0].nodes.len(), 2 * levels[0].inter.len());
    /// ```
    pub fn view(&self) -> Vec<LevelView> {
        (0..self.levels.len()).map(|level| self.view_of(level)).collect()
    }

    fn view_of(&self, number: usize) -> LevelView {
        let (layer, level) = (self.shape.layer(number), &self.levels[number]);
        let clusters = 0..layer.clusters() as u32;
        let rect = |cluster| {
            let rect = self.shape.rect(number, cluster);
            [rect.x0, rect.y0, rect.x1, rect.y1]
        };
        let (mut nodes, mut inter, mut intra) = (Vec::new(), Vec::new(), Vec::new());
        // The place of every node in the list.
        let mut place = vec![0; level.numbers() as usize];
        for number in clusters.clone().flat_map(|cluster| level.cluster(cluster)) {
            place[number as usize] = nodes.len() as u32;
            nodes.push(level.tile[number as usize]);
        }
        for cluster in clusters.clone() {
            let inside = level.cluster(cluster);
            for node in inside.clone() {
                for edge in level.edges(node).iter().filter(|edge| node < edge.to) {
                    let list = if inside.contains(&edge.to) { &mut intra } else { &mut inter };
                    list.push((place[node as usize], place[edge.to as usize]));
                }
            }
        }
        LevelView {
            side: layer.side(),
            clusters: clusters.map(rect).collect(),
            nodes,
            inter,
            intra,
        }
    }
}

impl HpaScratch {
    /// The abstract path of the last query answered on this graph: the level its nodes are
    /// on (`None`: one search over tiles) and where they stand, from the start's side to the
    /// goal's.
    pub fn abstract_path(&self, hpa: &Hpa) -> (Option<usize>, Vec<Tile>) {
        let level = self.route.level.filter(|&level| level < hpa.levels.len());
        let tiles = level.map(|level| {
            let tile = |&node: &u32| hpa.levels[level].tile.get(node as usize).copied();
            self.route.nodes.iter().filter_map(tile).collect()
        });
        (level, tiles.unwrap_or_default())
    }
}
