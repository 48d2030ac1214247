//! The pictures of `docs/studio.md`, taken again. Run with
//! `cargo test -p tidegate-studio --test browser -- --ignored pictures`.

use std::path::Path;

use crate::desk::Desk;

const SIZE: (u32, u32) = (1440, 900);

fn keep(desk: &Desk, name: &str) {
    desk.settle();
    desk.until("document.querySelector('#toast').hidden");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studio");
    std::fs::create_dir_all(&folder).expect("the folder");
    std::fs::write(folder.join(format!("{name}.png")), desk.picture()).expect("a picture");
}

#[test]
#[ignore = "writes docs/studio/*.png"]
fn pictures_of_the_views() {
    let Some(desk) = Desk::with(SIZE, Vec::new(), "theme=dark") else { return };
    keep(&desk, "first-load");

    desk.go("theme=light");
    keep(&desk, "first-load-light");

    desk.go("map=rts-512&theme=light&layers=zones+gates+numbers+graph");
    desk.key("i");
    desk.click("#regions tbody tr");
    desk.until("studio.state.outline");
    desk.key("0");
    keep(&desk, "decomposition");

    desk.go("map=rts-512&theme=dark");
    desk.run("const w = document.querySelector('#water'); w.value = 0; w.dispatchEvent(new Event('input'))");
    desk.until("studio.state.water !== null");
    desk.run("const w = document.querySelector('#water'); w.value = Math.round(w.max / 2); w.dispatchEvent(new Event('input'))");
    keep(&desk, "water");

    desk.go(
        "map=rts-512&theme=dark&engines=astar+gateway&compare=1&layers=zones+gates+search+path",
    );
    desk.until("studio.state.traces.every(Boolean)");
    keep(&desk, "side-by-side");

    desk.go("map=caves-256&theme=light&engines=astar+gateway&layers=zones+gates+search+path");
    desk.until("studio.state.traces[0]");
    desk.run("const s = document.querySelector('#scrub'); s.value = s.max * 0.55; s.dispatchEvent(new Event('input'))");
    keep(&desk, "mid-play");

    desk.go("map=rts-512&theme=dark&engines=hpa+astar&layers=hpa+path&view=330,230,3");
    keep_when_built(&desk, "hpa");
    desk.go("map=rts-512&theme=light&engines=maat+astar&layers=sectors+path");
    keep_when_built(&desk, "sectors");
    desk.close();
}

/// Every size in both themes, with and without panels, to be looked at: `target/pictures`. Two
/// of them are shown in `docs/studio.md`.
#[test]
#[ignore = "writes target/pictures/*.png and two of docs/studio"]
fn pictures_of_all_sizes() {
    let Some(desk) = Desk::open() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("target/pictures");
    std::fs::create_dir_all(&folder).expect("the folder");
    for (width, height) in [SIZE, (1024, 700), (390, 800)] {
        desk.resize((width, height));
        for theme in ["dark", "light"] {
            let take = |name: &str| {
                let file = format!("{width}x{height}-{theme}-{name}.png");
                desk.settle();
                std::fs::write(folder.join(file), desk.picture()).expect("a picture");
            };
            desk.go(&format!("theme={theme}&map=rts-512"));
            take("first");
            let button = if width < 720 { "sheet" } else { "tab" };
            for tab in ["paths", "problems", "regions", "effect"] {
                desk.click(&format!("[data-{button}=\"{tab}\"]"));
                if tab == "problems" {
                    desk.until("document.querySelectorAll('#problems tbody tr').length > 10");
                }
                take(tab);
            }
            if width < 720 {
                desk.click("[data-sheet=\"left\"]");
                take("layers");
            }
            desk.go(&format!("theme={theme}&map=rts-512&compare=1&layers=zones+gates+search+path"));
            desk.until("studio.state.traces.every(Boolean)");
            take("side-by-side");
        }
    }
    for (from, to) in [("1024x700-light-first", "small"), ("390x800-dark-paths", "phone")] {
        let docs = root.join(format!("docs/studio/{to}.png"));
        std::fs::copy(folder.join(format!("{from}.png")), docs).expect("a copy");
    }
    desk.close();
}

/// Overlays need tables; wait until they are drawn.
fn keep_when_built(desk: &Desk, name: &str) {
    desk.until("studio.state.results[0].status === 'found'");
    std::thread::sleep(std::time::Duration::from_secs(3));
    keep(desk, name);
}

/// The walk of `docs/studio.md`: the worst problem of a scenario is found, looked at, and mended
/// with a gate, by clicks and keys alone.
#[test]
#[ignore = "writes docs/studio/walk-*.png"]
fn pictures_of_the_walk() {
    let view = "map=caves-256&theme=light&engines=astar+gateway";
    let Some(desk) = Desk::with(SIZE, Vec::new(), view) else { return };
    desk.key("p");
    desk.until("document.querySelectorAll('#problems tbody tr').length > 10");
    desk.click("#judge");
    desk.until("/on average/.test(document.querySelector('#problems-note').textContent)");
    keep(&desk, "walk-1-problems");

    desk.click("#problems tbody tr");
    desk.until("studio.state.traces[0] && studio.state.results[0].engine === 'gateway'");
    desk.run("studio.camera.look(104, 96, 7)");
    desk.key("q");
    keep(&desk, "walk-2-why");
    let before: u64 = desk.js("studio.state.results[0].expanded");

    desk.key("2");
    desk.drag((122, 65), (125, 65));
    desk.until("studio.state.doc.undo === 1");
    desk.settle();
    desk.until(&format!("studio.state.results[0].expanded < {before}"));
    desk.key("1");
    keep(&desk, "walk-3-gate");
    let after: u64 = desk.js("studio.state.results[0].expanded");
    println!("expansions of the worst problem: {before} before, {after} after");

    desk.key("e");
    desk.until("/better/.test(document.querySelector('#effect-sums').textContent)");
    let sums: String = desk.js("document.querySelector('#effect-sums').innerText");
    println!("{sums}");
    keep(&desk, "walk-4-effect");
    desk.close();
}

/// The brush with what its strokes took, wide and narrow: `target/pictures`.
#[test]
#[ignore = "writes target/pictures/painting-*.png"]
fn pictures_of_painting() {
    let view = "map=rts-256&engines=gateway-consistent+corners";
    let Some(desk) = Desk::with((1400, 900), Vec::new(), view) else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/pictures");
    std::fs::create_dir_all(&folder).expect("the folder");
    for (size, theme) in [((1400, 900), "dark"), ((800, 600), "light")] {
        desk.resize(size);
        desk.go(&format!("{view}&theme={theme}"));
        let take = |name: &str| {
            desk.settle();
            let file = folder.join(format!("painting-{}x{}-{name}.png", size.0, size.1));
            std::fs::write(file, desk.picture()).expect("a picture");
        };
        desk.until("studio.state.results.every((r) => r?.status === 'found')");
        desk.key("4");
        take("0-brush");
        let gate: (u32, u32) =
            desk.js("studio.state.doc.gate_list.find((g) => g.width > 4 && g.middle.every((v) => v > 40 && v < 200)).middle");
        let wide = "studio.state.doc.zones.toSorted((a, b) => b.altitude - a.altitude)";
        let zone: (u32, u32) = desk.js(&format!("{wide}[1].deepest"));
        desk.click("[data-shape=line]");
        desk.drag((zone.0 - 4, zone.1), (zone.0 + 4, zone.1 + 3));
        desk.until("studio.state.doc.undo === 1 && !studio.state.painting");
        take("1-wall");
        desk.click("[data-shape=box]");
        desk.drag((gate.0 - 3, gate.1 - 3), (gate.0 + 3, gate.1 + 3));
        desk.until("studio.state.doc.undo === 2 && !studio.state.painting");
        take("2-gate");
        desk.until("!studio.state.doc.background.pending");
        take("3-built");
        desk.key("5");
        desk.click("[data-shape=free]");
        desk.key("]");
        desk.key("]");
        desk.drag((gate.0 - 12, gate.1 - 12), (gate.0 + 12, gate.1 + 12));
        desk.until("studio.state.doc.undo === 3 && !studio.state.painting");
        take("4-breach");
        desk.until("!studio.state.doc.background.pending");
        for _ in 0..3 {
            let before: u64 = desk.js("studio.state.doc.version");
            desk.key("Ctrl+z");
            desk.until(&format!("studio.state.doc.version > {before}"));
        }
        take("5-undone");
        desk.until("studio.state.doc.undo === 0");
    }
    desk.close();
}

/// The distance to the goal and danger, wide and narrow: `target/pictures`, and two of
/// `docs/studio`.
#[test]
#[ignore = "writes target/pictures/*.png and two of docs/studio"]
fn pictures_of_field_and_danger() {
    let Some(desk) = Desk::with(SIZE, Vec::new(), "") else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/pictures");
    std::fs::create_dir_all(&folder).expect("the folder");
    let danger = "danger=335,262,26,4;262,318,30,2;172,440,14,8";
    for (width, height) in [SIZE, (1280, 720), (400, 800)] {
        desk.resize((width, height));
        for theme in ["dark", "light"] {
            let take = |name: &str| {
                let file = format!("{name}-{width}x{height}-{theme}.png");
                std::fs::write(folder.join(file), desk.picture()).expect("a picture");
            };
            desk.go(&format!("theme={theme}&map=rts-512~3&layers=zones+gates+path"));
            take("unit");
            desk.go(&format!("theme={theme}&map=rts-512&layers=field+path"));
            desk.until("studio.state.field");
            desk.run("studio.set({ hover: studio.state.doc.zones[7].deepest })");
            take("field");
            if (width, theme) == (SIZE.0, "dark") {
                keep(&desk, "field");
            }
            let view = "map=rts-512&engines=auto+jps&layers=zones+path";
            desk.go(&format!("theme={theme}&{view}&{danger}"));
            desk.key("6");
            take("danger");
            if (width, theme) == (SIZE.0, "light") {
                keep(&desk, "danger");
            }
            desk.run("studio.set({ layers: { ...studio.state.layers, field: true } })");
            desk.until("studio.state.field");
            take("danger-field");
            if width < 720 {
                desk.click("[data-sheet=\"left\"]");
                take("danger-field-legend");
            }
        }
    }
    desk.close();
}
