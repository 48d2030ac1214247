//! What a gate estimate lists for each zone, worked out when a search first enters the zone.

/// Entries by zone. Kept between queries for its memory.
#[derive(Clone, Debug)]
pub(crate) struct ZoneLists<T> {
    entries: Vec<T>,
    /// By zone: where its entries are, once somebody asked.
    ranges: Vec<Option<(u32, u32)>>,
}

impl<T> Default for ZoneLists<T> {
    fn default() -> ZoneLists<T> {
        ZoneLists { entries: Vec::new(), ranges: Vec::new() }
    }
}

impl<T> ZoneLists<T> {
    /// Forgets all lists, for a map with so many zones.
    pub(crate) fn clear(&mut self, zones: usize) {
        self.entries.clear();
        self.ranges.clear();
        self.ranges.resize(zones, None);
    }

    /// Where the entries of a zone are; `None` if nobody asked yet.
    #[inline]
    pub(crate) fn range(&self, zone: usize) -> Option<(u32, u32)> {
        self.ranges[zone]
    }

    /// The entries of a range.
    #[inline]
    pub(crate) fn entries(&self, (start, end): (u32, u32)) -> &[T] {
        &self.entries[start as usize..end as usize]
    }

    /// Makes the list of a zone, sorted by `key`, so that a search for the least can stop early.
    pub(crate) fn list<K: Ord>(
        &mut self,
        zone: usize,
        entries: impl Iterator<Item = T>,
        key: impl FnMut(&T) -> K,
    ) -> (u32, u32) {
        let start = self.entries.len();
        self.entries.extend(entries);
        // Not the stable sort, which takes memory.
        self.entries[start..].sort_unstable_by_key(key);
        let range = (start as u32, self.entries.len() as u32);
        self.ranges[zone] = Some(range);
        range
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<T>()
            + self.ranges.capacity() * size_of::<Option<(u32, u32)>>()
    }
}
