//! Whether the tables of an index are those of its map: what checksums cannot tell.
//!
//! A checksum shows damage, not intent. A file that someone made up, with checksums to
//! fit, is refused or gives legal paths of the cost told, or an error. That the paths are
//! the *shortest* rests, for `gateway`, `gateway-2way`, `portal` and `labels`, on who
//! built the tables: to check them is as much work as to build them. Because building
//! is deterministic, the check is to build them again.

use super::open;
use crate::engine::{self, BuildError};
use crate::index::Index;
use crate::index::zone_distances::ZoneDistances;
use crate::labels::LabelOptions;

impl Index {
    /// The same map and zones with the tables of the same engines, all built again as they
    /// were: labels in their form, as many landmarks, the same tuned gates.
    pub fn rebuilt(&self) -> Result<Index, BuildError> {
        let mut fresh = Index::new(self.grid().clone());
        if let Some(decomposition) = self.decomposition() {
            // It is that of the same map, so there is nothing to check.
            fresh.decomposition = Some(decomposition.clone());
        }
        // What was chosen when the tables were built is in them: the form of labels, the
        // number of landmarks, the gates that tuning kept.
        if let Some(labels) = &self.labels {
            let form = labels.form();
            fresh.build_labels(&LabelOptions { form, ..LabelOptions::unbounded() })?;
        }
        if let Some(landmarks) = self.landmarks() {
            fresh.build_landmarks(landmarks.count())?;
        }
        if let Some(tables) = self.zone_distances() {
            let gates = tables.decomposition().clone();
            fresh.zone_distances = Some(ZoneDistances::build(self.grid(), gates)?);
        }
        for engine in engine::ALL.iter().filter(|engine| engine.is_ready(self)) {
            fresh.prepare(*engine)?;
        }
        Ok(fresh)
    }

    /// The sections in which the files of two indexes differ, by name. Between an index
    /// and [`Index::rebuilt`] there is none, unless labels were built with another seed or
    /// effort than the usual one, tables come from another version, or they were made up.
    pub fn differences(&self, other: &Index) -> Vec<String> {
        let (ours, theirs) = (self.to_bytes(), other.to_bytes());
        let (Ok((_, ours)), Ok((_, theirs))) = (open(&ours), open(&theirs)) else {
            return vec!["header".to_owned()];
        };
        let one_sided = |a: &[([u8; 4], &[u8])], b: &[([u8; 4], &[u8])]| -> Vec<[u8; 4]> {
            a.iter().filter(|section| !b.contains(section)).map(|&(tag, _)| tag).collect()
        };
        let mut tags = one_sided(&ours, &theirs);
        tags.extend(one_sided(&theirs, &ours));
        tags.sort_unstable();
        tags.dedup();
        tags.into_iter().map(super::name).collect()
    }
}
