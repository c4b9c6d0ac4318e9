//! Pairs that have met: which bodies are inside each other, and which have parted in their present motions.

use std::collections::BTreeMap;

use crate::body::BodyId;

/// When a pair last met or parted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    /// When `[s]`.
    pub(crate) since: f64,
    /// True while they are inside each other.
    pub(crate) inside: bool,
}

/// All meetings that still matter, the smaller body of each pair first.
///
/// A parting matters as long as both bodies move as they did then: a search must not find again what is over.
pub(crate) type Meetings = BTreeMap<[BodyId; 2], Meeting>;

/// The pair with the smaller body first.
pub(crate) fn ordered(a: BodyId, b: BodyId) -> [BodyId; 2] {
    [a.min(b), a.max(b)]
}
