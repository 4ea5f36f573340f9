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
  /// One scan. True when a quiet line is due; read it, then clear.
  bool add(const uint16_t* samples) {
    for (uint8_t c = 0; c < Channels; c++) sum_[c] += samples[c];
    return ++count_ >= kQuietMs;
  }
  /// Mean of a channel in quarter counts, rounded. Valid when `add` said so: the sum holds 20 scans, hence the fifth.
  uint16_t quarters(uint8_t channel) const {
    return static_cast<uint16_t>(sum_[channel] + 2) / (kQuietMs / 4);
  }

 private:
  uint16_t sum_[Channels];
  uint8_t count_;
};

}  // namespace baku
