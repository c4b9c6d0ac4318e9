//! From a film to pictures.

use glam::{DVec2, DVec3};
use rayon::prelude::*;

use crate::camera::{Camera, View};
use crate::color;
use crate::film::{Actor, Film, Frame, Role};
use crate::fit::Content;
use crate::form::Surface;
use crate::ground::{Grid, length_text, round_length};
use crate::hidden::walls;
use crate::image::Image;
use crate::light::Lights;
use crate::overlay::{Arrows, Ink, dot, text_width, trail};
use crate::raster::{TILE, Tile};
use crate::shade::Shading;
use crate::stage::{Finish, GLASS, SEE_THROUGH, SOLID, Stage};

/// What pictures shall be like.
#[derive(Clone, Debug)]
pub struct PictureOptions {
    /// Width and height of a picture, or of each panel of a sheet `[px]`.
    pub size: [u32; 2],
    /// The camera; none for one that has in frame what matters.
    pub camera: Option<Camera>,
    /// Up; against gravity.
    pub up: DVec3,
    /// The frames that will be drawn, over which a camera is chosen; all if none are named. The others only make trails.
    pub frames: Option<Vec<usize>>,
    /// Whether bodies draw a line behind them.
    pub trails: bool,
    /// Whether contact points and impulses are drawn.
    pub touches: bool,
    /// How many threads may work; the pictures are the same.
    pub threads: usize,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            size: [640, 480],
            camera: None,
            up: DVec3::Z,
            frames: None,
            trails: false,
            touches: false,
            threads: 1,
        }
    }
}

/// Pieces around a full turn of what casts a shadow.
const SHADOW_TURNS: usize = 64;

/// Draws pictures of a film.
#[derive(Debug)]
pub struct Projector<'a> {
    film: &'a Film,
    options: PictureOptions,
    view: View,
    camera: Camera,
    content: Content,
    /// Of each actor, as fine as it is seen from nearest.
    surfaces: Vec<Surface>,
    /// Of each actor that casts a shadow.
    casters: Vec<Option<Surface>>,
    /// Of each actor, whether it is seen through because it hides what moves.
    walls: Vec<bool>,
    grid: Grid,
    arrows: Arrows,
    pool: Option<rayon::ThreadPool>,
}

impl<'a> Projector<'a> {
    /// Chooses a camera and makes ready.
    pub fn new(film: &'a Film, options: &PictureOptions) -> Self {
        let size = options.size.map(|length| length.clamp(16, 16_384));
        let options = PictureOptions { size, ..options.clone() };
        let frames = drawn_frames(film, &options);
        let content = content(film, &options, &frames);
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let camera = options.camera.unwrap_or_else(|| content.camera(aspect));
        let view = View::new(&camera, size);
        let turns: Vec<usize> =
            (0..film.actors.len()).map(|index| turns(film, index, &frames, &view)).collect();
        let surfaces = film.actors.iter().zip(&turns).map(|(actor, it)| actor.form.surface(*it));
        let (casters, walls) = casters_and_walls(film, &frames, &view, &turns, &content);
        let height = view.pixel() * f64::from(size[1]);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.max(1)).build().ok();
        Self {
            film,
            view,
            camera,
            surfaces: surfaces.collect(),
            casters,
            walls,
            grid: Grid::new(height, view.pixel(), content.up),
            arrows: Arrows::of(film, &frames),
            content,
            options,
            pool,
        }
    }

    /// The camera that is used.
    pub const fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Where a point of the world is in the picture, from the left and from the top; none behind the camera `[px]`.
    pub fn place(&self, point: DVec3) -> Option<[f64; 2]> {
        self.view.project(point).map(|it| [it.x, it.y])
    }

    /// The names of bodies that move and are there in a frame, but whose middle is not in the picture.
    pub fn out_of_frame(&self, frame: usize) -> Vec<&'a str> {
        let [width, height] = self.options.size.map(f64::from);
        let Some(frame) = self.film.frames.get(frame) else { return Vec::new() };
        let is_out = |(number, actor): &(usize, &Actor)| {
            let Some(pose) = frame.pose(*number) else { return false };
            let place = self.place(pose.point(actor.center));
            let is_in =
                |[x, y]: [f64; 2]| (0.0..=width).contains(&x) && (0.0..=height).contains(&y);
            actor.role != Role::Fixed && actor.bounds.is_some() && !place.is_some_and(is_in)
        };
        let all = self.film.actors.iter().enumerate();
        all.filter(is_out).map(|(_, actor)| actor.name.as_str()).collect()
    }

    pub(crate) const fn size(&self) -> [u32; 2] {
        self.options.size
    }

    /// Runs something on the threads that may work.
    pub(crate) fn on_threads<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// How many pictures are worth drawing at a time.
    pub(crate) fn batch(&self) -> usize {
        2 * self.options.threads.max(1)
    }

    /// A picture of a frame with a title, a time and a scale; of a frame that is not there, an empty one.
    pub fn still(&self, frame: usize, title: &str) -> Image {
        self.on_threads(|| self.draw(frame, title))
    }

    pub(crate) fn draw(&self, index: usize, title: &str) -> Image {
        let mut image = Image::filled(self.options.size, [0xee; 3]);
        let Some(frame) = self.film.frames.get(index) else { return image };
        let stage = self.stage(index, frame);
        let lights = Lights::new(&self.view, self.content.up, &self.shadows(frame));
        let far = self.view.distance;
        let (grid, up) = (&self.grid, self.content.up);
        let shading =
            Shading { stage: &stage, lights: &lights, grid, up, fade: [2.0 * far, 7.0 * far] };
        render(&stage, &shading, &mut image);
        if self.options.touches {
            self.arrows.draw(&mut image, self.film, frame, &self.view);
        }
        self.caption(&mut image, frame, shading.has_grid(), title);
        image
    }

    fn stage(&self, index: usize, frame: &Frame) -> Stage {
        let mut stage = Stage::new(self.view, self.options.size);
        for (number, actor) in self.film.actors.iter().enumerate() {
            let Some(pose) = frame.pose(number) else { continue };
            let is_ground = self.content.is_ground[number];
            let finish = if is_ground { Finish::Ground } else { Finish::Body };
            let paint = stage.paint(actor.color, finish);
            for plane in actor.form.planes() {
                stage.add_plane(plane.placed(pose), paint);
            }
            let mut placed = Surface::default();
            placed.append(&self.surfaces[number], pose);
            let mask = match (actor.see_through, self.walls[number]) {
                (_, true) => GLASS,
                (true, false) => SEE_THROUGH,
                (false, false) => SOLID,
            };
            stage.add(&placed, paint, mask);
        }
        self.add_dots(&mut stage, frame);
        if self.options.trails {
            self.add_trails(&mut stage, index);
        }
        stage
    }

    fn add_trails(&self, stage: &mut Stage, index: usize) {
        for (number, actor) in self.film.actors.iter().enumerate() {
            // Whoever has been taken away takes the trail along.
            let is_gone = self.film.frames[index].pose(number).is_none();
            if actor.role == Role::Fixed || actor.bounds.is_none() || is_gone {
                continue;
            }
            let before = &self.film.frames[..=index];
            let at = |frame: &Frame| frame.pose(number).map(|pose| pose.point(actor.center));
            let points: Vec<DVec3> = before.iter().filter_map(at).collect();
            let paint = stage.paint(actor.color * 0.8, Finish::Mark);
            stage.add(&trail(&points, &self.view), paint, SOLID);
        }
    }

    /// A dot for each body that moves and is too small to be seen, where it is.
    fn add_dots(&self, stage: &mut Stage, frame: &Frame) {
        let least = (f64::from(self.options.size[1]) / 200.0).max(1.6);
        for (number, actor) in self.film.actors.iter().enumerate() {
            let (Some(bounds), Some(pose)) = (actor.bounds, frame.pose(number)) else { continue };
            let center = pose.point(actor.center);
            let Some(at) = self.view.project(center) else { continue };
            let radius = 0.5 * bounds.diagonal() * self.view.focal * at.inverse;
            if actor.role == Role::Fixed || radius >= least {
                continue;
            }
            let paint = stage.paint(actor.color, Finish::Mark);
            stage.add(&dot(center, least, &self.view), paint, SOLID);
        }
    }

    /// What casts shadows into the picture.
    fn shadows(&self, frame: &Frame) -> Vec<Surface> {
        let [width, height] = self.options.size.map(f64::from);
        let reach = 1.5 * self.view.pixel() * width.max(height);
        let mut shadows = Vec::new();
        for (number, caster) in self.casters.iter().enumerate() {
            let (Some(caster), Some(pose)) = (caster, frame.pose(number)) else { continue };
            let radius = self.film.actors[number].bounds.map_or(0.0, |it| 0.5 * it.diagonal());
            let place = self.view.seen(pose.translation);
            let aside = DVec2::new(place.x, place.y).length();
            let is_near = (place.z - self.view.distance).abs() < 2.0 * reach + radius;
            if is_near && aside < reach + radius {
                let mut placed = Surface::default();
                placed.append(caster, pose);
                shadows.push(placed);
            }
        }
        shadows
    }

    /// Title above, time and scale below.
    fn caption(&self, image: &mut Image, frame: &Frame, has_grid: bool, title: &str) {
        let [width, height] = image.size().map(f64::from);
        let size = (height / 40.0).clamp(7.0, 30.0);
        let edge = 1.5 * size;
        let mut write = |text: &str, x: f64, y: f64, size: f64| {
            Ink::text(text, DVec2::new(x, y), size).onto_readable(image);
        };
        if !title.is_empty() {
            let size = 1.1 * size;
            let fitted = shortened(title, width - 2.0 * edge, size);
            write(&fitted, edge, edge + size, size);
        }
        write(&time_text(frame.time), edge, height - edge, size);
        let scale = if has_grid {
            format!("grid {}", length_text(self.grid.spacing))
        } else {
            let (length, _) = round_length(self.view.pixel() * height / 6.0);
            self.bar(image, length, edge, size);
            length_text(length)
        };
        let mut write = |text: &str, right: f64, y: f64| {
            let x = width - right - text_width(text, size);
            Ink::text(text, DVec2::new(x, y), size).onto_readable(image);
        };
        write(&scale, edge, height - edge);
        if let Some(legend) = self.arrows.legend().filter(|_| self.options.touches) {
            // The bar is above its length.
            let lines = if has_grid { 1.0 } else { 1.6 };
            write(&legend, edge, height - edge - 1.9 * lines * size);
        }
    }

    /// A bar as long as a length at what the camera looks at, where there is no ground for a grid.
    fn bar(&self, image: &mut Image, length: f64, edge: f64, size: f64) {
        let [width, height] = image.size().map(f64::from);
        let (right, y) = (width - edge, height - edge - 2.0 * size);
        let left = right - length / self.view.pixel();
        let tick = DVec2::new(0.0, 0.35 * size);
        let [a, b] = [DVec2::new(left, y), DVec2::new(right, y)];
        let lines = vec![vec![a, b], vec![a - tick, a + tick], vec![b - tick, b + tick]];
        Ink::lines(&lines, (0.12 * size).max(1.2), 0.17 * size).onto_readable(image);
    }
}

/// The frames that will be drawn, as far as they are there.
fn drawn_frames(film: &Film, options: &PictureOptions) -> Vec<usize> {
    let all = || (0..film.frames.len()).collect();
    let mut frames: Vec<usize> = options.frames.clone().unwrap_or_else(all);
    frames.retain(|&index| index < film.frames.len());
    frames
}

/// What has to be in frame: trails, too.
fn content(film: &Film, options: &PictureOptions, frames: &[usize]) -> Content {
    if !options.trails {
        return Content::of(film, frames, options.up);
    }
    let fitted: Vec<usize> = (0..=frames.last().copied().unwrap_or(0)).collect();
    Content::of(film, &fitted, options.up)
}

/// Of each actor what casts its shadow, and whether it is a wall that one sees through.
fn casters_and_walls(
    film: &Film,
    frames: &[usize],
    view: &View,
    turns: &[usize],
    content: &Content,
) -> (Vec<Option<Surface>>, Vec<bool>) {
    let caster = |(actor, turns): (&Actor, &usize)| {
        let casts = actor.bounds.is_some() && !actor.see_through;
        // As fine as what is seen at most: coarser ones lie inside, and surfaces do not shade themselves.
        casts.then(|| actor.form.surface((*turns).min(SHADOW_TURNS)))
    };
    let mut casters: Vec<Option<Surface>> = film.actors.iter().zip(turns).map(caster).collect();
    let walls = walls(film, frames, view, &casters);
    // Where a wall has to be glass, what moves is in a room, and light comes through all walls.
    let is_room = walls.iter().any(|is_wall| *is_wall);
    for (index, caster) in casters.iter_mut().enumerate() {
        let is_wall = is_room && film.actors[index].role == Role::Fixed;
        if is_wall || content.is_ground[index] {
            *caster = None;
        }
    }
    (casters, walls)
}

/// Pieces around a full turn so that chords cannot be told from curves, where an actor is seen from nearest.
fn turns(film: &Film, actor: usize, frames: &[usize], view: &View) -> usize {
    let Some(bounds) = film.actors[actor].bounds else { return 8 };
    let radius = 0.5 * bounds.diagonal();
    let poses = frames.iter().filter_map(|&index| film.frames[index].pose(actor));
    let depths = poses.map(|pose| view.seen(pose.point(bounds.center())).z - radius);
    let nearest = depths.fold(f64::INFINITY, f64::min).max(view.near);
    let pixels = radius * view.focal / nearest;
    // A chord of n to a turn is off by r·π²/2n²; a tenth of a pixel is enough.
    let needed = (4.93 * 10.0 * pixels).max(0.0).sqrt();
    ((needed / 8.0).ceil() as usize * 8).clamp(16, 160)
}

/// Draws all tiles.
fn render(stage: &Stage, shading: &Shading<'_>, image: &mut Image) {
    let [columns, rows] = stage.tiles();
    let [width, height] = stage.size;
    let bins = stage.binned();
    let place = |index: usize| {
        let (column, row) = (index as u32 % columns, index as u32 / columns);
        let (left, top) = (column * TILE, row * TILE);
        [left, top, TILE.min(width - left), TILE.min(height - top)]
    };
    let tiles: Vec<Vec<[u8; 3]>> = (0..(columns * rows) as usize)
        .into_par_iter()
        .map(|index| shading.tile(&Tile::of(stage, &bins[index], place(index))))
        .collect();
    for (index, colors) in tiles.iter().enumerate() {
        let [left, top, tile_width, tile_height] = place(index);
        for y in 0..tile_height {
            let from = (y * tile_width) as usize;
            let row = &colors[from..from + tile_width as usize];
            image.row_mut(top + y)[left as usize..(left + tile_width) as usize]
                .copy_from_slice(row);
        }
    }
}

/// A time as people read it: to milliseconds, or finer where a round number was asked for.
pub(crate) fn time_text(time: f64) -> String {
    let is_told_by = |digits: &usize| {
        let unit = libm::exp10(*digits as f64);
        ((time * unit).round() / unit - time).abs() < 1e-9
    };
    let digits = (3..=5).find(is_told_by).unwrap_or(3);
    format!("t = {time:.digits$} s")
}

/// As much of a text as fits into a width.
pub(crate) fn shortened(text: &str, width: f64, size: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while !kept.is_empty() {
        kept.pop();
        let shown: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
        if text_width(&shown, size) <= width {
            return shown;
        }
    }
    String::new()
}

/// The background of sheets, and of strips around pictures.
pub(crate) fn paper() -> [u8; 3] {
    color::srgb(DVec3::splat(0.94))
}

#[cfg(test)]
mod tests {
    use super::time_text;

    #[test]
    fn a_time_has_the_digits_that_were_asked_for() {
        assert_eq!(time_text(0.0063), "t = 0.0063 s");
        assert_eq!(time_text(0.5), "t = 0.500 s");
        // Frames of an animation do not flicker.
        assert_eq!(time_text(1.0 / 30.0), "t = 0.033 s");
    }
}
