"""A Ray cluster of two workers on this machine: what it gives is what one process gives."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import oracle
import pytest

import tidegate
import tidegate.ray as cluster

ray = pytest.importorskip("ray", reason="ray is not installed: pip install tidegate[ray]")
pytestmark = pytest.mark.ray

MAPS, PROBLEMS = 60, 167


@pytest.fixture(scope="module", autouse=True)
def two_workers() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of 60 maps with 10,020 problems."""
    root = tmp_path_factory.mktemp("suite")
    rng = np.random.default_rng(11)
    for number in range(MAPS):
        group, name = ("caves", "rooms")[number % 2], f"m{number:02}"
        free = oracle.random_map(rng, (48, 64), 0.25)
        rows = "\n".join("".join("@."[int(tile)] for tile in row) for row in free)
        file = root / "maps" / group / f"{name}.map"
        scenario = root / "scenarios" / group / f"{name}.map.scen"
        file.parent.mkdir(parents=True, exist_ok=True)
        scenario.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"type octile\nheight 48\nwidth 64\nmap\n{rows}\n")
        index = tidegate.Index(free)
        fields = [index.field([tile]).distance for tile in rng.choice(oracle.free_tiles(free), 8)]
        largest = max(fields, key=lambda distance: np.isfinite(distance).sum())
        tiles = np.argwhere(np.isfinite(largest))[:, ::-1]
        lines = ["version 1"]
        for a, b in zip(rng.choice(tiles, PROBLEMS), rng.choice(tiles, PROBLEMS), strict=True):
            far = index.distance(a, b)
            lines.append(f"0\t{name}.map\t64\t48\t{a[0]}\t{a[1]}\t{b[0]}\t{b[1]}\t{far:.8f}")
        scenario.write_text("\n".join(lines) + "\n")
    return root


def without_times(text: str) -> list[list[str]]:
    lines = [line.split(",") for line in text.splitlines()]
    time = lines[0].index("nanos")
    return [line[:time] + line[time + 1 :] for line in lines]


def kill_one(results: Iterator[cluster.Result]) -> list[cluster.Result]:
    """All results; workers that gave one are killed until a job was lost with its worker."""
    all_results = []
    for result in results:
        all_results.append(result)
        lost = any(each.attempts > 1 for each in all_results)
        if len(all_results) % 3 == 0 and not lost:
            # A worker that was killed before, or has ended by itself, is no longer there.
            with contextlib.suppress(ProcessLookupError):
                os.kill(result.worker, signal.SIGKILL)
    return all_results


def test_sixty_maps_and_ten_thousand_problems_with_a_worker_killed(folder: Path, tmp_path: Path) -> None:
    jobs = cluster.suite(folder)
    assert len(jobs) == MAPS
    indexes, rows = tmp_path / "indexes", tmp_path / "rows"
    results = kill_one(cluster.index_many(jobs, indexes, engines=["corners"]))
    assert {result.job.name for result in results} == {job.name for job in jobs}
    assert all(result.error is None for result in results)
    died = [result for result in results if result.attempts > 1]
    assert len(died) >= 1, "a kill hit a job"
    for result in results:
        index = tidegate.Index(tidegate.read_map(result.job.map)[0])
        index.prepare("corners")
        assert result.file.read_bytes() == index.to_bytes(), result.job.name

    engines = ["corners", "astar", "hpa"]
    results = list(cluster.evaluate(jobs, rows, engines=engines, indexes=indexes))
    assert all(result.error is None for result in results)
    count = cluster.merge(jobs, rows, tmp_path / "all.csv")
    assert count == MAPS * PROBLEMS * len(engines) > 30_000
    apart = without_times((tmp_path / "all.csv").read_text())
    here = []
    for job in jobs:
        lines = without_times(tidegate.bench_map(job.map, job.scenario, engines=engines, set=job.set))
        here += lines if not here else lines[1:]
    assert apart == here
    status = apart[0].index("status")
    assert {line[status] for line in apart[1:]} == {"optimal", "longer"}
    exact = [line for line in apart[1:] if "hpa" not in line]
    assert {line[status] for line in exact} == {"optimal"}


def test_a_run_goes_on_where_it_stopped(folder: Path, tmp_path: Path) -> None:
    jobs = cluster.suite(folder, sets=["rooms"])[:8]
    started = cluster.evaluate(jobs, tmp_path, engines=["jps"], every=10, limit=2)
    first = [next(started) for _ in range(3)]
    started.close()
    again = {r.job: r for r in cluster.evaluate(jobs, tmp_path, engines=["jps"], every=10)}
    assert len(again) == 8
    assert all(again[result.job].attempts == 0 for result in first), "done before"
    assert sum(result.attempts for result in again.values()) == 5
    once_more = list(cluster.evaluate(jobs, tmp_path, engines=["jps"], every=10))
    assert [result.attempts for result in once_more] == [0] * 8
    # Other settings, or a file that was changed, are done again.
    assert all(r.attempts for r in cluster.evaluate(jobs, tmp_path, engines=["jps"], every=20))
    (tmp_path / "rooms" / f"{jobs[0].map.stem}.csv.done").write_text("{")
    redone = [r.job for r in cluster.evaluate(jobs, tmp_path, engines=["jps"], every=20) if r.attempts]
    assert redone == [jobs[0]]


def test_what_goes_wrong_is_told_and_the_rest_is_done(folder: Path, tmp_path: Path) -> None:
    jobs = cluster.suite(folder, sets=["rooms"])[:3]
    bad = tmp_path / "bad.map"
    bad.write_text("type octile\nheight 1\nwidth 1\nmap\nx\n")
    jobs = [cluster.Job(bad), cluster.Job(tmp_path / "none.map"), *jobs]
    results = {r.job: r for r in cluster.index_many(jobs, tmp_path / "out", engines=["jps"])}
    assert "line 5, column 1: unknown tile 'x'" in results[jobs[0]].error
    assert "none.map" in results[jobs[1]].error
    assert all(results[job].error is None and results[job].file.is_file() for job in jobs[2:])
    with pytest.raises(tidegate.FileError, match="5 of 5 maps have no rows"):
        cluster.merge(jobs, tmp_path / "out", tmp_path / "all.csv")
    with pytest.raises(tidegate.ArgumentError, match="two maps are called rooms/"):
        cluster.index_many([jobs[2], jobs[2]], tmp_path)
    with pytest.raises(tidegate.ArgumentError, match="no set 'none' here; there are: caves, rooms"):
        cluster.suite(folder, sets=["none"])
    with pytest.raises(tidegate.FileError, match="is not a suite"):
        cluster.suite(tmp_path)


def test_a_map_that_kills_its_workers_is_given_up(folder: Path, tmp_path: Path) -> None:
    [job, other] = cluster.suite(folder, sets=["caves"])[:2]

    def deadly(settings: dict[str, object], given: cluster.Job, *data: bytes) -> bytes:
        if given == job:
            os.kill(os.getpid(), signal.SIGKILL)
        return b"done"

    run = cluster._Run(tmp_path, ".txt", {}, 2, None)
    results = {r.job: r for r in run.results([job, other], deadly, lambda job: (b"",))}
    assert results[job].error.startswith("3 workers died of it") and results[job].attempts == 3
    assert results[other].file.read_bytes() == b"done"
