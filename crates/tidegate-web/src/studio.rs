//! The studio of the page without a server: the routes that a server would have, for a worker to ask.

use js_sys::Uint8Array;
use tidegate_studio::{LocalAnswer, LocalStudio};
use wasm_bindgen::prelude::*;

/// A studio with the bundled maps.
#[wasm_bindgen]
pub struct Studio(LocalStudio);

/// What a server would answer.
#[wasm_bindgen]
pub struct Answer(LocalAnswer);

fn thrown(error: impl std::fmt::Display) -> JsValue {
    js_sys::Error::new(&error.to_string()).into()
}

#[wasm_bindgen]
impl Studio {
    /// Opens the bundled maps.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Studio, JsValue> {
        // What broke down is told on the console; the worker ends with it.
        std::panic::set_hook(Box::new(|panic| {
            js_sys::Reflect::get(&js_sys::global(), &"reportPanic".into())
                .ok()
                .and_then(|report| report.dyn_into::<js_sys::Function>().ok())
                .map(|report| report.call1(&JsValue::NULL, &panic.to_string().into()));
        }));
        LocalStudio::new().map(Studio).map_err(thrown)
    }

    /// Answers a request.
    pub fn answer(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: Vec<u8>,
    ) -> Result<Answer, JsValue> {
        self.0.answer(method, path, kind, body).map(Answer).map_err(thrown)
    }

    /// Does the next piece of work that was put off; whether there was one.
    pub fn work(&self) -> bool {
        self.0.work()
    }
}

#[wasm_bindgen]
impl Answer {
    /// The status of HTTP.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// Names and values of the headers, by turns.
    #[wasm_bindgen(getter)]
    pub fn headers(&self) -> Vec<String> {
        self.0.headers.iter().flat_map(|(name, value)| [name.clone(), value.clone()]).collect()
    }

    /// The bytes.
    #[wasm_bindgen(getter)]
    pub fn body(&self) -> Uint8Array {
        Uint8Array::from(&self.0.body[..])
    }
}
