//! Lists of changing length in one piece of memory.

/// Where a list lies.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    first: u32,
    len: u32,
    space: u32,
}

/// As many lists as there are owners. A list that outgrows its place moves to the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Slab<T> {
    places: Vec<Place>,
    items: Vec<T>,
}

impl<T: Copy + Default> Slab<T> {
    /// So many empty lists.
    pub(super) fn new(owners: usize) -> Slab<T> {
        Slab { places: vec![Place::default(); owners], items: Vec::new() }
    }

    /// How many lists there are.
    pub(super) fn owners(&self) -> usize {
        self.places.len()
    }

    /// One more list, empty.
    pub(super) fn add_owner(&mut self) {
        self.places.push(Place::default());
    }

    #[inline]
    pub(super) fn get(&self, owner: u32) -> &[T] {
        let place = self.places[owner as usize];
        &self.items[place.first as usize..(place.first + place.len) as usize]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, owner: u32) -> &mut [T] {
        let place = self.places[owner as usize];
        &mut self.items[place.first as usize..(place.first + place.len) as usize]
    }

    /// Replaces a list.
    pub(super) fn set(&mut self, owner: u32, list: &[T]) {
        self.places[owner as usize].len = 0;
        self.reserve(owner, list.len() as u32);
        let place = &mut self.places[owner as usize];
        place.len = list.len() as u32;
        let first = place.first as usize;
        self.items[first..first + list.len()].copy_from_slice(list);
    }

    /// Adds to a list.
    pub(super) fn push(&mut self, owner: u32, item: T) {
        let len = self.places[owner as usize].len;
        self.reserve(owner, len + 1);
        let place = &mut self.places[owner as usize];
        place.len += 1;
        self.items[(place.first + len) as usize] = item;
    }

    /// Makes the place of a list hold so many items.
    fn reserve(&mut self, owner: u32, len: u32) {
        let place = self.places[owner as usize];
        if len <= place.space {
            return;
        }
        // A list that has grown once is given space to grow again.
        let space = if place.space == 0 { len } else { len.max(2 * place.space) };
        let (first, old) = (self.items.len(), place.first as usize);
        self.items.resize(first + space as usize, T::default());
        self.items.copy_within(old..old + place.len as usize, first);
        let place = &mut self.places[owner as usize];
        (place.first, place.space) = (first as u32, space);
    }

    /// Lays the lists out in the order of their owners, without gaps.
    pub(super) fn compact(&mut self) {
        let lists: usize = self.places.iter().map(|place| place.len as usize).sum();
        let mut items = Vec::with_capacity(lists);
        for place in &mut self.places {
            let first = items.len() as u32;
            let old = place.first as usize..(place.first + place.len) as usize;
            items.extend_from_slice(&self.items[old]);
            *place = Place { first, len: place.len, space: place.len };
        }
        self.items = items;
    }

    /// Lays the lists out again if more than half of the memory is gaps.
    pub(super) fn tidy(&mut self) {
        let lists: usize = self.places.iter().map(|place| place.len as usize).sum();
        if self.items.len() > 2 * lists + 1024 {
            self.compact();
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.places.len() * size_of::<Place>() + self.items.len() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_move_and_keep_their_items() {
        let mut slab: Slab<u32> = Slab::new(3);
        slab.set(1, &[7, 8]);
        (0..5).for_each(|n| slab.push(0, n));
        slab.push(1, 9);
        slab.add_owner();
        slab.set(3, &[4]);
        let expected: [&[u32]; 4] = [&[0, 1, 2, 3, 4], &[7, 8, 9], &[], &[4]];
        for (owner, list) in (0..).zip(expected) {
            assert_eq!(slab.get(owner), list);
        }
        let before = slab.bytes();
        slab.compact();
        assert!(slab.bytes() < before);
        for (owner, list) in (0..).zip(expected) {
            assert_eq!(slab.get(owner), list);
        }
        slab.set(0, &[5]);
        assert_eq!((slab.get(0), slab.get(1)), (&[5][..], &[7, 8, 9][..]));
    }
}
