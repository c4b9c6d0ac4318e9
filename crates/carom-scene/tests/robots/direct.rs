//! The dynamics of a robot straight from its description, by a way that shares nothing with scenes.
//!
//! The frame of a link is that of its joint after it has moved, so that with (1) of `carom_scene::robot` the joint's frame in the
//! frame of the parent's link is joint_from_child(parent) · parent_from_joint, and mass is moved by joint_from_child. A
//! body that floats is followed at its centre of mass, as the engine does.

use std::collections::BTreeMap;

use carom_dynamics::tree::{self, LinkSpec, Tree};
use carom_geometry::{MassProperties, Pose};
use carom_scene::robot::{Base, Joint, JointKind, Robot, SceneOptions};
use glam::{DMat3, DVec3};

use crate::dynamics::{Acting, Dynamics};

/// A robot as a tree.
struct Building<'a> {
    robot: &'a Robot,
    options: &'a SceneOptions,
    builder: tree::TreeBuilder,
    /// Of every link that moves: its number, and the frame of the description in its own.
    known: BTreeMap<usize, (usize, Pose)>,
    q: Vec<f64>,
    v: Vec<f64>,
    acting: Vec<Acting>,
}

/// All linkages of a robot as one tree, in the state that the options give.
pub(crate) fn dynamics(robot: &Robot, options: &SceneOptions) -> Dynamics {
    let places = robot.world_from_links(&options.world_from_base, &options.start);
    let mut building = Building {
        robot,
        options,
        builder: Tree::builder(),
        known: BTreeMap::new(),
        q: Vec::new(),
        v: Vec::new(),
        acting: Vec::new(),
    };
    for root in robot.roots() {
        if options.base == Base::Free {
            building.float(root, &places[root]);
        }
    }
    for index in robot.joints_outward() {
        let joint = &robot.joints[index];
        if joint.kind == JointKind::Free {
            building.float(joint.child, &places[joint.child]);
        } else {
            let parent = joint.parent.map(|parent| places[parent]);
            building.hang(joint, parent);
        }
    }
    let tree = building.builder.build().expect("a tree");
    Dynamics::new(tree, building.q, building.v, building.acting)
}

impl Building<'_> {
    fn float(&mut self, link: usize, world_from_link: &Pose) {
        let own = &self.robot.links[link];
        let mass = own.mass.expect("what floats has mass");
        let link_from_center = Pose::from_translation(mass.center);
        let number = self.builder.add(LinkSpec {
            parent: None,
            parent_from_joint: Pose::IDENTITY,
            joint: tree::Joint::Free,
            body: mass.placed(&link_from_center.inverse()),
        });
        self.known.insert(link, (number, link_from_center.inverse()));
        let at = world_from_link.then_from(&link_from_center);
        self.q.extend(at.translation.to_array());
        self.q.extend(at.rotation.to_array());
        self.v.extend([0.0; 6]);
        let name = |i: usize| format!("{} floats, {i}", own.name);
        self.acting.extend((0..6).map(|i| Acting { name: name(i), ..Acting::default() }));
    }

    fn hang(&mut self, joint: &Joint, world_from_parent: Option<Pose>) {
        let carrier = joint.parent.and_then(|parent| self.known.get(&parent)).copied();
        let inner = match carrier {
            Some((_, link_from_description)) => link_from_description,
            None if joint.kind == JointKind::Fixed => return,
            None => world_from_parent.unwrap_or(Pose::IDENTITY),
        };
        let none = MassProperties { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO };
        let mass = self.robot.links[joint.child].mass;
        let axis = joint.axis;
        let kind = match joint.kind {
            JointKind::Revolute => tree::Joint::Revolute { axis },
            JointKind::Prismatic => tree::Joint::Prismatic { axis },
            JointKind::Spherical => tree::Joint::Spherical,
            JointKind::Fixed => tree::Joint::Fixed,
            other => panic!("{other:?} stands in neither format"),
        };
        let number = self.builder.add(LinkSpec {
            parent: carrier.map(|(number, _)| number),
            parent_from_joint: inner.then_from(&joint.parent_from_joint),
            joint: kind,
            body: mass.map_or(none, |mass| mass.placed(&joint.joint_from_child)),
        });
        self.known.insert(joint.child, (number, joint.joint_from_child));
        self.state(joint);
    }

    fn state(&mut self, joint: &Joint) {
        let start = self.options.start.get(&joint.name).unwrap_or(&joint.start);
        let rate = self.options.rates.get(&joint.name).copied().unwrap_or_default();
        let freedoms = match joint.kind {
            JointKind::Fixed => 0,
            JointKind::Spherical => 3,
            _ => 1,
        };
        // A tree counts from where the joint has not moved.
        match freedoms {
            1 => self.q.push(start[0] - joint.reference),
            _ => self.q.extend(start),
        }
        self.v.extend(vec![rate; freedoms]);
        let displacement = if freedoms == 1 { start[0] - joint.rest } else { 0.0 };
        for i in 0..freedoms {
            let name =
                if freedoms == 1 { joint.name.clone() } else { format!("{}, {i}", joint.name) };
            let force = -joint.stiffness * displacement - joint.damping * rate;
            self.acting.push(Acting { name, force, armature: joint.armature });
        }
    }
}
