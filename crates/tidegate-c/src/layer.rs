//! Cost layers: what tiles cost more for a time.

use tidegate::CostLayer;
use tidegate::cost::Extra;
use tidegate::grid::Area;

use crate::failure::{Failure, answer};
use crate::handle::{Handle, TidegateIndex, TidegateLayer, exclusive, shared};
use crate::memory::{Out, array};
use crate::status::*;
use crate::tile::TidegateTile;

/// Makes a layer for maps of the size of this index's, which adds nothing yet. It is named in a
/// `TidegateQuery` or `TidegateFieldQuery`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_layer_new(
    index: *const TidegateIndex,
    layer: *mut *mut TidegateLayer,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("layer", layer) }?;
        let made = CostLayer::new(shared(index)?.grid());
        out.set(TidegateLayer::insert(made)?);
        Ok(TIDEGATE_OK)
    })
}

/// Frees a layer. Null is no error; one that a query uses is busy and stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_layer_free(layer: *mut TidegateLayer) -> TidegateStatus {
    answer(|| TidegateLayer::free(layer))
}

fn check_radius(radius: f64) -> Result<(), Failure> {
    if radius >= 0.0 && radius.is_finite() {
        return Ok(());
    }
    Err(Failure::argument(format!("a radius of {radius} is none")))
}

/// Adds to the cost factor of every tile at most `radius` tiles from the centre, in hundredths: 100 makes
/// ordinary ground cost twice. What lies outside the map is left out; sums end at 65535.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_layer_add(
    layer: *mut TidegateLayer,
    centre: TidegateTile,
    radius: f64,
    hundredths: u16,
) -> TidegateStatus {
    answer(|| {
        check_radius(radius)?;
        exclusive(layer)?.add(&Area::disc(centre, radius), Extra::from_hundredths(hundredths));
        Ok(TIDEGATE_OK)
    })
}

/// The same, with all of it in the centre and less towards the rim, where nothing is added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_layer_add_falling(
    layer: *mut TidegateLayer,
    centre: TidegateTile,
    radius: f64,
    hundredths: u16,
) -> TidegateStatus {
    answer(|| {
        check_radius(radius)?;
        exclusive(layer)?.add_falling(centre, radius, Extra::from_hundredths(hundredths));
        Ok(TIDEGATE_OK)
    })
}

/// Adds a value to each tile, row by row, in hundredths. `count` must be the number of tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_layer_add_each(
    layer: *mut TidegateLayer,
    hundredths: *const u16,
    count: usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let values = unsafe { array("hundredths", hundredths, count) }?;
        let mut layer = exclusive(layer)?;
        let extras: Vec<Extra> =
            values.iter().map(|&value| Extra::from_hundredths(value)).collect();
        layer.add_each(&extras).map_err(|error| Failure::argument(error.to_string()))?;
        Ok(TIDEGATE_OK)
    })
}

/// Leaves a fraction of what was added, from 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_layer_fade(
    layer: *mut TidegateLayer,
    keep: f64,
) -> TidegateStatus {
    answer(|| {
        if !(0.0..=1.0).contains(&keep) {
            return Err(Failure::argument(format!("{keep} is not from 0 to 1")));
        }
        exclusive(layer)?.fade(keep);
        Ok(TIDEGATE_OK)
    })
}

/// Forgets everything that was added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_layer_clear(layer: *mut TidegateLayer) -> TidegateStatus {
    answer(|| {
        exclusive(layer)?.clear();
        Ok(TIDEGATE_OK)
    })
}

/// Writes what is added to each tile, row by row, in hundredths. `count` must be the number of tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_layer_values(
    layer: *const TidegateLayer,
    hundredths: *mut u16,
    count: usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::array("hundredths", hundredths, count) }?;
        let layer = shared(layer)?;
        let added = layer.added();
        if added.len() != count {
            let text = format!("the layer has {} tiles, not {count}", added.len());
            return Err(Failure::argument(text));
        }
        out.fill("hundredths", added.iter().map(|extra| extra.hundredths()))?;
        Ok(TIDEGATE_OK)
    })
}
