//! Small pieces of Markdown that generated pages are made of.

/// The first line of a page that a command writes.
pub(crate) fn made_by(command: &str) -> String {
    format!("<!-- Made by `{command}`: do not edit. -->\n\n")
}

/// Text whose signs mean themselves; what stands between backticks stays as it is.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for (i, piece) in text.split('`').enumerate() {
        if i > 0 {
            escaped.push('`');
        }
        let is_code = i % 2 == 1;
        for letter in piece.chars() {
            if letter == '|' || (!is_code && matches!(letter, '*' | '_' | '<' | '[' | ']')) {
                escaped.push('\\');
            }
            escaped.push(letter);
        }
    }
    escaped
}

/// A row of a table.
pub(crate) fn row<S: AsRef<str>>(cells: &[S]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The first two lines of a table.
pub(crate) fn head(names: &[&str]) -> String {
    row(names) + &format!("|{}\n", "---|".repeat(names.len()))
}

/// A number with at most `digits` significant digits, as short as it can be.
pub(crate) fn number(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let trimmed = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..7).contains(&exponent) {
        let places = i32::try_from(digits).unwrap_or_default() - 1 - exponent;
        let places = usize::try_from(places).unwrap_or_default();
        trimmed(&format!("{value:.places$}"))
    } else {
        format!("{}e{exponent}", trimmed(mantissa))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (1.0, "1"),
            (0.5, "0.5"),
            (1.2345678, "1.23457"),
            (1e-12, "1e-12"),
            (24034.5, "24034.5"),
            (-0.0001, "-0.0001"),
            (123456789.0, "1.23457e8"),
            (0.0, "0"),
            (300.0, "300"),
        ] {
            assert_eq!(number(value, 6), text);
        }
    }

    #[test]
    fn rows_and_signs_survive() {
        assert_eq!(head(&["a", "b"]), "| a | b |\n|---|---|\n");
        assert_eq!(escaped("a_b `c_d` | [e]"), r"a\_b `c_d` \| \[e\]");
    }
}
