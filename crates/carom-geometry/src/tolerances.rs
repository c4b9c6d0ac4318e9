//! Every tolerance of this crate: value, unit, reason, and what gets worse in each direction.
//!
//! All are pure numbers relative to a size that the caller states, so that a scaled input behaves the
//! same; except those in metres, which only decide whether to warn.

/// Padding of computed boxes in units of ε·|largest coordinate| `[-]`.
///
/// A support point is a rotation (two rounded products and sums per axis, about 6 ulp) plus a
/// translation. Smaller: a box may miss its shape by rounding. Larger: looser boxes, no harm seen.
pub const BOX_PADDING_ULPS: f64 = 16.0;

/// How far |q|² of a given quaternion may be from 1 `[-]`.
///
/// Files carry 6 to 8 digits. Smaller refuses honest files; larger lets a scaled rotation through, which
/// would scale lengths by as much.
pub const UNIT_QUATERNION: f64 = 1e-6;

/// Thickness, in units of ε·|largest coordinate|, at or below which points count as flat `[-]`.
///
/// Rounding a rotated plane of points moves each by a few ulp, so their hull has that thickness and
/// normals that are noise. Smaller lets noise through as a solid; larger refuses foils thinner than
/// 1e-14 of their size, which no mesh file can express.
pub const FLAT_ULPS: f64 = 64.0;

/// Distance from a common plane, in units of ε·|largest coordinate|, up to which neighbouring hull
/// triangles are joined into one face `[-]`.
///
/// Rotating a box moves its corners off their faces by up to about 4 ulp of the largest coordinate.
/// Smaller leaves diagonals across such faces, which feature tracking would hop between; larger starts
/// to flatten real geometry, and every joined face may deviate from its vertices by this much.
pub const COPLANAR_ULPS: f64 = 16.0;

/// Off-diagonal entries below this share of the largest entry end Jacobi's iteration `[-]`.
///
/// A sum over faces leaves about this much where symmetry asks for zero. Smaller would turn the axes of
/// a cube by an arbitrary angle to remove rounding noise; larger would leave real products standing.
pub const OFF_DIAGONAL: f64 = 4.0 * f64::EPSILON;

/// Principal moments that differ by less than this share of the largest count as equal `[-]`.
///
/// Axes of moments that differ by δ are determined to about ε/δ, so below 1e-12 they are worse than a
/// milliradian and a deterministic choice is better. Larger would turn real axes away.
pub const EQUAL_MOMENTS: f64 = 1e-12;

/// How far a given inertia may be from symmetric, as a share of its largest entry `[-]`.
///
/// Files print the same product twice, with 6 digits at worst. Smaller refuses honest files; larger hides
/// a typing error.
pub const GIVEN_ASYMMETRY: f64 = 1e-6;

/// By how much the largest moment may exceed the sum of the others, as a share of it `[-]`.
///
/// Flat bodies meet the bound with equality, and printed digits round either way (6 digits at worst).
/// Smaller refuses a printed sheet; larger lets impossible bodies through.
pub const GIVEN_TRIANGLE: f64 = 1e-6;

/// Largest extent of a mesh file in a stated unit that passes without a warning `[m]`.
///
/// Who states a unit has thought about it, so only sizes beyond most rigid bodies are worth a word. Smaller
/// warns of honest bridges and ships; larger misses a unit that is off by a thousand for parts of 10 cm.
pub const IMPLAUSIBLY_LARGE_MESH: f64 = 100.0;

/// Largest extent of a mesh file that passes without a warning where its unit is not stated and the format
/// has none of its own `[m]`.
///
/// Nearly all such files are parts in millimetres, and those of 2 mm and more exceed this when read as
/// metres, as a nut of 18.5 mm does. Smaller warns of the unit cubes that people try things with; larger
/// misses small parts. A machine in metres gets a warning that stating the unit silences.
pub const LARGE_FOR_METRES_UNSAID: f64 = 2.0;

/// Largest extent of a mesh file below which there is a warning `[m]`.
///
/// A metre read as micrometres is 1 µm; grains of 10 µm no longer move as rigid bodies under gravity alone.
/// Smaller misses wrong units; larger warns of honest powders.
pub const IMPLAUSIBLY_SMALL_MESH: f64 = 1e-5;

/// Rounding of a three-term projection w·(p − o), as a share of Σ|wᵢ||pᵢ − oᵢ| `[-]`.
///
/// Difference, product and two sums round at most five times, so 5 × 2⁻⁵³ suffices; the triple product for
/// folded faces rounds about twelve times. Smaller would make a filter lie; larger only sends more cases
/// to exact arithmetic.
pub const PROJECTION_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Absolute allowance for underflow in such projections of points scaled to one `[-]`.
///
/// Products below 10⁻³⁰⁸ lose relative precision; anything well above that and well below the products of
/// real meshes will do.
pub const PROJECTION_UNDERFLOW: f64 = 1e-290;

/// Twice the area over the squared longest side below which a triangle is called a sliver `[-]`.
///
/// Such a face is legal, but its normal carries at most ten of sixteen digits. Only a note hangs on it.
pub const SLIVER: f64 = 1e-6;

/// Volume over area and diameter below which a closed shell is called flat `[-]`.
///
/// Vertices are rounded to 10⁻¹⁶ of the diameter, so the volume of a foil is off by that times its area, however
/// well it is summed. Smaller would let rounding decide what is inside; larger would refuse foils.
pub const FLAT_VOLUME: f64 = 1e-12;

/// Share of offset and pseudonormal that their product must reach to tell the side of a point `[-]`.
///
/// Ten orders above rounding. Smaller lets rounding decide the side near sharp edges; larger casts more
/// rays, which are slower and exact.
pub const CERTAIN_SIDE: f64 = 1e-6;

/// Smallest tolerance for welding, as a share of the size `[-]`.
///
/// Below it the cells of the search grid no longer fit in whole numbers and rounding of the coordinates is
/// larger than the tolerance.
pub const WELD_SMALLEST: f64 = 1e-12;

/// Largest tolerance for welding, as a share of the size `[-]`.
///
/// One per cent is visible. Larger would let a repair change the shape.
pub const WELD_LARGEST: f64 = 1e-2;

/// Bulge of the hull below which a mesh counts as convex, as a share of its size `[-]`.
///
/// Rotating a convex mesh moves its vertices by about 10⁻¹⁶ of its size; sharp vertices multiply what that
/// does to the bound. Smaller would send rotated boxes to the cutting of parts; larger would hide dents that
/// somebody drew.
pub const CONVEX_ENOUGH: f64 = 1e-9;

/// Allowance in bounds on deviations, in units of ε·|largest coordinate| `[-]`.
///
/// Nearest points, distances and planes round some twenty times in sequence. Smaller could make a bound
/// lie; larger only widens it.
pub const DEVIATION_ROUNDING_ULPS: f64 = 64.0;

/// Widest gap between the bounds on a deviation, as a share of the tolerance `[-]`.
///
/// Larger would refuse exact pieces because their bound is as wide as what is allowed; smaller spends
/// evaluations on digits that decide nothing.
pub const GAP_OF_TOLERANCE: f64 = 0.25;

/// Narrowest gap that is searched for, as a share of the size `[-]`.
///
/// Smaller lets a tolerance of zero spend every evaluation on rounding; larger refuses exact pieces at
/// tolerances that somebody may state.
pub const NARROWEST_GAP: f64 = 1e-9;

/// Least share of a side that cutting a patch at the border of a part must leave on either side `[-]`.
///
/// Smaller makes slivers without end along curved borders; larger quarters where a cut would settle it.
pub const LEAST_CUT: f64 = 0.01;

/// How far a proposed cut may be moved onto a wall of the mesh, in voxels `[-]`.
///
/// The proposals are seen to miss by two voxels at most. Smaller leaves steps that bulge; larger could move
/// a cut across a feature of its own.
pub const CUT_SNAP_VOXELS: f64 = 2.5;

/// Padding of the first cell around a mesh, as a share of its size `[-]`.
///
/// Keeps outer faces clear of the walls of the cell. Any small number does.
pub const CELL_PADDING: f64 = 1e-3;

/// Thinnest cell worth cutting off, as a share of the size `[-]`.
///
/// Smaller would shave layers off a wall without end; larger would miss thin ribs.
pub const THINNEST_CELL: f64 = 1e-4;

/// Sine of the angle up to which a direction counts as the normal of a half-space `[-]`.
///
/// Normalising and rotating a direction moves it by a few ulp. Smaller makes a floor unbounded along its own
/// normal once that was turned into the world and back; larger would bound it where it has no end.
pub const PARALLEL: f64 = 16.0 * f64::EPSILON;

/// Share of the area of a superquadric up to which two levels of quadrature must agree `[-]`.
///
/// Nodes double from level to level and digits about double with them, so the last level is far better than
/// this. Smaller asks for more nodes than rounding rewards; larger would show in the ninth digit.
pub const AREA_QUADRATURE: f64 = 1e-11;

/// Estimated relative error beyond which mass integrals are repeated in doubled precision `[-]`.
///
/// It matters for thin solids; see the header of `mass::polyhedral`. Smaller repeats ordinary plates at ten
/// times the cost for digits that their vertices do not carry; larger lets rods lose the ninth digit.
pub const INTEGRAL_DIGITS: f64 = 1e-12;

/// Distance from a mesh, in units of ε·|largest coordinate|, up to which a point counts as on it `[-]`.
///
/// The nearest point of a triangle is rounded in all three coordinates. Smaller excludes points that lie exactly
/// on a face; larger would include points that are visibly outside.
pub const ON_SURFACE_ULPS: f64 = 4.0;

/// How far towards the middle of a cell it is asked on which side of a corner the solid lies, as a share of the
/// way `[-]`.
///
/// Far above rounding and far below the thinnest cell. Smaller drowns in rounding, larger may step through a
/// thin wall and miss the corner, which then shows as an uncovered surface.
pub const CORNER_NUDGE: f64 = 1e-7;

/// Rounding of one term of a shell's volume, in units of ε·diameter³ `[-]`.
///
/// A triple product of differences rounds about ten times. Smaller would trust a sign that is noise; larger only
/// sums more shells again in doubled precision.
pub const VOLUME_TERM_ULPS: f64 = 8.0;

/// Depth, in units of ε·|largest coordinate|, up to which polyhedra on the wrong side of each other count as touching,
/// and by which a support point must exceed a facet to count as beyond it `[-]`.
///
/// A vertex of a placed polyhedron is rounded in about eight operations. Smaller sends exact contact to the search for
/// depths, which finds the same in a hundred times the time; larger would take real overlap for touching.
pub const TOUCH_ULPS: f64 = 16.0;

/// Gap between a distance and the width of the slab that proves it, in units of ε·|largest coordinate|, that is put
/// down to rounding `[-]`.
///
/// Vertices lie up to [`COPLANAR_ULPS`] below the planes of their faces, on either solid, and placing and measuring
/// round another ten times. Smaller sends right answers to slower searches; larger would let a wrong pair of
/// features through if it errs by less than this.
pub const PROOF_ULPS: f64 = 64.0;

/// sin² of an angle above which the plain cross product of two sides is good for a normal `[-]`.
///
/// At 1e-8 it has lost four digits. Smaller loses more; larger spends ten times the work on ordinary triangles.
pub const FAT_TRIANGLE: f64 = 1e-4;

/// Distance, as a share of the smaller patch, at which two points of a contact manifold count as one `[-]`.
///
/// Corners of equal faces are found three times: as a vertex of either solid and where edges cross. Smaller lets
/// rounding double them; larger merges points that somebody's lever arm tells apart.
pub const MERGED: f64 = 1e-9;

/// cos of the angle between a face's normal and the direction it is seen from, up to which the face counts as seen
/// from the side `[-]`.
///
/// Heights on a face lose its inverse in digits. Smaller asks for heights on walls; larger ignores faces that a contact
/// could slide onto: within a reach of 1 mm this one is 0.1 nm wide.
pub const STEEP_IN_PLAN: f64 = 1e-7;

/// sin of the angle between two edges seen along the normal up to which they have no crossing point `[-]`.
///
/// The ends of what parallel edges share are vertices over faces. Smaller puts crossings anywhere along such edges;
/// larger drops real ones.
pub const PARALLEL_IN_PLAN: f64 = 1e-9;
/// Widest gap between the two bounds on a distance at which it counts as proven, as a share of the larger solid's
/// size `[-]`.
///
/// A tenth of the digits promised (1e-12), so that rounding of sums over both solids is covered. Smaller sends pairs to
/// the fallback for digits that nobody asked for; larger lets answers through that miss the promise.
pub const CERTIFIED: f64 = 1e-13;

/// The same for rounding of coordinates, in units of ε·(reach of both solids + their distance) `[-]`.
///
/// A support point is rotated and shifted, and two of them are subtracted: about ten roundings. Smaller makes
/// distant or eccentric solids uncertifiable; larger would count wrong digits as right.
pub const CERTIFIED_ULPS: f64 = 16.0;

/// Distance from a border within which a point counts as lying on it, as a share of the solid's size `[-]`.
///
/// Six orders above the rounding of a point at rest exactly on a border, so that its feature does not flip, and far
/// below anything that is seen. Smaller lets rounding choose features; larger calls points edges that lie on faces.
pub const FEATURE: f64 = 1e-9;

/// Sum of the eigenvalues of a tangent map from which a boundary point counts as lying on a flat face `[-]`.
///
/// It is 2 there but for rounding. Smaller takes nearly flat surfaces for faces, whose answer is then not proven and
/// cost a support point; larger misses faces.
pub const FLAT: f64 = 2.0 - 1e-9;

/// Share by which a round of the search by support points must shorten its vector to count as progress `[-]`.
///
/// Rounding of the vector's length. Smaller takes noise for progress; larger stops before the last digits.
pub const GJK_PROGRESS: f64 = 4.0 * f64::EPSILON;

/// Rounds without progress, of the vector or of the bound, after which that search ends `[-]`.
///
/// Near the end the bound may improve while the vector's length no longer shows it. Smaller gives up digits; larger
/// spends rounds on noise.
pub const GJK_IDLE: usize = 8;

/// Length of that vector, as a share of the corners of its simplex, at which the solids count as meeting `[-]`.
///
/// Corners carry rounding of about 1e-16 of their length. Smaller divides by noise; larger takes a gap for touch, which
/// costs time and no digits.
pub const GJK_INSIDE: f64 = 1e-14;

/// Support points asked for when only the neighbourhood of the answer is wanted `[-]`.
///
/// Newton's method converges from there in 99 of 100 pairs. Smaller fails more often; larger costs time.
pub const GJK_COLD_STEPS: usize = 20;

/// Gap between the bounds at which the neighbourhood counts as reached, as a share of the distance and of the smaller
/// size `[-]`.
///
/// The normal is then known to a few hundredths. Smaller costs support points; larger fails more often.
pub const GJK_COLD_GAP: f64 = 1e-3;

/// Support points asked for when the answer itself is wanted `[-]`.
///
/// Curved solids need 20 to 50 until rounding stops them. Smaller cuts them off; larger is never used up.
pub const GJK_FULL_STEPS: usize = 64;

/// Gap between the bounds at which such a search ends, as a share of the distance `[-]`.
///
/// Rounding. Smaller asks for more than there is; larger leaves digits.
pub const GJK_FULL_GAP: f64 = 1e-14;

/// How far corners must span space for a polytope to be grown from them, as a share of the size `[-]`.
///
/// A difference of solids flatter than this is all rounding. Smaller starts from noise; larger leaves out thin solids.
pub const EPA_FLAT: f64 = 1e-13;

/// Height of a point over a face below which it does not see the face, as a share of the size `[-]`.
///
/// Rounding of heights. Smaller makes faces without an area; larger stops growth early.
pub const EPA_VISIBLE: f64 = 1e-14;

/// Gap between the bounds on a depth at which it is as good as known, as a share of the depth `[-]`.
///
/// Asked for where Newton's method fails. Smaller spends corners on curved solids; larger leaves more to the rounds of
/// narrowing margins.
pub const EPA_GAP: f64 = 1e-8;

/// The same, where it is known which direction is best `[-]`.
///
/// Directions whose depths differ by less are told apart no more. Smaller spends corners on curved solids; larger
/// lets the second best direction pass for the best.
pub const EPA_ROUGH_GAP: f64 = 1e-3;

/// The same as a share of the size `[-]`.
///
/// The tolerance of distances. Smaller asks for more digits than they have; larger mistakes touch for overlap.
pub const EPA_FLOOR: f64 = 1e-13;

/// Depth beyond which the bounds of a polytope are believed to the last digit, as a share of the size `[-]`.
///
/// Normals of thin faces may be wrong in their tenth digit. Smaller may take touching solids for overlapping ones;
/// larger searches on where the answer is known.
pub const EPA_DEEP: f64 = 1e-6;

/// Relative step of a scalar iteration that converges quadratically after which only rounding is left `[-]`.
///
/// Its square, times a curvature of some tens, is below rounding. Smaller costs a step; larger loses digits.
pub const PROJECTION_STEP: f64 = 1e-9;

/// Steps of such an iteration at most `[-]`.
///
/// Two to five are usual; 60 bisect a bracket to rounding if everything else fails.
pub const PROJECTION_STEPS: usize = 60;

/// Steps in logarithms after which the joint iteration for a superquadric's foot has converged `[-]`.
///
/// As [`PROJECTION_STEP`]; the equations are nearly linear in logarithms, so a longer step will do.
pub const NEARBY_STEP: f64 = 1e-8;

/// Steps of the joint iteration at most `[-]`.
///
/// Three to five are usual. Smaller falls back to nested iterations, at five times the cost; larger delays that.
pub const NEARBY_STEPS: usize = 8;

/// Longest step in logarithms of the joint iteration `[-]`.
///
/// A factor of seven. Smaller falls back more often; larger follows steps that diverge.
pub const NEARBY_FACTOR: f64 = 2.0;

/// ln P below which a superquadric's foot counts as the pole itself `[-]`.
///
/// The point is then within 3e-20 of the size of it. Larger would move feet; smaller computes with what underflows.
pub const NEGLIGIBLE_PLANE: f64 = -45.0;

/// Features visited by a walk over a polyhedron before they are tried one by one `[-]`.
///
/// Walks from a support vertex pass some tens on 5000 faces. Smaller tries all needlessly; larger circles longer
/// where rounding misleads.
pub const FEATURE_STEPS: usize = 200;

/// Added to I − D in Newton's equations for nearest points `[-]`.
///
/// A hundred times rounding, so that flats that are not quite parallel move their points to where they approach each
/// other. Smaller drowns in rounding; larger slows convergence where radii of curvature exceed the size by 1e12.
pub const NEWTON_ROUNDNESS: f64 = 1e-13;

/// Pivot, as a share of its row's largest coefficient, at and below which an equation says nothing `[-]`.
///
/// Rounding of the coefficients. Smaller solves for noise; larger ignores [`NEWTON_ROUNDNESS`].
pub const NEWTON_RANK: f64 = 1e-15;

/// Rounding left in normals, in units of ε, and in positions, in units of ε·reach `[-]`.
///
/// Smaller iterates on noise; larger leaves a digit.
pub const NEWTON_FLOOR_ULPS: f64 = 16.0;

/// Share of the residual above which a step of Newton's method counts as slow `[-]`.
///
/// Then it is asked whether the points are proven already. Smaller asks in vain; larger iterates on flats of high order.
pub const NEWTON_SLOW: f64 = 0.3;

/// Steps of Newton's method at most `[-]`.
///
/// Two to six are usual, twenty on flats of high order. Smaller cuts those off; larger delays the fallback.
pub const NEWTON_STEPS: usize = 30;

/// Steps in a row that may miss the smallest residual before Newton's method gives up `[-]`.
///
/// Crossing from feature to feature takes up to four. Smaller gives up too early; larger goes in circles longer.
pub const NEWTON_UPHILL: usize = 4;

/// Added to the second derivative of the convex descent `[-]`.
///
/// Ten times rounding of the coefficients, so that exactly parallel flats are left where they are.
pub const VALLEY_ROUNDNESS: f64 = 1e-14;

/// Gradient at which the descent ends, in units of ε·reach `[-]`.
///
/// Rounding of projections. Smaller iterates on noise; larger leaves digits of the normal.
pub const VALLEY_FLOOR_ULPS: f64 = 2.0;

/// Share of the first slope at which a line search ends `[-]`.
///
/// Smaller searches lines for what the next step finds anyway; larger accepts steps far past the bottom.
pub const VALLEY_SLOPE: f64 = 0.2;

/// Steps of the descent, and of each line search, at most `[-]`.
///
/// Five to ten are usual; the line search halves at worst.
pub const VALLEY_STEPS: usize = 60;

/// See [`VALLEY_STEPS`].
pub const VALLEY_SEARCH_STEPS: usize = 40;

/// First margin between solids moved apart, as a share of the larger one's size `[-]`.
///
/// Wide enough for normals to the last digit. Smaller loses digits in flats; larger turns the normal less per round.
pub const ASCENT_MARGIN: f64 = 0.1;

/// Factor from margin to margin `[-]`.
///
/// With [`ASCENT_ROUNDS`] the last margin is 1e-14 of the size, below any feature that a distance can hang on.
pub const ASCENT_NARROWER: f64 = 0.1;

/// Rounds of narrowing margins `[-]`.
pub const ASCENT_ROUNDS: usize = 14;

/// How fast points may slide over their solids, in units of the angular velocity and of the speed over the size,
/// before they count as undetermined `[-]`.
///
/// On parallel flats the equations give speeds of 1/[`NEWTON_ROUNDNESS`]. Smaller stops points that really are that
/// fast, on surfaces flatter than a millionth; larger believes noise.
pub const SLIDE_LIMIT: f64 = 1e6;

/// Sine of the angle by which a direction is off the normal of a face that is said to face along it `[-]`.
///
/// Directions between nearest points are off by rounding over distance. Smaller takes a face that touches with its edge for the
/// edge, and a direction that turns quickly for one that stands still; larger follows edges by faces that part from them.
pub(crate) const FACING_SINE: f64 = 1e-5;

/// Angle between neighbouring triangles of a mesh from which on their edge is shown as one `[rad]`.
///
/// Curved parts of mesh files have 12 to 100 edges around, so neighbours turn by 4° to 30°; edges that are meant are
/// chamfered at 45° at least. Smaller shows facets that stand for something round; larger rounds off real edges.
pub const CREASE_ANGLE: f64 = 0.6;
