//! Writes the seeds of every fuzz target into `FOLDER/TARGET/`, with the inputs that once
//! did harm: where `tools/fuzz` begins.

use std::path::PathBuf;
use std::{env, fs};

use tidegate_testkit::hostile;

fn main() -> std::io::Result<()> {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        return Err(std::io::Error::other("usage: fuzz_seeds FOLDER"));
    };
    for target in hostile::ALL {
        let folder = folder.join(target.name);
        fs::create_dir_all(&folder)?;
        let all = (target.seeds)().into_iter().chain(hostile::kept(target.name)?);
        for (n, seed) in all.enumerate() {
            fs::write(folder.join(format!("seed-{n}")), seed)?;
        }
    }
    Ok(())
}
