"""The errors of this package. All of them are :class:`Error`."""

__all__ = [
    "ArgumentError",
    "ArrayError",
    "CoordinateError",
    "EngineError",
    "Error",
    "FileError",
    "QueryError",
]


class Error(Exception):
    """What every error of this package is.

    >>> import tidegate
    >>> try:
    ...     tidegate.read_map("nowhere.map")
    ... except tidegate.Error as error:
    ...     print(type(error).__name__)
    FileError
    """


class ArgumentError(Error, ValueError):
    """An argument that is none of the values it may have: a rule of movement, a scale."""


class ArrayError(Error, ValueError):
    """An argument of the wrong shape or dtype."""


class CoordinateError(Error, ValueError):
    """A tile outside the map, a wall where a free tile is needed, or no tile at all."""


class EngineError(Error, ValueError):
    """An engine that does not exist, is not built, or cannot be built for this map."""


class QueryError(Error):
    """A question that has no answer here: a way that is too long to count."""


class FileError(Error, OSError):
    """A file that cannot be read or written, or does not hold what it should."""
