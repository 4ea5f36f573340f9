/// Writes one line up, field by field, straight into a sink: no line is ever held in memory.
///
/// A sink is a small value with `void put(char)`; the board's waits while its ring is full.
#pragma once

#include <stdint.h>

#include "board.h"
#include "crc16.h"

namespace baku {

/// Boot and line number that head every line up.
struct Stamp {
  uint8_t boot;
  uint16_t seq;
};

template <class Sink>
class LineWriter {
 public:
  BAKU_SHARED LineWriter(Sink sink, char kind, Stamp stamp) : sink_(sink), crc_(kCrcStart), held_(0), left_(0) {
    put(kind);
    put('1');
    hexByte(comma(), stamp.boot);
    hexWordTail(stamp.seq);
  }

  /// Next field, two hex digits.
  BAKU_SHARED void hex2(uint8_t value) { hexByte(comma(), value); }
  /// Next field, one hex digit.
  BAKU_SHARED void hex1(uint8_t value) {
    comma();
    put(digit(value));
  }
  /// Next field, three hex digits.
  BAKU_SHARED void hex3(uint16_t value) {
    comma();
    put(digit(static_cast<uint8_t>(value >> 8)));
    hexByte(true, static_cast<uint8_t>(value));
  }
  /// Next field, four hex digits.
  BAKU_SHARED void hex4(uint16_t value) {
    comma();
    hexWordTail(value);
  }
  /// Next field, six hex digits.
  BAKU_SHARED void hex6(uint32_t value) {
    hexByte(comma(), static_cast<uint8_t>(value >> 16));
    hexWordTail(static_cast<uint16_t>(value));
  }
  /// Next field, eight hex digits.
  BAKU_SHARED void hex8(uint32_t value) {
    comma();
    hexWordTail(static_cast<uint16_t>(value >> 16));
    hexWordTail(static_cast<uint16_t>(value));
  }
  /// Next field, decimal.
  BAKU_SHARED void dec(uint32_t value) {
    comma();
    decTail(value);
  }
  /// Next field, `a.b.c`.
  BAKU_SHARED void dotted(uint8_t a, uint8_t b, uint8_t c) {
    comma();
    decTail(a);
    put('.');
    decTail(b);
    put('.');
    decTail(c);
  }
  /// Next field, printable text without comma.
  BAKU_SHARED void text(const char* value) {
    comma();
    while (*value != 0) put(*value++);
  }

  /// Begins a base64 field (RFC 4648 section 4, no padding characters).
  void packed() { comma(); }
  /// Ten bits of a packed field, most significant first.
  BAKU_SHARED void bits10(uint16_t value) {
    if (left_ == 0) {
      six(static_cast<uint8_t>(value >> 4));
      keep(static_cast<uint8_t>(value) & 15, 4);
    } else if (left_ == 4) {
      six(held_ << 2 | static_cast<uint8_t>(value >> 8));
      six(static_cast<uint8_t>(value >> 2) & 63);
      keep(static_cast<uint8_t>(value) & 3, 2);
    } else {
      six(held_ << 4 | static_cast<uint8_t>(value >> 6));
      six(static_cast<uint8_t>(value) & 63);
      keep(0, 0);
    }
  }
  /// Twelve bits of a packed field whose values all have twelve.
  void bits12(uint16_t value) {
    six(static_cast<uint8_t>(value >> 6));
    six(static_cast<uint8_t>(value) & 63);
  }
  /// Eight bits of a packed field, most significant first.
  BAKU_SHARED void bits8(uint8_t value) {
    if (left_ == 0) {
      six(value >> 2);
      keep(value & 3, 2);
    } else if (left_ == 4) {
      six(held_ << 2 | value >> 6);
      six(value & 63);
      keep(0, 0);
    } else {
      six(held_ << 4 | value >> 4);
      keep(value & 15, 4);
    }
  }
  /// Zeros up to a whole character; the next value starts a new one.
  BAKU_SHARED void flush() {
    if (left_ == 4) six(held_ << 2);
    if (left_ == 2) six(held_ << 4);
    keep(0, 0);
  }
  /// Zeros to whole bytes, as base64 has them, for an odd number of twelve-bit values.
  void oddTail() { six(0); }

  /// Checksum and line end. Nothing may follow.
  BAKU_SHARED void end() {
    comma();
    const uint16_t sum = crc_;
    hexWordTail(sum);
    sink_.put('\n');
  }

 private:
  Sink sink_;
  uint16_t crc_;
  uint8_t held_;
  uint8_t left_;

  BAKU_SHARED void put(char c) {
    crc_ = crc16(crc_, static_cast<uint8_t>(c));
    sink_.put(c);
  }
  bool comma() {
    put(',');
    return true;
  }
  static char digit(uint8_t value) {
    value &= 15;
    return static_cast<char>(value < 10 ? '0' + value : 'A' - 10 + value);
  }
  BAKU_SHARED void hexByte(bool, uint8_t value) {
    put(digit(value >> 4));
    put(digit(value));
  }
  BAKU_SHARED void hexWordTail(uint16_t value) {
    hexByte(true, static_cast<uint8_t>(value >> 8));
    hexByte(true, static_cast<uint8_t>(value));
  }
  BAKU_SHARED void decTail(uint32_t value) {
    char digits[10];
    uint8_t n = 0;
    do {
      digits[n++] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    while (n != 0) put(digits[--n]);
  }
  void keep(uint8_t bits, uint8_t left) {
    held_ = bits;
    left_ = left;
  }
  BAKU_SHARED void six(uint8_t value) {
    char c;
    if (value < 26) {
      c = static_cast<char>('A' + value);
    } else if (value < 52) {
      c = static_cast<char>('a' - 26 + value);
    } else if (value < 62) {
      c = static_cast<char>('0' - 52 + value);
    } else {
      c = value == 62 ? '+' : '/';
    }
    put(c);
  }
};

}  // namespace baku
