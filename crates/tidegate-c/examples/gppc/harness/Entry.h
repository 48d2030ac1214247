// What the entry offers, so that it builds from a clone. The competition brings a header of this name.
#ifndef TIDEGATE_GPPC_ENTRY_H
#define TIDEGATE_GPPC_ENTRY_H

#include <cstdint>
#include <string>
#include <vector>

struct xyLoc {
    std::int16_t x, y;
};

void PreprocessMap(const std::vector<bool> &bits, int width, int height, const std::string &filename);
void *PrepareForSearch(const std::vector<bool> &bits, int width, int height, const std::string &filename);
bool GetPath(void *data, xyLoc s, xyLoc g, std::vector<xyLoc> &path);
std::string GetName();

#endif
