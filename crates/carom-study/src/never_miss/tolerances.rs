//! Every tolerance and limit of the never-miss grid: value, unit, reason, and what gets worse in each direction.

/// Slack of a proof, in units of the rounding of one interval of the oracle `[-]`.
///
/// A bound has two ends and each is widened both ways. Smaller cannot prove what is true at the last digit; larger lets an
/// overlap of some 10⁻¹³ of the size pass.
pub(super) const ROUNDINGS: f64 = 4.0;

/// Distances that one proof may take `[-]`.
///
/// A case takes some tens, a fast spinner in a long pass some thousands. Fewer leaves cases undecided; more is slower on
/// those that stay so.
pub(super) const MOST_DISTANCES: u64 = 200_000;

/// Draws for one case before it is given up `[-]`.
///
/// A draw is refused when the two would begin in overlap, which one in two may. Fewer leaves cases out; more never happen.
pub(super) const MOST_DRAWS: usize = 200;

/// How far the largest spin of a free rotation is taken above what its vertices give, as a share of its square `[-]`.
///
/// Smaller might be less than the rounding of nearly equal moments; larger takes more distances.
pub(super) const SPIN_SLACK: f64 = 1e-5;
