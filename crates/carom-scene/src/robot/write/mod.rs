//! A robot as a scene: bodies at their places, joints between them.
//!
//! Every number is written with all its digits, so that reading it back gives the same bits. Joints are given where they
//! are in the world as the scene starts: with world_from_parent the pose of the parent and q₀ the coordinates at the start,
//!
//! at = world_from_parent · parent_from_joint · motion(q₀) · 0,   axis = world_from_parent · parent_from_joint · axis   (2)
//!
//! Turning about its axis leaves an axis in place, so that (2) holds before and after the motion; the second axis of a
//! universal joint has been turned about the first.

mod bodies;
mod combine;
mod joints;
mod merge;
mod motors;
mod start;
mod text;

use std::collections::BTreeMap;
use std::path::PathBuf;

use carom_geometry::Pose;
use thiserror::Error;

pub use joints::exclude_overlaps;

use super::description::{Coordinates, Geometry, JointKind, Robot};
use text::{number, vector};

/// What the links that no joint moves do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// They stay where they are.
    #[default]
    Fixed,
    /// They move freely.
    Free,
}

/// What becomes of fixed joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixedJoints {
    /// All of them are written.
    Keep,
    /// Links without mass, and those whose inertia no body has, become one body with the link they are fixed to; other
    /// fixed joints are written.
    #[default]
    MergeMassless,
    /// All links that are fixed to each other become one body, with the same motions.
    Merge,
}

/// What is made of mesh files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshSurface {
    /// Their convex hulls, as MJCF means them.
    #[default]
    Hull,
    /// The solids inside of them, which must be closed; of meshes that are mirrored or scaled unevenly, the hulls.
    Exact,
}

/// How to write a robot as a scene.
#[derive(Clone, Debug)]
pub struct SceneOptions {
    /// What the root does.
    pub base: Base,
    /// Where the root is.
    pub world_from_base: Pose,
    /// Name of a keyframe to start from, if it is not to be as the joints say.
    pub keyframe: Option<String>,
    /// Coordinates at the start, instead of those of the keyframe or of the joints.
    pub start: Coordinates,
    /// Rates at the start of joints of one coordinate `[rad/s or m/s]`; by default 0, or as the keyframe says.
    pub rates: BTreeMap<String, f64>,
    /// Stands before every name.
    pub prefix: String,
    /// What becomes of fixed joints.
    pub fixed_joints: FixedJoints,
    /// Whether several joints of one body become one where there is a kind for that and nothing hangs on them apart;
    /// by default yes.
    pub combine_joints: bool,
    /// What is made of mesh files.
    pub meshes: MeshSurface,
    /// Whether joints with stops start within them, and are fixed where both stops are at one place; by default yes. If
    /// not, the scene may be one that cannot start.
    pub heed_stops: bool,
    /// Folder of the scene, links followed, which paths of mesh files start from; if empty they stay as they are.
    pub folder: PathBuf,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self {
            base: Base::default(),
            world_from_base: Pose::IDENTITY,
            keyframe: None,
            start: Coordinates::new(),
            rates: BTreeMap::new(),
            prefix: String::new(),
            fixed_joints: FixedJoints::default(),
            combine_joints: true,
            meshes: MeshSurface::default(),
            heed_stops: true,
            folder: PathBuf::new(),
        }
    }
}

/// Why a robot cannot be written as asked.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SceneError {
    /// A start for a joint that is not there.
    #[error("the robot has no joint \"{0}\"")]
    UnknownJoint(String),
    /// There is no such keyframe.
    #[error("the robot has no keyframe \"{0}\"")]
    UnknownKeyframe(String),
    /// Too few or too many coordinates, or some that are not finite.
    #[error("the joint \"{joint}\" needs {expected} finite coordinates, not {found:?}")]
    Coordinates {
        /// The joint.
        joint: String,
        /// How many it has.
        expected: usize,
        /// What was given.
        found: Vec<f64>,
    },
    /// A coordinate at the start that the joint cannot have.
    #[error("the joint \"{joint}\" cannot start at {found}: its stops are at {} and {}", stops[0], stops[1])]
    BeyondStops {
        /// The joint.
        joint: String,
        /// What was given `[rad or m]`.
        found: f64,
        /// Its stops `[rad or m]`.
        stops: [f64; 2],
    },
}

/// A robot as a scene, with what people should know of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The scene in TOML.
    pub text: String,
    /// What was changed so that the robot can start, in a sentence each; remarks in the scene say it, too.
    pub changed: Vec<String>,
}

/// A robot with all that is needed to write it.
struct Writer<'a> {
    robot: Robot,
    options: &'a SceneOptions,
    rates: BTreeMap<String, f64>,
    world_from_links: Vec<Pose>,
    /// Links that are fixed to the world.
    anchored: Vec<bool>,
    /// Names of bodies; none of links that are the world itself.
    names: Vec<Option<String>>,
    /// Names of the joints that are written, by their indices.
    joint_names: BTreeMap<usize, String>,
    out: String,
}

impl Robot {
    /// The robot as a scene in TOML: a `[[body]]` for each link, a `[[joint]]` for each joint, `[[controller]]` for motors
    /// that hold places or speeds, `[[exclude]]` for links that do not collide. What scenes have no keys for stands in remarks at the beginning.
    ///
    /// Links that are fixed to the world are bodies with `motion = { kind = "fixed" }`; without shapes, they are the world.
    ///
    /// # Errors
    /// If the options name a joint or keyframe that is not there, give a wrong number of coordinates or some beyond stops.
    pub fn to_scene(&self, options: &SceneOptions) -> Result<String, SceneError> {
        self.write_scene(options).map(|written| written.text)
    }

    /// As [`Self::to_scene`], with what was changed.
    ///
    /// # Errors
    /// As there.
    pub fn write_scene(&self, options: &SceneOptions) -> Result<Written, SceneError> {
        let mut robot = self.clone();
        let start::Start { rates, changed } = robot.begin(options)?;
        robot.merge(options.fixed_joints);
        if options.combine_joints {
            let start = robot.world_from_links(&options.world_from_base, &Coordinates::new());
            robot.combine(&start, &rates);
        }
        let world_from_links =
            robot.world_from_links(&options.world_from_base, &Coordinates::new());
        let mut writer = Writer {
            anchored: robot.anchored(options.base),
            world_from_links,
            names: Vec::new(),
            joint_names: BTreeMap::new(),
            robot,
            options,
            rates,
            out: String::new(),
        };
        writer.take_names();
        writer.head(&self.unwritten(), &changed);
        writer.bodies();
        writer.joints();
        writer.motors();
        writer.exclusions();
        Ok(Written { text: writer.out, changed })
    }

    /// What the description holds that scenes have no keys for, in a sentence each.
    pub fn unwritten(&self) -> Vec<String> {
        let mut list = Vec::new();
        for joint in &self.joints {
            if joint.kind == JointKind::Free && (joint.damping != 0.0 || joint.armature != 0.0) {
                list.push(format!("joint {}: damping and armature of a free body", joint.name));
            }
            if joint.kind == JointKind::Spherical && joint.stiffness != 0.0 {
                list.push(format!(
                    "joint {}: where its spring rests; in the scene, as it starts",
                    joint.name
                ));
            }
            if let (JointKind::Spherical, Some([_, upper])) = (joint.kind, joint.limits) {
                list.push(format!("joint {}: limit {} of its angle", joint.name, number(upper)));
            }
        }
        for actuator in &self.actuators {
            let joint = &self.joints[actuator.joint].name;
            let what = actuator.unwritten().into_iter().chain(self.lost_beside(actuator));
            list.extend(
                what.map(|it| format!("actuator {} of joint {joint}: {it}", actuator.name)),
            );
        }
        for link in self.links.iter().filter(|link| !link.collisions.is_empty()) {
            let touches = |seen: &Geometry| {
                let is_same = |it: &Geometry| {
                    it.shape == seen.shape && it.link_from_shape == seen.link_from_shape
                };
                link.collisions.iter().any(is_same)
            };
            let n_seen = link.visuals.iter().filter(|seen| !touches(seen)).count();
            if n_seen > 0 {
                list.push(format!("link {}: {n_seen} shapes that are only seen", link.name));
            }
        }
        list
    }

    /// Links that cannot move.
    fn anchored(&self, base: Base) -> Vec<bool> {
        let mut anchored = vec![false; self.links.len()];
        for root in self.roots() {
            anchored[root] = base == Base::Fixed;
        }
        for index in self.joints_outward() {
            let joint = &self.joints[index];
            let on_world = joint.parent.is_none_or(|parent| anchored[parent]);
            anchored[joint.child] = on_world && joint.kind == JointKind::Fixed;
        }
        anchored
    }
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn head(&mut self, unwritten: &[String], changed: &[String]) {
        let name = text::one_line(&self.robot.name);
        let n_joints =
            self.robot.joints.iter().filter(|joint| joint.kind != JointKind::Fixed).count();
        self.line(&format!(
            "# Robot {name}: {} links, {n_joints} moving joints.",
            self.robot.links.len()
        ));
        let remarks = [
            ("#\n# Not in this scene, which has no keys for it:", unwritten),
            ("#\n# Other than in the file, so that it can start:", changed),
        ];
        for (title, lines) in remarks.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            self.line(title);
            for line in lines {
                self.line(&format!("# - {}", text::one_line(line)));
            }
        }
        self.line("\nformat = 1");
        if let Some(gravity) = self.robot.gravity {
            self.line(&format!("\n[world]\ngravity = {}", vector(gravity)));
        }
    }

    /// Names that scenes can have, each once.
    fn take_names(&mut self) {
        let mut taken = std::collections::BTreeSet::from(["world".to_owned()]);
        for (index, link) in self.robot.links.iter().enumerate() {
            let is_world =
                self.anchored[index] && link.collisions.is_empty() && link.visuals.is_empty();
            if is_world {
                self.names.push(None);
                continue;
            }
            let wanted = text::name(&self.options.prefix, &link.name, "link");
            let mut name = wanted.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{wanted}_{number}");
                number += 1;
            }
            self.names.push(Some(name));
        }
    }

    /// What a link is called in the scene.
    fn name(&self, link: Option<usize>) -> &str {
        link.and_then(|link| self.names[link].as_deref()).unwrap_or("world")
    }
}
