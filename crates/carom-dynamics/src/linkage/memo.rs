//! Links at the moments that are asked for again and again.
//!
//! A search for a touch asks where two links are at the start of a course a dozen times, each of its neighbours asks the same,
//! and each question would walk from the root to its link. So every thread remembers the links of the last few moments it was
//! asked for: as far as links have been reached, those beyond them go on from there. What is remembered is what a walk gives, to
//! the bit, so nobody can tell whether anything was.
//!
//! Courses are told apart by a number that no two of them share, which is no part of what they are. A thread keeps
//! [`MOMENTS`] moments of linkages of up to [`MOST_LINKS`] links; of larger ones nothing is kept.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::course::JointAt;
use super::joint_rates::JointRates;
use super::rates::{Outlook, Rates};
use super::window::Moment;
use super::{Course, Linkage};
use crate::collocation::Weights;
use crate::tree::{Carried, Walk};
use crate::{Kinematics, RateBounds};

/// How many moments a thread remembers: the start of a course, the middle of its links' window, and the legs of a search.
const MOMENTS: usize = 8;

/// The largest linkage of which anything is remembered: about a kilobyte for each link and moment.
const MOST_LINKS: usize = 256;

thread_local! {
    static RECENT: RefCell<Recent> = RefCell::new(Recent::default());
}

/// A number that no other course has.
#[derive(Debug)]
pub(super) struct Identity(u64);

impl Identity {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A copy may be changed, so it is somebody else.
impl Clone for Identity {
    fn clone(&self) -> Self {
        Self::new()
    }
}

#[derive(Default)]
struct Recent {
    moments: [Remembered; MOMENTS],
    /// Questions so far.
    questions: u64,
}

/// The links of a course at a time, as far as they were asked for.
#[derive(Default)]
struct Remembered {
    /// Whose course it is; 0 for none.
    course: u64,
    time: f64,
    /// The question by which it was last asked for.
    last: u64,
    weights: Option<Weights>,
    links: Vec<Option<Reached>>,
    /// How far the window goes before and after, for which there are bounds.
    window: [f64; 2],
    bounds: Vec<Option<Bounded>>,
    walk: Walk,
}

/// A link at a time.
struct Reached {
    joint: JointAt,
    carried: Carried,
    kinematics: Kinematics,
}

/// And over a window around it.
#[derive(Clone, Copy)]
struct Bounded {
    rates: Rates,
    at_center: RateBounds,
}

impl Course {
    /// How the centre of mass of a link moves at `time`.
    pub(super) fn link_kinematics(&self, link: usize, time: f64) -> Kinematics {
        remembered(self, time, |it| it.kinematics(self, link))
            .unwrap_or_else(|| self.walked_kinematics(link, time))
    }

    /// A link as its centre of mass moves at a moment, with bounds over the window around it.
    pub(super) fn outlook(&self, link: usize, moment: &Moment) -> Outlook {
        remembered(self, moment.time, |it| it.outlook(self, link, moment))
            .unwrap_or_else(|| self.walked_outlook(link, moment))
    }
}

/// Asks what is remembered of a time; none of a linkage that is too large.
fn remembered<T>(
    course: &Course,
    time: f64,
    ask: impl FnOnce(&mut Remembered) -> Option<T>,
) -> Option<T> {
    if course.linkage().tree().n_links() > MOST_LINKS {
        return None;
    }
    RECENT.with(|recent| ask(recent.try_borrow_mut().ok()?.of(course, time)))
}

impl Recent {
    /// What is remembered of a time of a course, instead of what was not asked for longest.
    fn of(&mut self, course: &Course, time: f64) -> &mut Remembered {
        self.questions += 1;
        let Identity(own) = *course.identity();
        let is_known = |it: &Remembered| it.course == own && it.time.to_bits() == time.to_bits();
        let found = self.moments.iter().position(is_known);
        let place = found.unwrap_or_else(|| {
            let ages = self.moments.iter().enumerate().map(|(place, it)| (it.last, place));
            ages.min().map_or(0, |(_, place)| place)
        });
        let it = &mut self.moments[place];
        if found.is_none() {
            it.begin(course, time);
        }
        it.last = self.questions;
        it
    }
}

impl Remembered {
    fn begin(&mut self, course: &Course, time: f64) {
        let links = course.linkage().tree().n_links();
        let Identity(own) = *course.identity();
        (self.course, self.time) = (own, time);
        self.weights = Some(course.weights_at(time));
        self.links.clear();
        self.links.resize_with(links, || None);
        self.begin_window([f64::NAN; 2]);
    }

    fn begin_window(&mut self, window: [f64; 2]) {
        self.window = window;
        self.bounds.clear();
        self.bounds.resize_with(self.links.len(), || None);
    }

    fn kinematics(&mut self, course: &Course, link: usize) -> Option<Kinematics> {
        self.reach(course, link)?;
        self.links[link].as_ref().map(|it| it.kinematics)
    }

    fn outlook(&mut self, course: &Course, link: usize, moment: &Moment) -> Option<Outlook> {
        if self.window != [moment.back, moment.ahead] {
            self.begin_window([moment.back, moment.ahead]);
        }
        if self.bounds[link].is_none() {
            self.reach(course, link)?;
            self.bound(course, link, moment);
        }
        let kinematics = self.links[link].as_ref()?.kinematics;
        self.bounds[link].map(|it| Outlook { kinematics, rates: it.at_center })
    }

    /// Walks on to a link from where it has come.
    fn reach(&mut self, course: &Course, link: usize) -> Option<()> {
        if self.links[link].is_some() {
            return Some(());
        }
        let Self { weights, links, walk, .. } = self;
        let (tree, at) = (course.linkage().tree(), weights.as_ref()?);
        course.linkage().outward(link, |i| {
            if links[i].is_none() {
                let base = parent(links, course.linkage(), i).map(|it| &it.carried);
                let joint = course.joint(i, at);
                let carried = walk.step(tree, i, base, &joint.state);
                let kinematics = carried.body_kinematics(tree.mass_properties(i).center);
                links[i] = Some(Reached { joint, carried, kinematics });
            }
        });
        Some(())
    }

    /// The same with bounds, of links that were reached.
    fn bound(&mut self, course: &Course, link: usize, moment: &Moment) {
        let Self { links, bounds, .. } = self;
        let linkage = course.linkage();
        linkage.outward(link, |i| {
            let Some(it) = links[i].as_ref().filter(|_| bounds[i].is_none()) else { return };
            let own = JointRates::over(course, i, &it.joint, moment);
            let base = parent(bounds, linkage, i).map_or(Rates::default(), |base| base.rates);
            let rates = base.carried(&own, &it.carried, moment);
            let at_center = course.seen(i, &rates, &it.kinematics, moment);
            bounds[i] = Some(Bounded { rates, at_center });
        });
    }
}

/// What is known of the parent of a link.
fn parent<'a, T>(known: &'a [Option<T>], linkage: &Linkage, link: usize) -> Option<&'a T> {
    known[linkage.tree().parent(link)?].as_ref()
}
