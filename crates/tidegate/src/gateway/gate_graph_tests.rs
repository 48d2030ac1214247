//! Floods over the graph of gates against floods of the map.

use super::*;
use crate::cost::Factor;
use crate::decompose::{GateLine, Source, WaterOptions};
use crate::generate::{Kind, Options};
use crate::grid::{Direction, Movement, Tile};
use crate::rng::Rng;
use crate::search::GridSpace;

/// A small map of any kind, with gates by water or lines drawn at random.
fn case(seed: u64) -> (Grid, Decomposition) {
    let mut rng = Rng::new(seed);
    let (width, height) = (4 + rng.below(28) as u32, 4 + rng.below(28) as u32);
    let walls = *rng.pick(&[5, 15, 30]).unwrap_or(&0);
    let movement = Movement::ALL[rng.below(3)];
    let mut grid = Grid::from_fn(width, height, movement, |_, _| !rng.chance(walls)).unwrap();
    if rng.chance(25) {
        let factor = |_| Factor::from_hundredths(100 + 50 * rng.below(4) as u16).unwrap();
        grid = grid.clone().with_factors((0..grid.tiles()).map(factor).collect());
    }
    if rng.chance(25) {
        let made = Decomposition::water(&grid, &WaterOptions::default());
        return (grid, made);
    }
    let free: Vec<Tile> = grid.free_cells().map(|cell| grid.tile(cell)).collect();
    let mut lines: Vec<GateLine> = Vec::new();
    for _ in 0..1 + rng.below(10) {
        let Some(&start) = rng.pick(&free) else { break };
        let (dx, dy) = Direction::ALL[rng.below(8)].delta();
        let mut end = start;
        for _ in 0..rng.below(14) {
            let (x, y) = (i32::from(end.x) + dx, i32::from(end.y) + dy);
            if grid.is_free_at(x, y) {
                end = Tile::new(x as u16, y as u16);
            }
        }
        lines.push(GateLine::new(start, end, Source::Manual));
        if Decomposition::from_gates(&grid, lines.clone()).is_err() {
            lines.pop();
        }
    }
    let made = Decomposition::from_gates(&grid, lines).unwrap();
    (grid, made)
}

/// The tiles of the map that are not on one gate; on none if `gate` is `None`.
struct PlainSpace<'a> {
    grid: &'a Grid,
    decomposition: &'a Decomposition,
    gate: Option<Place>,
}

impl Space for PlainSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.grid.tiles()
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        GridSpace::new(self.grid).successors(node, NO_PARENT, |next, cost| {
            let place = self.decomposition.place(CellId::from_index(next as usize));
            if Some(place) != self.gate {
                visit(next, cost);
            }
        });
    }
}

/// What a flood of the map says of arriving at every gate: by gate and by where the last
/// step comes from (0: a gate, else a zone plus 1).
fn plain_arrivals(
    grid: &Grid,
    decomposition: &Decomposition,
    source: &Gate,
    scratch: &FloodScratch,
) -> Vec<Vec<Cost>> {
    let mut arrivals = Vec::new();
    for gate in decomposition.gates() {
        let mut costs = vec![INFINITY; decomposition.zones().len() + 1];
        for &tile in gate.tiles().iter().filter(|_| gate.id() != source.id()) {
            for (from, direction) in grid.neighbours(tile) {
                let place = decomposition.place(from);
                let reached = if place == Place::Gate(source.id()) {
                    Some(Cost::ZERO)
                } else {
                    scratch.cost(from.index() as u32)
                };
                let Some(cost) = reached.filter(|_| place != Place::Gate(gate.id())) else {
                    continue;
                };
                let kind = if let Place::Zone(zone) = place { zone.index() + 1 } else { 0 };
                costs[kind] = costs[kind].min(cost + grid.step_cost(from, tile, direction));
            }
        }
        arrivals.push(costs);
    }
    arrivals
}

#[test]
fn the_graph_has_the_costs_of_the_map() {
    let (mut plain, mut fast) = (FloodScratch::new(), FloodScratch::new());
    let (mut floods, mut open_zones, mut shut_zones) = (0, 0, 0);
    for seed in 0..400 {
        let (grid, parts) = case(seed);
        for most in [usize::MAX, 6, 0] {
            let graph = GateGraph::with_most(&grid, &parts, most);
            open_zones += graph.crossings.iter().filter(|crossing| crossing.is_none()).count();
            shut_zones += graph.crossings.iter().flatten().count();
            for gate in parts.gates() {
                let all = gate.zones().iter().map(|&zone| Some(zone)).chain([None]);
                for behind in all {
                    let space = PlainSpace {
                        grid: &grid,
                        decomposition: &parts,
                        gate: behind.map(|_| Place::Gate(gate.id())),
                    };
                    let mut sources = Vec::new();
                    for tile in gate.tiles() {
                        let node = tile.index() as u32;
                        match behind {
                            None => sources.push((node, Cost::ZERO)),
                            Some(zone) => space.successors(node, NO_PARENT, |next, cost| {
                                let place = parts.place(CellId::from_index(next as usize));
                                if place != Place::Zone(zone) {
                                    sources.push((next, cost));
                                }
                            }),
                        }
                    }
                    search(&space, &sources, |_| false, &mut Blind, &mut plain, &mut ());
                    match behind {
                        None => graph.flood(gate, &mut fast, ()),
                        Some(zone) => graph.flood_away(gate, zone, &mut fast),
                    }
                    .unwrap();
                    let place =
                        || format!("seed {seed}, most {most}, {gate:?}, {behind:?}\n{grid:?}");
                    for &(cell, number) in &graph.tiles.numbers {
                        assert_eq!(fast.cost(number), plain.cost(cell), "{}", place());
                    }
                    let truth = plain_arrivals(&grid, &parts, gate, &plain);
                    let mut found = vec![vec![INFINITY; parts.zones().len() + 1]; truth.len()];
                    graph.arrivals(gate, behind, &fast, |gate, from, cost| {
                        let kind = from.map_or(0, |zone| zone.index() + 1);
                        found[gate][kind] = found[gate][kind].min(cost);
                    });
                    assert_eq!(found, truth, "{}", place());
                    floods += 1;
                }
            }
        }
    }
    assert!(floods > 5_000 && open_zones > 500 && shut_zones > 500, "{floods} floods");
}

/// What finding the edges and flooding from every gate expands, and what floods of the
/// map would.
fn work(grid: &Grid, parts: &Decomposition) -> [u64; 3] {
    let graph = GateGraph::new(grid, parts);
    let (mut flooded, mut scratch) = (0, FloodScratch::new());
    for gate in parts.gates() {
        let count = Each(|_, _| {
            flooded += 1;
            ControlFlow::Continue(())
        });
        graph.flood(gate, &mut scratch, count).unwrap();
    }
    [graph.expanded, flooded, grid.free_tiles() as u64 * parts.gates().len() as u64]
}

/// Rooms of 12 x 12 tiles with a door in the middle of every wall.
#[test]
fn work_on_tiles_grows_with_the_map_and_not_with_its_gates() {
    let rooms = |side: u32| {
        let free = |x: u32, y: u32| match (x % 13 == 12, y % 13 == 12) {
            (false, false) => true,
            (true, false) => y % 13 == 6,
            (false, true) => x % 13 == 6,
            (true, true) => false,
        };
        let size = 13 * side - 1;
        let grid = Grid::from_fn(size, size, Movement::default(), free).unwrap();
        let doors = grid.free_cells().map(|cell| grid.tile(cell));
        let doors = doors.filter(|t| t.x % 13 == 12 || t.y % 13 == 12);
        let lines: Vec<_> = doors.map(|t| GateLine::new(t, t, Source::Automatic)).collect();
        let parts = Decomposition::from_gates(&grid, lines).unwrap();
        (work(&grid, &parts), parts.gates().len() as u64)
    };
    let (([small, _, plain], _), ([large, flooded, by_map], gates)) = (rooms(6), rooms(12));
    assert!(large < 5 * small, "four times the map: {small}, then {large} tiles");
    assert_eq!(flooded, gates * gates, "a flood expands the gate tiles and no others");
    assert!(by_map > 16 * plain && by_map > 20 * (large + flooded), "{by_map}");
}

/// Figures for the record: `cargo test -p tidegate --lib -- --ignored --nocapture figures`.
#[test]
#[ignore = "figures, no check; takes minutes"]
fn figures_on_generated_maps() {
    for side in [256, 512, 1024, 2048] {
        let options = Options::new(Kind::Rts, side, side, 1);
        let grid = options.generate().unwrap().grid(Movement::default());
        let parts = Decomposition::water(&grid, &WaterOptions::default());
        let [zones, flooded, plain] = work(&grid, &parts);
        let gates = parts.gates().len();
        println!("{side}: {gates} gates; {zones} + {flooded} expanded; by the map {plain}");
    }
}
