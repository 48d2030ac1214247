//! Units of more than one tile: another map, the same view.

use crate::desk::Desk;

const VIEW: &str = "map=rts-256&engines=astar+jps&layers=zones+path&theme=dark";
const FOUND: &str = "studio.state.results.every((r) => r?.status === 'found')";

#[test]
fn a_larger_unit_goes_where_it_fits() {
    let Some(desk) = Desk::with((1280, 720), Vec::new(), VIEW) else { return };
    desk.until(FOUND);
    let cost: u64 = desk.js("studio.state.results[0].cost");
    desk.choose("#unit", "2");
    desk.until(&format!("studio.state.doc.unit === 2 && {FOUND}"));
    assert_eq!(desk.js::<String>("document.querySelector('#documents').value"), "rts-256");
    assert!(desk.js::<u64>("studio.state.results[0].cost") >= cost);
    // The unit's four tiles are free all along the path.
    assert!(desk.js::<bool>(
        "studio.state.results[0].path.every(([x, y]) => [[0, 0], [1, 0], [0, 1], [1, 1]]
           .every(([a, b]) => studio.state.ground[(y + b) * studio.state.doc.width + x + a]))"
    ));
    // Where it does not fit is dim, neither ground nor wall.
    let tight: (u32, u32) =
        desk.js("(() => { const { tiles, ground, doc: { width } } = studio.state;
           const i = tiles.findIndex((free, i) => !free && ground[i] && i > width * 60);
           return [i % width, Math.floor(i / width)]; })()");
    desk.run(&format!("studio.camera.look({} + 0.5, {} + 0.5, 14)", tight.0, tight.1));
    let wanted: [u8; 3] = desk.js("studio.palette.tight('dark').slice(0, 3)");
    assert_eq!(desk.pixel(0, tight), wanted);
    desk.run(&format!("studio.set({{ hover: [{}, {}] }})", tight.0, tight.1));
    let text: String = desk.js("document.querySelector('#tile').textContent");
    assert!(text.contains("too narrow for 2 × 2"), "{text}");
    desk.click_tile(tight);
    desk.until("/does not fit/.test(document.querySelector('#toast').textContent)");

    // It is looked at, not changed; a reload keeps the size.
    desk.key("4");
    assert_eq!(desk.js::<String>("studio.state.tool"), "path");
    assert!(desk.js::<bool>("document.querySelector('[data-tool=wall]').disabled"));
    // The address follows a moment later.
    desk.until("/rts-256(~|%7E)2&/.test(location.hash)");
    desk.settle();
    desk.reload();
    desk.until(&format!("studio.state.doc.unit === 2 && {FOUND}"));

    desk.key("f");
    desk.until("studio.state.field");
    let same: bool = desk.js(
        "Math.abs(studio.field.wayFrom(studio.state.start).length - studio.state.results[0].length) < 1e-6",
    );
    assert!(same, "the field is that of the unit");
    desk.choose("#unit", "1");
    desk.until("studio.state.doc.unit === 1 && studio.state.ground === null");
    assert!(desk.js::<bool>("!document.querySelector('[data-tool=wall]').disabled"));
    desk.close();
}
