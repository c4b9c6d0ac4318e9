//! Sheets and files: panels, frames and durations.

use std::fs::File;
use std::path::PathBuf;

use super::{falling_ball, is_red};
use crate::error::PictureError;
use crate::output::{Animation, Sheet, ffmpeg_arguments, write_gif, write_mp4, write_png};
use crate::projector::{PictureOptions, Projector};

/// A file of its own, gone when the test is over.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let name = format!("carom-picture-{}-{name}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

fn small(threads: usize) -> PictureOptions {
    PictureOptions { size: [160, 120], threads, ..PictureOptions::default() }
}

fn animation(frames: usize) -> Animation {
    Animation { frames: (0..frames).collect(), fps: 30.0, title: "Falling".to_owned() }
}

#[test]
fn a_png_comes_back_as_it_was() {
    let film = falling_ball(0.5, [0.0]);
    let image = Projector::new(&film, &small(1)).still(0, "A ball");
    let file = Temporary::new("still.png");
    write_png(&image, &file.0).unwrap();
    let decoder = png::Decoder::new(std::io::BufReader::new(File::open(&file.0).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!([info.width, info.height], image.size());
    assert_eq!(bytes, image.bytes());
}

#[test]
fn a_sheet_has_all_its_panels_with_the_ball_lower_in_each() {
    let film = falling_ball(1.0, (0..6).map(|n| f64::from(n) * 0.08));
    let projector = Projector::new(&film, &small(2));
    let frames: Vec<usize> = (0..6).collect();
    let columns = Sheet::columns_for(frames.len());
    let sheet = Sheet { frames, columns, title: "Falling".to_owned() };
    assert_eq!(sheet.columns, 3);
    let image = sheet.image(&projector, &mut |_, _| true).expect("nobody stops it");
    let mut last = 0.0;
    let panels = sheet.panels(&projector);
    assert_eq!(panels.len(), 6);
    for [left, top, width, height] in panels {
        let (mut sum, mut count) = (0.0, 0.0);
        for y in 0..height {
            for x in 0..width {
                if is_red(image.pixel(left + x, top + y).unwrap()) {
                    sum += f64::from(y);
                    count += 1.0;
                }
            }
        }
        assert!(count > 20.0, "no ball in the panel at {left}, {top}");
        assert!(sum / count > last, "the ball does not fall");
        last = sum / count;
    }
    assert_eq!([1, 2, 4, 6, 9].map(Sheet::columns_for), [1, 2, 2, 3, 3]);
}

#[test]
fn a_gif_has_its_frames_and_durations_and_the_same_bytes_on_any_threads() {
    let film = falling_ball(1.0, (0..9).map(|n| f64::from(n) / 30.0));
    let write = |threads: usize| {
        let file = Temporary::new(&format!("film-{threads}.gif"));
        let projector = Projector::new(&film, &small(threads));
        write_gif(&projector, &animation(9), &file.0, &mut |_, _| true).unwrap();
        std::fs::read(&file.0).unwrap()
    };
    let bytes = write(1);
    assert!(write(2) == bytes, "two threads");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(&*bytes).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (160, 120));
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!(delays.len(), 9);
    assert_eq!(delays.iter().sum::<u16>(), 30, "nine frames at 30 a second take 0.3 s");
}

#[test]
fn whoever_does_not_go_on_gets_no_film() {
    let film = falling_ball(1.0, [0.0, 0.1]);
    let projector = Projector::new(&film, &small(1));
    let file = Temporary::new("stopped.gif");
    let stopped = write_gif(&projector, &animation(2), &file.0, &mut |_, _| false);
    assert!(matches!(stopped, Err(PictureError::Interrupted { pictures: 0 })));
    assert!(!file.0.exists(), "a file without a picture is left");
    let sheet = Sheet { frames: vec![0, 1], columns: 2, title: String::new() };
    let stopped = sheet.image(&projector, &mut |_, _| false);
    assert!(matches!(stopped, Err(PictureError::Interrupted { pictures: 0 })));
    let nothing = write_gif(&projector, &animation(0), &file.0, &mut |_, _| true);
    assert!(matches!(nothing, Err(PictureError::NoFrames)));
}

#[test]
fn an_animation_that_is_interrupted_is_a_whole_file_of_what_was_drawn() {
    let film = falling_ball(1.0, (0..9).map(|n| f64::from(n) / 30.0));
    let projector = Projector::new(&film, &small(1));
    let file = Temporary::new("broken-off.gif");
    let stopped = write_gif(&projector, &animation(9), &file.0, &mut |done, _| done < 4);
    let Err(PictureError::Interrupted { pictures }) = stopped else { panic!("{stopped:?}") };
    let bytes = std::fs::read(&file.0).unwrap();
    assert_eq!(bytes.last(), Some(&0x3b), "the mark at the end of a GIF is missing");
    let mut decoder = gif::DecodeOptions::new().read_info(&*bytes).unwrap();
    let mut count = 0;
    while decoder.read_next_frame().unwrap().is_some() {
        count += 1;
    }
    assert_eq!((count, pictures), (4, 4));
}

#[test]
fn ffmpeg_is_told_size_and_rate_and_missed_with_advice() {
    let words = ffmpeg_arguments([641, 480], 30.0, "x.mp4".as_ref()).join(" ");
    for part in ["-s 641x480", "-r 30", "crop=640:480:0:0", "x.mp4"] {
        assert!(words.contains(part), "{part} is missing in {words}");
    }
    let film = falling_ball(1.0, [0.0]);
    let projector = Projector::new(&film, &small(1));
    let file = Temporary::new("none.mp4");
    let program = "no-such-program-as-ffmpeg".as_ref();
    let error = write_mp4(&projector, &animation(1), &file.0, program, &mut |_, _| true);
    let text = error.unwrap_err().to_string();
    assert!(text.contains("hint:") && text.contains(".gif"), "{text}");
}
