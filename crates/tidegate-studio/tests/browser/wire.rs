//! The wire to the browser: Chrome's DevTools protocol over a web socket, one call at a time.
//! Events that come in between are read on the way: errors of the console are written down, and
//! whoever asks whether to leave the page is told yes.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// How long anything may take before a test gives up: generous, for busy machines.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-precise-memory-info",
    "--force-color-profile=srgb",
    "--remote-debugging-port=0",
];

pub(crate) struct Wire {
    browser: Child,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    calls: u64,
    /// Errors of the console.
    pub(crate) complaints: Vec<String>,
    /// How often the browser asked whether to leave the page.
    pub(crate) asked: usize,
}

impl Wire {
    /// Starts a browser with a profile of its own and opens an empty page.
    pub(crate) fn open(program: &Path, profile: &Path) -> Wire {
        let mut browser = Command::new(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromium starts");
        let (port, path) = address(&mut browser, &profile.join("DevToolsActivePort"));
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the browser listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        let url = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client(url, stream).expect("the browser talks");
        let (complaints, asked, calls, session) = (Vec::new(), 0, 0, None);
        let mut wire = Wire { browser, socket, session, calls, complaints, asked };
        let target = wire.call("Target.createTarget", json!({ "url": "about:blank" }));
        let params = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = wire.call("Target.attachToTarget", params);
        wire.session = attached["sessionId"].as_str().map(String::from);
        for domain in ["Page", "Runtime", "Log"] {
            wire.call(&format!("{domain}.enable"), json!({}));
        }
        wire
    }

    /// Calls the browser and waits for its answer.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_call(method, params);
        answer.unwrap_or_else(|problem| panic!("{method}: {problem}"))
    }

    /// The same; what the browser refuses comes back.
    pub(crate) fn try_call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let call = self.send(method, params);
        loop {
            let message = self.read();
            if message["id"] == call {
                return match message.get("error") {
                    Some(error) => Err(error.to_string()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.notice(&message);
        }
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.calls += 1;
        let mut call = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = &self.session {
            call["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(call.to_string())).expect("the browser listens");
        self.calls
    }

    fn read(&mut self) -> Value {
        loop {
            let message = self.socket.read();
            match message.unwrap_or_else(|e| panic!("{e}; console: {:?}", self.complaints)) {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                _ => continue,
            }
        }
    }

    fn notice(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.consoleAPICalled") if params["type"] == "error" => {
                self.complaints.push(params["args"].to_string());
            }
            Some("Runtime.exceptionThrown") => {
                self.complaints.push(params["exceptionDetails"].to_string());
            }
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                self.complaints.push(params["entry"].to_string());
            }
            Some("Page.javascriptDialogOpening") => {
                self.asked += 1;
                self.send("Page.handleJavaScriptDialog", json!({ "accept": true }));
            }
            _ => {}
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}

/// Where the browser says that it listens.
fn address(browser: &mut Child, file: &Path) -> (u16, String) {
    let began = Instant::now();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if let Some((port, path)) = text.split_once('\n') {
            return (port.parse().expect("a port"), path.trim().to_string());
        }
        let gone = browser.try_wait().expect("its state");
        assert!(gone.is_none(), "chromium ended: {gone:?}");
        assert!(began.elapsed() < PATIENCE, "chromium does not say where it listens");
        std::thread::sleep(Duration::from_millis(30));
    }
}
