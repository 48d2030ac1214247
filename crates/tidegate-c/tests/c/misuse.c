/* Calls with one argument wrong, or several, chosen at random: each must be refused by the code that belongs
 * to it, and what is right must go on working.  misuse CALLS [SEED] ends when so many were refused.
 */
#include <math.h>

#include "check.h"

enum { WIDTH = 16, HEIGHT = 12, TILES = WIDTH * HEIGHT };

/* What can be wrong with an argument. */
enum Wrong {
    NULL_HANDLE, FREED_HANDLE, OTHER_KIND, NO_HANDLE, NULL_POINTER, MISALIGNED, TOO_LONG, TOO_SMALL, WRONG_SIZE,
    OUTSIDE, WALL, UNKNOWN_ENGINE, LONG_NAME, NOT_BUILT, BAD_NUMBER, BAD_BYTES, NO_FILE, KINDS
};
static const char *const NAMES[KINDS] = {
    "null handle", "freed handle", "handle of another kind", "no handle at all", "null pointer",
    "misaligned pointer", "more elements than memory", "array too small", "wrong size", "tile outside", "wall",
    "unknown engine", "name without end", "engine not built", "number without meaning", "damaged bytes", "no such file",
};
static unsigned long refused[KINDS], refused_mixed, all_refused, answered;

static TidegateIndex *index_, *freed_index;
static TidegateScratch *scratch_, *freed_scratch;
static TidegateBlocked *blocked_, *freed_blocked;
static TidegateField *field_, *freed_field;
static TidegateLayer *layer_, *freed_layer;
static TidegateWorld *world_, *freed_world;
static uint8_t is_free_[TILES], bytes_[1 << 16], damaged[1 << 16];
static size_t bytes_length;
static char endless[200];
/* An index, a scratch and a set in the places of those that were freed last. */
static void *others[3];

static void wants(enum Wrong wrong, TidegateStatus expected, TidegateStatus given, const char *call) {
    checks++;
    if (given != expected || tidegate_last_error()[0] == 0) {
        fprintf(stderr, "misuse: %s with %s gives %d, not %d; last error: %s\n", call, NAMES[wrong], (int)given,
                (int)expected, tidegate_last_error());
        abort();
    }
    refused[wrong]++;
    all_refused++;
}

#define WANTS(wrong, expected, call) wants(wrong, expected, call, #call)

/* Something that is no handle of this kind; `wrong` gets what is wrong with it. */
static void *bad_handle(void *good, void *freed, void *other, enum Wrong *wrong) {
    static int somewhere;
    int here;
    switch (below(8)) {
        case 0: *wrong = NULL_HANDLE; return NULL;
        case 1: *wrong = FREED_HANDLE; return freed;
        case 2: *wrong = OTHER_KIND; return other;
        case 3: *wrong = NO_HANDLE; return (void *)(uintptr_t)(1 + below(5000));
        case 4: *wrong = NO_HANDLE; return (void *)(uintptr_t)next_random();
        case 5: *wrong = NO_HANDLE; return below(2) ? (void *)&here : (void *)&somewhere;
        case 6: *wrong = NO_HANDLE; return (void *)((uintptr_t)good ^ (uintptr_t)1 << below(sizeof(void *) * 8));
        default: *wrong = NO_HANDLE; return (void *)(UINTPTR_MAX - below(5000));
    }
}

static TidegateStatus handle_code(enum Wrong wrong) {
    return wrong == NULL_HANDLE ? TIDEGATE_NULL : TIDEGATE_BAD_HANDLE;
}

static TidegateIndex *bad_index(enum Wrong *wrong) {
    return bad_handle(index_, freed_index, below(2) ? (void *)scratch_ : (void *)blocked_, wrong);
}

static TidegateScratch *bad_scratch(enum Wrong *wrong) {
    return bad_handle(scratch_, freed_scratch, below(2) ? (void *)index_ : (void *)blocked_, wrong);
}

static TidegateTile somewhere_free(void) {
    for (;;) {
        TidegateTile at = tile((int)below(WIDTH), (int)below(HEIGHT));
        if (is_free_[at.y * WIDTH + at.x]) return at;
    }
}

static TidegateTile somewhere_wall(void) {
    for (;;) {
        TidegateTile at = tile((int)below(WIDTH), (int)below(HEIGHT));
        if (!is_free_[at.y * WIDTH + at.x]) return at;
    }
}

static TidegateTile outside(void) {
    int x = WIDTH + (int)below(65536 - WIDTH), y = HEIGHT + (int)below(65536 - HEIGHT);
    return below(2) ? tile(x, (int)below(HEIGHT)) : tile((int)below(WIDTH), y);
}

/* A good pointer, moved off its alignment. */
static void *moved(void *good) { return (char *)good + 1; }

static const char *engine(void) {
    static const char *const ENGINES[] = {NULL, "auto", "astar", "jps", "corners"};
    return ENGINES[below(5)];
}

/* A query with one thing wrong. */
static void wrong_path(void) {
    TidegateTile a = somewhere_free(), b = somewhere_free(), tiles[TILES];
    size_t length = 5;
    uint32_t cost = 5;
    enum Wrong wrong;
    switch (below(11)) {
        case 0: {
            TidegateIndex *bad = bad_index(&wrong);
            WANTS(wrong, handle_code(wrong), tidegate_path(bad, scratch_, engine(), a, b, tiles, TILES, &length, &cost));
            break;
        }
        case 1: {
            TidegateScratch *bad = bad_scratch(&wrong);
            WANTS(wrong, handle_code(wrong), tidegate_path(index_, bad, engine(), a, b, tiles, TILES, &length, &cost));
            break;
        }
        case 2:
            WANTS(UNKNOWN_ENGINE, TIDEGATE_UNKNOWN_ENGINE,
                  tidegate_path(index_, scratch_, below(2) ? "" : "Astar", a, b, tiles, TILES, &length, &cost));
            break;
        case 3:
            WANTS(LONG_NAME, TIDEGATE_BAD_ARGUMENT,
                  tidegate_path(index_, scratch_, endless, a, b, tiles, TILES, &length, &cost));
            break;
        case 4:
            WANTS(NOT_BUILT, TIDEGATE_NOT_BUILT,
                  tidegate_path(index_, scratch_, below(2) ? "labels" : "portal", a, b, tiles, TILES, &length, &cost));
            break;
        case 5:
            WANTS(OUTSIDE, TIDEGATE_OUTSIDE,
                  below(2) ? tidegate_path(index_, scratch_, engine(), outside(), b, tiles, TILES, &length, &cost)
                           : tidegate_path(index_, scratch_, engine(), a, outside(), tiles, TILES, &length, &cost));
            break;
        case 6:
            WANTS(WALL, TIDEGATE_WALL,
                  below(2) ? tidegate_path(index_, scratch_, engine(), somewhere_wall(), b, tiles, TILES, &length, &cost)
                           : tidegate_path(index_, scratch_, engine(), a, somewhere_wall(), tiles, TILES, &length, &cost));
            break;
        case 7:
            WANTS(NULL_POINTER, TIDEGATE_NULL,
                  below(2) ? tidegate_path(index_, scratch_, engine(), a, b, NULL, 1 + below(TILES), &length, &cost)
                           : tidegate_path(index_, scratch_, engine(), a, b, tiles, TILES, NULL, &cost));
            break;
        case 8:
            WANTS(MISALIGNED, TIDEGATE_BAD_ARGUMENT,
                  below(2) ? tidegate_path(index_, scratch_, engine(), a, b, moved(tiles), TILES - 1, &length, &cost)
                           : tidegate_path(index_, scratch_, engine(), a, b, tiles, TILES, moved(&length), &cost));
            break;
        case 9:
            WANTS(TOO_LONG, TIDEGATE_BAD_ARGUMENT,
                  tidegate_path(index_, scratch_, engine(), a, b, tiles, SIZE_MAX - below(1000), &length, &cost));
            break;
        default:
            while (same(a, b)) b = somewhere_free();
            WANTS(TOO_SMALL, TIDEGATE_TOO_SMALL,
                  tidegate_path(index_, scratch_, engine(), a, b, tiles, below(2), &length, &cost));
            CHECK(length > 1);
            return;
    }
    CHECK(length == 5 && cost == 5);
}

static TidegatePoint centre(TidegateTile at) {
    TidegatePoint made = {at.x + 0.5, at.y + 0.5};
    return made;
}

/* A walk with one thing wrong. */
static void wrong_walk(void) {
    TidegatePoint a = centre(somewhere_free()), b = centre(somewhere_free()), points[TILES], bad_point = {1, 1};
    size_t count = 5;
    double length = 5;
    enum Wrong wrong;
    switch (below(10)) {
        case 0: {
            TidegateIndex *bad = bad_index(&wrong);
            WANTS(wrong, handle_code(wrong), tidegate_walk(bad, scratch_, a, b, NULL, points, TILES, &count, &length));
            break;
        }
        case 1: {
            TidegateScratch *bad = bad_scratch(&wrong);
            WANTS(wrong, handle_code(wrong), tidegate_walk(index_, bad, a, b, NULL, points, TILES, &count, &length));
            break;
        }
        case 2: {
            TidegateBlocked *bad =
                bad_handle(blocked_, freed_blocked, below(2) ? (void *)index_ : (void *)scratch_, &wrong);
            if (bad == NULL) return;
            WANTS(wrong, TIDEGATE_BAD_HANDLE, tidegate_walk(index_, scratch_, a, b, bad, points, TILES, &count, &length));
            break;
        }
        case 3:
            bad_point = centre(outside());
            WANTS(OUTSIDE, TIDEGATE_OUTSIDE,
                  below(2) ? tidegate_walk(index_, scratch_, bad_point, b, NULL, points, TILES, &count, &length)
                           : tidegate_walk(index_, scratch_, a, bad_point, NULL, points, TILES, &count, &length));
            break;
        case 4:
            bad_point = centre(somewhere_wall());
            WANTS(WALL, TIDEGATE_WALL,
                  below(2) ? tidegate_walk(index_, scratch_, bad_point, b, NULL, points, TILES, &count, &length)
                           : tidegate_walk(index_, scratch_, a, bad_point, NULL, points, TILES, &count, &length));
            break;
        case 5:
            WANTS(NULL_POINTER, TIDEGATE_NULL,
                  below(2) ? tidegate_walk(index_, scratch_, a, b, NULL, NULL, 1 + below(TILES), &count, &length)
                           : tidegate_walk(index_, scratch_, a, b, NULL, points, TILES, NULL, &length));
            break;
        case 6:
            WANTS(MISALIGNED, TIDEGATE_BAD_ARGUMENT,
                  below(2) ? tidegate_walk(index_, scratch_, a, b, NULL, moved(points), TILES - 1, &count, &length)
                           : tidegate_walk(index_, scratch_, a, b, NULL, points, TILES, &count, moved(&length)));
            break;
        case 7:
            if (below(2)) bad_point.x = HUGE_VAL; else bad_point.y = -HUGE_VAL;
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT,
                  tidegate_walk(index_, scratch_, a, bad_point, NULL, points, TILES, &count, &length));
            break;
        case 8:
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT, tidegate_prepare_walks(index_, 4 + below(1000), 0));
            break;
        default:
            WANTS(TOO_LONG, TIDEGATE_BAD_ARGUMENT,
                  tidegate_walk(index_, scratch_, a, b, NULL, points, SIZE_MAX - below(1000), &count, &length));
    }
    CHECK(count == 5 && length == 5);
}

static void wrong_find(void) {
    TidegateQuery query;
    TidegateAnswer answer = {5, 5, 5};
    TidegateTile tiles[TILES];
    enum Wrong wrong;
    memset(&query, 0, sizeof query);
    query.start = somewhere_free();
    query.goal = somewhere_free();
    switch (below(5)) {
        case 0:
            query.blocked = bad_handle(blocked_, freed_blocked, below(2) ? (void *)index_ : (void *)scratch_, &wrong);
            if (query.blocked == NULL) return;
            WANTS(wrong, TIDEGATE_BAD_HANDLE, tidegate_find(index_, scratch_, &query, tiles, TILES, &answer));
            break;
        case 1:
            WANTS(NULL_POINTER, TIDEGATE_NULL,
                  below(2) ? tidegate_find(index_, scratch_, NULL, tiles, TILES, &answer)
                           : tidegate_find(index_, scratch_, &query, tiles, TILES, NULL));
            break;
        case 2:
            query.engine = endless;
            WANTS(LONG_NAME, TIDEGATE_BAD_ARGUMENT, tidegate_find(index_, scratch_, &query, tiles, TILES, &answer));
            break;
        case 3:
            query.goal = outside();
            WANTS(OUTSIDE, TIDEGATE_OUTSIDE, tidegate_find(index_, scratch_, &query, tiles, TILES, &answer));
            break;
        default: {
            TidegateScratch *bad = bad_scratch(&wrong);
            WANTS(wrong, handle_code(wrong), tidegate_find(index_, bad, &query, tiles, TILES, &answer));
        }
    }
    CHECK(answer.length == 5 && answer.cost == 5);
}

static void wrong_many(void) {
    TidegateTile starts[4], goals[4], tiles[4 * TILES];
    size_t offsets[5] = {5, 5, 5, 5, 5}, total = 5;
    uint32_t costs[4] = {5, 5, 5, 5};
    enum Wrong wrong;
    for (int n = 0; n < 4; n++) starts[n] = somewhere_free(), goals[n] = somewhere_free();
    switch (below(10)) {
        case 0:
            WANTS(NULL_POINTER, TIDEGATE_NULL,
                  below(2) ? tidegate_paths(index_, scratch_, NULL, NULL, goals, 4, 1, offsets, tiles, 4 * TILES, &total)
                           : tidegate_paths(index_, scratch_, NULL, starts, goals, 4, 1, NULL, tiles, 4 * TILES, &total));
            break;
        case 1:
            WANTS(TOO_LONG, TIDEGATE_BAD_ARGUMENT,
                  tidegate_paths(index_, scratch_, NULL, starts, goals, SIZE_MAX - below(9), 1, offsets, tiles, 4, &total));
            break;
        case 2:
            goals[below(4)] = outside();
            WANTS(OUTSIDE, TIDEGATE_OUTSIDE,
                  tidegate_paths(index_, scratch_, NULL, starts, goals, 4, 1, offsets, tiles, 4 * TILES, &total));
            break;
        case 3:
            starts[below(4)] = somewhere_wall();
            WANTS(WALL, TIDEGATE_WALL,
                  tidegate_paths(index_, scratch_, NULL, starts, goals, 4, 1, offsets, tiles, 4 * TILES, &total));
            break;
        case 4:
            WANTS(MISALIGNED, TIDEGATE_BAD_ARGUMENT,
                  tidegate_paths(index_, scratch_, NULL, moved(starts), goals, 3, 1, offsets, tiles, 4 * TILES, &total));
            break;
        case 5: {
            TidegateIndex *bad = bad_index(&wrong);
            WANTS(wrong, handle_code(wrong),
                  tidegate_paths(bad, scratch_, NULL, starts, goals, 4, 1, offsets, tiles, 4 * TILES, &total));
            break;
        }
        case 6:
            goals[below(4)] = somewhere_wall();
            WANTS(WALL, TIDEGATE_WALL, tidegate_distances(index_, scratch_, starts[0], goals, 4, costs));
            break;
        case 7:
            WANTS(NULL_POINTER, TIDEGATE_NULL,
                  below(2) ? tidegate_distances(index_, scratch_, starts[0], NULL, 4, costs)
                           : tidegate_distances(index_, scratch_, starts[0], goals, 4, NULL));
            break;
        case 8: {
            TidegateScratch *bad = bad_scratch(&wrong);
            WANTS(wrong, handle_code(wrong), tidegate_nearest(index_, bad, starts[0], goals, 4, &total, costs));
            break;
        }
        default:
            WANTS(WRONG_SIZE, TIDEGATE_BAD_ARGUMENT,
                  tidegate_last_paths(scratch_, offsets, 5000 + below(5000), tiles, 4, &total));
    }
    CHECK(total == 5 && offsets[0] == 5 && offsets[4] == 5 && costs[0] == 5 && costs[3] == 5);
}

static void wrong_index(void) {
    TidegateIndex *made = NULL;
    TidegateMapInfo info;
    size_t length = 0;
    enum Wrong wrong;
    uint16_t factors[TILES];
    switch (below(14)) {
        case 0:
            WANTS(WRONG_SIZE, TIDEGATE_BAD_ARGUMENT,
                  tidegate_index_new(is_free_, TILES, WIDTH + 1 + below(70000), HEIGHT, 0, NULL, &made));
            break;
        case 1:
            WANTS(WRONG_SIZE, TIDEGATE_BAD_ARGUMENT, tidegate_index_new(is_free_, TILES, 0, below(9), 0, NULL, &made));
            break;
        case 2:
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT,
                  tidegate_index_new(is_free_, TILES, WIDTH, HEIGHT, 3 + below(UINT32_MAX - 3), NULL, &made));
            break;
        case 3:
            WANTS(NULL_POINTER, TIDEGATE_NULL,
                  below(2) ? tidegate_index_new(NULL, TILES, WIDTH, HEIGHT, 0, NULL, &made)
                           : tidegate_index_new(is_free_, TILES, WIDTH, HEIGHT, 0, NULL, NULL));
            break;
        case 4:
            for (int n = 0; n < TILES; n++) factors[n] = 100;
            factors[below(TILES)] = (uint16_t)below(100);
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT,
                  tidegate_index_new(is_free_, TILES, WIDTH, HEIGHT, 0, factors, &made));
            break;
        case 5: {
            size_t at = below((uint32_t)bytes_length);
            damaged[at] ^= (uint8_t)(1 + below(255));
            WANTS(BAD_BYTES, TIDEGATE_BAD_FILE, tidegate_index_from_bytes(damaged, bytes_length, &made));
            damaged[at] = bytes_[at];
            break;
        }
        case 6:
            WANTS(BAD_BYTES, TIDEGATE_BAD_FILE, tidegate_index_from_bytes(bytes_, below((uint32_t)bytes_length), &made));
            break;
        case 7:
            WANTS(NO_FILE, TIDEGATE_IO,
                  below(2) ? tidegate_index_load("/nowhere/at.all", &made)
                           : tidegate_index_read_map("/nowhere/at.map", 0, NULL, &made));
            break;
        case 8: {
            TidegateIndex *bad = bad_index(&wrong);
            if (bad == NULL) return;
            WANTS(wrong, TIDEGATE_BAD_HANDLE, tidegate_index_free(bad));
            break;
        }
        case 9: {
            TidegateIndex *bad = bad_index(&wrong);
            WANTS(wrong, handle_code(wrong),
                  below(2) ? tidegate_index_clone(bad, &made) : tidegate_index_info(bad, &info));
            break;
        }
        case 10: {
            TidegateIndex *bad = bad_index(&wrong);
            WANTS(wrong, handle_code(wrong),
                  below(2) ? tidegate_prepare(bad, "jps") : tidegate_index_to_bytes(bad, bytes_, 1, &length));
            break;
        }
        case 11:
            WANTS(TOO_SMALL, TIDEGATE_TOO_SMALL,
                  tidegate_index_to_bytes(index_, damaged, below((uint32_t)bytes_length), &length));
            CHECK(length == bytes_length && memcmp(damaged, bytes_, bytes_length) == 0);
            break;
        case 12:
            WANTS(UNKNOWN_ENGINE, TIDEGATE_UNKNOWN_ENGINE, tidegate_prepare(index_, "\xff\xfe"));
            break;
        default:
            WANTS(NULL_POINTER, TIDEGATE_NULL, tidegate_index_load(NULL, &made));
    }
    CHECK(made == NULL);
}

static void wrong_edit(void) {
    TidegateChange changes[3];
    uint64_t revision = 5;
    uint32_t state = 5;
    enum Wrong wrong;
    for (int n = 0; n < 3; n++) {
        TidegateChange change = {somewhere_free(), TIDEGATE_CHANGE_WALL, 0};
        changes[n] = change;
    }
    switch (below(7)) {
        case 0:
            changes[below(3)].tile = outside();
            WANTS(OUTSIDE, TIDEGATE_OUTSIDE, tidegate_edit(index_, changes, 3, &revision));
            break;
        case 1:
            changes[below(3)].kind = (uint16_t)(3 + below(65532));
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT, tidegate_edit(index_, changes, 3, &revision));
            break;
        case 2:
            changes[below(3)].kind = TIDEGATE_CHANGE_FACTOR;
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT, tidegate_edit(index_, changes, 3, &revision));
            break;
        case 3:
            WANTS(NULL_POINTER, TIDEGATE_NULL, tidegate_edit(index_, NULL, 1 + below(9), &revision));
            break;
        case 4: {
            TidegateIndex *bad = bad_index(&wrong);
            WANTS(wrong, handle_code(wrong), tidegate_edit(bad, changes, 3, &revision));
            break;
        }
        case 5: {
            TidegateIndex *bad = bad_index(&wrong);
            WANTS(wrong, handle_code(wrong), tidegate_adopt(index_, bad, NULL));
            break;
        }
        default: {
            TidegateScratch *bad = bad_scratch(&wrong);
            TidegateTile tiles[1] = {{0, 0}};
            WANTS(wrong, handle_code(wrong), tidegate_path_state(index_, bad, tiles, 1, 0, &state));
        }
    }
    CHECK(revision == 5 && state == 5);
}

static void wrong_regions(void) {
    int32_t places[TILES];
    uint32_t numbers[TILES];
    size_t count = 5;
    TidegateTile near = tile(5, 5);
    TidegateRoute routes[1];
    enum Wrong wrong;
    switch (below(10)) {
        case 7:
            WANTS(NULL_POINTER, TIDEGATE_NULL,
                  below(2) ? tidegate_routes(index_, near, near, 1, NULL, NULL, 1, &count, numbers, TILES, &count)
                           : tidegate_widest_route(index_, near, near, NULL, NULL, numbers, TILES, &count));
            break;
        case 8: {
            uint32_t number = 1000 + below(UINT32_MAX - 1000);
            TidegateAvoid avoid = {&number, 1, NULL, 0};
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT,
                  below(2) ? tidegate_routes(index_, near, near, 1, &avoid, routes, 1, &count, numbers, TILES, &count)
                           : tidegate_holding_tile(index_, number, 0, 5, &near));
            break;
        }
        case 9:
            WANTS(OUTSIDE, TIDEGATE_OUTSIDE,
                  tidegate_routes(index_, outside(), near, 1, NULL, routes, 1, &count, numbers, TILES, &count));
            break;
        case 0:
            WANTS(WRONG_SIZE, TIDEGATE_BAD_ARGUMENT, tidegate_zones(index_, places, below(TILES)));
            break;
        case 1:
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT,
                  below(2) ? tidegate_zone_gates(index_, 1000 + below(UINT32_MAX - 1000), numbers, TILES, &count)
                           : tidegate_gate_zones(index_, 1000 + below(UINT32_MAX - 1000), numbers, TILES, &count));
            break;
        case 2: {
            TidegateIndex *bad = bad_index(&wrong);
            WANTS(wrong, handle_code(wrong),
                  below(2) ? tidegate_zone_list(bad, NULL, 0, &count) : tidegate_gate_list(bad, NULL, 0, &count));
            break;
        }
        case 3:
            WANTS(NULL_POINTER, TIDEGATE_NULL,
                  below(2) ? tidegate_zone_list(index_, NULL, 3, &count) : tidegate_zones(index_, NULL, TILES));
            break;
        case 4:
            WANTS(OUTSIDE, TIDEGATE_OUTSIDE,
                  tidegate_route(index_, somewhere_free(), outside(), numbers, TILES, &count));
            break;
        case 5:
            WANTS(WALL, TIDEGATE_WALL, tidegate_nearest_reachable(index_, somewhere_wall(), outside(), &near));
            break;
        default: {
            TidegateIndex *bad = bad_index(&wrong);
            WANTS(wrong, handle_code(wrong), tidegate_reachable(bad, near, near, numbers));
        }
    }
    CHECK(count == 5 && near.x == 5);
}

static void wrong_fields(void) {
    TidegateFieldQuery query;
    TidegateTile goal = somewhere_free(), next = tile(5, 5);
    uint16_t values[TILES] = {0};
    uint32_t costs[TILES] = {5}, cost = 5;
    enum Wrong wrong;
    memset(&query, 0, sizeof query);
    query.goals = &goal;
    query.goal_count = 1;
    switch (below(9)) {
        case 8: {
            TidegateBlocked *bad = bad_handle(blocked_, freed_blocked, field_, &wrong);
            WANTS(wrong, handle_code(wrong), tidegate_blocked_set(bad, goal, below(2)));
            break;
        }
        case 0: {
            TidegateField *bad = bad_handle(field_, freed_field, layer_, &wrong);
            WANTS(wrong, handle_code(wrong),
                  below(2) ? tidegate_field_fill(bad, index_, scratch_, &query) : tidegate_field_next(bad, goal, &next, &cost));
            break;
        }
        case 1: {
            TidegateLayer *bad = bad_handle(layer_, freed_layer, field_, &wrong);
            WANTS(wrong, handle_code(wrong),
                  below(2) ? tidegate_layer_add(bad, goal, 3, 100) : tidegate_layer_values(bad, values, TILES));
            break;
        }
        case 2:
            query.layer = bad_handle(layer_, freed_layer, field_, &wrong);
            if (query.layer == NULL) return;
            WANTS(wrong, TIDEGATE_BAD_HANDLE, tidegate_field_fill(field_, index_, scratch_, &query));
            break;
        case 3:
            goal = outside();
            WANTS(OUTSIDE, TIDEGATE_OUTSIDE, tidegate_field_fill(field_, index_, scratch_, &query));
            break;
        case 4:
            query.goals = NULL;
            WANTS(NULL_POINTER, TIDEGATE_NULL, tidegate_field_fill(field_, index_, scratch_, &query));
            break;
        case 5:
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT,
                  below(2) ? tidegate_layer_fade(layer_, below(2) ? -0.5 : 0.0 / (below(2) ? 0.0 : -0.0))
                           : tidegate_layer_add(layer_, goal, -1.0 - below(9), 100));
            break;
        case 6:
            WANTS(WRONG_SIZE, TIDEGATE_BAD_ARGUMENT, tidegate_layer_add_each(layer_, values, below(TILES)));
            break;
        default:
            WANTS(WRONG_SIZE, TIDEGATE_BAD_ARGUMENT, tidegate_field_costs(field_, costs, 1 + below(TILES - 1)));
    }
    CHECK(cost == 5 && costs[0] == 5 && next.x == 5);
}

static void wrong_worlds(void) {
    TidegateGroundChange change = {somewhere_free(), 1};
    TidegateClassCost cost = {0, 100};
    TidegateWorld *made = NULL;
    TidegateIndex *index = NULL;
    uint8_t classes[TILES] = {0};
    size_t number = 5;
    enum Wrong wrong;
    switch (below(10)) {
        case 0: {
            TidegateWorld *bad = bad_handle(world_, freed_world, below(2) ? (void *)index_ : (void *)layer_, &wrong);
            switch (below(4)) {
                case 0: WANTS(wrong, handle_code(wrong), tidegate_world_edit(bad, &change, 1, NULL)); break;
                case 1: WANTS(wrong, handle_code(wrong), tidegate_world_add(bad, 1, 0, &cost, 1, &number)); break;
                case 2: WANTS(wrong, handle_code(wrong), tidegate_world_index(bad, 0, &index)); break;
                default: WANTS(wrong, handle_code(wrong), tidegate_world_ground(bad, classes, TILES));
            }
            break;
        }
        case 1:
            change.tile = outside();
            WANTS(OUTSIDE, TIDEGATE_OUTSIDE, tidegate_world_edit(world_, &change, 1, &number));
            break;
        case 2:
            change.ground = (uint16_t)(256 + below(65536 - 256));
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT, tidegate_world_edit(world_, &change, 1, &number));
            break;
        case 3:
            cost.factor = (uint16_t)(1 + below(99));
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT,
                  below(2) ? tidegate_world_set_cost(world_, 0, cost) : tidegate_world_add(world_, 1, 0, &cost, 1, &number));
            break;
        case 4:
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT,
                  below(2) ? tidegate_world_add(world_, below(2) ? 0 : 33 + below(9999), 0, &cost, 1, &number)
                           : tidegate_world_add(world_, 1, 3 + below(9999), &cost, 1, &number));
            break;
        case 5:
            WANTS(BAD_NUMBER, TIDEGATE_BAD_ARGUMENT, tidegate_world_index(world_, 1 + (size_t)next_random() % 99, &index));
            break;
        case 6:
            WANTS(NULL_POINTER, TIDEGATE_NULL,
                  below(2) ? tidegate_world_edit(world_, NULL, 1 + below(9), &number) : tidegate_world_index(world_, 0, NULL));
            break;
        case 7:
            WANTS(WRONG_SIZE, TIDEGATE_BAD_ARGUMENT,
                  below(2) ? tidegate_world_ground(world_, classes, below(TILES))
                           : tidegate_world_new(classes, below(TILES), WIDTH, HEIGHT, &made));
            break;
        case 8:
            WANTS(WRONG_SIZE, TIDEGATE_BAD_ARGUMENT, tidegate_world_new(classes, 0, 0, below(9), &made));
            break;
        default:
            WANTS(NULL_POINTER, TIDEGATE_NULL, tidegate_world_new(NULL, TILES, WIDTH, HEIGHT, &made));
    }
    CHECK(number == 5 && made == NULL && index == NULL);
}

/* Everything may be wrong at once: any code of an error will do, or an answer if nothing is. */
static void all_wrong(void) {
    enum Wrong wrong;
    TidegateIndex *index = below(4) ? bad_index(&wrong) : index_;
    TidegateScratch *scratch = below(4) ? bad_scratch(&wrong) : scratch_;
    const char *name = below(4) ? engine() : below(2) ? endless : "";
    TidegateTile a = tile((int)below(65536), (int)below(65536)), b = somewhere_free(), tiles[TILES];
    size_t length;
    size_t capacity = below(2) ? TILES : 0;
    size_t *at = below(8) ? &length : NULL;
    TidegateStatus status = below(2)
        ? tidegate_path(index, scratch, name, below(2) ? a : b, b, below(4) ? tiles : NULL, capacity, at, NULL)
        : tidegate_paths(index, scratch, name, &a, &b, 1, 1 + below(3), at, tiles, capacity, at);
    CHECK(status <= TIDEGATE_UNREACHABLE && status >= TIDEGATE_INTERNAL && status != TIDEGATE_INTERNAL);
    if (status < 0)
        refused_mixed++, all_refused++;
    else
        answered++;
}

/* What is right still works, and frees and makes go on. */
static void all_right(void) {
    static uint32_t known;
    TidegateTile tiles[TILES];
    size_t length = 0;
    uint32_t cost = 0;
    OK(tidegate_path(index_, scratch_, engine(), tile(0, 0), tile(WIDTH - 1, HEIGHT - 1), tiles, TILES, &length, &cost));
    CHECK(length > 0 && (known == 0 || cost == known));
    known = cost;
    answered++;
    if (below(64) != 0) return;
    /* Each of these is freed twice, and stays known as freed when its place is used again. */
    static TidegateIndex *clone;
    OK(tidegate_index_free(clone));
    if (clone != NULL) WANTS(FREED_HANDLE, TIDEGATE_BAD_HANDLE, tidegate_index_free(clone));
    freed_index = clone != NULL ? clone : freed_index;
    OK(tidegate_index_clone(index_, &clone));
    static TidegateScratch *scratch;
    OK(tidegate_scratch_free(scratch));
    if (scratch != NULL) WANTS(FREED_HANDLE, TIDEGATE_BAD_HANDLE, tidegate_scratch_free(scratch));
    freed_scratch = scratch != NULL ? scratch : freed_scratch;
    OK(tidegate_scratch_new(&scratch));
    static TidegateBlocked *blocked;
    OK(tidegate_blocked_free(blocked));
    if (blocked != NULL) WANTS(FREED_HANDLE, TIDEGATE_BAD_HANDLE, tidegate_blocked_free(blocked));
    freed_blocked = blocked != NULL ? blocked : freed_blocked;
    OK(tidegate_blocked_new(NULL, 0, &blocked));
    others[0] = clone, others[1] = scratch, others[2] = blocked;
    answered += 6;
}

int main(int argc, char **argv) {
    unsigned long calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    if (calls == 0) {
        fprintf(stderr, "usage: misuse CALLS [SEED]\n");
        return 2;
    }
    if (argc > 2) generator ^= strtoull(argv[2], NULL, 10);
    memset(endless, 'x', sizeof endless - 1);
    for (int n = 0; n < TILES; n++) is_free_[n] = n % WIDTH != 7 || n / WIDTH == 5 || n / WIDTH == 6;
    OK(tidegate_index_new(is_free_, TILES, WIDTH, HEIGHT, 0, NULL, &index_));
    OK(tidegate_prepare(index_, "corners"));
    OK(tidegate_prepare_walks(index_, TIDEGATE_WALKS_LABELS, 0));
    OK(tidegate_decompose(index_));
    OK(tidegate_scratch_new(&scratch_));
    OK(tidegate_blocked_new(NULL, 0, &blocked_));
    OK(tidegate_index_to_bytes(index_, bytes_, sizeof bytes_, &bytes_length));
    memcpy(damaged, bytes_, bytes_length);
    OK(tidegate_index_clone(index_, &freed_index));
    OK(tidegate_index_free(freed_index));
    OK(tidegate_scratch_new(&freed_scratch));
    OK(tidegate_scratch_free(freed_scratch));
    OK(tidegate_blocked_new(NULL, 0, &freed_blocked));
    OK(tidegate_blocked_free(freed_blocked));
    OK(tidegate_field_new(&freed_field));
    OK(tidegate_field_free(freed_field));
    OK(tidegate_field_new(&field_));
    OK(tidegate_layer_new(index_, &freed_layer));
    OK(tidegate_layer_free(freed_layer));
    OK(tidegate_layer_new(index_, &layer_));
    OK(tidegate_world_new(is_free_, TILES, WIDTH, HEIGHT, &freed_world));
    OK(tidegate_world_free(freed_world));
    OK(tidegate_world_new(is_free_, TILES, WIDTH, HEIGHT, &world_));
    TidegateClassCost floor = {1, 100};
    size_t profile = 9;
    OK(tidegate_world_add(world_, 1, 0, &floor, 1, &profile));
    CHECK(profile == 0);
    while (all_refused < calls) {
        switch (below(15)) {
            case 0: case 1: case 2: wrong_path(); break;
            case 3: case 4: wrong_find(); break;
            case 5: wrong_many(); break;
            case 6: wrong_index(); break;
            case 7: wrong_edit(); break;
            case 8: wrong_regions(); break;
            case 9: wrong_fields(); break;
            case 10: case 11: all_wrong(); break;
            case 12: wrong_worlds(); break;
            case 13: wrong_walk(); break;
            default: all_right();
        }
    }
    OK(tidegate_index_free(others[0]));
    OK(tidegate_scratch_free(others[1]));
    OK(tidegate_blocked_free(others[2]));
    OK(tidegate_index_free(index_));
    OK(tidegate_scratch_free(scratch_));
    OK(tidegate_blocked_free(blocked_));
    OK(tidegate_field_free(field_));
    OK(tidegate_layer_free(layer_));
    OK(tidegate_world_free(world_));
    size_t live = 99;
    OK(tidegate_live_handles(&live));
    CHECK(live == 0);
    printf("misuse: %lu calls refused by their code, %lu answered between them\n", all_refused, answered);
    for (int n = 0; n < KINDS; n++) printf("  %-28s %10lu\n", NAMES[n], refused[n]);
    printf("  %-28s %10lu\n", "several at once", refused_mixed);
    for (int n = 0; n < KINDS; n++) CHECK(refused[n] > 0 || calls < 10000);
    return 0;
}
