/* A path on a map in memory, a wall on its way, and the way around:
 *
 *     cc path.c $(pkg-config --cflags --libs tidegate) -o path && ./path
 */
#include <stdio.h>
#include <stdlib.h>

#include <tidegate.h>

enum { WIDTH = 10, HEIGHT = 5 };

static const char *const MAP[HEIGHT] = {
    "..........",
    "....@.....",
    "....@.....",
    "....@.....",
    "....@.....",
};

/* Ends the program with the text of an error; answers are handed on. */
static TidegateStatus check(TidegateStatus status) {
    if (status < 0) {
        fprintf(stderr, "path: %s\n", tidegate_last_error());
        exit(1);
    }
    return status;
}

static void show(const TidegateIndex *index, TidegateScratch *scratch, TidegateTile start, TidegateTile goal) {
    TidegateTile tiles[WIDTH * HEIGHT];
    size_t length = 0;
    uint32_t cost = 0;
    TidegateStatus status =
        check(tidegate_path(index, scratch, NULL, start, goal, tiles, WIDTH * HEIGHT, &length, &cost));
    if (status == TIDEGATE_UNREACHABLE) {
        TidegateTile near;
        check(tidegate_nearest_reachable(index, start, goal, &near));
        printf("no way; the nearest tile is %d,%d\n", near.x, near.y);
        return;
    }
    printf("%zu tiles, %.3f long:", length, cost / (double)TIDEGATE_STRAIGHT);
    check(tidegate_last_turning_points(scratch, tiles, WIDTH * HEIGHT, &length));
    for (size_t n = 0; n < length; n++) printf(" %d,%d", tiles[n].x, tiles[n].y);
    printf("\n");
}

int main(void) {
    uint8_t is_free[WIDTH * HEIGHT];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) is_free[y * WIDTH + x] = MAP[y][x] == '.';

    TidegateIndex *index = NULL;
    TidegateScratch *scratch = NULL;
    check(tidegate_index_new(is_free, sizeof is_free, WIDTH, HEIGHT, TIDEGATE_NO_CORNER_CUTTING, NULL, &index));
    check(tidegate_scratch_new(&scratch));
    check(tidegate_prepare(index, "corners"));

    const TidegateTile start = {0, 4}, goal = {9, 4};
    show(index, scratch, start, goal);

    const TidegateChange breach = {{4, 4}, TIDEGATE_CHANGE_FREE, 0};
    check(tidegate_edit(index, &breach, 1, NULL));
    show(index, scratch, start, goal);

    const TidegateChange walls[2] = {{{4, 4}, TIDEGATE_CHANGE_WALL, 0}, {{4, 0}, TIDEGATE_CHANGE_WALL, 0}};
    check(tidegate_edit(index, walls, 2, NULL));
    show(index, scratch, start, goal);

    check(tidegate_scratch_free(scratch));
    check(tidegate_index_free(index));
    return 0;
}
