//! Queries, engines, playing a search, the water.

use crate::desk::Desk;

/// Tiles of the bundled strategy map's sample query.
fn ends(desk: &Desk) -> ((u32, u32), (u32, u32)) {
    desk.js("[studio.state.start, studio.state.goal]")
}

/// A colour of the map in the current theme.
fn colour(desk: &Desk, name: &str) -> [u8; 3] {
    desk.js(&format!(
        "studio.palette.parse(studio.palette.colours(studio.state.theme).{name}).slice(0, 3)"
    ))
}

fn alike(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(&a, b)| a.abs_diff(b) <= 3)
}

#[test]
fn the_first_load_shows_zones_and_a_path() {
    let Some(desk) = Desk::open() else { return };
    assert_eq!(desk.js::<String>("studio.state.doc.id"), "rts-512");
    assert!(desk.js::<bool>("!document.querySelector('#hint').hidden"));
    assert!(!desk.js::<String>("document.location.hash").contains("token"));
    // Below each zone's number there is the zone's colour, as the server says it.
    let zones: Vec<((u32, u32), [u8; 3])> = desk
        .js("studio.state.doc.zones.filter((z) => z.altitude > 12).map((z) => [z, [z.deepest[0], z.deepest[1] + 11]])
             .filter(([z, t]) => studio.map.placeOf(t).id === z.id && studio.map.placeOf(t).kind === 'zone')
             .filter(([, t]) => studio.state.results.every((r) => r.path.every(([x, y]) => Math.hypot(x - t[0], y - t[1]) > 6)))
             .map(([z, t]) => [t, studio.palette.zone(studio.state.theme, z.colour).slice(0, 3)])");
    assert!(zones.len() > 3);
    for (tile, wanted) in zones {
        let seen = desk.pixel(0, tile);
        assert!(alike(seen, wanted), "{tile:?}: {seen:?}, not {wanted:?}");
    }
    // The path is where the answer says it is.
    let line = colour(&desk, "path");
    let path: Vec<(u32, u32)> = desk.js("studio.state.results[0].path");
    for &(x, y) in path.iter().step_by(path.len() / 8).skip(2).take(5) {
        desk.run(&format!("studio.camera.look({x} + 0.5, {y} + 0.5, 9)"));
        let seen = desk.pixel(0, (x, y));
        assert!(alike(seen, line), "the path at {x}, {y} is {seen:?}, not {line:?}");
    }
    desk.close();
}

#[test]
fn clicks_and_drags_set_the_query() {
    let Some(desk) = Desk::open() else { return };
    let free: Vec<(u32, u32)> = desk.js(
        "studio.state.doc.zones.filter((z) => z.altitude > 12).slice(0, 3).map((z) => z.deepest)",
    );
    let [goal, start, elsewhere] = free[..] else { panic!("three zones") };
    let near = |a: (u32, u32), b: (u32, u32)| a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1;
    desk.click_tile(goal);
    desk.click_at(desk.place(start), 8);
    let query = ends(&desk);
    assert!(near(query.0, start) && near(query.1, goal), "{query:?}");
    desk.drag(query.1, elsewhere);
    desk.until("!studio.state.dragging");
    let query = ends(&desk);
    assert!(near(query.1, elsewhere), "{query:?}");
    desk.until("String(studio.state.results[0].path.at(-1)) === String(studio.state.goal)");
    desk.until("String(studio.state.results[1].path[0]) === String(studio.state.start)");
    desk.close();
}

#[test]
fn engines_are_switched_and_stand_side_by_side() {
    let Some(desk) = Desk::open() else { return };
    let cost: u32 = desk.js("studio.state.results[0].cost");
    for engine in ["jps", "gateway", "hpa"] {
        desk.choose("#engine-1", engine);
        desk.until(&format!("studio.state.results[1].engine === '{engine}' && studio.state.results[1].status === 'found'"));
        let found: u32 = desk.js("studio.state.results[1].cost");
        assert!(if engine == "hpa" { found >= cost } else { found == cost }, "{engine}");
    }
    desk.choose("#engine-1", "gateway");
    desk.click("#compare");
    desk.click("#layer-search");
    desk.until("studio.state.traces.every(Boolean)");
    desk.settle();
    let captions: Vec<String> =
        desk.js("[...document.querySelectorAll('.caption')].map((c) => c.textContent)");
    assert!(captions[0].starts_with("astar") && captions[1].starts_with("gateway"), "{captions:?}");
    // A tile that A* expanded and the gates spared differs between the panes.
    let tile: (u32, u32) = desk
        .js("(() => { const [a, b] = studio.state.traces; const w = a.width;
             for (let i = 0; i < a.last.length; i += 7) {
               if (a.last[i] >= 0 && a.kind(a.last[i]) === 1 && b.last[i] < 0) return [i % w, Math.floor(i / w)];
             } })()");
    assert_ne!(desk.pixel(0, tile), desk.pixel(1, tile));
    desk.close();
}

#[test]
fn a_search_is_played_stepped_and_scrubbed() {
    let Some(desk) = Desk::open() else { return };
    desk.key(" ");
    desk.until("studio.state.position > 0");
    desk.key(" ");
    let paused: u32 = desk.js("studio.state.position");
    let most: u32 = desk.js("studio.state.traces[0].count");
    assert!(paused > 0 && paused < most, "{paused} of {most}");
    desk.key("Home");
    let expanded = "studio.state.traces[0].expanded";
    assert_eq!(desk.js::<u32>(expanded), 0);
    for step in 1..=5 {
        desk.key("ArrowRight");
        assert_eq!(desk.js::<u32>(expanded), step);
    }
    desk.key("ArrowLeft");
    assert_eq!(desk.js::<u32>(expanded), 4);
    let scrub = |to: &str| {
        format!(
            "const s = document.querySelector('#scrub'); s.value = {to}; s.dispatchEvent(new Event('input'))"
        )
    };
    desk.run(&scrub("Math.round(s.max / 2)"));
    assert_eq!(desk.js::<u32>("studio.state.traces[0].at"), most.div_ceil(2));
    desk.run(&scrub("s.max"));
    let all: u32 = desk.js("studio.state.results[0].expanded");
    assert_eq!(desk.js::<u32>(expanded), all);
    // What the trace knows of the goal is what the answer says.
    let (g, length): (f64, f64) = desk.js(
        "[studio.state.traces[0].facts(studio.state.goal).g * 5741, studio.state.results[0].cost]",
    );
    assert_eq!(g.round(), length);
    // A closed tile off the path is drawn in the colour of closed tiles, mixed with its ground.
    let closed: (u32, u32) = desk
        .js("(() => { const t = studio.state.traces[0];
             for (let e = Math.floor(t.count * 0.6); ; e++) {
               const c = t.cell(e), at = [c % t.width, Math.floor(c / t.width)];
               const far = studio.state.results[0].path.every(([x, y]) => Math.hypot(x - at[0], y - at[1]) > 6);
               if (far && t.kind(t.last[c]) === 1) return at;
             } })()");
    desk.key("g");
    let [red, _, blue] = desk.pixel(0, closed);
    assert!(blue > red.saturating_add(40), "closed tiles are blue");
    // The foot tells f, g and h of the tile under the pointer.
    desk.click_at(desk.place(closed), 0);
    desk.until("/f .*g .*h /.test(document.querySelector('#tile').textContent)");
    desk.close();
}

#[test]
fn the_water_rises() {
    let Some(desk) = Desk::open() else { return };
    desk.run("const w = document.querySelector('#water'); w.value = 0; w.dispatchEvent(new Event('input'))");
    desk.until("studio.state.lakes && studio.state.water !== null");
    let steps: u32 = desk.js("Number(document.querySelector('#water').max)");
    let deep: (u32, u32) =
        desk.js("[...studio.state.doc.zones].sort((a, b) => b.altitude - a.altitude)[0].deepest");
    let dry = desk.pixel(0, deep);
    let mut wet = Vec::new();
    let all: Vec<u32> = (0..=8).map(|part| part * steps / 8).chain([steps - 1, steps]).collect();
    for step in all {
        desk.run(&format!("const w = document.querySelector('#water'); w.value = {step}; w.dispatchEvent(new Event('input'))"));
        let tiles = "studio.state.water === null ? -1 : studio.state.lakes.times.reduce((n, t) => n + (t <= studio.state.water ? 1 : 0), 0)";
        wet.push(desk.js::<i64>(tiles));
        if step == steps * 4 / 8 {
            assert_ne!(desk.pixel(0, deep), dry, "the deepest place is under water");
        }
    }
    let (end, rising) = wet.split_last().unwrap();
    assert_eq!(*end, -1, "at the top the zones show");
    let mut rising = rising.to_vec();
    rising.retain(|&n| n >= 0);
    assert!(rising.is_sorted() && rising[0] == 0, "{rising:?}");
    assert_eq!(rising.last(), desk.js::<Option<i64>>("studio.state.doc.free").as_ref());
    desk.close();
}
