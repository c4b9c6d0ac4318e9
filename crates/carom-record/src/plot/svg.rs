//! Elements of SVG as text.

/// A length or place with two decimals of a pixel; what rounds to nothing is nothing, without a sign.
pub(super) fn px(length: f64) -> String {
    let text = format!("{length:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// A text that XML takes for nothing else. Characters that XML does not have are replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\t' | '\n' | '\r' => safe.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// An element on a line of its own; values of attributes are not escaped.
pub(super) fn element(name: &str, attributes: &[(&str, &str)]) -> String {
    format!("{}/>\n", opened(name, attributes))
}

/// An element around a text.
pub(super) fn text_element(name: &str, attributes: &[(&str, &str)], text: &str) -> String {
    format!("{}>{}</{name}>\n", opened(name, attributes), escaped(text))
}

/// The beginning of an element.
pub(super) fn open(name: &str, attributes: &[(&str, &str)]) -> String {
    format!("{}>\n", opened(name, attributes))
}

fn opened(name: &str, attributes: &[(&str, &str)]) -> String {
    let mut text = format!("<{name}");
    for (name, value) in attributes {
        text += &format!(" {name}=\"{value}\"");
    }
    text
}

/// A straight line.
pub(super) fn line(from: [f64; 2], to: [f64; 2], stroke: &str) -> String {
    let (x1, y1, x2, y2) = (px(from[0]), px(from[1]), px(to[0]), px(to[1]));
    element("line", &[("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2), ("stroke", stroke)])
}

/// A path through points.
pub(super) fn path(points: &[[f64; 2]], closed: bool) -> String {
    let mut text = String::new();
    for (index, [x, y]) in points.iter().enumerate() {
        text.push(if index == 0 { 'M' } else { 'L' });
        text += &format!("{} {}", px(*x), px(*y));
    }
    if closed {
        text.push('Z');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_break_out_and_lengths_have_two_decimals() {
        assert_eq!(escaped("a<b> & \"c\"\u{1}\n"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd} ");
        assert_eq!([px(1.0), px(-0.001), px(2.345)], ["1.00", "0.00", "2.35"]);
        assert_eq!(path(&[[0.0, 1.0], [2.0, 3.0]], true), "M0.00 1.00L2.00 3.00Z");
    }
}
