//! The page without a server, as `tools/build-web site` made it: the folder that `TIDEGATE_SITE` names, from a plain web
//! host and from the folder itself. Without that variable the tests say that they are skipped.

use std::path::PathBuf;

use crate::desk::Desk;

/// A desktop, a small window, a phone.
const SIZES: [(u32, u32); 3] = [(1280, 800), (800, 600), (400, 800)];

fn site() -> Option<PathBuf> {
    let folder = std::env::var_os("TIDEGATE_SITE").map(PathBuf::from);
    if folder.is_none() {
        println!(
            "skipped: TIDEGATE_SITE names no folder (tools/test-web builds the page and runs this)"
        );
    }
    folder
}

/// A room with a wall across it that leaves a way at the top.
const MAP: &str = "type octile\nheight 9\nwidth 13\nmap\n\
.............\n......@......\n......@......\n......@......\n......@......\n\
......@......\n......@......\n......@......\n......@......\n";

/// Drops a file on the page, as a person would from a folder.
fn drop_file(desk: &Desk, name: &str, text: &str) {
    desk.run(&format!(
        "const data = new DataTransfer();
         data.items.add(new File([{text:?}], '{name}'));
         for (const kind of ['dragenter', 'dragover', 'drop']) {{
           document.body.dispatchEvent(new DragEvent(kind, {{ dataTransfer: data, bubbles: true, cancelable: true }}));
         }}"
    ));
    let stem = name.split('.').next().expect("a name");
    desk.until(&format!("studio.state.doc.id === '{stem}'"));
    desk.settle();
}

/// Waits until both engines have found a way between the pins as they are now.
fn found(desk: &Desk) {
    desk.until(
        "studio.state.results.every((r) => r?.status === 'found'
           && r.path[0].join() === studio.state.start.join()
           && r.path.at(-1).join() === studio.state.goal.join())",
    );
}

/// Everything that a visitor does first, in one window.
fn visit(desk: &Desk, size: (u32, u32)) {
    // A good map with regions, two pins and a path, at once.
    assert_eq!(desk.js::<String>("studio.state.doc.id"), "rts-512");
    assert!(desk.js::<usize>("studio.state.doc.zones.length") > 10);
    assert!(desk.js::<bool>("studio.state.results.every((r) => r.status === 'found')"));
    assert_eq!(desk.js::<Vec<String>>("studio.state.chosen"), ["astar", "corners"]);
    let lengths: Vec<f64> = desk.js("studio.state.results.map((r) => r.length)");
    assert_eq!(lengths[0], lengths[1]);
    let link: String = desk.js("document.querySelector('#about').getAttribute('href')");
    assert!(!link.is_empty());

    drop_file(desk, "room.map", MAP);
    desk.run("studio.set({ start: [1, 8], goal: [11, 8] })");
    found(desk);
    let far: f64 = desk.js("studio.state.results[0].length");
    let (floor, wall) = (desk.pixel(0, (2, 4)), desk.pixel(0, (6, 4)));
    assert_ne!(floor, wall, "a wall looks like the floor");

    // The pin is dragged to the other side of the wall.
    if size.0 < 720 {
        let (from, to) = (desk.place((11, 8)), desk.place((3, 2)));
        desk.fingers("touchStart", &[from]);
        desk.fingers("touchMove", &[((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0)]);
        desk.fingers("touchMove", &[to]);
        desk.fingers("touchEnd", &[]);
    } else {
        desk.drag((11, 8), (3, 2));
    }
    desk.until("studio.state.goal.join() === '3,2'");
    found(desk);
    assert!(desk.js::<f64>("studio.state.results[0].length") < far);

    // A wall is painted across the way, and the path follows.
    desk.run("studio.set({ goal: [11, 8] })");
    found(desk);
    desk.key("4");
    desk.click_tile((6, 0));
    desk.until("studio.state.doc.version === 2");
    desk.until("studio.state.results.every((r) => r?.status === 'unreachable')");
    assert_eq!(desk.pixel(0, (6, 0)), desk.pixel(0, (6, 4)), "the wall is not drawn");
    desk.key("Ctrl+z");
    desk.until("studio.state.doc.version === 3");
    found(desk);
    let again: Vec<f64> = desk.js("studio.state.results.map((r) => r.length)");
    assert_eq!(again, [far; 2]);
    desk.key("1");
}

#[test]
fn from_a_web_host_at_three_sizes() {
    let Some(folder) = site() else { return };
    let Some(desk) = Desk::with_site(&folder, SIZES[0]) else { return };
    for size in SIZES {
        desk.resize(size);
        desk.go("");
        visit(&desk, size);
    }
    // Nothing came from anywhere else.
    let foreign: Vec<String> = desk.js(
        "performance.getEntriesByType('resource').map((e) => e.name).filter((name) => !name.startsWith(location.origin) && !name.startsWith('blob:'))",
    );
    assert!(foreign.is_empty(), "{foreign:?}");
    desk.close();
}

#[test]
fn from_a_folder() {
    let Some(folder) = site() else { return };
    let Some(mut desk) = Desk::with_site(&folder, SIZES[0]) else { return };
    let file = folder.join("index.html").canonicalize().expect("the page");
    desk.visit(format!("file://{}#", file.display()));
    visit(&desk, SIZES[0]);
    desk.close();
}

#[test]
fn what_has_no_server_still_works() {
    let Some(folder) = site() else { return };
    let Some(desk) = Desk::with_site(&folder, SIZES[0]) else { return };
    // A job: its tables are built when nobody asks.
    desk.go("map=rooms-200x150&engines=labels+jps");
    desk.until("studio.state.results.every((r) => r.status === 'found')");
    let lengths: Vec<f64> = desk.js("studio.state.results.map((r) => r.length)");
    assert_eq!(lengths[0], lengths[1]);
    // Times make sense though the browser's clock is coarse.
    let micros: Vec<f64> = desk.js("studio.state.results.map((r) => r.micros)");
    assert!(micros.iter().all(|&micros| micros > 0.0), "{micros:?}");
    // The water, a search step by step, a picture, and saving as a download.
    desk.run("await studio.map.needLakes()");
    assert!(desk.js::<usize>("studio.state.lakes.births.length") > 0);
    desk.go("map=rooms-200x150&engines=astar+jps&layers=zones+gates+search+path");
    desk.until("studio.state.traces[0]");
    let free: (u32, u32) = desk.js("studio.map.nearestFree([60, 60])");
    desk.key("4");
    desk.click_tile(free);
    desk.until("studio.state.doc.version === 2");
    desk.key("Ctrl+s");
    assert!(desk.download("zones.json").starts_with(b"{"));
    assert!(desk.download(".map").starts_with(b"type octile"));
    // Tables that an edit left behind are built again.
    desk.until("!studio.state.doc.background.pending");
    // A file that is none is refused in words, and the page goes on.
    desk.run(
        "const data = new DataTransfer(); data.items.add(new File(['nonsense'], 'bad.map'));
         document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));",
    );
    desk.until("/bad.map/.test(document.querySelector('#toast').textContent)");
    desk.close();
}

/// Pictures to be looked at, in `target/pictures`; the first is shown in the documents.
#[test]
#[ignore = "writes target/pictures/site-*.png"]
fn pictures_of_the_site() {
    let Some(folder) = site() else { return };
    let Some(desk) = Desk::with_site(&folder, SIZES[0]) else { return };
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = root.join("target/pictures");
    std::fs::create_dir_all(&out).expect("the folder");
    for theme in ["dark", "light"] {
        for (width, height) in SIZES {
            desk.resize((width, height));
            desk.go(&format!("theme={theme}"));
            let file = out.join(format!("site-{width}x{height}-{theme}.png"));
            std::fs::write(file, desk.picture()).expect("a picture");
        }
    }
    desk.close();
}
