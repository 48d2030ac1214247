//! What people and bots get by default: small rooms, pockets, prominent gates at narrow places.

use tidegate::decompose::{Decomposition, Place, WaterOptions, ZoneId};
use tidegate::region::Regions;
use tidegate::rng::Rng;
use tidegate::{CellId, Grid, Movement, Tile};
use tidegate_testkit::maps;

/// Walls of 9 x 9 with one door each, in a field with so many ridges. Returns their top left tiles.
fn compounds(
    side: u32,
    count: usize,
    door: u32,
    ridges: usize,
    seed: u64,
) -> (Grid, Vec<(u32, u32)>) {
    let mut rng = Rng::new(seed);
    let mut corners: Vec<(u32, u32)> = Vec::new();
    while corners.len() < count {
        let mut place = || 2 + rng.below(side as usize - 13) as u32;
        let (x, y) = (place(), place());
        if corners.iter().all(|&(a, b)| a.abs_diff(x) > 12 || b.abs_diff(y) > 12) {
            corners.push((x, y));
        }
    }
    let mut free = vec![true; (side * side) as usize];
    for _ in 0..ridges {
        // A walk two tiles thick that turns now and then.
        let (mut x, mut y) = (rng.below(side as usize) as i32, rng.below(side as usize) as i32);
        let (mut dx, mut dy) = (rng.between(-1, 1), rng.between(-1, 1));
        for _ in 0..rng.between(30, 120) {
            if rng.chance(15) {
                (dx, dy) = (rng.between(-1, 1), rng.between(-1, 1));
            }
            for (x, y) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
                if (0..side as i32).contains(&x) && (0..side as i32).contains(&y) {
                    free[(y as u32 * side + x as u32) as usize] = false;
                }
            }
            (x, y) = (x + dx, y + dy);
        }
    }
    for &(x, y) in &corners {
        let mut set = |dx: u32, dy: u32, to| free[((y + dy) * side + x + dx) as usize] = to;
        for i in 0..81 {
            let (dx, dy) = (i % 9, i / 9);
            set(dx, dy, (1..8).contains(&dx) && (1..8).contains(&dy));
        }
        let (wall, first) = (rng.below(4), 1 + rng.below(8 - door as usize) as u32);
        for i in first..first + door {
            let (dx, dy) = [(i, 0), (i, 8), (0, i), (8, i)][wall];
            set(dx, dy, true);
        }
    }
    let free = |x: u32, y: u32| free[(y * side + x) as usize];
    (Grid::from_fn(side, side, Movement::default(), free).unwrap(), corners)
}

/// The tiles of the zones in the middles of compounds, all of which must be zones of their own.
fn room_areas(grid: &Grid, corners: &[(u32, u32)]) -> Vec<u32> {
    let parts = Decomposition::water(grid, &WaterOptions::default());
    parts.check(grid).unwrap();
    assert!(parts.live_zones().count() < 200, "{} zones", parts.live_zones().count());
    let area = |&(x, y): &(u32, u32)| {
        let inside = grid.cell(Tile::new(x as u16 + 4, y as u16 + 4)).unwrap();
        let Place::Zone(zone) = parts.place(inside) else { panic!("a gate in the middle") };
        parts.zones()[zone.index()].area()
    };
    corners.iter().map(area).collect()
}

#[test]
fn small_rooms_in_an_open_field_are_found() {
    for (door, seed) in [(1, 0), (1, 1), (2, 2), (3, 3)] {
        let (grid, corners) = compounds(512, 60, door, 0, seed);
        // The room is a zone, but for a row of it that its gate may take.
        let areas = room_areas(&grid, &corners);
        assert!(areas.iter().all(|area| (42..=49).contains(area)), "door {door}: {areas:?}");
    }
}

/// Beside a ridge a room may have ground before its door, up to the ridge: it is a zone then with
/// up to 15 tiles more, and closed altogether if the ridge closes the door. A few have a whole
/// closed yard before them, which nothing parts from the room.
#[test]
fn small_rooms_beside_ridges_are_found() {
    let mut found = 0;
    for (ridges, door, seed) in
        [(40, 1, 0), (40, 2, 1), (40, 3, 2), (80, 1, 3), (80, 2, 4), (80, 3, 5)]
    {
        let (grid, corners) = compounds(512, 60, door, ridges, seed);
        let areas = room_areas(&grid, &corners);
        found += areas.iter().filter(|area| (42..=64).contains(*area)).count();
    }
    assert!(found >= 354, "{found} of 360");
}

#[test]
fn pockets_are_apart_and_follow_from_the_pieces_of_the_map() {
    let mut seen = 0;
    for seed in 0..150 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let parts = Decomposition::water(&grid, &WaterOptions::default());
        let components = tidegate::grid::component::Components::of(&grid);
        let cells: Vec<CellId> = grid.free_cells().collect();
        let size = |cell: CellId| cells.iter().filter(|&&c| components.connected(c, cell)).count();
        let largest = cells.iter().map(|&cell| size(cell)).max().unwrap_or(0);
        for zone in parts.zones() {
            let area = size(zone.first());
            let is_pocket = area < 256 && area < largest / 64;
            assert_eq!(zone.is_pocket(), is_pocket, "zone {} of seed {seed}", zone.id());
            seen += usize::from(is_pocket);
            // Nothing is lost.
            let regions = Regions::new(&grid, &parts);
            assert_eq!(regions.zone_of(grid.tile(zone.first())), Some(zone.id()));
        }
        let listed: Vec<ZoneId> =
            parts.live_zones().chain(parts.pockets()).map(|z| z.id()).collect();
        assert_eq!(listed.len(), parts.zones().len());
        let json: serde_json::Value = serde_json::from_str(&parts.to_json(&grid)).unwrap();
        let count = |list: &str| json[list].as_array().unwrap().len();
        assert_eq!(count("zones"), parts.live_zones().count());
        assert_eq!(count("pockets"), parts.pockets().count());
        assert_eq!(count("gates"), parts.gates().len());
        let again = Decomposition::from_json(&grid, &parts.to_json(&grid)).unwrap();
        assert_eq!(again, parts);
    }
    assert!(seen > 0, "no map had a pocket");
}

/// The largest disc in a zone by looking at every tile from every tile.
#[test]
fn prominence_is_what_its_definition_says() {
    let mut gates = 0;
    for seed in 0..60 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let parts = Decomposition::water(&grid, &WaterOptions::raw());
        let regions = Regions::new(&grid, &parts);
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let inside = |x: i32, y: i32| {
            let is_on_map = x >= 0 && y >= 0 && x < width && y < height;
            is_on_map && regions.zone_of(Tile::new(x as u16, y as u16)).is_some()
        };
        let breadth = |zone: ZoneId| {
            let mut widest = 1.0_f64;
            for cell in grid.free_cells().filter(|&c| parts.place(c) == Place::Zone(zone)) {
                let tile = grid.tile(cell);
                let (cx, cy) = (i32::from(tile.x), i32::from(tile.y));
                let outside = (-1..=height).flat_map(|y| (-1..=width).map(move |x| (x, y)));
                let nearest = outside.filter(|&(x, y)| !inside(x, y)).map(|(x, y)| {
                    let (dx, dy) = ((x - cx).abs(), (y - cy).abs());
                    5 * dx.max(dy) + 2 * dx.min(dy)
                });
                widest = widest.max(f64::from(nearest.min().unwrap()) * 0.4 - 1.0);
            }
            widest
        };
        for gate in parts.gates() {
            let narrower = gate.zones().iter().map(|&zone| breadth(zone));
            let narrower = narrower.fold(f64::INFINITY, f64::min);
            let expected = if gate.separates() { narrower / gate.line().span() } else { 0.0 };
            assert!((regions.prominence(gate.id()) - expected).abs() < 1e-9, "seed {seed}");
            gates += 1;
        }
    }
    assert!(gates > 100, "{gates} gates");
}

/// A passage that is narrowest at one place, far from where the water meets by itself.
#[test]
fn a_gate_stands_at_the_narrowest_place() {
    // Two halls of 40 x 41; between them a passage of 30 tiles, 9 wide, with a waist of 5.
    for waist in [44, 50, 60, 66] {
        let free = |x: u32, y: u32| {
            let half = if x.abs_diff(waist) <= 1 { 2 } else { 4 };
            !(40..70).contains(&x) || y.abs_diff(20) <= half
        };
        let grid = Grid::from_fn(110, 41, Movement::default(), free).unwrap();
        let parts = Decomposition::water(&grid, &WaterOptions::default());
        parts.check(&grid).unwrap();
        let near = |gate: &&tidegate::decompose::Gate| {
            u32::from(gate.a().x).abs_diff(waist) <= 1 && gate.a().x == gate.b().x
        };
        let here: Vec<u32> = parts.gates().iter().filter(near).map(|gate| gate.width()).collect();
        assert_eq!(here, [5], "waist at {waist}: {:?}", parts.lines().collect::<Vec<_>>());
    }
}

/// The drawings in the document: letters are zones by number, `+` gates, `#` walls.
#[test]
fn drawings_in_the_document_are_right() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/decomposition.md");
    let text = std::fs::read_to_string(file).unwrap();
    let blocks = text.split("```zones\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut drawings = 0;
    for block in blocks {
        let free: String = block.replace(|c: char| c.is_alphabetic() || c == '+', ".");
        let rows: Vec<&str> = free.lines().collect();
        let grid = Grid::from_rows(&rows).unwrap();
        let parts = Decomposition::water(&grid, &WaterOptions::default());
        let letter = |cell: usize| match parts.place(CellId::from_index(cell)) {
            Place::Wall => '#',
            Place::Gate(_) => '+',
            Place::Zone(zone) => (b'a' + zone.index() as u8) as char,
        };
        let width = grid.width() as usize;
        let row = |y: usize| (y * width..(y + 1) * width).map(letter).chain(['\n']);
        let drawn: String = (0..grid.height() as usize).flat_map(row).collect();
        assert_eq!(drawn, block);
        drawings += 1;
    }
    assert_eq!(drawings, 4);
}
