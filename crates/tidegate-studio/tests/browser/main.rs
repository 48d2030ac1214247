//! The studio's page in a real browser: Debian's chromium, headless, clicked and typed at as a
//! person would, its canvas looked at. Every test ends by checking that the browser's console
//! stayed free of errors.
//!
//! Where there is no chromium the tests say that they are skipped; with `CI=true` they fail.
//! `tools/install-browser` installs it, `tools/install-axe` what `access` wants.

mod access;
mod danger;
mod desk;
mod edits;
mod ends;
mod field;
mod keyboard;
mod measure;
mod pictures;
mod searches;
mod site;
mod sizes;
mod unit;
mod view;
mod walk;
mod wire;
mod work;
