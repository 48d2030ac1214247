/* What the tests in C share: checks that count, a generator, maps, and an oracle of their own. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tidegate.h>

static unsigned long checks;

#define CHECK(holds)                                                                           \
    do {                                                                                       \
        checks++;                                                                              \
        if (!(holds)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold; last error: %s\n", __FILE__, __LINE__,   \
                    #holds, tidegate_last_error());                                            \
            abort();                                                                           \
        }                                                                                      \
    } while (0)

/* The code that is expected; for errors also that there is a text. */
#define GIVES(expected, call)                                                                  \
    do {                                                                                       \
        TidegateStatus given = (call);                                                         \
        checks++;                                                                              \
        if (given != (expected) || (given < 0 && tidegate_last_error()[0] == 0)) {             \
            fprintf(stderr, "%s:%d: %s gives %d, not %d; last error: %s\n", __FILE__, __LINE__, \
                    #call, (int)given, (int)(expected), tidegate_last_error());                \
            abort();                                                                           \
        }                                                                                      \
    } while (0)

#define OK(call) GIVES(TIDEGATE_OK, call)

static uint64_t generator = 0x9e3779b97f4a7c15u;

static inline uint64_t next_random(void) {
    generator ^= generator << 13;
    generator ^= generator >> 7;
    generator ^= generator << 17;
    return generator * 0x2545f4914f6cdd1du;
}

/* From 0 to below `end`. */
static inline uint32_t below(uint32_t end) { return (uint32_t)((next_random() >> 32) * end >> 32); }

static inline TidegateTile tile(int x, int y) {
    TidegateTile made = {(uint16_t)x, (uint16_t)y};
    return made;
}

static inline int same(TidegateTile a, TidegateTile b) { return a.x == b.x && a.y == b.y; }

enum { SIDE = 40, MOST = SIDE * SIDE };

typedef struct Map {
    int width, height;
    uint32_t movement;
    uint8_t is_free[MOST];
    uint16_t factors[MOST];
} Map;

static inline int is_free(const Map *map, int x, int y) {
    return x >= 0 && y >= 0 && x < map->width && y < map->height && map->is_free[y * map->width + x];
}

/* Single rows and columns among them. */
static inline Map random_map(uint32_t movement, int with_factors) {
    Map map;
    memset(&map, 0, sizeof map);
    map.movement = movement;
    map.width = below(6) == 0 ? 1 : 1 + (int)below(24);
    map.height = below(6) == 0 ? 1 : 1 + (int)below(24);
    uint32_t walls = below(50);
    for (int n = 0; n < map.width * map.height; n++) {
        map.is_free[n] = below(100) >= walls ? (uint8_t)(1 + below(255)) : 0;
        map.factors[n] = (uint16_t)(with_factors ? 100 + below(200) : 100);
    }
    return map;
}

static inline TidegateTile random_tile(const Map *map) {
    return tile((int)below((uint32_t)map->width), (int)below((uint32_t)map->height));
}

/* What a step costs; 0 if it is not legal. */
static inline uint32_t step_cost(const Map *map, int x, int y, int dx, int dy) {
    if (!is_free(map, x, y) || !is_free(map, x + dx, y + dy) || (dx == 0 && dy == 0)) return 0;
    uint32_t cost = TIDEGATE_STRAIGHT;
    if (dx != 0 && dy != 0) {
        int beside = is_free(map, x + dx, y) + is_free(map, x, y + dy);
        int needed = map->movement == TIDEGATE_NO_CORNER_CUTTING ? 2 : 1;
        if (map->movement == TIDEGATE_FOUR_CONNECTED || beside < needed) return 0;
        cost = TIDEGATE_DIAGONAL;
    }
    uint32_t a = map->factors[y * map->width + x], b = map->factors[(y + dy) * map->width + x + dx];
    return cost * (a + b) / 200;
}

/* The least costs from a tile to all others, by looking at every tile until none gets nearer. */
static inline void oracle(const Map *map, TidegateTile from, uint32_t *costs) {
    for (int n = 0; n < map->width * map->height; n++) costs[n] = TIDEGATE_NO_COST;
    if (!is_free(map, from.x, from.y)) return;
    costs[from.y * map->width + from.x] = 0;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int y = 0; y < map->height; y++)
            for (int x = 0; x < map->width; x++) {
                uint32_t here = costs[y * map->width + x];
                if (here == TIDEGATE_NO_COST) continue;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        uint32_t step = step_cost(map, x, y, dx, dy);
                        if (step == 0) continue;
                        uint32_t *there = &costs[(y + dy) * map->width + x + dx];
                        if (here + step < *there) {
                            *there = here + step;
                            changed = 1;
                        }
                    }
            }
    }
}

/* The cost of a path by its steps; TIDEGATE_NO_COST if one is not legal. */
static inline uint32_t cost_of(const Map *map, const TidegateTile *tiles, size_t length) {
    uint32_t sum = 0;
    if (length == 0 || !is_free(map, tiles[0].x, tiles[0].y)) return TIDEGATE_NO_COST;
    for (size_t n = 1; n < length; n++) {
        int dx = tiles[n].x - tiles[n - 1].x, dy = tiles[n].y - tiles[n - 1].y;
        if (dx < -1 || dx > 1 || dy < -1 || dy > 1) return TIDEGATE_NO_COST;
        uint32_t step = step_cost(map, tiles[n - 1].x, tiles[n - 1].y, dx, dy);
        if (step == 0) return TIDEGATE_NO_COST;
        sum += step;
    }
    return sum;
}

static inline TidegateIndex *index_of(const Map *map) {
    TidegateIndex *index = NULL;
    OK(tidegate_index_new(map->is_free, (size_t)(map->width * map->height), (uint32_t)map->width,
                          (uint32_t)map->height, map->movement, map->factors, &index));
    return index;
}

/* The map that is drawn, `.` free. */
static inline Map drawn(const char *const *rows, int height, uint32_t movement) {
    Map map;
    memset(&map, 0, sizeof map);
    map.width = (int)strlen(rows[0]);
    map.height = height;
    map.movement = movement;
    for (int n = 0; n < map.width * height; n++) {
        map.is_free[n] = rows[n / map.width][n % map.width] == '.';
        map.factors[n] = 100;
    }
    return map;
}

#endif
