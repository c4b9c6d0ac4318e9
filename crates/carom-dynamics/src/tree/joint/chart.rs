//! Charts of single joints: displacements from a start configuration, as plain numbers.
//!
//! A joint whose configuration is plain numbers is its own chart, q = q₀ + s. A quaternion is q₀·exp(s), so that
//! v = T(s)·ṡ; a position moves in the axes of the joint frame, p = p₀ + s, in which free flight is a parabola, while v
//! is in link axes: v = Rᵀ·ṡ, hence s̈ = R·(v̇ + ω×v).

use glam::{DQuat, DVec3};

use super::super::exponential::{exp, log, rate, rate_bias, rate_inverse};
use super::Joint;

impl Joint {
    /// q at displacement s from the start; s = 0 gives the start to the bit.
    pub(in crate::tree) fn configuration(&self, start: &[f64], s: &[f64], q: &mut [f64]) {
        match self {
            Self::Spherical => turned(start, s).write_to_slice(q),
            Self::Free => {
                add(&start[..3], &s[..3], &mut q[..3]);
                turned(&start[3..], &s[3..]).write_to_slice(&mut q[3..]);
            }
            _ => add(start, s, q),
        }
    }

    /// The displacement that leads to q, with rotation vectors up to π.
    pub(in crate::tree) fn displacement(&self, start: &[f64], q: &[f64], s: &mut [f64]) {
        match self {
            Self::Spherical => turn_between(start, q).write_to_slice(s),
            Self::Free => {
                subtract(&q[..3], &start[..3], &mut s[..3]);
                turn_between(&start[3..], &q[3..]).write_to_slice(&mut s[3..]);
            }
            _ => subtract(q, start, s),
        }
    }

    /// v from (s, ṡ).
    pub(in crate::tree) fn velocity(&self, start: &[f64], s: &[f64], s_dot: &[f64], v: &mut [f64]) {
        match self {
            Self::Spherical => rate(vector(s), vector(s_dot)).write_to_slice(v),
            Self::Free => {
                let joint_from_link = turned(&start[3..], &s[3..]);
                (joint_from_link.conjugate() * vector(s_dot)).write_to_slice(v);
                rate(vector(&s[3..]), vector(&s_dot[3..])).write_to_slice(&mut v[3..]);
            }
            _ => v.copy_from_slice(s_dot),
        }
    }

    /// ṡ from (s, v).
    pub(in crate::tree) fn rates(&self, start: &[f64], s: &[f64], v: &[f64], s_dot: &mut [f64]) {
        match self {
            Self::Spherical => rate_inverse(vector(s), vector(v)).write_to_slice(s_dot),
            Self::Free => {
                let joint_from_link = turned(&start[3..], &s[3..]);
                (joint_from_link * vector(v)).write_to_slice(s_dot);
                rate_inverse(vector(&s[3..]), vector(&v[3..])).write_to_slice(&mut s_dot[3..]);
            }
            _ => s_dot.copy_from_slice(v),
        }
    }

    /// s̈ from (s, ṡ, v̇).
    pub(in crate::tree) fn accelerations(
        &self,
        start: &[f64],
        [s, s_dot]: [&[f64]; 2],
        v_dot: &[f64],
        s_ddot: &mut [f64],
    ) {
        match self {
            Self::Spherical => turning(s, s_dot, v_dot).write_to_slice(s_ddot),
            Self::Free => {
                let joint_from_link = turned(&start[3..], &s[3..]);
                let omega = joint_from_link * rate(vector(&s[3..]), vector(&s_dot[3..]));
                // R·(v̇ + ω×v), the transport term taken in the joint's axes.
                let transported = omega.cross(vector(s_dot));
                (joint_from_link * vector(v_dot) + transported).write_to_slice(s_ddot);
                turning(&s[3..], &s_dot[3..], &v_dot[3..]).write_to_slice(&mut s_ddot[3..]);
            }
            _ => s_ddot.copy_from_slice(v_dot),
        }
    }

    /// v̇ from (s, ṡ, s̈), the inverse of [`Self::accelerations`].
    pub(in crate::tree) fn velocity_rates(
        &self,
        start: &[f64],
        [s, s_dot, s_ddot]: [&[f64]; 3],
        v_dot: &mut [f64],
    ) {
        match self {
            Self::Spherical => spin_rate(s, s_dot, s_ddot).write_to_slice(v_dot),
            Self::Free => {
                let joint_from_link = turned(&start[3..], &s[3..]);
                let omega = joint_from_link * rate(vector(&s[3..]), vector(&s_dot[3..]));
                let transported = omega.cross(vector(s_dot));
                (joint_from_link.conjugate() * (vector(s_ddot) - transported))
                    .write_to_slice(v_dot);
                spin_rate(&s[3..], &s_dot[3..], &s_ddot[3..]).write_to_slice(&mut v_dot[3..]);
            }
            _ => v_dot.copy_from_slice(s_ddot),
        }
    }

    /// Turns s̈ of a chart into that of the chart around its point s, but for terms without s̈.
    pub(in crate::tree) fn recharted(&self, s: &[f64], s_ddot: &mut [f64]) {
        if let Some(at) = self.quaternion() {
            let turned = rate(vector(&s[at..]), vector(&s_ddot[at..]));
            turned.write_to_slice(&mut s_ddot[at..]);
        }
    }
}

/// T·s̈ + Ṫ·ṡ.
fn spin_rate(s: &[f64], s_dot: &[f64], s_ddot: &[f64]) -> DVec3 {
    let (s, s_dot) = (vector(s), vector(s_dot));
    rate(s, vector(s_ddot)) + rate_bias(s, s_dot)
}

/// T⁻¹·(ω̇ − Ṫ·ṡ).
fn turning(s: &[f64], s_dot: &[f64], omega_dot: &[f64]) -> DVec3 {
    let (s, s_dot) = (vector(s), vector(s_dot));
    rate_inverse(s, vector(omega_dot) - rate_bias(s, s_dot))
}

/// q₀·exp(s), kept unit; q₀ itself where s is zero.
fn turned(start: &[f64], s: &[f64]) -> DQuat {
    let (start, s) = (DQuat::from_slice(start), vector(s));
    if s == DVec3::ZERO { start } else { (start * exp(s)).normalize() }
}

fn turn_between(start: &[f64], q: &[f64]) -> DVec3 {
    log(DQuat::from_slice(start).conjugate() * DQuat::from_slice(q))
}

fn vector(slice: &[f64]) -> DVec3 {
    DVec3::from_slice(slice)
}

fn add(a: &[f64], b: &[f64], sum: &mut [f64]) {
    for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
        *sum = a + b;
    }
}

fn subtract(a: &[f64], b: &[f64], difference: &mut [f64]) {
    for ((difference, a), b) in difference.iter_mut().zip(a).zip(b) {
        *difference = a - b;
    }
}
