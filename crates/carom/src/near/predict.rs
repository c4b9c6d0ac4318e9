//! What is going to happen to a pair: a pure function of its motions and its last meeting.

use carom_contact::touch::{Outcome, PairOutcome, PairSearch, Parting, Rigid};
use carom_dynamics::Span;

use super::{Meeting, Near, Prediction, Watch};
use crate::body::BodyId;
use crate::world::World;

impl World {
    /// A body as the search sees it, with the time from which on it moves as it does.
    pub(crate) fn rigid(&self, body: BodyId) -> Option<(Rigid<'_>, f64)> {
        let record = self.state.bodies.get(body)?;
        let group = self.state.groups.get(record.group)?;
        let member = group.member(body)?;
        let model = &record.model;
        let rigid = Rigid {
            motion: &group.motion,
            pieces: &model.pieces,
            frame_from_shape: member.frame_from_body.then_from(&model.body_from_shape()),
            size: model.size,
        };
        Some((rigid, record.since))
    }

    /// Goes on with the search of a pair until its boxes' windows end; starts anew what has become void. True if there was
    /// anything to search.
    pub(super) fn predict(&self, near: &mut Near) -> bool {
        let [a, b] = near.bodies;
        let (Some((one, since_a)), Some((other, since_b))) = (self.rigid(a), self.rigid(b)) else {
            return false;
        };
        let (Some(record_a), Some(record_b)) = (self.state.bodies.get(a), self.state.bodies.get(b))
        else {
            return false;
        };
        let epochs = [record_a.epoch, record_b.epoch];
        if near.epochs != epochs {
            near.epochs = epochs;
            near.watch = None;
            near.prediction = Prediction::Clear(f64::NEG_INFINITY);
        }
        let pause = record_a.window.end.min(record_b.window.end);
        if near.prediction.known_until() >= pause {
            return false;
        }
        let now = self.state.now;
        let end = span_end(&one, now).min(span_end(&other, now));
        let meeting = self.state.meetings.get(&near.bodies);
        let start = since_a.max(since_b).max(meeting.map_or(f64::NEG_INFINITY, |it| it.since));
        let watch = near.watch.get_or_insert_with(|| watch_for(meeting, &one, &other, start));
        near.prediction = match watch {
            Watch::Touch(search) => touch_prediction(search.advance(&one, &other, end, pause)),
            Watch::Part(search) => match search.advance(&one, &other, end, pause) {
                Outcome::Later(time) => Prediction::Part(time),
                Outcome::Overlap(time) => Prediction::Clear(time),
                _ => Prediction::Clear(f64::INFINITY),
            },
        };
        true
    }
}

fn watch_for(meeting: Option<&Meeting>, a: &Rigid<'_>, b: &Rigid<'_>, start: f64) -> Watch {
    if meeting.is_some_and(|meeting| meeting.inside) {
        Watch::Part(Parting::from(start))
    } else {
        Watch::Touch(PairSearch::new(a, b, start))
    }
}

fn touch_prediction(found: PairOutcome) -> Prediction {
    match found.outcome {
        Outcome::Touch(touch) => Prediction::Touch(touch, found.pieces),
        Outcome::Later(time) => Prediction::Clear(time),
        Outcome::Never => Prediction::Clear(f64::INFINITY),
        Outcome::Stuck(time) => Prediction::Stuck(time),
        Outcome::Overlap(time) => Prediction::Overlap(time),
    }
}

fn span_end(body: &Rigid<'_>, now: f64) -> f64 {
    let Span { end, .. } = body.motion.span(now);
    end
}
