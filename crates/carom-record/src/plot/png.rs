//! Pictures in pixels: the SVG, drawn by `resvg` with a font that comes along.
//!
//! No font of the machine is looked at, so the same chart gives the same pixels everywhere.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};
use thiserror::Error;

/// Name of the font that comes along.
const FONT_FAMILY: &str = "Noto Sans";

/// A picture has at most this many pixels: 1.6 GB while it is drawn.
const MOST_PIXELS: f64 = 4e8;

/// Why a picture cannot be drawn in pixels.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PictureError {
    /// Too many pixels, or none.
    #[error(
        "a picture of {width} × {height} pixels cannot be made\n\
         hint: ask for between one and 400 million pixels"
    )]
    Size {
        /// Width `[px]`.
        width: u64,
        /// Height `[px]`.
        height: u64,
    },
    /// The SVG is not one, or cannot be written as PNG.
    #[error("the picture cannot be drawn: {0}")]
    Drawing(String),
}

/// The font that comes along, regular and bold, read once.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_font_data(ttf_noto_sans::REGULAR.to_vec());
        fonts.load_font_data(ttf_noto_sans::BOLD.to_vec());
        fonts.set_sans_serif_family(FONT_FAMILY);
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}

/// An SVG as PNG, with so many pixels for each of its own.
pub(super) fn render(svg: &str, scale: f64) -> Result<Vec<u8>, PictureError> {
    let options =
        Options { fontdb: fonts(), font_family: FONT_FAMILY.to_owned(), ..Options::default() };
    let drawing = |error: &dyn std::fmt::Display| PictureError::Drawing(error.to_string());
    let tree = Tree::from_str(svg, &options).map_err(|error| drawing(&error))?;
    let [width, height] = [tree.size().width(), tree.size().height()]
        .map(|side| libm::round(f64::from(side) * scale));
    let refused = || PictureError::Size { width: width as u64, height: height as u64 };
    if !(width >= 1.0 && height >= 1.0 && width * height <= MOST_PIXELS) {
        return Err(refused());
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(refused)?;
    let transform = Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| drawing(&error))
}
