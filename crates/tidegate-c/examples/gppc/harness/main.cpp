// A main of our own with the three modes of the competition's:
//
//     run -pre MAP           builds the index in index_data/
//     run -run MAP SCEN      answers all problems and tells the time
//     run -check MAP SCEN    answers them and checks every path, step by step, and its length
//
// -check ends with 1 if a path is wrong. Times are those of GetPath alone.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "Entry.h"

namespace {

struct Map {
    int width = 0, height = 0;
    std::vector<bool> free;

    bool at(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height && free[y * width + x]; }
};

struct Problem {
    xyLoc start, goal;
    double length;
};

[[noreturn]] void fail(const std::string &text) {
    std::fprintf(stderr, "gppc: %s\n", text.c_str());
    std::exit(2);
}

Map read_map(const std::string &name) {
    std::ifstream file(name);
    std::string type, octile, key_height, key_width, word;
    Map map;
    if (!(file >> type >> octile >> key_height >> map.height >> key_width >> map.width >> word) || type != "type" ||
        key_height != "height" || key_width != "width" || word != "map" || map.width < 1 || map.height < 1 ||
        map.width > 32767 || map.height > 32767)
        fail(name + " is no map");
    for (int y = 0; y < map.height; y++) {
        std::string row;
        if (!(file >> row) || static_cast<int>(row.size()) != map.width)
            fail(name + ": row " + std::to_string(y) + " is not as wide as the map");
        for (const char letter : row) map.free.push_back(letter == '.' || letter == 'G' || letter == 'S');
    }
    return map;
}

std::vector<Problem> read_problems(const std::string &name, const Map &map) {
    std::ifstream file(name);
    std::string line;
    if (!std::getline(file, line) || line.compare(0, 7, "version") != 0) fail(name + " is no list of problems");
    std::vector<Problem> problems;
    for (int number = 2; std::getline(file, line); number++) {
        std::istringstream fields(line);
        std::string bucket, map_name;
        int width = 0, height = 0;
        Problem problem{};
        if (!(fields >> bucket)) continue;
        if (!(fields >> map_name >> width >> height >> problem.start.x >> problem.start.y >> problem.goal.x >>
              problem.goal.y >> problem.length))
            fail(name + ": line " + std::to_string(number) + " is no problem");
        if (!map.at(problem.start.x, problem.start.y) || !map.at(problem.goal.x, problem.goal.y))
            fail(name + ": line " + std::to_string(number) + " begins or ends in a wall of this map");
        problems.push_back(problem);
    }
    return problems;
}

// The length of a path, or less than 0 if a step is not legal or the ends are others.
double checked_length(const Map &map, const Problem &problem, const std::vector<xyLoc> &path) {
    const auto same = [](xyLoc a, xyLoc b) { return a.x == b.x && a.y == b.y; };
    if (path.empty() || !same(path.front(), problem.start) || !same(path.back(), problem.goal)) return -1;
    int straight = 0, diagonal = 0;
    for (std::size_t n = 1; n < path.size(); n++) {
        const xyLoc a = path[n - 1], b = path[n];
        const int dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
        if (dx > 1 || dy > 1 || !map.at(a.x, a.y) || !map.at(b.x, b.y)) return -1;
        if (dx + dy == 2 && (!map.at(a.x, b.y) || !map.at(b.x, a.y))) return -1;
        straight += dx + dy == 1;
        diagonal += dx + dy == 2;
    }
    return straight + diagonal * std::sqrt(2.0);
}

int run(const Map &map, const std::string &data, const std::string &scenario, bool check) {
    const auto problems = read_problems(scenario, map);
    void *search = PrepareForSearch(map.free, map.width, map.height, data);
    std::vector<xyLoc> path;
    std::vector<double> times;
    int wrong = 0;
    for (const auto &problem : problems) {
        using Clock = std::chrono::steady_clock;
        path.clear();
        double time = 0;
        bool done = false;
        while (!done) {
            const auto begin = Clock::now();
            done = GetPath(search, problem.start, problem.goal, path);
            time += std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
        }
        times.push_back(time);
        if (!check) continue;
        const double length = checked_length(map, problem, path);
        // Scenarios round lengths, some to two digits.
        if (!(std::abs(length - problem.length) <= 0.011)) {
            wrong++;
            std::printf("wrong: %d,%d to %d,%d: length %.6f, not %.6f\n", problem.start.x, problem.start.y,
                        problem.goal.x, problem.goal.y, length, problem.length);
        }
    }
    double sum = 0;
    for (const double time : times) sum += time;
    std::sort(times.begin(), times.end());
    const auto at = [&](double part) { return times.empty() ? 0 : times[static_cast<std::size_t>(part * (times.size() - 1))]; };
    std::printf("%s: %zu problems, mean %.3f us, median %.3f us, 99 %% %.3f us", GetName().c_str(), times.size(),
                times.empty() ? 0 : sum / times.size(), at(0.5), at(0.99));
    if (check) std::printf(", %d wrong", wrong);
    std::printf("\n");
    return wrong > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char **argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    const bool build = mode == "-pre", ask = mode == "-run" || mode == "-check";
    if ((!build && !ask) || argc < (build ? 3 : 4)) {
        std::fprintf(stderr, "usage: %s -pre MAP | -run MAP SCEN | -check MAP SCEN\n", argv[0]);
        return 2;
    }
    const Map map = read_map(argv[2]);
    const auto data = std::filesystem::path("index_data") /
                      (GetName() + "-" + std::filesystem::path(argv[2]).stem().string());
    if (!build) return run(map, data.string(), argv[3], mode == "-check");
    std::filesystem::create_directories("index_data");
    PreprocessMap(map.free, map.width, map.height, data.string());
    return 0;
}
