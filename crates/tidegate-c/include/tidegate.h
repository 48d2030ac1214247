/* Tidegate: regions, gates and exact paths for tile maps.
 *
 * Every function checks what it is given and returns a code: TIDEGATE_OK, an answer above 0, or an error
 * below 0, whose text is tidegate_last_error(). Handles are numbers in the form of pointers: one that was
 * freed is refused, and none leads to memory. Arrays are the caller's; an output that may be null says so.
 * All functions may be called from any thread. A scratch serves one call at a time, an index any number of
 * calls that take it as const; who comes between gets TIDEGATE_BUSY at once.
 *
 * Licensed under either of MIT or Apache 2.0 at your option.
 */

#ifndef TIDEGATE_H
#define TIDEGATE_H

/* Made from the source by cbindgen: TIDEGATE_UPDATE=1 cargo test -p tidegate-c --test header */

#include <stddef.h>
#include <stdint.h>

// What a straight step costs. Costs are exact integers; `cost / (double)TIDEGATE_STRAIGHT` is
// the length in tiles.
#define TIDEGATE_STRAIGHT 5741

// What a diagonal step costs.
#define TIDEGATE_DIAGONAL 8119

// The cost of no way.
#define TIDEGATE_NO_COST 4294967295

// Eight neighbours; a diagonal step needs both tiles beside it free.
#define TIDEGATE_NO_CORNER_CUTTING 0

// Eight neighbours; a diagonal step needs one of the tiles beside it free.
#define TIDEGATE_ONE_SIDE_FREE 1

// Four neighbours.
#define TIDEGATE_FOUR_CONNECTED 2

// The tables of the engine were not built.
#define TIDEGATE_ENGINE_NOT_BUILT 0

// The engine answers by itself.
#define TIDEGATE_ENGINE_READY 1

// An edit has overtaken the tables of the engine. `auto` answers in its place.
#define TIDEGATE_ENGINE_STALE 2

// The map as bits, for walks that are searched.
#define TIDEGATE_WALKS_SEARCHED 0

// Labels too: fast ones if they fit the budget, else small ones.
#define TIDEGATE_WALKS_LABELS 1

// Labels of the fastest form.
#define TIDEGATE_WALKS_LABELS_FAST 2

// Labels of about half the memory, a little slower.
#define TIDEGATE_WALKS_LABELS_SMALL 3

// The tile becomes a wall.
#define TIDEGATE_CHANGE_WALL 0

// The tile can be entered.
#define TIDEGATE_CHANGE_FREE 1

// The tile gets the cost factor of the change.
#define TIDEGATE_CHANGE_FACTOR 2

// The path is still a shortest, if it was one.
#define TIDEGATE_PATH_SHORTEST 0

// The path can be walked; another may be shorter by now.
#define TIDEGATE_PATH_LEGAL 1

// The path cannot be walked.
#define TIDEGATE_PATH_BROKEN 2

// What `tidegate_zones` writes for a wall. A gate is `TIDEGATE_ZONE_WALL - 1 - number`.
#define TIDEGATE_ZONE_WALL -1

// What `tidegate_zone_groups` writes for pockets and for numbers that are not in use.
#define TIDEGATE_NO_GROUP 4294967295

// Tiles that cannot be entered in one query, such as those under other units.
typedef struct TidegateBlocked TidegateBlocked;

// How far it is from every tile to the nearest of some goals, and which step leads there: one
// serves any number of units with the same goals.
typedef struct TidegateField TidegateField;

// A map with the tables of its engines. Threads may query one at the same time.
typedef struct TidegateIndex TidegateIndex;

// What tiles cost more than the map says, for any number of queries: danger, crowds, the reach
// of towers.
typedef struct TidegateLayer TidegateLayer;

// The memory of queries, kept between them so that a query allocates nothing: one for each
// thread that asks. It also holds the last path. It belongs to no index.
typedef struct TidegateScratch TidegateScratch;

// Ground of several classes, with an index for each kind of unit that moves there.
typedef struct TidegateWorld TidegateWorld;

// What a function returns: `TIDEGATE_OK`, an answer above 0, or an error below 0. After an error
// `tidegate_last_error` has its text, and nothing was changed or written unless it says so.
typedef int32_t TidegateStatus;

// The map of an index in numbers.
typedef struct TidegateMapInfo {
    // Columns.
    uint32_t width;
    // Rows.
    uint32_t height;
    // The rule of movement: `TIDEGATE_NO_CORNER_CUTTING` or another.
    uint32_t movement;
    // Whether some ground costs more than other ground: 0 or 1.
    uint32_t has_factors;
    // How many tiles can be entered.
    uint64_t free_tiles;
    // How many edits there were.
    uint64_t revision;
} TidegateMapInfo;

// What an engine is.
typedef struct TidegateEngine {
    // Its name, for all functions that take one. It is never freed.
    const char *name;
    // One line for a person who has to choose. It is never freed.
    const char *about;
    // Whether its paths are always shortest: 0 or 1.
    uint32_t is_optimal;
    // Whether it goes around blocked tiles: 0 or 1.
    uint32_t respects_blocked;
    // Whether it goes by cost layers: 0 or 1.
    uint32_t respects_layers;
} TidegateEngine;

// A tile: column and row, counted from the top left one, which is (0, 0).
typedef struct TidegateTile {
    // Column.
    uint16_t x;
    // Row.
    uint16_t y;
} TidegateTile;

// A query with all that can be said about it. Set it to zero first: what is zero or null is as
// if it were not there.
typedef struct TidegateQuery {
    // Where the path begins.
    struct TidegateTile start;
    // Where it ends.
    struct TidegateTile goal;
    // The name of the engine; null for the best that is built.
    const char *engine;
    // Tiles that cannot be entered this time, or null.
    const struct TidegateBlocked *blocked;
    // What tiles cost more than the map says this time, or null. Not every engine can:
    // see `TidegateEngine`.
    const struct TidegateLayer *layer;
    // The most expansions to spend; 0 for no limit.
    uint64_t budget;
    // Not 0: if the goal cannot be reached, or the budget is spent, the path leads to the
    // nearest tile instead.
    uint32_t partial;
    // Not 0: an engine whose tables an edit has overtaken is an error. Else the best engine
    // that is exact answers in its place.
    uint32_t refuse_stale;
} TidegateQuery;

// How a query was answered.
typedef struct TidegateAnswer {
    // Tiles of the path.
    size_t length;
    // Nodes that the search expanded.
    uint64_t expanded;
    // The cost of the path to the goal; `TIDEGATE_NO_COST` if it does not lead there.
    uint32_t cost;
} TidegateAnswer;

// A point of the map, in tiles from its top left corner: the centre of tile (x, y) is
// (x + 0.5, y + 0.5). It is rounded to 256ths of a tile.
typedef struct TidegatePoint {
    // To the right.
    double x;
    // Downwards.
    double y;
} TidegatePoint;

// What a field is to be filled for. Set it to zero first: what is zero or null is as if it were
// not there.
typedef struct TidegateFieldQuery {
    // Where the ways lead: from every tile to the nearest of these.
    const struct TidegateTile *goals;
    // How many goals there are.
    size_t goal_count;
    // The units, if there are any: the field is filled only as far as they are. What lies
    // farther has no cost and no step.
    const struct TidegateTile *units;
    // How many units there are; 0 fills the whole field.
    size_t unit_count;
    // Tiles that cannot be entered, or null.
    const struct TidegateBlocked *blocked;
    // What tiles cost more than the map says, or null.
    const struct TidegateLayer *layer;
} TidegateFieldQuery;

// A step to a neighbour: columns and rows, each -1, 0 or 1.
typedef struct TidegateStep {
    // Columns.
    int8_t dx;
    // Rows.
    int8_t dy;
} TidegateStep;

// One tile as it is to be.
typedef struct TidegateChange {
    // Which tile.
    struct TidegateTile tile;
    // What becomes of it: `TIDEGATE_CHANGE_WALL` or another.
    uint16_t kind;
    // For `TIDEGATE_CHANGE_FACTOR` the cost factor in hundredths, from 100; else it does not
    // matter.
    uint16_t factor;
} TidegateChange;

// What ground of a class costs a kind of unit.
typedef struct TidegateClassCost {
    // The class: a letter, or a number of your own.
    uint16_t ground;
    // The cost factor in hundredths, from 100; 0: it cannot be entered.
    uint16_t factor;
} TidegateClassCost;

// One tile as it is to be.
typedef struct TidegateGroundChange {
    // Which tile.
    struct TidegateTile tile;
    // Its class from now on.
    uint16_t ground;
} TidegateGroundChange;

// A zone: a region as a person would draw it.
typedef struct TidegateZone {
    // Its number, which it keeps while the map is edited.
    uint32_t number;
    // How many tiles it has; those of gates belong to no zone.
    uint32_t area;
    // How many gates lie around it: see `tidegate_zone_gates`.
    uint32_t gate_count;
    // The tile that is farthest from any wall.
    struct TidegateTile deepest;
    // The first tile of the rectangle around it.
    struct TidegateTile top_left;
    // The last tile of the rectangle around it.
    struct TidegateTile bottom_right;
    // The mean column of its tiles. The centre of a bent zone may lie outside.
    double centre_x;
    // The mean row of its tiles.
    double centre_y;
} TidegateZone;

// A gate: a narrow place between zones, a straight line of tiles.
typedef struct TidegateGate {
    // Its number, which it keeps while the map is edited.
    uint32_t number;
    // How many tiles its line has.
    uint32_t width;
    // How many tiles it owns: see `tidegate_gate_tiles`.
    uint32_t tile_count;
    // How many zones it touches: two as a rule. See `tidegate_gate_zones`.
    uint32_t zone_count;
    // The first two of them; -1 where there is none.
    int32_t zones[2];
    // The first end of its line.
    struct TidegateTile a;
    // The last end of its line.
    struct TidegateTile b;
    // The tile in the middle.
    struct TidegateTile middle;
    // How many times wider than the gate is long the ground beside it is, on the narrower side:
    // the larger, the more of a choke point it is.
    double prominence;
} TidegateGate;

// A gate and what it means to those who travel.
typedef struct TidegateChokePoint {
    // The number of the gate.
    uint32_t gate;
    // Its traffic as a share of all pairs of tiles in different zones that have a way to each
    // other, from 0 to 1.
    double share;
    // The number of pairs of tiles in different zones with a shortest route over it.
    uint64_t traffic;
    // How many tiles are cut off from the largest piece when it is closed; 0 if there is another
    // way around.
    uint64_t cut_off;
} TidegateChokePoint;

// Gates and zones that a route may not pass, by number. Where a route begins is excepted.
typedef struct TidegateAvoid {
    // The gates.
    const uint32_t *gates;
    // How many.
    size_t gate_count;
    // The zones.
    const uint32_t *zones;
    // How many.
    size_t zone_count;
} TidegateAvoid;

// A way over zones and gates. Its gates stand in the array beside it.
typedef struct TidegateRoute {
    // Where its gates begin in the array.
    size_t first_gate;
    // How many gates it passes.
    size_t gate_count;
    // Its cost as the crow flies from the start over the middles of the gates to the goal.
    uint32_t length;
    // What it lets through: the width of its narrowest gate in tiles; 0 if it passes none.
    uint32_t width;
} TidegateRoute;

// A side of a gate: a zone, and its tile with the shortest way from the middle of the gate.
typedef struct TidegateSide {
    // The number of the zone.
    uint32_t zone;
    // The tile.
    struct TidegateTile tile;
} TidegateSide;

// A gate whose closing separates zones.
typedef struct TidegateBridge {
    // The number of the gate.
    uint32_t gate;
    // How many tiles are cut off from the largest piece when it is closed.
    uint64_t cut_off;
} TidegateBridge;

// Zones with a single gate out.
typedef struct TidegateDeadEnd {
    // The number of the gate.
    uint32_t gate;
    // The number of the group of zones behind it: see `tidegate_zone_groups`.
    uint32_t group;
} TidegateDeadEnd;

// Done.
#define TIDEGATE_OK 0

// There is no way. An answer, not an error.
#define TIDEGATE_UNREACHABLE 1

// The budget of the query was spent. An answer, not an error.
#define TIDEGATE_STOPPED 2

// A pointer is null that must not be.
#define TIDEGATE_NULL -1

// A handle was freed, is of another kind, or was never made.
#define TIDEGATE_BAD_HANDLE -2

// A handle is in use by another thread: a scratch by a query, or an index by a call that
// changes it or that would be changed under it.
#define TIDEGATE_BUSY -3

// An argument makes no sense: a size, a number, a text, a misaligned pointer.
#define TIDEGATE_BAD_ARGUMENT -4

// The caller's array is too small. The length that is needed was written, and nothing else.
#define TIDEGATE_TOO_SMALL -5

// A tile lies outside the map.
#define TIDEGATE_OUTSIDE -6

// An end of a query is a wall.
#define TIDEGATE_WALL -7

// An end of a query is blocked for this query.
#define TIDEGATE_BLOCKED -8

// There is no engine of this name.
#define TIDEGATE_UNKNOWN_ENGINE -9

// What is asked for was not built: call `tidegate_prepare` or `tidegate_decompose` first.
#define TIDEGATE_NOT_BUILT -10

// The engine cannot be built for this map, or cannot do what the query asks.
#define TIDEGATE_UNSUPPORTED -11

// The way is longer than costs can count: about 374,000 straight steps.
#define TIDEGATE_TOO_FAR -12

// A file could not be read or written.
#define TIDEGATE_IO -13

// A file, or the bytes of one, is not what it should be.
#define TIDEGATE_BAD_FILE -14

// Tables belong to another map, or cannot follow what was edited since.
#define TIDEGATE_MISMATCH -15

// A defect in Tidegate. The handles that the call would have changed can only be freed.
#define TIDEGATE_INTERNAL -16

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The text of this thread's last error, in UTF-8; empty before the first. It stays as it is
// until the next error on this thread.
const char *tidegate_last_error(void);

// The version of the library, such as "0.1.0".
const char *tidegate_version(void);

// How many handles of all kinds there are that were not freed: 0 at the end of a program that
// frees what it makes.
TidegateStatus tidegate_live_handles(size_t *count);

// Makes an index from a map in memory. `free` has one byte a tile, row by row from the top left
// tile, not 0 where the tile can be entered; `count` is its length and must be `width * height`.
// `factors` may be null; else it has as many cost factors in hundredths: 100 is ordinary ground,
// 150 costs half as much again, less than 100 is an error. `movement` is
// `TIDEGATE_NO_CORNER_CUTTING` or another rule. Both arrays are copied.
TidegateStatus tidegate_index_new(const uint8_t *free,
                                  size_t count,
                                  uint32_t width,
                                  uint32_t height,
                                  uint32_t movement,
                                  const uint16_t *factors,
                                  struct TidegateIndex **index);

// Makes an index from the file of a map: `.map` of Moving AI, a PNG, or plain text (`.txt`).
// `costs` may be null; else it says what letters cost, such as "S=1.5,W=inf".
TidegateStatus tidegate_index_read_map(const char *path,
                                       uint32_t movement,
                                       const char *costs,
                                       struct TidegateIndex **index);

// Another index of the same map with the same tables. What both have is shared, so this costs
// next to nothing; edits of one do not reach the other.
TidegateStatus tidegate_index_clone(const struct TidegateIndex *index,
                                    struct TidegateIndex **clone);

// Frees an index. Null is no error; one that another thread uses is busy and stays.
TidegateStatus tidegate_index_free(struct TidegateIndex *index);

// Tells about the map of an index.
TidegateStatus tidegate_index_info(const struct TidegateIndex *index, struct TidegateMapInfo *info);

// Copies the map as it is now: one byte a tile, row by row, 1 where it can be entered. `count`
// must be the number of tiles.
TidegateStatus tidegate_index_tiles(const struct TidegateIndex *index, uint8_t *free, size_t count);

// Lists the engines. `count` gets their number, also where `capacity` is less: then nothing
// else is written.
TidegateStatus tidegate_engines(struct TidegateEngine *engines, size_t capacity, size_t *count);

// Builds the tables of an engine, unless they are there already; null builds what `auto` wants.
// The index cannot be queried meanwhile: to go on with an index, prepare a clone of it and
// `tidegate_adopt` the tables. All cores are used.
TidegateStatus tidegate_prepare(struct TidegateIndex *index, const char *engine);

// Tells whether an engine is ready: `state` gets one of `TIDEGATE_ENGINE_...`.
TidegateStatus tidegate_engine_state(const struct TidegateIndex *index,
                                     const char *engine,
                                     uint32_t *state);

// Makes a scratch. It grows with the queries that it serves.
TidegateStatus tidegate_scratch_new(struct TidegateScratch **scratch);

// Frees a scratch. Null is no error; one that another thread uses is busy and stays.
TidegateStatus tidegate_scratch_free(struct TidegateScratch *scratch);

// How many bytes a scratch holds, those of `tidegate_paths` not counted.
TidegateStatus tidegate_scratch_bytes(struct TidegateScratch *scratch, size_t *bytes);

// Copies the path that the last query with this scratch found: for who learned by
// `TIDEGATE_TOO_SMALL` how much room it needs. `length` gets the number of tiles.
TidegateStatus tidegate_last_path(struct TidegateScratch *scratch,
                                  struct TidegateTile *tiles,
                                  size_t capacity,
                                  size_t *length);

// Copies the turning points of the path that the last query with this scratch found: its
// first tile, those where it changes direction, its last. Between them it runs straight.
TidegateStatus tidegate_last_turning_points(struct TidegateScratch *scratch,
                                            struct TidegateTile *tiles,
                                            size_t capacity,
                                            size_t *length);

// Straightens the path that the last query with this scratch found: writes tiles of it, in order,
// between which a unit can walk in a straight line at any angle. `blocked` may be null. A path that
// cannot be walked on this map is an error.
TidegateStatus tidegate_last_straightened(struct TidegateScratch *scratch,
                                          const struct TidegateIndex *index,
                                          const struct TidegateBlocked *blocked,
                                          struct TidegateTile *tiles,
                                          size_t capacity,
                                          size_t *length);

// Tells whether the straight line between two tiles is clear for a unit: `sees` gets 0 or 1.
TidegateStatus tidegate_sees(const struct TidegateIndex *index,
                             struct TidegateTile from,
                             struct TidegateTile to,
                             uint32_t *sees);

// Finds a path from `start` to `goal` by an engine; null is `auto`, the best that is built.
//
// `length` gets the number of tiles, start and goal included, `cost` (which may be null) the cost.
// If there are more than `capacity`, the answer is `TIDEGATE_TOO_SMALL` and `tiles` is not
// touched: the path waits in the scratch, see `tidegate_last_path`. With null and 0 nothing is
// to be written, and that is no error. Without a way the answer is `TIDEGATE_UNREACHABLE`, the
// length 0.
TidegateStatus tidegate_path(const struct TidegateIndex *index,
                             struct TidegateScratch *scratch,
                             const char *engine,
                             struct TidegateTile start,
                             struct TidegateTile goal,
                             struct TidegateTile *tiles,
                             size_t capacity,
                             size_t *length,
                             uint32_t *cost);

// Answers a query. As `tidegate_path`, but for what the query says and the answer tells; with
// `partial` a path to the nearest tile comes with `TIDEGATE_UNREACHABLE` or `TIDEGATE_STOPPED`.
TidegateStatus tidegate_find(const struct TidegateIndex *index,
                             struct TidegateScratch *scratch,
                             const struct TidegateQuery *query,
                             struct TidegateTile *tiles,
                             size_t capacity,
                             struct TidegateAnswer *answer);

// Finds the first step of a path: where a unit goes now that asks again next time. `next` gets the
// tile; the start itself where the unit is there already. Without a way the
// answer is `TIDEGATE_UNREACHABLE`.
TidegateStatus tidegate_next_step(const struct TidegateIndex *index,
                                  struct TidegateScratch *scratch,
                                  const char *engine,
                                  struct TidegateTile start,
                                  struct TidegateTile goal,
                                  struct TidegateTile *next);

// Tells how far it is: `cost` gets the cost of the way that the engine finds.
TidegateStatus tidegate_distance(const struct TidegateIndex *index,
                                 struct TidegateScratch *scratch,
                                 const char *engine,
                                 struct TidegateTile start,
                                 struct TidegateTile goal,
                                 uint32_t *cost);

// Tells how far it is from one tile to each of many: `costs` gets `count` costs in the order of
// the goals, `TIDEGATE_NO_COST` where there is no way.
TidegateStatus tidegate_distances(const struct TidegateIndex *index,
                                  struct TidegateScratch *scratch,
                                  struct TidegateTile start,
                                  const struct TidegateTile *goals,
                                  size_t count,
                                  uint32_t *costs);

// Finds the nearest of many goals by true distance: `which` gets its place in the array, the
// first of equals, and `cost` (which may be null) the cost. The way to it is the scratch's last
// path. If none can be reached, the answer is `TIDEGATE_UNREACHABLE`.
TidegateStatus tidegate_nearest(const struct TidegateIndex *index,
                                struct TidegateScratch *scratch,
                                struct TidegateTile start,
                                const struct TidegateTile *goals,
                                size_t count,
                                size_t *which,
                                uint32_t *cost);

// Tells whether any path leads from one tile to another: `reachable` gets 0 or 1. Walls and
// tiles outside the map are never reachable. It takes nanoseconds.
TidegateStatus tidegate_reachable(const struct TidegateIndex *index,
                                  struct TidegateTile from,
                                  struct TidegateTile to,
                                  uint32_t *reachable);

// Finds the tile nearest to `to` that can be reached from `from`: where to send a unit whose goal
// is a wall, walled in, or outside the map. `from` must be a free tile.
TidegateStatus tidegate_nearest_reachable(const struct TidegateIndex *index,
                                          struct TidegateTile from,
                                          struct TidegateTile to,
                                          struct TidegateTile *nearest);

// Finds many paths: from `starts[n]` to `goals[n]`, `count` of them, by as many threads (0: one
// for each core). Path `n` is `tiles[offsets[n]]` to before `tiles[offsets[n + 1]]`, empty where
// there is no way; `offsets` has room for `count + 1`. The answers do not depend on the number of
// threads.
//
// `total` gets the number of tiles of all paths. If there are more than `capacity`, the answer is
// `TIDEGATE_TOO_SMALL` and neither array is touched: the paths wait in the scratch, see
// `tidegate_last_paths`. A query that cannot be answered, such as one from a wall, is an error of
// the whole call, and the text names it.
TidegateStatus tidegate_paths(const struct TidegateIndex *index,
                              struct TidegateScratch *scratch,
                              const char *engine,
                              const struct TidegateTile *starts,
                              const struct TidegateTile *goals,
                              size_t count,
                              uint32_t threads,
                              size_t *offsets,
                              struct TidegateTile *tiles,
                              size_t capacity,
                              size_t *total);

// Copies the paths that the last `tidegate_paths` with this scratch found; `count` is the number of
// its queries.
TidegateStatus tidegate_last_paths(struct TidegateScratch *scratch,
                                   size_t *offsets,
                                   size_t count,
                                   struct TidegateTile *tiles,
                                   size_t capacity,
                                   size_t *total);

// Builds what `tidegate_walk` answers from, unless it is there already. `tables` is one of
// `TIDEGATE_WALKS_...`: by labels, walks between the centres of tiles take about a microsecond.
// `budget` is the most bytes that labels may take, 0 for 192 MB; where they would take more the answer is
// `TIDEGATE_UNSUPPORTED`, and walks are searched. Labels that an edit has overtaken are built again.
// As for `tidegate_prepare`, the index cannot be queried meanwhile.
TidegateStatus tidegate_prepare_walks(struct TidegateIndex *index,
                                      uint32_t tables,
                                      uint64_t budget);

// Finds the shortest walk of straight lines at any angle from `start` to `goal`, exactly, on the map as
// it is now. What walks is a point: it may touch corners and slide along walls. Rules of movement and
// cost factors do not matter. `blocked` may be null. Without `tidegate_prepare_walks` every call looks at
// the whole map first.
//
// `count` gets the number of points, start, bends and goal, and `length` (which may be null) the length
// in tiles. If there are more points than `capacity`, the answer is `TIDEGATE_TOO_SMALL` and `points` is
// not touched: the walk waits in the scratch, see `tidegate_last_walk`. With null and 0 nothing is to be
// written, and that is no error. Without a way the answer is `TIDEGATE_UNREACHABLE`, count and length are 0.
TidegateStatus tidegate_walk(const struct TidegateIndex *index,
                             struct TidegateScratch *scratch,
                             struct TidegatePoint start,
                             struct TidegatePoint goal,
                             const struct TidegateBlocked *blocked,
                             struct TidegatePoint *points,
                             size_t capacity,
                             size_t *count,
                             double *length);

// Copies the walk that the last `tidegate_walk` with this scratch found: for who learned by
// `TIDEGATE_TOO_SMALL` how much room it needs. `count` gets the number of points.
TidegateStatus tidegate_last_walk(struct TidegateScratch *scratch,
                                  struct TidegatePoint *points,
                                  size_t capacity,
                                  size_t *count);

// Copies the tiles that the walk of the last `tidegate_walk` with this scratch enters, in order; where it
// runs along the edge of two tiles, both, unless one is a wall on the map of the index.
TidegateStatus tidegate_last_walk_tiles(struct TidegateScratch *scratch,
                                        const struct TidegateIndex *index,
                                        struct TidegateTile *tiles,
                                        size_t capacity,
                                        size_t *length);

// Makes a field. It is empty until it is filled; keep one and fill it again, which allocates
// nothing once it has grown to the map.
TidegateStatus tidegate_field_new(struct TidegateField **field);

// Frees a field. Null is no error; one that another thread uses is busy and stays.
TidegateStatus tidegate_field_free(struct TidegateField *field);

// Fills a field for the map as it is now. After an error it is empty. Many threads may read one
// field; later edits of the map do not change it.
TidegateStatus tidegate_field_fill(struct TidegateField *field,
                                   const struct TidegateIndex *index,
                                   struct TidegateScratch *scratch,
                                   const struct TidegateFieldQuery *query);

// Writes the costs of all tiles, row by row; `TIDEGATE_NO_COST` where no way is known. `count` must be
// the number of tiles.
TidegateStatus tidegate_field_costs(const struct TidegateField *field,
                                    uint32_t *costs,
                                    size_t count);

// Writes the next steps of all tiles, row by row; 0, 0 on goals and where no way is known. `count` must
// be the number of tiles.
TidegateStatus tidegate_field_steps(const struct TidegateField *field,
                                    struct TidegateStep *steps,
                                    size_t count);

// Tells how far it is from a tile to the nearest goal, and the tile that comes next: the tile itself
// on a goal. Either may be null. Where no way is known the answer is `TIDEGATE_UNREACHABLE`.
TidegateStatus tidegate_field_next(const struct TidegateField *field,
                                   struct TidegateTile tile,
                                   struct TidegateTile *next,
                                   uint32_t *cost);

// Writes the way from a tile to the nearest goal, as `tidegate_path` does; it is the scratch's last
// path. `cost` may be null.
TidegateStatus tidegate_field_path(const struct TidegateField *field,
                                   struct TidegateScratch *scratch,
                                   struct TidegateTile start,
                                   struct TidegateTile *tiles,
                                   size_t capacity,
                                   size_t *length,
                                   uint32_t *cost);

// Makes a layer for maps of the size of this index's, which adds nothing yet. It is named in a
// `TidegateQuery` or `TidegateFieldQuery`.
TidegateStatus tidegate_layer_new(const struct TidegateIndex *index, struct TidegateLayer **layer);

// Frees a layer. Null is no error; one that a query uses is busy and stays.
TidegateStatus tidegate_layer_free(struct TidegateLayer *layer);

// Adds to the cost factor of every tile at most `radius` tiles from the centre, in hundredths: 100 makes
// ordinary ground cost twice. What lies outside the map is left out; sums end at 65535.
TidegateStatus tidegate_layer_add(struct TidegateLayer *layer,
                                  struct TidegateTile centre,
                                  double radius,
                                  uint16_t hundredths);

// The same, with all of it in the centre and less towards the rim, where nothing is added.
TidegateStatus tidegate_layer_add_falling(struct TidegateLayer *layer,
                                          struct TidegateTile centre,
                                          double radius,
                                          uint16_t hundredths);

// Adds a value to each tile, row by row, in hundredths. `count` must be the number of tiles.
TidegateStatus tidegate_layer_add_each(struct TidegateLayer *layer,
                                       const uint16_t *hundredths,
                                       size_t count);

// Leaves a fraction of what was added, from 0 to 1.
TidegateStatus tidegate_layer_fade(struct TidegateLayer *layer, double keep);

// Forgets everything that was added.
TidegateStatus tidegate_layer_clear(struct TidegateLayer *layer);

// Writes what is added to each tile, row by row, in hundredths. `count` must be the number of tiles.
TidegateStatus tidegate_layer_values(const struct TidegateLayer *layer,
                                     uint16_t *hundredths,
                                     size_t count);

// Changes the map, one tile or thousands; where a tile stands more than once, the last counts.
// Every optimal engine then answers exactly on the new map. An index that a query uses is busy
// and stays as it is. `revision` may be null; else it gets the number of edits until now.
TidegateStatus tidegate_edit(struct TidegateIndex *index,
                             const struct TidegateChange *changes,
                             size_t count,
                             uint64_t *revision);

// Tells how many tables would be faster if they were built again after edits.
TidegateStatus tidegate_want_rebuild(const struct TidegateIndex *index, size_t *count);

// Builds every table again that would be faster for it. In a game this is done on a clone, by
// another thread, and then `tidegate_adopt` takes the tables over.
TidegateStatus tidegate_rebuild(struct TidegateIndex *index);

// Takes tables of another index, such as a clone on which another thread has built them: those that
// this index has not, or that it would be faster with. What was edited here since is carried over
// to them; a table that cannot follow is left where it is. `count` may be null; else it gets how
// many were taken. If none of those that are wanted can be, because they cannot follow or belong to
// another map, the answer is `TIDEGATE_MISMATCH`.
TidegateStatus tidegate_adopt(struct TidegateIndex *index,
                              const struct TidegateIndex *from,
                              size_t *count);

// Tells how a path that was found at an earlier revision stands to the map as it is now: `state`
// gets one of `TIDEGATE_PATH_...`. It never searches.
TidegateStatus tidegate_path_state(const struct TidegateIndex *index,
                                   struct TidegateScratch *scratch,
                                   const struct TidegateTile *tiles,
                                   size_t count,
                                   uint64_t found_at,
                                   uint32_t *state);

// Makes a world: a byte a tile, row by row, says what the tile is made of. Kinds of units are added
// with `tidegate_world_add`.
TidegateStatus tidegate_world_new(const uint8_t *classes,
                                  size_t count,
                                  uint32_t width,
                                  uint32_t height,
                                  struct TidegateWorld **world);

// Frees a world. Null is no error. The indexes of its profiles stay, each to be freed by itself, and
// follow nothing from then on.
TidegateStatus tidegate_world_free(struct TidegateWorld *world);

// Adds a kind of unit: `size` tiles wide, 1 to 32, that moves by a rule such as
// `TIDEGATE_NO_CORNER_CUTTING` and can enter the classes that are listed. It stands at the upper left
// tile of its square and pays for the worst ground under it. `profile` gets its number; one that is
// there already is not added again.
TidegateStatus tidegate_world_add(struct TidegateWorld *world,
                                  uint32_t size,
                                  uint32_t movement,
                                  const struct TidegateClassCost *costs,
                                  size_t count,
                                  size_t *profile);

// The index of a profile, made when it is first asked for. It is prepared and asked as any other and
// follows the edits of the world; its own edits the world knows nothing of. It is the same handle
// every time, and it is freed with `tidegate_index_free`: after that another is made when asked for.
TidegateStatus tidegate_world_index(struct TidegateWorld *world,
                                    size_t profile,
                                    struct TidegateIndex **index);

// Changes the classes of tiles, one or thousands; where a tile stands more than once, the last
// counts. The index of every profile follows. If a query uses one of them the answer is
// `TIDEGATE_BUSY`; then, and where a tile lies outside the map, nothing is changed. `changed` may be null;
// else it gets how many profiles have another map now.
TidegateStatus tidegate_world_edit(struct TidegateWorld *world,
                                   const struct TidegateGroundChange *changes,
                                   size_t count,
                                   size_t *changed);

// Sets what ground of a class costs a profile from now on; the index of the profile follows. If a query
// uses it the answer is `TIDEGATE_BUSY` and nothing is changed.
TidegateStatus tidegate_world_set_cost(struct TidegateWorld *world,
                                       size_t profile,
                                       struct TidegateClassCost cost);

// Writes the class of every tile as it is now, row by row. `count` must be the number of tiles.
TidegateStatus tidegate_world_ground(const struct TidegateWorld *world,
                                     uint8_t *classes,
                                     size_t count);

// Makes zones and gates by rising water, unless they are there already. They follow edits and
// are saved with the index.
TidegateStatus tidegate_decompose(struct TidegateIndex *index);

// Makes zones and gates again from scratch, for a map that was edited a lot. Numbers change.
TidegateStatus tidegate_decompose_again(struct TidegateIndex *index);

// Writes what every tile belongs to, row by row: the number of its zone, `TIDEGATE_ZONE_WALL`, or
// `TIDEGATE_ZONE_WALL - 1 - number` for a gate. `count` must be the number of tiles.
TidegateStatus tidegate_zones(const struct TidegateIndex *index, int32_t *zones, size_t count);

// Lists the zones. `count` gets their number, also where `capacity` is less: then nothing else is
// written.
TidegateStatus tidegate_zone_list(const struct TidegateIndex *index,
                                  struct TidegateZone *zones,
                                  size_t capacity,
                                  size_t *count);

// Lists the gates. `count` gets their number, also where `capacity` is less: then nothing else is
// written.
TidegateStatus tidegate_gate_list(const struct TidegateIndex *index,
                                  struct TidegateGate *gates,
                                  size_t capacity,
                                  size_t *count);

// Lists the gates around a zone.
TidegateStatus tidegate_zone_gates(const struct TidegateIndex *index,
                                   uint32_t zone,
                                   uint32_t *gates,
                                   size_t capacity,
                                   size_t *count);

// Lists the zones that a gate touches.
TidegateStatus tidegate_gate_zones(const struct TidegateIndex *index,
                                   uint32_t gate,
                                   uint32_t *zones,
                                   size_t capacity,
                                   size_t *count);

// Lists the tiles that a gate owns: its line from end to end, then those of offcuts beside it.
TidegateStatus tidegate_gate_tiles(const struct TidegateIndex *index,
                                   uint32_t gate,
                                   struct TidegateTile *tiles,
                                   size_t capacity,
                                   size_t *count);

// Lists the gates to pass from one tile to another, in order, as the crow flies from middle to
// middle; none if both lie in one zone. Without a way the answer is `TIDEGATE_UNREACHABLE`.
TidegateStatus tidegate_route(const struct TidegateIndex *index,
                              struct TidegateTile from,
                              struct TidegateTile to,
                              uint32_t *gates,
                              size_t capacity,
                              size_t *count);

// Lists the `n` most important choke points, the one that most journeys pass first.
TidegateStatus tidegate_choke_points(const struct TidegateIndex *index,
                                     size_t n,
                                     struct TidegateChokePoint *points,
                                     size_t capacity,
                                     size_t *count);

// Lists the `k` shortest different routes from one tile to another, shortest first, that avoid
// what `avoid` says (null: nothing). Two routes are different if they differ in a zone or a gate.
// There are fewer if no more exist; without any the answer is `TIDEGATE_UNREACHABLE`. `k` is at most
// 1024.
//
// `gates` gets the gates of all routes, one after the other. `count` and `gate_count` get the
// lengths, also where a capacity is less: then nothing else is written.
TidegateStatus tidegate_routes(const struct TidegateIndex *index,
                               struct TidegateTile from,
                               struct TidegateTile to,
                               size_t k,
                               const struct TidegateAvoid *avoid,
                               struct TidegateRoute *routes,
                               size_t capacity,
                               size_t *count,
                               uint32_t *gates,
                               size_t gate_capacity,
                               size_t *gate_count);

// Finds the route that lets the most through: that whose narrowest gate is widest, of equally
// wide ones the shortest. `gates` gets its gates in order. Without a route that avoids what
// `avoid` says (null: nothing) the answer is `TIDEGATE_UNREACHABLE`.
TidegateStatus tidegate_widest_route(const struct TidegateIndex *index,
                                     struct TidegateTile from,
                                     struct TidegateTile to,
                                     const struct TidegateAvoid *avoid,
                                     struct TidegateRoute *route,
                                     uint32_t *gates,
                                     size_t gate_capacity,
                                     size_t *gate_count);

// Lists both sides of a gate: for every zone beside it its tile with the shortest way from the
// middle of the gate.
TidegateStatus tidegate_gate_sides(const struct TidegateIndex *index,
                                   uint32_t gate,
                                   struct TidegateSide *sides,
                                   size_t capacity,
                                   size_t *count);

// Finds the tile of a zone from which a gate is held by those who shoot `range` tiles far: it
// sees every tile of the gate's line within range and is the farthest behind it. If there is
// none, the answer is `TIDEGATE_UNREACHABLE`.
TidegateStatus tidegate_holding_tile(const struct TidegateIndex *index,
                                     uint32_t gate,
                                     uint32_t zone,
                                     uint16_t range,
                                     struct TidegateTile *tile);

// The way from a tile to the nearest tile of a gate's line: its exact cost, and where it ends.
// Either may be null. Without a way the answer is `TIDEGATE_UNREACHABLE`.
TidegateStatus tidegate_distance_to_line(const struct TidegateIndex *index,
                                         struct TidegateTile tile,
                                         uint32_t gate,
                                         uint32_t *cost,
                                         struct TidegateTile *end);

// Lists the gates whose closing separates zones.
TidegateStatus tidegate_bridges(const struct TidegateIndex *index,
                                struct TidegateBridge *bridges,
                                size_t capacity,
                                size_t *count);

// Lists by number of zone the group it is in, or `TIDEGATE_NO_GROUP`. Within a group there is a
// second way whichever gate is closed: a group of several zones is a loop or several that hang
// together.
TidegateStatus tidegate_zone_groups(const struct TidegateIndex *index,
                                    uint32_t *groups,
                                    size_t capacity,
                                    size_t *count);

// Lists the groups of zones that a single gate joins to the rest.
TidegateStatus tidegate_dead_ends(const struct TidegateIndex *index,
                                  struct TidegateDeadEnd *ends,
                                  size_t capacity,
                                  size_t *count);

// Makes a set of blocked tiles, to be named in a `TidegateQuery`. Tiles may repeat and may lie
// outside the map.
TidegateStatus tidegate_blocked_new(const struct TidegateTile *tiles,
                                    size_t count,
                                    struct TidegateBlocked **blocked);

// Blocks a tile, or frees it where `is_blocked` is 0: a unit that takes a step frees one and blocks
// another. A set that a query uses is busy and stays as it is.
TidegateStatus tidegate_blocked_set(struct TidegateBlocked *blocked,
                                    struct TidegateTile tile,
                                    uint32_t is_blocked);

// Frees a set of blocked tiles. Null is no error; one that a query uses is busy and stays.
TidegateStatus tidegate_blocked_free(struct TidegateBlocked *blocked);

// Saves an index with its map and tables. A crash at any moment leaves the old file or the new
// one. Tables that an edit has made stale are left out.
TidegateStatus tidegate_index_save(const struct TidegateIndex *index, const char *path);

// Makes an index from a file that `tidegate_index_save` or the program `tidegate` made. A file
// that is damaged, cut off or of another version is refused.
TidegateStatus tidegate_index_load(const char *path, struct TidegateIndex **index);

// Writes the bytes of the file of an index into memory. `length` gets their number, also where
// `capacity` is less: then nothing else is written. With null and 0 it only tells the length.
TidegateStatus tidegate_index_to_bytes(const struct TidegateIndex *index,
                                       uint8_t *bytes,
                                       size_t capacity,
                                       size_t *length);

// Makes an index from the bytes of its file.
TidegateStatus tidegate_index_from_bytes(const uint8_t *bytes,
                                         size_t length,
                                         struct TidegateIndex **index);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TIDEGATE_H */
