//! Bodies and joints by name or by pattern.

use super::Builder;
use super::names::Named;
use crate::decode::Text;
use crate::joint::Joint;
use crate::problem::Problem;
use crate::suggest::nearest;

/// Names looked through for a suggestion; enough for what people write, and quick.
const MOST_SUGGESTIONS: usize = 2000;

impl Builder<'_, '_> {
    /// Indices of the bodies that a name or pattern stands for, ascending; none, with a problem noted unless it follows
    /// from another one, if there are none.
    pub(super) fn matching(&mut self, text: &Text) -> Option<Vec<usize>> {
        let pattern = self.text(text)?;
        let found: Vec<usize> = if pattern.contains(['*', '?']) {
            self.charge(self.bodies.len() as u64, text.place)?;
            let matches = |&index: &usize| glob(&pattern, &self.bodies[index].name);
            (0..self.bodies.len()).filter(matches).collect()
        } else {
            self.index_of(&pattern).into_iter().collect()
        };
        if !found.is_empty() {
            return Some(found);
        }
        if !self.names.are_incomplete() {
            let problem = Problem::error(text.place, format!("no body is called `{pattern}`"));
            self.report(problem.hint(self.advice(&pattern)));
        }
        None
    }

    /// Indices of the joints that a name or pattern stands for, ascending, as [`Self::matching`] does for bodies.
    pub(super) fn matching_joints(&mut self, text: &Text) -> Option<Vec<usize>> {
        let pattern = self.text(text)?;
        self.charge(self.joints.len() as u64, text.place)?;
        let is_pattern = pattern.contains(['*', '?']);
        let matches = |joint: &Joint| {
            if is_pattern { glob(&pattern, &joint.name) } else { joint.name == pattern }
        };
        let all = self.joints.iter().enumerate();
        let found: Vec<usize> =
            all.filter(|(_, joint)| matches(joint)).map(|(index, _)| index).collect();
        if !found.is_empty() {
            return Some(found);
        }
        if !is_pattern {
            self.nothing_called(Named::Joint, &pattern, text.place);
        } else if !self.others.are_incomplete(Named::Joint) {
            let names = self.joints.iter().take(MOST_SUGGESTIONS).map(|joint| joint.name.as_str());
            let hint = match nearest(&pattern, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "* stands for any letters and ? for one: \"hip_*\"".to_owned(),
            };
            let problem = Problem::error(text.place, format!("no joint is called `{pattern}`"));
            self.report(problem.hint(hint));
        }
        None
    }

    fn advice(&self, pattern: &str) -> String {
        if self.index_of(&format!("{pattern}_0")).is_some() {
            return format!(
                "its copies are called `{pattern}_0` and so on; `{pattern}_*` names all"
            );
        }
        let names = self.bodies.iter().take(MOST_SUGGESTIONS).map(|body| body.name.as_str());
        match nearest(pattern, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "* stands for any letters and ? for one: \"ball_*\"".to_owned(),
        }
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
