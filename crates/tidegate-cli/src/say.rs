//! What the program says. A reader that goes away (`tidegate … | head`) ends the talking,
//! never the work; where nothing can be said for another reason, the exit code tells.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Result, bail};

use crate::progress;

/// Why standard output took no more.
static REFUSED: OnceLock<io::Error> = OnceLock::new();

/// Says a line on standard output. Unlike `println!` it cannot fail or panic.
macro_rules! say {
    ($($words:tt)*) => { $crate::say::bytes(format!("{}\n", format_args!($($words)*)).as_bytes()) };
}

/// Says a line on standard error. Unlike `eprintln!` it cannot panic.
macro_rules! note {
    ($($words:tt)*) => { $crate::say::error(format!("{}\n", format_args!($($words)*)).as_bytes()) };
}

pub(crate) use {note, say};

/// Puts bytes on standard output, until it takes no more.
pub(crate) fn bytes(bytes: &[u8]) {
    if REFUSED.get().is_some() {
        return;
    }
    let mut out = io::stdout().lock();
    let written = progress::pause(|| out.write_all(bytes).and_then(|()| out.flush()));
    if let Err(error) = written {
        let _ = REFUSED.set(error);
    }
}

/// Puts bytes on standard error. If that fails, there is nobody left to tell.
pub(crate) fn error(bytes: &[u8]) {
    let _ = progress::pause(|| io::stderr().write_all(bytes));
}

/// Says that a file was written, and what is in it.
pub(crate) fn wrote(file: &Path, what: &str) {
    say!("wrote {}: {what}", file.display());
}

/// A number of things as people write it: 16,777,216.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size as people write it.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..=9_999 => format!("{} bytes", count(bytes)),
        10_000..=9_999_999 => format!("{} KB", count(bytes / 1024)),
        _ => format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)),
    }
}

/// Fails if something could not be said, unless it was the reader who went away.
pub(crate) fn end() -> Result<()> {
    match REFUSED.get() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            bail!("cannot write to standard output: {error}")
        }
        _ => Ok(()),
    }
}
