//! Numbers as people read them in messages.

use std::fmt;

/// Prints a number with about six digits, and without zeros that say nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Short(pub f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = *self;
        match number.abs() {
            0.0 => f.write_str("0"),
            size if (1e-3..1e6).contains(&size) => {
                let text = format!("{number:.6}");
                f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => write!(f, "{number:.3e}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_whatever_their_size() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (0.25, "0.25"),
            (100.0, "100"),
            (-1.0 / 3.0, "-0.333333"),
            (5e-10, "5.000e-10"),
            (2e9, "2.000e9"),
        ];
        for (number, text) in cases {
            assert_eq!(Short(number).to_string(), text);
        }
    }
}
