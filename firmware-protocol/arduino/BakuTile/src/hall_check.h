/// Which halls look broken: at a rail for long, or without any noise.
#pragma once

#include <stdint.h>

#include "board.h"

namespace baku {

enum RailFault : uint8_t { kNoRail = 0, kLowerRail = 1, kUpperRail = 2 };

/// A mean in quarter counts within two counts of a rail.
inline RailFault railOf(uint16_t meanQuarters) {
  return meanQuarters <= 8 ? kLowerRail : meanQuarters >= 1021 * 4 ? kUpperRail : kNoRail;
}

template <uint8_t Channels>
class HallCheck {
 public:
  static const uint8_t kRailLooks = 250;    ///< Looks in a row, 20 ms apart: 5 s.
  static const uint16_t kNoiseLooks = 500;  ///< Looks after which a hall that never changed is dead: 10 s.

  void begin() {
    for (uint8_t c = 0; c < Channels; c++) atRail_[c] = 0;
    for (uint8_t i = 0; i < kBytes; i++) alive_[i] = before_[i] = 0;
    looks_ = 0;
    known_ = false;
  }

  /// With each quiet line: the mean of a channel and two samples of it that follow each other. Gives a fault once,
  /// when the hall has been at a rail for 5 s.
  RailFault look(uint8_t channel, uint16_t meanQuarters, uint16_t sample, uint16_t sampleBefore) {
    if (sample != sampleBefore) alive_[channel >> 3] |= 1 << (channel & 7);
    const RailFault rail = railOf(meanQuarters);
    uint8_t& looks = atRail_[channel];
    if (rail == kNoRail) {
      looks = 0;
    } else if (looks <= kRailLooks) {
      looks++;
    }
    return looks == kRailLooks ? rail : kNoRail;
  }
  /// After `look` was called for every channel.
  void next() {
    if (++looks_ != kNoiseLooks) return;
    looks_ = 0;
    known_ = true;
    for (uint8_t i = 0; i < kBytes; i++) {
      before_[i] = alive_[i];
      alive_[i] = 0;
    }
  }
  /// True when neither in the last full 10 s nor since then two samples that follow each other differed.
  bool dead(uint8_t channel) const {
    const uint8_t bit = 1 << (channel & 7);
    return known_ && ((before_[channel >> 3] | alive_[channel >> 3]) & bit) == 0;
  }

 private:
  static const uint8_t kBytes = (Channels + 7) / 8;
  uint8_t atRail_[Channels];
  uint8_t alive_[kBytes];
  uint8_t before_[kBytes];
  uint16_t looks_;
  bool known_;
};

}  // namespace baku
