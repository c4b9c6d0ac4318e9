//! Contacts in measures: what two bodies did to each other, and with which force.

use std::sync::Arc;

use carom::{BodyId, ContactSums};
use carom_geometry::distance::pieces::Pieces;
use glam::DVec3;
use rhai::Engine;

use super::words::{Answer, Run};

/// Parts of a contact: collisions (microcollisions among them) and microcollisions; impulse on the body named first, in
/// world axes, its moment about the origin of the world, and the sum of normal impulses; the way that the surfaces slid; work of normal impulses (boost included),
/// of friction, and boost; when the bodies came to rest on each other, and when they first and last collided.
pub const CONTACT_PARTS: [(&str, &str); 16] = [
    ("collisions", "-"),
    ("micro", "-"),
    ("impulse_x", "N·s"),
    ("impulse_y", "N·s"),
    ("impulse_z", "N·s"),
    ("moment_x", "N·m·s"),
    ("moment_y", "N·m·s"),
    ("moment_z", "N·m·s"),
    ("normal_impulse", "N·s"),
    ("slip", "m"),
    ("normal_work", "J"),
    ("friction_work", "J"),
    ("boost", "J"),
    ("settled", "s"),
    ("first", "s"),
    ("last", "s"),
];

/// A contact in a measure.
#[derive(Clone)]
pub(super) struct MeasuredContact {
    run: Arc<Run>,
    names: [String; 2],
    /// Up to when `[s]`.
    time: f64,
}

impl MeasuredContact {
    fn at(&self, time: f64) -> Answer<Self> {
        self.run.reached(time)?;
        Ok(Self { time, ..self.clone() })
    }

    fn part(&self, name: &str) -> Answer<f64> {
        let Pair { ids, sign } = self.run.pair([&self.names[0], &self.names[1]])?;
        let track = ids.and_then(|ids| self.run.contacts.track(ids));
        let sums = track.map(|track| track.sums_at(self.time)).unwrap_or_default();
        if let Some(sum) = sum(&sums, sign, name) {
            let pushed = ids
                .filter(|_| name == "normal_impulse")
                .map_or(0.0, |ids| self.run.history.pushed(ids, None, [0.0, self.time]));
            return Ok(sum + pushed);
        }
        let moment = track.map_or(DVec3::ZERO, |track| sign * track.moment_at(self.time));
        match name {
            "moment_x" => return Ok(moment.x),
            "moment_y" => return Ok(moment.y),
            "moment_z" => return Ok(moment.z),
            _ => {}
        }
        let [a, b] = &self.names;
        let Some(track) = track.filter(|_| sums.collisions > 0) else {
            self.run.note_unreached();
            return Err(format!("\"{a}\" and \"{b}\" have not collided by {} s", self.time).into());
        };
        let ends = track.ends().unwrap_or([f64::NAN; 2]);
        match name {
            "first" => Ok(ends[0]),
            "last" => track.time_of(sums.collisions - 1).ok_or_else(|| "no collision".into()),
            _ => track.settled.ok_or_else(|| {
                self.run.note_unreached();
                format!("\"{a}\" and \"{b}\" have not come to rest on each other").into()
            }),
        }
    }
}

/// A part that is a sum.
fn sum(sums: &ContactSums, sign: f64, name: &str) -> Option<f64> {
    Some(match name {
        "collisions" => sums.collisions as f64,
        "micro" => sums.micro as f64,
        "impulse_x" => sign * sums.impulse.x,
        "impulse_y" => sign * sums.impulse.y,
        "impulse_z" => sign * sums.impulse.z,
        "normal_impulse" => sums.normal_impulse,
        "slip" => sums.slip,
        "normal_work" => sums.normal_work,
        "friction_work" => sums.friction_work,
        "boost" => sums.boost,
        _ => return None,
    })
}

/// Two bodies as the world has them.
struct Pair {
    /// The smaller id first; none if one of them never came.
    ids: Option<[BodyId; 2]>,
    /// −1 where the body named first is B.
    sign: f64,
}

/// Gives an engine the words for contacts.
pub(super) fn register(engine: &mut Engine, run: &Arc<Run>) {
    engine.register_type_with_name::<MeasuredContact>("a contact");
    let of = Arc::clone(run);
    engine.register_fn("contact_force", move |a: &str, b: &str, time: f64| -> Answer<f64> {
        of.contact_force([a, b], time)
    });
    let of = Arc::clone(run);
    engine.register_fn("contact", move |a: &str, b: &str| -> Answer<MeasuredContact> {
        of.pair([a, b])?;
        let names = [a.to_owned(), b.to_owned()];
        Ok(MeasuredContact { run: Arc::clone(&of), names, time: of.end })
    });
    engine.register_fn("at", |contact: &mut MeasuredContact, time: f64| contact.at(time));
    for (part, _) in CONTACT_PARTS {
        engine.register_get(part, move |contact: &mut MeasuredContact| contact.part(part));
    }
    let of = Arc::clone(run);
    engine.register_fn("force", move |a: &str, b: &str, from: f64, to: f64| {
        of.force([a, b], None, [from, to])
    });
    let of = Arc::clone(run);
    engine.register_fn("force", move |a: &str, b: &str, piece: f64, from: f64, to: f64| {
        of.force([a, b], Some(piece), [from, to])
    });
}

impl Run {
    fn pair(&self, names: [&str; 2]) -> Answer<Pair> {
        for name in names {
            self.known_body(name)?;
        }
        let [a, b] = names;
        if a == b {
            return Err(format!("\"{a}\" and itself are no pair").into());
        }
        let ids = self.history.find(a).zip(self.history.find(b));
        let sign = if ids.is_some_and(|(a, b)| a > b) { -1.0 } else { 1.0 };
        Ok(Pair { ids: ids.map(|(a, b)| [a.min(b), a.max(b)]), sign })
    }

    /// Refuses times beyond the end.
    pub(super) fn reached(&self, time: f64) -> Answer<()> {
        if time <= self.end {
            return Ok(());
        }
        self.note_unreached();
        Err(format!("the run ended at {} s, before {time} s", self.end).into())
    }

    /// Mean normal force between two bodies, or on one piece of the first `[N]`.
    fn force(&self, names: [&str; 2], piece: Option<f64>, [from, to]: [f64; 2]) -> Answer<f64> {
        let Pair { ids, sign } = self.pair(names)?;
        let piece = piece.map(|piece| self.piece(names[0], piece)).transpose()?;
        self.reached(to)?;
        if from >= to {
            return Err(format!("a force takes time: {from} s is not before {to} s").into());
        }
        let Some(ids) = ids else { return Ok(0.0) };
        let named = if sign < 0.0 { [ids[1], ids[0]] } else { ids };
        let pushed = self.history.pushed(named, piece, [from, to]) / (to - from);
        let Some(track) = self.contacts.track(ids) else { return Ok(pushed) };
        let side = usize::from(sign < 0.0);
        let impulse = |time| match piece {
            Some(piece) => track.impulse_of_piece(side, piece, time),
            None => track.sums_at(time).normal_impulse,
        };
        Ok((impulse(to) - impulse(from)) / (to - from) + pushed)
    }

    /// The force of lasting contact between two bodies at a time `[N]`.
    fn contact_force(&self, names: [&str; 2], time: f64) -> Answer<f64> {
        let Pair { ids, .. } = self.pair(names)?;
        self.reached(time)?;
        Ok(ids.map_or(0.0, |ids| self.history.contact_force_at(ids, time)))
    }

    /// The number of a piece, if the body has it.
    fn piece(&self, name: &str, piece: f64) -> Answer<u32> {
        let shape = self.shapes.get(name);
        let count = shape.map_or(1, |shape| Pieces::of(shape).pieces().len());
        if piece >= 0.0 && piece < count as f64 && piece.fract() == 0.0 {
            return Ok(piece as u32);
        }
        let has = if count == 1 {
            "one piece, 0".to_owned()
        } else {
            format!("pieces 0 to {}", count - 1)
        };
        Err(format!("\"{name}\" has no piece {piece}, but {has}").into())
    }
}
