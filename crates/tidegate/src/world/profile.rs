//! A kind of unit.

use std::fmt;

use crate::cost::Factor;
use crate::grid::Movement;

/// The largest size of a unit, in tiles.
const MOST: u8 = 32;

/// A kind of unit: how many tiles it is wide, which classes of ground it may enter, and what
/// each costs it.
///
/// ```
/// use tidegate::cost::Factor;
/// use tidegate::world::Profile;
/// let mud = Factor::new(3.0).unwrap();
/// let tank = Profile::new().of_size(2).entering(b".=").entering_at(b'm', mud);
/// assert_eq!(tank.factor(b'm'), Some(mud));
/// assert_eq!(tank.factor(b'~'), None);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Profile {
    size: u8,
    movement: Movement,
    /// By class.
    factors: [Option<Factor>; 256],
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::new()
    }
}

impl Profile {
    /// A unit of one tile that can enter nothing yet and cuts no corners.
    pub fn new() -> Profile {
        Profile { size: 1, movement: Movement::default(), factors: [None; 256] }
    }

    /// The unit is so many tiles wide and high, 1 to 32.
    ///
    /// # Panics
    /// If it is none, or more than 32.
    pub fn of_size(self, tiles: u8) -> Profile {
        assert!((1..=MOST).contains(&tiles), "a unit is 1 to {MOST} tiles wide, not {tiles}");
        Profile { size: tiles, ..self }
    }

    /// It moves by this rule.
    pub fn moving(self, movement: Movement) -> Profile {
        Profile { movement, ..self }
    }

    /// It may enter these classes at the ordinary cost.
    pub fn entering(mut self, classes: impl AsRef<[u8]>) -> Profile {
        classes.as_ref().iter().for_each(|&class| self.set(class, Some(Factor::ONE)));
        self
    }

    /// It may enter this class at this cost.
    pub fn entering_at(mut self, class: u8, factor: Factor) -> Profile {
        self.set(class, Some(factor));
        self
    }

    /// How many tiles it is wide.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// By which rule it moves.
    pub fn rule(&self) -> Movement {
        self.movement
    }

    /// What a class costs it; `None` if it cannot enter it.
    #[inline]
    pub fn factor(&self, class: u8) -> Option<Factor> {
        self.factors[usize::from(class)]
    }

    /// Sets what a class costs it from now on; `None`: it cannot be entered.
    pub fn set(&mut self, class: u8, factor: Option<Factor>) {
        self.factors[usize::from(class)] = factor;
    }
}

/// The classes that it may enter, not all 256.
impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let classes = (0..=255).filter_map(|class| Some((class, self.factor(class)?)));
        let classes: std::collections::BTreeMap<u8, Factor> = classes.collect();
        f.debug_struct("Profile")
            .field("size", &self.size)
            .field("movement", &self.movement)
            .field("classes", &classes)
            .finish()
    }
}
