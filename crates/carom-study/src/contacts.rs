//! What every contact of a run did, by the names of its bodies.

use carom::{ContactReport, ContactSums, World};

/// Pairs that are kept, those with the largest impulses; of more only the number.
pub const MOST_PAIRS: usize = 10_000;

/// Pairs of pieces that are kept of one pair of bodies, those with the largest impulses; of more only the number. A mesh
/// has as many pieces as triangles.
pub const MOST_PIECES: usize = 100;

/// What a pair of bodies did to each other, A and B.
#[derive(Clone, Debug, PartialEq)]
pub struct PairSummary {
    /// Names of A and B.
    pub bodies: [String; 2],
    /// When they first collided `[s]`.
    pub first: f64,
    /// When they last collided `[s]`.
    pub last: f64,
    /// When they came to rest on each other, if they did `[s]`.
    pub settled: Option<f64>,
    /// Collisions, impulses, work and slip.
    pub sums: ContactSums,
    /// Total normal impulse divided by the time from the first collision to the end; none if no time has passed `[N]`.
    pub mean_force: Option<f64>,
    /// The same by convex pieces, where a body has several, in their order.
    pub pieces: Vec<PieceSummary>,
    /// Pairs of pieces that collided.
    pub n_pieces: usize,
}

/// What a pair of pieces did to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceSummary {
    /// Which piece of A and of B.
    pub pieces: [u32; 2],
    /// Collisions, impulses, work and slip.
    pub sums: ContactSums,
    /// Normal impulse divided by the time from the pair's first collision to the end; none if no time has passed `[N]`.
    pub mean_force: Option<f64>,
}

/// What the contacts of a run did; those of bodies that are gone are not known any more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// Those with the largest normal impulses first, at most [`MOST_PAIRS`].
    pub pairs: Vec<PairSummary>,
    /// Pairs that collided.
    pub n_pairs: usize,
    /// Collisions of all of them.
    pub collisions: u64,
    /// How many of these were microcollisions.
    pub micro: u64,
}

impl Contacts {
    /// Of a world as it is.
    pub fn of(world: &World) -> Self {
        let mut all: Vec<ContactReport<'_>> = world.contacts().collect();
        let count = |of: fn(&ContactSums) -> u64| all.iter().map(|it| of(it.sums())).sum();
        let (collisions, micro) = (count(|sums| sums.collisions), count(|sums| sums.micro));
        let n_pairs = all.len();
        // Stable, so that equal ones stay in the order of their bodies.
        all.sort_by(|a, b| b.sums().normal_impulse.total_cmp(&a.sums().normal_impulse));
        let pairs = all.iter().take(MOST_PAIRS).map(|report| summary(world, report)).collect();
        Self { pairs, n_pairs, collisions, micro }
    }
}

fn summary(world: &World, report: &ContactReport<'_>) -> PairSummary {
    let name = |body| world.body(body).map_or_else(String::new, |it| it.name().to_owned());
    let time = world.now() - report.first();
    let force = |sums: &ContactSums| (time > 0.0).then(|| sums.normal_impulse / time);
    let piece = |(pieces, sums): ([u32; 2], &ContactSums)| PieceSummary {
        pieces,
        sums: *sums,
        mean_force: force(sums),
    };
    let mut pieces: Vec<PieceSummary> = report.pieces().map(piece).collect();
    let n_pieces = pieces.len();
    if n_pieces > MOST_PIECES {
        pieces.sort_by(|a, b| b.sums.normal_impulse.total_cmp(&a.sums.normal_impulse));
        pieces.truncate(MOST_PIECES);
        pieces.sort_by_key(|piece| piece.pieces);
    }
    PairSummary {
        bodies: report.bodies().map(name),
        first: report.first(),
        last: report.last(),
        settled: report.settled(),
        sums: *report.sums(),
        mean_force: force(report.sums()),
        pieces,
        n_pieces,
    }
}
