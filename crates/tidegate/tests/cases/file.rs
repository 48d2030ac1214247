//! The case files: what stands in `testdata/cases/*.toml`. `README.md` there explains it to
//! those who draw a case.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use tidegate::cost::{Factor, Length};
use tidegate::decompose::{GateLine, Source};
use tidegate::{Blocked, Grid, Movement, Tile};

use crate::drawing::Drawing;

/// One file: the cases of a family.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Family {
    /// The engines that refuse every case of the file, unless a case says otherwise.
    #[serde(default)]
    refused_by: Vec<String>,
    case: Vec<Case>,
}

/// One case as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Case {
    pub(crate) name: String,
    /// What a regression case once broke.
    once_broke: Option<String>,
    map: Option<String>,
    wide: Option<String>,
    /// Ends that no letter can show.
    from: Option<[u16; 2]>,
    to: Option<[u16; 2]>,
    /// Gates from x, y to x, y, in place of those of rising water.
    gates: Option<Vec<[u16; 4]>>,
    /// Cost factors by letter; the digits 2 to 9 stand for themselves.
    #[serde(default)]
    ground: BTreeMap<char, f64>,
    pub(crate) budget: Option<u64>,
    #[serde(default)]
    pub(crate) partial: bool,
    refused_by: Option<Vec<String>>,
    /// With a budget: the engines that need no more. All others are stopped by it.
    #[serde(default)]
    within_budget: Vec<String>,
    /// Engines that promise no best path but have to find one here.
    #[serde(default)]
    best_also_by: Vec<String>,
    /// What every engine says under every rule.
    pub(crate) error: Option<String>,
    no_corner_cutting: Option<Expected>,
    one_side_free: Option<Expected>,
    four_connected: Option<Expected>,
    #[serde(skip)]
    pub(crate) file: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Expected {
    /// On ground with cost factors: the cost itself.
    Units(u64),
    /// `4+2d`: four straight steps and two diagonal ones. `none`: no way.
    Steps(String),
}

/// A case drawn out under one rule, turned one way.
#[derive(Debug)]
pub(crate) struct Drawn {
    pub(crate) grid: Grid,
    pub(crate) start: Tile,
    pub(crate) goal: Tile,
    pub(crate) gates: Option<Vec<GateLine>>,
    pub(crate) blocked: Option<Blocked>,
    /// The map with the blocked tiles as walls: what answers are judged by.
    pub(crate) walled: Grid,
}

/// All cases of all files, in the order of their names.
pub(crate) fn read(folder: &Path) -> Vec<Case> {
    let entries = std::fs::read_dir(folder).expect("the folder of cases");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a case file");
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let family: Family = toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!family.case.is_empty(), "{name} has no cases");
        for case in family.case {
            let refused_by = case.refused_by.clone().unwrap_or(family.refused_by.clone());
            cases.push(Case { file: name.clone(), refused_by: Some(refused_by), ..case });
        }
    }
    cases
}

impl Case {
    /// File and name, for messages.
    pub(crate) fn title(&self) -> String {
        format!("{}: {}", self.file, self.name)
    }

    pub(crate) fn is_refused_by(&self, engine: &str) -> bool {
        self.refused_by.iter().flatten().any(|name| name == engine)
    }

    pub(crate) fn must_be_best_by(&self, engine: &str) -> bool {
        self.best_also_by.iter().any(|name| name == engine)
    }

    pub(crate) fn is_stopped(&self, engine: &str) -> bool {
        self.budget.is_some() && !self.within_budget.iter().any(|name| name == engine)
    }

    /// Every engine that the case names.
    pub(crate) fn named_engines(&self) -> impl Iterator<Item = &str> {
        let lists = [
            self.refused_by.as_deref().unwrap_or_default(),
            &self.within_budget,
            &self.best_also_by,
        ];
        lists.into_iter().flatten().map(String::as_str)
    }

    /// The least cost under a rule; `None` if there is no way.
    pub(crate) fn expected(&self, movement: Movement) -> Option<u64> {
        let written = match movement {
            Movement::NoCornerCutting => &self.no_corner_cutting,
            Movement::OneSideFree => &self.one_side_free,
            Movement::FourConnected => &self.four_connected,
        };
        match written.as_ref().unwrap_or_else(|| panic!("{}: {movement} is missing", self.title()))
        {
            Expected::Units(cost) => Some(*cost),
            Expected::Steps(steps) if steps == "none" => None,
            Expected::Steps(steps) => {
                let length = length(steps);
                Some(length.unwrap_or_else(|| panic!("{}: {steps:?}", self.title())).cost())
            }
        }
    }

    /// Draws the case under a rule, turned one of eight ways.
    pub(crate) fn drawn(&self, movement: Movement, way: u32) -> Drawn {
        self.try_drawn(movement, way).unwrap_or_else(|e| panic!("{}: {e}", self.title()))
    }

    fn try_drawn(&self, movement: Movement, way: u32) -> Result<Drawn, String> {
        let as_drawn = match (&self.map, &self.wide) {
            (Some(map), None) => Drawing::plain(map)?,
            (None, Some(wide)) => Drawing::wide(wide)?,
            _ => return Err("one of map and wide".into()),
        };
        let (turn, drawing) = (as_drawn.turn(way), as_drawn.turned(way));
        let (mut starts, mut goals, mut blocked) = (Vec::new(), Vec::new(), Vec::new());
        let mut factors = Vec::new();
        for (tile, letter) in drawing.letters() {
            match letter {
                'S' => starts.push(tile),
                'G' => goals.push(tile),
                'X' => (starts.push(tile), goals.push(tile)).0,
                'B' => blocked.push(tile),
                '.' | '#' | '2'..='9' => {}
                other if self.ground.contains_key(&other) => {}
                other => return Err(format!("the letter {other:?}")),
            }
            let factor = self.ground.get(&letter).copied();
            let factor = factor.or(letter.to_digit(10).map(f64::from)).unwrap_or(1.0);
            factors.push(Factor::new(factor).ok_or(format!("the factor {factor}"))?);
        }
        let given = |end: [u16; 2]| turn(Tile::new(end[0], end[1]));
        starts.extend(self.from.map(given));
        goals.extend(self.to.map(given));
        let ([start], [goal]) = (&starts[..], &goals[..]) else {
            return Err(format!("{} starts and {} goals", starts.len(), goals.len()));
        };
        let walls: Vec<bool> = drawing.letters().map(|(_, letter)| letter == '#').collect();
        let width = u32::from(drawing.width());
        let free = |x: u32, y: u32| !walls[(y * width + x) as usize];
        let grid = Grid::from_fn(width, drawing.height().into(), movement, free);
        let grid = grid.map_err(|e| e.to_string())?.with_factors(factors);
        let mut walled = grid.clone();
        blocked.iter().for_each(|tile| _ = walled.set_free(*tile, tile == start));
        let line = |&[ax, ay, bx, by]: &[u16; 4]| {
            GateLine::new(given([ax, ay]), given([bx, by]), Source::Manual)
        };
        Ok(Drawn {
            grid,
            start: *start,
            goal: *goal,
            gates: self.gates.as_ref().map(|gates| gates.iter().map(line).collect()),
            blocked: (!blocked.is_empty()).then(|| Blocked::new(blocked)),
            walled,
        })
    }

    /// What is wrong with the case itself.
    pub(crate) fn check(&self) -> Result<(), String> {
        let costs = [&self.no_corner_cutting, &self.one_side_free, &self.four_connected];
        let given = costs.iter().filter(|cost| cost.is_some()).count();
        if given != if self.error.is_some() { 0 } else { 3 } {
            return Err("the cost under each of the three rules, or an error".into());
        }
        if self.once_broke.as_ref().is_some_and(String::is_empty) {
            return Err("what did it once break?".into());
        }
        if self.budget.is_none() && !self.within_budget.is_empty() {
            return Err("within-budget without a budget".into());
        }
        self.try_drawn(Movement::default(), 0).map(drop)
    }
}

/// `4+2d`, `4` or `2d`.
fn length(text: &str) -> Option<Length> {
    let diagonal = |text: &str| text.strip_suffix('d')?.parse().ok();
    match text.split_once('+') {
        Some((straight, rest)) => {
            Some(Length { straight: straight.parse().ok()?, diagonal: diagonal(rest)? })
        }
        None if text.ends_with('d') => Some(Length { straight: 0, diagonal: diagonal(text)? }),
        None => Some(Length { straight: text.parse().ok()?, diagonal: 0 }),
    }
}
