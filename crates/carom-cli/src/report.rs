//! What came of a run, as JSON and in words.

use std::path::Path;

use carom::{Account, EventKind, Short};
use carom_record::Output;
use carom_scene::Bound;
use carom_scene::measure::Finding;
use carom_study::run::{End, RunReport};
use serde_json::{Map, Value, json};

use crate::args::VERSION;
use crate::audit::{audit_json, audit_lines};
use crate::contacts::{contacts_json, contacts_text, losses_text};
use crate::run::Prepared;
use crate::touches::{sensors_json, touches_json, touches_text};

pub(crate) fn as_json(prepared: &Prepared, report: &RunReport) -> Value {
    let events: Map<String, Value> = EventKind::ALL
        .into_iter()
        .map(|kind| (kind.name().to_owned(), json!(report.events.of(kind))))
        .collect();
    json!({
        "scene": prepared.name,
        "seed": prepared.scene.seed,
        "regime": prepared.scene.regime.name(),
        "envelope_m": prepared.scene.envelope,
        "on_touch": prepared.scene.on_touch.name(),
        "version": VERSION,
        "simulated_s": report.simulated,
        "wall_s": report.wall,
        "bodies": report.bodies,
        "events": events,
        "least_gap_m": report.audit.as_ref().and_then(|it| it.least.as_ref()).map(|it| it.gap.upper),
        "energy": energy_json(&report.account),
        "hash": report.hash.to_string(),
        "stopped_by_touch": matches!(report.end, End::Touched),
        "touches": touches_json(report),
        "touching_pairs": report.touches.pairs,
        "sensors": sensors_json(report),
        "contacts": contacts_json(&report.contacts),
        "contact_pairs": report.contacts.n_pairs,
        "collisions": report.contacts.collisions,
        "micro": report.contacts.micro,
        "expectations": report.findings.iter().map(finding_json).collect::<Vec<_>>(),
        "audit": report.audit.as_ref().map(audit_json),
    })
}

/// The ledger, in J.
pub(crate) fn energy_json(account: &Account) -> Value {
    json!({
        "initial": account.initial,
        "final": account.total(),
        "work": account.work,
        "restitution_loss": account.restitution_loss,
        "friction_loss": account.friction_loss,
        "boost": account.boost,
        "projection": account.projection,
        "integration": account.integration,
        "residual": account.residual,
    })
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "what": finding.what,
        "expected": expected_json(finding.bound),
        "got": finding.got,
        "reached": finding.reached,
        "tolerance": finding.tolerance,
        "pass": finding.pass,
        "source": finding.source,
    })
}

/// A number, or the ends between which it must lie.
pub(crate) fn expected_json(bound: Bound) -> Value {
    let end = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
    match bound {
        Bound::Equals(value) => json!(value),
        Bound::Between(low, high) => json!([end(low), end(high)]),
    }
}

pub(crate) fn as_text(prepared: &Prepared, report: &RunReport, out: Option<&Path>) -> String {
    let account = &report.account;
    let title =
        if prepared.scene.title.is_empty() { &prepared.name } else { &prepared.scene.title };
    let bodies = match report.bodies {
        1 => "1 body".to_owned(),
        n => format!("{n} bodies"),
    };
    let wall = duration(report.wall);
    let simulated = Short(report.simulated);
    let mut text = format!("{title}: {simulated} s simulated in {wall}, {bodies}\n");
    text += &format!("  events     {}\n", events_text(report));
    text += &touches_text(report, prepared.scene.on_touch);
    text += &contacts_text(&report.contacts);
    text += &format!(
        "  energy     {} J at first, {} J at the end, {} J of work from outside\n",
        joules(account.initial),
        joules(account.total()),
        joules(account.work)
    );
    text += &losses_text(account, joules);
    text += &format!("  residual   {:.1e} J, not accounted for\n", account.residual);
    if let Some(audit) = &report.audit {
        text += &audit_lines(audit);
    }
    text += &format!("  hash       {}{}\n", report.hash, committed(prepared, report));
    if let Some(out) = out.filter(|_| !matches!(report.end, End::Fault { .. })) {
        text += &format!("  written to {}\n", written(out, prepared.scene.record.events));
    }
    text += &findings_text(prepared, report);
    text
}

/// How many events of each kind there were.
fn events_text(report: &RunReport) -> String {
    let events: Vec<String> = EventKind::ALL
        .into_iter()
        .filter(|kind| report.events.of(*kind) > 0)
        .map(|kind| format!("{} {}", report.events.of(kind), kind.name()))
        .collect();
    if events.is_empty() { "none".to_owned() } else { events.join(", ") }
}

/// What the scene promised, and what came of it.
fn findings_text(prepared: &Prepared, report: &RunReport) -> String {
    let mut text = String::new();
    if !report.findings.is_empty() {
        text += "\n";
        let failed = report.findings.iter().filter(|finding| !finding.pass).count();
        for finding in &report.findings {
            text += &finding_line(finding);
        }
        let all = report.findings.len();
        text += &match failed {
            0 if all == 1 => "1 expectation met\n".to_owned(),
            0 => format!("{all} expectations met\n"),
            failed => format!("{failed} of {all} expectations NOT met\n"),
        };
    }
    let regime = prepared.scene.regime;
    let elsewhere = prepared.scene.expectations.iter().filter(|it| !it.holds_for(regime)).count();
    if elsewhere > 0 && matches!(report.end, End::Complete | End::Touched) {
        text += &format!("{elsewhere} not asked: for other regimes than {}\n", regime.name());
    }
    text
}

/// How the hash compares with the one that is committed for a built-in scene, run as it is.
fn committed(prepared: &Prepared, report: &RunReport) -> String {
    let scene = &prepared.scene;
    let built_in = carom_scene::built_in(&prepared.name).filter(|built_in| {
        scene.files.first().is_some_and(|file| *file.bytes == *built_in.text.as_bytes())
            && prepared.overrides.is_empty()
            && prepared.contact.is_empty()
            && report.simulated == scene.until
    });
    match built_in.and_then(carom_scene::BuiltIn::hash) {
        Some(hash) if hash == report.hash.to_string() => ", as committed".to_owned(),
        Some(hash) => format!(", but {hash} was committed: this machine computes other bits"),
        None => String::new(),
    }
}

fn finding_line(finding: &Finding) -> String {
    let mark = if finding.pass { "ok  " } else { "FAIL" };
    format!("  {mark} {}\n       {}\n", finding.what, comparison(finding))
}

fn comparison(finding: &Finding) -> String {
    let expected = expected(finding);
    let mut text = match finding.got {
        Some(got) => format!("got {got:?}, expected {expected}"),
        None if !finding.reached => format!("not reached, expected {expected}"),
        None => format!("could not be measured, expected {expected}"),
    };
    if !finding.source.is_empty() {
        text += &format!(" ({})", finding.source);
    }
    text
}

/// An expectation that failed, on a line of its own.
pub(crate) fn unmet(finding: &Finding) -> String {
    format!("expectation not met: {}: {}", finding.what, comparison(finding))
}

pub(crate) fn expected(finding: &Finding) -> String {
    let off = match finding.tolerance {
        0.0 => String::new(),
        off if (1e-2..1e3).contains(&off) => format!(" ± {off}"),
        off => format!(" ± {off:.1e}"),
    };
    match finding.bound {
        Bound::Equals(value) => format!("{value:?}{off}"),
        Bound::Between(low, high) if high.is_infinite() => format!("at least {low:?}{off}"),
        Bound::Between(low, high) if low.is_infinite() => format!("at most {high:?}{off}"),
        Bound::Between(low, high) => format!("{low:?} to {high:?}{off}"),
    }
}

/// The file, and those that tables of events and contacts go to.
fn written(out: &Path, with_events: bool) -> String {
    match Output::events_paths(out).filter(|_| with_events) {
        Some([events, contacts]) => {
            format!("{}, {} and {}", out.display(), events.display(), contacts.display())
        }
        None => out.display().to_string(),
    }
}

/// An energy with enough digits to be told from zero.
pub(crate) fn joules(energy: f64) -> String {
    match energy.abs() {
        0.0 => "0".to_owned(),
        size if (1e-3..1e9).contains(&size) => format!("{energy:.6}"),
        _ => format!("{energy:.6e}"),
    }
}

/// A time span in a unit that suits it.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
