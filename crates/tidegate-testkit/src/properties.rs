//! The properties that every engine has. Each returns what it found broken, with the map
//! drawn, so that a failing test shows the case.

use tidegate::engine::{Engine, Promise};
use tidegate::{Direction, Grid, Index, Movement, Outcome, Path, Query, Scratch, Tile};

use crate::oracle;

/// Builds what an engine needs and says whether it can be asked. Only `jps`,
/// `corners` and `labels` refuse a map, and only one with cost factors: an engine that
/// refuses another one, or does not refuse this one, is an error.
pub fn prepare(index: &mut Index, engine: &dyn Engine) -> Result<bool, String> {
    let uniform = ["jps", "corners", "labels"].contains(&engine.name());
    let refuses = index.grid().factors().is_some() && uniform;
    match (index.prepare(engine), refuses) {
        (Ok(()), false) => Ok(true),
        (Err(_), true) => Ok(false),
        (built, _) => Err(format!("{}: {built:?}\n{:?}", engine.name(), index.grid())),
    }
}

/// Every engine answers as the oracle: a path exactly where one exists, legal tile by
/// tile, of the cost it claims, and of the least cost if it promises that.
pub fn answers_as_oracle(
    index: &Index,
    engine: &dyn Engine,
    start: Tile,
    goal: Tile,
    scratch: &mut Scratch,
) -> Result<(), String> {
    let least = oracle::distance(index.grid(), start, goal);
    compare_with_oracle(index, engine, (start, goal), least, scratch).map(|_| ())
}

/// The same where the oracle's answer is known already. How many times as long as the best
/// the path is; 1 where there is rightly none.
pub fn compare_with_oracle(
    index: &Index,
    engine: &dyn Engine,
    (start, goal): (Tile, Tile),
    least: Option<u64>,
    scratch: &mut Scratch,
) -> Result<f64, String> {
    let grid = index.grid();
    let mut path = Path::new();
    let query = Query::new(start, goal);
    let failure =
        |what: String| format!("{}: {start:?} to {goal:?}: {what}\n{grid:?}", engine.name());
    let answer =
        index.find(engine, &query, scratch, &mut path).map_err(|e| failure(e.to_string()))?;
    match (answer.outcome, least) {
        (Outcome::Unreachable, None) => Ok(1.0),
        (Outcome::Found(cost), Some(least)) => {
            path.check_answer(grid, start, goal, cost).map_err(|e| failure(e.to_string()))?;
            let optimal = engine.promise() == Promise::Optimal;
            if u64::from(cost) < least || (optimal && u64::from(cost) > least) {
                return Err(failure(format!("costs {}, the oracle says {least}", cost.get())));
            }
            Ok(if least == 0 { 1.0 } else { f64::from(cost.get()) / least as f64 })
        }
        (outcome, least) => Err(failure(format!("{outcome:?}, the oracle says {least:?}"))),
    }
}

/// The grid's table of legal steps is the rule of movement, written out plainly.
pub fn legal_steps(grid: &Grid) -> Result<(), String> {
    for y in 0..grid.height() as i32 {
        for x in 0..grid.width() as i32 {
            for direction in Direction::ALL {
                let (dx, dy) = direction.delta();
                let ends = grid.is_free_at(x, y) && grid.is_free_at(x + dx, y + dy);
                let (one, other) = (grid.is_free_at(x + dx, y), grid.is_free_at(x, y + dy));
                let legal = ends
                    && match (direction.is_diagonal(), grid.movement()) {
                        (false, _) => true,
                        (true, Movement::NoCornerCutting) => one && other,
                        (true, Movement::OneSideFree) => one || other,
                        (true, Movement::FourConnected) => false,
                    };
                let cell = grid.cell(Tile::new(x as u16, y as u16)).expect("inside");
                if legal != (grid.moves(cell) & direction.mask() != 0) {
                    return Err(format!("({x}, {y}) {direction:?}: legal {legal}\n{grid:?}"));
                }
            }
        }
    }
    Ok(())
}
