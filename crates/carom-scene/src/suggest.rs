//! Did-you-mean, for every name that a scene can get wrong.

/// Similarity (Jaro-Winkler, 0 to 1) above which a name counts as a slip of the finger.
const SIMILAR: f64 = 0.8;

/// The candidate nearest to what was typed, if it is near at all; of equally near ones the first by name.
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let scored = candidates.into_iter().map(|name| (likeness(&typed, &name.to_lowercase()), name));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)))?;
    (best.0 > SIMILAR).then_some(best.1)
}

/// Names one slip away are nearer than all others: of short ones Jaro-Winkler sees nothing in common.
fn likeness(typed: &str, name: &str) -> f64 {
    let likeness = strsim::jaro_winkler(typed, name);
    let is_one_slip_away = strsim::osa_distance(typed, name) == 1 && typed.chars().count() > 1;
    if is_one_slip_away { 1.0 + likeness } else { likeness }
}

/// A few names as they stand in a sentence: `a`, `b`, `c`, … (12 in all).
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 40;
    let names: Vec<&str> = names.into_iter().collect();
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let mut text = shown.join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(", … ({} in all)", names.len()));
    }
    text
}

/// What to say about an unknown name: the nearest known one, or else the known ones.
pub(crate) fn hint_for(typed: &str, what: &str, known: &[&str]) -> String {
    if let Some(near) = nearest(typed, known.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    if known.is_empty() {
        return format!("the scene has no {what}");
    }
    format!("{what} of this scene: {}", list(known.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_recognised_and_nonsense_is_not() {
        let names = ["density", "friction", "restitution"];
        assert_eq!(nearest("densty", names), Some("density"));
        assert_eq!(nearest("Friction", names), Some("friction"));
        assert_eq!(nearest("zzz", names), None);
        assert_eq!(nearest("rn", ["render", "run"]), Some("run"));
        assert_eq!(nearest("frictoin", names), Some("friction"));
    }

    #[test]
    fn long_lists_are_cut_and_counted() {
        let names: Vec<String> = (0..50).map(|i| format!("n{i}")).collect();
        let text = list(names.iter().map(String::as_str));
        assert!(text.ends_with("`n39`, … (50 in all)"), "{text}");
    }
}
