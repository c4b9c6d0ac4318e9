//! From two bodies as they are to meet, back to where they come from.
//!
//! Free flight can be run backwards: with velocity and spin reversed a body goes back on the way it came, since gravity
//! does not depend on velocities and Euler's equations I·ω̇ = I·ω × ω are the same for −ω and −t. So a case is described by
//! the moment at which it is known, and its start follows from the closed form of the motion.

use std::time::Instant as Clock;

use carom::{Body, BodyState, Law, Mass, World};
use carom_dynamics::Ballistic;
use carom_dynamics::law::LawSpec;
use carom_geometry::{Pose, Shape};
use glam::DVec3;

use super::Case;
use super::numbers::Numbers;

/// Who decides how a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Free,
    Fixed,
    /// Uniform motion and uniform spin.
    Scripted,
}

/// A body as it is to be at the meeting.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    pub(super) shape: Shape,
    pub(super) role: Role,
    /// Of the centre of mass.
    pub(super) state: BodyState,
}

/// Where and when they meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    /// `[m/s²]`
    pub(super) gravity: DVec3,
    /// `[s]`
    pub(super) meeting: f64,
    /// How long before that the world begins `[s]`.
    pub(super) before: f64,
    /// How long after that the case ends `[s]`.
    pub(super) after: f64,
    /// Added to all places `[m]`.
    pub(super) shift: DVec3,
}

impl Stage {
    /// Here and now in most cases; in one of four each far from the origin, early or late, or under gravity.
    pub(super) fn any(numbers: &mut Numbers, before: f64, after: f64) -> Self {
        let mut seldom = |low: f64, high: f64| {
            let size = numbers.decades(low, high);
            if numbers.chance(0.25) { size } else { 0.0 }
        };
        let (far, late, heavy) = (seldom(1.0, 1e6), seldom(0.1, 1e4), seldom(1.0, 1e3));
        let meeting = before + late * numbers.sign();
        let gravity = heavy * numbers.direction();
        Self { gravity, meeting, before, after, shift: far * numbers.direction() }
    }

    /// The world at its start; none if the numbers make no bodies, or the two would begin in overlap.
    pub(super) fn case(&self, actors: &[Actor; 2]) -> Option<Case> {
        let start = self.meeting - self.before;
        let mut world =
            World::builder().passing().gravity(self.gravity).start(start).build().ok()?;
        let bodies = [self.body(&actors[0])?, self.body(&actors[1])?];
        let started = Clock::now();
        let [one, other] = bodies.map(|body| world.add(body).ok());
        let preparing = started.elapsed().as_secs_f64();
        let (bodies, until) = ([one?, other?], self.meeting + self.after);
        Some(Case { world, bodies, start, meeting: self.meeting, until, preparing })
    }

    fn body(&self, actor: &Actor) -> Option<Body> {
        let shape = actor.shape.clone();
        let properties = shape.as_solid().mass_properties(DENSITY).ok()?;
        let met = BodyState { position: actor.state.position + self.shift, ..actor.state };
        let pose_of =
            |state: &BodyState| state.pose().then_from(&Pose::from_translation(-properties.center));
        Some(match actor.role {
            Role::Fixed => Body::fixed(shape).pose(pose_of(&met)),
            Role::Scripted => {
                let world_from_body = pose_of(&met);
                let spec = LawSpec::Constant {
                    start: self.meeting,
                    world_from_body,
                    velocity: met.velocity_at(world_from_body.translation),
                    angular_velocity: met.angular_velocity,
                };
                Body::scripted(shape, Law::new(spec).ok()?)
            }
            Role::Free => {
                let mass = Mass::new(&properties).ok()?;
                let began = self.earlier(&met, &mass);
                Body::free(shape)
                    .density(DENSITY)
                    .pose(pose_of(&began))
                    .velocity(began.velocity)
                    .angular_velocity(began.angular_velocity)
            }
        })
    }

    /// The state at the start of a body that flies freely to the state at the meeting.
    fn earlier(&self, met: &BodyState, mass: &Mass) -> BodyState {
        let reversed = |state: &BodyState| BodyState {
            velocity: -state.velocity,
            angular_velocity: -state.angular_velocity,
            ..*state
        };
        let back = Ballistic::new(0.0, reversed(met), self.gravity, mass);
        reversed(&back.state_at(self.before))
    }
}

/// Of every body `[kg/m³]`.
const DENSITY: f64 = 1000.0;
