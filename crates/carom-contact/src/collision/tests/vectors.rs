//! The reference vectors of guide section 20, and their closed forms.

use glam::{DVec2, DVec3};

use super::super::Ending;
use super::super::contact::Contact;
use super::{THESIS, collision, matrix};

/// A ball on a plane.
const BALL: [f64; 6] = [3.5, 0.0, 0.0, 3.5, 0.0, 1.0];
/// A thin rod at tan φ = 2, and at 30° above the floor.
const STEEP_ROD: [f64; 6] = [3.4, 0.0, -1.2, 4.0, 0.0, 1.6];
const FLAT_ROD: [f64; 6] = [1.75, 0.0, -1.2990381, 4.0, 0.0, 3.25];

struct Vector {
    id: &'static str,
    k: [f64; 6],
    friction: f64,
    restitution: f64,
    before: [f64; 3],
    impulse: [f64; 3],
    after: [f64; 3],
    ending: Ending,
}

#[rustfmt::skip]
fn vectors() -> Vec<Vector> {
    use Ending::{Diverges, Slides, Sticks};
    // The ray is printed to ten digits only, and what starts beside it goes past the end of sliding.
    let contact = Contact::new(&matrix(THESIS), 0.2);
    let (sin, cos) = libm::sincos(147.0010577_f64.to_radians());
    let ray = contact.ray_near(&contact.slip(DVec2::new(cos, sin))).expect("a ray").along;
    let all = [
        ("A", THESIS, 0.2, 0.5, [0.3, 0.4, -1.0], [-0.0483215, -0.0345261, 0.3016291], [0.2841096, 0.0914356, 0.4943501], Slides),
        ("A2", THESIS, 0.2, 1.0, [-0.5, 0.2, -1.0], [0.0282641, 0.0380600, 0.3926102], [0.0426031, -0.1349583, 0.9532549], Slides),
        ("B", THESIS, 0.5, 0.5, [0.3, 0.4, -1.0], [-0.0999115, -0.1005312, 0.2982294], [0.0, 0.0, 0.4917666], Sticks),
        ("B2", THESIS, 0.2, 0.5, [0.2 * ray.x, 0.2 * ray.y, -1.0], [-0.0045545, 0.0383013, 0.3056526], [0.0248779, -0.0727150, 0.4854070], Diverges),
        ("C", STEEP_ROD, 1.5, 0.5, [-1.0, 0.0, -1.0], [0.8969507, 0.0, 1.7080271], [0.0, 0.0, 0.6565025], Sticks),
        ("E", BALL, 0.5, 0.8, [1.0, 0.5, -1.0], [-0.2857143, -0.1428571, 1.8], [0.0, 0.0, 0.8], Sticks),
        ("F", BALL, 0.1, 0.8, [3.0, 1.0, -1.0], [-0.1707630, -0.0569210, 1.8], [2.4023295, 0.8007765, 0.8], Slides),
        ("U", FLAT_ROD, 0.3, 0.6, [0.0, 0.0, -1.0], [0.1678152, 0.0, 0.5593841], [-0.4329846, 0.0, 0.6], Diverges),
        ("G", [11.07, 1.72, 2.93, 10.19, 4.75, 5.49], 1.0, 0.7, [0.14, -0.011, -1.0], [-0.1333419, -0.2601700, 0.6087327], [0.0, 0.0, 0.7154433], Sticks),
        ("G2", [24.98, 2.6, 8.64, 18.93, 6.06, 10.01], 2.0, 0.7, [-0.52, 1.09, -1.0], [-0.0815877, -0.1562029, 0.3430775], [0.0, 0.0, 0.7826978], Sticks),
        ("H", [3.136, 0.366, -2.744, 5.466, -0.536, 5.178], 2.0, 0.7, [-0.0436, 3.2447, -1.0], [0.3636070, -0.5779408, 0.3826429], [-0.1648269, 0.0136594, 0.2933636], Slides),
        ("I", [2.24, 0.679, 0.3, 0.828, -0.203, 2.907], 0.5, 1.0, [-0.0002251, 0.02016, -1.0], [-0.1768872, 0.2786608, 0.7227261], [0.0095761, -0.0159287, 0.9913305], Diverges),
        ("J", [3.675, -0.703, 0.351, 1.610, 1.439, 4.783], 1.0, 0.7, [0.193, -0.733, -1.0], [-0.0432070, 0.1875012, 0.2811157], [0.0010725, 0.0037769, 0.5992248], Diverges),
        ("L", [18.519, -0.0529, 8.0438, 18.4689, 8.9329, 14.5048], 1.5, 1.0, [4.5763, -2.6565, -1.0], [-0.4083198, -0.0367264, 0.3708982], [0.0, 0.0, 0.7672884], Sticks),
    ];
    all.into_iter()
        .map(|(id, k, friction, restitution, before, impulse, after, ending)| Vector { id, k, friction, restitution, before, impulse, after, ending })
        .collect()
}

fn largest_difference(a: DVec3, b: [f64; 3]) -> f64 {
    (a - DVec3::from_array(b)).abs().max_element()
}

/// Within a share of the largest component.
fn assert_near(found: DVec3, expected: [f64; 3], allowed: f64) {
    let off = largest_difference(found, expected);
    let size = DVec3::from_array(expected).abs().max_element();
    assert!(off <= allowed * size, "{found} instead of {expected:?}: off by {off:e}");
}

/// proves: m1/CR-R11 m1/CR-R14
#[test]
fn the_reference_vectors_come_out_to_the_digits_printed() {
    for vector in vectors() {
        let answer =
            collision(vector.k, vector.friction, vector.restitution, vector.before).solve();
        let off = [
            largest_difference(answer.impulse, vector.impulse),
            largest_difference(answer.velocity, vector.after),
        ];
        println!("{}: impulse and velocity off by {off:?}", vector.id);
        // Seven digits are printed, so half of the last one.
        assert!(off.iter().all(|off| *off < 6e-8), "{}: {answer:?}", vector.id);
        assert_eq!(answer.ending, vector.ending, "{}", vector.id);
    }
}

#[test]
fn the_flat_rod_slides_off_along_the_diverging_ray_in_closed_form() {
    let answer = collision(FLAT_ROD, 0.3, 0.6, [0.0, 0.0, -1.0]).solve();
    let (a, e, c) = (FLAT_ROD[0], -FLAT_ROD[2], FLAT_ROD[5]);
    let push = 1.6 / (c - 0.3 * e);
    assert_near(answer.impulse, [0.3 * push, 0.0, push], 1e-15);
    assert_near(answer.velocity, [-(e - 0.3 * a) * push, 0.0, 0.6], 1e-15);
}

#[test]
fn the_steep_rod_jams_stops_and_leaves_in_closed_form() {
    let answer = collision(STEEP_ROD, 1.5, 0.5, [-1.0, 0.0, -1.0]).solve();
    // Slips until p_z = 1/3.9 while u_z falls by 0.2 per impulse, then sticks and rises by 1/0.85.
    let slip = 1.0 / 3.9;
    let (deep, rise) = (-1.0 - 0.2 * slip, 1.0 / 0.85_f64);
    let compression = 0.5 * (deep - 1.0) * slip - 0.5 * deep * deep / rise;
    let out = (2.0 * rise * 0.25 * -compression).sqrt();
    let push = slip + (out - deep) / rise;
    let friction = 1.5 * slip + (push - slip) * 1.2 / 3.4;
    assert_near(answer.impulse, [friction, 0.0, push], 1e-14);
    assert_near(answer.velocity, [0.0, 0.0, out], 1e-14);
    assert!((answer.compression_work - compression).abs() < 1e-14);
}
