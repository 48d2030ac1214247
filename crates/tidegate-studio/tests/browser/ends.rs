//! Start and goal typed as coordinates, walls that are clicked, and the brush.

use crate::desk::Desk;

/// A wall with walls all around it.
const WALL: &str = "(() => { const { tiles, doc: { width, height } } = studio.state;
    for (let y = 8; y < height - 8; y++) for (let x = 8; x < width - 8; x++) {
      let free = false;
      for (let dy = -6; dy <= 6; dy++) for (let dx = -6; dx <= 6; dx++) free ||= tiles[(y + dy) * width + x + dx];
      if (!free) return [x, y];
    } })()";

fn type_in(desk: &Desk, field: &str, text: &str) {
    desk.run(&format!("document.querySelector('{field}').select()"));
    desk.type_text(text);
    desk.key("Enter");
}

fn note(desk: &Desk) -> String {
    desk.js("document.querySelector('#ends-note').textContent")
}

#[test]
fn coordinates_are_typed() {
    let Some(desk) = Desk::open() else { return };
    let zones: Vec<(u32, u32)> =
        desk.js("studio.state.doc.zones.slice(3, 5).map((z) => z.deepest)");
    let (from, to) = (zones[0], zones[1]);
    type_in(&desk, "#start-tile", &format!("{}, {}", from.0, from.1));
    type_in(&desk, "#goal-tile", &format!("{} {}", to.0, to.1));
    desk.until(&format!(
        "String(studio.state.results[0].path?.[0]) === '{},{}' && String(studio.state.results[0].path.at(-1)) === '{},{}'",
        from.0, from.1, to.0, to.1
    ));
    assert_eq!(note(&desk), "");
    let values =
        "[document.querySelector('#start-tile').value, document.querySelector('#goal-tile').value]";
    assert_eq!(
        desk.js::<[String; 2]>(values),
        [format!("{}, {}", from.0, from.1), format!("{}, {}", to.0, to.1)]
    );
    // The fields follow the pins.
    desk.key("Escape");
    desk.run("document.activeElement.blur()");
    desk.key("w");
    assert_eq!(
        desk.js::<[String; 2]>(values),
        [format!("{}, {}", to.0, to.1), format!("{}, {}", from.0, from.1)]
    );
    desk.close();
}

#[test]
fn coordinates_that_cannot_be_say_why() {
    let Some(desk) = Desk::open() else { return };
    let before: (u32, u32) = desk.js("studio.state.goal");
    let wall: (u32, u32) = desk.js(WALL);
    let cases = [
        ("600, 10".to_owned(), "600, 10 is outside the map: it goes from 0, 0 to 511, 511."),
        ("-1, 10".to_owned(), "-1, 10 is outside the map"),
        (format!("{}, {}", wall.0, wall.1), "is a wall. The nearest free tile is "),
        ("here".to_owned(), "Two whole numbers"),
        ("1, 2, 3".to_owned(), "Two whole numbers"),
        ("1.5, 2".to_owned(), "Two whole numbers"),
        (String::new(), "Two whole numbers"),
    ];
    for (typed, wanted) in cases {
        if typed.is_empty() {
            desk.run("const i = document.querySelector('#goal-tile'); i.value = ''; i.dispatchEvent(new Event('change'))");
        } else {
            type_in(&desk, "#goal-tile", &typed);
        }
        assert!(note(&desk).contains(wanted), "{typed}: {}", note(&desk));
        assert!(
            desk.js::<bool>("document.querySelector('#goal-tile').matches('[aria-invalid=true]')")
        );
        assert_eq!(desk.js::<(u32, u32)>("studio.state.goal"), before, "{typed}");
    }
    // What is offered instead can be taken, and is free.
    type_in(&desk, "#goal-tile", &format!("{}, {}", wall.0, wall.1));
    desk.click("#ends-note button");
    assert!(desk.js::<bool>("studio.map.isFree(studio.state.goal)"));
    let nearest: bool = desk.js(&format!(
        "(() => {{ const far = ([x, y]) => (x - {0}) ** 2 + (y - {1}) ** 2; const {{ tiles, doc: {{ width }} }} = studio.state;
           let least = Infinity; tiles.forEach((free, i) => {{ if (free) least = Math.min(least, far([i % width, Math.floor(i / width)])); }});
           return far(studio.state.goal) === least; }})()",
        wall.0, wall.1
    ));
    assert!(nearest, "no free tile is nearer");
    assert_eq!(note(&desk), "");
    desk.close();
}

#[test]
fn clicking_a_wall_says_something() {
    let Some(desk) = Desk::open() else { return };
    let before: (u32, u32) = desk.js("studio.state.goal");
    let wall: (u32, u32) = desk.js(WALL);
    let said = |word: &str| {
        desk.until(&format!("/{word}/.test(document.querySelector('#toast').textContent) && !document.querySelector('#toast').hidden"));
        desk.run("studio.set({ message: null })");
    };
    desk.click_tile(wall);
    said("is a wall. The nearest free tile is \\d+, \\d+");
    assert_eq!(desk.js::<(u32, u32)>("studio.state.goal"), before);
    desk.drag(before, wall);
    said("A pin needs free ground: the goal stays at");
    desk.key("3");
    desk.click_tile(wall);
    said("Click inside a zone");
    desk.key("1");
    desk.key("i");
    desk.click_tile(wall);
    said("belongs to no zone");
    desk.close();
}

#[test]
fn the_brush_shows_where_it_paints_and_how_large_it_is() {
    let Some(desk) = Desk::open() else { return };
    let tile: (u32, u32) =
        desk.js("studio.state.doc.zones.toSorted((a, b) => b.altitude - a.altitude)[0].deepest");
    desk.run(&format!("studio.camera.look({} + 0.5, {} + 0.5, 12)", tile.0, tile.1));
    let edge = (tile.0 + 8, tile.1);
    let hidden = "document.querySelector('#brush').hidden";
    assert!(desk.js::<bool>(hidden), "no brush without its tool");
    desk.key("4");
    assert!(!desk.js::<bool>(hidden));
    let size = || desk.js::<String>("document.querySelector('#brush-size').textContent");
    assert_eq!(size(), "1 × 1");
    desk.click("#brush-more");
    desk.key("]");
    desk.key("]");
    assert_eq!(size(), "7 × 7");
    desk.key("[");
    assert_eq!(size(), "5 × 5");
    // The outline is where the brush would paint: two tiles and a half from its middle.
    let rim = "(() => { const pane = studio.panes[0]; const { scale } = studio.camera; const c = pane.width / 2, m = pane.height / 2;
        return [...pane.context.getImageData(Math.round((c - 2.5 * scale) * pane.dense), Math.round(m * pane.dense), 1, 1).data].slice(0, 3); })()";
    desk.run(&format!("studio.set({{ hover: [{}, {}] }})", edge.0, edge.1));
    desk.settle();
    let without: [u8; 3] = desk.js(rim);
    desk.run(&format!("studio.set({{ hover: [{}, {}] }})", tile.0, tile.1));
    desk.settle();
    assert_ne!(desk.js::<[u8; 3]>(rim), without, "the outline is on the canvas");
    desk.click_tile(tile);
    desk.until("studio.state.doc.undo === 1");
    let painted: bool = desk.js(&format!(
        "(() => {{ const at = (dx, dy) => studio.map.isFree([{0} + dx, {1} + dy]);
           return !at(2, 2) && !at(-2, -2) && at(3, 0) && at(0, -3); }})()",
        tile.0, tile.1
    ));
    assert!(painted, "five by five tiles, as shown");
    desk.close();
}
