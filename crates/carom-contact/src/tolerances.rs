//! Every tolerance of this crate: value, unit, reason, and what gets worse in each direction.

/// Distance at which bodies touch, as a share of the smaller one's size `[-]`.
///
/// Smaller takes a step more in the last digits of the distance; larger shows in the times of touches.
pub const TOUCH_SHARE: f64 = 1e-9;

/// Distance at which bodies touch, in units in the last place of what it is computed from: positions, times
/// and angles `[-]`.
///
/// Each evaluation is off by one or two. Smaller, and the last step could not be told from noise; larger shows
/// in the times of touches far away or late.
pub const TOUCH_ULPS: f64 = 4.0;

/// Distance at which bodies touch, in units of the proven rounding of a gap `[-]`.
///
/// A gap must be above its rounding to be proven, half the touch distance is aimed at, and half of the rest is
/// room to land in. Smaller cannot be reached; larger shows in times late in a long flight.
pub const TOUCH_ROUNDINGS: f64 = 4.0;

/// Gap between bounding balls, as a share of their radii, above which the balls alone are followed `[-]`.
///
/// Smaller calls for more steps to where the balls meet; larger asks for distances of bodies that are not near.
pub const NEAR_SHARE: f64 = 0.05;

/// Clips of one certificate before it says how far it got `[-]`.
///
/// A transversal approach takes three or four, a grazing pass up to ten each way. Smaller asks for a distance
/// instead, which costs as much as some ten clips; larger polishes what the next distance makes anew.
pub(crate) const MOST_CLIPS: usize = 24;

/// Times a certificate is carried on from its last proven time before the distance is asked for `[-]`.
///
/// One reaches about a radian of relative turning. Smaller asks for more distances of fast spinners; larger
/// follows directions that no longer fit.
pub(crate) const MOST_LEGS: usize = 32;

/// Share of the time so far below which another clip is not worth it `[-]`.
pub(crate) const SMALL_PROGRESS: f64 = 1e-9;

/// Gap between two balls of the trees of pieces, as a share of the larger radius, below which the larger is replaced by its
/// halves `[-]`.
///
/// Smaller follows large balls in small steps; larger opens them while they are still far.
pub(crate) const SPLIT_SHARE: f64 = 0.25;

/// Share of the time since two bodies met that a step of the search for their parting is not shorter than `[-]`.
///
/// Smaller takes more steps from the touch on; larger takes more to halve what was stepped over.
pub(crate) const PARTING_GROWTH: f64 = 0.25;

/// How far points may move in such a step, as a share of the smaller body's size `[-]`.
///
/// Smaller takes more steps along a shallow overlap; larger may overlook that bodies come apart and together again.
pub(crate) const PARTING_STRIDE: f64 = 1e-3;

/// Steps of a search for a parting after which that share is twice as large, three times after as many again `[-]`.
///
/// Smaller may overlook more of a long overlap; larger takes longer for a fast spinner that stays inside.
pub(crate) const PARTING_PATIENCE: f64 = 1000.0;

/// Corrections of the last digits of a time found in closed form `[-]`.
///
/// Mostly none is needed, and two are where the distance is small beside what it is computed from. Smaller could end outside
/// of the touch distance; larger works on where no better time exists.
pub(crate) const MOST_CORRECTIONS: usize = 40;
