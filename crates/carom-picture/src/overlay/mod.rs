//! What is drawn over a picture: words and arrows.

mod font;
mod ink;
mod marks;

pub(crate) use ink::{INK, Ink, text_width};
pub(crate) use marks::{Arrows, dot, trail};
