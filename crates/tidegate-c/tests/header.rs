//! The header is what cbindgen makes of the source. `TIDEGATE_UPDATE=1` writes it.

use std::path::Path;

/// The modules in the order in which a reader of the header wants them.
const MODULES: [&str; 15] = [
    "status", "handle", "tile", "index", "engines", "scratch", "query", "many", "walk", "field",
    "layer", "edit", "world", "region", "route",
];
/// Those whose order does not matter.
const OTHERS: [&str; 2] = ["blocked", "store"];

#[test]
fn the_header_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for module in MODULES.iter().chain(&OTHERS) {
        builder = builder.with_src(folder.join(format!("src/{module}.rs")));
    }
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();

    let file = folder.join("include/tidegate.h");
    if std::env::var_os("TIDEGATE_UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&file, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = kept.lines().zip(made.lines()).position(|(kept, made)| kept != made);
    assert!(
        kept == made,
        "include/tidegate.h is out of date (line {}): run\n  \
         TIDEGATE_UPDATE=1 cargo test -p tidegate-c --test header",
        differs.map_or(kept.lines().count().min(made.lines().count()), |line| line) + 1,
    );
    check_functions(folder, &kept);
}

/// A module with functions that is not listed above would be missing.
fn check_functions(folder: &Path, header: &str) {
    let mut count = 0;
    for file in std::fs::read_dir(folder.join("src")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for rest in text.split("extern \"C\" fn ").skip(1) {
            let name = rest.split('(').next().unwrap();
            assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
            count += 1;
        }
    }
    assert!(count >= 40, "only {count} functions were found");
}
