//! Events in measures: how many of a name there were, and when, of all bodies or of some, or of a joint. Collisions are counted by what is
//! remembered of contacts, not as events.

use std::sync::Arc;

use carom::{BodyId, Event, EventKind, Happening};
use rhai::Engine;

use super::words::{Answer, Run};

/// The name of collisions.
const COLLISION: &str = "collision";

/// Gives an engine the words for events.
pub(super) fn register(engine: &mut Engine, run: &Arc<Run>) {
    let of = Arc::clone(run);
    engine.register_fn("count", move |name: &str| -> Answer<f64> {
        if let Some(kind) = EventKind::ALL.into_iter().find(|kind| kind.name() == name) {
            return Ok(of.counts.of(kind) as f64);
        }
        known(name, EventKind::ALL.map(EventKind::name).as_slice())?;
        of.count(name, &[])
    });
    let of = Arc::clone(run);
    engine.register_fn("count", move |name: &str, a: &str| of.count(name, &[a]));
    let of = Arc::clone(run);
    engine.register_fn("count", move |name: &str, a: &str, b: &str| of.count(name, &[a, b]));

    let of = Arc::clone(run);
    engine.register_fn("event_time", move |name: &str, n: f64| of.event_time(name, &[], n));
    let of = Arc::clone(run);
    engine.register_fn("event_time", move |name: &str, a: &str| of.event_time(name, &[a], 0.0));
    let of = Arc::clone(run);
    engine
        .register_fn("event_time", move |name: &str, a: &str, n: f64| of.event_time(name, &[a], n));
    let of = Arc::clone(run);
    engine.register_fn("event_time", move |name: &str, a: &str, b: &str| {
        of.event_time(name, &[a, b], 0.0)
    });
    let of = Arc::clone(run);
    engine.register_fn("event_time", move |name: &str, a: &str, b: &str, n: f64| {
        of.event_time(name, &[a, b], n)
    });
}

impl Run {
    fn count(&self, name: &str, bodies: &[&str]) -> Answer<f64> {
        if name == COLLISION {
            let ids = self.ids(bodies)?;
            return Ok(ids.map_or(0.0, |ids| self.contacts.count(&ids) as f64));
        }
        Ok(self.happened(name, bodies)?.count() as f64)
    }

    fn event_time(&self, name: &str, bodies: &[&str], number: f64) -> Answer<f64> {
        let place = number.max(0.0);
        let found = if name == COLLISION {
            self.ids(bodies)?.and_then(|ids| self.contacts.time_of(&ids, place as u64))
        } else {
            self.happened(name, bodies)?.nth(place as usize).map(|event| event.time)
        };
        found.ok_or_else(|| {
            self.note_unreached();
            let whose: Vec<String> = bodies.iter().map(|body| format!("\"{body}\"")).collect();
            let of = if whose.is_empty() { "" } else { " of " };
            let whose = whose.join(" and ");
            format!("there is no \"{name}\"{of}{whose} with number {number}").into()
        })
    }

    /// The events of a name that concern all of some bodies or joints.
    fn happened(&self, name: &str, whom: &[&str]) -> Answer<impl Iterator<Item = &Event>> {
        known(name, &[])?;
        // A body and a joint of one name are both meant.
        let bodies: Vec<&str> = whom.iter().copied().filter(|it| !self.is_tie(it)).collect();
        let ids = self.ids(&bodies)?;
        let ties = whom.iter().filter(|it| self.is_tie(it));
        let ties: Vec<(String, Option<BodyId>)> =
            ties.map(|it| ((*it).to_owned(), self.history.find(it))).collect();
        let name = name.to_owned();
        Ok(self.history.events().iter().filter(move |event| {
            let concerns = |id: &BodyId| event.bodies().any(|it| it == *id);
            let all = |ids: &Vec<BodyId>| ids.iter().all(concerns);
            let tied = |(tie, body): &(String, Option<BodyId>)| {
                event.tie() == Some(tie.as_str()) || body.as_ref().is_some_and(concerns)
            };
            event.what.name() == name && ids.as_ref().is_some_and(all) && ties.iter().all(tied)
        }))
    }

    /// The bodies of some names; none if one never came, which was in no event.
    fn ids(&self, bodies: &[&str]) -> Answer<Option<Vec<BodyId>>> {
        for body in bodies {
            self.known_body(body)?;
        }
        if let [a, b] = bodies
            && a == b
        {
            return Err(format!("\"{a}\" and itself are no pair").into());
        }
        Ok(bodies.iter().map(|body| self.history.find(body)).collect())
    }
}

/// Refuses names that no event can have, which would count as none.
fn known(name: &str, more: &[&'static str]) -> Answer<()> {
    let known: Vec<&str> = Happening::NAMES.iter().chain(more).copied().collect();
    if known.contains(&name) {
        return Ok(());
    }
    let hint = match crate::suggest::nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are {}", known.join(", ")),
    };
    Err(format!("no event is called \"{name}\"; {hint}").into())
}
