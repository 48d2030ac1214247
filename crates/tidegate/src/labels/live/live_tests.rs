//! Labels that follow a changing map against textbook Dijkstra on the map as it is.

use super::*;
use crate::cost::INFINITY;
use crate::grid::Movement;
use crate::labels::{Form, LabelOptions, LabelScratch};
use crate::path::Path;
use crate::rng::Rng;
use crate::taut::exact_tests::{dijkstra, drawn_map};

/// What was asked and what was answered.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Pairs with a way.
    reachable: usize,
    found: usize,
    /// Found with a way that the old map does not have, or a shorter one.
    pub(super) shorter: usize,
    /// Found with another length than Dijkstra's, or a path that is not legal.
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
pub(super) fn check(grid: &Grid, live: &LiveLabels, rng: &mut Rng, starts: usize) -> Tally {
    let (mut scratch, mut path) = (LiveScratch::new(), Path::new());
    let mut old = LabelScratch::new();
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
            let before = live.labels().distance(start, goal, &mut old);
            tally.shorter += usize::from(before.is_none_or(|before| before > cost));
            let legal = path.check_answer(grid, start, goal, cost).is_ok();
            tally.wrong += usize::from(cost != expected || !legal);
            assert_eq!(live.distance(grid, start, goal, &mut scratch), answer);
        }
    }
    tally
}

/// How a map is edited.
#[derive(Clone, Copy, Debug)]
pub(super) enum Edits {
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
pub(super) fn edited_maps(
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

/// Following edit by edit gives the same answers as taking over all at once.
#[test]
fn edit_by_edit_is_the_same_as_all_at_once() {
    let mut differences = 0;
    edited_maps(90, (6, 20), |edits, before, grid, live, rng| {
        let mut at_once = LiveLabels { labels: live.labels.clone(), ..live_of(before) };
        let tiles: Vec<Tile> = live.closed.iter().map(|&c| grid.tile(c)).collect();
        let opened = live.opened.keys().map(|&c| grid.tile(c));
        at_once.follow(grid, &tiles.into_iter().chain(opened).collect::<Vec<_>>());
        assert_eq!((live.closed(), live.opened()), (at_once.closed(), at_once.opened()));
        differences += live.closed() + live.opened();
        let (mut scratch, mut path) = (LiveScratch::new(), Path::new());
        let free: Vec<CellId> = grid.free_cells().collect();
        for _ in 0..300 {
            let (Some(&a), Some(&b)) = (rng.pick(&free), rng.pick(&free)) else { continue };
            let (a, b) = (grid.tile(a), grid.tile(b));
            let one = live.path(grid, a, b, &mut scratch, &mut path);
            let other = at_once.path(grid, a, b, &mut scratch, &mut path);
            // With tiles closed, one of two equal ways may be legal and the other not.
            if live.closed() == 0 || (one.cost().is_some() && other.cost().is_some()) {
                assert_eq!(one, other, "{edits:?} {a} {b} from\n{before:?}\nto\n{grid:?}");
            }
        }
    });
    assert!(differences > 1000);
}

#[test]
fn a_change_that_is_taken_back_leaves_nothing() {
    let before = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
    let mut grid = before.clone();
    let mut live = live_of(&grid);
    let (door, wall) = (Tile::new(2, 1), Tile::new(0, 1));
    grid.set_free(door, true);
    grid.set_free(wall, false);
    live.follow(&grid, &[door, wall]);
    assert_eq!((live.closed(), live.opened(), live.is_current()), (1, 1, false));
    let kept = live.clone();
    let mut other = grid.clone();
    other.set_free(door, false);
    other.set_free(wall, true);
    live.follow(&other, &[door, wall, Tile::new(4, 4), Tile::new(900, 9)]);
    assert!(live.is_current() && live.terminals.tiles.is_empty());
    // The clone is still that of the map in between.
    assert!(std::ptr::eq(kept.labels(), live.labels()));
    assert_eq!(check(&grid, &kept, &mut Rng::new(1), 99).wrong, 0);
    assert_eq!(check(&other, &live, &mut Rng::new(1), 99).wrong, 0);
}

/// Tiles that nobody told of are noticed: no answer is given for another map, and the next
/// call finds them.
#[test]
fn forgotten_tiles_are_noticed() {
    let mut grid = Grid::from_rows(&["......", ".####.", "......"]).unwrap();
    let mut live = live_of(&grid);
    let (mut scratch, mut path) = (LiveScratch::new(), Path::new());
    let ends = (Tile::new(2, 0), Tile::new(2, 2));
    grid.set_free(Tile::new(2, 1), true);
    let ask = |live: &LiveLabels, grid: &Grid, scratch: &mut LiveScratch, path: &mut Path| {
        live.path(grid, ends.0, ends.1, scratch, path)
    };
    assert_eq!(ask(&live, &grid, &mut scratch, &mut path), LiveAnswer::Unknown);
    live.follow(&grid, &[]);
    assert!(matches!(ask(&live, &grid, &mut scratch, &mut path), LiveAnswer::Found(_)));
    assert_eq!(live.opened(), 1);
    let other = grid.clone().with_movement(Movement::FourConnected);
    live.follow(&other, &[]);
    assert_eq!(ask(&live, &other, &mut scratch, &mut path), LiveAnswer::Unknown);
}

/// More openings than are kept: nothing wrong, and what lies far from them is still answered.
#[test]
fn many_openings_are_partly_unknown() {
    for movement in Movement::ALL {
        let (w, h) = (80, 60);
        let wall = |x: u32, y: u32| x % 4 == 3 && y != h / 2;
        let mut grid = Grid::from_fn(w, h, movement, |x, y| !wall(x, y)).unwrap();
        let mut live = live_of(&grid);
        let mut rng = Rng::new(3);
        let mut tallies = Vec::new();
        for _ in 0..4 {
            for _ in 0..60 {
                let tile =
                    Tile::new(rng.below(w as usize / 4) as u16 * 4 + 3, rng.below(55) as u16);
                grid.set_free(tile, true);
                live.follow(&grid, &[tile]);
            }
            assert!(live.terminals.tiles.len() <= terminals::MAX_TERMINALS);
            let tally = check(&grid, &live, &mut rng, 6);
            assert_eq!(tally.wrong, 0, "{grid:?}");
            tallies.push(tally);
        }
        assert!(!live.unknown.is_empty());
        let last = &tallies[3];
        assert!(last.found > 50 && last.found < last.reachable, "{tallies:?}");
        // Closing what was opened makes room again.
        let opened: Vec<Tile> = live.opened.keys().map(|&c| grid.tile(c)).collect();
        for chunk in opened.chunks(opened.len().div_ceil(8)).skip(1) {
            for &tile in chunk {
                grid.set_free(tile, false);
            }
            live.follow(&grid, chunk);
        }
        assert!(live.unknown.is_empty());
        let tally = check(&grid, &live, &mut rng, 6);
        assert_eq!((tally.wrong, tally.found), (0, tally.reachable), "{movement}");
    }
}

/// Where tiles were only opened, and few of them, no way is unknown.
#[test]
fn openings_leave_nothing_unknown() {
    let (mut shorter, mut closed) = (0, 0);
    edited_maps(60, (5, 12), |edits, before, grid, live, rng| {
        let tally = check(grid, live, rng, 4);
        assert_eq!(tally.wrong, 0, "{edits:?} from\n{before:?}\nto\n{grid:?}");
        if live.closed() > 0 {
            closed += tally.found;
        } else {
            assert_eq!(tally.found, tally.reachable, "{edits:?} from\n{before:?}\nto\n{grid:?}");
            shorter += tally.shorter;
        }
    });
    assert!(shorter > 1000 && closed > 1000, "{shorter} {closed}");
}
