//! Readers for measured data, which lies in a folder beside the project and is never part of it.

use std::path::{Path, PathBuf};

use crate::{DataError, malformed, read_text};

/// Position and orientation of a tracked body in one frame of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackedPose {
    /// Centre `[m]`, z up, table at z = 0.
    pub position: [f64; 3],
    /// Unit quaternion, body to world, scalar first.
    pub quaternion: [f64; 4],
    /// Speed of the centre `[m/s]`.
    pub speed: f64,
}

/// One planar impact of an ellipse: where it touches, from its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EllipseImpact {
    /// Contact point (rx, −h) from the centre `[m]`: rx.
    pub contact_x: f64,
    /// h.
    pub height: f64,
}

/// One frame of a planar drop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarPose {
    /// Height of the centre `[m]`.
    pub z: f64,
    /// Angle, counter-clockwise from x towards z `[rad]`.
    pub angle: f64,
}

/// One frame of a toss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TossFrame {
    /// Centre `[m]`, z up, table at z = 0.
    pub position: [f64; 3],
    /// Unit quaternion, body to world, scalar first.
    pub quaternion: [f64; 4],
    /// Of the centre `[m/s]`.
    pub velocity: [f64; 3],
    /// In the axes of the body `[rad/s]`.
    pub body_rates: [f64; 3],
}

/// One toss: the name of its file, and its frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Toss {
    /// Such as `toss_004`.
    pub id: String,
    /// 148 a second.
    pub frames: Vec<TossFrame>,
}

/// One frame of a toss of two boxes on a hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElbowFrame {
    /// The first box.
    pub link: TossFrame,
    /// Angle of the hinge, without jumps `[rad]`.
    pub hinge: f64,
    /// Its rate `[rad/s]`.
    pub hinge_rate: f64,
}

/// One toss of two boxes on a hinge.
#[derive(Clone, Debug, PartialEq)]
pub struct ElbowToss {
    /// Such as `toss_003`.
    pub id: String,
    /// 148 a second.
    pub frames: Vec<ElbowFrame>,
}

/// Velocities of a planar body before and after an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarImpact {
    /// Number of the row or drop.
    pub id: u32,
    /// Contact point (rx, −h) from the centre: rx `[m]`.
    pub contact_x: f64,
    /// h `[m]`.
    pub height: f64,
    /// vx, vz and the rate, counter-clockwise from x towards z `[m/s]`, `[rad/s]`.
    pub before: [f64; 3],
    /// The same afterwards.
    pub after: [f64; 3],
}

/// Every toss of `cube-toss`, by file name. The folder is the data set itself, or one that it lies in.
///
/// # Errors
/// If a file cannot be read or lacks a column.
pub fn cube_tosses(folder: &Path) -> Result<Vec<Toss>, DataError> {
    let tosses = tosses_of(folder, "cube-toss", &TOSS_COLUMNS)?;
    let frames = |rows: Vec<Vec<f64>>| rows.iter().map(|row| toss_frame(row)).collect();
    Ok(tosses.into_iter().map(|(id, rows)| Toss { id, frames: frames(rows) }).collect())
}

/// Every toss of `elbow-toss`, by file name. The folder is the data set itself, or one that it lies in.
///
/// # Errors
/// If a file cannot be read or lacks a column.
pub fn elbow_tosses(folder: &Path) -> Result<Vec<ElbowToss>, DataError> {
    let columns = [&TOSS_COLUMNS[..], &["th", "thdot"]].concat();
    let frame = |row: &Vec<f64>| ElbowFrame {
        link: toss_frame(row),
        hinge: row[TOSS_COLUMNS.len()],
        hinge_rate: row[TOSS_COLUMNS.len() + 1],
    };
    let tosses = tosses_of(folder, "elbow-toss", &columns)?;
    let frames = |rows: Vec<Vec<f64>>| rows.iter().map(frame).collect();
    Ok(tosses.into_iter().map(|(id, rows)| ElbowToss { id, frames: frames(rows) }).collect())
}

/// Of one body that is tossed.
const TOSS_COLUMNS: [&str; 13] =
    ["px", "py", "pz", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wbx", "wby", "wbz"];

/// From the columns above.
fn toss_frame(row: &[f64]) -> TossFrame {
    let three = |at: usize| [row[at], row[at + 1], row[at + 2]];
    TossFrame {
        position: three(0),
        quaternion: [row[3], row[4], row[5], row[6]],
        velocity: three(7),
        body_rates: three(10),
    }
}

/// Numbers of the columns asked for, row by row.
type Rows = Vec<Vec<f64>>;

/// The rows of every toss of a data set, with the name of its file.
fn tosses_of(folder: &Path, set: &str, columns: &[&str]) -> Result<Vec<(String, Rows)>, DataError> {
    let places = [&format!("{set}/tosses"), "tosses", ""].map(|place| folder.join(place));
    let place = places.iter().find(|place| place.is_dir()).unwrap_or(&places[0]);
    let mut tosses = Vec::new();
    for path in files_in(place)? {
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        tosses.push((id, columns_of(&path, columns)?));
    }
    Ok(tosses)
}

/// Impacts of an ellipse, those that are not flagged. The folder is the data set itself, or one that it lies in.
///
/// # Errors
/// If the file cannot be read or lacks a column.
pub fn ellipse_velocities(folder: &Path) -> Result<Vec<PlanarImpact>, DataError> {
    let names = ["id", "rx", "h", "vx0", "vz0", "w0", "vx1", "vz1", "w1", "flagged"];
    planar_impacts(&planar_file(folder, "ellipse.csv"), &names)
}

/// First impacts of a square, those that are neither nearly flat nor suspect. The folder is the data set itself, or one
/// that it lies in.
///
/// # Errors
/// If the file cannot be read or lacks a column.
pub fn square_velocities(folder: &Path) -> Result<Vec<PlanarImpact>, DataError> {
    let names = ["traj", "rx", "h", "vx0", "vz0", "w0", "vx1", "vz1", "w1", "near_flat", "suspect"];
    planar_impacts(&planar_file(folder, "square_first_impacts.csv"), &names)
}

fn planar_file(folder: &Path, name: &str) -> PathBuf {
    let inside = folder.join("planar-impacts").join(name);
    if inside.is_file() { inside } else { folder.join(name) }
}

/// Rows of which all columns after the ninth are zero.
fn planar_impacts(path: &Path, names: &[&str]) -> Result<Vec<PlanarImpact>, DataError> {
    let rows = columns_of(path, names)?;
    let sound = rows.iter().filter(|row| row[9..].iter().all(|flag| *flag == 0.0));
    Ok(sound
        .map(|row| PlanarImpact {
            id: row[0] as u32,
            contact_x: row[1],
            height: row[2],
            before: [row[3], row[4], row[5]],
            after: [row[6], row[7], row[8]],
        })
        .collect())
}

/// The last frame of every toss of `cube-toss`, by file name.
///
/// # Errors
/// If a file cannot be read or lacks a column.
pub fn cube_toss_ends(folder: &Path) -> Result<Vec<TrackedPose>, DataError> {
    let columns = ["px", "py", "pz", "qw", "qx", "qy", "qz", "vx", "vy", "vz"];
    let mut ends = Vec::new();
    for path in files_in(&folder.join("cube-toss/tosses"))? {
        let rows = columns_of(&path, &columns)?;
        let Some(row) = rows.last() else { continue };
        ends.push(TrackedPose {
            position: [row[0], row[1], row[2]],
            quaternion: [row[3], row[4], row[5], row[6]],
            speed: (row[7] * row[7] + row[8] * row[8] + row[9] * row[9]).sqrt(),
        });
    }
    Ok(ends)
}

/// The last frame of every toss of `elbow-toss`: link 1, and the hinge angle `[rad]`. The speed counts the
/// turning of both links at a lever of 0.1 m.
///
/// # Errors
/// If a file cannot be read or lacks a column.
pub fn elbow_toss_ends(folder: &Path) -> Result<Vec<(TrackedPose, f64)>, DataError> {
    let columns = [
        "px", "py", "pz", "qw", "qx", "qy", "qz", "th", "vx", "vy", "vz", "wbx", "wby", "wbz",
        "thdot",
    ];
    let mut ends = Vec::new();
    for path in files_in(&folder.join("elbow-toss/tosses"))? {
        let rows = columns_of(&path, &columns)?;
        let Some(row) = rows.last() else { continue };
        let square = |range: std::ops::Range<usize>| row[range].iter().map(|x| x * x).sum::<f64>();
        let pose = TrackedPose {
            position: [row[0], row[1], row[2]],
            quaternion: [row[3], row[4], row[5], row[6]],
            speed: (square(8..11) + 0.01 * square(11..15)).sqrt(),
        };
        ends.push((pose, row[7]));
    }
    Ok(ends)
}

/// Every impact of `planar-impacts/ellipse.csv` that its source does not flag.
///
/// # Errors
/// If the file cannot be read or lacks a column.
pub fn ellipse_impacts(folder: &Path) -> Result<Vec<EllipseImpact>, DataError> {
    let path = folder.join("planar-impacts/ellipse.csv");
    let rows = columns_of(&path, &["rx", "h", "flagged"])?;
    let sound = rows.iter().filter(|row| row[2] == 0.0);
    Ok(sound.map(|row| EllipseImpact { contact_x: row[0], height: row[1] }).collect())
}

/// The last two frames of every drop of `planar-impacts/square`.
///
/// # Errors
/// If a file cannot be read or lacks a column.
pub fn square_drop_ends(folder: &Path) -> Result<Vec<[PlanarPose; 2]>, DataError> {
    let mut ends = Vec::new();
    for path in files_in(&folder.join("planar-impacts/square"))? {
        let rows = columns_of(&path, &["z", "phi"])?;
        if let [.., before, last] = rows.as_slice() {
            ends.push([before, last].map(|row| PlanarPose { z: row[0], angle: row[1] }));
        }
    }
    Ok(ends)
}

/// All `.csv` files of a folder in order of their names.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
    let io = |source| DataError::Io { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == "csv") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The named columns of a table with a header line, row by row.
fn columns_of(path: &Path, names: &[&str]) -> Result<Vec<Vec<f64>>, DataError> {
    parse_columns(&read_text(path)?, names).map_err(|message| malformed(path, &message))
}

fn parse_columns(text: &str, names: &[&str]) -> Result<Vec<Vec<f64>>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let find = |name: &&str| {
        header
            .iter()
            .position(|column| column == *name)
            .ok_or(format!("there is no column '{name}'"))
    };
    let wanted: Vec<usize> = names.iter().map(find).collect::<Result<_, _>>()?;
    let mut rows = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        let number = |&column: &usize| {
            let text = record.get(column).unwrap_or_default();
            let value: Option<f64> = text.parse().ok().filter(|value: &f64| value.is_finite());
            value.ok_or(format!("row {}: '{text}' is not a finite number", row + 1))
        };
        rows.push(wanted.iter().map(number).collect::<Result<_, _>>()?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let rows = parse_columns("k, b ,a\n0,1.5,2\n1,-1e3,4\n", &["a", "b"]).unwrap();
        assert_eq!(rows, vec![vec![2.0, 1.5], vec![4.0, -1000.0]]);
    }

    #[test]
    fn a_missing_column_and_a_bad_number_are_named() {
        assert_eq!(parse_columns("a\n1\n", &["z"]).unwrap_err(), "there is no column 'z'");
        let error = parse_columns("a\n1\nNaN\n", &["a"]).unwrap_err();
        assert_eq!(error, "row 2: 'NaN' is not a finite number");
    }
}
