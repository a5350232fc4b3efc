//! The files of the page, which are part of the program.

use super::rooms::ClubHost;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use quincunx_analysis::puzzle;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::sync::{Arc, LazyLock};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

/// A file of the page.
pub(super) struct File {
    pub(super) path: &'static str,
    kind: &'static str,
    pub(super) content: &'static str,
}

/// A page: its content in the common frame, with its title and its script.
macro_rules! page {
    ($path:literal, $title:literal, $script:literal) => {
        concat!(
            include_str!("page/frame/head.html"),
            "<title>",
            $title,
            "</title>\n",
            "<script type=\"module\" src=\"",
            $script,
            "\"></script>\n",
            include_str!("page/frame/header.html"),
            include_str!(concat!("page/", $path)),
            include_str!("page/frame/foot.html"),
        )
    };
}

/// Files by their path: those of the folder `page`, or with a content of their own.
macro_rules! files {
    (@content $path:literal) => { include_str!(concat!("page/", $path)) };
    (@content $path:literal $content:expr) => { $content };
    ($($kind:ident $path:literal $(= $content:expr)?,)*) => {
        &[$(File {
            path: $path,
            kind: $kind,
            content: files!(@content $path $($content)?),
        },)*]
    };
}

pub(super) const FILES: &[File] = files![
    HTML "gravity.html" = page!("gravity.html", "Quincunx: four in a row", "gravity.js"),
    HTML "index.html" = page!("index.html", "Quincunx", "main.js"),
    HTML "rooms.html" = page!("rooms.html", "Quincunx", "rooms.js"),
    HTML "training.html" = page!("training.html", "Quincunx: puzzles", "training.js"),
    SVG "icon.svg",
    CSS "style.css" = concat!(
        include_str!("page/style/theme.css"),
        include_str!("page/style/base.css"),
        include_str!("page/style/dialogs.css"),
        include_str!("page/style/header.css"),
        include_str!("page/style/game.css"),
        include_str!("page/style/study.css"),
        include_str!("page/style/frame.css"),
        include_str!("page/style/board.css"),
        include_str!("page/style/gravity.css"),
        include_str!("page/style/rooms.css"),
        include_str!("page/style/system.css"),
    ),
    SCRIPT "actions.js",
    SCRIPT "alert.js",
    SCRIPT "analysis.js",
    SCRIPT "announce.js",
    SCRIPT "board.js",
    SCRIPT "challenges.js",
    SCRIPT "clocks.js",
    SCRIPT "conditional.js",
    SCRIPT "connection.js",
    SCRIPT "contacts.js",
    SCRIPT "correspondence.js",
    SCRIPT "curve.js",
    SCRIPT "dialogs.js",
    SCRIPT "dom.js",
    SCRIPT "drop.js",
    SCRIPT "editor.js",
    SCRIPT "engine.js",
    SCRIPT "explorer.js",
    SCRIPT "export.js",
    SCRIPT "first-visit.js",
    SCRIPT "frame.js",
    SCRIPT "game-request.js",
    SCRIPT "games.js",
    SCRIPT "graph.js",
    SCRIPT "gravity.js",
    SCRIPT "help.js",
    SCRIPT "invite.js",
    SCRIPT "labels.js",
    SCRIPT "language.js",
    SCRIPT "main.js",
    SCRIPT "moves.js",
    SCRIPT "names.js",
    SCRIPT "notifications.js",
    SCRIPT "open-rooms.js",
    SCRIPT "opening.js",
    SCRIPT "own-rooms.js",
    SCRIPT "owngames.js",
    SCRIPT "page.js",
    SCRIPT "picture.js",
    SCRIPT "players.js",
    SCRIPT "points.js",
    SCRIPT "preferences.js",
    SCRIPT "premove.js",
    SCRIPT "profile.js",
    SCRIPT "proof.js",
    SCRIPT "icons.js",
    SCRIPT "identity.js",
    SCRIPT "key.js",
    SCRIPT "review.js",
    SCRIPT "screen.js",
    SCRIPT "lobby-changes.js",
    SCRIPT "lobby.js",
    SCRIPT "room-setup.js",
    SCRIPT "room.js",
    SCRIPT "rooms.js",
    SCRIPT "tree.js",
    SCRIPT "shortcut.js",
    SCRIPT "sound.js",
    SCRIPT "small-board.js",
    SCRIPT "status.js",
    SCRIPT "tabs.js",
    SCRIPT "threats.js",
    SCRIPT "tournament.js",
    SCRIPT "training.js",
    SCRIPT "transport.js",
    SCRIPT "view.js",
    SCRIPT "why.js",
    SCRIPT "window.js",
    SCRIPT "lang/en.js",
    SCRIPT "lang/ja.js",
    SCRIPT "lang/ko.js",
    SCRIPT "lang/ru.js",
    SCRIPT "lang/vi.js",
    SCRIPT "lang/zh-Hans.js",
    SCRIPT "lang/zh-Hant.js",
    SCRIPT "lang/rooms/en.js",
    SCRIPT "lang/rooms/ja.js",
    SCRIPT "lang/rooms/ko.js",
    SCRIPT "lang/rooms/ru.js",
    SCRIPT "lang/rooms/vi.js",
    SCRIPT "lang/rooms/zh-Hans.js",
    SCRIPT "lang/rooms/zh-Hant.js",
    TEXT "puzzles/caro.txt" = puzzle::CARO,
    TEXT "puzzles/freestyle.txt" = puzzle::FREESTYLE,
    TEXT "puzzles/renju.txt" = puzzle::RENJU,
    TEXT "puzzles/standard.txt" = puzzle::STANDARD,
    TEXT "puzzles/threes.txt" = puzzle::THREES,
];

/// A file prepared for sending.
struct Prepared {
    /// The entity tag of the file.
    tag: String,
    /// The file compressed; empty if it can't be.
    compressed: Vec<u8>,
}

impl Prepared {
    fn new(content: &str) -> Prepared {
        let compress = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(content.as_bytes())?;
            encoder.finish()
        };
        Prepared {
            // Compressed or not it is the same file: a weak tag.
            tag: format!("W/\"{}\"", short_hash(Sha256::new_with_prefix(content))),
            compressed: compress().unwrap_or_default(),
        }
    }
}

/// The prepared files, in the same order.
static PREPARED: LazyLock<Vec<Prepared>> = LazyLock::new(|| {
    (FILES.iter())
        .map(|file| Prepared::new(file.content))
        .collect()
});

/// Compresses the files in advance, because it is slow.
pub(super) fn prepare() {
    LazyLock::force(&PREPARED);
}

/// The first bytes of a hash, enough to distinguish files.
pub(super) fn short_hash(hash: Sha256) -> String {
    let bytes = hash.finalize();
    bytes
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The first page with rooms, and without.
pub(super) const ROOMS: &str = "rooms.html";
pub(super) const BOARD: &str = "index.html";

/// The board's link to the lobby, without rooms and with them.
const NO_LOBBY: &str = r#"<a id="back" href="./" hidden>"#;
const LOBBY: &str = r#"<a id="back" href="./">"#;

/// Some scripts and all that they import.
pub(super) fn imports(scripts: &[&'static str]) -> Vec<&'static str> {
    let mut needed = scripts.to_vec();
    let mut next = 0;
    while let Some(&path) = needed.get(next) {
        next += 1;
        let source = FILES.iter().find(|file| file.path == path);
        let content = source.map_or("", |file| file.content);
        for part in content.split("from \"./").skip(1) {
            let import = part.split('"').next().unwrap_or_default();
            if !needed.contains(&import) {
                needed.push(import);
            }
        }
    }
    needed
}

/// Answers with a file of the page, unless the browser has it as it is.
pub(super) async fn file(
    State(club): State<Option<Arc<ClubHost>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")]).into_response();
    }
    let has_lobby = club.is_some();
    let path = match (uri.path().trim_start_matches('/'), club) {
        ("", Some(_)) => ROOMS,
        ("", None) => BOARD,
        (ROOMS, None) => "",
        (path, _) => path,
    };
    let has = |name, part: &str| {
        let value = headers.get(name).and_then(|it| it.to_str().ok());
        value.is_some_and(|value| value.contains(part))
    };
    let mut found = FILES.iter().zip(PREPARED.iter());
    let Some((file, prepared)) = found.find(|(file, _)| file.path == path) else {
        return (StatusCode::NOT_FOUND, "There is no such page.\n").into_response();
    };
    if path == BOARD && has_lobby {
        let content = file.content.replacen(NO_LOBBY, LOBBY, 1);
        return ([(CONTENT_TYPE, file.kind)], content).into_response();
    }
    let tagged = [(ETAG, &*prepared.tag), (VARY, "accept-encoding")];
    if has(IF_NONE_MATCH, &prepared.tag) {
        return (StatusCode::NOT_MODIFIED, tagged).into_response();
    }
    let kind = [(CONTENT_TYPE, file.kind)];
    if has(ACCEPT_ENCODING, "gzip") && !prepared.compressed.is_empty() {
        let packed = [(CONTENT_ENCODING, "gzip")];
        (tagged, kind, packed, prepared.compressed.as_slice()).into_response()
    } else {
        (tagged, kind, file.content).into_response()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn content(path: &str) -> &'static str {
        let file = FILES.iter().find(|file| file.path == path);
        file.unwrap_or_else(|| panic!("no file {path}")).content
    }

    /// The words of a language by their keys.
    fn words(path: &str) -> BTreeMap<&'static str, &'static str> {
        let entry = |line: &'static str| {
            let line = line.trim().strip_prefix('"')?;
            let (key, rest) = line.split_once("\": \"")?;
            Some((key, rest.strip_suffix("\",").unwrap()))
        };
        content(path).lines().filter_map(entry).collect()
    }

    /// The words of all folders by their keys, in English.
    fn english() -> BTreeMap<&'static str, &'static str> {
        let mut all = words("lang/en.js");
        all.extend(words("lang/rooms/en.js"));
        all
    }

    /// The files of the languages in a folder.
    fn languages(folder: &'static str) -> impl Iterator<Item = &'static File> {
        let is_inside = move |file: &&File| {
            let rest = file.path.strip_prefix(folder);
            rest.is_some_and(|name| !name.contains('/'))
        };
        FILES.iter().filter(is_inside)
    }

    /// The placeholders of a text, such as `{point}`, in alphabetical order.
    fn blanks(text: &str) -> Vec<&str> {
        let mut names: Vec<&str> = text.split('{').skip(1).collect();
        names
            .iter_mut()
            .for_each(|name| *name = name.split('}').next().unwrap());
        names.sort_unstable();
        names
    }

    #[test]
    fn every_language_has_all_the_words() {
        for folder in ["lang/", "lang/rooms/"] {
            let english = words(&format!("{folder}en.js"));
            assert!(english.len() > 100);
            assert_eq!(languages(folder).count(), 7);
            for file in languages(folder) {
                let mut theirs = words(file.path);
                theirs.retain(|key, _| !key.starts_with("remark."));
                assert!(theirs.keys().eq(english.keys()), "{}", file.path);
                for (key, text) in &theirs {
                    assert!(!text.is_empty());
                    assert_eq!(blanks(text), blanks(english[key]), "{key} in {}", file.path);
                }
                let name = file.path.trim_start_matches(folder);
                let code = format!("[\"{}\", ", name.trim_end_matches(".js"));
                assert!(content("language.js").contains(&code), "{code}");
            }
        }
        let both = english().len();
        let apart = words("lang/en.js").len() + words("lang/rooms/en.js").len();
        assert_eq!(both, apart, "no word is in two folders");
    }

    /// The board's pages do not load the words of the rooms.
    #[test]
    fn the_words_of_the_rooms_are_used_there_alone() {
        let of_rooms = words("lang/rooms/en.js");
        for path in imports(&["main.js", "gravity.js", "training.js"]) {
            for key in of_rooms.keys() {
                let is_used = content(path).contains(&format!("\"{key}\""));
                assert!(!is_used, "{key} in {path}");
            }
        }
    }

    /// Words that the page asks for by name are there.
    #[test]
    fn the_words_that_are_used_exist() {
        let english = english();
        for file in FILES.iter().filter(|file| file.kind == SCRIPT) {
            for (at, start) in file.content.match_indices("t(\"") {
                if file.content[..at].ends_with(char::is_alphanumeric) {
                    continue;
                }
                let key = file.content[at + start.len()..].split('"').next().unwrap();
                assert!(english.contains_key(key), "{key} in {}", file.path);
            }
        }
    }

    /// The page writes the engine with its level like a person's name: `Engine 100`.
    #[test]
    fn no_person_is_called_like_the_engine_in_any_language() {
        use quincunx_club::rooms::{NameError, People, PersonId};
        let people = People::default();
        let check = |name: &str| people.check_name(PersonId([1; 32]), name);
        for file in languages("lang/") {
            let engine = words(file.path)["engine"];
            for name in [
                engine.to_owned(),
                format!("{engine} 100"),
                format!("{engine}100"),
            ] {
                assert_eq!(check(&name), Err(NameError::Taken), "{name}");
            }
        }
    }

    /// Codes of errors that a person never sees. A page brings about none of them but `stale`,
    /// which it passes over: the English text is enough for the author of another page.
    const UNSEEN: &[&str] = &[
        "handicap", "hello", "level", "lines", "message", "move", "no_hello", "opening", "point",
        "rule", "stale", "strength",
    ];

    /// Codes of errors for which rooms have the words of the board.
    const OF_THE_BOARD: [&str; 7] = [
        "choice",
        "forbidden",
        "opening_point",
        "opens",
        "over",
        "taken",
        "version",
    ];

    /// The string literals in a function of a source.
    fn quoted(source: &'static str, function: &str) -> impl Iterator<Item = &'static str> {
        let (_, function) = source.split_once(&format!("fn {function}(")).unwrap();
        let (function, _) = function.split_once("\n    }\n").unwrap();
        // Every second part stands between quotation marks.
        function.split('"').skip(1).step_by(2)
    }

    fn codes(source: &'static str) -> impl Iterator<Item = &'static str> {
        quoted(source, "code")
    }

    /// Remarks on files come in English from the program; each other language translates all codes.
    #[test]
    fn remarks_have_words() {
        let source = include_str!("../../board/src/remark.rs");
        let keys: BTreeSet<String> = codes(source).map(|it| format!("remark.{it}")).collect();
        assert!(keys.len() > 10);
        let values: Vec<&str> = quoted(source, "values").collect();
        let model = words("lang/ja.js");
        for file in languages("lang/") {
            let mut theirs = words(file.path);
            theirs.retain(|key, _| key.starts_with("remark."));
            match file.path {
                "lang/en.js" => assert!(theirs.is_empty()),
                path => assert!(theirs.keys().eq(&keys), "{path}: {theirs:?}"),
            }
            for (key, text) in theirs {
                let blanks = blanks(text);
                assert!(blanks.iter().all(|name| values.contains(name)), "{text}");
                assert_eq!(blanks, self::blanks(model[key]), "{key} in {}", file.path);
            }
        }
    }

    #[test]
    fn errors_have_words() {
        let english = english();
        let sources = [
            ("error", include_str!("../../board/src/error.rs")),
            ("rooms.error", include_str!("../../club/src/rooms/error.rs")),
            (
                "rooms.error",
                include_str!("../../club/src/rooms/club/error.rs"),
            ),
        ];
        for (prefix, source) in sources {
            assert!(codes(source).count() > 5);
            for code in codes(source) {
                let prefix = match OF_THE_BOARD.contains(&code) {
                    true => "error",
                    false => prefix,
                };
                let key = format!("{prefix}.{code}");
                let has_words = english.contains_key(key.as_str());
                assert_ne!(has_words, UNSEEN.contains(&code), "{key}");
            }
        }
        // Those of the hosts and of the server.
        for (prefix, before, source) in [
            ("error", "::error(\"", include_str!("session_host.rs")),
            ("error", "code: \"", include_str!("server.rs")),
            ("rooms.error", "code: \"", include_str!("rooms/delivery.rs")),
            ("rooms.error", "code: \"", include_str!("rooms/arrival.rs")),
        ] {
            let own = source.split(before).skip(1);
            let own: Vec<&str> = own.filter_map(|rest| rest.split('"').next()).collect();
            assert!(!own.is_empty());
            for code in own {
                let key = format!("{prefix}.{code}");
                let has_words = english.contains_key(key.as_str());
                assert_ne!(has_words, UNSEEN.contains(&code), "{key}");
            }
        }
    }

    /// A name that is written from right to left turns what follows around, a result as well.
    #[test]
    fn names_in_texts_of_rooms_are_isolated() {
        let mut names = 0;
        for path in [
            "challenges.js",
            "contacts.js",
            "games.js",
            "lobby.js",
            "notifications.js",
            "room.js",
            "rooms.js",
            "tournament.js",
        ] {
            for (at, start) in content(path).match_indices(" name: ") {
                let text = &content(path)[..at];
                let is_text = text
                    .rsplit_once("t(\"")
                    .is_some_and(|(_, call)| !call.contains(')'));
                if is_text {
                    let value = &content(path)[at + start.len()..];
                    let is_isolated = value.starts_with("nameText(") || value.starts_with("name(");
                    assert!(is_isolated, "{path}: {:.60}", value);
                    names += 1;
                }
            }
            let bare = content(path).contains("t(\"rooms.you\", { name }");
            assert!(!bare, "{path}");
        }
        assert!(names >= 4, "{names}");
    }

    /// Whatever a file imports or links to is part of the page.
    #[test]
    fn nothing_is_missing_and_nothing_comes_from_elsewhere() {
        for file in FILES {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            assert!(folder.is_empty() || !file.content.contains("import "));
            for part in file.content.split("from \"./").skip(1) {
                content(part.split('"').next().unwrap());
            }
            let foreign = file.content.replace("http://www.w3.org/", "");
            assert!(
                !foreign.contains("http://") && !foreign.contains("https://"),
                "{}",
                file.path
            );
        }
        for path in ["icon.svg", "style.css", "main.js"] {
            assert!(content("index.html").contains(&format!("\"{path}\"")));
            content(path);
        }
    }

    /// No rule of the game is written in the page, and nothing that a strict policy
    /// would refuse.
    #[test]
    fn the_page_keeps_to_its_policy() {
        for file in FILES.iter().filter(|file| file.kind != CSS) {
            for word in [
                "innerHTML",
                "eval(",
                " style=",
                "onclick=",
                "document.write",
            ] {
                assert!(!file.content.contains(word), "{word} in {}", file.path);
            }
        }
    }

    /// The bytes that a browser loads for a page: English, and the largest other language.
    #[test]
    fn the_pages_are_small() {
        let pages = [
            ("index.html", "main.js", 113_500),
            ("rooms.html", "rooms.js", 124_000),
            ("training.html", "training.js", 66_000),
        ];
        let sizes = pages.map(|(page, script, limit)| {
            let scripts = imports(&[script]);
            let is_loaded = |path: &str| {
                [page, "style.css", "icon.svg"].contains(&path) || scripts.contains(&path)
            };
            let bytes_of = |is_meant: &dyn Fn(&str) -> bool| {
                let files = FILES.iter().zip(PREPARED.iter());
                let meant = files.filter(|(file, _)| is_meant(file.path));
                meant.map(|(_, it)| it.compressed.len()).collect::<Vec<_>>()
            };
            let loaded: usize = bytes_of(&is_loaded).iter().sum();
            let folders = ["lang/", "lang/rooms/"].into_iter();
            let of_page = folders.filter(|folder| is_loaded(&format!("{folder}en.js")));
            let largest = |folder: &'static str| {
                let names = || languages(folder).map(|file| file.path);
                let others = bytes_of(&|path| names().any(|it| it == path) && !is_loaded(path));
                assert_eq!(others.len(), 6);
                others.into_iter().max().unwrap()
            };
            (page, loaded + of_page.map(largest).sum::<usize>(), limit)
        });
        let is_small = |&(_, bytes, limit): &_| (20_000..limit).contains(&bytes);
        assert!(sizes.iter().all(is_small), "{sizes:?}");
    }
}
