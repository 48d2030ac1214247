//! Plain objects of JavaScript: those that are given back, and options that are read.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

use crate::arrays::shown;
use crate::errors::{JsResult, argument_error};

/// A new object with these properties.
pub(crate) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        // A new object takes every property.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// The property of some options, if there are options and they have it.
pub(crate) fn option(options: &JsValue, name: &str) -> JsResult<Option<JsValue>> {
    if options.is_undefined() || options.is_null() {
        return Ok(None);
    }
    if !options.is_object() {
        let got = shown(options);
        return Err(argument_error(format_args!("options must be an object, not {got}")));
    }
    let value = Reflect::get(options, &name.into())?;
    Ok((!value.is_undefined() && !value.is_null()).then_some(value))
}

/// An option that is text.
pub(crate) fn text(options: &JsValue, name: &str) -> JsResult<Option<String>> {
    let Some(value) = option(options, name)? else { return Ok(None) };
    let wrong = || argument_error(format_args!("{name} must be a string, not {}", shown(&value)));
    value.as_string().map(Some).ok_or_else(wrong)
}

/// An option that is a number.
pub(crate) fn number(options: &JsValue, name: &str) -> JsResult<Option<f64>> {
    let Some(value) = option(options, name)? else { return Ok(None) };
    let wrong = || argument_error(format_args!("{name} must be a number, not {}", shown(&value)));
    value.as_f64().map(Some).ok_or_else(wrong)
}
