//! The data set `articulated`: dynamics of robots and random linkages, computed by others.
//!
//! The samples lie in a folder beside the project, `shared/data`, or the one that `CAROM_DATA` names; without it there
//! is nothing to check, and the tests say so.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom_dynamics::Impulse;
use carom_dynamics::linkage::{Ahead, Drive, JointForce, Linkage, Mode, Workspace};
use carom_dynamics::tree::{
    Joint, LinkImpulse, LinkPoint, LinkSpec, Load, ResponseScratch, Scratch, Tree,
};
use carom_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};
use serde_json::Value;

/// As the data states it, relative to the largest entry: twelve digits are given.
const GIVEN: f64 = 1e-9;

/// What integration is asked for: of lengths near a metre, far below what is compared with `[m]`.
const TOLERANCE: f64 = 1e-10;

const NAMES: [&str; 6] = [
    "double_pendulum",
    "random_chain_10",
    "random_tree_20_mixed",
    "solo12_floating",
    "spherical_chain_6",
    "ur5",
];

const ABSENT: &str = "skipped: data not present: articulated";

fn data_folder() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CAROM_DATA") {
        return Some(path.into());
    }
    let clone = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    Some(clone.parent()?.join("shared/data"))
}

fn read(name: &str) -> Option<Value> {
    let folder = data_folder()?.join("articulated");
    if !folder.is_dir() {
        return None;
    }
    let path = folder.join(format!("{name}.json"));
    let text = std::fs::read_to_string(path).expect("a file of the set");
    Some(serde_json::from_str(&text).expect("sound JSON"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_slice(&numbers(value))
}

fn matrix(value: &Value) -> DMat3 {
    DMat3::from_cols_slice(&numbers(value)).transpose()
}

fn tree(model: &Value) -> Tree {
    let mut builder = Tree::builder();
    for body in model["bodies"].as_array().expect("bodies") {
        let joint = match body["joint"].as_str() {
            Some("revolute") => Joint::Revolute { axis: vector(&body["axis"]) },
            Some("prismatic") => Joint::Prismatic { axis: vector(&body["axis"]) },
            Some("spherical") => Joint::Spherical,
            Some("floating") => Joint::Free,
            other => panic!("a joint {other:?}"),
        };
        let rotation = DQuat::from_mat3(&matrix(&body["R"])).normalize();
        builder.add(LinkSpec {
            parent: usize::try_from(body["parent"].as_i64().expect("a number")).ok(),
            parent_from_joint: Pose::new(vector(&body["p"]), rotation),
            joint,
            body: MassProperties {
                mass: body["mass"].as_f64().expect("a mass"),
                center: vector(&body["com"]),
                inertia: matrix(&body["inertia_com"]),
            },
        });
    }
    builder.build().expect("a sound linkage")
}

/// Largest difference, relative to the largest given number.
fn off(found: &[f64], given: &[f64]) -> f64 {
    assert_eq!(found.len(), given.len());
    let size = given.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    found.iter().zip(given).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / size
}

#[derive(Default)]
struct Worst([f64; 8]);

impl Worst {
    const OF: [&str; 8] = ["qdd", "bias", "energy", "M", "point", "velocity", "K", "dv"];

    fn see(&mut self, what: &str, off: f64) {
        let index = Self::OF.iter().position(|name| *name == what).expect("a known quantity");
        self.0[index] = self.0[index].max(off);
        assert!(off < GIVEN, "{what} is off by {off:e}");
    }
}

fn check_dynamics(tree: &Tree, sample: &Value, gravity: DVec3, worst: &mut Worst) {
    let n = tree.n_v();
    let [q, v, tau] = ["q", "v", "tau"].map(|key| numbers(&sample[key]));
    let mut scratch = Scratch::new(tree);
    tree.place(&q, &v, &mut scratch);
    let mut found = vec![0.0; n];
    let load = Load { gravity, tau: &tau, ..Load::default() };
    tree.forward(&load, &mut scratch, &mut found).expect("a regular configuration");
    worst.see("qdd", off(&found, &numbers(&sample["qdd"])));
    tree.inverse(&load, &vec![0.0; n], &mut scratch, &mut found);
    worst.see("bias", off(&found, &numbers(&sample["bias"])));
    let energies = [scratch.kinetic_energy(), scratch.potential_energy(gravity)];
    let given = ["kinetic", "potential"].map(|key| sample[key].as_f64().expect("a number"));
    worst.see("energy", off(&energies[..1], &given[..1]));
    worst.see("energy", off(&energies[1..], &given[1..]));
    if !sample["M"].is_null() {
        let mut h = vec![0.0; n * n];
        tree.mass_matrix(&mut scratch, &mut h);
        worst.see("M", off(&h, &numbers(&sample["M"])));
    }
}

fn check_contact(tree: &Tree, sample: &Value, worst: &mut Worst) {
    let contact = &sample["contact"];
    let [q, v] = ["q", "v"].map(|key| numbers(&sample[key]));
    let mut scratch = Scratch::new(tree);
    tree.place(&q, &v, &mut scratch);
    let link = contact["link"].as_u64().expect("a link") as usize;
    let pose = scratch.pose(link);
    let point = pose.point(vector(&contact["local_point"]));
    worst.see("point", off(&point.to_array(), &numbers(&contact["world_point"])));
    let velocity = scratch.velocity(link).at(point - pose.translation).linear;
    worst.see("velocity", off(&velocity.to_array(), &numbers(&contact["point_velocity"])));
    let mut k = [DMat3::ZERO];
    let at = LinkPoint { link, point };
    let mut memory = ResponseScratch::default();
    tree.point_responses(&[at], &mut scratch, &mut memory, &mut k).expect("regular");
    worst.see("K", off(&k[0].to_cols_array(), &numbers(&contact["K"])));
    let linear = vector(&contact["impulse_world"]);
    let impulse = Impulse { point, linear, angular: DVec3::ZERO };
    let mut jumps = vec![0.0; tree.n_v()];
    tree.impulse_response(&[LinkImpulse { link, impulse }], &[], &mut scratch, &mut jumps)
        .expect("regular");
    worst.see("dv", off(&jumps, &numbers(&contact["dv_joint"])));
}

/// proves: data/articulated
#[test]
fn every_sample_of_every_linkage_agrees() {
    for name in NAMES {
        let Some(model) = read(name) else { return println!("{ABSENT}") };
        let tree = tree(&model);
        let mut worst = Worst::default();
        let samples = model["samples"].as_array().expect("samples");
        for sample in samples {
            check_dynamics(&tree, sample, vector(&model["gravity"]), &mut worst);
            check_contact(&tree, sample, &mut worst);
        }
        println!("{name}: {} samples, worst {:?} of {:?}", samples.len(), worst.0, Worst::OF);
    }
}

/// The same sign of quaternions as those given, where both turn the same way.
fn aligned(tree: &Tree, q: &mut [f64], given: &[f64]) {
    for link in 0..tree.n_links() {
        let Some(start) = tree.joint(link).quaternion() else { continue };
        let at = tree.q_range(link).start + start;
        let [one, other] = [&*q, given].map(|q| DQuat::from_slice(&q[at..]));
        if one.dot(other) < 0.0 {
            (-one).write_to_slice(&mut q[at..at + 4]);
        }
    }
}

/// Integrated ahead as the engine does it, segment by segment; states are read within segments, off their ends.
///
/// proves: data/articulated
#[test]
fn unforced_motions_are_where_they_should_be_until_a_second() {
    let Some(trajectories) = read("trajectories") else { return println!("{ABSENT}") };
    for trajectory in trajectories.as_array().expect("a list") {
        let name = trajectory["model"].as_str().expect("a name");
        let Some(model) = read(name) else { return println!("{ABSENT}") };
        let tree = tree(&model);
        let (mut q, mut v) = (numbers(&trajectory["q0"]), numbers(&trajectory["v0"]));
        let forces = vec![JointForce::default(); tree.n_v()];
        let linkage = Arc::new(Linkage::new(tree, forces, TOLERANCE).expect("a linkage"));
        let drive = Drive { gravity: vector(&model["gravity"]), ..Drive::default() };
        let (mut ahead, mut workspace) = (Ahead::new(), Workspace::new(&linkage));
        let (mut time, mut n_segments, mut worst) = (0.0, 0, 0.0_f64);
        let states = trajectory["states"].as_array().expect("states").iter();
        let mut states =
            states.filter(|state| state["t"].as_f64().expect("a time") <= 1.0).peekable();
        while states.peek().is_some() {
            let mode = Mode::default();
            let course = linkage
                .extend(time, &q, &v, &mode, &drive, f64::INFINITY, &mut ahead, &mut workspace)
                .expect("a segment");
            n_segments += 1;
            time = course.span().end;
            let within = |state: &&Value| state["t"].as_f64().expect("a time") <= time;
            while let Some(state) = states.next_if(within) {
                let at = state["t"].as_f64().expect("a time");
                course.joint_state(at, &mut q, &mut v);
                let [given_q, given_v] = ["q", "v"].map(|key| numbers(&state[key]));
                aligned(linkage.tree(), &mut q, &given_q);
                worst = worst.max(off(&q, &given_q)).max(off(&v, &given_v));
            }
            course.joint_state(time, &mut q, &mut v);
        }
        println!("{name}: off by {worst:e} of the largest number, {n_segments} segments");
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
}
