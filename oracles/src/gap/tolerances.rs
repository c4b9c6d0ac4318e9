//! Every tolerance and limit of the measuring of gaps: value, unit, reason, and what gets worse in each direction.

/// Widening of every interval, in units of ε times the lengths involved `[-]`.
///
/// The header of the module counts about 100 u = 50 ε. Smaller might leave the truth out; larger only widens, and is
/// 1.4·10⁻⁴ of the narrowest gap that has to be proven, 10⁻¹⁰ of the size.
pub const ROUNDING_ULPS: f64 = 64.0;

/// How far parry's distance may lie outside the interval, as a share of the lengths involved `[-]`.
///
/// Its iterations end at about 10⁻⁷ to 10⁻¹⁵ of the size, depending on the kinds. Smaller counts what is no more than its
/// stopping rule; larger hides its mistakes.
pub const AGREEMENT: f64 = 1e-8;

/// By how much bounding balls are larger than computed, as a share of their radius `[-]`.
///
/// Smaller might be less than rounding; larger lets pairs be measured that are far apart.
pub(super) const BALL_SLACK: f64 = 1e-12;

/// Width of an interval at which to stop, in units of the rounding of its ends `[-]`.
///
/// Smaller spends rounds on noise; larger leaves open what could be known.
pub(super) const NARROW: f64 = 0.25;

/// Rounds of the convex programme `[-]`.
///
/// Needle-shaped ellipsoids take some forty. Fewer would end before the interval is narrow; more never happen but to noise.
pub(super) const MOST_ROUNDS: usize = 400;

/// Rounds without a shorter average before the programme gives up `[-]`.
///
/// Fewer gives up on what rounding held up once or twice; more repeats what rounding decided.
pub(super) const MOST_STALLS: usize = 6;

/// Points that are remembered for polishing `[-]`.
///
/// More bound directions better, at the third power of the cost.
pub(super) const MOST_LATEST: usize = 8;

/// Rounds of polishing `[-]`.
///
/// Each halves what is open, about. Fewer leaves narrow gaps between curved sides open at 10⁻¹⁰ of the size; more is slower
/// where nothing helps.
pub(super) const MOST_POLISHES: usize = 40;

/// Points added to the surface that measures a depth `[-]`.
///
/// Curved solids come to about a thousandth of their depth. Fewer estimates worse; more takes longer, by the square.
pub(super) const MOST_DEPTH_POINTS: usize = 64;

/// Share of a depth that may be left open `[-]`.
///
/// Smaller takes longer for digits that nobody needs of an overlap; larger tells its depth less well.
pub(super) const DEPTH_SHARE: f64 = 1e-6;

/// First and last step of the search for the shortest shift that takes solids apart that are not convex `[rad]`.
///
/// A smaller last one brings the estimate closer, at some twenty support values each time it is halved.
pub(super) const SHIFT_STEPS: [f64; 2] = [0.5, 1e-3];

/// Steps of that search `[-]`.
///
/// Fewer may end on the way; more never happen but where the shift hardly changes.
pub(super) const MOST_SHIFT_STEPS: usize = 100;

/// Pairs of crossing triangles that are looked at `[-]`.
///
/// Fewer tells less of a depth; more takes longer for bodies that are known to overlap.
pub(super) const MOST_CROSSINGS: usize = 8;

/// How closely the gap to a ball of a mesh's tree is found, as a share of its radius `[-]`.
///
/// Larger opens balls in vain; smaller takes longer for each.
pub(super) const COARSE: f64 = 0.1;

/// Compounds within compounds `[-]`.
///
/// More could exhaust the stack; fewer refuses what somebody has built.
pub(super) const MOST_LEVELS: usize = 64;
