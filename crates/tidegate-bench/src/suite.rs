//! Maps with their problems: a folder with `maps/SET/NAME.map` and
//! `scenarios/SET/NAME.map.scen`, or the suite inside the program.

mod bundled;

use std::borrow::Cow;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use tidegate::artifact::{self, SIGNATURE};
use tidegate::grid::scen_file::{self, Problem};
use tidegate::grid::{MAX_TILES, TileMap};
use tidegate::{Grid, Movement};

pub use bundled::{Bundled, bundled};

/// The largest file that is read at all, unless it is an index: the letters of the largest
/// map, with room for line ends.
const MAX_FILE: u64 = MAX_TILES + MAX_TILES / 4;

/// A suite on disk, or the bundled one.
#[derive(Clone, Debug)]
pub struct Suite {
    /// `None` for the bundled one.
    root: Option<PathBuf>,
}

/// One map of a suite and where its problems are.
#[derive(Clone, Debug)]
pub struct Case {
    /// The set: the folder under `maps/`.
    pub set: String,
    /// The map's name without its ending.
    pub map: String,
    place: MapFiles,
}

/// Where a map and its problems are.
#[derive(Clone, Debug)]
enum MapFiles {
    /// The map file and the scenario file; not every map has one.
    Files(PathBuf, Option<PathBuf>),
    /// Inside the program.
    Bundled(&'static Bundled),
}

impl Suite {
    /// Opens a suite; the folder must have a `maps` folder.
    pub fn open(root: impl Into<PathBuf>) -> Result<Suite> {
        let root = root.into();
        ensure!(
            root.join("maps").is_dir(),
            "{} is not a suite: it has no folder maps/ (maps/SET/NAME.map and \
             scenarios/SET/NAME.map.scen make one)",
            root.display()
        );
        Ok(Suite { root: Some(root) })
    }

    /// The suite inside the program, which needs no files.
    pub fn bundled() -> Suite {
        Suite { root: None }
    }

    /// The names of its sets.
    pub fn sets(&self) -> Result<Vec<String>> {
        match &self.root {
            Some(root) => folders(&root.join("maps")),
            None => Ok(vec![bundled::SET.into()]),
        }
    }

    /// The file of a published table, if the suite has it.
    pub fn table(&self, name: &str) -> Option<PathBuf> {
        let file = self.root.as_ref()?.join("tables").join(name);
        file.is_file().then_some(file)
    }

    /// The maps of the suite in order of their names, or those of the given sets and
    /// names. A set or map that does not exist is an error.
    pub fn cases(&self, sets: &[String], maps: &[String]) -> Result<Vec<Case>> {
        let known = self.sets()?;
        for set in sets {
            ensure!(known.contains(set), "no set {set:?} here; there are: {}", known.join(", "));
        }
        let mut cases = Vec::new();
        for set in known.iter().filter(|s| sets.is_empty() || sets.contains(s)) {
            match &self.root {
                Some(root) => files_of(root, set, &mut cases)?,
                None => cases.extend(bundled().iter().map(Case::of_bundled)),
            }
        }
        cases.sort_by(|a, b| (&a.set, &a.map).cmp(&(&b.set, &b.map)));
        if !maps.is_empty() {
            let wanted = |name: &String| name.trim_end_matches(".map").to_string();
            let wanted: Vec<String> = maps.iter().map(wanted).collect();
            for map in &wanted {
                let here = cases.iter().any(|c| c.map == *map);
                ensure!(here, "no map {map:?} in these sets{}", some_of(&cases));
            }
            cases.retain(|c| wanted.contains(&c.map));
        }
        match &self.root {
            Some(root) if cases.is_empty() => bail!("no maps in {}", root.display()),
            _ => Ok(cases),
        }
    }
}

/// The names of the maps, where they are few enough to be read.
fn some_of(cases: &[Case]) -> String {
    let names: Vec<&str> = cases.iter().map(|c| c.map.as_str()).collect();
    if names.len() > 40 { String::new() } else { format!("; there are: {}", names.join(", ")) }
}

/// Adds the maps of one set in a folder.
fn files_of(root: &Path, set: &str, cases: &mut Vec<Case>) -> Result<()> {
    let folder = root.join("maps").join(set);
    for entry in fs::read_dir(&folder).with_context(|| shown(&folder))? {
        let file = entry?.path();
        if file.extension().is_none_or(|e| e != "map") {
            continue;
        }
        let map = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let scenario = root.join("scenarios").join(set).join(format!("{map}.map.scen"));
        let scenario = scenario.is_file().then_some(scenario);
        cases.push(Case { set: set.to_string(), map, place: MapFiles::Files(file, scenario) });
    }
    Ok(())
}

impl Case {
    /// A map that belongs to no suite; the problems of `NAME.map` are in `NAME.map.scen`.
    pub fn of_file(file: &Path) -> Result<Case> {
        let mut scenario = file.as_os_str().to_owned();
        scenario.push(".scen");
        let scenario = PathBuf::from(scenario);
        ensure!(
            scenario.is_file(),
            "{}: its problems are missing, there is no {}",
            file.display(),
            scenario.display()
        );
        let place = MapFiles::Files(file.to_path_buf(), Some(scenario));
        Ok(Case { place, ..Case::of_map(file) })
    }

    /// A map that belongs to no suite, without problems.
    pub fn of_map(file: &Path) -> Case {
        let map = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let place = MapFiles::Files(file.to_path_buf(), None);
        Case { set: "files".to_string(), map, place }
    }

    fn of_bundled(bundled: &'static Bundled) -> Case {
        let (set, map) = (bundled::SET.into(), bundled.0.into());
        Case { set, map, place: MapFiles::Bundled(bundled) }
    }

    /// The files it is read from; a bundled map has none.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let (map, scenario) = match &self.place {
            MapFiles::Files(map, scenario) => (Some(map), scenario.as_ref()),
            MapFiles::Bundled(_) => (None, None),
        };
        map.into_iter().chain(scenario).map(PathBuf::as_path)
    }

    /// Whether it has problems at all.
    pub fn has_problems(&self) -> bool {
        !matches!(self.place, MapFiles::Files(_, None))
    }

    /// Reads the map.
    pub fn grid(&self, movement: Movement) -> Result<Grid> {
        let (bytes, name) = match &self.place {
            MapFiles::Files(file, _) => (Cow::Owned(read(file)?), shown(file)),
            MapFiles::Bundled((name, map, _)) => (Cow::Borrowed(*map), name.to_string()),
        };
        Ok(TileMap::parse(&bytes).context(name)?.grid(movement))
    }

    /// Reads the problems and checks that they belong to the map.
    pub fn problems(&self, grid: &Grid) -> Result<Vec<Problem>> {
        let (bytes, name) = match &self.place {
            MapFiles::Files(_, None) => return Ok(Vec::new()),
            MapFiles::Files(_, Some(file)) => (Cow::Owned(read(file)?), shown(file)),
            MapFiles::Bundled((name, _, problems)) => (Cow::Borrowed(*problems), name.to_string()),
        };
        let problems = scen_file::parse(&bytes).with_context(|| name.clone())?;
        for (i, problem) in problems.iter().enumerate() {
            let place = || format!("{name}: problem {i}");
            problem.check(grid).with_context(place)?;
            let named = problem.map_name().trim_end_matches(".map");
            ensure!(
                named == self.map,
                "{}: the problem is for map {named:?}, not {:?}",
                place(),
                self.map
            );
        }
        Ok(problems)
    }
}

/// Reads a whole file if it is a file of sensible size. Pipes and devices, which do not
/// say how long they are, are read up to that size too.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let meta = fs::metadata(path).with_context(|| shown(path))?;
    ensure!(!meta.is_dir(), "{} is a folder, not a file", path.display());
    let mut file = fs::File::open(path).with_context(|| shown(path))?;
    let mut bytes = Vec::new();
    let mut read_on = |bytes: &mut Vec<u8>, most: u64| {
        (&mut file).take(most).read_to_end(bytes).with_context(|| shown(path))
    };
    read_on(&mut bytes, SIGNATURE.len() as u64)?;
    let limit = if bytes == SIGNATURE { artifact::MAX_BYTES } else { MAX_FILE };
    let refusal = "is too large: at most";
    ensure!(meta.len() <= limit, "{} {refusal} {limit} bytes are read", path.display());
    read_on(&mut bytes, limit)?;
    ensure!(bytes.len() as u64 <= limit, "{} {refusal} {limit} bytes are read", path.display());
    Ok(bytes)
}

fn folders(path: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path).with_context(|| shown(path))? {
        let entry = entry?;
        if entry.path().is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
