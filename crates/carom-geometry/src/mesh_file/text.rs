//! Words, lines and numbers of text files, with line numbers.
//!
//! Lines end with LF, CR LF or a lone CR. A byte-order mark at the start is skipped. Nothing here asks
//! for valid UTF-8, since comments and names come in any encoding.

/// The UTF-8 byte-order mark.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// The text behind a byte-order mark, if it has one.
pub(super) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

/// Lines of a text with their numbers, from 1.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the line that was last given.
    pub(super) line: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: without_bom(bytes), line: 0 }
    }

    /// What has not been given yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let end = self.rest.iter().position(|&b| b == b'\n' || b == b'\r');
        let end = end.unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = match rest {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => rest,
        };
        Some(line)
    }
}

/// Takes the next word off a text without line ends.
pub(super) fn next_word<'a>(text: &mut &'a [u8]) -> Option<&'a [u8]> {
    let start = text.iter().position(|b| !is_space(*b))?;
    let rest = &text[start..];
    let end = rest.iter().position(|b| is_space(*b)).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(end);
    *text = rest;
    Some(word)
}

/// Words of a text across lines, for formats that do not care about lines.
pub(super) struct Words<'a> {
    lines: Lines<'a>,
    row: &'a [u8],
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { lines: Lines::new(bytes), row: &[] }
    }

    /// The line of the last word.
    pub(super) fn line(&self) -> u64 {
        self.lines.line
    }

    /// Leaves out the rest of the line.
    pub(super) fn skip_row(&mut self) {
        self.row = &[];
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = next_word(&mut self.row) {
                return Some(word);
            }
            self.row = self.lines.next()?;
        }
    }
}

/// A decimal number, which may turn out infinite or NaN.
pub(super) fn parse_number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// An integer.
pub(super) fn parse_integer(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// A word as shown in a message: printable and at most 40 bytes of it.
pub(super) fn shown(word: &[u8]) -> String {
    let cut = &word[..word.len().min(40)];
    let text = String::from_utf8_lossy(cut).escape_debug().to_string();
    if cut.len() < word.len() { format!("{text}…") } else { text }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_line_ends_count_once() {
        let mut words = Words::new(b"\xef\xbb\xbfa\r\n\r\nb\rc\n d");
        let found: Vec<_> =
            std::iter::from_fn(|| words.next().map(|w| (w.to_vec(), words.line()))).collect();
        let expected = [("a", 1), ("b", 3), ("c", 4), ("d", 5)];
        assert_eq!(found, expected.map(|(w, line)| (w.as_bytes().to_vec(), line)));
    }

    #[test]
    fn numbers_keep_all_digits() {
        assert_eq!(parse_number(b"0.1234567890123456789"), Some(0.123_456_789_012_345_68));
        assert_eq!(parse_number(b"1."), Some(1.0));
        assert_eq!(parse_number(b".5e-3"), Some(0.5e-3));
        assert_eq!(parse_number(b"1,5"), None);
    }
}
