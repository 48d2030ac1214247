//! Labels against the oracle: every pair of tiles of small maps, under every rule.
//! More of it: `tidegate report --only properties`.
#![cfg(feature = "generate")]

use tidegate::cost::Cost;
use tidegate::labels::{Form, LabelOptions, LabelScratch, Labels, LabelsError};
use tidegate::{Grid, Movement, Path, Tile};
use tidegate_testkit::{maps, oracle};

/// What a run of checks keeps from pair to pair.
#[derive(Default)]
struct Checker {
    scratch: LabelScratch,
    turns: Vec<Tile>,
    path: Path,
    many: Vec<Option<Cost>>,
}

impl Checker {
    /// Checks distance, turning points and path of one pair.
    fn pair(&mut self, grid: &Grid, labels: &Labels, (s, t): (Tile, Tile), truth: Option<u64>) {
        let expected = truth.map(|cost| Cost::try_from(cost).unwrap());
        let why = || format!("{grid:?}\nfrom {s} to {t}");
        assert_eq!(labels.distance(s, t, &mut self.scratch), expected, "{}", why());
        let turns = labels.turning_points(s, t, &mut self.scratch, &mut self.turns);
        assert_eq!(turns, expected, "{}", why());
        let legs = self.turns.windows(2).map(|leg| grid.movement().estimate(leg[0], leg[1]));
        assert_eq!(legs.sum::<Cost>(), expected.unwrap_or_default(), "{} {:?}", why(), self.turns);
        let found = labels.path(s, t, &mut self.scratch, &mut self.path);
        assert_eq!(found, expected, "{}", why());
        match expected {
            Some(cost) => {
                let checked = self.path.check_answer(grid, s, t, cost);
                assert!(checked.is_ok(), "{checked:?} {} {:?}", why(), self.path);
            }
            None => assert!(self.path.is_empty() && self.turns.is_empty()),
        }
    }

    /// Checks all pairs of free tiles; returns how many there are.
    fn map(&mut self, grid: &Grid, labels: &Labels) -> usize {
        let tiles: Vec<Tile> = grid.free_cells().map(|c| grid.tile(c)).collect();
        for &s in &tiles {
            let truth = oracle::distances(grid, s);
            let to = |t: Tile| truth[grid.cell(t).unwrap().index()];
            for &t in &tiles {
                self.pair(grid, labels, (s, t), to(t));
            }
            labels.distances(s, &tiles, &mut self.scratch, &mut self.many);
            let expected: Vec<_> =
                tiles.iter().map(|&t| to(t).map(|c| Cost::new(c as u32))).collect();
            assert_eq!(self.many, expected, "{grid:?} from {s}");
        }
        tiles.len() * tiles.len()
    }
}

/// All 65,536 maps of 4 x 4 tiles with all pairs of free tiles.
fn all_maps_of_4_by_4(movement: Movement) {
    let mut checker = Checker::default();
    let mut pairs = 0;
    for bits in 0_u32..1 << 16 {
        let free = |x: u32, y: u32| bits >> (4 * y + x) & 1 != 0;
        let grid = Grid::from_fn(4, 4, movement, free).unwrap();
        let labels = Labels::build(&grid, &LabelOptions::default()).unwrap();
        pairs += checker.map(&grid, &labels);
    }
    assert_eq!(pairs, 4_456_448);
}

#[test]
fn all_maps_of_4_by_4_without_corner_cutting() {
    all_maps_of_4_by_4(Movement::NoCornerCutting);
}

#[test]
fn all_maps_of_4_by_4_with_one_side_free() {
    all_maps_of_4_by_4(Movement::OneSideFree);
}

#[test]
fn all_maps_of_4_by_4_four_connected() {
    all_maps_of_4_by_4(Movement::FourConnected);
}

#[test]
fn small_maps_of_every_shape_in_all_forms() {
    let mut checker = Checker::default();
    let mut pairs = 0;
    for seed in 0..60 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let form = [Form::Fast, Form::Small, Form::Auto][seed as usize / 3 % 3];
        let options = LabelOptions { form, seed, ..LabelOptions::default() };
        let labels = Labels::build(&grid, &options).unwrap();
        if labels.corners() > 0 && form != Form::Auto {
            assert_eq!(labels.form(), form);
        }
        if grid.free_tiles() < 400 {
            pairs += checker.map(&grid, &labels);
        }
    }
    assert!(pairs > 100_000, "{pairs}");
}

#[test]
fn matrix_and_nearest_agree_with_single_distances() {
    let mut scratch = LabelScratch::new();
    let mut out = Vec::new();
    for seed in 0..12 {
        let grid = maps::small(seed + 500, Movement::ALL[seed as usize % 3]);
        let labels = Labels::build(&grid, &LabelOptions::default()).unwrap();
        let mut rng = tidegate::rng::Rng::new(seed);
        let mut tiles = maps::free_tiles(&grid, 12, &mut rng);
        tiles.push(Tile::new(0, 0));
        tiles.push(Tile::new(9999, 3));
        labels.matrix(&tiles, &mut scratch, &mut out);
        for (a, &s) in tiles.iter().enumerate() {
            let row = &out[a * tiles.len()..][..tiles.len()];
            for (b, &t) in tiles.iter().enumerate() {
                assert_eq!(row[b], labels.distance(s, t, &mut scratch));
            }
            let least = row.iter().flatten().min().copied();
            let nearest = labels.nearest(s, &tiles, &mut scratch);
            assert_eq!(nearest.map(|(_, cost)| cost), least);
            if let Some((n, cost)) = nearest {
                assert_eq!(row.iter().position(|&c| c == Some(cost)), Some(n));
            }
        }
    }
}

#[test]
fn tiles_that_are_wall_or_outside_have_no_way() {
    let grid = Grid::from_rows(&["..@.", "..@.", "..@."]).unwrap();
    let labels = Labels::build(&grid, &LabelOptions::default()).unwrap();
    let mut scratch = LabelScratch::new();
    let [a, b, wall, out] = [(0, 0), (3, 0), (2, 1), (4, 0)].map(|(x, y)| Tile::new(x, y));
    for (s, t) in [(a, b), (a, wall), (wall, a), (wall, wall), (a, out), (out, a), (out, out)] {
        assert_eq!(labels.distance(s, t, &mut scratch), None, "{s} {t}");
    }
    assert_eq!(labels.distance(a, a, &mut scratch), Some(Cost::ZERO));
    let mut path = Path::new();
    assert_eq!(labels.path(a, a, &mut scratch, &mut path), Some(Cost::ZERO));
    assert_eq!(path.tiles(), [a]);
}

#[test]
fn one_scratch_serves_several_maps() {
    let mut checker = Checker::default();
    let grids = [maps::small(3, Movement::default()), maps::small(700, Movement::default())];
    let labels = grids.each_ref().map(|g| Labels::build(g, &LabelOptions::default()).unwrap());
    for n in [0, 1, 0] {
        for s in grids[n].free_cells().step_by(17).map(|c| grids[n].tile(c)) {
            let truth = oracle::distances(&grids[n], s);
            for t in grids[n].free_cells().step_by(13) {
                let ends = (s, grids[n].tile(t));
                checker.pair(&grids[n], &labels[n], ends, truth[t.index()]);
            }
        }
    }
}

#[test]
fn what_labels_cannot_do_is_an_error() {
    let grid = Grid::from_rows(&["...", ".@.", "..."]).unwrap();
    let factor = tidegate::cost::Factor::new(2.0).unwrap();
    let rough = grid.clone().with_factors(vec![factor; 9]);
    assert_eq!(Labels::build(&rough, &LabelOptions::default()), Err(LabelsError::Factors));
    let options = LabelOptions { budget_bytes: 10, ..LabelOptions::default() };
    match Labels::build(&grid, &options) {
        Err(error @ LabelsError::TooLarge { estimate, budget }) => {
            assert!(budget == 10 && estimate > 10);
            assert!(error.to_string().contains("jps"));
        }
        other => panic!("{other:?}"),
    }
}

/// Scattered walls have too many corners: noticed from samples, before the labels of
/// corners are made.
#[test]
fn a_map_full_of_corners_is_refused() {
    let mut rng = tidegate::rng::Rng::new(1);
    let scattered = |_, _| !rng.chance(20);
    let grid = Grid::from_fn(256, 256, Movement::default(), scattered).unwrap();
    let options = LabelOptions { budget_bytes: 8 << 20, ..LabelOptions::default() };
    assert!(matches!(Labels::build(&grid, &options), Err(LabelsError::TooLarge { .. })));
}

#[test]
fn the_small_form_is_chosen_when_the_fast_one_does_not_fit() {
    let map = tidegate::generate::generate(tidegate::generate::Kind::Rts, 160, 160, 1).unwrap();
    let grid = map.grid(Movement::default());
    let quick = LabelOptions { effort: 20_000, ..LabelOptions::default() };
    let build = |form, budget_bytes| {
        Labels::build(&grid, &LabelOptions { form, budget_bytes, ..quick.clone() })
    };
    let [fast, small] = [Form::Fast, Form::Small].map(|form| build(form, u64::MAX).unwrap());
    assert!(small.bytes() < fast.bytes(), "{} {}", small.bytes(), fast.bytes());
    // With ever more budget: refused, then large blocks only, then fewer and fewer of them.
    let mut chosen = Vec::new();
    for percent in [5, 50, 60, 70, 80, 90, 100, 120, 200] {
        let budget = fast.bytes() as u64 * percent / 100;
        match build(Form::Auto, budget) {
            Ok(labels) => {
                assert!(labels.bytes() as u64 <= budget);
                chosen.push((labels.bytes(), labels.form()));
            }
            // Too little for building, then too little for the labels.
            Err(LabelsError::TooManyConnections { budget: stated, connections }) => {
                assert!(stated == budget && connections > budget && percent == 5);
            }
            Err(LabelsError::TooLarge { budget: stated, .. }) => assert_eq!(stated, budget),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(chosen.is_sorted_by_key(|&(bytes, _)| bytes), "{chosen:?}");
    assert_eq!(chosen[0].1, Form::Small);
    assert_eq!(chosen[chosen.len() - 1].1, Form::Auto);
}

mod bytes {
    use super::*;

    fn rocks(movement: Movement) -> Grid {
        let rows = ["......@...", ".@@...@.@.", "....@....@", ".@..@@..@.", "......@..."];
        Grid::from_rows(&rows).unwrap().with_movement(movement)
    }

    fn written(grid: &Grid, form: Form) -> (Labels, Vec<u8>) {
        let options = LabelOptions { form, ..LabelOptions::default() };
        let labels = Labels::build(grid, &options).unwrap();
        let mut bytes = Vec::new();
        labels.write(&mut bytes);
        (labels, bytes)
    }

    #[test]
    fn what_was_written_is_read() {
        for movement in Movement::ALL {
            for form in [Form::Fast, Form::Small] {
                let grid = rocks(movement);
                let (labels, bytes) = written(&grid, form);
                assert_eq!(Labels::read(&grid, &bytes).unwrap(), labels);
                assert_eq!(written(&grid, form).1, bytes);
                let other = grid.with_movement(Movement::ALL[(movement as usize + 1) % 3]);
                assert!(Labels::read(&other, &bytes).is_err());
            }
        }
    }

    /// Every bit flipped, every truncation, words replaced: refused, or every query
    /// still gives a legal path of the cost it tells, or none.
    #[test]
    fn damaged_bytes_are_refused_or_harmless() {
        let grid = rocks(Movement::NoCornerCutting);
        let (_, good) = written(&grid, Form::Fast);
        let tiles: Vec<Tile> = grid.free_cells().map(|c| grid.tile(c)).collect();
        let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
        let mut turns = Vec::new();
        let mut accepted = 0;
        let mut ask = |bytes: &[u8]| {
            let Ok(labels) = Labels::read(&grid, bytes) else { return };
            accepted += 1;
            for &s in tiles.iter().step_by(2) {
                for &t in tiles.iter().step_by(3) {
                    let distance = labels.distance(s, t, &mut scratch);
                    assert_eq!(labels.turning_points(s, t, &mut scratch, &mut turns), distance);
                    assert_eq!(labels.path(s, t, &mut scratch, &mut path), distance);
                    if let Some(cost) = distance {
                        path.check_answer(&grid, s, t, cost).unwrap();
                    }
                }
            }
        };
        for length in 0..good.len() {
            ask(&good[..length]);
        }
        let mut bytes = good.clone();
        for bit in 0..8 * good.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            ask(&bytes);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        for word in (0..good.len()).step_by(4) {
            for value in [0, 1, 1 << 31, u32::MAX, u32::MAX - 1, word as u32] {
                bytes[word..word + 4].copy_from_slice(&value.to_le_bytes());
                ask(&bytes);
            }
            bytes[word..word + 4].copy_from_slice(&good[word..word + 4]);
        }
        // Some mask bits can be taken away unnoticed: then a path is only longer.
        assert!(accepted > 0);
    }
}
