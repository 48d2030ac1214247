//! Labels that follow a changing map against textbook Dijkstra on the map as it is.

use super::*;
use crate::artifact::{Reader, Writer};
use crate::cost::INFINITY;
use crate::grid::Movement;
use crate::labels::{Form, LabelOptions};
use crate::path::Path;
use crate::rng::Rng;
use crate::taut::exact_tests::{dijkstra, drawn_map};

/// What was asked and what was answered.
#[derive(Debug, Default)]
struct Tally {
    /// Pairs with a way.
    reachable: usize,
    found: usize,
    /// Found with a way that the old map does not have, or a shorter one.
    shorter: usize,
    /// Found with a longer way... there is none: the labels do not know of any.
    wrong: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.reachable += other.reachable;
        self.found += other.found;
        self.shorter += other.shorter;
        self.wrong += other.wrong;
    }
}

fn live_of(grid: &Grid) -> LiveLabels {
    let options = LabelOptions { form: Form::Fast, effort: 1000, ..LabelOptions::default() };
    LiveLabels::new(grid, Labels::build(grid, &options).unwrap())
}

/// Compares the answers for pairs of free tiles with Dijkstra's: all of them, or so many.
fn check(grid: &Grid, live: &LiveLabels, rng: &mut Rng, starts: usize) -> Tally {
    let (mut scratch, mut path) = (LiveScratch::new(), Path::new());
    let mut tally = Tally::default();
    let mut free: Vec<CellId> = grid.free_cells().collect();
    let goals = free.clone();
    rng.shuffle(&mut free);
    for &s in free.iter().take(starts) {
        let truth = dijkstra(grid, s);
        for &t in &goals {
            let (start, goal) = (grid.tile(s), grid.tile(t));
            let answer = live.path(grid, start, goal, &mut scratch, &mut path);
            let expected = truth[t.index()];
            tally.reachable += usize::from(expected < INFINITY);
            let Some(cost) = answer.cost() else {
                assert!(path.is_empty());
                continue;
            };
            tally.found += 1;
            let before = live.labels().distance(start, goal, &mut scratch_of(live));
            tally.shorter += usize::from(before.is_none_or(|before| before > cost));
            let legal = path.check_answer(grid, start, goal, cost).is_ok();
            tally.wrong += usize::from(cost != expected || !legal);
            assert_eq!(live.distance(grid, start, goal, &mut scratch), answer);
        }
    }
    tally
}

fn scratch_of(_: &LiveLabels) -> crate::labels::LabelScratch {
    crate::labels::LabelScratch::new()
}

/// How a map is edited.
#[derive(Clone, Copy, Debug)]
enum Edits {
    Close,
    Open,
    Both,
    /// Lines of tiles are opened: ways through walls, between parts that were not connected.
    Gaps,
    /// What was changed before is changed back, or something else is changed.
    Undo,
}

/// Changes a few tiles and returns them, with some that did not change among them.
fn edit(grid: &mut Grid, rng: &mut Rng, edits: Edits, history: &mut Vec<Tile>) -> Vec<Tile> {
    let (w, h) = (grid.width() as i32, grid.height() as i32);
    let any = |rng: &mut Rng| Tile::new(rng.between(0, w - 1) as u16, rng.between(0, h - 1) as u16);
    let mut tiles = Vec::new();
    match edits {
        Edits::Gaps => {
            let (at, long) = (any(rng), rng.between(1, 6) as u16);
            let along = rng.chance(50);
            for n in 0..long {
                let (x, y) = if along { (at.x + n, at.y) } else { (at.x, at.y + n) };
                tiles.push((Tile::new(x, y), true));
            }
        }
        _ => {
            for _ in 0..rng.between(1, 4) {
                let tile = any(rng);
                let free = match edits {
                    Edits::Close => false,
                    Edits::Open => true,
                    _ => !grid.is_free(tile),
                };
                tiles.push((tile, free));
            }
        }
    }
    if let (Edits::Undo, Some(&tile)) = (edits, rng.pick(history)) {
        tiles.truncate(1);
        tiles.push((tile, !grid.is_free(tile)));
    }
    for &(tile, free) in &tiles {
        if grid.set_free(tile, free) {
            history.push(tile);
        }
    }
    tiles.into_iter().map(|(tile, _)| tile).collect()
}

const EDITS: [Edits; 5] = [Edits::Close, Edits::Open, Edits::Both, Edits::Gaps, Edits::Undo];

/// Random maps, each edited again and again; calls `see` after every edit.
fn edited_maps(
    rounds: usize,
    sides: (i32, i32),
    mut see: impl FnMut(Edits, &Grid, &Grid, &LiveLabels, &mut Rng),
) {
    let mut rng = Rng::new(21);
    for round in 0..rounds {
        let movement = Movement::ALL[round % 3];
        let edits = EDITS[round / 3 % 5];
        let (w, h) = (rng.between(sides.0, sides.1), rng.between(sides.0, sides.1));
        let before = drawn_map(&mut rng, w as u32, h as u32, movement);
        let mut live = live_of(&before);
        let mut grid = before.clone();
        let mut history = Vec::new();
        for _ in 0..4 {
            let changed = edit(&mut grid, &mut rng, edits, &mut history);
            live.follow(&grid, &changed);
            see(edits, &before, &grid, &live, &mut rng);
        }
    }
}

#[test]
fn answers_are_exact_or_unknown() {
    let mut tallies: [Tally; 5] = Default::default();
    let mut see = |edits: Edits, before: &Grid, grid: &Grid, live: &LiveLabels, rng: &mut Rng| {
        let tally = check(grid, live, rng, 12);
        assert_eq!(tally.wrong, 0, "{edits:?} from\n{before:?}\nto\n{grid:?}");
        tallies[edits as usize].add(&tally);
    };
    edited_maps(150, (5, 14), &mut see);
    edited_maps(45, (20, 40), &mut see);
    println!("{tallies:?}");
    for (edits, tally) in EDITS.iter().zip(&tallies) {
        // A version that never knows anything must not pass.
        let share = 100 * tally.found / tally.reachable;
        let least = match edits {
            Edits::Open | Edits::Gaps => 99,
            _ => 60,
        };
        assert!(share >= least, "{edits:?}: {share} % of {tally:?}");
        assert!(matches!(edits, Edits::Close) || tally.shorter > 1000, "{edits:?}: {tally:?}");
    }
}
