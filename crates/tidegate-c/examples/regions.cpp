// Zones, gates and the gates on a way, of the file of a map:
//
//     c++ -std=c++17 regions.cpp $(pkg-config --cflags --libs tidegate) -o regions
//     ./regions my.map 20,20 230,230
#include <cstdio>
#include <string>

#include <tidegate.hpp>

static tidegate::Tile tile(const char *text) {
    unsigned x = 0, y = 0;
    char after = 0;
    if (std::sscanf(text, "%u,%u%c", &x, &y, &after) != 2 || x > 65535 || y > 65535)
        throw std::invalid_argument(std::string(text) + " is no tile: write a column and a row, such as 12,34");
    return {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)};
}

int main(int argc, char **argv) try {
    if (argc != 2 && argc != 4) {
        std::fprintf(stderr, "usage: regions MAP [FROM TO]\n");
        return 2;
    }
    auto index = tidegate::Index::read_map(argv[1]);
    index.decompose();
    const auto zones = index.zones();
    const auto gates = index.gates();
    std::printf("%zu zones, %zu gates\n", zones.size(), gates.size());
    for (const auto &zone : zones)
        std::printf("zone %u: %u tiles, %u gates, deepest at %u,%u\n", zone.number, zone.area, zone.gate_count,
                    zone.deepest.x, zone.deepest.y);
    for (const auto &gate : gates)
        std::printf("gate %u: %u wide, from %u,%u to %u,%u, between zones %d and %d\n", gate.number, gate.width,
                    gate.a.x, gate.a.y, gate.b.x, gate.b.y, gate.zones[0], gate.zones[1]);
    if (argc == 4) {
        const auto from = tile(argv[2]), to = tile(argv[3]);
        index.prepare("corners");
        tidegate::Scratch scratch;
        if (const auto cost = index.distance(scratch, from, to)) {
            std::printf("%.2f tiles, through gates", tidegate::tiles(*cost));
            for (const auto gate : index.route(from, to).value()) std::printf(" %u", gate);
            std::printf("\n");
        } else {
            std::printf("no way\n");
        }
    }
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "regions: %s\n", error.what());
    return 1;
}
