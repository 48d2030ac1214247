"""Worlds: every profile against the oracle, between edits; what is refused."""

from __future__ import annotations

import threading

import numpy as np
import oracle
import pytest
import tidegate
from numpy.typing import NDArray

CLASSES = np.frombuffer(b".~#D", dtype=np.uint8)


def map_of(
    ground: NDArray[np.uint8], costs: dict[int, float], size: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """What a unit can stand on, and the worst of it, tile by tile."""
    height, width = ground.shape
    free, worst = np.zeros(ground.shape, dtype=bool), np.ones(ground.shape)
    for y in range(height - size + 1):
        for x in range(width - size + 1):
            under = [costs.get(int(each)) for each in ground[y : y + size, x : x + size].flat]
            free[y, x] = None not in under
            worst[y, x] = max((cost for cost in under if cost is not None), default=1.0)
    return free, worst


def test_every_profile_is_exact_between_edits() -> None:
    asked = 0
    for seed in range(24):
        rng = np.random.default_rng(seed)
        shape = (int(rng.integers(3, 16)), int(rng.integers(3, 16)))
        ground = rng.choice(CLASSES, shape, p=[0.6, 0.15, 0.15, 0.1])
        world = tidegate.World(ground)
        profiles: list[tuple[int, dict[int, float], int, str]] = []
        for size in (1, 2, 3):
            for letters in (".", ".D", ".~D"):
                costs = {ord(letter): float(rng.integers(1, 4)) for letter in letters}
                movement = oracle.RULES[int(rng.integers(3))]
                number = world.add(costs, size=size, movement=movement)
                profiles.append((number, costs, size, movement))
        kept = {number: world.index(number) for number, *_ in profiles if rng.random() < 0.8}
        for _ in range(4):
            count = int(rng.integers(1, 6))
            xs, ys = rng.integers(shape[1], size=count), rng.integers(shape[0], size=count)
            changes = [
                (int(x), int(y), int(to)) for x, y, to in zip(xs, ys, rng.choice(CLASSES, count), strict=True)
            ]
            for x, y, to in changes:
                ground[y, x] = to
            revisions = {number: index.free for number, index in kept.items()}
            reports = world.edit(changes)
            assert np.array_equal(world.ground, ground)
            for number, report in reports:
                assert len(report.closed) or len(report.opened) or report.revision
            number, costs, _, _ = profiles[int(rng.integers(len(profiles)))]
            if rng.random() < 0.5:
                costs[ord("D")] = 2.5
                world.set_cost(number, "D", 2.5)
            else:
                costs.pop(ord("D"), None)
                world.set_cost(number, "D", None)
            assert set(number for number, _ in reports) <= set(revisions)
            for number, costs, size, movement in profiles:
                free, worst = map_of(ground, costs, size)
                index = world.index(number)
                assert index is kept.setdefault(number, index)
                assert np.array_equal(index.free, free)
                tiles = oracle.free_tiles(free)
                if len(tiles) < 2:
                    continue
                start, goal = rng.choice(tiles, 2)
                least = oracle.distances(free, movement, [tuple(start)], worst)[goal[1], goal[0]]
                path = index.path(start, goal)
                assert (path is None) == np.isinf(least)
                if path is not None:
                    assert abs(oracle.length(free, movement, path, worst) - least) < 1e-9
                asked += 1
    assert asked > 600


def test_profiles_that_are_the_same_are_one() -> None:
    world = tidegate.World(["..", ".#"])
    assert world.add(".") == world.add([ord(".")]) == world.add({".": 1}) == world.add(b".") == 0
    assert world.add(".", size=2) == 1
    assert (len(world), world.shape, repr(world)) == (2, (2, 2), "World(2 x 2 tiles, 2 profiles)")
    assert world.ground.dtype == np.uint8


def test_worlds_refuse_what_does_not_fit() -> None:
    with pytest.raises(tidegate.ArrayError, match="row 1 has 3 tiles, the first has 2"):
        tidegate.World(["..", "..."])
    with pytest.raises(tidegate.ArrayError, match=r"uint8 array of shape \(height, width\), not .*int64"):
        tidegate.World(np.ones((2, 2), dtype=np.int64))  # type: ignore[arg-type]
    with pytest.raises(tidegate.ArrayError, match="uint8"):
        tidegate.World(np.ones(4, dtype=np.uint8))
    world = tidegate.World(["...", "..."])
    with pytest.raises(tidegate.ArgumentError, match="size is 0: give 1 to 32"):
        world.add(".", size=0)
    with pytest.raises(tidegate.ArgumentError, match="no movement"):
        world.add(".", movement="sideways")
    with pytest.raises(tidegate.ArgumentError, match="one letter, not '.D'"):
        world.add([".D"])
    with pytest.raises(tidegate.ArgumentError, match="the cost of class '.' is 0.5"):
        world.add({".": 0.5})
    with pytest.raises(tidegate.ArgumentError, match="there is no profile 0: the world has 0"):
        world.index(0)
    unit = world.add(".")
    with pytest.raises(tidegate.ArgumentError, match="there is no profile -1"):
        world.index(-1)
    with pytest.raises(tidegate.ArgumentError, match="follows a world"):
        world.index(unit).edit([(0, 0, False)])
    with pytest.raises(tidegate.ArgumentError, match="follows a world"):
        world.index(unit).set_costs(np.full((2, 3), 2.0))
    with pytest.raises(tidegate.CoordinateError, match="3"):
        world.edit([(0, 0, "#"), (3, 0, "#")])
    with pytest.raises(tidegate.CoordinateError, match=r"changes\[0\] \(-1, 0\) lies outside"):
        world.edit([(-1, 0, "#")])
    with pytest.raises(tidegate.ArrayError, match=r"changes\[0\] must be \(x, y, class\)"):
        world.edit([(1, 1)])  # type: ignore[list-item]
    assert world.index(unit).free.all()


def test_threads_edit_and_ask_at_once() -> None:
    world = tidegate.World(np.full((40, 40), ord("."), dtype=np.uint8))
    units = [world.add(".", size=size) for size in (1, 2, 3)]
    stop, wrong = threading.Event(), []

    def ask(unit: int) -> None:
        while not stop.is_set():
            if world.index(unit).path((0, 0), (37, 37)) is None:
                wrong.append(unit)
            len(world), world.ground

    threads = [threading.Thread(target=ask, args=(unit,)) for unit in units]
    for thread in threads:
        thread.start()
    for turn in range(300):
        world.edit([(20, turn % 30, "#"), (20, (turn + 29) % 30, ".")])
    stop.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not wrong
