//! The first touch of two bodies of many pieces.
//!
//! The search keeps a *front*: pairs of balls of the two trees that cover all pairs of pieces, each with the time up to
//! which it is clear. The earliest is taken; while its balls are apart their centres are followed, when they come near the
//! larger ball is replaced by its two halves, and two pieces go through the search of their own. So work goes where bodies
//! come near, and pieces far from there cost nothing.
//!
//! Each member of the front is worked in the same steps whatever the others do, so the result does not depend on where a
//! search was suspended. Searches of pieces above a plane begin only when they must (`above`), but then where they would have.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use carom_dynamics::{BodyState, Motion, Span};
use carom_geometry::Pose;
use carom_geometry::distance::Convex;
use carom_geometry::distance::pieces::{Content, Node, Pieces};

use super::above::Above;
use super::closed::Closed;
use super::reach::{self, RidingBall, balls_apart_until};
use super::{Beginning, Mover, Outcome, Search, Step};
use crate::tolerances::SPLIT_SHARE;

/// Room that a search begins with, in pairs of pieces: all of a body of few pieces, so that whoever gets the memory next
/// finds enough, and what a search of many mostly comes near.
const SMALLEST_ROOM: usize = 16;
const LARGEST_ROOM: usize = 64;

/// A body that rides on a motion.
#[derive(Clone, Copy, Debug)]
pub struct Rigid<'a> {
    /// What moves the frame.
    pub motion: &'a Motion,
    /// Its shape, in pieces.
    pub pieces: &'a Pieces,
    /// Placement of the shape in the frame.
    pub frame_from_shape: Pose,
    /// Its size, infinite if unbounded `[m]`.
    pub size: f64,
}

impl<'a> Rigid<'a> {
    /// One of its pieces.
    pub fn mover(&self, piece: u32, node: &Node) -> Mover<'a> {
        let found = &self.pieces.pieces()[piece as usize];
        let frame_from_convex = self.frame_from_shape.then_from(&found.shape_from_piece);
        let center = self.frame_from_shape.point(node.center);
        Mover {
            motion: self.motion,
            convex: &found.convex,
            frame_from_convex,
            // No farther than its ball reaches; its points themselves are too many to ask each time.
            reach: center.length() + node.radius,
            center,
            radius: node.radius,
            size: self.size,
        }
    }

    /// The shape of another body in the frame of this one's shape, and that in the world, at a time.
    pub fn placement(&self, other: &Rigid<'_>, time: f64) -> (Pose, Pose) {
        let (here, there) = (self.motion.state_at(time), other.motion.state_at(time));
        self.placement_of(other, &here, &there)
    }

    /// The same where both are in these states.
    pub(super) fn placement_of(
        &self,
        other: &Rigid<'_>,
        here: &BodyState,
        there: &BodyState,
    ) -> (Pose, Pose) {
        // The difference of positions first: it is exact where the bodies are near.
        let back = here.orientation.conjugate();
        let frames = Pose::new(back * (there.position - here.position), back * there.orientation);
        let from_other =
            self.frame_from_shape.inverse().then_from(&frames).then_from(&other.frame_from_shape);
        (from_other, here.pose().then_from(&self.frame_from_shape))
    }

    fn node(&self, index: u32) -> &'a Node {
        &self.pieces.tree()[index as usize]
    }

    fn ball(&self, node: &Node) -> RidingBall<'a> {
        RidingBall {
            motion: self.motion,
            center: self.frame_from_shape.point(node.center),
            radius: node.radius,
        }
    }
}

/// The search for two bodies, as far as it has come.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "most pairs are of two convex bodies")]
pub enum PairSearch {
    /// Both are convex.
    Single(Search),
    /// Of many pieces.
    Front(Box<Front>),
}

/// What was found, and for a touch between which pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOutcome {
    /// What was found.
    pub outcome: Outcome,
    /// Which piece of each body the outcome is about.
    pub pieces: [u32; 2],
}

/// Memory of searches that are over, for those that begin.
#[derive(Clone, Debug, Default)]
pub struct Spares {
    #[expect(clippy::vec_box, reason = "searches own their boxes")]
    free: Vec<Box<Front>>,
    made: usize,
}

impl Spares {
    /// Takes the memory of a search that is over.
    pub fn keep(&mut self, search: PairSearch) {
        if let PairSearch::Front(front) = search {
            self.free.push(front);
        }
    }

    /// Memory for a search. When there is none, a few more are made than are needed, in proportion to all: so that the
    /// most that are under way at one time, which grows ever more rarely, hardly ever finds none.
    fn take(&mut self) -> Box<Front> {
        if self.free.is_empty() {
            let more = 1 + self.made / 2;
            self.made += more;
            self.free.reserve(self.made);
            for _ in 0..more {
                let mut front = Box::<Front>::default();
                front.make_room(SMALLEST_ROOM);
                self.free.push(front);
            }
        }
        self.free.pop().unwrap_or_default()
    }
}

impl PairSearch {
    /// A search that begins at a time.
    pub fn new(a: &Rigid<'_>, b: &Rigid<'_>, beginning: impl Into<Beginning>) -> Self {
        Self::reusing(&mut Spares::default(), a.pieces, b.pieces, beginning.into())
    }

    /// As [`Self::new`], in the memory of a search that is over.
    pub fn reusing(spares: &mut Spares, a: &Pieces, b: &Pieces, beginning: Beginning) -> Self {
        if a.single().is_some() && b.single().is_some() {
            return Self::Single(Search::from(beginning));
        }
        let mut front = spares.take();
        let pairs = a.pieces().len().saturating_mul(b.pieces().len());
        front.make_room(pairs.clamp(SMALLEST_ROOM, LARGEST_ROOM));
        front.begin(beginning);
        Self::Front(front)
    }

    /// Full distance queries so far.
    pub fn queries(&self) -> u64 {
        match self {
            Self::Single(search) => u64::from(search.queries),
            Self::Front(front) => front.queries,
        }
    }

    /// By what the last step was proven.
    pub fn last_step(&self) -> Step {
        match self {
            Self::Single(search) => search.last_step,
            Self::Front(front) => front.last_step,
        }
    }

    /// Goes on until a touch is found, or the motions end at `end`, or the search has passed `pause`.
    pub fn advance(&mut self, a: &Rigid<'_>, b: &Rigid<'_>, end: f64, pause: f64) -> PairOutcome {
        match self {
            Self::Single(search) => {
                if let Some(closed) = Closed::of(a, b) {
                    search.last_step = Step::Exact;
                    let outcome = closed.first_touch(&search.beginning, end);
                    return PairOutcome { outcome, pieces: [0, 0] };
                }
                let (one, other) = (a.mover(0, a.node(0)), b.mover(0, b.node(0)));
                PairOutcome { outcome: search.advance(&one, &other, end, pause), pieces: [0, 0] }
            }
            Self::Front(front) => front.advance(a, b, end, pause),
        }
    }
}

/// Pairs of balls, and of pieces, that cover all pairs of pieces.
#[derive(Clone, Debug, Default)]
pub struct Front {
    beginning: Option<Beginning>,
    members: BinaryHeap<Member>,
    searches: Vec<Search>,
    free: Vec<u32>,
    /// Pieces that were passed over, and the slice of time for which they were.
    waiting: Vec<Member>,
    above: Option<Above>,
    queries: u64,
    last_step: Step,
}

/// One pair of the front.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Member {
    /// Clear before this time `[s]`.
    at: f64,
    /// When the search of a pair of pieces begins `[s]`.
    begins: f64,
    nodes: [u32; 2],
    /// Of a pair of pieces, its search.
    search: Option<u32>,
    /// What its search has found, to be told when nothing is earlier.
    found: Option<Outcome>,
}

impl Eq for Member {}

impl Ord for Member {
    /// Earlier ones are greater, for a heap that gives its greatest first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.at.total_cmp(&self.at).then_with(|| other.nodes.cmp(&self.nodes))
    }
}

impl PartialOrd for Member {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Front {
    fn make_room(&mut self, pairs: usize) {
        self.members.clear();
        self.members.reserve(pairs);
        self.searches.clear();
        self.searches.reserve(pairs);
        self.free.clear();
        self.free.reserve(pairs);
        self.waiting.clear();
        self.waiting.reserve(pairs);
    }

    /// Forgets everything but its memory.
    fn begin(&mut self, beginning: Beginning) {
        self.beginning = Some(beginning);
        self.members.clear();
        let at = beginning.time;
        self.members.push(Member { at, begins: at, nodes: [0, 0], search: None, found: None });
        self.waiting.clear();
        self.above = None;
        self.searches.clear();
        self.free.clear();
        self.queries = 0;
        self.last_step = Step::None;
    }

    fn advance(&mut self, a: &Rigid<'_>, b: &Rigid<'_>, end: f64, pause: f64) -> PairOutcome {
        let nobody = PairOutcome { outcome: Outcome::Never, pieces: [0, 0] };
        loop {
            let waits = self.waits_until();
            let first = self.members.peek().map_or(f64::INFINITY, |member| member.at);
            let earliest = first.min(waits);
            if earliest >= end {
                return nobody;
            }
            if let Some(&Member { found: Some(outcome), nodes, .. }) = self.members.peek()
                && first < waits
            {
                return PairOutcome { outcome, pieces: pieces_of(a, b, nodes) };
            }
            if earliest > pause {
                return PairOutcome { outcome: Outcome::Later(earliest), ..nobody };
            }
            if waits <= first {
                self.next_slice(a, b, Span::new(waits, end), pause);
                continue;
            }
            let Some(member) = self.members.pop() else { return nobody };
            if self.passed_over(a, b, &member, Span::new(member.at, end), pause) {
                self.waiting.push(member);
                continue;
            }
            let next = self.members.peek().map_or(pause, |next| next.at.min(pause));
            self.work(a, b, member, end, next.min(self.waits_until()));
        }
    }

    /// When pieces that were passed over have to be looked at again `[s]`.
    fn waits_until(&self) -> f64 {
        match &self.above {
            Some(above) if !self.waiting.is_empty() => above.until(),
            _ => f64::INFINITY,
        }
    }

    /// True when a piece stays far enough above a plane for nothing to be found before the end of the slice.
    fn passed_over(
        &mut self,
        a: &Rigid<'_>,
        b: &Rigid<'_>,
        member: &Member,
        rest: Span,
        pause: f64,
    ) -> bool {
        if member.search.is_some() {
            return false;
        }
        let Some((plane, piece)) = above_plane(a, b, member.nodes) else { return false };
        if self.waiting.is_empty() && self.above.is_none_or(|it| it.from() != member.at) {
            let ahead = self.beginning.map_or(0.0, |it| pause - it.time);
            self.above = Above::new(plane, piece, rest, ahead);
        }
        self.above.is_some_and(|it| it.from() == member.at && it.passes(piece.0, piece.1))
    }

    /// Looks at all pieces that were passed over, in the next slice of time; what is not passed over again goes back.
    fn next_slice(&mut self, a: &Rigid<'_>, b: &Rigid<'_>, rest: Span, pause: f64) {
        let ahead = self.beginning.map_or(0.0, |it| pause - it.time);
        let first = self.waiting.first().and_then(|member| above_plane(a, b, member.nodes));
        self.above = first.and_then(|(plane, piece)| Above::new(plane, piece, rest, ahead));
        let Self { above, waiting, members, .. } = self;
        waiting.retain(|member| {
            let passes = above_plane(a, b, member.nodes)
                .zip(above.as_ref())
                .is_some_and(|((_, piece), above)| above.passes(piece.0, piece.1));
            if !passes {
                members.push(Member { at: rest.start, ..*member });
            }
            passes
        });
    }

    /// One step of one member; while it is the earliest, up to `pause`.
    fn work(&mut self, a: &Rigid<'_>, b: &Rigid<'_>, member: Member, end: f64, pause: f64) {
        let [i, j] = member.nodes;
        let (one, other) = (a.node(i), b.node(j));
        if let (Content::Piece(p), Content::Piece(q)) = (one.content, other.content) {
            let slot = member.search.unwrap_or_else(|| self.reserve(member.begins));
            let search = &mut self.searches[slot as usize];
            let before = search.queries;
            let outcome = search.advance(&a.mover(p, one), &b.mover(q, other), end, pause);
            self.queries += u64::from(search.queries - before);
            self.last_step = search.last_step;
            let (at, found) = match outcome {
                Outcome::Never => {
                    self.free.push(slot);
                    return;
                }
                Outcome::Later(at) => (at, None),
                Outcome::Touch(touch) => (touch.time, Some(outcome)),
                Outcome::Stuck(at) | Outcome::Overlap(at) | Outcome::Blurred(at) => {
                    (at, Some(outcome))
                }
            };
            self.members.push(Member { at, search: Some(slot), found, ..member });
            return;
        }
        if let Some(at) = above_plane_until(a, b, one, other, Span::new(member.at, end)) {
            self.last_step = Step::Balls;
            self.members.push(Member { at, ..member });
            return;
        }
        let near = SPLIT_SHARE * finite_or_zero(one.radius).max(finite_or_zero(other.radius));
        let rest = Span::new(member.at, end);
        match balls_apart_until(&a.ball(one), &b.ball(other), near, rest) {
            Some(at) => {
                self.last_step = Step::Balls;
                self.members.push(Member { at, ..member });
            }
            None => self.split(member, one, other),
        }
    }

    /// Replaces the larger ball by its halves.
    fn split(&mut self, member: Member, one: &Node, other: &Node) {
        let [i, j] = member.nodes;
        match (one.content, other.content) {
            (Content::Balls(halves), Content::Piece(_)) => {
                self.halve(member, halves.map(|h| [h, j]));
            }
            (Content::Piece(_), Content::Balls(halves)) => {
                self.halve(member, halves.map(|h| [i, h]));
            }
            (Content::Balls(halves), Content::Balls(_)) if one.radius >= other.radius => {
                self.halve(member, halves.map(|h| [h, j]));
            }
            (_, Content::Balls(halves)) => self.halve(member, halves.map(|h| [i, h])),
            (Content::Piece(_), Content::Piece(_)) => {}
        }
    }

    fn halve(&mut self, member: Member, halves: [[u32; 2]; 2]) {
        self.members.extend(halves.map(|nodes| Member { nodes, begins: member.at, ..member }));
    }

    fn reserve(&mut self, at: f64) -> u32 {
        let search = Search::resumed(self.beginning.unwrap_or_else(|| at.into()), at);
        if let Some(slot) = self.free.pop() {
            self.searches[slot as usize] = search;
            return slot;
        }
        self.searches.push(search);
        (self.searches.len() - 1) as u32
    }
}

/// The time up to which a ball is proven to stay above a plane, if one of the two is a half-space and the other not near it.
fn above_plane_until(
    a: &Rigid<'_>,
    b: &Rigid<'_>,
    one: &Node,
    other: &Node,
    span: Span,
) -> Option<f64> {
    let plane_of = |body: &Rigid<'_>, node: &Node| match node.content {
        Content::Piece(piece) => match &body.pieces.pieces()[piece as usize].convex {
            Convex::HalfSpace(_) => Some(piece),
            _ => None,
        },
        Content::Balls(_) => None,
    };
    if let Some(piece) = plane_of(a, one) {
        return reach::above_plane_until(&a.mover(piece, one), &b.ball(other), SPLIT_SHARE, span);
    }
    let piece = plane_of(b, other)?;
    reach::above_plane_until(&b.mover(piece, other), &a.ball(one), SPLIT_SHARE, span)
}

/// A body and a node of it.
type NodeOf<'a> = (&'a Rigid<'a>, &'a Node);

/// The plane and the other piece, if one of two pieces is a half-space.
fn above_plane<'a>(
    a: &'a Rigid<'a>,
    b: &'a Rigid<'a>,
    [i, j]: [u32; 2],
) -> Option<(NodeOf<'a>, NodeOf<'a>)> {
    let (one, other) = (a.node(i), b.node(j));
    match (piece_of(a, one)?, piece_of(b, other)?) {
        (Convex::HalfSpace(_), _) => Some(((a, one), (b, other))),
        (_, Convex::HalfSpace(_)) => Some(((b, other), (a, one))),
        _ => None,
    }
}

/// The solid of a node that is a piece.
fn piece_of<'a>(body: &Rigid<'a>, node: &Node) -> Option<&'a Convex> {
    match node.content {
        Content::Piece(piece) => Some(&body.pieces.pieces()[piece as usize].convex),
        Content::Balls(_) => None,
    }
}

fn finite_or_zero(radius: f64) -> f64 {
    if radius.is_finite() { radius } else { 0.0 }
}

fn pieces_of(a: &Rigid<'_>, b: &Rigid<'_>, [i, j]: [u32; 2]) -> [u32; 2] {
    [a.node(i), b.node(j)].map(|node| match node.content {
        Content::Piece(piece) => piece,
        Content::Balls(_) => 0,
    })
}
