"""Random programs of calls of the package, most of them with one argument that is wrong.

A call is answered rightly, by the oracle, or refused with an ordinary error; nothing else may happen: no
panic, no crash, no hang, no memory beyond the limits, and nothing changes where a call was refused.

    python fuzz_binding.py COUNT [SEED [SECONDS]]
                                             so many programs of random bytes, or what there is time for
    python fuzz_binding.py --replay HEX      the program of these bytes
    python fuzz_binding.py --atheris ...     under atheris, with the options of libFuzzer
"""

from __future__ import annotations

import faulthandler
import itertools
import math
import pickle
import random
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import oracle

import tidegate

ENGINES = {name: optimal for name, optimal, _ in tidegate.engines()}
# Address space: what goes beyond it ends the process.
MOST_MEMORY = 4 << 30
# A call that takes longer hangs.
MOST_SECONDS = 120
CALLS = 24


class Mine(Exception):
    """What the arguments of this file raise when they are looked at."""


# PanicException is none of these, nor is what an allocation that fails does.
REFUSALS = (tidegate.Error, TypeError, ValueError, OverflowError, AttributeError, Mine)


class Choices:
    """Bytes read one after the other; zeros when they have run out."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def below(self, n: int) -> int:
        taken = self.data[self.at : self.at + 2].ljust(2, b"\0")
        self.at += 1 if n <= 256 else 2
        return (taken[0] if n <= 256 else taken[0] << 8 | taken[1]) % n

    def one_in(self, n: int) -> bool:
        return self.below(n) == n - 1

    def pick(self, of: Any) -> Any:
        return of[self.below(len(of))]

    @property
    def is_empty(self) -> bool:
        return self.at >= len(self.data)


class Strange:
    """An object that raises, lies or calls the package back when it is looked at."""

    def __init__(self, program: Program, kind: int) -> None:
        self.program, self.kind = program, kind

    def looked_at(self) -> None:
        if self.kind % 3 == 0:
            raise Mine
        if self.kind % 3 == 1:
            self.program.index.edit([])
            self.program.layer.add((0, 0), 1.0, 0.0)
            self.program.world.edit([])

    def __len__(self) -> int:
        self.looked_at()
        return [2, 3, 1 << 60][self.kind // 3 % 3]

    def __getitem__(self, at: object) -> Any:
        self.looked_at()
        return [0, 0.5, self, None][self.kind // 9 % 4]

    def __iter__(self) -> Iterator[Any]:
        self.looked_at()
        return iter([(0, 0, True)] if self.kind // 9 % 2 else [self])

    def __index__(self) -> int:
        self.looked_at()
        return [0, 1, -1, 1 << 70][self.kind // 9 % 4]

    def __float__(self) -> float:
        self.looked_at()
        return [0.5, math.nan][self.kind // 9 % 2]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        self.looked_at()
        free = self.program.free
        return [free, free.astype(float), np.zeros((1, 2), int), np.zeros(3)][self.kind // 9 % 4]

    def __fspath__(self) -> str:
        self.looked_at()
        return "/nowhere/at/all"

    def __repr__(self) -> str:
        return "Strange"


class Liar(list[Any]):
    """A list that says it is longer than it is."""

    def __len__(self) -> int:
        return 1 << 50


def wrong(program: Program) -> Any:
    """A value that fits few arguments, if any."""
    c = program.choices
    height, width = program.free.shape
    shape = (height, width)
    makers: list[Callable[[], Any]] = [
        lambda: c.pick([None, True, False, Ellipsis, NotImplemented, object(), Mine, len, ..., slice(1, 2)]),
        lambda: c.pick([-1, 1 << 15, 1 << 16, 1 << 31, -(1 << 31), 1 << 32, 1 << 63, -(1 << 63), 1 << 64, 10**30]),
        lambda: c.pick([0.5, -0.0, math.nan, math.inf, -math.inf, 1e300, 5e-324, 1j]),
        lambda: c.pick(["", "jps", "labels", "four-connected", "x" * 200, "\0", "\ud800", "ä", "small", "\U0001f6a7"]),
        lambda: c.pick([b"", b"\xff" * 9, bytearray(b"abc"), memoryview(b"abcd")]),
        lambda: c.pick([[], (), {}, set(), [[]], [[1]], [[1, 2, 3]], [[1, 2], [3]], {"a": 1}, {1: math.nan}]),
        lambda: c.pick([(0,), (0, 0, 0), (width, 0), (0, height), (-1, 0), (0, 1 << 40), (0.0, 0), (0.5, 0.5)]),
        lambda: c.pick([("0", "0"), (None, 0), (math.nan, 0.0), (1e300, -1e300), (True, False), (0j, 0)]),
        lambda: c.pick([range(10**12), range(3), iter([(0, 0, True)]), itertools.count(), (x for x in "ab")]),
        lambda: itertools.repeat(c.pick([(0, 0, True), (0, 0, "."), ".", (0, 0), None]), *[300] * (not c.one_in(64))),
        lambda: Liar(c.pick([[], [0], [(0, 0)], ["..."], [0.5]])),
        lambda: Strange(program, c.below(36)),
        lambda: [Strange(program, c.below(36))] * 2,
        lambda: c.pick([program.index, program.layer, program.parts, program.world, tidegate.Index, tidegate]),
        lambda: np.array(c.pick([5, 0.5, True, None, "a"])),
        lambda: np.zeros(c.pick([0, 1, 2, (0, 0), (0, 2), (2, 0), (1, 2, 1), (height, 0), shape[::-1], (width,)])),
        lambda: np.full(shape, c.pick([math.nan, math.inf, -1.0, 0.5, 656.0, 1e300])),
        lambda: np.zeros((3, 2), c.pick(["f4", "f8", "O", "U3", "S1", "M8[s]", "m8[s]", "c16", "?", "V4", "i4,i4"])),
        lambda: np.array(c.pick([[[width, 0]], [[0, -1]], [[1 << 40, 0]], [[0, 1 << 62]]])),
        lambda: np.array([[1 << 63, (1 << 64) - 1]], dtype="u8"),
        # Many elements and no memory.
        lambda: np.broadcast_to(c.pick([True, np.uint8(46), np.int64(0), np.int32(0), 1.0]), c.pick(HUGE)),
        lambda: np.array([[2] * width] * height, dtype="u1").view(bool),
        lambda: np.frombuffer(bytes(8 * 2 + 1), dtype="i8", count=2, offset=1).reshape(1, 2),
        lambda: np.ma.masked_array(np.zeros((1, 2), int), mask=True),
        lambda: np.zeros((1, 2), int).view(np.matrix),
        lambda: np.lib.stride_tricks.as_strided(np.zeros((2, 2), int), (2, 2), (-8, 8)[:1] + (8,))[1:],
        lambda: program.free.T,
        lambda: ~program.free,
    ]
    return c.pick(makers)()


HUGE = [(1 << 40, 2), (1 << 20, 1 << 20), (70_000, 1), (1, 70_000), (1 << 58, 1), (1 << 20, 2), (1 << 26, 2)]


def dressed(c: Choices, array: np.ndarray) -> Any:
    """The same values, laid out in some other way that is as good."""
    kind = c.below(7)
    if kind == 0:
        return array.tolist()
    if kind == 1:
        return array.copy(order="F")
    if kind == 2:
        wide = np.empty((array.shape[0] * 2, array.shape[1] * 3), array.dtype)
        wide[::2, ::3] = array
        return wide[::2, ::3]
    if kind == 3:
        return array[::-1, ::-1].copy()[::-1, ::-1]
    if kind == 4:
        fixed = array.copy()
        fixed.flags.writeable = False
        return fixed
    if kind == 5 and array.dtype.kind == "i":
        return array.astype(c.pick(["i2", "u2", ">i4", "u8", "i1"]))
    return array.copy()


class Program:
    """An index, what else there is, and what the oracle knows."""

    def __init__(self, data: bytes) -> None:
        self.choices = c = Choices(data)
        self.calls = self.refused = self.answers = 0
        self.log: list[str] = []
        height, width = 1 + c.below(7), 1 + c.below(8)
        share = c.pick([0, 1, 2, 4])
        self.free = np.array([[c.below(8) >= share for _ in range(width)] for _ in range(height)])
        self.movement = c.pick(oracle.RULES)
        costs = self.some_costs() if c.one_in(4) else None
        given = dressed(c, self.free)
        self.index = tidegate.Index(given, self.movement, costs)
        if isinstance(given, np.ndarray) and given.flags.writeable:
            given[:] = False
        self.layer = tidegate.CostLayer(self.index)
        self.parts = self.index.decompose()
        self.world = tidegate.World(np.where(self.free, ord("."), ord("#")).astype("u1"))
        self.world.add(".")

    def some_costs(self) -> np.ndarray:
        flat = [self.choices.pick([1.0, 1.0, 2.5, 9.75, 655.35]) for _ in range(self.free.size)]
        return np.array(flat).reshape(self.free.shape)

    def tile(self) -> tuple[int, int]:
        """A free tile; any if there is none."""
        tiles = np.argwhere(self.free)
        if not len(tiles):
            return (0, 0)
        y, x = tiles[self.choices.below(len(tiles))]
        return (int(x), int(y))

    def tiles(self, most: int) -> Any:
        count = self.choices.below(most + 1)
        return dressed(self.choices, np.array([self.tile() for _ in range(count)], int).reshape(count, 2))

    def engine(self) -> str:
        return str(self.choices.pick(self.index.engines))

    def call(self, function: Any, args: list[Any], check: Any = None, *, kwargs: Any = None, fine: bool = True) -> Any:
        """Calls with these arguments or with one that is wrong; `fine`: whether these are taken."""
        kwargs = dict(kwargs or {})
        c = self.choices
        spoiled = c.below(3) == 1
        if spoiled:
            which = c.below(len(args) + len(kwargs) + 1)
            if which < len(args):
                args = [*args]
                args[which] = wrong(self)
            elif which < len(args) + len(kwargs):
                kwargs[sorted(kwargs)[which - len(args)]] = wrong(self)
            else:
                args = c.pick([[*args, wrong(self)], args[1:], args])
        name = getattr(function, "__name__", str(function))
        self.log.append(f"{name}({', '.join(shown(value) for value in args)}, **{sorted(kwargs)})")
        self.calls += 1
        before = (self.index.revision, self.index.free, self.index.costs)
        try:
            result = function(*args, **kwargs)
        except REFUSALS as error:
            self.refused += 1
            if not spoiled and fine:
                raise AssertionError(f"a good call was refused: {error!r}") from error
            if name in ("edit", "set_costs"):
                # Refused as a whole. What calls back may make an edit of its own, of nothing.
                same = self.index.revision == before[0] and np.array_equal(self.index.free, before[1])
                costs = (before[2], self.index.costs)
                same = same and (costs == (None, None) if None in map(type_of, costs) else np.array_equal(*costs))
                assert same, f"refused, and changed: {error!r}"
            return None
        if spoiled:
            # Who knows what it was.
            self.free = self.index.free
            return None
        if check is not None:
            check(result)
            self.answers += 1
        return result

    def far(self, sources: list[tuple[int, int]], layer: bool = False) -> np.ndarray:
        return oracle.distances(self.free, self.movement, sources, self.costs(layer))

    def costs(self, layer: bool) -> np.ndarray | None:
        """What tiles cost, with what the layer adds; 655.35 is the most."""
        costs = self.index.costs
        if layer and not self.layer.is_empty:
            costs = np.minimum((1.0 if costs is None else costs) + self.layer.array, 655.35)
        return costs

    def is_path(self, path: Any, start: tuple[int, int], goal: tuple[int, int], engine: str, layer: bool) -> None:
        least = self.far([start], layer)[goal[1], goal[0]]
        if path is None or len(path) == 0:
            assert np.isinf(least), f"no way from {start} to {goal}, but {least}"
            return
        assert tuple(path[0]) == start and tuple(path[-1]) == goal
        self.is_length(oracle.length(self.free, self.movement, path, self.costs(layer)), least, engine)
        path[:] = -1

    def is_length(self, told: float | None, least: float, engine: str) -> None:
        told = math.inf if told is None else told
        most = least if ENGINES[engine] else 4 * least
        assert np.isinf(told) == np.isinf(least) and (np.isinf(told) or least - 1e-6 <= told <= most + 1e-6), (
            f"{told} by {engine}, not {least}"
        )

    def step(self) -> None:
        c, index = self.choices, self.index
        start, goal = self.tile(), self.tile()
        any_free = bool(self.free.any())
        kind = c.below(34)
        if kind in (0, 1):
            engine, layer = self.engine(), c.one_in(3)
            kwargs = {"costs": self.layer} if layer else {}
            # Not every engine goes by a layer.
            fine = any_free and (not layer or engine in ("astar", "auto"))
            if kind == 0:
                check = lambda path: self.is_path(path, start, goal, engine, layer)  # noqa: E731
                self.call(index.path, [start, goal, engine], check, kwargs=kwargs, fine=fine)
            else:
                check = lambda told: self.is_length(told, self.far([start], layer)[goal[1], goal[0]], engine)  # noqa: E731
                self.call(index.distance, [start, goal, engine], check, kwargs=kwargs, fine=fine)
        elif kind == 2:
            goals = self.tiles(6)
            check = lambda far: np.testing.assert_allclose(  # noqa: E731
                far, [self.far([start])[y, x] for x, y in np.asarray(goals).reshape(-1, 2)], rtol=1e-6
            )
            self.call(index.distances, [start, goals], check, fine=any_free)
        elif kind == 3:
            count, engine = c.pick([0, 1, 2, 40]), self.engine()
            ends = [np.array([self.tile() for _ in range(count)], int).reshape(count, 2) for _ in range(2)]

            def check_paths(found: Any) -> None:
                offsets, tiles = found
                assert len(offsets) == count + 1
                for n in range(min(count, 3)):
                    path = tiles[offsets[n] : offsets[n + 1]]
                    self.is_path(path, tuple(map(int, ends[0][n])), tuple(map(int, ends[1][n])), engine, False)

            args = [dressed(c, ends[0]), dressed(c, ends[1]), engine, c.below(3)]
            self.call(index.paths, args, check_paths, fine=any_free)
        elif kind in (4, 5, 6):
            self.edit(kind == 4)
        elif kind == 7:
            self.call(index.set_costs, [dressed(c, self.some_costs())])
        elif kind == 8:
            goals = self.tiles(3)
            layer = c.one_in(3)

            def check_field(field: Any) -> None:
                sources = [(int(x), int(y)) for x, y in np.asarray(goals).reshape(-1, 2)]
                np.testing.assert_allclose(field.distance, self.far(sources, layer), rtol=1e-6)
                field.distance[:] = 0.0
                assert field.next_step.shape == (*self.free.shape, 2)

            kwargs = {"costs": self.layer} if layer else {}
            self.call(index.field, [goals], check_field, kwargs=kwargs, fine=any_free)
        elif kind == 9:
            far = any_free and not np.isinf(self.far([start])[goal[1], goal[0]])
            check = lambda yes: self.same(yes, far)  # noqa: E731
            self.call(index.reachable, [start, goal], check)
        elif kind == 10:
            self.call(index.nearest_reachable, [start, goal], lambda near: self.same(near, goal if near == goal else near))
        elif kind in (11, 12):
            spots = [spot if c.one_in(2) else (spot[0] + 0.25, spot[1] + 0.5) for spot in (start, goal)]

            def check_walk(walk: Any) -> None:
                square = oracle.distances(self.free, "four-connected", [start])[goal[1], goal[0]]
                assert (walk is None) == np.isinf(square)
                if walk is not None:
                    ends = walk.points[0], walk.points[-1]
                    assert math.dist(*ends) - 1e-9 <= walk.length <= square + 2
                    assert walk.tiles(index).shape[1] == 2

            self.call(index.walk, spots, check_walk, fine=any_free)
        elif kind in (13, 14):
            # Not every engine takes ground that is not all the same.
            engines = [str(c.pick(list(ENGINES))) for _ in range(c.below(3))]
            self.call(index.prepare, list(engines), kwargs={"threads": c.below(3)}, fine=index.costs is None)
        elif kind == 15:
            budget = c.pick([None, 0, 100, 1 << 20, (1 << 63) - 1])
            form = c.pick(["auto", "fast", "small"])
            kwargs = {"labels": c.one_in(2), "form": form, "budget": budget, "threads": 1}
            self.call(index.prepare_walks, [], kwargs=kwargs, fine=budget in (None, 1 << 20))
        elif kind in (16, 17):
            self.layers()
        elif kind in (18, 19, 20):
            self.zones(start, goal)
        elif kind == 21:
            path = index.path(start, goal) if any_free else None
            scale = c.pick([0, 1, 5, 1 << 20])
            self.call(index.draw, [path, scale], fine=scale < 100)
        elif kind in (22, 23):
            self.files()
        elif kind in (24, 25, 26):
            self.worlds()
        elif kind == 27:
            self.call(index.cheapest_within, [start, c.pick([0.0, 1.5, 1e300]), self.layer], fine=any_free)
        elif kind == 28:
            self.call(tidegate.Index, [dressed(c, self.free), self.movement, c.pick([None, self.some_costs()])])
        elif kind == 29:
            self.call(c.pick([tidegate.Parts, tidegate.Gate, tidegate.Walk, tidegate.Field, tidegate.EditReport]), [1], fine=False)
        elif kind == 30:
            self.call(setattr, [index, c.pick(["width", "free", "revision", "new"]), 1], fine=False)
        elif kind == 31:
            for value in (index, self.layer, self.parts, self.world):
                assert repr(value)
            assert index.shape == self.free.shape and index.movement == self.movement
            assert index._repr_png_()[:4] == b"\x89PNG"
        else:
            self.together(start, goal)

    def same(self, told: object, wanted: object) -> None:
        assert told == wanted, f"{told}, not {wanted}"

    def edit(self, masks: bool) -> None:
        c = self.choices
        height, width = self.free.shape
        wanted = self.free.copy()
        if masks:
            closed, opened = (np.zeros(self.free.shape, bool) for _ in range(2))
            for _ in range(c.below(4)):
                y, x = c.below(height), c.below(width)
                (opened if c.one_in(2) and not closed[y, x] else closed)[y, x] = True
            closed &= ~opened
            wanted = (wanted & ~closed) | opened
            args = [c.pick([None, dressed(c, closed)]), dressed(c, opened)]
            if args[0] is None:
                wanted = self.free | opened
        else:
            changes = [(c.below(width), c.below(height), c.one_in(2)) for _ in range(c.below(5))]
            for x, y, free in changes:
                wanted[y, x] = free
            args = [c.pick([changes, np.array(changes, int).reshape(-1, 3), iter(changes), tuple(changes)])]
        before = self.index.revision

        def check(report: Any) -> None:
            np.testing.assert_array_equal(self.index.free, wanted)
            assert report.revision == self.index.revision == before + (not np.array_equal(wanted, self.free))
            assert {*map(tuple, report.closed.tolist())} == {(x, y) for y, x in np.argwhere(self.free & ~wanted)}

        if self.call(self.index.edit, args, check) is not None:
            self.free = wanted

    def layers(self) -> None:
        c, layer = self.choices, self.layer
        kind = c.below(6)
        if kind < 2:
            inner, falling = c.pick([0.0, 1.0]), c.one_in(2)
            kwargs = {"inner": inner, "falling": falling}
            args = [self.tile(), c.pick([0.0, 1.0, 2.5, 1e300, 70_000.0]), c.pick([0.0, 1.25, 655.35])]
            self.call(layer.add, args, kwargs=kwargs, fine=not (inner and falling))
        elif kind == 2:
            self.call(layer.add_array, [dressed(c, self.some_costs())])
        elif kind == 3:
            self.call(layer.fade, [c.pick([0.0, 0.5, 1.0, 1e-300])])
        elif kind == 4:
            self.layer = tidegate.CostLayer(self.index)
        else:
            self.call(tidegate.CostLayer, [self.index])
            assert layer.array.shape == self.free.shape

    def zones(self, start: tuple[int, int], goal: tuple[int, int]) -> None:
        c = self.choices
        if c.one_in(3):
            self.parts = self.index.decompose()
        parts = self.parts
        gates, zones = parts.gates, parts.regions
        gate = c.pick(gates).id if gates else 0
        zone = c.pick(zones).id if zones else 0
        kind = c.below(13)
        if kind == 0:
            # Zones of an older map have the walls that it had.
            assert parts.zones.shape == parts.gate_tiles.shape == parts.altitude.shape == self.free.shape
            assert set(parts.graph) == {zone.id for zone in zones} and "gates" in parts.to_json()
        elif kind == 1:
            self.call(parts.outline, [zone], fine=bool(zones))
        elif kind == 2:
            self.call(c.pick([parts.zone_of, parts.nearest_gate]), [start])
        elif kind == 3:
            self.call(parts.route, [start, goal])
        elif kind == 4:
            self.call(parts.choke_points, [c.pick([0, 1, 10, (1 << 64) - 1])])
        elif kind in (5, 6):
            k = c.pick([0, 1, 3, 100, (1 << 64) - 1])
            kwargs = {"avoid_gates": [gate] * (len(gates) > 0 and c.one_in(2)), "avoid_zones": []}
            self.call(parts.routes, [start, goal, k], kwargs=kwargs, fine=k <= 100)
        elif kind == 7:
            kwargs = {"avoid_gates": [], "avoid_zones": [zone] * (len(zones) > 0 and c.one_in(2))}
            self.call(parts.widest_route, [start, goal], kwargs=kwargs)
        elif kind == 8:
            self.call(parts.gate_sides, [gate], fine=bool(gates))
        elif kind == 9:
            self.call(parts.holding_tile, [gate, zone, c.pick([0, 3, 65_535])], fine=bool(gates and zones))
        elif kind == 10:
            self.call(parts.distance_to_line, [start, gate], fine=bool(gates))
            self.call(parts.loops, [])
        elif kind == 11:
            self.call(parts.gates_on, [self.tiles(5)])
        else:
            scale = c.pick([0, 1, 1 << 31])
            self.call(parts.draw, [scale, c.one_in(2)], fine=scale < 100)

    def files(self) -> None:
        c, index = self.choices, self.index
        nowhere = c.pick(["/nowhere/at/all", "", "\0", "."])
        kind = c.below(6)
        if kind == 0:
            self.call(tidegate.read_map, [nowhere], fine=False)
        elif kind == 1:
            self.call(c.pick([index.save, tidegate.Index.open]), ["/nowhere/at/all"], fine=False)
        elif kind == 2:
            kwargs = {"engines": [c.pick(list(ENGINES))], "every": c.pick([1, 0, 1 << 62]), "threads": 1}
            self.call(tidegate.bench_map, [nowhere, nowhere], kwargs=kwargs, fine=False)
        elif kind == 3:
            data = bytearray(index.to_bytes())
            for _ in range(1 + c.below(3)):
                data[(c.below(65_536) * 7) % len(data)] ^= 1 << c.below(8)
            self.call(tidegate.Index.from_bytes, [bytes(data)], fine=False)
        else:
            other = self.call(tidegate.Index.from_bytes, [index.to_bytes()])
            if other is not None and c.one_in(2):
                # The same from here on, but it is not changed with the first.
                self.index = pickle.loads(pickle.dumps(other))
                np.testing.assert_array_equal(self.index.free, self.free)

    def worlds(self) -> None:
        c, world = self.choices, self.world
        height, width = self.free.shape
        kind = c.below(7)
        profile = c.below(len(world))
        if kind == 0:
            classes = c.pick([".", "#.", [46], b".#", {".": 2}, {46: None, "#": 1.5}, range(256)])
            self.call(world.add, [classes, 1 + c.below(4), c.pick(oracle.RULES)])
        elif kind in (1, 2):
            changes = [(c.below(width), c.below(height), c.pick([".", "#", 7])) for _ in range(c.below(4))]
            before = world.ground
            self.call(world.edit, [c.pick([changes, iter(changes)])])
            # A refused edit changes nothing.
            assert (world.ground != before).sum() <= max(len(changes), 1)
        elif kind == 3:
            self.call(world.set_cost, [profile, c.pick([".", 35]), c.pick([None, 1.0, 3.5])])
        elif kind == 4:
            index = world.index(profile)
            free = index.free
            if free.any():
                y, x = np.argwhere(free)[c.below(int(free.sum()))]
                here = (int(x), int(y))
                far = oracle.distances(free, index.movement, [here], index.costs)
                field = self.call(index.field, [[here]])
                if field is not None:
                    np.testing.assert_allclose(field.distance, far, rtol=1e-6)
            self.call(index.edit, [[(0, 0, True)]], fine=False)
        elif kind == 5:
            rows = ["".join("." if tile else "#" for tile in row) for row in self.free]
            self.call(tidegate.World, [c.pick([rows, world.ground, np.asfortranarray(world.ground)])])
        else:
            self.call(world.index, [profile])
            assert world.shape == self.free.shape and world.ground.shape == self.free.shape

    def together(self, start: tuple[int, int], goal: tuple[int, int]) -> None:
        """Several threads ask, edit and change the layer at once."""
        if not self.free.any():
            return
        failures: list[BaseException] = []
        index, layer = self.index, self.layer

        def work(n: int) -> None:
            try:
                for _ in range(3):
                    try:
                        if n == 0:
                            index.edit([(*goal, False)])
                            index.edit([(*goal, True)])
                        elif n == 1:
                            layer.add_array(np.ones(self.free.shape))
                            layer.fade(0.5)
                            index.distance(start, goal, costs=layer)
                        else:
                            index.paths([start] * 3, [goal] * 3)
                            index.field([start])
                    except tidegate.CoordinateError:
                        # The other has put a wall there.
                        pass
            except BaseException as error:
                failures.append(error)

        workers = [threading.Thread(target=work, args=(n,)) for n in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert not failures, failures
        self.log.append("together")
        np.testing.assert_array_equal(index.free, self.free)


def type_of(value: object) -> type | None:
    return None if value is None else type(value)


def shown(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"<{value.shape} {value.dtype}>"
    return repr(value)[:60] if not isinstance(value, (Liar, range)) else type(value).__name__


def run(data: bytes) -> Program:
    """The program of these bytes; an error tells its calls."""
    program = Program(data)
    # A call that hangs ends the process with the stacks of all threads.
    faulthandler.dump_traceback_later(MOST_SECONDS, exit=True)
    try:
        for _ in range(CALLS):
            if program.choices.is_empty:
                break
            program.step()
        program.choices = Choices(b"")
        start, goal = program.tile(), program.tile()
        if program.free.any():
            program.is_path(program.index.path(start, goal), start, goal, "auto", False)
    except BaseException as error:
        calls = "\n  ".join(program.log[-12:])
        raise AssertionError(f"{error!r}\n  {calls}\n  --replay {data.hex()}") from error
    finally:
        faulthandler.cancel_dump_traceback_later()
    return program


def main(arguments: list[str]) -> None:
    faulthandler.enable()
    if arguments[0] == "--replay":
        run(bytes.fromhex(arguments[1]))
        return
    if arguments[0] == "--atheris":
        import atheris  # type: ignore[import-not-found,unused-ignore]

        atheris.Setup([sys.argv[0], *arguments[1:]], lambda data: run(data) and None)
        atheris.Fuzz()
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    most, seed, seconds = [int(given) for given in arguments] + [1, 10**9][len(arguments) - 1 :]
    rng, end = random.Random(seed), time.monotonic() + seconds
    counts = [0, 0, 0, 0]
    while counts[0] < most and time.monotonic() < end:
        program = run(rng.randbytes(rng.randrange(40, 400)))
        for n, more in enumerate((1, program.calls, program.refused, program.answers)):
            counts[n] += more
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    programs, calls, refused, answers = counts
    print(f"{programs} programs, {calls} calls, {refused} refused, {answers} answers compared, peak {peak} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
