//! The caller's memory: every pointer is looked at before it is used.
//!
//! References to what is read live no longer than the call, and none is made to what is
//! written: arrays of the caller may overlap without harm to this side.

use std::marker::PhantomData;
use std::path::PathBuf;

use std::ffi::c_char;

use crate::failure::Failure;
use crate::status::{TIDEGATE_NULL, TIDEGATE_TOO_SMALL};

fn check<T>(what: &str, start: *const T, count: usize) -> Result<(), Failure> {
    if start.is_null() {
        return Err(Failure::new(TIDEGATE_NULL, format!("{what} is NULL")));
    }
    if !start.is_aligned() {
        return Err(Failure::argument(format!("{what} is not aligned to {}", align_of::<T>())));
    }
    let bytes = count.checked_mul(size_of::<T>()).filter(|&bytes| isize::try_from(bytes).is_ok());
    if bytes.and_then(|bytes| start.addr().checked_add(bytes)).is_none() {
        return Err(Failure::argument(format!(
            "{what}: {count} elements are more than memory has"
        )));
    }
    Ok(())
}

/// An array to read. Without elements the pointer does not matter.
///
/// # Safety
/// If it passes the checks, `start` leads to `count` elements that nobody changes while the
/// slice lives.
pub(crate) unsafe fn array<'a, T>(
    what: &str,
    start: *const T,
    count: usize,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check(what, start, count)?;
    // SAFETY: not null, aligned, not too long; the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(start, count) })
}

/// A text of at most so many bytes.
///
/// # Safety
/// A zero byte ends it, or there are as many bytes to read as it may have.
pub(crate) unsafe fn text<'a>(
    what: &str,
    start: *const c_char,
    most: usize,
) -> Result<&'a [u8], Failure> {
    check(what, start, 1)?;
    // SAFETY: the bytes before the one that is read were not zero.
    let length = (0..=most).find(|&at| unsafe { *start.add(at) } == 0);
    let length =
        length.ok_or_else(|| Failure::argument(format!("{what} has more than {most} bytes")))?;
    // SAFETY: these bytes were read just now.
    Ok(unsafe { std::slice::from_raw_parts(start.cast(), length) })
}

/// The name of a file.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn file_name(what: &str, start: *const c_char) -> Result<PathBuf, Failure> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { text(what, start, 32_768) }?;
    if bytes.is_empty() {
        return Err(Failure::argument(format!("{what} is empty")));
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Ok(std::ffi::OsStr::from_bytes(bytes).into())
    }
    #[cfg(not(unix))]
    {
        let text = std::str::from_utf8(bytes);
        text.map(PathBuf::from).map_err(|_| Failure::argument(format!("{what} is not UTF-8")))
    }
}

/// Where an answer is to be written: one value or an array.
pub(crate) struct Out<'a, T> {
    start: *mut T,
    capacity: usize,
    _caller: PhantomData<&'a mut T>,
}

impl<T: Copy> Out<'_, T> {
    /// Room for so many values. Without room the pointer does not matter.
    ///
    /// # Safety
    /// If it passes the checks, so many values may be written at `start` during the call.
    pub(crate) unsafe fn array(
        what: &str,
        start: *mut T,
        capacity: usize,
    ) -> Result<Self, Failure> {
        if capacity > 0 {
            check(what, start, capacity)?;
        }
        Ok(Out { start, capacity, _caller: PhantomData })
    }

    /// Room for one value.
    ///
    /// # Safety
    /// As for [`Out::array`].
    pub(crate) unsafe fn one(what: &str, start: *mut T) -> Result<Self, Failure> {
        check(what, start, 1)?;
        Ok(Out { start, capacity: 1, _caller: PhantomData })
    }

    /// Room for one value, or none where the caller does not want to know.
    ///
    /// # Safety
    /// As for [`Out::array`].
    pub(crate) unsafe fn optional(what: &str, start: *mut T) -> Result<Self, Failure> {
        // SAFETY: the caller's promise.
        unsafe { Self::array(what, start, usize::from(!start.is_null())) }
    }

    /// Writes the value, if it is wanted.
    #[inline]
    pub(crate) fn set(&self, value: T) {
        if self.capacity > 0 {
            // SAFETY: room for one value was promised.
            unsafe { self.start.write(value) };
        }
    }

    fn has_room(&self, what: &str, needed: usize) -> Result<(), Failure> {
        let capacity = self.capacity;
        if needed > capacity {
            let text = format!("{what} has room for {capacity}, {needed} are needed");
            return Err(Failure::new(TIDEGATE_TOO_SMALL, text));
        }
        Ok(())
    }

    /// Whether the caller asks for the length alone, by an array of no elements at null.
    fn is_length_alone(&self) -> bool {
        self.start.is_null() && self.capacity == 0
    }

    /// Why [`Out::fill_if_wanted`] would refuse so many values, if it would.
    pub(crate) fn check_room(&self, what: &str, needed: usize) -> Result<(), Failure> {
        if self.is_length_alone() { Ok(()) } else { self.has_room(what, needed) }
    }

    /// Writes all values, or none and why.
    pub(crate) fn fill(
        &self,
        what: &str,
        values: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), Failure> {
        self.has_room(what, values.len())?;
        for (n, value) in values.take(self.capacity).enumerate() {
            // SAFETY: `n` is below the capacity that was promised.
            unsafe { self.start.add(n).write(value) };
        }
        Ok(())
    }

    /// The same for a caller who may ask for the length alone, by an array of no elements at
    /// null: then nothing is written, and that is no error.
    pub(crate) fn fill_if_wanted(
        &self,
        what: &str,
        values: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), Failure> {
        if self.is_length_alone() { Ok(()) } else { self.fill(what, values) }
    }
}
