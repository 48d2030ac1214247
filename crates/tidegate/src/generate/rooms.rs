//! A building: the map is cut again and again, by a wall or by a corridor, until the
//! pieces are rooms; then doors join everything to one connected whole.

use super::canvas::{Canvas, GROUND, WALL};
use super::root;
use crate::rng::Rng;

/// The smallest room is this many tiles a side, where the map allows.
const SMALLEST: i32 = 4;
/// Of a hundred walls between two rooms that are joined already, this many get a door too.
const SPARE_DOORS: u32 = 22;

/// A room or corridor: x0 <= x < x1, y0 <= y < y1.
#[derive(Clone, Copy)]
struct Room {
    x0: i32,
    y0: i32,
    x1: i32,
    y1: i32,
}

/// A wall one tile thick between two rooms, where a door may be.
struct Wall {
    rooms: (usize, usize),
    /// First tile and number of tiles.
    from: (i32, i32),
    length: i32,
    upright: bool,
}

pub(super) fn draw(width: i32, height: i32, rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new(width, height, WALL);
    // An outer wall where there is room for one.
    let (mx, my) = (i32::from(width > 4), i32::from(height > 4));
    let mut rooms = Vec::new();
    cut(Room { x0: mx, y0: my, x1: width - mx, y1: height - my }, 0, rng, &mut rooms);
    let mut owner = vec![u32::MAX; canvas.letters.len()];
    for (number, room) in rooms.iter().enumerate() {
        canvas.fill(room.x0, room.y0, room.x1, room.y1, GROUND);
        for y in room.y0..room.y1 {
            let row = canvas.index(room.x0, y);
            owner[row..row + (room.x1 - room.x0) as usize].fill(number as u32);
        }
    }
    let mut walls = Vec::new();
    find_walls(&canvas, &owner, true, &mut walls);
    find_walls(&canvas, &owner, false, &mut walls);
    rng.shuffle(&mut walls);
    let mut joined: Vec<usize> = (0..rooms.len()).collect();
    for wall in &walls {
        let (a, b) = (root(&mut joined, wall.rooms.0), root(&mut joined, wall.rooms.1));
        if a != b || rng.chance(SPARE_DOORS) {
            joined[a] = b;
            door(&mut canvas, wall, rng);
        }
    }
    for room in &rooms {
        furnish(&mut canvas, room, rng);
    }
    // Cutting leaves rooms in line, so doors join all; this is for a map too small to cut.
    canvas.connect(1, 0, false);
    canvas
}

/// Cuts a piece in two, or keeps it as a room.
fn cut(room: Room, depth: u32, rng: &mut Rng, rooms: &mut Vec<Room>) {
    let (w, h) = (room.x1 - room.x0, room.y1 - room.y0);
    // Halls of many sizes: the deeper, the more likely a piece stays as it is.
    let small = w.max(h) < 28 && rng.chance(12 + 4 * depth.min(10));
    let upright = if w * 4 > h * 5 {
        true
    } else if h * 4 > w * 5 {
        false
    } else {
        rng.chance(50)
    };
    let side = if upright { w } else { h };
    let corridor = side >= 26 && rng.chance(40);
    let gap = if corridor { rng.between(2, 3) + 2 } else { 1 };
    if small || side < 2 * SMALLEST + gap {
        rooms.push(room);
        return;
    }
    let slack = side - 2 * SMALLEST - gap;
    // The mean of two draws: cuts near the middle are likelier.
    let first = SMALLEST + (rng.between(0, slack) + rng.between(0, slack)) / 2;
    let (mut a, mut b) = (room, room);
    if upright {
        (a.x1, b.x0) = (room.x0 + first, room.x0 + first + gap);
    } else {
        (a.y1, b.y0) = (room.y0 + first, room.y0 + first + gap);
    }
    if corridor {
        rooms.push(if upright {
            Room { x0: a.x1 + 1, x1: b.x0 - 1, ..room }
        } else {
            Room { y0: a.y1 + 1, y1: b.y0 - 1, ..room }
        });
    }
    cut(a, depth + 1, rng, rooms);
    cut(b, depth + 1, rng, rooms);
}

/// Finds the runs of wall tiles with one room on one side and another on the other.
fn find_walls(canvas: &Canvas, owner: &[u32], upright: bool, walls: &mut Vec<Wall>) {
    let (lines, steps) =
        if upright { (canvas.width, canvas.height) } else { (canvas.height, canvas.width) };
    for line in 1..lines - 1 {
        let mut run: Option<Wall> = None;
        for step in 0..=steps {
            let (x, y) = if upright { (line, step) } else { (step, line) };
            let pair = (step < steps && !canvas.is_free(x, y)).then(|| {
                let (before, after) = if upright {
                    (canvas.index(x - 1, y), canvas.index(x + 1, y))
                } else {
                    (canvas.index(x, y - 1), canvas.index(x, y + 1))
                };
                (owner[before], owner[after])
            });
            let pair = pair.filter(|&(a, b)| a != b && a != u32::MAX && b != u32::MAX);
            let pair = pair.map(|(a, b)| (a as usize, b as usize));
            match (&mut run, pair) {
                (Some(wall), Some(rooms)) if wall.rooms == rooms => wall.length += 1,
                _ => {
                    walls.extend(run.take());
                    run = pair.map(|rooms| Wall { rooms, from: (x, y), length: 1, upright });
                }
            }
        }
    }
}

/// A door of one to three tiles somewhere in the wall.
fn door(canvas: &mut Canvas, wall: &Wall, rng: &mut Rng) {
    let width = rng.between(1, 3).min(wall.length);
    let at = rng.between(0, wall.length - width);
    let (x, y) = wall.from;
    if wall.upright {
        canvas.fill(x, y + at, x + 1, y + at + width, GROUND);
    } else {
        canvas.fill(x + at, y, x + at + width, y + 1, GROUND);
    }
}

/// Some large rooms get rows of pillars.
fn furnish(canvas: &mut Canvas, room: &Room, rng: &mut Rng) {
    let (w, h) = (room.x1 - room.x0, room.y1 - room.y0);
    if w.min(h) < 9 || !rng.chance(45) {
        return;
    }
    let (pitch, thick) = (rng.between(4, 6), rng.between(1, 2));
    let (nx, ny) = ((w - 4 + pitch - thick) / pitch, (h - 4 + pitch - thick) / pitch);
    // Centred: what is left over is shared by both sides.
    let x0 = room.x0 + (w - ((nx - 1) * pitch + thick)) / 2;
    let y0 = room.y0 + (h - ((ny - 1) * pitch + thick)) / 2;
    for j in 0..ny {
        for i in 0..nx {
            let (x, y) = (x0 + i * pitch, y0 + j * pitch);
            canvas.fill(x, y, x + thick, y + thick, WALL);
        }
    }
}
