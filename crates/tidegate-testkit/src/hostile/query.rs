//! Queries of every kind to every engine, against the oracle.

use tidegate::cost::Factor;
use tidegate::decompose::{Decomposition, GateLine, Source};
use tidegate::engine::{Engine, Promise};
use tidegate::rng::Rng;
use tidegate::{Blocked, Grid, Index, Outcome, Path, Query, QueryError, Scratch, Tile};

use super::Bytes;
use crate::{oracle, properties};

pub(super) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let mut grid = bytes.grid();
    if bytes.below(4) == 3 {
        let kinds =
            [100, 150, 200, 65_535].map(|h| Factor::from_hundredths(h).expect("at least 1"));
        let factors = (0..grid.tiles()).map(|_| kinds[bytes.below(4)]).collect();
        grid = grid.with_factors(factors);
    }
    let mut index = Index::new(grid);
    if bytes.below(2) == 1 {
        let parts = odd_gates(index.grid(), &mut bytes);
        index.set_decomposition(parts).expect("made for it");
    }
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    // The sectors that are fitted to a map take longest by far to build.
    let fitted = bytes.below(8) == 0;
    for engine in tidegate_sectors::ENGINES {
        if fitted || !engine.name().starts_with("maat") {
            properties::prepare(&mut index, *engine).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    for _ in 0..3 {
        let (start, goal) = (bytes.tile(index.grid()), bytes.tile(index.grid()));
        let kind = bytes.below(8);
        let mut blocked = Vec::new();
        while kind & 1 != 0 && bytes.below(4) != 0 {
            blocked.push(bytes.tile(index.grid()));
        }
        let blocked = Blocked::new(blocked);
        let mut query = Query::new(start, goal).with_blocked(&blocked);
        query.partial = kind & 2 != 0;
        query.budget = (kind & 4 != 0).then(|| bytes.below(64) as u64);
        for engine in tidegate_sectors::ENGINES.iter().filter(|engine| engine.is_ready(&index)) {
            judge(&index, *engine, &query, &mut scratch, &mut path).unwrap_or_else(|e| {
                panic!("{}: {query:?}: {e}\n{:?}", engine.name(), index.grid())
            });
        }
        if let Ok(costs) = index.distances(start, &[goal, start], Some(&blocked), &mut scratch) {
            let walled = walled(index.grid(), &blocked, start);
            let least = oracle::distance(&walled, start, goal);
            assert_eq!(costs[0].map(u64::from), least, "distances: {query:?}\n{walled:?}");
        }
    }
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let seed = |n: u64| {
        let mut rng = Rng::new(n);
        let mut bytes: Vec<u8> = (0..64).map(|_| rng.bits() as u8).collect();
        bytes[3..21].iter_mut().for_each(|b| *b &= rng.bits() as u8);
        bytes
    };
    (0..16).map(seed).collect()
}

/// Gates where the bytes want them: they may cross, touch and lead nowhere.
fn odd_gates(grid: &Grid, bytes: &mut Bytes<'_>) -> Decomposition {
    let mut lines = Vec::new();
    for _ in 0..bytes.below(6) {
        lines.push(GateLine::new(bytes.tile(grid), bytes.tile(grid), Source::Manual));
        if Decomposition::from_gates(grid, lines.iter().copied()).is_err() {
            lines.pop();
        }
    }
    Decomposition::from_gates(grid, lines).expect("each was accepted")
}

/// The map with the blocked tiles as walls, for a unit that does not block itself.
fn walled(grid: &Grid, blocked: &Blocked, start: Tile) -> Grid {
    let mut walled = grid.clone();
    for tile in grid.free_cells().map(|cell| grid.tile(cell)).filter(|&t| blocked.contains(t)) {
        walled.set_free(tile, tile == start);
    }
    walled
}

fn judge(
    index: &Index,
    engine: &dyn Engine,
    query: &Query<'_>,
    scratch: &mut Scratch,
    path: &mut Path,
) -> Result<(), String> {
    let grid = index.grid();
    let blocked = query.blocked.ok_or("no blocked tiles")?;
    let bad_end = |tile: Tile| !grid.contains(tile) || !grid.is_free(tile);
    let bad_goal = query.goal != query.start && blocked.contains(query.goal);
    let bad_ends = bad_end(query.start) || bad_end(query.goal) || bad_goal;
    use QueryError::{Blocked, Outside, Wall};
    let answer = match index.find(engine, query, scratch, path) {
        Err(Outside { .. } | Wall { .. } | Blocked { .. }) if bad_ends => return Ok(()),
        Err(error) => return Err(error.to_string()),
        Ok(answer) if bad_ends => return Err(format!("answered: {answer:?}")),
        Ok(answer) => answer,
    };
    let walled = walled(grid, blocked, query.start);
    let least = oracle::distance(&walled, query.start, query.goal);
    match answer.outcome {
        Outcome::Found(cost) => {
            path.check_answer(&walled, query.start, query.goal, cost).map_err(|e| e.to_string())?;
            let least = least.ok_or("found a way where there is none")?;
            let optimal = engine.promise() == Promise::Optimal;
            if u64::from(cost) < least || (optimal && u64::from(cost) > least) {
                return Err(format!("costs {}, the oracle says {least}", cost.get()));
            }
            return Ok(());
        }
        Outcome::Unreachable if least.is_some() => return Err("found no way".into()),
        Outcome::Stopped if query.budget.is_none() => return Err("stopped by nothing".into()),
        _ => {}
    }
    if query.partial && !path.is_empty() {
        path.check(&walled).map_err(|e| e.to_string())?;
        if path.tiles()[0] != query.start {
            return Err("a partial path that begins elsewhere".into());
        }
    } else if !query.partial && !path.is_empty() {
        return Err("a path though none was found".into());
    }
    Ok(())
}
