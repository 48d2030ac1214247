/* Walks at any angle from C: against an oracle that tries every corner of tiles, by whole numbers. */
#include <math.h>

#include "check.h"

enum { PARTS = 256, LARGEST = 10, NODES = (LARGEST + 1) * (LARGEST + 1) + 2 };

/* A point in 256ths of a tile. */
typedef struct At {
    int64_t x, y;
} At;

static int same_at(At a, At b) { return a.x == b.x && a.y == b.y; }

static TidegatePoint point(At at) {
    TidegatePoint made = {(double)at.x / PARTS, (double)at.y / PARTS};
    return made;
}

static At at_of(TidegatePoint point) {
    At at = {(int64_t)(point.x * PARTS), (int64_t)(point.y * PARTS)};
    CHECK((double)at.x == point.x * PARTS && (double)at.y == point.y * PARTS);
    return at;
}

static double far_apart(At a, At b) { return sqrt((double)((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y))) / PARTS; }

/* Whether a point lies in a free tile or on its edge, where a tile has this side. */
static int on_free(const Map *map, int64_t x, int64_t y, int64_t side) {
    int column = (int)(x / side), row = (int)(y / side), left = column - (x % side == 0), up = row - (y % side == 0);
    return is_free(map, column, row) || is_free(map, left, row) || is_free(map, column, up) || is_free(map, left, up);
}

/* Whether two walls touch at a corner and nowhere else: nothing passes between them. */
static int is_shut(const Map *map, int x, int y) {
    int a = is_free(map, x - 1, y - 1) != 0, b = is_free(map, x, y) != 0;
    int c = is_free(map, x, y - 1) != 0, d = is_free(map, x - 1, y) != 0;
    return a == b && c == d && a != c;
}

static int compare(const void *a, const void *b) {
    int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;
    return (one > two) - (one < two);
}

/* Whether the straight line can be walked: each piece between lines of the grid lies in a free tile or on its edge. */
static int sees(const Map *map, At a, At b) {
    int64_t dx = b.x - a.x, dy = b.y - a.y, wide = llabs(dx), high = llabs(dy);
    int64_t scale = (wide ? wide : 1) * (high ? high : 1), cuts[2 * LARGEST + 6];
    int count = 0;
    cuts[count++] = 0;
    cuts[count++] = scale;
    for (int line = 0; line <= LARGEST; line++) {
        int64_t x = wide ? (line * PARTS - a.x) * (scale / wide) * (dx > 0 ? 1 : -1) : 0;
        int64_t y = high ? (line * PARTS - a.y) * (scale / high) * (dy > 0 ? 1 : -1) : 0;
        if (x > 0 && x < scale) cuts[count++] = x;
        if (y > 0 && y < scale) cuts[count++] = y;
    }
    qsort(cuts, (size_t)count, sizeof *cuts, compare);
    for (int n = 1; n < count; n++) {
        int64_t x = a.x * scale + dx * cuts[n], y = a.y * scale + dy * cuts[n], side = PARTS * scale;
        int corner = x % side == 0 && y % side == 0 && cuts[n] < scale;
        if (corner && is_shut(map, (int)(x / side), (int)(y / side))) return 0;
        if (cuts[n] == cuts[n - 1]) continue;
        int64_t both = cuts[n] + cuts[n - 1];
        if (!on_free(map, 2 * a.x * scale + dx * both, 2 * a.y * scale + dy * both, 2 * side)) return 0;
    }
    return 1;
}

/* The length of the shortest walk, infinity if there is none. */
static double shortest(const Map *map, At start, At goal) {
    At nodes[NODES];
    double far[NODES];
    int done[NODES] = {0}, count = 0;
    nodes[count++] = start;
    nodes[count++] = goal;
    for (int y = 0; y <= map->height; y++)
        for (int x = 0; x <= map->width; x++) {
            At corner = {x * PARTS, y * PARTS};
            if (!is_shut(map, x, y) && on_free(map, corner.x, corner.y, PARTS)) nodes[count++] = corner;
        }
    for (int n = 0; n < count; n++) far[n] = n == 0 || same_at(nodes[n], start) ? 0 : INFINITY;
    for (;;) {
        int least = -1;
        for (int n = 0; n < count; n++)
            if (!done[n] && !isinf(far[n]) && (least < 0 || far[n] < far[least])) least = n;
        if (least < 0 || least == 1) return far[1];
        done[least] = 1;
        for (int n = 0; n < count; n++) {
            double more = far[least] + far_apart(nodes[least], nodes[n]);
            if (!done[n] && more < far[n] && sees(map, nodes[least], nodes[n])) far[n] = more;
        }
    }
}

/* The centre of a tile, or a point in or on it. */
static At random_at(const Map *map) {
    static const int PLACES[] = {0, 1, 77, 128, 255, 256};
    TidegateTile in = random_tile(map);
    At at = {in.x * PARTS + 128, in.y * PARTS + 128};
    if (below(2)) at.x = in.x * PARTS + PLACES[below(6)], at.y = in.y * PARTS + PLACES[below(6)];
    return at;
}

static void compared(const Map *map, TidegateIndex *index, TidegateScratch *scratch, TidegateBlocked *blocked,
                     const Map *before, unsigned *asked) {
    At start = random_at(map), goal = random_at(map);
    TidegatePoint points[NODES];
    size_t count = 77;
    double length = 77;
    TidegateStatus status = tidegate_walk(index, scratch, point(start), point(goal), blocked, points, NODES, &count, &length);
    int start_free = on_free(map, start.x, start.y, PARTS), goal_free = on_free(map, goal.x, goal.y, PARTS);
    if (!start_free || !goal_free) {
        int in_wall = !on_free(before, start.x, start.y, PARTS) || !on_free(before, goal.x, goal.y, PARTS);
        CHECK(status == (in_wall ? TIDEGATE_WALL : TIDEGATE_BLOCKED) && count == 77 && length == 77);
        return;
    }
    (*asked)++;
    double least = shortest(map, start, goal);
    if (isinf(least)) {
        CHECK(status == TIDEGATE_UNREACHABLE && count == 0 && length == 0);
        return;
    }
    CHECK(status == TIDEGATE_OK && count >= 1 && fabs(length - least) < 1e-9);
    CHECK(same_at(at_of(points[0]), start) && same_at(at_of(points[count - 1]), goal));
    double sum = 0;
    for (size_t n = 1; n < count; n++) {
        At a = at_of(points[n - 1]), b = at_of(points[n]);
        CHECK(sees(map, a, b));
        CHECK(n == 1 || !(a.x % PARTS == 0 && a.y % PARTS == 0 && is_shut(map, (int)(a.x / PARTS), (int)(a.y / PARTS))));
        sum += far_apart(a, b);
    }
    CHECK(fabs(sum - length) < 1e-12 * (1 + sum));
    TidegateTile tiles[MOST];
    size_t entered = 0;
    OK(tidegate_last_walk_tiles(scratch, index, tiles, MOST, &entered));
    for (size_t n = 0; n < entered; n++) CHECK(is_free(before, tiles[n].x, tiles[n].y));
}

static void against_oracle(uint32_t movement, unsigned *asked) {
    Map map = random_map(movement, 0);
    while (map.width > LARGEST || map.height > LARGEST) map = random_map(movement, 0);
    TidegateIndex *index = index_of(&map), *again = NULL;
    TidegateScratch *scratch = NULL;
    OK(tidegate_scratch_new(&scratch));
    uint32_t tables = below(5);
    for (int edits = 0; edits < 4; edits++) {
        if (tables < 4 && edits != 2) OK(tidegate_prepare_walks(index, tables, below(2) ? 0 : 1 << 24));
        for (int n = 0; n < 6; n++) compared(&map, index, scratch, NULL, &map, asked);
        TidegateTile shut[3] = {random_tile(&map), random_tile(&map), random_tile(&map)};
        TidegateBlocked *blocked = NULL;
        OK(tidegate_blocked_new(shut, 3, &blocked));
        Map around = map;
        for (int n = 0; n < 3; n++) around.is_free[shut[n].y * map.width + shut[n].x] = 0;
        for (int n = 0; n < 3; n++) compared(&around, index, scratch, blocked, &map, asked);
        OK(tidegate_blocked_free(blocked));
        TidegateChange changes[2];
        for (int n = 0; n < 2; n++) {
            TidegateTile at = random_tile(&map);
            TidegateChange change = {at, (uint16_t)below(2), 0};
            map.is_free[at.y * map.width + at.x] = change.kind == TIDEGATE_CHANGE_FREE;
            changes[n] = change;
        }
        OK(tidegate_edit(index, changes, 2, NULL));
        if (edits == 2) {
            static uint8_t bytes[1 << 20];
            size_t size = 0;
            OK(tidegate_index_to_bytes(index, bytes, sizeof bytes, &size));
            OK(tidegate_index_from_bytes(bytes, size, &again));
            OK(tidegate_index_free(index));
            index = again;
        }
    }
    OK(tidegate_scratch_free(scratch));
    OK(tidegate_index_free(index));
}

static void by_hand(void) {
    static const char *const ROWS[] = {"......", "..@@..", "......"};
    Map map = drawn(ROWS, 3, TIDEGATE_NO_CORNER_CUTTING);
    TidegateIndex *index = index_of(&map);
    TidegateScratch *scratch = NULL;
    OK(tidegate_scratch_new(&scratch));
    TidegatePoint start = {1.5, 1.5}, goal = {4.5, 1.5}, points[4];
    size_t count = 9, again = 9;
    double length = 9;
    OK(tidegate_last_walk(scratch, NULL, 0, &count));
    CHECK(count == 0);
    OK(tidegate_walk(index, scratch, start, goal, NULL, NULL, 0, &count, NULL));
    CHECK(count == 4);
    for (size_t capacity = 0; capacity < 4; capacity++) {
        memset(points, 0xee, sizeof points);
        TidegatePoint before = points[0];
        GIVES(TIDEGATE_TOO_SMALL, tidegate_walk(index, scratch, start, goal, NULL, points, capacity, &again, &length));
        CHECK(again == 4 && fabs(length - (2 + sqrt(2))) < 1e-12);
        GIVES(TIDEGATE_TOO_SMALL, tidegate_last_walk(scratch, points, capacity, &again));
        for (int n = 0; n < 4; n++) CHECK(memcmp(&points[n], &before, sizeof before) == 0);
    }
    OK(tidegate_last_walk(scratch, points, 4, &again));
    CHECK(again == 4 && points[0].x == 1.5 && points[1].x == 2 && points[2].x == 4 && points[3].y == 1.5);
    CHECK(points[1].y == points[2].y && (points[1].y == 1 || points[1].y == 2));
    TidegateTile tiles[16];
    size_t entered = 0;
    GIVES(TIDEGATE_TOO_SMALL, tidegate_last_walk_tiles(scratch, index, tiles, 2, &entered));
    OK(tidegate_last_walk_tiles(scratch, index, tiles, 16, &entered));
    CHECK(entered >= 4 && same(tiles[0], tile(1, 1)) && same(tiles[entered - 1], tile(4, 1)));

    /* Labels that do not fit are refused, and walks are searched. */
    GIVES(TIDEGATE_UNSUPPORTED, tidegate_prepare_walks(index, TIDEGATE_WALKS_LABELS, 1));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_prepare_walks(index, 4, 0));
    OK(tidegate_walk(index, scratch, start, goal, NULL, points, 4, &count, &length));
    CHECK(count == 4 && fabs(length - (2 + sqrt(2))) < 1e-12);
    OK(tidegate_walk(index, scratch, start, start, NULL, points, 4, &count, &length));
    CHECK(count == 1 && length == 0);

    TidegatePoint wall = {2.5, 1.5}, beyond = {6.5, 1}, nowhere = {NAN, 1}, infinite = {1, INFINITY}, far = {-1e300, 1};
    count = 5, length = 5;
    GIVES(TIDEGATE_WALL, tidegate_walk(index, scratch, wall, goal, NULL, points, 4, &count, &length));
    CHECK(strstr(tidegate_last_error(), "start (2.5, 1.5) lies in a wall") != NULL);
    GIVES(TIDEGATE_OUTSIDE, tidegate_walk(index, scratch, start, beyond, NULL, points, 4, &count, &length));
    CHECK(strstr(tidegate_last_error(), "goal (6.5, 1) lies outside the map of 6 x 3 tiles") != NULL);
    GIVES(TIDEGATE_OUTSIDE, tidegate_walk(index, scratch, far, goal, NULL, points, 4, &count, &length));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_walk(index, scratch, start, nowhere, NULL, points, 4, &count, &length));
    GIVES(TIDEGATE_BAD_ARGUMENT, tidegate_walk(index, scratch, infinite, goal, NULL, points, 4, &count, &length));
    CHECK(count == 5 && length == 5);
    OK(tidegate_scratch_free(scratch));
    OK(tidegate_index_free(index));
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: walks MAPS\n");
        return 2;
    }
    unsigned asked = 0;
    by_hand();
    for (int n = 0; n < atoi(argv[1]); n++) against_oracle((uint32_t)(n % 3), &asked);
    CHECK(asked > 3u * (unsigned)atoi(argv[1]));
    size_t live = 99;
    OK(tidegate_live_handles(&live));
    CHECK(live == 0);
    printf("walks: %lu checks hold, %u walks as long as the oracle says\n", checks, asked);
    return 0;
}
