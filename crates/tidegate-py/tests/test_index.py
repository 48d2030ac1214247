"""Files, threads, zones, pictures: what is no matter of arrays."""

from __future__ import annotations

import copy
import json
import multiprocessing
import pickle
import struct
import threading
import time
from pathlib import Path

import numpy as np
import oracle
import pytest

import tidegate


def rooms(height: int = 9, width: int = 19) -> np.ndarray:
    """Two rooms with a door of one tile between them."""
    free = np.ones((height, width), dtype=bool)
    free[:, width // 2] = False
    free[height // 2, width // 2] = True
    return free


def caves(size: int, seed: int = 1) -> np.ndarray:
    return oracle.random_map(np.random.default_rng(seed), (size, size), 0.2)


def test_the_contract_word_by_word(tmp_path: Path) -> None:
    file = tmp_path / "x.map"
    file.write_text("type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.GST.\n")
    free, kinds = tidegate.read_map(str(file))
    assert free.dtype == bool and free.shape == (3, 5)
    assert kinds.dtype == np.uint8 and bytes(kinds[2]) == b".GST."
    index = tidegate.Index(free, movement="no-corner-cutting", costs=None)
    index.save(tmp_path / "x.tide")
    index = tidegate.Index.open(str(tmp_path / "x.tide"))
    index.prepare("labels", "jps")
    path = index.path((0, 0), (2, 2), engine="auto")
    assert path.shape[1] == 2 and np.issubdtype(path.dtype, np.integer)
    assert index.path((0, 0), (4, 0)) is None and index.distance((0, 0), (4, 0)) is None
    assert isinstance(index.distance((0, 0), (2, 2), engine="labels"), float)
    far = index.distances((0, 0), np.array([[0, 0], [4, 0]]))
    assert far.tolist() == [0.0, np.inf]
    starts, goals = np.array([[0, 0], [0, 0]]), np.array([[1, 2], [4, 0]])
    offsets, tiles = index.paths(starts, goals, engine="auto", threads=0)
    assert np.array_equal(tiles[offsets[0] : offsets[1]], index.path((0, 0), (1, 2)))
    assert offsets[1] == offsets[2]
    index.edit([(3, 2, True)])
    assert index.reachable((0, 0), (4, 0))
    closed, opened = np.zeros((3, 5), bool), np.zeros((3, 5), bool)
    closed[2, 3] = True
    index.edit(closed, opened)
    assert not index.reachable((0, 0), (4, 0))
    field = index.field(np.array([[0, 0]]))
    assert field.distance.shape == (3, 5) and np.isinf(field.distance[0, 4])
    assert field.next_step.shape == (3, 5, 2) and field.next_step.dtype == np.int8
    assert field.next_step[0, 0].tolist() == [0, 0] and field.next_step[0, 1].tolist() == [-1, 0]
    assert index.nearest_reachable((0, 0), (4, 2)) == (2, 2)
    parts = index.decompose()
    assert parts.zones.dtype == np.int32 and ((parts.zones == -1) == ~index.free).all()
    assert len(parts.gates) >= 0 and set(parts.graph) == set(np.unique(parts.zones)) - {-1}
    assert json.loads(parts.to_json())["map"]["width"] == 5
    assert issubclass(tidegate.Error, Exception)


def test_an_index_is_the_same_after_a_file_and_a_pickle(tmp_path: Path) -> None:
    costs = np.where(rooms(), 1.0, 1.0)
    costs[0, 0] = 3.25
    for index in (tidegate.Index(rooms()), tidegate.Index(rooms(), "four-connected", costs)):
        index.prepare("differential")
        file = tmp_path / "a.tide"
        index.save(file)
        data = index.to_bytes()
        assert file.read_bytes() == data
        for again in (
            tidegate.Index.open(file),
            tidegate.Index.from_bytes(data),
            pickle.loads(pickle.dumps(index)),
            copy.deepcopy(index),
        ):
            assert again.to_bytes() == data and repr(again) == repr(index)
            assert again.movement == index.movement and again.engines == index.engines
            assert (again.costs is None) == (index.costs is None)
    assert tidegate.Index.open(file).costs[0, 0] == 3.25


def test_files_that_are_none_name_themselves(tmp_path: Path) -> None:
    bad = tmp_path / "bad.map"
    bad.write_text("type octile\nheight 1\nwidth 2\nmap\n.x\n")
    cut = tmp_path / "cut.tide"
    cut.write_bytes(tidegate.Index(rooms()).to_bytes()[:-1])
    old = bytearray(tidegate.Index(rooms()).to_bytes())
    old[8:12] = struct.pack("<I", 1)
    (tmp_path / "old.tide").write_bytes(old)
    for call, words in [
        (lambda: tidegate.read_map(tmp_path / "no.map"), "no.map: No such file"),
        (lambda: tidegate.read_map(tmp_path), "is a folder, not a file"),
        (lambda: tidegate.read_map(bad), "bad.map: line 5, column 2: unknown tile 'x'"),
        (lambda: tidegate.Index.open(tmp_path / "no.tide"), "no.tide: No such file"),
        (lambda: tidegate.Index.open(bad), "bad.map: the file has"),
        (lambda: tidegate.Index.open(cut), "cut.tide: the file has"),
        (lambda: tidegate.Index.open(tmp_path / "old.tide"), "format version 1"),
        (lambda: tidegate.Index.from_bytes(b""), "the file has 0 bytes"),
        (lambda: tidegate.Index(rooms()).save(tmp_path / "no" / "x.tide"), "x.tide: No such file"),
        (lambda: tidegate.Index(rooms()).draw().save(tmp_path / "no" / "x.png"), "x.png: No such"),
    ]:
        with pytest.raises(tidegate.FileError) as caught:
            call()
        assert words in str(caught.value) and isinstance(caught.value, OSError)
    with pytest.raises(TypeError):
        tidegate.read_map(7)


def test_other_threads_run_while_tables_are_built_and_paths_found() -> None:
    index = tidegate.Index(caves(150))
    free = oracle.free_tiles(index.free)
    rng = np.random.default_rng(2)
    starts, goals = rng.choice(free, 4000), rng.choice(free, 4000)

    def turns_during(work) -> int:
        """How often this thread has its turn while another works."""
        started, done = threading.Event(), threading.Event()

        def run() -> None:
            started.set()
            work()
            done.set()

        thread = threading.Thread(target=run)
        thread.start()
        started.wait()
        turns = 0
        while not done.is_set():
            time.sleep(0.0005)
            turns += 1
        thread.join()
        return turns

    assert turns_during(lambda: index.prepare("labels", threads=1)) > 10
    assert turns_during(lambda: index.paths(starts, goals, "astar", threads=1)) > 10


def test_questions_are_answered_while_the_map_changes() -> None:
    """Each answer is right on the map as it was before or after an edit, never in between."""
    free = rooms(31, 41)
    index = tidegate.Index(free)
    index.prepare("corners")
    door = (20, 15)
    shut = [(*door, False)]
    opened = [(*door, True)]
    expected = {None, index.distance((0, 0), (40, 30))}
    stop, wrong = threading.Event(), []

    def ask() -> None:
        starts, goals = np.tile([0, 0], (500, 1)), np.tile([40, 30], (500, 1))
        while not stop.is_set():
            if index.distance((0, 0), (40, 30)) not in expected:
                wrong.append("distance")
            offsets, _ = index.paths(starts, goals, threads=2)
            if len(set(np.diff(offsets).tolist())) != 1:
                wrong.append("a batch saw two maps")

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(100):
        index.edit(shut)
        assert index.distance((0, 0), (40, 30)) is None
        index.edit(opened)
        assert index.distance((0, 0), (40, 30)) is not None
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong and index.revision == 200


def _child(index: tidegate.Index) -> list[float]:
    """Everything that may use threads."""
    index.prepare("labels", "corners", "hpa")
    index.edit(np.triu(np.ones(index.shape, dtype=bool), 40))
    other = tidegate.Index.from_bytes(index.to_bytes())
    other.prepare("gateway-consistent")
    far = other.field([(0, 0)]).distance
    ends = np.argwhere(np.isfinite(far))[:, ::-1]
    offsets, _ = other.paths(np.zeros_like(ends), ends)
    return [float(np.diff(offsets).sum()), len(other.decompose().gates), float(far[ends[:, 1], ends[:, 0]].sum())]


def test_a_forked_process_can_build_edit_and_ask() -> None:
    free = caves(120)
    free[0, 0] = True
    here = _child(tidegate.Index(free))
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            there = pool.apply_async(_child, (tidegate.Index(free),)).get(timeout=100)
            assert there == here, method


def test_zones_and_gates_are_those_of_the_map() -> None:
    parts = tidegate.Index(rooms()).decompose()
    [gate] = parts.gates
    assert gate.a == gate.b == gate.middle == (9, 4) and gate.width == 1
    assert gate.zones == [0, 1] and gate.tiles.tolist() == [[9, 4]] and not gate.manual
    assert parts.graph == {0: {1: {"gates": [0]}}, 1: {0: {"gates": [0]}}}
    assert parts.gate_tiles[4, 9] == 0 and (parts.gate_tiles == -1).sum() == 9 * 19 - 1
    assert parts.zones[0, 0] == 0 and parts.zones[0, 18] == 1 and parts.zones[4, 9] in (0, 1)
    left, right = parts.regions
    assert left.area == right.area == 81 and left.gates == [0] and left.bounds == (0, 0, 8, 8)
    assert parts.zone_of((0, 0)) == 0 and parts.nearest_gate((0, 0)) == 0
    assert parts.route((0, 0), (18, 8)) == [0] and parts.route((0, 0), (1, 1)) == []
    assert parts.outline(0).tolist() == [[0, 0], [9, 0], [9, 9], [0, 9]]
    assert parts.altitude[0, 9] == 0 and parts.altitude[4, 4] > 1
    path = tidegate.Index(rooms()).path((0, 0), (18, 8))
    assert parts.gates_on(path) == [0]
    assert repr(parts) == "Parts(2 zones, 1 gates)"


def ring() -> np.ndarray:
    """Four rooms of 9 x 9 in a ring, with doors of 1, 1, 1 and 3 tiles, and a closet behind the last."""
    free = np.zeros((19, 29), dtype=bool)
    for x, y in [(0, 0), (10, 0), (0, 10), (10, 10), (20, 10)]:
        free[y : y + 9, x : x + 9] = True
    free[4, 9] = free[9, 4] = free[14, 9] = free[14, 19] = True
    free[9, 13:16] = True
    return free


def test_choke_points_routes_and_loops() -> None:
    index = tidegate.Index(ring())
    parts = index.decompose()
    start, goal, closet = (4, 4), (14, 14), (24, 14)
    gates = {gate.middle: gate for gate in parts.gates}
    assert set(gates) == {(9, 4), (4, 9), (9, 14), (19, 14), (14, 9)}
    door = gates[(19, 14)]
    assert door.prominence == 9.0 and gates[(14, 9)].prominence == 3.0
    points = parts.choke_points(3)
    assert len(points) == 3 and points[0].traffic >= points[1].traffic
    assert [p.gate for p in parts.choke_points(99) if p.cut_off] == [door.id]
    first, second = parts.routes(start, goal, 5)
    assert first.length == second.length or first.length < second.length
    assert {tuple(first.gates), tuple(second.gates)} == {
        (gates[(9, 4)].id, gates[(14, 9)].id),
        (gates[(4, 9)].id, gates[(9, 14)].id),
    }
    for route in (first, second):
        assert route.zones[0] == parts.zone_of(start) and route.zones[-1] == parts.zone_of(goal)
        assert route.width == min(parts.gates[gate].width for gate in route.gates)
    [only] = parts.routes(start, goal, avoid_gates=[gates[(9, 4)].id])
    assert only.gates == [gates[(4, 9)].id, gates[(9, 14)].id]
    [only] = parts.routes(start, goal, avoid_zones=[parts.zone_of((4, 14))])
    assert only.gates == [gates[(9, 4)].id, gates[(14, 9)].id]
    widest = parts.widest_route((14, 4), goal)
    assert widest is not None and widest.width == 3
    assert parts.widest_route(start, closet, avoid_gates=[door.id]) is None
    loops = parts.loops()
    assert loops.bridges == [(door.id, 81)]
    assert sorted(map(len, loops.groups)) == [1, 4] and (door.id, 1) in [
        (gate, len(loops.groups[group])) for gate, group in loops.dead_ends
    ]
    assert parts.gate_sides(door.id) == [
        (zone, (18, 14) if zone == parts.zone_of(goal) else (20, 14)) for zone in door.zones
    ]
    held = parts.holding_tile(door.id, parts.zone_of(goal), 5)
    assert held is not None and parts.zone_of(held) == parts.zone_of(goal)
    assert (held[0] - 19) ** 2 + (held[1] - 14) ** 2 <= 25
    assert parts.holding_tile(gates[(14, 9)].id, parts.zone_of(goal), 1) is None
    far = parts.distance_to_line((14, 17), gates[(14, 9)].id)
    assert far == (8.0, (14, 9))
    for n in range(0, 9, 2):
        end = parts.distance_to_line((n, 0), door.id)
        assert end is not None and abs(end[0] - index.distance((n, 0), (19, 14))) < 1e-9
    assert not any(zone.is_pocket for zone in parts.regions)
    for wrong in (
        lambda: parts.gate_sides(99),
        lambda: parts.routes(start, goal, avoid_gates=[-1]),
        lambda: parts.holding_tile(0, 99, 3),
    ):
        with pytest.raises(tidegate.ArgumentError):
            wrong()


def test_every_free_tile_has_a_zone_and_its_zone_is_connected_to_it() -> None:
    rng = np.random.default_rng(9)
    tiles = 0
    for n in range(60):
        shape = [(1, 30), (30, 1), (40, 40), (25, 60)][n % 4]
        free = oracle.random_map(rng, shape, rng.choice([0.02, 0.1, 0.3]))
        for movement in oracle.RULES:
            index = tidegate.Index(free, movement)
            parts = index.decompose()
            assert ((parts.zones == -1) == ~free).all() and (parts.zones[free] >= 0).all()
            gates = parts.gate_tiles >= 0
            assert sum(zone.area for zone in parts.regions) == (free & ~gates).sum()
            for zone in parts.regions:
                assert ((parts.zones == zone.id) & ~gates).sum() == zone.area
            for gate in parts.gates:
                # A gate's tile has a zone that can be reached from it.
                for x, y in gate.tiles:
                    assert parts.gate_tiles[y, x] == gate.id
                    zone = parts.zones[y, x]
                    if gate.zones:
                        deepest = parts.regions[zone].deepest
                        assert index.reachable((x, y), deepest)
                    tiles += 1
            for zone, others in parts.graph.items():
                for other, edge in others.items():
                    assert parts.graph[other][zone] == edge
                    for gate in edge["gates"]:
                        assert {zone, other} <= set(parts.gates[gate].zones)
    assert tiles > 100


def test_parts_stay_what_they_are_and_new_ones_follow_edits() -> None:
    index = tidegate.Index(rooms())
    parts = index.decompose()
    zones = parts.zones.copy()
    index.edit([(9, 4, False)])
    assert np.array_equal(parts.zones, zones) and len(parts.gates) == 1
    after = index.decompose()
    assert len(after.gates) == 0 and after.zones[4, 9] == -1
    assert after.graph == {0: {}, 1: {}}


def size_of_png(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_pictures_are_png(tmp_path: Path) -> None:
    index = tidegate.Index(rooms())
    path = index.path((0, 0), (18, 8))
    picture = index.draw(path, scale=4)
    assert size_of_png(picture.to_png()) == (picture.width, picture.height) == (76, 36)
    assert picture._repr_png_() == picture.to_png() != index.draw(scale=4).to_png()
    picture.save(tmp_path / "path.png")
    assert (tmp_path / "path.png").read_bytes() == picture.to_png()
    assert size_of_png(index._repr_png_())[0] % 19 == 0
    parts = index.decompose()
    assert size_of_png(parts._repr_png_())[0] % 19 == 0
    assert parts.draw(scale=8, labels=True).to_png() != parts.draw(scale=8).to_png()
    # A picture is a map too: what is drawn is read again.
    free, _ = tidegate.read_map(tmp_path / "path.png")
    assert free.shape == (36, 76)


def test_a_scenario_is_judged_as_the_program_does(tmp_path: Path) -> None:
    (tmp_path / "a.map").write_text("type octile\nheight 1\nwidth 4\nmap\n....\n")
    scenario = tmp_path / "a.map.scen"
    scenario.write_text("version 1\n0\ta.map\t4\t1\t0\t0\t3\t0\t3.0\n0\ta.map\t4\t1\t0\t0\t2\t0\t1.0\n")
    rows = tidegate.bench_map(tmp_path / "a.map", engines=["astar"]).splitlines()
    assert rows[0].startswith("set,map,problem,start_x") and len(rows) == 3
    assert rows[1].startswith("files,a,0,0,0,3,0,astar,3.0,3.00000000,") and rows[1].endswith("optimal")
    assert rows[2].endswith("longer")
    one = tidegate.bench_map(tmp_path / "a.map", scenario, engines=["astar"], every=2, set="s")
    assert len(one.splitlines()) == 2 and one.splitlines()[1].startswith("s,a,0,")
    # As the program does: an engine that cannot be built is left out, unless none is left.
    (tmp_path / "b.map").write_text("type octile\nheight 33000\nwidth 1\nmap\n" + ".\n" * 33000)
    (tmp_path / "b.map.scen").write_text("version 1\n0\tb.map\t1\t33000\t0\t0\t0\t2\t2.0\n")
    rows = tidegate.bench_map(tmp_path / "b.map", engines=["labels", "astar"]).splitlines()
    assert len(rows) == 2 and ",astar," in rows[1]
    with pytest.raises(tidegate.EngineError, match="engine labels cannot be built for this map"):
        tidegate.bench_map(tmp_path / "b.map", engines=["labels"])
    other = tmp_path / "b.tide"
    tidegate.Index(rooms()).save(other)
    for wrong, words in [
        ({"index": other}, "b.tide: it is no index of"),
        ({"scenario": tmp_path / "no.scen"}, "no.scen: No such file"),
        ({"engines": ["best"]}, 'no engine "best"'),
        ({"every": 0}, "every must be 1 or more"),
    ]:
        with pytest.raises(tidegate.Error) as caught:
            tidegate.bench_map(tmp_path / "a.map", **wrong)
        assert words in str(caught.value)


def test_what_people_see() -> None:
    index = tidegate.Index(rooms())
    assert repr(index) == "Index(19 x 9 tiles, no-corner-cutting, tables: none)"
    assert (index.width, index.height, index.shape) == (19, 9, (9, 19))
    index.prepare()
    assert "jps" in index.engines and "labels" not in index.engines
    assert repr(index.field([(0, 0)])) == "Field(19 x 9 tiles)"
    gate = index.decompose().gates[0]
    assert repr(gate) == "Gate(0: (9, 4) to (9, 4), width 1, zones [0, 1])"
    assert repr(index.decompose().regions[0]).startswith("Zone(0: 81 tiles around (4, 4)")
    with pytest.raises(AttributeError):
        index.width = 3
    with pytest.raises(AttributeError):
        gate.width = 3
