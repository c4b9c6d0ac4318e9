//! The page, put into the program when it is built; `cargo xtask viewer` makes it.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::guard::refusal;

/// The command that makes the page.
pub const HOW: &str = "cargo xtask viewer";

#[derive(RustEmbed)]
#[folder = "../../viewer/dist"]
#[allow_missing = true]
struct Page;

/// True if the page is in this program.
pub fn is_there() -> bool {
    Page::get("index.html").is_some()
}

/// The packages that the page is made with, under their terms; none without a page.
pub fn notices() -> Option<String> {
    let file = Page::get("notices.txt")?;
    Some(String::from_utf8_lossy(&file.data).into_owned())
}

/// A file of the page; only what is in the program can be read.
pub(crate) async fn file(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = Page::get(path) else {
        return refusal(StatusCode::NOT_FOUND, "there is no such page", None);
    };
    let kind = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    ([(header::CONTENT_TYPE, kind)], file.data.into_owned()).into_response()
}
