//! The case suite: one list of drawn maps, every engine.

use serde::Deserialize;
use tidegate::cost::Length;
use tidegate::engine::{self, Promise};
use tidegate::{Grid, Index, Movement, Outcome, Path, Query, Scratch, Tile};

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    map: Vec<String>,
    movement: Option<String>,
    #[serde(default)]
    none: bool,
    straight: Option<u32>,
    diagonal: Option<u32>,
}

impl Case {
    fn tile(&self, letter: char) -> Tile {
        for (y, row) in self.map.iter().enumerate() {
            if let Some(x) = row.find(letter).or_else(|| row.find('X')) {
                return Tile::new(x as u16, y as u16);
            }
        }
        panic!("{}: no {letter} on the map", self.name);
    }

    fn grid(&self) -> Grid {
        let rows: Vec<String> = self.map.iter().map(|r| r.replace('X', ".")).collect();
        let movement = self.movement.as_deref().unwrap_or("no-corner-cutting");
        let movement = Movement::from_name(movement).expect("a rule of movement");
        Grid::from_rows(&rows).expect("a map").with_movement(movement)
    }
}

#[test]
fn every_engine_answers_every_case() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cases/paths.toml");
    let text = std::fs::read_to_string(file).expect("the case file");
    let cases: Cases = toml::from_str(&text).expect("the case file is TOML");
    let mut asked = 0;
    for case in &cases.case {
        let (start, goal) = (case.tile('S'), case.tile('G'));
        let mut index = Index::new(case.grid());
        for engine in tidegate_sectors::ENGINES {
            if index.prepare(*engine).is_err() {
                continue; // a rule it refuses
            }
            let (mut scratch, mut path) = (Scratch::new(), Path::new());
            let told = format!("{}: {}", case.name, engine.name());
            let answer = index
                .find(*engine, &Query::new(start, goal), &mut scratch, &mut path)
                .unwrap_or_else(|e| panic!("{told}: {e}"));
            asked += 1;
            if case.none {
                assert_eq!(answer.outcome, Outcome::Unreachable, "{told}");
                continue;
            }
            let cost = answer.cost().unwrap_or_else(|| panic!("{told}: {answer:?}"));
            path.check_answer(index.grid(), start, goal, cost)
                .unwrap_or_else(|e| panic!("{told}: {e}"));
            let count = |n: Option<u32>| n.expect("straight and diagonal, or none");
            let best = Length { straight: count(case.straight), diagonal: count(case.diagonal) };
            match engine.promise() {
                Promise::Optimal => assert_eq!(path.length(), best, "{told}"),
                Promise::Approximate => assert!(u64::from(cost) >= best.cost(), "{told}"),
            }
        }
    }
    assert!(asked >= cases.case.len());
}
