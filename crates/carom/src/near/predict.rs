//! What is going to happen to a pair: a pure function of its motions and its last meeting.

use carom_contact::touch::{Beginning, Outcome, PairOutcome, PairSearch, Parting, Rigid, Spares};
use carom_dynamics::{Motion, Span};

use super::{Meeting, Near, Prediction, Watch};
use crate::body::{BodyId, began};
use crate::world::World;

impl World {
    /// A body as the search sees it, with the time from which on it moves as it does.
    pub(crate) fn rigid(&self, body: BodyId) -> Option<(Rigid<'_>, f64)> {
        let record = self.state.bodies.get(body)?;
        let group = self.state.groups.get(record.group)?;
        let member = group.member(body)?;
        let model = &record.model;
        let rigid = Rigid {
            motion: group.motion_of(member),
            pieces: &model.pieces,
            frame_from_shape: member.frame_from_shape(model),
            size: model.size,
        };
        Some((rigid, record.since))
    }

    /// Makes a pair ready for [`Self::predict`]: starts anew what has become void, and notes whether anything is to be
    /// searched before its boxes' windows end.
    pub(super) fn prepare(&self, near: &mut Near, spares: &mut Spares) {
        near.searched = false;
        let [a, b] = near.bodies;
        let (Some(a), Some(b)) = (self.state.bodies.get(a), self.state.bodies.get(b)) else {
            return;
        };
        let epochs = [a.epoch, b.epoch];
        if near.epochs != epochs {
            near.epochs = epochs;
            near.begin_anew(spares);
        }
        near.pause = a.window.end.min(b.window.end);
        if near.prediction.known_until() >= near.pause {
            return;
        }
        let began = |body| began(&self.state.bodies, body);
        let meeting = self.state.meetings.that_matters(near.bodies, began);
        if !meeting.is_some_and(Meeting::inside) && self.passes_over(near) {
            near.apart_until = near.pause;
            near.prediction = Prediction::Clear(near.pause);
            return;
        }
        near.searched = true;
        if near.watch.is_none() {
            let met = meeting.map_or(f64::NEG_INFINITY, |it| it.since);
            let start = a.since.max(b.since).max(met);
            let beginning = Beginning { time: start, met: met == start };
            near.watch = Some(if meeting.is_some_and(Meeting::inside) {
                Watch::Part(Parting::from(start))
            } else {
                let pieces = [&a.model.pieces, &b.model.pieces];
                Watch::Touch(PairSearch::reusing(spares, pieces[0], pieces[1], beginning))
            });
        }
    }

    /// True when two bodies, of which one is a link, are proven apart from now until their boxes' windows end: to search takes
    /// longer, since links bend.
    fn passes_over(&self, near: &mut Near) -> bool {
        let [a, b] = near.bodies;
        let (Some((one, _)), Some((other, _))) = (self.rigid(a), self.rigid(b)) else {
            return false;
        };
        let is_link = |body: &Rigid<'_>| matches!(body.motion, Motion::Linked(_));
        let window = Span::new(self.state.now, near.pause);
        (is_link(&one) || is_link(&other)) && near.aside.proves(&one, &other, window)
    }

    /// Goes on with the search of a pair until its boxes' windows end.
    pub(super) fn predict(&self, near: &mut Near) {
        let [a, b] = near.bodies;
        let (Some((one, _)), Some((other, _))) = (self.rigid(a), self.rigid(b)) else { return };
        let (now, pause) = (self.state.now, near.pause);
        let end = span_end(&one, now).min(span_end(&other, now));
        near.prediction = match &mut near.watch {
            Some(Watch::Touch(search)) => {
                touch_prediction(search.advance(&one, &other, end, pause))
            }
            Some(Watch::Part(search)) => match search.advance(&one, &other, end, pause) {
                Outcome::Later(time) => Prediction::Part(time),
                Outcome::Overlap(time) => Prediction::Clear(time),
                _ => Prediction::Clear(f64::INFINITY),
            },
            None => return,
        };
    }
}

fn touch_prediction(found: PairOutcome) -> Prediction {
    match found.outcome {
        Outcome::Touch(touch) => Prediction::Touch(touch, found.pieces),
        Outcome::Later(time) => Prediction::Clear(time),
        Outcome::Never => Prediction::Clear(f64::INFINITY),
        Outcome::Stuck(time) => Prediction::Stuck(time),
        Outcome::Blurred(time) => Prediction::Blurred(time),
        Outcome::Overlap(time) => Prediction::Overlap(time),
    }
}

fn span_end(body: &Rigid<'_>, now: f64) -> f64 {
    let Span { end, .. } = body.motion.span(now);
    end
}
