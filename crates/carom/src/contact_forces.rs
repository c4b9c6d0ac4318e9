//! Forces of lasting contact: what bodies that rest, slide or roll on each other push with.

use std::sync::Arc;

use carom_dynamics::linkage::{Course, Touching, Workspace};
use carom_geometry::distance::Feature;
use glam::DVec3;

use crate::body::BodyId;
use crate::coupled::Coupled;
use crate::history::History;
use crate::lasting::{body_of, tag_of};
use crate::world::World;

/// One point at which two bodies stay in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// A and B, the smaller id first.
    pub bodies: [BodyId; 2],
    /// Halfway between the bodies `[m]`.
    pub point: DVec3,
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// Distance of the bodies there `[m]`.
    pub gap: f64,
    /// Along the normal on A, and against it on B `[N]`. Where there are more points than it takes, those forces of all that do
    /// the same are told which have the least squares.
    pub force: f64,
    /// The features that touch, where bodies are polyhedra or have faces and edges.
    pub features: [Feature; 2],
    /// The convex pieces that they belong to.
    pub pieces: [u32; 2],
}

impl World {
    /// All points of lasting contact at a time for which the present motions hold, in the order of groups and pairs. Contact that
    /// lasts by collisions, under the impulse regime, has impulses and no forces: see [`World::contacts`].
    pub fn contact_forces_at(&self, time: f64) -> Vec<ContactForce> {
        let mut forces = Vec::new();
        for (_, group) in self.state.groups.iter() {
            let Some(coupled) = group.coupled() else { continue };
            let (Some(course), Some(meets)) = (coupled.course(), coupled.meets()) else { continue };
            if coupled.is_restarted() {
                continue;
            }
            let found = at(course, time);
            forces.extend(found.iter().map(|it| {
                let point = meets.point(it.contact);
                ContactForce {
                    bodies: meets.pair_of(it.contact),
                    point: it.site.points[0].midpoint(it.site.points[1]),
                    normal: it.site.normal,
                    gap: it.site.gap,
                    force: it.force,
                    features: point.features,
                    pieces: point.pieces,
                }
            }));
        }
        forces
    }

    /// All points of lasting contact now.
    pub fn contact_forces(&self) -> Vec<ContactForce> {
        self.contact_forces_at(self.now())
    }

    /// True of a body that stays where it is, at no cost, until something wakes it.
    pub fn is_asleep(&self, body: BodyId) -> bool {
        let group = self.state.bodies.get(body).map(|it| self.group(it.group));
        group.and_then(|it| it.coupled()).is_some_and(Coupled::is_asleep)
    }
}

fn at(course: &Arc<Course>, time: f64) -> Vec<Touching> {
    let mut room = Workspace::new(course.linkage());
    course.contacts_at(time, &mut room).unwrap_or_default()
}

/// What lasting contact gave, from courses that are remembered.
impl History {
    /// ∫ f dt between two times that were observed, of two bodies that are remembered, or of one piece of the first `[N·s]`.
    pub fn pushed(&self, bodies: [BodyId; 2], piece: Option<u32>, [from, to]: [f64; 2]) -> f64 {
        let mut tags = bodies.map(tag_of);
        let is_turned = bodies[0] > bodies[1];
        if is_turned {
            tags.reverse();
        }
        let mut sum = 0.0;
        let mut seen: Vec<*const Course> = Vec::new();
        for body in bodies {
            for (course, [start, end]) in self.courses(body, [from, to]) {
                let key = Arc::as_ptr(course);
                let Some(surfaces) = course.mode().contacts().surfaces() else { continue };
                if seen.contains(&key) || course.mode().contacts().is_idle() {
                    continue;
                }
                seen.push(key);
                let flow = course.contact_flow(start, end, &mut Workspace::new(course.linkage()));
                for (contact, impulse) in flow.impulses.iter().enumerate() {
                    let tag = surfaces.tag(contact);
                    let own = tag.pieces[usize::from(is_turned)];
                    if tag.bodies == tags && piece.is_none_or(|piece| piece == own) {
                        sum += impulse;
                    }
                }
            }
        }
        sum
    }

    /// Forces of two bodies in lasting contact at a time that was observed, added up `[N]`.
    pub fn contact_force_at(&self, bodies: [BodyId; 2], time: f64) -> f64 {
        let tags = [bodies[0].min(bodies[1]), bodies[0].max(bodies[1])].map(tag_of);
        let course = bodies.into_iter().find_map(|body| self.course_at(body, time));
        let Some(course) = course else { return 0.0 };
        let Some(surfaces) = course.mode().contacts().surfaces() else { return 0.0 };
        let found = at(course, time);
        let own = found.iter().filter(|it| surfaces.tag(it.contact).bodies == tags);
        own.map(|it| it.force).sum()
    }

    /// Points of lasting contact of a body at a time that was observed.
    pub fn contacts_of(&self, body: BodyId, time: f64) -> Vec<([BodyId; 2], Touching)> {
        let Some(course) = self.course_at(body, time) else { return Vec::new() };
        let Some(surfaces) = course.mode().contacts().surfaces() else { return Vec::new() };
        let bodies = |it: &Touching| surfaces.tag(it.contact).bodies.map(body_of);
        let found = at(course, time).into_iter().map(|it| (bodies(&it), it));
        found.filter(|(bodies, _)| bodies.contains(&body)).collect()
    }
}
