//! Guards: where along a segment its mode stops being the right one.
//!
//! | guard | of a freedom that | function that must not become negative | file |
//! |---|---|---|---|
//! | a stop is reached | moves | q − q_low, q_high − q | here |
//! | sliding ends | slides | v in its direction | here |
//! | friction gives way | sticks | F + 2δ − λ, λ + F + 2δ | `force.rs` |
//! | a stop is left | rests | λ + F + 2δ at the lower one, F + 2δ − λ at the upper one | `force.rs` |
//! | a joint breaks | – | 1 − (load/strength)² | `load.rs` |
//! | contacts change | – | see `linkage/contacts/guard.rs` | there |
//!
//! with λ and δ of `restraint.rs`. The segment ends at the first time, over all freedoms, after which one of them is.
//!
//! **What is proven.** Coordinates and velocities are polynomials in Bernstein form, and their first roots are isolated by
//! subdivision (`root.rs`): no crossing is missed however short, rounding of the coefficients aside, which is some 30 ε of
//! the way over the segment. The end is the last double before the root, so that the polynomial is within its stops at every time of
//! the course, and values that round beyond are put on the stop. Forces are not polynomials: they are followed by an interpolant whose
//! error is estimated, so that a force which leaves its range by less than that and comes back may be missed, and times
//! are as good as the tolerance.
//!
//! **Departures.** A freedom that was just let go starts at v = 0 with an acceleration that may be smaller than what the polynomial
//! misses at its start. It then seems to come back at once. Such a return within the first eighth of a segment is not
//! believed; a segment of that length is integrated instead, whose polynomial misses 8ˢ times less with s nodes.

mod force;
mod load;
mod root;

pub(super) use force::{COSINES, Interpolant, Samples};

use super::mode::{Grip, Sense};
use super::restraint::Restraint;
use super::{Course, Overload, Workspace};
use crate::collocation::IntegrationError;
use crate::tolerances::FALSE_START_SHARE;
use crate::tree::constraint::Side;
pub(super) use root::{Bernstein, MOST};

/// What changes for a freedom where a segment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It reaches a stop.
    ReachesStop(Side),
    /// It stops sliding.
    StopsSliding,
    /// Friction no longer holds it, and it starts in this direction.
    Slips(Sense),
    /// It leaves a stop.
    LeavesStop(Side),
}

/// Why a segment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The freedom, as a position in v.
    pub freedom: usize,
    /// What happens to it.
    pub change: Change,
}

/// What ends a segment before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Friction or a stop.
    Transition(Transition),
    /// A joint breaks.
    Breaks {
        /// The link that it carries.
        link: usize,
        /// What is too much.
        overload: Overload,
    },
    /// Surfaces that touch no longer do, or touch elsewhere.
    Contacts,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Search {
    /// The mode holds to the end.
    Nothing,
    /// It holds up to this share of the segment.
    Found(f64, Ending),
    /// What was let go seems to come back at once.
    FalseStart,
}

/// The first of several endings, with the share of the segment at which it comes.
pub(super) struct First {
    pub(super) theta: f64,
    pub(super) ending: Option<Ending>,
    /// Calls of the derivative so far.
    pub(super) calls: u64,
}

impl First {
    /// Takes an ending that comes earlier.
    pub(super) fn offer(&mut self, theta: f64, ending: Ending) {
        if theta < self.theta || (self.ending.is_none() && theta <= self.theta) {
            self.theta = theta;
            self.ending = Some(ending);
        }
    }
}

impl Course {
    /// What ends it first, and how many calls of the derivative finding it took.
    pub(super) fn search(
        &self,
        workspace: &mut Workspace,
    ) -> Result<(Search, u64), IntegrationError> {
        let linkage = self.linkage();
        let is_breakable = !linkage.strengths.limits.is_empty();
        let touches = !self.mode.contacts().is_idle();
        if linkage.restraints.is_empty() && !is_breakable && !touches {
            return Ok((Search::Nothing, 0));
        }
        let mut first = First { theta: self.end_share(), ending: None, calls: 0 };
        for restraint in &linkage.restraints {
            if !self.mode.grip(restraint.freedom).is_held()
                && self.is_false_start(restraint, &mut first)
            {
                return Ok((Search::FalseStart, 0));
            }
        }
        if (is_breakable || !self.mode.held().is_empty()) && first.theta > 0.0 {
            self.search_forces(&mut first, workspace)?;
        }
        if touches && first.theta > 0.0 {
            self.search_contacts(&mut first, workspace)?;
        }
        let found = match first.ending {
            Some(ending) => Search::Found(first.theta, ending),
            None => Search::Nothing,
        };
        Ok((found, first.calls))
    }

    /// Offers what ends the motion of a freedom; true when it must not be believed.
    fn is_false_start(&self, restraint: &Restraint, first: &mut First) -> bool {
        let freedom = restraint.freedom;
        let [q, v] = self.start();
        let (q, v) = (q[restraint.coordinate], v[freedom]);
        let coordinate = self.coordinate(freedom);
        let mut is_false = false;
        let mut offer = |function: Bernstein, change: Change, departs: bool| {
            if let Some(theta) = function.first_negative(first.theta) {
                is_false |= departs && theta < FALSE_START_SHARE;
                first.offer(theta, Ending::Transition(Transition { freedom, change }));
            }
        };
        if restraint.limits.is_some() {
            for side in [Side::Lower, Side::Upper] {
                let gap = restraint.gap(side, q);
                let function = Bernstein::new(gap, side.sign(), coordinate.way());
                let departs = v == 0.0 && gap <= restraint.reach;
                offer(function, Change::ReachesStop(side), departs);
            }
        }
        if let Grip::Sliding(sense) = self.mode.grip(freedom) {
            let sign = sense.sign();
            let function = Bernstein::new(sign * v, sign, coordinate.gain());
            offer(function, Change::StopsSliding, v == 0.0);
        }
        is_false
    }
}
