/// Numbers that look random and are the same every time.
#pragma once

#include <cstdint>

namespace {

uint32_t noiseState = 12345;
uint32_t noise(uint32_t below) {
  noiseState = noiseState * 1664525u + 1013904223u;
  return (noiseState >> 8) % below;
}

}  // namespace
