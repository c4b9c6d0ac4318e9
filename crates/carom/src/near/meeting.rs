//! Pairs that have met: which bodies are inside each other, and which have parted in their present motions.

use rustc_hash::FxHashMap;

use crate::arena::Arena;
use crate::body::{BodyId, BodyRecord};

/// More void meetings than this, beside as many as matter, are thrown out.
const VOID_KEPT: usize = 64;

/// When a pair last met or parted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    /// When `[s]`.
    pub(crate) since: f64,
    /// True while they are inside each other.
    pub(crate) inside: bool,
}

impl Meeting {
    /// A parting matters as long as both bodies move as they did then: a search must not find again what is over. Once one
    /// of them moves otherwise, searches begin later anyway.
    fn matters(&self, [a, b]: [BodyId; 2], bodies: &Arena<BodyId, BodyRecord>) -> bool {
        let goes_on = |body| bodies.get(body).is_some_and(|record| record.since < self.since);
        self.inside || goes_on(a) && goes_on(b)
    }
}

/// All meetings that still matter, the smaller body of each pair first, and some that do not: those are void, and nobody can
/// tell whether they are still there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    pairs: FxHashMap<[BodyId; 2], Meeting>,
    /// How many there were when void ones were last thrown out.
    kept: usize,
}

impl Meetings {
    pub(crate) fn get(&self, pair: [BodyId; 2]) -> Option<&Meeting> {
        self.pairs.get(&pair)
    }

    /// Writes down that a pair has met or parted.
    pub(crate) fn note(
        &mut self,
        pair: [BodyId; 2],
        meeting: Meeting,
        bodies: &Arena<BodyId, BodyRecord>,
    ) {
        if !meeting.matters(pair, bodies) {
            self.pairs.remove(&pair);
            return;
        }
        self.pairs.insert(pair, meeting);
        // Looking at all whenever they have doubled costs each a constant.
        if self.pairs.len() > 2 * self.kept + VOID_KEPT {
            self.pairs.retain(|pair, meeting| meeting.matters(*pair, bodies));
            self.kept = self.pairs.len();
        }
    }

    pub(crate) fn remove(&mut self, pair: [BodyId; 2]) {
        self.pairs.remove(&pair);
    }

    /// Forgets all meetings of a body.
    pub(crate) fn forget(&mut self, body: BodyId) {
        self.pairs.retain(|pair, _| !pair.contains(&body));
    }

    /// Those that matter, in the order of their bodies.
    pub(crate) fn in_order(
        &self,
        bodies: &Arena<BodyId, BodyRecord>,
    ) -> Vec<([BodyId; 2], Meeting)> {
        let all = self.pairs.iter().map(|(pair, meeting)| (*pair, *meeting));
        let mut pairs: Vec<_> = all.filter(|(pair, it)| it.matters(*pair, bodies)).collect();
        pairs.sort_unstable_by_key(|(pair, _)| *pair);
        pairs
    }
}

impl FromIterator<([BodyId; 2], Meeting)> for Meetings {
    fn from_iter<I: IntoIterator<Item = ([BodyId; 2], Meeting)>>(pairs: I) -> Self {
        let pairs: FxHashMap<_, _> = pairs.into_iter().collect();
        Self { kept: pairs.len(), pairs }
    }
}

/// The pair with the smaller body first.
pub(crate) fn ordered(a: BodyId, b: BodyId) -> [BodyId; 2] {
    [a.min(b), a.max(b)]
}
