//! Putting a tree together, and refusing what is none.

use carom_geometry::mass::{InertiaFault, PrincipalFrame, check_inertia};
use carom_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

use super::{Joint, Link, Scratch, SingularJoint, Tree};
use crate::spatial::RigidInertia;
use crate::tolerances::{PARALLEL_AXES, UNIT_LENGTH};

/// A link as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkSpec {
    /// Number of the link that carries it, added before; `None` for the world.
    pub parent: Option<usize>,
    /// Where the joint frame lies in the frame of the parent, or in the world.
    pub parent_from_joint: Pose,
    /// How it may move.
    pub joint: Joint,
    /// Mass, centre of mass and inertia about it, in the link frame. A point mass has no inertia; a link that only
    /// joins others may have no mass either.
    pub body: MassProperties,
}

/// Why a tree, or a state of it, is refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TreeError {
    /// A parent that does not come before its child.
    #[error(
        "link {link} has parent {parent}, which is not one of the {link} links added before it\nhint: add parents before children"
    )]
    UnknownParent {
        /// The link.
        link: usize,
        /// What it names as its parent.
        parent: usize,
    },
    /// A number that is NaN or infinite.
    #[error(
        "the {what} of link {link} must be finite numbers\nhint: look for divisions by zero and units where it comes from"
    )]
    NotFinite {
        /// The link.
        link: usize,
        /// What it is.
        what: &'static str,
    },
    /// An axis or quaternion that is not unit.
    #[error(
        "the {what} of link {link} has length {length}, but must have length 1\nhint: divide it by its length"
    )]
    NotUnit {
        /// The link.
        link: usize,
        /// What it is.
        what: &'static str,
        /// Its length `[-]`.
        length: f64,
    },
    /// A universal joint whose axes are one.
    #[error(
        "the axes of the universal joint of link {link} are parallel\nhint: they must differ; one axis is a revolute joint"
    )]
    ParallelAxes {
        /// The link.
        link: usize,
    },
    /// A mass or an inertia that no body has.
    #[error("link {link}: {fault}")]
    Inertia {
        /// The link.
        link: usize,
        /// What is wrong with it.
        fault: InertiaFault,
    },
    /// Inertia without mass.
    #[error(
        "link {link} has inertia but no mass\nhint: give it mass, or no inertia if it only joins others"
    )]
    InertiaWithoutMass {
        /// The link.
        link: usize,
    },
    /// A joint that carries nothing which resists it.
    #[error(transparent)]
    Singular(#[from] SingularJoint),
    /// A state of the wrong size.
    #[error("a {what} of this tree has {expected} numbers, not {given}")]
    Length {
        /// Configuration or velocity.
        what: &'static str,
        /// How many it must have.
        expected: usize,
        /// How many were given.
        given: usize,
    },
}

/// Collects links; [`Self::build`] checks them.
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    specs: Vec<LinkSpec>,
}

impl TreeBuilder {
    /// Adds a link and returns its number.
    pub fn add(&mut self, spec: LinkSpec) -> usize {
        self.specs.push(spec);
        self.specs.len() - 1
    }

    /// Checks all links and makes the tree.
    ///
    /// # Errors
    /// The first fault found, link by link; then whether any joint is singular in a general configuration.
    pub fn build(self) -> Result<Tree, TreeError> {
        let mut links: Vec<Link> = Vec::with_capacity(self.specs.len());
        let (mut n_q, mut n_v) = (0, 0);
        for (i, spec) in self.specs.iter().enumerate() {
            let link = checked(i, spec, [n_q, n_v])?;
            n_q += link.joint.n_q();
            n_v += link.joint.n_v();
            links.push(link);
        }
        // Going inward, the child with the largest number is the first that its parent hears of.
        for i in (0..links.len()).rev() {
            if let Some(parent) = links[i].parent {
                links[i].is_last_child = !links[parent as usize].has_children;
                links[parent as usize].has_children = true;
            }
        }
        let bodies = self.specs.iter().map(|spec| spec.body).collect();
        let tree = Tree { links, bodies, n_q, n_v };
        tree.check_regular()?;
        Ok(tree)
    }
}

impl Tree {
    /// Whether `q` and `v` are a state of this tree: lengths, finite numbers, unit quaternions.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check_state(&self, q: &[f64], v: &[f64]) -> Result<(), TreeError> {
        for (what, expected, given) in
            [("configuration", self.n_q, q.len()), ("velocity", self.n_v, v.len())]
        {
            if expected != given {
                return Err(TreeError::Length { what, expected, given });
            }
        }
        for (i, link) in self.links.iter().enumerate() {
            let (q, v) = (&q[link.q_range()], &v[link.v_range()]);
            check_finite(i, "coordinates", q)?;
            check_finite(i, "velocities", v)?;
            if let Some(start) = link.joint.quaternion() {
                let length = DQuat::from_slice(&q[start..]).length();
                check_unit(i, "quaternion", length)?;
            }
        }
        Ok(())
    }

    /// Eliminates once, in a configuration without symmetry: a joint that is singular there is so everywhere, or
    /// nearly so.
    fn check_regular(&self) -> Result<(), SingularJoint> {
        let mut q: Vec<f64> = (0..self.n_q).map(|k| 0.3 + 0.618_034 * (k % 5) as f64).collect();
        for link in &self.links {
            if let Some(start) = link.joint.quaternion() {
                let at = link.q_start as usize + start;
                DQuat::from_xyzw(0.5, -0.1, 0.7, 0.5).write_to_slice(&mut q[at..at + 4]);
            }
        }
        let mut scratch = Scratch::new(self);
        self.place(&q, &vec![0.0; self.n_v], &mut scratch);
        self.factorise(&mut scratch)
    }
}

/// One link, checked; everything but what its children decide.
fn checked(i: usize, spec: &LinkSpec, [n_q, n_v]: [usize; 2]) -> Result<Link, TreeError> {
    if let Some(parent) = spec.parent.filter(|parent| *parent >= i) {
        return Err(TreeError::UnknownParent { link: i, parent });
    }
    check_body(i, &spec.body)?;
    let Pose { translation, rotation } = spec.parent_from_joint;
    check_finite(i, "position of the joint", &translation.to_array())?;
    check_finite(i, "rotation of the joint", &rotation.to_array())?;
    check_unit(i, "rotation of the joint", rotation.length())?;
    let rotation = rotation.normalize();
    let joint = checked_joint(i, spec.joint)?;
    let axis = joint.turning_axis();
    Ok(Link {
        parent: spec.parent.map(|parent| parent as u32),
        joint,
        parent_from_joint: Pose::new(translation, rotation),
        joint_half_turned: product(rotation, DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0)),
        inertia_body: RigidInertia::new(spec.body.mass, spec.body.center, &spec.body.inertia),
        q_start: n_q as u32,
        v_start: n_v as u32,
        has_children: false,
        is_last_child: false,
    })
}

/// Hamilton's product of any quaternions, unit or not.
fn product(a: DQuat, b: DQuat) -> DQuat {
    let (u, v) = (a.xyz(), b.xyz());
    let vector = a.w * v + b.w * u + u.cross(v);
    DQuat::from_xyzw(vector.x, vector.y, vector.z, a.w * b.w - u.dot(v))
}

/// The joint with its axes made unit to rounding.
fn checked_joint(link: usize, joint: Joint) -> Result<Joint, TreeError> {
    for (what, axis) in joint.axes().into_iter().flatten() {
        check_finite(link, what, &axis.to_array())?;
        check_unit(link, what, axis.length())?;
    }
    let unit = DVec3::normalize_or_zero;
    Ok(match joint {
        Joint::Revolute { axis } => Joint::Revolute { axis: unit(axis) },
        Joint::Prismatic { axis } => Joint::Prismatic { axis: unit(axis) },
        Joint::Cylindrical { axis } => Joint::Cylindrical { axis: unit(axis) },
        Joint::Screw { axis, pitch } => {
            check_finite(link, "pitch", &[pitch])?;
            Joint::Screw { axis: unit(axis), pitch }
        }
        Joint::Universal { first, second } => {
            let (first, second) = (unit(first), unit(second));
            if first.cross(second).length() < PARALLEL_AXES {
                return Err(TreeError::ParallelAxes { link });
            }
            Joint::Universal { first, second }
        }
        Joint::Planar | Joint::Spherical | Joint::Free | Joint::Fixed => joint,
    })
}

/// Mass and inertia of a solid, of a plate or rod without thickness, of a point, or of nothing.
fn check_body(link: usize, body: &MassProperties) -> Result<(), TreeError> {
    let fault = |fault| Err(TreeError::Inertia { link, fault });
    check_finite(link, "centre of mass", &body.center.to_array())?;
    let is_mass = body.mass.is_finite() && body.mass >= 0.0;
    if !is_mass {
        return fault(InertiaFault::Mass { mass: body.mass });
    }
    if body.inertia == DMat3::ZERO {
        return Ok(());
    }
    if body.mass == 0.0 && body.inertia.is_finite() {
        return Err(TreeError::InertiaWithoutMass { link });
    }
    match check_inertia(body.mass, &body.inertia) {
        // A rod without thickness has no moment about itself, which rounding may make slightly negative.
        Err(InertiaFault::NotPositive { moments })
            if moments.x >= -UNIT_LENGTH * moments.z && is_rod(&body.inertia) =>
        {
            Ok(())
        }
        Err(found) => fault(found),
        Ok(()) => Ok(()),
    }
}

/// Two equal moments and a third that is zero, to the digits of a file.
fn is_rod(inertia: &DMat3) -> bool {
    let moments = PrincipalFrame::of(inertia).moments;
    moments.z > 0.0 && moments.z - moments.y <= UNIT_LENGTH * moments.z
}

fn check_finite(link: usize, what: &'static str, numbers: &[f64]) -> Result<(), TreeError> {
    if numbers.iter().all(|x| x.is_finite()) {
        Ok(())
    } else {
        Err(TreeError::NotFinite { link, what })
    }
}

fn check_unit(link: usize, what: &'static str, length: f64) -> Result<(), TreeError> {
    if (length - 1.0).abs() <= UNIT_LENGTH {
        Ok(())
    } else {
        Err(TreeError::NotUnit { link, what, length })
    }
}
