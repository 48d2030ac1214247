//! Gives the shared library the name under which `make install` puts it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // One number per incompatible interface: the first of the version that is not 0.
    if target == "linux" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtidegate.so.0");
    } else if target == "macos" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libtidegate.0.dylib");
    }
}
