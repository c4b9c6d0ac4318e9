//! Pairs that have met: which bodies are inside each other, and which have parted in their present motions.

use rustc_hash::FxHashMap;

use crate::body::BodyId;

/// More void meetings than this, beside as many as matter, are thrown out.
const VOID_KEPT: usize = 64;

/// How two bodies are with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// They pass through each other, or one is inside a sensor.
    Inside,
    /// They have come apart after that.
    Parted,
    /// They were found in contact.
    Met,
}

/// When a pair last met or parted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    /// When `[s]`.
    pub(crate) since: f64,
    pub(crate) manner: Manner,
}

impl Meeting {
    /// True while they are inside each other.
    pub(crate) fn inside(&self) -> bool {
        self.manner == Manner::Inside
    }

    /// What is over matters as long as both bodies move as they did then: a search must not find it again. Once one of
    /// them moves otherwise, searches begin later anyway. Bodies that meet at the very beginning of a motion have met, but
    /// bodies that part there begin to move apart as anybody does.
    ///
    /// `began` says when a body began to move as it does.
    fn matters(&self, [a, b]: [BodyId; 2], began: impl Fn(BodyId) -> f64) -> bool {
        let latest = began(a).max(began(b));
        match self.manner {
            Manner::Inside => true,
            Manner::Parted => latest < self.since,
            Manner::Met => latest <= self.since,
        }
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

    /// The last meeting of a pair, if it still matters.
    pub(crate) fn that_matters(
        &self,
        pair: [BodyId; 2],
        began: impl Fn(BodyId) -> f64,
    ) -> Option<&Meeting> {
        self.get(pair).filter(|meeting| meeting.matters(pair, began))
    }

    /// Writes down that a pair has met or parted.
    pub(crate) fn note(
        &mut self,
        pair: [BodyId; 2],
        meeting: Meeting,
        began: impl Fn(BodyId) -> f64,
    ) {
        if !meeting.matters(pair, &began) {
            self.pairs.remove(&pair);
            return;
        }
        self.pairs.insert(pair, meeting);
        // Looking at all whenever they have doubled costs each a constant.
        if self.pairs.len() > 2 * self.kept + VOID_KEPT {
            self.pairs.retain(|pair, meeting| meeting.matters(*pair, &began));
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
    pub(crate) fn in_order(&self, began: impl Fn(BodyId) -> f64) -> Vec<([BodyId; 2], Meeting)> {
        let all = self.pairs.iter().map(|(pair, meeting)| (*pair, *meeting));
        let mut pairs: Vec<_> = all.filter(|(pair, it)| it.matters(*pair, &began)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Handle as _;

    fn pair(i: u32) -> [BodyId; 2] {
        [BodyId::of(0, 0), BodyId::of(i + 1, 0)]
    }

    #[test]
    fn a_parting_is_forgotten_once_one_of_the_two_moves_otherwise() {
        let parting = Meeting { since: 1.0, manner: Manner::Parted };
        let mut meetings = Meetings::default();
        meetings.note(pair(0), parting, |_| 0.5);
        assert_eq!(meetings.in_order(|_| 0.5), [(pair(0), parting)]);
        assert_eq!(meetings.in_order(|body| f64::from(body.index())), []);
        // Struck at the time of the parting: nothing is worth a note.
        meetings.note(pair(0), parting, |_| 1.0);
        assert_eq!(meetings.get(pair(0)), None);
        let inside = Meeting { manner: Manner::Inside, ..parting };
        meetings.note(pair(0), inside, |_| 1.0);
        assert_eq!(meetings.in_order(|_| 2.0), [(pair(0), inside)]);
    }

    #[test]
    fn void_partings_do_not_pile_up() {
        let mut meetings = Meetings::default();
        for i in 0..10_000 {
            let now = f64::from(i);
            // Every body goes on as it does for ten partings.
            let began = |body: BodyId| if body.index() == 0 { now - 10.0 } else { 0.0 };
            meetings.note(pair(i), Meeting { since: now, manner: Manner::Parted }, began);
            assert!(meetings.pairs.len() <= 2 * 10 + VOID_KEPT + 1, "{}", meetings.pairs.len());
            assert_eq!(meetings.in_order(began).len(), 10.min(i as usize));
        }
    }
}
