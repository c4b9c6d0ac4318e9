//! Every tolerance and limit of the audit: value, unit, reason, and what gets worse in each direction.

/// How deep an overlap must be proven before it is one, in units in the last place of the largest coordinate `[-]`.
///
/// Places of bodies are known to about one. Smaller accuses rounding; larger lets true overlaps of that size pass.
pub const OVERLAP_ULPS: f64 = 8.0;

/// Gap at which bodies have touched for certain, as a share of the radius of the smaller one's bounding ball `[-]`.
///
/// The engine tells a touch at a quarter or more of its touch distance, a thousand-millionth of the smaller diameter, and a
/// pass within that distance may count either way; this is a tenth of it. Smaller overlooks touches that were not told;
/// larger asks for touches that are told a moment later, or need not be.
pub const TOUCH_SHARE: f64 = 2e-10;

/// By how much bodies may leave the straight line between two samples, as a share of its length `[-]`.
///
/// Only decides who is looked at. Smaller may overlook a pair between samples on a curved way; larger measures pairs in
/// vain.
pub(super) const CURVE_SHARE: f64 = 0.1;

/// Share of the time between samples to which the time of a least gap is found `[-]`.
///
/// A gap near its least changes with the square of this. Smaller takes more distances; larger loses digits of the gap.
pub(super) const TIME_SHARE: f64 = 1e-8;

/// Where to look whether a pair goes apart from an end of a span, as a share of the time to the next sample `[-]`.
///
/// Smaller may not be told from rounding; larger takes a dip right beside the end for none.
pub(super) const EDGE_SHARE: f64 = 1e-3;

/// Neighbours in one coordinate that are asked for a first idea of the least gap `[-]`.
///
/// Fewer may begin with an idea so large that all pairs are listed; more ask for longer.
pub(super) const NEIGHBOURS: usize = 8;

/// Horizons in one span `[-]`.
///
/// Fewer looks farther ahead in long spans than asked for; more might never come to an end.
pub(super) const MOST_PIECES: f64 = 1000.0;

/// Pairs of bodies whose offences are kept `[-]`; more are counted only.
pub(super) const MOST_OFFENCES: usize = 1000;

/// Bodies of which all pairs may be listed `[-]`.
///
/// Larger lists more pairs at once; smaller may not tell the least gap of a few bodies of which hardly any can meet.
pub(super) const MANY: usize = 300;
