"""Regions, gates and exact paths for tile maps.

>>> import numpy as np
>>> import tidegate
>>> free = np.ones((5, 10), dtype=bool)
>>> free[1:, 4] = False
>>> index = tidegate.Index(free)
>>> path = index.path((0, 4), (9, 4))
>>> path.shape, path[0].tolist(), path[-1].tolist()
((11, 2), [0, 4], [9, 4])
"""

from tidegate._tidegate import (
    ChokePoint,
    CostLayer,
    EditReport,
    Field,
    Gate,
    Index,
    Loops,
    Parts,
    Picture,
    Route,
    Walk,
    World,
    Zone,
    __version__,
    bench_map,
    engines,
    read_map,
)
from tidegate.errors import (
    ArgumentError,
    ArrayError,
    CoordinateError,
    EngineError,
    Error,
    FileError,
    QueryError,
)

__all__ = [
    "ArgumentError",
    "ArrayError",
    "ChokePoint",
    "CoordinateError",
    "CostLayer",
    "EditReport",
    "EngineError",
    "Error",
    "Field",
    "FileError",
    "Gate",
    "Index",
    "Loops",
    "Parts",
    "Picture",
    "QueryError",
    "Route",
    "Walk",
    "World",
    "Zone",
    "__version__",
    "bench_map",
    "engines",
    "read_map",
]
