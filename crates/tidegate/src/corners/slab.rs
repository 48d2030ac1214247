//! Lists of changing length in one piece of memory.

/// Where a list lies.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    first: u32,
    len: u32,
}

impl Place {
    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.len as usize
    }
}

/// As many lists as there are owners. A list that outgrows its place moves to the end;
/// the gaps are closed when they take more memory than the lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Slab<T> {
    places: Vec<Place>,
    items: Vec<T>,
    /// Items of all lists.
    live: usize,
}

impl<T: Copy + Default> Slab<T> {
    /// So many empty lists.
    pub(super) fn new(owners: usize) -> Slab<T> {
        Slab { places: vec![Place::default(); owners], items: Vec::new(), live: 0 }
    }

    /// The lists of so many owners, from pairs of owner and item, listed twice alike: the
    /// items of a list keep their order.
    pub(super) fn of_pairs<I: Iterator<Item = (u32, T)>>(
        owners: usize,
        pairs: impl Fn() -> I,
    ) -> Slab<T> {
        let mut places = vec![Place::default(); owners];
        pairs().for_each(|(owner, _)| places[owner as usize].len += 1);
        let mut first = 0;
        for place in &mut places {
            place.first = first;
            first += std::mem::take(&mut place.len);
        }
        let mut items = vec![T::default(); first as usize];
        for (owner, item) in pairs() {
            let place = &mut places[owner as usize];
            items[(place.first + place.len) as usize] = item;
            place.len += 1;
        }
        Slab { places, live: items.len(), items }
    }

    /// How many lists there are.
    pub(super) fn owners(&self) -> usize {
        self.places.len()
    }

    /// How many items all lists have.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// One more list, empty.
    pub(super) fn add_owner(&mut self) {
        self.places.push(Place::default());
    }

    #[inline]
    pub(super) fn get(&self, owner: u32) -> &[T] {
        &self.items[self.places[owner as usize].range()]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, owner: u32) -> &mut [T] {
        &mut self.items[self.places[owner as usize].range()]
    }

    /// Replaces a list.
    pub(super) fn set(&mut self, owner: u32, list: &[T]) {
        let place = &mut self.places[owner as usize];
        self.live = self.live - place.len as usize + list.len();
        if list.len() > place.len as usize {
            *place = Place { first: self.items.len() as u32, len: list.len() as u32 };
            self.items.extend_from_slice(list);
        } else {
            place.len = list.len() as u32;
            self.items[place.range()].copy_from_slice(list);
        }
    }

    /// Lays the lists out in the order of their owners, without gaps.
    pub(super) fn compact(&mut self) {
        let mut items = Vec::with_capacity(self.live);
        for place in &mut self.places {
            let first = items.len() as u32;
            items.extend_from_slice(&self.items[place.range()]);
            place.first = first;
        }
        self.items = items;
    }

    /// Gives back memory that no list may need.
    pub(super) fn shrink(&mut self) {
        self.items.shrink_to_fit();
    }

    /// Lays the lists out again if more than half of the memory is gaps.
    pub(super) fn tidy(&mut self) {
        if self.items.len() > 2 * self.live + 1024 {
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
        let pairs = [(1, 7), (0, 1), (1, 8), (0, 2)];
        let mut slab: Slab<u32> = Slab::of_pairs(3, || pairs.into_iter());
        slab.set(0, &[0, 1, 2, 3, 4]);
        slab.set(1, &[7, 8, 9]);
        slab.add_owner();
        slab.set(3, &[4]);
        let expected: [&[u32]; 4] = [&[0, 1, 2, 3, 4], &[7, 8, 9], &[], &[4]];
        let check = |slab: &Slab<u32>| {
            for (owner, list) in (0..).zip(expected) {
                assert_eq!(slab.get(owner), list);
            }
            assert_eq!(slab.live(), 9);
        };
        check(&slab);
        let before = slab.bytes();
        slab.compact();
        assert!(slab.bytes() < before);
        check(&slab);
        slab.set(0, &[5]);
        assert_eq!((slab.get(0), slab.get(1)), (&[5][..], &[7, 8, 9][..]));
        slab.set(0, &[6; 2000]);
        slab.set(0, &[6; 3000]);
        slab.set(0, &[6]);
        slab.tidy();
        assert_eq!((slab.get(0), slab.live(), slab.items.len()), (&[6][..], 5, 5));
    }
}
