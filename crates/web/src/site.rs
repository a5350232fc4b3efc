//! The board as a folder that any web server can serve: the files of the page, with the engine
//! as WebAssembly in place of the server.

use super::page::{BOARD, FILES, File, ROOMS};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Files of such a folder alone.
const TRANSPORT: &str = include_str!("page/local/transport.js");
const SERVICE: &str = include_str!("page/local/service.js");
const MANIFEST: &str = include_str!("page/local/manifest.webmanifest");

/// The second game's page.
const GRAVITY: &str = "gravity.html";

/// What the pages have in their heads besides.
const HEAD: &str = r#"<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon.svg">
<meta name="description" content="Gomoku and Renju against an engine, and with it">
<meta property="og:title" content="Quincunx">
<meta property="og:description" content="Gomoku and Renju against an engine, and with it">
</head>"#;

/// The files of the folder by their paths. `engine` are the files of the module for boards,
/// which `bindings/wasm/build.sh` makes, by their names.
pub fn site(engine: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let mut files: BTreeMap<String, Vec<u8>> = (FILES.iter())
        .filter(|file| is_of_board(file))
        .map(|file| (file.path.to_owned(), file.content.as_bytes().to_vec()))
        .collect();
    for path in [BOARD, GRAVITY] {
        if let Some(page) = FILES.iter().find(|file| file.path == path) {
            let content = page.content.replacen("</head>", HEAD, 1);
            files.insert(path.to_owned(), content.into());
        }
    }
    files.insert("transport.js".to_owned(), TRANSPORT.into());
    files.insert("manifest.webmanifest".to_owned(), MANIFEST.into());
    files.extend(
        engine
            .into_iter()
            .map(|(name, content)| (format!("engine/{name}"), content)),
    );
    let list = list(&files);
    files.insert("files.js".to_owned(), list.into());
    files.insert("service.js".to_owned(), SERVICE.into());
    files
}

/// What the service worker keeps, and a version that changes with it.
fn list(files: &BTreeMap<String, Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    for (path, content) in files {
        hash.update(path);
        hash.update(content);
    }
    let version: String = (hash.finalize().iter().take(8))
        .map(|byte| format!("{byte:02x}"))
        .collect();
    // Servers answer with the first page at the folder itself.
    let mut paths = vec!["./"];
    paths.extend(files.keys().map(String::as_str));
    let paths = serde_json::json!(paths);
    format!("self.VERSION = \"{version}\";\nself.FILES = {paths};\n")
}

/// Whether a file is of the boards, and not of the rooms alone: whatever their pages import.
fn is_of_board(file: &File) -> bool {
    let mut needed = vec!["main.js", "gravity.js"];
    let mut next = 0;
    while let Some(&path) = needed.get(next) {
        next += 1;
        let source = FILES.iter().find(|file| file.path == path);
        for part in source
            .map_or("", |file| file.content)
            .split("from \"./")
            .skip(1)
        {
            let import = part.split('"').next().unwrap_or_default();
            if !needed.contains(&import) {
                needed.push(import);
            }
        }
    }
    let is_script = file.path.ends_with(".js") && !file.path.contains('/');
    file.path != ROOMS && (!is_script || needed.contains(&file.path))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn text(files: &BTreeMap<String, Vec<u8>>, path: &str) -> String {
        let content = files.get(path).unwrap_or_else(|| panic!("no file {path}"));
        String::from_utf8(content.clone()).unwrap()
    }

    fn made(module: &[u8]) -> BTreeMap<String, Vec<u8>> {
        let names = ["quincunx.js", "quincunx_bg.wasm", "thinker.js"];
        site(names.map(|name| (name.to_owned(), module.to_vec())).into())
    }

    #[test]
    fn a_site_has_all_that_its_files_name() {
        let files = made(b"a module");
        for path in files.keys().filter(|path| path.ends_with(".js")) {
            for part in text(&files, path).split("from \"./").skip(1) {
                text(&files, part.split('"').next().unwrap());
            }
        }
        for page in ["index.html", "gravity.html"] {
            let page = text(&files, page);
            assert!(page.contains("manifest.webmanifest") && page.contains("og:title"));
        }
        for path in [
            "engine/quincunx_bg.wasm",
            "lang/ja.js",
            "style.css",
            "icon.svg",
        ] {
            assert!(text(&files, "files.js").contains(&format!("\"{path}\"")));
            text(&files, path);
        }
        assert!(text(&files, "transport.js").contains("engine/quincunx.js"));
        for path in ["rooms.html", "rooms.js", "lobby.js", "tournament.js"] {
            assert!(!files.contains_key(path), "{path} is of the rooms");
        }
    }

    /// A browser takes new files only where the list of the service worker is another.
    #[test]
    fn another_engine_is_another_version() {
        assert_eq!(text(&made(b"a"), "files.js"), text(&made(b"a"), "files.js"));
        assert_ne!(text(&made(b"a"), "files.js"), text(&made(b"b"), "files.js"));
    }
}
