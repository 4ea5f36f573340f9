/// Finds when a hall sensor starts to move, against a baseline that runs along.
///
/// One number does both jobs. While a tile is idle the baseline creeps after the level and a sample far from it, three
/// times running, is an onset. While the tile is active every step away moves the baseline there at once, so the tile
/// is quiet again when the level, wherever it is, has stayed put.
#pragma once

#include <stdint.h>

#include "board.h"

namespace baku {

/// Thresholds in 1/32 of a count.
struct OnsetLimits {
  uint16_t on;   ///< Distance that counts towards an onset.
  uint16_t off;  ///< Distance that keeps an active tile active, 0.6 of `on`.

  /// From a threshold in quarter counts.
  static OnsetLimits ofQuarters(uint16_t quarters) {
    OnsetLimits limits;
    limits.on = static_cast<uint16_t>(quarters * 8);
    limits.off = static_cast<uint16_t>(quarters * 5);
    return limits;
  }
};

class HallOnset {
 public:
  /// Scans running beyond the threshold that make an onset; one spike never does.
  static const int8_t kRun = 3;
  /// Scans running that move the baseline of an active tile.
  static const int8_t kMoveRun = 2;

  /// Takes a level as it is, in quarter counts.
  void settle(uint16_t meanQuarters) {
    base_ = static_cast<uint16_t>(meanQuarters * 8);
    run_ = 0;
  }

  /// A sample of an idle tile, 0 to 1023. True: an onset, which began `kRun` - 1 scans ago.
  BAKU_HOT bool onset(uint16_t sample, const OnsetLimits& limits) {
    count(sample, limits.on);
    if (run_ < kRun && run_ > -kRun) return false;
    take(sample);
    return true;
  }

  /// A sample of an active tile. True: the level moved.
  BAKU_HOT bool moved(uint16_t sample, const OnsetLimits& limits) {
    count(sample, limits.off);
    if (run_ < kMoveRun && run_ > -kMoveRun) return false;
    take(sample);
    return true;
  }

  /// True while samples run beyond the threshold.
  bool suspects() const { return run_ != 0; }

  /// Creeps 1/32 count towards a mean; half a count is let lie. Called every 60 ms that is 0.05 mT/s.
  void creep(uint16_t meanQuarters) {
    const int16_t away = static_cast<int16_t>(static_cast<uint16_t>(meanQuarters * 8) - base_);
    if (away > 16) base_++;
    if (away < -16) base_--;
  }

  /// Moves a quarter of the way to a mean that is within the threshold of an active tile: the sample that moved the
  /// baseline had noise in it.
  void centre(uint16_t meanQuarters, const OnsetLimits& limits) {
    const int16_t away = static_cast<int16_t>(static_cast<uint16_t>(meanQuarters * 8) - base_);
    const int16_t limit = static_cast<int16_t>(limits.off);
    if (away < limit && away > -limit) base_ += away / 4;
  }

  /// 1/32 counts.
  uint16_t baseline() const { return base_; }

 private:
  uint16_t base_;
  int8_t run_;  ///< Scans running above (positive) or below (negative) the threshold.

  BAKU_HOT void count(uint16_t sample, uint16_t limit) {
    const uint16_t away = static_cast<uint16_t>(sample * 32) - base_;
    // One comparison for both sides: the range is moved so that it begins at zero.
    if (static_cast<uint16_t>(away + limit) <= static_cast<uint16_t>(2 * limit)) {
      run_ = 0;
    } else if (away < 0x8000) {
      run_ = run_ > 0 ? run_ + 1 : 1;
    } else {
      run_ = run_ < 0 ? run_ - 1 : -1;
    }
  }
  void take(uint16_t sample) {
    base_ = static_cast<uint16_t>(sample * 32);
    run_ = 0;
  }
};

}  // namespace baku
