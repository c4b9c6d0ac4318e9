//! What holds after every instant, checked in debug builds.
//!
//! After an instant at world time T: (i) every motion's span contains T; (ii) every body's box covers a
//! window that contains T and lies in its span; (iii) every pair with overlapping boxes that can meet has a
//! prediction, known up to the first end of its windows; (iv) pairs inside each other wait for their parting; (v) nothing live
//! is queued before T.

use carom_dynamics::Motion;

use crate::near::{Meeting, Watch};
use crate::world::World;

impl World {
    /// What is broken, if anything; looks at everything.
    pub fn broken_invariant(&self) -> Option<String> {
        self.broken_motion().or_else(|| self.broken_pair()).or_else(|| self.broken_queue())
    }

    /// (i) and (ii): what the state alone must fulfil.
    pub(crate) fn broken_motion(&self) -> Option<String> {
        let now = self.state.now;
        for (id, group) in self.state.groups.iter() {
            let span = group.span(now);
            if !span.contains(now) || group.is_restarted() || group.dirty {
                return Some(format!(
                    "(i) the motion of the group of {} does not hold at {now} s",
                    id.0
                ));
            }
            if !group.members.is_sorted_by_key(|member| member.body) {
                return Some(format!("the members of the group of {} are not in order", id.0));
            }
        }
        for (id, body) in self.state.bodies.iter() {
            let Some(group) = self.state.groups.get(body.group) else {
                return Some(format!("{id} belongs to no group"));
            };
            if group.member(id).is_none() {
                return Some(format!("{id} is no member of its group"));
            }
            if !(body.window.contains(now) && group.span(now).covers(&body.window)) {
                return Some(format!(
                    "(ii) the window {:?} of {id} does not hold at {now} s",
                    body.window
                ));
            }
            let Some(member) = group.member(id) else { continue };
            let earliest = match group.motion_of(member) {
                Motion::Ballistic(arc) => arc.beginning().0,
                Motion::Linked(link) => link.span().start,
                _ => f64::NEG_INFINITY,
            };
            if !(body.since <= now && body.since >= earliest) {
                return Some(format!("(i) {id} moves as it does since {} s", body.since));
            }
            // The reference point of a ring lies outside of its matter, but never farther than its radius.
            let position = group.state_of(member, now).position;
            let reach = body.swept.padded(body.model.radius);
            if body.model.radius.is_finite() && !reach.contains(position) {
                return Some(format!("(ii) {id} has left its box at {now} s"));
            }
        }
        None
    }

    /// (v).
    fn broken_queue(&self) -> Option<String> {
        let now = self.state.now;
        let first =
            self.scratch.queue.peek().filter(|entry| entry.time < now && self.is_live(entry));
        first.map(|entry| format!("(v) {entry:?} waits before {now} s"))
    }

    /// (iii) and (iv): every pair with overlapping boxes that can meet has a prediction, up to when both boxes are made anew
    /// or queued; what is inside each other waits for its parting.
    fn broken_pair(&self) -> Option<String> {
        let mut bodies = self.state.bodies.iter();
        while let Some((a, one)) = bodies.next() {
            for (b, other) in bodies.clone() {
                if !one.swept.overlaps(&other.swept) || self.pairing(a, b).is_none() {
                    continue;
                }
                let Some(near) = self.near([a, b]) else {
                    return Some(format!("(iii) {a} and {b} are not watched"));
                };
                let windows = one.window.end.min(other.window.end);
                if near.epochs != [one.epoch, other.epoch]
                    || near.prediction.known_until() < windows
                {
                    return Some(format!("(iii) {a} and {b} are not known up to {windows} s"));
                }
                let inside = self.state.meetings.get([a, b]).is_some_and(Meeting::inside);
                if inside && matches!(near.watch, Some(Watch::Touch(_))) {
                    return Some(format!(
                        "(iv) {a} and {b} are inside each other and look for a touch"
                    ));
                }
            }
        }
        None
    }

    /// Asserts the invariants, once in as many instants as there are bodies: so the looking costs no more than the
    /// work.
    #[cfg(debug_assertions)]
    pub(crate) fn assert_invariants(&mut self) {
        let between = self.state.bodies.len() as u64;
        self.scratch.instants += 1;
        if self.scratch.instants < between {
            return;
        }
        self.scratch.instants = 0;
        if let Some(broken) = self.broken_invariant() {
            panic!("broken invariant: {broken}");
        }
    }

    /// Asserts nothing.
    #[cfg(not(debug_assertions))]
    #[expect(clippy::unused_self, reason = "does its work in debug builds")]
    pub(crate) fn assert_invariants(&mut self) {}
}
