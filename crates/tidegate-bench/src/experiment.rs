//! The experiments behind the report: each is cut into units of work and writes rows.
//!
//! [`perform`] runs what is not yet in the notebook and saves after every unit.

pub mod anyangle;
pub mod aurora;
pub mod corner_growth;
pub mod engines;
pub mod estimates;
pub mod gates;
pub mod growth;
pub mod hpa_clusters;
pub mod hpa_edits;
pub mod hpa_effort;
pub mod hpa_open;
pub mod hpa_options;
pub mod hpa_quality;
pub mod hpa_sizes;
pub mod labels;
pub mod map_edits;
pub mod peers;
pub mod properties;
pub mod published;
pub mod regions;
pub mod rooms;
pub mod sectors;

use anyhow::{Context as _, Result, bail, ensure};
use tidegate::Index;
use tidegate::rng::Rng;
use tidegate::{CellId, Movement, Query};

use crate::machine::{self, COMMIT, Machine};
use crate::notebook::{Head, Notebook, Record, Rows};
use crate::suite::{Case, Suite};

/// Something that is measured.
pub trait Experiment: Sync {
    /// Its name on the command line and of its file.
    fn name(&self) -> &'static str;

    /// One line that says what it shows.
    fn about(&self) -> &'static str;

    /// The pieces it is done in, in order. None if the suite has not what it takes.
    fn units(&self, lab: &Lab) -> Result<Vec<String>>;

    /// Does one piece.
    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()>;
}

/// All experiments, in the order of the report.
pub const ALL: &[&dyn Experiment] = &[
    &published::Published,
    &engines::Engines,
    &aurora::Aurora,
    &rooms::Rooms,
    &gates::Gates,
    &regions::RegionNumbers,
    &estimates::Estimates,
    &hpa_sizes::Sizes,
    &hpa_effort::Effort,
    &hpa_open::Open,
    &hpa_clusters::Clusters,
    &hpa_quality::Quality,
    &hpa_options::Options,
    &hpa_edits::Edits,
    &sectors::Sectors,
    &labels::LabelForms,
    &corner_growth::CornerGrowth,
    &anyangle::Walks,
    &growth::Growth,
    &map_edits::MapEdits,
    &properties::Properties,
];

/// How much of a suite is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Whether everything is cut down to a minute or two in all.
    pub quick: bool,
    /// Take problems 0, K, 2K, ... of each scenario.
    pub every: usize,
}

/// Where experiments are done: a suite and how much of it is taken.
#[derive(Clone, Debug)]
pub struct Lab {
    /// Maps and problems.
    pub suite: Suite,
    /// The suite's name, as records give it.
    pub name: String,
    /// How much is run.
    pub scale: Scale,
    /// Added to the seed of everything drawn at random.
    pub seed: u64,
}

impl Lab {
    /// What a record made here says of its making.
    pub fn describe(&self) -> String {
        let share = match self.scale {
            Scale { quick: true, .. } => "quick sample".to_string(),
            Scale { every: 1, .. } => "all problems".to_string(),
            Scale { every, .. } => format!("every {every}th problem"),
        };
        format!("{}, {share}, seed {}", self.name, self.seed)
    }

    /// The maps of the sets that the suite has; if it has none of them, all its maps.
    /// A quick run takes a few of every set.
    pub fn cases(&self, sets: &[&str]) -> Result<Vec<Case>> {
        let known = self.suite.sets()?;
        let mut wanted: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
        wanted.retain(|set| known.contains(set));
        let mut chosen = Vec::new();
        let groups = if wanted.is_empty() { known } else { wanted };
        let few = if groups.len() > 3 { 1 } else { 2 };
        for set in groups {
            let cases = self.suite.cases(&[set], &[])?;
            let most = if self.scale.quick { few } else { cases.len() };
            let step = cases.len().div_ceil(most.max(1)).max(1);
            chosen.extend(cases.into_iter().step_by(step));
        }
        Ok(chosen)
    }

    /// The units of an experiment that goes map by map.
    pub fn maps(&self, sets: &[&str]) -> Result<Vec<String>> {
        Ok(self.cases(sets)?.iter().map(|c| format!("{}/{}", c.set, c.map)).collect())
    }

    /// The map a unit is named after.
    pub fn case(&self, unit: &str) -> Result<Case> {
        let (set, map) = unit.split_once('/').context("a unit named after a map")?;
        let mut cases = self.suite.cases(&[set.into()], &[map.into()])?;
        ensure!(cases.len() == 1, "no map {unit} in the suite");
        Ok(cases.remove(0))
    }

    /// Whether the suite has this map.
    pub fn has(&self, unit: &str) -> bool {
        self.case(unit).is_ok()
    }

    /// Every how manieth of so many problems is taken.
    pub fn every(&self, problems: usize) -> usize {
        let quick = if self.scale.quick { problems / 25 } else { 1 };
        quick.max(self.scale.every).max(1)
    }

    /// How many of so many random pairs or rounds are taken.
    pub fn count(&self, full: usize) -> usize {
        if self.scale.quick { full.div_ceil(25) } else { full.div_ceil(self.scale.every.max(1)) }
    }

    /// Reads a map and begins an index of it.
    pub fn index(&self, unit: &str, movement: Movement) -> Result<Index> {
        Ok(Index::new(self.case(unit)?.grid(movement)?))
    }

    /// Random pairs of different tiles with a path between them.
    pub fn pairs(&self, index: &Index, seed: u64, count: usize) -> Result<Vec<Query<'static>>> {
        let (grid, mut rng) = (index.grid(), Rng::new(self.seed.wrapping_add(seed)));
        let cells: Vec<CellId> = grid.free_cells().collect();
        ensure!(cells.len() > 1, "a map without two free tiles");
        let (mut pairs, mut tries) = (Vec::new(), 0_u64);
        while pairs.len() < count {
            tries += 1;
            ensure!(tries < 1 << 32, "hardly any two tiles of this map are connected");
            let (a, b) = (cells[rng.below(cells.len())], cells[rng.below(cells.len())]);
            if a != b && index.components().connected(a, b) {
                pairs.push(Query::new(grid.tile(a), grid.tile(b)));
            }
        }
        Ok(pairs)
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The experiment.
    pub experiment: &'a str,
    /// The unit that begins now.
    pub unit: &'a str,
    /// Units done.
    pub done: usize,
    /// Units in all.
    pub all: usize,
}

/// Runs what is left of an experiment. Units that are in the notebook are not run again;
/// a record of another kind of run is never continued or overwritten.
pub fn perform(
    experiment: &dyn Experiment,
    lab: &Lab,
    notebook: &Notebook,
    mut tell: impl FnMut(Progress<'_>),
) -> Result<()> {
    let (name, scale) = (experiment.name(), lab.describe());
    let units = experiment.units(lab).with_context(|| name.to_string())?;
    if units.is_empty() {
        return Ok(());
    }
    let mut record = match notebook.read(name)? {
        Some(record) if record.head.scale != scale => bail!(
            "{} was made with: {}; now asked for: {scale}; choose another --record folder or \
             remove the file",
            notebook.file(name).display(),
            record.head.scale
        ),
        Some(record) => record,
        None => Record::new(Head {
            experiment: name.into(),
            scale,
            machine: Machine::here(),
            commits: Vec::new(),
            date: machine::today(),
            complete: false,
            done: Vec::new(),
        }),
    };
    let left: Vec<&String> = units.iter().filter(|u| !record.head.done.contains(u)).collect();
    if !left.is_empty() && !record.head.commits.iter().any(|c| c == COMMIT) {
        record.head.commits.push(COMMIT.into());
    }
    for (n, unit) in left.iter().enumerate() {
        let done = units.len() - left.len() + n;
        tell(Progress { experiment: name, unit, done, all: units.len() });
        let mut rows = Rows::default();
        experiment.run(lab, unit, &mut rows).with_context(|| format!("{name}, {unit}"))?;
        record.add(unit, rows)?;
        record.head.complete = done + 1 == units.len();
        notebook.save(&record)?;
    }
    Ok(())
}
