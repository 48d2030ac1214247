/* Handles between threads: a scratch or an index that another call uses is refused as busy, and what is
 * answered is right.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "check.h"

/* However slow the machine: the threads go on until each kind of refusal was seen, or the test gives up. */
enum { SIZE = 256, SECONDS = 600 };

static TidegateIndex *shared_index;
static TidegateScratch *_Atomic shared_scratch;
static atomic_int busy_scratch, busy_edit, busy_free, is_done, failures;
static uint32_t best;

static void expect(int holds, const char *what) {
    if (holds) return;
    if (atomic_fetch_add(&failures, 1) == 0) fprintf(stderr, "threads: %s: %s\n", what, tidegate_last_error());
}

static TidegateScratch *new_scratch(void) {
    TidegateScratch *scratch = NULL;
    expect(tidegate_scratch_new(&scratch) == TIDEGATE_OK, "a scratch");
    return scratch;
}

/* Asks with the scratch that all threads share, until both sides have met. */
static void *ask(void *unused) {
    (void)unused;
    while (!atomic_load(&is_done)) {
        uint32_t cost = 0;
        TidegateStatus status = tidegate_distance(shared_index, shared_scratch, "astar", tile(0, 0),
                                                  tile(SIZE - 1, 0), &cost);
        if (status == TIDEGATE_BUSY)
            atomic_fetch_add(&busy_scratch, 1);
        else /* freed, until there is another */
            expect(status == TIDEGATE_BAD_HANDLE || (status == TIDEGATE_OK && cost == best), "a shared scratch");
    }
    return NULL;
}

/* Asks with a scratch of its own: nobody disturbs it but edits. */
static void *ask_alone(void *unused) {
    (void)unused;
    TidegateScratch *scratch = new_scratch();
    while (!atomic_load(&is_done)) {
        uint32_t cost = 0;
        TidegateStatus status =
            tidegate_distance(shared_index, scratch, "astar", tile(0, 0), tile(SIZE - 1, 0), &cost);
        expect(status == TIDEGATE_BUSY || (status == TIDEGATE_OK && cost == best), "a scratch of its own");
    }
    expect(tidegate_scratch_free(scratch) == TIDEGATE_OK, "freeing a scratch");
    return NULL;
}

int main(void) {
    uint8_t *is_free = malloc(SIZE * SIZE);
    CHECK(is_free != NULL);
    memset(is_free, 1, SIZE * SIZE);
    /* A wall down the middle with one gap: a search of half the map, long enough to be met. */
    for (int y = 0; y < SIZE - 1; y++) is_free[y * SIZE + SIZE / 2] = 0;
    OK(tidegate_index_new(is_free, SIZE * SIZE, SIZE, SIZE, 0, NULL, &shared_index));
    free(is_free);
    shared_scratch = new_scratch();
    OK(tidegate_distance(shared_index, shared_scratch, "astar", tile(0, 0), tile(SIZE - 1, 0), &best));
    pthread_t threads[4];
    for (int n = 0; n < 4; n++) CHECK(pthread_create(&threads[n], NULL, n < 2 ? ask : ask_alone, NULL) == 0);
    /* A wall in a corner that no shortest path touches, built and broken while the others ask. */
    time_t start = time(NULL);
    for (int n = 0; !(busy_edit && busy_free && busy_scratch) && time(NULL) - start < SECONDS; n++) {
        TidegateChange change = {{0, SIZE - 1}, (uint16_t)(n % 2), 0};
        TidegateStatus status = tidegate_edit(shared_index, &change, 1, NULL);
        expect(status == TIDEGATE_OK || status == TIDEGATE_BUSY, "an edit");
        busy_edit += status == TIDEGATE_BUSY;
        if (!busy_free) {
            status = tidegate_scratch_free(shared_scratch);
            expect(status == TIDEGATE_OK || status == TIDEGATE_BUSY, "freeing what is used");
            if (status == TIDEGATE_OK) shared_scratch = new_scratch();
            busy_free += status == TIDEGATE_BUSY;
        }
        sched_yield();
    }
    is_done = 1;
    for (int n = 0; n < 4; n++) CHECK(pthread_join(threads[n], NULL) == 0);
    CHECK(failures == 0 && busy_scratch > 0 && busy_edit > 0 && busy_free > 0);
    OK(tidegate_scratch_free(shared_scratch));
    OK(tidegate_index_free(shared_index));
    size_t live = 99;
    OK(tidegate_live_handles(&live));
    CHECK(live == 0);
    printf("threads: busy were %d queries, %d edits, %d frees\n", busy_scratch, busy_edit, busy_free);
    return 0;
}
