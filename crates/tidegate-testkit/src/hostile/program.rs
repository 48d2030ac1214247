//! Whole programs, against the [model](crate::model).

use tidegate::rng::Rng;

use crate::model::Program;

pub(super) fn run(bytes: &[u8]) {
    Program::from_bytes(bytes).check();
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let seed = |n: u64| {
        let mut rng = Rng::new(n);
        let mut bytes: Vec<u8> = (0..40 + 3 * n).map(|_| rng.bits() as u8).collect();
        bytes[0] = n as u8;
        bytes
    };
    (0..64).map(seed).collect()
}
