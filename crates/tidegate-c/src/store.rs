//! The index as a file and as bytes.

use std::ffi::c_char;

use tidegate::Index;
use tidegate_sectors::ENGINES;

use crate::failure::{Failure, answer};
use crate::handle::{Handle, TidegateIndex, shared};
use crate::memory::{Out, array, file_name};
use crate::status::*;

/// Saves an index with its map and tables. A crash at any moment leaves the old file or the new
/// one. Tables that an edit has made stale are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_save(
    index: *const TidegateIndex,
    path: *const c_char,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let path = unsafe { file_name("path", path) }?;
        let saved = shared(index)?.save(&path);
        saved.map_err(|error| Failure::from(error).at(&path.display().to_string()))?;
        Ok(TIDEGATE_OK)
    })
}

/// Makes an index from a file that `tidegate_index_save` or the program `tidegate` made. A file
/// that is damaged, cut off or of another version is refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_load(
    path: *const c_char,
    index: *mut *mut TidegateIndex,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (path, out) = unsafe { (file_name("path", path)?, Out::one("index", index)?) };
        let opened = Index::open_with(&path, ENGINES);
        let opened =
            opened.map_err(|error| Failure::from(error).at(&path.display().to_string()))?;
        out.set(TidegateIndex::insert(opened)?);
        Ok(TIDEGATE_OK)
    })
}

/// Writes the bytes of the file of an index into memory. `length` gets their number, also where
/// `capacity` is less: then nothing else is written. With null and 0 it only tells the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_to_bytes(
    index: *const TidegateIndex,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (out, length) =
            unsafe { (Out::array("bytes", bytes, capacity)?, Out::one("length", length)?) };
        let bytes = shared(index)?.to_bytes();
        length.set(bytes.len());
        out.fill_if_wanted("bytes", bytes.iter().copied())?;
        Ok(TIDEGATE_OK)
    })
}

/// Makes an index from the bytes of its file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_index_from_bytes(
    bytes: *const u8,
    length: usize,
    index: *mut *mut TidegateIndex,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (bytes, out) = unsafe { (array("bytes", bytes, length)?, Out::one("index", index)?) };
        out.set(TidegateIndex::insert(Index::from_bytes_with(bytes, ENGINES)?)?);
        Ok(TIDEGATE_OK)
    })
}
