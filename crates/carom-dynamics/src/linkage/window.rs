//! What a link cannot do within a window of time: boxes and travel.
//!
//! From the kinematics at one moment of the window and bounds on all rates (`rates.rs`) follow, with k the jerk of a point,
//!
//! ```text
//! x(t_c + τ) = x + τ·v + ½τ²·a ± ⅙k·|τ|³                                                          (1)
//! ```
//!
//! For boxes the moment is the window's centre, where the remainder is an eighth of what it is from an end; travel is
//! counted from the window's start, so there it is that (`taylor.rs`).

use carom_geometry::Aabb;
use glam::DVec3;

use super::joint_rates::JointRates;
use super::rates::{Outlook, Rates};
use super::{Course, LinkMotion};
use crate::collocation::Weights;
use crate::tree::{Carried, Walk};
use crate::{Kinematics, RateBounds, Reach, Span, Travel, taylor};

/// A time within a window, and how far the window goes before and after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) time: f64,
    /// τ₀ ≤ 0 `[s]`.
    pub(super) back: f64,
    /// τ₁ ≥ 0 `[s]`.
    pub(super) ahead: f64,
}

impl Moment {
    /// Differences of times round, so that both sides are a little longer.
    fn of(window: Span, time: f64) -> Self {
        let up = 1.0 + f64::EPSILON;
        Self { time, back: (window.start - time) * up, ahead: (window.end - time) * up }
    }

    pub(super) fn center(window: Span) -> Self {
        Self::of(window, window.start + 0.5 * window.length())
    }

    fn start(window: Span) -> Self {
        Self::of(window, window.start)
    }

    /// η.
    pub(super) fn farthest(&self) -> f64 {
        self.ahead.max(-self.back)
    }

    fn length(&self) -> f64 {
        self.ahead - self.back
    }
}

/// Factors on parts of a bound: 1, or a deliberate fault in a test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    /// Of the remainder ⅙k·|τ|³.
    pub(super) remainder: f64,
    /// Of the constant for rounding.
    pub(super) rounding: f64,
}

impl Shares {
    pub(super) const WHOLE: Self = Self { remainder: 1.0, rounding: 1.0 };
}

/// One link on the way outward.
#[derive(Clone, Copy, Debug)]
struct Stage {
    carried: Carried,
    rates: Rates,
}

/// Bounds of all links over one window; storage that is used again.
#[derive(Clone, Debug, Default)]
pub struct Window {
    stages: Vec<Stage>,
    /// A box for the centre of mass of each link.
    pub boxes: Vec<Aabb>,
    /// Bounds on the rates of each link.
    pub rates: Vec<RateBounds>,
    /// How the centre of mass of each link moves at one time of the window.
    pub kinematics: Vec<Kinematics>,
    carried: Vec<Carried>,
}

impl Course {
    /// One link on its parent, `None` for the world.
    fn stage(
        &self,
        walk: &mut Walk,
        link: usize,
        base: Option<&Stage>,
        (at, moment): (&Weights, &Moment),
    ) -> Stage {
        let joint = self.joint(link, at);
        let on = base.map(|base| &base.carried);
        let carried = walk.step(self.linkage().tree(), link, on, &joint.state);
        let own = JointRates::over(self, link, &joint, moment);
        let rates =
            base.map_or(Rates::default(), |base| base.rates).carried(&own, &carried, moment);
        Stage { carried, rates }
    }

    /// As [`Self::outlook`], by a walk from the root.
    pub(super) fn walked_outlook(&self, link: usize, moment: &Moment) -> Outlook {
        let at = self.weights_at(moment.time);
        let (mut walk, mut base): (Walk, Option<Stage>) = (Walk::default(), None);
        self.linkage().outward(link, |i| {
            base = Some(self.stage(&mut walk, i, base.as_ref(), (&at, moment)));
        });
        base.map_or(Outlook::STILL, |stage| self.outlook_from(link, &stage, moment))
    }

    fn outlook_from(&self, link: usize, stage: &Stage, moment: &Moment) -> Outlook {
        let center = self.linkage().tree().mass_properties(link).center;
        let kinematics = stage.carried.body_kinematics(center);
        let rates = self.seen(link, &stage.rates, &kinematics, moment);
        Outlook { kinematics, rates }
    }

    /// Bounds on the rates of a link, for its centre of mass.
    pub(super) fn seen(
        &self,
        link: usize,
        rates: &Rates,
        kinematics: &Kinematics,
        moment: &Moment,
    ) -> RateBounds {
        let center = self.linkage().tree().mass_properties(link).center;
        rates.at_point(center.length(), kinematics.state.position, moment.length())
    }

    /// Boxes and rates of all links in one pass, as [`LinkMotion::path_box`] and [`LinkMotion::rate_bounds`] give them.
    pub fn window(&self, window: Span, out: &mut Window) {
        let moment = Moment::center(window);
        let at = self.weights_at(moment.time);
        let (tree, mut walk) = (self.linkage().tree(), Walk::default());
        out.stages.clear();
        out.boxes.clear();
        out.rates.clear();
        out.kinematics.clear();
        for link in 0..tree.n_links() {
            let base = tree.parent(link).map(|parent| &out.stages[parent]);
            let stage = self.stage(&mut walk, link, base, (&at, &moment));
            let outlook = self.outlook_from(link, &stage, &moment);
            out.stages.push(stage);
            out.boxes.push(path_box(&outlook, &moment, Shares::WHOLE));
            out.rates.push(outlook.rates);
            out.kinematics.push(outlook.kinematics);
        }
    }

    /// How the centres of mass of all links move at `time`, in one pass, as [`LinkMotion::kinematics_at`] gives it, into
    /// `out.kinematics`; its boxes and rates are of no use afterwards.
    pub fn all_kinematics(&self, time: f64, out: &mut Window) {
        let at = self.weights_at(time);
        let (tree, mut walk) = (self.linkage().tree(), Walk::default());
        out.carried.clear();
        out.kinematics.clear();
        for link in 0..tree.n_links() {
            let base = tree.parent(link).map(|parent| &out.carried[parent]);
            let carried = walk.step(tree, link, base, &self.joint(link, &at).state);
            out.kinematics.push(carried.body_kinematics(tree.mass_properties(link).center));
            out.carried.push(carried);
        }
    }
}

impl LinkMotion {
    /// Bounds on the rates, valid throughout the window.
    pub fn rate_bounds(&self, window: Span) -> RateBounds {
        self.course.outlook(self.link(), &Moment::center(window)).rates
    }

    /// A box that the centre of mass does not leave during the window.
    pub fn path_box(&self, window: Span) -> Aabb {
        self.path_box_with(window, Shares::WHOLE)
    }

    pub(super) fn path_box_with(&self, window: Span, shares: Shares) -> Aabb {
        let moment = Moment::center(window);
        path_box(&self.course.outlook(self.link(), &moment), &moment, shares)
    }

    /// How far points get along the unit vector `direction` after the start of the window.
    pub fn travel(&self, window: Span, direction: DVec3, reach: Reach) -> Travel {
        self.travel_with(window, direction, reach, Shares::WHOLE)
    }

    pub(super) fn travel_with(
        &self,
        window: Span,
        direction: DVec3,
        reach: Reach,
        shares: Shares,
    ) -> Travel {
        let outlook = self.course.outlook(self.link(), &Moment::start(window));
        let Outlook { kinematics, rates } = &outlook;
        let whole = taylor::travel(kinematics, rates, window, direction, reach);
        let (_, half) = taylor::start(kinematics, direction, reach);
        Travel {
            a: half + shares.remainder * (whole.a - half),
            c: shares.rounding * whole.c,
            ..whole
        }
    }
}

/// (1): the range of each coordinate's parabola, and the rest.
fn path_box(outlook: &Outlook, moment: &Moment, shares: Shares) -> Aabb {
    let Kinematics { state, acceleration, .. } = &outlook.kinematics;
    let (x, v, a) = (state.position, state.velocity, *acceleration);
    let mut bounds = Aabb { min: x, max: x };
    for axis in 0..3 {
        let at = |tau: f64| x[axis] + tau * (v[axis] + 0.5 * tau * a[axis]);
        let turning = -v[axis] / a[axis];
        let is_inside = moment.back < turning && turning < moment.ahead;
        let inner = if is_inside { at(turning) } else { x[axis] };
        for value in [at(moment.back), at(moment.ahead), inner] {
            bounds.min[axis] = bounds.min[axis].min(value);
            bounds.max[axis] = bounds.max[axis].max(value);
        }
    }
    let eta = moment.farthest();
    let window = Span::new(0.0, moment.length());
    let rounding = taylor::rounding(&outlook.kinematics, &outlook.rates, window, Reach::Body(0.0));
    let remainder = outlook.rates.jerk * eta * eta * eta / 6.0;
    bounds.padded(shares.remainder * remainder + shares.rounding * rounding)
}
