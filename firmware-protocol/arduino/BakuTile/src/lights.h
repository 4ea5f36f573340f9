/// Colours of a side's tiles and what an animation makes of them at a step.
#pragma once

#include <stdint.h>

#include "board.h"

namespace baku {

enum Animation : uint8_t { kSteady = 0, kBreathe = 1, kBlink = 2, kChase = 3, kSparkle = 4 };

/// What one tile's six LEDs show: each LED is either `full` or `rest`, by its bit.
struct TileLight {
  uint8_t full[3];  ///< Green, red, blue: the order of the wire.
  uint8_t rest[3];
  uint8_t lit;  ///< Bit i: LED i shows `full`.
};

inline uint8_t scaled(uint8_t value, uint8_t level) {
  return static_cast<uint8_t>((static_cast<uint16_t>(value) * (static_cast<uint16_t>(level) + 1)) >> 8);
}

class TileColour {
 public:
  TileColour() : g_(0), r_(0), b_(0), animation_(kSteady) {}

  void set(uint8_t r, uint8_t g, uint8_t b, uint8_t level, uint8_t animation) {
    g_ = scaled(g, level);
    r_ = scaled(r, level);
    b_ = scaled(b, level);
    animation_ = animation;
  }
  bool moves() const { return animation_ != kSteady && (g_ | r_ | b_) != 0; }

  /// The tile at a step of the animations, which is one strip write. `tile` sets neighbours apart.
  TileLight at(uint8_t step, uint8_t tile) const {
    TileLight light;
    light.lit = 0x3f;
    uint8_t level = 255;
    switch (animation_) {
      case kBreathe: {
        const uint8_t phase = step & 15;
        level = static_cast<uint8_t>(31 + 28 * (phase < 8 ? phase : 15 - phase));
        break;
      }
      case kBlink:
        if (step & 4) level = 0;
        break;
      case kChase:
        light.lit = static_cast<uint8_t>(1 << (step % kLedsPerTile));
        break;
      case kSparkle: {
        // Low bits of a linear congruence, another seed for each tile and step.
        const uint16_t seed = static_cast<uint16_t>((step * 6 + tile) * 25173u + 13849u);
        light.lit = static_cast<uint8_t>((seed >> 8) & (seed >> 3) & 0x3f);
        break;
      }
      default:
        break;
    }
    light.full[0] = scaled(g_, level);
    light.full[1] = scaled(r_, level);
    light.full[2] = scaled(b_, level);
    for (uint8_t i = 0; i < 3; i++) light.rest[i] = light.full[i] >> 3;
    return light;
  }

 private:
  uint8_t g_, r_, b_;
  uint8_t animation_;
};

/// All six LEDs of a tile in one colour.
inline TileLight plainLight(uint8_t level) {
  TileLight light;
  for (uint8_t i = 0; i < 3; i++) {
    light.full[i] = level;
    light.rest[i] = level;
  }
  light.lit = 0x3f;
  return light;
}

}  // namespace baku
