//! Lists of changing length in one piece of memory.

/// Where a list lies.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    first: u32,
    len: u16,
    space: u16,
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

    #[inline]
    pub(super) fn get(&self, owner: u32) -> &[T] {
        let place = self.places[owner as usize];
        &self.items[place.first as usize..place.first as usize + usize::from(place.len)]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, owner: u32) -> &mut [T] {
        let place = self.places[owner as usize];
        &mut self.items[place.first as usize..place.first as usize + usize::from(place.len)]
    }

    /// Replaces a list.
    pub(super) fn set(&mut self, owner: u32, list: &[T]) {
        self.reserve(owner, list.len());
        let place = &mut self.places[owner as usize];
        place.len = list.len() as u16;
        let first = place.first as usize;
        self.items[first..first + list.len()].copy_from_slice(list);
    }

    /// Adds to a list.
    pub(super) fn push(&mut self, owner: u32, item: T) {
        let len = usize::from(self.places[owner as usize].len);
        self.reserve(owner, len + 1);
        let place = &mut self.places[owner as usize];
        place.len += 1;
        self.items[place.first as usize + len] = item;
    }

    fn reserve(&mut self, owner: u32, len: usize) {
        let place = self.places[owner as usize];
        if len <= usize::from(place.space) {
            return;
        }
        let space = if place.space == 0 { len } else { len.max(usize::from(place.len) * 2) };
        let first = self.items.len();
        self.items.resize(first + space, T::default());
        let old = place.first as usize;
        self.items.copy_within(old..old + usize::from(place.len), first);
        let place = &mut self.places[owner as usize];
        (place.first, place.space) = (first as u32, space as u16);
    }

    pub(super) fn bytes(&self) -> usize {
        self.places.len() * size_of::<Place>() + self.items.len() * size_of::<T>()
    }
}
