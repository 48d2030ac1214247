/* Tidegate for C++17: values that free themselves, vectors, exceptions. All of it is inline around tidegate.h.
 *
 * Licensed under either of MIT or Apache 2.0 at your option.
 */
#ifndef TIDEGATE_HPP
#define TIDEGATE_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tidegate.h"

namespace tidegate {

using Tile = TidegateTile;
using Point = TidegatePoint;
using Change = TidegateChange;
using Engine = TidegateEngine;
using Zone = TidegateZone;
using Gate = TidegateGate;
using ChokePoint = TidegateChokePoint;
using Side = TidegateSide;
using Bridge = TidegateBridge;
using DeadEnd = TidegateDeadEnd;
using MapInfo = TidegateMapInfo;
using Cost = std::uint32_t;

/// What a function of the C interface refuses, with its code.
class Error : public std::runtime_error {
public:
    explicit Error(TidegateStatus status) : std::runtime_error(tidegate_last_error()), status_(status) {}
    TidegateStatus status() const noexcept { return status_; }

private:
    TidegateStatus status_;
};

/// A cost in tiles: straight steps.
inline double tiles(Cost cost) noexcept { return cost / static_cast<double>(TIDEGATE_STRAIGHT); }

/// The centre of a tile, for walks.
inline Point centre(Tile tile) noexcept { return Point{tile.x + 0.5, tile.y + 0.5}; }

/// Changes for `Index::edit`.
inline Change wall(Tile tile) noexcept { return Change{tile, TIDEGATE_CHANGE_WALL, 0}; }
inline Change open(Tile tile) noexcept { return Change{tile, TIDEGATE_CHANGE_FREE, 0}; }
inline Change factor(Tile tile, std::uint16_t hundredths) noexcept {
    return Change{tile, TIDEGATE_CHANGE_FACTOR, hundredths};
}

/// Gates and zones that a route may not pass, by number.
struct Avoid {
    std::vector<std::uint32_t> gates;
    std::vector<std::uint32_t> zones;

    TidegateAvoid get() const noexcept { return {gates.data(), gates.size(), zones.data(), zones.size()}; }
};

/// A way over zones and gates: the gates in order, its cost as the crow flies, and the width of its narrowest gate
/// (0 if it passes none).
struct Route {
    std::vector<std::uint32_t> gates;
    Cost length;
    std::uint32_t width;
};

/// What `Index::prepare_walks` builds.
enum class Walks : std::uint32_t {
    searched = TIDEGATE_WALKS_SEARCHED,
    labels = TIDEGATE_WALKS_LABELS,
    labels_fast = TIDEGATE_WALKS_LABELS_FAST,
    labels_small = TIDEGATE_WALKS_LABELS_SMALL,
};

/// The rules of movement.
enum class Movement : std::uint32_t {
    no_corner_cutting = TIDEGATE_NO_CORNER_CUTTING,
    one_side_free = TIDEGATE_ONE_SIDE_FREE,
    four_connected = TIDEGATE_FOUR_CONNECTED,
};

namespace detail {

/// Throws what is an error; hands on what is an answer.
inline TidegateStatus check(TidegateStatus status) {
    if (status < 0) throw Error(status);
    return status;
}

template <typename T, TidegateStatus (*release)(T *)>
struct Free {
    void operator()(T *handle) const noexcept { release(handle); }
};

/// Calls a function that lists things: once for their number, once for the things.
template <typename T, typename Call>
std::vector<T> list(Call call) {
    std::size_t count = 0;
    check(call(nullptr, 0, &count));
    std::vector<T> things(count);
    if (count > 0) check(call(things.data(), things.size(), &count));
    things.resize(count);
    return things;
}

}  // namespace detail

/// The memory of queries: one for each thread that asks.
class Scratch {
public:
    Scratch() {
        TidegateScratch *made = nullptr;
        detail::check(tidegate_scratch_new(&made));
        handle_.reset(made);
    }
    TidegateScratch *get() const noexcept { return handle_.get(); }

    /// The path that the last query found.
    std::vector<Tile> last_path() const {
        return detail::list<Tile>([&](Tile *tiles, std::size_t capacity, std::size_t *length) {
            return tidegate_last_path(get(), tiles, capacity, length);
        });
    }

    /// Its first tile, those where it turns, its last.
    std::vector<Tile> last_turning_points() const {
        return detail::list<Tile>([&](Tile *tiles, std::size_t capacity, std::size_t *length) {
            return tidegate_last_turning_points(get(), tiles, capacity, length);
        });
    }

private:
    std::unique_ptr<TidegateScratch, detail::Free<TidegateScratch, tidegate_scratch_free>> handle_;
};

/// Tiles that cannot be entered in one query.
class Blocked {
public:
    explicit Blocked(const std::vector<Tile> &tiles) {
        TidegateBlocked *made = nullptr;
        detail::check(tidegate_blocked_new(tiles.data(), tiles.size(), &made));
        handle_.reset(made);
    }
    const TidegateBlocked *get() const noexcept { return handle_.get(); }

private:
    std::unique_ptr<TidegateBlocked, detail::Free<TidegateBlocked, tidegate_blocked_free>> handle_;
};

/// Many paths, one behind the other: path n goes from offsets[n] to before offsets[n + 1].
struct Paths {
    std::vector<std::size_t> offsets;
    std::vector<Tile> tiles;

    std::size_t size() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }
    std::size_t length(std::size_t n) const { return offsets.at(n + 1) - offsets.at(n); }
    const Tile *path(std::size_t n) const { return tiles.data() + offsets.at(n); }
};

/// How far it is from every tile to the nearest of some goals, and which step leads there.
class Field {
public:
    Field() {
        TidegateField *made = nullptr;
        detail::check(tidegate_field_new(&made));
        handle_.reset(made);
    }
    TidegateField *get() const noexcept { return handle_.get(); }

    /// The tile that comes next, which is the tile itself on a goal; nothing where no way is known.
    std::optional<Tile> next(Tile tile) const {
        Tile next{};
        const auto status = detail::check(tidegate_field_next(get(), tile, &next, nullptr));
        return status == TIDEGATE_OK ? std::optional<Tile>(next) : std::nullopt;
    }

    std::optional<Cost> distance(Tile tile) const {
        Cost cost = 0;
        const auto status = detail::check(tidegate_field_next(get(), tile, nullptr, &cost));
        return status == TIDEGATE_OK ? std::optional<Cost>(cost) : std::nullopt;
    }

private:
    std::unique_ptr<TidegateField, detail::Free<TidegateField, tidegate_field_free>> handle_;
};

class Index;

/// What tiles cost more than the map says, for any number of queries. Extras are in hundredths of ordinary ground.
class Layer {
public:
    explicit Layer(const Index &index);
    TidegateLayer *get() const noexcept { return handle_.get(); }

    void add(Tile centre, double radius, std::uint16_t hundredths) {
        detail::check(tidegate_layer_add(get(), centre, radius, hundredths));
    }
    void add_falling(Tile centre, double radius, std::uint16_t hundredths) {
        detail::check(tidegate_layer_add_falling(get(), centre, radius, hundredths));
    }
    void add_each(const std::vector<std::uint16_t> &hundredths) {
        detail::check(tidegate_layer_add_each(get(), hundredths.data(), hundredths.size()));
    }
    void fade(double keep) { detail::check(tidegate_layer_fade(get(), keep)); }
    void clear() { detail::check(tidegate_layer_clear(get())); }

private:
    std::unique_ptr<TidegateLayer, detail::Free<TidegateLayer, tidegate_layer_free>> handle_;
};

/// A map with the tables of its engines. `const` functions may be called by many threads at once.
/// An engine that is not named (nullptr) is `auto`.
class Index {
public:
    /// From one byte a tile, row by row, not 0 where it can be entered; and cost factors in hundredths,
    /// if there are any.
    Index(const std::vector<std::uint8_t> &free, std::uint32_t width, std::uint32_t height,
          Movement movement = Movement::no_corner_cutting, const std::vector<std::uint16_t> &factors = {}) {
        if (!factors.empty() && factors.size() != free.size())
            throw std::invalid_argument("tidegate: as many factors as tiles are needed");
        TidegateIndex *made = nullptr;
        detail::check(tidegate_index_new(free.data(), free.size(), width, height, static_cast<std::uint32_t>(movement),
                                         factors.empty() ? nullptr : factors.data(), &made));
        handle_.reset(made);
    }

    /// From the file of a map.
    static Index read_map(const std::string &path, Movement movement = Movement::no_corner_cutting,
                          const char *costs = nullptr) {
        TidegateIndex *made = nullptr;
        detail::check(tidegate_index_read_map(path.c_str(), static_cast<std::uint32_t>(movement), costs, &made));
        return Index(made);
    }

    /// From the file of an index.
    static Index load(const std::string &path) {
        TidegateIndex *made = nullptr;
        detail::check(tidegate_index_load(path.c_str(), &made));
        return Index(made);
    }

    static Index from_bytes(const std::vector<std::uint8_t> &bytes) {
        TidegateIndex *made = nullptr;
        detail::check(tidegate_index_from_bytes(bytes.data(), bytes.size(), &made));
        return Index(made);
    }

    void save(const std::string &path) const { detail::check(tidegate_index_save(get(), path.c_str())); }

    std::vector<std::uint8_t> to_bytes() const {
        return detail::list<std::uint8_t>([&](std::uint8_t *bytes, std::size_t capacity, std::size_t *length) {
            return tidegate_index_to_bytes(get(), bytes, capacity, length);
        });
    }

    /// Another index of the same map; what both have is shared.
    Index clone() const {
        TidegateIndex *made = nullptr;
        detail::check(tidegate_index_clone(get(), &made));
        return Index(made);
    }

    MapInfo info() const {
        MapInfo info{};
        detail::check(tidegate_index_info(get(), &info));
        return info;
    }

    void prepare(const char *engine = nullptr) { detail::check(tidegate_prepare(get(), engine)); }
    void rebuild() { detail::check(tidegate_rebuild(get())); }

    /// Takes the tables of a clone that this index wants; returns how many.
    std::size_t adopt(const Index &from) {
        std::size_t count = 0;
        detail::check(tidegate_adopt(get(), from.get(), &count));
        return count;
    }

    /// Changes the map and returns its revision.
    std::uint64_t edit(const std::vector<Change> &changes) {
        std::uint64_t revision = 0;
        detail::check(tidegate_edit(get(), changes.data(), changes.size(), &revision));
        return revision;
    }

    /// Writes a path into `path`, whose memory is used again, and returns its cost; nothing if there is none.
    std::optional<Cost> path(Scratch &scratch, Tile start, Tile goal, std::vector<Tile> &path,
                             const char *engine = nullptr) const {
        std::size_t length = 0;
        Cost cost = 0;
        path.resize(path.capacity());
        auto status = tidegate_path(get(), scratch.get(), engine, start, goal, path.data(), path.size(), &length, &cost);
        if (status == TIDEGATE_TOO_SMALL || (path.empty() && length > 0)) {
            path.resize(length);
            status = tidegate_last_path(scratch.get(), path.data(), path.size(), &length);
        }
        if (status < 0) path.clear();
        detail::check(status);
        path.resize(length);
        return status == TIDEGATE_OK ? std::optional<Cost>(cost) : std::nullopt;
    }

    std::optional<std::vector<Tile>> path(Scratch &scratch, Tile start, Tile goal, const char *engine = nullptr) const {
        std::vector<Tile> found;
        if (!path(scratch, start, goal, found, engine)) return std::nullopt;
        return found;
    }

    std::optional<Cost> distance(Scratch &scratch, Tile start, Tile goal, const char *engine = nullptr) const {
        Cost cost = 0;
        const auto status = detail::check(tidegate_distance(get(), scratch.get(), engine, start, goal, &cost));
        return status == TIDEGATE_OK ? std::optional<Cost>(cost) : std::nullopt;
    }

    /// Builds what walks are answered from; labels of at most so many bytes, 0 for 192 MB.
    void prepare_walks(Walks tables = Walks::labels, std::uint64_t budget = 0) {
        detail::check(tidegate_prepare_walks(get(), static_cast<std::uint32_t>(tables), budget));
    }

    /// Writes the shortest walk at any angle into `points`, whose memory is used again, and returns its length in
    /// tiles; nothing if there is none.
    std::optional<double> walk(Scratch &scratch, Point start, Point goal, std::vector<Point> &points,
                               const Blocked *blocked = nullptr) const;

    std::optional<std::vector<Point>> walk(Scratch &scratch, Point start, Point goal,
                                           const Blocked *blocked = nullptr) const {
        std::vector<Point> found;
        if (!walk(scratch, start, goal, found, blocked)) return std::nullopt;
        return found;
    }

    /// The tiles that the last walk found with this scratch enters.
    std::vector<Tile> last_walk_tiles(Scratch &scratch) const {
        return detail::list<Tile>([&](Tile *tiles, std::size_t capacity, std::size_t *length) {
            return tidegate_last_walk_tiles(scratch.get(), get(), tiles, capacity, length);
        });
    }

    /// The costs to many goals, in their order; TIDEGATE_NO_COST where there is no way.
    std::vector<Cost> distances(Scratch &scratch, Tile start, const std::vector<Tile> &goals) const {
        std::vector<Cost> costs(goals.size());
        detail::check(tidegate_distances(get(), scratch.get(), start, goals.data(), goals.size(), costs.data()));
        return costs;
    }

    /// The nearest of many goals: its place in the vector.
    std::optional<std::size_t> nearest(Scratch &scratch, Tile start, const std::vector<Tile> &goals) const {
        std::size_t which = 0;
        const auto status = detail::check(
            tidegate_nearest(get(), scratch.get(), start, goals.data(), goals.size(), &which, nullptr));
        return status == TIDEGATE_OK ? std::optional<std::size_t>(which) : std::nullopt;
    }

    /// Many paths by so many threads; 0 is one for each core.
    Paths paths(Scratch &scratch, const std::vector<Tile> &starts, const std::vector<Tile> &goals,
                std::uint32_t threads = 0, const char *engine = nullptr) const {
        if (starts.size() != goals.size()) throw std::invalid_argument("tidegate: as many goals as starts are needed");
        Paths found;
        found.offsets.resize(starts.size() + 1);
        std::size_t total = 0;
        auto status = tidegate_paths(get(), scratch.get(), engine, starts.data(), goals.data(), starts.size(), threads,
                                     found.offsets.data(), nullptr, 0, &total);
        if (status == TIDEGATE_TOO_SMALL) {
            found.tiles.resize(total);
            status = tidegate_last_paths(scratch.get(), found.offsets.data(), starts.size(), found.tiles.data(),
                                         found.tiles.size(), &total);
        }
        detail::check(status);
        return found;
    }

    bool reachable(Tile from, Tile to) const {
        std::uint32_t reachable = 0;
        detail::check(tidegate_reachable(get(), from, to, &reachable));
        return reachable != 0;
    }

    Tile nearest_reachable(Tile from, Tile to) const {
        Tile nearest{};
        detail::check(tidegate_nearest_reachable(get(), from, to, &nearest));
        return nearest;
    }

    /// How far it is from every tile to the nearest of these goals, and which step leads there.
    void fill(Field &field, Scratch &scratch, const std::vector<Tile> &goals, const Layer *layer = nullptr,
              const Blocked *blocked = nullptr) const;

    /// Makes zones and gates, unless they are there.
    void decompose() { detail::check(tidegate_decompose(get())); }

    /// By tile: the number of its zone, -1 for a wall, -2 - number for a gate.
    std::vector<std::int32_t> zone_of_tiles() const {
        const auto map = info();
        std::vector<std::int32_t> zones(static_cast<std::size_t>(map.width) * map.height);
        detail::check(tidegate_zones(get(), zones.data(), zones.size()));
        return zones;
    }

    std::vector<Zone> zones() const {
        return detail::list<Zone>([&](Zone *zones, std::size_t capacity, std::size_t *count) {
            return tidegate_zone_list(get(), zones, capacity, count);
        });
    }

    std::vector<Gate> gates() const {
        return detail::list<Gate>([&](Gate *gates, std::size_t capacity, std::size_t *count) {
            return tidegate_gate_list(get(), gates, capacity, count);
        });
    }

    std::vector<std::uint32_t> zone_gates(std::uint32_t zone) const {
        return detail::list<std::uint32_t>([&](std::uint32_t *gates, std::size_t capacity, std::size_t *count) {
            return tidegate_zone_gates(get(), zone, gates, capacity, count);
        });
    }

    /// The gates to pass from one tile to another; nothing if there is no way.
    std::optional<std::vector<std::uint32_t>> route(Tile from, Tile to) const {
        bool found = true;
        auto gates = detail::list<std::uint32_t>([&](std::uint32_t *gates, std::size_t capacity, std::size_t *count) {
            const auto status = tidegate_route(get(), from, to, gates, capacity, count);
            found = status != TIDEGATE_UNREACHABLE;
            return status;
        });
        return found ? std::optional<std::vector<std::uint32_t>>(std::move(gates)) : std::nullopt;
    }

    /// The n most important choke points, the one that most journeys pass first.
    std::vector<ChokePoint> choke_points(std::size_t n) const {
        return detail::list<ChokePoint>([&](ChokePoint *points, std::size_t capacity, std::size_t *count) {
            return tidegate_choke_points(get(), n, points, capacity, count);
        });
    }

    /// The k shortest different routes, shortest first; fewer if no more exist.
    std::vector<Route> routes(Tile from, Tile to, std::size_t k, const Avoid &avoid = {}) const {
        const TidegateAvoid avoided = avoid.get();
        std::size_t count = 0, gate_count = 0;
        detail::check(
            tidegate_routes(get(), from, to, k, &avoided, nullptr, 0, &count, nullptr, 0, &gate_count));
        std::vector<TidegateRoute> found(count);
        std::vector<std::uint32_t> gates(gate_count);
        if (count == 0) return {};
        detail::check(tidegate_routes(get(), from, to, k, &avoided, found.data(), count, &count, gates.data(),
                                      gate_count, &gate_count));
        std::vector<Route> routes;
        for (const auto &route : found) {
            const auto first = gates.begin() + static_cast<std::ptrdiff_t>(route.first_gate);
            routes.push_back({{first, first + static_cast<std::ptrdiff_t>(route.gate_count)}, route.length, route.width});
        }
        return routes;
    }

    /// The route that lets the most through; nothing if there is no way.
    std::optional<Route> widest_route(Tile from, Tile to, const Avoid &avoid = {}) const {
        const TidegateAvoid avoided = avoid.get();
        TidegateRoute route{};
        bool found = true;
        auto gates = detail::list<std::uint32_t>([&](std::uint32_t *gates, std::size_t capacity, std::size_t *count) {
            const auto status = tidegate_widest_route(get(), from, to, &avoided, &route, gates, capacity, count);
            found = status != TIDEGATE_UNREACHABLE;
            return status;
        });
        return found ? std::optional<Route>({std::move(gates), route.length, route.width}) : std::nullopt;
    }

    /// Both sides of a gate.
    std::vector<Side> gate_sides(std::uint32_t gate) const {
        return detail::list<Side>([&](Side *sides, std::size_t capacity, std::size_t *count) {
            return tidegate_gate_sides(get(), gate, sides, capacity, count);
        });
    }

    /// The tile of a zone from which a gate is held by those who shoot so far.
    std::optional<Tile> holding_tile(std::uint32_t gate, std::uint32_t zone, std::uint16_t range) const {
        Tile tile{};
        const auto status = detail::check(tidegate_holding_tile(get(), gate, zone, range, &tile));
        return status == TIDEGATE_UNREACHABLE ? std::nullopt : std::optional<Tile>(tile);
    }

    /// The cost of the way from a tile to the nearest tile of a gate's line, and that tile.
    std::optional<std::pair<Cost, Tile>> distance_to_line(Tile tile, std::uint32_t gate) const {
        Cost cost = 0;
        Tile end{};
        const auto status = detail::check(tidegate_distance_to_line(get(), tile, gate, &cost, &end));
        if (status == TIDEGATE_UNREACHABLE) return std::nullopt;
        return std::pair(cost, end);
    }

    /// The gates whose closing separates zones.
    std::vector<Bridge> bridges() const {
        return detail::list<Bridge>([&](Bridge *bridges, std::size_t capacity, std::size_t *count) {
            return tidegate_bridges(get(), bridges, capacity, count);
        });
    }

    /// By zone: the number of its group, or TIDEGATE_NO_GROUP.
    std::vector<std::uint32_t> zone_groups() const {
        return detail::list<std::uint32_t>([&](std::uint32_t *groups, std::size_t capacity, std::size_t *count) {
            return tidegate_zone_groups(get(), groups, capacity, count);
        });
    }

    /// The groups of zones with a single gate out.
    std::vector<DeadEnd> dead_ends() const {
        return detail::list<DeadEnd>([&](DeadEnd *ends, std::size_t capacity, std::size_t *count) {
            return tidegate_dead_ends(get(), ends, capacity, count);
        });
    }

    TidegateIndex *get() noexcept { return handle_.get(); }
    const TidegateIndex *get() const noexcept { return handle_.get(); }

private:
    friend class World;
    explicit Index(TidegateIndex *made) : handle_(made) {}

    std::unique_ptr<TidegateIndex, detail::Free<TidegateIndex, tidegate_index_free>> handle_;
};

inline Layer::Layer(const Index &index) {
    TidegateLayer *made = nullptr;
    detail::check(tidegate_layer_new(index.get(), &made));
    handle_.reset(made);
}

inline std::optional<double> Index::walk(Scratch &scratch, Point start, Point goal, std::vector<Point> &points,
                                         const Blocked *blocked) const {
    std::size_t count = 0;
    double length = 0;
    points.resize(points.capacity());
    auto status = tidegate_walk(get(), scratch.get(), start, goal, blocked ? blocked->get() : nullptr, points.data(),
                                points.size(), &count, &length);
    if (status == TIDEGATE_TOO_SMALL || (points.empty() && count > 0)) {
        points.resize(count);
        status = tidegate_last_walk(scratch.get(), points.data(), points.size(), &count);
    }
    if (status < 0) points.clear();
    detail::check(status);
    points.resize(count);
    return status == TIDEGATE_OK ? std::optional<double>(length) : std::nullopt;
}

inline void Index::fill(Field &field, Scratch &scratch, const std::vector<Tile> &goals, const Layer *layer,
                        const Blocked *blocked) const {
    TidegateFieldQuery query{};
    query.goals = goals.data();
    query.goal_count = goals.size();
    query.layer = layer ? layer->get() : nullptr;
    query.blocked = blocked ? blocked->get() : nullptr;
    detail::check(tidegate_field_fill(field.get(), get(), scratch.get(), &query));
}

/// Ground of several classes, a byte a tile, and the kinds of units that move there, each with an index that
/// follows the edits of the world.
class World {
public:
    World(const std::vector<std::uint8_t> &classes, std::uint32_t width, std::uint32_t height) {
        TidegateWorld *made = nullptr;
        detail::check(tidegate_world_new(classes.data(), classes.size(), width, height, &made));
        handle_.reset(made);
    }

    /// Adds a kind of unit, so many tiles wide, that can enter these classes; its number.
    std::size_t add(const std::vector<TidegateClassCost> &costs, std::uint32_t size = 1,
                    Movement movement = Movement::no_corner_cutting) {
        std::size_t profile = 0;
        detail::check(tidegate_world_add(get(), size, static_cast<std::uint32_t>(movement), costs.data(), costs.size(),
                                         &profile));
        return profile;
    }

    /// The index of a kind of unit. It lives as long as the world.
    Index &index(std::size_t profile) {
        TidegateIndex *made = nullptr;
        detail::check(tidegate_world_index(get(), profile, &made));
        while (indexes_.size() <= profile) indexes_.push_back(nullptr);
        if (!indexes_[profile]) indexes_[profile].reset(new Index(made));
        return *indexes_[profile];
    }

    /// Changes the classes of tiles; how many kinds of units have another map now.
    std::size_t edit(const std::vector<TidegateGroundChange> &changes) {
        std::size_t changed = 0;
        detail::check(tidegate_world_edit(get(), changes.data(), changes.size(), &changed));
        return changed;
    }

    /// What a class costs a kind of unit from now on, in hundredths; 0: it cannot be entered.
    void set_cost(std::size_t profile, TidegateClassCost cost) {
        detail::check(tidegate_world_set_cost(get(), profile, cost));
    }

    TidegateWorld *get() noexcept { return handle_.get(); }
    const TidegateWorld *get() const noexcept { return handle_.get(); }

private:
    std::unique_ptr<TidegateWorld, detail::Free<TidegateWorld, tidegate_world_free>> handle_;
    std::vector<std::unique_ptr<Index>> indexes_;
};

/// All engines.
inline std::vector<Engine> engines() { return detail::list<Engine>(tidegate_engines); }

inline std::string version() { return tidegate_version(); }

}  // namespace tidegate

#endif  // TIDEGATE_HPP
