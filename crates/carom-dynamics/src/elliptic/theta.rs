//! The pair of theta functions that free rotation is made of, in whichever form converges.
//!
//! For real u and 0 < η < K' wanted are, up to a common positive factor,
//!
//! ```text
//! α(u) = ϑ₄(z | Q),  β(u) = −i·ϑ₁(z | Q)/N,  z = π(u − iη)/(2K),  Q = exp(−2πK'/K) = q²
//! ```
//!
//! with N > 0 constant. The nome is the *square* of the usual one, because the lattice is 2K × 4iK'.
//!
//! *Trigonometric form*, for K ≤ 2K', that is q ≤ e^(−π/2) = 0.208: with x = πu/(2K), y = πη/(2K)
//!
//! ```text
//! α = 1 + Σ (−1)ⁿ·2Q^(n²)·[cos 2nx·cosh 2ny + i·sin 2nx·sinh 2ny]
//! β = −Σ (−1)ⁿ·Q^(n²+n)·[cos (2n+1)x·sinh (2n+1)y + i·sin (2n+1)x·cosh (2n+1)y]/cosh y
//! ```
//!
//! Because η < K', terms fall like q^(2n²−n): after n = 3 the rest is 8·10⁻²⁰.
//!
//! *Hyperbolic form*, for K > 2K': Jacobi's imaginary transformation (DLMF 20.7.30–33) takes z to z/τ with
//! τ = 2iK'/K and Q to Q' = exp(−πK/(2K')) = √q'. With X = πη/(4K'), Y = πu/(4K')
//!
//! ```text
//! ϑ₄(z) ∝ e^(iθ)·ϑ₂(X+iY | Q'),  −i·ϑ₁(z) ∝ −e^(iθ)·ϑ₁(X+iY | Q'),  θ = πηu/(4KK')
//! ```
//!
//! and the factors of proportion are equal and positive. θ is linear in u. With u = 2Kn + v, |v| ≤ K, the
//! series is taken at v and θ = πηv/(4KK') = θ(u) − 2Xn; the part linear in u belongs to the steady turning
//! of the body and is left to the caller, so that only the *slip* 2Xn remains to be told. Divided by e^|Y|,
//! with E = e^(−2|Y|) and G = q'/E ≤ √q', the terms are Gⁿ·q'^(n(n−1)/2), bounded by q'^(n²/2): after n = 3
//! the rest is below 2·10⁻²². On the separatrix q' = 0, K = ∞, and what is left are the hyperbolic functions
//! of u: nothing overflows, nothing is lost.
//!
//! Where η → 0 (nearly equal moments) sinh y, tanh y and sin X keep their *relative* accuracy.

use std::f64::consts::PI;

use glam::DVec2;

/// Terms beyond the first in either form.
const TERMS: usize = 3;

/// α and β as functions of u; complex numbers are vectors (re, im).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ThetaPair {
    /// 2K, infinite on the separatrix.
    half_period: f64,
    /// 1/(2K), zero on the separatrix.
    per_half_period: f64,
    form: Form,
}

/// The pair at one u.
pub(crate) struct ThetaSample {
    /// α.
    pub(crate) even: DVec2,
    /// β.
    pub(crate) odd: DVec2,
    /// What has to be taken off a phase that is linear in u.
    pub(crate) slip: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Trigonometric(Trigonometric),
    Hyperbolic(Hyperbolic),
}

impl ThetaPair {
    /// From π/(2K), π/(2K') and η.
    pub(crate) fn new(per_quarter: f64, per_co_quarter: f64, eta: f64) -> Self {
        let form = if 2.0 * per_quarter >= per_co_quarter {
            Form::Trigonometric(Trigonometric::new(per_quarter, per_co_quarter, eta))
        } else {
            Form::Hyperbolic(Hyperbolic::new(per_quarter, per_co_quarter, eta))
        };
        Self { half_period: PI / per_quarter, per_half_period: per_quarter / PI, form }
    }

    /// The pair at u.
    pub(crate) fn at(&self, u: f64) -> ThetaSample {
        let count = (u * self.per_half_period).round();
        let rest = if count == 0.0 { u } else { u - count * self.half_period };
        // So many periods that their number is rounded leave a rest without digits; it must stay in range.
        let rest = rest.max(-0.5 * self.half_period).min(0.5 * self.half_period);
        let (even, odd, slip) = match &self.form {
            Form::Trigonometric(form) => {
                let (even, odd) = form.at(rest);
                (even, odd, 0.0)
            }
            Form::Hyperbolic(form) => {
                let (even, odd) = form.at(rest);
                (even, odd, count * form.slip)
            }
        };
        // β changes sign with every half period; evenness of a double is that of its half.
        let half = 0.5 * count;
        ThetaSample { even, odd: if half == half.round() { odd } else { -odd }, slip }
    }

    /// d(arg α)/du at u = 0.
    pub(crate) fn turning(&self) -> f64 {
        match &self.form {
            Form::Trigonometric(form) => form.turning(),
            Form::Hyperbolic(form) => form.turning(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Trigonometric {
    /// x/u.
    scale: f64,
    /// tanh y.
    tilt: f64,
    /// Coefficients of cos 2nx in Re α and of sin 2nx in Im α.
    even: [DVec2; TERMS],
    /// Coefficients of cos (2n+1)x in −Re β and of sin (2n+1)x in −Im β.
    odd: [DVec2; TERMS],
}

impl Trigonometric {
    fn new(per_quarter: f64, per_co_quarter: f64, eta: f64) -> Self {
        // Q = e^(−p), 2y = h ≤ p/2.
        let p = 2.0 * PI * per_quarter / per_co_quarter;
        let h = 2.0 * per_quarter * eta;
        let one_minus = |x: f64| -libm::expm1(-x);
        let cosh_part = 1.0 + libm::exp(-h);
        let coefficients = |index: usize| {
            let n = (index + 1) as f64;
            let sign = if index.is_multiple_of(2) { -1.0 } else { 1.0 };
            let even = sign * libm::exp(n * (h - n * p));
            let odd = sign * libm::exp(n * (h - (n + 1.0) * p)) / cosh_part;
            let pair = |m: f64| DVec2::new(2.0 - one_minus(m * h), one_minus(m * h));
            let swapped = pair(2.0 * n + 1.0);
            (even * pair(2.0 * n), odd * DVec2::new(swapped.y, swapped.x))
        };
        let all = [0, 1, 2].map(coefficients);
        Self {
            scale: per_quarter,
            tilt: one_minus(h) / cosh_part,
            even: all.map(|(even, _)| even),
            odd: all.map(|(_, odd)| odd),
        }
    }

    fn at(&self, u: f64) -> (DVec2, DVec2) {
        let (sin, cos) = libm::sincos(self.scale * u);
        let first = DVec2::new(cos, sin);
        let step = first.rotate(first);
        let (mut even_turn, mut odd_turn) = (DVec2::X, first);
        let (mut even, mut odd) = (DVec2::X, DVec2::new(self.tilt * cos, sin));
        for n in 0..TERMS {
            even_turn = even_turn.rotate(step);
            odd_turn = odd_turn.rotate(step);
            even += self.even[n] * even_turn;
            odd += self.odd[n] * odd_turn;
        }
        (even, -odd)
    }

    fn turning(&self) -> f64 {
        let (mut slope, mut value) = (0.0, 1.0);
        for (n, coefficient) in self.even.iter().enumerate() {
            slope += 2.0 * (n + 1) as f64 * coefficient.y;
            value += coefficient.x;
        }
        self.scale * slope / value
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Hyperbolic {
    /// −2·Y/u.
    scale: f64,
    /// q'.
    nome: f64,
    /// 2X.
    slip: f64,
    /// (cos, sin) of (2n+1)X.
    turns: [DVec2; TERMS + 1],
}

impl Hyperbolic {
    fn new(per_quarter: f64, per_co_quarter: f64, eta: f64) -> Self {
        let x = 0.5 * per_co_quarter * eta;
        let turns = [1.0, 3.0, 5.0, 7.0].map(|odd: f64| {
            let (sin, cos) = libm::sincos(odd * x);
            DVec2::new(cos, sin)
        });
        let nome = libm::exp(-PI * per_co_quarter / per_quarter);
        Self { scale: -per_co_quarter, nome, slip: 2.0 * x, turns }
    }

    fn at(&self, u: f64) -> (DVec2, DVec2) {
        let decay = libm::exp(self.scale * u.abs());
        // Without a period u has no bound, the decay may vanish, and no term beyond the first exists.
        let ratio = if self.nome > 0.0 { self.nome / decay } else { 0.0 };
        let side = f64::copysign(1.0, u);
        let step = decay * decay;
        let (mut even, mut odd) = (DVec2::ZERO, DVec2::ZERO);
        // Gⁿ·q'^(n(n−1)/2), its ratio to the next, (−1)ⁿ, E^(2n+1).
        let (mut weight, mut next, mut sign, mut tail) = (1.0, ratio, 1.0, decay);
        for turn in self.turns {
            let wide = DVec2::new(1.0 + tail, side * (1.0 - tail));
            even += weight * DVec2::new(turn.x * wide.x, -turn.y * wide.y);
            odd += sign * weight * DVec2::new(turn.y * wide.x, turn.x * wide.y);
            weight *= next;
            next *= self.nome;
            sign = -sign;
            tail *= step;
        }
        (even, -odd)
    }

    fn turning(&self) -> f64 {
        let (mut slope, mut value) = (0.0, 0.0);
        let (mut weight, mut next, mut odd) = (1.0, self.nome, 1.0);
        for turn in self.turns {
            slope -= odd * weight * turn.y;
            value += weight * turn.x;
            weight *= next;
            next *= self.nome;
            odd += 2.0;
        }
        -0.5 * self.scale * slope / value
    }
}
