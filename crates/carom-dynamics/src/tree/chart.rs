//! Charts: configurations near a start as plain vectors of numbers.
//!
//! An integrator wants ℝⁿ with ordinary second derivatives; quaternions are not that, and velocities in link axes are
//! not derivatives of anything. A chart around a start configuration q₀ gives every freedom one number s, zero at the start:
//! differences of angles, lengths and positions, and rotation vectors relative to the start. Then
//!
//! ```text
//! q = q(s),   v = N(s)·ṡ,   s̈ = N⁻¹·(v̇ − Ṅ·ṡ)
//! ```
//!
//! with N the identity but for spherical and free joints, whose formulas are in `joint/chart.rs` and `exponential.rs`.
//! Rotation vectors may grow to any length below 2π, where N becomes singular; [`Chart::turn`] says how far they are.

use super::Tree;

/// A chart of a tree's configurations around one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    start: Vec<f64>,
}

impl Chart {
    /// Around configuration `q`.
    ///
    /// # Panics
    /// If `q` is not as long as the tree's configurations; this holds for all slices that charts are given.
    pub fn new(tree: &Tree, q: &[f64]) -> Self {
        assert_eq!(q.len(), tree.n_q(), "length of q");
        Self { start: q.to_vec() }
    }

    /// Moves the chart to another configuration, without allocating.
    pub fn restart(&mut self, q: &[f64]) {
        self.start.copy_from_slice(q);
    }

    /// The configuration at s = 0.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// q at displacement s; the start, to the bit, at s = 0.
    pub fn configuration(&self, tree: &Tree, s: &[f64], q: &mut [f64]) {
        for link in &tree.links {
            let (at_q, at_v) = (link.q_range(), link.v_range());
            link.joint.configuration(&self.start[at_q.clone()], &s[at_v], &mut q[at_q]);
        }
    }

    /// The displacement that leads to q, with rotation vectors up to π long.
    pub fn displacement(&self, tree: &Tree, q: &[f64], s: &mut [f64]) {
        for link in &tree.links {
            let (at_q, at_v) = (link.q_range(), link.v_range());
            link.joint.displacement(&self.start[at_q.clone()], &q[at_q], &mut s[at_v]);
        }
    }

    /// v from (s, ṡ).
    pub fn velocity(&self, tree: &Tree, s: &[f64], s_dot: &[f64], v: &mut [f64]) {
        for link in &tree.links {
            let (start, at) = (&self.start[link.q_range()], link.v_range());
            link.joint.velocity(start, &s[at.clone()], &s_dot[at.clone()], &mut v[at]);
        }
    }

    /// ṡ from (s, v).
    pub fn rates(&self, tree: &Tree, s: &[f64], v: &[f64], s_dot: &mut [f64]) {
        for link in &tree.links {
            let (start, at) = (&self.start[link.q_range()], link.v_range());
            link.joint.rates(start, &s[at.clone()], &v[at.clone()], &mut s_dot[at]);
        }
    }

    /// s̈ from (s, ṡ, v̇).
    pub fn accelerations(
        &self,
        tree: &Tree,
        s: &[f64],
        s_dot: &[f64],
        v_dot: &[f64],
        s_ddot: &mut [f64],
    ) {
        for link in &tree.links {
            let (start, at) = (&self.start[link.q_range()], link.v_range());
            let given = [&s[at.clone()], &s_dot[at.clone()]];
            link.joint.accelerations(start, given, &v_dot[at.clone()], &mut s_ddot[at]);
        }
    }

    /// v̇ from (s, ṡ, s̈).
    pub fn velocity_rates(
        &self,
        tree: &Tree,
        s: &[f64],
        s_dot: &[f64],
        s_ddot: &[f64],
        v_dot: &mut [f64],
    ) {
        for link in &tree.links {
            let (start, at) = (&self.start[link.q_range()], link.v_range());
            let given = [&s[at.clone()], &s_dot[at.clone()], &s_ddot[at.clone()]];
            link.joint.velocity_rates(start, given, &mut v_dot[at]);
        }
    }

    /// Turns s̈ of a chart, at its point s, into that of the chart around that point, but for terms without s̈.
    ///
    /// Positions keep their axes; rotation vectors are turned by T(s).
    pub fn rechart(tree: &Tree, s: &[f64], s_ddot: &mut [f64]) {
        for link in &tree.links {
            let at = link.v_range();
            link.joint.recharted(&s[at.clone()], &mut s_ddot[at]);
        }
    }

    /// Length of the longest rotation vector in s; the chart ends at 2π `[rad]`.
    pub fn turn(tree: &Tree, s: &[f64]) -> f64 {
        let squares =
            tree.links.iter().filter(|link| link.joint.quaternion().is_some()).map(|link| {
                let vector = &s[link.v_range().end - 3..link.v_range().end];
                vector.iter().map(|x| x * x).sum::<f64>()
            });
        squares.fold(0.0, f64::max).sqrt()
    }
}

impl Tree {
    /// The displacement of the joint of `link` alone from one configuration of the tree to another.
    pub(crate) fn displacement(&self, link: usize, start: &[f64], q: &[f64], s: &mut [f64]) {
        let link = &self.links[link];
        let at = link.q_range();
        link.joint.displacement(&start[at.clone()], &q[at], &mut s[link.v_range()]);
    }
}
