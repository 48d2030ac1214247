//! Maps that change: ticks of edits and queries, engine by engine.

use anyhow::Result;
use tidegate::engine::{self, Engine};
use tidegate::{Grid, Movement, generate};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::ticks::{Game, play};

/// Generated maps, by side.
const SIDES: [u32; 3] = [512, 1024, 2048];

/// The engines that follow edits.
pub const ENGINES: [&dyn Engine; 6] = [
    engine::LABELS,
    engine::CORNERS,
    engine::JPS,
    engine::HPA,
    engine::DIFFERENTIAL,
    engine::GATEWAY_CONSISTENT,
];

/// The experiment.
pub struct MapEdits;

impl Experiment for MapEdits {
    fn name(&self) -> &'static str {
        "map-edits"
    }

    fn about(&self) -> &'static str {
        "maps that change: what edits, queries and ticks take, every answer checked"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let sets = ["sc1", "bg512", "dao", "rooms", "mazes"];
        let mut units = Vec::new();
        for set in sets {
            let maps = lab.maps(&[set])?;
            // Ten maps in all, two of each set.
            let step = maps.len().div_ceil(2).max(1);
            units.extend(maps.into_iter().step_by(step));
        }
        units.sort_unstable();
        units.dedup();
        let sides = if lab.scale.quick { &[128][..] } else { &SIDES };
        units.extend(sides.iter().map(|side| format!("generated/{side}")));
        Ok(units)
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let movement = Movement::NoCornerCutting;
        let (set, map) = unit.split_once('/').unwrap_or(("", unit));
        let grid: Grid = match map.parse() {
            Ok(side) if set == "generated" => {
                generate::generate(generate::Kind::Rts, side, side, 1)?.grid(movement)
            }
            _ => lab.case(unit)?.grid(movement)?,
        };
        let ticks = lab.count(300).max(30);
        let game = Game { ticks, queries: 40, seed: lab.seed, rate: None };
        let played = play((set, map), &grid, &ENGINES, game, |_| ())?;
        played.iter().try_for_each(|row| rows.push(row))
    }
}
