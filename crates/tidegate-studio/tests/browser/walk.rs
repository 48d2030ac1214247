//! The walk at any angle: its switch, its lines, its length, after a stroke of the brush too.

use crate::desk::Desk;

const VIEW: &str = "map=rts-256&engines=astar+jps&layers=path&theme=dark";
const FOUND: &str = "studio.state.results.every((r) => r?.status === 'found')";

#[test]
fn the_switch_draws_the_walk_and_tells_its_length() {
    let Some(desk) = Desk::with((1280, 720), Vec::new(), VIEW) else { return };
    desk.until(FOUND);
    assert!(desk.js::<bool>("studio.state.walk === null"));
    desk.run("document.querySelector('#any-angle').click()");
    desk.until("studio.state.walk?.status === 'found'");
    let (walk, path): (f64, f64) =
        desk.js("[studio.state.walk.length, studio.state.results[0].length]");
    assert!(walk < path, "{walk} against {path}");
    let note = || desk.js::<String>("document.querySelector('#any-angle-note').textContent");
    assert!(
        note().contains(&format!("{walk:.2} tiles")) && note().contains("% shorter"),
        "{}",
        note()
    );
    let legend: String = desk.js("document.querySelector('#legend').textContent");
    assert!(legend.contains("Walk at any angle"), "{legend}");
    // A bend is drawn as a dot.
    let (x, y): (f64, f64) = desk.js("studio.state.walk.points[1]");
    desk.run(&format!("studio.camera.look({x}, {y}, 40)"));
    desk.settle();
    let (seen, wanted): ([u8; 3], [u8; 3]) = desk.js(&format!(
        "(() => {{ const pane = studio.panes[0], [left, top] = studio.camera.origin(pane.width, pane.height);
           const at = (v, from) => Math.round((from + v * studio.camera.scale) * pane.dense);
           const {{ data }} = pane.context.getImageData(at({x}, left), at({y}, top), 1, 1);
           return [[...data].slice(0, 3), studio.palette.parse(studio.palette.colours('dark').walk).slice(0, 3)]; }})()"
    ));
    assert_eq!(seen, wanted, "the bend at {x}, {y}");

    // A wall on the walk: it leads around at once.
    desk.run(
        "const { points: [a, b] } = studio.state.walk; const at = (p) => (a[p] + b[p]) / 2;
         await studio.edit.change('paint', { tiles: [[Math.floor(at(0)), Math.floor(at(1))]], free: false })",
    );
    desk.until(&format!("Math.abs(studio.state.walk.length - {walk}) > 1e-9"));
    assert!(desk.js::<f64>("studio.state.walk.length") > walk);
    desk.until("/any-angle=1/.test(location.hash)");
    desk.run("document.querySelector('#any-angle').click()");
    desk.until("studio.state.walk === null");
    assert_eq!(note(), "");
    desk.close();
}
