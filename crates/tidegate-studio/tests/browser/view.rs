//! Themes, keys, links, exports, problems and what edits do to them.

use crate::desk::Desk;

#[test]
fn light_dark_keys_and_tabs() {
    let Some(desk) = Desk::open() else { return };
    let theme = "document.documentElement.dataset.theme";
    let before: String = desk.js(theme);
    let shade = desk.pixel(0, (2, 2));
    desk.key("t");
    assert_ne!(desk.js::<String>(theme), before);
    assert_ne!(desk.pixel(0, (2, 2)), shade, "walls have another colour");
    desk.key("Shift+?");
    assert!(desk.js::<bool>("document.querySelector('#keys').open"));
    desk.run("document.querySelector('#keys').close()");
    for (key, tab) in [("p", "problems"), ("i", "regions"), ("e", "effect"), ("q", "paths")] {
        desk.key(key);
        assert!(desk.js::<bool>(&format!("!document.querySelector('#{tab}').hidden")), "{tab}");
    }
    // Nothing sticks out of the smallest window.
    assert!(desk.js::<bool>("document.documentElement.scrollWidth <= 1280"));
    assert!(desk.js::<bool>("document.documentElement.scrollHeight <= 720"));
    desk.close();
}

#[test]
fn a_link_restores_the_view() {
    let Some(desk) = Desk::open() else { return };
    let view = "map=caves-256&view=100.5,90.25,5&layers=zones+path+search&engines=jps+astar&compare=1&theme=light";
    desk.go(view);
    desk.until("studio.state.traces.every(Boolean)");
    let looks = "[studio.state.doc.id, studio.camera.x, studio.camera.scale, studio.state.chosen.join(), studio.state.compare, studio.state.layers.gates, studio.state.layers.search]";
    let seen: serde_json::Value = desk.js(looks);
    assert_eq!(seen, serde_json::json!(["caves-256", 100.5, 5, "jps,astar", true, false, true]));
    // The address follows what is seen, and a reload brings the same back.
    desk.run("studio.camera.look(60, 61, 7)");
    desk.until("location.hash.includes('view=60.00,61.00,7.0000')");
    desk.reload();
    assert_eq!(desk.js::<(f64, f64)>("[studio.camera.x, studio.camera.scale]"), (60.0, 7.0));
    desk.close();
}

#[test]
fn pictures_and_data_are_exported() {
    let Some(desk) = Desk::open() else { return };
    for (kind, ending) in [("png", "rts-512.png"), ("svg", "rts-512.svg"), ("map", "rts-512.map")] {
        desk.click("#export");
        desk.click(&format!("[data-export=\"{kind}\"]"));
        let bytes = desk.download(ending);
        match kind {
            "png" => check_png(&bytes),
            "svg" => assert!(String::from_utf8_lossy(&bytes).contains("<svg")),
            _ => assert!(bytes.starts_with(b"type octile")),
        }
    }
    desk.click("#export");
    desk.click("[data-export=\"json\"]");
    let trace: serde_json::Value =
        serde_json::from_slice(&desk.download(".trace.json")).expect("a Posthoc trace");
    assert!(trace["events"].as_array().is_some_and(|events| events.len() > 100));
    desk.close();
}

/// Twice as fine as the window, and of many colours.
fn check_png(bytes: &[u8]) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("its pixels");
    assert!(info.width > 1200 && info.height > 1000, "{} x {}", info.width, info.height);
    let step = info.color_type.samples();
    let colours: std::collections::BTreeSet<&[u8]> = pixels.chunks(step).map(|p| &p[..3]).collect();
    assert!(colours.len() > 9, "zones, walls, gates and a path: {}", colours.len());
}

#[test]
fn problems_are_judged_and_the_worst_is_looked_at() {
    let Some(desk) = Desk::open() else { return };
    desk.choose("#documents", "caves-256");
    desk.until("studio.state.doc.id === 'caves-256' && studio.state.results.every(Boolean)");
    desk.key("p");
    desk.until("document.querySelectorAll('#problems tbody tr').length > 10");
    desk.choose("#judge-engine", "gateway");
    desk.click("#judge");
    desk.until("/on average/.test(document.querySelector('#problems-note').textContent)");
    let cell = |row: usize| {
        format!(
            "Number(document.querySelectorAll('#problems tbody tr')[{row}].children[3].textContent)"
        )
    };
    let worst: f64 = desk.js(&cell(0));
    assert!(worst >= desk.js::<f64>(&cell(5)), "the worst comes first");
    let before: String = desk.js("String(studio.state.start)");
    desk.click("#problems tbody tr");
    desk.until(&format!("String(studio.state.start) !== '{before}' && studio.state.traces[0]"));

    // An edit is measured by itself.
    desk.run("await studio.edit.change('split_zone', { zone: [...studio.state.doc.zones].sort((a, b) => b.area - a.area)[0].id })");
    desk.key("e");
    desk.until("/better/.test(document.querySelector('#effect-sums').textContent)");
    assert!(desk.js::<bool>("document.querySelectorAll('#effect tbody tr').length > 10"));
    desk.close();
}

#[test]
fn zones_and_gates_tell_their_numbers() {
    let Some(desk) = Desk::open() else { return };
    desk.key("i");
    desk.click("#regions tbody tr");
    desk.until("/Zone \\d+/.test(document.querySelector('#region-card').textContent)");
    let area: String = desk.js("document.querySelector('#region-card').textContent");
    assert!(area.contains("Neighbours") && area.contains("Deepest tile"), "{area}");
    desk.click("#list-gates");
    desk.click("#regions .scroll:not([hidden]) tbody tr");
    desk.until("/Gate \\d+/.test(document.querySelector('#region-card').textContent)");
    desk.close();
}

#[test]
fn overlays_of_hpa_and_sectors_show() {
    let Some(desk) = Desk::open() else { return };
    desk.run("studio.set({ layers: { ...studio.state.layers, gates: false, numbers: false, path: false } })");
    let plain = desk.js::<Vec<u8>>(SAMPLE);
    for layer in ["hpa", "sectors", "graph", "depth"] {
        desk.click(&format!("#layer-{layer}"));
        desk.until(&format!("(() => {{ const now = {SAMPLE}; const old = [{}]; return now.some((v, i) => Math.abs(v - old[i]) > 24); }})()",
            plain.iter().map(u8::to_string).collect::<Vec<_>>().join(",")));
        desk.click(&format!("#layer-{layer}"));
        desk.settle();
    }
    desk.close();
}

/// A few thousand pixels of the canvas.
const SAMPLE: &str = "(() => { const { context: c, canvas } = studio.panes[0];
    const all = c.getImageData(0, 0, canvas.width, canvas.height).data;
    return Array.from({ length: 4000 }, (_, i) => all[i * 4 * Math.floor(all.length / 16000)]); })()";
