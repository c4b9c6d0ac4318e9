//! Copies: how many, and where each goes.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use super::evaluate::CopyNumbers;
use super::placement::turn;
use super::random::{Random, RandomBox};
use super::{Builder, LARGEST_SEED};
use crate::decode::{Number, Vector};
use crate::format::{GridTable, RandomTable, RepeatTable, RingTable};
use crate::limits::Limit;
use crate::problem::{Place, Problem};
use crate::tolerances::AXIS_NEAR_X;

/// Where the copies of a table go.
#[derive(Debug)]
pub(super) enum Copies {
    /// The table itself.
    One,
    Row {
        count: usize,
        step: DVec3,
    },
    Grid {
        counts: [usize; 3],
        step: DVec3,
    },
    Ring {
        count: usize,
        start: DVec3,
        axis: DVec3,
        turn: bool,
    },
    List(Vec<(DVec3, DQuat)>),
}

/// One copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct CopyPlace {
    /// None for a table without `repeat`.
    pub(super) numbers: Option<CopyNumbers>,
    pub(super) offset: DVec3,
    pub(super) turn: DQuat,
}

impl Copies {
    pub(super) fn count(&self) -> usize {
        match self {
            Self::One => 1,
            Self::Row { count, .. } | Self::Ring { count, .. } => *count,
            Self::Grid { counts, .. } => counts.iter().product(),
            Self::List(list) => list.len(),
        }
    }

    pub(super) fn get(&self, index: usize) -> CopyPlace {
        let (i, count) = (index as f64, self.count() as f64);
        let mut numbers = CopyNumbers { i, count, grid: None };
        let mut rotation = DQuat::IDENTITY;
        let offset = match self {
            Self::One => return CopyPlace { numbers: None, offset: DVec3::ZERO, turn: rotation },
            Self::Row { step, .. } => *step * i,
            Self::Grid { counts: [nx, ny, _], step } => {
                let at = [index % nx, index / nx % ny, index / nx / ny].map(|at| at as f64);
                numbers.grid = Some(at);
                *step * DVec3::from_array(at)
            }
            Self::Ring { start, axis, turn: is_turned, .. } => {
                let around = turn(*axis, TAU * i / count);
                if *is_turned {
                    rotation = around;
                }
                around * *start
            }
            Self::List(list) => {
                rotation = list[index].1;
                list[index].0
            }
        };
        CopyPlace { numbers: Some(numbers), offset, turn: rotation }
    }
}

impl Builder<'_, '_> {
    /// Where the copies of a table called `name` go; at most `most` of them, which `limit` names.
    pub(super) fn copies(
        &mut self,
        repeat: Option<&RepeatTable>,
        name: &str,
        most: (u64, Limit),
    ) -> Option<Copies> {
        let Some(repeat) = repeat else { return Some(Copies::One) };
        match repeat {
            RepeatTable::Row(table) => {
                let count = self.count(&table.count, most);
                let step = self.vector(&table.step);
                Some(Copies::Row { count: count?, step: step? })
            }
            RepeatTable::Grid(table) => self.grid(table, most),
            RepeatTable::Ring(table) => self.ring(table, most),
            RepeatTable::Random(table) => self.random(table, name, most),
        }
    }

    fn count(&mut self, number: &Number, most: (u64, Limit)) -> Option<usize> {
        let count = self.whole(number, "count", f64::MAX)?;
        self.check_count(count, number.place, most)
    }

    fn check_count(
        &mut self,
        count: u64,
        place: Place,
        (most, limit): (u64, Limit),
    ) -> Option<usize> {
        if count > most {
            let what = format!("with these {count} copies the scene has more {limit}");
            self.report_limit(limit, place, &what);
            return None;
        }
        usize::try_from(count).ok()
    }

    fn grid(&mut self, table: &GridTable, most: (u64, Limit)) -> Option<Copies> {
        let [x, y, z] = table.counts.values.as_ref();
        let counts = [x, y, z].map(|number| self.whole(number, "counts", f64::MAX));
        let step = self.vector(&table.step);
        let counts = [counts[0]?, counts[1]?, counts[2]?];
        let total = counts.iter().fold(1_u64, |product, count| product.saturating_mul(*count));
        self.check_count(total, table.counts.place, most)?;
        let counts = counts.map(|count| usize::try_from(count).unwrap_or(0));
        Some(Copies::Grid { counts, step: step? })
    }

    fn ring(&mut self, table: &RingTable, most: (u64, Limit)) -> Option<Copies> {
        let count = self.count(&table.count, most);
        let radius = self.not_negative(&table.radius, "radius");
        let axis =
            table.axis.as_ref().map_or(Some(DVec3::Z), |axis| self.direction(axis, "axis"))?;
        let nearest = if axis.x.abs() > AXIS_NEAR_X { DVec3::Y } else { DVec3::X };
        let start = (nearest - axis * nearest.dot(axis)).try_normalize()? * radius?;
        let turn = table.turn.is_some_and(|turn| turn.value);
        Some(Copies::Ring { count: count?, start, axis, turn })
    }

    fn random(&mut self, table: &RandomTable, name: &str, most: (u64, Limit)) -> Option<Copies> {
        let count = self.count(&table.count, most);
        let (min, max) = (self.vector(&table.min), self.vector(&table.max));
        let seed = table.seed.as_ref();
        let seed = seed.map_or(Some(0), |seed| self.whole(seed, "seed", LARGEST_SEED));
        let distance = table.min_distance.as_ref();
        let distance =
            distance.map_or(Some(0.0), |number| self.not_negative(number, "min_distance"));
        let (count, min, max, seed, min_distance) = (count?, min?, max?, seed?, distance?);
        self.check_box(&table.max, min, max)?;
        let turn = table.turn.is_some_and(|turn| turn.value);
        let asked = RandomBox { count, min, max, turn, min_distance };
        match Random::new(self.seed, seed, name).scatter(&asked) {
            Ok(list) => Some(Copies::List(list)),
            Err(placed) => {
                let place = table.min_distance.as_ref().map_or(table.place, |number| number.place);
                let message = format!(
                    "only {placed} of {count} copies found a place with this distance between them"
                );
                let hint = "make the box larger, the distance smaller or the copies fewer";
                self.report(Problem::error(place, message).hint(hint));
                None
            }
        }
    }

    fn check_box(&mut self, place: &Vector, min: DVec3, max: DVec3) -> Option<()> {
        if min.cmple(max).all() && (max - min).is_finite() {
            return Some(());
        }
        let problem =
            Problem::error(place.place, "`max` must not lie below `min` in any coordinate")
                .label(format!("min is [{}, {}, {}]", min.x, min.y, min.z));
        self.report(problem);
        None
    }
}
