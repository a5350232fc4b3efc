//! Gives the library for macOS a name by which programs find it in the folders of their run path.
//! By default that is its path on the machine that built it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libquincunx.dylib");
    }
}
