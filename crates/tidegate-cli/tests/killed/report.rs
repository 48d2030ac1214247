//! A report: its records grow unit by unit, and a run that was killed is gone on with.

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::Value;
use tempfile::TempDir;
use tidegate::rng::Rng;

use crate::{Count, tidegate, wait_for_a_moment};

const REPORT: &str = "report --quick --only gates --only hpa-open --record r -o page.html";
const EXPERIMENTS: [&str; 2] = ["gates", "hpa-open"];

/// A record: the units done, whether these are all, and the rows without their times.
#[derive(PartialEq, Debug)]
struct Record {
    done: Vec<String>,
    complete: bool,
    rows: Vec<Vec<String>>,
}

/// The record of an experiment, if there is one; it must be whole in itself.
fn record(folder: &Path, experiment: &str) -> Option<Record> {
    let text = fs::read_to_string(folder.join(format!("r/{experiment}.csv"))).ok()?;
    assert!(text.ends_with('\n'), "{experiment} is torn: {text}");
    let mut lines = text.lines();
    let head = lines.next().and_then(|line| line.strip_prefix("# ")).expect("a head");
    let head: Value = serde_json::from_str(head).expect("a whole head");
    let done =
        head["done"].as_array().unwrap().iter().map(|unit| unit.as_str().unwrap().to_owned());
    let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let is_time = |column: &str| ["ms", "us", "_s"].iter().any(|end| column.ends_with(end));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), columns.len(), "{experiment} is torn: {line}");
        let stays = fields.into_iter().zip(&columns).filter(|(_, column)| !is_time(column));
        stays.map(|(field, _)| field.to_owned()).collect()
    };
    let (done, rows) = (done.collect(), lines.map(row).collect());
    Some(Record { done, complete: head["complete"].as_bool().unwrap(), rows })
}

#[test]
fn a_killed_report_goes_on_from_whole_records() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let records = folder.join("r");
    let clock = Instant::now();
    assert!(tidegate(folder, REPORT).status().unwrap().success());
    let took = clock.elapsed();
    let whole = EXPERIMENTS.map(|experiment| record(folder, experiment).expect("a record"));
    assert!(whole.iter().all(|record| record.complete));
    let from_nothing = || {
        fs::remove_dir_all(&records).unwrap();
        fs::write(folder.join("page.html"), "old").unwrap();
    };
    from_nothing();
    let (mut rng, mut count) = (Rng::new(10), Count::default());
    let (mut partial, mut gone_on, mut finished) = (0, 0, 0);
    while count.goes_on() {
        let before = EXPERIMENTS.map(|experiment| record(folder, experiment));
        let places = [folder, &records];
        let mut child = tidegate(folder, REPORT).spawn().unwrap();
        wait_for_a_moment(&mut child, &places, took, &mut rng);
        child.kill().unwrap();
        let ended = child.wait().unwrap();
        assert!(ended.success() || ended.code().is_none(), "going on was refused: {ended}");
        for ((experiment, before), whole) in EXPERIMENTS.iter().zip(before).zip(&whole) {
            let now = record(folder, experiment);
            let units = |record: &Option<Record>| record.as_ref().map_or(0, |r| r.done.len());
            assert!(units(&now) >= units(&before), "{experiment} has lost units");
            gone_on += usize::from(units(&before) > 0 && units(&now) > units(&before));
            let Some(now) = now else { continue };
            assert_eq!(now.done, whole.done[..now.done.len()], "{experiment}");
            assert!(whole.rows.starts_with(&now.rows), "{experiment}: {now:?}");
            assert!(!now.complete || now == *whole, "{experiment}: {now:?}");
            partial += usize::from(!now.complete);
        }
        let page = fs::read_to_string(folder.join("page.html")).unwrap();
        let is_whole = page.starts_with("<!") && page.trim_end().ends_with("</html>");
        assert!(page == "old" || is_whole, "the page is torn: {page}");
        count.add(ended.code().is_none(), &places);
        if page != "old" || rng.chance(10) {
            // To the end, whatever the kill has left; the page is what these records make.
            assert!(tidegate(folder, REPORT).status().unwrap().success());
            let now = EXPERIMENTS.map(|experiment| record(folder, experiment).expect("a record"));
            assert_eq!(now, whole);
            let page = fs::read(folder.join("page.html")).unwrap();
            assert!(
                tidegate(folder, "report --draw --record r -o again.html")
                    .status()
                    .unwrap()
                    .success()
            );
            assert!(fs::read(folder.join("again.html")).unwrap() == page);
            finished += 1;
            from_nothing();
        }
    }
    count.tell("report", &format!("no record or page torn, no unit lost; {partial} records found begun, {gone_on} gone on with, {finished} reports finished"));
}
