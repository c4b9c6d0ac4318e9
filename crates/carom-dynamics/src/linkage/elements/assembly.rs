//! Elements inside the derivative: wrenches at the origins of links, and rows of implicit dampers.
//!
//! Every element is asked once, where its links are placed. Its wrench without damping and the explicit part of its dampers,
//!
//! ```text
//! f̂ = ĝ − Σ_i c_i·(d̂_i·V_u − r⁰_i)·d̂_i,      V_u of u = N·w − γ·Ṅ·ṡ                                     (1)
//! ```
//!
//! are carried to the origins of both links. What is left is γ·c times the accelerations R·v̇, which dampers
//! between ends leave as rows for `tree/damped.rs`.
//!
//! **Drag** has the matrix c·1 at its point and c_r·1 about it, which is the inertia of a mass point γ·c with moments γ·c_r. So
//! that is added to the link's inertia for this solution, and what it would feel of gravity and of velocities is taken away again
//! as a wrench: then nothing of it remains but γ·c·(R·v̇).

use glam::{DMat3, DVec3};

use super::end::{Damper, Ends};
use super::{Element, ElementLaw, End};
use crate::linkage::Linkage;
use crate::spatial::{ForceVector, MotionVector, RigidInertia};
use crate::tree::{DampedRow, DampingScratch, Scratch};

/// Working memory of elements.
#[derive(Clone, Debug, Default)]
pub(in crate::linkage) struct Storage {
    /// Implicit dampers of the state that was gathered last.
    pub(in crate::linkage) rows: Vec<DampedRow>,
    pub(in crate::linkage) memory: DampingScratch,
    /// On which sides of their laws elements are, throughout a segment; empty where no law has two.
    pub(in crate::linkage) beyond: Vec<bool>,
    /// u.
    pub(in crate::linkage) velocity: Vec<f64>,
}

/// What elements are gathered for.
#[derive(Clone, Copy, Debug)]
pub(in crate::linkage) struct Moment {
    pub(in crate::linkage) time: f64,
    /// γ; 0 where u is the velocity itself.
    pub(in crate::linkage) gamma: f64,
    pub(in crate::linkage) gravity: DVec3,
}

impl Linkage {
    /// Adds the wrenches of all elements at the origins of the links, and notes rows of implicit dampers. The tree was
    /// placed; where γ > 0, velocities u were carried outward.
    pub(in crate::linkage) fn add_elements(
        &self,
        moment: &Moment,
        scratch: &mut Scratch,
        storage: &mut Storage,
        wrenches: &mut [ForceVector],
    ) {
        let Storage { rows, beyond, .. } = storage;
        rows.clear();
        for (number, element) in self.elements.list.iter().enumerate() {
            let is_beyond = beyond.get(number).is_some_and(|side| *side);
            let grip = Grip::of(element, moment.time, scratch);
            let is_drag = matches!(element.law, ElementLaw::Drag(_));
            let is_implicit = moment.gamma > 0.0 && (is_drag || self.elements.has_implicit_rows);
            let relative = grip.relative(scratch, is_implicit);
            let mut damping = ForceVector::ZERO;
            let wrench = element.act(&grip.ends, is_beyond, &mut |damper: Damper| {
                let Damper { direction, damping: c, drift } = damper;
                damping += (-c * (direction.dot(relative) - drift)) * direction;
                if is_implicit && !is_drag {
                    let wrenches = grip.at_origins(direction);
                    rows.push(DampedRow { links: grip.links, wrenches, damping: c });
                }
            });
            for (link, part) in grip.links.into_iter().zip(grip.at_origins(wrench + damping)) {
                if let Some(link) = link {
                    wrenches[link] += part;
                }
            }
            if is_implicit
                && let (ElementLaw::Drag(drag), Some(link)) = (&element.law, element.on.link)
            {
                let [c, spin] = drag.coefficients(&grip.ends).map(|c| moment.gamma * c);
                let moments = DMat3::from_diagonal(DVec3::splat(spin));
                let inertia = RigidInertia::new(c, grip.arms[0], &moments);
                wrenches[link] += scratch.add_inertia(link, &inertia, moment.gravity);
            }
        }
    }

    /// Both ends of an element where the tree was placed.
    pub(super) fn ends(element: &Element, time: f64, scratch: &Scratch) -> Ends {
        Grip::of(element, time, scratch).ends
    }
}

/// An element with its ends where they are.
struct Grip {
    ends: Ends,
    links: [Option<usize>; 2],
    /// From the origins of both links to the point of `on`.
    arms: [DVec3; 2],
}

impl Grip {
    fn of(element: &Element, time: f64, scratch: &Scratch) -> Self {
        let state = |end: &End| {
            end.state(end.link.map(|link| scratch.point_state(link, end.frame.translation)))
        };
        let ends = Ends { time, on: state(&element.on), from: state(&element.from) };
        let links = [element.on.link, element.from.link];
        let arm = |link: Option<usize>| {
            link.map_or(DVec3::ZERO, |link| ends.on.position - scratch.origin(link))
        };
        Self { ends, links, arms: links.map(arm) }
    }

    /// A wrench on `on`, seen at its point, and its opposite on `from`, both carried to the origins of the links.
    fn at_origins(&self, wrench: ForceVector) -> [ForceVector; 2] {
        [wrench.carried(self.arms[0]), (-wrench).carried(self.arms[1])]
    }

    /// V_e by v, or by the velocities that were carried outward.
    fn relative(&self, scratch: &Scratch, by_carried: bool) -> MotionVector {
        if !by_carried {
            return self.ends.relative();
        }
        let [on, from] = [0, 1].map(|side| {
            let motion = self.links[side].map(|link| scratch.carried_motion(link));
            motion.map_or(MotionVector::ZERO, |motion| motion.at(self.arms[side]))
        });
        MotionVector::new(on.angular - from.angular, on.linear - from.linear)
    }
}
