//! `bindgen NAME IN.wasm OUT`: writes NAME.js, NAME.d.ts and NAME_bg.wasm to the folder OUT. With `--classic`
//! the script is one for `<script>` and `importScripts`, which leaves `NAME` as a global variable.

use anyhow::{Context as _, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let classic = words.first().is_some_and(|word| word == "--classic");
    words.drain(..usize::from(classic));
    let [name, input, out] = &words[..] else { bail!("usage: bindgen [--classic] NAME IN.wasm OUT") };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(!classic);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.omit_default_module_path(false);
    if classic {
        bindgen.no_modules(true)?.no_modules_global(name)?;
    } else {
        bindgen.web(true)?;
    }
    bindgen.generate(out).with_context(|| format!("{input} to {out}"))
}
