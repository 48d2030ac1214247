//! What the page costs on a map of 1024 x 1024 tiles, by the browser's own clocks. Run with
//! `cargo test -p tidegate-studio --test browser -- --ignored --nocapture measure`.

use std::fmt;

use serde::Deserialize;
use tidegate::generate::{self, Kind};
use tidegate::{Index, Movement};
use tidegate_studio::Opened;

use crate::desk::Desk;

/// What the browser's clocks said, in milliseconds.
#[derive(Deserialize)]
struct Frames {
    frames: u32,
    mean: f64,
    p95: f64,
    worst: f64,
    drawing: f64,
}

impl fmt::Display for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Frames { frames, mean, p95, worst, drawing } = self;
        write!(
            f,
            "{frames} frames, {mean:.1} ms apart ({p95:.1} for 95 %, worst {worst:.1}), \
             {drawing:.1} ms of each spent drawing"
        )
    }
}

/// Watches the times between frames while `moves` runs once a frame, `n` times.
fn watched(n: u32, moves: &str) -> String {
    format!(
        "new Promise((done) => {{
           const times = []; let last = 0, i = 0; const {{ frames }} = studio;
           Object.assign(frames, {{ drawn: 0, spent: 0, worst: 0 }});
           const tick = (now) => {{
             if (last) times.push(now - last);
             last = now;
             if (i++ < {n}) {{ {moves}; requestAnimationFrame(tick); return; }}
             times.sort((a, b) => a - b);
             const at = (part) => times[Math.floor((times.length - 1) * part)];
             done({{ frames: times.length, mean: times.reduce((a, b) => a + b, 0) / times.length,
               p95: at(0.95), worst: at(1), drawing: frames.spent / Math.max(frames.drawn, 1) }});
           }};
           requestAnimationFrame(tick);
         }})"
    )
}

#[test]
#[ignore = "a measurement: prints figures, asserts none"]
fn measure_a_large_map() {
    let map = generate::generate(Kind::Rts, 1024, 1024, 7).expect("a map");
    let index = Index::new(map.grid(Movement::default()));
    let folder = std::env::temp_dir();
    let opened = Opened { name: "rts-1024".into(), folder, index, problems: Vec::new() };
    let size = (1920, 1080);
    let Some(desk) = Desk::with(size, vec![opened], "") else { return };
    // Once more, with the map decomposed: the first time the server does it.
    for visit in ["first visit", "again"] {
        if visit == "again" {
            desk.go("");
        }
        let (picture, transferred, raw): (f64, u64, u64) = desk
            .js("[performance.getEntriesByName('picture')[0].startTime,
                  performance.getEntriesByType('resource').reduce((n, r) => n + r.transferSize, 0),
                  performance.getEntriesByType('resource').reduce((n, r) => n + r.decodedBodySize, 0)]");
        println!(
            "{visit}: opening to picture {picture:.0} ms; {transferred} bytes over the wire ({raw} unpacked)"
        );
    }
    let fit = "studio.camera.look(512, 512, 0.9)";
    let near = "studio.camera.look(400, 500, 4)";
    for (name, look) in [("whole map", fit), ("near", near)] {
        desk.run(look);
        let frames: Frames =
            desk.js(&watched(240, "studio.camera.pan(Math.sin(i / 9) * 9, Math.cos(i / 7) * 9)"));
        println!("panning, {name}: {frames}");
    }
    // A search of 200,000 events and more, played in eight seconds.
    let (from, to): ((u32, u32), (u32, u32)) = desk
        .js("(() => { const z = [...studio.state.doc.zones].filter((z) => z.altitude > 8);
             const by = (f) => z.toSorted((a, b) => f(a) - f(b))[0].deepest;
             return [by((a) => a.deepest[0] + a.deepest[1]), by((a) => -a.deepest[0] - a.deepest[1])]; })()");
    println!("search from {from:?} to {to:?}");
    let before: f64 = desk.js("performance.memory.usedJSHeapSize");
    desk.run(&format!(
        "studio.set({{ start: [{}, {}], goal: [{}, {}] }})",
        from.0, from.1, to.0, to.1
    ));
    desk.run("document.querySelector('#layer-search').click()");
    desk.until("studio.state.traces[0]");
    let events: u32 = desk.js("studio.state.traces[0].count");
    desk.run("document.querySelector('#first').click(); document.querySelector('#play').click()");
    let frames: Frames = desk.js(&watched(400, ""));
    let buffers: f64 = desk
        .js("(() => { const t = studio.state.traces[0]; return t.events.byteLength + t.last.byteLength + 2 * t.pixels.byteLength; })()");
    let after: f64 = desk.js("performance.memory.usedJSHeapSize");
    println!("playing {events} events: {frames}");
    println!(
        "memory of the trace: {:.1} MB; heap {:.1} MB before, {:.1} MB after",
        buffers / 1e6,
        before / 1e6,
        after / 1e6
    );
    let seeks: (f64, f64) = desk
        .js("(() => { const t = studio.state.traces[0]; const time = (f) => { const b = performance.now(); f(); return performance.now() - b; };
             return [time(() => { t.seek(0); t.seek(t.count); }), time(() => t.seek(t.count - 1))]; })()");
    println!("painting all events: {:.1} ms; one step back: {:.1} ms", seeks.0, seeks.1);
    desk.close();
}
