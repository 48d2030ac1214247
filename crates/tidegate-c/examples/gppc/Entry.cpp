// An entry for the Grid-Based Path Planning Competition: the index is built by -pre and loaded by -run.
//
// It is compiled against the competition's own Entry.h and linked with its own main; see README.md. The
// interface of 2012 to 2015 (C strings) and that of 2023 (std::string) are both answered.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include <tidegate.h>

#include "Entry.h"

// The engine to build. What a map is too large for, the next one of the list takes.
#ifndef TIDEGATE_ENGINE
#define TIDEGATE_ENGINE "labels"
#endif

namespace {

const char *const ENGINES[] = {TIDEGATE_ENGINE, "corners", "jps"};

// The competition hears of failures by the exit code.
void check(TidegateStatus status, const char *what) {
    if (status >= 0) return;
    std::fprintf(stderr, "tidegate: %s: %s\n", what, tidegate_last_error());
    std::exit(1);
}

std::vector<std::uint8_t> bytes_of(const std::vector<bool> &bits) {
    return std::vector<std::uint8_t>(bits.begin(), bits.end());
}

struct Search {
    TidegateIndex *index = nullptr;
    TidegateScratch *scratch = nullptr;
    std::vector<TidegateTile> tiles;
};

static_assert(sizeof(xyLoc) == sizeof(TidegateTile), "tiles are copied byte by byte");
static_assert(std::is_trivially_copyable<xyLoc>::value, "tiles are copied byte by byte");

}  // namespace

void PreprocessMap(const std::vector<bool> &bits, int width, int height, const std::string &filename) {
    const auto free = bytes_of(bits);
    TidegateIndex *index = nullptr;
    check(tidegate_index_new(free.data(), free.size(), static_cast<std::uint32_t>(width),
                             static_cast<std::uint32_t>(height), TIDEGATE_NO_CORNER_CUTTING, nullptr, &index),
          "the map");
    TidegateStatus built = TIDEGATE_UNSUPPORTED;
    for (const char *engine : ENGINES) {
        built = tidegate_prepare(index, engine);
        if (built != TIDEGATE_UNSUPPORTED) break;
        std::fprintf(stderr, "tidegate: %s\n", tidegate_last_error());
    }
    check(built, "building");
    check(tidegate_index_save(index, filename.c_str()), "saving");
    check(tidegate_index_free(index), "freeing");
}

void *PrepareForSearch(const std::vector<bool> &bits, int width, int height, const std::string &filename) {
    auto *search = new Search;
    check(tidegate_index_load(filename.c_str(), &search->index), "loading what -pre has built");
    check(tidegate_scratch_new(&search->scratch), "making a scratch");
    // What was built for another map is not searched.
    TidegateMapInfo info{};
    check(tidegate_index_info(search->index, &info), "the map");
    std::vector<std::uint8_t> free(static_cast<std::size_t>(info.width) * info.height);
    check(tidegate_index_tiles(search->index, free.data(), free.size()), "the map");
    if (info.width != static_cast<std::uint32_t>(width) || info.height != static_cast<std::uint32_t>(height) ||
        free != bytes_of(bits)) {
        std::fprintf(stderr, "tidegate: %s was built for another map: run -pre again\n", filename.c_str());
        std::exit(1);
    }
    search->tiles.resize(1024);
    return search;
}

bool GetPath(void *data, xyLoc s, xyLoc g, std::vector<xyLoc> &path) {
    auto *search = static_cast<Search *>(data);
    const TidegateTile start = {static_cast<std::uint16_t>(s.x), static_cast<std::uint16_t>(s.y)};
    const TidegateTile goal = {static_cast<std::uint16_t>(g.x), static_cast<std::uint16_t>(g.y)};
    auto &tiles = search->tiles;
    std::size_t length = 0;
    auto status = tidegate_path(search->index, search->scratch, nullptr, start, goal, tiles.data(), tiles.size(),
                                &length, nullptr);
    if (status == TIDEGATE_TOO_SMALL) {
        tiles.resize(2 * length);
        status = tidegate_last_path(search->scratch, tiles.data(), tiles.size(), &length);
    }
    check(status, "a query");
    // A path of one tile counts as none in the competition: it stands still for a step.
    if (length == 1) tiles[length++] = goal;
    path.resize(length);
    if (length > 0) std::memcpy(static_cast<void *>(path.data()), tiles.data(), length * sizeof(TidegateTile));
    return true;
}

// The interface of 2012 to 2015.
void PreprocessMap(std::vector<bool> &bits, int width, int height, const char *filename) {
    PreprocessMap(bits, width, height, std::string(filename));
}

void *PrepareForSearch(std::vector<bool> &bits, int width, int height, const char *filename) {
    return PrepareForSearch(bits, width, height, std::string(filename));
}

// A C string or a std::string, as Entry.h says.
decltype(GetName()) GetName() { return "tidegate-" TIDEGATE_ENGINE; }
