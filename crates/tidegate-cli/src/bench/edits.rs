//! `tidegate bench --edits`: a game that changes its map.

use std::path::Path;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use tidegate::Movement;
use tidegate::engine::Engine;
use tidegate_bench::suite::Case;
use tidegate_bench::ticks::{Game, TickRow, play};

use super::progress;
use crate::say::{note, say};
use crate::{Done, output};

/// Plays the game on every map and prints what edits, queries and ticks took.
pub(super) fn run(
    cases: &[Case],
    engines: &[&dyn Engine],
    movement: Movement,
    game: Game,
    json: Option<&Path>,
) -> Result<Done> {
    let mut rows = Vec::new();
    let bar = progress(cases.len() * game.ticks, "ticks");
    for case in cases {
        bar.set_message(format!("{}/{}", case.set, case.map));
        let grid = case.grid(movement)?;
        let before = bar.position();
        rows.extend(play((&case.set, &case.map), &grid, engines, game, |tick| {
            bar.set_position(before + tick as u64);
        })?);
    }
    bar.finish_and_clear();
    if let Some(file) = json {
        output::write(file, &serde_json::to_vec_pretty(&rows)?)?;
    }
    for of_map in rows.chunk_by(|a, b| (&a.set, &a.map) == (&b.set, &b.map)) {
        say!(
            "{}/{}: {} ticks of {} queries",
            of_map[0].set,
            of_map[0].map,
            game.ticks,
            game.queries
        );
        say!("{}\n", drawn(of_map));
    }
    for row in &rows {
        if let Some(why) = &row.refused {
            say!("note: {}/{}: {why}", row.set, row.map);
        }
    }
    let wrong: Vec<&TickRow> = rows.iter().filter(|row| row.wrong > 0).collect();
    for row in &wrong {
        let first = row.first_wrong.as_deref().unwrap_or("");
        note!("{}/{}, {}: {} wrong, first {first}", row.set, row.map, row.engine, row.wrong);
    }
    let played = rows.iter().any(|row| row.refused.is_none());
    Ok(if wrong.is_empty() && played { Done::Yes } else { Done::No })
}

/// A column: its heading, and what it says.
type Column = (&'static str, fn(&TickRow) -> String);

const COLUMNS: [Column; 11] = [
    ("engine", |row| row.engine.clone()),
    ("edit µs", |row| format!("{:.0}", row.edit_us)),
    ("p99", |row| format!("{:.0}", row.edit_p99_us)),
    ("query µs", |row| format!("{:.1}", row.query_us)),
    ("p99", |row| format!("{:.0}", row.query_p99_us)),
    ("tick ms", |row| format!("{:.2}", row.tick_us / 1e3)),
    ("p99", |row| format!("{:.2}", row.tick_p99_us / 1e3)),
    ("in place", |row| format!("{:.0} %", 100.0 * row.in_place)),
    ("searched", |row| format!("{:.1} %", 100.0 * row.searched)),
    ("rebuilt", |row| row.rebuilt.to_string()),
    ("wrong", |row| row.wrong.to_string()),
];

fn drawn(rows: &[TickRow]) -> Table {
    let rows: Vec<&TickRow> = rows.iter().filter(|row| row.refused.is_none()).collect();
    let in_place = rows.iter().any(|row| row.in_place > 0.0);
    let rebuilt = rows.iter().any(|row| row.rebuilt > 0);
    let tells = |(head, _): &&Column| match *head {
        "in place" => in_place,
        "searched" => rows.iter().any(|row| row.searched < 0.99),
        "rebuilt" => rebuilt,
        _ => true,
    };
    let columns: Vec<&Column> = COLUMNS.iter().filter(tells).collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(columns.iter().map(|(head, _)| head));
    rows.iter().for_each(|row| {
        table.add_row(columns.iter().map(|(_, cell)| cell(row)));
    });
    for (n, (head, _)) in columns.iter().enumerate() {
        let Some(column) = table.column_mut(n) else { continue };
        column.set_padding((0, if n + 1 == columns.len() { 0 } else { 2 }));
        if *head != "engine" {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
