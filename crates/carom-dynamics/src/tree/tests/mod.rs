//! What the tests of linkages share: rods, random trees with random states, and a plain integrator.

mod building;
mod charts;
mod costs;
mod golden;
mod impulses;
mod kinematics;
mod laws;

use carom_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::{Chart, Joint, LinkSpec, Load, Scratch, Tree};
use crate::testing::{any_moments, direction, property, rotation, vector};

pub(crate) const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// Runs a check on random input, the same every time.
pub(crate) fn for_all<S: Strategy>(cases: u32, strategy: &S, check: impl Fn(S::Value)) {
    let run = TestRunner::new(property(cases)).run(strategy, |input| {
        check(input);
        Ok(())
    });
    if let Err(error) = run {
        panic!("{error}");
    }
}

pub(crate) fn diagonal(mass: f64, center: DVec3, moments: [f64; 3]) -> MassProperties {
    let inertia = DMat3::from_diagonal(DVec3::from_array(moments));
    MassProperties { mass, center, inertia }
}

/// The rod of the guide's golden numbers, hanging from its upper end.
pub(crate) fn rod(parent: Option<usize>, at: DVec3, joint: Joint) -> LinkSpec {
    let body = diagonal(1.0, DVec3::new(0.0, 0.0, -0.5), [1.0 / 12.0, 1.0 / 12.0, 0.001]);
    LinkSpec { parent, parent_from_joint: Pose::from_translation(at), joint, body }
}

pub(crate) fn tree_of(links: &[LinkSpec]) -> Tree {
    let mut builder = Tree::builder();
    for link in links {
        builder.add(*link);
    }
    builder.build().unwrap()
}

/// A tree in some state, with as many numbers as it has freedoms to use for anything, three times.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    links: Vec<LinkSpec>,
    pub(crate) tree: Tree,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) numbers: [Vec<f64>; 3],
}

impl Case {
    fn placed(&self) -> Scratch {
        let mut scratch = Scratch::new(&self.tree);
        self.tree.place(&self.q, &self.v, &mut scratch);
        scratch
    }

    fn mass_matrix(&self, scratch: &mut Scratch) -> Vec<f64> {
        let n = self.tree.n_v();
        let mut h = vec![0.0; n * n];
        self.tree.mass_matrix(scratch, &mut h);
        h
    }
}

/// A joint of any kind, from a number.
pub(crate) fn any_joint(kind: usize, axis: DVec3, other: DVec3) -> Joint {
    match kind % 9 {
        0 => Joint::Revolute { axis },
        1 => Joint::Prismatic { axis },
        2 => Joint::Screw { axis, pitch: 0.3 },
        3 => Joint::Cylindrical { axis },
        4 => Joint::Planar,
        5 => Joint::Universal {
            first: axis,
            second: axis.cross(other).normalize_or(axis.any_orthonormal_vector()),
        },
        6 => Joint::Spherical,
        7 => Joint::Free,
        _ => Joint::Fixed,
    }
}

fn any_link() -> impl Strategy<Value = (usize, f64, LinkSpec)> {
    let frame = (vector(0.7), rotation());
    let body = (0.2..3.0, vector(0.4), any_moments(), rotation());
    let joint = (0..9_usize, direction(), direction());
    (frame, body, joint, 0.0..1.0).prop_map(
        |((at, turn), (mass, center, moments, axes), joint, place)| {
            let axes = DMat3::from_quat(axes);
            let inertia =
                axes * DMat3::from_diagonal(0.2 * DVec3::from_array(moments)) * axes.transpose();
            let spec = LinkSpec {
                parent: None,
                parent_from_joint: Pose::new(at, turn),
                joint: any_joint(joint.0, joint.1, joint.2),
                body: MassProperties { mass, center, inertia },
            };
            (joint.0, place, spec)
        },
    )
}

/// Trees of up to nine links of all kinds of joints, several roots now and then. With `floating`, the first link is the only
/// root and free.
pub(crate) fn any_case(floating: bool) -> impl Strategy<Value = Case> {
    let numbers = proptest::array::uniform5(proptest::collection::vec(-1.5..1.5_f64, 64));
    (proptest::collection::vec(any_link(), 1..10), numbers).prop_map(move |(given, numbers)| {
        let mut links: Vec<LinkSpec> = Vec::new();
        for (i, (kind, place, spec)) in given.into_iter().enumerate() {
            let choice = (place * (i as f64 + 0.5)) as usize;
            let parent = (i > 0 && (floating || choice < i)).then(|| choice.min(i - 1));
            // A root must be able to move, or a tree of fixed links has nothing to say.
            let joint = match spec.joint {
                _ if i == 0 && floating => Joint::Free,
                Joint::Fixed if parent.is_none() => any_joint(kind + 1, DVec3::X, DVec3::Y),
                joint => joint,
            };
            links.push(LinkSpec { parent, joint, ..spec });
        }
        let tree = tree_of(&links);
        let [q, v, a, b, c] = numbers;
        let mut q = q[..tree.n_q()].to_vec();
        for link in 0..tree.n_links() {
            if let Some(start) = tree.joint(link).quaternion() {
                let at = tree.q_range(link).start + start;
                let turn = DQuat::from_slice(&q[at..]) + DQuat::from_xyzw(0.0, 0.0, 0.0, 0.01);
                turn.normalize().write_to_slice(&mut q[at..at + 4]);
            }
        }
        let short = |numbers: Vec<f64>| numbers[..tree.n_v()].to_vec();
        let (v, numbers) = (short(v), [short(a), short(b), short(c)]);
        Case { links, tree, q, v, numbers }
    })
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |m: f64, x| if x.is_nan() { f64::NAN } else { m.max(x.abs()) })
}

pub(crate) fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .fold(0.0, |m: f64, (a, b)| if (a - b).is_nan() { f64::NAN } else { m.max((a - b).abs()) })
}

fn times(h: &[f64], x: &[f64]) -> Vec<f64> {
    h.chunks(x.len()).map(|row| row.iter().zip(x).map(|(h, x)| h * x).sum()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A state carried on by `steps` steps of the classical Runge-Kutta method in charts, without forces but gravity.
fn integrated(
    tree: &Tree,
    q: &[f64],
    v: &[f64],
    duration: f64,
    steps: usize,
    gravity: DVec3,
) -> [Vec<f64>; 2] {
    let (mut q, mut v) = (q.to_vec(), v.to_vec());
    let (n, h) = (tree.n_v(), duration / steps as f64);
    let mut scratch = Scratch::new(tree);
    let mut chart = Chart::new(tree, &q);
    let load = Load { gravity, ..Load::default() };
    let zero = vec![0.0; n];
    for _ in 0..steps {
        chart.restart(&q);
        let mut start_rates = vec![0.0; n];
        chart.rates(tree, &zero, &v, &mut start_rates);
        let mut derivative = |s: &[f64], s_dot: &[f64]| {
            let (mut q, mut v) = (vec![0.0; tree.n_q()], vec![0.0; n]);
            let (mut v_dot, mut s_ddot) = (vec![0.0; n], vec![0.0; n]);
            chart.configuration(tree, s, &mut q);
            chart.velocity(tree, s, s_dot, &mut v);
            tree.place(&q, &v, &mut scratch);
            tree.forward(&load, &mut scratch, &mut v_dot).unwrap();
            chart.accelerations(tree, s, s_dot, &v_dot, &mut s_ddot);
            s_ddot
        };
        let step = |x: &[f64], h: f64, k: &[f64]| -> Vec<f64> {
            x.iter().zip(k).map(|(x, k)| x + h * k).collect()
        };
        let (w1, a1) = (start_rates.clone(), derivative(&zero, &start_rates));
        let w2 = step(&w1, 0.5 * h, &a1);
        let a2 = derivative(&step(&zero, 0.5 * h, &w1), &w2);
        let w3 = step(&w1, 0.5 * h, &a2);
        let a3 = derivative(&step(&zero, 0.5 * h, &w2), &w3);
        let w4 = step(&w1, h, &a3);
        let a4 = derivative(&step(&zero, h, &w3), &w4);
        let mean = |k: [&[f64]; 4], i: usize| {
            h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i])
        };
        let s: Vec<f64> = (0..n).map(|i| mean([&w1, &w2, &w3, &w4], i)).collect();
        let s_dot: Vec<f64> = (0..n).map(|i| w1[i] + mean([&a1, &a2, &a3, &a4], i)).collect();
        chart.configuration(tree, &s, &mut q);
        chart.velocity(tree, &s, &s_dot, &mut v);
    }
    [q, v]
}
