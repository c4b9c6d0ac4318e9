//! What a run must remember so that its measures can be asked.

use std::collections::BTreeSet;
use std::ops::Range;

use carom::{History, Instant, Observer, Stop, World};

use super::contacts::{ContactTracks, Followed};
use super::readings::ReadingTracks;
use crate::build::texts_after;
use crate::expression::Value;
use crate::scene::Scene;

/// An observer that remembers what the expectations of a scene ask for: motions, events and accounts, and what contacts
/// did.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(super) history: History,
    pub(super) contacts: ContactTracks,
    pub(super) readings: ReadingTracks,
}

impl Memory {
    /// Of a run of the scene; none if it has no expectations.
    pub fn of(scene: &Scene) -> Option<Self> {
        let texts =
            || scene.expectations.iter().map(|expectation| expectation.measure_text.as_str());
        texts().next()?;
        let puts_together = texts().any(puts_texts_together);
        let all_times = puts_together || texts().any(asks_for_times_of_all);
        // Bodies and joints are recognised by their quoted names, or by parameters that name them; a measure that puts names
        // together, or speaks of the ledger, needs everybody.
        if puts_together {
            let contacts = ContactTracks::new(Followed::Everybody, all_times);
            let readings = ReadingTracks::of(scene, |_| true);
            let history = History::of_all().without_collisions();
            return Some(Self { history, contacts, readings });
        }
        let named = |name: &&str| {
            let quoted = [format!("\"{name}\""), format!("'{name}'")];
            texts().any(|text| quoted.iter().any(|quoted| text.contains(quoted.as_str())))
                || scene
                    .parameters
                    .iter()
                    .any(|it| matches!(&it.value, Value::Text(text) if **text == **name))
        };
        let names = scene.bodies.iter().map(|body| body.name.as_str()).filter(named);
        let mut names: BTreeSet<String> = names.map(str::to_owned).collect();
        // A joint is asked of the body that it carries.
        let joints = scene.joints.iter().filter(|joint| named(&joint.name.as_str()));
        names.extend(joints.map(|joint| scene.bodies[joint.child].name.clone()));
        let history = if texts().any(|text| text.contains("ledger")) {
            History::of_all()
        } else {
            History::of(names.iter().cloned())
        };
        let follows = texts().any(|text| CONTACT_WORDS.iter().any(|word| text.contains(word)));
        let followed = if follows { Followed::Named(names) } else { Followed::Nobody };
        let contacts = ContactTracks::new(followed, all_times);
        let readings = ReadingTracks::of(scene, |name| named(&name));
        Some(Self { history: history.without_collisions(), contacts, readings })
    }
}

impl Memory {
    /// Whom to tell the motions of, so that measures can be asked of them: a history without anything in it yet.
    pub fn history(self) -> History {
        self.history
    }
}

/// Words of measures that ask what a pair did over time.
const CONTACT_WORDS: [&str; 4] = ["contact", "force", "contact_force", "collision"];

/// Whether a text asks for the times of collisions that are not those of two bodies named outright.
fn asks_for_times_of_all(text: &str) -> bool {
    text.match_indices("event_time").any(|(at, word)| {
        let rest = text[at + word.len()..].trim_start();
        let start = text.len() - rest.len() + 1;
        if !rest.starts_with('(') || start > text.len() {
            return true;
        }
        let texts = texts_after(text, start);
        match texts.first() {
            Some((_, "collision")) => texts.len() < 3,
            Some(_) => false,
            None => true,
        }
    })
}

/// Whether a `+` stands beside a quoted text, or a text has expressions in it.
fn puts_texts_together(text: &str) -> bool {
    let quotes = ['"', '\''];
    text.contains('`')
        || text.match_indices('+').any(|(at, _)| {
            text[..at].trim_end().ends_with(quotes)
                || text[at + 1..].trim_start_matches(['=', ' ']).starts_with(quotes)
        })
}

impl Observer for Memory {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        self.history.between(world, times)
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.history.after(world, instant)?;
        self.readings.hear(world, instant)?;
        self.contacts.hear(world, instant)
    }
}

#[cfg(test)]
mod tests {
    use super::asks_for_times_of_all;

    #[test]
    fn times_of_all_collisions_are_kept_only_where_a_measure_needs_them() {
        for text in [
            "event_time('collision', 3)",
            "event_time( \"collision\", 'a')",
            "event_time ('collision', 'a', 2)",
            "event_time('collision', name, 'b')",
            "event_time(what, 'a', 'b')",
        ] {
            assert!(asks_for_times_of_all(text), "{text}");
        }
        for text in ["event_time('collision', 'a', 'b', 2)", "event_time('touch', 1)", "count('x')"]
        {
            assert!(!asks_for_times_of_all(text), "{text}");
        }
    }
}
