//! The questions of the region graph against plain counting, and the pictures.
#![cfg(feature = "draw")]

use tidegate::decompose::{Decomposition, Place, WaterOptions};
use tidegate::draw::{self, DrawError, DrawOptions};
use tidegate::region::Regions;
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Tile};
use tidegate_testkit::{maps, oracle};

fn cases() -> impl Iterator<Item = (u64, Grid, Decomposition)> {
    (0..80).map(|seed| {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let parts = if seed % 2 == 0 {
            Decomposition::water(&grid, &WaterOptions::raw())
        } else {
            Decomposition::rooms(&grid)
        };
        (seed, grid, parts)
    })
}

#[test]
fn facts_of_zones_are_those_of_their_tiles() {
    for (seed, grid, parts) in cases() {
        let regions = Regions::new(&grid, &parts);
        for zone in parts.zones() {
            let tiles: Vec<Tile> = grid
                .free_cells()
                .filter(|&cell| parts.place(cell) == Place::Zone(zone.id()))
                .map(|cell| grid.tile(cell))
                .collect();
            let context = format!("zone {} of seed {seed}\n{grid:?}", zone.id());
            assert_eq!(tiles.len(), zone.area() as usize, "{context}");
            let mean = |f: fn(&Tile) -> u16| {
                tiles.iter().map(|t| f64::from(f(t))).sum::<f64>() / tiles.len() as f64
            };
            let (x, y) = regions.centroid(zone.id());
            assert!((x - mean(|t| t.x)).abs() <= 0.0051, "{context}");
            assert!((y - mean(|t| t.y)).abs() <= 0.0051, "{context}");
            let deepest = regions.deepest(zone.id());
            assert!(tiles.contains(&deepest), "{context}");
            let height = |t: &Tile| regions.altitude(*t);
            assert!(tiles.iter().all(|t| height(t) <= height(&deepest)), "{context}");
            // The outline goes around all tiles: its area is theirs and that of holes.
            let outline = regions.outline(zone.id());
            assert_eq!(outline[0], (tiles[0].x, tiles[0].y), "{context}");
            let next = outline.iter().cycle().skip(1);
            let twice: i64 = outline
                .iter()
                .zip(next)
                .map(|(a, b)| i64::from(a.0) * i64::from(b.1) - i64::from(b.0) * i64::from(a.1))
                .sum();
            assert!(twice >= 2 * i64::from(zone.area()), "{context}");
            let [left, top, right, bottom] = regions.bounds(zone.id());
            let box_area = i64::from(right - left + 1) * i64::from(bottom - top + 1);
            assert!(twice <= 2 * box_area, "{context}");
        }
    }
}

#[test]
fn the_nearest_gate_and_zone_are_the_nearest() {
    for (seed, grid, parts) in cases() {
        let regions = Regions::new(&grid, &parts);
        let mut rng = Rng::new(seed);
        for tile in maps::free_tiles(&grid, 8, &mut rng) {
            let far = |gate: &tidegate::decompose::Gate| {
                let tiles = gate.tiles().iter().map(|&cell| grid.tile(cell));
                tiles.filter_map(|t| oracle::distance(&grid, tile, t)).min()
            };
            let least = parts.gates().iter().filter_map(far).min();
            let found = regions.nearest_gate(tile).and_then(|gate| far(regions.gate(gate)));
            assert_eq!(found, least, "from {tile} of seed {seed}\n{grid:?}");
        }
        for _ in 0..8 {
            let (w, h) = (grid.width() as usize + 3, grid.height() as usize + 3);
            let tile = Tile::new(rng.below(w) as u16, rng.below(h) as u16);
            let far = |t: Tile| {
                let (dx, dy) = (t.x.abs_diff(tile.x), t.y.abs_diff(tile.y));
                5 * u32::from(dx.max(dy)) + 2 * u32::from(dx.min(dy))
            };
            let in_zone = |zone| {
                let tiles = grid.free_cells().map(|cell| grid.tile(cell));
                tiles.filter(|t| regions.zone_of(*t) == Some(zone)).map(far).min()
            };
            let found = regions.nearest_zone(tile);
            assert_eq!(found.is_none(), parts.zones().is_empty());
            if regions.place(tile) == Place::Wall {
                let least = parts.zones().iter().filter_map(|zone| in_zone(zone.id())).min();
                assert_eq!(found.and_then(in_zone), least, "{tile} of seed {seed}\n{grid:?}");
            }
        }
    }
}

#[test]
fn routes_lead_from_gate_to_gate() {
    let mut passed = 0;
    for (seed, grid, parts) in cases() {
        let regions = Regions::new(&grid, &parts);
        let mut rng = Rng::new(seed);
        let tiles = maps::free_tiles(&grid, 12, &mut rng);
        for pair in tiles.chunks(2).filter(|pair| pair.len() == 2) {
            let (from, to) = (pair[0], pair[1]);
            let context = format!("{from} to {to}, seed {seed}\n{grid:?}");
            let reached = oracle::distance(&grid, from, to).is_some();
            assert_eq!(regions.connected(from, to), reached, "{context}");
            let Some(route) = regions.route(from, to) else {
                assert!(!reached, "{context}");
                continue;
            };
            passed += route.len();
            // Each place touches the next: start, gates, goal.
            let touches = |a: Place, b: Place| {
                let zones = |p: Place| match p {
                    Place::Wall => Vec::new(),
                    Place::Zone(zone) => vec![zone],
                    Place::Gate(gate) => regions.gate(gate).zones().to_vec(),
                };
                let direct = match (a, b) {
                    (Place::Gate(a), Place::Gate(b)) => regions.gate(a).gates().contains(&b),
                    _ => false,
                };
                a == b || direct || zones(a).iter().any(|zone| zones(b).contains(zone))
            };
            let mut places = vec![regions.place(from)];
            places.extend(route.iter().map(|&gate| Place::Gate(gate)));
            places.push(regions.place(to));
            assert!(places.windows(2).all(|w| touches(w[0], w[1])), "{route:?} {context}");
        }
    }
    assert!(passed > 300, "{passed} gates are too few to mean anything");
}

#[test]
fn zones_joined_by_a_gate_never_look_alike() {
    for (seed, grid, parts) in cases() {
        let picture = draw::zones(&grid, &parts, &DrawOptions::default()).unwrap();
        let colour = |zone: tidegate::decompose::ZoneId| {
            let first = grid.tile(parts.zones()[zone.index()].first());
            picture.at(first.x.into(), first.y.into()).unwrap()
        };
        for gate in parts.gates() {
            for (i, &a) in gate.zones().iter().enumerate() {
                for &b in &gate.zones()[..i] {
                    assert_ne!(colour(a), colour(b), "seed {seed}\n{grid:?}");
                }
            }
        }
    }
}

#[test]
fn pictures_have_the_size_asked_for_and_refuse_what_is_too_large() {
    let grid = Grid::from_rows(&["..#..", ".....", "..#.."]).unwrap();
    let parts = Decomposition::water(&grid, &WaterOptions::default());
    let options = DrawOptions::default().with_scale(7).with_labels(true);
    let picture = draw::zones(&grid, &parts, &options).unwrap();
    assert_eq!((picture.width(), picture.height()), (35, 21));
    let huge = DrawOptions::default().with_scale(1 << 20);
    assert!(matches!(draw::zones(&grid, &parts, &huge), Err(DrawError::TooLarge { .. })));
    let svg = draw::zones_svg(&grid, &parts, &options);
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<path").count(), svg.matches("</path>").count() + 1);
    assert_eq!(svg.matches("<line").count(), parts.gates().len());
}
