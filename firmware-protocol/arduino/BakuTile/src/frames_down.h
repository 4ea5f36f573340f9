/// Reads one line down. Every line becomes a command or a named fault.
#pragma once

#include <stdint.h>

#include "crc16.h"
#include "frames_up.h"
#include "line_reader.h"

namespace baku {

enum CommandKind : uint8_t {
  kLed = 'L',
  kArm = 'M',
  kPing = 'P',
  kGreet = 'G',
  kIdentify = 'I',
  kSelfTest = 'T',
  kConfigure = 'C',
  kAssign = 'D',
};

struct Command {
  CommandKind kind;
  uint8_t tag;
  uint16_t tileMask;  ///< led, identify
  uint8_t r, g, b;    ///< led
  uint8_t level;      ///< led
  uint8_t animation;  ///< led
  bool armed;         ///< arm
  uint8_t key;        ///< configure
  uint16_t value;     ///< configure
  uint32_t device;    ///< assign
  Side side;          ///< assign
};

enum LineFault : uint8_t {
  kNoFault,
  kEmpty,
  kLineTooLong,
  kNotAscii,
  kNoChecksum,
  kBadChecksum,
  kWrongVersion,
  kUnknownKind,
  kBadField,
};

/// Fields of a line, from left to right; the first that is wrong makes all after it wrong.
class FieldReader {
 public:
  FieldReader(const char* at, const char* end) : at_(at), end_(end), good_(true) {}

  uint32_t hex(uint8_t digits) {
    uint32_t value = 0;
    for (; digits != 0; digits--) {
      const uint8_t c = next();
      uint8_t nibble = 16;
      if (c >= '0' && c <= '9') nibble = c - '0';
      if (c >= 'A' && c <= 'F') nibble = c - 'A' + 10;
      if (nibble == 16) good_ = false;
      value = value << 4 | (nibble & 15);
    }
    close();
    return value;
  }
  bool flag() {
    const uint8_t c = next();
    if (c != '0' && c != '1') good_ = false;
    close();
    return c == '1';
  }
  Side side() {
    Side side = kSideUnset;
    const uint8_t c = next();
    if (c == 'A') {
      side = kSideA;
      if (at_ != end_ && *at_ == 'B') {
        at_++;
        side = kSideBoth;
      }
    } else if (c == 'B') {
      side = kSideB;
    } else if (c != '-') {
      good_ = false;
    }
    close();
    return side;
  }
  void fail() { good_ = false; }
  bool good() const { return good_; }
  /// True when every field was right and none is left over.
  bool done() const { return good_ && at_ == end_; }

 private:
  const char* at_;
  const char* end_;
  bool good_;

  uint8_t next() {
    if (at_ == end_) {
      good_ = false;
      return 0;
    }
    return static_cast<uint8_t>(*at_++);
  }
  void close() {
    if (next() != ',') good_ = false;
  }
};

inline LineFault worstOf(const char* text, uint8_t length, LineFault fault) {
  for (uint8_t i = 0; i < length; i++) {
    if (text[i] < 0x20 || text[i] > 0x7e) return kNotAscii;
  }
  return fault;
}

inline LineFault readFields(const char* text, uint8_t end, Command& command) {
  FieldReader fields(text + 3, text + end + 1);
  command.kind = static_cast<CommandKind>(text[0]);
  command.tag = static_cast<uint8_t>(fields.hex(2));
  if (!fields.good()) return kBadField;
  switch (command.kind) {
    case kLed: {
      command.tileMask = static_cast<uint16_t>(fields.hex(3));
      const uint32_t rgb = fields.hex(6);
      command.r = static_cast<uint8_t>(rgb >> 16);
      command.g = static_cast<uint8_t>(rgb >> 8);
      command.b = static_cast<uint8_t>(rgb);
      command.level = static_cast<uint8_t>(fields.hex(2));
      command.animation = static_cast<uint8_t>(fields.hex(1));
      if (command.tileMask == 0 || command.animation > 4) fields.fail();
      break;
    }
    case kArm:
      command.armed = fields.flag();
      break;
    case kIdentify:
      command.tileMask = static_cast<uint16_t>(fields.hex(3));
      if (command.tileMask == 0) fields.fail();
      break;
    case kConfigure:
      command.key = static_cast<uint8_t>(fields.hex(2));
      command.value = static_cast<uint16_t>(fields.hex(4));
      break;
    case kAssign:
      command.device = fields.hex(8);
      command.side = fields.side();
      break;
    case kPing:
    case kGreet:
    case kSelfTest:
      break;
  }
  return fields.done() ? kNoFault : kBadField;
}

inline bool isCommandLetter(char c) {
  switch (c) {
    case kLed:
    case kArm:
    case kPing:
    case kGreet:
    case kIdentify:
    case kSelfTest:
    case kConfigure:
    case kAssign:
      return true;
    default:
      return false;
  }
}

/// Reads a line without its end. `answerable` tells whether `command.tag` holds a tag though the line has a fault:
/// the checksum was right and the second field is a tag, so that the sender is told `unknown` or `refused`.
inline LineFault readCommand(const char* text, uint8_t length, Command& command, bool& answerable) {
  answerable = false;
  if (length == 0) return kEmpty;
  if (length >= LineReader::kMax) return kLineTooLong;
  if (length < 5 || text[length - 5] != ',') return worstOf(text, length, kNoChecksum);
  const uint8_t end = length - 5;
  uint16_t crc = kCrcStart;
  for (uint8_t i = 0; i <= end; i++) crc = crc16(crc, static_cast<uint8_t>(text[i]));
  uint16_t told = 0;
  for (uint8_t i = end + 1; i < length; i++) {
    const char c = text[i];
    const uint8_t nibble = c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
    if (nibble == 16) return worstOf(text, length, kNoChecksum);
    told = static_cast<uint16_t>(told << 4) | nibble;
  }
  if (told != crc) return worstOf(text, length, kBadChecksum);
  LineFault fault = worstOf(text, length, kNoFault);
  if (fault != kNoFault) return fault;
  uint8_t digits = 0;
  while (digits < 3 && text[1 + digits] >= '0' && text[1 + digits] <= '9') digits++;
  if (text[0] < 'A' || text[0] > 'Z' || digits == 0 || text[1 + digits] != ',') return kUnknownKind;
  if (digits != 1 || text[1] != '1') {
    fault = kWrongVersion;
  } else if (!isCommandLetter(text[0])) {
    fault = kUnknownKind;
  }
  FieldReader tag(text + 2 + digits, text + end + 1);
  command.tag = static_cast<uint8_t>(tag.hex(2));
  answerable = tag.good();
  return fault != kNoFault ? fault : readFields(text, end, command);
}

}  // namespace baku
