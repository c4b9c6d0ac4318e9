use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
use ::parquet::record::{Field, Row};
use carom::{Body, Fault, History, Observers};
use carom_geometry::Shape;
use carom_geometry::shapes::Ball;

use super::*;
use crate::testing::{
    SmallDisk, bits, busy_world, collisions_of, first_contact, landing_world, passing_world,
};

/// A folder that is removed when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-record-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// A table as texts, for both formats.
type Cells = Vec<Vec<String>>;

fn csv_cells(path: &Path) -> Cells {
    let mut reader = ::csv::Reader::from_path(path).unwrap();
    let cell = |text: &str| match text.parse::<f64>() {
        Ok(number) => format!("{number:?}"),
        Err(_) => text.to_owned(),
    };
    reader.records().map(|row| row.unwrap().iter().map(cell).collect()).collect()
}

fn parquet_rows(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().collect::<Result<_, _>>().unwrap()
}

fn parquet_cells(path: &Path) -> Cells {
    let cell = |field: &Field| match field {
        Field::Null => String::new(),
        Field::Double(number) => format!("{number:?}"),
        Field::Str(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    let row = |row: &Row| row.get_column_iter().map(|(_, field)| cell(field)).collect();
    parquet_rows(path).iter().map(row).collect()
}

fn expected_rows() -> Cells {
    let mut world = busy_world();
    let mut rows = Vec::new();
    for n in 0..=100 {
        let time = f64::from(n) / 100.0;
        world.advance_to(time).unwrap();
        for body in world.bodies() {
            let state = body.state().unwrap();
            let mut row = vec![format!("{time:?}"), body.name().to_owned()];
            row.extend(numbers_of_state(&state).map(|number| format!("{number:?}")));
            let mass = body.mass().filter(|_| body.is_free());
            let kinetic = mass.map(|mass| mass.kinetic_energy(&state));
            let potential = mass.map(|mass| -mass.mass * world.gravity().dot(state.position));
            let text = |number: Option<f64>| number.map_or(String::new(), |it| format!("{it:?}"));
            row.extend([text(kinetic), text(potential)]);
            rows.push(row);
        }
    }
    rows
}

#[test]
fn both_formats_hold_every_state_to_the_bit() {
    let folder = Folder::new("both");
    let (csv, parquet) = (folder.0.join("run.csv"), folder.0.join("run.parquet"));
    let options = Options::at(100.0);
    let mut text = CsvTables::create(&csv, &options).unwrap();
    let mut binary = ParquetTables::create(&parquet, &options).unwrap();
    let mut world = busy_world();
    let mut observers = Observers::none().with(&mut text).with(&mut binary);
    world.advance_watched(1.0, &mut observers).unwrap();
    text.finish(&world).unwrap();
    binary.finish(&world).unwrap();
    let expected = expected_rows();
    assert_eq!(csv_cells(&csv), expected);
    assert_eq!(parquet_cells(&parquet), expected);
    let events = csv_cells(&folder.0.join("run.events.csv"));
    assert_eq!(parquet_cells(&folder.0.join("run.events.parquet")), events);
    let kinds: Vec<&str> = events.iter().map(|row| row[1].as_str()).collect();
    let expected =
        ["added", "added", "added", "added", "impulse", "removed", "added", "gravity", "touch"];
    assert_eq!(kinds, expected);
    assert_eq!(events[1][3], "box, \"big\"");
    assert!(events[4][4].contains("linear_N_s"), "{}", events[4][4]);
    assert!(events[0][5].is_empty() && !events[0][18].is_empty(), "added: no state before");
    assert!(events[..8].iter().all(|row| row[31..].iter().all(String::is_empty)), "nobody else");
    assert_eq!([&*events[8][3], &*events[8][31]], ["floor", "box, \"big\""]);
}

#[test]
fn touches_and_sensors_have_columns_of_their_own_in_both_formats() {
    let folder = Folder::new("touches");
    let (csv, parquet) = (folder.0.join("run.csv"), folder.0.join("run.parquet"));
    let options = Options::at(10.0);
    let mut text = CsvTables::create(&csv, &options).unwrap();
    let mut binary = ParquetTables::create(&parquet, &options).unwrap();
    let (mut world, mut history) = (passing_world(), History::of_all());
    let mut observers = Observers::none().with(&mut text).with(&mut binary).with(&mut history);
    world.advance_watched(2.0, &mut observers).unwrap();
    text.finish(&world).unwrap();
    binary.finish(&world).unwrap();
    let events = csv_cells(&folder.0.join("run.events.csv"));
    assert_eq!(parquet_cells(&folder.0.join("run.events.parquet")), events);
    let row = |kind: &str| events.iter().find(|row| row[1] == kind).unwrap();
    let columns: Vec<&str> = EVENTS.iter().map(|column| column.name.as_ref()).collect();
    let cell = |kind: &str, name: &str| {
        let place = columns.iter().position(|column| *column == name).unwrap();
        row(kind)[place].clone()
    };
    for (kind, other) in [("touch", "floor"), ("entered", "gate"), ("left", "gate")] {
        assert_eq!(cell(kind, "phase"), "check");
        assert_eq!([cell(kind, "body"), cell(kind, "other")], ["ball", other], "{kind}");
        assert_eq!(cell(kind, "before_x_m"), "");
    }
    let contact = first_contact(&history);
    let numbers = ["point_x_m", "point_z_m", "normal_z", "distance_m", "speed_m_s"];
    let expected =
        [contact.point.x, contact.point.z, contact.normal.z, contact.distance, contact.speed];
    for (name, expected) in numbers.into_iter().zip(expected) {
        assert_eq!(cell("touch", name), format!("{expected:?}"), "{name}");
        assert_eq!(cell("entered", name), "", "{name}");
    }
    assert_eq!(cell("touch", "feature"), "the surface");
    assert_eq!(cell("touch", "other_feature"), "the plane");
}

#[test]
fn collisions_have_a_table_of_their_own_in_both_formats() {
    let folder = Folder::new("contacts");
    let (csv, parquet) = (folder.0.join("run.csv"), folder.0.join("run.parquet"));
    let options = Options::at(10.0);
    let mut text = CsvTables::create(&csv, &options).unwrap();
    let mut binary = ParquetTables::create(&parquet, &options).unwrap();
    let mut world = landing_world();
    let mut observers = Observers::none().with(&mut text).with(&mut binary);
    world.advance_watched(0.5, &mut observers).unwrap();
    text.finish(&world).unwrap();
    binary.finish(&world).unwrap();
    let contacts = csv_cells(&folder.0.join("run.contacts.csv"));
    assert_eq!(parquet_cells(&folder.0.join("run.contacts.parquet")), contacts);
    let events = csv_cells(&folder.0.join("run.events.csv"));
    assert!(events.iter().all(|row| row[1] != "collision"));
    let told = collisions_of(landing_world(), 0.5);
    assert_eq!(contacts.len(), told.len());
    for (row, (time, collision)) in contacts.iter().zip(&told) {
        assert_eq!(row[1..4], ["floor", "cube", collision.kind.name()]);
        let expected = [
            (0, *time),
            (4, collision.share),
            (5, 0.0),
            (9, collision.contact.point.z),
            (12, collision.contact.normal.z),
            (15, collision.before.z),
            (18, collision.after.z),
            (21, collision.impulse.z),
            (22, collision.normal_work),
            (23, collision.friction_work),
            (24, collision.boost),
            (25, collision.driven_work),
        ];
        for (place, number) in expected {
            assert_eq!(row[place], format!("{number:?}"), "{}", CONTACTS[place].name);
        }
    }
}

#[test]
fn doubles_of_every_size_survive_both_formats() {
    const COLUMNS: [Column; 2] = [number("a"), perhaps("b")];
    let folder = Folder::new("doubles");
    let numbers = [0.0, -0.0, 5e-324, 1e-300, 0.1 + 0.2, 1e22, 1e23, f64::MAX, f64::EPSILON];
    for n in 0..2 {
        let path = folder.0.join(if n == 0 { "x.csv" } else { "x.parquet" });
        let file = File::create(&path).unwrap();
        let fill = |table: &mut dyn FnMut(f64)| numbers.iter().for_each(|&it| table(it));
        if n == 0 {
            let mut table = CsvTable::new(file, &path, &COLUMNS).unwrap();
            fill(&mut |it| row(&mut table, it));
            table.close().unwrap();
        } else {
            let mut table = ParquetTable::new(file, &path, &COLUMNS).unwrap();
            fill(&mut |it| row(&mut table, it));
            table.close().unwrap();
        }
        let cells = if n == 0 { csv_cells(&path) } else { parquet_cells(&path) };
        for (cells, number) in cells.iter().zip(numbers) {
            for cell in cells {
                let read: f64 = cell.parse().unwrap();
                assert_eq!(read.to_bits(), number.to_bits(), "{cell} instead of {number:?}");
            }
        }
        assert_eq!(cells.len(), numbers.len());
    }
}

fn row<T: Table>(table: &mut T, number: f64) {
    table.number(Some(number));
    table.number(Some(number));
    table.end_row().unwrap();
}

#[test]
fn more_rows_than_a_group_holds_are_all_there() {
    let folder = Folder::new("groups");
    let path = folder.0.join("run.parquet");
    let mut world = World::builder().build().unwrap();
    for i in 0..1000 {
        let ball = Shape::Ball(Ball::new(0.1).unwrap());
        world.add(Body::free(ball).named(format!("ball {i}")).ghost()).unwrap();
    }
    let options = Options { events: false, ..Options::at(100.0) };
    let mut tables = ParquetTables::create(&path, &options).unwrap();
    world.advance_watched(2.0, &mut Observers::none().with(&mut tables)).unwrap();
    tables.finish(&world).unwrap();
    assert!(!folder.0.join("run.events.parquet").exists());
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    assert_eq!(reader.metadata().num_row_groups(), 2);
    assert_eq!(reader.metadata().file_metadata().num_rows(), 201_000);
    let last = parquet_rows(&path).pop().unwrap();
    let z = world.state(world.find("ball 999").unwrap()).unwrap();
    let read = last.get_column_iter().nth(4).map(|(_, field)| field.clone());
    assert_eq!(read, Some(Field::Double(z.position.z)));
    assert_eq!(bits(&z), bits(&world.state(world.find("ball 0").unwrap()).unwrap()));
}

#[test]
fn tables_of_a_run_that_was_given_up_can_be_read() {
    let folder = Folder::new("given-up");
    let (csv, parquet) = (folder.0.join("run.csv"), folder.0.join("run.parquet"));
    let options = Options::at(100.0);
    let mut text = CsvTables::create(&csv, &options).unwrap();
    let mut binary = ParquetTables::create(&parquet, &options).unwrap();
    let mut observers = Observers::none().with(&mut text).with(&mut binary);
    busy_world().advance_watched(0.3, &mut observers).unwrap();
    drop((text, binary));
    assert_eq!(csv_cells(&csv).len(), 30 * 4);
    assert_eq!(parquet_cells(&parquet), csv_cells(&csv));
}

fn run_on<T: Table>(disk: &SmallDisk) -> Result<(), String> {
    let states =
        T::new(disk.clone(), Path::new("out/run"), &STATES).map_err(|it| it.to_string())?;
    let watch = Watch::new(&Options::at(1000.0)).unwrap();
    let mut tables = Tables { watch, all: All { states, events: None } };
    let mut world = busy_world();
    match world.advance_watched(1.0, &mut Observers::none().with(&mut tables)) {
        Err(fault @ Fault::Observer { .. }) => return Err(fault.to_string()),
        other => other.unwrap(),
    }
    tables.finish(&world).map_err(|error| error.to_string())
}

#[test]
fn a_full_disk_is_told_with_the_name_of_the_file() {
    for size in [0, 3, 1000, 100_000, 300_000] {
        for run in [run_on::<CsvTable>, run_on::<ParquetTable>] {
            let message = run(&SmallDisk::of(size)).unwrap_err();
            assert!(message.contains("out/run"), "{size}: {message}");
        }
    }
    let disk = SmallDisk::of(300_000);
    run_on::<CsvTable>(&disk).unwrap_err();
    let text = String::from_utf8(disk.bytes()).unwrap();
    let lines = text.lines().filter(|line| line.split(',').count() >= STATES.len()).count();
    assert!(lines > 900, "{lines} whole lines");
}

#[test]
fn a_table_in_text_is_on_the_disk_in_whole_lines() {
    let disk = SmallDisk::of(usize::MAX);
    let states = CsvTable::new(disk.clone(), Path::new("run"), &STATES).unwrap();
    let watch = Watch::new(&Options::at(1000.0)).unwrap();
    let mut tables = Tables { watch, all: All { states, events: None } };
    let mut world = busy_world();
    let mut sizes = Vec::new();
    for n in 1..200 {
        let time = f64::from(n) / 100.0;
        world.advance_watched(time, &mut Observers::none().with(&mut tables)).unwrap();
        let bytes = disk.bytes();
        assert!(bytes.last().is_none_or(|&byte| byte == b'\n'));
        sizes.push(bytes.len());
    }
    sizes.dedup();
    assert!(sizes.len() > 10, "it grows while the run goes on");
}

#[test]
fn the_events_of_a_table_lie_beside_it() {
    assert_eq!(events_path(Path::new("a.b/run.csv")), Path::new("a.b/run.events.csv"));
    assert_eq!(events_path(Path::new("x.y.parquet")), Path::new("x.y.events.parquet"));
}

#[test]
fn names_of_numbers_are_the_columns_that_are_no_texts() {
    let numbers = |columns: &[Column]| -> Vec<String> {
        let number = |column: &&Column| !matches!(column.kind, Kind::Text | Kind::OptionalText);
        columns.iter().filter(number).map(|column| column.name.to_string()).collect()
    };
    assert_eq!(numbers(&STATES), STATE_NAMES);
    assert_eq!(numbers(&CONTACTS), CONTACT_NAMES);
}
