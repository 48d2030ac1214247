/* The interface from C: answers against an oracle in C, arrays that are too small, files, edits, zones. */
#include "check.h"

static const char *const ROOMS[] = {
    "...........@...........", "...........@...........", "...........@...........", "...........@...........",
    "...........@...........", ".......................", "...........@...........", "...........@...........",
    "...........@...........", "...........@...........", "...........@...........",
};

/* Paths, distances and batches of every engine that is exact, on a random map, before and after edits. */
static void against_oracle(uint32_t movement, int with_factors, unsigned *asked) {
    static const char *const ENGINES[] = {NULL, "astar", "jps", "corners", "labels", "differential", "gateway"};
    Map map = random_map(movement, with_factors);
    TidegateIndex *index = index_of(&map);
    TidegateScratch *scratch = NULL;
    OK(tidegate_scratch_new(&scratch));
    for (int edits = 0; edits < 3; edits++) {
        for (size_t e = 0; e < sizeof ENGINES / sizeof *ENGINES; e++) {
            TidegateStatus built = tidegate_prepare(index, ENGINES[e]);
            if (built == TIDEGATE_UNSUPPORTED && with_factors) continue;
            CHECK(built == TIDEGATE_OK);
            TidegateTile start = random_tile(&map), goals[8];
            uint32_t costs[MOST], told[8];
            oracle(&map, start, costs);
            for (int n = 0; n < 8; n++) {
                TidegateTile goal = goals[n] = random_tile(&map), tiles[MOST];
                size_t length = 77;
                uint32_t cost = 77, best = costs[goal.y * map.width + goal.x], far = 77, reachable = 77;
                TidegateStatus status =
                    tidegate_path(index, scratch, ENGINES[e], start, goal, tiles, MOST, &length, &cost);
                OK(tidegate_reachable(index, start, goal, &reachable));
                CHECK(reachable == (best != TIDEGATE_NO_COST));
                if (!is_free(&map, start.x, start.y) || !is_free(&map, goal.x, goal.y)) {
                    CHECK(status == TIDEGATE_WALL && length == 77 && cost == 77);
                    continue;
                }
                (*asked)++;
                GIVES(status, tidegate_distance(index, scratch, ENGINES[e], start, goal, &far));
                CHECK(far == best && cost == best);
                if (best == TIDEGATE_NO_COST) {
                    CHECK(status == TIDEGATE_UNREACHABLE && length == 0);
                    continue;
                }
                CHECK(status == TIDEGATE_OK && length > 0);
                CHECK(same(tiles[0], start) && same(tiles[length - 1], goal));
                CHECK(cost_of(&map, tiles, length) == best);
                TidegateTile next = tile(9999, 9999), turns[MOST];
                size_t turn_count = 0;
                OK(tidegate_next_step(index, scratch, ENGINES[e], start, goal, &next));
                OK(tidegate_distance(index, scratch, ENGINES[e], next, goal, &far));
                CHECK(same(next, start) ? best == 0
                                        : far + step_cost(&map, start.x, start.y, next.x - start.x, next.y - start.y) == best);
                OK(tidegate_path(index, scratch, ENGINES[e], start, goal, NULL, 0, &length, NULL));
                OK(tidegate_last_straightened(scratch, index, NULL, turns, MOST, &turn_count));
                CHECK(turn_count >= 1 && turn_count <= length && same(turns[0], start) && same(turns[turn_count - 1], goal));
                for (size_t t = 1; t < turn_count; t++) {
                    uint32_t sees = 0;
                    OK(tidegate_sees(index, turns[t - 1], turns[t], &sees));
                    CHECK(sees == 1);
                }
            }
            if (!is_free(&map, start.x, start.y)) continue;
            size_t count = 0;
            for (int n = 0; n < 8; n++)
                if (is_free(&map, goals[n].x, goals[n].y)) goals[count++] = goals[n];
            OK(tidegate_distances(index, scratch, start, goals, count, told));
            uint32_t least = TIDEGATE_NO_COST;
            size_t first = 0;
            for (size_t n = 0; n < count; n++) {
                uint32_t best = costs[goals[n].y * map.width + goals[n].x];
                CHECK(told[n] == best);
                if (best < least) least = best, first = n;
            }
            size_t which = 99;
            uint32_t cost = 77;
            GIVES(least == TIDEGATE_NO_COST ? TIDEGATE_UNREACHABLE : TIDEGATE_OK,
                  tidegate_nearest(index, scratch, start, goals, count, &which, &cost));
            CHECK(cost == least && (least == TIDEGATE_NO_COST || which == first));
        }
        TidegateChange changes[6];
        for (int n = 0; n < 6; n++) {
            TidegateTile at = random_tile(&map);
            int number = at.y * map.width + at.x;
            TidegateChange change = {at, (uint16_t)below(with_factors ? 3 : 2), (uint16_t)(100 + below(300))};
            if (change.kind == TIDEGATE_CHANGE_FACTOR)
                map.factors[number] = change.factor;
            else
                map.is_free[number] = change.kind == TIDEGATE_CHANGE_FREE;
            changes[n] = change;
        }
        OK(tidegate_edit(index, changes, 6, NULL));
        uint8_t now[MOST];
        OK(tidegate_index_tiles(index, now, (size_t)(map.width * map.height)));
        for (int n = 0; n < map.width * map.height; n++) CHECK(now[n] == (map.is_free[n] != 0));
    }
    OK(tidegate_scratch_free(scratch));
    OK(tidegate_index_free(index));
}

static void too_small(void) {
    Map map = drawn(ROOMS, 11, TIDEGATE_NO_CORNER_CUTTING);
    TidegateIndex *index = index_of(&map);
    TidegateScratch *scratch = NULL;
    OK(tidegate_scratch_new(&scratch));
    TidegateTile start = tile(0, 0), goal = tile(22, 10), tiles[MOST];
    size_t length = 0, again = 0;
    uint32_t cost = 0;
    OK(tidegate_path(index, scratch, NULL, start, goal, NULL, 0, &length, &cost));
    CHECK(length == 23 && cost == 12 * TIDEGATE_STRAIGHT + 10 * TIDEGATE_DIAGONAL);
    for (size_t capacity = 0; capacity < length; capacity++) {
        memset(tiles, 0xee, sizeof tiles);
        GIVES(TIDEGATE_TOO_SMALL,
              tidegate_path(index, scratch, NULL, start, goal, tiles, capacity, &again, NULL));
        CHECK(again == length);
        GIVES(TIDEGATE_TOO_SMALL, tidegate_last_path(scratch, tiles, capacity, &again));
        for (size_t n = 0; n < length; n++) CHECK(tiles[n].x == 0xeeee && tiles[n].y == 0xeeee);
    }
    OK(tidegate_last_path(scratch, tiles, length, &again));
    CHECK(again == length && cost_of(&map, tiles, length) == cost);
    CHECK(tiles[length].x == 0xeeee);

    TidegateTile turns[MOST];
    size_t count = 0;
    OK(tidegate_last_turning_points(scratch, turns, MOST, &count));
    CHECK(count >= 2 && count < length && same(turns[0], start) && same(turns[count - 1], goal));
    size_t at = 0;
    for (size_t n = 0; n < count; n++) {
        while (at < length && !same(tiles[at], turns[n])) at++;
        CHECK(at < length);
    }

    TidegateTile starts[3] = {{0, 0}, {22, 10}, {5, 5}}, goals[3] = {{22, 10}, {22, 10}, {0, 0}};
    size_t offsets[4] = {9, 9, 9, 9}, total = 0;
    GIVES(TIDEGATE_TOO_SMALL,
          tidegate_paths(index, scratch, NULL, starts, goals, 3, 1, offsets, tiles, 3, &total));
    CHECK(total == 23 + 1 + 6 && offsets[0] == 9 && offsets[3] == 9);
    OK(tidegate_last_paths(scratch, offsets, 3, tiles, total, &total));
    CHECK(offsets[0] == 0 && offsets[1] == 23 && offsets[2] == 24 && offsets[3] == 30);
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_last_paths(scratch, offsets, 2, tiles, total, &total));
    TidegateTile into_wall[3] = {{1, 1}, {11, 0}, {2, 2}};
    GIVES(TIDEGATE_WALL, tidegate_paths(index, scratch, NULL, starts, into_wall, 3, 2, offsets, tiles, MOST, &total));
    CHECK(strstr(tidegate_last_error(), "query 1: goal 11,0 is a wall") != NULL);
    OK(tidegate_paths(index, scratch, NULL, NULL, NULL, 0, 0, offsets, NULL, 0, &total));
    CHECK(total == 0 && offsets[0] == 0);
    OK(tidegate_scratch_free(scratch));
    OK(tidegate_index_free(index));
}

static void many_threads(void) {
    enum { COUNT = 500 };
    Map map = random_map(TIDEGATE_NO_CORNER_CUTTING, 0);
    map.width = map.height = 24;
    for (int n = 0; n < 24 * 24; n++) map.is_free[n] = below(100) >= 20, map.factors[n] = 100;
    TidegateIndex *index = index_of(&map);
    TidegateScratch *scratch = NULL;
    OK(tidegate_scratch_new(&scratch));
    OK(tidegate_prepare(index, "corners"));
    static TidegateTile starts[COUNT], goals[COUNT], tiles[COUNT * 100], first[COUNT * 100], one[MOST];
    static size_t offsets[COUNT + 1], first_offsets[COUNT + 1];
    for (int n = 0; n < COUNT; n++) {
        do starts[n] = random_tile(&map);
        while (!is_free(&map, starts[n].x, starts[n].y));
        do goals[n] = random_tile(&map);
        while (!is_free(&map, goals[n].x, goals[n].y));
    }
    for (uint32_t threads = 0; threads <= 5; threads++) {
        size_t total = 0;
        OK(tidegate_paths(index, scratch, NULL, starts, goals, COUNT, threads, offsets, tiles, COUNT * 100, &total));
        CHECK(offsets[COUNT] == total);
        if (threads == 0) {
            memcpy(first, tiles, sizeof tiles);
            memcpy(first_offsets, offsets, sizeof offsets);
        }
        CHECK(memcmp(first_offsets, offsets, sizeof offsets) == 0);
        CHECK(memcmp(first, tiles, total * sizeof *tiles) == 0);
    }
    for (int n = 0; n < COUNT; n++) {
        size_t length = 0;
        uint32_t cost = 0;
        TidegateStatus status =
            tidegate_path(index, scratch, NULL, starts[n], goals[n], one, MOST, &length, &cost);
        CHECK(status >= 0 && offsets[n + 1] - offsets[n] == length);
        CHECK(memcmp(one, tiles + offsets[n], length * sizeof *one) == 0);
    }

    /* The first query that fails is named, whoever comes upon it. */
    for (int n = 15; n < COUNT; n += 16) goals[n] = tile(24, 0);
    for (int n = 0; n < 300; n++) {
        size_t total = 77;
        GIVES(TIDEGATE_OUTSIDE, tidegate_paths(index, scratch, NULL, starts, goals, COUNT, 1 + (uint32_t)n % 4, offsets,
                                               tiles, COUNT * 100, &total));
        CHECK(total == 77 && strncmp(tidegate_last_error(), "query 15: ", 10) == 0);
    }
    OK(tidegate_scratch_free(scratch));
    OK(tidegate_index_free(index));
}

/* A freed handle is known as such while another value has its place. */
static void freed_handles(void) {
    Map map = drawn(ROOMS, 11, TIDEGATE_NO_CORNER_CUTTING);
    TidegateMapInfo info;
    TidegateIndex *old[100];
    for (int n = 0; n < 100; n++) {
        old[n] = index_of(&map);
        for (int m = 0; m < n; m++) GIVES(TIDEGATE_BAD_HANDLE, tidegate_index_info(old[m], &info));
        OK(tidegate_index_info(old[n], &info));
        OK(tidegate_index_free(old[n]));
        GIVES(TIDEGATE_BAD_HANDLE, tidegate_index_free(old[n]));
        CHECK(strcmp(tidegate_last_error(), "index was freed") == 0);
    }
}

/* Fields, and queries and fields with a layer, on a random map. */
static void fields_and_layers(uint32_t movement, int with_factors, unsigned *asked) {
    Map map = random_map(movement, with_factors);
    size_t count = (size_t)(map.width * map.height);
    TidegateIndex *index = index_of(&map);
    TidegateScratch *scratch = NULL;
    TidegateField *field = NULL;
    TidegateLayer *layer = NULL;
    OK(tidegate_scratch_new(&scratch));
    OK(tidegate_field_new(&field));
    OK(tidegate_layer_new(index, &layer));
    for (int round = 0; round < 3; round++) {
        TidegateTile goals[3];
        size_t goal_count = 0;
        for (int n = 0; n < 3; n++) {
            TidegateTile at = random_tile(&map);
            if (is_free(&map, at.x, at.y)) goals[goal_count++] = at;
        }
        if (round > 0) {
            static uint16_t each[MOST], now[MOST];
            OK(tidegate_layer_add_falling(layer, random_tile(&map), 1 + below(6), (uint16_t)(50 + below(300))));
            OK(tidegate_layer_add(layer, random_tile(&map), below(4), (uint16_t)below(200)));
            for (size_t n = 0; n < count; n++) each[n] = (uint16_t)(below(4) ? 0 : below(90));
            OK(tidegate_layer_add_each(layer, each, count));
            OK(tidegate_layer_fade(layer, 0.75));
            OK(tidegate_layer_values(layer, now, count));
            Map other = random_map(movement, 0);
            memcpy(other.is_free, map.is_free, sizeof map.is_free);
            for (size_t n = 0; n < count; n++) other.factors[n] = (uint16_t)(map.factors[n] + now[n]);
            other.width = map.width;
            other.height = map.height;
            TidegateTile start = random_tile(&map), goal = random_tile(&map), tiles[MOST];
            uint32_t costs[MOST];
            TidegateQuery query;
            TidegateAnswer answer;
            memset(&query, 0, sizeof query);
            query.start = start;
            query.goal = goal;
            query.layer = layer;
            oracle(&other, start, costs);
            if (is_free(&map, start.x, start.y) && is_free(&map, goal.x, goal.y)) {
                uint32_t best = costs[goal.y * map.width + goal.x];
                GIVES(best == TIDEGATE_NO_COST ? TIDEGATE_UNREACHABLE : TIDEGATE_OK,
                      tidegate_find(index, scratch, &query, tiles, MOST, &answer));
                CHECK(answer.cost == best && (best == TIDEGATE_NO_COST || cost_of(&other, tiles, answer.length) == best));
                (*asked)++;
            }
            if (round == 1) {
                /* From here on the map itself costs what the layer adds. */
                OK(tidegate_layer_clear(layer));
                OK(tidegate_layer_values(layer, now, count));
                for (size_t n = 0; n < count; n++) CHECK(now[n] == 0);
            } else {
                memcpy(map.factors, other.factors, sizeof map.factors);
            }
        }
        TidegateFieldQuery query;
        memset(&query, 0, sizeof query);
        query.goals = goals;
        query.goal_count = goal_count;
        query.layer = round == 2 ? layer : NULL;
        OK(tidegate_field_fill(field, index, scratch, &query));
        static uint32_t costs[MOST], least[MOST], some[MOST];
        static TidegateStep steps[MOST];
        for (size_t n = 0; n < count; n++) least[n] = TIDEGATE_NO_COST;
        for (size_t g = 0; g < goal_count; g++) {
            oracle(&map, goals[g], some);
            for (size_t n = 0; n < count; n++) least[n] = some[n] < least[n] ? some[n] : least[n];
        }
        OK(tidegate_field_costs(field, costs, count));
        OK(tidegate_field_steps(field, steps, count));
        GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_field_costs(field, costs, count - 1));
        for (size_t n = 0; n < count; n++) {
            int x = (int)n % map.width, y = (int)n / map.width;
            TidegateTile next = tile(9, 9), tiles[MOST];
            uint32_t cost = 77;
            size_t length = 77;
            CHECK(costs[n] == least[n]);
            TidegateStatus known = least[n] == TIDEGATE_NO_COST ? TIDEGATE_UNREACHABLE : TIDEGATE_OK;
            GIVES(known, tidegate_field_next(field, tile(x, y), &next, &cost));
            CHECK(cost == least[n]);
            GIVES(known, tidegate_field_path(field, scratch, tile(x, y), tiles, MOST, &length, &cost));
            CHECK(cost == least[n] && (known != TIDEGATE_OK || cost_of(&map, tiles, length) == cost));
            (*asked)++;
            if (known != TIDEGATE_OK || cost == 0) {
                CHECK(steps[n].dx == 0 && steps[n].dy == 0);
                continue;
            }
            CHECK(same(next, tile(x + steps[n].dx, y + steps[n].dy)) && same(tiles[1], next));
            uint32_t step = step_cost(&map, x, y, steps[n].dx, steps[n].dy);
            CHECK(step > 0 && least[next.y * map.width + next.x] + step == least[n]);
        }
    }
    TidegateFieldQuery bad;
    TidegateTile outside = tile(map.width, 0);
    memset(&bad, 0, sizeof bad);
    bad.goals = &outside;
    bad.goal_count = 1;
    GIVES(TIDEGATE_OUTSIDE, tidegate_field_fill(field, index, scratch, &bad));
    uint32_t none = 0;
    GIVES(TIDEGATE_UNREACHABLE, tidegate_field_next(field, tile(0, 0), NULL, &none));
    CHECK(none == TIDEGATE_NO_COST);
    uint16_t few = 0;
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_layer_add_each(layer, &few, count == 1 ? 0 : 1));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_layer_fade(layer, 1.5));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_layer_add(layer, tile(0, 0), -1, 5));
    OK(tidegate_layer_free(layer));
    OK(tidegate_field_free(field));
    GIVES(TIDEGATE_BAD_HANDLE, tidegate_layer_clear(layer));
    GIVES(TIDEGATE_BAD_HANDLE, tidegate_field_free(field));
    OK(tidegate_scratch_free(scratch));
    OK(tidegate_index_free(index));
}

/* The map of a kind of unit: it fits where all ground under it can be entered, and pays for the worst. */
static Map map_of(const uint8_t *classes, int width, int height, const uint16_t *costs, int size, uint32_t movement) {
    Map map;
    memset(&map, 0, sizeof map);
    map.width = width;
    map.height = height;
    map.movement = movement;
    for (int n = 0; n < width * height; n++) {
        int x0 = n % width, y0 = n / width;
        uint16_t worst = 100;
        int fits = x0 + size <= width && y0 + size <= height;
        for (int y = y0; fits && y < y0 + size; y++)
            for (int x = x0; x < x0 + size; x++) {
                uint16_t cost = costs[classes[y * width + x]];
                fits = fits && cost != 0;
                worst = cost > worst ? cost : worst;
            }
        map.is_free[n] = (uint8_t)fits;
        map.factors[n] = worst;
    }
    return map;
}

/* Worlds of four classes and six kinds of units, between edits of the ground and of what it costs. */
static void worlds(unsigned *asked) {
    enum { CLASSES = 4, UNITS = 6 };
    int width = 1 + (int)below(20), height = 1 + (int)below(20);
    size_t count = (size_t)(width * height), number = 99, changed = 99;
    uint8_t classes[MOST], now[MOST];
    for (size_t n = 0; n < count; n++) classes[n] = (uint8_t)(below(3) ? 0 : below(CLASSES));
    TidegateWorld *world = NULL;
    TidegateScratch *scratch = NULL;
    OK(tidegate_scratch_new(&scratch));
    OK(tidegate_world_new(classes, count, (uint32_t)width, (uint32_t)height, &world));
    uint16_t costs[UNITS][CLASSES];
    TidegateIndex *kept[UNITS] = {NULL};
    for (int unit = 0; unit < UNITS; unit++) {
        TidegateClassCost list[CLASSES];
        for (int n = 0; n < CLASSES; n++) {
            costs[unit][n] = (uint16_t)(below(3) == 0 ? 0 : below(2) ? 100 : 100 + below(300));
            list[n].ground = (uint16_t)n;
            list[n].factor = costs[unit][n];
        }
        costs[unit][0] = list[0].factor = (uint16_t)(100 + unit); /* so that no two are the same */
        OK(tidegate_world_add(world, 1 + (uint32_t)unit % 3, (uint32_t)unit % 2, list, CLASSES, &number));
        CHECK(number == (size_t)unit);
        OK(tidegate_world_add(world, 1 + (uint32_t)unit % 3, (uint32_t)unit % 2, list, CLASSES, &number));
        CHECK(number == (size_t)unit);
    }
    for (int round = 0; round < 4; round++) {
        TidegateGroundChange changes[5];
        for (int n = 0; n < 5; n++) {
            changes[n].tile = tile((int)below((uint32_t)width), (int)below((uint32_t)height));
            changes[n].ground = (uint16_t)below(CLASSES);
            classes[changes[n].tile.y * width + changes[n].tile.x] = (uint8_t)changes[n].ground;
        }
        OK(tidegate_world_edit(world, changes, 5, &changed));
        CHECK(changed <= UNITS && (round > 0 || changed == 0));
        changes[4].tile = tile(width, 0);
        changes[0].ground = (uint16_t)(1 - changes[0].ground % 2);
        GIVES(TIDEGATE_OUTSIDE, tidegate_world_edit(world, changes, 5, NULL));
        OK(tidegate_world_ground(world, now, count));
        CHECK(memcmp(now, classes, count) == 0);
        for (int unit = 0; unit < UNITS; unit++) {
            if (below(3) == 0) {
                TidegateClassCost cost = {(uint16_t)(1 + below(CLASSES - 1)), (uint16_t)(below(2) ? 0 : 100 + below(200))};
                costs[unit][cost.ground] = cost.factor;
                OK(tidegate_world_set_cost(world, (size_t)unit, cost));
            }
            TidegateIndex *index = NULL, *again = NULL;
            OK(tidegate_world_index(world, (size_t)unit, &index));
            OK(tidegate_world_index(world, (size_t)unit, &again));
            CHECK(index == again && (kept[unit] == NULL || kept[unit] == index));
            kept[unit] = index;
            Map map = map_of(classes, width, height, costs[unit], 1 + unit % 3, (uint32_t)unit % 2);
            OK(tidegate_index_tiles(index, now, count));
            CHECK(memcmp(now, map.is_free, count) == 0);
            if (round == 1) OK(tidegate_prepare(index, unit % 2 ? "differential" : NULL));
            TidegateTile start = random_tile(&map), tiles[MOST];
            uint32_t best[MOST], cost = 77;
            oracle(&map, start, best);
            for (int n = 0; n < 4; n++) {
                TidegateTile goal = random_tile(&map);
                size_t length = 0;
                if (!is_free(&map, start.x, start.y) || !is_free(&map, goal.x, goal.y)) continue;
                uint32_t least = best[goal.y * width + goal.x];
                GIVES(least == TIDEGATE_NO_COST ? TIDEGATE_UNREACHABLE : TIDEGATE_OK,
                      tidegate_path(index, scratch, NULL, start, goal, tiles, MOST, &length, &cost));
                CHECK(cost == least && (least == TIDEGATE_NO_COST || cost_of(&map, tiles, length) == least));
                (*asked)++;
            }
            if (below(8) == 0) { /* Freed by its owner: another is made when asked for. */
                OK(tidegate_index_free(index));
                kept[unit] = NULL;
            }
        }
    }
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_world_index(world, UNITS, &kept[0]));
    OK(tidegate_world_free(world));
    for (int unit = 0; unit < UNITS; unit++) OK(tidegate_index_free(kept[unit]));
    OK(tidegate_scratch_free(scratch));
}

static void queries(void) {
    Map map = drawn(ROOMS, 11, TIDEGATE_NO_CORNER_CUTTING);
    TidegateIndex *index = index_of(&map);
    TidegateScratch *scratch = NULL;
    TidegateBlocked *blocked = NULL;
    OK(tidegate_scratch_new(&scratch));
    TidegateTile door = tile(11, 5), tiles[MOST];
    OK(tidegate_blocked_new(&door, 1, &blocked));
    TidegateQuery query;
    TidegateAnswer answer;
    memset(&query, 0, sizeof query);
    query.start = tile(2, 5);
    query.goal = tile(20, 5);
    OK(tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    CHECK(answer.length == 19 && answer.cost == 18 * TIDEGATE_STRAIGHT && answer.expanded > 0);
    query.blocked = blocked;
    GIVES(TIDEGATE_UNREACHABLE, tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    CHECK(answer.length == 0 && answer.cost == TIDEGATE_NO_COST);
    query.partial = 1;
    GIVES(TIDEGATE_UNREACHABLE, tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    CHECK(answer.length == 9 && same(tiles[8], tile(10, 5)) && answer.cost == TIDEGATE_NO_COST);
    GIVES(TIDEGATE_TOO_SMALL, tidegate_find(index, scratch, &query, tiles, 8, &answer));
    CHECK(answer.length == 9);
    OK(tidegate_blocked_set(blocked, door, 0));
    OK(tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    CHECK(answer.cost == 18 * TIDEGATE_STRAIGHT);
    OK(tidegate_blocked_set(blocked, door, 1));
    GIVES(TIDEGATE_MISMATCH, tidegate_last_straightened(scratch, index, blocked, tiles, MOST, &answer.length));
    OK(tidegate_last_straightened(scratch, index, NULL, tiles, MOST, &answer.length));
    CHECK(answer.length == 2);
    uint32_t sees = 9;
    OK(tidegate_sees(index, tile(10, 0), tile(12, 0), &sees));
    CHECK(sees == 0);
    GIVES(TIDEGATE_UNREACHABLE, tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    query.goal = door;
    GIVES(TIDEGATE_BLOCKED, tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    OK(tidegate_blocked_free(blocked));
    GIVES(TIDEGATE_BAD_HANDLE, tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    query.blocked = NULL;
    query.goal = tile(20, 5);
    query.partial = 0;
    query.budget = 1;
    query.engine = "astar";
    GIVES(TIDEGATE_STOPPED, tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    query.engine = "labels";
    GIVES(TIDEGATE_NOT_BUILT, tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    query.engine = "quickest";
    GIVES(TIDEGATE_UNKNOWN_ENGINE, tidegate_find(index, scratch, &query, tiles, MOST, &answer));
    CHECK(strstr(tidegate_last_error(), "\"quickest\"") != NULL);

    TidegateTile near;
    OK(tidegate_nearest_reachable(index, tile(0, 0), tile(11, 0), &near));
    CHECK(same(near, tile(10, 0)));
    GIVES(TIDEGATE_WALL, tidegate_nearest_reachable(index, tile(11, 0), tile(0, 0), &near));
    GIVES(TIDEGATE_OUTSIDE, tidegate_nearest_reachable(index, tile(23, 0), tile(0, 0), &near));
    OK(tidegate_scratch_free(scratch));
    OK(tidegate_index_free(index));
}

static void edits(void) {
    Map map = drawn(ROOMS, 11, TIDEGATE_NO_CORNER_CUTTING);
    TidegateIndex *index = index_of(&map), *clone = NULL;
    TidegateScratch *scratch = NULL;
    OK(tidegate_scratch_new(&scratch));
    OK(tidegate_prepare(index, "gateway"));
    TidegateTile tiles[MOST], start = tile(2, 5), goal = tile(20, 5);
    size_t length = 0, count = 99;
    uint32_t state = 99;
    uint64_t revision = 99;
    OK(tidegate_path(index, scratch, NULL, start, goal, tiles, MOST, &length, NULL));
    OK(tidegate_engine_state(index, "gateway", &state));
    CHECK(state == TIDEGATE_ENGINE_READY);
    OK(tidegate_engine_state(index, "labels", &state));
    CHECK(state == TIDEGATE_ENGINE_NOT_BUILT);
    TidegateChange changes[2] = {{{11, 5}, TIDEGATE_CHANGE_WALL, 0}, {{11, 0}, TIDEGATE_CHANGE_FREE, 0}};
    TidegateChange outside = {{23, 0}, TIDEGATE_CHANGE_WALL, 0}, odd = {{0, 0}, 7, 0}, cheap = {{0, 0}, 2, 99};
    GIVES(TIDEGATE_OUTSIDE, tidegate_edit(index, &outside, 1, &revision));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_edit(index, &odd, 1, &revision));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_edit(index, &cheap, 1, &revision));
    CHECK(revision == 99);
    OK(tidegate_path_state(index, scratch, tiles, length, 0, &state));
    CHECK(state == TIDEGATE_PATH_SHORTEST);
    OK(tidegate_edit(index, changes, 2, &revision));
    CHECK(revision == 1);
    OK(tidegate_path_state(index, scratch, tiles, length, 0, &state));
    CHECK(state == TIDEGATE_PATH_BROKEN);
    uint32_t cost = 0;
    OK(tidegate_path(index, scratch, "gateway", start, goal, tiles, MOST, &length, &cost));
    CHECK(cost == 10 * TIDEGATE_DIAGONAL + 8 * TIDEGATE_STRAIGHT);

    /* Tables built again on a clone are taken over. */
    OK(tidegate_engine_state(index, "gateway", &state));
    CHECK(state == TIDEGATE_ENGINE_STALE);
    OK(tidegate_want_rebuild(index, &count));
    CHECK(count > 0);
    OK(tidegate_index_clone(index, &clone));
    OK(tidegate_rebuild(clone));
    GIVES(TIDEGATE_BUSY, tidegate_adopt(index, index, &count));
    OK(tidegate_adopt(index, clone, &count));
    CHECK(count > 0);
    OK(tidegate_adopt(index, clone, &count));
    CHECK(count == 0);
    OK(tidegate_engine_state(index, "gateway", &state));
    CHECK(state == TIDEGATE_ENGINE_READY);
    OK(tidegate_want_rebuild(index, &count));
    CHECK(count == 0);

    /* New ones too, and they follow what was edited meanwhile. */
    OK(tidegate_prepare(clone, "corners"));
    TidegateChange back = {{11, 5}, TIDEGATE_CHANGE_FREE, 0};
    OK(tidegate_edit(index, &back, 1, &revision));
    GIVES(TIDEGATE_NOT_BUILT, tidegate_path(index, scratch, "corners", start, goal, tiles, MOST, &length, &cost));
    OK(tidegate_adopt(index, clone, NULL));
    OK(tidegate_path(index, scratch, "corners", start, goal, tiles, MOST, &length, &cost));
    CHECK(cost == 18 * TIDEGATE_STRAIGHT);
    OK(tidegate_path(clone, scratch, "corners", start, goal, tiles, MOST, &length, &cost));
    CHECK(cost == 10 * TIDEGATE_DIAGONAL + 8 * TIDEGATE_STRAIGHT);

    /* Those of another map are not. */
    map.height = 10;
    TidegateIndex *other = index_of(&map);
    OK(tidegate_prepare(other, "labels"));
    GIVES(TIDEGATE_MISMATCH, tidegate_adopt(index, other, NULL));
    OK(tidegate_index_free(other));
    OK(tidegate_index_free(clone));
    OK(tidegate_index_free(index));
    OK(tidegate_scratch_free(scratch));
}

/* Two rooms of 11 x 11 with a door of one tile between them, at 11,5. */
static void ways(const TidegateIndex *index, uint32_t gate) {
    TidegateChokePoint points[4];
    TidegateRoute routes[4];
    TidegateSide sides[4];
    TidegateBridge bridges[4];
    TidegateDeadEnd ends[4];
    TidegateTile end = tile(7, 7);
    uint32_t numbers[4], cost = 7, zones[2] = {0, 1}, nothing = 99;
    size_t count = 0, gates = 0;
    OK(tidegate_choke_points(index, 9, points, 4, &count));
    CHECK(count == 1 && points[0].gate == gate && points[0].share == 1.0);
    CHECK(points[0].traffic == 121 * 121 && points[0].cut_off == 121);
    OK(tidegate_choke_points(index, 0, NULL, 0, &count));
    CHECK(count == 0);
    TidegateTile here = tile(5, 5), there = tile(17, 5);
    OK(tidegate_routes(index, here, there, 3, NULL, NULL, 0, &count, NULL, 0, &gates));
    CHECK(count == 1 && gates == 1);
    GIVES(TIDEGATE_TOO_SMALL, tidegate_routes(index, here, there, 3, NULL, routes, 0, &count, numbers, 4, &gates));
    numbers[0] = 77;
    routes[0].width = 77;
    GIVES(TIDEGATE_TOO_SMALL, tidegate_routes(index, here, there, 3, NULL, routes, 4, &count, numbers, 0, &gates));
    CHECK(numbers[0] == 77 && routes[0].width == 77);
    OK(tidegate_routes(index, here, there, 3, NULL, routes, 4, &count, numbers, 4, &gates));
    CHECK(count == 1 && gates == 1 && numbers[0] == gate && routes[0].width == 1);
    CHECK(routes[0].length == 12 * TIDEGATE_STRAIGHT && routes[0].first_gate == 0 && routes[0].gate_count == 1);
    OK(tidegate_routes(index, here, tile(6, 5), 3, NULL, routes, 4, &count, numbers, 4, &gates));
    CHECK(count == 1 && gates == 0 && routes[0].width == 0);
    OK(tidegate_routes(index, here, there, 1024, NULL, routes, 4, &count, numbers, 4, &gates));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_routes(index, here, there, 1025, NULL, routes, 4, &count, numbers, 4, &gates));
    TidegateAvoid avoid = {&gate, 1, NULL, 0}, avoid_zone = {NULL, 0, &zones[1], 1}, wrong = {&nothing, 1, NULL, 0};
    GIVES(TIDEGATE_UNREACHABLE, tidegate_routes(index, here, there, 3, &avoid, routes, 4, &count, numbers, 4, &gates));
    CHECK(count == 0 && gates == 0);
    GIVES(TIDEGATE_UNREACHABLE,
          tidegate_routes(index, here, there, 3, &avoid_zone, routes, 4, &count, numbers, 4, &gates));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_routes(index, here, there, 3, &wrong, routes, 4, &count, numbers, 4, &gates));
    GIVES(TIDEGATE_OUTSIDE, tidegate_routes(index, here, tile(23, 0), 3, NULL, routes, 4, &count, numbers, 4, &gates));
    OK(tidegate_widest_route(index, here, there, NULL, routes, numbers, 4, &gates));
    CHECK(gates == 1 && numbers[0] == gate && routes[0].width == 1);
    GIVES(TIDEGATE_UNREACHABLE, tidegate_widest_route(index, here, there, &avoid, routes, numbers, 4, &gates));
    OK(tidegate_gate_sides(index, gate, sides, 4, &count));
    CHECK(count == 2 && sides[0].zone == 0 && same(sides[0].tile, tile(10, 5)) && same(sides[1].tile, tile(12, 5)));
    OK(tidegate_holding_tile(index, gate, 0, 4, &end));
    CHECK(same(end, tile(7, 5)));
    GIVES(TIDEGATE_UNREACHABLE, tidegate_holding_tile(index, gate, 0, 0, &end));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_holding_tile(index, gate, 9, 4, &end));
    OK(tidegate_distance_to_line(index, tile(2, 5), gate, &cost, &end));
    CHECK(cost == 9 * TIDEGATE_STRAIGHT && same(end, tile(11, 5)));
    OK(tidegate_distance_to_line(index, tile(2, 5), gate, NULL, NULL));
    GIVES(TIDEGATE_UNREACHABLE, tidegate_distance_to_line(index, tile(11, 0), gate, &cost, &end));
    OK(tidegate_bridges(index, bridges, 4, &count));
    CHECK(count == 1 && bridges[0].gate == gate && bridges[0].cut_off == 121);
    OK(tidegate_zone_groups(index, numbers, 4, &count));
    CHECK(count == 2 && numbers[0] == 0 && numbers[1] == 1);
    OK(tidegate_dead_ends(index, ends, 4, &count));
    CHECK(count == 2 && ends[0].gate == gate && ends[0].group == 0 && ends[1].group == 1);
}

static void zones_and_gates(void) {
    Map map = drawn(ROOMS, 11, TIDEGATE_NO_CORNER_CUTTING);
    TidegateIndex *index = index_of(&map);
    TidegateZone zones[4];
    TidegateGate gates[4];
    uint32_t numbers[4];
    int32_t places[MOST];
    size_t count = 0;
    GIVES(TIDEGATE_NOT_BUILT, tidegate_zone_list(index, zones, 4, &count));
    OK(tidegate_decompose(index));
    OK(tidegate_zone_list(index, NULL, 0, &count));
    CHECK(count == 2);
    GIVES(TIDEGATE_TOO_SMALL, tidegate_zone_list(index, zones, 1, &count));
    OK(tidegate_zone_list(index, zones, 4, &count));
    CHECK(zones[0].area == 121 && zones[1].area == 121 && zones[0].gate_count == 1);
    CHECK(zones[0].centre_x == 5 && zones[0].centre_y == 5 && same(zones[1].bottom_right, tile(22, 10)));
    OK(tidegate_gate_list(index, gates, 4, &count));
    CHECK(count == 1 && gates[0].width == 1 && same(gates[0].middle, tile(11, 5)));
    CHECK(gates[0].zone_count == 2 && gates[0].zones[0] == 0 && gates[0].zones[1] == 1);
    OK(tidegate_gate_zones(index, gates[0].number, numbers, 4, &count));
    CHECK(count == 2 && numbers[0] == 0 && numbers[1] == 1);
    OK(tidegate_zone_gates(index, 0, numbers, 4, &count));
    CHECK(count == 1 && numbers[0] == gates[0].number);
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_zone_gates(index, 2, numbers, 4, &count));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_gate_zones(index, 4000000000u, numbers, 4, &count));
    TidegateTile tiles[4];
    OK(tidegate_gate_tiles(index, gates[0].number, tiles, 4, &count));
    CHECK(count == 1 && same(tiles[0], tile(11, 5)));
    OK(tidegate_zones(index, places, 23 * 11));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_zones(index, places, 23 * 11 - 1));
    size_t walls = 0, first = 0, second = 0;
    for (int n = 0; n < 23 * 11; n++) {
        walls += places[n] == TIDEGATE_ZONE_WALL;
        first += places[n] == 0;
        second += places[n] == 1;
    }
    CHECK(walls == 10 && first == 121 && second == 121);
    CHECK(places[5 * 23 + 11] == TIDEGATE_ZONE_WALL - 1 - (int32_t)gates[0].number);
    OK(tidegate_route(index, tile(0, 0), tile(22, 0), numbers, 4, &count));
    CHECK(count == 1 && numbers[0] == gates[0].number);
    OK(tidegate_route(index, tile(0, 0), tile(1, 0), numbers, 4, &count));
    CHECK(count == 0);
    GIVES(TIDEGATE_OUTSIDE, tidegate_route(index, tile(0, 0), tile(23, 0), numbers, 4, &count));
    CHECK(gates[0].prominence == 11);
    ways(index, gates[0].number);
    TidegateChange door = {{11, 5}, TIDEGATE_CHANGE_WALL, 0};
    OK(tidegate_edit(index, &door, 1, NULL));
    GIVES(TIDEGATE_UNREACHABLE, tidegate_route(index, tile(0, 0), tile(22, 0), numbers, 4, &count));
    OK(tidegate_gate_list(index, gates, 4, &count));
    CHECK(count == 0);
    OK(tidegate_decompose_again(index));
    OK(tidegate_index_free(index));
}

static void files(const char *folder) {
    Map map = drawn(ROOMS, 11, TIDEGATE_NO_CORNER_CUTTING);
    char name[4096], missing[4096], text[4096];
    snprintf(name, sizeof name, "%s/rooms.tide", folder);
    snprintf(missing, sizeof missing, "%s/none/rooms.tide", folder);
    snprintf(text, sizeof text, "%s/rooms.txt", folder);
    TidegateIndex *index = index_of(&map), *other = NULL;
    OK(tidegate_prepare(index, "labels"));
    OK(tidegate_decompose(index));
    OK(tidegate_index_save(index, name));
    OK(tidegate_index_save(index, name));
    GIVES(TIDEGATE_IO, tidegate_index_save(index, missing));
    CHECK(strstr(tidegate_last_error(), missing) != NULL);
    GIVES(TIDEGATE_IO, tidegate_index_load(missing, &other));
    CHECK(other == NULL);
    OK(tidegate_index_load(name, &other));

    size_t length = 0, again = 0;
    OK(tidegate_index_to_bytes(index, NULL, 0, &length));
    uint8_t *bytes = malloc(length), *read = malloc(length);
    CHECK(bytes != NULL && read != NULL);
    GIVES(TIDEGATE_TOO_SMALL, tidegate_index_to_bytes(index, bytes, length - 1, &again));
    OK(tidegate_index_to_bytes(index, bytes, length, &again));
    CHECK(again == length);
    OK(tidegate_index_to_bytes(other, read, length, &again));
    CHECK(again == length && memcmp(bytes, read, length) == 0);
    OK(tidegate_index_free(other));
    OK(tidegate_index_from_bytes(bytes, length, &other));
    TidegateMapInfo info;
    OK(tidegate_index_info(other, &info));
    CHECK(info.width == 23 && info.height == 11 && info.free_tiles == 243 && info.revision == 0);
    CHECK(info.movement == TIDEGATE_NO_CORNER_CUTTING && info.has_factors == 0);
    uint32_t state = 99;
    OK(tidegate_engine_state(other, "labels", &state));
    CHECK(state == TIDEGATE_ENGINE_READY);
    OK(tidegate_index_free(other));
    for (int n = 0; n < 300; n++) {
        size_t at = below((uint32_t)length);
        bytes[at] ^= (uint8_t)(1 + below(255));
        GIVES(TIDEGATE_BAD_FILE, tidegate_index_from_bytes(bytes, length, &other));
        memcpy(bytes, read, length);
        GIVES(TIDEGATE_BAD_FILE, tidegate_index_from_bytes(bytes, below((uint32_t)length), &other));
    }
    free(bytes);
    free(read);
    OK(tidegate_index_free(index));

    FILE *file = fopen(text, "w");
    CHECK(file != NULL);
    fputs("..S..\n.@@@.\n.....\n", file);
    fclose(file);
    OK(tidegate_index_read_map(text, TIDEGATE_FOUR_CONNECTED, "S=inf", &index));
    OK(tidegate_index_info(index, &info));
    CHECK(info.width == 5 && info.height == 3 && info.free_tiles == 11 && info.movement == TIDEGATE_FOUR_CONNECTED);
    OK(tidegate_index_free(index));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_index_read_map(text, 0, "S=0.5", &index));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_index_read_map(text, 3, NULL, &index));
    GIVES(TIDEGATE_IO, tidegate_index_read_map(missing, 0, NULL, &index));
    GIVES(TIDEGATE_BAD_FILE, tidegate_index_read_map(name, 0, NULL, &index));
}

static void refused_maps(void) {
    uint8_t is_free[6] = {1, 1, 1, 1, 0, 1};
    uint16_t factors[6] = {100, 100, 150, 100, 100, 99};
    TidegateIndex *index = NULL;
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_index_new(is_free, 5, 3, 2, 0, NULL, &index));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_index_new(is_free, 0, 0, 2, 0, NULL, &index));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_index_new(is_free, 6, 65536, 65536, 0, NULL, &index));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_index_new(is_free, 6, 3, 2, 3, NULL, &index));
    GIVES(TIDEGATE_NULL, tidegate_index_new(NULL, 6, 3, 2, 0, NULL, &index));
    GIVES(TIDEGATE_NULL, tidegate_index_new(is_free, 6, 3, 2, 0, NULL, NULL));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_index_new(is_free, 6, 3, 2, 0, factors, &index));
    CHECK(strstr(tidegate_last_error(), "factor 99 of tile 2,1") != NULL);
    CHECK(index == NULL);
}

static void engines(void) {
    TidegateEngine list[64];
    size_t count = 0;
    int labels = 0;
    OK(tidegate_engines(NULL, 0, &count));
    CHECK(count >= 14 && count <= 64);
    GIVES(TIDEGATE_TOO_SMALL, tidegate_engines(list, count - 1, &count));
    OK(tidegate_engines(list, 64, &count));
    for (size_t n = 0; n < count; n++) {
        CHECK(strlen(list[n].name) > 0 && strlen(list[n].about) > 0);
        if (strcmp(list[n].name, "labels") == 0) labels += list[n].is_optimal == 1;
    }
    CHECK(labels == 1);
    CHECK(strchr(tidegate_version(), '.') != NULL);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: test FOLDER MAPS\n");
        return 2;
    }
    unsigned asked = 0;
    CHECK(tidegate_last_error()[0] == 0);
    engines();
    refused_maps();
    too_small();
    many_threads();
    freed_handles();
    queries();
    edits();
    zones_and_gates();
    files(argv[1]);
    for (int n = 0; n < atoi(argv[2]); n++) against_oracle((uint32_t)(n % 3), n % 4 == 3, &asked);
    for (int n = 0; n < atoi(argv[2]) / 2; n++) fields_and_layers((uint32_t)(n % 3), n % 4 == 3, &asked);
    for (int n = 0; n < atoi(argv[2]); n++) worlds(&asked);
    size_t live = 99;
    OK(tidegate_live_handles(&live));
    CHECK(live == 0);
    printf("test: %lu checks hold, %u queries as the oracle answers them\n", checks, asked);
    return 0;
}
