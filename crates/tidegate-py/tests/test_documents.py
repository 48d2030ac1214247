"""The examples in docstrings, README and tutorial are run; every public thing has a docstring; the
stubs name what there is."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import runpy
from pathlib import Path

import pytest

import tidegate
from tidegate import errors

HERE = Path(__file__).parent.parent
CLASSES = [value for value in vars(tidegate).values() if inspect.isclass(value)]


def public(of: type) -> dict[str, object]:
    return {name: value for name, value in vars(of).items() if not name.startswith("_")}


def documented() -> dict[str, object]:
    """All public things with their docstrings."""
    found: dict[str, object] = {"tidegate": tidegate, "tidegate.errors": errors}
    for name in tidegate.__all__:
        value = getattr(tidegate, name)
        if name == "__version__":
            continue
        found[name] = value
        if inspect.isclass(value) and not issubclass(value, BaseException):
            found |= {f"{name}.{part}": each for part, each in public(value).items()}
    return found


def test_everything_public_has_a_docstring() -> None:
    found = documented()
    assert len(found) > 60
    assert [name for name, value in found.items() if not inspect.getdoc(value)] == []


def test_examples_in_docstrings() -> None:
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner()
    for name, value in documented().items():
        text = inspect.getdoc(value) or ""
        names = {**vars(tidegate), "tidegate": tidegate}
        runner.run(parser.get_doctest(text, names, name, None, None))
    result = runner.summarize()
    assert result.failed == 0 and result.attempted > 60
    print(f"{result.attempted} examples in docstrings")


@pytest.mark.parametrize("name", ["README.md", "docs/mapanalyzer.md"])
def test_code_in_documents(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (HERE / name).read_text(), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, name, "exec"), names)


def test_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(HERE / "examples" / "sc2_bot.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert "choke points" in said
    assert (tmp_path / "regions.png").is_file() and (tmp_path / "path.png").is_file()


def test_stubs_name_exactly_what_there_is() -> None:
    """mypy's stubtest cannot: a class written in Rust tells nothing of its arguments' types."""
    tree = ast.parse((HERE / "python/tidegate/_tidegate.pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for each in CLASSES:
        if issubclass(each, BaseException):
            continue
        parts = [part for part in stubs[each.__name__].body if isinstance(part, ast.FunctionDef)]
        named = {part.name for part in parts if not part.name.startswith("_")}
        assert named == set(public(each)), each
        for part in parts:
            method = getattr(each, part.name)
            if callable(method) and part.name != "__new__":
                signature = inspect.signature(method)
                arguments = [a.arg for a in (*part.args.args, *part.args.kwonlyargs)]
                arguments += [part.args.vararg.arg] if part.args.vararg else []
                assert sorted(arguments) == sorted(signature.parameters), part.name
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert functions == {"engines", "read_map", "bench_map"}
