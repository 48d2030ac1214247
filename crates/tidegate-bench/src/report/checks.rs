//! Other crates on the same problems, and the long checks.

use std::collections::BTreeMap;

use anyhow::Result;

use super::html::{Section, Sheet, num, p};
use crate::experiment::{peers, properties};
use crate::notebook::Record;

pub(super) fn peers_section(record: &Record) -> Result<Section> {
    let html = p(
        "The same problems, the same machine, in turns. hierarchical_pathfinding counts a diagonal step \
         as one and lets it pass between walls, so it runs twice: as it comes, and without diagonal \
         steps, where its rule is exactly ours.",
    ) + &peers(&record.rows()?).html();
    Ok(Section { id: "peers", title: "Other crates on the same problems", html })
}

pub(super) fn peers(rows: &[peers::Row]) -> Sheet {
    let mut groups: BTreeMap<(&str, &str, &str), peers::Row> = BTreeMap::new();
    for row in rows {
        let sum = groups.entry((&row.rival, &row.ours, &row.set)).or_default();
        sum.problems += row.problems;
        sum.our_us += row.our_us;
        sum.their_us += row.their_us;
        sum.our_error += row.our_error;
        sum.their_error += row.their_error;
        sum.their_illegal += row.their_illegal;
    }
    let line = |((rival, ours, set), sum): (&(&str, &str, &str), &peers::Row)| {
        let n = sum.problems.max(1) as f64;
        vec![
            format!("{rival}, {set}"),
            ours.to_string(),
            sum.problems.to_string(),
            num(sum.their_us / n),
            num(sum.our_us / n),
            format!("{} x", num(sum.their_us / sum.our_us)),
            format!("{:.2} %", sum.their_error / n),
            format!("{:.2} %", sum.our_error / n),
            sum.their_illegal.to_string(),
        ]
    };
    let header = vec![
        "rival, set",
        "ours",
        "problems",
        "theirs µs",
        "ours µs",
        "faster",
        "their error",
        "our error",
        "their illegal paths",
    ];
    Sheet { header, lines: groups.iter().map(line).collect() }
}

pub(super) fn properties_section(record: &Record) -> Result<Section> {
    let html = p("A check that fails ends the run, so what stands here held.")
        + &properties(&record.rows()?).html();
    Ok(Section { id: "properties", title: "Long checks", html })
}

pub(super) fn properties(rows: &[properties::Row]) -> Sheet {
    let line = |r: &properties::Row| {
        let counts = [num(r.cases as f64), num(r.comparisons as f64)];
        [vec![format!("{}: {}", r.property, r.on)], counts.to_vec(), vec!["all held".into()]]
            .concat()
    };
    let header = vec!["property: ground", "maps or edits", "comparisons", "outcome"];
    Sheet { header, lines: rows.iter().map(line).collect() }
}
