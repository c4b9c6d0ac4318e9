//! Letters as strokes of a pen, so that words look the same everywhere.
//!
//! A letter is drawn on a grid on which capitals are 7 high, small letters 5, and the line is at 0. Its strokes are written
//! as points `x,y` with colons between them: plain ones are straight from point to point; with `~` in front the points pull
//! a curve (a quadratic B-spline that begins and ends at the outer points); with `@` the curve is closed.

use glam::DVec2;

/// Height of capitals.
pub(super) const CAPITAL: f64 = 7.0;

/// Between letters.
const GAP: f64 = 1.9;

/// Width of a space.
const SPACE: f64 = 3.0;

/// Straight pieces of a curve from one point to the next.
const PIECES: usize = 6;

/// A letter, its width and its strokes.
type Glyph = (char, f64, &'static str);

const GLYPHS: &[Glyph] = &[
    ('A', 6.0, "0,0:3,7:6,0 1.1,2.5:4.9,2.5"),
    ('B', 4.9, "0,0:0,7 ~0,7:2.5,7:4.5,7:4.5,3.7:2.5,3.7:0,3.7 ~0,3.7:2.7,3.7:5,3.7:5,0:2.7,0:0,0"),
    ('C', 5.2, "~5.2,5.6:4.6,7:2.8,7:0,7:0,0:2.8,0:4.6,0:5.2,1.4"),
    ('D', 5.3, "0,0:0,7 ~0,7:2.2,7:5.4,7:5.4,0:2.2,0:0,0"),
    ('E', 4.4, "4.4,7:0,7:0,0:4.4,0 0,3.7:3.9,3.7"),
    ('F', 4.3, "4.3,7:0,7:0,0 0,3.7:3.8,3.7"),
    ('G', 5.4, "~5.2,5.6:4.6,7:2.8,7:0,7:0,0:2.8,0:4.4,0:5.4,1.1 5.4,1.1:5.4,3.3:3.3,3.3"),
    ('H', 5.0, "0,0:0,7 5,0:5,7 0,3.7:5,3.7"),
    ('I', 0.0, "0,0:0,7"),
    ('J', 3.4, "~3.4,7:3.4,3:3.4,0:1.6,0:0.4,0:0,1.2"),
    ('K', 4.8, "0,0:0,7 4.7,7:0,2.4 1.8,4.1:4.9,0"),
    ('L', 4.1, "0,7:0,0:4.1,0"),
    ('M', 6.4, "0,0:0,7:3.2,1.8:6.4,7:6.4,0"),
    ('N', 5.2, "0,0:0,7:5.2,0:5.2,7"),
    ('O', 6.0, "@0,0:6,0:6,7:0,7"),
    ('P', 4.8, "0,0:0,7 ~0,7:2.6,7:4.9,7:4.9,3.2:2.6,3.2:0,3.2"),
    ('Q', 6.0, "@0,0:6,0:6,7:0,7 3.6,1.6:5.8,-0.8"),
    ('R', 5.0, "0,0:0,7 ~0,7:2.6,7:4.9,7:4.9,3.2:2.6,3.2:0,3.2 2.5,3.2:5,0"),
    ('S', 4.7, "~4.6,5.8:4.2,7:2.4,7:0.2,7:0.2,3.9:2.4,3.6:4.8,3.2:4.8,0:2.4,0:0.5,0:0,1.4"),
    ('T', 5.2, "0,7:5.2,7 2.6,7:2.6,0"),
    ('U', 5.2, "~0,7:0,3:0,0:2.6,0:5.2,0:5.2,3:5.2,7"),
    ('V', 5.6, "0,7:2.8,0:5.6,7"),
    ('W', 8.0, "0,7:2,0:4,6.2:6,0:8,7"),
    ('X', 5.2, "0,0:5.2,7 0,7:5.2,0"),
    ('Y', 5.2, "0,7:2.6,3.4:5.2,7 2.6,3.4:2.6,0"),
    ('Z', 4.9, "0,7:4.9,7:0,0:4.9,0"),
    ('a', 4.0, "~0.3,4.3:0.8,5:2,5:4,5:4,3.2:4,0 ~4,2.9:1.9,2.9:0,2.8:0,0:1.8,0:3.3,0:4,1.4"),
    ('b', 4.4, "0,7:0,0 @0,0:4.4,0:4.4,5:0,5"),
    ('c', 3.7, "~3.7,4:3.1,5:2,5:0,5:0,0:2,0:3.1,0:3.7,1"),
    ('d', 4.4, "4.4,7:4.4,0 @0,0:4.4,0:4.4,5:0,5"),
    ('e', 4.4, "0.1,2.6:4.4,2.6 ~4.4,2.6:4.4,5:2.2,5:0,5:0,0:2.4,0:3.6,0:4.2,1"),
    ('f', 2.5, "~2.7,6.8:2.4,7:2,7:1,7:1,5.6:1,5:1,0 0,5:2.4,5"),
    ('g', 4.4, "@0,0:4.4,0:4.4,5:0,5 ~4.4,5:4.4,0:4.4,-2.2:2.2,-2.2:0.9,-2.2:0.3,-1.5"),
    ('h', 4.0, "0,7:0,0 ~0,3:0,5:2.1,5:4,5:4,3:4,0"),
    ('i', 0.0, "0,5:0,0 0,6.8:0,6.9"),
    ('j', 1.0, "~1,5:1,0:1,-2.2:-0.3,-2.2 1,6.8:1,6.9"),
    ('k', 3.7, "0,7:0,0 3.5,5:0,1.8 1.4,3:3.8,0"),
    ('l', 0.0, "0,7:0,0"),
    ('m', 6.6, "0,5:0,0 ~0,3:0,5:1.8,5:3.3,5:3.3,3:3.3,0 ~3.3,3:3.3,5:5.1,5:6.6,5:6.6,3:6.6,0"),
    ('n', 4.0, "0,5:0,0 ~0,3:0,5:2.1,5:4,5:4,3:4,0"),
    ('o', 4.5, "@0,0:4.5,0:4.5,5:0,5"),
    ('p', 4.4, "0,5:0,-2.2 @0,0:4.4,0:4.4,5:0,5"),
    ('q', 4.4, "4.4,5:4.4,-2.2 @0,0:4.4,0:4.4,5:0,5"),
    ('r', 2.4, "0,5:0,0 ~0,2.8:0,5:1.7,5:2.4,5"),
    ('s', 3.6, "~3.5,4.1:3.1,5:1.8,5:0.1,5:0.1,2.8:1.8,2.6:3.7,2.3:3.7,0:1.8,0:0.4,0:0,1"),
    ('t', 2.6, "~1,6.6:1,2:1,0:2,0:2.6,0.2 0,5:2.5,5"),
    ('u', 4.0, "~0,5:0,2:0,0:1.9,0:4,0:4,2 4,5:4,0"),
    ('v', 4.2, "0,5:2.1,0:4.2,5"),
    ('w', 6.2, "0,5:1.6,0:3.1,4.6:4.6,0:6.2,5"),
    ('x', 3.8, "0,0:3.8,5 0,5:3.8,0"),
    ('y', 4.2, "0,5:2.1,0 ~4.2,5:2.1,0:1.4,-2.2:0.1,-2.2"),
    ('z', 3.6, "0,5:3.6,5:0,0:3.6,0"),
    ('0', 4.4, "@0,0:4.4,0:4.4,7:0,7"),
    ('1', 4.4, "0.7,5.6:2.4,7:2.4,0"),
    ('2', 4.4, "~0.2,5.4:0.4,7:2.2,7:4.3,7:4.3,4.9:4,3.4:1.4,1.4:0,0 0,0:4.4,0"),
    (
        '3',
        4.4,
        "~0.2,6:0.7,7:2.1,7:4.1,7:4.1,3.8:2.1,3.8:1.4,3.8 ~1.4,3.8:2.2,3.8:4.5,3.8:4.5,0:2.1,0:0.5,0:0,1.2",
    ),
    ('4', 4.4, "3.4,0:3.4,7:0,2.1:4.5,2.1"),
    ('5', 4.4, "4,7:0.6,7:0.3,3.9 ~0.3,3.9:0.9,4.4:2.1,4.4:4.5,4.4:4.5,0:2.1,0:0.5,0:0,1.1"),
    ('6', 4.4, "~3.9,6.3:3.3,7:2.4,7:0,7:0,2.4 @0,0:4.4,0:4.4,4.4:0,4.4"),
    ('7', 4.4, "0,7:4.4,7:1.5,0"),
    ('8', 4.4, "@0.3,3.7:4.1,3.7:4.1,7:0.3,7 @0,0:4.4,0:4.4,3.7:0,3.7"),
    ('9', 4.4, "@0,2.6:4.4,2.6:4.4,7:0,7 ~4.4,4.8:4.4,0:2,0:1.1,0:0.5,0.7"),
    ('.', 0.0, "0,0:0,0.1"),
    (',', 0.3, "0.3,0.2:0,-1.2"),
    (':', 0.0, "0,0:0,0.1 0,4:0,4.1"),
    (';', 0.3, "0.3,0.2:0,-1.2 0.3,4:0.3,4.1"),
    ('-', 2.4, "0,2.8:2.4,2.8"),
    ('−', 3.6, "0,2.9:3.6,2.9"),
    ('–', 3.6, "0,2.8:3.6,2.8"),
    ('+', 3.6, "0,2.9:3.6,2.9 1.8,1.1:1.8,4.7"),
    ('=', 3.8, "0,1.9:3.8,1.9 0,3.9:3.8,3.9"),
    ('/', 2.8, "0,-0.6:2.8,7.4"),
    ('(', 1.4, "~1.4,7.9:0,6:0,3:0,0:1.4,-1.7"),
    (')', 1.4, "~0,7.9:1.4,6:1.4,3:1.4,0:0,-1.7"),
    ('[', 1.4, "1.4,7.7:0,7.7:0,-1.4:1.4,-1.4"),
    (']', 1.4, "0,7.7:1.4,7.7:1.4,-1.4:0,-1.4"),
    ('\'', 0.0, "0,7:0,5.3"),
    ('’', 0.3, "0.3,7.1:0,5.5"),
    ('"', 1.5, "0,7:0,5.3 1.5,7:1.5,5.3"),
    ('!', 0.0, "0,7:0,2.2 0,0:0,0.1"),
    ('?', 3.8, "~0,5.6:0.2,7:2,7:3.8,7:3.8,4.8:1.9,4:1.9,2.2 1.9,0:1.9,0.1"),
    ('%', 5.6, "@0,4:2,4:2,7:0,7 @3.6,0:5.6,0:5.6,3:3.6,3 0.6,0:5,7"),
    ('_', 4.0, "0,-1.2:4,-1.2"),
    ('*', 2.6, "1.3,7:1.3,4.2 0.1,6.3:2.5,4.9 0.1,4.9:2.5,6.3"),
    ('<', 3.4, "3.4,5:0,2.9:3.4,0.8"),
    ('>', 3.4, "0,5:3.4,2.9:0,0.8"),
    ('&', 5.4, "~5.3,0:1,5:1,7:2.3,7:3.7,7:3.7,5:2,4:0,3:0,0:2.2,0:4.4,0:5,3"),
    ('·', 0.0, "0,2.9:0,3"),
    ('×', 3.2, "0,1.3:3.2,4.5 0,4.5:3.2,1.3"),
    ('°', 1.8, "@0,5:1.8,5:1.8,7:0,7"),
    ('µ', 4.0, "~0,5:0,2:0,0:1.9,0:4,0:4,2 4,5:4,0 0,3:0,-2.2"),
    ('μ', 4.0, "~0,5:0,2:0,0:1.9,0:4,0:4,2 4,5:4,0 0,3:0,-2.2"),
    ('²', 2.0, "~0,6.4:0,7.4:1,7.4:2,7.4:2,6.3:0.8,5:0,4.2 0,4.2:2.1,4.2"),
    ('³', 2.0, "0,7.3:1.9,7.3:0.9,6.1 ~0.9,6.1:2,6.1:2,4.2:0.9,4.2:0,4.5"),
    ('…', 4.0, "0,0:0,0.1 2,0:2,0.1 4,0:4,0.1"),
];

/// What stands for letters that are not here.
const UNKNOWN: Glyph = ('□', 4.0, "0,0:4,0:4,6:0,6:0,0");

fn glyph(letter: char) -> &'static Glyph {
    GLYPHS.iter().find(|(known, ..)| *known == letter).unwrap_or(&UNKNOWN)
}

/// The strokes of a text from the origin to the right, and its width, on the grid of letters.
pub(super) fn strokes(text: &str) -> (Vec<Vec<DVec2>>, f64) {
    let mut all = Vec::new();
    let mut at = 0.0;
    for letter in text.chars() {
        if letter.is_whitespace() {
            at += SPACE;
            continue;
        }
        let (_, width, path) = glyph(letter);
        for stroke in path.split(' ') {
            let points = outline(stroke);
            all.push(points.into_iter().map(|point| point + DVec2::new(at, 0.0)).collect());
        }
        at += width + GAP;
    }
    (all, (at - GAP).max(0.0))
}

/// The points of a stroke.
fn outline(stroke: &str) -> Vec<DVec2> {
    let number = |text: &str| text.parse::<f64>().unwrap_or_default();
    let point = |text: &str| {
        let (x, y) = text.split_once(',').unwrap_or((text, "0"));
        DVec2::new(number(x), number(y))
    };
    let points = |text: &str| text.split(':').map(point).collect::<Vec<DVec2>>();
    if let Some(rest) = stroke.strip_prefix('~') {
        let controls = points(rest);
        curve(&controls)
    } else if let Some(rest) = stroke.strip_prefix('@') {
        // From the middle of the last side round to there again.
        let corners = points(rest);
        let (Some(&first), Some(&last)) = (corners.first(), corners.last()) else {
            return corners;
        };
        let seam = last.midpoint(first);
        let mut controls = vec![seam];
        controls.extend(&corners);
        controls.push(seam);
        curve(&controls)
    } else {
        points(stroke)
    }
}

/// A quadratic B-spline from the first to the last of its points.
fn curve(controls: &[DVec2]) -> Vec<DVec2> {
    let [first, .., last] = controls else { return controls.to_vec() };
    let mut points = vec![*first];
    let mut from = *first;
    for index in 1..controls.len().saturating_sub(1) {
        let control = controls[index];
        let is_last = index + 2 == controls.len();
        let to = if is_last { *last } else { control.midpoint(controls[index + 1]) };
        for piece in 1..=PIECES {
            let t = piece as f64 / PIECES as f64;
            points.push(from.lerp(control, t).lerp(control.lerp(to, t), t));
        }
        from = to;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_stays_on_its_grid() {
        for (letter, width, _) in GLYPHS {
            let (strokes, found) = strokes(&letter.to_string());
            assert!((found - width).abs() < 1e-12, "{letter}");
            for point in strokes.iter().flatten() {
                let fits =
                    point.x > -0.5 && point.x < width + 0.5 && point.y > -2.5 && point.y < 8.0;
                assert!(fits, "{letter} reaches {point}");
            }
        }
    }

    #[test]
    fn all_of_ascii_that_people_write_is_there() {
        let written =
            ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(".,:;-+=/()'\"!?%_".chars());
        for letter in written {
            assert!(GLYPHS.iter().any(|(known, ..)| *known == letter), "{letter}");
        }
        assert_eq!(glyph('字').0, UNKNOWN.0);
    }
}
