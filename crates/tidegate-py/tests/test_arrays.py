"""What arrays must be and are: shape, dtype, order, read-only; and how each error names itself."""

from __future__ import annotations

import numpy as np
import pytest

import tidegate

FREE = np.ones((4, 6), dtype=bool)
FREE[1, 2] = False


def refuse(kind: type[Exception], words: str, call) -> None:
    """The call fails with this kind of error, whose text begins with these words."""
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, tidegate.Error)
    assert str(caught.value).startswith(words), str(caught.value)


def test_what_comes_back_has_its_shape_and_dtype() -> None:
    index = tidegate.Index(FREE)
    path = index.path((0, 0), (5, 3))
    assert path.dtype == np.int64 and path.shape == (7, 2) and path.flags.c_contiguous
    assert path.flags.writeable
    offsets, tiles = index.paths([(0, 0)], [(5, 3)])
    assert offsets.dtype == np.int64 and offsets.shape == (2,)
    assert tiles.dtype == np.int32 and tiles.shape == (7, 2) and tiles.flags.c_contiguous
    far = index.distances((0, 0), [(5, 3)])
    assert far.dtype == np.float64 and far.shape == (1,)
    field = index.field([(5, 3)])
    assert field.distance.dtype == np.float64 and field.distance.shape == FREE.shape
    assert field.next_step.dtype == np.int8 and field.next_step.shape == (*FREE.shape, 2)
    assert field.distance is field.distance
    parts = index.decompose()
    assert parts.zones.dtype == np.int32 and parts.zones.shape == FREE.shape
    assert parts.gate_tiles.dtype == np.int32 and parts.altitude.shape == FREE.shape
    assert index.free.dtype == bool and np.array_equal(index.free, FREE)
    assert isinstance(index.distance((0, 0), (5, 3)), float)
    assert type(index.nearest_reachable((0, 0), (2, 1))[0]) is int


def test_nothing_is_shared_with_what_came_in() -> None:
    free = FREE.copy()
    index = tidegate.Index(free)
    free[:] = False
    assert np.array_equal(index.free, FREE)
    index.free[:] = False
    assert np.array_equal(index.free, FREE)


def test_any_order_and_read_only_arrays_are_taken() -> None:
    index = tidegate.Index(FREE)
    path = index.path((0, 0), (5, 3)).tolist()
    wide = np.zeros((8, 12), dtype=bool)
    wide[::2, ::2] = FREE
    fixed = FREE.copy()
    fixed.flags.writeable = False
    for free in (np.asfortranarray(FREE), wide[::2, ::2], fixed, FREE.tolist(), FREE.T.copy().T):
        assert tidegate.Index(free).path((0, 0), (5, 3)).tolist() == path
    starts, goals = np.array([[0, 0], [5, 3]]), np.array([[5, 3], [0, 0]])
    offsets, tiles = index.paths(starts, goals)
    kinds = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4"]
    columns = np.zeros((2, 5), dtype=int)
    columns[:, 1:4:2] = starts
    others = [starts.astype(kind) for kind in kinds]
    for each in (*others, starts.tolist(), np.asfortranarray(starts), columns[:, 1:4:2]):
        again = index.paths(each, goals)
        assert np.array_equal(again[0], offsets) and np.array_equal(again[1], tiles)
    costs = np.where(FREE, 2.0, np.inf)
    for each in (costs, costs.astype("f4"), np.full(FREE.shape, 2), np.asfortranarray(costs)):
        assert tidegate.Index(FREE, costs=each).distance((0, 0), (1, 0)) == 2.0


def test_tiles_may_be_any_two_whole_numbers() -> None:
    index = tidegate.Index(FREE)
    for tile in ((5, 3), [5, 3], np.array([5, 3]), (np.int8(5), np.uint64(3)), np.array([5, 3], "u2")):
        assert index.distance((0, 0), tile) == index.distance((0, 0), (5, 3))
        assert index.path(tile, tile).tolist() == [[5, 3]]


def test_empty_lists_are_no_paths() -> None:
    index = tidegate.Index(FREE)
    for nothing in ([], np.empty((0, 2), dtype=int)):
        offsets, tiles = index.paths(nothing, nothing)
        assert offsets.tolist() == [0] and tiles.shape == (0, 2)
        assert index.distances((0, 0), nothing).shape == (0,)
    assert index.edit([]).revision == 0


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        ((6, 0), "start (6, 0) lies outside the map of 6 x 4 tiles"),
        ((0, 4), "start (0, 4) lies outside the map of 6 x 4 tiles"),
        ((-1, 0), "start (-1, 0) lies outside"),
        ((65536, 0), "start (65536, 0) lies outside"),
        ((1.0, 0), "start must be (x, y), two whole numbers, not (1.0, 0)"),
        ((1, 2, 3), "start must be (x, y), two whole numbers, not (1, 2, 3)"),
        ((1,), "start must be (x, y)"),
        ("12", "start must be (x, y), two whole numbers, not '12'"),
        (7, "start must be (x, y), two whole numbers, not 7"),
        (None, "start must be (x, y)"),
        ((2**70, 0), "start must be (x, y)"),
        (np.array([1.5, 2.5]), "start must be (x, y)"),
    ],
)
def test_a_wrong_tile_names_itself(tile, words: str) -> None:
    index = tidegate.Index(FREE)
    kind = tidegate.CoordinateError
    refuse(kind, words, lambda: index.path(tile, (0, 0)))
    refuse(kind, words, lambda: index.distance(tile, (0, 0)))
    refuse(kind, words, lambda: index.distances(tile, [(0, 0)]))
    refuse(kind, words, lambda: index.reachable(tile, (0, 0)))
    refuse(kind, words, lambda: index.nearest_reachable(tile, (0, 0)))
    refuse(kind, words.replace("start", "goal"), lambda: index.path((0, 0), tile))
    refuse(kind, words.replace("start", "to"), lambda: index.nearest_reachable((0, 0), tile))
    assert issubclass(kind, ValueError)


def test_walls_name_themselves() -> None:
    index = tidegate.Index(FREE)
    kind = tidegate.CoordinateError
    refuse(kind, "start 2,1 is a wall", lambda: index.path((2, 1), (0, 0)))
    refuse(kind, "goal 2,1 is a wall", lambda: index.distance((0, 0), (2, 1)))
    refuse(kind, "goals[1] 2,1 is a wall", lambda: index.distances((0, 0), [(0, 0), (2, 1)]))
    refuse(kind, "starts[0] 2,1 is a wall", lambda: index.paths([(2, 1)], [(0, 0)]))
    refuse(kind, "goals[0] 2,1 is a wall", lambda: index.field([(2, 1)]))
    refuse(kind, "goals[1] (0, 9) lies outside", lambda: index.field([(0, 0), (0, 9)]))
    refuse(kind, "path[1] (9, 0) lies outside", lambda: index.draw([(0, 0), (9, 0)]))
    assert not index.reachable((0, 0), (2, 1))


@pytest.mark.parametrize(
    ("free", "words"),
    [
        (FREE.astype(int), "free must be a bool array of shape (height, width), not shape (4, 6) and dtype int64"),
        (FREE.astype("u1"), "free must be a bool array of shape (height, width), not shape (4, 6) and dtype uint8"),
        (FREE[0], "free must be a bool array of shape (height, width), not shape (6,) and dtype bool"),
        (FREE[None], "free must be a bool array of shape (height, width), not shape (1, 4, 6) and dtype bool"),
        (np.empty((0, 5), dtype=bool), "a map of 5 x 0 tiles is not supported"),
        (np.empty((1, 70000), dtype=bool), "a map of 70000 x 1 tiles is not supported"),
        ("map", "free must be a bool array"),
        (None, "free must be a bool array"),
        ([[True], [True, False]], "free must be "),
    ],
)
def test_a_wrong_map_names_itself(free, words: str) -> None:
    refuse(tidegate.ArrayError, words, lambda: tidegate.Index(free))
    assert issubclass(tidegate.ArrayError, ValueError)


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (np.ones((6, 4)), "costs must be an array of numbers of shape (4, 6), not shape (6, 4) and dtype float64"),
        (FREE, "costs must be an array of numbers of shape (4, 6), not shape (4, 6) and dtype bool"),
        (np.full((4, 6), 0.5), "costs[0, 0] is 0.5: a cost factor is a number from 1 to 655.35"),
        (np.full((4, 6), np.inf), "costs[0, 0] is inf"),
        (np.full((4, 6), np.nan), "costs[0, 0] is NaN"),
        (np.full((4, 6), 656.0), "costs[0, 0] is 656"),
    ],
)
def test_wrong_costs_name_themselves(costs, words: str) -> None:
    index = tidegate.Index(FREE)
    refuse(tidegate.ArrayError, words, lambda: tidegate.Index(FREE, costs=costs))
    refuse(tidegate.ArrayError, words, lambda: index.set_costs(costs))
    assert index.revision == 0 and index.costs is None


def test_wrong_lists_of_tiles_name_themselves() -> None:
    index = tidegate.Index(FREE)
    kind = tidegate.ArrayError
    wanted = "goals must be an array of whole numbers of shape (n, 2), x and y of each, not "
    for goals, got in [
        (np.zeros((3, 2)), "shape (3, 2) and dtype float64"),
        (np.zeros((3, 3), dtype=int), "shape (3, 3) and dtype int64"),
        (np.zeros(2, dtype=int), "shape (2,) and dtype int64"),
        (np.zeros((3, 2), dtype=bool), "shape (3, 2) and dtype bool"),
        ([("a", "b")], "shape (1, 2) and dtype <U1"),
    ]:
        refuse(kind, wanted + got, lambda: index.distances((0, 0), goals))
        refuse(kind, wanted + got, lambda: index.field(goals))
        refuse(kind, wanted + got, lambda: index.paths([(0, 0)], goals))
    words = "starts and goals must be equally many, not 1 and 2"
    refuse(kind, words, lambda: index.paths([(0, 0)], [(0, 0), (1, 0)]))


def test_wrong_edits_name_themselves_and_change_nothing() -> None:
    index = tidegate.Index(FREE)
    mask = np.zeros((4, 6), dtype=bool)
    both = mask.copy()
    both[3, 5] = True
    coordinate, array = tidegate.CoordinateError, tidegate.ArrayError
    refuse(coordinate, "changes[1] (6, 0) lies outside", lambda: index.edit([(0, 0, False), (6, 0, False)]))
    refuse(array, "changes[0] must be (x, y, free), not (0, 0)", lambda: index.edit([(0, 0)]))
    refuse(coordinate, "changes[0] must be (x, y)", lambda: index.edit([(0.5, 0, True)]))
    refuse(array, "changes[0]: free must be True or False, not 'no'", lambda: index.edit([(0, 0, "no")]))
    refuse(array, "changes[0]: free must be True or False, not 2", lambda: index.edit([(0, 0, 2)]))
    refuse(array, "changes must be a list of (x, y, free)", lambda: index.edit(7))
    refuse(array, "closed must be a bool array of shape (4, 6), not shape (6, 4)", lambda: index.edit(mask.T, mask))
    refuse(array, "opened must be a bool array of shape (4, 6), not", lambda: index.edit(mask, mask.astype(int)))
    refuse(tidegate.ArgumentError, "5,3 is to be closed and opened", lambda: index.edit(both, both))
    assert index.revision == 0 and np.array_equal(index.free, FREE)
    assert index.edit(both).closed.tolist() == [[5, 3]]
    assert index.edit(None, both).opened.tolist() == [[5, 3]]
    assert index.edit(mask, mask).revision == 2
    assert index.edit(np.array([[0, 0, 0], [1, 0, 0]])).closed.tolist() == [[0, 0], [1, 0]]
    assert index.edit([[0, 0, np.bool_(True)]]).opened.tolist() == [[0, 0]]


def test_wrong_names_are_told_the_right_ones() -> None:
    index = tidegate.Index(FREE)
    kind = tidegate.EngineError
    words = 'no engine "best"; there are: astar, '
    refuse(kind, words, lambda: index.path((0, 0), (1, 0), engine="best"))
    refuse(kind, words, lambda: index.distance((0, 0), (1, 0), "best"))
    refuse(kind, words, lambda: index.paths([(0, 0)], [(1, 0)], "best"))
    refuse(kind, words, lambda: index.prepare("jps", "best"))
    refuse(kind, "an engine is given by its name, not 7", lambda: index.prepare(7))
    refuse(
        kind,
        'engine labels is not built in this index: build it first: index.prepare("labels")',
        lambda: index.path((0, 0), (1, 0), "labels"),
    )
    words = "path 1, from 1,0 to 0,0: engine labels is not built"
    refuse(kind, "path 0, from 0,0 to 1,0: engine labels is not built", lambda: index.paths([(0, 0), (1, 0)], [(1, 0), (0, 0)], "labels"))
    words = 'no movement "any"; there are: no-corner-cutting, one-side-free, four-connected'
    refuse(tidegate.ArgumentError, words, lambda: tidegate.Index(FREE, movement="any"))
    costly = tidegate.Index(FREE, costs=np.full(FREE.shape, 2))
    refuse(kind, "engine labels cannot be built for this map: ", lambda: costly.prepare("labels"))
    words = "threads is -1: give a number from 1 to 1024, or 0 for all cores"
    refuse(tidegate.ArgumentError, words, lambda: index.paths([(0, 0)], [(0, 0)], threads=-1))
    refuse(tidegate.ArgumentError, words.replace("-1", "9999"), lambda: index.prepare("jps", threads=9999))
    refuse(tidegate.ArgumentError, "scale is -1", lambda: index.draw(scale=-1))
    refuse(tidegate.ArgumentError, "a picture of ", lambda: index.draw(scale=100_000))
    refuse(tidegate.ArgumentError, "no zone 99", lambda: index.decompose().outline(99))
