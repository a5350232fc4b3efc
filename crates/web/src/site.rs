//! The board as a folder that any web server can serve: the files of the page, with the engine
//! as WebAssembly in place of the server.

use super::page::{BOARD, FILES, File, ROOMS, imports, short_hash};
use quincunx_analysis::diagram::Diagram;
use quincunx_drawing::{Area, Outline, Picture, PictureError, Rgb, Shape};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Files of such a folder alone.
const TRANSPORT: &str = include_str!("page/local/transport.js");
const SERVICE: &str = include_str!("page/local/service.js");
const MANIFEST: &str = include_str!("page/local/manifest.webmanifest");

/// The list of the files, and the service worker that reads it. Neither is in the list.
const LIST: &str = "files.js";
const WORKER: &str = "service.js";

/// The folder itself, in the list.
const FOLDER: &str = "./";

/// The files that are cached once they are needed: the folders with the weights of the engine and
/// with puzzles.
const LATER: [(&str, &str); 2] = [("weights", "engine/weights/"), ("puzzles", "puzzles/")];

/// The pages of the second game and of puzzles.
const GRAVITY: &str = "gravity.html";
const TRAINING: &str = "training.html";

/// The scripts of the pages.
const SCRIPTS: &[&str] = &["main.js", "gravity.js", "training.js"];

/// The description of the page.
const DESCRIPTION: &str = "Gomoku and Renju against an engine, and with it";

/// The explanation in a page that is opened as a file, from which browsers load no modules.
const UNSERVED: &str = r#"<script>
if (location.protocol === "file:") addEventListener("DOMContentLoaded", () => {
  document.querySelector("main").innerHTML = "<p>Quincunx needs a web server: browsers do not run its engine from files. "
    + "In this folder, <code>python3 -m http.server</code> serves it at <a href='http://localhost:8000/'>http://localhost:8000/</a>.</p>";
});
</script>
"#;

/// The preview picture of links to the page, and its game.
const CARD: &str = "card.png";
const GAME: &str = "15 freestyle h8h9i9g7j10k11i11g8j8g10k7l6i7";

/// Pictures of the icon by their paths, each with its pixels across and whether it fills the
/// whole square, for systems that cut a shape of their own.
const ICONS: [(&str, u32, bool); 4] = [
    ("icon-180.png", 180, true),
    ("icon-192.png", 192, false),
    ("icon-512.png", 512, false),
    ("icon-whole.png", 512, true),
];

/// Returns the files of the folder by their paths.
///
/// `engine` has the files of the module for boards by their paths; `bindings/wasm/build.sh` makes
/// them. `url` is the later address of the folder, if it is known. Previews of links need whole
/// addresses.
///
/// # Errors
/// When a picture can't be drawn.
pub fn site(
    engine: BTreeMap<String, Vec<u8>>,
    url: Option<&str>,
) -> Result<BTreeMap<String, Vec<u8>>, PictureError> {
    let mut files: BTreeMap<String, Vec<u8>> = (FILES.iter())
        .filter(|file| is_of_board(file))
        .map(|file| (file.path.to_owned(), file.content.as_bytes().to_vec()))
        .collect();
    let head = head(url.unwrap_or_default());
    for path in [BOARD, GRAVITY, TRAINING] {
        if let Some(page) = FILES.iter().find(|file| file.path == path) {
            let content = page.content.replacen("</head>", &head, 1);
            files.insert(path.to_owned(), content.into());
        }
    }
    for (path, width, is_whole) in ICONS {
        let icon = icon(is_whole);
        let unit = f64::from(width) / icon.area.width();
        files.insert(path.to_owned(), icon.png(unit)?);
    }
    files.insert(CARD.to_owned(), card()?);
    files.insert("transport.js".to_owned(), TRANSPORT.into());
    files.insert("manifest.webmanifest".to_owned(), MANIFEST.into());
    files.extend(
        engine
            .into_iter()
            .map(|(name, content)| (format!("engine/{name}"), content)),
    );
    let list = list(&files);
    files.insert(LIST.to_owned(), list.into());
    files.insert(WORKER.to_owned(), SERVICE.into());
    Ok(files)
}

/// The additional elements of the heads of the pages.
fn head(url: &str) -> String {
    let address = match url {
        "" => String::new(),
        url => format!("<meta property=\"og:url\" content=\"{url}\">\n"),
    };
    format!(
        r##"<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-180.png">
<meta name="theme-color" content="#dcae66">
<meta name="description" content="{DESCRIPTION}">
<meta property="og:title" content="Quincunx">
<meta property="og:description" content="{DESCRIPTION}">
<meta property="og:type" content="website">
<meta property="og:image" content="{url}{CARD}">
<meta property="og:image:alt" content="A board with a game">
<meta name="twitter:card" content="summary">
{address}{UNSERVED}</head>"##
    )
}

/// The icon: five stones on a ground with round corners, or on one that fills the whole square.
fn icon(is_whole: bool) -> Picture {
    let ground = Rgb(0xdcae66);
    let square = |from: f64, to: f64| Area {
        left: from,
        top: from,
        right: to,
        bottom: to,
    };
    let (area, outline) = match is_whole {
        true => (square(-8.0, 72.0), Outline::Rectangle(square(-8.0, 72.0))),
        false => {
            let round = "M14 0H50A14 14 0 0 1 64 14V50A14 14 0 0 1 50 64H14A14 14 0 0 1 0 50V14A14 14 0 0 1 14 0Z";
            (square(0.0, 64.0), Outline::Path((0.0, 0.0), round.into()))
        }
    };
    let lines = "M16 4V60M32 4V60M48 4V60M4 16H60M4 32H60M4 48H60";
    let lines = Outline::Path((0.0, 0.0), lines.into());
    let stone = |x, y, radius, color| Shape::filled(Outline::Circle((x, y), radius), Rgb(color));
    let corners = [(16.0, 16.0), (48.0, 16.0), (16.0, 48.0), (48.0, 48.0)];
    let mut shapes = vec![
        Shape::filled(outline, ground),
        Shape::drawn(lines, Rgb(0x7a5322), 1.5),
    ];
    shapes.extend(corners.map(|(x, y)| stone(x, y, 7.0, 0x161616)));
    shapes.push(stone(32.0, 32.0, 7.5, 0xfbfaf5));
    Picture {
        area,
        title: "Quincunx".to_owned(),
        shapes,
    }
}

/// A board with a game on it.
fn card() -> Result<Vec<u8>, PictureError> {
    let diagram = Diagram::read(GAME).unwrap_or_else(|_| Diagram::new(Default::default()));
    diagram.png()
}

/// The file list of the service worker: the files of every game, those for [`LATER`], and a version
/// that changes with both.
fn list(files: &BTreeMap<String, Vec<u8>>) -> String {
    let version = version(files);
    // Servers answer with the first page at the folder itself.
    let mut paths = vec![FOLDER];
    let mut later: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in files.keys() {
        match LATER.iter().find(|(_, folder)| path.starts_with(folder)) {
            Some((name, _)) => later.entry(name).or_default().push(path),
            None => paths.push(path),
        }
    }
    let [paths, later] = [serde_json::json!(paths), serde_json::json!(later)];
    format!("self.VERSION = \"{version}\";\nself.FILES = {paths};\nself.LATER = {later};\n")
}

/// A version that changes with the files.
fn version(files: &BTreeMap<String, Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    for (path, content) in files {
        hash.update(path);
        hash.update(content);
    }
    short_hash(hash)
}

/// Returns the paths of the files that an earlier export has written to a folder, which `read`
/// reads. `None` unless all of them are as they were written.
pub fn exported(read: impl Fn(&str) -> Option<Vec<u8>>) -> Option<BTreeSet<String>> {
    let list = String::from_utf8(read(LIST)?).ok()?;
    let value = |name: &str| -> Option<serde_json::Value> {
        let start = format!("self.{name} = ");
        let line = list.lines().find_map(|line| line.strip_prefix(&*start))?;
        serde_json::from_str(line.strip_suffix(';')?).ok()
    };
    let mut paths: Vec<String> = serde_json::from_value(value("FILES")?).ok()?;
    let later: BTreeMap<String, Vec<String>> = serde_json::from_value(value("LATER")?).ok()?;
    paths.extend(later.into_values().flatten());
    let paths = paths.into_iter().filter(|path| path != FOLDER);
    let file = |path: String| {
        let is_inside = !path.split(['/', '\\']).any(|part| part == "..");
        let content = read(&path).filter(|_| is_inside)?;
        Some((path, content))
    };
    let files: BTreeMap<String, Vec<u8>> = paths.map(file).collect::<Option<_>>()?;
    if value("VERSION")?.as_str() != Some(&version(&files)) {
        return None;
    }
    let unlisted = [LIST, WORKER].map(str::to_owned);
    Some(files.into_keys().chain(unlisted).collect())
}

/// Returns true if a file is of the boards, and not of the rooms alone: whatever their pages
/// import.
fn is_of_board(file: &File) -> bool {
    let is_script = file.path.ends_with(".js") && !file.path.contains('/');
    let is_of_rooms = file.path == ROOMS || file.path.starts_with("lang/rooms/");
    !is_of_rooms && (!is_script || imports(SCRIPTS).contains(&file.path))
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
        let names = [
            "quincunx.js",
            "quincunx_bg.wasm",
            "thinker.js",
            "weights.js",
            "weights/renju.line",
        ];
        let engine = names.map(|name| (name.to_owned(), module.to_vec())).into();
        site(engine, Some("https://board.example/")).unwrap()
    }

    /// The pages have the icon as a file, and folders have pictures of it.
    #[test]
    fn the_icon_of_the_pages_is_that_of_the_pictures() {
        assert_eq!(include_str!("page/icon.svg"), icon(false).svg(1.0));
    }

    #[test]
    fn an_export_is_known_while_it_is_unchanged() {
        let mut files = made(b"a module");
        let known = exported(|path| files.get(path).cloned()).unwrap();
        assert!(known.iter().eq(files.keys()));
        files.insert("style.css".to_owned(), b"mine".to_vec());
        assert_eq!(exported(|path| files.get(path).cloned()), None);
        files.remove("style.css");
        assert_eq!(exported(|path| files.get(path).cloned()), None);
        for list in [
            "",
            "self.VERSION = \"x\";\nself.FILES = [\"../a\"];\nself.LATER = {};\n",
        ] {
            let read = |path: &str| match path {
                LIST => Some(list.as_bytes().to_vec()),
                _ => Some(Vec::new()),
            };
            assert_eq!(exported(read), None, "{list}");
        }
    }

    #[test]
    fn a_site_has_all_that_its_files_name() {
        let files = made(b"a module");
        for path in files.keys().filter(|path| path.ends_with(".js")) {
            for part in text(&files, path).split("from \"./").skip(1) {
                text(&files, part.split('"').next().unwrap());
            }
        }
        for page in ["index.html", "gravity.html", "training.html"] {
            let page = text(&files, page);
            assert!(page.contains("manifest.webmanifest") && page.contains("og:title"));
            assert!(page.contains("location.protocol === \"file:\""));
            assert!(page.contains(r#"content="https://board.example/card.png""#));
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
        // Weights and puzzles are kept, but nothing waits for them.
        let list = text(&files, "files.js");
        let (others, later) = list.split_once("self.LATER = ").unwrap();
        let weights = r#""weights":["engine/weights/renju.line"]"#;
        let puzzles = r#""puzzles":["puzzles/caro.txt","puzzles/freestyle.txt","puzzles/renju.txt","puzzles/standard.txt","puzzles/threes.txt"]"#;
        assert_eq!(later.trim(), format!("{{{puzzles},{weights}}};"));
        for path in later.split('"').filter(|path| path.contains('/')) {
            assert!(files.contains_key(path) && !others.contains(path), "{path}");
        }
        for path in ["rooms.html", "rooms.js", "lobby.js", "lang/rooms/en.js"] {
            assert!(!files.contains_key(path), "{path} is of the rooms");
        }
    }

    /// Browsers install a page whose manifest names a PNG of 192 and one of 512 pixels.
    #[test]
    fn pictures_have_the_stated_sizes() {
        let files = made(b"a module");
        let width = |path: &str| {
            let png = &files[path];
            assert!(png.starts_with(b"\x89PNG"), "{path}");
            u32::from_be_bytes(png[16..20].try_into().unwrap())
        };
        let manifest: serde_json::Value =
            serde_json::from_str(&text(&files, "manifest.webmanifest")).unwrap();
        for icon in manifest["icons"].as_array().unwrap() {
            let path = icon["src"].as_str().unwrap();
            let sizes = icon["sizes"].as_str().unwrap();
            if path.ends_with(".png") {
                assert_eq!(sizes, format!("{0}x{0}", width(path)));
            } else {
                assert!(files.contains_key(path), "{path}");
            }
        }
        assert_eq!(width("icon-180.png"), 180);
        assert!(width(CARD) >= 600);
        assert_eq!(Diagram::read(GAME).unwrap().stones.len(), 13);
    }

    /// A browser takes new files only where the list of the service worker is another.
    #[test]
    fn another_engine_is_another_version() {
        assert_eq!(text(&made(b"a"), "files.js"), text(&made(b"a"), "files.js"));
        assert_ne!(text(&made(b"a"), "files.js"), text(&made(b"b"), "files.js"));
    }
}
