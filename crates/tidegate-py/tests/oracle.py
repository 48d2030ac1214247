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
