//! Bodies with three different moments.
//!
//! **Axes.** The middle axis is b. Of the other two, c is the one that the angular momentum circles, a the
//! other; the axes are turned (never mirrored) so that m_a ≥ 0 and m_c > 0 at the start, where m = I·ω/|L|.
//! Moments are I_a, I_b, I_c, ascending or descending. With the angle of the separatrix,
//!
//! ```text
//! s² = I_a(I_c−I_b)/(I_b(I_c−I_a)),   e² = I_c(I_b−I_a)/(I_b(I_c−I_a)),   s² + e² = 1,
//! ```
//!
//! m circles c exactly if s·m_c > e·m_a.
//!
//! **Momentum.** Euler's equations are solved by m = (a·cn u, b·sn u, c·dn u), u = u₀ + λτ, with
//!
//! ```text
//! a² = m_a² + s²m_b²,   b = a/s,   c² = m_c² + e²m_b²,
//! k = e·b/c,   k'² = (s·m_c − e·m_a)(s·m_c + e·m_a)/(s·c)²,   λ = s·c·|L|·(1/I_a − 1/I_c).
//! ```
//!
//! All are sums of positive terms but k', whose loss of digits near the separatrix is that of the problem. λ < 0
//! where moments descend. u₀ = F(φ₀, k) with φ₀ = atan(s·m_b/m_a).
//!
//! **Attitude.** R = W·R_z(ψ)·B(m), where B is the least rotation that takes m to the c axis and W is constant.
//! Whatever ψ is, R·m = W·ẑ stays: angular momentum is conserved by construction. The c component of the
//! angular velocity gives ψ̇ = 2E/|L| − λ·ab·dn u/(1 + c·dn u), an integral of the third kind.
//!
//! **Theta functions.** As a quaternion α + β·j with complex unit k̂,
//!
//! ```text
//! R_z(ψ)·B(m) = e^(iψ/2)·[(1 + m_c) − (m_a + i·m_b)·j]/√(2(1 + m_c)).
//! ```
//!
//! |α|² = (1 + c·dn u)/2 and |β|² = (1 − c·dn u)/2 are elliptic functions on the lattice 2K × 4iK'. Their zeros are
//! u = ±i(2K'−η) and u = ±iη, where dn(iη, k) = 1/c, which is the same as sn(η, k') = a/b = s: so
//! η = F(arcsin s, k') depends on the state through k' only. Of each pair of zeros α and β have one,
//! and αβ* ∝ a·cn u − i·b·sn u says which. Hence, with z = π(u−iη)/(2K) and nome q²,
//!
//! ```text
//! α ∝ e^(iκτ)·ϑ₄(z),   β ∝ −i·g·e^(iκτ)·ϑ₁(z):
//! ```
//!
//! the elliptic integral of the third kind, sn, cn and dn all come out of two theta functions, without a
//! logarithm, without an inverse tangent and with coefficient 1. The constants follow from u = 0: g from
//! β/α = −a/(1+c), κ from ψ̇. Every term is of order |ω|, also where I_b → I_c (a thrown rod: η → 0, s → 0 while
//! b = a/s stays), where I_b → I_a (K' → ∞, q → 0) and for a spin about c (a, b → 0 in fixed proportion).
//! [`ThetaPair`] sums the series and extends it to the separatrix.
//!
//! Source: C. G. J. Jacobi (1849); R. van Zon and J. Schofield, J. Comput. Phys. 225 (2007) 145, who sum a theta
//! function for the third Euler angle. Deviation: Cayley–Klein parameters instead of Euler angles, so that no
//! angle is singular and momentum is conserved exactly; the imaginary transformation near the separatrix.

use glam::{DQuat, DVec2, DVec3};

use super::{Attitude, RotationRates, Start, polished, turned};
use crate::Mass;
use crate::elliptic::{ThetaPair, first_kind, mean_with_one};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Asymmetric {
    /// W.
    world_from_momentum: DQuat,
    /// Turns body axes into (a, b, c).
    axes_from_body: DQuat,
    /// |L|/I_b `[rad/s]` and I/I_b along (a, b, c).
    rate: f64,
    ratios: DVec3,
    /// (I_b − I_c)/I_a and so on around.
    coupling: DVec3,
    /// u₀ and λ.
    argument: f64,
    argument_rate: f64,
    /// κ.
    phase_rate: f64,
    /// g.
    gain: f64,
    /// (c·k')² and (e/s)².
    least_along_sq: f64,
    along_by_across: f64,
    theta: ThetaPair,
}

/// What one evaluation gives in the axes (a, b, c).
struct Sample {
    /// R_z(ψ)·B(m).
    momentum_from_axes: DQuat,
    /// m.
    momentum: DVec3,
}

impl Asymmetric {
    pub(super) fn new(start: &Start, mass: &Mass) -> (Self, RotationRates) {
        let frame = Frame::new(start, mass);
        let orbit = Orbit::new(&frame);
        let theta = ThetaPair::new(orbit.per_quarter, orbit.per_co_quarter, orbit.eta);
        let argument_rate = orbit.argument_rate(&frame);

        let at_zero = theta.at(0.0);
        let gain = orbit.a / (1.0 + orbit.c) * at_zero.even.length() / at_zero.odd.length();
        let twice_energy = frame.rate * (frame.momentum / frame.ratios).dot(frame.momentum);
        let winding = orbit.a * orbit.b / (1.0 + orbit.c);
        let phase_rate = 0.5 * twice_energy - argument_rate * (0.5 * winding + theta.turning());

        let world_from_axes = start.world_from_principal * frame.axes_from_principal.conjugate();
        let mut law = Self {
            world_from_momentum: DQuat::IDENTITY,
            axes_from_body: frame.axes_from_principal * mass.body_from_principal.conjugate(),
            rate: frame.rate,
            ratios: frame.ratios,
            coupling: frame.coupling(),
            argument: orbit.argument,
            argument_rate,
            phase_rate,
            gain,
            least_along_sq: orbit.c * orbit.c * orbit.complement * orbit.complement,
            along_by_across: (frame.cos / frame.sin) * (frame.cos / frame.sin),
            theta,
        };
        let momentum_from_axes = law.sample(0.0).momentum_from_axes;
        law.world_from_momentum = polished(world_from_axes * momentum_from_axes.conjugate());
        (law, orbit.rates(&frame, argument_rate))
    }

    pub(super) fn at(&self, tau: f64) -> Attitude {
        let sample = self.sample(tau);
        let world_from_axes = self.world_from_momentum * sample.momentum_from_axes;
        let w = self.rate * sample.momentum / self.ratios;
        let acceleration = self.coupling * DVec3::new(w.y * w.z, w.z * w.x, w.x * w.y);
        Attitude {
            orientation: polished(world_from_axes * self.axes_from_body),
            angular_velocity: turned(world_from_axes, w),
            angular_acceleration: world_from_axes * acceleration,
        }
    }

    fn sample(&self, tau: f64) -> Sample {
        let theta = self.theta.at(self.argument + self.argument_rate * tau);
        let (even, odd) = (theta.even, self.gain * theta.odd);
        let (even_sq, odd_sq) = (even.length_squared(), odd.length_squared());
        let inv_sq = 1.0 / (even_sq + odd_sq);
        // m_a + i·m_b = −2βα*/(|α|² + |β|²): the phase drops out.
        let across = DVec2::new(even.x, -even.y).rotate(odd) * (-2.0 * inv_sq);
        let along = (self.least_along_sq + self.along_by_across * across.x * across.x).sqrt();
        let momentum = DVec3::new(across.x, across.y, along);
        let (sin, cos) = libm::sincos(self.phase_rate * tau - theta.slip);
        let phase = DVec2::new(cos, sin) * inv_sq.sqrt();
        let (even, odd) = (phase.rotate(even), phase.rotate(odd));
        // (x + y·k̂)·ĵ = x·ĵ − y·î.
        let momentum_from_axes = DQuat::from_xyzw(-odd.y, odd.x, even.y, even.x);
        Sample { momentum_from_axes, momentum }
    }
}

/// The axes (a, b, c) and what the start looks like in them.
struct Frame {
    axes_from_principal: DQuat,
    moments: DVec3,
    momentum: DVec3,
    /// |L|/I_b and I/I_b.
    rate: f64,
    ratios: DVec3,
    /// s and e.
    sin: f64,
    cos: f64,
}

impl Frame {
    fn new(start: &Start, mass: &Mass) -> Self {
        let i = mass.moments;
        let m = start.momentum;
        let spread = (i.z - i.x) / i.z;
        // s and e for c = 3; they change places for c = 1.
        let toward_third = ((i.x / i.y) * ((i.z - i.y) / i.z) / spread).sqrt();
        let toward_first = (((i.y - i.x) / i.y) / spread).sqrt();
        let (rate, ratios) = (start.rate, start.ratios);
        if toward_third * m.z.abs() > toward_first * m.x.abs() {
            let (axes_from_principal, sign) = keeping_order(m.x < 0.0, m.z < 0.0);
            let momentum = DVec3::new(m.x.abs(), sign * m.y, m.z.abs());
            let (sin, cos) = (toward_third, toward_first);
            Self { axes_from_principal, moments: i, momentum, rate, ratios, sin, cos }
        } else {
            let (axes_from_principal, sign) = swapping_ends(m.x < 0.0, m.z < 0.0);
            let momentum = DVec3::new(m.z.abs(), sign * m.y, m.x.abs());
            let (sin, cos) = (toward_first, toward_third);
            let swapped = |v: DVec3| DVec3::new(v.z, v.y, v.x);
            let (moments, ratios) = (swapped(i), swapped(ratios));
            Self { axes_from_principal, moments, momentum, rate, ratios, sin, cos }
        }
    }

    fn coupling(&self) -> DVec3 {
        let i = self.moments;
        DVec3::new((i.y - i.z) / i.x, (i.z - i.x) / i.y, (i.x - i.y) / i.z)
    }
}

/// The turn that flips the marked ones of axes 1 and 3, and the sign that axis 2 takes.
fn keeping_order(flip_first: bool, flip_third: bool) -> (DQuat, f64) {
    match (flip_first, flip_third) {
        (false, false) => (DQuat::IDENTITY, 1.0),
        (true, false) => (DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0), -1.0),
        (false, true) => (DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0), -1.0),
        (true, true) => (DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0), 1.0),
    }
}

/// The turn that takes axis 3 to a and axis 1 to c, each flipped where marked, and the sign that axis 2 takes.
fn swapping_ends(flip_first: bool, flip_third: bool) -> (DQuat, f64) {
    let h = std::f64::consts::FRAC_1_SQRT_2;
    match (flip_first, flip_third) {
        (false, false) => (DQuat::from_xyzw(h, 0.0, h, 0.0), -1.0),
        (true, true) => (DQuat::from_xyzw(h, 0.0, -h, 0.0), -1.0),
        (false, true) => (DQuat::from_xyzw(0.0, -h, 0.0, h), 1.0),
        (true, false) => (DQuat::from_xyzw(0.0, h, 0.0, h), 1.0),
    }
}

/// The curve that m runs on.
struct Orbit {
    a: f64,
    b: f64,
    c: f64,
    modulus: f64,
    complement: f64,
    /// π/(2K), π/(2K').
    per_quarter: f64,
    per_co_quarter: f64,
    eta: f64,
    /// u₀.
    argument: f64,
}

impl Orbit {
    fn new(frame: &Frame) -> Self {
        let (m, s, e) = (frame.momentum, frame.sin, frame.cos);
        let a = (m.x * m.x + s * s * m.y * m.y).sqrt();
        let c = (m.z * m.z + e * e * m.y * m.y).sqrt();
        let b = a / s;
        let modulus = e * b / c;
        let (along, aside) = (s * m.z, e * m.x);
        let complement = (along - aside).sqrt() * (along + aside).sqrt() / (s * c);
        Self {
            a,
            b,
            c,
            modulus,
            complement,
            per_quarter: mean_with_one(complement),
            per_co_quarter: mean_with_one(modulus),
            eta: first_kind(s, e, modulus),
            argument: first_kind(s * m.y / a, m.x / a, complement),
        }
    }

    /// λ.
    fn argument_rate(&self, frame: &Frame) -> f64 {
        let spread = (frame.moments.z - frame.moments.x) / frame.moments.z;
        self.c * frame.sin * (frame.rate / frame.ratios.x) * spread
    }

    /// With S = sn²: |ω|² is linear and |ω̇|² quadratic in S; |ω̈| of the body is bounded term by term, and what
    /// turning with the body adds to it is at most |ω|·|ω̇|.
    fn rates(&self, frame: &Frame, argument_rate: f64) -> RotationRates {
        // Everything in units of |L|/I_b, so that squares stay in range.
        let unit = frame.rate;
        let scaled = DVec3::new(self.a, self.b, self.c) / frame.ratios;
        let square = scaled * scaled;
        let (k2, co_k2) = (self.modulus * self.modulus, self.complement * self.complement);
        let spin_sq = (square.x + square.z).max(square.y + co_k2 * square.z);

        // |ω̇|²/λ² = p₀ + p₁S + p₂S².
        let (p0, at_one) = (square.y, co_k2 * square.x);
        let p1 = square.x - (1.0 + k2) * square.y + k2 * k2 * square.z;
        let p2 = -k2 * (square.x - square.y) - k2 * k2 * square.z;
        let acceleration_sq = largest_of_quadratic(p0, p1, p2, at_one);

        // cn'' = −cn(1 − 2k²S), sn'' = −sn(1 + k² − 2k²S), dn'' = −k²dn(1 − 2S).
        let peak = (1.0 + k2) / (6.0 * k2);
        let at_end = (1.0 - k2) * (1.0 - k2);
        let middle =
            if peak < 1.0 { (peak * 16.0 * k2 * k2 * peak * peak).max(at_end) } else { at_end };
        let body_jerk_sq = square.x + middle * square.y + k2 * k2 * square.z;

        let rate = argument_rate.abs();
        let (spin, acceleration) = (spin_sq.sqrt(), acceleration_sq.sqrt());
        let jerk = rate * (rate * body_jerk_sq.sqrt() + unit * spin * acceleration);
        let instability = rate * frame.cos / self.c;
        RotationRates::new(unit * spin, unit * rate * acceleration, unit * jerk)
            .with_growth(instability, 1.0 / co_k2)
    }
}

/// max of p₀ + p₁S + p₂S² for 0 ≤ S ≤ 1; the value at 1 is given because the sum would cancel.
fn largest_of_quadratic(p0: f64, p1: f64, p2: f64, at_one: f64) -> f64 {
    let ends = p0.max(at_one);
    let vertex = -0.5 * p1 / p2;
    if p2 < 0.0 && vertex > 0.0 && vertex < 1.0 { ends.max(p0 + 0.5 * p1 * vertex) } else { ends }
}
