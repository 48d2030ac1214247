//! Changes of the map: as a list, as a typed array, as costs.

use js_sys::Array;
use tidegate::cost::Factor;
use tidegate::index::{Change, EditError, EditReport};
use tidegate::{CellId, Grid, Tile};
use wasm_bindgen::JsValue;

use crate::arrays::{self, shown};
use crate::errors::{JsResult, array_error, coordinate_error};
use crate::object::object;

/// What an edit has done, as an object.
pub(crate) fn report(done: Result<EditReport, EditError>) -> JsResult<JsValue> {
    let report = done.map_err(coordinate_error)?;
    let tiles = |tiles: &[Tile]| arrays::pairs(tiles.iter().copied()).into();
    let rebuild = report.want_rebuild().map(|kind| JsValue::from(kind.name)).collect::<Array>();
    Ok(object([
        ("revision", (report.revision as f64).into()),
        ("closed", tiles(report.edit.closed())),
        ("opened", tiles(report.edit.opened())),
        ("wantRebuild", rebuild.into()),
    ]))
}

/// The changes that the argument of `edit` names.
pub(crate) fn changes(grid: &Grid, changes: &JsValue) -> JsResult<Vec<Change>> {
    let Some(list) = arrays::copied_list(changes, "changes")? else {
        let numbers = arrays::numbers(changes, "changes")?;
        if numbers.len() % 3 != 0 {
            let count = numbers.len();
            return Err(array_error(format_args!(
                "changes must hold x, y and 0 or 1 of each tile, one after the other, not {count} numbers"
            )));
        }
        let threes = numbers.chunks_exact(3).enumerate();
        return threes
            .map(|(n, three)| change(grid, n, three[0], three[1], &three[2].into()))
            .collect();
    };
    list.iter()
        .enumerate()
        .map(|(n, item)| {
            let parts = arrays::copied_list(&item, "a change")?.filter(|item| item.length() == 3);
            let wrong = || {
                array_error(format_args!("changes[{n}] must be [x, y, free], not {}", shown(&item)))
            };
            let parts = parts.ok_or_else(wrong)?;
            let (x, y) = (parts.get(0).as_f64(), parts.get(1).as_f64());
            let (x, y) = x.zip(y).ok_or_else(wrong)?;
            change(grid, n, x, y, &parts.get(2))
        })
        .collect()
}

fn change(grid: &Grid, n: usize, x: f64, y: f64, free: &JsValue) -> JsResult<Change> {
    let name = format!("changes[{n}]");
    let tile = arrays::tile(grid, x, y, &name)?;
    match free.as_bool().or_else(|| free.as_f64().and_then(truth)) {
        Some(true) => Ok(Change::free(tile)),
        Some(false) => Ok(Change::wall(tile)),
        None => {
            let got = shown(free);
            Err(array_error(format_args!("{name}: free must be true or false, not {got}")))
        }
    }
}

fn truth(number: f64) -> Option<bool> {
    (number == 0.0 || number == 1.0).then_some(number == 1.0)
}

/// The changes that give every tile its cost.
pub(crate) fn costs(grid: &Grid, costs: &JsValue) -> JsResult<Vec<Change>> {
    let factors = arrays::factors(grid, costs, "costs")?;
    let place = |(cell, factor): (usize, Factor)| (grid.tile(CellId::from_index(cell)), factor);
    let new = |&(tile, factor): &(Tile, Factor)| grid.factor(tile) != factor;
    let changed = factors.into_iter().enumerate().map(place).filter(new);
    Ok(changed.map(|(tile, factor)| Change::factor(tile, factor)).collect())
}
