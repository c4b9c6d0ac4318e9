//! A report in words and tables.

use carom::Stage;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::curve::Reading;
use super::report::{PeerReport, Report, SceneReport};
use super::scaling::{Growth, Scaling};

/// Everything, to be read.
pub fn text(report: &Report) -> String {
    let mut text = String::from("Settings\n");
    for line in &report.settings {
        text += &format!("  {line}\n");
    }
    if !report.scenes.is_empty() {
        text += &format!("\nCarom\n{}\n", ours(&report.scenes));
        text +=
            &format!("\nError and cost, each engine at each step\n{}\n", curves(&report.scenes));
        text += &format!("\nCost of the peers as a multiple of ours\n{}\n", ratios(&report.scenes));
    }
    if let Some(scaling) = &report.scaling {
        text += &growths(scaling);
    }
    text
}

fn table(header: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(header.iter().copied());
    for index in left..header.len() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn ours(scenes: &[SceneReport]) -> Table {
    let shares = Stage::ALL.map(|stage| format!("{} %", stage.name()));
    let mut header =
        vec!["scene", "bodies", "simulated s", "time s", "× real time", "events/s", "collisions"];
    header.extend(["checks/collision", "memory MiB"]);
    header.extend(shares.iter().map(String::as_str));
    let mut table = table(&header, 1);
    for scene in scenes {
        let mut row = vec![scene.scene.clone(), scene.bodies.to_string()];
        match (&scene.carom, &scene.failed) {
            (Some(figures), _) => {
                row.extend([
                    short(figures.simulated_s),
                    short(figures.cpu_s),
                    short(figures.speed),
                    short(figures.events_per_s),
                    figures.collisions.to_string(),
                    figures.checks_per_collision.map_or_else(String::new, short),
                    figures.peak_memory.map_or_else(String::new, mebibytes),
                ]);
                row.extend(figures.profile.map(|share| format!("{:.0}", 100.0 * share)));
            }
            (None, failed) => row.push(failed.clone().unwrap_or_default()),
        }
        table.add_row(row);
    }
    table
}

fn curves(scenes: &[SceneReport]) -> Table {
    let mut table = table(&["scene", "quantity", "engine", "error", "time s", "met"], 3);
    for scene in scenes {
        let Some(figures) = &scene.carom else { continue };
        let quantity = scene.quantity.as_ref().map_or("none", |it| it.what.as_str()).to_owned();
        let of = |met: usize| format!("{met}/{}", scene.promises.len());
        let met = scene.promises.iter().filter(|promise| promise.met).count();
        let error = |error: Option<f64>| error.map_or_else(|| "-".to_owned(), exponent);
        let (name, carom, none) = (scene.scene.clone(), "Carom".to_owned(), String::new);
        table.add_row([name, quantity, carom, error(scene.error), short(figures.cpu_s), of(met)]);
        for run in scene.carom_runs.iter().filter(|run| run.cpu_s != figures.cpu_s) {
            let engine = format!("Carom, envelope {} m", exponent(run.envelope_m));
            table.add_row([none(), none(), engine, error(run.error), short(run.cpu_s), none()]);
        }
        for peer in &scene.peers {
            for run in &peer.runs {
                let engine = format!("{} 1/{:.0} s", peer.engine, 1.0 / run.dt_s);
                let broken = run.failed.as_ref().map_or("-", |_| "broke down").to_owned();
                let error = run.error.map_or(broken, exponent);
                table.add_row([none(), none(), engine, error, short(run.cpu_s), of(run.met)]);
            }
        }
    }
    table
}

fn ratios(scenes: &[SceneReport]) -> Table {
    let header = ["scene", "peer", "at 1 kHz", "by error", "read", "verdict"];
    let mut table = table(&header, 2);
    for column in 4..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Left);
        }
    }
    for scene in scenes {
        for peer in &scene.peers {
            let kilohertz = peer.cost_at_1khz.map_or_else(|| "-".to_owned(), ratio);
            let (by_error, read) = peer.reading.as_ref().map_or_else(
                || ("-".to_owned(), String::new()),
                |reading| (ratio(reading.cost_ratio), place(reading)),
            );
            let row = [scene.scene.clone(), peer.engine.clone(), kilohertz, by_error, read];
            table.add_row(row.into_iter().chain([verdict(peer)]));
        }
    }
    table
}

fn place(reading: &Reading) -> String {
    if reading.at_equal_error {
        return "at equal error".to_owned();
    }
    match reading.error_ratio {
        Some(times) => format!("at its best, {} × our error", short(times)),
        None => format!("at its best, error {}", exponent(reading.peer_error)),
    }
}

/// Who is ahead, in words.
pub fn verdict(peer: &PeerReport) -> String {
    if let Some(reason) = &peer.not_run {
        return format!("not run: {reason}");
    }
    let slower_than_1khz = peer.cost_at_1khz.is_some_and(|times| times < 1.0);
    let by_error = match &peer.reading {
        None => "no error to compare by",
        Some(reading) if reading.peer_wins() => "THE PEER WINS",
        Some(reading) if reading.at_equal_error => "Carom",
        Some(reading) if reading.cost_ratio < 1.0 => "Carom is more exact, the peer cheaper",
        Some(_) => "Carom, cheaper and more exact",
    };
    let kilohertz = if slower_than_1khz { "; THE PEER IS FASTER AT 1 kHz" } else { "" };
    format!("{by_error}{kilohertz}")
}

fn growths(scaling: &Scaling) -> String {
    let mut text = String::new();
    for (title, all) in [
        ("Spheres in a box, elastic, 10 % filling", &scaling.spheres),
        ("Boxes settling on a floor, 4 s", &scaling.boxes),
        (
            "Blocks at rest on each other, from 2 s to 4 s; slowdown: time per block beside that of a single one",
            &scaling.resting,
        ),
    ] {
        text += &format!("\n{title}\n{}\n", growth(all));
    }
    text
}

fn growth(all: &[Growth]) -> Table {
    let header = ["bodies", "simulated s", "time s", "s per simulated s", "µs per event"];
    let per_body = ["collisions per body and s", "ms per body and s", "slowdown", "Rapier 1 kHz"];
    let mut table = table(&[&header[..], &per_body, &[""]].concat(), 0);
    let milli = |seconds: f64| short(1e3 * seconds);
    for it in all {
        table.add_row([
            it.bodies.to_string(),
            short(it.simulated_s),
            short(it.cpu_s),
            short(it.per_simulated_s),
            short(1e6 * it.per_event_s),
            short(it.collisions_per_body_s),
            milli(it.per_body_s),
            short(it.slowdown),
            it.rapier_per_body_s.map_or_else(|| "-".to_owned(), milli),
            it.failed.clone().unwrap_or_default(),
        ]);
    }
    table
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1_048_576.0)
}

fn ratio(times: f64) -> String {
    format!("{}×", short(times))
}

fn exponent(number: f64) -> String {
    format!("{number:.1e}")
}

/// Three digits, as plainly as they can be written.
fn short(number: f64) -> String {
    let size = number.abs();
    match size {
        _ if size == 0.0 => "0".to_owned(),
        _ if !(1e-4..1e7).contains(&size) => format!("{number:.2e}"),
        _ if size >= 100.0 => format!("{number:.0}"),
        _ => {
            let digits = (2.0 - libm::floor(libm::log10(size))).max(0.0) as usize;
            format!("{number:.digits$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(reading: Option<Reading>, at_1khz: Option<f64>) -> PeerReport {
        PeerReport {
            wins: reading.is_some_and(|it| it.peer_wins()),
            reading,
            cost_at_1khz: at_1khz,
            ..PeerReport::of("Rapier")
        }
    }

    #[test]
    fn a_peer_that_wins_is_told_to_win() {
        let wins = Reading {
            at_equal_error: true,
            peer_cost: 1.0,
            peer_error: 1e-3,
            cost_ratio: 0.5,
            error_ratio: Some(1.0),
        };
        assert!(verdict(&peer(Some(wins), Some(0.8))).contains("THE PEER WINS"));
        assert!(verdict(&peer(Some(wins), Some(0.8))).contains("FASTER AT 1 kHz"));
        let worse = Reading { at_equal_error: false, error_ratio: Some(9.0), ..wins };
        assert!(verdict(&peer(Some(worse), Some(2.0))).contains("more exact, the peer cheaper"));
        assert!(place(&worse).contains("9.00 × our error"));
        let absent = PeerReport { not_run: Some("why".to_owned()), ..peer(None, None) };
        assert_eq!(verdict(&absent), "not run: why");
    }

    #[test]
    fn numbers_have_three_digits() {
        let all = [0.0, 1234.5, 12.345, 0.012345, 1e-9].map(short);
        assert_eq!(all, ["0", "1234", "12.3", "0.0123", "1.00e-9"]);
    }
}
