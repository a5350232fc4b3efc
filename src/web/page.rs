//! The files of the page, which are part of the program.

use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A file of the page.
struct File {
    path: &'static str,
    kind: &'static str,
    content: &'static str,
}

/// Files of the folder `page` by their path.
macro_rules! files {
    ($($kind:ident $path:literal,)*) => {
        &[$(File {
            path: $path,
            kind: $kind,
            content: include_str!(concat!("page/", $path)),
        },)*]
    };
}

const FILES: &[File] = files![
    HTML "index.html",
    SVG "icon.svg",
    CSS "style.css",
    SCRIPT "analysis.js",
    SCRIPT "board.js",
    SCRIPT "dialogs.js",
    SCRIPT "dom.js",
    SCRIPT "language.js",
    SCRIPT "main.js",
    SCRIPT "moves.js",
    SCRIPT "picture.js",
    SCRIPT "points.js",
    SCRIPT "preferences.js",
    SCRIPT "sound.js",
    SCRIPT "transport.js",
    SCRIPT "types.js",
    SCRIPT "lang/en.js",
];

/// Answers with a file of the page.
pub(super) async fn file(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")]).into_response();
    }
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    match FILES.iter().find(|file| file.path == path) {
        Some(file) => ([(CONTENT_TYPE, file.kind)], file.content).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such page.\n").into_response(),
    }
}
