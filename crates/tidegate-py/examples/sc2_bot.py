"""Tidegate for StarCraft II bots: from a pathing grid to regions, choke points and safe paths.

In a bot of burnysc2 the grid is

    free = self.game_info.pathing_grid.data_numpy == 1      # [y, x], as arrays are here

Here one is drawn instead, so that this script runs anywhere: ``python sc2_bot.py``. It prints what
it finds and writes regions.png and path.png.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import tidegate


def pathing_grid() -> NDArray[np.uint8]:
    """A map for two players: 1 can be walked on, 0 cannot. The lower half is the upper one turned."""
    grid = np.zeros((120, 140), dtype=np.uint8)
    for left, top, right, bottom in [
        (8, 8, 44, 36),  # a main base
        (20, 36, 26, 44),  # its ramp
        (8, 44, 50, 60),  # the natural
        (50, 48, 62, 56),  # the natural's choke
        (62, 20, 78, 60),  # the middle
        (78, 24, 90, 30),  # a narrow way
        (90, 8, 132, 40),  # an expansion of the other side
        (50, 10, 62, 24),  # a back door
        (44, 14, 50, 18),
        (104, 40, 112, 60),
    ]:
        grid[top:bottom, left:right] = 1
        grid[120 - bottom : 120 - top, 140 - right : 140 - left] = 1
    return grid


def main() -> None:
    # 1. The map. The grid of the game is 0 and 1; an index wants to know what is free.
    free = pathing_grid() == 1
    index = tidegate.Index(free)
    index.prepare("corners")  # exact paths in microseconds; follows the map when it changes
    home, enemy = (14, 14), (125, 105)

    # 2. Regions: what a person would call a base or a corridor.
    parts = index.decompose()
    print(f"{len(parts.regions)} regions")
    for zone in sorted(parts.regions, key=lambda zone: -zone.area)[:4]:
        print(f"  region {zone.id}: {zone.area} tiles, deepest at {zone.deepest}")
    main_base = parts.zones[home[1], home[0]]  # the region of every tile is an array
    print(f"home is region {main_base}, joined to {sorted(parts.graph[int(main_base)])}")
    parts.draw(scale=6, labels=True).save("regions.png")

    # 3. Choke points: gates, with their width, their ends and what lies on both sides.
    route = parts.route(home, enemy) or []
    gates = {gate.id: gate for gate in parts.gates}
    print(f"{len(gates)} choke points, {len(route)} on the way to the enemy:")
    for number in route:
        gate = gates[number]
        print(f"  {gate.width} tiles wide at {gate.middle}, between regions {gate.zones}")

    # 4. Influence: what is dangerous costs more. A layer lies on top of the map; discs are added in
    # less than a microsecond, and all of it fades or is cleared once a frame.
    influence = tidegate.CostLayer(index)
    for x, y, radius, danger in [(56, 52, 7, 20.0), (70, 66, 4, 5.0)]:
        influence.add((x, y), radius, danger)
    short, safe = index.path(home, enemy), index.path(home, enemy, costs=influence)
    assert short is not None and safe is not None
    weights = influence.array

    def danger_on(path: NDArray[np.int64]) -> float:
        return float(weights[path[:, 1], path[:, 0]].sum())

    print(f"shortest: {len(short)} tiles, danger {danger_on(short):.0f}")
    print(f"safe:     {len(safe)} tiles, danger {danger_on(safe):.0f}")
    index.draw(safe, scale=6).save("path.png")
    print(f"a unit at (56, 52) flees to {index.cheapest_within((56, 52), 12, influence)}")
    influence.fade(0.5)

    # 5. The map changes: a structure closes tiles, rocks that are destroyed open some.
    wall = np.zeros(free.shape, dtype=bool)
    wall[40, 20:26] = True  # depots across our ramp
    wall[14:18, 47] = True  # and in the back door
    report = index.edit(wall)
    print(f"walled in: {len(report.closed)} tiles closed, enemy reachable: {index.reachable(home, enemy)}")
    print(f"the nearest we get to them: {index.nearest_reachable(home, enemy)}")
    index.edit(None, wall)  # depots lowered

    # 6. Many units, one goal: a field says the next step from everywhere.
    field = index.field([enemy])
    army = np.array([(14, 14), (30, 50), (70, 30)])
    steps = field.next_step[army[:, 1], army[:, 0]]
    print(f"next steps of the army: {steps.tolist()}")

    # 7. Which expansion is nearest on the ground, and all paths of a group at once.
    expansions = [(100, 20), (40, 50), (70, 40)]
    print(f"ground distance to each expansion: {index.distances(home, expansions).round(1).tolist()}")
    offsets, tiles = index.paths(army, np.tile(enemy, (len(army), 1)))
    print(f"lengths of the army's paths: {np.diff(offsets).tolist()}, {len(tiles)} tiles in all")


if __name__ == "__main__":
    main()
