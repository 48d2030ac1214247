//! Pictures as maps: every sort of PNG, the way back, and files that mean harm.
#![cfg(feature = "generate")]

use tidegate::generate::{Kind, generate};
use tidegate::grid::TileMap;
use tidegate::grid::image_file::{ImageError, MAX_SCALE, colour};

fn png(
    width: u32,
    height: u32,
    colour: png::ColorType,
    depth: png::BitDepth,
    data: &[u8],
) -> Vec<u8> {
    png_with(width, height, colour, depth, data, &[], &[])
}

fn png_with(
    width: u32,
    height: u32,
    colour: png::ColorType,
    depth: png::BitDepth,
    data: &[u8],
    palette: &[u8],
    opacity: &[u8],
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    if !opacity.is_empty() {
        encoder.set_trns(opacity.to_vec());
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    out
}

fn text(bytes: &[u8]) -> String {
    TileMap::from_png(bytes).unwrap().to_text()
}

#[test]
fn every_sort_of_pixel_is_read() {
    use png::BitDepth::*;
    use png::ColorType::*;
    assert_eq!(text(&png(3, 1, Grayscale, Eight, &[0, 127, 128])), "@@.\n");
    assert_eq!(text(&png(3, 1, Grayscale, One, &[0b1010_0000])), ".@.\n");
    assert_eq!(text(&png(3, 2, Grayscale, Two, &[0b0001_1000, 0b1100_0000])), "@@.\n.@@\n");
    assert_eq!(text(&png(3, 1, Grayscale, Four, &[0x07, 0xf0])), "@@.\n");
    assert_eq!(text(&png(2, 1, Grayscale, Sixteen, &[0x7f, 0xff, 0x80, 0x00])), "@.\n");
    assert_eq!(text(&png(2, 1, GrayscaleAlpha, Eight, &[255, 127, 255, 128])), "@.\n");
    // Green is bright to the eye, blue is dark.
    assert_eq!(text(&png(2, 1, Rgb, Eight, &[0, 255, 0, 0, 0, 255])), ".@\n");
    assert_eq!(text(&png(1, 1, Rgb, Sixteen, &[255, 0, 255, 0, 255, 0])), ".\n");
    assert_eq!(text(&png(2, 1, Rgba, Eight, &[255, 255, 255, 0, 255, 255, 255, 255])), "@.\n");
    let palette = [0, 0, 0, 250, 250, 250, 255, 255, 255];
    let indexed = png_with(3, 1, Indexed, Two, &[0b0001_1000], &palette, &[255, 255, 0]);
    assert_eq!(text(&indexed), "@.@\n");
}

#[test]
fn the_threshold_can_be_chosen() {
    let grey = png(4, 1, png::ColorType::Grayscale, png::BitDepth::Eight, &[0, 10, 200, 255]);
    let read = |t| TileMap::from_png_with(&grey, t).unwrap().to_text();
    assert_eq!(read(0), "....\n");
    assert_eq!(read(11), "@@..\n");
    assert_eq!(read(255), "@@@.\n");
}

#[test]
fn our_own_pictures_give_the_same_letters_back() {
    let all = TileMap::parse_text(b".GS@OTW#\n#WTO@SG.\n").unwrap();
    assert_eq!(TileMap::from_png(&all.to_png(1).unwrap()).unwrap(), all);
    for (kind, width, height) in [(Kind::Rts, 97, 64), (Kind::Maze, 1, 33), (Kind::Caves, 2, 1)] {
        let map = generate(kind, width, height, 3).unwrap();
        assert_eq!(TileMap::from_png(&map.to_png(1).unwrap()).unwrap(), map);
    }
    let mut seen: Vec<[u8; 3]> = b".GS@OTW#".map(colour).to_vec();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 8, "every letter has a colour of its own");
}

#[test]
fn a_grey_copy_of_our_pictures_has_the_same_walls() {
    let letters = b".GS@OTW#";
    let grey = letters.map(|l| {
        let [r, g, b] = colour(l).map(u32::from);
        ((r + g + b) / 3) as u8
    });
    assert_eq!(
        text(&png(8, 1, png::ColorType::Grayscale, png::BitDepth::Eight, &grey)),
        "...@@@@@\n"
    );
}

#[test]
fn a_tile_can_be_many_pixels() {
    let map = TileMap::parse_text(b".@\n@.\n").unwrap();
    let big = TileMap::from_png(&map.to_png(3).unwrap()).unwrap();
    assert_eq!(big.to_text(), "...@@@\n...@@@\n...@@@\n@@@...\n@@@...\n@@@...\n");
    for scale in [0, MAX_SCALE + 1, u32::MAX] {
        assert!(matches!(map.to_png(scale), Err(ImageError::Scale { .. })));
    }
    let large = generate(Kind::Random, 2048, 2048, 1).unwrap();
    assert!(matches!(large.to_png(MAX_SCALE), Err(ImageError::Scale { scale: MAX_SCALE })));
}

/// A PNG that claims a size and holds next to nothing.
fn claim(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = png(1, 1, png::ColorType::Grayscale, png::BitDepth::Eight, &[0]);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = crc(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |c, _| (c >> 1) ^ (0xEDB8_8320 * (c & 1)))
    })
}

#[test]
fn files_that_mean_harm_are_refused_with_a_reason() {
    let refused = |bytes: &[u8]| TileMap::from_png(bytes).unwrap_err().to_string();
    assert_eq!(refused(b""), "the picture is empty");
    assert_eq!(refused(b"type octile\nheight 1\nwidth 1\nmap\n.\n"), "this is not a PNG picture");
    assert_eq!(refused(&[0; 64]), "this is not a PNG picture");
    for (width, height) in [(65_535, 65_535), (65_536, 1), (u32::MAX >> 1, u32::MAX >> 1)] {
        let message = refused(&claim(width, height));
        assert!(message.contains("is not supported") || message.contains("MiB"), "{message}");
    }
    let message = refused(&claim(16_000, 16_000));
    assert!(message.contains("64 MiB"), "{message}");
    assert!(!refused(&claim(3000, 3000)).is_empty());
    assert!(!refused(&claim(0, 5)).is_empty());
}

#[test]
fn no_truncated_or_damaged_file_does_harm() {
    let good = generate(Kind::Rts, 40, 30, 1).unwrap().to_png(1).unwrap();
    let end = good.len() - 12;
    for length in 0..end {
        assert!(TileMap::from_png(&good[..length]).is_err(), "cut to {length} bytes");
    }
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            if let Ok(map) = TileMap::from_png(&bad) {
                assert!(map.width() <= 65_535);
            }
        }
    }
}
