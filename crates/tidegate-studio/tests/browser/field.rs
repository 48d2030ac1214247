//! The distance to the goal: its colours, contours and legend, and the way from the pointer.

use crate::desk::Desk;

const VIEW: &str = "map=caves-256&layers=field&theme=dark";
/// A tile by its distance in tiles from the goal that is on no contour, and its colour.
const SAMPLE: &str = "(() => { const { field: f, doc: { width }, tiles } = studio.state;
  const level = (i) => Math.floor(f.values[i] * f.tiles / f.spacing);
  const near = (i) => [-width, -1, 1, width].map((by) => i + by);
  const plain = [...f.values.keys()].filter((i) => i % width > 2 && i % width < width - 3 && near(i).every((n) => tiles[n] && level(n) === level(i)) && tiles[i]);
  plain.sort((a, b) => f.values[a] - f.values[b]);
  return [0.25, 0.5, 0.75, 0.99].map((part) => plain[Math.floor(plain.length * part)])
    .map((i) => [[i % width, Math.floor(i / width)], f.values[i] * f.tiles / f.most]); })()";

fn alike(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(&a, b)| a.abs_diff(b) <= 4)
}

#[test]
fn every_tile_has_the_colour_of_its_distance() {
    let Some(desk) = Desk::with((1280, 720), Vec::new(), VIEW) else { return };
    desk.until("studio.state.field");
    let mut seen = Vec::new();
    for (tile, part) in desk.js::<Vec<((u32, u32), f64)>>(SAMPLE) {
        desk.run(&format!("studio.camera.look({} + 0.5, {} + 0.5, 12)", tile.0, tile.1));
        let colour = desk.pixel(0, tile);
        let wanted: [u8; 3] = desk.js(&format!("studio.palette.far({part})"));
        assert!(alike(colour, wanted), "{tile:?} at {part}: {colour:?}, not {wanted:?}");
        seen.push(colour.map(u32::from).iter().sum::<u32>());
    }
    assert!(seen.is_sorted_by(|a, b| a > b), "farther is darker: {seen:?}");
    let legend: String = desk.js("document.querySelector('#legend').textContent");
    assert!(legend.contains("Goal to") && legend.contains("Every"), "{legend}");

    // Another goal, another field; without the layer there is none.
    let before: Vec<u32> = desk.js("studio.state.field.goal");
    desk.run("studio.set({ goal: studio.state.start })");
    desk.until(&format!(
        "String(studio.state.field.goal) === String(studio.state.start) && String(studio.state.field.goal) !== '{},{}'",
        before[0], before[1]
    ));
    desk.key("f");
    desk.until("studio.state.field === null");
    desk.close();
}

#[test]
fn the_pointer_shows_the_way_and_its_length() {
    let Some(desk) = Desk::with((1280, 720), Vec::new(), VIEW) else { return };
    desk.until("studio.state.field");
    // From the start it is as far as the engines say.
    let (way, length): (f64, f64) = desk
        .js("[studio.field.wayFrom(studio.state.start).length, studio.state.results[0].length]");
    assert!((way - length).abs() < 1e-6, "{way}, not {length}");
    let start: (u32, u32) = desk.js("studio.state.start");
    desk.run(&format!("studio.camera.look({} + 0.5, {} + 0.5, 12)", start.0, start.1));
    let middle: (u32, u32) = desk.js("studio.field.wayFrom(studio.state.start).tiles[6]");
    let plain = desk.pixel(0, middle);
    desk.run("studio.set({ hover: studio.state.start })");
    let text: String = desk.js("document.querySelector('#tile').textContent");
    assert!(text.contains(&format!("to the goal {length:.2}")), "{text}");
    assert_ne!(desk.pixel(0, middle), plain, "the way is drawn");
    desk.close();
}

#[test]
fn ground_without_a_way_is_hatched() {
    let Some(desk) = Desk::with((1280, 720), Vec::new(), VIEW) else { return };
    desk.until("studio.state.field");
    // A wall all around a free place.
    let (x, y): (u32, u32) =
        desk.js("[...studio.state.doc.zones].sort((a, b) => b.altitude - a.altitude).map((z) => z.deepest)
                 .find(([x, y]) => [studio.state.start, studio.state.goal].every((t) => Math.hypot(t[0] - x, t[1] - y) > 12))");
    desk.run(&format!(
        "const tiles = []; for (let i = -4; i <= 4; i++) tiles.push([{x} + i, {y} - 4], [{x} + i, {y} + 4], [{x} - 4, {y} + i], [{x} + 4, {y} + i]);
         await studio.edit.change('paint', {{ tiles, free: false }})"
    ));
    desk.until("/No way to the goal/.test(document.querySelector('#legend').textContent)");
    desk.run(&format!("studio.camera.look({x} + 0.5, {y} + 0.5, 20)"));
    let shades: std::collections::BTreeSet<[u8; 3]> =
        (0..6).map(|i| desk.pixel(0, (x - 3 + i, y + 2))).collect();
    let wanted: Vec<[u8; 3]> = desk.js("[0, 1].map((n) => studio.palette.cutOff('dark', n))");
    assert_eq!(shades, wanted.into_iter().collect());
    desk.run(&format!("studio.set({{ hover: [{x}, {y}] }})"));
    let text: String = desk.js("document.querySelector('#tile').textContent");
    assert!(text.contains("no way to the goal"), "{text}");
    desk.close();
}
