//! One line on the terminal that tells what is being done and for how long, so that no work
//! is silent. Where standard error is no terminal there is no such line.

use std::sync::OnceLock;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often the line moves.
const TICK: Duration = Duration::from_millis(120);

static LINE: OnceLock<ProgressBar> = OnceLock::new();

/// Tells what is being done from now on; its time begins.
pub(crate) fn now(what: impl Into<String>) {
    let line = LINE.get_or_init(begin);
    line.reset_elapsed();
    line.set_message(what.into());
}

/// Tells how far the work has come; its time goes on.
pub(crate) fn so_far(what: impl Into<String>) {
    LINE.get_or_init(begin).set_message(what.into());
}

/// Takes the line away while something else is written.
pub(crate) fn pause<T>(write: impl FnOnce() -> T) -> T {
    match LINE.get() {
        Some(line) => line.suspend(write),
        None => write(),
    }
}

/// Takes the line away for good.
pub(crate) fn end() {
    if let Some(line) = LINE.get() {
        line.finish_and_clear();
    }
}

fn begin() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let line = ProgressBar::new_spinner().with_style(style);
    // The line moves by itself however long one step of the work takes.
    line.enable_steady_tick(TICK);
    line
}
