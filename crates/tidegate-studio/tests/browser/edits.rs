//! Gates, zones and walls changed by hand; undone, redone, saved and found again.

use tidegate::grid::TileMap;
use tidegate::{Index, Movement};
use tidegate_studio::Opened;

use crate::desk::{Desk, SMALL};

/// Two rooms of 19 x 28 tiles and an opening of ten between them.
pub(crate) fn two_rooms() -> Option<Desk> {
    let rows: Vec<String> = (0..30)
        .map(|y| match y {
            0 | 29 => "@".repeat(41),
            10..20 => format!("@{}@", ".".repeat(39)),
            _ => format!("@{0}@{0}@", ".".repeat(19)),
        })
        .collect();
    let map = TileMap::parse_text(rows.join("\n").as_bytes()).expect("a map");
    let index = Index::new(map.grid(Movement::default()));
    let folder = std::env::temp_dir();
    let opened = Opened { name: "two-rooms".into(), folder, index, problems: Vec::new() };
    Desk::with(SMALL, vec![opened], "")
}

fn gates(desk: &Desk) -> usize {
    desk.js("studio.state.doc.gate_list.length")
}

/// Waits for the next version of the map after something was done.
fn changed(desk: &Desk, before: u64) {
    desk.until(&format!("studio.state.doc.version > {before} && !studio.state.painting"));
    desk.settle();
}

fn version(desk: &Desk) -> u64 {
    desk.js("studio.state.doc.version")
}

#[test]
fn a_gate_is_drawn_moved_undone_redone_saved_and_found_again() {
    let Some(desk) = two_rooms() else { return };
    assert_eq!(gates(&desk), 1, "the opening is a gate");
    let (empty, v) = (desk.pixel(0, (8, 24)), version(&desk));
    desk.key("2");
    desk.drag((2, 24), (16, 24));
    changed(&desk, v);
    assert_eq!(gates(&desk), 2);
    let drawn = desk.pixel(0, (8, 24));
    assert_ne!(drawn, empty, "the gate is on the canvas");
    let ends: [(u32, u32); 2] =
        desk.js("(() => { const g = studio.state.doc.gate_list.find((g) => g.source === 'manual'); return [g.a, g.b]; })()");
    assert_eq!(ends, [(1, 24), (19, 24)], "it grew to the walls");

    let v = version(&desk);
    desk.key("Ctrl+z");
    changed(&desk, v);
    assert_eq!((gates(&desk), desk.pixel(0, (8, 24))), (1, empty));
    desk.key("Ctrl+Shift+z");
    changed(&desk, v + 1);
    assert_eq!((gates(&desk), desk.pixel(0, (8, 24))), (2, drawn));

    // The studio keeps unsaved changes, so leaving loses nothing and asks nothing.
    desk.reload();
    assert_eq!((desk.asked(), gates(&desk)), (0, 2));
    desk.key("Ctrl+s");
    desk.until("!studio.state.doc.dirty");
    let said: String = desk.js("document.querySelector('#toast').textContent");
    let file = said.strip_prefix("Saved ").expect("where it was saved");
    let saved = std::fs::read_to_string(file).expect("the saved file");
    assert!(saved.contains("\"gates\""), "zones and gates");
    std::fs::remove_file(file).expect("the saved file goes");

    desk.reload();
    assert_eq!((desk.asked(), gates(&desk)), (0, 2), "saved, nothing is asked");
    desk.close();
}

#[test]
fn an_end_is_dragged_and_a_gate_removed() {
    let Some(desk) = two_rooms() else { return };
    let v = version(&desk);
    desk.key("2");
    desk.drag((2, 5), (16, 5));
    changed(&desk, v);
    desk.drag((19, 5), (10, 14));
    changed(&desk, v + 1);
    let b: (u32, u32) = desk.js("studio.state.doc.gate_list.find((g) => g.source === 'manual').b");
    assert_ne!(b, (19, 5), "the end moved");
    desk.click_tile((4, b.1.min(8)));
    let id: usize = desk.js("studio.state.doc.gate_list.find((g) => g.source === 'manual').id");
    desk.run(&format!("studio.set({{ selected: {{ kind: 'gate', id: {id} }} }})"));
    desk.until("/Gate/.test(document.querySelector('#region-card').textContent)");
    desk.key("Delete");
    changed(&desk, v + 2);
    assert_eq!(gates(&desk), 1);
    desk.close();
}

#[test]
fn zones_are_merged() {
    let Some(desk) = two_rooms() else { return };
    let v = version(&desk);
    assert_eq!(desk.js::<usize>("studio.state.doc.zones.length"), 2);
    assert_ne!(desk.pixel(0, (5, 3)), desk.pixel(0, (35, 26)));
    desk.key("3");
    desk.click_tile((5, 3));
    desk.click_tile((35, 26));
    changed(&desk, v);
    assert_eq!(desk.js::<usize>("studio.state.doc.zones.length"), 1);
    desk.key("Escape");
    assert_eq!(desk.pixel(0, (5, 3)), desk.pixel(0, (35, 26)));
    desk.close();
}

#[test]
fn walls_are_painted_and_paths_go_around() {
    let Some(desk) = two_rooms() else { return };
    desk.run("studio.set({ start: [5, 15], goal: [35, 15] })");
    desk.settle();
    desk.until("studio.state.results[0].path?.length === 31");
    let (wall, v) = (desk.pixel(0, (20, 3)), version(&desk));
    desk.key("4");
    desk.drag((12, 3), (12, 27));
    changed(&desk, v);
    assert_eq!(desk.pixel(0, (12, 8)), wall, "a wall is on the canvas");
    desk.until("studio.state.results[0].length > 31");
    assert!(
        desk.js::<bool>(
            "studio.state.results[0].path.every(([x, y]) => x !== 12 || y < 3 || y > 27)"
        )
    );
    desk.click("#undo");
    changed(&desk, v + 1);
    desk.until("studio.state.results[0].path?.length === 31");
    assert_ne!(desk.pixel(0, (12, 8)), wall);
    desk.close();
}

/// The walls of a rectangle of the map, row by row.
fn walls(desk: &Desk, (left, top): (u32, u32), (right, bottom): (u32, u32)) -> Vec<String> {
    desk.js(&format!(
        "Array.from({{ length: {bottom} - {top} + 1 }}, (_, y) => Array.from({{ length: {right} - {left} + 1 }},
           (_, x) => (studio.map.isFree([{left} + x, {top} + y]) ? '.' : '@')).join(''))"
    ))
}

#[test]
fn strokes_are_freehand_lines_and_rectangles() {
    let Some(desk) = two_rooms() else { return };
    let corner = || walls(&desk, (3, 3), (7, 6));
    let v = version(&desk);
    desk.key("4");
    desk.key("m");
    desk.drag((3, 3), (6, 6));
    changed(&desk, v);
    assert_eq!(corner(), ["@....", ".@...", "..@..", "...@."], "a line");
    desk.click("[data-shape=box]");
    desk.drag((7, 6), (5, 4));
    changed(&desk, v + 1);
    assert_eq!(corner(), ["@....", ".@@@@", "..@@@", "..@@@"], "a rectangle, from any corner");
    // The right button rubs out, and so does the other tool.
    desk.drag_with("right", (6, 3), (7, 6));
    changed(&desk, v + 2);
    assert_eq!(corner(), ["@....", ".@@..", "..@..", "..@.."], "rubbed out");
    desk.key("5");
    desk.key("m");
    desk.drag((3, 3), (3, 3));
    changed(&desk, v + 3);
    assert_eq!(corner()[0], ".....");
    for step in 4..8 {
        desk.key("Ctrl+z");
        changed(&desk, v + step);
    }
    assert_eq!(corner(), ["....."; 4], "all taken back");
    assert!(!desk.js::<bool>("studio.state.doc.dirty"));
    desk.close();
}

#[test]
fn a_stroke_shows_what_it_took_and_tables_are_built_again() {
    let Some(desk) = two_rooms() else { return };
    desk.run(
        "studio.set({ start: [5, 15], goal: [35, 15], chosen: ['gateway-consistent', 'jps'] })",
    );
    desk.settle();
    let cost = || desk.js::<String>("document.querySelector('#edit-cost').innerText");
    let v = version(&desk);
    desk.key("4");
    assert!(desk.js::<bool>("document.querySelector('#edit-cost').hidden"), "nothing yet");
    desk.drag((20, 10), (20, 19));
    changed(&desk, v);
    let text = cost();
    assert!(text.starts_with("10 tiles, revision 1: "), "{text}");
    assert!(text.contains("gate 0 went"), "{text}");
    assert!(text.contains("jps repaired"), "{text}");
    desk.until("studio.state.results.every((r) => r.status === 'unreachable')");
    desk.until(
        "/gateway-consistent built again/.test(document.querySelector('#edit-cost').innerText)",
    );
    assert_eq!(version(&desk), v + 1, "building changes nothing");

    // A breach: until its tables are there again, another engine answers in its place.
    desk.key("5");
    desk.drag((20, 4), (20, 5));
    changed(&desk, v + 1);
    assert!(cost().starts_with("2 tiles, revision 2: "), "{}", cost());
    desk.until(
        "studio.state.results.every((r) => r.status === 'found' && r.answered_by === r.engine)",
    );
    let colours = [desk.pixel(0, (5, 3)), desk.pixel(0, (35, 26))];
    assert_ne!(colours[0], colours[1], "the rooms are still two zones");
    // Another tool puts it away; a change of something else too.
    desk.key("1");
    assert!(desk.js::<bool>("document.querySelector('#brush').hidden"));
    desk.close();
}

#[test]
fn another_page_s_change_shows_here() {
    let Some(desk) = two_rooms() else { return };
    let v = version(&desk);
    // As another page would: over the interface, past this page's own state.
    desk.run(&format!(
        "await fetch('api/maps/two-rooms/edit', {{ method: 'POST',
           headers: {{ 'Content-Type': 'application/json', 'X-Tidegate-Token': sessionStorage.getItem('tidegate-token') }},
           body: JSON.stringify({{ version: {v}, op: 'add_gate', from: [2, 24], to: [16, 24] }}) }})"
    ));
    changed(&desk, v);
    assert_eq!(gates(&desk), 2);
    desk.close();
}
