//! The properties of sectors: they tile the map, changes can be taken back, a path is found
//! exactly when there is one, and everything is reproducible.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;
use tidegate::cost::Cost;
use tidegate::decompose::{Decomposition, Place, WaterOptions};
use tidegate::grid::{Blocked, TileMap};
use tidegate::rng::Rng;
use tidegate::search::Observer;
use tidegate::{Grid, Index, Movement, Outcome, Path, Query, Scratch, Tile};
use tidegate_sectors::{
    Bounds, Cover, Dsma, Expansions, Ground, Hierarchy, Maat, Pairs, Point, Policy, Preparation,
    SavedError, SectorId, SectorPlanner, SubGoal, Triangles, Way, ZoneTree, prepare,
};
use tidegate_testkit::bench_data::bundled_suite;
use tidegate_testkit::{maps, oracle};

fn movement() -> impl Strategy<Value = Movement> {
    prop::sample::select(Movement::ALL.to_vec())
}

fn sides() -> impl Strategy<Value = (u32, u32)> {
    prop_oneof![(1u32..40, 1u32..40), (Just(1u32), 1u32..60), (1u32..60, Just(1u32))]
}

/// Random splits and merges.
fn shuffled(sectors: &Triangles, rng: &mut Rng) -> Cover {
    let mut cover = Cover::new(sectors);
    for _ in 0..rng.below(60) {
        let sector = SectorId::from_index(rng.below(sectors.len()));
        if rng.chance(70) {
            cover.split(sectors, sector)
        } else {
            cover.merge(sectors, sector)
        };
    }
    cover
}

/// On which side of the line from a to b a point lies, worked out apart from the library.
fn side(a: Point, b: Point, p: Point) -> i64 {
    ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)).signum()
}

/// Whether a point lies inside a triangle, in floating point.
fn holds([a, b, c]: [(f64, f64); 3], p: (f64, f64)) -> bool {
    let right_of =
        |a: (f64, f64), b: (f64, f64)| (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) > 0.0;
    right_of(a, b) && right_of(b, c) && right_of(c, a)
}

/// Every kind of ground there is on a map.
fn grounds(grid: &Grid) -> [Arc<Ground>; 4] {
    let water = Decomposition::water(grid, &WaterOptions::default());
    let deepest = Ground::triangles_through(grid, 4, SubGoal::Deepest).unwrap();
    [
        Ground::triangles(grid, 4).unwrap(),
        deepest,
        Ground::zones(grid, &water),
        Ground::zones(grid, &Decomposition::rooms(grid)),
    ]
    .map(Arc::new)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn sectors_tile_the_map((width, height) in sides(), levels in 0u8..6, seed: u64) {
        let sectors = Triangles::new(width, height, levels).unwrap();
        let cover = shuffled(&sectors, &mut Rng::new(seed));
        let leaves: Vec<SectorId> = cover.leaves(&sectors).collect();
        prop_assert_eq!(leaves.len(), cover.leaf_count());
        let unit = sectors.unit();
        let area: i64 = leaves.iter().map(|&s| sectors.triangle(s).double_area()).sum();
        prop_assert_eq!(area, 2 * i64::from(width * height) * unit * unit);
        for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
            let tile = Tile::new(x as u16, y as u16);
            let middle = |at: u32| (2 * i64::from(at) + 1) * unit / 2;
            let centre = Point::new(middle(x), middle(y));
            let sides = |s: SectorId| {
                let [a, b, c] = sectors.triangle(s).corners();
                [side(a, b, centre), side(b, c, centre), side(c, a, centre)]
            };
            let home = cover.sector_of(&sectors, tile);
            prop_assert!(leaves.contains(&home));
            prop_assert!(sides(home).iter().all(|&s| s >= 0), "{tile} lies outside its {home:?}");
            let strictly = leaves.iter().find(|&&s| sides(s).iter().all(|&side| side > 0));
            prop_assert!(strictly.is_none_or(|&s| s == home), "{tile} lies inside {strictly:?}");
        }
        for sector in leaves {
            let centroid = sectors.centroid(sector);
            prop_assert!(u32::from(centroid.x) < width && u32::from(centroid.y) < height);
        }
    }

    /// Walks along the border of every sector and looks what lies just outside.
    #[test]
    fn neighbours_are_those_that_share_a_border((width, height) in sides(), seed: u64) {
        let sectors = Triangles::new(width, height, 5).unwrap();
        let cover = shuffled(&sectors, &mut Rng::new(seed));
        let corners = |s: SectorId| {
            let unit = sectors.unit() as f64;
            sectors.triangle(s).corners().map(|p| (p.x as f64 / unit, p.y as f64 / unit))
        };
        let leaves: Vec<SectorId> = cover.leaves(&sectors).collect();
        let at = |p: (f64, f64)| leaves.iter().copied().find(|&s| holds(corners(s), p));
        for &sector in &leaves {
            let [a, b, c] = corners(sector);
            let mut beside = BTreeSet::new();
            for (from, to) in [(a, b), (b, c), (c, a)] {
                for place in (1..128).step_by(2).map(|i| f64::from(i) / 128.0) {
                    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                    // To the left of a clockwise side is outside.
                    let out = 1e-6;
                    let p = (from.0 + place * dx + out * dy, from.1 + place * dy - out * dx);
                    beside.extend(at(p));
                }
            }
            let found: BTreeSet<SectorId> = cover.neighbours(sector).iter().copied().collect();
            prop_assert_eq!(found, beside, "of {:?}", sector);
        }
    }

    #[test]
    fn a_split_and_a_merge_restore_the_state((width, height) in sides(), seed: u64) {
        let sectors = Triangles::new(width, height, 4).unwrap();
        let cover = shuffled(&sectors, &mut Rng::new(seed));
        prop_assert_eq!(&Cover::from_splits(&sectors, cover.splits()).unwrap(), &cover);
        for sector in (0..sectors.len()).map(SectorId::from_index) {
            let mut changed = cover.clone();
            if changed.split(&sectors, sector) {
                prop_assert_ne!(&changed, &cover);
                prop_assert!(changed.merge(&sectors, sector));
            } else if changed.merge(&sectors, sector) {
                prop_assert!(changed.split(&sectors, sector));
            }
            prop_assert_eq!(&changed, &cover);
        }
    }

    #[test]
    fn zones_tile_the_map_and_changes_can_be_taken_back(seed: u64) {
        let grid = maps::small(seed, Movement::NoCornerCutting);
        let decomposition = Decomposition::water(&grid, &WaterOptions::default());
        let zones = ZoneTree::new(&decomposition);
        let basic = Cover::new(&zones);
        let mut cover = basic.clone();
        let mut splits = Vec::new();
        for sector in (0..zones.len()).map(SectorId::from_index) {
            if cover.split(&zones, sector) {
                splits.push(sector);
            }
        }
        prop_assert_eq!(cover.leaf_count(), decomposition.zones().len().max(1));
        let leaves: Vec<SectorId> = cover.leaves(&zones).collect();
        for &a in &leaves {
            let beside = leaves.iter().copied().filter(|&b| a != b && zones.touch(a, b));
            prop_assert_eq!(cover.neighbours(a), beside.collect::<Vec<_>>());
        }
        // Two tiles of a zone share their finest sector; tiles of two zones do not.
        let mut sector_of_zone = vec![None; decomposition.zones().len()];
        for cell in grid.free_cells() {
            let sector = cover.sector_of(&zones, grid.tile(cell));
            if let Place::Zone(zone) = decomposition.place(cell) {
                prop_assert_eq!(*sector_of_zone[zone.index()].get_or_insert(sector), sector);
            }
        }
        sector_of_zone.sort();
        prop_assert!(sector_of_zone.windows(2).all(|pair| pair[0] != pair[1]));
        for sector in splits.into_iter().rev() {
            prop_assert!(cover.merge(&zones, sector));
        }
        prop_assert_eq!(cover, basic);
    }

    #[test]
    fn a_path_is_found_exactly_when_there_is_one(
        movement in movement(),
        seed: u64,
        lower in 0u64..60,
        span in 0u64..60,
    ) {
        let grid = maps::small(seed, movement);
        let bounds = Bounds::new(lower, lower + span).unwrap();
        let grounds = grounds(&grid);
        let index = Index::new(grid);
        let how = Preparation { pairs: 40, seed, bounds };
        for ground in grounds {
            let maat = prepare(&index, Arc::clone(&ground), &how, &mut Expansions);
            answers_like_the_oracle(&index, maat.clone(), seed)?;
            tidied_paths_are_never_longer(&index, maat, seed)?;
            answers_like_the_oracle(&index, SectorPlanner::dsma(ground, bounds), seed)?;
        }
    }

    #[test]
    fn the_same_queries_give_the_same_state_bytes_and_paths(movement in movement(), seed: u64) {
        let grid = maps::small(seed, movement);
        let grounds = grounds(&grid);
        let index = Index::new(grid);
        let bounds = Bounds::new(10, 40).unwrap();
        let how = Preparation { pairs: 40, seed, bounds };
        for ground in grounds {
            let maat = || prepare(&index, Arc::clone(&ground), &how, &mut Expansions);
            prop_assert_eq!(maat().to_bytes(), maat().to_bytes());
            runs_alike(&index, &ground, maat(), seed)?;
            runs_alike(&index, &ground, SectorPlanner::dsma(Arc::clone(&ground), bounds), seed)?;
        }
    }
}

fn answers_like_the_oracle<P: Policy>(
    index: &Index,
    mut planner: SectorPlanner<P>,
    seed: u64,
) -> Result<(), TestCaseError> {
    let grid = index.grid();
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    for pair in maps::free_tiles(grid, 24, &mut Rng::new(seed)).chunks_exact(2) {
        let (start, goal) = (pair[0], pair[1]);
        let query = Query::new(start, goal);
        let answer = planner.find(index, &query, &mut Expansions, &mut scratch, &mut path).unwrap();
        let Some(least) = oracle::distance(grid, start, goal) else {
            prop_assert_eq!(answer.outcome, Outcome::Unreachable);
            continue;
        };
        let Outcome::Found(cost) = answer.outcome else {
            return Err(TestCaseError::fail(format!("{query:?}: {answer:?} on\n{grid:?}")));
        };
        path.check_answer(grid, start, goal, cost).unwrap();
        prop_assert!(u64::from(cost) >= least);
        prop_assert!(
            u64::from(cost) <= 4 * least,
            "{query:?}: {cost:?}, not {least}, on\n{grid:?}"
        );
        if planner.last_trip().way != Way::Guided {
            prop_assert_eq!(u64::from(cost), least);
        }
    }
    Ok(())
}

/// Tidying changes paths, not the sectors: with it, a planner runs through the same states.
fn tidied_paths_are_never_longer<P: Policy>(
    index: &Index,
    mut plain: SectorPlanner<P>,
    seed: u64,
) -> Result<(), TestCaseError> {
    let grid = index.grid();
    let mut tidied = plain.clone().tidied();
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    for (start, goal) in Pairs::new(grid, index.components(), seed).take(12) {
        let query = Query::new(grid.tile(start), grid.tile(goal));
        let mut cost = |planner: &mut SectorPlanner<P>| {
            let answer = planner.find(index, &query, &mut Expansions, &mut scratch, &mut path);
            let cost = answer.unwrap().cost().unwrap();
            path.check_answer(grid, query.start, query.goal, cost).unwrap();
            cost
        };
        prop_assert!(cost(&mut tidied) <= cost(&mut plain));
        prop_assert_eq!(tidied.cover(), plain.cover());
    }
    Ok(())
}

fn runs_alike<P: Policy>(
    index: &Index,
    ground: &Arc<Ground>,
    mut planner: SectorPlanner<P>,
    seed: u64,
) -> Result<(), TestCaseError> {
    let grid = index.grid();
    let (mut scratch, mut path, mut again) = (Scratch::new(), Path::new(), Path::new());
    for (i, (start, goal)) in Pairs::new(grid, index.components(), seed).take(20).enumerate() {
        let query = Query::new(grid.tile(start), grid.tile(goal));
        // A planner that is saved, loaded and asked with fresh memory answers the same.
        let mut other =
            SectorPlanner::<P>::from_bytes(Arc::clone(ground), &planner.to_bytes()).unwrap();
        let mut fresh = Scratch::new();
        let one = planner.find(index, &query, &mut Expansions, &mut scratch, &mut path);
        let two = other.find(index, &query, &mut Expansions, &mut fresh, &mut again);
        prop_assert_eq!(one, two, "query {}", i);
        prop_assert_eq!(&path, &again);
        prop_assert_eq!(planner.to_bytes(), other.to_bytes());
    }
    Ok(())
}

/// A map of walls with gaps, in which straight ways are rare.
fn detours(width: u32, height: u32) -> Grid {
    let free = |x, y| x % 9 != 4 || y % 11 == x % 10;
    Grid::from_fn(width, height, Movement::OneSideFree, free).unwrap()
}

/// A planner that has been at work on a map with detours.
fn worked() -> (Index, Arc<Ground>, SectorPlanner<Dsma>) {
    let grid = detours(37, 29);
    let ground = Arc::new(Ground::triangles(&grid, 3).unwrap());
    let index = Index::new(grid);
    let mut planner = SectorPlanner::dsma(Arc::clone(&ground), Bounds::new(20, 60).unwrap());
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    for (start, goal) in Pairs::new(index.grid(), index.components(), 3).take(60) {
        let query = Query::new(index.grid().tile(start), index.grid().tile(goal));
        planner.find(&index, &query, &mut Expansions, &mut scratch, &mut path).unwrap();
    }
    (index, ground, planner)
}

#[test]
fn the_queue_of_demand_holds_the_sectors_in_use_in_order() {
    let (_, _, planner) = worked();
    assert!(planner.tally().splits > 0 && planner.tally().merges > 0, "{:?}", planner.tally());
    let demand = |s: &SectorId| planner.policy().demand(*s);
    let mut queue = planner.policy().queue().to_vec();
    assert!(queue.iter().map(demand).is_sorted_by(|a, b| a >= b));
    queue.sort();
    assert!(queue.into_iter().eq(planner.cover().leaves(planner.ground().hierarchy())));
}

#[test]
fn damaged_and_foreign_states_are_refused() {
    let (index, ground, planner) = worked();
    let bytes = planner.to_bytes();
    let load = |bytes: &[u8]| SectorPlanner::<Dsma>::from_bytes(Arc::clone(&ground), bytes);
    assert_eq!(load(&bytes).unwrap().to_bytes(), bytes);
    for length in 0..bytes.len() {
        assert!(load(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(load(&damaged).is_err(), "bit {bit}");
    }
    assert!(matches!(load(&[&bytes[..], &[0]].concat()), Err(SavedError::Hash)));
    let other = SectorPlanner::<Maat>::from_bytes(Arc::clone(&ground), &bytes);
    assert!(other.unwrap_err().to_string().contains("policy dsma, not maat"));
    let finer = Arc::new(Ground::triangles(index.grid(), 4).unwrap());
    let other = SectorPlanner::<Dsma>::from_bytes(finer, &bytes);
    assert!(other.unwrap_err().to_string().contains("another map"));
}

/// The same, with the hash made right again: refused, or a state that still answers.
#[test]
fn a_forged_state_is_refused_or_still_answers() {
    let (index, ground, planner) = worked();
    let bytes = planner.to_bytes();
    let body = bytes.len() - 16;
    let (mut scratch, mut path, mut accepted) = (Scratch::new(), Path::new(), 0);
    for bit in 0..body * 8 {
        let mut forged = bytes[..body].to_vec();
        forged[bit / 8] ^= 1 << (bit % 8);
        let hash = blake3::hash(&forged);
        forged.extend(&hash.as_bytes()[..16]);
        let Ok(mut planner) = SectorPlanner::<Dsma>::from_bytes(Arc::clone(&ground), &forged)
        else {
            continue;
        };
        accepted += 1;
        let pair = Pairs::new(index.grid(), index.components(), bit as u64).next().unwrap();
        let query = Query::new(index.grid().tile(pair.0), index.grid().tile(pair.1));
        let answer = planner.find(&index, &query, &mut Expansions, &mut scratch, &mut path);
        let cost = answer.unwrap().cost().unwrap();
        path.check_answer(index.grid(), query.start, query.goal, cost).unwrap();
    }
    assert!(accepted > 0, "counts and bounds may be anything");
}

#[test]
fn the_file_of_an_index_keeps_what_was_fitted() {
    let mut index = Index::new(detours(60, 50));
    let engines = [tidegate_sectors::DSMA, tidegate_sectors::MAAT, tidegate_sectors::MAAT_ZONES];
    engines.iter().for_each(|engine| index.prepare(*engine).unwrap());
    let loaded = Index::from_bytes_with(&index.to_bytes(), tidegate_sectors::ENGINES).unwrap();
    assert_eq!(loaded.to_bytes(), index.to_bytes());
    for engine in engines {
        assert!(engine.is_ready(&loaded));
        let (one, two) = (
            tidegate_sectors::initial_sectors(&index, engine.name()),
            tidegate_sectors::initial_sectors(&loaded, engine.name()),
        );
        let (one, two) = (one.unwrap(), two.unwrap());
        assert_eq!((one.cover, one.bounds, one.tally), (two.cover, two.bounds, two.tally));
        let (mut scratch, mut path, mut again) = (Scratch::new(), Path::new(), Path::new());
        let mut fresh = Scratch::new();
        for (start, goal) in Pairs::new(index.grid(), index.components(), 4).take(20) {
            let query = Query::new(index.grid().tile(start), index.grid().tile(goal));
            let one = index.find(engine, &query, &mut scratch, &mut path).unwrap();
            assert_eq!(loaded.find(engine, &query, &mut fresh, &mut again).unwrap(), one);
            assert_eq!(path, again);
        }
    }
    // Other zones: what was fitted to the old ones is dropped.
    index.set_decomposition(Decomposition::rooms(index.grid())).unwrap();
    assert!(
        tidegate_sectors::initial_sectors(&index, "maat-zones").is_none()
            && tidegate_sectors::initial_sectors(&index, "maat").is_some()
    );
}

#[test]
fn tiles_blocked_for_one_query_are_gone_around() {
    let mut index = Index::new(detours(60, 50));
    let grid = index.grid().clone();
    for engine in [tidegate_sectors::DSMA, tidegate_sectors::MAAT, tidegate_sectors::MAAT_ZONES] {
        index.prepare(engine).unwrap();
        let (mut scratch, mut path, mut rng) = (Scratch::new(), Path::new(), Rng::new(6));
        for (start, goal) in Pairs::new(&grid, index.components(), 8).take(60) {
            let (start, goal) = (grid.tile(start), grid.tile(goal));
            let mut tiles = maps::free_tiles(&grid, 400, &mut rng);
            tiles.retain(|&tile| tile != start && tile != goal);
            let mut walled = grid.clone();
            tiles.iter().for_each(|&tile| {
                walled.set_free(tile, false);
            });
            let blocked = Blocked::new(tiles);
            let query = Query::new(start, goal).with_blocked(&blocked);
            let answer = index.find(engine, &query, &mut scratch, &mut path).unwrap();
            let least = oracle::distance(&walled, start, goal);
            assert_eq!(answer.cost().is_some(), least.is_some(), "{start} to {goal}");
            if let Some(cost) = answer.cost() {
                path.check_answer(&walled, start, goal, cost).unwrap();
            }
        }
    }
}

#[test]
fn engines_answer_alike_from_fresh_scratches_and_obey_budgets() {
    let mut index = Index::new(detours(60, 50));
    for engine in [tidegate_sectors::DSMA, tidegate_sectors::MAAT, tidegate_sectors::MAAT_ZONES] {
        index.prepare(engine).unwrap();
        let run = || {
            let (mut scratch, mut path, mut tiles) = (Scratch::new(), Path::new(), Vec::new());
            for (start, goal) in Pairs::new(index.grid(), index.components(), 9).take(40) {
                let query = Query::new(index.grid().tile(start), index.grid().tile(goal));
                index.find(engine, &query, &mut scratch, &mut path).unwrap();
                tiles.extend_from_slice(path.tiles());
            }
            tiles
        };
        assert_eq!(run(), run());
        let (start, goal) = (index.grid().free_cells().next(), index.grid().free_cells().last());
        let ends = (index.grid().tile(start.unwrap()), index.grid().tile(goal.unwrap()));
        let query = Query::new(ends.0, ends.1).with_budget(5).with_partial();
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let answer = index.find(engine, &query, &mut scratch, &mut path).unwrap();
        assert_eq!(answer.outcome, Outcome::Stopped);
        assert!(answer.stats.expanded <= 5 && path.check(index.grid()).is_ok());
        assert_eq!(path.tiles().first(), Some(&ends.0));
    }
}

/// Counts what it sees, and says stop after so many.
struct Count(u64, u64);

impl Observer<Cost> for Count {
    fn expand(&mut self, _: u32, _: Cost, _: Cost) -> ControlFlow<()> {
        if self.0 == self.1 {
            return ControlFlow::Break(());
        }
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

/// The search over sectors counts as the one over tiles does.
#[test]
fn what_is_reported_is_what_an_observer_sees_and_a_budget_allows() {
    let map = std::fs::read(bundled_suite().join("maps/bundled/rts-256.map")).unwrap();
    let mut index = Index::new(TileMap::parse(&map).unwrap().grid(Movement::default()));
    for engine in [tidegate_sectors::DSMA, tidegate_sectors::MAAT, tidegate_sectors::MAAT_ZONES] {
        index.prepare(engine).unwrap();
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let (mut stopped, mut guided) = (0, 0);
        for (i, (start, goal)) in
            Pairs::new(index.grid(), index.components(), 9).take(200).enumerate()
        {
            let query = Query::new(index.grid().tile(start), index.grid().tile(goal));
            let mut all = Count(0, u64::MAX);
            let answer =
                index.find_observed(engine, &query, &mut scratch, &mut path, Some(&mut all));
            assert_eq!(answer.unwrap().stats.expanded, all.0, "{}", engine.name());
            guided += u32::from(
                tidegate_sectors::sectors(&scratch, engine.name()).unwrap().trip.way == Way::Guided,
            );
            let budget = i as u64 % 40;
            let mut seen = Count(0, u64::MAX);
            let query = query.with_budget(budget);
            let answer =
                index.find_observed(engine, &query, &mut scratch, &mut path, Some(&mut seen));
            let answer = answer.unwrap();
            assert!(answer.stats.expanded <= budget, "{}: {answer:?} {budget}", engine.name());
            assert_eq!(answer.stats.expanded, seen.0);
            stopped += u32::from(answer.outcome == Outcome::Stopped);
        }
        assert!(stopped > 100 && guided > 20, "{}: {stopped} {guided}", engine.name());
    }
}
