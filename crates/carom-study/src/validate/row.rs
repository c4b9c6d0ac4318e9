//! One line of the table.

use serde::Serialize;

/// A number, or several that are compared as one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// One number.
    Number(f64),
    /// The components of a vector or the entries of a tensor row by row.
    Numbers(Vec<f64>),
    /// Bounds, as one reads them.
    Bounds(String),
}

impl Value {
    fn entries(&self) -> &[f64] {
        match self {
            Self::Number(number) => std::slice::from_ref(number),
            Self::Numbers(numbers) => numbers,
            Self::Bounds(_) => &[],
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<glam::DVec3> for Value {
    fn from(vector: glam::DVec3) -> Self {
        Self::Numbers(vector.to_array().to_vec())
    }
}

impl From<glam::DMat3> for Value {
    fn from(tensor: glam::DMat3) -> Self {
        Self::Numbers(tensor.transpose().to_cols_array().to_vec())
    }
}

impl From<Vec<f64>> for Value {
    fn from(numbers: Vec<f64>) -> Self {
        Self::Numbers(numbers)
    }
}

/// How an error is counted: the largest difference of entries …
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// … in the row's unit.
    Absolute,
    /// … as a share of the largest expected entry, or of a length that the row states.
    Relative,
}

/// A reference case and how it went.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Id in its guide, list of cases or data set, behind that source's prefix.
    pub id: String,
    /// The group it belongs to.
    pub group: &'static str,
    /// What is compared.
    pub what: String,
    /// What the source says.
    pub expected: Option<Value>,
    /// What came out.
    pub got: Option<Value>,
    /// Difference of the two in the row's measure.
    pub error: Option<f64>,
    /// Largest difference accepted.
    pub tolerance: Option<f64>,
    /// How error and tolerance are counted.
    pub measure: Measure,
    /// Unit of `expected` and `got`; `-` for pure numbers.
    pub unit: &'static str,
    /// Where the expectation comes from.
    pub source: String,
    /// Whether the error is within tolerance; `None` if the case could not be run.
    pub pass: Option<bool>,
    /// Why it could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
}

impl Row {
    /// A case still to be compared.
    pub(crate) fn case(id: impl Into<String>, what: impl Into<String>, source: &str) -> Self {
        Self {
            id: id.into(),
            group: "",
            what: what.into(),
            expected: None,
            got: None,
            error: None,
            tolerance: None,
            measure: Measure::Absolute,
            unit: "-",
            source: source.to_owned(),
            pass: None,
            skipped: None,
        }
    }

    /// States the unit.
    pub(crate) fn in_unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Compares to within `tolerance` in the row's unit.
    pub(crate) fn absolute(
        self,
        tolerance: f64,
        expected: impl Into<Value>,
        got: impl Into<Value>,
    ) -> Self {
        self.compared(Measure::Absolute, 1.0, tolerance, expected.into(), got.into())
    }

    /// Compares to within `tolerance` of the largest expected entry.
    pub(crate) fn relative(
        self,
        tolerance: f64,
        expected: impl Into<Value>,
        got: impl Into<Value>,
    ) -> Self {
        let expected = expected.into();
        let largest = expected.entries().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        self.compared(Measure::Relative, largest, tolerance, expected, got.into())
    }

    /// Compares to within `tolerance` of `scale`, for quantities that may vanish.
    pub(crate) fn relative_to(
        self,
        scale: f64,
        tolerance: f64,
        expected: impl Into<Value>,
        got: impl Into<Value>,
    ) -> Self {
        self.compared(Measure::Relative, scale, tolerance, expected.into(), got.into())
    }

    /// Compares with bounds, either of which may be infinite, to within `tolerance` in the row's unit.
    pub(crate) fn between(mut self, tolerance: f64, [low, high]: [f64; 2], got: f64) -> Self {
        let bounds = match (low.is_finite(), high.is_finite()) {
            (true, false) => format!("at least {low}"),
            (false, true) => format!("at most {high}"),
            _ => format!("{low} to {high}"),
        };
        let error = if got.is_nan() { got } else { (low - got).max(got - high).max(0.0) };
        self.pass = Some(error <= tolerance);
        self.error = Some(error);
        self.tolerance = Some(tolerance);
        self.expected = Some(Value::Bounds(bounds));
        self.got = Some(got.into());
        self
    }

    fn compared(
        mut self,
        measure: Measure,
        scale: f64,
        tolerance: f64,
        expected: Value,
        got: Value,
    ) -> Self {
        let same_shape = expected.entries().len() == got.entries().len();
        let differences =
            expected.entries().iter().zip(got.entries()).map(|(e, g)| (e - g).abs() / scale);
        // A NaN must not vanish in a maximum, wherever it comes.
        let error = differences
            .fold(0.0_f64, |worst, d| if worst >= d || worst.is_nan() { worst } else { d });
        self.pass = Some(same_shape && error <= tolerance);
        self.error = Some(error);
        self.measure = measure;
        self.tolerance = Some(tolerance);
        self.expected = Some(expected);
        self.got = Some(got);
        self
    }

    /// The case could not be run though it should have been: its data is broken.
    pub(crate) fn failed(mut self, why: &impl ToString) -> Self {
        self.what = format!("{}: {}", self.what, why.to_string());
        self.pass = Some(false);
        self
    }

    /// The case cannot be run here.
    pub(crate) fn skip(mut self, why: impl Into<String>) -> Self {
        self.skipped = Some(why.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row::case("x/1", "a number", "nowhere")
    }

    #[test]
    fn a_nan_fails_wherever_it_stands() {
        assert_eq!(row().absolute(1.0, 0.0, f64::NAN).pass, Some(false));
        let got = vec![f64::NAN, 1.0];
        assert_eq!(row().relative(1.0, vec![1.0, 1.0], got).pass, Some(false));
    }

    #[test]
    fn relative_errors_are_shares_of_the_largest_entry() {
        let row = row().relative(1e-3, vec![100.0, 0.0], vec![100.0, 0.05]);
        assert_eq!((row.pass, row.error), (Some(true), Some(5e-4)));
    }

    #[test]
    fn bounds_are_told_and_what_is_outside_fails() {
        let at_most = |got: f64| row().between(0.5, [f64::NEG_INFINITY, 8.0], got);
        assert_eq!(at_most(3.0).expected, Some(Value::Bounds("at most 8".to_owned())));
        assert_eq!((at_most(3.0).pass, at_most(3.0).error), (Some(true), Some(0.0)));
        assert_eq!((at_most(8.4).pass, at_most(8.6).pass), (Some(true), Some(false)));
        assert_eq!(at_most(f64::NAN).pass, Some(false));
    }

    #[test]
    fn values_of_different_shape_never_pass() {
        assert_eq!(row().absolute(9.0, vec![1.0], vec![1.0, 1.0]).pass, Some(false));
    }

    #[test]
    fn a_skipped_row_says_why_and_neither_passes_nor_fails() {
        let json = serde_json::to_value(row().skip("data not present: ask")).unwrap();
        assert_eq!(json["pass"], serde_json::Value::Null);
        assert_eq!(json["skipped"], "data not present: ask");
        let json = serde_json::to_value(row().absolute(0.0, 1.0, 1.0)).unwrap();
        assert!(json.get("skipped").is_none());
    }
}
