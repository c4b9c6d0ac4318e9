//! Golden numbers of two and three rods (guide section 15) and the pendulum of the reference cases (F1).

use glam::{DMat3, DQuat, DVec3};

use super::{GRAVITY, diagonal, integrated, largest_difference, rod, tree_of};
use crate::Impulse;
use crate::tree::{
    Joint, LinkImpulse, LinkPoint, LinkSpec, Load, ResponseScratch, Row, Scratch, Tree,
};

const HINGE: Joint = Joint::Revolute { axis: DVec3::Y };
const LOWER_END: DVec3 = DVec3::new(0.0, 0.0, -1.0);
/// Nine decimals are given.
const GIVEN: f64 = 6e-10;

fn two_rods(base: Joint) -> Tree {
    tree_of(&[rod(None, DVec3::ZERO, base), rod(Some(0), LOWER_END, HINGE)])
}

fn placed(tree: &Tree, q: &[f64], v: &[f64]) -> Scratch {
    let mut scratch = Scratch::new(tree);
    tree.place(q, v, &mut scratch);
    scratch
}

fn tip(scratch: &Scratch, link: usize) -> LinkPoint {
    LinkPoint { link, point: scratch.pose(link).point(LOWER_END) }
}

fn blocks(tree: &Tree, scratch: &mut Scratch, points: &[LinkPoint]) -> Vec<DMat3> {
    let mut blocks = vec![DMat3::ZERO; points.len() * points.len()];
    tree.point_responses(points, scratch, &mut ResponseScratch::default(), &mut blocks).unwrap();
    blocks
}

fn assert_near(what: &str, measured: &[f64], given: &[f64]) {
    let off = largest_difference(measured, given);
    println!("{what}: off by {off:e}");
    assert!(off < GIVEN, "{what}: {measured:?} instead of {given:?}");
}

fn gravity() -> Load<'static> {
    Load { gravity: GRAVITY, ..Load::default() }
}

/// proves: m2/G1
#[test]
fn two_hanging_rods_accelerate_as_given() {
    let tree = two_rods(HINGE);
    let mut scratch = placed(&tree, &[0.5, 0.3], &[1.0, -0.5]);
    let mut v_dot = [0.0; 2];
    tree.forward(&gravity(), &mut scratch, &mut v_dot).unwrap();
    assert_near("G1 accelerations", &v_dot, &[-2.718498429, -4.385055642]);
    let centers = [0, 1].map(|link| scratch.body_state(&tree, link).position.to_array()).concat();
    let given = [-0.239712769, 0.0, -0.438791281, -0.838103584, 0.0, -1.225935917];
    assert_near("G1 centres", &centers, &given);
    let mut h = [0.0; 4];
    tree.mass_matrix(&mut scratch, &mut h);
    assert_near("G1 mass matrix", &h, &[2.622003156, 0.811001578, 0.811001578, 0.333333333]);
    let mut inverse = [0.0; 4];
    let rows = [Row::Freedom(0), Row::Freedom(1)];
    tree.response_matrix(&rows, &mut scratch, &mut ResponseScratch::default(), &mut inverse)
        .unwrap();
    assert_near("G1 inverse", &inverse, &[1.541229877, -3.749819587, -3.749819587, 12.123328806]);
}

/// proves: m2/G2
#[test]
fn the_tip_of_two_rods_answers_impulses_as_given() {
    let tree = two_rods(HINGE);
    let mut scratch = placed(&tree, &[0.5, 0.3], &[1.0, -0.5]);
    let at = tip(&scratch, 1);
    assert_near("G2 tip", &at.point.to_array(), &[-1.196781630, 0.0, -1.574289271]);
    let k = blocks(&tree, &mut scratch, &[at])[0];
    let given = [1.478691869, 0.0, -1.601490821, 0.0, 0.0, 0.0, -1.601490821, 0.0, 2.007564838];
    assert_near("G2 response", &k.to_cols_array(), &given);
    let arm = at.point - scratch.pose(1).translation;
    let velocity = scratch.velocity(1).at(arm).linear;
    assert_near("G2 velocity", &velocity.to_array(), &[-1.225935917, 0.0, 0.838103584]);
    let impulse = Impulse { point: at.point, linear: DVec3::Z, angular: DVec3::ZERO };
    let mut jumps = [0.0; 2];
    let impulses = [LinkImpulse { link: 1, impulse }];
    tree.impulse_response(&impulses, &[], &mut scratch, &mut jumps).unwrap();
    assert_near("G2 jumps", &jumps, &[-0.845440317, 4.209028565]);
}

fn turned_about_y(angle: f64) -> DQuat {
    DQuat::from_xyzw(0.0, libm::sin(0.5 * angle), 0.0, libm::cos(0.5 * angle))
}

fn floating_state() -> ([f64; 8], [f64; 7]) {
    let turn = turned_about_y(0.5);
    let q = [0.0, 0.0, 0.0, turn.x, turn.y, turn.z, turn.w, 0.3];
    (q, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -0.5])
}

/// proves: m2/G3
#[test]
fn two_falling_rods_accelerate_as_given() {
    let tree = two_rods(Joint::Free);
    let (q, v) = floating_state();
    let mut scratch = placed(&tree, &q, &v);
    let mut v_dot = [0.0; 7];
    tree.forward(&gravity(), &mut scratch, &mut v_dot).unwrap();
    let centers = [0, 1].map(|link| scratch.body_kinematics(&tree, link));
    let a = centers[0].acceleration;
    let measured = [v_dot[6], centers[0].angular_acceleration.y, a.x, a.y, a.z];
    let given = [-0.519309134, 0.217389142, -0.169584331, 0.0, -10.044849250];
    assert_near("G3 accelerations", &measured, &given);
    let mean = 0.5 * (centers[0].acceleration + centers[1].acceleration);
    // A sum of two numbers near 10.
    assert!((mean - GRAVITY).length() < 1e-14, "{mean}");
    let at = tip(&scratch, 1);
    let k = blocks(&tree, &mut scratch, &[at])[0];
    let measured = [k.x_axis.x, k.x_axis.z, k.z_axis.z, k.y_axis.y];
    assert_near("G3 response", &measured, &[1.856469946, -1.457410300, 2.143530054, 2.983277181]);
}

/// proves: m2/R-07 m2/R-08
#[test]
fn falling_rods_keep_their_energy_because_the_transport_term_is_there() {
    let tree = two_rods(Joint::Free);
    let (q, v) = floating_state();
    let energy = |q: &[f64], v: &[f64]| {
        let scratch = placed(&tree, q, v);
        scratch.kinetic_energy() + scratch.potential_energy(GRAVITY)
    };
    let [end_q, end_v] = integrated(&tree, &q, &v, 1.0, 1000, GRAVITY);
    let (start, end) = (energy(&q, &v), energy(&end_q, &end_v));
    println!(
        "{start} J before, {end} J after; without the term it would be -12.7372 J of -15.3838 J"
    );
    // The truncation error of 1000 steps of fourth order; the height of the energy is a choice of origin.
    assert!((start - end).abs() < 1e-9, "{start} {end}");
}

/// proves: m2/G4 m2/R-19
#[test]
fn a_chain_that_strikes_itself_answers_with_cross_terms() {
    let base = LinkSpec { ..rod(None, DVec3::new(0.0, 0.0, 0.5), Joint::Free) };
    let tree = tree_of(&[base, rod(Some(0), LOWER_END, HINGE), rod(Some(1), LOWER_END, HINGE)]);
    let mut q = tree.neutral();
    (q[7], q[8]) = (2.0, 2.2);
    let mut scratch = placed(&tree, &q, &[0.0; 8]);
    let end = tip(&scratch, 2);
    assert_near("G4 contact", &end.point.to_array(), &[-0.037721654, 0.0, 0.406407658]);
    let k = blocks(&tree, &mut scratch, &[end, LinkPoint { link: 0, ..end }]);
    let four = |k: DMat3| [k.x_axis.x, k.x_axis.z, k.z_axis.z, k.y_axis.y];
    let given = [3.936828017, -0.907975389, 3.383755040, 0.0];
    assert_near("G4 response", &four(k[0] + k[3] - k[1] - k[2]), &given);
    let naive = [3.972714475, -1.133731913, 3.201742301, 2.856622085];
    assert_near("G4 naive sum", &four(k[0] + k[3]), &naive);
}

/// proves: m2/G5 m2/R-23
#[test]
fn a_tip_that_strikes_a_plane_without_friction_keeps_or_loses_the_given_energy() {
    let tree = two_rods(HINGE);
    let (q, v) = ([0.5, 0.3], [-1.0, 0.5]);
    let mut scratch = placed(&tree, &q, &v);
    let at = tip(&scratch, 1);
    let k = blocks(&tree, &mut scratch, &[at])[0];
    let u = scratch.velocity(1).at(at.point - scratch.pose(1).translation).linear;
    let given = [
        [0.834945470, -1.705896563, 4.014309335, 0.947167456],
        [0.417472735, -1.352948281, 2.257154668, 0.772224758],
    ];
    for (e, given) in [1.0, 0.0].into_iter().zip(given) {
        let p = -(1.0 + e) * u.z / k.z_axis.z;
        let impulse = Impulse { point: at.point, linear: p * DVec3::Z, angular: DVec3::ZERO };
        let mut jumps = [0.0; 2];
        tree.impulse_response(&[LinkImpulse { link: 1, impulse }], &[], &mut scratch, &mut jumps)
            .unwrap();
        let after = [v[0] + jumps[0], v[1] + jumps[1]];
        let energy = placed(&tree, &q, &after).kinetic_energy();
        assert_near("G5 impulse, velocities, energy", &[p, after[0], after[1], energy], &given);
    }
}

/// proves: m2/G6
#[test]
fn a_joint_stop_stops_its_joint_and_moves_the_other_as_given() {
    let tree = two_rods(HINGE);
    let mut scratch = placed(&tree, &[0.5, 0.3], &[-1.0, 0.5]);
    let mut inverse = [0.0];
    let mut memory = ResponseScratch::default();
    tree.response_matrix(&[Row::Freedom(1)], &mut scratch, &mut memory, &mut inverse).unwrap();
    let p = -0.5 / inverse[0];
    let mut jumps = [0.0; 2];
    tree.impulse_response(&[], &[0.0, p], &mut scratch, &mut jumps).unwrap();
    assert_near("G6", &[p, jumps[0], jumps[1]], &[-0.041242798, 0.154653051, -0.5]);
}

/// proves: m2/G7 m2/R-09
#[test]
fn computed_torque_holds_two_rods_as_given() {
    let tree = two_rods(HINGE);
    let mut scratch = placed(&tree, &[0.5, 0.3], &[-1.0, 0.5]);
    let mut tau = [0.0; 2];
    tree.inverse(&gravity(), &[0.0; 2], &mut scratch, &mut tau);
    assert_near("G7", &tau, &[10.684198504, 3.666391729]);
}

/// proves: ref/F1
#[test]
fn a_point_mass_on_a_massless_rod_swings_as_the_library_of_benchmarks_says() {
    let body = diagonal(1.0, -DVec3::X, [0.0; 3]);
    let joint = Joint::Revolute { axis: DVec3::Z };
    let tree = tree_of(&[LinkSpec { body, ..rod(None, DVec3::ZERO, joint) }]);
    let gravity = DVec3::new(0.0, -9.81, 0.0);
    let given = [
        (1.0, 0.9862917511, -0.1650108531),
        (5.0, -0.9423054350, -0.3347543384),
        (10.0, -0.2750874626, -0.9614192051),
    ];
    let mut worst = 0.0_f64;
    for (time, x, y) in given {
        let [q, v] = integrated(&tree, &[0.0], &[0.0], time, 1000 * time as usize, gravity);
        let scratch = placed(&tree, &q, &v);
        let at = scratch.body_state(&tree, 0).position;
        let energy = scratch.kinetic_energy() + scratch.potential_energy(gravity);
        worst = worst.max((at - DVec3::new(x, y, 0.0)).length());
        assert!(energy.abs() < 1e-9, "{energy} J at {time} s");
    }
    println!("off by {worst:e} m in 10 s");
    // As the reference case states it.
    assert!(worst < 1e-6, "{worst:e}");
}
