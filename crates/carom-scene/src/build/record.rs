//! What to write down.

use super::{Builder, DEFAULT_RATE_HZ};
use crate::decode::Text;
use crate::load::Document;
use crate::problem::Problem;
use crate::scene::Record;
use crate::suggest::nearest;

impl Builder<'_, '_> {
    pub(super) fn record(&mut self, top: &Document) -> Option<Record> {
        let table = top.table.record.as_ref();
        let rate = table.and_then(|table| table.rate_hz.as_ref());
        let rate_hz = rate.map_or(Some(DEFAULT_RATE_HZ), |number| self.positive(number, "rate_hz"));
        let events = table.and_then(|table| table.events).is_none_or(|events| events.value);
        let bodies = match table.and_then(|table| table.bodies.as_ref()) {
            None => (0..self.bodies.len()).collect(),
            Some(patterns) => self.matching(patterns),
        };
        Some(Record { rate_hz: rate_hz?, bodies, events })
    }

    /// Indices of the bodies that match a pattern, ascending.
    fn matching(&mut self, patterns: &[Text]) -> Vec<usize> {
        let mut is_chosen = vec![false; self.bodies.len()];
        for text in patterns {
            let Some(pattern) = self.text(text) else { continue };
            let mut has_match = false;
            if pattern.contains(['*', '?']) {
                for (body, chosen) in self.bodies.iter().zip(&mut is_chosen) {
                    let matches = glob(&pattern, &body.name);
                    *chosen |= matches;
                    has_match |= matches;
                }
            } else if let Some(index) = self.index_of(&pattern) {
                is_chosen[index] = true;
                has_match = true;
            }
            if !has_match && !self.names.are_incomplete() {
                let names = self.bodies.iter().take(2000).map(|body| body.name.as_str());
                let near = nearest(&pattern, names).map(str::to_owned);
                let problem = Problem::error(text.place, format!("no body is called `{pattern}`"));
                self.report(match near {
                    Some(near) => problem.hint(format!("did you mean `{near}`?")),
                    None => problem.hint("* stands for any letters and ? for one: \"ball_*\""),
                });
            }
        }
        (0..is_chosen.len()).filter(|&index| is_chosen[index]).collect()
    }
}

/// Whether a text matches a pattern in which `*` stands for any letters and `?` for one.
///
/// Only the last `*` is ever tried again, so the time is at most the product of the two lengths.
fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p).is_some_and(|c| *c == '?' || *c == text[t]) {
            p += 1;
            t += 1;
        } else if let Some((star_p, star_t)) = star {
            p = star_p + 1;
            t = star_t + 1;
            star = Some((star_p, t));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn stars_and_question_marks_match_as_in_a_shell() {
        assert!(glob("ball_*", "ball_12"));
        assert!(glob("*", ""));
        assert!(glob("b?x_*_1", "box_a_b_1"));
        assert!(!glob("ball_?", "ball_12"));
        assert!(!glob("ball", "balls"));
        assert!(glob("*a*a*a", "aaaa"));
    }
}
