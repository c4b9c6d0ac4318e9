//! Why a pair is looked at when it is.

use std::fmt;

use carom_contact::touch::Step;

use crate::body::BodyId;
use crate::near::{Pairing, Prediction, Watch, ordered};
use crate::world::World;

/// Why a pair is looked at when it is, or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Names of the two.
    pub names: [String; 2],
    /// What they are to each other.
    pub relation: Relation,
    /// Times for which their boxes hold, if they do not overlap or once they do `[s]`.
    pub windows: [f64; 2],
    /// True when they touch or are inside each other, and have not parted.
    pub together: bool,
    /// What is known of their future, if they are near.
    pub forecast: Option<Forecast>,
}

/// What two bodies are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They touch.
    Solid,
    /// One is a sensor.
    Sensor,
    /// They take no notice of each other.
    None(Unnoticed),
}

/// Why two bodies take no notice of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnoticed {
    /// One of them is a ghost.
    Ghost,
    /// Both are sensors.
    Sensors,
    /// Their layers do not meet.
    Layers,
    /// The pair is excluded.
    Excluded,
    /// One carries the other, or both ride on the same body.
    Together,
    /// Nobody can change how they move: each is fixed or follows its law, whatever it meets.
    NeitherIsFree,
}

impl fmt::Display for Unnoticed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ghost => "one is a ghost",
            Self::Sensors => "both are sensors",
            Self::Layers => "their layers do not meet",
            Self::Excluded => "the pair is excluded",
            Self::Together => "they move together",
            Self::NeitherIsFree => "neither is free to move, so a touch could change nothing",
        })
    }
}

/// What is known of a near pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Nothing happens before this time `[s]`.
    pub clear_until: f64,
    /// What happens then, if it is known.
    pub what: Foreseen,
    /// Distances that were measured for it.
    pub queries: u64,
    /// By what the last step of the search was proven.
    pub bound: Step,
    /// True when it waits in the queue: it comes before both boxes are made anew.
    pub queued: bool,
}

/// What is foreseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreseen {
    /// The search goes on when a box is made anew.
    Nothing,
    /// They touch.
    Touch,
    /// They come apart.
    Parting,
    /// The search failed.
    Failure,
}

impl World {
    /// Why a pair is looked at when it is; none if a body is gone.
    pub fn explain(&self, a: BodyId, b: BodyId) -> Option<Explanation> {
        let [a, b] = ordered(a, b);
        let (record_a, record_b) = (self.state.bodies.get(a)?, self.state.bodies.get(b)?);
        let relation = match self.pairing(a, b) {
            Some(Pairing::Solid) => Relation::Solid,
            Some(Pairing::Sensor) => Relation::Sensor,
            None => Relation::None(self.unnoticed(a, b)),
        };
        let windows = [record_a.window.end, record_b.window.end];
        let forecast = self.near([a, b]).map(|near| {
            let due = near.prediction.due();
            let (queries, bound) = match &near.watch {
                Some(Watch::Touch(search)) => (search.queries(), search.last_step()),
                _ => (0, Step::None),
            };
            Forecast {
                clear_until: due.unwrap_or_else(|| near.prediction.known_until()),
                what: match near.prediction {
                    Prediction::Clear(_) => Foreseen::Nothing,
                    Prediction::Touch(..) => Foreseen::Touch,
                    Prediction::Part(_) => Foreseen::Parting,
                    Prediction::Stuck(_) | Prediction::Blurred(_) | Prediction::Overlap(_) => {
                        Foreseen::Failure
                    }
                },
                queries,
                bound,
                queued: due.is_some_and(|due| due <= windows[0] && due <= windows[1]),
            }
        });
        let names = [&record_a.model, &record_b.model].map(|model| model.name.clone());
        Some(Explanation { names, relation, windows, together: self.is_inside(a, b), forecast })
    }
}

impl World {
    /// Why two bodies take no notice of each other, which they do not.
    fn unnoticed(&self, a: BodyId, b: BodyId) -> Unnoticed {
        let (Some(one), Some(other)) = (self.state.bodies.get(a), self.state.bodies.get(b)) else {
            return Unnoticed::NeitherIsFree;
        };
        if one.model.ghost || other.model.ghost {
            Unnoticed::Ghost
        } else if one.model.sensor && other.model.sensor {
            Unnoticed::Sensors
        } else if !one.model.layers.meet(&other.model.layers) {
            Unnoticed::Layers
        } else if self.state.excluded.contains(&(a, b)) {
            Unnoticed::Excluded
        } else if one.group == other.group {
            Unnoticed::Together
        } else {
            Unnoticed::NeitherIsFree
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.names;
        write!(f, "\"{a}\" and \"{b}\"")?;
        match self.relation {
            Relation::None(why) => return write!(f, " take no notice of each other: {why}"),
            Relation::Sensor => write!(f, " (one is a sensor)")?,
            Relation::Solid => {}
        }
        if self.together {
            write!(f, " touch, and")?;
        }
        let Some(forecast) = &self.forecast else {
            let first = self.windows[0].min(self.windows[1]);
            return write!(f, ": their boxes do not overlap before {first} s");
        };
        let when = forecast.clear_until;
        match forecast.what {
            Foreseen::Nothing if self.together && when.is_infinite() => {
                write!(f, " never part as they move now")?;
            }
            Foreseen::Nothing if self.together => write!(f, " do not part before {when} s")?,
            Foreseen::Nothing if when.is_infinite() => write!(f, " never touch as they move now")?,
            Foreseen::Nothing => write!(f, " do not touch before {when} s")?,
            Foreseen::Touch => write!(f, " touch at {when} s")?,
            Foreseen::Parting => write!(f, " come apart at {when} s")?,
            Foreseen::Failure => write!(f, " could not be followed beyond {when} s")?,
        }
        let bound = match forecast.bound {
            Step::None => "no step yet",
            Step::Balls => "bounding balls apart",
            Step::Features => "a direction riding on the closest features",
            Step::Still => "a direction that stands still on one of them",
            Step::Exact => "closed form",
        };
        write!(f, " (last step: {bound}; distances measured: {})", forecast.queries)
    }
}
