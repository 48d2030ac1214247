//! The studio's page in a real browser: Debian's chromium, headless, clicked and typed at as a
//! person would, its canvas looked at. Every test ends by checking that the browser's console
//! stayed free of errors.
//!
//! Where there is no chromium the tests say that they are skipped; with `CI=true` they fail.
//! `tools/install-browser` installs it.

mod desk;
mod edits;
mod measure;
mod pictures;
mod searches;
mod view;
mod wire;
mod work;
