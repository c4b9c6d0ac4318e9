//! A robot of 6 + 12 freedoms under PD control at 1 kHz, through the engine.

use carom::control::{Axis, Pd, PdGains, Target};
use carom::{Rate, World};

use crate::median_seconds;
use crate::run::GRAVITY;
use crate::strikes::robot_in;

pub fn measure() {
    println!("PD at 1 kHz on a floating robot of 12 joints, in free fall");
    for tolerance in [1e-6, 1e-8, World::STANDARD_TOLERANCE] {
        let mut world =
            World::builder().gravity(GRAVITY).tolerance(tolerance).build().expect("a world");
        let (_, joints) = robot_in(&mut world);
        let mut pd = Pd::new();
        for (k, joint) in joints.into_iter().enumerate() {
            let phase = k as f64;
            let target = Target::Sine { middle: 0.0, amplitude: 0.2, frequency: 1.0, phase };
            let gains = PdGains { position: 20.0, velocity: 0.5 };
            pd = pd.control(Axis::new(joint).target(target), gains);
        }
        world.add_controller(Rate::Hertz(1000.0), Box::new(pd)).expect("a controller");
        let mut time = 0.0;
        let each = median_seconds(1, || {
            time += 0.5;
            world.advance_to(time).expect("a run");
        });
        println!("tolerance {tolerance:.0e}: {:.1} ms per simulated second", 2e3 * each);
    }
    println!();
}
