"""Walks at any angle, against a search over every corner of tiles."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import numpy as np
import oracle
import pytest

import tidegate

SHAPES = [(1, 1), (1, 9), (8, 1), (2, 5), (4, 4), (6, 7), (7, 6)]


def centre(tile: tuple[int, int]) -> oracle.Point:
    return (int(tile[0]) * 256 + 128, int(tile[1]) * 256 + 128)


def in_tiles(point: oracle.Point) -> tuple[float, float]:
    return (point[0] / 256, point[1] / 256)


def points_of(walk: tidegate.Walk) -> list[oracle.Point]:
    points = [(x * 256, y * 256) for x, y in walk.points]
    assert all(x == int(x) and y == int(y) for x, y in points)
    return [(int(x), int(y)) for x, y in points]


def check(free: np.ndarray, walk: tidegate.Walk | None, start: oracle.Point, goal: oracle.Point) -> None:
    """That the walk is legal and the shortest; or that there is none."""
    least = oracle.walk_length(free, start, goal)
    if walk is None:
        assert math.isinf(least)
        return
    points = points_of(walk)
    assert points[0] == start and points[-1] == goal
    assert all(oracle.sees(free, a, b) for a, b in zip(points, points[1:], strict=False))
    assert not any(oracle.is_shut(free, x // 256, y // 256) for x, y in points[1:-1])
    length = sum(math.dist(a, b) for a, b in zip(points, points[1:], strict=False)) / 256
    assert walk.length == pytest.approx(length, abs=1e-12)
    assert walk.length == pytest.approx(least, abs=1e-9)


def random_spot(rng: np.random.Generator, free: np.ndarray) -> tuple[object, oracle.Point]:
    """A free tile or a point in or on one, as an argument and as the oracle wants it."""
    x, y = (int(part) for part in rng.choice(oracle.free_tiles(free)))
    if rng.random() < 0.5:
        tile = [(x, y), [x, y], np.array([x, y])][rng.integers(3)]
        return tile, centre((x, y))
    dx, dy = rng.choice([0, 1, 64, 100, 128, 255, 256], 2)
    point = (x * 256 + int(dx), y * 256 + int(dy))
    given = in_tiles(point)
    return [given, list(given), np.array(given)][rng.integers(3)], point


@pytest.mark.parametrize("tables", ["none", "map", "fast", "small"])
def test_walks_are_legal_and_shortest(tables: str) -> None:
    rng = np.random.default_rng(25)
    asked = found = 0
    for n in range(3 * len(SHAPES)):
        shape = SHAPES[n % len(SHAPES)]
        free = oracle.random_map(rng, shape, rng.choice([0.1, 0.3, 0.5]))
        index = tidegate.Index(free, oracle.RULES[n % 3])
        if tables != "none":
            index.prepare_walks(labels=tables != "map", form=tables if tables != "map" else "auto")
        for edit in range(3):
            for _ in range(4):
                start, start_at = random_spot(rng, free)
                goal, goal_at = random_spot(rng, free)
                walk = index.walk(start, goal)
                check(free, walk, start_at, goal_at)
                back = index.walk(goal, start)
                assert (walk is None) == (back is None)
                if walk is not None and back is not None:
                    assert walk.length == pytest.approx(back.length, abs=1e-9)
                    found += 1
                asked += 1
            if edit < 2:
                x, y = int(rng.integers(shape[1])), int(rng.integers(shape[0]))
                after = free.copy()
                after[y, x] = not after[y, x]
                if after.any():
                    free = after
                    index.edit([(x, y, bool(free[y, x]))])
    assert asked == 9 * len(SHAPES) * 4 and found > 100


def test_blocked_tiles_are_walls_for_one_walk() -> None:
    rng = np.random.default_rng(26)
    longer = 0
    for n in range(40):
        free = oracle.random_map(rng, (5, 6), 0.2)
        index = tidegate.Index(free)
        if n % 2:
            index.prepare_walks()
        tiles = oracle.free_tiles(free)
        blocked = rng.choice(tiles, 3)
        shut = free.copy()
        shut[blocked[:, 1], blocked[:, 0]] = False
        if not shut.any():
            continue
        start, goal = (tuple(int(part) for part in tile) for tile in rng.choice(oracle.free_tiles(shut), 2))
        walk = index.walk(start, goal, blocked=blocked)
        check(shut, walk, centre(start), centre(goal))
        free_walk = index.walk(start, goal)
        check(free, free_walk, centre(start), centre(goal))
        if free_walk is None:
            assert walk is None
            continue
        longer += walk is None or walk.length > free_walk.length + 1e-9
        assert index.walk(start, goal, blocked=np.empty((0, 2), dtype=int)).length == free_walk.length
        with pytest.raises(tidegate.CoordinateError, match="is blocked"):
            index.walk(start, goal, [goal])
    assert longer > 3


def test_tiles_of_a_walk() -> None:
    rng = np.random.default_rng(27)
    for n in range(60):
        free = oracle.random_map(rng, (9, 12), 0.25)
        index = tidegate.Index(free)
        if n % 2:
            index.prepare_walks(labels=False)
        start, goal = (tuple(int(part) for part in tile) for tile in rng.choice(oracle.free_tiles(free), 2))
        walk = index.walk(start, goal)
        if walk is None:
            continue
        tiles = walk.tiles(index)
        assert tiles.dtype == np.int64 and tiles.shape[1] == 2
        assert tuple(tiles[0]) == start and tuple(tiles[-1]) == goal
        assert free[tiles[:, 1], tiles[:, 0]].all()
        assert (np.abs(np.diff(tiles, axis=0)).max(axis=1, initial=1) == 1).all()


def test_it_is_never_longer_than_a_path() -> None:
    rng = np.random.default_rng(28)
    shorter = 0
    for _ in range(10):
        free = oracle.random_map(rng, (40, 60), 0.15)
        index = tidegate.Index(free)
        index.prepare_walks()
        for start, goal in zip(*(rng.choice(oracle.free_tiles(free), 20) for _ in range(2)), strict=True):
            far, walk = index.distance(start, goal), index.walk(start, goal)
            if far is not None:
                assert math.dist(start, goal) - 1e-9 <= walk.length <= far + 1e-9
                shorter += walk.length < far - 1e-9
    assert shorter > 50


def test_tables_are_kept_in_the_file_and_follow_edits(tmp_path: Path) -> None:
    free = np.ones((9, 9), dtype=bool)
    free[0:8, 4] = False
    index = tidegate.Index(free)
    index.prepare_walks(form="small")
    index.save(tmp_path / "walks.tide")
    opened = tidegate.Index.open(tmp_path / "walks.tide")
    assert repr(opened) == repr(index) and "anyangle-labels" in repr(index)
    assert opened.walk((0, 0), (8, 0)).length == index.walk((0, 0), (8, 0)).length
    # A door: labels know nothing of it, and the walk is found.
    index.edit([(4, 0, True)])
    assert index.walk((0, 0), (8, 0)).length == 8.0
    index.prepare_walks(form="small")
    assert index.walk((0, 0), (8, 0)).length == 8.0
    assert opened.walk((0, 0), (8, 0)).length > 16


def test_walks_of_a_world() -> None:
    ground = np.full((9, 9), ord("."), dtype=np.uint8)
    ground[2:7, 4] = ord("#")
    world = tidegate.World(ground)
    small, large = world.add("."), world.add(".", size=2)
    thin, wide = (world.index(profile).walk((0, 4), (7, 4)).length for profile in (small, large))
    assert thin < wide
    world.edit([(4, y, ".") for y in range(2, 7)])
    assert world.index(large).walk((0, 4), (7, 4)).length == 7.0


def test_threads_ask_while_the_map_changes() -> None:
    free = np.ones((20, 20), dtype=bool)
    free[0:19, 10] = False
    index = tidegate.Index(free)
    index.prepare_walks()
    lengths = {index.walk((0, 0), (19, 0)).length, 19.0}
    wrong: list[float] = []

    def ask() -> None:
        for _ in range(200):
            length = index.walk((0, 0), (19, 0)).length
            if length not in lengths:
                wrong.append(length)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for n in range(20):
        index.edit([(10, 0, n % 2 == 0)])
    for thread in threads:
        thread.join()
    assert wrong == []


WRONG = [
    ((9, 0), r"start \(9, 0\) lies outside the map of 4 x 3 tiles"),
    ((-1, 0), r"start \(-1, 0\) lies outside the map"),
    ((4.5, 1.0), r"start \(4.5, 1\) lies outside the map of 4 x 3 tiles"),
    ((-0.5, 1.0), r"start \(-0.5, 1\) lies outside the map"),
    ((1, 1), r"start \(1.5, 1.5\) lies in a wall"),
    ((1.25, 1.75), r"start \(1.25, 1.75\) lies in a wall"),
    ((math.nan, 0.5), r"start must be a tile, two whole numbers, or a point, two floats, not \(nan"),
    ((math.inf, 0.5), "not .inf"),
    ((1e300, 0.5), "not .1e.300"),
    ((0, 0.5), r"start must be a tile, two whole numbers, or a point, two floats, not \(0, 0.5\)"),
    ((0, 0, 0), "start must be"),
    ((2**70, 0.0), "start must be"),
    ("ab", "start must be"),
    (7, "start must be"),
    (None, "start must be"),
]


@pytest.mark.parametrize(("start", "words"), WRONG)
@pytest.mark.parametrize("prepared", [False, True])
def test_wrong_ends_are_named(start: object, words: str, prepared: bool) -> None:
    free = np.ones((3, 4), dtype=bool)
    free[1, 1] = False
    index = tidegate.Index(free)
    if prepared:
        index.prepare_walks()
    with pytest.raises(tidegate.CoordinateError, match=words):
        index.walk(start, (0, 0))
    with pytest.raises(tidegate.CoordinateError, match=words.replace("start", "goal")):
        index.walk((0, 0), start)


def test_other_misuse() -> None:
    index = tidegate.Index(np.ones((3, 4), dtype=bool))
    with pytest.raises(tidegate.ArrayError, match="blocked must be"):
        index.walk((0, 0), (1, 1), blocked=[(0.5, 0.5)])
    with pytest.raises(tidegate.CoordinateError, match=r"blocked\[0\] \(4, 0\) lies outside"):
        index.walk((0, 0), (1, 1), blocked=[(4, 0)])
    with pytest.raises(tidegate.ArgumentError, match='no form "tiny"; there are: auto, fast, small'):
        index.prepare_walks(form="tiny")
    with pytest.raises(tidegate.ArgumentError, match="budget is -1"):
        index.prepare_walks(budget=-1)
    with pytest.raises(tidegate.ArgumentError, match="threads is -1"):
        index.prepare_walks(threads=-1)
    with pytest.raises(TypeError):
        tidegate.Walk()
    rng = np.random.default_rng(3)
    crowded = tidegate.Index(oracle.random_map(rng, (100, 100), 0.3))
    with pytest.raises(tidegate.EngineError, match="anyangle-labels"):
        crowded.prepare_walks(budget=10)
    # What could be built is there, and answers.
    assert "anyangle" in repr(crowded)
    start = tuple(oracle.free_tiles(crowded.free)[0])
    assert crowded.walk(start, start).points == [(start[0] + 0.5, start[1] + 0.5)]
    assert crowded.walk(start, start).length == 0.0
