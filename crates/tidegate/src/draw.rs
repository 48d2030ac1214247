//! Pictures of maps, depths, lakes, zones and gates, and searches for Posthoc. This module only
//! reads values.
//!
//! A [`Picture`] is plain pixels that can be written as PNG; [`zones_svg`] and its kin
//! write SVG that stays sharp at any size. Colours are chosen so that zones joined by a gate never
//! look alike, also to colour-blind eyes.

pub mod colour;
mod font;
mod posthoc;
mod search;
mod stages;
pub mod svg;
mod zones;

pub use colour::shade;
pub use posthoc::posthoc;
pub use search::{lines, search};
pub use stages::{depth, film, lakes, stages};
pub use svg::{Numbering, numbered_svg, zones_svg};
pub use zones::{zone_shades, zones};

/// The most pixels of a picture.
pub const MAX_PIXELS: u64 = 1 << 27;

/// How zones and gates are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawOptions {
    /// Pixels along the side of a tile.
    pub scale: u32,
    /// Whether zones and gates carry their numbers.
    pub labels: bool,
}

impl Default for DrawOptions {
    fn default() -> DrawOptions {
        DrawOptions { scale: 1, labels: false }
    }
}

impl DrawOptions {
    /// So many pixels along the side of a tile.
    pub fn with_scale(self, scale: u32) -> DrawOptions {
        DrawOptions { scale, ..self }
    }

    /// With or without the numbers of zones and gates.
    pub fn with_labels(self, labels: bool) -> DrawOptions {
        DrawOptions { labels, ..self }
    }
}

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// It would have too many pixels.
    #[error(
        "a picture of {width} x {height} pixels is too large: at most {MAX_PIXELS} pixels; choose a smaller scale"
    )]
    TooLarge {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// The PNG could not be written.
    #[error("the PNG picture could not be written: {0}")]
    Png(String),
}

/// Red, green and blue.
pub type Colour = [u8; 3];

/// Pixels in row order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<Colour>,
}

impl Picture {
    /// A picture of one colour.
    fn filled(width: u64, height: u64, colour: Colour) -> Result<Picture, DrawError> {
        if width == 0 || height == 0 || width.saturating_mul(height) > MAX_PIXELS {
            return Err(DrawError::TooLarge { width, height });
        }
        let pixels = vec![colour; (width * height) as usize];
        Ok(Picture { width: width as u32, height: height as u32, pixels })
    }

    /// A picture of tiles, `scale` pixels along a side.
    fn of_tiles(
        width: u32,
        height: u32,
        scale: u32,
        colour: impl Fn(u32, u32) -> Colour,
    ) -> Result<Picture, DrawError> {
        let (wide, high) =
            (u64::from(width) * u64::from(scale), u64::from(height) * u64::from(scale));
        let mut picture = Picture::filled(wide, high, [0; 3])?;
        let row_length = picture.width as usize;
        for y in 0..height {
            let first = (y * scale) as usize * row_length;
            for x in 0..width {
                let start = first + (x * scale) as usize;
                picture.pixels[start..start + scale as usize].fill(colour(x, y));
            }
            for copy in 1..scale as usize {
                picture.pixels.copy_within(first..first + row_length, first + copy * row_length);
            }
        }
        Ok(picture)
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The colour at a place; `None` outside.
    pub fn at(&self, x: u32, y: u32) -> Option<Colour> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels[(y * self.width + x) as usize])
    }

    /// Sets a pixel; what lies outside is left out.
    fn set(&mut self, x: i64, y: i64, colour: Colour) {
        if x >= 0 && y >= 0 && x < i64::from(self.width) && y < i64::from(self.height) {
            self.pixels[(y * i64::from(self.width) + x) as usize] = colour;
        }
    }

    /// Copies a picture into this one.
    fn paste(&mut self, other: &Picture, left: u32, top: u32) {
        for y in 0..other.height.min(self.height.saturating_sub(top)) {
            let wide = other.width.min(self.width.saturating_sub(left)) as usize;
            let from = (y * other.width) as usize;
            let to = ((y + top) * self.width + left) as usize;
            self.pixels[to..to + wide].copy_from_slice(&other.pixels[from..from + wide]);
        }
    }

    /// The picture as a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>, DrawError> {
        let failed = |e: png::EncodingError| DrawError::Png(e.to_string());
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(out)
    }
}
