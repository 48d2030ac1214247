// The wrappers in C++: values that free themselves, answers as optionals, errors as exceptions.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <tidegate.hpp>

static int checks = 0;

#define CHECK(holds)                                                                              \
    do {                                                                                          \
        checks++;                                                                                 \
        if (!(holds)) {                                                                           \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #holds);        \
            std::abort();                                                                         \
        }                                                                                         \
    } while (0)

template <typename Call>
static TidegateStatus thrown(Call call) {
    try {
        call();
    } catch (const tidegate::Error &error) {
        CHECK(std::string(error.what()) != "");
        return error.status();
    }
    return TIDEGATE_OK;
}

static bool same(tidegate::Tile a, tidegate::Tile b) { return a.x == b.x && a.y == b.y; }

static tidegate::Index two_rooms() {
    std::vector<std::uint8_t> free(23 * 11, 1);
    for (int y = 0; y < 11; y++) free[y * 23 + 11] = y == 5;
    return tidegate::Index(free, 23, 11);
}

int main() {
    static_assert(!std::is_copy_constructible<tidegate::Index>::value, "an index is cloned by name");
    static_assert(std::is_nothrow_move_constructible<tidegate::Index>::value, "an index moves");
    {
        auto index = two_rooms();
        tidegate::Scratch scratch;
        index.prepare("corners");
        const tidegate::Tile start = {2, 5}, goal = {20, 5}, wall = {11, 0};

        auto found = index.path(scratch, start, goal);
        CHECK(found && found->size() == 19 && same(found->front(), start) && same(found->back(), goal));
        CHECK(scratch.last_path().size() == 19 && scratch.last_turning_points().size() == 2);
        std::vector<tidegate::Tile> kept;
        kept.reserve(3);
        CHECK(index.path(scratch, start, goal, kept) == 18 * TIDEGATE_STRAIGHT && kept.size() == 19);
        CHECK(index.path(scratch, goal, start, kept) == 18 * TIDEGATE_STRAIGHT && same(kept[0], goal));
        CHECK(index.path(scratch, start, start, kept) == tidegate::Cost{0} && kept.size() == 1);
        CHECK(tidegate::tiles(*index.distance(scratch, start, goal)) == 18.0);
        CHECK(index.distances(scratch, start, {start, goal}) == (std::vector<tidegate::Cost>{0, 18 * TIDEGATE_STRAIGHT}));
        CHECK(index.nearest(scratch, start, {goal, {3, 5}}) == std::size_t{1});
        CHECK(index.reachable(start, goal) && !index.reachable(start, wall));
        CHECK(same(index.nearest_reachable(start, wall), {10, 0}));

        CHECK(thrown([&] { index.path(scratch, wall, goal); }) == TIDEGATE_WALL);
        CHECK(thrown([&] { index.path(scratch, {23, 0}, goal); }) == TIDEGATE_OUTSIDE);
        CHECK(thrown([&] { index.path(scratch, start, goal, "labels"); }) == TIDEGATE_NOT_BUILT);
        CHECK(thrown([&] { index.prepare("Labels"); }) == TIDEGATE_UNKNOWN_ENGINE);
        CHECK(thrown([] { tidegate::Index::load("/nowhere/at.all"); }) == TIDEGATE_IO);
        CHECK(thrown([] { tidegate::Index({1, 1, 1}, 2, 2); }) == TIDEGATE_BAD_ARGUMENT);

        // Through the door, touching both its posts at most.
        std::vector<tidegate::Point> points;
        const auto from = tidegate::centre({0, 0}), to = tidegate::centre({22, 0});
        const auto searched = index.walk(scratch, from, to, points);
        CHECK(searched && points.size() == 4 && points[1].x == 11 && points[2].x == 12 && points[1].y == 5);
        index.prepare_walks(tidegate::Walks::labels_small);
        CHECK(index.walk(scratch, from, to, points) == searched && index.walk(scratch, from, to)->size() == 4);
        const auto entered = index.last_walk_tiles(scratch);
        CHECK(same(entered.front(), {0, 0}) && same(entered.back(), {22, 0}));
        const tidegate::Blocked door({{11, 5}});
        CHECK(!index.walk(scratch, from, to, points, &door) && points.empty());
        CHECK(thrown([&] { index.walk(scratch, from, tidegate::centre(wall)); }) == TIDEGATE_WALL);
        CHECK(thrown([&] { index.prepare_walks(tidegate::Walks::labels, 1); }) == TIDEGATE_UNSUPPORTED);

        std::vector<tidegate::Tile> starts(100, start), goals(100, goal);
        goals[7] = start;
        const auto paths = index.paths(scratch, starts, goals, 2);
        CHECK(paths.size() == 100 && paths.length(0) == 19 && paths.length(7) == 1 && same(paths.path(99)[18], goal));
        CHECK(index.paths(scratch, {}, {}).size() == 0);

        index.decompose();
        CHECK(index.zones().size() == 2 && index.gates().size() == 1);
        CHECK(same(index.gates()[0].middle, {11, 5}) && index.zone_of_tiles()[0] == 0);
        CHECK(index.route(start, goal)->size() == 1 && index.zone_gates(0).size() == 1);

        const auto gate = index.gates()[0].number;
        CHECK(index.choke_points(5).size() == 1 && index.choke_points(5)[0].gate == gate);
        const auto routes = index.routes(start, goal, 3);
        CHECK(routes.size() == 1 && routes[0].gates == std::vector<std::uint32_t>{gate} && routes[0].width == 1);
        CHECK(index.routes(start, goal, 3, {{gate}, {}}).empty() && index.widest_route(start, goal)->width == 1);
        CHECK(!index.widest_route(start, goal, {{gate}, {}}) && index.gate_sides(gate).size() == 2);
        CHECK(index.holding_tile(gate, 0, 4) && !index.holding_tile(gate, 0, 0));
        CHECK(same(index.distance_to_line(start, gate)->second, {11, 5}) && !index.distance_to_line(wall, gate));
        CHECK(index.bridges().size() == 1 && index.dead_ends().size() == 2 && index.zone_groups().size() == 2);

        const auto again = tidegate::Index::from_bytes(index.to_bytes());
        CHECK(again.info().width == 23 && again.gates().size() == 1);

        tidegate::Field field;
        tidegate::Layer layer(index);
        index.fill(field, scratch, {goal});
        CHECK(field.distance(start) == 18 * TIDEGATE_STRAIGHT && same(*field.next(start), {3, 5}));
        CHECK(same(*field.next(goal), goal) && !field.next(wall));
        layer.add({11, 5}, 0, 100);
        index.fill(field, scratch, {goal}, &layer);
        // Steps onto it and off it cost half as much again, rounded down.
        CHECK(field.distance(start) == 16 * TIDEGATE_STRAIGHT + 2 * (TIDEGATE_STRAIGHT * 3 / 2));
        layer.clear();
        tidegate::Blocked shut({{11, 5}});
        index.fill(field, scratch, {goal}, &layer, &shut);
        CHECK(!field.distance(start));

        // Grass and a door; the wide unit does not fit through it.
        tidegate::World world({0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0}, 5, 3);
        const auto scout = world.add({{0, 100}, {2, 100}}), wide = world.add({{0, 100}, {2, 100}}, 2);
        CHECK(world.index(scout).distance(scratch, {0, 1}, {4, 1}) == 4 * TIDEGATE_STRAIGHT);
        CHECK(!world.index(wide).distance(scratch, {0, 0}, {3, 0}));
        CHECK(world.edit({{{2, 1}, 1}}) == 1 && !world.index(scout).distance(scratch, {0, 1}, {4, 1}));
        CHECK(world.edit({{{2, 1}, 0}, {{2, 0}, 0}}) == 2);
        CHECK(world.index(wide).distance(scratch, {0, 0}, {3, 0}) == 3 * TIDEGATE_STRAIGHT);
        world.set_cost(scout, {0, 0});
        CHECK(world.index(scout).info().free_tiles == 0);

        // A clone stays what it is; several threads ask it, each with a scratch of its own.
        const auto before = index.clone();
        CHECK(index.edit({tidegate::wall({11, 5})}) == 1);
        CHECK(!index.path(scratch, start, goal) && !index.distance(scratch, start, goal));
        CHECK(!index.route(start, goal));
        std::vector<std::thread> threads;
        std::vector<std::size_t> lengths(4);
        for (auto &length : lengths)
            threads.emplace_back([&before, &length, start, goal] {
                tidegate::Scratch own;
                length = before.path(own, start, goal)->size();
            });
        for (auto &thread : threads) thread.join();
        CHECK(lengths == std::vector<std::size_t>(4, 19));
        CHECK(index.edit({tidegate::open({11, 5}), tidegate::factor({0, 0}, 250)}) == 2);
        CHECK(index.info().has_factors == 1 && index.path(scratch, start, goal));

        auto moved = std::move(index);
        CHECK(moved.info().revision == 2);
        CHECK(thrown([&] { index.info(); }) == TIDEGATE_NULL);
        CHECK(tidegate::engines().size() >= 14 && tidegate::version() == tidegate_version());
        tidegate::Blocked blocked({{11, 5}});
        TidegateQuery query{};
        query.start = start, query.goal = goal, query.blocked = blocked.get();
        TidegateAnswer answer{};
        CHECK(tidegate_find(moved.get(), scratch.get(), &query, nullptr, 0, &answer) == TIDEGATE_UNREACHABLE);
    }
    std::size_t live = 99;
    CHECK(tidegate_live_handles(&live) == TIDEGATE_OK && live == 0);
    std::printf("test.cpp: %d checks hold\n", checks);
    return 0;
}
