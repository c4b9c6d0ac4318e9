//! The depth of overlaps beside the best of many directions.

use glam::DVec3;

use crate::random::{Pair, Random, curved_pairs, opposite, size, solid};

/// The largest s(n) among random directions, each of the best improved by random steps as long as they help.
fn largest_slab(pair: &Pair, random: &mut Random) -> f64 {
    let mut tried: Vec<(f64, DVec3)> = (0..1000)
        .map(|_| {
            let n = random.direction();
            (pair.slab(n), n)
        })
        .collect();
    tried.sort_by(|a, b| b.0.total_cmp(&a.0));
    tried.truncate(8);
    let improved = |(mut s, mut n): (f64, DVec3)| {
        let mut reach = 0.1;
        while reach > 1e-10 {
            let before = s;
            for _ in 0..8 {
                let near = (n + reach * random.direction()).normalize_or_zero();
                let value = pair.slab(near);
                (s, n) = if value > s { (value, near) } else { (s, n) };
            }
            reach *= if s > before { 1.0 } else { 0.5 };
        }
        s
    };
    tried.into_iter().map(improved).fold(f64::NEG_INFINITY, f64::max)
}

/// Deep overlaps are found in one of the directions of least depth; where two are as good to a part in 10⁸, or on
/// the most curved solids to a part in 10⁵, either may be returned.
#[test]
fn no_sampled_direction_is_less_deep() {
    let mut random = Random(0x5A);
    let mut n_checked = 0;
    for kinds in curved_pairs() {
        for k in 0..8 {
            let [a, b] = kinds.map(|kind| solid(kind, 10.0, &mut random));
            let depth = [1e-6, 1e-4, 1e-3, 1e-2, 0.1, 0.3, 0.6, 1.0][k] * size(&a).min(size(&b));
            let pair = opposite(a, b, -depth, &mut random);
            let answer = pair.closest();
            let sampled = largest_slab(&pair, &mut random);
            let slack = 1e-12 * pair.size() + 1e-5 * answer.distance.abs().min(depth);
            assert!(
                answer.distance >= sampled - slack,
                "{answer:?}, sampled {sampled}, of {pair:?}"
            );
            let own = pair.slab(answer.normal);
            assert!((own - answer.distance).abs() < 1e-13 * pair.size(), "{answer:?} of {pair:?}");
            n_checked += 1;
        }
    }
    println!("{n_checked} overlaps");
}
