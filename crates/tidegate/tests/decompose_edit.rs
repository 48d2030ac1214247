//! The properties of editing: valid after every edit, the same as made from scratch, and
//! undone to the same bytes. And the JSON that edits are kept in.

use tidegate::decompose::{
    Decomposition, EditError, Editor, GateEnd, GateError, GateId, Source, WaterOptions, ZoneId,
};
use tidegate::json::JsonError;
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Tile};
use tidegate_testkit::{hostile, maps};

/// One edit of the seed's choice; whether it was accepted.
fn random_edit(editor: &mut Editor<'_>, grid: &Grid, rng: &mut Rng) -> Result<(), EditError> {
    let tile = |rng: &mut Rng| {
        let side = |length: u32, rng: &mut Rng| rng.below(length as usize + 1) as u16;
        Tile::new(side(grid.width(), rng), side(grid.height(), rng))
    };
    let gates = editor.decomposition().gates().len();
    let zones = editor.decomposition().zones().len();
    let gate = GateId::from_index(rng.below(gates + 1));
    let zone = |rng: &mut Rng| ZoneId::from_index(rng.below(zones + 1));
    match rng.below(7) {
        0 | 1 => editor.add_gate(tile(rng), tile(rng)).map(drop),
        2 => editor.move_end(gate, if rng.chance(50) { GateEnd::A } else { GateEnd::B }, tile(rng)),
        3 => editor.remove_gate(gate),
        4 => {
            // Neighbours, mostly: two zones beside one gate.
            let beside = editor.decomposition().gates().get(gate.index()).map(|g| g.zones());
            match beside {
                Some(&[a, b, ..]) => editor.merge_zones(a, b),
                _ => editor.merge_zones(zone(rng), zone(rng)),
            }
        }
        5 => editor.split_zone(zone(rng)).map(drop),
        _ => {
            let (back, again) = editor.history();
            let did = if rng.chance(70) { editor.undo() } else { editor.redo() };
            assert!(did || back == 0 || again == 0);
            Ok(())
        }
    }
}

/// What the lines make without any memory of earlier ones.
fn from_scratch(grid: &Grid, edited: &Decomposition) -> Decomposition {
    Decomposition::from_gates(grid, edited.lines()).unwrap()
}

#[test]
fn any_edits_are_lawful_equal_a_fresh_one_and_can_be_undone() {
    let mut accepted = 0;
    for seed in 0..200 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let mut rng = Rng::new(seed ^ 0xED17);
        let first = Decomposition::from_gates(&grid, []).unwrap();
        let before = first.to_json(&grid);
        let mut editor = Editor::new(&grid, first).unwrap();
        for step in 0..25 {
            let kept = editor.decomposition().clone();
            let context = |what: &str| format!("{what}: seed {seed}, step {step}\n{grid:?}");
            match random_edit(&mut editor, &grid, &mut rng) {
                Ok(()) => accepted += 1,
                Err(_) => assert_eq!(*editor.decomposition(), kept, "{}", context("refused")),
            }
            let now = editor.decomposition();
            now.check(&grid).unwrap_or_else(|v| panic!("{}", context(&v.to_string())));
            let fresh = from_scratch(&grid, now);
            assert_eq!(
                (now.zones(), now.gates()),
                (fresh.zones(), fresh.gates()),
                "{}",
                context("fresh")
            );
        }
        let after = editor.decomposition().clone();
        let mut steps = 0;
        while editor.undo() {
            steps += 1;
        }
        assert_eq!(editor.decomposition().to_json(&grid), before, "seed {seed}\n{grid:?}");
        // What had been undone on the way is in the future too, so go forward only as far.
        for _ in 0..steps {
            assert!(editor.redo());
        }
        assert_eq!(*editor.decomposition(), after, "seed {seed}\n{grid:?}");
    }
    assert!(accepted > 2_000, "{accepted} edits are too few to mean anything");
}

/// Valid after each of 10,000 edits; after every fiftieth as made from scratch, and a hundred
/// answers of the engines that rest on gates are the oracle's.
#[test]
fn ten_thousand_edits_answer_as_made_from_scratch() {
    let accepted: usize = (0..40).map(|seed| hostile::soak(seed, 250, 50, 100)).sum();
    assert!(accepted > 3_000, "{accepted} edits are too few to mean anything");
}

#[test]
fn a_drawn_gate_snaps_to_the_walls() {
    let rows = ["########", "#......#", "#......#", "#......#", "########"];
    let grid = Grid::from_rows(&rows).unwrap();
    let mut editor = Editor::new(&grid, Decomposition::from_gates(&grid, []).unwrap()).unwrap();
    // Drawn a little slanted and too short.
    let gate = editor.add_gate(Tile::new(3, 2), Tile::new(3, 3)).unwrap();
    let line = editor.decomposition().gates()[gate.index()].line();
    assert_eq!((line.a(), line.b()), (Tile::new(3, 1), Tile::new(3, 3)));
    assert_eq!(line.source(), Source::Manual);
    assert_eq!(editor.decomposition().zones().len(), 2);
    let zones = editor.decomposition().gates()[0].zones().to_vec();
    editor.merge_zones(zones[0], zones[1]).unwrap();
    assert_eq!(editor.decomposition().gates().len(), 0);
    let error = editor.merge_zones(zones[0], zones[0]).unwrap_err();
    assert_eq!(error, EditError::NotNeighbours(zones[0], zones[0]));
}

#[test]
fn a_zone_is_split_at_its_waist() {
    let rows = ["........", "........", "...##...", "...##...", "........", "........"];
    // The two halves of an hourglass lying on its side are joined by two lanes; walls
    // close one of them.
    let mut rows = rows.map(str::to_string);
    rows[0] = "...##...".into();
    rows[1] = "...##...".into();
    let grid = Grid::from_rows(&rows).unwrap();
    let mut editor = Editor::new(&grid, Decomposition::from_gates(&grid, []).unwrap()).unwrap();
    editor.split_zone(ZoneId::from_index(0)).unwrap();
    let parts = editor.decomposition();
    assert_eq!(parts.zones().len(), 2);
    assert_eq!(parts.gates()[0].width(), 2, "{:?}", parts.gates());
}

#[test]
fn json_comes_back_as_it_went() {
    for seed in 0..60 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        for parts in
            [Decomposition::water(&grid, &WaterOptions::raw()), Decomposition::rooms(&grid)]
        {
            let text = parts.to_json(&grid);
            let back = Decomposition::from_json(&grid, &text).unwrap();
            assert_eq!(back, parts, "seed {seed}\n{grid:?}");
            assert_eq!(back.to_json(&grid), text);
        }
    }
}

#[test]
fn json_of_a_person_may_leave_out_what_is_derived() {
    let grid = Grid::from_rows(&["..#..", ".....", "..#.."]).unwrap();
    let text = r#"{"version":1,"map":{"width":5,"height":3},"method":"given","raw_gates":0,
        "note":"mine","gates":[{"a":[2,1],"b":[2,1]}]}"#;
    let parts = Decomposition::from_json(&grid, text).unwrap();
    assert_eq!(parts.zones().len(), 2);
    assert_eq!(parts.gates()[0].source(), Source::Manual);
}

#[test]
fn hostile_json_is_refused_with_a_reason() {
    let grid = Grid::from_rows(&["..#..", ".....", "..#.."]).unwrap();
    let gate = |a: &str, b: &str| {
        format!(
            r#"{{"version":1,"map":{{"width":5,"height":3}},"method":"water","raw_gates":1,
            "gates":[{{"a":{a},"b":{b}}}]}}"#
        )
    };
    let read = |text: &str| Decomposition::from_json(&grid, text).unwrap_err();
    let says = |text: &str, part: &str| {
        let message = read(text).to_string();
        assert!(message.contains(part), "{message:?} does not tell of {part:?}");
    };
    says("", "EOF");
    says("[1,2", "invalid");
    says(&"[".repeat(100_000), "invalid type");
    says(r#"{"version":1}"#, "missing field");
    says(&gate("[2,1]", "[2,1]").replace("version\":1", "version\":7"), "version 7");
    says(&gate("[2,1]", "[2,1]").replace("\"width\":5", "\"width\":6"), "6 x 3 tiles");
    says(&gate("[2,1]", "[2,1]").replace("water", "magic"), "method \"magic\"");
    says(&gate("[2,1]", "[99999,1]"), "u16");
    says(&gate("[2,1]", "[-1,1]"), "u16");
    says(&gate("[2,1]", "[9,1]"), "outside the map");
    says(&gate("[2,1]", "[2,0]"), "wall at 2,0");
    says(&gate("[1,0]", "[3,1]"), "neither straight nor diagonal");
    let foreign =
        gate("[2,1]", "[2,1]").replace("\"height\":3", "\"height\":3,\"fingerprint\":\"ab\"");
    assert!(matches!(read(&foreign), JsonError::OtherMap { .. }));
    // Many gates over the same tiles ask for more work than a map can need.
    let one = r#"{"a":[0,1],"b":[4,1]}"#;
    let many = gate("[2,1]", "[2,1]").replace(r#"{"a":[2,1],"b":[2,1]}"#, &[one; 1000].join(","));
    assert!(matches!(read(&many), JsonError::Gate(GateError::Overlap { tiles: 5000 })));
}
