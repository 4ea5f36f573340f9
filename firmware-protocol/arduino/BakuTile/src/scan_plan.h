/// Which channels a scan reads.
#pragma once

#include <stdint.h>

#include "board.h"

namespace baku {

template <bool Shared>
class ScanPlan;

/// Every channel in every scan.
template <>
class ScanPlan<false> {
 public:
  static const uint8_t kEnd = kChannels;
  void begin() {}
  const uint8_t* start() { return 0; }
  void prepare() {}
  void watch(TileMask) {}
  void shorten() {}
  void done(uint16_t) {}
  void skipped(uint16_t) {}
  static TileMask fresh(uint16_t) { return static_cast<TileMask>((1UL << kTiles) - 1); }
};

/// The watched tiles in every scan, each of the others in one of four: 24 channels do not fit a millisecond.
template <>
class ScanPlan<true> {
 public:
  /// Follows the last channel of a scan.
  static const uint8_t kEnd = 0xff;

  void begin() {
    watched_ = 0;
    short_ = false;
    rotor_ = 0;
    now_ = 0;
    prepare();
  }
  /// Tiles to read every millisecond; six at most are.
  void watch(TileMask mask) { watched_ = mask; }
  /// Lets the next scan read the watched tiles alone, so that a strip write fits behind it.
  void shorten() { short_ = true; }
  /// Works out the scan after this one, half a millisecond ahead of it.
  void prepare() {
    Scan& scan = scans_[now_ ^ 1];
    const TileMask fast = watched_;
    scan.mask = 0;
    scan.count = 0;
    uint8_t quick = 0;
    TileMask one = 1;
    for (uint8_t tile = 0; tile < kTiles && quick < kFastTiles; tile++, one <<= 1) {
      if ((fast & one) == 0) continue;
      quick++;
      add(scan, tile, one);
    }
    uint8_t slow = (kTiles - quick + 3) / 4;
    if (short_ && quick != 0) slow = 0;
    short_ = false;
    for (uint8_t tries = 0; slow != 0 && tries < kTiles; tries++) {
      const uint8_t tile = rotor_;
      rotor_ = tile + 1 == kTiles ? 0 : tile + 1;
      one = static_cast<TileMask>(1) << tile;
      if (scan.mask & one) continue;
      slow--;
      add(scan, tile, one);
    }
    scan.channels[scan.count] = kEnd;
  }
  /// The prepared scan begins. Gives its channels.
  const uint8_t* start() {
    now_ ^= 1;
    return scans_[now_].channels;
  }
  /// The scan of this slot is complete.
  void done(uint16_t slot) { fresh_[slot & (kSlots - 1)] = scans_[now_].mask; }
  /// This slot had none.
  void skipped(uint16_t slot) { fresh_[slot & (kSlots - 1)] = 0; }

  TileMask fresh(uint16_t slot) const { return fresh_[slot & (kSlots - 1)]; }

 private:
  struct Scan {
    TileMask mask;
    uint8_t count;
    uint8_t channels[(kFastTiles + 3) * kHalls + 1];
  };
  Scan scans_[2];
  TileMask fresh_[kSlots];
  volatile TileMask watched_;
  volatile bool short_;
  uint8_t rotor_;
  uint8_t now_;

  static void add(Scan& scan, uint8_t tile, TileMask one) {
    scan.mask |= one;
    for (uint8_t hall = 0; hall < kHalls; hall++) scan.channels[scan.count++] = tile * kHalls + hall;
  }
};

}  // namespace baku
