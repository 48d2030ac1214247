//! A folder of maps and scenarios: `maps/SET/NAME.map`, `scenarios/SET/NAME.map.scen`.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use tidegate::artifact::{self, SIGNATURE};
use tidegate::grid::scen_file::{self, Problem};
use tidegate::grid::{MAX_TILES, TileMap};
use tidegate::{Grid, Movement};

/// The largest file that is read at all, unless it is an index: the letters of the largest
/// map, with room for line ends.
const MAX_FILE: u64 = MAX_TILES + MAX_TILES / 4;

/// A suite on disk.
#[derive(Clone, Debug)]
pub struct Suite {
    root: PathBuf,
}

/// One map of a suite and where its problems are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// The set: the folder under `maps/`.
    pub set: String,
    /// The map's name without its ending.
    pub map: String,
    /// The map file.
    pub map_file: PathBuf,
    /// The scenario file; not every map has one.
    pub scen_file: Option<PathBuf>,
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
        Ok(Suite { root })
    }

    /// The names of its sets.
    pub fn sets(&self) -> Result<Vec<String>> {
        folders(&self.root.join("maps"))
    }

    /// The file of a published table, if the suite has it.
    pub fn table(&self, name: &str) -> Option<PathBuf> {
        Some(self.root.join("tables").join(name)).filter(|path| path.is_file())
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
            let folder = self.root.join("maps").join(set);
            for entry in fs::read_dir(&folder).with_context(|| shown(&folder))? {
                let map_file = entry?.path();
                if map_file.extension().is_none_or(|e| e != "map") {
                    continue;
                }
                let map = map_file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let scenario = format!("{map}.map.scen");
                let scen_file = self.root.join("scenarios").join(set).join(scenario);
                let scen_file = scen_file.is_file().then_some(scen_file);
                cases.push(Case { set: set.clone(), map, map_file, scen_file });
            }
        }
        cases.sort();
        if !maps.is_empty() {
            let wanted = |name: &String| name.trim_end_matches(".map").to_string();
            let wanted: Vec<String> = maps.iter().map(wanted).collect();
            for map in &wanted {
                ensure!(cases.iter().any(|c| c.map == *map), "no map {map:?} in these sets");
            }
            cases.retain(|c| wanted.contains(&c.map));
        }
        if cases.is_empty() {
            bail!("no maps in {}", self.root.display());
        }
        Ok(cases)
    }
}

impl Case {
    /// A map that belongs to no suite; the problems of `NAME.map` are in `NAME.map.scen`.
    pub fn of_file(map_file: &Path) -> Result<Case> {
        let map = map_file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut scen_file = map_file.as_os_str().to_owned();
        scen_file.push(".scen");
        let scen_file = PathBuf::from(scen_file);
        ensure!(
            scen_file.is_file(),
            "{}: its problems are missing, there is no {}",
            map_file.display(),
            scen_file.display()
        );
        let (set, map_file) = ("files".to_string(), map_file.to_path_buf());
        Ok(Case { set, map, map_file, scen_file: Some(scen_file) })
    }

    /// Reads the map.
    pub fn grid(&self, movement: Movement) -> Result<Grid> {
        let map = TileMap::parse(&read(&self.map_file)?).with_context(|| shown(&self.map_file))?;
        Ok(map.grid(movement))
    }

    /// Reads the problems and checks that they belong to the map.
    pub fn problems(&self, grid: &Grid) -> Result<Vec<Problem>> {
        let Some(file) = &self.scen_file else { return Ok(Vec::new()) };
        let problems = scen_file::parse(&read(file)?).with_context(|| shown(file))?;
        for (i, problem) in problems.iter().enumerate() {
            let place = || format!("{}: problem {i}", file.display());
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
    let told = "is too large: at most";
    ensure!(meta.len() <= limit, "{} {told} {limit} bytes are read", path.display());
    read_on(&mut bytes, limit)?;
    ensure!(bytes.len() as u64 <= limit, "{} {told} {limit} bytes are read", path.display());
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
