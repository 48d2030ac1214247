//! The thesis's chapter 4 and appendix A, beside what comes out here.

use anyhow::Result;

use super::html::{Section, deviation, folded, h3, num, p, percent, plots, table};
use super::leaderboard::{Standing, of, standings};
use super::printed::{GATES, SAVINGS, SUMMARIES, Summary};
use crate::experiment::{aurora, engines, estimates, published};
use crate::notebook::{Notebook, Record};
use crate::plot::{Axis, Plot, Series};

pub(super) fn section(record: &Record, notebook: &Notebook) -> Result<Section> {
    let rows: Vec<engines::Row> = record.rows()?;
    let printed: Vec<published::Row> = match notebook.read("published")? {
        Some(record) => record.rows()?,
        None => Vec::new(),
    };
    let mut html = p(
        "The thesis compares A* with the octile estimate and A* with its gateway heuristic. Its plain \
         A* is reproduced by like-thesis: double precision, ties as rounding makes them. That \
         arithmetic is a handicap, so exact costs are a second baseline, and every gain below is given \
         against the baseline that stands beside it. Mean expansions; re-expansions in brackets.",
    );
    html += &summaries(&rows, &printed);
    html += &savings(&rows);
    html += &scatter(&rows, &printed);
    for (set, tables) in [("sc1", "A.1 and A.2"), ("bg512", "A.3 and A.4")] {
        html += &appendix(set, tables, &rows, &printed);
    }
    if let Some(record) = notebook.read("aurora")? {
        html += &aurora_table(&record.rows()?, &printed);
    }
    if let Some(record) = notebook.read("estimates")? {
        html += &estimate_table(&record.rows()?);
    }
    Ok(Section { id: "thesis", title: "The thesis: gates as an estimate", html })
}

fn expanded(s: Option<&Standing>) -> String {
    match s {
        Some(s) if s.reexpanded > 0.05 => format!("{} ({})", num(s.expanded), num(s.reexpanded)),
        Some(s) => num(s.expanded),
        None => "–".into(),
    }
}

/// The nine maps that table 4.2 leaves out: those with the least gain in the thesis.
fn lost(printed: &[published::Row]) -> Vec<String> {
    let of = |map: &str, heuristic: &str| {
        let mut rows = printed.iter().filter(|r| r.table == "A" && r.set == "sc1" && r.map == map);
        rows.find(|r| r.heuristic == heuristic && r.decomposition == "automatic").map(|r| r.mean_s)
    };
    let mut gains: Vec<(f64, String)> = Vec::new();
    for row in printed.iter().filter(|r| r.table == "A" && r.set == "sc1") {
        if gains.iter().all(|(_, map)| *map != row.map)
            && let (Some(octile), Some(gateway)) = (of(&row.map, "octile"), of(&row.map, "gateway"))
        {
            gains.push((octile / gateway, row.map.clone()));
        }
    }
    gains.sort_by(|a, b| a.0.total_cmp(&b.0));
    gains.into_iter().take(9).map(|(_, map)| map).collect()
}

fn summaries(rows: &[engines::Row], printed: &[published::Row]) -> String {
    let lost = lost(printed);
    let mut html = h3("Tables 4.1 to 4.4");
    let (mut lines, mut times) = (Vec::new(), Vec::new());
    for summary in SUMMARIES {
        let best_only = summary.table == "4.2";
        if best_only && lost.is_empty() {
            continue;
        }
        let all = standings(rows, summary.set, |map| !best_only || !lost.iter().any(|l| l == map));
        let (Some(like), Some(astar)) = (of(&all, "like-thesis"), of(&all, "astar")) else {
            continue;
        };
        let faster = |s: Option<&Standing>| {
            s.map_or("–".into(), |s| format!("+{:.0} %", (astar.us / s.us - 1.0) * 100.0))
        };
        let (gateway, consistent) = (of(&all, "gateway"), of(&all, "gateway-consistent"));
        let maps: Vec<&str> = rows
            .iter()
            .filter(|r| r.set == summary.set && r.engine == "astar")
            .map(|r| r.map.as_str())
            .filter(|map| !best_only || !lost.iter().any(|l| l == map))
            .collect();
        let (octile, theirs) = theirs(&summary, &maps, printed);
        let name = format!("{} ({})", summary.table, summary.of);
        lines.push(vec![
            name.clone(),
            format!("{} of {}", astar.maps, summary.maps),
            num(octile.1),
            num(like.expanded),
            deviation(octile.1, like.expanded),
            num(astar.expanded),
            num(theirs.1),
            expanded(gateway),
            expanded(consistent),
        ]);
        times.push(vec![
            name,
            num(octile.0 * 1e6),
            num(theirs.0 * 1e6),
            summary.speedup.to_string(),
            num(astar.us),
            gateway.map_or("–".into(), |s| num(s.us)),
            faster(gateway),
            consistent.map_or("–".into(), |s| num(s.us)),
            faster(consistent),
            format!("{} x", num(theirs.0 * 1e6 / consistent.map_or(f64::NAN, |s| s.us))),
        ]);
    }
    if lines.is_empty() {
        return html
            + &p("The sets sc1 and bg512 were not in the suite; the leaderboard shows the same \
                  engines on the maps that were.");
    }
    html += &table(
        "Mean expansions",
        &[
            "table",
            "maps run",
            "thesis, octile",
            "like-thesis",
            "deviation",
            "astar, exact",
            "thesis, gateway",
            "gateway",
            "gateway-consistent",
        ],
        &lines,
    );
    html += &table(
        "Time of a search in µs, and how many more searches are done in a second than by plain A*",
        &[
            "table",
            "thesis, octile",
            "thesis, gateway",
            "more searches",
            "astar",
            "gateway",
            "more searches",
            "gateway-consistent",
            "more searches",
            "thesis, gateway / ours",
        ],
        &times,
    );
    html + &p(
        "Table 4.3 mends five decompositions by hand. Here nothing is mended by hand: cleaning, \
         splitting and merging of zones is part of building gateway-consistent.",
    )
}

/// Seconds and expansions of the thesis, octile and gateway: as summed up there, or over the
/// maps that were run if those are fewer.
fn theirs(
    summary: &Summary,
    maps: &[&str],
    printed: &[published::Row],
) -> ((f64, f64), (f64, f64)) {
    if maps.len() == summary.maps || printed.is_empty() {
        return (summary.octile, summary.gateway);
    }
    let mean = |heuristic: &str| {
        let of = |map: &&str| {
            let mended = find(printed, summary.set, map, heuristic, "manual-fix");
            let mended = mended.filter(|_| summary.table == "4.3");
            mended.or_else(|| find(printed, summary.set, map, heuristic, "automatic"))
        };
        let rows: Vec<&published::Row> = maps.iter().filter_map(of).collect();
        let searches: f64 = rows.iter().map(|r| r.searches).sum();
        let sum = |value: fn(&published::Row) -> f64| {
            rows.iter().map(|r| value(r) * r.searches).sum::<f64>() / searches
        };
        (sum(|r| r.mean_s), sum(|r| r.mean_expanded))
    };
    (mean("octile"), mean("gateway"))
}

/// The claim of the paper on decomposition.
fn savings(rows: &[engines::Row]) -> String {
    let all = standings(rows, "sc1", |map| GATES.iter().any(|(name, ..)| *name == map));
    let (Some(like), Some(astar)) = (of(&all, "like-thesis"), of(&all, "astar")) else {
        return String::new();
    };
    let saving = |base: f64, value: f64| percent(1.0 - value / base);
    let line = |name: &str, base: &Standing, s: Option<&Standing>| {
        let s = s?;
        Some(vec![name.into(), saving(base.expanded, s.expanded), saving(base.us, s.us)])
    };
    let (gateway, consistent) = (of(&all, "gateway"), of(&all, "gateway-consistent"));
    let lines = [
        Some(vec!["paper, AIIDE 2015".into(), percent(SAVINGS.0), percent(SAVINGS.1)]),
        line("gateway over like-thesis", like, gateway),
        line("gateway-consistent over like-thesis", like, consistent),
        line("gateway over astar", astar, gateway),
        line("gateway-consistent over astar", astar, consistent),
    ];
    let lines: Vec<Vec<String>> = lines.into_iter().flatten().collect();
    h3("Savings on the maps of the paper on decomposition")
        + &table("", &["", "expansions saved", "time saved"], &lines)
}

fn find<'a>(
    printed: &'a [published::Row],
    set: &str,
    map: &str,
    heuristic: &str,
    decomposition: &str,
) -> Option<&'a published::Row> {
    printed.iter().find(|r| {
        r.table == "A"
            && r.set == set
            && r.map == map
            && r.heuristic == heuristic
            && r.decomposition == decomposition
    })
}

/// Published against measured expansions, a dot a map.
fn scatter(rows: &[engines::Row], printed: &[published::Row]) -> String {
    let pairs = |engine: &str, heuristic: &str, set: &str, colour| {
        let mut series = Series { name: set.into(), colour, ..Series::default() };
        for row in rows.iter().filter(|r| r.engine == engine && r.set == set) {
            if let Some(theirs) = find(printed, set, &row.map, heuristic, "automatic") {
                series.points.push((theirs.mean_expanded, row.mean_expanded));
                series.words.push(row.map.clone());
            }
        }
        series
    };
    let plot = |engine: &str, heuristic: &str| {
        let title = format!("Mean expansions a map: thesis, {heuristic}, against {engine}");
        let series = vec![pairs(engine, heuristic, "sc1", 0), pairs(engine, heuristic, "bg512", 1)];
        if series.iter().all(|s| s.points.is_empty()) {
            return None;
        }
        let plot = Plot {
            title: title.clone(),
            x: Axis::log(format!("thesis, {heuristic}")),
            y: Axis::log(engine),
            series,
        };
        Some((title, plot.dots_on_diagonal()))
    };
    let figures: Vec<_> = [
        ("like-thesis", "octile"),
        ("astar", "octile"),
        ("gateway", "gateway"),
        ("gateway-consistent", "gateway"),
    ]
    .into_iter()
    .filter_map(|(engine, heuristic)| plot(engine, heuristic))
    .collect();
    if figures.is_empty() {
        return String::new();
    }
    plots(&figures)
        + &p(
            "A dot on the line: the same number as in the thesis. Below it: fewer expansions here.",
        )
}

fn appendix(set: &str, tables: &str, rows: &[engines::Row], printed: &[published::Row]) -> String {
    let mut maps: Vec<&str> =
        rows.iter().filter(|r| r.set == set).map(|r| r.map.as_str()).collect();
    maps.dedup();
    let mut lines = Vec::new();
    for map in maps {
        let all = standings(rows, set, |m| m == map);
        let (Some(like), Some(astar)) = (of(&all, "like-thesis"), of(&all, "astar")) else {
            continue;
        };
        let theirs = |heuristic, kind| find(printed, set, map, heuristic, kind);
        let number = |row: Option<&published::Row>| match row {
            Some(r) if r.mean_reexpanded > 0.0 => {
                format!("{} ({})", num(r.mean_expanded), num(r.mean_reexpanded))
            }
            Some(r) => num(r.mean_expanded),
            None => "–".into(),
        };
        let octile = theirs("octile", "automatic");
        let consistent = of(&all, "gateway-consistent");
        lines.push(vec![
            map.to_string(),
            num(like.length),
            number(octile),
            num(like.expanded),
            octile.map_or("–".into(), |r| deviation(r.mean_expanded, like.expanded)),
            num(astar.expanded),
            number(theirs("gateway", "automatic")),
            number(theirs("gateway", "manual-fix")),
            expanded(of(&all, "gateway")),
            expanded(consistent),
            num(astar.us),
            num(consistent.map_or(f64::NAN, |s| s.us)),
        ]);
    }
    if lines.is_empty() {
        return String::new();
    }
    let header = [
        "map",
        "mean length",
        "thesis, octile",
        "like-thesis",
        "deviation",
        "astar, exact",
        "thesis, gateway",
        "thesis, mended",
        "gateway",
        "gateway-consistent",
        "astar µs",
        "gateway-consistent µs",
    ];
    let count = lines.len();
    folded(&format!("Tables {tables}: {set} map by map ({count})"), &table("", &header, &lines))
}

fn aurora_table(rows: &[aurora::Row], printed: &[published::Row]) -> String {
    let theirs: Vec<&published::Row> = printed.iter().filter(|r| r.table == "4.5").collect();
    let mut lines = Vec::new();
    for bucket in 0..aurora::BUCKETS.len() {
        let ours = |engine: &str| rows.iter().find(|r| r.bucket == bucket && r.engine == engine);
        let Some(first) = ours("astar") else { continue };
        let number = |engine: &str| ours(engine).map_or("–".into(), |r| num(r.mean_expanded));
        let group = theirs.chunks(3).nth(bucket).unwrap_or_default();
        let printed = |i: usize| group.get(i).map_or("–".into(), |r| num(r.mean_expanded));
        lines.push(vec![
            group.first().map_or_else(|| num(first.mean_length), |r| num(r.mean_length)),
            num(first.mean_length),
            first.problems.to_string(),
            printed(0),
            number("like-thesis"),
            printed(1),
            printed(2),
            number("gateway"),
            number("gateway-consistent"),
            ours("gateway-consistent").map_or("–".into(), |r| num(r.mean_us)),
        ]);
    }
    let header = [
        "mean length, thesis",
        "here",
        "searches",
        "thesis, octile",
        "like-thesis",
        "thesis, automatic gates",
        "thesis, mended gates",
        "gateway",
        "gateway-consistent",
        "µs",
    ];
    h3("Table 4.5: the Aurora map, mean expansions by length")
        + &table("", &header, &lines)
        + &p("The thesis needed gates drawn by hand here: one zone has more than sixty gates.")
}

fn estimate_table(rows: &[estimates::Row]) -> String {
    let line = |r: &estimates::Row| {
        vec![
            format!("{}/{}", r.set, r.map),
            num(r.astar),
            num(r.gateway),
            num(r.consistent),
            num(r.differential),
            r.landmarks.to_string(),
            num(r.consistent_us),
            num(r.differential_us),
            percent(r.octile_share),
            percent(r.consistent_share),
            num(r.build_s),
            num(r.load_s),
        ]
    };
    let lines: Vec<Vec<String>> = rows.iter().map(line).collect();
    let header = [
        "map",
        "astar",
        "gateway",
        "gateway-consistent",
        "landmarks at equal memory",
        "how many",
        "gateway-consistent µs",
        "landmarks µs",
        "time in octile",
        "time in the estimate",
        "build s",
        "load s",
    ];
    let mean = |value: fn(&estimates::Row) -> f64| {
        rows.iter().map(value).sum::<f64>() / rows.len().max(1) as f64
    };
    h3("What an estimate costs")
        + &p(&format!(
            "The thesis profiled 2.5 % of the run time in the octile estimate and 15 % in its gateway \
             heuristic. Here: {} and {} on average. Mean expansions on {} maps: astar {}, \
             gateway-consistent {}, landmarks at equal memory {}.",
            percent(mean(|r| r.octile_share)),
            percent(mean(|r| r.consistent_share)),
            rows.len(),
            num(mean(|r| r.astar)),
            num(mean(|r| r.consistent)),
            num(mean(|r| r.differential)),
        ))
        + &folded("Map by map", &table("", &header, &lines))
}
