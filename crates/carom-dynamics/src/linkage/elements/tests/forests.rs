//! Random forests with elements of all kinds: books, momentum, cuts and bounds.

use std::cell::Cell;

use super::*;
use crate::linkage::tests::Dice;
use crate::tree::tests::{GRAVITY, any_case, for_all, largest_difference};
use crate::{Reach, Span};

#[test]
fn the_books_of_random_forests_close() {
    let (worst, mean, count) = (Cell::new(0.0_f64), Cell::new(0.0_f64), Cell::new(0_u32));
    let calls = Cell::new(0);
    let drafts = proptest::collection::vec(any_draft(KINDS), 4..10);
    for_all(12, &(any_case(false), any_case(true), drafts), |(one, other, drafts)| {
        let tree = forest(&[&one.tree, &other.tree]);
        let elements = drafted(&tree, &drafts, false);
        let linkage = joined(tree, elements, 1e-11);
        let [q, v] = [[&one.q, &other.q], [&one.v, &other.v]].map(|[a, b]| [&a[..], b].concat());
        let mut run = Run::new(&linkage, &q, &v);
        run.drive.gravity = 0.2 * GRAVITY;
        let (mut size, mut open, mut turnover) = (0.0_f64, 0.0, 0.0);
        while run.time < 10.0 {
            let course = run.step(10.0);
            let span = course.span();
            open += course.energy_error(span.start, span.end, &mut run.workspace);
            turnover += course.work(span.start, span.end).abs() + course.loss(span.start, span.end);
            size = size.max(run.linkage.kinetic_energy(&run.q, &run.v, &mut run.workspace));
        }
        let share = open.abs() / (size + turnover);
        worst.set(worst.get().max(share));
        mean.set(mean.get() + share);
        count.set(count.get() + 1);
        calls.set(calls.get() + run.calls);
    });
    println!(
        "books open by {:.1e} of energy and turnover at worst, {:.1e} in the mean of {} runs of 10 s; {} calls",
        worst.get(),
        mean.get() / f64::from(count.get()),
        count.get(),
        calls.get()
    );
    assert!(worst.get() <= 1e-9, "{:e}", worst.get());
}

#[test]
fn forests_with_internal_elements_keep_momentum_and_angular_momentum() {
    let (worst, cases) = (Cell::new(0.0_f64), Cell::new(0));
    let drafts = proptest::collection::vec(any_draft(INTERNAL_KINDS), 2..8);
    for_all(20, &(any_case(true), any_case(true), drafts), |(one, other, drafts)| {
        let tree = forest(&[&one.tree, &other.tree]);
        let elements = drafted(&tree, &drafts, true);
        let linkage = joined(tree, elements, 1e-11);
        let [q, v] = [[&one.q, &other.q], [&one.v, &other.v]].map(|[a, b]| [&a[..], b].concat());
        let mut run = adrift(&linkage, &q, &v);
        let before = momentum(&run);
        run.advance(2.0);
        let after = momentum(&run);
        let size = run.linkage.tree().mass() + before.linear.length() + before.angular.length();
        let linear = (after.linear - before.linear).length();
        let drift = linear.max((after.angular - before.angular).length()) / size;
        worst.set(worst.get().max(drift));
        cases.set(cases.get() + 1);
    });
    println!("momenta off by {:.1e} of their size after 2 s, {} forests", worst.get(), cases.get());
    assert!(worst.get() < 1e-9, "{:e}", worst.get());
}

#[test]
fn cuts_at_random_times_change_nothing_beyond_the_tolerance() {
    let worst = Cell::new(0.0_f64);
    let drafts = proptest::collection::vec(any_draft(KINDS), 2..6);
    for_all(20, &(any_case(false), drafts, 0..u64::MAX), |(case, drafts, seed)| {
        let elements = drafted(&case.tree, &drafts, false);
        let linkage = joined(case.tree.clone(), elements, 1e-11);
        let mut whole = Run::new(&linkage, &case.q, &case.v);
        let mut cut = whole.clone();
        whole.advance(0.3);
        let mut dice = Dice(seed);
        while cut.time < 0.3 {
            let course = cut.look_ahead(0.3);
            let span = course.span();
            let time =
                if dice.roll() < 0.5 { span.start + dice.roll() * span.length() } else { span.end };
            cut.go_to(&course, time);
        }
        let apart = largest_difference(&whole.v, &cut.v).max(largest_difference(&whole.q, &cut.q));
        let size = whole.v.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        worst.set(worst.get().max(apart / size));
    });
    println!("cut and whole differ by {:.1e} after 0.3 s", worst.get());
    assert!(worst.get() < 1e-8, "{:e}", worst.get());
}

#[test]
fn no_point_of_a_link_leaves_its_bounds_under_elements() {
    let all = Cell::new(0_u32);
    let drafts = proptest::collection::vec(any_draft(KINDS), 2..6);
    let window = (0.0..1.0_f64, -13.0..0.0_f64, vector(1.0), vector(1.0));
    for_all(
        150,
        &(any_case(false), drafts, window),
        |(case, drafts, (start, length, along, arm))| {
            let elements = drafted(&case.tree, &drafts, false);
            let linkage = joined(case.tree.clone(), elements, 1e-7);
            let mut run = Run::new(&linkage, &case.q, &case.v);
            let along = along.normalize_or(DVec3::X);
            for _ in 0..3 {
                let course = run.step(f64::INFINITY);
                let span = course.span();
                let start = span.start + start * span.length();
                let length = libm::pow(10.0, length) * span.length();
                let window = Span::new(start, (start + length.max(1e-13)).min(span.end));
                for link in 0..case.tree.n_links() {
                    let motion = course.link(link);
                    let path = motion.path_box(window);
                    let travel = motion.travel(window, along, Reach::Point(arm));
                    let place = |time: f64| motion.state_at(time).pose().point(arm);
                    for time in crate::law::testing::samples(window, 16) {
                        assert!(
                            path.contains(motion.state_at(time).position),
                            "link {link} at {time}"
                        );
                        let way = along.dot(place(time) - place(window.start));
                        assert!(way <= travel.after(time - window.start), "link {link} at {time}");
                        all.set(all.get() + 2);
                    }
                }
            }
        },
    );
    println!("0 of {} samples outside", all.get());
}
