//! The figures as a table that fits the terminal.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use tidegate_bench::record::Summary;

/// Where the output goes to no terminal.
const PIPED: u16 = 80;
/// Between two columns.
const GAP: usize = 2;

/// A column: its heading, how soon it is left out (0 never), what it says.
struct Column {
    head: &'static str,
    rank: usize,
    cell: fn(&Summary) -> String,
}

const COLUMNS: [Column; 14] = [
    Column { head: "set", rank: 4, cell: |s| s.set.clone() },
    Column { head: "map", rank: 0, cell: |s| s.map.clone() },
    Column { head: "engine", rank: 0, cell: |s| s.engine.to_string() },
    Column { head: "problems", rank: 7, cell: |s| s.problems.to_string() },
    Column { head: "mean µs", rank: 0, cell: |s| micros(s.mean_nanos) },
    Column { head: "p50", rank: 8, cell: |s| micros(s.p50_nanos as f64) },
    Column { head: "p99", rank: 1, cell: |s| micros(s.p99_nanos as f64) },
    Column { head: "max", rank: 9, cell: |s| micros(s.max_nanos as f64) },
    Column { head: "expanded", rank: 2, cell: |s| format!("{:.1}", s.mean_expanded) },
    Column { head: "again", rank: 10, cell: |s| format!("{:.1}", s.mean_reexpanded) },
    Column { head: "ratio", rank: 3, cell: |s| format!("{:.5}", s.mean_ratio) },
    Column { head: "build s", rank: 5, cell: |s| format!("{:.3}", s.build_seconds) },
    Column { head: "index KB", rank: 6, cell: |s| format!("{:.0}", s.index_bytes as f64 / 1024.0) },
    Column { head: "answers", rank: 0, cell: answers },
];

fn micros(nanos: f64) -> String {
    format!("{:.2}", nanos / 1000.0)
}

fn answers(s: &Summary) -> String {
    let counts: Vec<String> = s.statuses.iter().map(|(word, n)| format!("{n} {word}")).collect();
    counts.join(", ")
}

/// Characters in a line of the terminal.
pub(super) fn width() -> u16 {
    Table::new().width().unwrap_or(PIPED)
}

/// The figures in lines of at most `width` characters: columns that tell less are left out
/// first, and names of maps and kinds of answers are wrapped where even that is not enough.
pub(super) fn fitting(summaries: &[Summary], maps: bool, width: u16) -> Table {
    let rows: Vec<&Summary> = summaries.iter().filter(|s| maps || s.map == "*").collect();
    let sets = rows.iter().any(|s| s.set != rows[0].set);
    let mut columns: Vec<(&Column, usize)> = COLUMNS
        .iter()
        .filter(|c| maps || c.head != "map")
        .map(|c| {
            let cells = rows.iter().map(|s| (c.cell)(s));
            let widest = cells.chain([c.head.to_string()]).map(|t| t.chars().count()).max();
            (c, widest.unwrap_or(0))
        })
        .collect();
    // Several sets must be told apart.
    let rank = |c: &Column| if c.head == "set" && sets { 0 } else { c.rank };
    let too_wide = |columns: &[(&Column, usize)]| {
        columns.iter().map(|(_, w)| w + GAP).sum::<usize>() > usize::from(width) + GAP
    };
    while too_wide(&columns) {
        let last = columns.iter().map(|(c, _)| rank(c)).max().filter(|&rank| rank > 0);
        let Some(last) = last else { break };
        columns.retain(|(c, _)| rank(c) != last);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(columns.iter().map(|(c, _)| c.head));
    for summary in rows {
        table.add_row(columns.iter().map(|(c, _)| (c.cell)(summary)));
    }
    if too_wide(&columns) {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    let last = columns.len() - 1;
    for (i, (column, _)) in columns.iter().enumerate() {
        let Some(drawn) = table.column_mut(i) else { continue };
        drawn.set_padding((0, if i == last { 0 } else { GAP as u16 }));
        if !["set", "map", "engine", "answers"].contains(&column.head) {
            drawn.set_cell_alignment(CellAlignment::Right);
        }
        if !["map", "answers"].contains(&column.head) {
            drawn.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(set: &str, map: &str, engine: &'static str, mean_nanos: f64) -> Summary {
        Summary {
            set: set.into(),
            map: map.into(),
            engine,
            problems: 77_190,
            mean_length: 1.0,
            mean_expanded: 45_732.4,
            mean_reexpanded: 10_672.9,
            mean_nanos,
            p50_nanos: 1_234_567,
            p99_nanos: 17_904_000,
            max_nanos: 98_765_432,
            build_seconds: 123.456,
            index_bytes: 24_500_000,
            share_optimal: 0.5,
            mean_ratio: 1.00123,
            statuses: [("longer", 28_600), ("optimal", 48_590)].into(),
        }
    }

    fn lines(width: u16, maps: bool, sets: &[&str]) -> Vec<String> {
        let mut summaries = Vec::new();
        for set in sets {
            for map in ["*", "a-map-with-a-long-name"] {
                summaries.push(summary(set, map, "gateway+differential", 2_638_123.0));
                summaries.push(summary(set, map, "jps", 99.0));
            }
        }
        fitting(&summaries, maps, width).to_string().lines().map(String::from).collect()
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in [60, 72, 80, 100, 120, 160, 250] {
            for (maps, sets) in [(false, &["sc1"][..]), (true, &["sc1", "bg512"])] {
                for line in lines(width, maps, sets) {
                    let long = line.chars().count();
                    assert!(long <= usize::from(width), "{long} > {width}: {line:?}");
                }
            }
        }
    }

    #[test]
    fn what_matters_stays_and_the_rest_comes_with_room() {
        let narrow = lines(80, false, &["sc1"]);
        for head in ["engine", "mean µs", "p99", "answers"] {
            assert!(narrow[0].contains(head), "{narrow:?}");
        }
        assert!(!narrow[0].contains("again"), "{narrow:?}");
        let wide = lines(250, true, &["sc1"]);
        assert!(COLUMNS.iter().all(|c| wide[0].contains(c.head)), "{wide:?}");
        // Sets are named where there are several.
        assert!(lines(80, false, &["sc1", "bg512"])[0].starts_with("set"));
        // Numbers end where their heading ends.
        let end = narrow[0].find("mean µs").map(|at| narrow[0][..at].chars().count() + 7);
        let chars: Vec<char> = narrow[2].chars().collect();
        assert_eq!(end.map(|end| (chars[end - 1], chars[end])), Some(('0', ' ')), "{narrow:?}");
    }
}
