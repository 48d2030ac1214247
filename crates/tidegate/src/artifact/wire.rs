//! Numbers as bytes: explicit little-endian, and a reader that trusts nothing.
//!
//! The reader never reads past its section and never allocates more than the section
//! could fill: a count is checked against the bytes that are left before anything is
//! reserved for it.
#![deny(clippy::arithmetic_side_effects)]
#![warn(clippy::arithmetic_side_effects)]

use std::io::{self, Write as _};

use super::NewFile;
use crate::cost::Cost;

/// Why the bytes of a section mean nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The section ends too early.
    #[error("it ends at byte {at}, in the middle of {what}")]
    Short {
        /// Where.
        at: usize,
        /// What was being read.
        what: &'static str,
    },
    /// Bytes are left over.
    #[error("{left} bytes are left over")]
    Trailing {
        /// How many.
        left: usize,
    },
    /// A value makes no sense here.
    #[error("{0}")]
    Meaning(String),
}

impl WireError {
    /// A value that makes no sense, in words.
    pub fn meaning(why: impl Into<String>) -> WireError {
        WireError::Meaning(why.into())
    }
}

/// How many bytes wait before they go where they are meant to go.
const BUFFER: usize = 1 << 16;
/// How many numbers are made bytes at a time.
const PIECE: usize = 1 << 13;

/// Writes the numbers of one section: into memory, or through a small buffer into a file.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
    /// Where full buffers go; without it all stays in memory.
    sink: Option<Sink>,
}

#[derive(Debug)]
enum Sink {
    /// Nowhere: only their sum and number matter.
    Sum(crc32fast::Hasher, u64),
    /// Into a file, until something goes wrong.
    File(NewFile, io::Result<()>),
}

impl Writer {
    /// Nothing yet.
    pub fn new() -> Writer {
        Writer::default()
    }

    /// Keeps nothing and counts everything, for [`Writer::into_sum`].
    pub(super) fn for_sum() -> Writer {
        Writer { sink: Some(Sink::Sum(crc32fast::Hasher::new(), 0)), ..Writer::default() }
    }

    /// Writes into a file, for [`Writer::into_file`].
    pub(super) fn for_file(file: NewFile) -> Writer {
        Writer { sink: Some(Sink::File(file, Ok(()))), ..Writer::default() }
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The checksum and the number of the bytes written.
    pub(super) fn into_sum(mut self) -> (u32, u64) {
        self.flush();
        match self.sink {
            Some(Sink::Sum(sum, count)) => (sum.finalize(), count),
            _ => (crc32fast::hash(&self.bytes), self.bytes.len() as u64),
        }
    }

    /// The file with everything in it, or what went wrong.
    pub(super) fn into_file(mut self) -> io::Result<Option<NewFile>> {
        self.flush();
        match self.sink {
            Some(Sink::File(file, written)) => written.map(|()| Some(file)),
            _ => Ok(None),
        }
    }

    /// Makes room for so many bytes, where they stay in memory.
    pub(super) fn reserve(&mut self, count: usize) {
        if self.sink.is_none() {
            self.bytes.reserve_exact(count);
        }
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= BUFFER && self.sink.is_some() {
            self.flush();
        }
    }

    /// Empties the buffer.
    fn flush(&mut self) {
        match &mut self.sink {
            None => return,
            Some(Sink::Sum(sum, count)) => {
                sum.update(&self.bytes);
                *count = count.saturating_add(self.bytes.len() as u64);
            }
            Some(Sink::File(file, written)) => {
                if written.is_ok() {
                    *written = file.write_all(&self.bytes);
                }
            }
        }
        self.bytes.clear();
    }

    /// The bytes of many numbers, a piece at a time.
    fn put_all<T: Copy, const N: usize>(&mut self, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
        for piece in values.chunks(PIECE) {
            self.bytes.extend(piece.iter().flat_map(|&value| bytes(value)));
            self.put(&[]);
        }
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.put(&[value]);
    }

    /// Two bytes.
    pub fn u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        bytes.chunks(BUFFER).for_each(|piece| self.put(piece));
    }

    /// Numbers of four bytes, without their count.
    pub(crate) fn raw_u32s(&mut self, values: &[u32]) {
        self.put_all(values, u32::to_le_bytes);
    }

    /// A count and so many numbers of two bytes.
    pub fn u16s(&mut self, values: &[u16]) {
        self.u64(values.len() as u64);
        self.put_all(values, u16::to_le_bytes);
    }

    /// A count and so many numbers of four bytes.
    pub fn u32s(&mut self, values: &[u32]) {
        self.u64(values.len() as u64);
        self.raw_u32s(values);
    }

    /// A count and so many costs, as [`Writer::u32s`] writes their units.
    pub fn costs(&mut self, costs: &[Cost]) {
        self.u64(costs.len() as u64);
        self.put_all(costs, |cost| cost.get().to_le_bytes());
    }
}

/// Reads the numbers of one section.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    /// Bytes of the section.
    length: usize,
    /// Those not read yet.
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader at the first byte.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { length: bytes.len(), rest: bytes }
    }

    /// Bytes not read yet.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next `count` bytes.
    pub fn raw(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], WireError> {
        let parts = self.rest.split_at_checked(count);
        let (bytes, rest) = parts.ok_or(WireError::Short { at: self.length, what })?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], WireError> {
        let mut array = [0; N];
        array.copy_from_slice(self.raw(N, what)?);
        Ok(array)
    }

    /// One byte.
    pub fn u8(&mut self, what: &'static str) -> Result<u8, WireError> {
        Ok(u8::from_le_bytes(self.array(what)?))
    }

    /// Two bytes.
    pub fn u16(&mut self, what: &'static str) -> Result<u16, WireError> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    /// Four bytes.
    pub fn u32(&mut self, what: &'static str) -> Result<u32, WireError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// Eight bytes.
    pub fn u64(&mut self, what: &'static str) -> Result<u64, WireError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    /// A count of things that take at least `bytes_each` bytes apiece in what is left.
    pub fn count(&mut self, bytes_each: usize, what: &'static str) -> Result<usize, WireError> {
        let count = self.u64(what)?;
        let all = usize::try_from(count).ok().and_then(|n| n.checked_mul(bytes_each));
        match all {
            Some(all) if all <= self.left() => Ok(count as usize),
            _ => Err(WireError::Short { at: self.length, what }),
        }
    }

    /// A count and so many numbers of two bytes.
    pub fn u16s(&mut self, what: &'static str) -> Result<Vec<u16>, WireError> {
        let count = self.count(2, what)?;
        let bytes = self.raw(count.saturating_mul(2), what)?;
        Ok(bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect())
    }

    /// A count and so many numbers of four bytes.
    pub fn u32s(&mut self, what: &'static str) -> Result<Vec<u32>, WireError> {
        let count = self.count(4, what)?;
        let bytes = self.raw(count.saturating_mul(4), what)?;
        Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    /// A table of costs whose size is known beforehand.
    pub fn cost_table(
        &mut self,
        rows: usize,
        columns: usize,
        what: &'static str,
    ) -> Result<Vec<Cost>, WireError> {
        let values = self.u32s(what)?;
        if Some(values.len()) != rows.checked_mul(columns) {
            let why = format!("{what}: {} values instead of {rows} x {columns}", values.len());
            return Err(WireError::Meaning(why));
        }
        Ok(values.into_iter().map(Cost::new).collect())
    }

    /// Everything that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        let count = self.left();
        self.raw(count, "rest").unwrap_or_default()
    }

    /// That nothing is left.
    pub fn finish(self) -> Result<(), WireError> {
        match self.left() {
            0 => Ok(()),
            left => Err(WireError::Trailing { left }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::STRAIGHT;

    #[test]
    fn what_was_written_is_read_back() {
        let mut out = Writer::new();
        out.u8(7);
        out.u16(513);
        out.u32(70_000);
        out.u64(1 << 40);
        out.u16s(&[1, 2]);
        out.u32s(&[3, u32::MAX]);
        out.costs(&[STRAIGHT, Cost::ZERO]);
        let bytes = out.into_bytes();
        assert_eq!(bytes[1..3], [1, 2], "little-endian");
        let mut from = Reader::new(&bytes);
        assert_eq!(from.u8("a"), Ok(7));
        assert_eq!(from.u16("b"), Ok(513));
        assert_eq!(from.u32("c"), Ok(70_000));
        assert_eq!(from.u64("d"), Ok(1 << 40));
        assert_eq!(from.u16s("e"), Ok(vec![1, 2]));
        assert_eq!(from.u32s("f"), Ok(vec![3, u32::MAX]));
        assert_eq!(from.cost_table(1, 2, "g"), Ok(vec![STRAIGHT, Cost::ZERO]));
        assert_eq!(from.finish(), Ok(()));
    }

    /// On machines of 32 bits a table of 65,536 gates has as many entries as one of none.
    #[test]
    fn a_table_has_the_size_that_is_said() {
        let mut out = Writer::new();
        out.costs(&[]);
        let bytes = out.into_bytes();
        assert_eq!(Reader::new(&bytes).cost_table(0, 7, "x"), Ok(Vec::new()));
        for (rows, columns) in [(1, 1), (1 << (usize::BITS / 2), 1 << (usize::BITS / 2))] {
            let read = Reader::new(&bytes).cost_table(rows, columns, "x");
            assert!(matches!(read, Err(WireError::Meaning(_))), "{rows} x {columns}");
        }
    }

    #[test]
    fn a_huge_count_is_refused_before_anything_is_reserved() {
        let mut out = Writer::new();
        out.u64(u64::MAX / 2);
        let bytes = out.into_bytes();
        assert!(matches!(Reader::new(&bytes).u32s("x"), Err(WireError::Short { .. })));
    }

    /// What goes through the buffer, in pieces that fit and that do not, is what memory holds.
    #[test]
    fn a_file_and_a_sum_are_those_of_the_bytes_in_memory() {
        let long: Vec<u32> = (0..200_000_u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
        let short: Vec<u16> = (0..=u16::MAX).collect();
        let costs: Vec<Cost> = (0..99_999).map(Cost::new).collect();
        let bytes: Vec<u8> = long.iter().map(|&n| (n >> 9) as u8).collect();
        let write = |out: &mut Writer| {
            out.u8(7);
            out.u32s(&long);
            out.u16s(&short);
            out.raw(&bytes);
            out.costs(&costs);
            (0..50_000).for_each(|n| out.u64(n));
            out.raw_u32s(&long[..9]);
        };
        let mut memory = Writer::new();
        write(&mut memory);
        let memory = memory.into_bytes();
        let mut sum = Writer::for_sum();
        write(&mut sum);
        assert!(sum.bytes.capacity() < 300_000, "{} bytes held", sum.bytes.capacity());
        assert_eq!(sum.into_sum(), (crc32fast::hash(&memory), memory.len() as u64));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        let mut file = Writer::for_file(NewFile::create(&path).unwrap());
        write(&mut file);
        assert!(file.bytes.capacity() < 300_000, "{} bytes held", file.bytes.capacity());
        file.into_file().unwrap().unwrap().finish().unwrap();
        assert!(std::fs::read(&path).unwrap() == memory);
    }
}
