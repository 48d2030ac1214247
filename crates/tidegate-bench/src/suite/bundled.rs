//! The maps that the program carries, with their problems.
//!
//! The files lie inside this crate, so that an installed program and a published crate have
//! them; `cargo run -p tidegate --example make_suite` makes them.

/// Name, map file and scenario file of a bundled map.
pub type Bundled = (&'static str, &'static [u8], &'static [u8]);

/// The set that the bundled maps are in.
pub(super) const SET: &str = "bundled";

macro_rules! suite {
    ($($name:literal),* $(,)?) => {
        &[$((
            $name,
            include_bytes!(concat!("../../suite/maps/bundled/", $name, ".map")),
            include_bytes!(concat!("../../suite/scenarios/bundled/", $name, ".map.scen")),
        )),*]
    };
}

/// All of them; the first is what a newcomer sees.
pub fn bundled() -> &'static [Bundled] {
    suite![
        "rts-512",
        "rts-256",
        "caves-256",
        "rooms-200x150",
        "caves-333x67",
        "maze-129",
        "random-128-25",
        "harbour",
    ]
}
