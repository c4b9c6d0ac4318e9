//! Damping costs little, however stiff.

use std::f64::consts::FRAC_PI_2;

use super::testing::{Rods, Run, accuracy};
use crate::collocation::{Probe, SecondOrder, Undefined};

/// Two heavy rods and two light ones, damped at joints whose inertia is at least D = m·l²/3 at c/D = `rate`.
fn rods(rate: f64, damped: [bool; 4]) -> Rods {
    let (length, masses) = (0.1, [0.1, 0.1, 0.001, 0.001]);
    let damping: Vec<f64> = masses
        .iter()
        .zip(damped)
        .map(|(m, damped)| if damped { rate * m * length * length / 3.0 } else { 0.0 })
        .collect();
    Rods::new(length, &masses, &damping)
}

/// The same damping, hidden from the integrator in F.
struct Hidden(Rods);

impl SecondOrder for Hidden {
    fn freedoms(&self) -> usize {
        self.0.freedoms()
    }

    fn acceleration(&mut self, probe: &Probe, out: &mut [f64]) -> Result<(), Undefined> {
        let implicit = crate::collocation::Implicit { gamma: 0.0, w: probe.v };
        self.0.acceleration(&Probe { implicit, ..*probe }, out)
    }
}

fn calls<S: SecondOrder>(system: S, end: f64) -> (u64, Vec<f64>) {
    let mut run = Run::new(system, accuracy(1e-7, 4, 10.0), &[FRAC_PI_2; 4], &[0.0; 4]);
    run.advance(end);
    (run.calls, run.point.q)
}

#[test]
fn stiff_damping_costs_at_most_four_times_as_much_as_none() {
    for damped in [[false, false, true, true], [true; 4]] {
        let (free, _) = calls(rods(0.0, damped), 1.0);
        for rate in [1.0, 10.0, 100.0, 400.0, 1000.0, 2000.0, 4000.0] {
            let (implicit, end) = calls(rods(rate, damped), 1.0);
            let (hidden, same) = calls(Hidden(rods(rate, damped)), 1.0);
            let share = implicit as f64 / free as f64;
            let apart = end.iter().zip(&same).fold(0.0_f64, |d, (a, b)| d.max((a - b).abs()));
            println!(
                "c/D = {rate}/s: {implicit} calls, {share:.2} of {free} undamped; {hidden} without (4); \
                 ends {apart:.1e} apart"
            );
            assert!(share <= 4.0, "c/D = {rate}/s takes {share} times the calls");
        }
    }
}
