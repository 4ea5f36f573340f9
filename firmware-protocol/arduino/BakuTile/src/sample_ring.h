/// The last scans of every channel: history from before an onset and queue towards the wire in one.
///
/// The interrupt side fills slots, the other side reads them by their 16-bit number, which wraps. A slot's nominal
/// time is exactly one millisecond after the one before it.
#pragma once

#include <stdint.h>

#include "board.h"

namespace baku {

/// `Slots` is a power of two and a multiple of the block length. `Mask` has a bit for each tile and one to spare.
template <uint8_t Tiles, uint8_t Halls, uint8_t Slots, class Mask = typename TileBits<Tiles>::type>
class SampleRing {
 public:
  static const uint8_t kChannelCount = Tiles * Halls;
  /// Bit of a slot's flags: the scan was lost, the slot repeats the one before.
  static const Mask kGap = static_cast<Mask>(static_cast<Mask>(1) << (sizeof(Mask) * 8 - 1));

  void begin() {
    head_ = 0;
    lastUs_ = 0;
    open_ = false;
    for (uint8_t i = 0; i < Slots; i++) {
      flags_[i] = 0;
      for (uint8_t c = 0; c < kChannelCount; c++) samples_[i][c] = 512;
    }
  }

  /// Begins the scan of the next slot, whose nominal time is `startUs`. Gives where it writes, tile by tile, hall by
  /// hall.
  uint16_t* open(uint32_t startUs) {
    lastUs_ = startUs;
    open_ = true;
    return samples_[head_ & (Slots - 1)];
  }
  /// True while a scan runs.
  bool isOpen() const { return open_; }
  /// Gives the slot that comes next, or runs, the values of the one before, for channels that are not read.
  void carry() {
    const uint16_t* from = samples_[(head_ - 1) & (Slots - 1)];
    uint16_t* to = samples_[head_ & (Slots - 1)];
    for (uint8_t c = 0; c < kChannelCount; c++) to[c] = from[c];
  }
  /// The running scan is complete.
  void close(Mask contacts) {
    flags_[head_ & (Slots - 1)] = contacts;
    head_ = head_ + 1;
    open_ = false;
  }
  /// A millisecond without a scan.
  void repeat(Mask contacts) {
    open(lastUs_ + 1000);
    carry();
    close(contacts | kGap);
  }

  /// Number of the slot that comes next; all before it are complete. Read with interrupts off.
  uint16_t head() const { return head_; }
  /// Nominal time of slot `head()`. Read with interrupts off.
  uint32_t headUs() const { return open_ ? lastUs_ : lastUs_ + 1000; }

  /// Samples of a slot that is not older than `Slots` - 1.
  const uint16_t* at(uint16_t slot) const { return samples_[slot & (Slots - 1)]; }
  /// Contacts of a slot, a bit a tile, and `kGap`.
  Mask flags(uint16_t slot) const { return flags_[slot & (Slots - 1)]; }

 private:
  uint16_t samples_[Slots][kChannelCount];
  Mask flags_[Slots];
  volatile uint16_t head_;
  volatile bool open_;
  uint32_t lastUs_;  ///< Nominal time of the slot begun last.
};

/// A block of eight slots of the ring as `writeBurst` wants it.
template <class Ring>
class RingBlock {
 public:
  RingBlock(const Ring& ring, uint16_t start, uint8_t halls) : ring_(ring), start_(start), halls_(halls) {}

  uint16_t sample(uint8_t tile, uint8_t scan, uint8_t hall) const {
    return ring_.at(start_ + scan)[tile * halls_ + hall];
  }
  uint8_t contacts(uint8_t tile) const {
    const uint16_t bit = static_cast<uint16_t>(1) << tile;
    uint8_t bits = 0;
    for (uint8_t scan = 0; scan < kBlockMs; scan++) {
      bits = static_cast<uint8_t>(bits << 1);
      if (ring_.flags(start_ + scan) & bit) bits |= 1;
    }
    return bits;
  }
  /// Bit i: scan i repeats the one before.
  uint8_t gaps() const {
    uint8_t bits = 0;
    for (uint8_t scan = 0; scan < kBlockMs; scan++) {
      if (ring_.flags(start_ + scan) & Ring::kGap) bits |= 1 << scan;
    }
    return bits;
  }

 private:
  const Ring& ring_;
  uint16_t start_;
  uint8_t halls_;
};

}  // namespace baku
