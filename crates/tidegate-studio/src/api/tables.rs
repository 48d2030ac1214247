//! What became of tables and zones after an edit of the map, in words for the page.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Value, json};
use tidegate::Index;
use tidegate::decompose::ZoneId;
use tidegate::index::{Table, TableKind, TableState};

use crate::document::{Document, Outcome, Round, Scene};

/// The engines that use a table and have all others that they want, be they behind or not.
fn engines_of(kind: &TableKind, index: &Index) -> Vec<&'static str> {
    let uses = |tables: &[&TableKind]| {
        tables.iter().any(|table| table.tag == kind.tag)
            && tables.iter().all(|table| index.table_state(table).is_some())
    };
    let engines = tidegate_sectors::ENGINES.iter().filter(|engine| uses(engine.tables()));
    engines.map(|engine| engine.name()).collect()
}

/// All tables but zones and gates, which are always up to date, and how they stand to the map.
pub(crate) fn tables(index: &Index) -> Value {
    let zones = tidegate::Decomposition::KIND.tag;
    let one = |(kind, state): (&'static TableKind, TableState)| json!({ "name": kind.name, "engines": engines_of(kind, index), "state": state.to_string() });
    index.table_states().filter(|(kind, _)| kind.tag != zones).map(one).collect()
}

/// Whether tables are built again in the background, and what came of it the last time.
pub(crate) fn background(document: &Document) -> Value {
    let pending = document.tend();
    let (working, Round { number, seconds, built, failed }) = document.rounds();
    let index = document.index();
    let failed = failed.iter().map(|(kind, why)| json!({ "table": kind.name, "why": why }));
    json!({
        "pending": pending,
        "working": working,
        "round": number,
        "seconds": seconds,
        "built": built.iter().flat_map(|kind| engines_of(kind, &index)).collect::<BTreeSet<_>>(),
        "failed": failed.collect::<Vec<_>>(),
    })
}

/// What an edit of the walls took and did; nothing if walls were not edited.
pub(crate) fn edit_cost(outcome: &Outcome) -> Option<Value> {
    let Outcome { before, scene, cost, .. } = outcome;
    let cost = cost.as_ref()?;
    let edit = &cost.report.edit;
    let zones = cost.report.zones();
    // Zones that were there before have the numbers of before, be they gone or not.
    let number = |id: ZoneId| before.zone_number(id).or_else(|| scene.zone_number(id));
    let pairs = |list: &[(ZoneId, ZoneId)]| -> Vec<(u32, u32)> {
        list.iter().filter_map(|&(from, into)| Some((number(from)?, number(into)?))).collect()
    };
    let (came, went) = (missing(scene, before), missing(before, scene));
    Some(json!({
        "tiles": edit.walls().len(),
        "closed": edit.closed().len(),
        "opened": edit.opened().len(),
        "revision": cost.report.revision,
        "micros": cost.micros,
        "came": came.0,
        "went": went.0,
        "split": pairs(&zones.split),
        "merged": pairs(&zones.merged),
        "gates_came": came.1,
        "gates_went": went.1,
    }))
}

/// The numbers of zones and gates of one state that another has not.
fn missing(of: &Scene, other: &Scene) -> (Vec<u32>, Vec<u32>) {
    let zones = |scene: &Scene| -> Vec<u32> {
        (0..scene.parts.zones().len()).map(|id| scene.numbers.zone(id)).collect()
    };
    let gates = |scene: &Scene| -> Vec<u32> {
        (0..scene.parts.gates().len()).map(|id| scene.numbers.gate(id)).collect()
    };
    let without = |all: Vec<u32>, known: Vec<u32>| -> Vec<u32> {
        let known: HashSet<u32> = known.into_iter().collect();
        all.into_iter().filter(|number| !known.contains(number)).collect()
    };
    (without(zones(of), zones(other)), without(gates(of), gates(other)))
}
