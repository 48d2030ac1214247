"""Thousands of maps over a Ray cluster: ``pip install tidegate[ray]``.

A job is one map and its problems. Jobs are independent, so each is a task of one core; maps go to
the workers and results come back, so that no files need to be shared. Results are yielded as they
come and saved in a folder: a run that was broken off goes on where it stopped, and a job whose
worker died is given to another.

::

    import tidegate.ray as cluster

    jobs = cluster.suite("bench", sets=["sc1"])
    for result in cluster.index_many(jobs, "indexes", engines=["corners"]):
        print(result.job.name, result.error or f"{result.seconds:.1f} s")
    for result in cluster.evaluate(jobs, "rows", engines=["corners"], indexes="indexes"):
        ...
    cluster.merge(jobs, "rows", "all.csv")

The workers need the same version of this package. ``ray.init(address=...)`` chooses the cluster;
without it Ray starts one on this machine.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tidegate

__all__ = ["Job", "Result", "evaluate", "index_many", "merge", "suite"]


@dataclass(frozen=True)
class Job:
    """One map and, to evaluate engines on it, its problems."""

    map: Path
    scenario: Path | None = None
    set: str = "files"

    @property
    def name(self) -> str:
        """Set and name of the map: what its results are called."""
        return f"{self.set}/{self.map.stem}"


@dataclass(frozen=True)
class Result:
    """What became of a job."""

    job: Job
    #: The file of its result; None if it failed.
    file: Path | None
    #: Why it failed.
    error: str | None = None
    #: How long it took.
    seconds: float = 0.0
    #: How many workers it was given to; 0 if it was done by an earlier run.
    attempts: int = 0
    #: The process that did it.
    worker: int = 0


def suite(folder: str | os.PathLike[str], sets: Sequence[str] | None = None) -> list[Job]:
    """The maps of a folder with ``maps/SET/NAME.map`` and ``scenarios/SET/NAME.map.scen``.

    Maps without problems are left out.
    """
    root = Path(folder)
    if not (root / "maps").is_dir():
        raise tidegate.FileError(f"{root} is not a suite: it has no folder maps/")
    known = sorted(path.name for path in (root / "maps").iterdir() if path.is_dir())
    for name in sets or ():
        if name not in known:
            raise tidegate.ArgumentError(f"no set {name!r} here; there are: {', '.join(known)}")
    jobs = []
    for name in known:
        if sets is None or name in sets:
            for file in sorted((root / "maps" / name).glob("*.map"), key=lambda file: file.stem):
                scenario = root / "scenarios" / name / f"{file.name}.scen"
                if scenario.is_file():
                    jobs.append(Job(file, scenario, name))
    return jobs


def index_many(
    jobs: Iterable[Job | str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    engines: Sequence[str] = ("corners",),
    movement: str = "no-corner-cutting",
    retries: int = 3,
    limit: int | None = None,
) -> Iterator[Result]:
    """Builds an index file of every map, ``out/SET/NAME.tide``.

    ``retries`` is how often a job is given to another worker when one dies; ``limit`` how many jobs
    are on their way at most, by default two for every core of the cluster.
    """
    settings = {"what": "index", "engines": list(engines), "movement": movement}
    run = _Run(Path(out), ".tide", settings, retries, limit)
    return run.results(_jobs(jobs), _index, lambda job: (job.map.read_bytes(), job.map.suffix))


def evaluate(
    jobs: Iterable[Job | str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    engines: Sequence[str] = ("auto",),
    every: int = 1,
    movement: str = "no-corner-cutting",
    indexes: str | os.PathLike[str] | None = None,
    retries: int = 3,
    limit: int | None = None,
) -> Iterator[Result]:
    """Puts the problems of every map to engines and checks each answer, as ``tidegate bench`` does.

    The rows of a map are in ``out/SET/NAME.csv``; :func:`merge` makes one table of them. ``indexes``
    is a folder that :func:`index_many` has filled; tables that are not there are built. An engine
    that cannot be built for a map has no rows there. The problems of ``NAME.map`` are in
    ``NAME.map.scen`` beside it if the job does not name them.
    """
    settings = {
        "what": "evaluate",
        "engines": list(engines),
        "every": every,
        "movement": movement,
    }

    def inputs(job: Job) -> tuple[bytes, ...]:
        scenario = job.scenario or job.map.with_name(job.map.name + ".scen")
        index = None if indexes is None else _file(Path(indexes), job, ".tide")
        tables = index.read_bytes() if index is not None and index.is_file() else b""
        return job.map.read_bytes(), scenario.read_bytes(), tables

    return _Run(Path(out), ".csv", settings, retries, limit).results(_jobs(jobs), _rows, inputs)


def merge(
    jobs: Iterable[Job | str | os.PathLike[str]],
    out: str | os.PathLike[str],
    file: str | os.PathLike[str],
) -> int:
    """Writes the rows that :func:`evaluate` left in ``out`` as one table, in the order of the jobs.

    It is the table that ``tidegate bench --csv`` writes. Returns the number of rows.
    """
    count = 0
    header = None
    files = [_file(Path(out), job, ".csv") for job in _jobs(jobs)]
    missing = [str(each) for each in files if not each.is_file()]
    if missing:
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        raise tidegate.FileError(f"{len(missing)} of {len(files)} maps have no rows: {shown}")
    parts = []
    for each in files:
        first, _, rest = each.read_text().partition("\n")
        if first and header is None:
            header = first
            parts.append(first + "\n")
        if first and first != header:
            raise tidegate.FileError(f"{each}: it has other columns")
        parts.append(rest)
        count += rest.count("\n")
    _write(Path(file), "".join(parts).encode())
    return count


def _jobs(jobs: Iterable[Job | str | os.PathLike[str]]) -> list[Job]:
    made = [job if isinstance(job, Job) else Job(Path(job)) for job in jobs]
    names = set()
    for job in made:
        if job.name in names:
            raise tidegate.ArgumentError(f"two maps are called {job.name}: give them other sets")
        names.add(job.name)
    return made


def _file(folder: Path, job: Job, ending: str) -> Path:
    return folder / job.set / f"{job.map.stem}{ending}"


def _write(file: Path, data: bytes) -> None:
    """The old file or the new one, never half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".tidegate-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _index(settings: dict[str, Any], job: Job, data: bytes, suffix: str) -> bytes:
    """The work of :func:`index_many` on a worker."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{job.map.stem}{suffix}"
        file.write_bytes(data)
        free, _ = tidegate.read_map(file)
    index = tidegate.Index(free, movement=settings["movement"])
    index.prepare(*settings["engines"], threads=1)
    return index.to_bytes()


def _rows(settings: dict[str, Any], job: Job, data: bytes, problems: bytes, index: bytes) -> bytes:
    """The work of :func:`evaluate` on a worker."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / job.map.name
        file.write_bytes(data)
        scenario = file.with_name(file.name + ".scen")
        scenario.write_bytes(problems)
        tables = None
        if index:
            tables = file.with_suffix(".tide")
            tables.write_bytes(index)
        rows = tidegate.bench_map(
            file,
            scenario,
            engines=settings["engines"],
            every=settings["every"],
            movement=settings["movement"],
            set=job.set,
            index=tables,
            threads=1,
        )
    return rows.encode()


_Work = Callable[..., bytes]


def _task(work: _Work, *arguments: Any) -> tuple[bytes, str | None, float, int]:
    """What runs on a worker. An error of this package is a result like others."""
    clock = time.perf_counter()
    try:
        data, error = work(*arguments), None
    except tidegate.Error as wrong:
        data, error = b"", f"{type(wrong).__name__}: {wrong}"
    return data, error, time.perf_counter() - clock, os.getpid()


@dataclass(frozen=True)
class _Run:
    """Jobs on their way through a cluster."""

    out: Path
    ending: str
    settings: dict[str, Any]
    retries: int
    limit: int | None

    def results(
        self, jobs: list[Job], work: _Work, inputs: Callable[[Job], tuple[Any, ...]]
    ) -> Iterator[Result]:
        ray: Any = importlib.import_module("ray")
        if not ray.is_initialized():
            ray.init(configure_logging=False)
        # A worker that dies is dealt with here, where it can be counted.
        task = ray.remote(num_cpus=1, max_retries=0)(_task)
        most = self.limit or max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        waiting = deque((job, 1) for job in jobs)
        running: dict[Any, tuple[Job, int, str]] = {}
        while waiting or running:
            while waiting and len(running) < most:
                job, attempt = waiting.popleft()
                try:
                    given = inputs(job)
                except OSError as wrong:
                    yield Result(job, None, f"FileError: {wrong}")
                    continue
                digest = self.digest(job, given)
                done = self.done(job, digest)
                if done is not None:
                    yield done
                    continue
                running[task.remote(work, self.settings, job, *given)] = (job, attempt, digest)
            if not running:
                continue
            [ready], _ = ray.wait(list(running), num_returns=1)
            job, attempt, digest = running.pop(ready)
            try:
                data, error, seconds, worker = ray.get(ready)
            except ray.exceptions.RayTaskError as wrong:
                yield Result(job, None, f"{type(wrong).__name__}: {wrong}", attempts=attempt)
                continue
            except ray.exceptions.RayError as wrong:
                if attempt <= self.retries:
                    # Behind the others and after a moment: a node may hand out a dead worker again
                    # before it knows.
                    time.sleep(0.1 * 2**attempt)
                    waiting.append((job, attempt + 1))
                else:
                    error = f"{attempt} workers died of it, the last with {wrong}"
                    yield Result(job, None, error, attempts=attempt)
                continue
            file = None
            if error is None:
                file = _file(self.out, job, self.ending)
                _write(file, data)
                note = {"digest": digest, "seconds": seconds}
                _write(self.note(job), json.dumps(note).encode())
            yield Result(job, file, error, seconds, attempt, worker)

    def note(self, job: Job) -> Path:
        """Says what a file was made from."""
        return _file(self.out, job, self.ending + ".done")

    def digest(self, job: Job, given: tuple[Any, ...]) -> str:
        """Of everything that the result depends on."""
        digest = hashlib.sha256(json.dumps([tidegate.__version__, self.settings, job.name]).encode())
        for part in given:
            data = part if isinstance(part, bytes) else str(part).encode()
            digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()

    def done(self, job: Job, digest: str) -> Result | None:
        """The result of an earlier run, if it was made from the same."""
        file = _file(self.out, job, self.ending)
        try:
            note = json.loads(self.note(job).read_bytes())
            if note["digest"] == digest and file.is_file():
                return Result(job, file, seconds=float(note["seconds"]))
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None
