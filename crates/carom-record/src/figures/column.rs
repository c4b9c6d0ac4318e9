//! Columns by name, and what stands on an axis beside them.

use carom::Account;

use super::{FigureError, FigureOptions, RecordedRun};
use crate::contacts::RecordedCollision;
use crate::messages::ledger_numbers;
use crate::tables::{CONTACT_NAMES, STATE_NAMES, numbers_of_collision, numbers_of_state};

/// The lines of the ledger.
const LEDGER_NAMES: [&str; 11] = [
    "time_s",
    "initial_J",
    "kinetic_J",
    "potential_J",
    "work_J",
    "restitution_loss_J",
    "friction_loss_J",
    "boost_J",
    "projection_J",
    "integration_J",
    "residual_J",
];

/// Columns of the contacts' table, and of what the impulse is made of.
const CONTACT_COLUMNS: [&str; CONTACT_NAMES.len() + 2] = {
    let mut names = ["normal_impulse_N_s"; CONTACT_NAMES.len() + 2];
    let mut place = 0;
    while place < CONTACT_NAMES.len() {
        names[place] = CONTACT_NAMES[place];
        place += 1;
    }
    names[CONTACT_NAMES.len() + 1] = "friction_impulse_N_s";
    names
};

/// A table that columns are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    States,
    Ledger,
    Contacts,
}

impl Source {
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::States => &STATE_NAMES,
            Self::Ledger => &LEDGER_NAMES,
            Self::Contacts => &CONTACT_COLUMNS,
        }
    }

    /// That bodies or a pair are asked for only of what is told apart by them.
    fn check_use(self, column: &str, options: &FigureOptions) -> Result<(), FigureError> {
        let unused = |by: &'static str| Err(FigureError::Unused { what: column.to_owned(), by });
        match self {
            Self::Ledger | Self::Contacts if !options.bodies.is_empty() => unused("body"),
            Self::Ledger | Self::States if options.pair.is_some() => unused("pair"),
            _ => Ok(()),
        }
    }

    fn index(self, name: &str) -> Option<usize> {
        self.names().iter().position(|known| *known == name)
    }
}

/// A table with columns in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found<const N: usize> {
    pub(super) source: Source,
    columns: [usize; N],
}

/// A series of rows with a name.
pub(super) type Rows<const N: usize> = Vec<(String, Vec<[f64; N]>)>;

impl<const N: usize> Found<N> {
    /// The first table that has all columns.
    pub(super) fn find(names: [&str; N], options: &FigureOptions) -> Result<Self, FigureError> {
        let order = if !options.bodies.is_empty() {
            [Source::States, Source::Ledger, Source::Contacts]
        } else if options.pair.is_some() {
            [Source::Contacts, Source::Ledger, Source::States]
        } else {
            [Source::Ledger, Source::States, Source::Contacts]
        };
        for source in order {
            let columns: Vec<usize> = names.iter().filter_map(|name| source.index(name)).collect();
            if let Ok(columns) = columns.try_into() {
                source.check_use(names.last().copied().unwrap_or_default(), options)?;
                return Ok(Self { source, columns });
            }
        }
        let is_known = |name: &str| order.iter().any(|source| source.index(name).is_some());
        match names.iter().find(|name| !is_known(name)) {
            Some(asked) => {
                Err(FigureError::NoColumn { asked: (*asked).to_owned(), known: known() })
            }
            None => Err(FigureError::Apart {
                x: names.first().copied().unwrap_or_default().to_owned(),
                y: names.last().copied().unwrap_or_default().to_owned(),
            }),
        }
    }

    /// The values of a recording: a series for each body, or each pair, or one of the ledger.
    pub(super) fn rows(&self, run: &RecordedRun, options: &FigureOptions) -> Rows<N> {
        match self.source {
            Source::States => self.states(run, &options.bodies),
            Source::Ledger => {
                let row = |time: f64, account: &Account| self.pick(&ledger_numbers(time, account));
                let rows = run.ledger.iter().map(|line| row(line.time, &line.account)).collect();
                vec![(String::new(), rows)]
            }
            Source::Contacts => {
                let mut pairs: Rows<N> = Vec::new();
                for collision in &run.contacts {
                    if !run.is_of(collision, options.pair.as_ref()) {
                        continue;
                    }
                    let row = self.pick(&contact_numbers(collision));
                    let name = pair_name(run, collision);
                    match pairs.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, rows)) => rows.push(row),
                        None => pairs.push((name, vec![row])),
                    }
                }
                pairs
            }
        }
    }

    fn states(&self, run: &RecordedRun, names: &[String]) -> Rows<N> {
        // Over time a line may join what a collision parts; elsewhere it would go where the body never was.
        let jumps = |column: &usize| STATE_NAMES.get(*column).is_some_and(|name| jumps(name));
        let is_over_time = self.columns[0] == 0;
        let has_gaps = N > 1 && !is_over_time && self.columns.iter().any(jumps);
        let gap = has_gaps.then_some([f64::NAN; N]);
        run.ways(&run.chosen(names), gap.as_ref(), |body, index, time, state| {
            let mass = body.mass();
            let gravity = run.ledger.get(index).and_then(|line| line.gravity);
            let kinetic = mass.as_ref().map(|mass| mass.kinetic_energy(state));
            let lifted = gravity.zip(mass.as_ref());
            let potential = lifted.map(|(gravity, mass)| -mass.mass * gravity.dot(state.position));
            let mut numbers = [f64::NAN; STATE_NAMES.len()];
            let energies = [kinetic, potential].map(|energy| energy.unwrap_or(f64::NAN));
            let state = numbers_of_state(state);
            let all = [time].into_iter().chain(state).chain(energies);
            for (place, number) in numbers.iter_mut().zip(all) {
                *place = number;
            }
            self.pick(&numbers)
        })
    }

    fn pick(&self, numbers: &[f64]) -> [f64; N] {
        self.columns.map(|column| numbers.get(column).copied().unwrap_or(f64::NAN))
    }
}

/// The numbers of a collision, as [`CONTACT_COLUMNS`] has them.
fn contact_numbers(collision: &RecordedCollision) -> [f64; CONTACT_COLUMNS.len()] {
    let normal = collision.impulse.dot(collision.normal);
    let friction = (collision.impulse - normal * collision.normal).length();
    let mut numbers = [0.0; CONTACT_COLUMNS.len()];
    let all = numbers_of_collision(collision).into_iter().chain([normal, friction]);
    for (place, number) in numbers.iter_mut().zip(all) {
        *place = number;
    }
    numbers
}

pub(super) fn pair_name(run: &RecordedRun, collision: &RecordedCollision) -> String {
    let [a, b] = collision.bodies.map(|body| run.name(body));
    format!("{a}, {b}")
}

/// Columns of states, of the ledger and of contacts by name.
pub const COLUMN_NAMES: [&[&str]; 3] = [&STATE_NAMES, &LEDGER_NAMES, &CONTACT_COLUMNS];

/// All names, each once.
fn known() -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in [Source::States, Source::Ledger, Source::Contacts].iter().flat_map(|it| it.names())
    {
        if !all.iter().any(|known| known == name) {
            all.push((*name).to_owned());
        }
    }
    all
}

/// True for what a collision changes at once: speeds and their energy.
fn jumps(column: &str) -> bool {
    column.starts_with(['v', 'w']) || column.starts_with("kinetic")
}

/// True for a column in metres.
pub(super) fn is_length(column: &str) -> bool {
    column.ends_with("_m")
}

/// What stands beside an axis: the column in words, and its unit.
pub(super) fn axis_title(column: &str) -> String {
    const UNITS: [(&str, &str); 6] = [
        ("_rad_s", "rad/s"),
        ("_m_s", "m/s"),
        ("_N_s", "N·s"),
        ("_J", "J"),
        ("_m", "m"),
        ("_s", "s"),
    ];
    let unit = UNITS.iter().find_map(|(end, unit)| Some((column.strip_suffix(end)?, unit)));
    let words = |name: &str| match name {
        "vx" | "vy" | "vz" => format!("velocity along {}", &name[1..]),
        "wx" | "wy" | "wz" => format!("angular velocity about {}", &name[1..]),
        "kinetic" | "potential" | "initial" => format!("{name} energy"),
        _ => name.replace('_', " "),
    };
    match unit {
        Some((name, unit)) => format!("{} in {unit}", words(name)),
        None => words(column),
    }
}
