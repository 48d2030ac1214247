//! The modules of the library stand in the order of their dependencies: a module uses
//! only those above it in `lib.rs`. So there is no ring, and a reader who goes down the
//! list never needs what comes later.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The modules of `lib.rs`, in its order.
fn modules(lib: &str) -> Vec<String> {
    let declared = |line: &str| {
        let rest = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?;
        rest.strip_suffix(';').map(str::to_owned)
    };
    lib.lines().filter_map(declared).collect()
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file, without comments and without its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let text = text.split("#[cfg(all(test").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules that code names by `crate::`, alone or in braces.
fn used(code: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(list) => {
                let list = list.split(';').next().unwrap_or_default();
                found.extend(list.split(',').map(|item| name(item.trim())));
            }
            None => found.push(name(rest)),
        }
    }
    found
}

/// The files of every module and what is in them.
type Sources = BTreeMap<String, Vec<(PathBuf, String)>>;

/// Uses that point forward, as "module uses other (file)".
fn forward_uses(order: &[String], sources: &Sources) -> Vec<String> {
    let place = |name: &str| order.iter().position(|module| module == name);
    let mut forward = Vec::new();
    for (at, module) in order.iter().enumerate() {
        for (file, text) in sources.get(module).into_iter().flatten() {
            for other in used(&code(text)) {
                if place(&other).is_some_and(|other| other > at) {
                    forward.push(format!("{module} uses {other} ({})", file.display()));
                }
            }
        }
    }
    forward
}

fn library() -> (Vec<String>, Sources) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let order = modules(&std::fs::read_to_string(source.join("lib.rs")).unwrap());
    let mut sources = BTreeMap::new();
    for module in &order {
        let mut files = vec![source.join(format!("{module}.rs"))];
        files_below(&source.join(module), &mut files);
        files.retain(|file| !file.to_string_lossy().ends_with("_tests.rs"));
        let read = |file: PathBuf| {
            let text = std::fs::read_to_string(&file).unwrap();
            (file, text)
        };
        sources.insert(module.clone(), files.into_iter().map(read).collect());
    }
    (order, sources)
}

#[test]
fn modules_use_only_those_above_them() {
    let (order, sources) = library();
    assert!(order.len() >= 15, "the list of modules was not read: {order:?}");
    let uses: usize = sources.values().flatten().map(|(_, text)| used(&code(text)).len()).sum();
    assert!(uses > 200, "only {uses} uses were read");
    let forward = forward_uses(&order, &sources);
    assert!(forward.is_empty(), "these point forward:\n{}", forward.join("\n"));
}

#[test]
fn a_use_that_points_forward_is_noticed() {
    let (order, mut sources) = library();
    for line in ["use crate::engine::ALL;", "use crate::{cost, engine};"] {
        let grid = sources.get_mut("grid").unwrap();
        grid.push((PathBuf::from("added.rs"), format!("{line}\n")));
        assert_eq!(forward_uses(&order, &sources), ["grid uses engine (added.rs)"], "{line}");
        sources.get_mut("grid").unwrap().pop();
    }
}
