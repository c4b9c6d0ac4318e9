use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

const LONG: usize = 10_000;

struct Names;

impl Environment for Names {
    fn variable(&self, name: &str) -> Option<Value> {
        match name {
            "height" => Some(Value::Number(3.0)),
            "surface" => Some(Value::Text("ice".into())),
            _ => None,
        }
    }

    fn names(&self) -> Vec<String> {
        vec!["height".to_owned(), "surface".to_owned()]
    }
}

fn number(text: &str) -> f64 {
    let value = Expression::new(text, LONG).and_then(|e| e.evaluate(&Names));
    value.unwrap_or_else(|error| panic!("{text}: {error}")).as_number().unwrap()
}

fn error(text: &str) -> ExpressionError {
    match Expression::new(text, LONG).and_then(|e| e.evaluate(&Names)) {
        Ok(value) => panic!("{text} gives {value}"),
        Err(error) => error,
    }
}

#[test]
fn whole_numbers_divide_as_people_do() {
    assert_eq!(number("1/2"), 0.5);
    assert_eq!(number("7 % 4"), 3.0);
    assert_eq!(number("1_000 * 1e-3 + 0.5"), 1.5);
}

#[test]
fn operators_bind_as_in_mathematics() {
    assert_eq!(number("2 + 3 * 4"), 14.0);
    // As in rhai, a sign binds tighter than a power.
    assert_eq!(number("-2 ** 2"), 4.0);
    assert_eq!(number("0 - 2 ** 2"), -4.0);
    assert_eq!(number("2 ** 3 ** 2"), 512.0);
    assert_eq!(number("2 ** -1"), 0.5);
    assert_eq!(number("10 - 4 - 3"), 3.0);
    assert_eq!(number("(1 + 2) * -(3)"), -9.0);
    assert_eq!(number("if 1 < 2 && !(3 <= 2) || 1 == 2 { 5 } else { 6 }"), 5.0);
}

#[test]
fn a_choice_evaluates_one_branch_only() {
    assert_eq!(number("if height > 0 { 1 } else { 1/0 }"), 1.0);
    assert_eq!(number("if height < 0 { 1 } else if height < 5 { 2 } else { 3 }"), 2.0);
    assert_eq!(number("if surface == \"ice\" { 0.05 } else { 0.5 }"), 0.05);
    assert_eq!(number("if surface == 'ice' { 0.05 } else { 0.5 }"), 0.05);
    assert_eq!(number("let r = 2*height; if r > 5 { r*r } else { 0 }"), 36.0);
}

#[test]
fn functions_give_the_bits_of_libm() {
    for x in [0.1, 0.7, 1.3, 2.9] {
        assert_eq!(number(&format!("sin({x})")).to_bits(), libm::sin(x).to_bits());
        assert_eq!(number(&format!("{x} ** 1.7")).to_bits(), libm::pow(x, 1.7).to_bits());
        assert_eq!(number(&format!("ln({x})")).to_bits(), libm::log(x).to_bits());
    }
    assert_eq!(number("max(1, 5, 3) + min(4, 2) + clamp(9, 0, 1)"), 8.0);
    assert_eq!(number("deg(pi) + rad(180) - pi"), 180.0);
    assert_eq!(number("round(2.5) + sign(-3) + hypot(3, 4)"), 7.0);
    assert_eq!(
        number("length([3, 4, 12]) + dot([1,2,3], [1,0,0]) + cross([1,0,0],[0,1,0]).z"),
        15.0
    );
}

#[test]
fn random_numbers_depend_on_seed_and_number_only_and_fill_the_interval_evenly() {
    assert_eq!(number("random(1, 2)"), number("random(1, 2)"));
    assert_eq!(number("random(0, -0)"), number("random(-0, 0)"));
    assert!(number("random(1, 2)") != number("random(2, 1)"));
    for seed in 0..4 {
        let draws: Vec<f64> = (0..2000).map(|n| number(&format!("random({seed}, {n})"))).collect();
        assert!(draws.iter().all(|draw| (0.0..1.0).contains(draw)));
        for (part, low) in [0.0, 0.25, 0.5, 0.75].into_iter().enumerate() {
            let share = draws.iter().filter(|draw| (low..low + 0.25).contains(*draw)).count();
            // 500 ± 5 standard deviations of 19.
            assert!(share.abs_diff(500) < 97, "{seed}, quarter {part}: {share}");
        }
        let pairs = draws.windows(2).map(|two| (two[0] - 0.5) * (two[1] - 0.5));
        let together = 12.0 * pairs.sum::<f64>() / 1999.0;
        assert!(together.abs() < 0.12, "{seed}: neighbours go together by {together}");
    }
}

#[test]
fn names_are_listed_once_and_without_what_is_built_in() {
    let e = Expression::new("a + a*sin(b) + pi + f(c)", LONG).unwrap();
    let mut names: Vec<&str> = e.names().collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "c", "f"]);
}

#[test]
fn mistakes_are_told_at_their_place_with_a_remedy() {
    let told = |text: &str, place: &str, part: &str| {
        let error = error(text);
        let found = &text[error.span.clone()];
        assert_eq!(found, place, "{text}: {error:?}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    };
    told("2*heigth", "heigth", "did you mean `height`?");
    told("sinn(2)", "sinn", "did you mean `sin`?");
    told("sin + 1", "sin", "write `sin(…)`");
    told("2 ^ 3", "^", "powers are written `x**2`");
    told("1/(height-3)", "/", "division by zero");
    told("2 height", "height", "expected an operator or the end");
    told("2height", "height", "such as `2*height`");
    told("3 m + 1", "m", "units are not written");
    told("(1 + 2", "", "`)` should follow");
    told("1 +", "", "should follow");
    told("", "", "empty");
    told("height > 2 ? 1 : 2", "?", "`if condition { a } else { b }`");
    told("max()", "max", "given nothing");
    told("sqrt(1, 2)", "sqrt", "sqrt(x)");
    told("-surface", "-", "cannot be applied to a text");
    told("if 1 { 2 } else { 3 }", "1", "boolean");
    told("height.x", "x", "no such part");
    told("2 − 1", "−", "the sign on the keyboard");
    told("'abc", "'", "not terminated");
    told("while true {}", "while", "cannot be used");
    told("print(1)", "print", "cannot be used");
    told("if height < 1 { 2 }", "if height < 1 { 2 }", "gives nothing");
    told("height = 3", "height", "`==`");
}

#[test]
fn nesting_and_length_have_an_end() {
    for text in [
        "(".repeat(5000),
        "- ".repeat(4000),
        "if ".repeat(3000),
        "2**".repeat(3000),
        "[".repeat(4000),
    ] {
        assert!(error(&text).message.contains("nested deeper"), "{:?}", error(&text));
    }
    assert!(error(&format!("1{}", "+1".repeat(4000))).message.contains("nested deeper"));
    assert!(error(&format!("{}1", "1+".repeat(9000))).message.contains("more than the limit"));
    assert!(error(&format!("height{}", ".x".repeat(4000))).message.contains("nested deeper"));
    assert_eq!(number(&format!("1{}", "+1".repeat(200))), 201.0);
}

/// A text with the value that Rust gives it.
fn arithmetic() -> impl Strategy<Value = (String, f64)> {
    let number = (0.0..100.0_f64).prop_map(|x| (format!("{x}"), x));
    number.prop_recursive(5, 40, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone().prop_map(|((a, x), (b, y))| (format!("({a} + {b})"), x + y)),
            pair.clone().prop_map(|((a, x), (b, y))| (format!("({a}-{b})"), x - y)),
            pair.clone().prop_map(|((a, x), (b, y))| (format!("({a} * {b})"), x * y)),
            pair.clone().prop_map(|((a, x), (b, y))| (format!("max({a}, {b})"), x.max(y))),
            pair.prop_map(|((a, x), (b, y))| {
                (format!("if {a} < {b} {{ {a} }} else {{ {b} }}"), if x < y { x } else { y })
            }),
            inner.clone().prop_map(|(a, x)| (format!("-({a})"), -x)),
            inner.prop_map(|(a, x)| (format!("atan({a})"), libm::atan(x))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500, failure_persistence: None, rng_seed: RngSeed::Fixed(0xCA20), ..ProptestConfig::default()
    })]

    #[test]
    fn arithmetic_gives_the_bits_that_rust_gives((text, expected) in arithmetic()) {
        // A long expression may be refused; one that is read must be right.
        if let Ok(expression) = Expression::new(&text, LONG) {
            let found = expression.evaluate(&Names).unwrap().as_number().unwrap();
            prop_assert_eq!(found.to_bits(), expected.to_bits(), "{} gives {}, not {}", text, found, expected);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[-+*/%<>=!&|(){}\\[\\],.a-c0-9e'\" \u{e9}]{0,40}") {
        let read = Expression::new(&text, LONG);
        let error = match &read {
            Ok(expression) => expression.evaluate(&Names).err(),
            Err(error) => Some(error.clone()),
        };
        if let Some(error) = error {
            prop_assert!(text.get(error.span.clone()).is_some(), "{:?} of {:?}", error, text);
        }
    }
}
