//! Questions of every kind to one engine on a tiny map, against the [model](crate::model).

use tidegate::rng::Rng;

use crate::model::Program;

pub(super) fn run(bytes: &[u8]) {
    Program::questions_from_bytes(bytes).check();
}

/// Mostly free tiles, and every engine.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let seed = |n: u64| {
        let mut rng = Rng::new(n);
        let mut bytes: Vec<u8> = (0..48).map(|_| rng.bits() as u8).collect();
        bytes[..4].copy_from_slice(&[n as u8, 2 + (n % 7) as u8, 7, 5 + (n % 3) as u8]);
        bytes[4] = 0;
        bytes[5..13].iter_mut().for_each(|b| *b &= rng.bits() as u8);
        bytes
    };
    (0..40).map(seed).collect()
}
