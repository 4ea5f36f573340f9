/// Cuts what arrives into lines. Accepts `\n` and `\r\n`; a line that does not fit is thrown away up to its end.
#pragma once

#include <stdint.h>

namespace baku {

class LineReader {
 public:
  /// Longest line, line feed included. One byte of it is kept for a carriage return.
  static const uint8_t kMax = 60;

  enum Found : uint8_t {
    kNothing,  ///< The line is not complete yet.
    kLine,     ///< `text()` and `length()` hold a line.
    kTooLong,  ///< A line ended that was longer than allowed; it is gone.
  };

  LineReader() : length_(0), skipping_(false), taken_(false) {}

  /// One byte more. What `text` gave before is overwritten by the call after a line was found.
  Found push(uint8_t byte) {
    if (taken_) {
      length_ = 0;
      taken_ = false;
    }
    if (byte == '\n') return finish();
    if (skipping_) return kNothing;
    if (length_ == kMax) {
      skipping_ = true;
      return kNothing;
    }
    text_[length_++] = static_cast<char>(byte);
    return kNothing;
  }

  const char* text() const { return text_; }
  uint8_t length() const { return length_; }

 private:
  char text_[kMax];
  uint8_t length_;
  bool skipping_;
  bool taken_;

  Found finish() {
    taken_ = true;
    const bool skipped = skipping_;
    skipping_ = false;
    if (length_ != 0 && text_[length_ - 1] == '\r') length_--;
    return skipped || length_ >= kMax ? kTooLong : kLine;
  }
};

}  // namespace baku
