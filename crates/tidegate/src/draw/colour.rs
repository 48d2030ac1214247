//! Colours: a palette that colour-blind people can tell apart, and who gets which.

use super::Colour;

/// Walls and the outside.
pub const WALL: Colour = [0x2e, 0x2b, 0x33];
/// Free ground on which nothing is drawn.
pub const GROUND: Colour = [0xf4, 0xf1, 0xe8];
/// Pockets: between ground and wall, so that they do not draw the eye.
pub const POCKET: Colour = [0x8c, 0x89, 0x8a];
/// Gates made by a method.
pub const GATE: Colour = [0xc2, 0x0a, 0x3c];
/// Gates made by a person.
pub const MANUAL_GATE: Colour = [0x10, 0x32, 0x9a];
/// Text.
pub const INK: Colour = [0x14, 0x13, 0x18];
/// The paper around pictures.
pub const PAPER: Colour = [0xff, 0xff, 0xff];

/// Light colours after Paul Tol's "light" scheme, which people with any kind of colour
/// blindness can tell apart and on which dark text can be read.
const PALETTE: [Colour; 8] = [
    [0x77, 0xaa, 0xdd],
    [0xee, 0xdd, 0x88],
    [0x44, 0xbb, 0x99],
    [0xff, 0xaa, 0xbb],
    [0x99, 0xdd, 0xff],
    [0xee, 0x88, 0x66],
    [0xbb, 0xcc, 0x33],
    [0xd4, 0xd4, 0xd4],
];

/// The colour of a number; beyond the palette come darker shades of it.
pub fn shade(number: u32) -> Colour {
    let base = PALETTE[number as usize % PALETTE.len()];
    let round = (number as usize / PALETTE.len()).min(4) as u16;
    base.map(|part| (u16::from(part) * (10 - round) / 10) as u8)
}

/// Part `percent` of one colour and the rest of another.
pub fn mix(one: Colour, other: Colour, percent: u16) -> Colour {
    std::array::from_fn(|i| {
        ((u16::from(one[i]) * percent + u16::from(other[i]) * (100 - percent)) / 100) as u8
    })
}

/// Deep water is dark.
pub fn depth(level: u8, deepest: u8) -> Colour {
    // Free levels begin at 3.
    let steps = u16::from(deepest.saturating_sub(3)).max(1);
    let percent = 100 * u16::from(level.saturating_sub(3)) / steps;
    mix([0x08, 0x30, 0x6b], [0xe3, 0xee, 0xf9], percent.min(100))
}

/// Numbers for nodes so that neighbours never have the same. `near` are pairs that should
/// differ if it costs nothing. Nodes with many neighbours choose first; a node takes the
/// number that offends the fewest near ones, then the one used least.
pub fn assign(nodes: usize, joined: &[(u32, u32)], near: &[(u32, u32)]) -> Vec<u32> {
    let lists = |pairs: &[(u32, u32)]| {
        let mut lists = vec![Vec::new(); nodes];
        for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
            lists[a as usize].push(b);
            lists[b as usize].push(a);
        }
        lists.iter_mut().for_each(|list: &mut Vec<u32>| {
            list.sort_unstable();
            list.dedup();
        });
        lists
    };
    let (joined, near) = (lists(joined), lists(near));
    let mut order: Vec<usize> = (0..nodes).collect();
    order.sort_by_key(|&node| (std::cmp::Reverse(joined[node].len()), node));
    const NONE: u32 = u32::MAX;
    let mut numbers = vec![NONE; nodes];
    let mut used = vec![0u32; PALETTE.len()];
    for node in order {
        let mut cost: Vec<u32> = vec![0; used.len()];
        for &other in &near[node] {
            if let Some(c) = cost.get_mut(numbers[other as usize] as usize) {
                *c += 1;
            }
        }
        let taken: Vec<u32> = joined[node].iter().map(|&other| numbers[other as usize]).collect();
        let free = (0..used.len()).filter(|&c| !taken.contains(&(c as u32)));
        let best = free.min_by_key(|&c| (cost[c], used[c], c)).unwrap_or_else(|| {
            used.push(0);
            used.len() - 1
        });
        used[best] += 1;
        numbers[node] = best as u32;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_never_look_alike() {
        // Everyone beside everyone: more colours than the palette has.
        let pairs: Vec<(u32, u32)> = (0..20).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let numbers = assign(20, &pairs, &[]);
        for (a, b) in pairs {
            assert_ne!(shade(numbers[a as usize]), shade(numbers[b as usize]));
        }
    }
}
