//! Collisions in a plane, exactly: u is piecewise linear in p_z.
//!
//! With tangential velocity u_x only, K = [ a e ; e c ]. Tangential impulse per normal impulse is −μ while u_x > 0, +μ
//! while u_x < 0, and −e/a while the contact sticks, which it does where |e| ≤ μ·a; else it slides on from u_x = 0 in the
//! direction of e. Each piece ends where u_x or u_z vanishes or restitution ends, whichever is first.

use super::Law;

/// A planar collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarImpact {
    /// a, e and c of K `[1/kg]`.
    pub matrix: [f64; 3],
    /// u_x and u_z, with u_z < 0 `[m/s]`.
    pub velocity: [f64; 2],
    /// μ `[-]`.
    pub friction: f64,
    /// Coefficient of restitution `[-]`.
    pub restitution: f64,
    /// What it means.
    pub law: Law,
}

/// How it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanarOutcome {
    /// p_x and p_z `[N·s]`.
    pub impulse: [f64; 2],
    /// u_x and u_z `[m/s]`.
    pub velocity: [f64; 2],
    /// W_c `[J]`.
    pub compression_work: f64,
    /// W_z `[J]`.
    pub normal_work: f64,
    /// W_t `[J]`.
    pub friction_work: f64,
}

/// Rates of p_x, u_x and u_z with p_z on a piece.
struct Piece {
    push: f64,
    sliding: f64,
    closing: f64,
}

/// What ends a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Stop,
    Crossing,
    Done,
}

/// How a planar collision ends; none if its pieces do not end.
pub fn solve(impact: &PlanarImpact) -> Option<PlanarOutcome> {
    let mut now = PlanarOutcome { velocity: impact.velocity, ..PlanarOutcome::default() };
    let mut compression_push = 0.0;
    let mut is_closing = true;
    // Slide, turn, compress and part, each at most twice.
    for _ in 0..16 {
        let piece = piece(impact, now.velocity[0]);
        let end = end_of_restitution(impact, &now, compression_push, &piece);
        let crossing = -now.velocity[1] / piece.closing;
        let stop = -now.velocity[0] / piece.sliding;
        let candidates = [
            (stop, Ending::Stop, now.velocity[0] != 0.0),
            (crossing, Ending::Crossing, is_closing == (piece.closing > 0.0)),
            (end, Ending::Done, !is_closing),
        ];
        let lasting = candidates.iter().filter(|(push, _, can)| *can && *push >= 0.0);
        let &(push, ending, _) = lasting.min_by(|a, b| a.0.total_cmp(&b.0))?;
        go(&mut now, &piece, push);
        match ending {
            Ending::Stop => now.velocity[0] = 0.0,
            Ending::Done => return Some(now),
            Ending::Crossing => {
                now.velocity[1] = 0.0;
                is_closing = !is_closing;
            }
        }
        if ending == Ending::Crossing && !is_closing {
            now.compression_work = now.normal_work;
            compression_push = now.impulse[1];
            if impact.restitution == 0.0 {
                return Some(now);
            }
        }
    }
    None
}

fn piece(impact: &PlanarImpact, sliding: f64) -> Piece {
    let [a, e, c] = impact.matrix;
    let mu = impact.friction;
    let sticks = sliding == 0.0 && e.abs() <= mu * a;
    let direction = if sliding == 0.0 { e } else { sliding };
    let push = if sticks { -e / a } else { -mu.copysign(direction) };
    let rate = if sticks { 0.0 } else { a * push + e };
    Piece { push, sliding: rate, closing: e * push + c }
}

/// Normal impulse up to the end of restitution if nothing else comes first; NaN if it is never reached.
fn end_of_restitution(
    impact: &PlanarImpact,
    now: &PlanarOutcome,
    compression_push: f64,
    piece: &Piece,
) -> f64 {
    let e = impact.restitution;
    let speed = now.velocity[1];
    match impact.law {
        Law::Stronge => {
            // u_z·q + ½·u_z'·q² = rest, its smaller positive root.
            let rest = (1.0 - e * e) * now.compression_work - now.normal_work;
            2.0 * rest / (speed + (speed * speed + 2.0 * piece.closing * rest).sqrt())
        }
        Law::Poisson => (1.0 + e) * compression_push - now.impulse[1],
        Law::Newton => (-e * impact.velocity[1] - speed) / piece.closing,
    }
}

/// On by a normal impulse.
fn go(now: &mut PlanarOutcome, piece: &Piece, push: f64) {
    let [x, z] = now.velocity;
    now.velocity = [x + piece.sliding * push, z + piece.closing * push];
    now.impulse[0] += piece.push * push;
    now.impulse[1] += push;
    now.normal_work += 0.5 * (z + now.velocity[1]) * push;
    now.friction_work += 0.5 * (x + now.velocity[0]) * piece.push * push;
}
