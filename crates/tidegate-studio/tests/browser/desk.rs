//! A desk to work at: a studio on a free port, a browser with a fresh profile, and the hands
//! to click, drag and type.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;
use tidegate_studio::{Opened, Settings, Studio, router};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::wire::{PATIENCE, Wire};

/// Both engines have answered.
const ANSWERED: &str = "studio.state.results.every((r) => r && r.status !== 'building')";

/// The window of most people's smallest screen.
pub(crate) const SMALL: (u32, u32) = (1280, 720);

pub(crate) struct Desk {
    wire: RefCell<Wire>,
    url: String,
    /// What the studio saves and the browser downloads lands here.
    pub(crate) folder: TempDir,
    /// Where the studio keeps unsaved work.
    pub(crate) state: TempDir,
    _profile: TempDir,
    _server: Runtime,
}

/// The browser's program, if there is one.
fn chromium() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = std::env::split_paths(&paths)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file());
    if found.is_none() {
        let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!ci, "no chromium: run tools/install-browser");
        println!("skipped: no chromium here (tools/install-browser installs it)");
    }
    found
}

impl Desk {
    /// A studio with the bundled maps, its page open and ready. `None` where there is no
    /// browser.
    pub(crate) fn open() -> Option<Desk> {
        Desk::with(SMALL, Vec::new(), "")
    }

    /// The same with a window of this size, maps of one's own, and a view in the address.
    pub(crate) fn with(size: (u32, u32), maps: Vec<Opened>, view: &str) -> Option<Desk> {
        Desk::opened(size, view, |server, folder, state| {
            server.block_on(serve(maps, folder, state))
        })
    }

    /// The page without a server, from a plain web host that has this folder.
    pub(crate) fn with_site(site: &Path, size: (u32, u32)) -> Option<Desk> {
        Desk::opened(size, "", |server, _, _| server.block_on(host(site.to_path_buf())))
    }

    fn opened(
        size: (u32, u32),
        view: &str,
        serve: impl FnOnce(&Runtime, &Path, &Path) -> String,
    ) -> Option<Desk> {
        let program = chromium()?;
        let folder = TempDir::new().expect("a folder");
        let state = TempDir::new().expect("a folder");
        let profile = TempDir::new().expect("a profile");
        let server = Runtime::new().expect("threads for the server");
        let url = serve(&server, folder.path(), state.path());
        let mut wire = Wire::open(&program, profile.path());
        let to = folder.path();
        wire.call(
            "Browser.setDownloadBehavior",
            json!({ "behavior": "allow", "downloadPath": to }),
        );
        let wire = RefCell::new(wire);
        let desk = Desk { wire, url, folder, state, _profile: profile, _server: server };
        desk.resize(size);
        desk.go(view);
        Some(desk)
    }

    /// Gives the window another size; one as narrow as a phone's is touched by fingers.
    pub(crate) fn resize(&self, (width, height): (u32, u32)) {
        let phone = width < 720;
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone }),
        );
        let touch = json!({ "enabled": phone, "maxTouchPoints": 2 });
        self.call("Emulation.setTouchEmulationEnabled", touch);
    }

    /// Fingers on the glass: `"touchStart"`, `"touchMove"` or `"touchEnd"`, and where they are.
    pub(crate) fn fingers(&self, kind: &str, places: &[(f64, f64)]) {
        let points: Vec<Value> = places
            .iter()
            .enumerate()
            .map(|(id, (x, y))| json!({ "x": x, "y": y, "id": id }))
            .collect();
        self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    fn call(&self, method: &str, params: Value) -> Value {
        self.wire.borrow_mut().call(method, params)
    }

    /// Opens the page with a view and waits until it is ready.
    pub(crate) fn go(&self, view: &str) {
        let to = if view.is_empty() { self.url.clone() } else { format!("{}&{view}", self.url) };
        self.navigate(&to);
        self.ready();
    }

    /// Opens the page without its token.
    pub(crate) fn go_unknown(&self) {
        self.run("sessionStorage.clear()");
        self.navigate(self.url.split('#').next().expect("an address"));
        self.until("!document.querySelector('#veil').hidden");
    }

    fn navigate(&self, address: &str) {
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.until("location.href === 'about:blank'");
        self.call("Page.navigate", json!({ "url": address }));
    }

    /// Loads the page again.
    pub(crate) fn reload(&self) {
        self.run("document.documentElement.dataset.ready = 'no'");
        self.call("Page.reload", json!({}));
        self.ready();
    }

    fn ready(&self) {
        self.until("document.documentElement.dataset.ready === 'yes'");
        self.until(ANSWERED);
    }

    /// Ends the studio and starts it again in the same folders, with these maps; the page is
    /// opened at its new address.
    pub(crate) fn restart(&mut self, maps: Vec<Opened>) {
        self._server = Runtime::new().expect("threads for the server");
        let serve = serve(maps, self.folder.path(), self.state.path());
        let url = self._server.block_on(serve);
        self.visit(url);
        // The old page may have been asking just then.
        self.forgive("ERR_CONNECTION_REFUSED");
    }

    /// Opens the page of another studio.
    pub(crate) fn visit(&mut self, url: String) {
        self.url = url;
        self.go("");
    }

    /// Kills the browser and starts another one, which knows nothing of the first.
    pub(crate) fn crash_browser(&mut self, size: (u32, u32)) {
        self._profile = TempDir::new().expect("a profile");
        let program = chromium().expect("it was here");
        let mut wire = Wire::open(&program, self._profile.path());
        let (width, height) = size;
        wire.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
        self.wire.replace(wire);
        self.go("");
    }

    /// Takes complaints of the console back that a test has to expect.
    pub(crate) fn forgive(&self, text: &str) {
        self.wire.borrow_mut().complaints.retain(|complaint| !complaint.contains(text));
    }

    /// How often the browser asked whether to leave the page; the answer is always yes.
    pub(crate) fn asked(&self) -> usize {
        self.wire.borrow().asked
    }

    /// The value of an expression in the page, or what went wrong; promises are awaited.
    fn value(&self, expression: &str) -> Result<Value, String> {
        let params = json!({
            "expression": format!("(async () => ({expression}))()"),
            "awaitPromise": true,
            "returnByValue": true,
            "userGesture": true,
        });
        let answer = self.wire.borrow_mut().try_call("Runtime.evaluate", params)?;
        match answer.get("exceptionDetails") {
            Some(thrown) => Err(thrown.to_string()),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn js<T: DeserializeOwned>(&self, expression: &str) -> T {
        let value = self.value(expression).unwrap_or_else(|e| panic!("{expression}: {e}"));
        serde_json::from_value(value).unwrap_or_else(|e| panic!("{expression}: {e}"))
    }

    /// Does something in the page.
    pub(crate) fn run(&self, statements: &str) {
        let call = format!("(async () => {{ {statements}; }})()");
        self.value(&call).unwrap_or_else(|e| panic!("{statements}: {e}"));
    }

    /// Runs a whole program in the page.
    pub(crate) fn evaluate(&self, program: &str) {
        self.call("Runtime.evaluate", json!({ "expression": program }));
    }

    /// Waits until an expression holds.
    pub(crate) fn until(&self, expression: &str) {
        let began = Instant::now();
        // While a page loads there may be no one to ask.
        while self.value(&format!("Boolean({expression})")) != Ok(Value::Bool(true)) {
            if began.elapsed() > PATIENCE {
                let complaints = &self.wire.borrow().complaints;
                panic!("waited in vain for {expression}; console: {complaints:?}");
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    /// Waits until everything that was changed is drawn and answered.
    pub(crate) fn settle(&self) {
        self.until(ANSWERED);
        self.run(
            "await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))",
        );
    }

    /// Where the middle of a tile is in the window.
    pub(crate) fn place(&self, tile: (u32, u32)) -> (f64, f64) {
        let (x, y) = tile;
        self.js(&format!(
            "(() => {{ const [pane] = studio.panes; const box = pane.canvas.getBoundingClientRect();
              const [left, top] = studio.camera.origin(pane.width, pane.height);
              const scale = studio.camera.scale;
              return [box.left + left + ({x} + 0.5) * scale, box.top + top + ({y} + 0.5) * scale]; }})()"
        ))
    }

    /// Red, green and blue in the middle of a tile, as a pane shows it.
    pub(crate) fn pixel(&self, pane: usize, tile: (u32, u32)) -> [u8; 3] {
        self.settle();
        let (x, y) = tile;
        self.js(&format!(
            "(() => {{ const pane = studio.panes[{pane}];
              const [left, top] = studio.camera.origin(pane.width, pane.height);
              const at = (v, from) => Math.round((from + (v + 0.5) * studio.camera.scale) * pane.dense);
              return [...pane.context.getImageData(at({x}, left), at({y}, top), 1, 1).data].slice(0, 3); }})()"
        ))
    }

    fn mouse(&self, kind: &str, place: (f64, f64), modifiers: u8) {
        self.mouse_with("left", kind, place, modifiers);
    }

    fn mouse_with(&self, button: &str, kind: &str, (x, y): (f64, f64), modifiers: u8) {
        let button = if kind == "mouseMoved" { "none" } else { button };
        self.call(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "modifiers": modifiers, "button": button,
                    "clickCount": 1 }),
        );
    }

    /// Clicks at a place in the window; `modifiers`: 8 is Shift.
    pub(crate) fn click_at(&self, place: (f64, f64), modifiers: u8) {
        self.mouse("mouseMoved", place, modifiers);
        self.mouse("mousePressed", place, modifiers);
        self.mouse("mouseReleased", place, modifiers);
    }

    /// Clicks a tile.
    pub(crate) fn click_tile(&self, tile: (u32, u32)) {
        self.click_at(self.place(tile), 0);
    }

    /// Clicks an element.
    pub(crate) fn click(&self, selector: &str) {
        let place: (f64, f64) = self.js(&format!(
            "(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect();
                  return [box.left + box.width / 2, box.top + box.height / 2]; }})()"
        ));
        self.click_at(place, 0);
    }

    /// Drags from one tile to another in a few moves.
    pub(crate) fn drag(&self, from: (u32, u32), to: (u32, u32)) {
        self.drag_with("left", from, to);
    }

    /// The same with another button of the mouse.
    pub(crate) fn drag_with(&self, button: &str, from: (u32, u32), to: (u32, u32)) {
        let (from, to) = (self.place(from), self.place(to));
        self.mouse("mouseMoved", from, 0);
        self.mouse_with(button, "mousePressed", from, 0);
        for step in 1..=8 {
            let part = f64::from(step) / 8.0;
            let at = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            self.mouse("mouseMoved", at, 0);
        }
        self.mouse_with(button, "mouseReleased", to, 0);
    }

    /// Presses a key: `"b"`, `"ArrowRight"`, `"Ctrl+z"`, `"Ctrl+Shift+z"`.
    pub(crate) fn key(&self, keys: &str) {
        let key = keys.rsplit('+').next().unwrap();
        let held = |name| keys.len() > key.len() && keys.contains(name);
        let modifiers: u8 = if held("Ctrl") { 2 } else { 0 } + if held("Shift") { 8 } else { 0 };
        // What the browser does by itself with a key goes by its number.
        let number = match key {
            "Tab" => 9,
            "Enter" => 13,
            " " => 32,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let text = match key {
            "Enter" => "\r",
            " " => " ",
            _ => "",
        };
        for kind in [if text.is_empty() { "rawKeyDown" } else { "keyDown" }, "keyUp"] {
            let event = json!({ "type": kind, "key": key, "modifiers": modifiers, "text": text,
                                "windowsVirtualKeyCode": number });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Types text where the focus is.
    pub(crate) fn type_text(&self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Presses Tab until what has the focus matches a selector.
    pub(crate) fn tab_to(&self, selector: &str) {
        for _ in 0..80 {
            self.key("Tab");
            if self.js(&format!("document.activeElement.matches('{selector}')")) {
                return;
            }
        }
        panic!("Tab never comes to {selector}");
    }

    /// Chooses an entry of a list.
    pub(crate) fn choose(&self, selector: &str, value: &str) {
        self.run(&format!(
            "const list = document.querySelector('{selector}'); list.value = '{value}';
             list.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
    }

    /// Waits for a downloaded file whose name ends like this; its bytes.
    pub(crate) fn download(&self, ending: &str) -> Vec<u8> {
        let began = Instant::now();
        loop {
            let files = std::fs::read_dir(self.folder.path()).expect("the folder");
            let found = files.flatten().map(|file| file.path()).find(|path| {
                path.to_string_lossy().ends_with(ending)
                    && path.metadata().is_ok_and(|facts| facts.len() > 0)
            });
            if let Some(path) = found {
                return std::fs::read(path).expect("the download");
            }
            assert!(began.elapsed() < PATIENCE, "no file {ending} came");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The window as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        self.settle();
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        BASE64_STANDARD.decode(answer["data"].as_str().expect("a picture")).expect("base 64")
    }

    /// Ends the session; the console must be clean.
    pub(crate) fn close(self) {
        let complaints = &self.wire.borrow().complaints;
        assert!(complaints.is_empty(), "the console says: {complaints:#?}");
    }
}

/// Starts a studio on a free port; the address of its page.
async fn serve(maps: Vec<Opened>, folder: &Path, state: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let host = listener.local_addr().expect("an address").to_string();
    let token = "0123456789abcdef".repeat(3);
    let url = format!("http://{host}/#token={token}");
    let (folder, state) = (folder.to_path_buf(), Some(state.to_path_buf()));
    let settings = Settings { maps, folder, state, hosts: vec![host], token };
    let studio = Studio::new(settings).expect("a studio");
    tokio::spawn(async move { axum::serve(listener, router(studio)).await });
    url
}

/// Serves the files of a folder on a free port; the address of its page.
async fn host(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let host = listener.local_addr().expect("an address");
    let file = move |uri: axum::http::Uri| {
        let name = uri.path().trim_start_matches('/').to_owned();
        let name = if name.is_empty() { "index.html".to_owned() } else { name };
        let kind = match name.rsplit('.').next() {
            Some("html") => "text/html",
            Some("css") => "text/css",
            Some("js") => "text/javascript",
            Some("wasm") => "application/wasm",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        };
        let bytes = std::fs::read(folder.join(&name));
        async move {
            bytes
                .map(|bytes| ([("content-type", kind)], bytes))
                .map_err(|_| axum::http::StatusCode::NOT_FOUND)
        }
    };
    let router = axum::Router::new().fallback(file);
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{host}/#")
}
