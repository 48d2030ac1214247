//! Answers as arrays: one path, many paths, many distances.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use rayon::prelude::*;
use tidegate::cost::{Cost, DIAGONAL, STRAIGHT};
use tidegate::engine::Engine;
use tidegate::{Grid, Index, Path, Query, QueryError, Scratch, Tile};

use crate::errors::{array_error, query_error};
use crate::work::{self, at_once, detached};

/// Queries that a thread answers before it takes others.
const TURN: usize = 32;

/// The most tiles that the paths of one call may have.
const MOST_TILES: usize = 1 << 28;

/// `offsets` and `tiles`.
pub(crate) type PathArrays<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i32>>);

/// The path as an array of shape (n, 2).
pub(crate) fn path_array<'py>(py: Python<'py>, path: &[Tile]) -> Bound<'py, PyArray2<i64>> {
    let numbers = path.iter().flat_map(|tile| [i64::from(tile.x), i64::from(tile.y)]).collect();
    pairs(numbers).into_pyarray(py)
}

fn pairs<T>(numbers: Vec<T>) -> Array2<T> {
    Array2::from_shape_vec((numbers.len() / 2, 2), numbers).expect("two numbers for every tile")
}

/// An array of the map's shape.
pub(crate) fn map_array<T>(grid: &Grid, value: impl FnMut(usize) -> T) -> Array2<T> {
    let shape = (grid.height() as usize, grid.width() as usize);
    shaped(shape, (0..grid.tiles()).map(value).collect())
}

/// Values in row order as an array of rows and columns.
pub(crate) fn shaped<T>(shape: (usize, usize), values: Vec<T>) -> Array2<T> {
    Array2::from_shape_vec(shape, values).expect("one value for every tile")
}

/// What a cost is in tiles. On uniform ground it is the real length: a cost is then made of `s`
/// straight steps and `d` diagonal ones, which are found again in it, because it leaves the
/// remainder of 8119 d when divided by 5741. Paths with more than 5740 diagonal steps are out
/// by less than a thousandth of a tile.
pub(crate) fn in_tiles(grid: &Grid) -> impl Fn(Cost) -> f64 + use<> {
    let is_uniform = grid.factors().is_none();
    const UNIT: u32 = STRAIGHT.get();
    // 8119 is the inverse of INVERSE modulo 5741.
    const INVERSE: u32 = inverse(DIAGONAL.get(), UNIT);
    move |cost| {
        let units = cost.get();
        let d = units % UNIT * INVERSE % UNIT;
        match units.checked_sub(DIAGONAL.get() * d) {
            Some(rest) if is_uniform => {
                f64::from(rest / UNIT) + f64::from(d) * std::f64::consts::SQRT_2
            }
            _ => cost.tiles(),
        }
    }
}

const fn inverse(of: u32, modulus: u32) -> u32 {
    let mut n = 1;
    while of * n % modulus != 1 {
        n += 1;
    }
    n
}

/// From one tile to each of many, in tiles; infinity where there is no way.
pub(crate) fn distances(
    index: &Index,
    start: Tile,
    goals: &[Tile],
) -> Result<Vec<f64>, QueryError> {
    let in_tiles = in_tiles(index.grid());
    let costs = index.with_scratch(|scratch| index.distances(start, goals, None, scratch))?;
    Ok(costs.into_iter().map(|cost| cost.map_or(f64::INFINITY, &in_tiles)).collect())
}

/// Many paths, each from the start to the goal of the same number.
pub(crate) fn paths<'py>(
    py: Python<'py>,
    index: &Index,
    engine: &dyn Engine,
    starts: &[Tile],
    goals: &[Tile],
    threads: i64,
) -> PyResult<PathArrays<'py>> {
    if starts.len() != goals.len() {
        return Err(array_error(format_args!(
            "starts and goals must be equally many, not {} and {}",
            starts.len(),
            goals.len()
        )));
    }
    work::check(threads)?;
    let all = || find(index, engine, starts, goals);
    // A few paths are found before a thread would have started.
    let found = if starts.len() <= TURN { at_once(py, all) } else { detached(py, threads, all)? };
    let found = found.transpose().ok_or_else(|| {
        array_error(format_args!("the paths have more than {MOST_TILES} tiles: ask for fewer"))
    })?;
    let (offsets, tiles) = found.map_err(|(n, error)| match query_error(error) {
        error if starts.len() == 1 => error,
        error => {
            let (start, goal) = (starts[n], goals[n]);
            let why = format!("path {n}, from {start} to {goal}: {}", error.value(py));
            PyErr::from_type(error.get_type(py), why)
        }
    })?;
    Ok((PyArray1::from_vec(py, offsets), pairs(tiles).into_pyarray(py)))
}

/// The paths of some queries: how many tiles each has, and the tiles.
#[derive(Default)]
struct Found {
    lengths: Vec<usize>,
    tiles: Vec<Tile>,
}

/// Offsets and tiles, `None` if there are too many, or the number of the query that failed first.
type FindResult = Result<Option<(Vec<i64>, Vec<i32>)>, (usize, QueryError)>;

fn find(index: &Index, engine: &dyn Engine, starts: &[Tile], goals: &[Tile]) -> FindResult {
    let total = AtomicUsize::new(0);
    let some = |range: Range<usize>, scratch: &mut Scratch| {
        let (mut found, mut path) = (Found::default(), Path::new());
        for n in range {
            if total.load(Ordering::Relaxed) > MOST_TILES {
                break;
            }
            let query = Query::new(starts[n], goals[n]);
            let answer = index.find(engine, &query, scratch, &mut path);
            let answer = answer.map_err(|error| (n, error))?;
            let tiles = if answer.cost().is_some() { path.tiles() } else { &[] };
            total.fetch_add(tiles.len(), Ordering::Relaxed);
            found.lengths.push(tiles.len());
            found.tiles.extend_from_slice(tiles);
        }
        Ok(found)
    };
    let one_turn = |turn: usize| {
        let range = turn * TURN..((turn + 1) * TURN).min(starts.len());
        index.with_scratch(|scratch| some(range, scratch))
    };
    let turns = starts.len().div_ceil(TURN);
    let answers: Vec<Result<Found, (usize, QueryError)>> = if engine.info().adapts {
        // It learns from its queries, so it answers them one after the other, from the beginning.
        vec![some(0..starts.len(), &mut Scratch::new())]
    } else if turns == 1 {
        vec![one_turn(0)]
    } else {
        (0..turns).into_par_iter().map(one_turn).collect()
    };
    let mut all = Vec::with_capacity(turns);
    for found in answers {
        all.push(found?);
    }
    if total.into_inner() > MOST_TILES {
        return Ok(None);
    }
    let mut offsets = vec![0];
    let mut end = 0;
    for &length in all.iter().flat_map(|found| &found.lengths) {
        end += length;
        offsets.push(end as i64);
    }
    let mut tiles = vec![0; 2 * end];
    let mut rest = &mut tiles[..];
    let mut places = Vec::with_capacity(turns);
    for found in &all {
        let (place, behind) = rest.split_at_mut(2 * found.tiles.len());
        places.push((place, found));
        rest = behind;
    }
    let fill = |(place, found): (&mut [i32], &Found)| {
        for (pair, tile) in place.chunks_exact_mut(2).zip(&found.tiles) {
            pair.copy_from_slice(&[tile.x.into(), tile.y.into()]);
        }
    };
    if turns > 1 {
        places.into_par_iter().for_each(fill);
    } else {
        places.into_iter().for_each(fill);
    }
    Ok(Some((offsets, tiles)))
}
