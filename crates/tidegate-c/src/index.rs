//! Making an index and asking what map it holds.

use std::ffi::c_char;

use tidegate::cost::Factor;
use tidegate::grid::map_file::LetterCosts;
use tidegate::grid::{TileMap, check_size};
use tidegate::{CellId, Grid, Index, Movement};

use crate::failure::{Failure, answer};
use crate::handle::{Handle, TidegateIndex, shared};
use crate::memory::{Out, array, file_name, text};
use crate::status::*;

/// Eight neighbours; a diagonal step needs both tiles beside it free.
pub const TIDEGATE_NO_CORNER_CUTTING: u32 = 0;
/// Eight neighbours; a diagonal step needs one of the tiles beside it free.
pub const TIDEGATE_ONE_SIDE_FREE: u32 = 1;
/// Four neighbours.
pub const TIDEGATE_FOUR_CONNECTED: u32 = 2;

/// No file of a map is longer, in bytes: the largest map with ends of lines.
const LONGEST_MAP_FILE: u64 = 1 << 30;

pub(crate) fn movement(number: u32) -> Result<Movement, Failure> {
    let rule = Movement::ALL.get(number as usize).copied();
    rule.ok_or_else(|| Failure::argument(format!("movement {number} is not one of 0, 1, 2")))
}

/// Makes an index from a map in memory. `free` has one byte a tile, row by row from the top left
/// tile, not 0 where the tile can be entered; `count` is its length and must be `width * height`.
/// `factors` may be null; else it has as many cost factors in hundredths: 100 is ordinary ground,
/// 150 costs half as much again, less than 100 is an error. `movement` is
/// `TIDEGATE_NO_CORNER_CUTTING` or another rule. Both arrays are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_new(
    free: *const u8,
    count: usize,
    width: u32,
    height: u32,
    movement: u32,
    factors: *const u16,
    index: *mut *mut TidegateIndex,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("index", index) }?;
        let movement = self::movement(movement)?;
        check_size(width.into(), height.into())
            .map_err(|error| Failure::argument(error.to_string()))?;
        if count != width as usize * height as usize {
            let text = format!("a map of {width} x {height} tiles has not {count} of them");
            return Err(Failure::argument(text));
        }
        // SAFETY: the caller's promise.
        let free = unsafe { array("free", free, count) }?;
        let at = |x: u32, y: u32| free[y as usize * width as usize + x as usize] != 0;
        let grid = Grid::from_fn(width, height, movement, at)
            .map_err(|error| Failure::argument(error.to_string()))?;
        let grid = if factors.is_null() {
            grid
        } else {
            // SAFETY: the caller's promise.
            grid.with_factors(factors_of(unsafe { array("factors", factors, count) }?, width)?)
        };
        out.set(TidegateIndex::insert(Index::new(grid))?);
        Ok(TIDEGATE_OK)
    })
}

fn factors_of(factors: &[u16], width: u32) -> Result<Vec<Factor>, Failure> {
    let factor = |(n, &hundredths): (usize, &u16)| {
        Factor::from_hundredths(hundredths).ok_or_else(|| {
            let (x, y) = (n % width as usize, n / width as usize);
            Failure::argument(format!("factor {hundredths} of tile {x},{y} is below 100"))
        })
    };
    factors.iter().enumerate().map(factor).collect()
}

/// Makes an index from the file of a map: `.map` of Moving AI, a PNG, or plain text (`.txt`).
/// `costs` may be null; else it says what letters cost, such as "S=1.5,W=inf".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_read_map(
    path: *const c_char,
    movement: u32,
    costs: *const c_char,
    index: *mut *mut TidegateIndex,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (path, out) = unsafe { (file_name("path", path)?, Out::one("index", index)?) };
        let movement = self::movement(movement)?;
        let costs = if costs.is_null() {
            LetterCosts::default()
        } else {
            // SAFETY: the caller's promise.
            let list = unsafe { text("costs", costs, 4096) }?;
            let list = std::str::from_utf8(list);
            let list = list.map_err(|_| Failure::argument("costs is not UTF-8"))?;
            LetterCosts::parse(list).map_err(|error| Failure::argument(error.to_string()))?
        };
        let place = path.display().to_string();
        let bytes =
            read(&path).map_err(|error| Failure::new(TIDEGATE_IO, error.to_string()).at(&place))?;
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let map = TileMap::read_any(&bytes, ending)
            .map_err(|error| Failure::new(TIDEGATE_BAD_FILE, error.to_string()).at(&place))?;
        out.set(TidegateIndex::insert(Index::new(map.grid_with(movement, &costs)))?);
        Ok(TIDEGATE_OK)
    })
}

fn read(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LONGEST_MAP_FILE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Another index of the same map with the same tables. What both have is shared, so this costs
/// next to nothing; edits of one do not reach the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_clone(
    index: *const TidegateIndex,
    clone: *mut *mut TidegateIndex,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("clone", clone) }?;
        let copy = shared(index)?.clone();
        out.set(TidegateIndex::insert(copy)?);
        Ok(TIDEGATE_OK)
    })
}

/// Frees an index. Null is no error; one that another thread uses is busy and stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_free(index: *mut TidegateIndex) -> TidegateStatus {
    answer(|| TidegateIndex::free(index))
}

/// The map of an index in numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct TidegateMapInfo {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The rule of movement: `TIDEGATE_NO_CORNER_CUTTING` or another.
    pub movement: u32,
    /// Whether some ground costs more than other ground: 0 or 1.
    pub has_factors: u32,
    /// How many tiles can be entered.
    pub free_tiles: u64,
    /// How many edits there were.
    pub revision: u64,
}

/// Tells about the map of an index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_info(
    index: *const TidegateIndex,
    info: *mut TidegateMapInfo,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("info", info) }?;
        let index = shared(index)?;
        let grid = index.grid();
        out.set(TidegateMapInfo {
            width: grid.width(),
            height: grid.height(),
            movement: grid.movement() as u32,
            has_factors: grid.factors().is_some().into(),
            free_tiles: grid.free_tiles() as u64,
            revision: index.revision(),
        });
        Ok(TIDEGATE_OK)
    })
}

/// Copies the map as it is now: one byte a tile, row by row, 1 where it can be entered. `count`
/// must be the number of tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_tiles(
    index: *const TidegateIndex,
    free: *mut u8,
    count: usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::array("free", free, count) }?;
        let index = shared(index)?;
        let grid = index.grid();
        all_tiles(grid, count)?;
        let is_free = |n| u8::from(grid.is_free_cell(CellId::from_index(n)));
        out.fill("free", (0..grid.tiles()).map(is_free))?;
        Ok(TIDEGATE_OK)
    })
}

/// Refuses an array that has not one element for every tile.
pub(crate) fn all_tiles(grid: &Grid, count: usize) -> Result<(), Failure> {
    if count == grid.tiles() {
        return Ok(());
    }
    let (width, height) = (grid.width(), grid.height());
    Err(Failure::argument(format!("a map of {width} x {height} tiles has not {count} of them")))
}
