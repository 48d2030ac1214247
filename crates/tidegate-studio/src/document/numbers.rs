//! Numbers and colours of zones and gates that stay while something else is edited.
//!
//! The library numbers zones by where they lie, so one edit may shift all of them. People
//! remember "zone 14, the green one": here every zone and gate has a number of its own that it
//! keeps for as long as most of it is there. What is untouched keeps its number and colour; of
//! a divided zone the larger part keeps them, of merged zones the result has those of the
//! larger. A number that is gone is not given to another one.

use serde::{Deserialize, Serialize};
use tidegate::decompose::{GateId, Matching, Zone, ZoneId};
use tidegate::draw::Numbering;
use tidegate::{Decomposition, Grid};

/// Colours that are easily told apart; `draw::shade` has darker ones beyond.
const SHADES: u32 = 8;

/// The numbers and colours of one state, by the library's ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Numbers {
    zones: Vec<u32>,
    shades: Vec<u32>,
    gates: Vec<u32>,
    next_zone: u32,
    next_gate: u32,
}

/// Which zone and gate of before each one of now is, if any.
#[derive(Debug)]
pub(super) struct Origins {
    zones: Vec<Option<usize>>,
    gates: Vec<Option<usize>>,
}

impl Origins {
    /// By the ids of an index that an edit keeps: `old` and `new` say where they stand in the
    /// lists of before and of now, of so many ids.
    pub(super) fn by_id(
        old: &Matching,
        new: &Matching,
        (zones, gates): (usize, usize),
        parts: &Decomposition,
    ) -> Origins {
        let zone_ids = (0..zones).map(ZoneId::from_index);
        let gate_ids = (0..gates).map(GateId::from_index);
        Origins::of(
            zone_ids.filter_map(|id| Some((old.zone(id)?, new.zone(id)?))),
            gate_ids.filter_map(|id| Some((old.gate(id)?, new.gate(id)?))),
            parts,
        )
    }

    /// By the tiles that they share, the most first.
    pub(super) fn by_tiles(old: &Decomposition, new: &Decomposition) -> Origins {
        let matching = Matching::new(old, new);
        let (zones, gates) = (old.zones().iter(), old.gates().iter());
        Origins::of(
            zones.filter_map(|zone| Some((zone.id(), matching.zone(zone.id())?))),
            gates.filter_map(|gate| Some((gate.id(), matching.gate(gate.id())?))),
            new,
        )
    }

    fn of(
        zones: impl Iterator<Item = (ZoneId, ZoneId)>,
        gates: impl Iterator<Item = (GateId, GateId)>,
        new: &Decomposition,
    ) -> Origins {
        let (mut from_zones, mut from_gates) =
            (vec![None; new.zones().len()], vec![None; new.gates().len()]);
        zones.for_each(|(from, to)| from_zones[to.index()] = Some(from.index()));
        gates.for_each(|(from, to)| from_gates[to.index()] = Some(from.index()));
        Origins { zones: from_zones, gates: from_gates }
    }
}

impl Numbers {
    /// The library's own numbers and colours.
    pub(crate) fn new(grid: &Grid, parts: &Decomposition) -> Numbers {
        let Numbering { zones, shades, gates } = Numbering::by_id(grid, parts);
        let (next_zone, next_gate) = (zones.len() as u32, gates.len() as u32);
        Numbers { zones, shades, gates, next_zone, next_gate }
    }

    /// The numbers of `new`, which an edit made of `old`.
    pub(super) fn carried(
        &self,
        old: &Decomposition,
        new: &Decomposition,
        from: &Origins,
    ) -> Numbers {
        let (zones, next_zone) = hand_on(&from.zones, &self.zones, self.next_zone);
        let (gates, next_gate) = hand_on(&from.gates, &self.gates, self.next_gate);
        let shades = from.zones.iter().map(|from| from.map(|from| self.shades[from]));
        let is_touched = |(zone, from): (&Zone, &Option<usize>)| {
            from.is_none_or(|from| old.zones()[from].area() != zone.area())
        };
        let touched: Vec<bool> = new.zones().iter().zip(&from.zones).map(is_touched).collect();
        let shades = recoloured(new, shades.collect(), &touched);
        Numbers { zones, shades, gates, next_zone, next_gate }
    }

    /// Whether they are numbers of these zones and gates.
    pub(crate) fn fit(&self, parts: &Decomposition) -> bool {
        let distinct = |numbers: &[u32], count: usize, next: u32| {
            let mut sorted = numbers.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            numbers.len() == count
                && sorted.len() == count
                && sorted.last().is_none_or(|&largest| largest < next)
        };
        self.shades.len() == parts.zones().len()
            && distinct(&self.zones, parts.zones().len(), self.next_zone)
            && distinct(&self.gates, parts.gates().len(), self.next_gate)
    }

    /// The number of the zone with this id.
    pub(crate) fn zone(&self, id: usize) -> u32 {
        self.zones[id]
    }

    /// The number of the gate with this id.
    pub(crate) fn gate(&self, id: usize) -> u32 {
        self.gates[id]
    }

    /// The colour of the zone with this id, for `draw::shade`.
    pub(crate) fn shade(&self, id: usize) -> u32 {
        self.shades[id]
    }

    /// What a picture shows.
    pub(crate) fn shown(&self) -> Numbering {
        Numbering {
            zones: self.zones.clone(),
            shades: self.shades.clone(),
            gates: self.gates.clone(),
        }
    }

    /// How many there are, as a measure of memory.
    pub(crate) fn len(&self) -> usize {
        self.zones.len() + self.gates.len()
    }
}

/// The numbers of those that were there before; the others get new ones.
fn hand_on(from: &[Option<usize>], numbers: &[u32], mut next: u32) -> (Vec<u32>, u32) {
    let number = |from: &Option<usize>| {
        let number = from.map_or(next, |from| numbers[from]);
        next += u32::from(from.is_none());
        number
    };
    (from.iter().map(number).collect(), next)
}

/// Colours for all zones. Untouched ones keep theirs; a touched one keeps its colour unless a
/// neighbour has it, and else takes the one that its neighbours use least, then all zones.
fn recoloured(parts: &Decomposition, mut shades: Vec<Option<u32>>, touched: &[bool]) -> Vec<u32> {
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); shades.len()];
    for gate in parts.gates() {
        // Gates may touch with no zone between them: then zones meet across both.
        let others = gate.gates().iter().flat_map(|g| parts.gates()[g.index()].zones());
        let around: Vec<usize> = gate.zones().iter().chain(others).map(|z| z.index()).collect();
        for zone in gate.zones() {
            beside[zone.index()].extend(around.iter().filter(|&&other| other != zone.index()));
        }
    }
    let count = |shades: &mut dyn Iterator<Item = u32>| {
        let mut uses = [0u32; SHADES as usize];
        shades.for_each(|shade| uses[(shade % SHADES) as usize] += 1);
        uses
    };
    let mut all = count(&mut shades.iter().flatten().copied());
    for zone in (0..shades.len()).filter(|&zone| touched[zone]) {
        let near = count(&mut beside[zone].iter().filter_map(|&other| shades[other]));
        if shades[zone].is_none_or(|own| near[(own % SHADES) as usize] > 0) {
            let least = |&shade: &u32| (near[shade as usize], all[shade as usize], shade);
            let best = (0..SHADES).min_by_key(least).unwrap_or(0);
            all[best as usize] += 1;
            shades[zone] = Some(best);
        }
    }
    shades.into_iter().map(|shade| shade.unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use tidegate::Tile;
    use tidegate::decompose::{Editor, GateLine, Place, Source};

    use super::*;

    /// Three rooms in a row; each door is a gate.
    fn rooms() -> (Grid, Decomposition) {
        let wall = "........#.....#...";
        let door = "..................";
        let grid = Grid::from_rows(&[wall, wall, door, wall, wall]).unwrap();
        let doors = [8, 14].map(|x| Tile::new(x, 2));
        let lines = doors.map(|door| GateLine::new(door, door, Source::Automatic));
        let parts = Decomposition::from_gates(&grid, lines).unwrap();
        (grid, parts)
    }

    fn by_tiles(numbers: &Numbers, old: &Decomposition, new: &Decomposition) -> Numbers {
        numbers.carried(old, new, &Origins::by_tiles(old, new))
    }

    fn number_at(numbers: &Numbers, grid: &Grid, parts: &Decomposition, x: u16) -> (u32, u32) {
        match parts.place(grid.cell(Tile::new(x, 0)).unwrap()) {
            Place::Zone(zone) => (numbers.zone(zone.index()), numbers.shade(zone.index())),
            place => panic!("{place:?} at {x}"),
        }
    }

    #[test]
    fn what_is_untouched_keeps_number_and_colour() {
        let (grid, parts) = rooms();
        let numbers = Numbers::new(&grid, &parts);
        let at = |numbers: &Numbers, parts: &Decomposition, x| number_at(numbers, &grid, parts, x);
        let before = [1, 10, 16].map(|x| at(&numbers, &parts, x));

        // The first room is divided near its left end: the part to the right is larger.
        let mut editor = Editor::new(&grid, parts.clone()).unwrap();
        editor.add_gate(Tile::new(2, 0), Tile::new(2, 4)).unwrap();
        let divided = editor.decomposition().clone();
        let numbers = by_tiles(&numbers, &parts, &divided);
        assert_eq!([5, 10, 16].map(|x| at(&numbers, &divided, x)), before);
        assert_eq!(at(&numbers, &divided, 0).0, 3, "the smaller part is new");
        assert_ne!(at(&numbers, &divided, 0).1, before[0].1, "neighbours differ");
        assert_eq!((0..3).map(|gate| numbers.gate(gate)).collect::<Vec<_>>(), [0, 1, 2]);

        // The two rooms to the right become one, of the larger's number.
        let zones = [10, 16].map(|x| match divided.place(grid.cell(Tile::new(x, 0)).unwrap()) {
            Place::Zone(zone) => zone,
            place => panic!("{place:?}"),
        });
        editor.merge_zones(zones[0], zones[1]).unwrap();
        let merged = editor.decomposition().clone();
        let carried = by_tiles(&numbers, &divided, &merged);
        assert_eq!(at(&carried, &merged, 16), before[1]);
        assert_eq!(at(&carried, &merged, 5), before[0]);
        assert_eq!(at(&carried, &merged, 0), at(&numbers, &divided, 0));
        assert_eq!([carried.gate(0), carried.gate(1)], [0, 2], "gate 1 is gone");
        assert!(carried.fit(&merged) && !carried.fit(&divided));

        // A number that is gone does not come back for something else.
        editor.split_zone(zones[0]).unwrap();
        let split = editor.decomposition().clone();
        let again = by_tiles(&carried, &merged, &split);
        let mut all: Vec<u32> = (0..split.zones().len()).map(|id| again.zone(id)).collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 3, 4]);
    }

    #[test]
    fn merged_zones_get_another_colour_than_their_neighbours() {
        let (grid, parts) = rooms();
        let mut numbers = Numbers::new(&grid, &parts);
        // As earlier edits may leave it: the outer rooms are alike, which is well while the
        // middle one lies between them.
        numbers.shades = vec![2, 1, 2];
        let ids = [1, 10].map(|x| match parts.place(grid.cell(Tile::new(x, 0)).unwrap()) {
            Place::Zone(zone) => zone,
            place => panic!("{place:?}"),
        });
        let mut editor = Editor::new(&grid, parts.clone()).unwrap();
        editor.merge_zones(ids[0], ids[1]).unwrap();
        let merged = editor.decomposition();
        let carried = by_tiles(&numbers, &parts, merged);
        let (number, shade) = number_at(&carried, &grid, merged, 1);
        assert_eq!(number, numbers.zone(ids[0].index()), "that of the larger");
        assert_eq!(number_at(&carried, &grid, merged, 16).1, 2, "untouched");
        assert_ne!(shade, 2, "neighbours differ");
    }
}
