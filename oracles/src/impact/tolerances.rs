//! Every tolerance and limit of the solver of impacts: value, unit, reason, and what gets worse in each direction.

/// Error allowed per step of the two solutions that are compared, as a share of the closing speed `[-]`.
///
/// The second is the answer: some hundred steps of it stay below the rounding of a double. The first is far enough from
/// it to tell by how much a solution moves when its steps do. Smaller takes longer for digits that an answer does not
/// keep; larger loses digits. The distance from u_t = 0 at which contact sticks is the same share.
pub(super) const STEP_ERRORS: [f64; 2] = [1e-15, 1e-18];

/// Share of the sliding velocity that a step may change `[-]`.
///
/// The sliding direction has its singularity where that velocity vanishes. Smaller takes more steps; at 1 a step could
/// land beyond u_t = 0, where friction has the opposite sign.
pub(super) const MOST_CHANGE: f64 = 0.25;

/// Share of the sliding velocity by which a step may err `[-]`.
///
/// It counts where that velocity is small. Smaller takes more steps on the way into u_t = 0; at 1 the direction of
/// sliding would be lost there, and with it what the pattern tells.
pub(super) const DIRECTION_ERROR: f64 = 1e-6;

/// Columns of the extrapolation; its order is twice that `[-]`.
///
/// Fewer needs more steps for 18 digits; more evaluates more often where steps are short anyway.
pub(super) const N_COLUMNS: usize = 9;

/// Safety factor of step lengths, and by how much one may grow `[-]`.
///
/// Larger ones waste rejected steps; smaller ones waste short ones.
pub(super) const STEP_SAFETY: [f64; 2] = [0.85, 4.0];

/// Steps of one solution, counting rejected ones `[-]`.
///
/// Some hundred are taken. Fewer might end a hard case; more only delays giving up.
pub(super) const MOST_STEPS: usize = 20_000;

/// Share of its size below which a quantity counts as neither positive nor negative `[-]`.
///
/// Far above the rounding of doubled numbers, 10⁻³⁰. Smaller takes noise for a change of sign; larger overlooks one.
pub(super) const INSIGNIFICANT: f64 = 1e-24;

/// Share of a step to which an event is located `[-]`.
///
/// Smaller asks for more than doubled numbers resolve; larger leaves an error of its square in works, and of itself in
/// velocities.
pub(super) const EVENT_WIDTH: f64 = 1e-26;

/// Rounds of locating an event `[-]`.
///
/// Ten are usual. More repeat what rounding decided; fewer may stop early where a quantity hardly changes.
pub(super) const MOST_EVENT_ROUNDS: usize = 120;

/// Halvings that locate a root of a polynomial in an interval of length 9/4 `[-]`.
///
/// More than the digits of doubled numbers are in vain; fewer leave the last ones open.
pub(super) const N_HALVINGS: usize = 110;

/// How far the cosine of the angle between two rays may be from 1 if they are the same `[-]`.
///
/// Rays near ±90° are found twice, with angles that agree to 10⁻²⁵. Smaller might count them twice; larger might take two
/// for one.
pub(super) const SAME_RAY: f64 = 1e-24;

/// Share of the sliding speed that counts as closing speed when errors are scaled `[-]`.
///
/// Smaller asks for more than 30 digits of contacts that slide far faster than they close; larger allows errors that
/// matter to how they part.
pub(super) const SLIDING_SHARE: f64 = 1e-6;
