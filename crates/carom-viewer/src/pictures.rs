//! Pictures of the built-in scenes, those of the manual.

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../book/src/pictures"]
#[include = "*.png"]
#[exclude = "viewer-*"]
#[allow_missing = true]
struct Pictures;

/// The picture of a scene.
pub(crate) fn of(name: &str) -> Option<Vec<u8>> {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let file = is_plain.then(|| Pictures::get(&format!("{name}.png"))).flatten()?;
    Some(file.data.into_owned())
}
