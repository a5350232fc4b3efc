//! Writes the JavaScript around the module: wasm-bindgen as a library, so that the build needs
//! no program of just the right version.
//!
//!     quincunx-bindgen MODULE FOLDER

use std::env;
use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        return Err("expected a module and a folder".into());
    };
    Bindgen::new()
        .input_path(module)
        .out_name("quincunx")
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)?;
    Ok(())
}
