//! Why a call fails: a code and a text; and the one place where panics end.

use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tidegate::QueryError;
use tidegate::artifact::ArtifactError;
use tidegate::index::{BuildError, EditError, Mismatch};

use crate::status::*;

/// Bytes of the last error's text, the zero at its end included.
const LENGTH: usize = 1024;

thread_local! {
    /// Without a destructor, so that it can be written and read until the thread is gone.
    static TEXT: UnsafeCell<[u8; LENGTH]> = const { UnsafeCell::new([0; LENGTH]) };
}

/// A code and what to tell a person.
#[derive(Debug)]
pub(crate) struct Failure {
    status: TidegateStatus,
    text: String,
}

/// How a call ends.
pub(crate) type Outcome = Result<TidegateStatus, Failure>;

impl Failure {
    pub(crate) fn new(status: TidegateStatus, text: impl Into<String>) -> Failure {
        Failure { status, text: text.into() }
    }

    pub(crate) fn argument(text: impl Into<String>) -> Failure {
        Failure::new(TIDEGATE_BAD_ARGUMENT, text)
    }

    pub(crate) fn status(&self) -> TidegateStatus {
        self.status
    }

    /// The same failure, with the place where it happened in front.
    pub(crate) fn at(self, place: &str) -> Failure {
        Failure { text: format!("{place}: {}", self.text), ..self }
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Failure {
        let status = match error {
            QueryError::Outside { .. } => TIDEGATE_OUTSIDE,
            QueryError::Wall { .. } => TIDEGATE_WALL,
            QueryError::Blocked { .. } => TIDEGATE_BLOCKED,
            QueryError::NotBuilt { .. } | QueryError::Stale { .. } => TIDEGATE_NOT_BUILT,
            QueryError::Contradiction { .. } => TIDEGATE_BAD_FILE,
            QueryError::TooFar => TIDEGATE_TOO_FAR,
            QueryError::TooManyTiles { .. } => TIDEGATE_BAD_ARGUMENT,
            QueryError::OtherSize(_) => TIDEGATE_MISMATCH,
            _ => TIDEGATE_UNSUPPORTED,
        };
        Failure::new(status, error.to_string())
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        Failure::new(TIDEGATE_UNSUPPORTED, error.to_string())
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Failure {
        Failure::new(TIDEGATE_OUTSIDE, error.to_string())
    }
}

impl From<Mismatch> for Failure {
    fn from(error: Mismatch) -> Failure {
        Failure::new(TIDEGATE_MISMATCH, error.to_string())
    }
}

impl From<ArtifactError> for Failure {
    fn from(error: ArtifactError) -> Failure {
        let status = match error {
            ArtifactError::Io(_) => TIDEGATE_IO,
            _ => TIDEGATE_BAD_FILE,
        };
        Failure::new(status, error.to_string())
    }
}

/// Runs the body of a function: every failure becomes its code, and so does a panic.
pub(crate) fn answer(work: impl FnOnce() -> Outcome) -> TidegateStatus {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(status)) => return status,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            let text = text.unwrap_or("for no reason that is known");
            Failure::new(TIDEGATE_INTERNAL, format!("a defect in Tidegate: {text}"))
        }
    };
    keep(&failure.text);
    failure.status
}

/// Keeps the text of an error, cut off where it is too long.
fn keep(text: &str) {
    let fits = (0..LENGTH.min(text.len() + 1)).rev().find(|&end| text.is_char_boundary(end));
    let text = &text[..fits.unwrap_or(0)];
    TEXT.with(|kept| {
        // SAFETY: no other thread has this cell, and no reference to it lives beyond this block.
        let kept = unsafe { &mut *kept.get() };
        kept[..text.len()].copy_from_slice(text.as_bytes());
        kept[text.len()] = 0;
    });
}

/// Where the text of the last error begins.
pub(crate) fn last_text() -> *const c_char {
    TEXT.with(|kept| kept.get().cast_const().cast())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn text() -> String {
        // SAFETY: the text ends with a zero, and this thread writes none meanwhile.
        unsafe { CStr::from_ptr(last_text()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_is_a_code_and_a_text() {
        let status = answer(|| panic!("tile {} is missing", 7));
        assert_eq!(status, TIDEGATE_INTERNAL);
        assert_eq!(text(), "a defect in Tidegate: tile 7 is missing");
    }

    #[test]
    fn a_long_text_is_cut_between_letters() {
        let long = "é".repeat(LENGTH);
        answer(|| Err(Failure::argument(long.clone())));
        assert_eq!(text(), "é".repeat((LENGTH - 1) / 2));
        answer(|| Err(Failure::argument("short")));
        assert_eq!(text(), "short");
    }
}
