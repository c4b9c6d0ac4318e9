//! Tables: of a run, one row for each body and sample, one for each event, and one for each point of a collision; of
//! anything else, a [`Sheet`].

mod csv;
mod parquet;
mod sheet;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use carom::{BodyId, BodyState, Instant, Observer, Stop, World};
use serde_json::Value;

use crate::contacts::RecordedCollision;
use crate::error::RecordError;
use crate::events::RecordedEvent;
use crate::options::Options;
use crate::watch::{Seen, Sink, Struck, Watch};

pub(crate) use csv::CsvTable;
pub(crate) use parquet::ParquetTable;
pub use sheet::{Cell, Sheet};

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    name: Cow<'static, str>,
    kind: Kind,
}

/// What is in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    OptionalText,
    Number,
    OptionalNumber,
    OptionalWhole,
    OptionalTruth,
}

const fn text(name: &'static str) -> Column {
    Column { name: Cow::Borrowed(name), kind: Kind::Text }
}

const fn number(name: &'static str) -> Column {
    Column { name: Cow::Borrowed(name), kind: Kind::Number }
}

const fn perhaps(name: &'static str) -> Column {
    Column { name: Cow::Borrowed(name), kind: Kind::OptionalNumber }
}

const fn perhaps_text(name: &'static str) -> Column {
    Column { name: Cow::Borrowed(name), kind: Kind::OptionalText }
}

/// The table of states. The position is that of the reference point: the centre of mass of bodies with mass.
/// Bodies that do not move freely have no energy of their own.
static STATES: [Column; 17] = [
    number("time_s"),
    text("body"),
    number("x_m"),
    number("y_m"),
    number("z_m"),
    number("qx"),
    number("qy"),
    number("qz"),
    number("qw"),
    number("vx_m_s"),
    number("vy_m_s"),
    number("vz_m_s"),
    number("wx_rad_s"),
    number("wy_rad_s"),
    number("wz_rad_s"),
    perhaps("kinetic_J"),
    perhaps("potential_J"),
];

/// The table of events; what is peculiar to a kind of event is in `details`, as JSON. Of events of two bodies `body` and
/// `other` are those of [`RecordedEvent::pair`]; what stands behind `other` is of touches: halfway between the closest
/// points, unit vector from B to A, distance and its rate, and the closest features in words.
static EVENTS: [Column; 42] = [
    number("time_s"),
    text("kind"),
    text("phase"),
    perhaps_text("body"),
    text("details"),
    perhaps("before_x_m"),
    perhaps("before_y_m"),
    perhaps("before_z_m"),
    perhaps("before_qx"),
    perhaps("before_qy"),
    perhaps("before_qz"),
    perhaps("before_qw"),
    perhaps("before_vx_m_s"),
    perhaps("before_vy_m_s"),
    perhaps("before_vz_m_s"),
    perhaps("before_wx_rad_s"),
    perhaps("before_wy_rad_s"),
    perhaps("before_wz_rad_s"),
    perhaps("after_x_m"),
    perhaps("after_y_m"),
    perhaps("after_z_m"),
    perhaps("after_qx"),
    perhaps("after_qy"),
    perhaps("after_qz"),
    perhaps("after_qw"),
    perhaps("after_vx_m_s"),
    perhaps("after_vy_m_s"),
    perhaps("after_vz_m_s"),
    perhaps("after_wx_rad_s"),
    perhaps("after_wy_rad_s"),
    perhaps("after_wz_rad_s"),
    perhaps_text("other"),
    perhaps("point_x_m"),
    perhaps("point_y_m"),
    perhaps("point_z_m"),
    perhaps("normal_x"),
    perhaps("normal_y"),
    perhaps("normal_z"),
    perhaps("distance_m"),
    perhaps("speed_m_s"),
    perhaps_text("feature"),
    perhaps_text("other_feature"),
];

/// The table of contacts: every collision, point by point; see [`RecordedCollision`](crate::RecordedCollision). `kind` is
/// collision or micro, the normal points from B to A, velocities are those of A's surface less B's, and the impulse acts
/// on A.
static CONTACTS: [Column; 26] = [
    number("time_s"),
    text("a"),
    text("b"),
    text("kind"),
    number("share"),
    number("piece_a"),
    number("piece_b"),
    number("point_x_m"),
    number("point_y_m"),
    number("point_z_m"),
    number("normal_x"),
    number("normal_y"),
    number("normal_z"),
    number("before_x_m_s"),
    number("before_y_m_s"),
    number("before_z_m_s"),
    number("after_x_m_s"),
    number("after_y_m_s"),
    number("after_z_m_s"),
    number("impulse_x_N_s"),
    number("impulse_y_N_s"),
    number("impulse_z_N_s"),
    number("normal_work_J"),
    number("friction_work_J"),
    number("boost_J"),
    number("driven_work_J"),
];

/// Names of the numbers of a row of states, without the body.
pub(crate) const STATE_NAMES: [&str; 16] = [
    "time_s",
    "x_m",
    "y_m",
    "z_m",
    "qx",
    "qy",
    "qz",
    "qw",
    "vx_m_s",
    "vy_m_s",
    "vz_m_s",
    "wx_rad_s",
    "wy_rad_s",
    "wz_rad_s",
    "kinetic_J",
    "potential_J",
];

/// Names of the numbers of a row of contacts, without bodies and kind.
pub(crate) const CONTACT_NAMES: [&str; 23] = [
    "time_s",
    "share",
    "piece_a",
    "piece_b",
    "point_x_m",
    "point_y_m",
    "point_z_m",
    "normal_x",
    "normal_y",
    "normal_z",
    "before_x_m_s",
    "before_y_m_s",
    "before_z_m_s",
    "after_x_m_s",
    "after_y_m_s",
    "after_z_m_s",
    "impulse_x_N_s",
    "impulse_y_N_s",
    "impulse_z_N_s",
    "normal_work_J",
    "friction_work_J",
    "boost_J",
    "driven_work_J",
];

/// A table that is written row by row, each row cell by cell from left to right.
pub(crate) trait Table: Sized {
    /// A table without rows.
    fn new<W: Write + Send + 'static>(
        writer: W,
        path: &Path,
        columns: &[Column],
    ) -> Result<Self, RecordError>;

    fn text(&mut self, cell: Option<&str>);

    fn number(&mut self, cell: Option<f64>);

    fn whole(&mut self, cell: Option<u64>);

    fn truth(&mut self, cell: Option<bool>);

    fn end_row(&mut self) -> Result<(), RecordError>;

    /// Writes what is held back, and whatever the format has at its end.
    fn close(self) -> Result<(), RecordError>;

    fn state(&mut self, state: Option<&BodyState>) {
        let numbers = state.map(numbers_of_state);
        for index in 0..NUMBERS_OF_STATE {
            self.number(numbers.map(|numbers| numbers[index]));
        }
    }
}

const NUMBERS_OF_STATE: usize = 13;

pub(crate) fn numbers_of_state(state: &BodyState) -> [f64; NUMBERS_OF_STATE] {
    let [x, y, z] = state.position.to_array();
    let [qx, qy, qz, qw] = state.orientation.to_array();
    let [vx, vy, vz] = state.velocity.to_array();
    let [wx, wy, wz] = state.angular_velocity.to_array();
    [x, y, z, qx, qy, qz, qw, vx, vy, vz, wx, wy, wz]
}

/// The numbers of a collision, as [`CONTACT_NAMES`] has them.
pub(crate) fn numbers_of_collision(collision: &RecordedCollision) -> [f64; CONTACT_NAMES.len()] {
    let RecordedCollision { point, normal, before, after, impulse, .. } = *collision;
    let mut numbers = [0.0; CONTACT_NAMES.len()];
    let [a, b] = collision.pieces.map(f64::from);
    let head = [collision.time, collision.share, a, b];
    let vectors = [point, normal, before, after, impulse].map(|vector| vector.to_array());
    let work =
        [collision.normal_work, collision.friction_work, collision.boost, collision.driven_work];
    let all = head.iter().chain(vectors.as_flattened()).chain(&work);
    for (place, number) in numbers.iter_mut().zip(all) {
        *place = *number;
    }
    numbers
}

/// The tables of a run, written while it runs.
#[derive(Debug)]
struct Tables<T> {
    watch: Watch,
    all: All<T>,
}

/// States, events and contacts.
#[derive(Debug)]
pub(crate) struct All<T> {
    states: T,
    /// Events and contacts; none if events are not wanted.
    events: Option<[T; 2]>,
}

impl<T: Table> Tables<T> {
    fn create(path: &Path, options: &Options) -> Result<Self, RecordError> {
        let watch = Watch::new(options)?;
        Ok(Self { watch, all: All::create(path, options.events)? })
    }

    fn finish(mut self, world: &World) -> Result<(), RecordError> {
        self.watch.end(world, &mut self.all)?;
        self.all.close()
    }
}

/// Rows, wherever they come from.
impl<T: Table> All<T> {
    pub(crate) fn create(path: &Path, with_events: bool) -> Result<Self, RecordError> {
        let states = create(path, &STATES)?;
        let events = if with_events {
            let events = create(&events_path(path), &EVENTS)?;
            Some([events, create(&contacts_path(path), &CONTACTS)?])
        } else {
            None
        };
        Ok(Self { states, events })
    }

    pub(crate) fn close(self) -> Result<(), RecordError> {
        let mut closed = self.states.close();
        for table in self.events.into_iter().flatten() {
            closed = closed.and(table.close());
        }
        closed
    }

    /// A body at a time; `energies` are its kinetic and potential energy.
    pub(crate) fn state_row(
        &mut self,
        time: f64,
        name: &str,
        state: &BodyState,
        energies: [Option<f64>; 2],
    ) -> Result<(), RecordError> {
        let table = &mut self.states;
        table.number(Some(time));
        table.text(Some(name));
        table.state(Some(state));
        for energy in energies {
            table.number(energy);
        }
        table.end_row()
    }

    pub(crate) fn event_row(&mut self, event: &RecordedEvent) -> Result<(), RecordError> {
        let Some([table, _]) = &mut self.events else { return Ok(()) };
        table.number(Some(event.time));
        table.text(Some(&event.kind));
        table.text(Some(&event.phase));
        let pair = event.pair();
        table.text(event.name.as_deref().or(pair.map(|pair| pair[0])));
        let details = if event.details.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&event.details).unwrap_or_default()
        };
        table.text(Some(&details));
        table.state(event.before.as_ref());
        table.state(event.after.as_ref());
        table.text(pair.map(|pair| pair[1]));
        for key in ["point_m", "normal"] {
            for index in 0..3 {
                // Impulses have a point, too, but no other body.
                let entry = event.entry(key, index).filter(|_| pair.is_some());
                table.number(entry.and_then(Value::as_f64));
            }
        }
        table.number(event.number("distance_m"));
        table.number(event.number("speed_m_s"));
        for index in 0..2 {
            table.text(event.entry("feature_names", index).and_then(Value::as_str));
        }
        table.end_row()
    }

    /// A point of a collision, with the names of A and B.
    pub(crate) fn contact_row(
        &mut self,
        collision: &RecordedCollision,
        names: [&str; 2],
    ) -> Result<(), RecordError> {
        let Some([_, table]) = &mut self.events else { return Ok(()) };
        table.number(Some(collision.time));
        for name in names {
            table.text(Some(name));
        }
        table.text(Some(collision.kind.name()));
        for number in &numbers_of_collision(collision)[1..] {
            table.number(Some(*number));
        }
        table.end_row()
    }
}

fn create<T: Table>(path: &Path, columns: &[Column]) -> Result<T, RecordError> {
    let file = File::create(path)
        .map_err(|source| RecordError::Create { path: path.to_owned(), source })?;
    T::new(file, path, columns)
}

/// Where the events of a table go: `run.csv` has them in `run.events.csv`.
pub(crate) fn events_path(path: &Path) -> PathBuf {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("events.{extension}"))
}

/// Where the contacts of a table go: `run.csv` has them in `run.contacts.csv`.
pub(crate) fn contacts_path(path: &Path) -> PathBuf {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("contacts.{extension}"))
}

impl<T: Table> Sink for All<T> {
    fn body(&mut self, _: &World, _: BodyId, _: u32, _: f64) -> Result<(), RecordError> {
        Ok(())
    }

    fn sample(&mut self, world: &World, sample: &Seen<'_>) -> Result<(), RecordError> {
        for ((body, state), &number) in sample.states.iter().zip(sample.numbers) {
            let body = world.body(*body).filter(carom::BodyRef::is_free);
            let mass = body.and_then(|body| body.mass());
            let kinetic = mass.map(|mass| mass.kinetic_energy(state));
            let potential = mass.map(|mass| -mass.mass * world.gravity().dot(state.position));
            let name = sample.roster.name(number);
            self.state_row(sample.time, name, state, [kinetic, potential])?;
        }
        Ok(())
    }

    fn event(&mut self, event: &RecordedEvent) -> Result<(), RecordError> {
        self.event_row(event)
    }

    fn contacts(&mut self, world: &World, struck: &Struck<'_>) -> Result<(), RecordError> {
        for (told, recorded) in struck.told.iter().zip(struck.recorded) {
            let bodies = told.contact.bodies;
            let name = |side: usize| {
                let unselected = || world.body(bodies[side]).map(|it| it.name());
                let number = recorded.bodies[side];
                number.map(|it| struck.roster.name(it)).or_else(unselected).unwrap_or("")
            };
            self.contact_row(recorded, [name(0), name(1)])?;
        }
        Ok(())
    }
}

impl<T: Table> Observer for Tables<T> {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        self.watch.between(world, times, &mut self.all).map_err(Stop::failed)
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.watch.after(world, instant, &mut self.all).map_err(Stop::failed)
    }

    fn broken(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.after(world, instant)
    }
}

/// Declares the public face of the tables in one format.
macro_rules! tables {
    ($(#[$doc:meta])* $name:ident, $table:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name(Tables<$table>);

        impl $name {
            /// Writes the states to `path` and, if wanted, events and contacts beside it: those of `run.x` to
            /// `run.events.x` and `run.contacts.x`. Files that are there are replaced.
            ///
            /// # Errors
            /// If a file cannot be made, or the rate is not a positive finite number.
            pub fn create(path: impl AsRef<Path>, options: &Options) -> Result<Self, RecordError> {
                Ok(Self(Tables::create(path.as_ref(), options)?))
            }

            /// Samples the end of the run, if its time has come, and ends the tables.
            ///
            /// # Errors
            /// If a file cannot be written to.
            pub fn finish(self, world: &World) -> Result<(), RecordError> {
                self.0.finish(world)
            }

            /// Ends the tables where they are, for a run that had a fault.
            ///
            /// # Errors
            /// If a file cannot be written to.
            pub fn close(self) -> Result<(), RecordError> {
                self.0.all.close()
            }
        }

        impl Observer for $name {
            fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
                self.0.between(world, times)
            }

            fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
                self.0.after(world, instant)
            }

            fn broken(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
                self.0.broken(world, instant)
            }
        }
    };
}

tables!(
    /// Tables as text: numbers in the shortest form that reads back the same, written in pieces of whole lines,
    /// so that a table whose writer is killed ends in a whole line.
    CsvTables,
    CsvTable
);

tables!(
    /// Tables in Parquet, in row groups of 131 072 rows. Dropping them ends the files properly; a writer that is
    /// killed leaves files that cannot be read, as Parquet has its directory at the end.
    ParquetTables,
    ParquetTable
);
