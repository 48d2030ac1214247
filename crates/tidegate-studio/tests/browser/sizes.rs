//! The page in windows of all sizes: nothing out of reach from 1024 x 700 on, and on a phone
//! the map with one panel at a time.

use tidegate::grid::TileMap;
use tidegate::{Index, Movement};
use tidegate_studio::Opened;

use crate::desk::Desk;

const SMALLEST: (u32, u32) = (1024, 700);
const PHONE: (u32, u32) = (390, 800);

/// Controls that show and cannot be pressed: outside the window, or under something else.
/// Those of a panel that scrolls are scrolled to first.
const OUT_OF_REACH: &str =
    "[...document.querySelectorAll('button, select, summary, input:not([type=file])')]
    .filter((e) => e.offsetParent && !e.closest('tbody, .sheet'))
    .filter((e) => {
      e.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const box = e.getBoundingClientRect();
      const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return !at || !(e.contains(at) || at.contains(e) && at.matches('label'))
        || box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
    }).map((e) => e.id || e.title || e.textContent)";

/// Entries of the open menu that stick out of the window.
const MENU: &str = "[...document.querySelectorAll('.sheet button')].filter((e) => {
      const box = e.getBoundingClientRect();
      return !e.offsetParent || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight;
    }).map((e) => e.textContent)";

fn all_in_reach(desk: &Desk, when: &str) {
    desk.settle();
    assert_eq!(desk.js::<Vec<String>>(OUT_OF_REACH), Vec::<String>::new(), "{when}");
    let (wide, high): (u32, u32) =
        desk.js("[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]");
    assert_eq!((wide, high), (0, 0), "{when}: the page sticks out of the window");
}

fn pane_width(desk: &Desk) -> f64 {
    desk.settle();
    desk.js("studio.panes[0].width")
}

#[test]
fn nothing_is_out_of_reach_from_1024_by_700_on() {
    let Some(desk) = Desk::with(SMALLEST, Vec::new(), "") else { return };
    for size in [SMALLEST, (1100, 700), (1280, 720), (1440, 900)] {
        desk.resize(size);
        for tab in ["paths", "problems", "regions", "effect"] {
            desk.click(&format!("[data-tab=\"{tab}\"]"));
            all_in_reach(&desk, &format!("{size:?}, {tab}"));
        }
        desk.click("#export");
        assert_eq!(desk.js::<Vec<String>>(MENU), Vec::<String>::new(), "{size:?}");
        desk.key("Escape");
        assert!(desk.js::<bool>("document.querySelector('#export-menu').hidden"));
    }
    desk.close();
}

/// With the brush and what its last stroke took, down to windows of 800 x 600.
#[test]
fn the_brush_leaves_everything_in_reach() {
    let view = "map=rts-256&engines=gateway-consistent+corners";
    let Some(desk) = Desk::with((1440, 900), Vec::new(), view) else { return };
    desk.settle();
    desk.key("4");
    let gate: (u32, u32) = desk.js("studio.state.doc.gate_list[1].middle");
    desk.drag(gate, (gate.0 + 2, gate.1 + 2));
    desk.until("!document.querySelector('#edit-cost').hidden && !studio.state.painting");
    for size in [(1440, 900), SMALLEST, (800, 600)] {
        desk.resize(size);
        desk.settle();
        let stage =
            OUT_OF_REACH.replacen("document.query", "document.querySelector('#stage').query", 1);
        assert_eq!(desk.js::<Vec<String>>(&stage), Vec::<String>::new(), "{size:?}");
        let share: f64 = desk.js(
            "(() => { const area = (e) => { const box = e.getBoundingClientRect(); return box.width * box.height; };
              return area(document.querySelector('#brush')) / area(document.querySelector('#stage')); })()",
        );
        assert!(share < 0.2, "{size:?}: it covers {share} of the map");
    }
    desk.close();
}

#[test]
fn panels_fold_away_and_come_back() {
    let Some(desk) = Desk::with(SMALLEST, Vec::new(), "") else { return };
    let both = pane_width(&desk);
    assert!(both > 480.0, "room for the map between the panels: {both}");
    desk.click("#fold-left");
    let one = pane_width(&desk);
    desk.click("#fold-right");
    let none = pane_width(&desk);
    assert!(both < one && one < none && none == 1024.0, "{both}, {one}, {none}");
    all_in_reach(&desk, "both folded");
    // Whoever wants a tab gets its panel.
    desk.key("i");
    assert_eq!(pane_width(&desk), one);
    assert!(desk.js::<bool>("Boolean(document.querySelector('#regions').offsetParent)"));
    desk.key("\\");
    assert_eq!(pane_width(&desk), both);
    desk.close();
}

#[test]
fn a_phone_shows_the_map_and_one_panel_at_a_time() {
    let Some(desk) = Desk::with(PHONE, Vec::new(), "") else { return };
    let panels = "[...document.querySelectorAll('aside, [role=tabpanel]')].filter((e) => e.offsetParent).map((e) => e.id)";
    assert_eq!(desk.js::<Vec<String>>(panels), Vec::<String>::new(), "first the map");
    assert_eq!(pane_width(&desk), 390.0);
    all_in_reach(&desk, "no panel");
    for (sheet, shown) in [
        ("left", vec!["left"]),
        ("paths", vec!["right", "paths"]),
        ("problems", vec!["right", "problems"]),
        ("regions", vec!["right", "regions"]),
        ("effect", vec!["right", "effect"]),
    ] {
        desk.click(&format!("[data-sheet=\"{sheet}\"]"));
        assert_eq!(desk.js::<Vec<String>>(panels), shown);
        all_in_reach(&desk, sheet);
        let high: f64 = desk.js("studio.panes[0].height");
        assert!(high > 200.0, "the map is still to be seen: {high}");
    }
    // The same button again, or the cross, closes it.
    desk.click("[data-sheet=\"effect\"]");
    assert_eq!(desk.js::<Vec<String>>(panels), Vec::<String>::new());
    desk.click("[data-sheet=\"left\"]");
    desk.click("#left .shut");
    assert_eq!(desk.js::<Vec<String>>(panels), Vec::<String>::new());
    desk.close();
}

#[test]
fn fingers_pan_pinch_and_tap() {
    let Some(desk) = Desk::with(PHONE, Vec::new(), "") else { return };
    let camera =
        || desk.js::<(f64, f64, f64)>("[studio.camera.x, studio.camera.y, studio.camera.scale]");
    let goal = || desk.js::<(u32, u32)>("studio.state.goal");
    let (x, y, scale) = camera();
    let first = goal();
    let apart = |by: f64| [(170.0 - by, 300.0), (220.0 + by, 300.0)];
    desk.fingers("touchStart", &apart(0.0)[..1]);
    desk.fingers("touchStart", &apart(0.0));
    for step in 1..=10 {
        desk.fingers("touchMove", &apart(f64::from(step) * 10.0));
    }
    desk.fingers("touchEnd", &[]);
    let near = camera();
    assert!((near.2 / scale - 5.0).abs() < 0.3, "five times as near: {}", near.2 / scale);
    assert_eq!(goal(), first, "a pinch sets no goal");

    desk.fingers("touchStart", &[(200.0, 300.0)]);
    for step in 1..=10 {
        let by = f64::from(step) * 8.0;
        desk.fingers("touchMove", &[(200.0 - by, 300.0 - by)]);
    }
    desk.fingers("touchEnd", &[]);
    let panned = camera();
    assert!(panned.0 > near.0 && panned.1 > near.1 && panned.2 == near.2, "{near:?}, {panned:?}");
    assert_ne!((x, y), (panned.0, panned.1));
    assert_eq!(goal(), first, "nor does a drag");

    let tile: (u32, u32) =
        desk.js("studio.state.doc.zones.toSorted((a, b) => b.altitude - a.altitude)[0].deepest");
    desk.run(&format!("studio.camera.look({}, {}, 6)", tile.0, tile.1));
    desk.fingers("touchStart", &[desk.place(tile)]);
    desk.fingers("touchEnd", &[]);
    desk.until(&format!("String(studio.state.goal) === '{},{}'", tile.0, tile.1));
    desk.close();
}

/// A map of one's own, in text.
fn drawn(name: &str, text: &str) -> Opened {
    let map = TileMap::parse_text(text.as_bytes()).expect("a map");
    let index = Index::new(map.grid(Movement::default()));
    Opened { name: name.into(), folder: std::env::temp_dir(), index, problems: Vec::new() }
}

#[test]
fn the_legend_names_what_there_is_and_no_more() {
    let maps = vec![drawn("walls", "@@@@\n@@@@\n"), drawn("cut", ".@.\n.@.\n.@.\n")];
    let Some(desk) = Desk::with(SMALLEST, maps, "map=cut&from=0,0&to=2,0") else { return };
    let legend = || {
        desk.js::<Vec<String>>(
            "[...document.querySelectorAll('.legend-row')].map((r) => r.textContent)",
        )
    };
    assert_eq!(legend(), ["Wall", "Zones"], "no gate, no path");
    desk.choose("#documents", "walls");
    desk.until("studio.state.doc.id === 'walls'");
    assert_eq!(legend(), ["Wall"]);
    let words: String = desk.js("document.querySelector('#verdict').textContent");
    assert!(words.contains("all wall"), "{words}");
    desk.key("p");
    desk.until("/no problems yet/.test(document.querySelector('#problems-note').textContent)");
    assert!(desk.js::<bool>("document.querySelector('#judge').disabled"));
    // Every swatch and its words fit, also when all layers show.
    desk.choose("#documents", "rts-512");
    desk.until("studio.state.doc.id === 'rts-512'");
    for layer in ["graph", "search"] {
        desk.click(&format!("#layer-{layer}"));
    }
    for size in [(1440, 900), SMALLEST] {
        desk.resize(size);
        desk.settle();
        let overlap: bool = desk.js(
            "[...document.querySelectorAll('.legend-row')].some((row, i, all) =>
               row.scrollHeight > row.clientHeight || row.scrollWidth > row.clientWidth
               || (i > 0 && row.getBoundingClientRect().top < all[i - 1].getBoundingClientRect().bottom - 0.5))",
        );
        assert!(!overlap, "{size:?}");
    }
    assert!(legend().len() >= 8, "{:?}", legend());
    desk.close();
}

#[test]
fn without_its_token_the_page_says_what_it_needs() {
    let Some(desk) = Desk::open() else { return };
    for size in [(1440, 900), SMALLEST, PHONE] {
        desk.resize(size);
        desk.go_unknown();
        let words: String = desk.js("document.querySelector('#veil').textContent");
        assert!(words.contains("address") && words.contains("token"), "{words}");
        let idle: bool = desk.js(
            "[...document.querySelectorAll('button, select')].filter((e) => e.offsetParent).every((e) => e.closest('[inert]'))",
        );
        assert!(idle, "{size:?}: nothing to press that would do nothing");
    }
    desk.close();
}
