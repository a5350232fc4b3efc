//! `board --export`: a folder without a server.

use super::{fails, prints, read, write};
use quincunx_engine::rules::Rule;
use std::fs;
use std::path::Path;

/// Makes the files of the module, each with its name for its contents.
fn make_module(wasm: &Path) {
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
}

/// The folder has the page and the engine; without an engine nothing is written.
#[test]
fn the_board_is_written_as_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let wasm = folder.path().join("wasm");
    fs::create_dir(&wasm).unwrap();
    let refusal = fails(folder.path(), "board --export site --wasm wasm");
    assert!(refusal.contains("build.sh"), "{refusal}");
    assert!(!folder.path().join("site").exists());
    make_module(&wasm);
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

/// A page of one's own under the same name was lost.
#[test]
fn an_export_overwrites_no_files_but_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join("wasm")).unwrap();
    make_module(&at.join("wasm"));
    let export = "board --export site --wasm wasm";
    for name in [
        "index.html",
        "style.css",
        "icon-192.png",
        "engine/weights.js",
    ] {
        let path = at.join("site").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine").unwrap();
        let error = fails(at, export);
        assert!(
            error.contains(&format!("site has {name}, which")),
            "{error}"
        );
        let entries = fs::read_dir(at.join("site")).unwrap().count();
        assert_eq!(
            (read(at, &format!("site/{name}")).as_str(), entries),
            ("mine", 1)
        );
        fs::remove_dir_all(at.join("site")).unwrap();
    }
    prints(at, export);
    write(at, "site/robots.txt", "mine");
    // The next version of the engine takes the place of the one before.
    write(at, "wasm/quincunx_bg.wasm", "another");
    prints(at, export);
    assert_eq!(read(at, "site/engine/quincunx_bg.wasm"), "another");
    // One that has been changed is one's own again.
    write(at, "site/index.html", "mine");
    let error = fails(at, export);
    assert!(error.contains("--force overwrites"), "{error}");
    assert_eq!(read(at, "site/index.html"), "mine");
    prints(at, &format!("{export} --force"));
    assert!(read(at, "site/index.html").contains("<title>"));
    assert_eq!(read(at, "site/robots.txt"), "mine");
}
