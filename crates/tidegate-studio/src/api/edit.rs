//! Changes: gates, zones, walls, and taking them back.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{JsonBody, PathParam, maps, tables};
use crate::api_error::ApiResult;
use crate::app::Studio;
use crate::document::{Document, Edit, Outcome};

/// What is to be changed, and what the page thinks is now.
#[derive(Debug, Deserialize)]
pub(crate) struct Wish {
    version: u64,
    #[serde(default)]
    dry: bool,
    #[serde(flatten)]
    edit: Edit,
}

pub(crate) async fn edit(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    JsonBody(wish): JsonBody<Wish>,
) -> ApiResult<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| match changed(&document, wish.version, &wish.edit, wish.dry) {
        // A preview that is refused while a person draws is no mistake of the page.
        Err(fault) if wish.dry && fault.is_refusal() => Ok(json!({ "refused": fault.message() })),
        value => value,
    };
    studio.bench.run(work).await.map(Json)
}

/// Makes a change and tells what became of it.
pub(crate) fn changed(
    document: &Document,
    version: u64,
    edit: &Edit,
    dry: bool,
) -> ApiResult<Value> {
    Ok(outcome(document, &document.change(version, edit, dry)?))
}

/// What a change led to.
pub(crate) fn outcome(document: &Document, outcome: &Outcome) -> Value {
    let Outcome { scene, status, gate, .. } = outcome;
    let mut value = json!(status);
    let gate = gate.and_then(|gate| scene.parts.gates().get(gate));
    let gate = gate.map(|gate| maps::gate_facts(scene, gate));
    maps::merge(
        &mut value,
        json!({
            "zones": scene.parts.zones().len(),
            "gate_count": scene.parts.gates().len(),
            "gate": gate,
            "edit": tables::edit_cost(outcome),
            "tables": tables::tables(&scene.index),
            "background": tables::background(document),
        }),
    );
    value
}
