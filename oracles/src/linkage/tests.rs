//! The dense oracle against numbers that others worked out, and against itself where a law must hold.

use super::*;
use crate::impact::samples::Random;

/// A rod of 1 m and 1 kg that hangs from its end, hinged about y.
fn rod(parent: Option<usize>) -> Link {
    let place = if parent.is_some() { [0.0, 0.0, -1.0] } else { [0.0; 3] };
    let inertia = [[1.0 / 12.0, 0.0, 0.0], [0.0, 1.0 / 12.0, 0.0], [0.0, 0.0, 1e-3]];
    let (slides, axis, turn, mass) = (false, [0.0, 1.0, 0.0], IDENTITY, 1.0);
    Link { parent, slides, axis, place, turn, mass, center: [0.0, 0.0, -0.5], inertia }
}

/// Golden numbers G1 of the guide to Mirtich's thesis, part 2.
#[test]
fn two_hanging_rods_accelerate_as_given() {
    let linkage = Linkage { links: vec![rod(None), rod(Some(0))] };
    let found = linkage.accelerations(&[0.5, 0.3], &[1.0, -0.5], &[0.0; 2], [0.0, 0.0, -9.81]);
    assert!((found[0] + 2.718498429).abs() < 6e-10 && (found[1] + 4.385055642).abs() < 6e-10);
}

/// dE/dt = τ·q̇, with the derivative of energy by a difference along the motion.
#[test]
fn energy_grows_by_the_power_of_joint_forces() {
    for kind in [Kind::Serial, Kind::Tree, Kind::Floating] {
        let mut random = Random(7);
        let (linkage, [q, v, tau]) = Linkage::random(kind, 5, &mut random);
        let gravity = [0.3, -0.2, -9.0];
        let a = linkage.accelerations(&q, &v, &tau, gravity);
        let at = |t: f64| {
            let q: Vec<f64> = (0..q.len()).map(|i| q[i] + t * (v[i] + 0.5 * t * a[i])).collect();
            let v: Vec<f64> = (0..v.len()).map(|i| v[i] + t * a[i]).collect();
            linkage.energy(&q, &v, gravity)
        };
        let h = 1e-4;
        let growth = (at(h) - at(-h)) / (2.0 * h);
        let power: f64 = tau.iter().zip(&v).map(|(t, v)| t * v).sum();
        assert!((growth - power).abs() < 1e-4 * (1.0 + power.abs()), "{kind:?} {growth} {power}");
    }
}

#[test]
fn a_contact_answers_symmetrically() {
    let (linkage, [q, ..]) = Linkage::random(Kind::Tree, 6, &mut Random(3));
    let k = linkage.response(&q, &[(5, [0.1, 0.2, 0.3]), (2, [0.4, 0.0, 0.1])]);
    for (i, row) in k.iter().enumerate() {
        assert!(row[i] >= 0.0);
        for (j, entry) in row.iter().enumerate() {
            assert!((entry - k[j][i]).abs() < 1e-12);
        }
    }
}
