//! Edits of zones, gates and tiles: after each one, all is as if made from scratch.

use tidegate::decompose::{Decomposition, EditError, Editor, GateEnd, GateId, ZoneId};
use tidegate::hpa::{Hpa, Options, Placement};
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Scratch, Tile, engine};

use super::Bytes;
use crate::model::Program;
use crate::{maps, properties};

/// The most edits of one input.
const EDITS: usize = 5;

pub(super) fn run(bytes: &[u8]) {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    match kind % 4 {
        0 => zones(&mut Bytes(rest)),
        1 => tiles(&mut Bytes(rest)),
        _ => drop(Program::edits_from_bytes(rest).check()),
    }
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let seed = |n: u64| {
        let mut rng = Rng::new(n);
        let mut bytes: Vec<u8> = (0..64).map(|_| rng.bits() as u8).collect();
        // Mostly free tiles.
        bytes[0] = n as u8;
        bytes[4..14].iter_mut().for_each(|b| *b &= rng.bits() as u8);
        bytes
    };
    (0..40).map(seed).collect()
}

/// Edits of a decomposition, against one made from the same gates alone.
fn zones(bytes: &mut Bytes<'_>) {
    let grid = &bytes.grid(8);
    let first = match bytes.below(2) {
        0 => Decomposition::from_gates(grid, []).expect("no gates"),
        _ => Decomposition::water(grid, &Default::default()),
    };
    let before = first.to_json(grid);
    let mut editor = Editor::new(grid, first).expect("made for it");
    for _ in 0..EDITS {
        if bytes.is_empty() {
            break;
        }
        let _ = edit(&mut editor, grid, &mut |n| bytes.below(n));
        is_as_made_from_scratch(grid, editor.decomposition());
    }
    let engines = [engine::DEAD_END, engine::GATEWAY, engine::GATEWAY_2WAY, engine::PORTAL];
    let engine = engines[bytes.below(4)];
    answers(grid, editor.decomposition(), &[engine], &mut |n| bytes.below(n), 1);
    while editor.undo() {}
    assert_eq!(editor.decomposition().to_json(grid), before, "undone\n{grid:?}");
}

/// One edit; `below(n)` chooses a number below `n`.
fn edit(
    editor: &mut Editor<'_>,
    grid: &Grid,
    below: &mut impl FnMut(usize) -> usize,
) -> Result<(), EditError> {
    let gates = editor.decomposition().gates().len();
    let zones = editor.decomposition().zones().len();
    let kind = below(8);
    let gate = GateId::from_index(below(gates + 1));
    let mut tile = || {
        let x = below(grid.width() as usize + 1);
        Tile::new(x as u16, below(grid.height() as usize + 1) as u16)
    };
    match kind {
        0..=2 => editor.add_gate(tile(), tile()).map(drop),
        3 => editor.move_end(gate, if tile().x % 2 == 0 { GateEnd::A } else { GateEnd::B }, tile()),
        4 => editor.remove_gate(gate),
        5 => match editor.decomposition().gates().get(gate.index()).map(|gate| gate.zones()) {
            Some(&[a, b, ..]) => editor.merge_zones(a, b),
            _ => editor.merge_zones(ZoneId::from_index(0), ZoneId::from_index(below(zones + 1))),
        },
        6 => editor.split_zone(ZoneId::from_index(below(zones + 1))).map(drop),
        _ => {
            let _ = if below(3) == 0 { editor.redo() } else { editor.undo() };
            Ok(())
        }
    }
}

fn is_as_made_from_scratch(grid: &Grid, now: &Decomposition) {
    now.check(grid).unwrap_or_else(|v| panic!("{v}\n{grid:?}"));
    let fresh = Decomposition::from_gates(grid, now.lines()).expect("the gates were accepted");
    assert_eq!(
        (now.zones(), now.gates()),
        (fresh.zones(), fresh.gates()),
        "made from scratch\n{grid:?}"
    );
    let places = |parts: &Decomposition| -> Vec<_> {
        grid.free_cells().map(|cell| parts.place(cell)).collect()
    };
    assert_eq!(places(now), places(&fresh), "made from scratch\n{grid:?}");
}

/// Puts some queries to engines that rest on zones and gates.
fn answers(
    grid: &Grid,
    parts: &Decomposition,
    engines: &[&dyn engine::Engine],
    below: &mut impl FnMut(usize) -> usize,
    queries: usize,
) {
    let free: Vec<Tile> = grid.free_cells().map(|cell| grid.tile(cell)).collect();
    if free.is_empty() {
        return;
    }
    let mut index = Index::new(grid.clone());
    index.set_decomposition(parts.clone()).expect("made for it");
    let mut scratch = Scratch::new();
    for &engine in engines {
        assert_eq!(properties::prepare(&mut index, engine), Ok(true), "uniform ground");
        for _ in 0..queries {
            let (start, goal) = (free[below(free.len())], free[below(free.len())]);
            properties::answers_as_oracle(&index, engine, start, goal, &mut scratch)
                .unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

/// Edits of tiles, against a graph of clusters built from scratch.
fn tiles(bytes: &mut Bytes<'_>) {
    let mut grid = bytes.grid(8);
    let options = Options {
        cluster: 1 + bytes.below(6) as u32,
        factor: 2 + bytes.below(2) as u32,
        levels: Some(1 + bytes.below(3) as u32),
        placement: match bytes.below(2) {
            0 => Placement::Spread { wide: 3, gap: 2 },
            _ => Placement::MiddleOrEnds { wide: 4, inset: 1 },
        },
        prune: bytes.below(2) == 0,
        keep_ways: bytes.below(2) == 0,
        ..Options::default()
    };
    let mut hpa = Hpa::build(&grid, &options).expect("sensible options");
    for _ in 0..EDITS {
        if bytes.is_empty() {
            break;
        }
        let mut changed = Vec::new();
        for _ in 0..=bytes.below(3) {
            let tile = bytes.tile(&grid);
            let free = !grid.is_free(tile);
            grid.set_free(tile, free);
            changed.push(tile);
        }
        hpa.repair(&grid, &changed);
        let fresh = Hpa::build(&grid, &options).expect("sensible options");
        assert!(hpa.same_graph(&fresh), "{changed:?} {options:?}\n{grid:?}");
    }
    properties::legal_steps(&grid).unwrap_or_else(|e| panic!("{e}"));
    hpa.check(&grid).unwrap_or_else(|e| panic!("{e} {options:?}\n{grid:?}"));
}

/// Many edits of one decomposition: valid after each, as made from scratch and answering as the
/// oracle after every `every`-th. Returns how many were accepted.
pub fn soak(seed: u64, edits: usize, every: usize, queries: usize) -> usize {
    let mut rng = Rng::new(seed);
    let grid = maps::small(seed, tidegate::Movement::ALL[seed as usize % 3]);
    let plain = Decomposition::from_gates(&grid, []).expect("no gates");
    let mut editor = Editor::new(&grid, plain).expect("made for it");
    let mut accepted = 0;
    for n in 1..=edits {
        accepted += usize::from(edit(&mut editor, &grid, &mut |n| rng.below(n)).is_ok());
        let now = editor.decomposition();
        now.check(&grid).unwrap_or_else(|v| panic!("seed {seed}, edit {n}: {v}\n{grid:?}"));
        if n % every == 0 {
            is_as_made_from_scratch(&grid, now);
            let engines = [engine::DEAD_END, engine::GATEWAY, engine::GATEWAY_2WAY, engine::PORTAL];
            answers(&grid, now, &engines, &mut |n| rng.below(n), queries.div_ceil(4));
        }
    }
    accepted
}
