//! What contacts did in a run, as JSON and in words.

use carom::{Account, ContactSums};
use carom_study::contacts::{Contacts, PairSummary, PieceSummary};
use serde_json::{Value, json};

use crate::output::{counted, width};
use crate::table::{Column, Table};
use crate::touches::short;

/// Pairs that a person reads, and pieces of each; the rest is counted.
const MOST_ROWS: usize = 12;
const MOST_PIECES: usize = 8;

/// Every pair with all that is known of it.
pub(crate) fn contacts_json(contacts: &Contacts) -> Value {
    contacts.pairs.iter().map(pair_json).collect()
}

fn pair_json(pair: &PairSummary) -> Value {
    let piece = |piece: &PieceSummary| {
        let head = json!({ "pieces": piece.pieces, "mean_force_N": piece.mean_force });
        with(head, sums_json(&piece.sums))
    };
    let head = json!({
        "a": pair.bodies[0],
        "b": pair.bodies[1],
        "first_s": pair.first,
        "last_s": pair.last,
        "settled_s": pair.settled,
        "mean_force_N": pair.mean_force,
        "pieces": pair.pieces.iter().map(piece).collect::<Vec<_>>(),
        "piece_pairs": pair.n_pieces,
    });
    with(head, sums_json(&pair.sums))
}

fn sums_json(sums: &ContactSums) -> Value {
    json!({
        "collisions": sums.collisions,
        "micro": sums.micro,
        "impulse_N_s": sums.impulse.to_array(),
        "normal_impulse_N_s": sums.normal_impulse,
        "normal_work_J": sums.normal_work,
        "friction_work_J": sums.friction_work,
        "boost_J": sums.boost,
        "slip_m": sums.slip,
    })
}

/// An object with the keys of another one, too.
fn with(mut head: Value, more: Value) -> Value {
    if let (Value::Object(head), Value::Object(more)) = (&mut head, more) {
        head.extend(more);
    }
    head
}

/// Lines about contacts; none where nothing collided.
pub(crate) fn contacts_text(contacts: &Contacts) -> String {
    if contacts.n_pairs == 0 {
        return String::new();
    }
    let Contacts { n_pairs, collisions, micro, .. } = contacts;
    let pairs = counted(*n_pairs as u64, "pair");
    let mut text = format!("  contacts   {pairs}, {}:\n", collisions_text(*collisions, *micro));
    text += &table(&contacts.pairs).to_text(width());
    if *n_pairs > MOST_ROWS {
        text += &format!(
            "    and {} more with smaller impulses; --json has them\n",
            n_pairs - MOST_ROWS
        );
    }
    text
}

/// How many collisions, and how many of these are small ones.
fn collisions_text(collisions: u64, micro: u64) -> String {
    let micro = match (collisions, micro) {
        (1, 0) => "not micro".to_owned(),
        (1, _) => "micro".to_owned(),
        (_, micro) => format!("{micro} of them micro"),
    };
    format!("{}, {micro}", counted(collisions, "collision"))
}

fn table(pairs: &[PairSummary]) -> Table {
    let mut table = Table::new([
        Column::text("bodies").least(20),
        Column::number("collisions"),
        Column::number("micro").rank(3),
        Column::number("impulse N·s").rank(1),
        Column::number("mean force N"),
        Column::number("slip m").rank(4),
        Column::number("normal work J").rank(7),
        Column::number("friction J").rank(5),
        Column::number("boost J").rank(8),
        Column::number("first s").rank(6),
        Column::number("at rest s").rank(2),
    ])
    .indented(3);
    for pair in pairs.iter().take(MOST_ROWS) {
        let [a, b] = &pair.bodies;
        let settled = pair.settled.map_or_else(String::new, time);
        let name = format!("\"{a}\", \"{b}\"");
        table.add(row(name, &pair.sums, pair.mean_force, [time(pair.first), settled]));
        for piece in pair.pieces.iter().take(MOST_PIECES) {
            let [a, b] = piece.pieces;
            let name = format!("  pieces {a}, {b}");
            table.add(row(name, &piece.sums, piece.mean_force, Default::default()));
        }
        if pair.n_pieces > MOST_PIECES {
            table.add([format!("  and {} more", pair.n_pieces - MOST_PIECES)]);
        }
    }
    table
}

fn row(name: String, sums: &ContactSums, force: Option<f64>, times: [String; 2]) -> Vec<String> {
    let mut cells = vec![
        name,
        sums.collisions.to_string(),
        sums.micro.to_string(),
        short(sums.normal_impulse),
        force.map_or_else(String::new, short),
        short(sums.slip),
        short(sums.normal_work),
        short(sums.friction_work),
        short(sums.boost),
    ];
    cells.extend(times);
    cells
}

/// A time to a tenth of a millisecond.
fn time(time: f64) -> String {
    format!("{time:.4}")
}

/// What contact took and gave, beneath the line of energy; none where it did nothing.
pub(crate) fn losses_text(account: &Account, joules: fn(f64) -> String) -> String {
    let Account { restitution_loss, friction_loss, boost, .. } = *account;
    let mut text = String::new();
    if restitution_loss != 0.0 || friction_loss != 0.0 {
        let friction = joules(friction_loss);
        // By Newton's law friction and restitution do not know of each other, and together may add energy.
        text += &if restitution_loss < 0.0 {
            let gain = joules(-restitution_loss);
            format!(
                "  losses     {friction} J to friction\n  gain       {gain} J from restitution: by Newton's law with friction, or rounding\n"
            )
        } else {
            let restitution = joules(restitution_loss);
            format!("  losses     {restitution} J to restitution, {friction} J to friction\n")
        };
    }
    if boost != 0.0 {
        text += &format!(
            "  boost      {} J, added so that bodies at rest do not collide without end\n",
            joules(boost)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_collision_is_told_as_one() {
        assert_eq!(collisions_text(1, 0), "1 collision, not micro");
        assert_eq!(collisions_text(1, 1), "1 collision, micro");
        assert_eq!(collisions_text(7, 1), "7 collisions, 1 of them micro");
    }

    #[test]
    fn energy_that_restitution_adds_is_told_as_a_gain() {
        let joules = |energy: f64| energy.to_string();
        let account = |restitution_loss| Account {
            restitution_loss,
            friction_loss: 0.5,
            ..carom::World::builder().build().unwrap().account()
        };
        assert_eq!(
            losses_text(&account(0.25), joules),
            "  losses     0.25 J to restitution, 0.5 J to friction\n"
        );
        let gained = losses_text(&account(-0.25), joules);
        assert!(gained.contains("gain       0.25 J from restitution"), "{gained}");
        assert!(!gained.contains('-'), "{gained}");
    }
}
