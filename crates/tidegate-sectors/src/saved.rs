//! A planner's state as bytes: the sectors in use, the bounds, the policy, the counts.
//!
//! By itself a state is `TGSECTOR`, version, body, hash of all before; in the file of an
//! index the body is a section. The body is the mark of the ground, the policy's name,
//! whether paths are tidied, bounds, expansions, counts, split sectors and the policy's
//! numbers. What does not fit, is damaged or could not have come about is refused with
//! a reason.
#![warn(clippy::arithmetic_side_effects)]

use std::sync::Arc;

use crate::cover::Cover;
use crate::ground::Ground;
use crate::hierarchy::SectorId;
use crate::planner::SectorPlanner;
use crate::policy::{Policy, View};
use crate::tally::{Bounds, Tally};
use tidegate::artifact::{Reader, WireError, Writer};

const MAGIC: &[u8; 8] = b"TGSECTOR";
const VERSION: u32 = 1;
const HASH: usize = 16;

/// Why saved bytes are not a planner's state here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SavedError {
    /// Something else.
    #[error("these are no saved sectors")]
    Magic,
    /// Written by another version.
    #[error("the saved sectors are of version {0}, not {VERSION}")]
    Version(u32),
    /// Cut short or altered.
    #[error("the saved sectors are damaged: their hash does not fit")]
    Hash,
    /// They mean nothing here.
    #[error("the saved sectors make no sense here: {0}")]
    Meaning(#[from] WireError),
}

impl<P: Policy> SectorPlanner<P> {
    /// The state as bytes: the same state gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new();
        out.raw(MAGIC);
        out.u32(VERSION);
        self.write(&mut out);
        let mut bytes = out.into_bytes();
        let hash = blake3::hash(&bytes);
        bytes.extend_from_slice(&hash.as_bytes()[..HASH]);
        bytes
    }

    /// The planner whose state these bytes are.
    pub fn from_bytes(ground: Arc<Ground>, bytes: &[u8]) -> Result<SectorPlanner<P>, SavedError> {
        let (front, hash) = bytes.split_last_chunk::<HASH>().ok_or(SavedError::Magic)?;
        let mut from = Reader::new(front);
        if from.raw(MAGIC.len(), "magic")? != MAGIC {
            return Err(SavedError::Magic);
        }
        let version = from.u32("version")?;
        if version != VERSION {
            return Err(SavedError::Version(version));
        }
        if blake3::hash(front).as_bytes()[..HASH] != hash[..] {
            return Err(SavedError::Hash);
        }
        let planner = SectorPlanner::read(ground, &mut from)?;
        from.finish()?;
        Ok(planner)
    }

    /// Writes the body.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.raw(&self.ground.mark());
        out.u8(P::NAME.len() as u8);
        out.raw(P::NAME.as_bytes());
        out.u8(self.tidy.into());
        out.u64(self.bounds.lower());
        out.u64(self.bounds.upper());
        out.u64(self.expanded);
        let mut tally = self.tally;
        tally.counts_mut().into_iter().for_each(|count| out.u64(*count));
        let splits: Vec<u32> = self.cover.splits().map(|s| s.index() as u32).collect();
        out.u32s(&splits);
        out.u32s(self.policy.numbers());
    }

    /// Reads the body.
    pub(crate) fn read(
        ground: Arc<Ground>,
        from: &mut Reader<'_>,
    ) -> Result<SectorPlanner<P>, WireError> {
        let wrong = |why: &str| Err(WireError::meaning(why));
        if from.raw(ground.mark().len(), "mark")? != ground.mark() {
            return wrong("they belong to another map or to other sectors of this one");
        }
        let length = usize::from(from.u8("name")?);
        let name = from.raw(length, "name")?;
        if name != P::NAME.as_bytes() {
            let found = String::from_utf8_lossy(name);
            return wrong(&format!("they are of policy {found}, not {}", P::NAME));
        }
        let tidy = from.u8("tidy")?;
        if tidy > 1 {
            return wrong("a switch is neither on nor off");
        }
        let Some(bounds) = Bounds::new(from.u64("lower")?, from.u64("upper")?) else {
            return wrong("the bounds are crossed");
        };
        let expanded = from.u64("expanded")?;
        let mut tally = Tally::default();
        for count in tally.counts_mut() {
            *count = from.u64("count")?;
        }
        // No run can have counted so far; beyond it additions would overflow.
        let absurd = |count: u64| count > u64::MAX / 2;
        if tally.counts_mut().iter().any(|count| absurd(**count)) || absurd(expanded) {
            return wrong("a count is absurd");
        }
        let splits = from.u32s("splits")?;
        if !splits.is_sorted_by(|a, b| a < b) {
            return wrong("the split sectors are not in order");
        }
        let splits = splits.into_iter().map(|s| SectorId::from_index(s as usize));
        let Some(cover) = Cover::from_splits(ground.hierarchy(), splits) else {
            return wrong("a sector is split that does not exist");
        };
        let view = View { hierarchy: ground.hierarchy(), cover: &cover };
        let Some(policy) = P::from_numbers(view, from.u32s("numbers")?) else {
            return wrong("the policy's numbers do not fit the sectors");
        };
        let mut planner = SectorPlanner::new(ground, cover, policy, bounds);
        (planner.tidy, planner.expanded, planner.tally) = (tidy == 1, expanded, tally);
        Ok(planner)
    }
}
