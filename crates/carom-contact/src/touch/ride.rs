//! Certificates carried on leg by leg.
//!
//! A leg is as long as relative motion to third order is worth following, about a radian of turning. When a direction has
//! proven a whole leg, it rides on into the next one, with the motions evaluated anew; no distance is measured for that.
//!
//! Bodies that lie on each other collide a thousand times a second, while a direction may well prove them apart for all of the
//! next second. So a ride can be left after any leg and is taken up there when more is asked for: legs are the same whenever
//! they are worked.

use carom_dynamics::{Seen, Span};
use glam::DVec3;

use super::Mover;
use super::certificate::Certificate;
use super::legs::{Measured, seen};
use super::rider::Rider;
use crate::tolerances::{
    AIM_SHARE, FIRST_GAP, LANDING, LANDING_FALL, LEG_GROWTH, LONGEST, MOST_LEGS, MOST_WAYS_OUT,
    OUT_OF_REACH, TOLD_APART, TURN_OF_A_LEG,
};

/// The two solids as seen from one of them.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) frame: &'a Mover<'a>,
    pub(super) other: &'a Mover<'a>,
    /// From `other` to `frame`, in the axes of `frame`.
    pub(super) normal: DVec3,
}

impl<'a> View<'a> {
    fn certificate<'b>(&self, seen: &'b Seen, rider: &Rider, now: f64) -> Option<Certificate<'b>>
    where
        'a: 'b,
    {
        let direction = rider.path(seen, self.normal, now)?;
        Some(Certificate::new(self.frame.placed(), self.other.placed(), seen, direction))
    }

    /// How far apart a direction proves the two at a time `[m]`.
    pub(super) fn gap(&self, rider: &Rider, at: f64) -> Option<f64> {
        let now = self.seen(Span::new(at, at));
        self.certificate(&now, rider, at).map(|it| it.gap())
    }

    fn seen(&self, window: Span) -> Seen {
        seen(self.frame.motion, self.other.motion, window)
    }
}

/// How long a leg may be `[s]`.
pub(super) fn longest_leg(view: &View<'_>, at: f64) -> f64 {
    let spins =
        [view.frame, view.other].map(|mover| mover.motion.rate_bounds(Span::new(at, at)).spin);
    (TURN_OF_A_LEG / (spins[0] + spins[1])).min(LONGEST)
}

/// A direction that has proven two solids apart up to a time, as far as it has been followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ride {
    rider: Rider,
    /// The direction now, in the axes of the solid it rides on.
    normal: DVec3,
    /// They are proven apart up to this time `[s]`.
    at: f64,
    /// Of the next leg `[s]`.
    length: f64,
    /// Of any leg `[s]`.
    longest: f64,
    /// True when the gap at the start is too small to be told from none.
    in_contact: bool,
    legs_left: usize,
    /// True when it has come down to where bodies touch.
    landed: bool,
    last_gap: f64,
    last_rounding: f64,
}

/// What became of a leg.
enum Leg {
    /// Another one follows.
    Next,
    /// Nothing more is proven.
    Last,
}

impl Ride {
    /// A ride from a measured distance on.
    pub(super) fn new(measured: &Measured, view: &View<'_>, rider: Rider) -> Self {
        let at = measured.at;
        Self {
            rider,
            normal: view.normal,
            at,
            length: measured.first_leg(view),
            longest: longest_leg(view, at),
            // Rounding grows with the leg; whether they are in contact is asked of now.
            in_contact: measured.parting.is_some() && is_contact(view, &rider, at),
            legs_left: MOST_LEGS,
            landed: false,
            last_gap: f64::INFINITY,
            last_rounding: f64::INFINITY,
        }
    }

    /// The time up to which they are proven apart `[s]`.
    pub(super) const fn at(&self) -> f64 {
        self.at
    }

    /// True when it rides on a face and has come down to where bodies touch it.
    pub(super) const fn has_landed(&self) -> bool {
        self.landed && matches!(self.rider, Rider::Still(_))
    }

    /// Goes on until nothing more is proven, or the motions end; then true. Or until it has passed `pause`.
    pub(super) fn advance(
        &mut self,
        measured: &Measured,
        view: &View<'_>,
        end: f64,
        pause: f64,
        legs: &mut u32,
    ) -> bool {
        while self.legs_left > 0 && self.at < end {
            if self.at > pause {
                return false;
            }
            self.legs_left -= 1;
            *legs += 1;
            let view = View { normal: self.normal, ..*view };
            if matches!(self.leg(measured, &view, end), Leg::Last) {
                return true;
            }
        }
        true
    }

    /// One leg.
    fn leg(&mut self, measured: &Measured, view: &View<'_>, end: f64) -> Leg {
        let window = Span::new(self.at, end.min(self.at + self.length));
        let seen = view.seen(window);
        // Out of reach the bounding balls are followed, which is cheaper.
        let reach = view.frame.reach + view.other.reach;
        if self.at > measured.at && seen.offset[0].length() > OUT_OF_REACH * reach {
            return Leg::Last;
        }
        let Some(certificate) = view.certificate(&seen, &self.rider, self.at) else {
            return Leg::Last;
        };
        let (gap, rounding) = (certificate.gap(), certificate.rounding());
        if gap < TOLD_APART * rounding && self.at == measured.at && self.in_contact {
            let Some(next) = self.out_of_contact(measured, view, rounding, end) else {
                return Leg::Last;
            };
            (self.at, self.length) = (next, LEG_GROWTH * (next - self.at));
            self.last_gap = gap;
            self.normal = seen_later(&certificate, next - measured.at);
            return Leg::Next;
        }
        let aim = 0.5 * (AIM_SHARE * measured.resolution).min(gap - rounding);
        let landing = LANDING * measured.resolution;
        if gap - aim <= landing && gap < LANDING_FALL * self.last_gap && self.at > measured.at {
            self.landed = true;
            return Leg::Last;
        }
        self.last_gap = gap;
        self.follow(&certificate, window, aim, landing)
    }

    /// How far a leg is proven, and how long the next one shall be.
    fn follow(
        &mut self,
        certificate: &Certificate<'_>,
        window: Span,
        aim: f64,
        landing: f64,
    ) -> Leg {
        let rounding = certificate.rounding();
        let clear = certificate.clear(window.length(), aim, landing);
        if clear.whole {
            self.at = window.end;
            self.normal = seen_later(certificate, window.length());
            self.length = (LEG_GROWTH * self.length).min(self.longest);
        } else if clear.until == 0.0 {
            // Rounding grows with the leg, and may be all that is in the way.
            if rounding >= 0.5 * self.last_rounding {
                return Leg::Last;
            }
            self.length /= LEG_GROWTH;
        } else if clear.until < 0.25 * window.length()
            && self.legs_left > 1
            && !matches!(self.rider, Rider::Still(_))
        {
            // Bounds over a shorter leg are tighter.
            self.length = 2.0 * clear.until;
        } else {
            let next = (self.at + clear.until).next_down();
            if next <= self.at {
                return Leg::Last;
            }
            self.normal = seen_later(certificate, clear.until);
            // What is left is short beside what was gone.
            self.length = clear.until.min(0.1 * self.length);
            self.at = next;
        }
        self.last_rounding = rounding;
        Leg::Next
    }

    /// The time at which bodies that part from contact can be told to be apart, if they get there without sinking by more
    /// than their rounding meanwhile.
    fn out_of_contact(
        &self,
        measured: &Measured,
        view: &View<'_>,
        rounding: f64,
        end: f64,
    ) -> Option<f64> {
        let speed = measured.parting.filter(|speed| *speed >= 0.0)?;
        let first = (FIRST_GAP * rounding / speed).min(self.longest);
        let mut length = first;
        // Where they part so slowly that they turn meanwhile, it is their turning that parts them, if anything does. Where they
        // do not part at all, they stay as they are.
        for _ in 0..MOST_WAYS_OUT {
            if let Some(time) = self.apart_after(measured, view, length, end) {
                return Some(time);
            }
            length /= LEG_GROWTH;
        }
        // Where they touch with a face, another corner of it may part much more slowly than the nearest point.
        let longer = self.apart_after_longer(measured, view, first, end);
        // Of bodies that fall alike and hardly move otherwise, a leg can be so long that all of it is rounding.
        longer.or_else(|| {
            let now = view.seen(Span::new(measured.at, measured.at));
            let rounding = view.certificate(&now, &self.rider, measured.at)?.rounding();
            self.apart_after_longer(measured, view, FIRST_GAP * rounding / speed, end)
        })
    }

    /// The same, after ever longer legs.
    fn apart_after_longer(
        &self,
        measured: &Measured,
        view: &View<'_>,
        first: f64,
        end: f64,
    ) -> Option<f64> {
        let mut length = first;
        for _ in 0..MOST_WAYS_OUT {
            length *= LEG_GROWTH;
            if length > self.longest {
                break;
            }
            if let Some(time) = self.apart_after(measured, view, length, end) {
                return Some(time);
            }
        }
        None
    }

    /// The end of a leg out of contact, if bodies can be told to be apart there and do not sink on the way.
    fn apart_after(
        &self,
        measured: &Measured,
        view: &View<'_>,
        length: f64,
        end: f64,
    ) -> Option<f64> {
        let window = Span::new(measured.at, measured.at + length);
        if window.end <= measured.at || window.end > end {
            return None;
        }
        let leg = view.seen(window);
        let certificate = view.certificate(&leg, &self.rider, measured.at)?;
        let rounding = certificate.rounding();
        let sinks = certificate.gap() - 2.0 * rounding;
        if !certificate.clear(length, sinks, 0.0).whole {
            return None;
        }
        let later = view.seen(Span::new(window.end, window.end));
        let view = View { normal: seen_later(&certificate, length), ..*view };
        let certificate = view.certificate(&later, &self.rider, window.end)?;
        let is_apart = certificate.gap() >= TOLD_APART * certificate.rounding();
        (is_apart || measured.parting == Some(0.0)).then_some(window.end)
    }
}

/// True when the gap is too small to be told from none.
fn is_contact(view: &View<'_>, rider: &Rider, at: f64) -> bool {
    let now = view.seen(Span::new(at, at));
    let Some(certificate) = view.certificate(&now, rider, at) else { return false };
    certificate.gap() < TOLD_APART * certificate.rounding()
}

/// The direction at the end of a leg.
fn seen_later(certificate: &Certificate<'_>, after: f64) -> DVec3 {
    certificate.direction.at(after).normalize_or(certificate.direction.0[0])
}
