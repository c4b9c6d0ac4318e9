//! A robot as plain data: what URDF and MJCF have in common.

use std::collections::BTreeMap;
use std::path::PathBuf;

use carom_geometry::{MassProperties, Pose};
use glam::DVec3;

/// Coordinates of joints by name; their number and order are those of [`JointKind::n_coordinates`].
pub type Coordinates = BTreeMap<String, Vec<f64>>;

/// A tree of links and joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Robot {
    /// What it is called; may be empty.
    pub name: String,
    /// Its links, in the order of the file.
    pub links: Vec<Link>,
    /// Its joints, in the order of the file. Each link is the child of at most one.
    pub joints: Vec<Joint>,
    /// Its motors.
    pub actuators: Vec<Actuator>,
    /// Pairs of links that do not collide.
    pub exclusions: Vec<[usize; 2]>,
    /// Acceleration of free fall, if the file states it `[m/s²]`.
    pub gravity: Option<DVec3>,
    /// Poses that the file offers.
    pub keyframes: Vec<Keyframe>,
}

/// A rigid part.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name, which no other link has.
    pub name: String,
    /// Mass, centre and inertia about the centre in the axes of the link; none of a link without mass.
    pub mass: Option<MassProperties>,
    /// What touches others.
    pub collisions: Vec<Geometry>,
    /// What is seen; shapes that both touch and are seen may stand in `collisions` only.
    pub visuals: Vec<Geometry>,
}

/// A placed shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Where it is.
    pub link_from_shape: Pose,
    /// Its shape.
    pub shape: GeometryShape,
    /// Red, green, blue and opacity, each from 0 to 1.
    pub color: Option<[f64; 4]>,
}

/// The shapes that robots are made of; axes of symmetry along z, centres at the origin.
#[derive(Clone, Debug, PartialEq)]
pub enum GeometryShape {
    /// A box.
    Box {
        /// Full lengths of its edges `[m]`.
        size: DVec3,
    },
    /// A circular cylinder.
    Cylinder {
        /// Its radius `[m]`.
        radius: f64,
        /// Its full height `[m]`.
        height: f64,
    },
    /// A ball.
    Ball {
        /// Its radius `[m]`.
        radius: f64,
    },
    /// A cylinder with round ends.
    Capsule {
        /// Its radius `[m]`.
        radius: f64,
        /// Length of the segment, without the round ends `[m]`.
        length: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half its extents `[m]`.
        semi_axes: DVec3,
    },
    /// Everything below z = 0.
    Plane,
    /// A mesh file.
    Mesh(Mesh),
}

/// A mesh file and how to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The file, as the robot's file names it.
    pub named: String,
    /// Where it was found.
    pub path: PathBuf,
    /// Factors on x, y and z; negative ones mirror `[-]`.
    pub scale: DVec3,
    /// Vertices of its hull, scaled `[m]`; read only where `scale` is not one positive number.
    pub hull: Vec<DVec3>,
    /// Whether its format is one that scenes can read.
    pub is_readable: bool,
}

/// How two links move against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Turns about the axis; one angle `[rad]`.
    Revolute,
    /// Slides along the axis; one length `[m]`.
    Prismatic,
    /// Turns in any way; a unit quaternion, scalar last.
    Spherical,
    /// Turns about and slides along the axis; angle `[rad]` and length `[m]`.
    Cylindrical,
    /// Slides across the axis and turns about it; two lengths `[m]` and an angle `[rad]`. The lengths are along the
    /// x and y axes after the shortest turn that takes z to the axis.
    Planar,
    /// Turns about the axis, then about a second one that is carried along; two angles `[rad]`.
    Universal {
        /// The second axis, unit, in the frame of the joint before it moves.
        second_axis: DVec3,
    },
    /// Moves in any way; position `[m]` and a unit quaternion, scalar last.
    Free,
    /// Does not move.
    Fixed,
}

impl JointKind {
    /// How many coordinates say where it is.
    pub const fn n_coordinates(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Prismatic => 1,
            Self::Cylindrical | Self::Universal { .. } => 2,
            Self::Planar => 3,
            Self::Spherical => 4,
            Self::Free => 7,
        }
    }

    /// What scenes call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
            Self::Spherical => "spherical",
            Self::Cylindrical => "cylindrical",
            Self::Planar => "planar",
            Self::Universal { .. } => "universal",
            Self::Free => "free",
            Self::Fixed => "fixed",
        }
    }
}

/// A joint between two links.
///
/// parent_from_child = parent_from_joint · motion(q − reference) · joint_from_child.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name, which no other joint has.
    pub name: String,
    /// What it lets the child do.
    pub kind: JointKind,
    /// Index of the link it is on; none is the world.
    pub parent: Option<usize>,
    /// Index of the link it moves.
    pub child: usize,
    /// The frame of the joint before it moves.
    pub parent_from_joint: Pose,
    /// The frame of the child in the frame of the joint after it has moved.
    pub joint_from_child: Pose,
    /// Unit axis in the frame of the joint; the normal of a planar one.
    pub axis: DVec3,
    /// Coordinate at which a joint of one coordinate has not moved.
    pub reference: f64,
    /// Coordinates it has unless something else is said.
    pub start: Vec<f64>,
    /// Smallest and largest coordinate `[rad or m]`; of a spherical joint, of the angle of its turn.
    pub limits: Option<[f64; 2]>,
    /// Most that its motor gives `[N·m or N]`.
    pub effort: Option<f64>,
    /// Most that its motor turns `[rad/s or m/s]`.
    pub speed: Option<f64>,
    /// Force per rate `[N·m·s/rad or N·s/m]`.
    pub damping: f64,
    /// Dry friction `[N·m or N]`.
    pub friction: f64,
    /// Force per displacement from `rest` `[N·m/rad or N/m]`.
    pub stiffness: f64,
    /// Coordinate without spring force `[rad or m]`.
    pub rest: f64,
    /// Inertia of its drive, added for its rate alone `[kg·m² or kg]`.
    pub armature: f64,
}

impl Joint {
    /// A joint without force or limits whose frames are those of its links.
    pub fn new(name: String, kind: JointKind, parent: Option<usize>, child: usize) -> Self {
        let start = match kind {
            JointKind::Spherical => vec![0.0, 0.0, 0.0, 1.0],
            JointKind::Free => vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            other => vec![0.0; other.n_coordinates()],
        };
        Self {
            name,
            kind,
            parent,
            child,
            parent_from_joint: Pose::IDENTITY,
            joint_from_child: Pose::IDENTITY,
            axis: DVec3::Z,
            reference: 0.0,
            start,
            limits: None,
            effort: None,
            speed: None,
            damping: 0.0,
            friction: 0.0,
            stiffness: 0.0,
            rest: 0.0,
            armature: 0.0,
        }
    }
}

/// What a motor is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ActuatorKind {
    /// Gives `gain` times its control as force.
    Motor {
        /// Force per control.
        gain: f64,
    },
    /// Pulls towards a coordinate.
    Position {
        /// Force per displacement `[N·m/rad or N/m]`.
        gain: f64,
        /// Force per rate `[N·m·s/rad or N·s/m]`.
        damping: f64,
    },
    /// Pulls towards a rate.
    Velocity {
        /// Force per rate `[N·m·s/rad or N·s/m]`.
        gain: f64,
    },
}

/// A motor on a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Its name; may be empty.
    pub name: String,
    /// Index of the joint.
    pub joint: usize,
    /// What it does.
    pub kind: ActuatorKind,
    /// Ratio of its gear: force on the joint over force of the motor `[-]`.
    pub gear: f64,
    /// Smallest and largest control.
    pub control_range: Option<[f64; 2]>,
    /// Smallest and largest force of the motor, before the gear.
    pub force_range: Option<[f64; 2]>,
}

/// A pose that the file offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyframe {
    /// Its name; may be empty.
    pub name: String,
    /// Coordinates of all joints.
    pub coordinates: Coordinates,
    /// Rates of joints of one coordinate `[rad/s or m/s]`.
    pub rates: BTreeMap<String, f64>,
}

impl Robot {
    /// The joint that moves a link.
    pub fn joint_of(&self, link: usize) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.child == link)
    }

    /// Links that no joint moves.
    pub fn roots(&self) -> Vec<usize> {
        let mut is_child = vec![false; self.links.len()];
        for joint in &self.joints {
            is_child[joint.child] = true;
        }
        (0..self.links.len()).filter(|link| !is_child[*link]).collect()
    }

    /// Mass of all links together `[kg]`.
    pub fn total_mass(&self) -> f64 {
        self.links.iter().filter_map(|link| link.mass).map(|mass| mass.mass).sum()
    }

    /// Index of the link of that name.
    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// The joint of that name.
    pub fn joint(&self, name: &str) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.name == name)
    }
}
