//! Pieces of TOML.

use glam::{DMat3, DQuat, DVec3};

/// Longest name of a body or joint that is written `[byte]`; scenes take up to 200.
const LONGEST_NAME: usize = 160;

/// With as many digits as it takes to read the same bits back.
pub(super) fn number(value: f64) -> String {
    // Whole numbers are shorter without a fraction, and read as the same number.
    if value == 0.0 {
        "0".to_owned()
    } else if value.fract() == 0.0 && value.abs() < 1e9 {
        format!("{value}")
    } else {
        format!("{value:?}")
    }
}

pub(super) fn list(values: &[f64]) -> String {
    let parts: Vec<String> = values.iter().map(|value| number(*value)).collect();
    format!("[{}]", parts.join(", "))
}

pub(super) fn vector(vector: DVec3) -> String {
    list(&vector.to_array())
}

pub(super) fn quaternion(rotation: DQuat) -> String {
    list(&rotation.to_array())
}

/// As rows.
pub(super) fn matrix(matrix: &DMat3) -> String {
    let rows: Vec<String> = (0..3).map(|index| vector(matrix.row(index))).collect();
    format!("[{}]", rows.join(", "))
}

/// In quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            control if control.is_control() => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(control)));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Without letters that would end a remark.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// A name for a scene, where braces hold expressions, and stars and question marks stand for other letters.
pub(super) fn name(prefix: &str, name: &str, otherwise: &str) -> String {
    let plain = |letter: char| {
        if letter.is_control() || "{}*?".contains(letter) { '_' } else { letter }
    };
    let name = if name.trim().is_empty() { otherwise } else { name };
    let mut name: String = prefix.chars().chain(name.chars()).map(plain).collect();
    name.truncate(name.floor_char_boundary(LONGEST_NAME));
    name
}
