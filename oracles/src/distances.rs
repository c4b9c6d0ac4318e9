//! Distances between convex polyhedra: a reader for the queries of the data set `convex-distance`.
//!
//! They are not carried: like measured data they lie in a folder beside the project. Separations were solved there
//! as quadratic programmes, depths from hulls of Minkowski differences; where two other programs disagreed with
//! them, rows were dropped.

use std::path::Path;

use crate::{DataError, malformed, read_text};

/// One query: shape `a` in its own frame, shape `b` placed by x ↦ R·x + p.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPair {
    /// What makes it special: separated, close, aligned, penetrating.
    pub category: String,
    /// Name of the first shape.
    pub a: String,
    /// Name of the second shape.
    pub b: String,
    /// R, row by row.
    pub rotation: [[f64; 3]; 3],
    /// p `[m]`.
    pub translation: [f64; 3],
    /// Separation, or minus the depth `[m]`.
    pub distance: f64,
    /// Nearest points of a and b, where they are unique.
    pub points: Option<[[f64; 3]; 2]>,
}

/// All queries of `convex-distance/pairs.csv`, or none if that file is not there.
///
/// # Errors
/// If the file cannot be read or is not of that layout.
pub fn convex_pairs(folder: &Path) -> Result<Option<Vec<ConvexPair>>, DataError> {
    let path = folder.join("convex-distance/pairs.csv");
    if !path.is_file() {
        return Ok(None);
    }
    parse(&read_text(&path)?).map(Some).map_err(|message| malformed(&path, &message))
}

/// Columns: id, category, a, b, nine of R, three of p, distance, three and three of the points, which may be empty.
fn parse(text: &str) -> Result<Vec<ConvexPair>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut pairs = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        let text = |column: usize| record.get(column).unwrap_or_default().to_owned();
        let number = |column: usize| {
            let value = text(column).parse().ok().filter(|value: &f64| value.is_finite());
            value.ok_or(format!("row {}: '{}' is not a finite number", row + 1, text(column)))
        };
        let three = |first: usize| -> Result<[f64; 3], String> {
            Ok([number(first)?, number(first + 1)?, number(first + 2)?])
        };
        let points = if text(17).is_empty() { None } else { Some([three(17)?, three(20)?]) };
        pairs.push(ConvexPair {
            category: text(1),
            a: text(2),
            b: text(3),
            rotation: [three(4)?, three(7)?, three(10)?],
            translation: three(13)?,
            distance: number(16)?,
            points,
        });
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "id,category,a,b,R00,R01,R02,R10,R11,R12,R20,R21,R22,px,py,pz,distance,ax,ay,az,bx,by,bz\n";

    #[test]
    fn a_query_is_read_with_and_without_points() {
        let text = format!(
            "{HEAD}1,close,cube,rod,1,0,0,0,1,0,0,0,1,2,3,4,0.5,1,1,1,2,2,2\n2,penetrating,cube,rod,\
             1,0,0,0,1,0,0,0,1,2,3,4,-0.5,,,,,,\n"
        );
        let [with, without] = &parse(&text).unwrap()[..] else { panic!("two rows") };
        assert_eq!(with.points, Some([[1.0; 3], [2.0; 3]]));
        assert_eq!((with.translation, with.distance), ([2.0, 3.0, 4.0], 0.5));
        assert_eq!((without.points, without.distance), (None, -0.5));
    }

    #[test]
    fn a_bad_number_is_named_with_its_row() {
        let text = format!("{HEAD}1,close,cube,rod,1,0,0,0,1,0,0,0,1,2,3,x,0.5,,,,,,\n");
        assert_eq!(parse(&text).unwrap_err(), "row 1: 'x' is not a finite number");
    }

    #[test]
    fn no_file_is_no_error() {
        assert_eq!(convex_pairs(Path::new("no/such/place")).unwrap(), None);
    }
}
