//! A map file of any kind: `.map`, PNG or plain text, told apart by what is in it.

use super::TileMap;
use super::image_file::ImageError;
use super::map_file::MapError;

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Why bytes are no map of any kind.
#[derive(Debug, thiserror::Error)]
pub enum AnyMapError {
    /// Not a `.map` file or plain text.
    #[error(transparent)]
    Map(#[from] MapError),
    /// Not an image that can be a map.
    #[error(transparent)]
    Image(#[from] ImageError),
}

impl TileMap {
    /// Reads a `.map` file, a PNG or a plain text grid. The ending of the file's name
    /// (`"png"`, `"txt"`) decides where the bytes do not.
    ///
    /// ```
    /// use tidegate::grid::TileMap;
    /// let map = TileMap::read_any(b"..#\n...\n", "txt").unwrap();
    /// assert_eq!((map.width(), map.height()), (3, 2));
    /// ```
    pub fn read_any(bytes: &[u8], ending: &str) -> Result<TileMap, AnyMapError> {
        if bytes.starts_with(PNG_SIGNATURE) || ending.eq_ignore_ascii_case("png") {
            Ok(TileMap::from_png(bytes)?)
        } else if ending.eq_ignore_ascii_case("txt") && !bytes.starts_with(b"type") {
            Ok(TileMap::parse_text(bytes)?)
        } else {
            Ok(TileMap::parse(bytes)?)
        }
    }
}
