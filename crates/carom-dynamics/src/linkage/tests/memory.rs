//! What is remembered changes no bit.

use proptest::prelude::any;

use super::Dice;
use super::bounds::{courses, window_in};
use crate::linkage::window::Moment;
use crate::tree::tests::{any_case, for_all};

#[test]
fn what_a_link_answers_does_not_depend_on_what_was_asked_before() {
    for_all(40, &(any_case(true), any::<u64>()), |(case, seed)| {
        let (courses, links) = (courses(&case, 1.0, 3), case.tree.n_links());
        let mut dice = Dice(seed);
        let mut any = |count: usize| (dice.roll() * count as f64) as usize;
        for _ in 0..400 {
            let (course, link) = (&courses[any(courses.len())], any(links));
            // So few times that most are asked again, and more than are remembered.
            let (start, length) = (any(12) as f64 / 12.0, 0.01 * any(2) as f64);
            let window = window_in(course, start, length);
            let motion = course.link(link);
            let known = course.walked_kinematics(link, window.start);
            assert_eq!(motion.kinematics_at(window.start), known);
            let known = course.walked_outlook(link, &Moment::center(window));
            assert_eq!(motion.rate_bounds(window), known.rates);
        }
    });
}
