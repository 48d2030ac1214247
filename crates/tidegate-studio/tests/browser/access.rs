//! Whether everyone can read and use the page: axe-core's rules in every state and size, the
//! contrast of all text colours, and icons that show at once.

use std::path::Path;

use serde::Deserialize;

use crate::desk::Desk;

/// A rule of axe's that the page breaks.
#[derive(Deserialize, Debug)]
struct Broken {
    id: String,
    impact: String,
    places: Vec<String>,
}

/// The program of axe-core, if `tools/install-axe` has fetched it.
fn axe() -> Option<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/axe-core/axe.min.js");
    let text = std::fs::read_to_string(file).ok();
    if text.is_none() {
        println!("skipped: no axe-core here (tools/install-axe fetches it, with npm)");
    }
    text
}

/// What axe finds wrong that is serious or worse.
fn check(desk: &Desk, when: &str) {
    desk.settle();
    let broken: Vec<Broken> = desk.js(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
           .map(({ id, impact, nodes }) => ({ id, impact, places: nodes.map(({ target }) => String(target)) })))",
    );
    let (bad, slight): (Vec<_>, Vec<_>) =
        broken.into_iter().partition(|b| b.impact == "serious" || b.impact == "critical");
    assert!(bad.is_empty(), "{when}: {bad:#?}");
    for Broken { id, impact, places } in slight {
        println!("{when}: {impact}: {id} at {places:?}");
    }
}

#[test]
fn axe_finds_nothing_serious() {
    let Some(program) = axe() else { return };
    let Some(desk) = Desk::open() else { return };
    for size in [(1440, 900), (1024, 700), (390, 800)] {
        for theme in ["dark", "light"] {
            desk.resize(size);
            desk.go(&format!("map=caves-256&theme={theme}"));
            desk.evaluate(&program);
            check(&desk, &format!("{size:?} {theme} at first"));
            let phone = size.0 < 720;
            for tab in ["paths", "problems", "regions", "effect"] {
                let button = if phone { "sheet" } else { "tab" };
                desk.click(&format!("[data-{button}=\"{tab}\"]"));
                if tab == "problems" {
                    desk.until("document.querySelectorAll('#problems tbody tr').length > 10");
                    desk.run("document.querySelector('#problems tbody tr').click()");
                } else if tab == "regions" {
                    desk.run("document.querySelector('#regions tbody tr').click()");
                    desk.until("studio.state.outline");
                }
                check(&desk, &format!("{size:?} {theme} {tab}"));
            }
            if phone {
                desk.click("[data-sheet=\"left\"]");
                check(&desk, &format!("{size:?} {theme} layers"));
            } else {
                desk.key("6");
                desk.key("f");
                check(&desk, &format!("{size:?} {theme} danger and distance"));
                desk.key("4");
                desk.click("#export");
                check(&desk, &format!("{size:?} {theme} brush and export"));
                desk.key("Escape");
            }
            desk.run("const i = document.querySelector('#goal-tile'); i.value = '-1, 0'; i.dispatchEvent(new Event('change'))");
            desk.run(
                "studio.set({ tab: 'paths', message: { text: 'No.', bad: true, busy: true } })",
            );
            check(&desk, &format!("{size:?} {theme} refused"));
            desk.run("studio.set({ message: null }); document.querySelector('#help').click()");
            check(&desk, &format!("{size:?} {theme} help"));
        }
    }
    desk.close();
}

/// Text colours on the grounds that they stand on, in both themes: 4.5 to 1 or more.
#[test]
fn faint_text_can_be_read() {
    let Some(desk) = Desk::open() else { return };
    let pairs: Vec<(String, String, f64)> = desk.js(
        "(() => {
           const part = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
           const light = (hex) => [1, 3, 5].map((i) => part(parseInt(hex.slice(i, i + 2), 16) / 255))
             .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
           const found = [];
           for (const theme of ['dark', 'light']) {
             document.documentElement.dataset.theme = theme;
             const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
             for (const text of ['ink', 'ink-soft', 'ink-faint', 'accent', 'warn', 'good']) {
               for (const ground of ['panel', 'raised', 'accent-soft']) {
                 const [a, b] = [light(token(text)), light(token(ground))].sort((x, y) => y - x);
                 found.push([`${theme} ${text}`, ground, (a + 0.05) / (b + 0.05)]);
               }
             }
           }
           return found;
         })()",
    );
    assert_eq!(pairs.len(), 36);
    for (text, ground, contrast) in pairs {
        assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
    }
    desk.close();
}

/// Icons are part of the page: nothing is fetched to show one.
#[test]
fn playing_fetches_no_icons() {
    let Some(desk) = Desk::open() else { return };
    let files =
        "performance.getEntriesByType('resource').filter((r) => !r.name.includes('/api/')).length";
    let shown = "document.querySelector('#play use').href.baseVal";
    let width = "document.querySelector('#play use').getBBox().width";
    desk.run("performance.setResourceTimingBufferSize(100000)");
    let (before, play): (u32, String) = (desk.js(files), desk.js(shown));
    desk.choose("#speed", "10");
    desk.key(" ");
    desk.until("studio.state.position > 10");
    assert_ne!(desk.js::<String>(shown), play, "the button pauses");
    for _ in 0..20 {
        desk.settle();
        assert!(desk.js::<f64>(width) > 1.0, "the icon shows in every frame");
    }
    desk.key(" ");
    assert_eq!(desk.js::<String>(shown), play);
    assert_eq!(desk.js::<u32>(files), before, "no file of the page is fetched while playing");
    desk.close();
}
