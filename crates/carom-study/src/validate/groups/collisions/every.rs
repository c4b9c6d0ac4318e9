//! What holds of every collision: CR-R1, CR-R6, CR-R8, CR-R10, CR-R12, CR-R13 and CR-R15, under random input.
//!
//! Bodies are those of `oracles::impact::Striker`, which has its own collision matrix and applies impulses by itself.

use glam::{DMat3, DVec3};
use oracles::impact::samples::{Random, box_corner};
use oracles::impact::{Impact, Law, Striker, critical_friction, rays};

use carom_contact::collision::{Answer, Collision, Ending, RestitutionLaw};
use carom_dynamics::{BodyState, Mass};

use super::super::super::{Context, Row};
use super::energy::body;
use super::{both, difference, largest, solve, worse};

const STRIKER: &str = "oracles::impact::Striker: 1/m − r̃·I⁻¹·r̃, and velocities after an impulse";
const THESIS: &str = "Mirtich 1996, theorem 11: ΔT = ½(u₀ + u)·p, and Stronge's law";
const LEMMA: &str = "Mirtich 1996, lemma 3";
const QUARTIC: &str = "oracles::impact: the real roots of the thesis's quartic";
const N_BODIES: u32 = 1000;
const N_RAYS: u32 = 300;
/// Slender bodies spin fast; the velocity of a point is then a difference of larger ones `[-]`.
const ROUNDING: f64 = 1e-11;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = bodies(context).to_vec();
    rows.extend(one_ray(context));
    rows.extend(extensions(context));
    rows.push(receding(context));
    rows
}

/// A body about to strike the ground at a point, as both programs see it.
struct Meeting {
    mass: Mass,
    state: BodyState,
    point: DVec3,
    striker: Striker,
    /// By which the oracle's energy is counted, in world axes.
    inertia: DMat3,
}

impl Meeting {
    /// One that closes.
    fn new(context: &Context, random: &mut Random) -> Self {
        let (mass, mut state, point) = body(random);
        if state.velocity_at(point).z > 0.0 {
            state.velocity = -state.velocity;
            state.angular_velocity = -state.angular_velocity;
        }
        let axes = DMat3::from_quat(state.orientation);
        let turned = |moments| axes * DMat3::from_diagonal(moments) * axes.transpose();
        let striker = Striker {
            mass: mass.mass,
            inverse_inertia: turned(1.0 / mass.moments).to_cols_array_2d(),
            arm: (point - state.position).to_array(),
            velocity: state.velocity.to_array(),
            spin: state.angular_velocity.to_array(),
        };
        let inertia = turned(mass.moments);
        Self { mass: context.subject.moving(mass), state, point, striker, inertia }
    }

    fn matrix(&self) -> DMat3 {
        self.mass.response(&self.state, self.point, self.point)
    }

    fn collision(&self, random: &mut Random) -> Collision {
        Collision {
            matrix: self.matrix(),
            velocity: self.state.velocity_at(self.point),
            friction: 2.0 * random.unit(),
            restitution: random.unit(),
            law: RestitutionLaw::Stronge,
            least_rebound: 0.0,
        }
    }

    /// The oracle's body after an impulse.
    fn after(&self, impulse: DVec3) -> Striker {
        let (velocity, spin) = self.striker.after(impulse.to_array());
        Striker { velocity, spin, ..self.striker }
    }

    /// Kinetic energy of an oracle's body `[J]`.
    fn energy(&self, striker: &Striker) -> f64 {
        let (velocity, spin) =
            (DVec3::from_array(striker.velocity), DVec3::from_array(striker.spin));
        0.5 * striker.mass * velocity.length_squared() + 0.5 * spin.dot(self.inertia * spin)
    }
}

/// Largest errors over all bodies, as shares.
#[derive(Default)]
struct Worst {
    /// Matrices that are not positive definite.
    n_indefinite: f64,
    matrix: f64,
    velocity: f64,
    energy: f64,
    law: f64,
}

impl Worst {
    fn add(&mut self, meeting: &Meeting, collision: &Collision, answer: &Answer) {
        let k = collision.matrix;
        let minors = [k.x_axis.x, k.x_axis.x * k.y_axis.y - k.x_axis.y * k.y_axis.x];
        let definite = minors.iter().all(|minor| *minor > 0.0) && k.determinant() > 0.0;
        self.n_indefinite += f64::from(u8::from(!definite));
        // Column by column, so that a matrix that is not symmetric is noticed.
        let expected = meeting.striker.matrix().concat();
        let off = difference(&k.to_cols_array(), &expected) / largest(&expected);
        self.matrix = worse(self.matrix, off);
        let after = meeting.after(answer.impulse);
        let speed = collision.velocity.length();
        let off = difference(&answer.velocity.to_array(), &after.contact_velocity()) / speed;
        self.velocity = worse(self.velocity, off);
        let before = meeting.energy(&meeting.striker);
        let lost = answer.normal_work + answer.friction_work;
        let off = (meeting.energy(&after) - before - lost).abs() / before;
        self.energy = worse(self.energy, off);
        let e = collision.restitution;
        let left = answer.normal_work / answer.compression_work;
        self.law = worse(self.law, (left - (1.0 - e * e)).abs());
    }
}

/// CR-R1 and CR-R8: matrix, velocities, energy and the law of restitution.
fn bodies(context: &Context) -> [Row; 4] {
    let mut random = Random(21);
    let mut worst = Worst::default();
    for _ in 0..N_BODIES {
        let meeting = Meeting::new(context, &mut random);
        let collision = meeting.collision(&mut random);
        worst.add(&meeting, &collision, &context.subject.collide(collision));
    }
    let row = |key: &str, what: &str, source: &str| {
        Row::case(format!("m1/{key}"), format!("{N_BODIES} random bodies: {what}"), source)
    };
    let none = vec![0.0; 2];
    [
        row(
            "CR-R1/matrix",
            "K that are indefinite, and the largest error of one, as a share",
            STRIKER,
        )
        .absolute(1e-12, none, vec![worst.n_indefinite, worst.matrix]),
        row("CR-R1/velocity", "largest error of u, as a share of that before", STRIKER).absolute(
            ROUNDING,
            0.0,
            worst.velocity,
        ),
        row("CR-R8/energy", "largest error of work, as a share of the energy before", THESIS)
            .absolute(ROUNDING, 0.0, worst.energy),
        row("CR-R8/law", "largest error of W_z/W_c = 1 − e²", THESIS)
            .absolute(1e-14, 0.0, worst.law),
    ]
}

/// CR-R6: bodies that do not slide diverge where the quartic has one diverging ray, and stick where it has none.
fn one_ray(context: &Context) -> [Row; 2] {
    let mut random = Random(22);
    let mut wrong = [0.0; 2];
    for _ in 0..N_RAYS {
        let meeting = Meeting::new(context, &mut random);
        let matrix = meeting.striker.matrix();
        let friction = random.scale(0.05, 2.0);
        let all = rays(&matrix, friction);
        let n_diverging = all.iter().filter(|ray| ray.rate > 0.0).count();
        let is_stable = critical_friction(&matrix) <= friction;
        let ending = solve(context, &still(matrix, friction)).ending;
        let expected = if n_diverging == 1 { Ending::Diverges } else { Ending::Sticks };
        wrong[0] += f64::from(u8::from(n_diverging != usize::from(!is_stable)));
        wrong[1] += f64::from(u8::from(ending != expected));
    }
    let what = format!(
        "{N_RAYS} random bodies without sliding: not one diverging ray if sticking is unstable and none if it is \
         stable, and endings that do not fit"
    );
    let rays =
        Row::case("m1/CR-R6/rays", what, QUARTIC).absolute(0.0, vec![0.0; 2], wrong.to_vec());
    [rays, half_turn(context)]
}

fn still(matrix: [[f64; 3]; 3], friction: f64) -> Impact {
    let velocity = [0.0, 0.0, -1.0];
    Impact { matrix, velocity, friction, restitution: 0.5, law: Law::Stronge }
}

/// A diverging ray at θ = π, where tan(θ/2) is infinite: s along −x and M along the axes. With μ = 0.3 the points slide
/// along −x, dp/dp_z = (0.3, 0, 1) and du/dp_z = (−0.775, 0, 2.86).
fn half_turn(context: &Context) -> Row {
    let matrix = [[1.75, 0.0, -1.3], [0.0, 4.0, 0.0], [-1.3, 0.0, 3.25]];
    let got = solve(context, &still(matrix, 0.3));
    let push = 1.5 / 2.86;
    let what = "a diverging ray at half a turn: impulse and velocity after";
    Row::case("m1/CR-R6/half-turn", what, "by hand").absolute(
        1e-14,
        both([0.3 * push, 0.0, push], [-0.775 * push, 0.0, 0.5]),
        both(got.impulse, got.velocity),
    )
}

/// CR-R10: run on from the maximum compression to u_z = √(2·W_r·(K₃₃ − μ‖s‖)), normal impulse does no more than the work
/// W_r = e²·|W_c| that is to be returned, and just that without friction.
fn extensions(context: &Context) -> [Row; 2] {
    let mut random = Random(23);
    let (mut beyond, mut smooth) = (0.0, 0.0);
    for _ in 0..N_BODIES {
        let impact = box_corner(&mut random, Law::Stronge);
        // What is returned is read off a difference, which needs it to be large enough.
        let impact = Impact { restitution: impact.restitution.max(0.1), ..impact };
        if let Some(share) = extended(context, &impact) {
            beyond = worse(beyond, share - 1.0);
        }
        let share = extended(context, &Impact { friction: 0.0, ..impact });
        smooth = worse(smooth, share.map_or(f64::NAN, |share| (share - 1.0).abs()));
    }
    let row = |key: &str, what: &str| {
        let what = format!("{N_BODIES} corners of boxes, extended: {what}, as a share");
        Row::case(format!("m1/CR-R10/{key}"), what, LEMMA)
    };
    [
        row("bound", "largest excess of work").absolute(1e-9, 0.0, beyond),
        row("smooth", "largest error of work without friction").absolute(1e-9, 0.0, smooth),
    ]
}

/// Work of the extension as a share of what is to be returned; none where friction can press the points together.
fn extended(context: &Context, impact: &Impact) -> Option<f64> {
    let [[_, _, x], [_, _, y], [_, _, c]] = impact.matrix;
    let room = c - impact.friction * libm::hypot(x, y);
    if room <= 0.0 {
        return None;
    }
    let compression = solve(context, impact).compression_work;
    let returned = -impact.restitution * impact.restitution * compression;
    let speed = (2.0 * returned * room).sqrt();
    // Newton's law stops at a stated speed.
    let restitution = speed / -impact.velocity[2];
    let answer = solve(context, &Impact { law: Law::Newton, restitution, ..*impact });
    Some((answer.normal_work - answer.compression_work) / returned)
}

/// CR-R15, of points: those that part or keep their distance get nothing.
fn receding(context: &Context) -> Row {
    let mut random = Random(24);
    let mut given = 0.0;
    let mut n_other = 0.0;
    for number in 0..N_BODIES {
        let mut impact = box_corner(&mut random, Law::Stronge);
        impact.velocity[2] = if number % 10 == 0 { 0.0 } else { random.scale(1e-12, 10.0) };
        let answer = solve(context, &impact);
        given = worse(given, answer.impulse.length());
        let is_as_before = answer.velocity == DVec3::from_array(impact.velocity);
        let is_told = answer.ending == Ending::Receding;
        n_other += f64::from(u8::from(!(is_as_before && is_told)));
    }
    let what = format!(
        "{N_BODIES} corners of boxes that do not close: largest impulse in N·s, and those that change"
    );
    Row::case("m1/CR-R15/points", what, "guide to Mirtich 1996, CR-R15").absolute(
        0.0,
        vec![0.0; 2],
        vec![given, n_other],
    )
}
