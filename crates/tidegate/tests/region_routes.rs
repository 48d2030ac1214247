//! Routes over the region graph against all routes there are, on small maps.

use std::collections::{BTreeSet, HashMap};

use tidegate::decompose::{Decomposition, GateId, GateLine, Place, Source, WaterOptions, ZoneId};
use tidegate::region::{Avoid, MOST_ROUTES, Regions, Route};
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Tile};
use tidegate_testkit::{maps, oracle};

/// Beyond so many steps of the enumeration a pair of tiles is left out.
const MOST: usize = 10_000;

fn parts(seed: u64, grid: &Grid) -> Decomposition {
    match seed % 3 {
        0 => Decomposition::water(grid, &WaterOptions::raw()),
        1 => Decomposition::rooms(grid),
        _ => Decomposition::water(grid, &WaterOptions::default()),
    }
}

/// The places that a legal step joins to each place, read off the tiles.
fn touching(grid: &Grid, parts: &Decomposition) -> HashMap<Place, Vec<Place>> {
    let mut beside: HashMap<Place, Vec<Place>> = HashMap::new();
    for cell in grid.free_cells() {
        for (next, _) in grid.neighbours(cell) {
            let (place, next) = (parts.place(cell), parts.place(next));
            let known = beside.entry(place).or_default();
            if place != next && !known.contains(&next) {
                known.push(next);
            }
        }
    }
    beside
}

/// A route written out: length, gates, least width.
type Figures = (u64, usize, Option<u32>);

struct All<'a> {
    grid: &'a Grid,
    parts: &'a Decomposition,
    beside: &'a HashMap<Place, Vec<Place>>,
    from: Tile,
    to: Tile,
    avoid: &'a Avoid,
    routes: Vec<(Figures, Vec<Place>)>,
    steps: usize,
}

impl All<'_> {
    fn place(&self, tile: Tile) -> Place {
        self.parts.place(self.grid.cell(tile).unwrap())
    }

    fn is_avoided(&self, place: Place) -> bool {
        let avoided = match place {
            Place::Zone(zone) => self.avoid.zones().contains(&zone),
            Place::Gate(gate) => self.avoid.gates().contains(&gate),
            Place::Wall => true,
        };
        avoided && place != self.place(self.from)
    }

    /// Whether two gates touch although a zone that may be entered lies beside both.
    fn leads_through_a_zone(&self, a: Place, b: Place) -> bool {
        let gates = matches!((a, b), (Place::Gate(_), Place::Gate(_)));
        let both = || self.beside[&a].iter().filter(|place| self.beside[&b].contains(place));
        gates && both().any(|&place| gate(place).is_none() && !self.is_avoided(place))
    }

    fn figures(&self, places: &[Place]) -> Figures {
        let gates: Vec<GateId> = places.iter().filter_map(|p| gate(*p)).collect();
        let mut points = vec![self.from];
        points.extend(gates.iter().map(|g| self.parts.gates()[g.index()].line().middle()));
        points.push(self.to);
        let movement = self.grid.movement();
        let length =
            points.windows(2).map(|w| u64::from(movement.estimate(w[0], w[1]).get())).sum();
        let width = gates.iter().map(|g| self.parts.gates()[g.index()].width()).min();
        (length, gates.len(), width)
    }

    /// Every sequence of places that goes on from this one; false if there are too many.
    fn extend(&mut self, places: &mut Vec<Place>) -> bool {
        self.steps += 1;
        if self.steps > MOST {
            return false;
        }
        let last = places[places.len() - 1];
        if last == self.place(self.to) {
            self.routes.push((self.figures(places), places.clone()));
            return true;
        }
        let next = self.beside.get(&last).cloned().unwrap_or_default();
        for place in next {
            if places.contains(&place)
                || self.is_avoided(place)
                || self.leads_through_a_zone(last, place)
            {
                continue;
            }
            places.push(place);
            let go_on = self.extend(places);
            places.pop();
            if !go_on {
                return false;
            }
        }
        true
    }
}

fn gate(place: Place) -> Option<GateId> {
    match place {
        Place::Gate(gate) => Some(gate),
        _ => None,
    }
}

fn figures(route: &Route) -> Figures {
    (u64::from(route.length().get()), route.gates().len(), route.width())
}

fn some_to_avoid(parts: &Decomposition, rng: &mut Rng) -> Avoid {
    let gates = parts.gates().iter().map(|gate| gate.id()).filter(|_| rng.chance(15));
    let gates: Vec<GateId> = gates.collect();
    let zones = parts.zones().iter().map(|zone| zone.id()).filter(|_| rng.chance(15));
    let zones: Vec<ZoneId> = zones.collect();
    Avoid::new().with_gates(gates).with_zones(zones)
}

#[test]
fn routes_are_the_shortest_of_all_and_the_widest_is_the_widest() {
    let (mut compared, mut several, mut left_out, mut wider, mut ties) = (0, 0, 0, 0, 0);
    for seed in 0..600 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let parts = parts(seed / 3, &grid);
        let regions = Regions::new(&grid, &parts);
        let mut rng = Rng::new(seed);
        let beside = touching(&grid, &parts);
        for tiles in maps::free_tiles(&grid, 16, &mut rng).chunks_exact(2) {
            let (from, to) = (tiles[0], tiles[1]);
            let avoid = if rng.chance(50) { Avoid::new() } else { some_to_avoid(&parts, &mut rng) };
            let context = format!("{from} to {to} avoiding {avoid:?}, seed {seed}\n{grid:?}");
            let mut all = All {
                grid: &grid,
                parts: &parts,
                beside: &beside,
                from,
                to,
                avoid: &avoid,
                routes: Vec::new(),
                steps: 0,
            };
            if all.is_avoided(all.place(to)) {
                assert_eq!(regions.routes(from, to, 3, &avoid), [], "{context}");
                continue;
            }
            let mut begun = vec![all.place(from)];
            if !all.extend(&mut begun) {
                left_out += 1;
                continue;
            }
            compared += 1;
            let mut all = all.routes;
            all.sort_by_key(|(figures, _)| (figures.0, figures.1));
            let k = 1 + rng.below(8);
            let routes = regions.routes(from, to, k, &avoid);
            let order = |figures: Figures| (figures.0, figures.1);
            let found: Vec<_> = routes.iter().map(|route| order(figures(route))).collect();
            let wanted: Vec<_> = all.iter().take(k).map(|route| order(route.0)).collect();
            assert_eq!(found, wanted, "{context}");
            several += usize::from(found.len() > 2);
            ties += usize::from(found.windows(2).any(|pair| pair[0].0 == pair[1].0));
            let mut seen = BTreeSet::new();
            for route in &routes {
                let own = all.iter().find(|(_, places)| places == route.places());
                assert_eq!(own.map(|own| own.0), Some(figures(route)), "{route:?} {context}");
                assert!(seen.insert(format!("{:?}", route.places())), "twice {route:?} {context}");
                let gates: Vec<_> = route.places().iter().filter_map(|p| gate(*p)).collect();
                assert_eq!(route.gates(), gates, "{context}");
                let zones = route.places().iter().filter(|p| gate(**p).is_none()).count();
                assert_eq!(route.zones().count(), zones, "{context}");
            }
            let first = regions.shortest_route(from, to, &avoid);
            assert_eq!(first.as_ref(), routes.first(), "{context}");
            if avoid == Avoid::new() {
                let gates = first.as_ref().map(|route| route.gates().to_vec());
                assert_eq!(regions.route(from, to), gates, "{context}");
                assert_eq!(first.is_some(), oracle::distance(&grid, from, to).is_some());
            }
            // No gate at all lets the most through.
            let wide = |f: &Figures| (std::cmp::Reverse(f.2.unwrap_or(u32::MAX)), f.0, f.1);
            let widest = all.iter().map(|route| route.0).min_by_key(wide);
            let found = regions.widest_route(from, to, &avoid);
            assert_eq!(found.as_ref().map(figures), widest, "{context}");
            wider += usize::from(
                found.is_some() && found.map(|r| r.width()) != first.map(|r| r.width()),
            );
        }
    }
    println!(
        "{compared} pairs, {left_out} left out, {several} with three routes, {wider} wider, {ties} ties"
    );
    assert!(compared > 3000 && several > 180 && wider > 40 && left_out * 8 < compared);
}

#[test]
fn the_widest_of_many_doors_is_found() {
    // One wall with doors of 1 to `doors` tiles, the narrow ones nearer.
    for doors in 1..9_u16 {
        let ends: Vec<(u16, u16)> = (1..=doors).map(|w| (w * (w + 1) / 2, w)).collect();
        let height = u32::from(ends[ends.len() - 1].0 + doors + 1);
        let inside =
            |y: u32| ends.iter().any(|&(top, w)| (u32::from(top)..u32::from(top + w)).contains(&y));
        let grid = Grid::from_fn(9, height, Movement::NoCornerCutting, |x, y| x != 4 || inside(y));
        let grid = grid.unwrap();
        let line = |&(top, w): &(u16, u16)| {
            GateLine::new(Tile::new(4, top), Tile::new(4, top + w - 1), Source::Manual)
        };
        let parts = Decomposition::from_gates(&grid, ends.iter().map(line)).unwrap();
        let regions = Regions::new(&grid, &parts);
        let (from, to) = (Tile::new(0, 0), Tile::new(8, 0));
        let widest = regions.widest_route(from, to, &Avoid::new()).unwrap();
        assert_eq!(widest.width(), Some(doors.into()));
        let narrow = regions.shortest_route(from, to, &Avoid::new()).unwrap();
        assert_eq!(narrow.width(), Some(1));
    }
}

#[test]
fn walls_unknown_numbers_and_none_asked_for_are_no_routes() {
    let grid = Grid::from_rows(&["..#..", ".....", "..#.."]).unwrap();
    let parts = Decomposition::water(&grid, &WaterOptions::raw());
    let regions = Regions::new(&grid, &parts);
    let (from, to, none) = (Tile::new(0, 0), Tile::new(4, 2), Avoid::new());
    assert!(regions.routes(from, to, 0, &none).is_empty());
    for outside in [Tile::new(2, 0), Tile::new(9, 9)] {
        assert!(regions.routes(from, outside, 2, &none).is_empty());
        assert!(regions.shortest_route(outside, to, &none).is_none());
        assert!(regions.widest_route(outside, to, &none).is_none());
    }
    let unknown = Avoid::new()
        .with_gates([GateId::from_index(1 << 20)])
        .with_zones([ZoneId::from_index(1 << 20)]);
    assert_eq!(regions.routes(from, to, 9, &unknown), regions.routes(from, to, 9, &none));
    assert!(regions.blocked(&unknown).is_empty());
}

#[test]
fn blocked_tiles_are_those_of_what_is_avoided() {
    for seed in 0..60 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let parts = parts(seed, &grid);
        let avoid = some_to_avoid(&parts, &mut Rng::new(seed));
        let blocked = Regions::new(&grid, &parts).blocked(&avoid);
        for cell in grid.free_cells() {
            let avoided = match parts.place(cell) {
                Place::Zone(zone) => avoid.zones().contains(&zone),
                Place::Gate(gate) => avoid.gates().contains(&gate),
                Place::Wall => false,
            };
            assert_eq!(blocked.contains(grid.tile(cell)), avoided, "seed {seed}");
        }
    }
}

/// Eleven walls with two doors each: 2048 routes, of which no more than the most are looked for.
#[test]
fn never_more_routes_than_the_most() {
    let wall = |x: u32| x % 2 == 1;
    let grid = Grid::from_fn(23, 5, Movement::default(), |x, y| !wall(x) || y == 0 || y == 4);
    let grid = grid.unwrap();
    let door = |x: u16, y: u16| GateLine::new(Tile::new(x, y), Tile::new(x, y), Source::Manual);
    let doors = (0..11).flat_map(|n| [door(2 * n + 1, 0), door(2 * n + 1, 4)]);
    let parts = Decomposition::from_gates(&grid, doors).unwrap();
    let regions = Regions::new(&grid, &parts);
    let (from, to) = (Tile::new(0, 2), Tile::new(22, 2));
    assert_eq!(regions.routes(from, to, usize::MAX, &Avoid::new()).len(), MOST_ROUTES);
    assert_eq!(regions.routes(from, to, 1000, &Avoid::new()).len(), 1000);
}
