//! Worlds: every kind of unit against the oracle, where it fits, and after edits.

use std::collections::BTreeSet;

use tidegate::cost::Factor;
use tidegate::engine;
use tidegate::rng::Rng;
use tidegate::world::{Profile, World, WorldError};
use tidegate::{Grid, Movement, Path, Query, Scratch, Tile};
use tidegate_testkit::{maps, oracle};

const CLASSES: &[u8] = b".#~Dm";

fn profiles(rng: &mut Rng) -> Vec<Profile> {
    let mud = Factor::new(1.0 + rng.below(4) as f64).unwrap();
    let kinds = [
        Profile::new().entering(b"."),
        Profile::new().entering(b".D"),
        Profile::new().entering(b"~"),
        Profile::new().entering(b".~D"),
        Profile::new().entering(b".").entering_at(b'm', mud),
        Profile::new().entering(b".D").entering_at(b'm', Factor::new(2.5).unwrap()),
    ];
    let mut all = Vec::new();
    for kind in kinds {
        for size in 1..=4 {
            all.push(kind.clone().of_size(size).moving(Movement::ALL[rng.below(3)]));
        }
    }
    all
}

/// The map of a profile, by looking at every tile of every square.
fn by_definition(world: &World, profile: &Profile) -> (Grid, Vec<Factor>) {
    let (width, height, size) = (world.width(), world.height(), u32::from(profile.size()));
    let under = |x: u32, y: u32| -> Option<Factor> {
        let mut worst = Factor::ONE;
        for (dx, dy) in (0..size).flat_map(|dy| (0..size).map(move |dx| (dx, dy))) {
            let class = world.ground(((x + dx) as u16, (y + dy) as u16))?;
            worst = worst.max(profile.factor(class)?);
        }
        Some(worst)
    };
    let free = |x, y| under(x, y).is_some();
    let grid = Grid::from_fn(width, height, profile.rule(), free).unwrap();
    let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let factors: Vec<Factor> = all.map(|(x, y)| under(x, y).unwrap_or(Factor::ONE)).collect();
    (grid.with_factors(factors.clone()), factors)
}

#[test]
fn every_kind_of_unit_is_exact_before_and_after_edits() {
    let (mut asked, mut found, mut edits) = (0, 0, 0);
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let (width, height) = (1 + rng.below(26) as u32, 1 + rng.below(26) as u32);
        let class = |rng: &mut Rng| if rng.chance(60) { b'.' } else { CLASSES[rng.below(5)] };
        let ground = (0..width * height).map(|_| class(&mut rng)).collect();
        let mut world = World::new(width, height, ground).unwrap();
        let ids: Vec<_> = profiles(&mut rng).into_iter().map(|p| world.add(p)).collect();
        assert_eq!(world.add(world.profile(ids[3]).clone()), ids[3]);
        // Some have tables before the first edit, some are made only after it.
        for &id in ids.iter().filter(|id| id.index() % 3 != 0) {
            let engine = [engine::JPS, engine::HPA, engine::DIFFERENTIAL, engine::LABELS];
            let _ = world.prepare(id, engine[rng.below(4)]);
        }
        for round in 0..4 {
            for &id in &ids {
                let (grid, factors) = by_definition(&world, world.profile(id));
                let index = world.index_of(id);
                for (cell, &factor) in grid.free_cells().map(|c| (c, &factors[c.index()])) {
                    assert_eq!(index.grid().factor(grid.tile(cell)), factor, "seed {seed}");
                }
                assert_eq!(index.grid().free_bits(), grid.free_bits(), "seed {seed} {round}");
                let ends = maps::free_tiles(&grid, 6, &mut rng);
                for pair in ends.chunks_exact(2) {
                    let least = oracle::distance(&grid, pair[0], pair[1]);
                    let mut path = Path::new();
                    let query = Query::new(pair[0], pair[1]);
                    let answer = index.find(engine::AUTO, &query, &mut Scratch::new(), &mut path);
                    let cost = answer.unwrap().cost();
                    assert_eq!(cost.map(u64::from), least, "seed {seed}, {:?}", world.profile(id));
                    asked += 1;
                    found += u32::from(cost.is_some());
                    sweep(&world, world.profile(id), path.tiles());
                }
            }
            let tile = |rng: &mut Rng| {
                Tile::new(rng.below(width as usize) as u16, rng.below(height as usize) as u16)
            };
            let changes: Vec<_> =
                (0..rng.below(12)).map(|_| (tile(&mut rng), class(&mut rng))).collect();
            edits += changes.len();
            world.edit(changes).unwrap();
            if rng.chance(50) {
                let factor = [None, Some(Factor::ONE), Factor::new(3.0)][rng.below(3)];
                world.set_cost(ids[rng.below(ids.len())], CLASSES[rng.below(5)], factor).unwrap();
            }
        }
    }
    println!("{asked} asked, {found} found, {edits} edits");
    assert!(found > 5_000 && edits > 500);
}

/// What a unit sweeps on its way is ground that it may enter: all of it, if corners are not
/// cut. A diagonal step is looked at in 64ths.
fn sweep(world: &World, profile: &Profile, path: &[Tile]) {
    let size = i64::from(profile.size()) * 64;
    for step in path.windows(2) {
        let [from, to] = [step[0], step[1]].map(|t| (i64::from(t.x) * 64, i64::from(t.y) * 64));
        let diagonal = from.0 != to.0 && from.1 != to.1;
        if diagonal && profile.rule() == Movement::OneSideFree {
            continue;
        }
        let mut under = BTreeSet::new();
        for part in 0..=64 {
            let at = |a: i64, b: i64| a + (b - a) * part / 64;
            let (x, y) = (at(from.0, to.0), at(from.1, to.1));
            for row in y.div_euclid(64)..=(y + size - 1).div_euclid(64) {
                under.extend((x.div_euclid(64)..=(x + size - 1).div_euclid(64)).map(|c| (c, row)));
            }
        }
        for (x, y) in under {
            let class = world.ground((x as u16, y as u16));
            assert!(class.and_then(|c| profile.factor(c)).is_some(), "{step:?} over ({x}, {y})");
        }
    }
}

#[test]
fn saved_indexes_are_taken_back_where_they_fit() {
    let mut world = World::from_rows(&["....", ".~..", "...."]).unwrap();
    let walker = world.add(Profile::new().entering(b"."));
    let wader = world.add(Profile::new().entering(b".~"));
    world.prepare(walker, engine::JPS).unwrap();
    let saved = world.index_of(walker).clone();
    assert!(world.adopt(wader, saved.clone()).is_err());
    world.edit([((0, 0), b'~')]).unwrap();
    assert!(world.adopt(walker, saved.clone()).is_err());
    world.edit([((0, 0), b'.')]).unwrap();
    assert_eq!(world.adopt(walker, saved), Ok(()));
    let outside = world.edit([((1, 1), b'.'), ((4, 0), b'.')]);
    assert!(outside.is_err() && world.ground((1, 1)) == Some(b'~'));
}

#[test]
fn worlds_that_cannot_be_are_refused() {
    let short = World::new(3, 2, vec![b'.'; 5]);
    assert_eq!(short.unwrap_err(), WorldError::Classes { given: 5, width: 3, height: 2 });
    let ragged = World::from_rows(&["...", ".."]);
    assert_eq!(ragged.unwrap_err(), WorldError::Row { row: 1, length: 2, first: 3 });
    assert!(World::from_rows::<&str>(&[]).is_err());
}
