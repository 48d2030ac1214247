//! `tidegate.Index`: a map with its tables.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::{PyArray1, PyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use tidegate::index::Change;
use tidegate::{Grid, Index, Path, Query};

use crate::edit::{self, EditReport};
use crate::errors::{
    argument_error, array_error, build_error, engine_error, file_error, query_error,
};
use crate::field::Field;
use crate::layer::{self, PyLayer};
use crate::parts::Parts;
use crate::picture::Picture;
use crate::shared::Shared;
use crate::walk::{self, PyWalk};
use crate::work::detached;
use crate::{arrays, batch, shared};

/// A map with the tables of its engines.
///
/// `free` is a bool array of shape (height, width): which tiles can be entered. `movement` is the
/// rule of movement: "no-corner-cutting" (a diagonal step needs both tiles beside it free),
/// "one-side-free" or "four-connected". `costs` is an array of the same shape of what each tile
/// costs to cross, from 1 to 655.35 in hundredths; what it says of walls does not matter.
///
/// Tiles are (x, y): column and row, from the top left. Arrays of the map are [y, x].
///
/// >>> import numpy as np
/// >>> free = np.ones((3, 5), dtype=bool)
/// >>> free[0:2, 2] = False
/// >>> index = Index(free)
/// >>> path = index.path((0, 0), (4, 0))
/// >>> len(path), path[0].tolist(), path[-1].tolist()
/// (7, [0, 0], [4, 0])
///
/// One index may be asked from many threads, and be edited meanwhile: each question is answered
/// on the map as it was when it was asked. An index can be pickled.
#[pyclass(name = "Index", module = "tidegate", frozen)]
pub(crate) struct PyIndex {
    shared: Shared,
    /// Whether a world edits its map, and nobody else may.
    follows: bool,
}

impl PyIndex {
    fn of(index: Index) -> PyIndex {
        PyIndex { shared: Shared::new(index), follows: false }
    }

    /// The index of a profile, whose map is edited through a world.
    pub(crate) fn following(index: Index) -> PyIndex {
        PyIndex { follows: true, ..PyIndex::of(index) }
    }

    /// Lets the map follow the world.
    pub(crate) fn follow<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Index) -> T + Send,
    ) -> T {
        self.shared.change(py, work)
    }

    fn edit_with(&self, py: Python<'_>, changes: Vec<Change>) -> PyResult<EditReport> {
        if self.follows {
            return Err(argument_error("this index follows a world: edit the world instead"));
        }
        edit::report(self.shared.change(py, |index| index.edit(changes)))
    }

    /// The index as it is now.
    pub(crate) fn now(&self) -> Arc<Index> {
        self.shared.now()
    }
}

fn size(grid: &Grid) -> (usize, usize) {
    (grid.height() as usize, grid.width() as usize)
}

#[pymethods]
impl PyIndex {
    #[new]
    #[pyo3(signature = (free, movement="no-corner-cutting", costs=None))]
    fn new(
        py: Python<'_>,
        free: &Bound<'_, PyAny>,
        movement: &str,
        costs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyIndex> {
        let movement = shared::movement(movement)?;
        let mut grid = arrays::with_bools(free, "free", None, |free| {
            let (height, width) = free.dim();
            let size = tidegate::grid::check_size(width as u64, height as u64);
            let (width, height) = size.map_err(array_error)?;
            let at = |x: u32, y: u32| free[(y as usize, x as usize)] != 0;
            Grid::from_fn(width, height, movement, at).map_err(array_error)
        })?;
        if let Some(costs) = costs {
            let factors = arrays::factors(&grid, costs, "costs")?;
            grid = grid.with_factors(factors);
        }
        Ok(PyIndex::of(py.detach(|| Index::new(grid))))
    }

    /// Opens an index file, which holds the map and its tables.
    ///
    /// >>> import numpy as np, pathlib, tempfile
    /// >>> file = pathlib.Path(tempfile.mkdtemp()) / "open.tide"
    /// >>> Index(np.ones((2, 3), dtype=bool)).save(file)
    /// >>> Index.open(file)
    /// Index(3 x 2 tiles, no-corner-cutting, tables: none)
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<PyIndex> {
        let opened = detached(py, 0, || Index::open_with(&path, tidegate_sectors::ENGINES))?;
        opened
            .map(PyIndex::of)
            .map_err(|error| file_error(format_args!("{}: {error}", path.display())))
    }

    /// Saves map and tables as a file. A crash leaves the old file or the new one, never half.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let index = self.shared.now();
        py.detach(|| index.save(&path))
            .map_err(|error| file_error(format_args!("{}: {error}", path.display())))
    }

    /// The bytes of the index file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let index = self.shared.now();
        let bytes = py.detach(|| index.to_bytes());
        PyBytes::new(py, &bytes)
    }

    /// The index from the bytes of its file.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.ones((2, 3), dtype=bool))
    /// >>> Index.from_bytes(index.to_bytes()).shape
    /// (2, 3)
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<PyIndex> {
        let read = || Index::from_bytes_with(data, tidegate_sectors::ENGINES);
        detached(py, 0, read)?.map(PyIndex::of).map_err(file_error)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, PyIndex>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let make = slf.get_type().getattr("from_bytes")?;
        Ok((make, (slf.get().to_bytes(slf.py()),)))
    }

    /// Builds what these engines need, unless it is there already; without a name, what "auto"
    /// builds in a moment. Other Python threads run meanwhile, and the index answers.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.ones((8, 8), dtype=bool))
    /// >>> index.prepare("labels", "jps")
    /// >>> "labels" in index.engines
    /// True
    #[pyo3(signature = (*engines, threads=0))]
    fn prepare(&self, py: Python<'_>, engines: &Bound<'_, PyTuple>, threads: i64) -> PyResult<()> {
        let mut wanted = Vec::new();
        for name in engines.iter() {
            let text = name.extract::<&str>().map_err(|_| {
                engine_error(format_args!("an engine is given by its name, not {name}"))
            })?;
            wanted.push(shared::engine(text)?);
        }
        if wanted.is_empty() {
            wanted.push(tidegate::engine::AUTO);
        }
        let build = |index: &mut Index| wanted.iter().try_for_each(|engine| index.prepare(*engine));
        self.shared.add_tables(py, threads, build)?.map_err(build_error)
    }

    /// The shortest path as an int array of shape (n, 2), x and y of each tile from start to goal;
    /// None if there is no way.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.array([[True, True, False, True]]))
    /// >>> index.path((0, 0), (1, 0)).tolist()
    /// [[0, 0], [1, 0]]
    /// >>> index.path((0, 0), (3, 0)) is None
    /// True
    /// >>> index.path((0, 0), (2, 0))
    /// Traceback (most recent call last):
    ///     ...
    /// tidegate.errors.CoordinateError: goal 2,0 is a wall
    ///
    /// With `costs`, a CostLayer, it is the path that costs least with what the layer adds.
    #[pyo3(signature = (start, goal, engine="auto", *, costs=None))]
    fn path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: &Bound<'py, PyAny>,
        engine: &str,
        costs: Option<&PyLayer>,
    ) -> PyResult<Option<Bound<'py, PyArray2<i64>>>> {
        let (index, engine) = (self.shared.now(), shared::engine(engine)?);
        let grid = index.grid();
        let (start, goal) =
            (arrays::tile(grid, start, "start")?, arrays::tile(grid, goal, "goal")?);
        let layer = PyLayer::copied(costs, grid)?;
        let mut query = Query::new(start, goal);
        query.costs = layer.as_ref();
        shared::ask(&index, engine, &query, |_, path| batch::path_array(py, path))
    }

    /// The shortest walk of straight lines at any angle, exactly; None if there is no way. Start and
    /// goal are tiles, (x, y) in whole numbers, which stand for their centres; or points, (x, y) in
    /// floats, in tiles from the upper left corner of the map, kept to a 256th of a tile. What walks
    /// is a point: it may touch corners and slide along walls. Rules of movement and what tiles cost
    /// do not matter. `blocked`, of shape (n, 2), are tiles that are walls this time.
    ///
    /// >>> import numpy as np
    /// >>> free = np.ones((3, 6), dtype=bool)
    /// >>> free[1, 2:4] = False
    /// >>> index = Index(free)
    /// >>> walk = index.walk((1, 1), (4, 1))
    /// >>> walk.points
    /// [(1.5, 1.5), (2.0, 1.0), (4.0, 1.0), (4.5, 1.5)]
    /// >>> round(walk.length, 6)
    /// 3.414214
    /// >>> index.walk((0.25, 0.75), (5, 2)).length > 5
    /// True
    /// >>> index.walk((1, 1), (4, 1), blocked=[(2, 0), (2, 2)]) is None
    /// True
    ///
    /// Without `prepare_walks` every call looks at the whole map first.
    #[pyo3(signature = (start, goal, blocked=None))]
    fn walk(
        &self,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        blocked: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<PyWalk>> {
        walk::find(&self.shared.now(), start, goal, blocked)
    }

    /// Builds what `walk` answers from, unless it is there already: the map as bits, in a moment,
    /// and `labels`, by which walks between tiles take about a microsecond. `form` says how tiles share
    /// labels: "fast", "small", or "auto", fast if it fits the budget. `budget` is the most bytes that
    /// labels may take; None is 192 MB. Walks are exact after edits too; labels that an edit has
    /// overtaken are built again by another call. Other Python threads run meanwhile.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.ones((8, 8), dtype=bool))
    /// >>> index.prepare_walks()
    /// >>> index
    /// Index(8 x 8 tiles, no-corner-cutting, tables: anyangle, anyangle-labels)
    #[pyo3(signature = (*, labels=true, form="auto", budget=None, threads=0))]
    fn prepare_walks(
        &self,
        py: Python<'_>,
        labels: bool,
        form: &str,
        budget: Option<i64>,
        threads: i64,
    ) -> PyResult<()> {
        let options = walk::options(form, budget)?;
        let build = |index: &mut Index| walk::build(index, labels.then_some(&options));
        self.shared.add_tables(py, threads, build)?.map_err(build_error)
    }

    /// How far it is in tiles, a diagonal step as the root of 2 (times what the tiles cost); None
    /// if there is no way.
    ///
    /// >>> import numpy as np
    /// >>> Index(np.ones((4, 6), dtype=bool)).distance((0, 0), (5, 3))
    /// 6.242640687119286
    #[pyo3(signature = (start, goal, engine="auto", *, costs=None))]
    fn distance(
        &self,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        engine: &str,
        costs: Option<&PyLayer>,
    ) -> PyResult<Option<f64>> {
        let (index, engine) = (self.shared.now(), shared::engine(engine)?);
        let grid = index.grid();
        let (start, goal) =
            (arrays::tile(grid, start, "start")?, arrays::tile(grid, goal, "goal")?);
        let layer = PyLayer::copied(costs, grid)?.filter(|layer| !layer.is_empty());
        let in_tiles = batch::in_tiles(grid);
        let mut query = Query::new(start, goal);
        query.costs = layer.as_ref();
        shared::ask(&index, engine, &query, |cost, _| match layer {
            None => in_tiles(cost),
            Some(_) => cost.tiles(),
        })
    }

    /// How far it is from one tile to each of many: a float array, infinity where there is no way.
    /// `goals` has shape (n, 2).
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.array([[True, True, False, True]]))
    /// >>> index.distances((0, 0), [(0, 0), (1, 0), (3, 0)])
    /// array([ 0.,  1., inf])
    fn distances<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let index = self.shared.now();
        let start = arrays::tile(index.grid(), start, "start")?;
        let goals = arrays::free_tiles(index.grid(), goals, "goals")?;
        let found = py.detach(|| batch::distances(&index, start, &goals)).map_err(query_error)?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// Many paths at once: path i is `tiles[offsets[i]:offsets[i + 1]]`, empty where there is no
    /// way. `starts` and `goals` have shape (n, 2), `offsets` is an int64 array of n + 1 numbers,
    /// `tiles` an int32 array of shape (m, 2). `threads` is how many threads work; 0 is all cores.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.ones((2, 4), dtype=bool))
    /// >>> offsets, tiles = index.paths([(0, 0), (3, 1)], [(2, 0), (3, 0)])
    /// >>> offsets
    /// array([0, 3, 5])
    /// >>> tiles[offsets[1]:offsets[2]].tolist()
    /// [[3, 1], [3, 0]]
    #[pyo3(signature = (starts, goals, engine="auto", threads=0))]
    fn paths<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        engine: &str,
        threads: i64,
    ) -> PyResult<batch::PathArrays<'py>> {
        let (index, engine) = (self.shared.now(), shared::engine(engine)?);
        let starts = arrays::free_tiles(index.grid(), starts, "starts")?;
        let goals = arrays::free_tiles(index.grid(), goals, "goals")?;
        batch::paths(py, &index, engine, &starts, &goals, threads)
    }

    /// Changes the map: `edit([(x, y, free), ...])`, or `edit(closed, opened)` with two bool
    /// arrays of the map's shape, of which one may be None. Every optimal engine is exact on the
    /// new map at once. A tile outside the map is an error, and nothing is changed.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.ones((3, 3), dtype=bool))
    /// >>> index.edit([(1, 0, False), (1, 1, False)])
    /// EditReport(revision 1, 2 closed, 0 opened)
    /// >>> index.distance((0, 0), (2, 0))
    /// 6.0
    /// >>> index.edit(None, ~index.free).opened.tolist()
    /// [[1, 0], [1, 1]]
    #[pyo3(signature = (changes, opened=None))]
    fn edit(
        &self,
        py: Python<'_>,
        changes: &Bound<'_, PyAny>,
        opened: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<EditReport> {
        let changes = edit::changes(self.shared.now().grid(), changes, opened)?;
        self.edit_with(py, changes)
    }

    /// Gives every tile what it costs to cross, as `costs` of a new index. Tables that rest on
    /// what tiles cost are dropped or serve as bounds; `path` and `distance` are exact at once.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.ones((3, 3), dtype=bool))
    /// >>> danger = np.ones((3, 3))
    /// >>> danger[0, 1] = 9
    /// >>> index.set_costs(danger)
    /// EditReport(revision 1, 0 closed, 0 opened)
    /// >>> index.path((0, 0), (2, 0)).tolist()
    /// [[0, 0], [1, 1], [2, 0]]
    fn set_costs(&self, py: Python<'_>, costs: &Bound<'_, PyAny>) -> PyResult<EditReport> {
        let changes = edit::costs(self.shared.now().grid(), costs)?;
        self.edit_with(py, changes)
    }

    /// The way to the nearest of many goals from everywhere. `goals` has shape (n, 2).
    ///
    /// >>> import numpy as np
    /// >>> field = Index(np.ones((1, 4), dtype=bool)).field([(0, 0)])
    /// >>> field.distance
    /// array([[0., 1., 2., 3.]])
    /// >>> field.next_step[0, 3].tolist()
    /// [-1, 0]
    #[pyo3(signature = (goals, *, costs=None))]
    fn field(
        &self,
        py: Python<'_>,
        goals: &Bound<'_, PyAny>,
        costs: Option<&PyLayer>,
    ) -> PyResult<Field> {
        let index = self.shared.now();
        let goals = arrays::free_tiles(index.grid(), goals, "goals")?;
        Field::new(py, &index, &goals, PyLayer::copied(costs, index.grid())?.as_ref())
    }

    /// The tile within `radius` of `start`, as the crow flies, that can be reached and to which
    /// the layer adds least; of those the nearest on the ground: where to flee to.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.ones((1, 8), dtype=bool))
    /// >>> danger = CostLayer(index)
    /// >>> danger.add((3, 0), 2, 4)
    /// >>> index.cheapest_within((4, 0), 3, danger)
    /// (6, 0)
    fn cheapest_within(
        &self,
        start: &Bound<'_, PyAny>,
        radius: f64,
        costs: &PyLayer,
    ) -> PyResult<(u16, u16)> {
        layer::cheapest(&self.shared.now(), start, radius, costs)
    }

    /// Whether any path leads from one tile to another; not from or to a wall.
    ///
    /// >>> import numpy as np
    /// >>> Index(np.array([[True, False, True]])).reachable((0, 0), (2, 0))
    /// False
    fn reachable(&self, start: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> PyResult<bool> {
        let index = self.shared.now();
        let grid = index.grid();
        let (start, goal) =
            (arrays::tile(grid, start, "start")?, arrays::tile(grid, goal, "goal")?);
        Ok(index.reachable(start, goal))
    }

    /// The tile nearest to `to` that can be reached from `start`, be `to` a wall or on an island:
    /// where to send a unit whose goal cannot be reached. None if `start` is a wall.
    ///
    /// >>> import numpy as np
    /// >>> Index(np.array([[True, True, False, True]])).nearest_reachable((0, 0), (3, 0))
    /// (1, 0)
    fn nearest_reachable(
        &self,
        start: &Bound<'_, PyAny>,
        to: &Bound<'_, PyAny>,
    ) -> PyResult<Option<(u16, u16)>> {
        let index = self.shared.now();
        let grid = index.grid();
        let (start, to) = (arrays::tile(grid, start, "start")?, arrays::tile(grid, to, "to")?);
        Ok(index.nearest_reachable(start, to).map(Into::into))
    }

    /// Zones and gates of the map, by rising water. The index keeps them and lets them follow
    /// edits; what this returns stays what it is.
    ///
    /// >>> import numpy as np
    /// >>> free = np.ones((9, 19), dtype=bool)
    /// >>> free[:, 9] = False
    /// >>> free[4, 9] = True
    /// >>> parts = Index(free).decompose()
    /// >>> len(parts.gates), parts.gates[0].width
    /// (1, 1)
    fn decompose(&self, py: Python<'_>) -> PyResult<Parts> {
        let index = self.shared.now();
        if index.decomposition().is_some() {
            return Ok(Parts::new(index));
        }
        self.shared.add_tables(py, 0, |index| index.decompose().zones().len())?;
        Ok(Parts::new(self.shared.now()))
    }

    /// A picture of the map, with a path on it if one is given, `scale` pixels along the side of a
    /// tile (0: as fits). Notebooks show it.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.ones((4, 6), dtype=bool))
    /// >>> index.draw(index.path((0, 0), (5, 3)), scale=8)
    /// Picture(48 x 32 pixels)
    #[pyo3(signature = (path=None, scale=0))]
    fn draw(
        &self,
        py: Python<'_>,
        path: Option<&Bound<'_, PyAny>>,
        scale: i64,
    ) -> PyResult<Picture> {
        let index = self.shared.now();
        let tiles = path.map(|path| arrays::tiles(index.grid(), path, "path")).transpose()?;
        let path = Path::from_tiles(tiles.unwrap_or_default());
        Picture::of_path(py, index.grid(), &path, scale)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(self.draw(py, None, 0)?.png(py))
    }

    /// Columns of the map.
    #[getter]
    fn width(&self) -> u32 {
        self.shared.now().grid().width()
    }

    /// Rows of the map.
    #[getter]
    fn height(&self) -> u32 {
        self.shared.now().grid().height()
    }

    /// Rows and columns of the map, as arrays of it have them.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        size(self.shared.now().grid())
    }

    /// The rule of movement.
    #[getter]
    fn movement(&self) -> &'static str {
        self.shared.now().grid().movement().name()
    }

    /// Which tiles can be entered now: a new bool array of shape (height, width).
    #[getter]
    fn free<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        let index = self.shared.now();
        let bits = index.grid().free_bits();
        batch::map_array(index.grid(), |cell| bits.contains(cell)).to_pyarray(py)
    }

    /// What each tile costs to cross now: a new float array, or None if all cost the same.
    #[getter]
    fn costs<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray2<f64>>> {
        let index = self.shared.now();
        let factors = index.grid().factors()?;
        let cost = |cell: usize| f64::from(factors[cell].hundredths()) / 100.0;
        Some(batch::map_array(index.grid(), cost).to_pyarray(py))
    }

    /// How often the map was edited.
    #[getter]
    fn revision(&self) -> u64 {
        self.shared.now().revision()
    }

    /// The names of the engines that answer without being prepared first.
    #[getter]
    fn engines(&self) -> Vec<&'static str> {
        let index = self.shared.now();
        let ready = tidegate_sectors::ENGINES.iter().filter(|engine| engine.has_tables(&index));
        ready.map(|engine| engine.name()).collect()
    }

    fn __repr__(&self) -> String {
        let index = self.shared.now();
        let (grid, mut tables) = (index.grid(), index.tables().map(|kind| kind.name).peekable());
        let none = if tables.peek().is_none() { "none" } else { "" };
        let tables = tables.collect::<Vec<_>>().join(", ");
        let (width, height, movement) = (grid.width(), grid.height(), grid.movement());
        format!("Index({width} x {height} tiles, {movement}, tables: {none}{tables})")
    }
}
