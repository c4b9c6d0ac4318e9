//! A second way to integrate a collision, slow and plain: in p_z, by extrapolated midpoint steps.
//!
//! Shares nothing with the first but the statement of the problem (guide CR-10): state (u, W_z, p_t), rate (K·ξ, u_z, −μû),
//! events bracketed and halved in by shorter and shorter steps, sticking at a sliding speed that is next to nothing.
//!
//! Errors of a step are shares, of the speed and of the larger of |u|²/K₃₃ and the work so far: where K is small or nearly
//! singular, work is 10⁴ times the speed in numbers, and no step would be short enough for its rounding. Rounding of
//! thousands of steps is what limits it: some 10⁻¹⁰ for one matrix in a thousand with a condition number of 10⁴.

use glam::{DVec2, DVec3};

use super::super::{Collision, RestitutionLaw};

/// Sliding speed that counts as none, as a share of the speed.
const STOPPED: f64 = 3e-15;

/// u, W_z and p at a normal impulse.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) velocity: DVec3,
    pub(super) work: f64,
    pub(super) impulse: DVec3,
}

impl State {
    fn plus(self, by: f64, rate: Self) -> Self {
        Self {
            velocity: self.velocity + by * rate.velocity,
            work: self.work + by * rate.work,
            impulse: self.impulse + by * rate.impulse,
        }
    }

    /// The larger of the differences in velocity and in work, as shares of a speed and of the larger of a work and its own.
    fn distance(&self, other: &Self, speed: f64, work: f64) -> f64 {
        let velocity = (self.velocity - other.velocity).abs().max_element() / speed;
        velocity.max((self.work - other.work).abs() / work.max(self.work.abs()))
    }
}

/// What holds in a stretch: sliding that may turn, or a fixed direction of the impulse.
#[derive(Clone, Copy)]
enum Mode {
    Sliding,
    Fixed(DVec3),
}

fn rate(collision: &Collision, mode: Mode, at: &State) -> State {
    let xi = match mode {
        Mode::Fixed(xi) => xi,
        Mode::Sliding => {
            let slip = at.velocity.truncate();
            (-collision.friction * slip / slip.length()).extend(1.0)
        }
    };
    State { velocity: collision.matrix * xi, work: at.velocity.z, impulse: xi }
}

/// One step by Gragg's midpoint rule, extrapolated; with an estimate of the error.
fn leap(collision: &Collision, mode: Mode, from: State, by: f64) -> (State, f64) {
    const PARTS: [u32; 8] = [2, 4, 6, 8, 10, 12, 14, 16];
    let speed = collision.velocity.length();
    let work = speed * speed / collision.matrix.z_axis.z;
    let mut table: Vec<State> = Vec::new();
    let mut error = 0.0;
    for (row, parts) in PARTS.into_iter().enumerate() {
        let h = by / f64::from(parts);
        let (mut before, mut now) = (from, from.plus(h, rate(collision, mode, &from)));
        for _ in 1..parts {
            (before, now) = (now, before.plus(2.0 * h, rate(collision, mode, &now)));
        }
        // Smoothed, so that the error has even powers of h only.
        let ahead = before.plus(h, rate(collision, mode, &now));
        let mut next = vec![now.plus(0.5, ahead.plus(-1.0, now))];
        for column in 0..row {
            let ratio = f64::from(parts) / f64::from(PARTS[row - 1 - column]);
            let factor = 1.0 / (ratio * ratio - 1.0);
            let finer = next[column];
            next.push(finer.plus(factor, finer.plus(-1.0, table[column])));
        }
        if row > 0 {
            error = next[row].distance(&next[row - 1], speed, work);
        }
        table = next;
    }
    (table[PARTS.len() - 1], error)
}

/// Integrates a collision; `None` if it does not come to an end.
pub(super) fn integrate(collision: &Collision) -> Option<State> {
    let mut at = State { velocity: collision.velocity, work: 0.0, impulse: DVec3::ZERO };
    let size = collision.velocity.length();
    let mut mode = Mode::Sliding;
    let (mut compressing, mut turn) = (true, at);
    let mut step = 0.01 * size / collision.matrix.z_axis.z;
    for _ in 0..20_000 {
        if at.velocity.truncate().length() <= STOPPED * size && matches!(mode, Mode::Sliding) {
            at.velocity = DVec2::ZERO.extend(at.velocity.z);
            mode = Mode::Fixed(after_sliding(collision));
        }
        let (next, by) = controlled(collision, mode, at, step);
        let passes = |it: &State| {
            let falls = it.velocity.z < 0.0;
            if compressing { !falls } else { falls || ends(collision, &turn, it) }
        };
        if !passes(&next) {
            (at, step) = (next, 1.5 * by);
            continue;
        }
        at = locate(collision, mode, at, by, &passes);
        let parts = !compressing && at.velocity.z > -1e-13 * size;
        let met = parts && ends(collision, &turn, &at);
        if met || (compressing && collision.restitution == 0.0) {
            return Some(at);
        }
        if compressing {
            turn = at;
        }
        compressing = !compressing;
    }
    None
}

/// A step of at most this length, halved until its error is next to nothing, that does not go past the end of sliding.
fn controlled(collision: &Collision, mode: Mode, at: State, longest: f64) -> (State, f64) {
    let size = collision.velocity.length();
    let drift = rate(collision, mode, &at).velocity.truncate().length();
    let most = match mode {
        Mode::Sliding => 0.2 * at.velocity.truncate().length() / drift,
        Mode::Fixed(_) => f64::INFINITY,
    };
    let mut by = longest.min(most);
    let shortest = 1e-9 * size / collision.matrix.z_axis.z;
    loop {
        let (next, error) = leap(collision, mode, at, by);
        if error <= 3e-15 || by <= shortest {
            return (next, by);
        }
        by *= 0.5;
    }
}

/// The first state that passes, by halving.
fn locate(
    c: &Collision,
    mode: Mode,
    from: State,
    by: f64,
    passes: &dyn Fn(&State) -> bool,
) -> State {
    let (mut low, mut high) = (0.0, by);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if passes(&leap(c, mode, from, middle).0) { high = middle } else { low = middle }
    }
    leap(c, mode, from, high).0
}

fn ends(collision: &Collision, turn: &State, at: &State) -> bool {
    let e = collision.restitution;
    match collision.law {
        RestitutionLaw::Stronge => at.work - turn.work >= -e * e * turn.work,
        RestitutionLaw::Poisson => at.impulse.z >= (1.0 + e) * turn.impulse.z,
        RestitutionLaw::Newton => at.velocity.z >= -e * collision.velocity.z,
    }
}

/// dp/dp_z once sliding has ended (theorems 9 and 16), the diverging ray by halving its growth.
fn after_sliding(collision: &Collision) -> DVec3 {
    let k = collision.matrix;
    let inverse = k.inverse();
    let hold = inverse.z_axis / inverse.z_axis.z;
    let mu = collision.friction;
    if hold.truncate().length() <= mu {
        return hold;
    }
    let s = k.z_axis.truncate();
    let ray = |growth: f64| {
        let m = mu * glam::DMat2::from_cols(k.x_axis.truncate(), k.y_axis.truncate());
        (m + growth * glam::DMat2::IDENTITY).inverse() * s
    };
    let (mut low, mut high) = (0.0, s.length());
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if ray(middle).length() > 1.0 { low = middle } else { high = middle }
    }
    (-mu * ray(high).normalize_or_zero()).extend(1.0)
}
