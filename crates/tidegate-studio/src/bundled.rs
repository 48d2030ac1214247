//! The maps that the program carries, with their problems.

/// Name, map file and scenario file of a bundled map.
pub type Bundled = (&'static str, &'static [u8], &'static [u8]);

macro_rules! suite {
    ($($name:literal),* $(,)?) => {
        &[$((
            $name,
            include_bytes!(concat!("../../../testdata/suite/maps/bundled/", $name, ".map")),
            include_bytes!(concat!("../../../testdata/suite/scenarios/bundled/", $name, ".map.scen")),
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
