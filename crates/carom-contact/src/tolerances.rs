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

/// Depth up to which bodies count as in contact, in units in the last place of their coordinates `[-]`.
///
/// Places that were computed to touch are off by a few. Smaller refuses them; larger breaks the promise that no two bodies
/// overlap.
pub const OVERLAP_ULPS: f64 = 8.0;

/// Touch distance, as a share of the smaller body's size, from which on nothing can be said about near bodies `[-]`.
///
/// Far away and late, places have too few digits. Smaller refuses what could still be of use; larger tells touches of
/// bodies that are visibly apart.
pub(crate) const BLURRED: f64 = 1e-2;

/// Distance, in touch distances, up to which bodies count as near where nothing can be said about near ones `[-]`.
///
/// Smaller goes on in steps that hardly can be proven; larger ends runs for bodies that just pass.
pub(crate) const NEAR_IN_BLUR: f64 = 16.0;

/// Times and durations beyond this are as good as without end `[s]`.
///
/// Smaller cuts long flights into pieces; larger overflows when it is squared and multiplied by accelerations.
pub(crate) const LONGEST: f64 = 1e12;

/// Gap, in units of its rounding, from which on bodies can be told to be apart `[-]`.
///
/// One is what is proven, and one is room to prove it in. Smaller gives up on bodies that just part; larger takes more of
/// them for touching.
pub(crate) const TOLD_APART: f64 = 2.0;

/// How far bodies that part from contact shall get in their first leg, in units of the rounding of their gap `[-]`.
///
/// Smaller may end before they can be told apart; larger takes a hop that is over before that for contact.
pub(crate) const FIRST_GAP: f64 = 8.0;

/// Turning in one leg `[rad]`.
///
/// Beyond a radian the third-order terms exceed the second. Smaller takes more legs; larger ends them early.
pub(crate) const TURN_OF_A_LEG: f64 = 0.7;

/// Share of a leg after which no other direction is tried `[-]`.
///
/// Smaller is content with poor directions; larger tries all of them each time.
pub(crate) const ENOUGH_OF_A_LEG: f64 = 0.1;

/// Distance of reference points, in sums of reaches, beyond which bounding balls are followed instead `[-]`.
///
/// Smaller changes over where balls take small steps; larger follows directions where nothing is near.
pub(crate) const OUT_OF_REACH: f64 = 1.2;

/// A leg of which less than this share was proven is tried again at twice what was `[-]`.
///
/// Bounds over a shorter leg are tighter. Smaller keeps poor bounds; larger tries in vain.
pub(crate) const POOR_SHARE: f64 = 0.25;

/// Growth of legs from one to the next that was proven whole; and shrinking of one of which nothing was `[-]`.
///
/// Smaller takes more of them; larger overshoots and is cut back.
pub(crate) const LEG_GROWTH: f64 = 4.0;

/// Share of the touch distance that counts as none: above what is aimed at one is there, and a search may land in it `[-]`.
///
/// Smaller polishes; larger lands farther above.
pub(crate) const LANDING: f64 = 0.25;
