//! What the world says of contact.

use carom::{Impacts, Microcollisions, Regime};

use super::Builder;
use crate::decode::Text;
use crate::load::Document;
use crate::problem::Problem;
use crate::scene::OnTouch;
use crate::suggest::{list, nearest};

/// The names of all regimes, also of those that are yet to come.
pub(super) const REGIMES: [&str; 4] = ["impulse", "constraint", "penalty", "hybrid"];

/// What the world says of contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) on_touch: OnTouch,
    pub(super) regime: Regime,
    pub(super) envelope: Option<f64>,
    pub(super) microcollisions: Microcollisions,
    pub(super) impacts: Impacts,
    pub(super) sleeps: bool,
}

impl Builder<'_, '_> {
    pub(super) fn contact(&mut self, top: &Document) -> Option<Contact> {
        let world = top.table.world.as_ref();
        // Everything is read before the first mistake ends it, so that each is told.
        let on_touch = world.and_then(|world| world.on_touch.as_ref());
        let on_touch = self.word(on_touch, ("on_touch", "a touch cannot"), |name| {
            OnTouch::of_name(name).ok_or_else(|| OnTouch::ALL.map(OnTouch::name).to_vec())
        });
        let regime = world.and_then(|world| world.regime.as_ref());
        let regime = regime.map_or(Some(Regime::default()), |text| self.regime_now(text));
        let envelope = world.and_then(|world| world.envelope.as_ref());
        let envelope = envelope.map(|number| self.positive(number, "envelope"));
        let kind = world.and_then(|world| world.microcollisions.as_ref());
        let wrong = ("microcollisions", "microcollisions cannot be");
        let microcollisions = self.word(kind, wrong, |name| {
            let names = || Microcollisions::ALL.map(Microcollisions::name).to_vec();
            Microcollisions::of_name(name).ok_or_else(names)
        });
        let kind = world.and_then(|world| world.impacts.as_ref());
        let impacts = self.word(kind, ("impacts", "impacts cannot be in"), |name| {
            Impacts::of_name(name).ok_or_else(|| Impacts::ALL.map(Impacts::name).to_vec())
        });
        let sleeps = world.and_then(|world| world.sleep.as_ref()).is_none_or(|flag| flag.value);
        let envelope = match envelope {
            Some(envelope) => Some(envelope?),
            None => None,
        };
        let given = self.loader.options.contact;
        Some(Contact {
            on_touch: given.on_touch.unwrap_or(on_touch?),
            regime: given.regime.unwrap_or(regime?),
            envelope: given.envelope.or(envelope),
            microcollisions: microcollisions?,
            impacts: impacts?,
            sleeps,
        })
    }

    /// A word out of several, or the default where none is given; `of_name` fails with those there are.
    pub(super) fn word<T: Default>(
        &mut self,
        text: Option<&Text>,
        (key, wrong): (&str, &str),
        of_name: impl Fn(&str) -> Result<T, Vec<&'static str>>,
    ) -> Option<T> {
        let Some(text) = text else { return Some(T::default()) };
        let name = self.text(text)?;
        match of_name(&name) {
            Ok(found) => Some(found),
            Err(names) => {
                let problem = Problem::error(text.place, format!("{wrong} \"{name}\""));
                let problem = match nearest(&name, names.iter().copied()) {
                    Some(near) => problem.label(format!("did you mean \"{near}\"?")),
                    None => problem,
                };
                self.report(problem.hint(format!("`{key}` is one of {}", list(names))));
                None
            }
        }
    }

    /// A regime that exists.
    pub(super) fn regime_now(&mut self, text: &Text) -> Option<Regime> {
        let name = self.regime(text)?;
        let found = Regime::of_name(&name);
        if found.is_none() {
            let problem =
                Problem::error(text.place, format!("the regime \"{name}\" is yet to come"));
            let names = list(Regime::ALL.map(Regime::name));
            self.report(problem.hint(format!("regimes of this version: {names}")));
        }
        found
    }

    /// The name of a regime, also of one that is yet to come.
    pub(super) fn regime(&mut self, text: &Text) -> Option<String> {
        let name = self.text(text)?;
        if REGIMES.contains(&name.as_str()) {
            return Some(name);
        }
        let problem = Problem::error(text.place, format!("there is no regime \"{name}\""));
        let problem = match nearest(&name, REGIMES) {
            Some(near) => problem.label(format!("did you mean \"{near}\"?")),
            None => problem,
        };
        self.report(problem.hint(format!("regimes: {}", list(REGIMES))));
        None
    }
}
