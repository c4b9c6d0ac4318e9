//! Phase 2 of an instant: pairs that touch, part, enter or leave.

use carom_contact::touch::Touch;
use glam::DVec3;

use crate::body::{BodyId, began};
use crate::error::Fault;
use crate::event::{Contact, EventKind, Happening};
use crate::near::{Manner, Meeting, Pairing, Prediction, slot_of};
use crate::queries::ContactPoint;
use crate::queue::Entry;
use crate::rounds::Touching;
use crate::world::{World, WorldState};

impl World {
    /// Contact: every pair that is due now, and whom they strike, in rounds until nothing closes any more.
    pub(crate) fn touches_and_transitions(&mut self, due: &[Entry]) -> Result<(), Fault> {
        let mut touching = std::mem::take(&mut self.scratch.touching);
        touching.clear();
        for entry in due.iter().filter(|entry| entry.kind == EventKind::Check) {
            self.check(entry, &mut touching)?;
        }
        let worked =
            if touching.touches.all.is_empty() { Ok(()) } else { self.rounds(&mut touching) };
        self.scratch.touching = touching;
        worked
    }

    /// One pair that is due.
    fn check(&mut self, entry: &Entry, touching: &mut Touching) -> Result<(), Fault> {
        let slot = slot_of(entry);
        let Some(near) = self.pair_due(entry) else { return Ok(()) };
        let (bodies, prediction) = (near.bodies, near.prediction);
        // What has just been changed from outside is looked at anew in phase 4, at this same time.
        if bodies.iter().any(|body| self.is_dirty(*body)) {
            return Ok(());
        }
        match prediction {
            Prediction::Touch(touch, pieces) => self.meet(bodies, &touch, pieces, touching),
            Prediction::Part(_) => self.come_apart(bodies),
            Prediction::Stuck(time) => return Err(self.lost(bodies, time)),
            Prediction::Blurred(time) => return Err(self.blurred(bodies, time)),
            // A body may begin inside a sensor, but not inside another body.
            Prediction::Overlap(time) => match self.pairing(bodies[0], bodies[1]) {
                Some(Pairing::Sensor) => self.enter(bodies),
                _ => return Err(self.overlap_fault(bodies, time)),
            },
            Prediction::Clear(_) => {}
        }
        self.scratch.near.begin_anew(slot);
        self.scratch.to_predict.push(slot);
        Ok(())
    }

    /// Two bodies touch, or one enters a sensor.
    fn meet(
        &mut self,
        bodies: [BodyId; 2],
        touch: &Touch,
        pieces: [u32; 2],
        touching: &mut Touching,
    ) {
        if self.pairing(bodies[0], bodies[1]) == Some(Pairing::Sensor) {
            return self.enter(bodies);
        }
        let contact = Contact {
            bodies,
            point: touch.point,
            normal: touch.normal,
            distance: touch.distance,
            speed: touch.speed,
            features: touch.features,
            pieces,
        };
        if self.model.contact.passes {
            self.note(bodies, Manner::Inside);
            let began = bodies.map(|body| began(&self.state.bodies, body));
            let from_the_beginning = touch.time == began[0].max(began[1]);
            let contact = if from_the_beginning { self.fastest_closing(contact) } else { contact };
            return self.tell(Happening::Touch(contact), None);
        }
        self.note(bodies, Manner::Met);
        touching.due.push(contact);
        self.add_touch(bodies, Some(&contact), touching);
    }

    /// Of bodies put in place in contact, all points of which are as close: the one that closes fastest.
    fn fastest_closing(&self, contact: Contact) -> Contact {
        let [a, b] = contact.bodies;
        let now = self.state.now;
        let (Some(one), Some(other)) = (self.state_at(a, now), self.state_at(b, now)) else {
            return contact;
        };
        let reach = 2.0 * contact.distance.max(0.0) + f64::EPSILON * one.position.length();
        let points = self.contact_points(a, b, reach, now).unwrap_or_default();
        let at = |it: &ContactPoint| {
            let point = it.points[0].midpoint(it.points[1]);
            let speed = it.normal.dot(one.velocity_at(point) - other.velocity_at(point));
            Contact {
                point,
                normal: it.normal,
                distance: it.gap,
                speed,
                features: it.features,
                pieces: it.pieces,
                ..contact
            }
        };
        let closing = |best: Contact, it: Contact| if it.speed < best.speed { it } else { best };
        points.iter().map(at).fold(contact, closing)
    }

    /// A body enters a sensor, or is found inside it.
    fn enter(&mut self, bodies: [BodyId; 2]) {
        self.note(bodies, Manner::Inside);
        let [sensor, body] = self.sensor_first(bodies);
        self.tell(Happening::Entered { sensor, body }, None);
    }

    fn come_apart(&mut self, bodies: [BodyId; 2]) {
        self.note(bodies, Manner::Parted);
        let what = match self.pairing(bodies[0], bodies[1]) {
            Some(Pairing::Sensor) => {
                let [sensor, body] = self.sensor_first(bodies);
                Happening::Left { sensor, body }
            }
            _ => Happening::Parted { bodies },
        };
        self.tell(what, None);
    }

    fn note(&mut self, bodies: [BodyId; 2], manner: Manner) {
        let meeting = Meeting { since: self.state.now, manner };
        let WorldState { meetings, bodies: records, .. } = &mut self.state;
        meetings.note(bodies, meeting, |body| began(records, body));
    }

    fn is_dirty(&self, body: BodyId) -> bool {
        let group = self.state.bodies.get(body).and_then(|it| self.state.groups.get(it.group));
        group.is_some_and(|group| group.dirty)
    }

    fn sensor_first(&self, [a, b]: [BodyId; 2]) -> [BodyId; 2] {
        let first = self.state.bodies.get(a).is_some_and(|record| record.model.sensor);
        if first { [a, b] } else { [b, a] }
    }

    fn names_of(&self, bodies: [BodyId; 2]) -> [String; 2] {
        bodies.map(|id| self.body(id).map_or_else(|| id.to_string(), |it| it.name().to_owned()))
    }

    fn lost(&self, bodies: [BodyId; 2], time: f64) -> Fault {
        let [a, b] = self.names_of(bodies);
        Fault::Search { time, a, b }
    }

    fn blurred(&self, bodies: [BodyId; 2], time: f64) -> Fault {
        let [a, b] = self.names_of(bodies);
        let places = bodies.map(|id| self.state_at(id, time).map_or(DVec3::ZERO, |it| it.position));
        Fault::Blurred { time, a, b, distance: places[0].length().max(places[1].length()) }
    }

    fn overlap_fault(&self, bodies: [BodyId; 2], time: f64) -> Fault {
        let [a, b] = self.names_of(bodies);
        Fault::Overlap { time, a, b }
    }
}
