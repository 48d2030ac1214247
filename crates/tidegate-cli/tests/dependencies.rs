//! `docs/dependencies.md` names what is built in: every crate that is named in a `Cargo.toml`, and every crate
//! whose own code runs while the program is built. Neither list may fall behind.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/dependencies.md");
/// The heading of the second list.
const BUILDING: &str = "## What runs while it is built";

/// What cargo knows of the packages of this machine's kind, and how they depend on each other.
struct Metadata {
    packages: BTreeMap<String, Value>,
    depends: BTreeMap<String, Vec<(String, bool)>>,
}

impl Metadata {
    /// `None` where cargo cannot tell: it looks at all packages of the workspace, and not all of them are on a
    /// machine that was never on the network with them.
    fn new() -> Option<Metadata> {
        let rustc = Command::new("rustc").arg("-vV").output().unwrap();
        let about = String::from_utf8(rustc.stdout).unwrap();
        let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned();
        let cargo = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked"])
            .args(["--filter-platform", &host])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        if !cargo.status.success() {
            println!("skipped: {}", String::from_utf8_lossy(&cargo.stderr));
            return None;
        }
        let all: Value = serde_json::from_slice(&cargo.stdout).unwrap();
        let list = |value: &Value| value.as_array().unwrap().clone();
        let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
        let packages = list(&all["packages"]).into_iter().map(|p| (id(&p), p)).collect();
        let depends = list(&all["resolve"]["nodes"]).into_iter().map(|node| {
            let deps = list(&node["deps"]).into_iter().map(|dep| {
                let kinds = list(&dep["dep_kinds"]);
                let is_built_in = kinds.iter().any(|kind| kind["kind"].as_str() != Some("dev"));
                (dep["pkg"].as_str().unwrap().to_owned(), is_built_in)
            });
            (id(&node), deps.collect())
        });
        Some(Metadata { packages, depends: depends.collect() })
    }

    fn name(&self, id: &str) -> &str {
        self.packages[id]["name"].as_str().unwrap()
    }

    /// Everything that the program is built from.
    fn built_in(&self) -> BTreeSet<&str> {
        let program = self.packages.keys().find(|id| self.name(id) == "tidegate-cli").unwrap();
        let (mut seen, mut open) = (BTreeSet::new(), vec![program.as_str()]);
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                let deps = self.depends[id].iter().filter(|(_, is_built_in)| *is_built_in);
                open.extend(deps.map(|(id, _)| id.as_str()));
            }
        }
        seen
    }

    fn has_target(&self, id: &str, kind: &str) -> bool {
        let targets = self.packages[id]["targets"].as_array().unwrap();
        let kinds = |target: &Value| target["kind"].as_array().unwrap().clone();
        targets.iter().any(|target| kinds(target).iter().any(|k| k == kind))
    }
}

/// The names in backticks in the first column of tables.
fn named(page: &str) -> BTreeSet<String> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let first = rows.filter_map(|row| row.split('|').nth(1));
    let names = first.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned));
    names.collect()
}

fn compare(found: &BTreeSet<String>, named: &BTreeSet<String>, what: &str) {
    let missing: Vec<_> = found.difference(named).collect();
    let extra: Vec<_> = named.difference(found).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "{what}: not named {missing:?}, gone {extra:?}"
    );
}

#[test]
fn every_dependency_has_a_reason() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (reasons, _) = page.split_once(BUILDING).unwrap();
    let mut found = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = ["tidegate", "bevy_tidegate"];
    let mut manifests: Vec<_> = std::fs::read_dir(root.join("crates")).unwrap().collect();
    manifests.sort_by_key(|entry| entry.as_ref().unwrap().path());
    let folders = manifests.into_iter().map(|entry| entry.unwrap().path());
    for folder in folders.chain(["fuzz", "fuzz/c", "fuzz/studio"].map(|name| root.join(name))) {
        let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = text.parse().unwrap();
        let targets = manifest.get("target").and_then(|t| t.as_table()).cloned();
        let targets =
            targets.unwrap_or_default().into_iter().filter_map(|(_, t)| t.as_table().cloned());
        for table in std::iter::once(manifest.clone()).chain(targets) {
            for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
                let names = table.get(kind).and_then(|t| t.as_table()).into_iter().flatten();
                found.extend(names.map(|(name, _)| name.clone()));
            }
        }
    }
    found.retain(|name| !own.contains(&name.as_str()) && !name.starts_with("tidegate-"));
    compare(&found, &named(reasons), "docs/dependencies.md");
}

/// Build scripts and procedural macros run with the rights of who builds, before any test of ours does.
#[cfg(target_os = "linux")]
#[test]
fn what_runs_while_building_is_named() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (_, building) = page.split_once(BUILDING).unwrap();
    let Some(metadata) = Metadata::new() else { return };
    let built_in = metadata.built_in();
    assert!(built_in.len() > 50, "{}", built_in.len());
    let runs =
        |id: &&&str| ["custom-build", "proc-macro"].iter().any(|k| metadata.has_target(id, k));
    let found: BTreeSet<String> =
        built_in.iter().filter(runs).map(|id| metadata.name(id).to_owned()).collect();
    compare(&found, &named(building), BUILDING);
}
