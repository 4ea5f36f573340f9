/// Contacts of all tiles, quick to close and slow to open: a ball that hops is still there.
#pragma once

#include <stdint.h>

#include "board.h"

namespace baku {

template <uint8_t Tiles>
class ContactDebounce {
 public:
  typedef typename TileBits<Tiles>::type Mask;
  /// Milliseconds a contact must stay closed: two samples that are a millisecond apart.
  static const uint8_t kCloseMs = 1;

  void begin() {
    closed_ = 0;
    waiting_ = 0;
    for (uint8_t t = 0; t < Tiles; t++) sinceMs_[t] = 0;
  }

  /// Raw samples each millisecond, a bit a tile. Gives the tiles whose debounced state changed.
  Mask sample(Mask raw, uint8_t openMs) {
    const Mask differs = raw ^ closed_;
    // Nearly always nothing differs and nothing waits.
    if ((differs | waiting_) == 0) return 0;
    Mask changed = 0;
    Mask one = 1;
    for (uint8_t tile = 0; tile < Tiles; tile++, one = static_cast<Mask>(one << 1)) {
      if ((differs & one) == 0) {
        sinceMs_[tile] = 0;
      } else if (sinceMs_[tile] < (raw & one ? kCloseMs : openMs)) {
        sinceMs_[tile]++;
      } else {
        sinceMs_[tile] = 0;
        changed |= one;
      }
    }
    closed_ ^= changed;
    waiting_ = differs & static_cast<Mask>(~changed);
    return changed;
  }

  /// Debounced states.
  Mask closed() const { return closed_; }

 private:
  Mask closed_;
  Mask waiting_;  ///< Tiles whose raw state differs from the debounced one.
  uint8_t sinceMs_[Tiles];
};

}  // namespace baku
