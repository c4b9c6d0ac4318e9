//! What the tests of force elements share: free balls, forests, and elements of all kinds.

mod building;
mod figures;
mod flight;
mod forests;
mod frames;
mod implicit;
mod oscillators;
mod power;

use std::sync::Arc;

use carom_geometry::Pose;
use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::*;
use crate::linkage::tests::Run;
use crate::linkage::{Drive, JointForce};
use crate::testing::{rotation, vector};
use crate::tree::tests::{diagonal, tree_of};
use crate::tree::{Joint, LinkSpec, Scratch, Tree};

/// A ball of 0.1 m that moves freely.
fn ball(mass: f64) -> LinkSpec {
    LinkSpec {
        parent: None,
        parent_from_joint: Pose::IDENTITY,
        joint: Joint::Free,
        body: diagonal(mass, DVec3::ZERO, [0.004 * mass; 3]),
    }
}

/// Free bodies at rest in these places.
fn at_places(places: &[DVec3]) -> Vec<f64> {
    places.iter().flat_map(|at| [at.x, at.y, at.z, 0.0, 0.0, 0.0, 1.0]).collect()
}

/// Velocities of free bodies that do not turn and whose axes are those of the world.
fn with_velocities(velocities: &[DVec3]) -> Vec<f64> {
    velocities.iter().flat_map(|v| [v.x, v.y, v.z, 0.0, 0.0, 0.0]).collect()
}

fn center(link: usize) -> End {
    End::of_link(link, DVec3::ZERO)
}

fn origin() -> End {
    End::of_world(DVec3::ZERO)
}

/// A linkage with elements and nothing in its joints.
fn joined(tree: Tree, elements: Vec<Element>, tolerance: f64) -> Arc<Linkage> {
    let joints = vec![JointForce::default(); tree.n_v()];
    let linkage = Linkage::new(tree, joints, tolerance).unwrap();
    Arc::new(linkage.with_elements(elements).unwrap())
}

/// On its way without gravity.
fn adrift(linkage: &Arc<Linkage>, q: &[f64], v: &[f64]) -> Run {
    let mut run = Run::new(linkage, q, v);
    run.drive = Drive::default();
    run
}

/// Times of a course that are looked at.
fn looks(course: &crate::linkage::Course) -> impl Iterator<Item = f64> {
    crate::law::testing::samples(course.span(), 8)
}

fn momentum(run: &Run) -> crate::tree::Momentum {
    let mut scratch = Scratch::new(run.linkage.tree());
    run.linkage.tree().place(&run.q, &run.v, &mut scratch);
    scratch.momentum()
}

/// Several trees as one forest.
fn forest(trees: &[&Tree]) -> Tree {
    let mut links = Vec::new();
    for tree in trees {
        let first = links.len();
        for link in 0..tree.n_links() {
            links.push(LinkSpec {
                parent: tree.parent(link).map(|parent| parent + first),
                parent_from_joint: *tree.parent_from_joint(link),
                joint: *tree.joint(link),
                body: *tree.mass_properties(link),
            });
        }
    }
    tree_of(&links)
}

/// A spring that a user wrote: force −k·d.
#[derive(Debug)]
struct OwnSpring {
    stiffness: f64,
    knows_its_energy: bool,
}

impl UserForce for OwnSpring {
    fn wrench(&self, ends: &Ends) -> ForceVector {
        ForceVector::new(DVec3::ZERO, -self.stiffness * ends.arm())
    }

    fn potential_energy(&self, on: &Pose, from: &Pose) -> f64 {
        let arm = on.translation - from.translation;
        if self.knows_its_energy { 0.5 * self.stiffness * arm.length_squared() } else { 0.0 }
    }
}

/// How many kinds [`any_law`] has.
const KINDS: usize = 10;
/// Of these, the first act between any two links.
const INTERNAL_KINDS: usize = 7;

/// A law of any kind, from numbers between 0 and 1.
fn any_law(kind: usize, x: [f64; 6]) -> ElementLaw {
    let side = DVec3::new(x[3] - 0.5, x[4] - 0.5, x[5] - 0.5);
    match kind {
        0 => ElementLaw::Spring(Spring {
            stiffness: 40.0 * x[0],
            rest: x[1],
            damping: x[2],
            pulls_only: false,
        }),
        1 => ElementLaw::Spring(Spring {
            stiffness: 30.0 * x[0],
            rest: 0.0,
            damping: 0.0,
            pulls_only: false,
        }),
        2 => ElementLaw::GasSpring(GasSpring {
            force: 10.0 * x[0],
            extended: 3.0 * x[1],
            stroke: 0.8,
            column: 1.0 + x[2],
            exponent: 1.0 + x[3],
            damping: x[4],
        }),
        3 => ElementLaw::Bushing(Bushing {
            stiffness: 20.0 * DVec3::new(x[0], x[1], x[2]),
            damping: DVec3::new(x[3], x[4], 0.0),
            ..Bushing::default()
        }),
        4 => ElementLaw::Spring(Spring {
            stiffness: 40.0 * x[0],
            rest: 0.0,
            damping: x[2],
            pulls_only: true,
        }),
        5 => ElementLaw::User(User(Arc::new(OwnSpring {
            stiffness: 10.0 * x[0],
            knows_its_energy: x[1] < 0.5,
        }))),
        6 => ElementLaw::Thrust(Thrust { force: 0.5 * side, torque: 0.05 * side, axes: Axes::End }),
        7 => ElementLaw::Drag(Drag {
            linear: 0.3 * x[0],
            quadratic: 0.2 * x[1],
            angular: 0.1 * x[2],
            wind: 2.0 * side,
        }),
        8 => ElementLaw::Attraction(Attraction { strength: 3.0 * x[0] }),
        _ => ElementLaw::Bushing(Bushing::torsion(x[0], 0.2 * x[1])),
    }
}

/// An element as numbers: kind, two links, law, two frames.
type Draft = (usize, [usize; 2], [f64; 6], [(DVec3, DQuat); 2]);

fn any_draft(kinds: usize) -> impl Strategy<Value = Draft> {
    let numbers = proptest::array::uniform6(0.05..1.0_f64);
    let frames = proptest::array::uniform2((vector(0.5), rotation()));
    (0..kinds, proptest::array::uniform2(0..1000_usize), numbers, frames)
}

/// Elements of a tree by drafts, between two links where there are two, else from the world. Drag is that, too, and
/// attraction is to a point far away.
fn drafted(tree: &Tree, drafts: &[Draft], isolated: bool) -> Vec<Element> {
    let n = tree.n_links();
    drafts
        .iter()
        .filter_map(|(kind, [a, b], x, frames)| {
            let end = |link: usize, k: usize| End {
                link: Some(link),
                frame: Pose::new(frames[k].0, frames[k].1),
            };
            let (on, other) = (a % n, (a + 1 + b % n.max(2).saturating_sub(1)) % n);
            let law = any_law(*kind, *x);
            let from = match kind {
                7 => origin(),
                8 => End::of_world(DVec3::new(30.0, 20.0, 10.0)),
                _ if other != on => end(other, 1),
                _ => End { link: None, frame: end(0, 1).frame },
            };
            let is_outside = from.link.is_none();
            (!(isolated && is_outside)).then(|| Element::between(end(on, 0), from, law))
        })
        .collect()
}
