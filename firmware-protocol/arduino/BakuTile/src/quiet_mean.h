/// Mean of every channel between two quiet lines.
#pragma once

#include <stdint.h>

#include "board.h"

namespace baku {

template <uint8_t Channels>
class QuietMean {
 public:
  void clear() {
    count_ = 0;
    for (uint8_t c = 0; c < Channels; c++) sum_[c] = 0;
  }
  /// One scan. True when it was the last before a quiet line: read the means, then clear.
  bool add(const uint16_t* samples) {
    for (uint8_t c = 0; c < Channels; c++) sum_[c] += samples[c];
    if (++count_ < kQuietMs) return false;
    // A sum of 20 scans becomes the mean in quarter counts, rounded, in its own place.
    for (uint8_t c = 0; c < Channels; c++) sum_[c] = static_cast<uint16_t>(sum_[c] + 2) / (kQuietMs / 4);
    return true;
  }
  /// Mean of a channel in quarter counts, after `add` said that it stands.
  uint16_t quarters(uint8_t channel) const { return sum_[channel]; }

 private:
  uint16_t sum_[Channels];
  uint8_t count_;
};

}  // namespace baku
