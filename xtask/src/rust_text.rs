//! Rust sources with comments and literals blanked out, so that a search finds code only.

/// The source with every comment, string and character literal turned into spaces; lines stay lines.
pub(crate) fn code_only(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let after_word = at > 0 && is_word(bytes[at - 1]);
        let length = hidden_length(&bytes[at..], after_word);
        for byte in &mut code[at..at + length] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at += length.max(1);
    }
    String::from_utf8_lossy(&code).into_owned()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Length of the comment or literal that `rest` starts with; zero when it starts with code.
fn hidden_length(rest: &[u8], after_word: bool) -> usize {
    match rest {
        [b'/', b'/', ..] => position(rest, b'\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => block_comment_length(rest),
        [b'"', ..] => string_length(rest),
        [b'\'', ..] => character_length(rest),
        [b'r' | b'b' | b'c', ..] if !after_word => raw_string_length(rest),
        _ => 0,
    }
}

fn position(bytes: &[u8], sought: u8) -> Option<usize> {
    bytes.iter().position(|&byte| byte == sought)
}

/// Block comments nest.
fn block_comment_length(rest: &[u8]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Zero for a lifetime, which has no closing quote right after one character.
fn character_length(rest: &[u8]) -> usize {
    if rest.get(1) == Some(&b'\\') {
        return rest.get(3..).and_then(|tail| position(tail, b'\'')).map_or(0, |end| end + 4);
    }
    let Some(&first) = rest.get(1) else { return 0 };
    let width = match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    };
    if rest.get(1 + width) == Some(&b'\'') { width + 2 } else { 0 }
}

/// Raw strings, with or without a `b` or `c` before the `r`; zero for a word that starts alike.
fn raw_string_length(rest: &[u8]) -> usize {
    let start = if rest[0] == b'r' { 1 } else { 2 };
    if rest.get(start - 1) != Some(&b'r') {
        return 0;
    }
    let n_hashes = rest[start..].iter().take_while(|&&byte| byte == b'#').count();
    let open = start + n_hashes;
    if rest.get(open) != Some(&b'"') {
        return 0;
    }
    let mut close = vec![b'"'];
    close.resize(1 + n_hashes, b'#');
    rest[open + 1..]
        .windows(close.len())
        .position(|window| window == close)
        .map_or(rest.len(), |end| open + 1 + end + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_left(source: &str) -> String {
        code_only(source).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_vanish_and_lines_stay() {
        let source = "one // two\n/* three /* four */ five\n*/ six\n/// seven\neight";
        let code = code_only(source);
        assert_eq!(code.lines().count(), source.lines().count());
        assert_eq!(words_left(source), "one six eight");
    }

    #[test]
    fn strings_vanish_with_their_escapes() {
        assert_eq!(words_left(r#"a("x \" // y", b"z", "é") b"#), "a( , b , ) b");
        assert_eq!(words_left("a r#\"x \" y\"# b br\"z\" c"), "a b c");
    }

    #[test]
    fn lifetimes_stay_and_characters_vanish() {
        assert_eq!(
            words_left("fn f<'a>(x: &'a str) { '\"' '\\'' 'é' }"),
            "fn f<'a>(x: &'a str) { }"
        );
        assert_eq!(words_left("bar r#type crate"), "bar r#type crate");
    }

    #[test]
    fn unfinished_literals_reach_to_the_end() {
        assert_eq!(words_left("a \"b"), "a");
        assert_eq!(words_left("a /* b"), "a");
        assert_eq!(words_left("a r#\"b\""), "a");
        assert_eq!(words_left("a '\\"), "a '\\");
    }
}
