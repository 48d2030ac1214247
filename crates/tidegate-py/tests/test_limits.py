"""What asks for more than there is: refused with an error before anything is allocated; and random programs of bad calls."""

from __future__ import annotations

import itertools
import os
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest

import tidegate

FREE = np.ones((4, 6), dtype=bool)
FUZZ = pathlib.Path(__file__).parent / "fuzz_binding.py"


def test_random_programs_of_bad_calls() -> None:
    """In a process of its own: what must not happen would end it. TIDEGATE_PROGRAMS says how many."""
    programs = os.environ.get("TIDEGATE_PROGRAMS", "300")
    done = subprocess.run(
        [sys.executable, FUZZ, programs], capture_output=True, text=True, timeout=3600, check=False
    )
    assert done.returncode == 0, done.stderr[-6000:]
    print(done.stdout)
    count, calls, refused, answers = [int(word) for word in done.stdout.split() if word.isdigit()][:4]
    assert str(count) == programs and calls > 5 * count and refused > count and answers > count


@pytest.mark.parametrize(
    "endless",
    [
        lambda: np.broadcast_to(np.int64(0), (1 << 40, 2)),
        lambda: np.broadcast_to(np.int32(0), ((1 << 24) + 1, 2)),
    ],
)
def test_a_list_of_tiles_has_an_end(endless) -> None:
    index = tidegate.Index(FREE)
    goals = endless()
    for call in (
        lambda: index.distances((0, 0), goals),
        lambda: index.field(goals),
        lambda: index.paths(goals, goals),
        lambda: index.walk((0, 0), (1, 1), goals),
        lambda: index.draw(goals),
        lambda: index.decompose().gates_on(goals),
    ):
        with pytest.raises(tidegate.ArrayError, match="at most 16777216 elements"):
            call()


def test_a_list_that_is_iterated_has_an_end() -> None:
    index, world = tidegate.Index(FREE), tidegate.World(["..", ".."])
    with pytest.raises(tidegate.ArrayError, match="changes must have at most 1048576 elements"):
        index.edit(itertools.repeat((0, 0, True)))
    with pytest.raises(tidegate.ArrayError, match="classes must have at most"):
        world.add(itertools.repeat("."))
    assert index.revision == 0 and len(world) == 0


def test_a_sequence_that_lies_about_its_length_is_refused() -> None:
    parts = tidegate.Index(FREE).decompose()
    for avoid in ({"avoid_gates": range(10**12)}, {"avoid_zones": range(5, 10**12)}):
        with pytest.raises(tidegate.ArgumentError, match="no (gate|zone) "):
            parts.routes((0, 0), (1, 1), **avoid)
        with pytest.raises(tidegate.ArgumentError, match="no (gate|zone) "):
            parts.widest_route((0, 0), (1, 1), **avoid)
    with pytest.raises(tidegate.ArrayError, match="ground must be "):
        tidegate.World(range(10**12))
    with pytest.raises(TypeError):
        tidegate.bench_map("nowhere.map", engines=range(10**12))


def test_maps_that_take_no_memory_are_measured_before_they_are_copied() -> None:
    for kind in (np.uint8(46), np.bool_(True)):
        huge = np.broadcast_to(kind, (1 << 20, 1 << 20))
        with pytest.raises(tidegate.ArrayError, match="1048576 x 1048576 tiles is not supported"):
            tidegate.World(huge) if kind.dtype == np.uint8 else tidegate.Index(huge)


def test_at_most_so_many_routes() -> None:
    parts = tidegate.Index(FREE).decompose()
    assert len(parts.routes((0, 0), (1, 1), 1024)) == 1
    with pytest.raises(tidegate.ArgumentError, match="k is 1025: at most 1024 routes"):
        parts.routes((0, 0), (1, 1), 1025)


def test_bools_are_what_is_not_zero() -> None:
    """A view of other bytes as bool has more values than two."""
    odd = np.array([[1, 2, 0, 255]], dtype="u1").view(bool)
    index = tidegate.Index(odd)
    assert index.free.tolist() == [[True, True, False, True]]
    assert index.edit(np.array([[0, 7, 0, 0]], dtype="u1").view(bool)).closed.tolist() == [[1, 0]]


def test_numbers_may_lie_anywhere() -> None:
    """In the middle of a file or of a record: where no such number would be put."""
    index = tidegate.Index(FREE)
    raw = b"x" + np.array([[5, 3], [0, 0]], dtype="i8").tobytes()
    odd = np.frombuffer(raw, dtype="i8", count=4, offset=1).reshape(2, 2)
    assert not odd.flags.aligned
    assert index.distances((0, 0), odd).tolist() == index.distances((0, 0), [(5, 3), (0, 0)]).tolist()
    records = np.zeros(FREE.shape, dtype=[("cost", "f8"), ("kind", "u1")])
    records["cost"] = 2.0
    assert not records["cost"].flags.aligned
    index.set_costs(records["cost"])
    assert index.distance((0, 0), (1, 0)) == 2.0


def test_a_layer_is_not_held_while_its_argument_is_read() -> None:
    index = tidegate.Index(FREE)
    layer = tidegate.CostLayer(index)

    class Back:
        def __array__(self, dtype=None, copy=None):
            layer.add((0, 0), 0.0, 1.0)
            return np.ones(FREE.shape)

    worker = threading.Thread(target=lambda: layer.add_array(Back()), daemon=True)
    worker.start()
    worker.join(60)
    assert not worker.is_alive(), "it waits for itself"
    assert layer.array[0, 0] == 2.0
