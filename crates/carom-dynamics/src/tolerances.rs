//! Every tolerance of this crate: value, unit, reason, and what gets worse in each direction.

/// Largest number that a law of motion accepts, in SI units `[-]`.
///
/// Third powers of rates times amplitudes must not overflow, nor the splitting of a product into two
/// doubles. Smaller would refuse odd but lawful units; larger would let infinities appear in bounds.
pub const LARGEST_GIVEN: f64 = 1e30;

/// Cosine of the angle between the semi-axes of an ellipse above which they are not orthogonal `[-]`.
///
/// Files carry 6 to 8 digits. Smaller refuses honest files; larger accepts an ellipse whose axes are not
/// what was said, though it would still be an ellipse.
pub const ORTHOGONAL: f64 = 1e-6;

/// How far two lines may be apart to count as one axis: sine of their angle, and distance as a share of the
/// pivots' coordinates `[-]`.
///
/// Axes come from files with 6 to 8 digits. Smaller refuses the same axis written twice; larger would move
/// a rotation to another axis than the one asked for.
pub const SAME_AXIS: f64 = 1e-6;

/// Rounding of a position that a law computes, in units of ε times the sum of the sizes of its terms `[-]`.
///
/// The longest chain is a sine (1 ulp), its amplitude, a turned arm (about 8 roundings) and three sums.
/// Smaller could make a bound lie; larger adds to the constant of every bound.
pub const LAW_ROUNDING_ULPS: f64 = 16.0;

/// Rounding of an orientation that a law computes, in units of ε `[rad]`.
///
/// A quaternion of half an angle, times a quaternion: some ten roundings of numbers up to 1, doubled from
/// half angle to angle. Smaller could make a bound lie; larger widens bounds by ε times the size of a body.
pub const TURN_ROUNDING_ULPS: f64 = 16.0;

/// Relative error of an angle Ω·t kept as two doubles `[-]`.
///
/// Products and sums of pairs are exact to 2⁻¹⁰⁴. Smaller has no margin; larger starts to show at
/// 10¹⁴ radians instead of 10¹⁵.
pub const PAIRED_ANGLE: f64 = 1.0 / (1_u128 << 100) as f64;

/// Size of the second double of an angle up to which its sine is taken as linear `[rad]`.
///
/// Its square is then 2⁻⁶⁰. Smaller calls the sine twice without need; larger loses digits.
pub const LINEAR_SINE: f64 = 1.0 / (1_u64 << 30) as f64;

/// Rounding of evaluating a bound and the points that it speaks of, in units of ε `[-]`.
///
/// A point is a turned vector and a sum; a coefficient is a few products of three numbers. Smaller lets
/// windows of 10⁻¹³ s violate their bounds by rounding; larger adds to the constant of every bound.
pub const BOUND_ROUNDING_ULPS: f64 = 32.0;

/// Share by which computed bounds on rates are raised, in units of ε `[-]`.
///
/// Each is a handful of products and sums of positive numbers. Smaller could round below the truth; larger
/// is invisible.
pub const RATE_ROUNDING_ULPS: f64 = 32.0;

/// Rounds that a closed list of waypoints makes before it rests `[-]`.
///
/// Thirty-four years of rounds of one second. Times of later rounds would have too few digits for the legs
/// within; more would refuse shorter legs.
pub const MOST_ROUNDS: f64 = (1_u64 << 30) as f64;

/// Shortest leg between waypoints, in units of ε times the latest time of the law `[-]`.
///
/// Below it rounding of time would change the speed on the leg by more than a per cent. Smaller lets legs
/// degenerate to jumps; larger refuses quick legs of long scripts.
pub const SHORTEST_LEG_ULPS: f64 = 64.0;

/// Rounding of the range of a sinusoid, in units of ε times its amplitude `[-]`.
///
/// Start angle, sine, two products and a sum. Smaller could leave an end outside; larger is invisible beside
/// the rounding of positions.
pub const RANGE_ROUNDING_ULPS: f64 = 8.0;

/// Rounding of the range of progress on a leg and of its derivatives, in units of ε `[-]`.
///
/// Values are up to 1, 15/8, 10/√3 and 60, and the terms that make them up to 60. Smaller could leave an end
/// outside; larger would show at the start of a leg, where progress is small.
pub const LEG_ROUNDING_ULPS: f64 = 64.0;

/// Largest relative spread of the arguments at which Carlson's iteration hands over to its series `[-]`.
///
/// The series is cut after seventh order, so that it errs by about spread⁸, here 10⁻²⁰. Smaller only adds
/// square roots; from 0.02 on the last digit suffers.
pub(crate) const CARLSON_SPREAD: f64 = 3e-3;

/// Relative difference of the means at which one more arithmetic mean is the common limit `[-]`.
///
/// Differences are squared from step to step and divided by eight, so 10⁻⁸ leaves less than 10⁻¹⁷. Smaller
/// takes another root for nothing; larger loses digits.
pub(crate) const MEANS_AGREE: f64 = 1e-8;

/// Share of the angular momentum across a principal axis below which the spin counts as steady `[-]`.
///
/// Squares of smaller shares underflow. On the stable axes the error is the share itself; on the middle axis
/// it grows no faster than e^(σt) and stays below rounding for σt < 280. Larger would freeze wobbles that a
/// double can hold; below 10⁻¹⁴⁵ amplitudes vanish that are divided by.
pub(crate) const STEADY_SHARE: f64 = 1e-140;

/// Rounding of a ballistic position, in units of ε·(|r₀| + |v₀|τ + ½|g|τ²) `[-]`.
///
/// Time since start, two products and two sums round at most seven half units in each coordinate. Smaller would
/// make bounds lie; larger only widens them.
pub(crate) const POSITION_ULPS: f64 = 4.0;

/// Rounding of a free rotation, in units of ε·(1 + |ω|τ)·growth `[-]`.
///
/// The largest seen against 50 digits is 4, over 13,000 motions of rods, plates, nearly symmetric bodies and
/// spins near every axis. Smaller would make bounds lie; larger only widens them.
pub(crate) const ROTATION_ULPS: f64 = 16.0;

/// Padding of bounds that are exact but for their own rounding, in units of ε `[-]`.
///
/// Covers a chain of sixteen roundings. Smaller could put a maximum below a value that was attained; larger
/// only widens bounds.
pub(crate) const BOUND_ULPS: f64 = 16.0;

/// Largest entry of the matrix or the vector of a complementarity problem, in any unit `[-]`.
///
/// Products of two, and the splitting of an entry into halves, must not overflow. Smaller would refuse odd units; larger
/// lets infinities appear in residuals.
pub const LARGEST_ENTRY: f64 = 1e140;

/// Violation of complementarity up to which a problem counts as solved, in the scaled problem and over max(1, |z|) `[-]`.
///
/// The last step of every solver reaches some ε times the condition of the rows that it solves. Smaller would refuse
/// answers of nearly dependent rows; larger would accept a wrong set of rows in problems with nearly equal forces.
pub const SOLVED: f64 = 1e-11;

/// Size below which w counts as zero while rows are driven, in the scaled problem and over max(1, |z|) `[-]`.
///
/// Redundant rows end at zero but for the rounding of some n pivots. Smaller drives them in vain, with pivots that are
/// rounding; larger leaves violations, which must stay below [`SOLVED`].
pub(crate) const SIGN_OF_W: f64 = 1e-12;

/// Difference below which numbers of a dictionary count as equal, in the scaled problem `[-]`.
///
/// Ties of contact problems are exact but for the rounding of earlier pivots. Smaller takes rounding for pivots; larger
/// takes nearly dependent rows for dependent ones.
pub(crate) const DISTINCT: f64 = 1e-10;

/// Pivot of the last elimination below which a row depends on the others, as a share of the largest entry `[-]`.
///
/// The rows come from a basis, so that only bilateral rows given twice are dependent. Smaller divides by rounding;
/// larger leaves nearly dependent rows unsolved, which the residual shows.
pub(crate) const DEPENDENT: f64 = 1e-13;

/// What is left of a diagonal entry of a semidefinite matrix, as a share, when its row depends on others `[-]`.
///
/// Rounding leaves some 10⁻¹⁵ times the growth of the rows before. Smaller takes rounding for rank, and null vectors are
/// lost; larger takes nearly null vectors for null, and shifting forces along them moves w.
pub(crate) const NULL_SHARE: f64 = 1e-11;

/// ε beside the size of a semidefinite matrix (the root of the sum of squares) whose equations are solved by shortest
/// answers `[-]`.
///
/// Rounding of its decomposition is some 10⁻¹⁵ and must be small beside it, or null parts are left in the answer. Smaller
/// leaves such parts; larger gives answers for less than all of b where rows are dependent but for that much, or where
/// masses differ by more than a hundredth of its inverse.
pub(crate) const EQUALITY_SHIFT: f64 = 1e-11;

/// How near sweeps are to what they were two sweeps ago, beside their last change, when they go to and fro `[-]`.
///
/// A two-cycle repeats its bits or comes near them. Smaller takes a cycle that still settles for mere slowness; larger
/// takes slow convergence that alternates for a cycle.
pub(crate) const CYCLE: f64 = 1e-3;

/// What is added to the diagonal in interior-point steps, in the scaled problem `[-]`.
///
/// It must carry rows without bounds that depend on each other through a decomposition with rounding of 10⁻¹⁶ times sizes. Smaller
/// lets pivots of rounding through; larger takes more steps.
pub(crate) const PROXIMAL_SHARE: f64 = 1e-10;

/// What Newton's equations of an interior point may leave over, in the scaled problem and over max(1, |z|) `[-]`.
///
/// Rounding leaves 10⁻¹⁶ times n. Smaller takes steps that change nothing; larger leaves more to the last solve.
pub(crate) const CENTRED: f64 = 1e-13;

/// Mean product of forces and responses at which an interior point ends, in the scaled problem and over max(1, |z|) `[-]`.
///
/// The larger factor tells the place of a row. A row that differs from others by 10⁻⁹ (contacts given twice) has that for its
/// response, and its force must be smaller still. Smaller takes one or two steps more; larger leaves more rows to be repaired.
pub(crate) const COMPLEMENTARY: f64 = 1e-23;

/// Distance from its bound up to which a row with the wrong w is put back to it, in the scaled problem and over max(1, |z|) `[-]`.
///
/// Rows of a set that depend on each other cannot all have w = 0, and those that carry next to nothing are not needed. Smaller leaves
/// such rows in; larger takes rows out that carry.
pub(crate) const NEAR_BOUND: f64 = 1e-8;

/// Size of z at which an interior point counts as on its way to infinity, in the scaled problem `[-]`.
///
/// Answers of scaled problems are as large as the inverse of the least eigenvalue that counts, 10⁶ in bad cases. Smaller gives up on
/// those; larger waits longer for what has no answer, and its direction loses no digits by it.
pub(crate) const ENDLESS: f64 = 1e9;

/// Square of the part of a row in all null vectors of unit length, below which sharing does not move it `[-]`.
///
/// Rounding leaves 10⁻³². Smaller lets rows of rounding set the scale of the problem of sharing, which then counts as solved
/// before it is; larger lets rows be moved across their bounds by its root, times the forces.
pub(crate) const NULL_PART: f64 = 1e-20;

/// Size of w up to which a row may take part in the sharing of forces, in the scaled problem and over max(1, |z|) `[-]`.
///
/// Redundant rows have w = 0 but for rounding. Smaller leaves a leg without load that stands; larger loads one that has
/// just lifted, with that much violation of complementarity.
pub(crate) const SLACK_OF_W: f64 = 1e-11;

/// Difference of the two entries of a symmetric matrix, in the scaled problem `[-]`.
///
/// Matrices are assembled row by row, with other roundings on either side. Smaller refuses those; larger accepts a
/// matrix for which w is not unique.
pub(crate) const SYMMETRIC: f64 = 1e-9;

/// Size below which an entry of a certificate or of its product with M is zero, as a share of its terms `[-]`.
///
/// Certificates are columns of a dictionary after many pivots. Smaller rejects those of semidefinite problems, where the
/// products cancel; larger would prove too much, in problems that are feasible by this share.
pub const CERTIFICATE_ZERO: f64 = 1e-10;

/// Least margin of a proof that there is no answer `[-]`.
///
/// Must be above the cancellation that [`CERTIFICATE_ZERO`] lets pass. Smaller takes rounding of consistent redundant
/// rows for a contradiction; larger leaves weak contradictions undecided.
pub const CERTIFIED: f64 = 1e-9;
/// Tightest tolerance of integration that is accepted `[-]`.
///
/// Coordinates near their scale round at 10⁻¹⁶, and a segment takes some ten sums. Smaller could never be kept;
/// larger would refuse what can be.
pub const SMALLEST_TOLERANCE: f64 = 1e-14;

/// Loosest tolerance of integration that is accepted `[-]`.
///
/// Estimates of the error by its leading term mean less the longer segments are. Larger would promise what is not
/// kept; smaller would refuse quick looks.
pub const LARGEST_TOLERANCE: f64 = 1e-2;

/// Factor on the leading term of the error of a segment `[-]`.
///
/// Over chains of 1 to 10 rods the error was up to 1.15 times its leading term at tolerances of 10⁻⁷ and less.
/// Smaller breaks the promise of a tolerance; larger shortens steps by its root of order s + 1.
pub(crate) const ERROR_SAFETY: f64 = 1.25;

/// Factor on the step that the estimated error would just allow `[-]`.
///
/// At 0.9 a quarter of all attempts on a whipping chain fail, at 0.8 a tenth, and calls are 15 % fewer. Smaller
/// makes more segments than needed.
pub(crate) const STEP_SAFETY: f64 = 0.8;

/// Largest ratio of a step to the one before it `[-]`.
///
/// Larger reads the last polynomial too far beyond its end and trusts an error that vanished by accident; smaller
/// is slow to leave a hard stretch.
pub(crate) const GREATEST_GROWTH: f64 = 2.0;

/// Smallest share of a failed step that its error asks for `[-]`.
///
/// The error of a step that is far too long says little. Smaller can overshoot; larger takes more attempts.
pub(crate) const GREATEST_SHRINKING: f64 = 0.2;

/// Longest step that is tried, in units of the longest time in which a coordinate moves by its scale at the speed of its scale `[-]`.
///
/// What rests has no error, so its steps would double each time it is cut, without end, and all of that would have to be halved
/// again when it is set in motion. Smaller cuts up motions that are easy; larger takes more attempts at the end of a rest.
pub(crate) const LONGEST_STEP: f64 = 64.0;

/// Attempts at one segment before it is given up `[-]`.
///
/// Halving 64 times passes from any sane step to rounding. Fewer could give up on a force that is merely stiff.
pub(crate) const MOST_ATTEMPTS: u32 = 64;

/// Shortest step, in units of ε times the time `[-]`.
///
/// Nodes of a shorter segment fall on the same doubles. Larger would refuse motions late in a long run.
pub(crate) const SHORTEST_STEP_ULPS: f64 = 64.0;

/// Sweeps of one attempt before its step is halved `[-]`.
///
/// Three or four are usual, stiff damping takes up to ten. Fewer halves steps that would converge; more wastes
/// calls on those that do not.
pub(crate) const MOST_SWEEPS: u32 = 12;

/// What sweeps may leave unsolved, as a share of the tolerance `[-]`.
///
/// Errors of sweeps are still there at segment ends, where those of collocation vanish. At 0.04 a chain of ten
/// rods takes 13 % fewer calls and drifts ten times as much; smaller adds sweeps that nobody sees.
pub(crate) const SWEEP_SHARE: f64 = 0.01;

/// Share of the error left by a sweep above which a forecast of the rest is not trusted `[-]`.
///
/// The forecast divides by one minus the share. Larger accepts what has hardly converged; smaller sweeps on.
pub(crate) const CONTRACTION_LIMIT: f64 = 0.8;

/// Ratio of the changes of two sweeps from which on they no longer fall `[-]`.
///
/// Within the tolerance that is rounding and accepted, above it the step is too long. Smaller gives up on slow
/// convergence; larger spends sweeps on none.
pub(crate) const STALLED_SWEEP: f64 = 0.7;

/// How far beyond its start the last polynomial is read, in lengths of it `[-]`.
///
/// Its own length and the greatest growth, with some room for a start inside. Larger lets a high power run away;
/// smaller starts from a constant where the polynomial would be nearer.
pub(crate) const FARTHEST_GUESS: f64 = 3.5;

/// Share of the step that six nodes would take below which four are cheaper `[-]`.
///
/// Steps of four nodes are a third to a half as long at usual tolerances, and each sweep takes two calls less.
/// Larger uses four where their tolerance ends segments; smaller pays for nodes that cuts throw away.
pub(crate) const CROWDED_SHARE: f64 = 0.25;

/// Rounding of ranges of a segment, in units of ε times the sizes of the terms `[-]`.
///
/// Derived where it is used: at most 25 + 24 + 20 half units. Smaller lets windows of 10⁻¹³ s be left by
/// rounding; larger widens ranges by some ε times the way of a segment.
pub(crate) const SEGMENT_RANGE_ULPS: f64 = 64.0;
/// How far the length of an axis or a quaternion of a linkage may be from 1 `[-]`.
///
/// Files carry 6 to 8 digits, and what passes is made unit to rounding. Smaller refuses honest files; larger hides
/// axes that were meant to be something else.
pub const UNIT_LENGTH: f64 = 1e-6;

/// Sine of the angle between the axes of a universal joint below which it has lost a freedom `[-]`.
///
/// Axes come from files with 6 to 8 digits. Smaller lets two freedoms be one but for rounding; larger refuses joints
/// that are only oblique.
pub const PARALLEL_AXES: f64 = 1e-6;

/// Share of the size of an articulated inertia below which its part along a freedom is rounding `[-]`.
///
/// Elimination subtracts inertias of the size of the whole, which leaves some ten ε of it. Smaller takes noise for
/// mass; larger refuses needles: a rod whose moments are 1 : 10¹² is refused.
pub const SINGULAR_SHARE: f64 = 1e-12;

/// θ² up to which coefficients of rotation vectors are power series `[rad²]`.
///
/// Closed forms of their slopes lose 30/θ² roundings, the nine terms kept err by 10⁻¹⁷ at 1. Smaller loses digits, larger
/// needs more terms.
pub(crate) const ROTATION_SERIES: f64 = 1.0;

/// Standard gravity, the measure of how fast a linkage of some size moves `[m/s²]`.
///
/// A convention, not an acceleration of anything: it makes a speed of a length. Smaller asks more of slow motions, larger
/// less.
pub const STANDARD_GRAVITY: f64 = 9.80665;

/// Largest rotation of a spherical or free joint within one segment `[rad]`.
///
/// Charts end at 2π, and the inverse of T grows by θ/(2·sin ½θ), a fifth at 2. Smaller shortens segments of fast
/// spins; larger lets polynomials come near a singularity.
pub const LARGEST_CHART_TURN: f64 = 2.0;

/// Share of [`LARGEST_CHART_TURN`] that the spin at the start may use up before a segment must end `[-]`.
///
/// Spins change within a segment. Smaller makes more segments of a steady spin than needed; larger makes attempts that
/// leave their chart.
pub(crate) const CHART_TURN_SHARE: f64 = 0.75;

/// Rounding of one coordinate of a segment, in units of ε times the sizes of its terms `[-]`.
///
/// Derived where it is used: 36 half units. Smaller lets bounds of short windows lie; larger adds to their constants.
pub(crate) const SEGMENT_VALUE_ULPS: f64 = 24.0;

/// Rounding of an orientation by one joint, in units of ε `[rad]`.
///
/// Derived where it is used: at most 36 for a spherical joint. Smaller lets bounds of short windows lie; larger adds to
/// the constant of every bound in proportion to the depth of a link.
pub(crate) const JOINT_TURN_ULPS: f64 = 48.0;

/// Rounding of an arm of a link turned into world axes, in units of ε times its length `[-]`.
///
/// Derived where it is used: 12. Smaller lets bounds of short windows lie; larger only widens them.
pub(crate) const ARM_ULPS: f64 = 16.0;

/// How far a linkage is integrated ahead that is struck again and again, in mean times between strikes `[-]`.
///
/// Of strikes at random, one in fifty comes later. Smaller ends more segments before anything happens; larger spends sweeps
/// on what is thrown away.
pub(crate) const LIVES_AHEAD: f64 = 4.0;

/// How far a linkage is integrated ahead at least, as a share of the step that its tolerance allows `[-]`.
///
/// Below it sweeps become no fewer. Smaller lets segments shrink to rounding where strikes come in bursts; larger spends
/// sweeps on what is thrown away.
pub(crate) const LEAST_LOOK: f64 = 1.0 / 32.0;

/// Share of the response that a row of a tree would have without regard to directions, below which nothing moves it `[-]`.
///
/// Velocities of such a row are rounding, some 10⁻¹⁶ of what they are sums of, and responses their squares. Smaller takes
/// noise for a way to move, and forces grow without limit; larger freezes points within 10⁻¹⁰ of an axis that could still turn
/// about it.
pub(crate) const IMMOBILE_SHARE: f64 = 1e-20;

/// Share of the sizes that a redundant row is the difference of, up to which it counts as met `[-]`.
///
/// Rounding leaves 10⁻¹⁴ or so, targets come from files and formulas with fewer digits. Smaller calls such targets
/// contradictory; larger hides that two constraints differ.
pub const CONSISTENT_SHARE: f64 = 1e-8;

/// Most dampers between links that are implicit in a linkage, direction by direction `[-]`.
///
/// Each makes a row of a matrix that is solved with every acceleration. Fewer would leave stiff dampers of large nets to short
/// segments; more let products of rows cost as much as the tree does.
pub(crate) const MOST_IMPLICIT_DAMPERS: usize = 256;

/// Times within a segment at which elements are looked at whose laws change somewhere `[-]`.
///
/// Polynomials of a segment have at most six extrema, and a segment that the tolerance allows follows hardly one. Fewer could
/// miss a rope that is taut for a moment; each costs a walk to both ends of every such element.
pub(crate) const SIDE_LOOKS: u32 = 16;

/// Golden sections by which the moment is looked for at which an element is nearest to a change `[-]`.
///
/// Twenty find a peak to 10⁻⁴ of the interval between two looks, and its height to 10⁻⁸ of what it rises there. Fewer miss
/// changes of that height; more cost two walks each, for elements that nearly change.
pub(crate) const SIDE_PEAK_LOOKS: u32 = 20;

/// Gap up to which a coordinate is at its stop, as a share of its scale `[-]`.
///
/// Times of arrival are doubles, so that a coordinate ends a rounding of time before its stop. Smaller makes a segment of the rest of
/// the way; larger lets coordinates rest visibly before their stops.
pub const STOP_REACH: f64 = 1e-12;

/// Velocity that an impact leaves at a stop which counts as none, as a share of its scale and of the approach `[-]`.
///
/// Jumps are sums over the tree with some hundred roundings. Smaller leaves stops with velocities of rounding; larger takes
/// away velocities that an impact gave.
pub(crate) const REST_SHARE: f64 = 1e-12;

/// Least width of the range of forces that hold, as a share of the force's scale `[-]`.
///
/// Complementarity is solved to 10⁻¹¹. Smaller lets settling and guards disagree; larger lets stops pull more than the
/// tolerance says.
pub(crate) const LEAST_FORCE_SLACK: f64 = 1e-11;

/// Share of a segment within which something that has just been let go does not come back `[-]`.
///
/// Polynomials miss the acceleration at the start by more than what lets a freedom go, but the less the shorter they are.
/// Smaller takes that error for a return; larger makes more short segments. It is also the share that is tried next.
pub(crate) const FALSE_START_SHARE: f64 = 0.125;

/// Segments that are tried before a freedom that was let go is called stuck between its guards `[-]`.
///
/// Eighths of eighths reach rounding after sixteen. Fewer could give up on what is merely stiff.
pub(crate) const MOST_FALSE_STARTS: u32 = 18;

/// Halvings of the time over which holding forces are interpolated `[-]`.
///
/// Forces are as smooth as motion, and one or two are usual. Fewer lets the interpolant err by more than its tolerance; more
/// spends calls on forces that jump.
pub(crate) const FORCE_HALVINGS: u32 = 8;

/// Share of the slack of forces that their interpolant may err by `[-]`.
///
/// With the guard at two slacks and settling at one, half of one keeps them apart. Smaller takes more calls; larger lets a
/// guard fire that settling does not confirm.
pub(crate) const FORCE_ERROR_SHARE: f64 = 0.5;

/// How many times what an interpolant of a load seems to miss keeps it from being believed harmless `[-]`.
///
/// What is missed is estimated from the last coefficients. Smaller believes in a load that swings between the samples; larger
/// takes more calls for joints that are far from breaking.
pub(crate) const MISSED_TIMES: f64 = 4.0;

/// Share of a holding force that is rounding `[-]`.
///
/// Forces come from sweeps over the tree with some hundred roundings. Smaller halves windows in vain where forces are large
/// beside weights; larger stops halving while the interpolant still errs.
pub(crate) const FORCE_ROUNDING: f64 = 1e-13;

/// How often the window in which contact forces are followed is halved.
///
/// More finds forces that turn within a small part of a segment; fewer takes fewer calls of the derivative.
pub(crate) const CONTACT_HALVINGS: u32 = 4;

/// Halvings of a bracket that locate a change of contacts.
///
/// The ninth part of a segment halved so often is less than its rounding.
pub(crate) const CONTACT_LOOKS: u32 = 48;

/// Share of the width within which accelerations of gaps are the same, by which a contact opens before it counts as broken `[-]`.
///
/// More than one, so that what was just chosen is not broken at once by rounding; larger breaks contacts later.
pub(crate) const OPENING_WIDTH: f64 = 4.0;

/// Share of the held gap below which a gap is opened at once `[-]`.
///
/// What is above is far enough from touching to be proven apart, and is lifted in time. Larger moves bodies more often than needed.
pub(crate) const LOW_GAP: f64 = 0.25;

/// How often gaps are opened anew until none is too small. The second time leaves rounding.
pub(crate) const LIFTS: u32 = 4;

/// Share of the held gap by which a point that parted has to come below it to be back `[-]`.
///
/// Smaller takes rounding for a return; larger lets it fall farther, and leave faster again.
pub(crate) const RETURNED_SHARE: f64 = 1e-3;

/// Kinetic energy up to which a linkage may sleep, as a share of what a fall by its least link's radius of gyration gives `[-]`.
///
/// That is a speed of 1.4·10⁻⁶ of that fall's. Larger stops what glides slowly; smaller keeps awake what only trembles by rounding.
pub const SLEEPING_ENERGY: f64 = 1e-12;

/// Accelerations up to which a linkage is held where it is, as a share of those of a fall `[-]`.
///
/// Smaller than what complementarity problems are solved to would keep everything awake; larger puts to sleep what moves off.
pub const SLEEPING_ACCELERATION: f64 = 1e-9;

/// Share by which contact points are moved towards the middle of their pair before sleep is certified `[-]`.
///
/// Larger keeps awake what stands near the edge of its support; smaller lets it sleep although a breath would tip it.
pub const PATCH_SHRINK: f64 = 1e-3;

/// Share by which a point that was outside of its features from the beginning has to go on until it is found anew `[-]`.
///
/// Smaller makes segments short where features are degenerate; larger follows the wrong ones for longer.
pub(crate) const STRAYED_SHARE: f64 = 0.1;
