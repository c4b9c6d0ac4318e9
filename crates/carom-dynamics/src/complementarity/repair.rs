//! From an inner point near the answer to the answer: rows are put in their places, and moved while they are wrong.
//!
//! Where a product x·s is small one of its factors is, and tells the place of the row; where both are (a contact that
//! just touches and carries nothing) either place will do but for rounding. All wrong rows change their places at once,
//! and the set is solved again (`polish`): from near the answer once or twice is enough.

use super::Place;
use super::polish::Polish;
use super::scaling::Scaled;
use crate::tolerances::{NEAR_BOUND, SIGN_OF_W, SOLVED};

/// Times that rows change their places.
const REPAIRS: usize = 12;

/// Places of rows, and memory to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct Repair {
    places: Vec<Place>,
    w: Vec<f64>,
    polish: Polish,
}

impl Repair {
    /// Where rows are.
    pub(super) fn places(&self) -> &[Place] {
        &self.places
    }

    /// Improves z from first places; returns the largest violation of (1) over max(1, |z|).
    pub(super) fn run(
        &mut self,
        scaled: &Scaled,
        place: impl Fn(usize) -> Place,
        z: &mut [f64],
    ) -> f64 {
        let is_prescribed = |i: usize| scaled.lo[i] == scaled.hi[i];
        self.places.clear();
        self.places
            .extend((0..scaled.n).map(|i| if is_prescribed(i) { Place::Lower } else { place(i) }));
        // Steps that have lost their way leave nothing to start from.
        if !z.iter().all(|z| z.is_finite()) {
            (0..scaled.n).for_each(|i| z[i] = scaled.start(i));
        }
        let mut violation = self.polish.run(scaled, &self.places, z, &mut self.w);
        for _ in 0..REPAIRS {
            if violation <= SOLVED || !self.change_places(scaled, z) {
                break;
            }
            violation = self.polish.run(scaled, &self.places, z, &mut self.w);
        }
        violation
    }

    /// Moves rows that are wrong to where they belong; false if there are none.
    fn change_places(&mut self, scaled: &Scaled, z: &[f64]) -> bool {
        let size = z.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let (slack, near) = (SIGN_OF_W * size, NEAR_BOUND * size);
        let mut is_changed = false;
        for (i, &z) in z.iter().enumerate() {
            let (lo, hi, w) = (scaled.lo[i], scaled.hi[i], self.w[i]);
            let place = match self.places[i] {
                _ if lo == hi => continue,
                Place::Lower if w < -slack => Place::Between,
                Place::Upper if w > slack => Place::Between,
                Place::Between if w > slack && z - lo <= near => Place::Lower,
                Place::Between if w < -slack && hi - z <= near => Place::Upper,
                _ => continue,
            };
            self.places[i] = place;
            is_changed = true;
        }
        is_changed
    }
}
