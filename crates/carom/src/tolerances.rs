//! Every tolerance of the engine, with its reason.

/// How long after a collision a pair counts as in contact, in falls through the envelope, √(2ε_c/a). A hop at v_μ takes two
/// of them, so the next collision of a body at rest is never later. Larger: a slow collision of bodies that met before by
/// chance is taken for rest. Smaller than 2: resting bodies lose their train and settle anew with every hop.
pub(crate) const TRAIN_FALLS: f64 = 4.0;

/// The least speed at which bodies that are pressed together leave a collision, as a share of v_μ. Smaller: more collisions
/// in every second of rest, without bound as it goes to 0. Larger: more energy is added to bodies that settle.
pub(crate) const LEAST_REBOUND: f64 = 0.3;

/// How soon after the last one a microcollision is hurried, in falls through the envelope, and is let go faster: a third of
/// a fall is the pace of 3g/v_μ collisions a second. Smaller: some bodies rock on their corners with more than that. Larger:
/// more energy is added.
pub(crate) const HURRIED_FALLS: f64 = 1.0 / 3.0;

/// The least speed at which a hurried microcollision of bodies that do not bounce leaves where it reverses, as a share of v_μ;
/// of livelier ones it goes down to the ordinary one. Smaller: it stays hurried. Larger: hops of more than the envelope.
pub(crate) const HURRIED_REBOUND: f64 = 0.7;

/// The coefficient of restitution from which on bodies are lively: they lose so little that what hurry adds would stay with
/// them. Smaller: frictionless bodies collide more than 3g/v_μ times a second. Larger: hops of more than the envelope.
pub(crate) const LIVELY_RESTITUTION: f64 = 0.875;

/// By how much more of a fall than the envelope a collision of a train may be faster than v_μ and still be slow, in gaps at
/// which it was found, twice: touches are found at a quarter of the touch distance to all of it, so what leaves at v_μ may fall
/// by three gaps more before it is back. Smaller: every other collision at rest is an ordinary one. Larger: bounces that are
/// faster than v_μ are taken for rest.
pub(crate) const RETURNING_GAPS: f64 = 8.0;

/// The share of a speed that was asked for which is enough of it: all but rounding. Smaller: bodies that part too slowly are
/// let go. Larger: they are answered again, for an ulp.
pub(crate) const ENOUGH_OF_A_REBOUND: f64 = 1.0 - 1e-9;

/// The speed, in v_μ, from which on a collision ends the rest of a pair. Smaller: bodies that dance on their corners are never
/// at rest. Larger: a knock goes unnoticed.
pub(crate) const DISTURBED: f64 = 3.0;

/// Turning is counted into the acceleration of a gap where it could make more than this share of what presses the bodies
/// anyway. Smaller: gaps are measured once more for bodies that hardly turn. Larger: v_μ is off by half of it.
pub(crate) const TURNING_SHARE: f64 = 0.02;

/// How far the place of contact may wander in a hop for its acceleration to be counted, as a share of the smaller body's size.
/// Smaller: v_μ of bodies that roll on their rims is too small, and they collide more often. Larger: bodies that lie on each
/// other along a line or a face are hurled apart, since there the acceleration of the gap is without bound for a moment.
pub(crate) const WANDERED_SHARE: f64 = 0.25;

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

/// Collisions of a pair at one instant in which that share doubles. Smaller: long rows that do not bounce are driven apart
/// visibly. Larger: they take more rounds, about the square of their length.
pub(crate) const COLLISIONS_OF_A_DOUBLING: u32 = 40;

/// Collisions of a pair at one instant after which bodies that are pressed together no longer leave by hops: they press
/// others. Smaller: a corner of a pile may begin to stall. Larger: bodies in tight corners are hurled about.
pub(crate) const COLLISIONS_WITH_HOPS: u32 = 16;

/// Collisions of a pair at one instant after which it bounces no more, and what closes by less than its rounding is at rest:
/// the share has grown to 3e-3 by then. Smaller: long rows are ended that would have ended. Larger: what fits exactly between
/// two walls takes more rounds.
pub(crate) const COLLISIONS_WITH_BOUNCES: u32 = 1000;

/// The longest time for which a hop out of contact looks ahead, where only a change of acceleration brings bodies back `[s]`.
/// Smaller: a body that starts to move very softly is found in contact again and again. Larger: what happens much later makes
/// the first hop too high.
pub(crate) const LONGEST_HOP: f64 = 1.0;

/// How often that time is worked out anew from the hop; each time the error goes down to its square root.
pub(crate) const HOPS_TRIED: u32 = 8;

/// Closing speed, in roundings of the fastest, that is then at rest; less than what a search lets pass of bodies that have
/// met. Smaller: roundings are answered without end.
pub(crate) const TOLERATED_ULPS: f64 = 32.0;

/// Lengths by which the arm of a point far from the origin is taken to be longer, as a share of its distance, so that
/// roundings of its place count in the speeds there: 16 roundings, in shares of which the least parting speed is one.
pub(crate) const ROUNDED_PLACES: f64 = 16.0 * f64::EPSILON / PARTING_SHARE;

/// By how much the balls around two bodies have to be apart, as a share of their sizes and places, to be farther from each
/// other than any touch distance. Smaller than that share: touches are overlooked. Larger: more distances are measured.
pub(crate) const BALLS_MARGIN: f64 = 1e-6;

/// Points of contact whose normals differ by less than this (1 − cos of the angle) collide together. Larger: points that are
/// pushed in different directions would be taken for one. Smaller than rounding of a normal: faces that lie on each other in
/// several pieces would collide piece by piece.
pub(crate) const SAME_NORMAL: f64 = 1e-12;

/// Share of its closing speed that a point which friction has wedged may keep `[-]`.
///
/// Velocities come from sums of impulses, rounded to some 10⁻¹⁴ of what the point had. Smaller calls a rod that props itself up
/// jammed; larger lets bodies that nothing can stop go on into each other for a while.
pub(crate) const WEDGED_SHARE: f64 = 1e-9;

/// The gap at which lasting contact is held, as a share of the smaller body's size `[-]`.
///
/// Smaller brings it near the distance at which bodies touch (10⁻⁹), so that the search for touches has to look more often, and near what
/// integration errs by. Larger lifts bodies more than needed: a stack of n by n times this, and 10⁻⁶ is what is promised.
pub(crate) const HELD_SHARE: f64 = 5e-8;

/// The same in units in the last place of their distance from the origin, where that is more: far above what their places are rounded by
/// `[-]`.
pub(crate) const HELD_ULPS: f64 = 256.0;

/// How far points of lasting contact may be above the least gap, in held gaps `[-]`.
///
/// Points that touch anew are within one held gap of those that are held. Smaller overlooks some of them; larger takes for
/// contact what is not yet.
pub(crate) const HELD_REACH: f64 = 2.0;

/// How fast gaps are brought to what is held, in times of a fall by the size of the smaller body, √(g₀/L) `[-]`.
///
/// Larger makes forces that lift visible beside weights, and segments shorter while gaps settle; smaller leaves them to themselves for longer.
pub(crate) const HOLD_PACE: f64 = 4.0;

/// Share of the speed at which a gap is brought to what is held, up to which the rate of a gap is none `[-]`.
///
/// Smaller has rounding stopped again and again; larger leaves more of a rate to the hold.
pub(crate) const RESTING_SHARE: f64 = 1e-2;

/// Height of the hops under gravity that are stopped at once, as a share of the held gap `[-]`.
///
/// Smaller lets what comes to rest on an edge or a face rock longer; larger stops contacts that part for good.
pub(crate) const HOP_SHARE: f64 = 1e-2;

/// The gravity that hops are reckoned with at least, as a share of the standard one `[-]`: where there is none, speeds have no other
/// measure.
pub(crate) const LEAST_PULL: f64 = 1e-3;

/// Up to this distance bodies are kept from coming nearer where gaps of contacts are opened, in held gaps `[-]`.
///
/// What is opened moves bodies by about one held gap, through a stack of n by n. Larger looks at more neighbours.
pub(crate) const GUARDED_GAPS: f64 = 64.0;

/// How far a contact point may leave its features before others take over, as a share of the smaller body's size `[-]`.
///
/// Smaller finds contact points anew more often where bodies slide over edges; larger supports bodies that much beyond them.
pub(crate) const STRAY: f64 = 1e-6;

/// The same for a point that stands for the crossing of edges that lie almost along each other `[-]`.
///
/// A twentieth of a radian lets the crossing run twenty times as fast as the bodies slide. Smaller finds it anew more often; larger
/// knows less where the border of a support is.
pub(crate) const STRAY_OF_CROSSINGS: f64 = 1e-3;

/// Points of an instant up to which those that are wedged are answered together `[-]`.
///
/// The time it takes grows with the cube. Smaller leaves wedges in a heap to rounds that may not end; larger can take seconds.
pub(crate) const MOST_WEDGED: usize = 64;
