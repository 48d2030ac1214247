"""Every way of asking against the oracle, on random maps, under three rules of movement."""

from __future__ import annotations

import numpy as np
import oracle
import pytest

import tidegate

SHAPES = [(1, 1), (1, 17), (23, 1), (2, 9), (7, 7), (12, 20), (31, 24)]
EXACT = [name for name, optimal, _ in tidegate.engines() if optimal]
OTHERS = [name for name, optimal, _ in tidegate.engines() if not optimal]


def maps(seed: int, rounds: int = 1):
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        for shape in SHAPES:
            for movement in oracle.RULES:
                free = oracle.random_map(rng, shape, rng.choice([0.0, 0.15, 0.35]))
                yield rng, free, movement


def pairs(rng: np.random.Generator, free: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    tiles = oracle.free_tiles(free)
    return rng.choice(tiles, count), rng.choice(tiles, count)


@pytest.mark.parametrize("engine", EXACT)
def test_paths_are_legal_and_shortest(engine: str) -> None:
    asked = 0
    for rng, free, movement in maps(1):
        index = tidegate.Index(free, movement=movement)
        index.prepare(engine)
        for start, goal in zip(*pairs(rng, free, 6), strict=True):
            least = oracle.distances(free, movement, [tuple(start)])[goal[1], goal[0]]
            path = index.path(start, goal, engine=engine)
            told = index.distance(tuple(start), list(goal), engine=engine)
            assert index.reachable(start, goal) == (path is not None)
            if path is None:
                assert np.isinf(least) and told is None
                continue
            assert path[0].tolist() == start.tolist() and path[-1].tolist() == goal.tolist()
            assert oracle.length(free, movement, path) == pytest.approx(least, rel=1e-12)
            assert told == pytest.approx(least, rel=1e-12)
            asked += 1
    assert asked > 80


@pytest.mark.parametrize("engine", OTHERS)
def test_approximate_paths_are_legal_and_at_most_four_times_as_long(engine: str) -> None:
    for rng, free, movement in maps(2):
        index = tidegate.Index(free, movement=movement)
        index.prepare(engine)
        for start, goal in zip(*pairs(rng, free, 4), strict=True):
            least = oracle.distances(free, movement, [tuple(start)])[goal[1], goal[0]]
            path = index.path(start, goal, engine)
            assert (path is None) == np.isinf(least)
            if path is not None:
                assert least - 1e-9 <= oracle.length(free, movement, path) <= 4 * least + 1e-9


def test_paths_and_distances_are_those_of_single_questions() -> None:
    for rng, free, movement in maps(3, rounds=2):
        index = tidegate.Index(free, movement=movement)
        index.prepare(rng.choice(["auto", "corners", "labels"]))
        starts, goals = pairs(rng, free, int(rng.integers(0, 200)))
        offsets, tiles = index.paths(starts, goals, threads=int(rng.integers(0, 3)))
        assert offsets[0] == 0 and len(offsets) == len(starts) + 1 and offsets[-1] == len(tiles)
        far = {}
        for n, (start, goal) in enumerate(zip(starts, goals, strict=True)):
            path = tiles[offsets[n] : offsets[n + 1]]
            if tuple(start) not in far:
                far[tuple(start)] = oracle.distances(free, movement, [tuple(start)])
            least = far[tuple(start)][goal[1], goal[0]]
            if np.isinf(least):
                assert len(path) == 0
            else:
                assert oracle.length(free, movement, path) == pytest.approx(least, rel=1e-12)
                assert path[0].tolist() == start.tolist() and path[-1].tolist() == goal.tolist()
        for start in starts[:5]:
            many = index.distances(start, goals)
            truth = far[tuple(start)][goals[:, 1], goals[:, 0]]
            np.testing.assert_allclose(many, truth, rtol=1e-12)


def test_threads_do_not_change_answers() -> None:
    rng = np.random.default_rng(4)
    free = oracle.random_map(rng, (60, 60), 0.3)
    index = tidegate.Index(free)
    starts, goals = pairs(rng, free, 1000)
    for engine in ("astar", "jps", "dsma"):
        index.prepare(engine)
        one = index.paths(starts, goals, engine, threads=1)
        for threads in (0, 2, 5):
            many = index.paths(starts, goals, engine, threads=threads)
            assert np.array_equal(one[0], many[0]) and np.array_equal(one[1], many[1])


def test_fields_are_those_of_the_oracle() -> None:
    for rng, free, movement in maps(5, rounds=2):
        costs = None
        if rng.random() < 0.5:
            costs = np.round(1 + 4 * rng.random(free.shape), 2)
        index = tidegate.Index(free, movement=movement, costs=costs)
        goals = rng.choice(oracle.free_tiles(free), int(rng.integers(1, 5)))
        field = index.field(goals)
        truth = oracle.distances(free, movement, [tuple(goal) for goal in goals], costs)
        np.testing.assert_allclose(field.distance, truth, rtol=1e-9)
        rest = ~np.isfinite(truth) | (truth == 0)
        assert (field.next_step[rest] == 0).all()
        for x, y in np.argwhere(~rest)[:, ::-1]:
            dx, dy = field.next_step[y, x].tolist()
            here, there = (int(x), int(y)), (int(x) + dx, int(y) + dy)
            assert there in oracle.steps(free, movement, here)
            step = oracle.step_cost(costs, here, there)
            assert truth[y, x] == pytest.approx(truth[there[1], there[0]] + step, rel=1e-9)


def test_no_goals_and_all_goals_are_fields_too() -> None:
    free = np.array([[True, False, True, True]])
    index = tidegate.Index(free)
    nothing = index.field(np.empty((0, 2), dtype=int))
    assert np.isinf(nothing.distance).all() and not nothing.next_step.any()
    everything = index.field([(0, 0), (2, 0), (3, 0), (3, 0)])
    assert everything.distance.tolist() == [[0, np.inf, 0, 0]] and not everything.next_step.any()


def test_costs_are_those_of_the_oracle() -> None:
    asked = 0
    for rng, free, movement in maps(6):
        costs = np.round(1 + 4 * rng.random(free.shape), 2)
        costs[~free] = np.inf
        index = tidegate.Index(free, movement, costs)
        other = tidegate.Index(free, movement)
        other.set_costs(costs)
        sides = np.where(free, costs, 1.0)
        for start, goal in zip(*pairs(rng, free, 6), strict=True):
            least = oracle.distances(free, movement, [tuple(start)], sides)[goal[1], goal[0]]
            for each in (index, other):
                path = each.path(start, goal)
                assert (path is None) == np.isinf(least)
                if path is not None:
                    asked += 1
                    assert oracle.length(free, movement, path, sides) == pytest.approx(least)
                    assert each.distance(start, goal) == pytest.approx(least)
    assert asked > 100


@pytest.mark.parametrize("engine", ["corners", "labels", "jps", "gateway-consistent", "auto"])
def test_edits_keep_answers_exact(engine: str) -> None:
    for rng, free, movement in maps(7):
        index = tidegate.Index(free, movement=movement)
        index.prepare(engine)
        for turn in range(4):
            before = free.copy()
            flip = rng.random(free.shape) < 0.1
            free = free ^ flip
            if not free.any():
                free = before
            changed = np.argwhere(free != before)
            if turn % 2:
                report = index.edit(before & ~free, free & ~before)
            else:
                report = index.edit([(int(x), int(y), bool(free[y, x])) for y, x in changed])
            assert np.array_equal(index.free, free)
            assert len(report.closed) + len(report.opened) == len(changed)
            for start, goal in zip(*pairs(rng, free, 3), strict=True):
                least = oracle.distances(free, movement, [tuple(start)])[goal[1], goal[0]]
                told = index.distance(start, goal, engine)
                assert (np.inf if told is None else told) == pytest.approx(least, rel=1e-12)


def test_nearest_reachable_is_the_nearest_tile_that_can_be_reached() -> None:
    for rng, free, movement in maps(8):
        index = tidegate.Index(free, movement=movement)
        start = tuple(rng.choice(oracle.free_tiles(free)).tolist())
        far = oracle.distances(free, movement, [start])
        to = (int(rng.integers(free.shape[1])), int(rng.integers(free.shape[0])))
        empty = oracle.distances(np.ones_like(free), movement, [to])
        nearest = index.nearest_reachable(start, to)
        assert nearest is not None and np.isfinite(far[nearest[1], nearest[0]])
        best = empty[np.isfinite(far)].min()
        assert empty[nearest[1], nearest[0]] == pytest.approx(best)
        walls = np.argwhere(~free)
        if len(walls):
            assert index.nearest_reachable(walls[0][::-1], to) is None


def test_layers_cost_what_they_add() -> None:
    asked = 0
    for rng, free, movement in maps(9):
        height, width = free.shape
        index = tidegate.Index(free, movement=movement)
        layer = tidegate.CostLayer(index)
        expected = np.zeros(free.shape)
        rows, columns = np.ogrid[:height, :width]
        for _ in range(int(rng.integers(4))):
            x, y, radius = int(rng.integers(width)), int(rng.integers(height)), int(rng.integers(5))
            extra = int(rng.integers(5))
            layer.add((x, y), radius, extra)
            expected[(columns - x) ** 2 + (rows - y) ** 2 <= radius**2] += extra
        extras = rng.integers(0, 3, free.shape).astype(float)
        layer.add_array(extras)
        expected += extras
        assert (layer.array == expected).all()
        goal = tuple(int(at) for at in rng.choice(oracle.free_tiles(free)))
        truth = oracle.distances(free, movement, [goal], 1 + expected)
        field = index.field([goal], costs=layer)
        assert np.allclose(field.distance, truth, atol=1e-9)
        for start in rng.choice(oracle.free_tiles(free), 5):
            least = truth[start[1], start[0]]
            told = index.distance(start, goal, costs=layer)
            assert (told is None) == np.isinf(least)
            if told is not None:
                assert abs(told - least) < 1e-9
                path = index.path(start, goal, costs=layer)
                steps = zip(path[:-1], path[1:], strict=True)
                assert abs(sum(oracle.step_cost(1 + expected, a, b) for a, b in steps) - least) < 1e-9
            asked += 1
        layer.clear()
        assert layer.is_empty and not layer.array.any()
    assert asked > 50


def test_layers_refuse_what_does_not_fit() -> None:
    index = tidegate.Index(np.ones((3, 5), dtype=bool))
    layer = tidegate.CostLayer(index)
    with pytest.raises(tidegate.ArgumentError, match="extra is -1"):
        layer.add((0, 0), 1, -1)
    with pytest.raises(tidegate.ArgumentError, match="radius is NaN"):
        layer.add((0, 0), float("nan"), 1)
    with pytest.raises(tidegate.ArgumentError, match="keep is 2"):
        layer.fade(2)
    with pytest.raises(tidegate.ArrayError, match=r"extras must be an array of numbers of shape \(3, 5\)"):
        layer.add_array(np.zeros((5, 3)))
    with pytest.raises(tidegate.ArrayError, match=r"extras\[1, 2\] is -3"):
        extras = np.zeros((3, 5))
        extras[1, 2] = -3
        layer.add_array(extras)
    layer.add((0, 0), 1, 1)
    other = tidegate.Index(np.ones((5, 3), dtype=bool))
    with pytest.raises(tidegate.ArrayError, match="costs are for maps of 5 x 3 tiles, this one has 3 x 5"):
        other.path((0, 0), (1, 1), costs=layer)
    index.prepare("jps")
    with pytest.raises(tidegate.EngineError, match="jps"):
        index.path((0, 0), (1, 1), engine="jps", costs=layer)
