//! Scripted laws as bytes: what their constructors take.

use carom_dynamics::law::{Law, LawSpec, Oscillation, Swing, Waypoint};

use super::SnapshotError;
use super::bytes::{Sink, Source};

pub(crate) fn write(law: &Law, sink: &mut dyn Sink) {
    match law.spec() {
        LawSpec::Constant { start, world_from_body, velocity, angular_velocity } => {
            sink.u8(0);
            sink.f64(*start);
            sink.pose(world_from_body);
            sink.vector(*velocity);
            sink.vector(*angular_velocity);
        }
        LawSpec::Cycler { centre, semi_axes, rate, phase, orientation } => {
            sink.u8(1);
            sink.vector(*centre);
            sink.vector(semi_axes[0]);
            sink.vector(semi_axes[1]);
            sink.f64(*rate);
            sink.f64(*phase);
            sink.rotation(*orientation);
        }
        LawSpec::Oscillator { base, terms } => {
            sink.u8(2);
            sink.pose(base);
            sink.u64(terms.len() as u64);
            for term in terms {
                write_term(term, sink);
            }
        }
        LawSpec::Waypoints { points, period } => {
            sink.u8(3);
            sink.u64(points.len() as u64);
            for point in points {
                sink.f64(point.time);
                sink.pose(&point.pose);
            }
            sink.bool(period.is_some());
            sink.f64(period.unwrap_or(0.0));
        }
    }
}

pub(crate) fn read(source: &mut Source<'_>) -> Result<Law, SnapshotError> {
    let spec = match source.u8()? {
        0 => LawSpec::Constant {
            start: source.f64()?,
            world_from_body: source.pose()?,
            velocity: source.vector()?,
            angular_velocity: source.vector()?,
        },
        1 => LawSpec::Cycler {
            centre: source.vector()?,
            semi_axes: [source.vector()?, source.vector()?],
            rate: source.f64()?,
            phase: source.f64()?,
            orientation: source.rotation()?,
        },
        2 => LawSpec::Oscillator { base: source.pose()?, terms: source.list(57, read_term)? },
        3 => {
            let point = |source: &mut Source<'_>| {
                Ok(Waypoint { time: source.f64()?, pose: source.pose()? })
            };
            let points = source.list(64, point)?;
            let (closed, period) = (source.bool()?, source.f64()?);
            LawSpec::Waypoints { points, period: closed.then_some(period) }
        }
        kind => return Err(SnapshotError::wrong(format!("there is no law of kind {kind}"))),
    };
    Law::new(spec).map_err(|error| SnapshotError::wrong(error.to_string()))
}

fn write_term(term: &Oscillation, sink: &mut dyn Sink) {
    match term.swing {
        Swing::Along { axis } => {
            sink.u8(0);
            sink.vector(axis);
        }
        Swing::About { axis, pivot } => {
            sink.u8(1);
            sink.vector(axis);
            sink.vector(pivot);
        }
    }
    for number in [term.amplitude, term.rate, term.phase, term.mean] {
        sink.f64(number);
    }
}

fn read_term(source: &mut Source<'_>) -> Result<Oscillation, SnapshotError> {
    let swing = match source.u8()? {
        0 => Swing::Along { axis: source.vector()? },
        1 => Swing::About { axis: source.vector()?, pivot: source.vector()? },
        _ => return Err(SnapshotError::wrong("there is no such term of an oscillation")),
    };
    let [amplitude, rate, phase, mean] =
        [source.f64()?, source.f64()?, source.f64()?, source.f64()?];
    Ok(Oscillation { swing, amplitude, rate, phase, mean })
}
