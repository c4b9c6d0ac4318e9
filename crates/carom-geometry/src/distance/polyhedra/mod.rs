//! Nearest features of two convex polyhedra, tracked from the last pair that was nearest.
//!
//! Lin and Canny (1991): of two convex polyhedra the features that hold the nearest points are nearest to each other
//! too, so a walk over neighbouring features finds them from anywhere, and from the last answer in a step or two.
//! Mirtich (V-Clip, 1998) made the walk hold for edges over faces and for overlap. Here every answer is proved, and
//! what cannot be proved is answered another way:
//!
//! 1. `walk` from the last features, or from vertices that face each other;
//! 2. `measure` the pair it settles at, `proof` by the width of the slab between the solids;
//! 3. caught, or not proved: `depth` grows the difference of the solids around the origin. Either the solids
//!    overlap or touch, and that is the depth, or a slab with a positive width turns up, and the walk is tried again
//!    from there;
//! 4. still not proved: `simplex` searches by support points alone.
//!
//! Two solids count as overlapping only where step 3 says so. A triangle takes part as a flat polytope with two
//! faces.

mod depth;
mod finish;
mod grown;
mod measure;
mod pair;
mod polytope;
mod proof;
mod segments;
mod simplex;
mod walk;

use std::cell::RefCell;

use depth::{Deep, deepest};
use finish::{Answer, finished, is_inside};
use grown::Grown;
use measure::measure;
use pair::Query;
pub(crate) use polytope::{Flat, Polytope};
use proof::proved;
use walk::{Step, Walked, step, walk};

use super::{Closest, Convex, Feature, Warm};
use crate::Pose;

/// What a query took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Steps of all walks.
    pub(crate) steps: u32,
    /// Walks that went in a circle of equal distances.
    pub(crate) circles: u32,
    /// Walks that were cut off: a fault if it ever happens.
    pub(crate) cut_off: u32,
    /// Settled pairs that could not be proved.
    pub(crate) unproved: u32,
    /// Support points of searches for the depth.
    pub(crate) support_points: u32,
    /// Answers by simplices.
    pub(crate) last_resorts: u32,
}

/// The nearest points, if both solids are polyhedra or triangles.
pub(super) fn closest(a: &Convex, b: &Convex, a_from_b: &Pose, warm: &Warm) -> Option<Closest> {
    closest_with_effort(a, b, a_from_b, warm).map(|(closest, _)| closest)
}

/// The same, with what it took.
pub(crate) fn closest_with_effort(
    a: &Convex,
    b: &Convex,
    a_from_b: &Pose,
    warm: &Warm,
) -> Option<(Closest, Effort)> {
    use Convex::{Polyhedron, Triangle};
    Some(match (a, b) {
        (Polyhedron(a), Polyhedron(b)) => solve(a.as_ref(), b.as_ref(), a_from_b, warm),
        (Polyhedron(a), Triangle(b)) => solve(a.as_ref(), &Flat::new(*b), a_from_b, warm),
        (Triangle(a), Polyhedron(b)) => solve(&Flat::new(*a), b.as_ref(), a_from_b, warm),
        (Triangle(a), Triangle(b)) => solve(&Flat::new(*a), &Flat::new(*b), a_from_b, warm),
        _ => return None,
    })
}

thread_local! {
    /// Storage of the search for depths: allocated once, cleared before each use.
    static HULL: RefCell<Grown> = RefCell::new(Grown::default());
}

fn solve<A: Polytope, B: Polytope>(
    a: &A,
    b: &B,
    a_from_b: &Pose,
    warm: &Warm,
) -> (Closest, Effort) {
    let query = Query::new(a, b, a_from_b);
    let mut effort = Effort::default();
    let start = match warm {
        Warm::Last(last) => a.found(last.features[0]).zip(b.found(last.features[1])),
        Warm::Cold => None,
    };
    let overlapped = matches!(warm, Warm::Last(last) if last.distance < -query.touch);
    let start = start.map_or_else(|| query.facing_vertices(), |(a, b)| [a, b]);
    let known = if overlapped { deep(&query, start, End::Caught, &mut effort) } else { None };
    let (measured, features) = known.unwrap_or_else(|| walked(&query, start, &mut effort));
    let closest = Closest {
        distance: measured.distance,
        point_a: measured.point_a,
        point_b: measured.point_b,
        normal: measured.normal,
        features: [a.named(features[0]), b.named(features[1])],
    };
    (closest, effort)
}

/// The answer that a walk leads to, or another way if it leads to none.
fn walked<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    start: [Feature; 2],
    effort: &mut Effort,
) -> Answer {
    match settled(query, start, effort) {
        End::Proved(answer) => answer,
        end => deep(query, start, end, effort).unwrap_or_else(|| {
            effort.last_resorts += 1;
            simplex::nearest(query, query.vertices_of(start))
        }),
    }
}

/// What a walk came to.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The answer.
    Proved(Answer),
    /// A pair that no step leads away from, this far apart, whose normal rounding has spoiled.
    Unproved(f64),
    /// Overlap, or the walk did not end well.
    Caught,
}

/// Walks, measures and proves.
fn settled<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    start: [Feature; 2],
    effort: &mut Effort,
) -> End {
    let (walked, steps) = walk(query, start, MAX_STEPS);
    effort.steps += steps;
    let end = match walked {
        Walked::Settled(features) => {
            let measured = measure(query, features);
            match proved(query, measured, features) {
                Some(proved) => End::Proved((proved, features)),
                None => End::Unproved(measured.distance.abs()),
            }
        }
        Walked::Circle(features) => {
            effort.circles += 1;
            best_of_circle(query, features)
        }
        Walked::Caught(_) => End::Caught,
        Walked::TooLong(_) => {
            effort.cut_off += 1;
            End::Caught
        }
    };
    effort.unproved += u32::from(matches!(end, End::Unproved(_)));
    end
}

/// Steps after which a walk is cut off.
const MAX_STEPS: u32 = 100_000;

/// The first, in order of features, of the pairs on a circle that can be proved; else the least of their distances.
#[cold]
fn best_of_circle<A: Polytope, B: Polytope>(query: &Query<A, B>, start: [Feature; 2]) -> End {
    let mut best: Option<Answer> = None;
    let mut least: Option<f64> = None;
    let mut features = start;
    loop {
        let measured = measure(query, features);
        if is_inside(query, features, &measured) {
            least = Some(least.unwrap_or(f64::INFINITY).min(measured.distance.abs()));
            if best.is_none_or(|(_, first)| features < first)
                && let Some(proved) = proved(query, measured, features)
            {
                best = Some((proved, features));
            }
        }
        match step(query, features[0], features[1]) {
            Step::To(a, b) if [a, b] != start => features = [a, b],
            _ => break,
        }
    }
    best.map(End::Proved).or(least.map(End::Unproved)).unwrap_or(End::Caught)
}

/// By depth, or by a walk from where the solids are seen to be apart.
#[cold]
fn deep<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    start: [Feature; 2],
    end: End,
    effort: &mut Effort,
) -> Option<Answer> {
    HULL.with(|hull| match hull.try_borrow_mut() {
        Ok(mut hull) => by_depth(query, start, end, &mut hull, effort),
        Err(_) => by_depth(query, start, end, &mut Grown::default(), effort),
    })
}

/// By the lowest facet of the difference, which lies as low as the points of an unproved pair are apart if these are
/// nearest; else by another walk from where the solids are seen to be apart.
fn by_depth<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    start: [Feature; 2],
    end: End,
    hull: &mut Grown,
    effort: &mut Effort,
) -> Option<Answer> {
    let apart = match end {
        End::Unproved(distance) => distance + query.proof,
        End::Proved(_) | End::Caught => query.proof,
    };
    let normal = measure(query, start).normal;
    let (deep, points) = deepest(query, hull, normal, query.vertices_of(start), apart);
    effort.support_points += points;
    let vertices = match deep {
        Deep::Facet { normal, corners } => match finished(query, normal, corners, hull) {
            None => corners[0].vertices,
            answer => return answer,
        },
        Deep::Apart { vertices } => vertices,
        Deep::Unknown => return None,
    };
    let start = vertices.map(Feature::Vertex);
    match settled(query, start, effort) {
        End::Proved(answer) => Some(answer),
        again @ End::Unproved(_) if matches!(end, End::Caught) => {
            by_depth(query, start, again, hull, effort)
        }
        End::Unproved(_) | End::Caught => None,
    }
}

#[cfg(test)]
mod tests;
