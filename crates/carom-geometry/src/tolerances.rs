//! Every tolerance of this crate: value, unit, reason, and what gets worse in each direction.
//!
//! All are pure numbers relative to a size that the caller states, so that a scaled input behaves the
//! same.

/// Padding of computed boxes in units of ε·|largest coordinate| [-].
///
/// A support point is a rotation (two rounded products and sums per axis, about 6 ulp) plus a
/// translation. Smaller: a box may miss its shape by rounding. Larger: looser boxes, no harm seen.
pub const BOX_PADDING_ULPS: f64 = 16.0;

/// How far |q|² of a given quaternion may be from 1 [-].
///
/// Files carry 6 to 8 digits. Smaller refuses honest files; larger lets a scaled rotation through, which
/// would scale lengths by as much.
pub const UNIT_QUATERNION: f64 = 1e-6;
