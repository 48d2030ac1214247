//! The README and the guides: their code is compiled and run with the tests.
#![cfg(doctest)]

#[doc = include_str!("../../../README.md")]
struct Readme;
#[doc = include_str!("../../../docs/guide-games.md")]
struct Games;
#[doc = include_str!("../../../docs/guide-bots.md")]
struct Bots;
#[doc = include_str!("../../../docs/guide-research.md")]
struct Research;
#[doc = include_str!("../../../docs/decomposition.md")]
struct Zones;
#[doc = include_str!("../../../docs/any-angle.md")]
struct AnyAngle;
#[doc = include_str!("../../../docs/guide-bwapi.md")]
struct Bwapi;
