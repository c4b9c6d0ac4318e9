//! The end of sliding: a sum of two exponentials.
//!
//! Near a ray n with ρ < 0 that draws û in, let u_n be the component of u_t along n, w that along t = n⊥, m_nt = n·Mt and
//! ν = −μ·t·Mt. With r = u_n + O(w²/u_n), and s_t = μm_nt on the ray,
//!
//!   w' = ν·w,  u_n' = ρ·u_n − μm_nt·w,
//!
//! so w = w₀·e^{νσ}, and u_n is a sum of e^{ρσ} and e^{νσ}.
//! What is neglected is of the size w²/u_n and decays faster than w. Integrals to σ = ∞ give impulse and work until
//! sliding ends, by integrating the equations themselves: ∫w = −w₀/ν, P = ∫u_n = (μm_nt·∫w − u_n0)/ρ and
//! I = ∫e^{νσ}·u_n = (½μm_nt·∫w − u_n0)/(ρ+ν). u_z rises by (c − μs_n)·P − μs_t·∫w, and
//!
//!   W_z = u_zf·P − ½(c − μs_n)·P² + μs_t·∫w·I.

use glam::DVec2;

use super::RestitutionLaw;
use super::contact::Slip;
use super::course::{Course, Phase};
use crate::tolerances::TAIL_SHARE;

/// Slides to the end of sliding in one go, if the ray at hand allows that and no event comes before.
pub(super) fn finish(course: &mut Course, ray: &Slip) -> bool {
    if ray.growth >= 0.0 || ray.bend >= 0.0 {
        return false;
    }
    let contact = course.contact;
    let (n, t) = (ray.along, ray.along.perp());
    let slip = course.velocity.truncate();
    let (along, w) = (slip.dot(n), slip.dot(t));
    if along <= 0.0 || w * w > 2.0 * TAIL_SHARE * course.error * along {
        return false;
    }
    let (rho, nu) = (ray.growth, ray.growth + ray.bend);
    let across = -w / nu;
    let skew = contact.mu * n.dot(contact.m * t);
    let push = (skew * across - along) / rho;
    let (lift, coupling) = (contact.lift(n), contact.mu * contact.s.dot(t));
    let rise = lift * push - coupling * across;
    let end = course.velocity.z + rise;
    let mixed = (0.5 * skew * across - along) / (rho + nu);
    let work = end * push - 0.5 * lift * push * push + coupling * across * mixed;
    let started = contact.lift(slip / slip.length());
    let impulse = (-contact.mu * (push * n + across * t)).extend(push);
    if push.is_nan() || push <= 0.0 || lift * started <= 0.0 || meets_event(course, push, work, end)
    {
        return false;
    }
    course.velocity = DVec2::ZERO.extend(end);
    course.add(impulse, work);
    true
}

/// Whether an event lies on the way, u_z being monotone.
fn meets_event(course: &Course, push: f64, work: f64, end: f64) -> bool {
    match course.phase {
        Phase::Compression => end >= 0.0,
        Phase::Extension => end >= course.least_rebound,
        Phase::Over => true,
        Phase::Restitution => {
            let met = match course.law {
                RestitutionLaw::Stronge => course.work + work >= course.goal,
                RestitutionLaw::Poisson => course.push + push >= course.goal,
                RestitutionLaw::Newton => end >= course.goal,
            };
            met || end <= 0.0
        }
    }
}
