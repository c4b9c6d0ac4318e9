//! Where force elements take hold of bodies.

use carom_geometry::Pose;
use glam::DVec3;

use super::Builder;
use super::repeat::CopyPlace;
use super::trees::Told;
use crate::decode::{Text, Vector};
use crate::element::ElementEnd;
use crate::format::{BushingTable, ElementKeys, GripKeys, LineKeys};
use crate::problem::{Place, Problem};
use crate::scene::MotionSpec;

/// Both ends of an element.
pub(super) type Ends = [ElementEnd; 2];

impl Builder<'_, '_> {
    /// The two bodies of an element; none for the world.
    pub(super) fn element_bodies(&mut self, keys: &ElementKeys) -> Option<[Option<usize>; 2]> {
        let (first, second) = match &keys.bodies[..] {
            [first] => (first, None),
            [first, second] => (first, Some(second)),
            _ => {
                let problem = Problem::error(keys.place, "an element acts between two bodies")
                    .label(format!("`bodies` names {}", keys.bodies.len()))
                    .hint("write `bodies = [\"a\", \"b\"]`, or one alone for a body and the world");
                self.report(problem);
                return None;
            }
        };
        // Both are looked up before a mistake ends it, so that each is told.
        let on = self.element_body(first);
        let from = second.map_or(Ok(None), |text| self.element_body(text));
        let (on, from) = (on.ok()?, from.ok()?);
        if on.is_some() && on == from {
            let name = &self.bodies[on?].name;
            let problem = Problem::error(keys.place, format!("both ends are on `{name}`"))
                .hint("give it two bodies, or one and the world");
            self.report(problem);
            return None;
        }
        let is_free = |body: Option<usize>| {
            body.is_some_and(|body| self.bodies[body].motion == MotionSpec::Free)
        };
        if !is_free(on) && !is_free(from) {
            let problem = Problem::error(keys.place, "it acts on nothing that moves")
                .hint("one of its bodies must be free or linked");
            self.report(problem);
            return None;
        }
        Some([on, from])
    }

    fn element_body(&mut self, text: &Text) -> Result<Option<usize>, Told> {
        let Some(body) = self.body_or_world(text)? else { return Ok(None) };
        if !matches!(self.bodies[body].motion, MotionSpec::Free | MotionSpec::Fixed) {
            let message = format!("the body `{}` follows a law", self.bodies[body].name);
            let problem = Problem::error(text.place, message)
                .related(self.bodies[body].place, "moves as its `motion` says")
                .hint("elements act on free, linked and fixed bodies");
            self.report(problem);
            return Err(Told);
        }
        self.check_stays(body, text.place, "element").ok_or(Told)?;
        Ok(Some(body))
    }

    /// Both ends of an element along a line.
    pub(super) fn line(
        &mut self,
        bodies: Option<[Option<usize>; 2]>,
        keys: &LineKeys,
        offset: DVec3,
        place: Place,
    ) -> Option<Ends> {
        let (on, from) = bodies.map_or((Err(Told), Err(Told)), |[on, from]| (Ok(on), Ok(from)));
        let on = self.end(on, (keys.grip.at.as_ref(), keys.grip.at_body.as_ref()), offset);
        let to = (keys.to.as_ref(), keys.to_body.as_ref());
        if matches!(from, Ok(None)) && to.0.is_none() && to.1.is_none() && !keys.faulty {
            let problem = Problem::error(place, "where in the world does it end? `to` is missing")
                .hint("give a point, such as to = [0, 0, 1], or name a second body");
            self.report(problem);
            return None;
        }
        let from = self.end(from, to, offset);
        Some([on?, from?])
    }

    /// The end of an element on one body, from the other at the same point.
    pub(super) fn on_one(
        &mut self,
        bodies: Option<[Option<usize>; 2]>,
        keys: &GripKeys,
        offset: DVec3,
    ) -> Option<Ends> {
        let on = bodies.map(|[on, _]| on).ok_or(Told);
        let on = self.end(on, (keys.at.as_ref(), keys.at_body.as_ref()), offset);
        let ([_, from], on) = (bodies?, on?);
        let point = self.in_world(&on).translation;
        Some([on, self.grip(from, Pose::from_translation(point))])
    }

    /// Both ends of a bushing, one frame as the bodies stand.
    pub(super) fn bushing_ends(
        &mut self,
        bodies: Option<[Option<usize>; 2]>,
        table: &BushingTable,
        copy: &CopyPlace,
    ) -> Option<Ends> {
        let [on, from] = self.on_one(bodies, &table.grip, copy.offset)?;
        let point = self.in_world(&on).translation;
        let rotation = self.orientation(&table.orientation, point)?;
        let frame = Pose::new(point, (copy.turn * rotation).normalize());
        Some([self.grip(on.body, frame), self.grip(from.body, frame)])
    }

    /// An end by its point in the world or in the body; by default its centre of mass. Of a body that could not be found, the
    /// point is still looked at.
    fn end(
        &mut self,
        body: Result<Option<usize>, Told>,
        (world, own): (Option<&Vector>, Option<&Vector>),
        offset: DVec3,
    ) -> Option<ElementEnd> {
        if let Some(vector) = world {
            let place = vector.place;
            let point = self.vector(vector)? + offset;
            if !point.is_finite() {
                self.error(place, "the point overflows: numbers reach up to about 1.8e308");
                return None;
            }
            return Some(self.grip(body.ok()?, Pose::from_translation(point)));
        }
        let own = own.map(|vector| self.vector(vector));
        let body = body.ok()?;
        let point = match (own, body) {
            (Some(point), _) => point?,
            (None, Some(body)) => self.bodies[body].mass.map_or(DVec3::ZERO, |it| it.center),
            (None, None) => DVec3::ZERO,
        };
        Some(ElementEnd { body, frame: Pose::from_translation(point) })
    }

    /// The end of a body at a placement in the world.
    fn grip(&self, body: Option<usize>, world_from_end: Pose) -> ElementEnd {
        let frame = match body {
            Some(body) => self.bodies[body].world_from_body.inverse().then_from(&world_from_end),
            None => world_from_end,
        };
        ElementEnd { body, frame }
    }

    fn in_world(&self, end: &ElementEnd) -> Pose {
        match end.body {
            Some(body) => self.bodies[body].world_from_body.then_from(&end.frame),
            None => end.frame,
        }
    }

    /// Between both ends as the bodies stand `[m]`.
    pub(super) fn distance(&self, ends: &Ends) -> f64 {
        let [on, from] = ends.each_ref().map(|end| self.in_world(end).translation);
        on.distance(from)
    }
}
