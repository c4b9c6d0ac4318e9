//! The convex programme: the point of C nearest to the origin, bounded from both sides in every round.
//!
//! C = { a − b } for the cores of A and B is known by its support function only. A round takes a direction n, finds the point of
//! C that is least along n (which gives the lower bound L(n)), adds it to the at most three points of C kept so far,
//! and takes the average of them that is nearest to the origin (whose length is the upper bound). Only the points that
//! make up this average are kept, and n is turned towards it (Gilbert, Johnson and Keerthi 1988; a fully corrective
//! Frank–Wolfe method). On polyhedra it ends after finitely many rounds. On curved surfaces a triangle of width e lies
//! e²/8R below the surface, and the next round splits it about in half: some two rounds for each factor of four.
//!
//! Where the kept points are three, n is the normal of their triangle and not the average divided by its length, because
//! the average of a narrow gap is mostly rounding.

use glam::{DMat3, DVec3};

use super::Gap;
use super::bundle::{best_direction, enclosing, keep_least};
use super::convex::Convex;
use super::depth::expand;
use super::simplex::{encloses, nearest};
use super::tolerances::{
    MOST_LATEST, MOST_POLISHES, MOST_ROUNDS, MOST_STALLS, NARROW, ROUNDING_ULPS,
};

/// A convex solid in the frame of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand<'a> {
    pub(super) convex: &'a Convex,
    pub(super) rotation: DMat3,
    pub(super) origin: DVec3,
}

/// What was found about two convex solids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) gap: Gap,
    /// The unit vector from B to A that gave the lower end.
    pub(super) normal: DVec3,
}

impl Stand<'_> {
    /// How far the core reaches along a unit vector, and a point there.
    pub(super) fn support(&self, n: DVec3) -> (f64, DVec3) {
        let (reach, point) = self.convex.core.support(self.rotation.transpose() * n);
        (reach + n.dot(self.origin), self.rotation * point + self.origin)
    }

    /// How far all of it reaches along a unit vector.
    pub(super) fn reach(&self, n: DVec3) -> f64 {
        self.support(n).0 + self.convex.radius
    }

    /// A point within it.
    pub(super) fn center(&self) -> DVec3 {
        self.rotation * self.convex.core.center() + self.origin
    }

    /// The lengths that its rounding is measured by.
    pub(super) fn lengths(&self) -> f64 {
        let core = &self.convex.core;
        self.origin.length() + core.center().length() + core.reach() + self.convex.radius
    }
}

/// The rounding of a bound computed from such lengths `[m]`.
pub(super) fn rounding(lengths: f64) -> f64 {
    ROUNDING_ULPS * f64::EPSILON * lengths
}

/// The signed distance of two convex solids.
pub(super) fn measure(a: &Stand<'_>, b: &Stand<'_>) -> Found {
    measure_for(a, b, Need { width: 0.0, beyond: f64::INFINITY })
}

/// When an interval is good enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    /// It is as narrow as this `[m]`.
    pub(super) width: f64,
    /// All of it is beyond this `[m]`.
    pub(super) beyond: f64,
}

/// As [`measure`], but no better than needed.
pub(super) fn measure_for(a: &Stand<'_>, b: &Stand<'_>, need: Need) -> Found {
    let rounding = rounding(a.lengths() + b.lengths());
    let thick = a.convex.radius + b.convex.radius;
    let mut search = Search {
        a,
        b,
        corners: Vec::with_capacity(4),
        latest: Vec::with_capacity(MOST_LATEST + 4),
        gap: Gap::UNKNOWN,
        normal: DVec3::X,
        rounding,
        enough: need.width.max(NARROW * rounding),
        beyond: need.beyond + thick + rounding,
    };
    search.run();
    let Gap { lower, upper } = search.gap.widened(rounding);
    Found { gap: Gap { lower: lower - thick, upper: upper - thick }, normal: search.normal }
}

struct Search<'a> {
    a: &'a Stand<'a>,
    b: &'a Stand<'a>,
    corners: Vec<DVec3>,
    /// The points found last.
    latest: Vec<DVec3>,
    /// Of the cores, before rounding.
    gap: Gap,
    normal: DVec3,
    rounding: f64,
    /// Widths and lower bounds, before rounding, at which to stop.
    enough: f64,
    beyond: f64,
}

impl Search<'_> {
    fn run(&mut self) {
        let between = self.a.center() - self.b.center();
        let mut n = between.try_normalize().unwrap_or(DVec3::X);
        let mut stalls = 0;
        for _ in 0..MOST_ROUNDS {
            let point = self.probe(n);
            if self.is_enough() || self.corners.contains(&point) {
                break;
            }
            self.corners.push(point);
            if let &[a, b, c, d] = self.corners.as_slice()
                && encloses([a, b, c, d], self.rounding)
            {
                self.fathom([a, b, c, d]);
                return;
            }
            let Some(foot) = nearest(&self.corners) else { break };
            stalls = if foot.distance < self.gap.upper { 0 } else { stalls + 1 };
            self.gap.upper = self.gap.upper.min(foot.distance);
            self.corners = foot.corners;
            n = foot.direction;
            if stalls > MOST_STALLS {
                break;
            }
        }
        if !self.is_enough() {
            self.polish();
        }
    }

    fn is_enough(&self) -> bool {
        self.gap.width() <= self.enough || self.gap.lower > self.beyond
    }

    /// Goes on by what the latest points say together; see `bundle.rs`.
    fn polish(&mut self) {
        let mut points = std::mem::take(&mut self.latest);
        points.extend_from_slice(&self.corners);
        let deep = self.a.center() - self.b.center();
        let mut n = self.normal;
        for _ in 0..MOST_POLISHES {
            keep_least(&mut points, n, MOST_LATEST);
            if let Some(corners) = enclosing(&points, deep, self.rounding) {
                self.fathom(corners);
                return;
            }
            let (bound, best) = best_direction(&points, self.normal);
            n = best;
            let point = self.probe(n);
            if bound - self.gap.lower <= self.enough || points.contains(&point) {
                break;
            }
            points.push(point);
        }
        if let Some(foot) = nearest(&points) {
            self.gap.upper = self.gap.upper.min(foot.distance);
        }
    }

    /// The point of C that is least along n; the lower bound is better for it, or as good.
    fn probe(&mut self, n: DVec3) -> DVec3 {
        let (reach_a, point_a) = self.a.support(-n);
        let (reach_b, point_b) = self.b.support(n);
        let slab = -reach_a - reach_b;
        if slab > self.gap.lower {
            self.gap.lower = slab;
            self.normal = n;
        }
        let point = point_a - point_b;
        if self.latest.len() == MOST_LATEST {
            self.latest.remove(0);
        }
        self.latest.push(point);
        point
    }

    /// The origin is within C: how deep.
    fn fathom(&mut self, corners: [DVec3; 4]) {
        let rounding = self.rounding;
        let ball = expand(corners, rounding, &mut |outwards| {
            let point = self.probe(-outwards);
            (-self.gap.lower, point)
        });
        self.gap.upper = -ball;
    }
}
