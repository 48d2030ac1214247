//! The danger brush: discs that paths and the distance to the goal go by.

use crate::desk::Desk;

const VIEW: &str = "map=caves-256&engines=astar+jps&layers=zones+path&theme=dark";
const FOUND: &str = "studio.state.results[0]?.status === 'found'";

/// The answers are for the danger that there is.
fn answered(desk: &Desk) {
    desk.settle();
    desk.until("studio.state.results[0]?.costs === studio.state.danger");
    desk.settle();
}

#[test]
fn the_path_goes_around_danger_that_fades() {
    let Some(desk) = Desk::with((1280, 720), Vec::new(), VIEW) else { return };
    desk.until(FOUND);
    let (cost, path): (u64, Vec<(u32, u32)>) =
        desk.js("[studio.state.results[0].cost, studio.state.results[0].path]");
    let middle = path[path.len() / 2];
    desk.run(&format!("studio.camera.look({} + 0.5, {} + 0.5, 10)", middle.0, middle.1));
    let beside: (u32, u32) = (middle.0 + 2, middle.1 + 1);
    let plain = desk.pixel(0, beside);
    desk.key("6");
    assert!(desk.js::<bool>("!document.querySelector('#danger').hidden"));
    desk.click("#danger-stronger");
    desk.key("[");
    desk.click_tile(middle);
    desk.until("studio.state.danger.length === 1");
    assert_eq!(
        desk.js::<Vec<f64>>("studio.state.danger[0]"),
        [f64::from(middle.0), f64::from(middle.1), 7.0, 8.0]
    );
    answered(&desk);
    assert!(desk.js::<u64>("studio.state.results[0].cost") > cost, "danger costs");
    assert_ne!(desk.pixel(0, beside), plain, "danger is drawn");
    // An engine that cannot go by costs says so.
    desk.until("/jps cannot go by danger/.test(document.querySelector('#card-1').textContent)");
    let legend: String = desk.js("document.querySelector('#legend').textContent");
    assert!(legend.contains("Danger"), "{legend}");

    // The field goes by it too: from the start it costs what the path costs.
    desk.key("f");
    desk.until("studio.state.field");
    let (field, path): (f64, f64) = desk
        .js("[studio.field.wayFrom(studio.state.start).cost, studio.state.results[0].cost / 5741]");
    assert!(field <= path && path - field <= 0.11, "{field}, not {path}");

    // A reload keeps it: it stands in the address.
    desk.until("location.hash.includes('danger=')");
    desk.reload();
    desk.until(&format!("studio.state.danger.length === 1 && {FOUND}"));
    assert!(desk.js::<u64>("studio.state.results[0].cost") > cost);

    desk.key("6");
    let strengths = "studio.state.danger.map((disc) => disc[3])";
    desk.click("#danger-fade");
    assert_eq!(desk.js::<Vec<f64>>(strengths), [4.0]);
    desk.click("#danger-clear");
    answered(&desk);
    assert_eq!(desk.js::<u64>("studio.state.results[0].cost"), cost, "as it was");
    desk.until("studio.state.results[1].status === 'found'");
    assert!(desk.js::<bool>("document.querySelector('#danger-clear').disabled"));
    desk.close();
}

#[test]
fn danger_by_keyboard_and_taken_away() {
    let Some(desk) = Desk::with((1280, 720), Vec::new(), VIEW) else { return };
    desk.key("6");
    desk.tab_to(".pane canvas");
    desk.key("Enter");
    desk.until("studio.state.danger.length === 1");
    let spoken: String = desk.js("document.querySelector('#spoken').textContent");
    assert!(spoken.contains("danger added, 1 in all"), "{spoken}");
    desk.key("Shift+Enter");
    desk.until("studio.state.danger.length === 0");
    // Another map has none of it.
    desk.key("Enter");
    desk.choose("#documents", "harbour");
    desk.until("studio.state.doc.id === 'harbour' && studio.state.danger.length === 0");
    desk.close();
}
