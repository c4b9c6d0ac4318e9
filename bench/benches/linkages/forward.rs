//! Forward dynamics: one call, and how it grows.

use std::hint::black_box;

use carom_dynamics::tree::{Load, Scratch, Tree};
use glam::DVec3;
use serde_json::json;

use crate::models::{Model, State};
use crate::peers::Peers;
use crate::{ROUNDS, median, median_seconds, seconds};

const NAMES: [&str; 4] = ["ur5", "solo12_floating", "random_chain_10", "random_tree_20_mixed"];

/// Calls of one measurement.
const CALLS: u32 = 20_000;

pub fn measure(mut peers: Option<&mut Peers>) {
    let made = ("made_tree_40", Some(Model::random(40, 6, 40)));
    println!("forward dynamics, one call");
    println!(
        "{:<24}{:>8}{:>12}{:>14}{:>18}{:>10}{:>14}",
        "tree", "links", "ours µs", "Pinocchio µs", "less overhead µs", "ratio", "apart"
    );
    for (name, model) in NAMES.map(|name| (name, Model::read(name))).into_iter().chain([made]) {
        let Some(model) = model else {
            println!("{name:<24}skipped: data not present: articulated");
            continue;
        };
        compare(name, &model, peers.as_deref_mut());
    }
    grow();
}

/// One tree of ours and the calls it is asked for.
struct Ours<'a> {
    tree: Tree,
    gravity: DVec3,
    states: &'a [State],
    scratch: Scratch,
    out: Vec<f64>,
}

impl<'a> Ours<'a> {
    fn new(model: &'a Model) -> Self {
        let tree = model.tree();
        let (scratch, out) = (Scratch::new(&tree), vec![0.0; tree.n_v()]);
        let gravity = DVec3::from_array(model.gravity);
        Self { tree, gravity, states: &model.samples, scratch, out }
    }

    fn call(&mut self, k: usize) -> &[f64] {
        let State { q, v, tau } = black_box(&self.states[k % self.states.len()]);
        self.tree.place(q, v, &mut self.scratch);
        let load = Load { gravity: self.gravity, tau, ..Load::default() };
        self.tree.forward(&load, &mut self.scratch, &mut self.out).expect("a regular state");
        black_box(&self.out)
    }

    fn seconds(&mut self, calls: u32) -> f64 {
        let mut k = 0;
        seconds(calls, || {
            self.call(k);
            k += 1;
        })
    }
}

fn compare(name: &str, model: &Model, peers: Option<&mut Peers>) {
    let mut ours = Ours::new(model);
    let links = ours.tree.n_links();
    let Some(peers) = peers else {
        let own = median((0..ROUNDS).map(|_| ours.seconds(CALLS)).collect());
        println!("{name:<24}{links:>8}{:>12.3}", 1e6 * own);
        return;
    };
    let answer = peers
        .ask(&json!({ "do": "build", "name": name, "model": model }))
        .expect("an answer of the peers");
    let theirs: Vec<Vec<f64>> =
        serde_json::from_value(answer["accelerations"].clone()).expect("numbers");
    let mut apart = 0.0_f64;
    for (k, theirs) in theirs.iter().enumerate() {
        let size = theirs.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        for (a, b) in ours.call(k).iter().zip(theirs) {
            apart = apart.max((a - b).abs() / size);
        }
    }
    let (mut own, mut other, mut over, mut ratios) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        own.push(ours.seconds(CALLS));
        other.push(peers.number(&json!({ "do": "aba", "name": name, "calls": CALLS }), "seconds"));
        over.push(peers.number(&json!({ "do": "overhead", "calls": CALLS }), "seconds"));
        let last = own.len() - 1;
        ratios.push((other[last] - over[last]) / own[last]);
    }
    let over = median(over);
    println!(
        "{name:<24}{links:>8}{:>12.3}{:>14.3}{:>18.3}{:>10.2}{apart:>14.1e}",
        1e6 * median(own),
        1e6 * median(other.clone()),
        1e6 * (median(other) - over),
        median(ratios)
    );
}

fn grow() {
    println!("\nforward dynamics, growth [µs per link]");
    println!("{:>8}{:>12}{:>12}", "links", "chain", "tree");
    for count in [3, 10, 100, 1000, 10_000] {
        let each = [1, 6].map(|reach| {
            let model = Model::random(count, reach, 1);
            let mut ours = Ours::new(&model);
            let calls = (200_000 / count).max(5) as u32;
            let mut k = 0;
            let call = median_seconds(calls, || {
                ours.call(k);
                k += 1;
            });
            1e6 * call / count as f64
        });
        println!("{count:>8}{:>12.3}{:>12.3}", each[0], each[1]);
    }
    println!();
}
