//! Pieces above a plane, passed over together.
//!
//! A mesh at rest on a plane has most of its facets near it, and the next corner to touch belongs to a few. What it takes to
//! prove a corner above the plane for a short while, by the bound of `certificate` along the plane's normal, is the same for all
//! pieces but for the corner itself. So time is cut into slices, and in each of them a piece is passed over all corners of which
//! stay farther above than any search would take notice of. Its own search begins with the first slice in which one does not, at
//! the time at which it would have begun anyway: nothing that is found depends on slices.

use carom_dynamics::Span;
use carom_geometry::Pose;
use carom_geometry::distance::Convex;
use carom_geometry::distance::pieces::{Content, Node};
use glam::DVec3;

use super::certificate::{Certificate, Quadratic};
use super::corners::Overview;
use super::legs::seen;
use super::resolution::{reach_of, touch_distance};
use super::ride::{View, longest_leg};
use super::{Mover, Rigid};
use crate::tolerances::{PASSED_OVER, SLICES};

/// A slice of time, for all pieces of a body above a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Above {
    slice: Span,
    overview: Overview,
}

impl Above {
    /// A slice from the start of `rest`, one of those into which `ahead` is cut; a piece of the body says of what kind it is.
    pub(super) fn new(
        (ground, plane): (&Rigid<'_>, &Node),
        (body, node): (&Rigid<'_>, &Node),
        rest: Span,
        ahead: f64,
    ) -> Option<Self> {
        let frame = mover(ground, plane)?;
        let other = Mover { reach: reach_of(body), ..mover(body, node)? };
        let Convex::HalfSpace(half_space) = frame.convex else { return None };
        let normal = -frame.frame_from_convex.vector(half_space.normal());
        let from = rest.start;
        let view = View { frame: &frame, other: &other, normal };
        let longest = longest_leg(&view, from);
        let slice = Span::new(from, rest.end.min(from + longest.min(ahead / SLICES)));
        if slice.length() <= 0.0 || slice.length().is_nan() {
            return None;
        }
        let seen = seen(frame.motion, other.motion, slice);
        let direction = Quadratic([normal, DVec3::ZERO, DVec3::ZERO]);
        let certificate = Certificate::new(frame.placed(), other.placed(), &seen, direction);
        let aim = PASSED_OVER * touch_distance(&frame, &other, slice.end);
        Some(Self {
            slice,
            overview: certificate.overview(slice.length(), aim, &body.frame_from_shape)?,
        })
    }

    /// Where the slice begins `[s]`.
    pub(super) const fn from(&self) -> f64 {
        self.slice.start
    }

    /// And where it ends `[s]`.
    pub(super) const fn until(&self) -> f64 {
        self.slice.end
    }

    /// True when all corners of a piece stay above throughout the slice.
    pub(super) fn passes(&self, body: &Rigid<'_>, node: &Node) -> bool {
        let Content::Piece(piece) = node.content else { return false };
        let found = &body.pieces.pieces()[piece as usize];
        let corners: &[DVec3] = match &found.convex {
            Convex::Triangle(corners) => corners,
            Convex::Polyhedron(polyhedron) => polyhedron.vertices(),
            _ => return false,
        };
        let pose = &found.shape_from_piece;
        // Facets of a mesh stand as they are.
        if *pose == Pose::IDENTITY {
            self.overview.are_above(corners.iter().copied())
        } else {
            self.overview.are_above(corners.iter().map(|corner| pose.point(*corner)))
        }
    }
}

fn mover<'a>(body: &Rigid<'a>, node: &Node) -> Option<Mover<'a>> {
    match node.content {
        Content::Piece(piece) => Some(body.mover(piece, node)),
        Content::Balls(_) => None,
    }
}
