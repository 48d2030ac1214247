//! Maps as PNG pictures: one pixel per tile in, one square of pixels per tile out.
//!
//! A picture in the colours of [`colour`] gives back the letters it was drawn from. Any
//! other picture is read by brightness: light is ground, dark or transparent is wall.
//! Sizes are checked before anything is allocated for them.

use std::borrow::Cow;
use std::io::Cursor;

use super::{GridError, TileMap, check_size};

/// The most memory that reading a picture may take, in bytes.
pub const MEMORY_LIMIT: usize = 64 << 20;
/// From this brightness on (0 black, 255 white) a pixel is ground, unless told otherwise.
pub const THRESHOLD: u8 = 128;
/// The largest square of pixels that stands for a tile.
pub const MAX_SCALE: u32 = 64;

/// The colours of the letters, red, green, blue. Free letters are lighter than
/// [`THRESHOLD`], walls are darker, so that a grey copy still reads as the same map.
const COLOURS: [(u8, [u8; 3]); 8] = [
    (b'.', [0xe9, 0xe2, 0xcf]),
    (b'G', [0xb9, 0xcf, 0x8d]),
    (b'S', [0x9d, 0xb8, 0xa5]),
    (b'@', [0x2e, 0x2b, 0x33]),
    (b'O', [0x14, 0x13, 0x18]),
    (b'T', [0x2f, 0x5d, 0x3a]),
    (b'W', [0x2c, 0x55, 0x86]),
    (b'#', [0x54, 0x4a, 0x45]),
];

/// The colour that stands for a letter; black for an unknown one.
pub fn colour(letter: u8) -> [u8; 3] {
    COLOURS.iter().find(|(l, _)| *l == letter).map_or([0; 3], |(_, c)| *c)
}

/// Why a picture cannot be read or drawn.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The file is empty.
    #[error("the picture is empty")]
    Empty,
    /// The file does not begin as a PNG does.
    #[error("this is not a PNG picture")]
    NotPng,
    /// The file ends in the middle.
    #[error("the PNG picture ends too early")]
    Truncated,
    /// The size is not one that a map can have.
    #[error("the PNG picture cannot become a map: {0}")]
    Size(#[from] GridError),
    /// Reading it would take more memory than allowed.
    #[error(
        "the PNG picture needs more than the {} MiB of memory allowed for reading one",
        MEMORY_LIMIT >> 20
    )]
    TooLarge,
    /// The scale is out of range, or the picture would be too large.
    #[error(
        "a scale of {scale} is not supported for this map: from 1 to {MAX_SCALE}, and at most {} MiB of pixels",
        MEMORY_LIMIT >> 20
    )]
    Scale {
        /// Pixels per tile asked for.
        scale: u32,
    },
    /// The file is damaged.
    #[error("the PNG picture is damaged: {0}")]
    Damaged(String),
    /// The picture could not be written.
    #[error("the PNG picture could not be written: {0}")]
    Write(String),
}

impl TileMap {
    /// Reads a PNG picture, one pixel per tile, light pixels as ground.
    pub fn from_png(bytes: &[u8]) -> Result<TileMap, ImageError> {
        TileMap::from_png_with(bytes, THRESHOLD)
    }

    /// Reads a PNG picture, one pixel per tile. Pixels at least as bright as
    /// `threshold` (0 to 255) are ground, darker and mostly transparent ones wall. A
    /// picture that has only the colours of [`colour`] gives the letters they stand
    /// for, whatever the threshold.
    #[deny(clippy::arithmetic_side_effects)]
    pub fn from_png_with(bytes: &[u8], threshold: u8) -> Result<TileMap, ImageError> {
        if bytes.is_empty() {
            return Err(ImageError::Empty);
        }
        let mut decoder =
            png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: MEMORY_LIMIT });
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        // Text and colour profiles say nothing about tiles and may be bombs themselves.
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let mut reader = decoder.read_info().map_err(refused)?;
        let (width, height) = (reader.info().width, reader.info().height);
        check_size(width.into(), height.into())?;
        // The decoder copies colours by threes without looking at how many there are.
        let palette = reader.info().palette.as_deref().unwrap_or(&[0; 3]);
        if !(palette.len().is_multiple_of(3) && (3..=768).contains(&palette.len())) {
            return Err(ImageError::Damaged(format!("a palette of {} bytes", palette.len())));
        }
        let size = reader.output_buffer_size().filter(|&s| s <= MEMORY_LIMIT);
        let mut pixels = vec![0; size.ok_or(ImageError::TooLarge)?];
        let frame = reader.next_frame(&mut pixels).map_err(refused)?;
        let depth = frame.color_type.samples();
        let rows = pixels.chunks(frame.line_size.max(1)).take(height as usize);
        let samples = rows.flat_map(|row| row.chunks_exact(depth).take(width as usize));
        let read = samples.map(Pixel::new);
        // Most pictures that are not in our colours show it at once.
        if read.clone().all(|pixel| pixel.letter().is_some()) {
            let letters = read.map(|pixel| pixel.letter().unwrap_or(b'@'));
            return from_letters(width, height, letters);
        }
        let light = |pixel: Pixel| {
            if pixel.brightness() >= threshold.into() { b'.' } else { b'@' }
        };
        from_letters(width, height, read.map(light))
    }

    /// Draws the map as a PNG picture with `scale` x `scale` pixels per tile. With a
    /// scale of 1, [`TileMap::from_png`] gives the same map back, up to the 22 million
    /// tiles that fit its memory limit.
    ///
    /// ```
    /// use tidegate::grid::TileMap;
    /// let map = TileMap::parse_text(b"..@\n.TS\n").unwrap();
    /// assert_eq!(TileMap::from_png(&map.to_png(1).unwrap()).unwrap(), map);
    /// ```
    pub fn to_png(&self, scale: u32) -> Result<Vec<u8>, ImageError> {
        let side =
            |tiles: u32| tiles.checked_mul(scale).filter(|_| (1..=MAX_SCALE).contains(&scale));
        let sides = side(self.width()).zip(side(self.height()));
        let (width, height) = sides
            .filter(|&(w, h)| {
                u64::from(w) * u64::from(h)
                    <= (MEMORY_LIMIT as u64).max(super::MAX_TILES * u64::from(scale == 1))
            })
            .ok_or(ImageError::Scale { scale })?;
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Four);
        encoder.set_compression(png::Compression::Balanced);
        let palette: Vec<u8> = COLOURS.iter().flat_map(|(_, c)| *c).collect();
        encoder.set_palette(Cow::from(palette));
        let failed = |e: png::EncodingError| ImageError::Write(e.to_string());
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&self.pixels(width, scale)).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(out)
    }

    /// The palette numbers of all pixels, two to a byte, each row from a new byte.
    fn pixels(&self, width: u32, scale: u32) -> Vec<u8> {
        let mut number = [4u8; 256];
        for (k, (letter, _)) in COLOURS.iter().enumerate() {
            number[usize::from(*letter)] = k as u8;
        }
        let mut pixels =
            Vec::with_capacity((width as usize).div_ceil(2) * (self.height() * scale) as usize);
        for row in self.letters().chunks(self.width() as usize) {
            let begin = pixels.len();
            let mut high = None;
            for &letter in row {
                for _ in 0..scale {
                    let n = number[usize::from(letter)];
                    match high.take() {
                        None => high = Some(n),
                        Some(first) => pixels.push(first << 4 | n),
                    }
                }
            }
            pixels.extend(high.map(|first: u8| first << 4));
            let end = pixels.len();
            for _ in 1..scale {
                pixels.extend_from_within(begin..end);
            }
        }
        pixels
    }
}

/// A map from its letters in row order.
fn from_letters(
    width: u32,
    height: u32,
    mut letters: impl Iterator<Item = u8>,
) -> Result<TileMap, ImageError> {
    Ok(TileMap::from_fn(width, height, |_, _| letters.next().unwrap_or(b'@'))?)
}

/// Red, green, blue, opacity.
struct Pixel([u8; 4]);

impl Pixel {
    #[inline]
    fn new(samples: &[u8]) -> Pixel {
        Pixel(match *samples {
            [grey] => [grey, grey, grey, 255],
            [grey, alpha] => [grey, grey, grey, alpha],
            [r, g, b] => [r, g, b, 255],
            [r, g, b, alpha] => [r, g, b, alpha],
            _ => [0; 4],
        })
    }

    /// The letter this colour stands for.
    fn letter(&self) -> Option<u8> {
        let [r, g, b, alpha] = self.0;
        let known = COLOURS.iter().find(|(_, c)| *c == [r, g, b] && alpha == 255);
        known.map(|(letter, _)| *letter)
    }

    /// Brightness as the eye sees it (ITU-R BT.601), 0 to 255; −1 where the pixel is
    /// more transparent than not.
    #[inline]
    fn brightness(&self) -> i32 {
        let [r, g, b, alpha] = self.0;
        let (r, g, b) = (i32::from(r), i32::from(g), i32::from(b));
        if alpha < 128 { -1 } else { (299 * r + 587 * g + 114 * b) / 1000 }
    }
}

/// Says in our words what the decoder found.
fn refused(error: png::DecodingError) -> ImageError {
    match error {
        png::DecodingError::IoError(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
            ImageError::Truncated
        }
        png::DecodingError::LimitsExceeded => ImageError::TooLarge,
        other => {
            let text = other.to_string();
            if text.contains("signature") { ImageError::NotPng } else { ImageError::Damaged(text) }
        }
    }
}
