//! Numbers that decide what a picture shows, each with its reason.

/// Pushes between two bodies within this share of the smaller one's radius are drawn as one `[-]`. Larger: corners of a
/// face are one arrow; smaller: a train of collisions at rest is a brush of arrows.
pub(crate) const SAME_TOUCH: f64 = 0.15;

/// A fixed body more than this many times as large as everything that moves is ground: it does not have to be in frame,
/// and its top has a grid `[-]`. Larger: tables fill the picture and what moves on them is small; smaller: ramps are cut
/// off.
pub(crate) const GROUND_SHARE: f64 = 2.0;

/// A plane is in frame below what moves if that is no higher above it than this many times its own size `[-]`. Larger: what
/// flies high is small; smaller: what falls is seen without what it falls on.
pub(crate) const HEIGHT_SHARE: f64 = 3.0;

/// What is nearer to the camera than this share of the distance to what it looks at is cut away `[-]`. Larger: what stands
/// in the foreground is cut open; smaller: rounding shows on what is cut.
pub(crate) const NEAR_SHARE: f64 = 0.02;

/// A horizontal normal's z may differ from 1 by this much for a face to have a grid `[-]`: half a degree.
pub(crate) const LEVEL: f64 = 4e-5;

/// Shadows begin so many cells of the shadow map above the surface `[-]`. Larger: shadows come loose from bodies; smaller:
/// surfaces shade themselves.
pub(crate) const SHADOW_BIAS_CELLS: f64 = 1.6;

/// A fixed body that would hide more than this share of what moves is drawn so that one sees through it `[-]`. Larger: boxes
/// hide what is in them; smaller: the rim of a dish turns to glass.
pub(crate) const HIDDEN_SHARE: f64 = 0.2;

/// Where some bodies get this many times as far as the others, the picture stays with the others `[-]`. Larger: a bullet makes
/// everything else a dot; smaller: what is thrown leaves the picture.
pub(crate) const FLED_SHARE: f64 = 4.0;
