//! What an audit found, as JSON and in words.

use carom_study::audit::{AuditReport, Offence, Sighting};
use serde_json::{Value, json};

use crate::output::counted;
use crate::touches::short;

/// Complaints that are told one by one.
const TOLD_COMPLAINTS: usize = 10;

/// What it found fault with, a line each.
pub(crate) fn complaints(audit: &AuditReport) -> Vec<String> {
    let all = audit.complaints();
    let more = all.len().saturating_sub(TOLD_COMPLAINTS) as u64 + audit.not_listed;
    let lines =
        all.into_iter().take(TOLD_COMPLAINTS).map(|complaint| format!("audit: {complaint}"));
    let rest = (more > 0).then(|| format!("audit: and {more} more; --json lists them"));
    lines.chain(rest).collect()
}

pub(crate) fn audit_json(audit: &AuditReport) -> Value {
    let offences = |all: &[Offence]| -> Vec<Value> {
        let offence = |it: &Offence| {
            let mut value = sighting_json(&it.worst);
            value["first_s"] = json!(it.first);
            value["count"] = json!(it.count);
            value
        };
        all.iter().map(offence).collect()
    };
    let [second_opinions, disagreements] = audit.second_opinions;
    json!({
        "instants": audit.instants,
        "times": audit.times,
        "distances": audit.distances,
        "left_out": audit.left_out,
        "not_measurable": audit.not_measurable,
        "least_gap": audit.least.as_ref().map(sighting_json),
        "overlaps": offences(&audit.overlaps),
        "missed_touches": offences(&audit.missed),
        "not_listed": audit.not_listed,
        "second_opinions": second_opinions,
        "disagreements": disagreements,
        "wall_s": audit.wall,
    })
}

/// Both ends of the gap; null where one is unknown.
fn sighting_json(sighting: &Sighting) -> Value {
    let Sighting { names: [a, b], time, gap, .. } = sighting;
    json!({ "a": a, "b": b, "time_s": time, "gap_m": [gap.lower, gap.upper] })
}

/// One or two lines of the summary.
pub(crate) fn audit_lines(audit: &AuditReport) -> String {
    let distances = counted(audit.distances, "distance");
    let seen = format!("{distances} at {}", counted(audit.times, "time"));
    let mut text = match &audit.least {
        Some(Sighting { names: [a, b], time, gap, .. }) => {
            format!(
                "  audit      least gap {} m, \"{a}\" and \"{b}\" at {time} s; {seen}\n",
                short(gap.upper)
            )
        }
        None => format!("  audit      no two bodies that meet; {seen}\n"),
    };
    let (overlaps, missed) = (audit.overlaps.len(), audit.missed.len());
    if !audit.is_clean() {
        let touches = if missed == 1 { "touch" } else { "touches" };
        let pairs = if overlaps == 1 { "pair" } else { "pairs" };
        text +=
            &format!("             {overlaps} OVERLAPPING {pairs}, {missed} MISSED {touches}\n");
    }
    if audit.left_out > 0 || audit.not_measurable > 0 {
        let bodies = if audit.not_measurable == 1 { "body" } else { "bodies" };
        text += &format!(
            "             {} left out, {} {bodies} not measurable\n",
            counted(audit.left_out, "near pair"),
            audit.not_measurable
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use carom::{Body, World};
    use carom_geometry::{Shape, shapes::Ball};
    use carom_study::audit::Gap;
    use glam::DVec3;

    use super::*;

    /// An audit that found two bodies in each other, some pairs over.
    fn bad(pairs: usize) -> AuditReport {
        let mut world = World::builder().passing().build().expect("an empty world");
        let mut ball = |x: f64| {
            let ball = Shape::Ball(Ball::new(0.1).expect("a ball"));
            world.add(Body::fixed(ball).at(DVec3::X * x)).expect("a body")
        };
        let worst = Sighting {
            bodies: [ball(0.0), ball(1.0)],
            names: ["hammer".to_owned(), "nail".to_owned()],
            time: 2.5,
            gap: Gap { lower: -0.02, upper: -0.01 },
        };
        let offence = Offence { worst: worst.clone(), first: 2.25, count: 3 };
        let overlaps = vec![offence.clone(); pairs];
        AuditReport {
            overlaps,
            missed: vec![offence],
            least: Some(worst),
            ..AuditReport::default()
        }
    }

    #[test]
    fn complaints_name_pair_time_and_depth_and_do_not_go_on_forever() {
        let lines = complaints(&bad(1));
        let overlap = "audit: \"hammer\" and \"nail\" overlap at 2.5 s, by at least 0.01 m, at most 0.02 m; \
                       first seen at 2.25 s";
        assert_eq!(lines[0], overlap);
        assert!(lines[1].contains("touch at 2.5 s, but no touch was told"), "{lines:?}");
        let lines = complaints(&bad(100));
        assert_eq!(
            (lines.len(), lines[10].as_str()),
            (11, "audit: and 91 more; --json lists them")
        );
    }

    #[test]
    fn offences_are_in_the_summary_and_in_the_json() {
        let audit = bad(1);
        let text = audit_lines(&audit);
        assert!(text.contains("least gap -0.01 m, \"hammer\" and \"nail\" at 2.5 s"), "{text}");
        assert!(text.contains("1 OVERLAPPING pair, 1 MISSED touch\n"), "{text}");
        let json = audit_json(&audit);
        assert_eq!(json["overlaps"][0]["gap_m"], json!([-0.02, -0.01]));
        assert_eq!(json["missed_touches"][0]["first_s"], 2.25);
    }
}
