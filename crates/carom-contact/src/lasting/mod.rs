//! Contact geometry that lasts: points of contact that are frozen by kind, followed while the bodies move, and the second
//! derivative of their gaps.
//!
//! # The gap and its derivatives
//!
//! A contact point has a unit normal n from B to A and a point on each body, p_A and p_B, all of which move with the bodies
//! and over them. V_X(p) = v_X + ω_X×(p − x_X) is the velocity of the material of body X at p, with x_X the origin of its
//! frame. For every kind of contact below p_A − p_B is along n, and as the points slide over the bodies they do so across n,
//! so
//!
//! ```text
//! g = n·(p_A − p_B)                                                                                            (1)
//! ġ = n·(V_A(p_A) − V_B(p_B))                                                                                  (2)
//! g̈ = ṅ·(V_A(p_A) − V_B(p_B)) + n·( v̇_A + ω̇_A×r_A + ω_A×(ṗ_A − v_A) − [v̇_B + ω̇_B×r_B + ω_B×(ṗ_B − v_B)] )     (3)
//! ```
//!
//! with r_X = p_X − x_X and ṗ_X the velocity of the geometric point, not of the material. (2) holds since ġ = ṅ·(p_A − p_B) +
//! n·(ṗ_A − ṗ_B), the first term is zero because |n| = 1, and what ṗ differs from V by is across n: a point may slide along a
//! line or a surface that n is square to, and where a radius puts it off a centre or an axis it turns with n. (3) is the time
//! derivative of (2) and needs no second derivative of n or p: contact curvature enters through ṅ and ṗ alone. It is
//! Baraff's (6-29) at any gap, and with s = V_A − V_B = 0 it is n·ds/dt of his (6-33). The part without accelerations is
//!
//! ```text
//! bias = ṅ·(V_A − V_B) + n·( ω_A×(ṗ_A − v_A) − ω_B×(ṗ_B − v_B) ).                                               (4)
//! ```
//!
//! | where | what |
//! |---|---|
//! | `straight` | corners and round ends over planes, lines and each other: n, ṅ, p, ṗ in closed form |
//! | `rim` | the lowest point of a circle over a plane, in closed form |
//! | `nearest` | nearest points of surfaces that are curved in another way |
//! | `element` | what carries a feature: a point, line, plane or circle with a radius |
//! | `room` | how far inside its features a point is |
//! | `freeze` | from a point of a manifold to a contact point |
//! | `flat` | round caps that lie flat: points of rims |
//! | `set` | all contact points of two bodies, and refreshing them |
//! | `sufficient` | whether points of a rim are enough |
//! | `predict` | when a gap will close |
//!
//! Everything is computed relative to the origin of A's frame, so that far from the origin of the world no digits of a gap
//! are lost but those its placements have lost already.

mod element;
mod flat;
mod freeze;
mod nearest;
mod pair;
mod predict;
mod rim;
mod room;
mod set;
mod straight;
mod sufficient;
#[cfg(test)]
mod tests;

use carom_geometry::Pose;
use carom_geometry::distance::pieces::{Piece, Pieces};
use carom_geometry::distance::{Feature, Warm};
use glam::DVec3;

pub use predict::touch_time;
pub use set::{contact_points, refresh_points};
pub use sufficient::{Accelerating, sufficient};

/// A body as contact geometry sees it: convex pieces in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Solid<'a> {
    /// Its shape, in pieces.
    pub pieces: &'a Pieces,
    /// Placement of the shape in the frame.
    pub frame_from_shape: Pose,
    /// Its size, infinite if unbounded `[m]`.
    pub size: f64,
}

impl<'a> Solid<'a> {
    /// A piece and its placement in the frame, if there is such a piece.
    fn piece(&self, index: u32) -> Option<(&'a Piece, Pose)> {
        let piece = self.pieces.pieces().get(index as usize)?;
        Some((piece, self.frame_from_shape.then_from(&piece.shape_from_piece)))
    }
}

/// Where a frame is and how it moves at one time, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// Its placement.
    pub world_from_frame: Pose,
    /// Velocity of its origin `[m/s]`.
    pub velocity: DVec3,
    /// Its angular velocity `[rad/s]`.
    pub spin: DVec3,
}

impl Moving {
    /// At rest.
    pub const fn at_rest(world_from_frame: Pose) -> Self {
        Self { world_from_frame, velocity: DVec3::ZERO, spin: DVec3::ZERO }
    }
}

/// A straight line of a body, in the axes of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Its middle `[m]`.
    pub middle: DVec3,
    /// Unit direction.
    pub direction: DVec3,
    /// Half of its length, infinite where no end is watched `[m]`.
    pub half: f64,
}

/// A plane of a body, in the axes of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal out of the body.
    pub normal: DVec3,
    /// n·x of its points `[m]`.
    pub offset: f64,
    /// The face by whose border the plane is bounded; for a vertex or an edge the plane leans on that, and is bounded by how
    /// far from it one gets.
    pub face: Feature,
}

/// A circle of a body, in the axes of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Its centre `[m]`.
    pub center: DVec3,
    /// Unit normal of its plane, out of the body.
    pub axis: DVec3,
    /// Its radius `[m]`.
    pub radius: f64,
}

/// What a contact point is made of: data fixed on the bodies, from which everything else follows at any placement. `of` is
/// the body, 0 for A and 1 for B, that the first named belongs to; the second is the other's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A material point, or the centre of a round end or a point of a round side's axis, over a plane.
    Corner {
        /// Whose point it is.
        of: usize,
        /// The point, in the frame of its body `[m]`.
        center: DVec3,
        /// Radius around it `[m]`.
        radius: f64,
        /// The plane, in the frame of the other body.
        plane: Plane,
        /// Sine of the tilt of the caps of which it is a rim point, beyond which it is no longer one; infinite for others `[-]`.
        most_tilt: f64,
    },
    /// The lowest point of a circle over a plane.
    Rim {
        /// Whose circle it is.
        of: usize,
        /// The circle.
        circle: Circle,
        /// The plane, in the frame of the other body.
        plane: Plane,
        /// Sine of the tilt below which it lies flat, and is to be held by points of the rim `[-]`.
        least_tilt: f64,
    },
    /// Two points, with radii around them or apart.
    Points {
        /// Each in the frame of its body `[m]`.
        centers: [DVec3; 2],
        /// Around each `[m]`.
        radii: [f64; 2],
    },
    /// A point and a line, with radii around them or apart.
    PointLine {
        /// Whose point it is.
        of: usize,
        /// The point, in the frame of its body `[m]`.
        center: DVec3,
        /// The line, in the frame of the other body.
        line: Line,
        /// Around the point and around the line `[m]`.
        radii: [f64; 2],
    },
    /// Two lines that are not parallel: edges, or axes of round sides.
    Lines {
        /// Each in the frame of its body.
        lines: [Line; 2],
        /// Around each `[m]`.
        radii: [f64; 2],
        /// 1 where the normal is along the cross product of the directions of A's and B's line, −1 where it is against it.
        sign: f64,
    },
    /// A curved piece over a plane.
    Support {
        /// Whose piece it is.
        of: usize,
        /// The plane, in the frame of the other body.
        plane: Plane,
    },
    /// The nearest points of two pieces of which one is curved; of a polyhedron only the feature counts.
    Nearest,
}

/// One contact point, frozen over a segment. `pieces`, `features` and `slot` say which one it is: the same point has the same
/// ones in consecutive calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// The convex pieces of A and B.
    pub pieces: [u32; 2],
    /// The features of the pieces that meet.
    pub features: [Feature; 2],
    /// Tells points with the same features apart, such as those of one rim.
    pub slot: u32,
    /// What it is made of.
    pub kind: Kind,
    /// Whether [`Followed::room`] counts how far the normal may turn before other features are nearer; not for one of several
    /// points on parallel flats or lines, where that is nothing.
    pub is_alone: bool,
}

impl ContactPoint {
    /// What it is, apart from where.
    pub const fn identity(&self) -> ([u32; 2], [Feature; 2], u32) {
        (self.pieces, self.features, self.slot)
    }
}

/// What a contact point says at one placement; in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Followed {
    /// On A and on B `[m]`.
    pub points: [DVec3; 2],
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// Signed distance of the points along the normal `[m]`.
    pub gap: f64,
    /// Its rate, equation (2) `[m/s]`.
    pub rate: f64,
    /// Its second derivative where neither frame accelerates, equation (4) `[m/s²]`.
    pub bias: f64,
    /// Rate of the normal `[1/s]`.
    pub normal_rate: DVec3,
    /// Velocities of the geometric points `[m/s]`.
    pub point_rates: [DVec3; 2],
    /// How far inside its features the point is: positive while they are the right ones; a place by its distance from the
    /// border, a direction by its angle times the smaller size; infinite where nothing ends `[m]`.
    pub room: f64,
    /// How fast the point moves over the bodies: over the one on which it moves more slowly, for a corner that slides is no
    /// trouble. Infinite where flats are forced to roll on each other: a zeroth-order impact `[m/s]`.
    pub wandering: f64,
    /// Smaller body's size over the largest radius of relative curvature: how far from singular K is. About 1 for round things,
    /// 0 where both are flat in one direction, infinite for points and edges that have no curvature to speak of `[-]`.
    pub condition: f64,
}

impl Followed {
    /// g̈ by equation (3) for linear accelerations `[m/s²]` of the frames' origins and angular ones `[rad/s²]`, of frames that
    /// are placed as in `moving`.
    pub fn acceleration(&self, moving: [&Moving; 2], accelerating: [&Accelerating; 2]) -> f64 {
        let part = |i: usize| {
            let arm = self.points[i] - moving[i].world_from_frame.translation;
            self.normal.dot(accelerating[i].linear + accelerating[i].angular.cross(arm))
        };
        self.bias + part(0) - part(1)
    }
}

/// A body at one placement, its place taken from the origin of A's frame, along the axes of the world.
#[derive(Clone, Copy, Debug)]
struct Placed {
    pose: Pose,
    velocity: DVec3,
    spin: DVec3,
}

impl Placed {
    fn both([a, b]: [&Moving; 2]) -> [Self; 2] {
        let origin = a.world_from_frame.translation;
        [a, b].map(|it| Self {
            pose: Pose::new(it.world_from_frame.translation - origin, it.world_from_frame.rotation),
            velocity: it.velocity,
            spin: it.spin,
        })
    }

    /// Velocity of the material at a point.
    fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(point - self.pose.translation)
    }
}

/// Points, normal and their rates, from the origin of A's frame.
#[derive(Clone, Copy, Debug)]
struct Track {
    points: [DVec3; 2],
    point_rates: [DVec3; 2],
    normal: DVec3,
    normal_rate: DVec3,
    gap: f64,
    /// Largest radius of relative curvature, zero where there is none `[m]`.
    radius: f64,
    /// False where both bodies are flat in a direction in which they are forced to roll.
    is_determined: bool,
}

impl Track {
    /// Of something of body `of` over something of the other, with an upward normal from the latter; the points and their
    /// rates in that order.
    fn over(
        of: usize,
        points: [DVec3; 2],
        point_rates: [DVec3; 2],
        [up, up_rate]: [DVec3; 2],
        gap: f64,
    ) -> Self {
        let (sign, turned) = if of == 0 { (1.0, false) } else { (-1.0, true) };
        let ordered = |[x, y]: [DVec3; 2]| if turned { [y, x] } else { [x, y] };
        Self {
            points: ordered(points),
            point_rates: ordered(point_rates),
            normal: sign * up,
            normal_rate: sign * up_rate,
            gap,
            radius: 0.0,
            is_determined: true,
        }
    }

    /// With the derivatives of the gap, in the world.
    fn followed(&self, placed: &[Placed; 2], origin: DVec3, size: f64, room: f64) -> Followed {
        let Self { points, point_rates, normal, normal_rate, gap, radius, is_determined } = *self;
        let material = [0, 1].map(|i| placed[i].velocity_at(points[i]));
        let apart = material[0] - material[1];
        let carried = [0, 1].map(|i| placed[i].spin.cross(point_rates[i] - placed[i].velocity));
        let slide = [0, 1].map(|i| (point_rates[i] - material[i]).length());
        Followed {
            points: points.map(|point| point + origin),
            normal,
            gap,
            rate: normal.dot(apart),
            bias: normal_rate.dot(apart) + normal.dot(carried[0] - carried[1]),
            normal_rate,
            point_rates,
            room,
            wandering: if is_determined { slide[0].min(slide[1]) } else { f64::INFINITY },
            condition: size / radius,
        }
    }
}

impl ContactPoint {
    /// What it says at a placement, by smooth functions of the placement; none where its kind has no meaning there, such as
    /// for lines that have become parallel. The answer does not depend on `warm` but for rounding.
    pub fn follow(
        &self,
        solids: [&Solid<'_>; 2],
        moving: [&Moving; 2],
        warm: &mut Warm,
    ) -> Option<Followed> {
        let placed = Placed::both(moving);
        let track = match &self.kind {
            Kind::Corner { of, center, radius, plane, .. } => {
                straight::corner(&placed, *of, *center, *radius, plane)
            }
            Kind::Rim { of, circle, plane, .. } => rim::rim(&placed, *of, circle, plane)?,
            Kind::Points { centers, radii } => straight::points(&placed, *centers, *radii)?,
            Kind::PointLine { of, center, line, radii } => {
                straight::point_line(&placed, *of, *center, line, *radii)?
            }
            Kind::Lines { lines, radii, sign } => straight::lines(&placed, lines, *radii, *sign)?,
            Kind::Support { of, plane } => {
                nearest::support(self, solids, &placed, *of, plane, warm)?
            }
            Kind::Nearest => nearest::nearest(self, solids, &placed, warm)?,
        };
        let size = solids[0].size.min(solids[1].size);
        let room = room::room(self, solids, &placed, &track);
        let origin = moving[0].world_from_frame.translation;
        Some(track.followed(&placed, origin, size, room))
    }
}
