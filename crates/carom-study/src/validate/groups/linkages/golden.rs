//! Golden numbers G1 to G7 of the guide: two and three rods of 1 m and 1 kg.

use glam::{DMat3, DQuat, DVec3};
use oracles::impact::Law;
use oracles::impact::planar::{PlanarImpact, solve};

use carom_contact::collision::{Collision, RestitutionLaw};
use carom_dynamics::Impulse;
use carom_dynamics::tree::constraint::{ConstraintScratch, Side, Stop};
use carom_dynamics::tree::{
    Joint, LinkImpulse, LinkPoint, LinkSpec, Load, ResponseScratch, Row as Freedom, Scratch, Tree,
};
use carom_geometry::{MassProperties, Pose};

use super::super::super::{Context, Row};
use super::{GUIDE, told, worse};

const HINGE: Joint = Joint::Revolute { axis: DVec3::Y };
const LOWER_END: DVec3 = DVec3::new(0.0, 0.0, -1.0);
const BENT: [f64; 2] = [0.5, 0.3];
/// Nine decimals are given.
const GIVEN: f64 = 6e-10;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let none = |key: &str| vec![row(key, "two rods", vec![0.0], vec![f64::NAN])];
    let mut rows = hanging(context).unwrap_or_else(|| none("G1"));
    rows.extend(floating(context).unwrap_or_else(|| none("G3")));
    rows.extend(folded(context).map_or_else(|| none("G4"), |row| vec![row]));
    rows.extend(strikes(context).unwrap_or_else(|| none("G5")));
    rows.extend(held(context).unwrap_or_else(|| none("G6")));
    rows
}

fn row(key: &str, what: &str, expected: Vec<f64>, got: Vec<f64>) -> Row {
    let source = format!("{GUIDE}, section 15");
    Row::case(format!("m2/{key}"), what, &source).absolute(GIVEN, expected, got)
}

/// A rod that hangs from its upper end, where its frame is.
fn rod(parent: Option<usize>, at: DVec3, joint: Joint) -> LinkSpec {
    let inertia = DMat3::from_diagonal(DVec3::new(1.0 / 12.0, 1.0 / 12.0, 1e-3));
    let body = MassProperties { mass: 1.0, center: 0.5 * LOWER_END, inertia };
    LinkSpec { parent, parent_from_joint: Pose::from_translation(at), joint, body }
}

fn tree(links: &[LinkSpec]) -> Option<Tree> {
    let mut builder = Tree::builder();
    for link in links {
        builder.add(*link);
    }
    builder.build().ok()
}

fn two_rods(base: Joint) -> Option<Tree> {
    tree(&[rod(None, DVec3::ZERO, base), rod(Some(0), LOWER_END, HINGE)])
}

fn placed(context: &Context, tree: &Tree, q: &[f64], v: &[f64]) -> Scratch {
    let mut scratch = Scratch::new(tree);
    tree.place(q, &context.subject.rates(v), &mut scratch);
    scratch
}

fn gravity(context: &Context) -> Load<'static> {
    let gravity = context.subject.gravity(DVec3::new(0.0, 0.0, -9.81));
    Load { gravity, ..Load::default() }
}

fn tip(scratch: &Scratch, link: usize) -> LinkPoint {
    LinkPoint { link, point: scratch.pose(link).point(LOWER_END) }
}

fn blocks(tree: &Tree, scratch: &mut Scratch, points: &[LinkPoint]) -> Option<Vec<DMat3>> {
    let mut blocks = vec![DMat3::ZERO; points.len() * points.len()];
    let mut memory = ResponseScratch::default();
    tree.point_responses(points, scratch, &mut memory, &mut blocks).ok()?;
    Some(blocks)
}

fn four(k: &DMat3) -> Vec<f64> {
    vec![k.x_axis.x, k.x_axis.z, k.z_axis.z, k.y_axis.y]
}

/// G1 and G2.
fn hanging(context: &Context) -> Option<Vec<Row>> {
    let tree = two_rods(HINGE)?;
    let mut scratch = placed(context, &tree, &BENT, &[1.0, -0.5]);
    let mut v_dot = [0.0; 2];
    tree.forward(&gravity(context), &mut scratch, &mut v_dot).ok()?;
    let centers = [0, 1].map(|link| scratch.body_state(&tree, link).position.to_array()).concat();
    let (mut h, mut inverse) = ([0.0; 4], [0.0; 4]);
    tree.mass_matrix(&mut scratch, &mut h);
    let freedoms = [Freedom::Freedom(0), Freedom::Freedom(1)];
    let mut memory = ResponseScratch::default();
    tree.response_matrix(&freedoms, &mut scratch, &mut memory, &mut inverse).ok()?;
    let at = tip(&scratch, 1);
    let k = blocks(&tree, &mut scratch, &[at])?[0];
    let velocity = scratch.velocity(1).at(at.point - scratch.pose(1).translation).linear;
    let impulse = Impulse { point: at.point, linear: DVec3::Z, angular: DVec3::ZERO };
    let mut jumps = [0.0; 2];
    let struck = [LinkImpulse { link: 1, impulse }];
    tree.impulse_response(&struck, &[], &mut scratch, &mut jumps).ok()?;
    let out = |numbers: &[f64]| told(context, numbers);
    Some(vec![
        row(
            "G1/accelerations",
            "two hanging rods: accelerations of their hinges",
            vec![-2.718498429, -4.385055642],
            v_dot.to_vec(),
        ),
        row(
            "G1/centres",
            "two hanging rods: their centres",
            vec![-0.239712769, 0.0, -0.438791281, -0.838103584, 0.0, -1.225935917],
            out(&centers),
        ),
        row(
            "G1/mass-matrix",
            "two hanging rods: the mass matrix",
            vec![2.622003156, 0.811001578, 0.811001578, 0.333333333],
            out(&h),
        ),
        row(
            "G1/inverse",
            "two hanging rods: its inverse",
            vec![1.541229877, -3.749819587, -3.749819587, 12.123328806],
            out(&inverse),
        ),
        row(
            "G2/response",
            "K of the tip of two rods, xx, xz, zz and yy",
            vec![1.478691869, -1.601490821, 2.007564838, 0.0],
            out(&four(&k)),
        ),
        row(
            "G2/velocity",
            "velocity of that tip",
            vec![-1.225935917, 0.0, 0.838103584],
            velocity.to_array().to_vec(),
        ),
        row(
            "G2/jumps",
            "jumps of the rates by an impulse upwards on that tip",
            vec![-0.845440317, 4.209028565],
            out(&jumps),
        ),
    ])
}

/// G3, and the transport term: seen in its own axes, the velocity of a centre changes by a − ω × v.
fn floating(context: &Context) -> Option<Vec<Row>> {
    // The frame of the first rod is at its centre here, where the guide has it.
    let inertia = DMat3::from_diagonal(DVec3::new(1.0 / 12.0, 1.0 / 12.0, 1e-3));
    let body = MassProperties { mass: 1.0, center: DVec3::ZERO, inertia };
    let base = LinkSpec { body, ..rod(None, DVec3::ZERO, Joint::Free) };
    let tree = tree(&[base, rod(Some(0), 0.5 * LOWER_END, HINGE)])?;
    let (sin, cos) = libm::sincos(0.25);
    let turn = DQuat::from_xyzw(0.0, sin, 0.0, cos);
    let (spin, velocity) = (DVec3::Y, DVec3::Y.cross(0.5 * LOWER_END));
    let place = turn * (0.5 * LOWER_END);
    let q = [&place.to_array()[..], &turn.to_array(), &[0.3]].concat();
    let v = [&velocity.to_array()[..], &spin.to_array(), &[-0.5]].concat();
    let mut scratch = placed(context, &tree, &q, &v);
    let mut v_dot = [0.0; 7];
    tree.forward(&gravity(context), &mut scratch, &mut v_dot).ok()?;
    let [one, other] = [0, 1].map(|link| scratch.body_kinematics(&tree, link));
    let a = one.acceleration;
    let derivative = context.subject.transported(DVec3::from_slice(&v_dot), spin, velocity);
    let end = tip(&scratch, 1);
    let k = blocks(&tree, &mut scratch, &[end])?[0];
    let mean = 0.5 * (a + other.acceleration);
    Some(vec![
        row(
            "G3/accelerations",
            "two falling rods: of the hinge, spin and centre of the first",
            vec![-0.519309134, 0.217389142, -0.169584331, 0.0, -10.044849250],
            vec![v_dot[6], one.angular_acceleration.y, a.x, a.y, a.z],
        ),
        row(
            "G3/mean",
            "two falling rods: mean acceleration of their centres",
            vec![0.0, 0.0, -9.81],
            mean.to_array().to_vec(),
        ),
        row(
            "G3/response",
            "K of the tip of two falling rods, xx, xz, zz and yy",
            vec![1.856469946, -1.457410300, 2.143530054, 2.983277181],
            told(context, &four(&k)),
        ),
        row(
            "R-08/transport",
            "the first of them: derivative of its velocity in its own axes, a − ω × v",
            vec![4.666933010, 0.0, -8.896487598 - 0.5],
            derivative.to_array().to_vec(),
        ),
    ])
}

/// G4: a chain of three whose tip strikes its first link.
fn folded(context: &Context) -> Option<Row> {
    let base = rod(None, 0.5 * DVec3::Z, Joint::Free);
    let tree = tree(&[base, rod(Some(0), LOWER_END, HINGE), rod(Some(1), LOWER_END, HINGE)])?;
    let mut q = tree.neutral();
    (q[7], q[8]) = (2.0, 2.2);
    let mut scratch = placed(context, &tree, &q, &[0.0; 8]);
    let end = tip(&scratch, 2);
    let k = blocks(&tree, &mut scratch, &[end, LinkPoint { link: 0, ..end }])?;
    let pair = context.subject.pair_response([k[0], k[3]], [k[1], k[2]]);
    Some(row(
        "G4/response",
        "a chain of three that strikes itself: K with cross terms, xx, xz, zz and yy",
        vec![3.936828017, -0.907975389, 3.383755040, 0.0],
        four(&pair),
    ))
}

/// G5, and a strike with friction on a K of rank two: what comes out of the collision is what the rods then do.
fn strikes(context: &Context) -> Option<Vec<Row>> {
    let tree = two_rods(HINGE)?;
    let v = [-1.0, 0.5];
    let mut scratch = Scratch::new(&tree);
    tree.place(&BENT, &v, &mut scratch);
    let at = tip(&scratch, 1);
    let arm = at.point - scratch.pose(1).translation;
    let matrix = blocks(&tree, &mut scratch, &[at])?[0];
    let velocity = scratch.velocity(1).at(arm).linear;
    let mut strike = |friction: f64, restitution: f64| {
        let answer = context.subject.collide(Collision {
            matrix,
            velocity,
            friction,
            restitution,
            law: RestitutionLaw::Stronge,
            least_rebound: 0.0,
        });
        let impulse = Impulse { point: at.point, linear: answer.impulse, angular: DVec3::ZERO };
        let mut jumps = [0.0; 2];
        let struck = [LinkImpulse { link: 1, impulse }];
        tree.impulse_response(&struck, &[], &mut scratch, &mut jumps).ok()?;
        let after = [v[0] + jumps[0], v[1] + jumps[1]];
        let mut moved = Scratch::new(&tree);
        tree.place(&BENT, &after, &mut moved);
        Some((answer, after, moved.kinetic_energy(), moved.velocity(1).at(arm).linear))
    };
    let mut rows = Vec::new();
    let cases = [
        ("elastic", 1.0, [0.834945470, -1.705896563, 4.014309335, 0.947167456]),
        ("plastic", 0.0, [0.417472735, -1.352948281, 2.257154668, 0.772224758]),
    ];
    for (key, restitution, expected) in cases {
        let (answer, after, energy, _) = strike(0.0, restitution)?;
        let what = format!(
            "the tip strikes a smooth floor, e = {restitution}: impulse, rates after, kinetic energy"
        );
        let got = vec![answer.impulse.z, after[0], after[1], energy];
        rows.push(row(&format!("G5/{key}"), &what, expected.to_vec(), got));
    }
    let (friction, restitution) = (0.3, 0.5);
    let planar = solve(&PlanarImpact {
        matrix: [matrix.x_axis.x, matrix.x_axis.z, matrix.z_axis.z],
        velocity: [velocity.x, velocity.z],
        friction,
        restitution,
        law: Law::Stronge,
    })?;
    let (answer, _, _, propagated) = strike(friction, restitution)?;
    let source = "oracles::impact::planar: exact pieces";
    let case = |key: &str, what: &str| Row::case(format!("m2/{key}"), what, source);
    rows.push(
        case("R-20/rank-two", "the same with friction, on a K of rank two: impulse").absolute(
            1e-9,
            vec![planar.impulse[0], 0.0, planar.impulse[1]],
            answer.impulse.to_array().to_vec(),
        ),
    );
    rows.push(
        case("R-24/propagated", "velocity of the tip after that, from the rates of both rods")
            .absolute(
                1e-9,
                vec![planar.velocity[0], 0.0, planar.velocity[1]],
                propagated.to_array().to_vec(),
            ),
    );
    let work = 0.5 * (velocity + propagated).dot(answer.impulse);
    rows.push(case("R-23/energy", "work of the impulse on the tip, ½(u₀ + u)·p").absolute(
        1e-9,
        planar.normal_work + planar.friction_work,
        work,
    ));
    // Every e and μ: what the whole linkage gains is the work of the impulse, and never more than nothing.
    let mut moving = Scratch::new(&tree);
    tree.place(&BENT, &v, &mut moving);
    let before = moving.kinetic_energy();
    let (mut works, mut gains) = (Vec::new(), Vec::new());
    for restitution in [0.0, 0.25, 0.5, 0.75, 1.0] {
        for friction in [0.0, 0.1, 0.3, 0.6, 1.0, 3.0] {
            let (answer, _, energy, after) = strike(friction, restitution)?;
            works.push(0.5 * (velocity + after).dot(answer.impulse));
            gains.push(energy - before);
        }
    }
    let most = gains.iter().copied().fold(f64::NEG_INFINITY, worse);
    let source = format!("{GUIDE}, checklist R-23");
    let what = "the same for e from 0 to 1 and μ from 0 to 3, 30 strikes: gains of kinetic energy against ½(u₀ + u)·p";
    rows.push(Row::case("m2/R-23/works", what, &source).in_unit("J").absolute(
        1e-9,
        works,
        told(context, &gains),
    ));
    let what = "of these gains the largest: none, where nothing slides and e = 1";
    rows.push(Row::case("m2/R-23/most", what, &source).in_unit("J").between(
        0.0,
        [-1e-9, 1e-12],
        most,
    ));
    Some(rows)
}

/// G6 and G7.
fn held(context: &Context) -> Option<Vec<Row>> {
    let tree = two_rods(HINGE)?;
    let v = [-1.0, 0.5];
    let mut scratch = placed(context, &tree, &BENT, &v);
    let stop = Stop { freedom: 1, side: Side::Upper, restitution: 0.0 };
    let (mut memory, mut jumps) = (ConstraintScratch::default(), [0.0; 2]);
    let impulse = tree.strike_stop(&v, &stop, &mut scratch, &mut memory, &mut jumps).ok()?;
    let mut tau = [0.0; 2];
    tree.inverse(&gravity(context), &[0.0; 2], &mut scratch, &mut tau);
    Some(vec![
        row(
            "G6/stop",
            "the second hinge strikes its stop: impulse, and jumps of both rates",
            vec![-0.041242798, 0.154653051, -0.5],
            told(context, &[impulse, jumps[0], jumps[1]]),
        ),
        row(
            "G7/torques",
            "torques that let nothing accelerate",
            vec![10.684198504, 3.666391729],
            tau.to_vec(),
        ),
    ])
}
