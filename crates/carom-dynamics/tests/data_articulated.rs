//! The data set `articulated`: dynamics of robots and random linkages, computed by others.
//!
//! The samples lie in a folder beside the project, `shared/data`, or the one that `CAROM_DATA` names; without it there
//! is nothing to check, and the tests say so.

use std::path::{Path, PathBuf};

use carom_dynamics::Impulse;
use carom_dynamics::tree::{
    Chart, Joint, LinkImpulse, LinkPoint, LinkSpec, Load, ResponseScratch, Scratch, Tree,
};
use carom_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};
use serde_json::Value;

/// As the data states it, relative to the largest entry: twelve digits are given.
const GIVEN: f64 = 1e-9;
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

/// s̈ along a chart, from s and ṡ.
struct Derivative<'a> {
    tree: &'a Tree,
    chart: Chart,
    scratch: Scratch,
    gravity: DVec3,
}

impl Derivative<'_> {
    fn at(&mut self, s: &[f64], s_dot: &[f64]) -> Vec<f64> {
        let n = self.tree.n_v();
        let (mut q, mut v) = (vec![0.0; self.tree.n_q()], vec![0.0; n]);
        self.chart.configuration(self.tree, s, &mut q);
        self.chart.velocity(self.tree, s, s_dot, &mut v);
        self.tree.place(&q, &v, &mut self.scratch);
        let (mut v_dot, mut s_ddot) = (vec![0.0; n], vec![0.0; n]);
        let load = Load { gravity: self.gravity, ..Load::default() };
        self.tree.forward(&load, &mut self.scratch, &mut v_dot).expect("regular");
        self.chart.accelerations(self.tree, s, s_dot, &v_dot, &mut s_ddot);
        s_ddot
    }

    /// One step of the classical Runge-Kutta method.
    fn step(&mut self, q: &mut [f64], v: &mut [f64], h: f64) {
        let n = v.len();
        self.chart.restart(q);
        let zero = vec![0.0; n];
        let mut w = vec![vec![0.0; n]];
        self.chart.rates(self.tree, &zero, v, &mut w[0]);
        let mut a = vec![self.at(&zero, &w[0])];
        let along = |x: &[f64], k: &[f64], h: f64| -> Vec<f64> {
            x.iter().zip(k).map(|(x, k)| x + h * k).collect()
        };
        for share in [0.5, 0.5, 1.0] {
            let last = a.len() - 1;
            let rates = along(&w[0], &a[last], share * h);
            a.push(self.at(&along(&zero, &w[last], share * h), &rates));
            w.push(rates);
        }
        let mean =
            |k: &[Vec<f64>], i: usize| h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
        let s: Vec<f64> = (0..n).map(|i| mean(&w, i)).collect();
        let s_dot: Vec<f64> = (0..n).map(|i| w[0][i] + mean(&a, i)).collect();
        self.chart.configuration(self.tree, &s, q);
        self.chart.velocity(self.tree, &s, &s_dot, v);
    }
}

/// proves: data/articulated
#[test]
fn unforced_motions_arrive_where_they_should_after_a_second() {
    let Some(trajectories) = read("trajectories") else { return println!("{ABSENT}") };
    for trajectory in trajectories.as_array().expect("a list") {
        let name = trajectory["model"].as_str().expect("a name");
        let Some(model) = read(name) else { return println!("{ABSENT}") };
        let tree = tree(&model);
        let (mut q, mut v) = (numbers(&trajectory["q0"]), numbers(&trajectory["v0"]));
        let mut motion = Derivative {
            tree: &tree,
            chart: Chart::new(&tree, &q),
            scratch: Scratch::new(&tree),
            gravity: vector(&model["gravity"]),
        };
        let (mut step, mut worst) = (0_u32, 0.0_f64);
        for state in trajectory["states"].as_array().expect("states") {
            let time = state["t"].as_f64().expect("a time");
            if time > 1.0 {
                break;
            }
            // Steps of 0.1 ms, at which the truncation error is below the tolerance for rates of 15 rad/s.
            while f64::from(step) * 1e-4 < time - 0.5e-4 {
                motion.step(&mut q, &mut v, 1e-4);
                step += 1;
            }
            let [given_q, given_v] = ["q", "v"].map(|key| numbers(&state[key]));
            for link in 0..tree.n_links() {
                if let Some(start) = tree.joint(link).quaternion() {
                    let at = tree.q_range(link).start + start;
                    let [one, other] = [&q, &given_q].map(|q| DQuat::from_slice(&q[at..]));
                    if one.dot(other) < 0.0 {
                        (-one).write_to_slice(&mut q[at..at + 4]);
                    }
                }
            }
            worst = worst.max(off(&q, &given_q)).max(off(&v, &given_v));
        }
        println!("{name}: off by {worst:e} of the largest coordinate or velocity");
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
}
