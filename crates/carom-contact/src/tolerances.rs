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
/// A gap must be above its rounding to be proven, a quarter of the touch distance is aimed at, and there must be room above
/// to land in. Smaller cannot be reached; larger shows in times late in a long flight.
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

/// Rate of a gap, in roundings of the speeds, that is none where two have just met `[-]`.
///
/// Smaller finds bodies that were stopped against each other touching without end; larger lets what does close go on by a
/// hundred times its rounding.
pub(crate) const MET_ULPS: f64 = 128.0;

/// Length of the first leg of bodies that part from contact, in speeds over accelerations: to the top of a hop `[-]`.
///
/// What is aimed at is half the gap at the beginning of a leg, or a quarter of the touch distance if that is less. Smaller takes
/// several legs to the top; larger comes down again in the leg that began in contact, and lands at half the gap it left.
pub(crate) const HOPS_OF_A_LEG: f64 = 1.0;

/// Corners of a polyhedron up to which each is followed by itself `[-]`.
///
/// Corners cost some ten nanoseconds each, chords over all of them some hundred for each clip. Smaller leaves boxes to
/// chords; larger follows corners that are never near.
pub(crate) const MOST_CORNERS: usize = 24;

/// Rounding of how deep a corner lies below another, as a share of their places `[-]`.
///
/// Some products and sums. Smaller could leave out a corner that is as high; larger follows one that is not.
pub(crate) const CORNER_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Length of the first leg of bodies that come near each other, in times to where they would meet if only their rate and gravity
/// counted `[-]`.
///
/// Smaller takes several legs to get there; larger looks at corners that matter only later.
pub(crate) const FLIGHTS_OF_A_LEG: f64 = 1.5;

/// Share of the time to where they would meet after which bodies that have landed on a face are taken to touch it `[-]`.
///
/// Smaller asks for distances where another direction would have proven more; larger tries directions in vain.
pub(crate) const MOST_OF_A_FLIGHT: f64 = 0.5;

/// Share of a distance that a face must prove for the nearest edge to be followed by it `[-]`.
///
/// Smaller follows faces that prove little; larger follows edges, which turn quickly where bodies are near.
pub(crate) const FACING_GAP: f64 = 0.9;

/// Lengths of the first leg out of contact that are tried, each a quarter of the one before `[-]`.
///
/// From a radian of turning to where turning alone parts bodies by their touch distance is a factor of 10⁵ or less.
/// Smaller takes bodies that just part for touching; larger takes longer to say that they touch.
pub(crate) const MOST_WAYS_OUT: usize = 12;

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

/// Slices into which the time that is asked for is cut for pieces above a plane `[-]`.
///
/// Pieces that touch in the same slice are all searched, and bodies at rest touch after some eighth of that time. Smaller
/// searches more of them; larger looks at all pieces more often, at some ten nanoseconds each.
pub(crate) const SLICES: f64 = 32.0;

/// Distance, in touch distances, from which on a piece above a plane is passed over `[-]`.
///
/// Searches take notice of what is near in a blur ([`NEAR_IN_BLUR`]), by a touch distance that may change a little meanwhile.
/// Smaller could pass over what a search would tell; larger searches pieces that are not near.
pub(crate) const PASSED_OVER: f64 = 2.0 * NEAR_IN_BLUR;

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

/// Growth of legs from one to the next that was proven whole; and shrinking of one of which nothing was `[-]`.
///
/// Smaller takes more of them; larger overshoots and is cut back.
pub(crate) const LEG_GROWTH: f64 = 4.0;

/// Share of the touch distance half of which is aimed at `[-]`.
///
/// Smaller leaves less room above rounding; larger tells touches earlier.
pub(crate) const AIM_SHARE: f64 = 0.5;

/// Share of the touch distance that counts as none: above what is aimed at one is there, and a search may land in it `[-]`.
///
/// Smaller polishes; larger lands farther above.
pub(crate) const LANDING: f64 = 0.15;

/// Share of its gap at the beginning of a leg that bodies have left when they land `[-]`.
///
/// Smaller polishes the slowest landings; larger takes bodies that hardly part for landing, and asks for distances without end.
pub(crate) const LANDING_FALL: f64 = 0.75;

/// Error of velocities that one Taylor step of a collision may make, as a share of the closing speed `[-]`.
///
/// A collision takes some seven steps, and errors are not amplified. Smaller takes more steps, by the 16th root, and ends
/// in rounding; larger shows in the impulse.
pub(crate) const COLLISION_ERROR: f64 = 1e-13;

/// Error of velocities in a collision below which rounding dominates, as a share of the relative speed `[-]`.
///
/// Grazing collisions close slowly beside the speed at which they slide. Smaller asks for digits that are not there; larger
/// shows in grazing collisions.
pub(crate) const ROUNDING_OF_SPEED: f64 = 2e-16;

/// Units in the last place by which the collision matrix of round bodies may differ from that of a ball `[-]`.
///
/// It is computed from arms, normals and moments of inertia with some rounding each. Smaller sends balls the long way;
/// larger neglects what shows in the last digits.
pub(crate) const ROUND_ULPS: f64 = 8.0;

/// Share of the larger terms below which a difference of entries of a collision matrix counts as zero `[-]`.
///
/// Entries are rounded to 10⁻¹⁶. Smaller takes rounding for a direction in which a linkage gives way and impulses without
/// bound come of it; larger calls jammed what still moves.
pub(crate) const DEGENERATE: f64 = 1e-14;

/// Turning rate, as a share of the largest rates of sliding, that counts as none `[-]`.
///
/// It is a difference of rates that are rounded to 10⁻¹⁶ each. Smaller integrates planar collisions in steps; larger takes
/// a curve for a line.
pub(crate) const RAY_ROUNDING: f64 = 1e-15;

/// Steps of Newton's method for a ray `[-]`.
///
/// Five are usual. Smaller gives up on nearly marginal ones; larger works on at rounding level.
pub(crate) const MOST_RAY_STEPS: usize = 30;

/// Angle from which on a nearby ray is looked for `[rad]`.
///
/// Newton's method for it converges from farther, but what follows neglects the square of the angle. Smaller takes more
/// steps before the end of sliding; larger looks for rays in vain.
pub(crate) const NEAR_RAY: f64 = 1e-2;

/// Sliding speed, in errors of a step, that counts as none `[-]`.
///
/// Smaller takes a step more; larger shows in the impulse and in what is left of u_t − K·p.
pub(crate) const STICK_ERRORS: f64 = 2.0;

/// What the two exponentials at the end of sliding may neglect, in errors of a step `[-]`.
///
/// Smaller takes more Taylor steps before; larger shows in the impulse.
pub(crate) const TAIL_SHARE: f64 = 0.5;

/// Error of a Taylor step of a collision, as a share of the sliding speed, that is not exceeded even if sliding is nearly
/// over `[-]`.
///
/// Where friction just fails to hold, or just holds, sliding hardly slows down and must find its ray. Smaller takes more steps
/// at the end of sliding; larger than the angle from which a ray is looked for may miss it for ever.
pub(crate) const SLIP_SHARE: f64 = 1e-3;

/// Rate at which u_z changes, as a share of that without friction, that counts as none where a step begins `[-]`.
///
/// Steps end where the rate changes sign, and the next one begins there with a rate at rounding level. Smaller splits again
/// at the same place; larger overlooks a change of sign.
pub(crate) const LEVEL_SHARE: f64 = 1e-12;

/// Change of a place, as a share of it, after which Halley's method has found it `[-]`.
///
/// The next change is of the order of its cube. Smaller takes a step more; larger shows in the times of events.
pub(crate) const ROOT_SHARE: f64 = 1e-6;

/// Steps of Halley's method, within a bracket, for an event of a collision `[-]`.
///
/// Two or three are usual, and halving alone takes 53. Smaller could end early; larger is never used.
pub(crate) const MOST_ROOT_STEPS: usize = 64;

/// Steps of one collision `[-]`.
///
/// The longest take some fifty. Smaller could give up on one; larger takes longer to give up on numbers that are none.
pub(crate) const MOST_COLLISION_STEPS: usize = 1000;

/// By how much a direction is turned to see how far its support point moves `[rad]`.
///
/// The radius of curvature is then that of a place this far off. Smaller loses digits of the difference; larger is nearer
/// to a chord.
pub(crate) const BEND_ANGLE: f64 = 1e-5;

/// Share of the largest eigenvalue of a collision matrix below which another one is none, where it would be divided by `[-]`.
///
/// Matrices of linkages are rounded to some 10⁻¹⁵. Smaller answers rounding with impulses without bound; larger takes a needle for
/// something that cannot turn.
pub(crate) const RANK_SHARE: f64 = 1e-10;

/// Share of a wanted change of velocity by which a matrix without full rank may miss it `[-]`.
///
/// What it misses is along directions that do not give way. Smaller takes rounding for such; larger leaves a speed.
pub(crate) const REACHED_SHARE: f64 = 1e-9;

/// Sine of the angle between two lines up to which they have no crossing of their own `[-]`.
///
/// The normal is their cross product, and loses its inverse in digits. Smaller loses more than six; larger takes crossings that are
/// slowly found for parallel lines.
pub(crate) const PARALLEL_LINES: f64 = 1e-10;

/// Sine of the angle between two round sides, or edges off any face, from which on they are followed where they cross `[-]`.
///
/// Smaller follows a place that runs along the lines as fast as this is small; larger holds lines that cross by their ends.
pub(crate) const LINES_SINE: f64 = 1e-6;

/// Sine of the angle between edges of two faces that lie on each other from which on their crossing is followed `[-]`.
///
/// Their normal tilts by the tilt of the faces over this. Smaller lets it tilt more; larger keeps points of edges that the crossing
/// leaves behind.
pub(crate) const CROSSING_SINE: f64 = 0.05;

/// Cosine of the angle between the normal of a face and that of a contact down to which a corner is taken to stand on the face `[-]`.
///
/// Patches of contacts take in faces that go down from an edge. Smaller lets a corner beside an edge lean on a wall; larger
/// takes it off a slope that it does stand on.
pub(crate) const FACING_COSINE: f64 = 0.99;

/// How far from a corner or an edge a plane that leans on it counts, as a share of the smaller size `[-]`.
///
/// Smaller refreshes sooner; larger lets a corner slide along a plane that no face has.
pub(crate) const LEANING: f64 = 1e-3;

/// How far outside of a face a point of a rim may be to count as over it, as a share of the smaller size `[-]`.
///
/// Rounding of placements. Smaller drops points of equal caps; larger puts them beside the face.
pub(crate) const ON_BORDER: f64 = 1e-12;

/// Distance, as a share of the smaller size, at which two contact points with one normal are one `[-]`.
///
/// Facets that share an edge find points twice, to rounding. Smaller keeps both; larger merges points that a lever arm tells
/// apart.
pub(crate) const SAME_PLACE: f64 = 1e-9;

/// Difference of unit normals up to which they are one `[-]`.
///
/// Planes of facets of one face differ by rounding, edges over it by their tilt. Smaller keeps points twice that say the same;
/// larger merges the sides of a blunt edge.
pub(crate) const SAME_NORMAL: f64 = 1e-4;

/// Distance of sharp features, as a share of the smaller size, from which on the way between them is their normal `[-]`.
///
/// Nearer, its direction turns as quickly as this is small. Smaller lets a normal run around a corner; larger takes the plane of a face
/// where bodies are still on their way.
pub(crate) const CLEARLY_APART: f64 = 1e-3;

/// By how much bodies must stay apart to be passed over for a window, in touch distances `[-]`.
///
/// A search looks at what is within one, and lands at a quarter. Smaller than 1 overlooks touches; larger searches for more that
/// never comes.
pub(crate) const APART_SHARES: f64 = 4.0;

/// Pieces up to which each says how far a body reaches; of more, the ball around all does `[-]`.
///
/// A piece costs some ten nanoseconds. Smaller searches between links that a ball cannot tell apart; larger takes longer for meshes.
pub(crate) const MOST_PIECES_APART: usize = 8;

/// How long at most a pair that could not be told apart is not asked again, in doublings of the number of its searches `[-]`.
///
/// Smaller measures distances of bodies that lie on each other; larger searches long for what has gone away.
pub(crate) const LONGEST_REFUSAL: u32 = 5;
