//! How long large scenes take to read; printed, not judged. Run in release with `--nocapture`.

use std::fmt::Write;
use std::time::Instant;

use carom_scene::{DiskFiles, Options, Source, load};

fn time(what: &str, text: String) -> String {
    let bytes = text.len();
    let source = Source::text("scene.toml", text);
    let start = Instant::now();
    let loaded = load(&source, &Options::default(), &DiskFiles);
    let elapsed = start.elapsed();
    let scene = loaded.scene.unwrap_or_else(|| panic!("{}", loaded.problems));
    format!("{what}: {} bodies from {bytes} bytes in {elapsed:?}", scene.bodies.len())
}

#[test]
fn ten_thousand_bodies_are_read() {
    let mut written = "format = 1\n[parameters]\nradius = 0.1\n".to_owned();
    for i in 0..10_000 {
        write!(
            written,
            "[[body]]\nname = \"ball_{i}\"\nshape = {{ kind = \"ball\", radius = \"radius\" }}\ndensity = 1000\n\
             position = [{i}, 0, \"2*radius + {}\"]\nvelocity = [0, 0, 1]\naxis = [0, 0, 1]\nangle_deg = {}\n\n",
            i % 100,
            i % 360
        )
        .expect("a string takes any text");
    }
    println!("{}", time("written out", written));
    let repeated = |count: u32| {
        format!(
            "format = 1\n[parameters]\nradius = 0.1\n[[body]]\nname = \"ball\"\n\
             shape = {{ kind = \"ball\", radius = \"radius\" }}\ndensity = 1000\n\
             position = [\"3*radius*i\", 0, \"2*radius + i % 100\"]\nvelocity = [0, 0, \"sin(i)\"]\n\
             repeat = {{ kind = \"row\", count = {count}, step = [0, 0, 0] }}\n"
        )
    };
    println!("{}", time("repeated", repeated(10_000)));
    println!("{}", time("repeated", repeated(200_000)));
    let random = "format = 1\n[[body]]\nname = \"ball\"\nshape = { kind = \"ball\", radius = 0.01 }\nmass = 1\n\
                  repeat = { kind = \"random\", count = 10000, min = [0, 0, 0], max = [1, 1, 1], min_distance = 0.02 }";
    println!("{}", time("random, at a distance", random.to_owned()));
}

#[test]
fn ten_thousand_mistakes_are_told_soon() {
    let text = format!(
        "format = 1\n{}",
        "[[body]]\nname = \"a\"\nshape = { kind = \"bal\" }\n".repeat(10_000)
    );
    let start = Instant::now();
    let loaded = load(&Source::text("scene.toml", text), &Options::default(), &DiskFiles);
    let read = start.elapsed();
    let n_bytes = loaded.problems.render(false).len();
    println!("10000 mistakes read in {read:?}, {n_bytes} bytes rendered by {:?}", start.elapsed());
}
