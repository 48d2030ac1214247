//! `tidegate.World`: ground of several classes and kinds of units, each with an index that
//! follows.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::PyArray2;
use numpy::ndarray::Array2;
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use tidegate::cost::Factor;
use tidegate::index::EditError;
use tidegate::world::{Ground, Profile};
use tidegate::{Index, Tile};

use crate::edit::{self, EditReport};
use crate::errors::{argument_error, array_error, coordinate_error};
use crate::index::PyIndex;
use crate::{arrays, shared};

/// Ground whose tiles are not the same for all units, and the kinds of units that move there.
///
/// `ground` is a uint8 array of shape (height, width): the class of every tile, such as a letter
/// of a map (the second array of `read_map`) or a number of your own. A list of strings of the
/// same length does too. `add` makes a profile, a kind of unit; `index` is the index of a
/// profile, which answers as any other and follows the edits of the world.
///
/// >>> world = World(["........", "..###D#.", "..#....."])
/// >>> scout = world.add(".D")
/// >>> tank = world.add({".": 1, "D": 2}, size=2)
/// >>> len(world.index(scout).path((5, 0), (5, 2)))
/// 3
/// >>> bool(world.index(tank).free[0, 5])
/// False
/// >>> world.edit([(5, 1, "#")])
/// [(0, EditReport(revision 1, 1 closed, 0 opened))]
/// >>> len(world.index(scout).path((5, 0), (5, 2)))
/// 7
#[pyclass(name = "World", module = "tidegate", frozen)]
pub(crate) struct PyWorld(Mutex<State>);

struct State {
    ground: Ground,
    units: Vec<Units>,
}

struct Units {
    profile: Profile,
    index: Option<Py<PyIndex>>,
}

/// A class: a number from 0 to 255, or one letter.
fn class(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u8> {
    if let Ok(number) = value.extract::<u8>() {
        return Ok(number);
    }
    let text = value.cast::<PyString>().ok().and_then(|text| text.to_str().ok());
    match text.map(str::as_bytes) {
        Some(&[letter]) => Ok(letter),
        _ => Err(argument_error(format_args!(
            "{name} must be a number from 0 to 255 or one letter, not {}",
            arrays::shown(value)
        ))),
    }
}

/// What a class costs; `None` if it cannot be entered.
fn factor(value: Option<f64>, name: &str) -> PyResult<Option<Factor>> {
    let Some(value) = value else { return Ok(None) };
    let factor = Factor::new(value);
    factor.map(Some).ok_or_else(|| {
        argument_error(format_args!("{name} is {value}: a cost is a number from 1 to 655.35"))
    })
}

/// Letters, numbers, or a dict of what each costs.
fn entering(mut profile: Profile, classes: &Bound<'_, PyAny>) -> PyResult<Profile> {
    if let Ok(costs) = classes.cast::<PyDict>() {
        for (key, value) in costs {
            let class = class(&key, "a class")?;
            let name = format!("the cost of class {}", arrays::shown(&key));
            let value = value.extract::<Option<f64>>().map_err(|_| {
                let got = arrays::shown(&value);
                argument_error(format_args!("{name} must be a number or None, not {got}"))
            })?;
            profile.set(class, factor(value, &name)?);
        }
        return Ok(profile);
    }
    if let Ok(bytes) = classes.cast::<PyBytes>() {
        return Ok(profile.entering(bytes.as_bytes()));
    }
    let known = arrays::listed(classes, "classes", |_, item| class(&item, "a class"))?;
    let known = known.ok_or_else(|| {
        argument_error(format_args!(
            "classes must be letters, numbers or a dict of costs, not {}",
            arrays::shown(classes)
        ))
    })?;
    Ok(profile.entering(known))
}

fn ground(value: &Bound<'_, PyAny>) -> PyResult<Ground> {
    // Not any sequence: it may say that it is longer than memory.
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let row = |_, item: Bound<'_, PyAny>| Ok(item.extract::<String>().ok());
        let rows = arrays::listed(value, "ground", row)?.unwrap_or_default();
        if let Some(rows) = rows.into_iter().collect::<Option<Vec<String>>>() {
            return Ground::from_rows(&rows).map_err(array_error);
        }
    }
    let view = arrays::bytes(value, "ground")?;
    let (height, width) = view.dim();
    let size = tidegate::grid::check_size(width as u64, height as u64);
    let (width, height) = size.map_err(array_error)?;
    Ground::new(width, height, view.into_iter().collect()).map_err(array_error)
}

impl PyWorld {
    /// Waits without the interpreter lock: whoever holds the state may need that to go on.
    fn state(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn unit(&mut self, profile: i64) -> PyResult<(&Ground, &mut Units)> {
        let count = self.units.len();
        let units = usize::try_from(profile).ok().and_then(|n| self.units.get_mut(n));
        match units {
            Some(units) => Ok((&self.ground, units)),
            None => Err(argument_error(format_args!(
                "there is no profile {profile}: the world has {count}"
            ))),
        }
    }
}

#[pymethods]
impl PyWorld {
    #[new]
    fn new(ground: &Bound<'_, PyAny>) -> PyResult<PyWorld> {
        Ok(PyWorld(Mutex::new(State { ground: self::ground(ground)?, units: Vec::new() })))
    }

    /// Adds a kind of unit and returns its number: which classes it may enter, as letters
    /// (".D"), numbers, or a dict of what each costs it ({".": 1, "m": 3}); how many tiles it is
    /// wide; its rule of movement. It stands at the upper left tile of its square.
    #[pyo3(signature = (classes, size=1, movement="no-corner-cutting"))]
    fn add(
        &self,
        py: Python<'_>,
        classes: &Bound<'_, PyAny>,
        size: i64,
        movement: &str,
    ) -> PyResult<usize> {
        let Some(size) = u8::try_from(size).ok().filter(|size| (1..=32).contains(size)) else {
            return Err(argument_error(format_args!("size is {size}: give 1 to 32")));
        };
        let profile = Profile::new().of_size(size).moving(shared::movement(movement)?);
        let profile = entering(profile, classes)?;
        let mut state = self.state(py);
        let known = state.units.iter().position(|units| units.profile == profile);
        Ok(known.unwrap_or_else(|| {
            state.units.push(Units { profile, index: None });
            state.units.len() - 1
        }))
    }

    /// The index of a profile, the same one every time. `prepare` builds tables in it; its map is
    /// edited through the world.
    fn index(&self, py: Python<'_>, profile: i64) -> PyResult<Py<PyIndex>> {
        let mut state = self.state(py);
        let (ground, units) = state.unit(profile)?;
        if units.index.is_none() {
            let made = Index::new(ground.grid(&units.profile));
            units.index = Some(Py::new(py, PyIndex::following(made))?);
        }
        let index = units.index.as_ref().map(|index| index.clone_ref(py));
        index.ok_or_else(|| argument_error("no index"))
    }

    /// Changes the classes of tiles, [(x, y, class), ...]; the index of every profile follows.
    /// What it returns are the profiles whose map has changed, each with a report. A tile outside
    /// the map is an error, and nothing is changed.
    fn edit(
        &self,
        py: Python<'_>,
        changes: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(usize, EditReport)>> {
        let parsed = arrays::listed(changes, "changes", |n, item| {
            let name = format!("changes[{n}]");
            let Ok((x, y, to)) = item.extract::<(i64, i64, Bound<'_, PyAny>)>() else {
                let got = arrays::shown(&item);
                return Err(array_error(format!("{name} must be (x, y, class), not {got}")));
            };
            let tile = u16::try_from(x).ok().zip(u16::try_from(y).ok());
            let Some((x, y)) = tile else {
                return Err(coordinate_error(format!("{name} ({x}, {y}) lies outside the map")));
            };
            Ok((Tile::new(x, y), class(&to, &name)?))
        })?;
        let parsed =
            parsed.ok_or_else(|| array_error("changes must be a list of (x, y, class)"))?;
        let mut state = self.state(py);
        let State { ground, units } = &mut *state;
        let changed = ground.edit(parsed).map_err(coordinate_error)?;
        let mut reports = Vec::new();
        for (n, Units { profile, index }) in units.iter().enumerate() {
            let Some(index) = index else { continue };
            let followed = index.get().follow(py, |index| {
                let changes = ground.changes(profile, &changed, index.grid());
                (!changes.is_empty()).then(|| index.edit(changes))
            });
            if let Some(done) = followed {
                reports.push((n, edit::report(done)?));
            }
        }
        Ok(reports)
    }

    /// Sets what ground of a class, `kind`, costs a profile from now on; None: it cannot be entered. What is
    /// returned is the report of its index, if the map of the profile has changed.
    #[pyo3(signature = (profile, kind, cost))]
    fn set_cost(
        &self,
        py: Python<'_>,
        profile: i64,
        kind: &Bound<'_, PyAny>,
        cost: Option<f64>,
    ) -> PyResult<Option<EditReport>> {
        let (class, factor) = (self::class(kind, "kind")?, factor(cost, "cost")?);
        let mut state = self.state(py);
        let (ground, Units { profile, index }) = state.unit(profile)?;
        profile.set(class, factor);
        let Some(index) = index else { return Ok(None) };
        let followed: Option<Result<_, EditError>> = index.get().follow(py, |index| {
            let changes = ground.changes_of_class(profile, class, index.grid());
            (!changes.is_empty()).then(|| index.edit(changes))
        });
        followed.map(edit::report).transpose()
    }

    /// The class of every tile, a uint8 array of shape (height, width).
    #[getter]
    fn ground<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let state = self.state(py);
        let (width, height) = (state.ground.width() as usize, state.ground.height() as usize);
        let array = Array2::from_shape_vec((height, width), state.ground.classes().to_vec());
        Ok(PyArray2::from_owned_array(py, array.map_err(array_error)?))
    }

    /// (height, width).
    #[getter]
    fn shape(&self, py: Python<'_>) -> (u32, u32) {
        let state = self.state(py);
        (state.ground.height(), state.ground.width())
    }

    /// How many profiles there are.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.state(py).units.len()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let state = self.state(py);
        let (width, height, count) =
            (state.ground.width(), state.ground.height(), state.units.len());
        let profiles = if count == 1 { "profile" } else { "profiles" };
        format!("World({width} x {height} tiles, {count} {profiles})")
    }
}
