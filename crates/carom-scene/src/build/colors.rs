//! Colours by name.

use super::Builder;
use crate::decode::Text;
use crate::problem::Problem;
use crate::suggest::{list, nearest};

/// Names of colours with their red, green and blue, as on the web.
const COLORS: [(&str, [u8; 3]); 24] = [
    ("black", [0, 0, 0]),
    ("blue", [0, 0, 255]),
    ("brown", [165, 42, 42]),
    ("coral", [255, 127, 80]),
    ("crimson", [220, 20, 60]),
    ("cyan", [0, 255, 255]),
    ("gold", [255, 215, 0]),
    ("gray", [128, 128, 128]),
    ("green", [0, 128, 0]),
    ("indigo", [75, 0, 130]),
    ("lime", [0, 255, 0]),
    ("magenta", [255, 0, 255]),
    ("maroon", [128, 0, 0]),
    ("navy", [0, 0, 128]),
    ("olive", [128, 128, 0]),
    ("orange", [255, 165, 0]),
    ("pink", [255, 192, 203]),
    ("purple", [128, 0, 128]),
    ("red", [255, 0, 0]),
    ("silver", [192, 192, 192]),
    ("teal", [0, 128, 128]),
    ("violet", [238, 130, 238]),
    ("white", [255, 255, 255]),
    ("yellow", [255, 255, 0]),
];

impl Builder<'_, '_> {
    /// The colour that a text stands for.
    pub(super) fn color(&mut self, text: &Text) -> Option<[u8; 3]> {
        let name = self.text(text)?;
        let known = COLORS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
        if let Some(color) = known.map(|(_, color)| *color).or_else(|| hexadecimal(&name)) {
            return Some(color);
        }
        let names = || COLORS.iter().map(|(name, _)| *name);
        let problem = Problem::error(text.place, format!("there is no colour \"{name}\""));
        let problem = match nearest(&name, names()) {
            Some(near) => problem.label(format!("did you mean \"{near}\"?")),
            None => problem,
        };
        self.report(
            problem.hint(format!(
                "write \"#rrggbb\" in hexadecimal digits, or one of {}",
                list(names())
            )),
        );
        None
    }
}

fn hexadecimal(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some([part(0)?, part(2)?, part(4)?])
}
