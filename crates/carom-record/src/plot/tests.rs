use super::*;

/// Whether a text is well-formed: every element that is opened is closed, in order; attributes are quoted; nothing is
/// left of what XML reserves. Gives the names of the elements in order.
fn elements(svg: &str) -> Vec<String> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>') && !text.replace("&amp;", "").contains(" & "), "{text}");
        let length = rest[start..].find('>').expect("every tag ends");
        let tag = &rest[start + 1..start + length];
        rest = &rest[start + length + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed out of order");
            continue;
        }
        let is_empty = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let name = tag.split(' ').next().unwrap_or_default().to_owned();
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        if !is_empty {
            open.push(name.clone());
        }
        all.push(name);
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} are open");
    all
}

fn count(svg: &str, name: &str) -> usize {
    elements(svg).iter().filter(|element| *element == name).count()
}

fn two_curves() -> Chart {
    let xs = || (0..=20).map(|n| f64::from(n) / 10.0 - 1.0);
    Chart::new("Pins felled & <left>")
        .x_axis(Axis::linear("place of the ball in m"))
        .y_axis(Axis::linear("pins"))
        .band("straight", xs().map(|x| [x, 4.0 - x * x, 6.0 - x * x]))
        .line("straight", xs().map(|x| [x, 5.0 - x * x]))
        .points("straight", xs().map(|x| [x, 5.0 - x * x]))
        .band("hook \"left\"", xs().map(|x| [x, 5.0 + x, 6.5 + x]))
        .line("hook \"left\"", xs().map(|x| [x, 6.0 + x]))
}

#[test]
fn a_chart_is_well_formed_and_has_what_was_put_on_it() {
    let svg = two_curves().to_svg();
    // Two bands and two lines, and in the legend two lines.
    assert_eq!(count(&svg, "path"), 6);
    assert_eq!(count(&svg, "circle"), 21 + 1);
    assert!(svg.contains("Pins felled &amp; &lt;left&gt;"), "{svg}");
    assert!(svg.contains("hook &quot;left&quot;</text>"), "{svg}");
    assert!(svg.contains(">place of the ball in m</text>"), "{svg}");
}

#[test]
fn charts_of_a_grid_share_a_legend_and_the_looks_of_their_series() {
    let one = Chart::new("one").note("of two").line("a", [[0.0, 0.0], [1.0, 1.0]]);
    let two = Chart::new("two").points("b", [[0.0, 0.0]]).points("a", [[1.0, 1.0]]);
    let svg = Grid::new("both").note("below").across(2).chart(one).chart(two).to_svg();
    // The whole, two charts, and a frame in each.
    assert_eq!(count(&svg, "svg"), 5);
    for text in [">a</text>", ">b</text>", ">of two</text>", ">below</text>"] {
        assert_eq!(svg.matches(text).count(), 1, "{text}");
    }
    // The first series is marked by circles, also in the chart where it comes second; one is in the legend.
    assert_eq!(count(&svg, "circle"), 2);
    assert!(svg.contains("translate(720.00 "), "{svg}");
    elements(&Grid::new("nothing").across(0).to_svg());
}

#[test]
fn the_same_chart_is_the_same_bytes() {
    assert_eq!(two_curves().to_svg(), two_curves().to_svg());
    assert_ne!(two_curves().to_svg(), two_curves().theme(Theme::Dark).to_svg());
}

#[test]
fn a_small_chart_has_its_points_where_they_belong() {
    let svg = Chart::new("").size(300.0, 200.0).line("", [[0.0, 0.0], [10.0, 10.0]]).to_svg();
    // No titles, no legend: 14 px of margin, 7 + 7 px between, labels of two letters; upwards is downwards in SVG.
    let left = 14.0 + 7.0 + 2.0 * 12.0 * 0.56 + 7.0;
    let (right, top) = (300.0 - 14.0 - 7.0, 14.0 + 6.0);
    let bottom = 200.0 - 14.0 - 12.0 * 1.3 - 7.0;
    let expected = format!("d=\"M{left:.2} {bottom:.2}L{right:.2} {top:.2}\"");
    assert!(svg.contains(&expected), "{expected} in\n{svg}");
    assert_eq!(count(&svg, "title"), 0);
}

#[test]
fn what_cannot_be_shown_is_a_gap() {
    let points = [[0.0, 1.0], [1.0, 2.0], [2.0, f64::NAN], [3.0, 1.0], [4.0, 3.0], [5.0, -1.0]];
    let plain = Chart::new("").line("", points).to_svg();
    assert_eq!(count(&plain, "path"), 2);
    assert!(!plain.contains("NaN") && !plain.contains("inf"), "{plain}");
    // On a logarithmic axis −1 is none, either, and 0 along x.
    let log = Chart::new("")
        .x_axis(Axis::logarithmic(""))
        .y_axis(Axis::logarithmic(""))
        .line("", points)
        .to_svg();
    // The point at x = 1 stands alone between gaps, and is marked.
    assert_eq!((count(&log, "path"), count(&log, "circle")), (1, 1));
}

#[test]
fn a_band_point_that_stands_alone_is_a_bar() {
    let points = [[0.0, 1.0, 2.0], [1.0, f64::NAN, 2.0], [2.0, 1.0, 2.0], [3.0, 1.0, 3.0]];
    let with = Chart::new("").band("", points).to_svg();
    let without = Chart::new("").band("", points[2..].to_vec()).points("", [[0.0, 1.0]]).to_svg();
    assert_eq!(count(&with, "path"), 1);
    assert_eq!(count(&with, "line"), count(&without, "line") + 1);
}

#[test]
fn charts_of_nothing_and_of_anything_are_well_formed() {
    elements(&Chart::new("nothing").to_svg());
    let wild = [0.0, -0.0, 1e-308, 1e308, f64::MAX, f64::NAN, f64::NEG_INFINITY, 1.0, 1.0];
    for axis in [Axis::linear, Axis::logarithmic] {
        let axis: fn(&'static str) -> Axis = axis;
        for a in wild {
            for b in wild {
                let svg = Chart::new("wild")
                    .x_axis(axis("x").range(b, a))
                    .y_axis(axis("y"))
                    .line("line", [[a, b], [b, a]])
                    .points("points", [[a, a]])
                    .band("band", [[a, b, a], [b, a, b]])
                    .size(a, b)
                    .to_svg();
                elements(&svg);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{a} {b}: {svg}");
            }
        }
    }
}
