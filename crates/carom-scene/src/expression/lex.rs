//! From characters to words.

use std::ops::Range;

use super::ExpressionError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Text(String),
    Name(String),
    /// An operator, a bracket or a comma.
    Sign(&'static str),
    End,
}

/// All signs, those that begin another one after it.
const SIGNS: [&str; 25] = [
    "**", "==", "!=", "<=", ">=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "!", "(", ")",
    "[", "]", "{", "}", ",", ".", "^", "=",
];

/// The words of a text with their places; the last is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, ExpressionError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, length) = token(text, at, first)?;
        tokens.push((token, at..at + length));
        at += length;
    }
    tokens.push((Token::End, text.len()..text.len()));
    Ok(tokens)
}

fn token(text: &str, at: usize, first: char) -> Result<(Token, usize), ExpressionError> {
    let rest = &text[at..];
    let is_fraction = rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit());
    if first.is_ascii_digit() || is_fraction {
        return number(rest, at);
    }
    if first.is_alphabetic() || first == '_' {
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        return Ok((Token::Name(rest[..length].to_owned()), length));
    }
    if first == '"' || first == '\'' {
        let Some(length) = rest[1..].find(first) else {
            return Err(ExpressionError::new(at..text.len(), "this text has no end")
                .hint(format!("close it with {first}")));
        };
        return Ok((Token::Text(rest[1..=length].to_owned()), length + 2));
    }
    if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
        return Ok((Token::Sign(sign), sign.len()));
    }
    let error =
        ExpressionError::new(at..at + first.len_utf8(), format!("`{first}` means nothing here"));
    Err(match first {
        '?' | ':' => error.hint("a choice is written `if condition { a } else { b }`"),
        '&' => error.hint("\"and\" is written `&&`"),
        '|' => error.hint("\"or\" is written `||`"),
        '·' | '×' => error.hint("multiplication is written `*`"),
        '÷' => error.hint("division is written `/`"),
        '−' | '–' => error.hint("minus is written `-`, the sign on the keyboard"),
        '²' | '³' => error.hint("powers are written `x**2`"),
        '°' => error.hint("`rad(30)` turns degrees into radians"),
        _ => error,
    })
}

/// Digits with an optional fraction and exponent; `_` may separate digits.
fn number(rest: &str, at: usize) -> Result<(Token, usize), ExpressionError> {
    let bytes = rest.as_bytes();
    let is_digit = |i: usize| bytes.get(i).is_some_and(|b| b.is_ascii_digit() || *b == b'_');
    let skip = |mut i: usize| {
        while is_digit(i) {
            i += 1;
        }
        i
    };
    let mut end = skip(0);
    if bytes.get(end) == Some(&b'.') && !bytes.get(end + 1).is_some_and(u8::is_ascii_alphabetic) {
        end = skip(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = skip(end + 1 + sign);
        }
    }
    // A letter right behind is a unit or a forgotten sign: both are better said than guessed.
    let tail = rest[end..].find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len() - end);
    if tail > 0 {
        let (digits, word) = (&rest[..end], &rest[end..end + tail]);
        let message = format!("`{digits}{word}` is neither a number nor a name");
        let hint =
            format!("write `{digits}*{word}` for a product; units are not written, all are SI");
        return Err(ExpressionError::new(at..at + end + tail, message).hint(hint));
    }
    let digits: String = rest[..end].chars().filter(|c| *c != '_').collect();
    match digits.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((Token::Number(value), end)),
        Ok(_) => Err(ExpressionError::new(at..at + end, "this number is too large")
            .hint("numbers reach up to about 1.8e308")),
        Err(_) => Err(ExpressionError::new(at..at + end, "this is not a number")),
    }
}
