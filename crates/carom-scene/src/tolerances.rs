//! Every tolerance of this crate: value, unit, reason, and what gets worse in each direction.

/// How far the length of a given quaternion may be from 1 `[-]`; it is normalised afterwards.
///
/// People type 6 to 8 digits. Smaller refuses honest files; larger lets a forgotten component pass.
pub const UNIT_QUATERNION: f64 = 1e-6;

/// How far the cosine between given principal axes may be from 0 `[-]`.
///
/// As for quaternions: typed digits. Larger would turn a skew frame into an inertia nobody measured.
pub const PERPENDICULAR_AXES: f64 = 1e-6;

/// How far a count may be from a whole number `[-]`.
///
/// `10 * 0.3 / 0.1` is 30 only to rounding. Larger would accept counts that are meant as something else.
pub const WHOLE_NUMBER: f64 = 1e-9;

/// Sine of the angle between look direction and up below which the two count as parallel `[-]`.
///
/// The third axis is their cross product, whose direction is lost to rounding below this. Larger refuses
/// honest views from nearly above.
pub const PARALLEL_TO_UP: f64 = 1e-9;

/// Cosine between ring axis and x above which the ring starts along y `[-]`.
///
/// Any value well below 1 serves: x made perpendicular to the axis must keep its digits. Larger loses them.
pub const AXIS_NEAR_X: f64 = 0.999;

/// Tries per copy to find a random place with the distance asked for, on average over all copies `[-]`.
///
/// Random packing slows down steeply near its limit. Fewer gives up on boxes that are merely tight; more
/// makes a hopeless box slow to tell.
pub const TRIES_PER_COPY: u64 = 100;

/// Share of the smallest free body's size above which an envelope is told to be large `[-]`.
///
/// Bodies at rest hop by about the envelope, and a tenth of a body's size is seen by anybody. Smaller warns of envelopes
/// that are meant; larger keeps silent while bodies visibly hover.
pub const LARGE_ENVELOPE: f64 = 0.1;

/// Share of the smallest free body's size below which an envelope is told to be small `[-]`.
///
/// Bodies touch at a billionth of their size; hops have to be well above that. Smaller keeps silent while bodies hop by more
/// than they are asked to; larger warns of envelopes that are meant.
pub const SMALL_ENVELOPE: f64 = 1e-8;

/// Restitution below which plain microcollisions are told to be many `[-]`.
///
/// A box on a floor takes 1000 collisions in a second at 0.01, ten times as many at a tenth of it, 240 000 at 0. Smaller keeps silent of runs that seem to
/// hang; larger warns of runs that are quick.
pub const SMALL_RESTITUTION: f64 = 0.01;
