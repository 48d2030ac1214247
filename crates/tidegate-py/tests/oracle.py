"""Dijkstra on the plain grid, in Python: slower and dumber than anything it judges."""

from __future__ import annotations

import heapq
import math

import numpy as np
from numpy.typing import NDArray

RULES = ("no-corner-cutting", "one-side-free", "four-connected")
Cell = tuple[int, int]


def steps(free: NDArray[np.bool_], movement: str, tile: Cell) -> list[Cell]:
    """The tiles that one legal step reaches."""
    height, width = free.shape

    def is_free(x: int, y: int) -> bool:
        return 0 <= x < width and 0 <= y < height and bool(free[y, x])

    x, y = tile
    found = []
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if (dx, dy) == (0, 0) or not is_free(x + dx, y + dy):
                continue
            if dx and dy:
                beside = is_free(x + dx, y) + is_free(x, y + dy)
                if beside < {"no-corner-cutting": 2, "one-side-free": 1}.get(movement, 3):
                    continue
            found.append((x + dx, y + dy))
    return found


def step_cost(costs: NDArray[np.float64] | None, a: Cell, b: Cell) -> float:
    """What a step costs, by the house's arithmetic: units of 1/5741 tile, rounded down."""
    diagonal = a[0] != b[0] and a[1] != b[1]
    if costs is None:
        return math.sqrt(2) if diagonal else 1.0
    base = 8119 if diagonal else 5741
    hundredths = round(costs[a[1], a[0]] * 100) + round(costs[b[1], b[0]] * 100)
    return (base * hundredths // 200) / 5741


def distances(
    free: NDArray[np.bool_],
    movement: str,
    sources: list[Cell],
    costs: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """How far every tile is from the nearest source."""
    far = np.full(free.shape, math.inf)
    heap: list[tuple[float, Cell]] = []
    for x, y in sources:
        far[y, x] = 0.0
        heap.append((0.0, (x, y)))
    heapq.heapify(heap)
    while heap:
        cost, tile = heapq.heappop(heap)
        if cost > far[tile[1], tile[0]]:
            continue
        for x, y in steps(free, movement, tile):
            more = cost + step_cost(costs, tile, (x, y))
            if more < far[y, x]:
                far[y, x] = more
                heapq.heappush(heap, (more, (x, y)))
    return far


def length(
    free: NDArray[np.bool_],
    movement: str,
    path: NDArray[np.integer],
    costs: NDArray[np.float64] | None = None,
) -> float:
    """What a path costs; an error if a step is not legal."""
    tiles = [(int(x), int(y)) for x, y in path]
    total = 0.0
    for a, b in zip(tiles, tiles[1:], strict=False):
        assert b in steps(free, movement, a), f"{a} to {b} is no legal step"
        total += step_cost(costs, a, b)
    assert all(free[y, x] for x, y in tiles)
    return total


def random_map(rng: np.random.Generator, shape: tuple[int, int], walls: float) -> NDArray[np.bool_]:
    """A map with so many walls, and at least one free tile."""
    free = rng.random(shape) >= walls
    free[rng.integers(shape[0]), rng.integers(shape[1])] = True
    return free


def free_tiles(free: NDArray[np.bool_]) -> NDArray[np.int64]:
    """All free tiles, x and y of each."""
    return np.argwhere(free)[:, ::-1].astype(np.int64)


Point = tuple[int, int]
"""A point in 256ths of a tile."""
PARTS = 256


def _is_free(free: NDArray[np.bool_], x: int, y: int) -> bool:
    return 0 <= x < free.shape[1] and 0 <= y < free.shape[0] and bool(free[y, x])


def is_shut(free: NDArray[np.bool_], x: int, y: int) -> bool:
    """Whether two walls touch at this corner of tiles and nowhere else: nothing passes between them."""
    a, b = _is_free(free, x - 1, y - 1), _is_free(free, x, y)
    c, d = _is_free(free, x, y - 1), _is_free(free, x - 1, y)
    return a == b and c == d and a != c


def sees(free: NDArray[np.bool_], a: Point, b: Point) -> bool:
    """Whether the straight line from a to b can be walked: every piece of it between lines of the grid
    lies in a free tile or on its edge. All by whole numbers."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    scale = (abs(dx) or 1) * (abs(dy) or 1)
    # Where it meets lines of the grid, in shares of its length times `scale`.
    cuts = {0, scale}
    for low, high, start, way in ((ax, bx, ax, dx), (ay, by, ay, dy)):
        for line in range(min(low, high) // PARTS, max(low, high) // PARTS + 1):
            if way:
                share = (line * PARTS - start) * (scale // abs(way)) * (1 if way > 0 else -1)
                if 0 < share < scale:
                    cuts.add(share)
    ordered = sorted(cuts)
    for cut in ordered[1:-1]:
        x, y = ax * scale + dx * cut, ay * scale + dy * cut
        side = PARTS * scale
        if x % side == 0 and y % side == 0 and is_shut(free, x // side, y // side):
            return False
    for one, two in zip(ordered, ordered[1:], strict=False):
        x, y = 2 * ax * scale + dx * (one + two), 2 * ay * scale + dy * (one + two)
        if not _is_on_free(free, x, y, 2 * PARTS * scale):
            return False
    return True


def _is_on_free(free: NDArray[np.bool_], x: int, y: int, side: int) -> bool:
    """Whether a point lies in a free tile or on its edge, where a tile has this side."""
    columns = {x // side, (x - 1) // side}
    rows = {y // side, (y - 1) // side}
    return any(_is_free(free, column, row) for column in columns for row in rows)


def walk_length(free: NDArray[np.bool_], start: Point, goal: Point) -> float:
    """The length of the shortest walk at any angle, over every corner of tiles."""
    height, width = free.shape
    corners = [
        (x * PARTS, y * PARTS)
        for x in range(width + 1)
        for y in range(height + 1)
        if not is_shut(free, x, y) and _is_on_free(free, x * PARTS, y * PARTS, PARTS)
    ]
    far = dict.fromkeys([start, *corners, goal], math.inf)
    far[start] = 0.0
    left = set(far)
    while left:
        here = min(left, key=far.__getitem__)
        if here == goal or math.isinf(far[here]):
            break
        left.remove(here)
        for there in left:
            more = far[here] + math.dist(here, there)
            if more < far[there] and sees(free, here, there):
                far[there] = more
    return far[goal] / PARTS
