//! Maps from files, and engines measured on them.

use std::path::{Path as FilePath, PathBuf};

use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use tidegate::engine::Engine;
use tidegate::grid::{TileMap, scen_file};
use tidegate::{Index, Movement};
use tidegate_bench::run::{Job, run_on};
use tidegate_bench::suite;

use crate::errors::{argument_error, engine_error, file_error};
use crate::work::detached;
use crate::{arrays, batch, shared};

/// `free` and `kinds`.
type MapArrays<'py> = (Bound<'py, PyArray2<bool>>, Bound<'py, PyArray2<u8>>);

fn named(path: &FilePath, error: impl std::fmt::Display) -> PyErr {
    file_error(format_args!("{}: {error}", path.display()))
}

fn bytes(path: &FilePath) -> PyResult<Vec<u8>> {
    suite::read(path).map_err(|error| file_error(format_args!("{error:#}")))
}

fn tile_map(path: &FilePath) -> PyResult<TileMap> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    TileMap::read_any(&bytes(path)?, &ending).map_err(|error| named(path, error))
}

/// Reads a map: a `.map` file of the Moving AI collection, a PNG, or plain text in a `.txt` file.
/// Returns which tiles are free, a bool array of shape (height, width), and their letters, a
/// uint8 array of the same shape.
///
/// >>> import pathlib, tempfile
/// >>> file = pathlib.Path(tempfile.mkdtemp()) / "small.map"
/// >>> _ = file.write_text("type octile\nheight 1\nwidth 3\nmap\n.@G\n")
/// >>> free, kinds = read_map(file)
/// >>> free.tolist(), bytes(kinds[0])
/// ([[True, False, True]], b'.@G')
#[pyfunction]
pub(crate) fn read_map<'py>(py: Python<'py>, path: PathBuf) -> PyResult<MapArrays<'py>> {
    let map = py.detach(|| tile_map(&path))?;
    let grid = map.grid(Movement::default());
    let free = batch::map_array(&grid, |cell| grid.free_bits().contains(cell));
    let kinds = batch::map_array(&grid, |cell| map.letters()[cell]);
    Ok((free.into_pyarray(py), kinds.into_pyarray(py)))
}

/// Puts the problems of a scenario file to engines and checks every answer, as `tidegate bench`
/// does. Returns the rows of its CSV file, the line of column names first; `set` and the map's
/// name are its first two columns. `index` is an index file of the map, so that its tables need
/// not be built. An engine that cannot be built for this map has no rows; if none can, that is an
/// error.
#[pyfunction]
#[pyo3(signature = (map, scenario=None, *, engines=None, every=1,
    movement="no-corner-cutting", set="files", index=None, threads=0))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn bench_map(
    py: Python<'_>,
    map: PathBuf,
    scenario: Option<PathBuf>,
    engines: Option<&Bound<'_, PyAny>>,
    every: i64,
    movement: &str,
    set: &str,
    index: Option<PathBuf>,
    threads: i64,
) -> PyResult<String> {
    let engines = match engines {
        None => vec![tidegate::engine::AUTO as &'static dyn Engine],
        Some(names) => {
            let named = |_, name: Bound<'_, PyAny>| shared::engine(name.extract()?);
            let named = arrays::listed(names, "engines", named)?;
            named.ok_or_else(|| argument_error("engines must be a list of names"))?
        }
    };
    let movement = shared::movement(movement)?;
    let every = usize::try_from(every).ok().filter(|&every| every > 0);
    let every = every.ok_or_else(|| argument_error("every must be 1 or more"))?;
    let scenario = scenario.unwrap_or_else(|| {
        let mut name = map.clone().into_os_string();
        name.push(".scen");
        name.into()
    });
    detached(py, threads, || {
        let asked = Asked { map: &map, scenario: &scenario, index: index.as_deref(), set };
        rows(&asked, &engines, every, movement)
    })?
}

/// What is asked of whom.
struct Asked<'a> {
    map: &'a FilePath,
    scenario: &'a FilePath,
    index: Option<&'a FilePath>,
    set: &'a str,
}

fn rows(
    asked: &Asked<'_>,
    engines: &[&'static dyn Engine],
    every: usize,
    movement: Movement,
) -> PyResult<String> {
    let grid = tile_map(asked.map)?.grid(movement);
    let problems = scen_file::parse(&bytes(asked.scenario)?);
    let problems = problems.map_err(|error| named(asked.scenario, error))?;
    for (n, problem) in problems.iter().enumerate() {
        let wrong = |error| named(asked.scenario, format_args!("problem {n}: {error}"));
        problem.check(&grid).map_err(wrong)?;
    }
    let mut index = match asked.index {
        None => Index::new(grid.clone()),
        Some(file) => {
            let opened = Index::open_with(file, tidegate_sectors::ENGINES);
            let opened = opened.map_err(|error| named(file, error))?;
            if opened.grid() != &grid {
                let map = asked.map.display();
                return Err(named(file, format_args!("it is no index of {map} by this rule")));
            }
            opened
        }
    };
    let name = asked.map.file_stem().unwrap_or_default().to_string_lossy();
    let engines: Vec<&dyn Engine> = engines.iter().map(|&engine| engine as &dyn Engine).collect();
    let job = Job {
        set: asked.set,
        map: &name,
        grid: &grid,
        problems: &problems,
        every,
        engines: &engines,
    };
    let mut out = csv::Writer::from_writer(Vec::new());
    let run = run_on(&mut index, &job, |row, _, _| Ok(out.serialize(row)?));
    let run = run.map_err(|error| named(asked.map, format_args!("{error:#}")))?;
    let mut refused = run.built.iter().map(|built| built.refused.as_ref());
    if let (true, Some(Some(why))) = (refused.clone().all(|why| why.is_some()), refused.next()) {
        return Err(engine_error(format_args!("{}: {why}", asked.map.display())));
    }
    let text = out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| named(asked.map, "its rows are no text"))
}
