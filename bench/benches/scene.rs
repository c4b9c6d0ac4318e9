//! Reading scenes: bodies written out, repeated, and scattered at random.

use carom_scene::{DiskFiles, Options, Source, load};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

const COUNTS: [usize; 3] = [100, 1000, 10_000];

fn read(bencher: Bencher, n_bodies: usize, text: String) {
    let source = Source::text("scene.toml", text);
    bencher.counter(ItemsCount::new(n_bodies)).bench(|| {
        load(divan::black_box(&source), &Options::default(), &DiskFiles)
            .scene
            .map(|scene| scene.bodies.len())
    });
}

#[divan::bench(args = COUNTS, sample_count = 10)]
fn written_out(bencher: Bencher, count: usize) {
    let bodies = (0..count).map(|i| {
        format!(
            "[[body]]\nname = \"ball_{i}\"\nshape = {{ kind = \"ball\", radius = \"radius\" }}\ndensity = 1000\n\
             position = [{i}, 0, \"2*radius + {}\"]\naxis = [0, 0, 1]\nangle_deg = {}\n",
            i % 100,
            i % 360
        )
    });
    let text =
        format!("format = 1\n[parameters]\nradius = 0.1\n{}", bodies.collect::<Vec<_>>().concat());
    read(bencher, count, text);
}

#[divan::bench(args = COUNTS, sample_count = 10)]
fn repeated(bencher: Bencher, count: usize) {
    let text = format!(
        "format = 1\n[[body]]\nname = \"ball\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\ndensity = 1000\n\
         position = [\"0.3*i\", 0, \"sin(i)\"]\nrepeat = {{ kind = \"row\", count = {count}, step = [0, 0, 0] }}\n"
    );
    read(bencher, count, text);
}

#[divan::bench(args = COUNTS, sample_count = 10)]
fn random(bencher: Bencher, count: usize) {
    let text = format!(
        "format = 1\n[[body]]\nname = \"ball\"\nshape = {{ kind = \"ball\", radius = 0.01 }}\nmass = 1\n\
         repeat = {{ kind = \"random\", count = {count}, min = [0, 0, 0], max = [1, 1, 1], min_distance = 0.02 }}\n"
    );
    read(bencher, count, text);
}
