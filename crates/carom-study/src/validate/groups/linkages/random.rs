//! Trees at random against dense matrices.

use glam::DVec3;
use oracles::linkage::{Kind, solve};

use carom_dynamics::Impulse;
use carom_dynamics::spatial::ForceVector;
use carom_dynamics::tree::constraint::{Constraint, ConstraintScratch};
use carom_dynamics::tree::{LinkImpulse, LinkPoint, ResponseScratch};

use super::super::super::{Context, Row};
use super::same::{GRAVITY, Same};
use super::{GUIDE, off, worse};

const KINDS: [(Kind, &str); 3] =
    [(Kind::Serial, "serial"), (Kind::Tree, "tree"), (Kind::Floating, "floating")];
const SIZES: [usize; 4] = [2, 3, 6, 9];

/// What sums of some hundred products, over joint inertias down to a thousandth of the largest, may lose `[-]`.
const ROUNDING: f64 = 1e-10;

/// The error of an answer about one linkage; none where there is no answer.
type Question = fn(&Context, &Same) -> Option<f64>;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = Vec::new();
    for (kind, name) in KINDS {
        let what = format!("accelerations of random linkages ({name}): largest relative error");
        rows.push(row(&format!("R-05/{name}"), &what, over(kind, |same| forward(context, same))));
    }
    let all = |of: &dyn Fn(&Same) -> Option<f64>| {
        KINDS.iter().map(|(kind, _)| over(*kind, of)).fold(0.0, worse)
    };
    let questions: [(&str, &str, Question); 8] = [
        ("R-02/velocities", "velocities of links against derivatives of their poses", velocities),
        ("R-03/accelerations", "accelerations of links against second derivatives", accelerations),
        ("R-09/inverse", "joint forces for given accelerations", inverse),
        ("R-09/prescribed", "accelerations and forces where some of each are given", prescribed),
        ("R-10/wrench", "a wrench on a link against Jᵀf in the joints", wrench),
        ("R-17/response", "K of two points of one linkage against J·H⁻¹·Jᵀ", response),
        ("R-22/jumps", "jumps of rates by an impulse on a link against H⁻¹·Jᵀ·p", jumps),
        ("R-37/held", "accelerations and forces under three constraints at once", held),
    ];
    for (key, what, question) in questions {
        let what = format!("{what}: largest relative error");
        rows.push(row(key, &what, all(&|same| question(context, same))));
    }
    rows.push(impact(context));
    rows
}

fn row(key: &str, what: &str, worst: f64) -> Row {
    let source = format!("{GUIDE}, checklist; oracles::linkage: dense matrices");
    Row::case(format!("m2/{key}"), what, &source).absolute(ROUNDING, 0.0, worst)
}

/// The largest error over linkages of several sizes.
fn over(kind: Kind, of: impl Fn(&Same) -> Option<f64>) -> f64 {
    let mut worst = 0.0;
    for (seed, size) in SIZES.into_iter().enumerate() {
        let found = Same::random(kind, size, 40 + seed as u64);
        worst = worse(worst, found.and_then(|same| of(&same)).unwrap_or(f64::NAN));
    }
    worst
}

fn forward(context: &Context, same: &Same) -> Option<f64> {
    Some(off(&same.expected()[same.other..], &same.accelerations(context)?))
}

#[expect(clippy::unnecessary_wraps, reason = "one question among others that may have no answer")]
fn velocities(context: &Context, same: &Same) -> Option<f64> {
    let [q, v, _] = &same.theirs;
    let motions = same.dense.motions(q, v, &vec![0.0; v.len()]);
    let scratch = same.placed(context);
    let (mut expected, mut got) = (Vec::new(), Vec::new());
    for link in 0..same.tree.n_links() {
        let motion = motions[same.link(link)];
        expected.extend([motion.center[1], motion.spin[0]].concat());
        let state = scratch.body_state(&same.tree, link);
        got.extend([state.velocity.to_array(), state.angular_velocity.to_array()].concat());
    }
    Some(off(&expected, &got))
}

fn accelerations(context: &Context, same: &Same) -> Option<f64> {
    let [q, v, _] = &same.theirs;
    let motions = same.dense.motions(q, v, &same.expected());
    let mut scratch = same.placed(context);
    let mut v_dot = vec![0.0; same.tree.n_v()];
    same.tree.forward(&same.load(context), &mut scratch, &mut v_dot).ok()?;
    let (mut expected, mut got) = (Vec::new(), Vec::new());
    for link in 0..same.tree.n_links() {
        let motion = motions[same.link(link)];
        expected.extend([motion.center[2], motion.spin[1]].concat());
        let found = scratch.body_kinematics(&same.tree, link);
        got.extend(
            [found.acceleration, found.angular_acceleration].map(|it| it.to_array()).concat(),
        );
    }
    Some(off(&expected, &got))
}

/// τ = H·q̈ + b; only where both count the same freedoms.
#[expect(clippy::unnecessary_wraps, reason = "one question among others that may have no answer")]
fn inverse(context: &Context, same: &Same) -> Option<f64> {
    if same.other > 0 {
        return Some(0.0);
    }
    let [q, v, wanted] = &same.theirs;
    let bias = same.dense.bias(q, v, GRAVITY);
    let h = same.dense.mass_matrix(q);
    let inner = |row: &Vec<f64>| row.iter().zip(wanted).map(|(h, a)| h * a).sum::<f64>();
    let expected: Vec<f64> = h.iter().zip(&bias).map(|(row, b)| inner(row) + b).collect();
    let mut scratch = same.placed(context);
    let mut tau = vec![0.0; wanted.len()];
    let load = carom_dynamics::tree::Load { tau: &[], ..same.load(context) };
    same.tree.inverse(&load, wanted, &mut scratch, &mut tau);
    Some(off(&expected, &tau))
}

/// Every second freedom has its acceleration given: the rest follows from H·q̈ + b = τ, rows and columns sorted.
fn prescribed(context: &Context, same: &Same) -> Option<f64> {
    if same.other > 0 {
        return Some(0.0);
    }
    let [q, v, given] = &same.theirs;
    let n = given.len();
    let (h, bias) = (same.dense.mass_matrix(q), same.dense.bias(q, v, GRAVITY));
    let fixed: Vec<bool> = (0..n).map(|k| k % 2 == 0).collect();
    // Unknowns: q̈ where τ is given, τ where q̈ is given.
    let mut matrix = vec![vec![0.0; n]; n];
    let mut right = vec![0.0; n];
    for i in 0..n {
        right[i] = -bias[i] + if fixed[i] { 0.0 } else { given[i] };
        for j in 0..n {
            if fixed[j] {
                right[i] -= h[i][j] * given[j];
                matrix[i][j] = if i == j { -1.0 } else { 0.0 };
            } else {
                matrix[i][j] = h[i][j];
            }
        }
    }
    let unknown = solve(&matrix, &right);
    let pick =
        |k: usize, want_fixed: bool| if fixed[k] == want_fixed { given[k] } else { unknown[k] };
    let expected: Vec<f64> =
        (0..n).map(|k| pick(k, true)).chain((0..n).map(|k| pick(k, false))).collect();
    let mut scratch = same.placed(context);
    let (mut v_dot, mut tau) = (given.clone(), vec![0.0; n]);
    same.tree.mixed(&same.load(context), &fixed, &mut scratch, &mut v_dot, &mut tau).ok()?;
    Some(off(&expected, &[v_dot, tau].concat()))
}

/// A point of the last link.
fn point(same: &Same) -> Option<LinkPoint> {
    let [q, v, _] = &same.theirs;
    let motion = *same.dense.motions(q, v, v).last()?;
    let point = DVec3::from(motion.center[0]) + DVec3::new(0.1, -0.2, 0.3);
    Some(LinkPoint { link: same.tree.n_links() - 1, point })
}

fn wrench(context: &Context, same: &Same) -> Option<f64> {
    let at = point(same)?;
    let force = DVec3::new(3.0, -1.0, 2.0);
    let [q, v, tau] = &same.theirs;
    let jacobian = same.dense.jacobian(q, same.link(at.link), at.point.to_array());
    let pushed: Vec<f64> =
        jacobian.iter().zip(tau).map(|(j, t)| t + force.dot(DVec3::from(*j))).collect();
    let expected = same.dense.accelerations(q, v, &pushed, GRAVITY);
    let mut scratch = same.placed(context);
    let mut wrenches = vec![ForceVector::ZERO; same.tree.n_links()];
    let arm = at.point - scratch.pose(at.link).translation;
    wrenches[at.link] = ForceVector::acting_at(arm, force);
    let mut v_dot = vec![0.0; same.tree.n_v()];
    let load = carom_dynamics::tree::Load { wrenches: &wrenches, ..same.load(context) };
    same.tree.forward(&load, &mut scratch, &mut v_dot).ok()?;
    Some(off(&expected[same.other..], &v_dot[same.other..]))
}

/// How the last link and the first answer each other at one point.
fn response(context: &Context, same: &Same) -> Option<f64> {
    let end = point(same)?;
    let root = LinkPoint { link: 0, ..end };
    let place = end.point.to_array();
    let k = same
        .dense
        .response(&same.theirs[0], &[(same.link(end.link), place), (same.link(root.link), place)]);
    let expected: Vec<f64> = (0..9)
        .map(|at| {
            let (i, j) = (at / 3, at % 3);
            k[i][j] + k[i + 3][j + 3] - k[i][j + 3] - k[i + 3][j]
        })
        .collect();
    let mut blocks = [glam::DMat3::ZERO; 4];
    let mut scratch = same.placed(context);
    let mut memory = ResponseScratch::default();
    same.tree.point_responses(&[end, root], &mut scratch, &mut memory, &mut blocks).ok()?;
    let [a, ab, ba, b] = blocks;
    let got = context.subject.pair_response([a, b], [ab, ba]);
    Some(off(&expected, &got.transpose().to_cols_array()))
}

fn jumps(context: &Context, same: &Same) -> Option<f64> {
    let at = point(same)?;
    let linear = DVec3::new(1.0, 2.0, 3.0);
    let q = &same.theirs[0];
    let jacobian = same.dense.jacobian(q, same.link(at.link), at.point.to_array());
    let right: Vec<f64> = jacobian.iter().map(|j| linear.dot(DVec3::from(*j))).collect();
    let expected = solve(&same.dense.mass_matrix(q), &right);
    let impulse = Impulse { point: at.point, linear, angular: DVec3::ZERO };
    let mut found = vec![0.0; same.tree.n_v()];
    let mut scratch = same.placed(context);
    let impulses = [LinkImpulse { link: at.link, impulse }];
    same.tree.impulse_response(&impulses, &[], &mut scratch, &mut found).ok()?;
    Some(off(&expected[same.other..], &super::told(context, &found)[same.other..]))
}

/// H·q̈ − Jᵀf = τ − b and J·q̈ = a − a⁰, in one dense system: a point held in three directions.
fn held(context: &Context, same: &Same) -> Option<f64> {
    let at = point(same)?;
    let [q, v, tau] = &same.theirs;
    let n = v.len();
    let ancestors = std::iter::successors(Some(at.link), |link| same.tree.parent(*link));
    // A point that fewer freedoms than three move cannot be held in three directions.
    if same.other == 0 && ancestors.count() < 4 {
        return Some(0.0);
    }
    let link = same.link(at.link);
    let (h, bias) = (same.dense.mass_matrix(q), same.dense.bias(q, v, GRAVITY));
    let jacobian = same.dense.jacobian(q, link, at.point.to_array());
    let still = same.dense.motions(q, v, &vec![0.0; n])[link];
    let [spin, rate] = still.spin.map(DVec3::from);
    let arm = at.point - DVec3::from(still.center[0]);
    let own = DVec3::from(still.center[2]) + rate.cross(arm) + spin.cross(spin.cross(arm));
    let target = DVec3::new(1.0, -2.0, 0.5);
    let (mut matrix, mut right) = (vec![vec![0.0; n + 3]; n + 3], vec![0.0; n + 3]);
    for i in 0..n {
        matrix[i][..n].copy_from_slice(&h[i]);
        right[i] = tau[i] - bias[i];
        for axis in 0..3 {
            matrix[i][n + axis] = -jacobian[i][axis];
            matrix[n + axis][i] = jacobian[i][axis];
            right[n + axis] = target[axis] - own[axis];
        }
    }
    let expected = solve(&matrix, &right);
    let mut scratch = same.placed(context);
    let (mut v_dot, mut forces) = (vec![0.0; same.tree.n_v()], [0.0; 3]);
    let constraints = Constraint::point(at, target);
    let mut memory = ConstraintScratch::default();
    let load = same.load(context);
    same.tree
        .constrain_accelerations(
            &load,
            &constraints,
            &mut scratch,
            &mut memory,
            &mut v_dot,
            &mut forces,
        )
        .ok()?;
    Some(off(&expected[same.other..], &[&v_dot[same.other..], &forces].concat()))
}

/// Velocities after an impact that brings a point to rest: the same whatever gravity is, and from dense matrices without any.
fn impact(context: &Context) -> Row {
    let found = || {
        let same = Same::random(Kind::Serial, 6, 77)?;
        let at = point(&same)?;
        let [q, v, _] = &same.theirs;
        let n = v.len();
        let h = same.dense.mass_matrix(q);
        let jacobian = same.dense.jacobian(q, at.link, at.point.to_array());
        let (mut matrix, mut right) = (vec![vec![0.0; n + 3]; n + 3], vec![0.0; n + 3]);
        for i in 0..n {
            matrix[i][..n].copy_from_slice(&h[i]);
            for axis in 0..3 {
                matrix[i][n + axis] = -jacobian[i][axis];
                matrix[n + axis][i] = jacobian[i][axis];
                right[n + axis] -= jacobian[i][axis] * v[i];
            }
        }
        let expected = solve(&matrix, &right);
        let mut scratch = same.placed(context);
        // What forward dynamics left behind must not get into the jumps (erratum E16).
        same.tree.forward(&same.load(context), &mut scratch, &mut vec![0.0; n]).ok()?;
        let (mut jumps, mut impulses) = (vec![0.0; n], [0.0; 3]);
        let still = Constraint::point(at, DVec3::ZERO);
        let mut memory = ConstraintScratch::default();
        let rates = context.subject.rates(v);
        same.tree
            .constrain_velocities(
                &rates,
                &[],
                &still,
                &mut scratch,
                &mut memory,
                &mut jumps,
                &mut impulses,
            )
            .ok()?;
        Some((expected, [jumps, impulses.to_vec()].concat()))
    };
    let (expected, got) = found().unwrap_or((vec![0.0], vec![f64::NAN]));
    let what = "a point of a moving linkage under gravity is stopped: jumps of rates, and impulses";
    let source = format!("{GUIDE}, checklist R-38; oracles::linkage: dense matrices");
    Row::case("m2/R-38/stopped", what, &source).relative(ROUNDING, expected, got)
}
