//! Values that do not belong together are refused: zones, tables and bits of another map,
//! or of the same map before an edit, are an error that says what differs and where.

use tidegate::cost::{Factor, STRAIGHT};
use tidegate::decompose::{Decomposition, Editor, GateLine, Source};
use tidegate::gateway::GateDistances;
use tidegate::gateway::GateSideDistances;
use tidegate::gateway::GateTileDistances;
use tidegate::gateway::{TunedDistances, ZoneDistances};
use tidegate::grid::OtherMap;
use tidegate::index::{Refused, TableState};
use tidegate::jps::{Jps, JpsError, JpsMap};
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Path, Query, Scratch, Tile};
use tidegate_testkit::{maps, oracle};

/// Two rooms and one gate; then a tile of the wall between them is opened.
fn edited() -> (Grid, Decomposition, Grid) {
    let grid = Grid::from_rows(&["..#..", "..#..", "....."]).unwrap();
    let door = Tile::new(2, 2);
    let gates = [GateLine::new(door, door, Source::Manual)];
    let parts = Decomposition::from_gates(&grid, gates).unwrap();
    let mut opened = grid.clone();
    assert!(opened.set_free(Tile::new(2, 0), true));
    (grid, parts, opened)
}

/// Before they were refused, four engines answered 34446 here.
#[test]
fn zones_of_an_edited_map_are_refused() {
    let (grid, parts, opened) = edited();
    let mut index = Index::new(opened);
    let own = index.decompose().clone();
    let refused = index.set_decomposition(parts.clone());
    assert_eq!(refused, Err(OtherMap::Wall { tile: Tile::new(2, 0) }));
    assert_eq!(index.decomposition(), Some(&own), "a refusal changes nothing");
    assert!(refused.unwrap_err().to_string().contains("2,0"));
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let query = Query::new(Tile::new(1, 0), Tile::new(3, 0));
    for engine in tidegate_sectors::ENGINES {
        if index.prepare(*engine).is_ok() {
            let answer = index.find(*engine, &query, &mut scratch, &mut path).unwrap();
            assert_eq!(answer.cost(), Some(2 * STRAIGHT), "{}", engine.name());
        }
    }
    Index::new(grid).set_decomposition(parts).unwrap();
}

/// Every kind of edit is noticed, at the very tile, and undoing it is noticed as well.
#[test]
fn any_single_edit_is_noticed_where_it_was_made() {
    for seed in 0..60 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let parts = Decomposition::water(&grid, &Default::default());
        let mut index = Index::new(grid.clone());
        let built = index.build_apart::<TunedDistances>(&Default::default()).unwrap();
        let mut rng = Rng::new(seed);
        for _ in 0..8 {
            let x = rng.below(grid.width() as usize) as u16;
            let tile = Tile::new(x, rng.below(grid.height() as usize) as u16);
            let mut other = grid.clone();
            other.set_free(tile, !grid.is_free(tile));
            let wall = Err(OtherMap::Wall { tile });
            assert_eq!(parts.belongs_to(&other), wall, "{grid:?}");
            // Distances stay lower bounds where a wall came, and nothing where one went.
            let adopted = Index::new(other.clone()).adopt(built.clone()).ok();
            assert_eq!(adopted, grid.is_free(tile).then_some(TableState::Bounds), "{grid:?}");
            other.set_free(tile, grid.is_free(tile));
            assert_eq!(parts.belongs_to(&other), Ok(()), "{grid:?}");
            assert_eq!(Index::new(other).adopt(built.clone()), Ok(TableState::Current));
        }
    }
}

/// A smaller map made `prepare` panic.
#[test]
fn zones_of_another_size_or_rule_are_refused() {
    let (grid, parts, _) = edited();
    let larger = Grid::from_rows(&[".....", ".....", ".....", "....."]).unwrap();
    let size = OtherMap::Size { of: (5, 3), map: (5, 4) };
    assert_eq!(Index::new(larger.clone()).set_decomposition(parts.clone()), Err(size));
    let why = size.to_string();
    let refused = |built: Result<(), Refused>| assert!(built.unwrap_err().0.contains(&why));
    refused(GateDistances::build(&larger, &parts).map(drop));
    refused(GateSideDistances::build(&larger, &parts).map(drop));
    refused(GateTileDistances::build(&larger, &parts).map(drop));
    refused(ZoneDistances::build(&larger, parts.clone()).map(drop));
    assert_eq!(Editor::new(&larger, parts.clone()).err(), Some(size));
    let loose = grid.clone().with_movement(Movement::OneSideFree);
    let rule = OtherMap::Movement { of: Movement::NoCornerCutting, map: Movement::OneSideFree };
    assert_eq!(Index::new(loose).set_decomposition(parts), Err(rule));
}

/// Zones do not depend on costs, distances do.
#[test]
fn tables_for_other_costs_are_refused() {
    let (grid, parts, _) = edited();
    let mut factors = vec![Factor::ONE; grid.tiles()];
    factors[1] = Factor::from_hundredths(300).unwrap();
    let dear = grid.clone().with_factors(factors);
    let mut made_for = Index::new(dear.clone());
    made_for.set_decomposition(parts.clone()).unwrap();
    let built = made_for.build_apart::<TunedDistances>(&Default::default()).unwrap();
    let mut index = Index::new(grid);
    assert!(index.adopt(built.clone()).is_err());
    assert_eq!(index.tables().count(), 0, "a refusal changes nothing");
    Index::new(dear.clone()).adopt(built.clone()).unwrap();
    // The same map with other zones, as equal as they may be: built on others.
    let mut index = Index::new(dear);
    index.set_decomposition(parts).unwrap();
    assert!(index.adopt(built).is_err());
}

/// Bits that were not updated gave a path where there was none.
#[test]
fn bits_of_an_edited_map_are_refused_until_they_are_updated() {
    let mut jps = Jps::new();
    for seed in 0..40 {
        let mut grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let mut map = JpsMap::new(&grid).unwrap();
        let mut rng = Rng::new(seed);
        let mut waiting: Vec<Tile> = Vec::new();
        for _ in 0..30 {
            let x = rng.below(grid.width() as usize) as u16;
            let tile = Tile::new(x, rng.below(grid.height() as usize) as u16);
            if grid.set_free(tile, rng.chance(50)) {
                // Twice the same tile: back to what the bits show.
                match waiting.iter().position(|&t| t == tile) {
                    Some(at) => drop(waiting.swap_remove(at)),
                    None => waiting.push(tile),
                }
            }
            if rng.chance(40) {
                map.update(&grid, &std::mem::take(&mut waiting));
            }
            map.update(&grid, &[Tile::new(0, 0)]);
            waiting.retain(|&t| t != Tile::new(0, 0));
            let ends = maps::free_tiles(&grid, 2, &mut rng);
            let [start, goal] = ends[..] else { continue };
            let cells = [start, goal].map(|tile| grid.cell(tile).unwrap());
            let found = jps.search(&map, &grid, cells[0], cells[1], &mut ());
            if waiting.is_empty() {
                let least = match found.unwrap().0 {
                    tidegate::search::End::Goal(_, cost) => Some(u64::from(cost)),
                    _ => None,
                };
                assert_eq!(least, oracle::distance(&grid, start, goal), "{grid:?}");
            } else {
                let error = found.unwrap_err();
                assert_eq!(error, JpsError::OtherMap(OtherMap::Walls), "{waiting:?}\n{grid:?}");
            }
        }
    }
}

#[test]
fn bits_of_another_kind_of_map_are_refused() {
    let grid = Grid::from_rows(&[".....", "....."]).unwrap();
    let [a, b] = [Tile::new(0, 0), Tile::new(1, 1)].map(|tile| grid.cell(tile).unwrap());
    let mut jps = Jps::new();
    let mut map = JpsMap::new(&grid).unwrap();
    let larger = Grid::from_rows(&[".....", ".....", "....."]).unwrap();
    map.update(&larger, &[Tile::new(4, 2)]);
    let size = OtherMap::Size { of: (5, 2), map: (5, 3) };
    assert_eq!(jps.search(&map, &larger, a, b, &mut ()), Err(size.into()));
    let four = grid.clone().with_movement(Movement::FourConnected);
    let rule = OtherMap::Movement { of: Movement::NoCornerCutting, map: Movement::FourConnected };
    assert_eq!(jps.search(&map, &four, a, b, &mut ()), Err(rule.into()));
    let dear = vec![Factor::from_hundredths(200).unwrap(); grid.tiles()];
    let dear = grid.clone().with_factors(dear);
    assert_eq!(jps.search(&map, &dear, a, b, &mut ()), Err(JpsError::Factors));
    assert!(jps.search(&map, &grid, a, b, &mut ()).is_ok());
}
