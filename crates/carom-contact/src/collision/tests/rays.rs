//! Sticking and rays, against the quartic of theorem 14.

use glam::{DMat3, DVec2};

use super::super::contact::Contact;
use super::random::{Meeting, Random};
use super::{THESIS, matrix};

/// proves: m1/CR-R4
#[test]
fn friction_holds_from_the_critical_coefficient_on() {
    let critical = Contact::new(&matrix(THESIS), 0.2).hold().length();
    assert!((critical - 0.304138).abs() < 5e-7, "{critical}");
    let mut random = Random::new(4);
    for _ in 0..2000 {
        let k = Meeting::new(&mut random).matrix();
        // Theorem 9 is stated with K⁻¹: friction holds if ‖(K⁻¹₁₃, K⁻¹₂₃)‖ ≤ μ·K⁻¹₃₃.
        let column = k.inverse().z_axis;
        let by_inverse = column.truncate().length() / column.z;
        let by_block = Contact::new(&k, 0.5).hold().length();
        assert!((by_inverse - by_block).abs() < 1e-9 * by_block, "{by_inverse} {by_block}");
    }
}

/// The angle of a unit vector `[°]`.
fn degrees(along: DVec2) -> f64 {
    libm::atan2(along.y, along.x).to_degrees()
}

/// proves: m1/CR-R5 m1/Q14
#[test]
fn the_rays_of_the_thesis_are_where_it_draws_them() {
    let contact = Contact::new(&matrix(THESIS), 0.2);
    let diverging = contact.diverging_ray();
    assert!((degrees(diverging) + 71.113).abs() < 5e-4, "{}", degrees(diverging));
    assert!(contact.slip(diverging).growth > 0.0);
    let (sin, cos) = libm::sincos(145_f64.to_radians());
    let converging = contact.ray_near(&contact.slip(DVec2::new(cos, sin))).unwrap();
    assert!((degrees(converging.along) - 147.001).abs() < 5e-4, "{converging:?}");
    assert!(converging.growth < 0.0);
}

/// Corollary 2's quartic in tan(θ/2), and the unit vector at it.
fn quartic(contact: &Contact, t: f64) -> f64 {
    let [a, f, _, b] = contact.m.to_cols_array();
    let (mu, [e, d]) = (contact.mu, contact.s.to_array());
    let (first, third) = (d - mu * f, 6.0 * mu * f);
    let (second, fourth) = (2.0 * ((a - b) * mu - e), -2.0 * ((a - b) * mu + e));
    first + t * (second + t * (third + t * (fourth - t * (mu * f + d))))
}

fn direction(t: f64) -> DVec2 {
    DVec2::new(1.0 - t * t, 2.0 * t) / (1.0 + t * t)
}

/// All rays: sign changes of the quartic over tangents of evenly spaced half angles, halved in.
fn rays(contact: &Contact) -> Vec<DVec2> {
    // An odd number, and off the multiples of π, so that no ray in special position falls on one.
    const PARTS: u32 = 20_011;
    let tangent =
        |part: u32| libm::tan((f64::from(part) + 0.37) / f64::from(PARTS) * std::f64::consts::PI);
    let mut found = Vec::new();
    for part in 0..PARTS {
        let (mut low, mut high) = (tangent(part), tangent(part + 1));
        // The tangent jumps from ∞ to −∞ at θ = π, where a quartic does not change its sign.
        if low > high {
            let ends = [quartic(contact, low), quartic(contact, high)];
            if ends[0] * ends[1] < 0.0 {
                found.push(DVec2::NEG_X);
            }
            continue;
        }
        if quartic(contact, low) * quartic(contact, high) > 0.0 {
            continue;
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            let same = quartic(contact, low) * quartic(contact, middle) > 0.0;
            if same { low = middle } else { high = middle }
        }
        found.push(direction(low));
    }
    found
}

/// proves: m1/CR-R6 m1/Q15
#[test]
fn there_is_one_diverging_ray_if_sticking_is_unstable_and_none_if_it_is_stable() {
    let mut random = Random::new(6);
    let (mut stable, mut worst) = (0, 0.0_f64);
    for _ in 0..300 {
        let k = Meeting::new(&mut random).matrix();
        let contact = Contact::new(&k, random.between(0.05, 1.0));
        let all = rays(&contact);
        assert!(all.len() == 2 || all.len() == 4, "{} rays of {contact:?}", all.len());
        let diverging: Vec<_> = all.iter().filter(|ray| contact.slip(**ray).growth > 0.0).collect();
        if contact.hold().length() <= contact.mu {
            stable += 1;
            assert!(diverging.is_empty(), "{contact:?}");
        } else {
            assert_eq!(diverging.len(), 1, "{contact:?}");
            let off = (*diverging[0] - contact.diverging_ray()).length();
            worst = worst.max(off);
            // Where two rays nearly meet, the quartic determines them to the root of rounding.
            assert!(off < 1e-7, "{off:e}: {contact:?}");
        }
    }
    println!("{stable} stable; quartic and secular equation differ by at most {worst:e}");
    assert!((50..250).contains(&stable), "{stable}");
}

#[test]
fn a_diverging_ray_at_half_a_turn_is_found() {
    // s along −x and M along the axes: the tangent of half the angle of this ray is infinite.
    let k = DMat3::from_cols_array(&[1.75, 0.0, -1.3, 0.0, 4.0, 0.0, -1.3, 0.0, 3.25]);
    let contact = Contact::new(&k, 0.3);
    assert_eq!(contact.diverging_ray(), DVec2::NEG_X);
    assert!(rays(&contact).iter().any(|ray| (*ray - DVec2::NEG_X).length() < 1e-3));
}
