/// Contact of a tile, quick to close and slow to open: a ball that hops is still there.
#pragma once

#include <stdint.h>

namespace baku {

class ContactDebounce {
 public:
  /// Milliseconds a contact must stay closed: two samples that are a millisecond apart.
  static const uint8_t kCloseMs = 1;

  ContactDebounce() : closed_(false), raw_(false), sinceMs_(0) {}

  /// A raw sample each millisecond. True when the debounced state changed.
  bool sample(bool raw, uint8_t openMs) {
    if (raw != raw_) {
      raw_ = raw;
      sinceMs_ = 0;
    } else if (sinceMs_ != 255) {
      sinceMs_++;
    }
    if (raw == closed_ || sinceMs_ < (raw ? kCloseMs : openMs)) return false;
    closed_ = raw;
    return true;
  }

  bool closed() const { return closed_; }

 private:
  bool closed_ : 1;
  bool raw_ : 1;
  uint8_t sinceMs_;
};

}  // namespace baku
