//! Until when the contacts of a mode are the right ones.
//!
//! A mode with active contacts is right as long as
//!
//! - there are forces f ≥ 0 with K·f = K·f*, f* those of least norm: then surfaces that only push do the same;
//! - no point has left its features (`Site::room`), but for a held gap, by which one takes over from the other;
//! - no point that parted is back at its held gap. Caught there, it comes to rest by ever smaller bounces; left to fall until it
//!   touches it would be lifted by a held gap each time, and go on for ever.
//!
//! Where all f* ≥ 0 they are such forces. Otherwise z ≥ 0, w = K·z − K·f* ≥ 0, z·w = 0 is solved, whose w is zero if and only if
//! there are any. The first is followed by interpolants of f* (as in `linkage/guard/force.rs`) and asked at nine points of a
//! window, the second at these points; where an answer changes, the time is halved in. This is a search by samples, not a
//! proof: an answer that changes twice between two points may be missed. Nothing overlaps for it: that gaps stay
//! open is proven by whoever asks the motions, for all features, those of contacts included.

use super::settle::Complementary;
use crate::collocation::IntegrationError;
use crate::linkage::guard::{Bernstein, COSINES, Ending, First, Interpolant, MOST};
use crate::linkage::{Course, Workspace};
use crate::tolerances::{CONTACT_HALVINGS, CONTACT_LOOKS, OPENING_WIDTH};

/// What is the matter with a mode at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Right,
    /// No forces that push do it.
    Pulls,
    /// A point has left its features.
    Strays,
    /// A point that had parted is back.
    Returns,
}

impl Course {
    /// Offers the first time at which the contacts are no longer the right ones.
    pub(in crate::linkage) fn search_contacts(
        &self,
        first: &mut First,
        workspace: &mut Workspace,
    ) -> Result<(), IntegrationError> {
        let mut forces = std::mem::take(&mut workspace.samples.forces);
        let window = [0.0, first.theta];
        let found = self.search_part(window, CONTACT_HALVINGS, first, &mut forces, workspace);
        workspace.samples.forces = forces;
        found
    }

    fn search_part(
        &self,
        [from, to]: [f64; 2],
        halvings: u32,
        first: &mut First,
        forces: &mut Vec<f64>,
        workspace: &mut Workspace,
    ) -> Result<(), IntegrationError> {
        let n = self.mode.contacts().indices().count();
        forces.clear();
        forces.resize(MOST * n, 0.0);
        let theta = |x: f64| from + 0.5 * (1.0 + x) * (to - from);
        let mut verdicts = [Verdict::Right; MOST];
        let mut width = vec![0.0_f64; n];
        for (j, x) in COSINES.iter().enumerate() {
            verdicts[j] = self.verdict(theta(*x), workspace)?;
            let room = &workspace.buffers.contacts;
            forces[j * n..(j + 1) * n].copy_from_slice(&room.forces);
            for (i, width) in width.iter_mut().enumerate() {
                let gives = room.matrix[i * n + i].max(f64::MIN_POSITIVE);
                *width = width.max(self.opening() / gives);
            }
        }
        first.calls += MOST as u64;
        let parts = || (0..n).map(|i| Interpolant::new(forces, i, n));
        let is_rough =
            parts().zip(&width).any(|(own, width)| own.missing() > width.max(1e-6 * own.size()));
        if halvings > 0 && is_rough {
            let middle = 0.5 * (from + to);
            for window in [[from, middle], [middle, to]] {
                if window[0] < first.theta {
                    self.search_part(window, halvings - 1, first, forces, workspace)?;
                }
            }
            return Ok(());
        }
        // Samples run from the end of the window to its beginning.
        let wrong = (0..MOST).rev().find(|j| verdicts[*j] != Verdict::Right);
        let root = parts().zip(&width).filter_map(|(own, width)| {
            Bernstein::new(*width, 1.0, &own.bernstein()).first_negative(1.0)
        });
        let root = root.fold(f64::INFINITY, f64::min);
        let after_root = from + (root + 1e-6).min(1.0) * (to - from);
        let mut bracket =
            wrong.map(|j| [theta(*COSINES.get(j + 1).unwrap_or(&-1.0)), theta(COSINES[j])]);
        if root.is_finite() && bracket.is_none_or(|[_, to]| after_root < to) {
            first.calls += 1;
            if self.verdict(after_root, workspace)? != Verdict::Right {
                let before = from + (root - 1e-6).max(0.0) * (to - from);
                bracket = Some([before, after_root]);
            }
        }
        if let Some(bracket) = bracket {
            let theta = self.last_right(bracket, first, workspace)?;
            first.offer(theta, Ending::Contacts);
        }
        Ok(())
    }

    /// The last time of a bracket at which all is right, halved in.
    fn last_right(
        &self,
        [mut right, mut wrong]: [f64; 2],
        first: &mut First,
        workspace: &mut Workspace,
    ) -> Result<f64, IntegrationError> {
        for _ in 0..CONTACT_LOOKS {
            let middle = 0.5 * (right + wrong);
            if middle <= right || middle >= wrong {
                break;
            }
            first.calls += 1;
            if self.verdict(middle, workspace)? == Verdict::Right {
                right = middle;
            } else {
                wrong = middle;
            }
        }
        Ok(wrong)
    }

    /// How far a gap may open before its contact counts as broken `[m/s²]`.
    fn opening(&self) -> f64 {
        OPENING_WIDTH * self.linkage().same_acceleration(0.0)
    }

    fn verdict(&self, theta: f64, workspace: &mut Workspace) -> Result<Verdict, IntegrationError> {
        let time = self.time_at(theta);
        self.derive(time, workspace)?;
        let room = &workspace.buffers.contacts;
        let contacts = self.mode.contacts();
        let Some(surfaces) = contacts.surfaces().map(AsRef::as_ref) else {
            return Ok(Verdict::Right);
        };
        let mut held = contacts.indices().zip(&room.sites);
        if held.any(|(contact, site)| contacts.strays(contact, &surfaces.law(contact), site)) {
            return Ok(Verdict::Strays);
        }
        let returns = |contact: usize| {
            let site = surfaces.follow(contact, time, room.links());
            site.is_none_or(|site| contacts.returns(contact, &surfaces.law(contact), &site))
        };
        if contacts.others().any(returns) {
            return Ok(Verdict::Returns);
        }
        let n = room.forces.len();
        let largest = room.wanted.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
        let opening = OPENING_WIDTH * self.linkage().same_acceleration(largest);
        let pulls = |i: usize| room.matrix[i * n + i] * room.forces[i] < -opening;
        if !(0..n).any(pulls) {
            return Ok(Verdict::Right);
        }
        let mut offset = vec![0.0; n];
        for (i, offset) in offset.iter_mut().enumerate() {
            let row = &room.matrix[i * n..(i + 1) * n];
            *offset = -row.iter().zip(&room.forces).map(|(k, f)| k * f).sum::<f64>();
        }
        let mut complementary = Complementary::default();
        let solved = complementary.solve(&room.matrix, &offset);
        let opens = complementary.solution.w.iter().any(|w| *w > opening);
        Ok(if solved.is_err() || opens { Verdict::Pulls } else { Verdict::Right })
    }
}
