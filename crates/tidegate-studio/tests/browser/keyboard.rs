//! The page without a mouse: tools, tabs, rows and the map by keys alone, with a ring around
//! what has the focus.

use crate::desk::Desk;

/// What is said to those who do not see the map.
fn spoken(desk: &Desk) -> String {
    desk.js("document.querySelector('#spoken').textContent")
}

/// Whether what has the focus shows it.
fn has_ring(desk: &Desk) -> bool {
    desk.js("(() => { const style = getComputedStyle(document.activeElement);
           return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2; })()")
}

#[test]
fn tools_tabs_and_switches_are_worked_by_keys() {
    let Some(desk) = Desk::open() else { return };
    desk.tab_to("[data-tool]");
    assert!(has_ring(&desk));
    let tool = || desk.js::<String>("studio.state.tool");
    assert_eq!(tool(), "path");
    desk.key("ArrowRight");
    assert_eq!(tool(), "gate");
    desk.key("End");
    assert_eq!(tool(), "danger");
    desk.key("ArrowRight");
    assert_eq!(tool(), "path", "around to the first");
    // One stop for the group: the next Tab leaves it.
    desk.key("Tab");
    assert!(!desk.js::<bool>("document.activeElement.matches('[data-tool]')"));

    desk.tab_to("#layer-depth");
    assert!(has_ring(&desk));
    desk.key(" ");
    assert!(desk.js::<bool>("studio.state.layers.depth"), "Space works the switch");
    assert!(desk.js::<bool>("document.querySelector('#play').title.startsWith('Play')"));
    desk.key(" ");

    desk.tab_to("[role=tab]");
    assert!(has_ring(&desk));
    for (key, tab) in
        [("ArrowRight", "problems"), ("ArrowRight", "regions"), ("ArrowLeft", "problems")]
    {
        desk.key(key);
        assert_eq!(desk.js::<String>("studio.state.tab"), tab);
    }
    // After a click of the mouse Space plays, wherever the focus went.
    desk.click("[data-tab=\"paths\"]");
    desk.key(" ");
    desk.until("studio.state.position > 0");
    desk.key(" ");
    desk.close();
}

#[test]
fn rows_are_chosen_and_columns_sorted_by_keys() {
    let Some(desk) = Desk::open() else { return };
    desk.key("p");
    desk.until("document.querySelectorAll('#problems tbody tr').length > 10");
    desk.tab_to("#problems th button");
    assert!(has_ring(&desk));
    desk.key("Enter");
    let first = "Number(document.querySelector('#problems tbody td').textContent)";
    let highest: u32 = desk.js(first);
    assert!(
        desk.js::<bool>("document.activeElement.matches('#problems th button')"),
        "the focus stays"
    );
    desk.key("Enter");
    assert!(desk.js::<u32>(first) < highest, "the other way round");

    desk.tab_to("#problems tbody tr");
    assert!(has_ring(&desk));
    let row =
        "[...document.querySelectorAll('#problems tbody tr')].indexOf(document.activeElement)";
    assert_eq!(desk.js::<i32>(row), 0);
    for _ in 0..3 {
        desk.key("ArrowDown");
    }
    desk.key("ArrowUp");
    assert_eq!(desk.js::<i32>(row), 2);
    let before: String = desk.js("String(studio.state.start)");
    desk.key("Enter");
    desk.until(&format!("String(studio.state.start) !== '{before}'"));
    assert_eq!(desk.js::<i32>(row), 2, "the focus stays where it was");
    assert!(desk.js::<bool>("document.activeElement.matches('[aria-selected=true]')"));
    desk.close();
}

#[test]
fn pins_are_moved_by_keys() {
    let Some(desk) = Desk::open() else { return };
    let free: (u32, u32) =
        desk.js("studio.state.doc.zones.toSorted((a, b) => b.altitude - a.altitude)[0].deepest");
    desk.run(&format!("studio.set({{ goal: [{}, {}] }})", free.0, free.1));
    desk.tab_to("canvas");
    assert!(has_ring(&desk));
    let at = |dx: u32, dy: u32| format!("{}, {}", free.0 + dx, free.1 + dy);
    assert!(
        spoken(&desk).starts_with(&at(0, 0)) && spoken(&desk).ends_with("goal"),
        "{}",
        spoken(&desk)
    );
    let goal = || desk.js::<(u32, u32)>("studio.state.goal");

    // Enter takes the pin up, arrows carry it, Enter puts it down.
    desk.key("Enter");
    assert!(spoken(&desk).contains("goal held"), "{}", spoken(&desk));
    desk.key("ArrowRight");
    desk.key("ArrowDown");
    desk.key("ArrowDown");
    assert_eq!(goal(), (free.0 + 1, free.1 + 2));
    desk.key("Enter");
    desk.until("!studio.state.dragging");
    desk.until("String(studio.state.results[0].path?.at(-1)) === String(studio.state.goal)");

    // Elsewhere Enter sets the goal, with Shift the start; Escape gives a held pin back.
    desk.key("Shift+ArrowLeft");
    assert!(
        spoken(&desk).starts_with(&format!("{}, {}, zone", free.0 - 9, free.1 + 2)),
        "{}",
        spoken(&desk)
    );
    desk.key("Shift+Enter");
    assert_eq!(desk.js::<(u32, u32)>("studio.state.start"), (free.0 - 9, free.1 + 2));
    assert!(spoken(&desk).starts_with("Start at"), "{}", spoken(&desk));
    desk.key("ArrowUp");
    desk.key("Enter");
    assert_eq!(goal(), (free.0 - 9, free.1 + 1));
    desk.key("Enter");
    desk.key("ArrowUp");
    assert_eq!(goal(), (free.0 - 9, free.1));
    desk.key("Escape");
    assert_eq!(goal(), (free.0 - 9, free.1 + 1));

    // A click of the mouse gives the arrow keys back to the search.
    desk.click_tile(free);
    assert!(desk.js::<bool>("studio.state.cursor === null"));
    desk.key("ArrowRight");
    assert!(!has_ring(&desk), "and there is no ring around what keys do not move");
    desk.key("Enter");
    assert!(desk.js::<bool>("studio.state.cursor !== null") && has_ring(&desk));
    desk.close();
}

#[test]
fn gates_and_walls_are_drawn_by_keys() {
    let Some(desk) = crate::edits::two_rooms() else { return };
    desk.run("studio.set({ goal: [5, 24] })");
    desk.tab_to("canvas");
    desk.key("2");
    desk.key("Enter");
    for _ in 0..6 {
        desk.key("ArrowRight");
    }
    desk.key("Enter");
    desk.until("studio.state.doc.gate_list.some((gate) => gate.source === 'manual')");
    desk.key("4");
    desk.key("Enter");
    desk.key("ArrowUp");
    desk.key("Enter");
    desk.until("studio.state.doc.undo === 2 && !studio.map.isFree([11, 23])");
    // Escape leaves the ground as it was.
    desk.key("ArrowUp");
    desk.key("ArrowUp");
    desk.key("Enter");
    assert!(desk.js::<bool>("!studio.map.isFree([11, 21])"));
    desk.key("Escape");
    assert!(desk.js::<bool>("studio.map.isFree([11, 21]) && studio.state.doc.undo === 2"));
    desk.close();
}
