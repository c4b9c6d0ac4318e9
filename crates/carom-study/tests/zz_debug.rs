//! debug
use carom_study::never_miss::Family;
#[test]
fn dbg() {
    for (f, i) in [(Family::BallPlate, 183), (Family::BallPlate, 207)] {
        let case = f.case(i).unwrap();
        let w = &case.world;
        println!("{i}: start {} meet {} until {}", case.start, case.meeting, case.until);
        for b in w.bodies() {
            println!("  {} {:?}", b.role(), b.state_at(case.start));
        }
        println!("{:?}", case.run());
    }
    for i in 0..0 {
        let case = Family::Grazing.case(i).unwrap();
        let (s, m, u) = (case.start, case.meeting, case.until);
        let desc: Vec<String> = case
            .world
            .bodies()
            .map(|b| {
                format!("{} {:?} {:?} {:?}", b.role(), b.shape(), b.state_at(s), b.swept_box())
            })
            .collect();
        let g = case.world.gravity();
        let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case.run()));
        if r.is_err() {
            println!("case {i}: {s} {m} {u} g {g} {desc:#?}");
        }
    }
}
