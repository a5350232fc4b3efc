//! `board --export`: a folder without a server.

use super::{fails, prints};
use quincunx_engine::rules::Rule;
use std::fs;

/// The folder has the page and the engine; without an engine nothing is written.
#[test]
fn the_board_is_written_as_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let wasm = folder.path().join("wasm");
    fs::create_dir(&wasm).unwrap();
    let refusal = fails(folder.path(), "board --export site --wasm wasm");
    assert!(refusal.contains("build.sh"), "{refusal}");
    assert!(!folder.path().join("site").exists());
    fs::create_dir(wasm.join("weights")).unwrap();
    let weights = Rule::ALL
        .iter()
        .flat_map(|rule| ["line", "tables"].map(|kind| format!("weights/{rule}.{kind}")));
    let module = [
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "THIRD-PARTY.txt",
        "quincunx.js",
        "quincunx_bg.wasm",
        "thinker.js",
        "weights.js",
    ];
    for name in module.map(str::to_owned).into_iter().chain(weights) {
        fs::write(wasm.join(&name), &name).unwrap();
    }
    let told = prints(folder.path(), "board --export site --wasm wasm");
    assert!(told.contains("files in site"), "{told}");
    let site = folder.path().join("site");
    for path in ["index.html", "gravity.html", "lang/vi.js", "service.js"] {
        assert!(site.join(path).exists(), "{path}");
    }
    let module = fs::read_to_string(site.join("engine/quincunx_bg.wasm")).unwrap();
    assert_eq!(module, "quincunx_bg.wasm");
    let weights = fs::read_to_string(site.join("engine/weights/caro-overline.line")).unwrap();
    assert_eq!(weights, "weights/caro-overline.line");
    // Licences go with the module, and no visitor keeps them.
    assert!(site.join("engine/THIRD-PARTY.txt").exists());
    let kept = fs::read_to_string(site.join("files.js")).unwrap();
    assert!(kept.contains("weights.js") && !kept.contains("THIRD-PARTY"));
}
