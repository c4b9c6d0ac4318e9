//! Pictures in memory.

/// Rows of pixels from the top, each red, green and blue in sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    size: [u32; 2],
    pixels: Vec<[u8; 3]>,
}

impl Image {
    /// All of one colour.
    pub fn filled(size: [u32; 2], color: [u8; 3]) -> Self {
        let count = size[0] as usize * size[1] as usize;
        Self { size, pixels: vec![color; count] }
    }

    /// Width and height `[px]`.
    pub const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Rows from the top.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// The bytes of all pixels in order.
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// The colour at a place from the left and from the top; none outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let [width, height] = self.size;
        (x < width && y < height).then(|| self.pixels[(y * width + x) as usize])
    }

    pub(crate) fn row_mut(&mut self, y: u32) -> &mut [[u8; 3]] {
        let width = self.size[0] as usize;
        let start = y as usize * width;
        &mut self.pixels[start..start + width]
    }

    /// Puts another picture with its upper left corner at a place; what is outside is cut off.
    pub(crate) fn paste(&mut self, other: &Self, left: u32, top: u32) {
        let [width, height] = self.size;
        let columns = other.size[0].min(width.saturating_sub(left)) as usize;
        for y in 0..other.size[1].min(height.saturating_sub(top)) {
            let from = y as usize * other.size[0] as usize;
            let source = &other.pixels[from..from + columns];
            self.row_mut(top + y)[left as usize..left as usize + columns].copy_from_slice(source);
        }
    }

    /// Mixes a colour into a pixel.
    pub(crate) fn blend(&mut self, x: i64, y: i64, color: [u8; 3], share: f64) {
        let [width, height] = self.size.map(i64::from);
        if x < 0 || y < 0 || x >= width || y >= height {
            return;
        }
        let pixel = &mut self.pixels[(y * width + x) as usize];
        for (part, new) in pixel.iter_mut().zip(color) {
            let (old, new) = (f64::from(*part), f64::from(new));
            *part = (old + (new - old) * share).round() as u8;
        }
    }
}
