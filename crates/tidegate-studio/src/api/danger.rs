//! Danger that a page lays over a map: discs that come with the question, so that nothing is
//! kept here.

use tidegate::cost::Extra;
use tidegate::grid::{Area, CostLayer};
use tidegate::{Grid, Tile};

use crate::api_error::{ApiError, ApiResult};

/// The most discs of one question.
const MAX_DISCS: usize = 256;
/// The largest radius of a disc.
const MAX_RADIUS: f64 = 256.0;

/// A disc: column and row of its middle, its radius in tiles, and what it adds to the cost of
/// each of its tiles.
pub(crate) type Disc = (u16, u16, f64, f64);

/// Discs in a query string, as `X,Y,RADIUS,STRENGTH;…`.
pub(crate) fn discs_in(text: &str) -> ApiResult<Vec<Disc>> {
    let disc = |text: &str| {
        let mut parts = text.split(',').map(str::trim);
        let (x, y) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let (radius, strength) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        parts.next().is_none().then_some((x, y, radius, strength))
    };
    let wrong = || ApiError::bad_request("a disc is written as X,Y,RADIUS,STRENGTH");
    let parts = text.split(';').filter(|part| !part.is_empty());
    parts.map(|part| disc(part).ok_or_else(wrong)).collect()
}

/// The layer that discs make on a map; `None` without any.
pub(crate) fn layer(grid: &Grid, discs: &[Disc]) -> ApiResult<Option<CostLayer>> {
    if discs.is_empty() {
        return Ok(None);
    }
    if discs.len() > MAX_DISCS {
        let message = format!("{} discs of danger; at most {MAX_DISCS} are taken", discs.len());
        return Err(ApiError::refused(message));
    }
    let mut layer = CostLayer::new(grid);
    for &(x, y, radius, strength) in discs {
        let refuse =
            |what: &str| ApiError::refused(format!("the disc of danger at {x}, {y}: {what}"));
        if !(0.0..=MAX_RADIUS).contains(&radius) {
            return Err(refuse(&format!("its radius must be from 0 to {MAX_RADIUS}")));
        }
        let extra = Extra::new(strength);
        let extra = extra.ok_or_else(|| refuse("its strength must be from 0 to 655.35"))?;
        layer.add(&Area::disc(Tile::new(x, y), radius), extra);
    }
    Ok(Some(layer))
}
