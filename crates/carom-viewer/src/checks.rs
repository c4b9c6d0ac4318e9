//! What a scene promises, and what came of it.

use carom_scene::Bound;
use carom_scene::measure::Finding;
use serde_json::{Value, json};

use crate::history::lock;
use crate::runs::Run;

/// The expectations of a run: as they were measured, or as they are stated where they are not yet.
pub(crate) fn of(run: &Run) -> Value {
    if let Some(judged) = &run.judged {
        let told: Vec<Value> = judged.as_array().into_iter().flatten().map(as_judged).collect();
        return json!({ "is_measured": true, "expectations": told });
    }
    let found = run.live.as_ref().and_then(|live| lock(&live.findings).clone());
    if let Some(findings) = found {
        return json!({ "is_measured": true, "expectations": told_of(&findings) });
    }
    let promised = run.scene.iter().flat_map(|scene| &scene.expectations);
    let told: Vec<Value> = promised
        .map(|it| {
            json!({ "what": it.what, "expected": bound(&it.bound), "got": null,
                    "tolerance": it.tolerance, "pass": null, "source": it.source })
        })
        .collect();
    json!({ "is_measured": false, "expectations": told })
}

/// What a recording says of an expectation: ends between which a number must lie are told in words.
fn as_judged(judged: &Value) -> Value {
    let mut told = judged.clone();
    if let Some([low, high]) = judged["expected"].as_array().map(Vec::as_slice) {
        let low = low.as_f64().unwrap_or(f64::NEG_INFINITY);
        told["expected"] =
            json!(bound(&Bound::Between(low, high.as_f64().unwrap_or(f64::INFINITY))));
    }
    told
}

/// What came of expectations, as the page and recordings have it.
pub(crate) fn told_of(findings: &[Finding]) -> Vec<Value> {
    let told = |it: &Finding| {
        json!({ "what": it.what, "expected": bound(&it.bound), "got": it.got, "tolerance": it.tolerance,
                "pass": it.pass, "source": it.source })
    };
    findings.iter().map(told).collect()
}

fn bound(bound: &Bound) -> String {
    match *bound {
        Bound::Equals(value) => value.to_string(),
        Bound::Between(low, high) if low == f64::NEG_INFINITY => format!("at most {high}"),
        Bound::Between(low, high) if high == f64::INFINITY => format!("at least {low}"),
        Bound::Between(low, high) => format!("{low} to {high}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_that_a_recording_has_are_told_in_words() {
        let told =
            |expected: Value| as_judged(&json!({ "expected": expected }))["expected"].clone();
        assert_eq!(told(json!([0.5, null])), "at least 0.5");
        assert_eq!(told(json!([null, 2.0])), "at most 2");
        assert_eq!(told(json!([1.0, 2.5])), "1 to 2.5");
        assert_eq!(
            (told(json!(30.0)), told(json!("at most 2"))),
            (json!(30.0), json!("at most 2"))
        );
    }
}
