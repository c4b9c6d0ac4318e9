//! Every tolerance of the engine, with its reason.

/// How long after a collision a pair counts as in contact, in falls through the envelope, √(2ε_c/a). A hop at v_μ takes two
/// of them, so the next collision of a body at rest is never later. Larger: a slow collision of bodies that met before by
/// chance is taken for rest. Smaller than 2: resting bodies lose their train and settle anew with every hop.
pub(crate) const TRAIN_FALLS: f64 = 4.0;

/// The least speed at which bodies that are pressed together leave a collision, as a share of v_μ. Smaller: more collisions
/// in every second of rest, without bound as it goes to 0. Larger: more energy is added to bodies that settle.
pub(crate) const LEAST_REBOUND: f64 = 0.3;

/// By how much faster than v_μ a collision of a train may be and still be slow, as a share: what leaves at v_μ comes back at
/// v_μ, to rounding. Smaller than rounding: every other collision at rest is an ordinary one. Larger: bounces that are faster
/// than v_μ are taken for rest.
pub(crate) const RETURNING: f64 = 1e-6;

/// Turning is counted into the acceleration of a gap where it could make more than this share of what presses the bodies
/// anyway. Smaller: gaps are measured once more for bodies that hardly turn. Larger: v_μ is off by half of it.
pub(crate) const TURNING_SHARE: f64 = 0.02;

/// The coefficient of restitution of the thesis's microcollisions at the bottom of the envelope (T 1684).
pub(crate) const PLAIN_RESTITUTION: f64 = 5.0;

/// The share of a sliding velocity that a microcollision turns back where friction cannot reverse all of it. Smaller: blocks
/// creep faster down a ramp that holds them (0.36 v_μ at 0, 0.28 at this, 0.2 at 1). Larger: a table that was put down goes on
/// dancing, and its legs carry unequal shares (0.24 and 0.26 at 1).
pub(crate) const PART_REVERSED: f64 = 0.25;

/// The least speed at which a collision leaves its point, as a share of the velocities there. Smaller than some roundings:
/// bodies that do not bounce may be found closing again at the same instant, without end; and what slides along a wall stays
/// so near to it that every step of a search is short. Larger: bodies that should stay together part visibly.
pub(crate) const PARTING_SHARE: f64 = 1e-10;

/// Points of contact whose normals differ by less than this (1 − cos of the angle) collide together. Larger: points that are
/// pushed in different directions would be taken for one. Smaller than rounding of a normal: faces that lie on each other in
/// several pieces would collide piece by piece.
pub(crate) const SAME_NORMAL: f64 = 1e-12;
