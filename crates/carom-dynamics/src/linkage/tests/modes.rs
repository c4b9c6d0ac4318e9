//! Modes: the choice against all others, snapshots, refusals.

use super::super::{Grip, JointForce, Linkage, LinkageError, Mode, Sense};
use super::dynamics::chain;
use super::{Dice, Run};
use crate::collocation::IntegrationError;
use crate::tree::constraint::Side;
use crate::tree::tests::{GRAVITY, largest_difference, rod, tree_of};
use crate::tree::{Joint, Load, Scratch, Tree};

/// Gauss with partial pivoting, rows with their right sides.
fn gauss(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for step in 0..n {
        let best =
            (step..n).max_by(|a, b| rows[*a][step].abs().total_cmp(&rows[*b][step].abs())).unwrap();
        rows.swap(step, best);
        let (above, below) = rows.split_at_mut(step + 1);
        for row in below {
            let factor = row[step] / above[step][step];
            row.iter_mut().zip(&above[step]).for_each(|(x, pivot)| *x -= factor * pivot);
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
        x[i] = (rows[i][n] - known) / rows[i][i];
    }
    x
}

/// v̇ and holding forces of freedoms by the dense system H·v̇ − Jᵀ·λ = τ − C, J·v̇ = 0.
fn dense(tree: &Tree, q: &[f64], v: &[f64], tau: &[f64], held: &[usize]) -> [Vec<f64>; 2] {
    let n = tree.n_v();
    let mut scratch = Scratch::new(tree);
    tree.place(q, v, &mut scratch);
    let mut h = vec![0.0; n * n];
    tree.mass_matrix(&mut scratch, &mut h);
    let mut c = vec![0.0; n];
    let load = Load { gravity: GRAVITY, ..Load::default() };
    tree.inverse(&load, &vec![0.0; n], &mut scratch, &mut c);
    let m = held.len();
    let mut rows = vec![vec![0.0; n + m + 1]; n + m];
    for i in 0..n {
        rows[i][..n].copy_from_slice(&h[i * n..(i + 1) * n]);
        rows[i][n + m] = tau[i] - c[i];
    }
    for (j, &k) in held.iter().enumerate() {
        rows[k][n + j] = -1.0;
        rows[n + j][k] = 1.0;
    }
    let x = gauss(rows);
    let mut forces = vec![0.0; n];
    for (j, &k) in held.iter().enumerate() {
        forces[k] = x[n + j];
    }
    [x[..n].to_vec(), forces]
}

/// All combinations of grips of freedoms at rest; those that are lawful by the dense system.
fn lawful(tree: &Tree, q: &[f64], joints: &[JointForce], torque: &[f64]) -> Vec<Vec<Grip>> {
    let n = tree.n_v();
    let stop = |k: usize| {
        let [low, high] = joints[k].limits.unwrap();
        if q[k] == low {
            Some(Side::Lower)
        } else if q[k] == high {
            Some(Side::Upper)
        } else {
            None
        }
    };
    let mut found = Vec::new();
    for code in 0..3_usize.pow(n as u32) {
        // 0 held, 1 forward, 2 backward.
        let choice: Vec<usize> = (0..n).map(|k| code / 3_usize.pow(k as u32) % 3).collect();
        let held: Vec<usize> = (0..n).filter(|k| choice[*k] == 0).collect();
        let sign = |k: usize| [0.0, 1.0, -1.0][choice[k]];
        let tau: Vec<f64> = (0..n).map(|k| torque[k] - sign(k) * joints[k].friction).collect();
        let [v_dot, forces] = dense(tree, q, &vec![0.0; n], &tau, &held);
        let is_lawful = |k: usize| {
            let most = joints[k].friction;
            match (choice[k], stop(k)) {
                (0, None) => forces[k].abs() <= most,
                (0, Some(Side::Lower)) => forces[k] >= -most,
                (0, Some(Side::Upper)) => forces[k] <= most,
                (1, Some(Side::Upper)) | (2, Some(Side::Lower)) => false,
                _ => sign(k) * v_dot[k] > 0.0,
            }
        };
        if (0..n).all(is_lawful) {
            found.push(
                (0..n)
                    .map(|k| match (choice[k], stop(k)) {
                        (0, None) => Grip::Stuck,
                        (0, Some(side)) => Grip::Resting(side),
                        (1, _) => Grip::Sliding(Sense::Forward),
                        _ => Grip::Sliding(Sense::Backward),
                    })
                    .collect(),
            );
        }
    }
    found
}

#[test]
fn modes_and_forces_of_chains_at_rest_are_those_of_the_dense_system() {
    let mut dice = Dice(5);
    let (mut worst, mut seen) = (0.0_f64, [0; 3]);
    for round in 0..300 {
        let n = 2 + round % 3;
        let tree = chain(n, 0.5, 1.0);
        let mut q = Vec::new();
        let joints: Vec<JointForce> = (0..n)
            .map(|_| {
                let [low, high] = [-1.5 * dice.roll() - 0.1, 1.5 * dice.roll() + 0.1];
                q.push([low, high, 0.0][(3.0 * dice.roll()) as usize]);
                let friction = 0.1 + 6.0 * dice.roll();
                JointForce { friction, limits: Some([low, high]), ..JointForce::default() }
            })
            .collect();
        let torque: Vec<f64> = (0..n).map(|_| 12.0 * (dice.roll() - 0.5)).collect();
        let linkage = Linkage::new(tree.clone(), joints.clone(), 1e-9).unwrap();
        let mut run = Run::new(&linkage.into(), &q, &vec![0.0; n]);
        run.drive.torque = torque.clone();
        run.settle(None);
        let all = lawful(&tree, &q, &joints, &torque);
        assert_eq!(all, [run.mode.grips().to_vec()]);
        for grip in run.mode.grips() {
            let kind = match grip {
                Grip::Stuck => 0,
                Grip::Resting(_) => 1,
                _ => 2,
            };
            seen[kind] += 1;
        }
        // Forces of what is held, with the others moving.
        let course = run.look_ahead(1.0);
        let mut forces = vec![0.0; n];
        course.holding_forces(0.0, &mut run.workspace, &mut forces).unwrap();
        let held: Vec<usize> = (0..n).filter(|k| run.mode.grip(*k).is_held()).collect();
        let mut tau = torque.clone();
        run.linkage.add_friction(&run.mode, &mut tau);
        let [_, exact] = dense(&tree, &q, &vec![0.0; n], &tau, &held);
        worst = worst.max(largest_difference(&forces, &exact));
    }
    println!("{seen:?} stuck, resting and sliding; forces off by {worst:.1e} N·m");
    assert!(worst < 1e-10 && seen.iter().all(|count| *count > 50));
}

#[test]
fn modes_survive_as_numbers() {
    let grips = vec![
        Grip::Free,
        Grip::Stuck,
        Grip::Sliding(Sense::Backward),
        Grip::Sliding(Sense::Forward),
        Grip::Resting(Side::Upper),
        Grip::Resting(Side::Lower),
    ];
    let mode = Mode::new(grips);
    let mut numbers = Vec::new();
    mode.write(&mut numbers);
    assert_eq!(Mode::read(&numbers), Some(mode));
    numbers[2] = 0.5;
    assert_eq!(Mode::read(&numbers), None);
    assert_eq!(Mode::read(&[]), Some(Mode::default()));
}

#[test]
fn restraints_that_make_no_sense_are_refused() {
    let with = |joint: JointForce| Linkage::new(chain(1, 1.0, 1.0), vec![joint], 1e-6);
    let plain = JointForce::default();
    for joint in [
        JointForce { friction: -1.0, ..plain },
        JointForce { friction: f64::NAN, ..plain },
        JointForce { restitution: 1.1, ..plain },
        JointForce { limits: Some([1.0, 1.0]), ..plain },
        JointForce { limits: Some([0.0, f64::INFINITY]), ..plain },
    ] {
        println!("{}", with(joint).unwrap_err());
    }
    for joint in [Joint::Spherical, Joint::Free] {
        let tree = tree_of(&[rod(None, glam::DVec3::ZERO, joint)]);
        let joints = vec![JointForce { friction: 1.0, ..plain }; tree.n_v()];
        let error = Linkage::new(tree, joints, 1e-6).unwrap_err();
        assert!(matches!(error, LinkageError::NoCoordinate { .. }), "{error}");
    }
}

#[test]
fn a_mode_that_is_not_one_of_the_state_is_refused() {
    let joint = JointForce { friction: 1.0, limits: Some([-1.0, 1.0]), ..JointForce::default() };
    let linkage = super::linkage(chain(1, 1.0, 1.0), joint, 1e-6);
    let refused = |q: f64, v: f64, grips: Vec<Grip>| {
        let mut run = Run::new(&linkage, &[q], &[v]);
        let Run { linkage, q, v, drive, ahead, workspace, .. } = &mut run;
        let course = linkage.extend(0.0, q, v, &Mode::new(grips), drive, 1.0, ahead, workspace);
        matches!(course, Err(IntegrationError::BadStart { .. }))
    };
    assert!(refused(0.0, 1.0, vec![]));
    assert!(refused(0.0, 1.0, vec![Grip::Free]));
    assert!(refused(0.0, 1.0, vec![Grip::Stuck]));
    assert!(refused(0.0, 1.0, vec![Grip::Sliding(Sense::Backward)]));
    assert!(refused(-1.0, 0.1, vec![Grip::Resting(Side::Lower)]));
    assert!(refused(1.5, 0.0, vec![Grip::Stuck]));
    assert!(refused(0.0, 0.0, vec![Grip::Stuck; 2]));
    assert!(!refused(0.0, 0.0, vec![Grip::Stuck]));
    assert!(!refused(-1.0, 0.0, vec![Grip::Resting(Side::Lower)]));
}
