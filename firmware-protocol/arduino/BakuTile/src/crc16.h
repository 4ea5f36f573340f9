/// CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected, check value of "123456789" 0x29B1.
#pragma once

#include <stdint.h>

#include "board.h"

namespace baku {

static const uint16_t kCrcStart = 0xffff;

/// One byte more. Written in bytes, since the chip shifts words slowly.
BAKU_HOT uint16_t crc16(uint16_t crc, uint8_t byte) {
  uint8_t x = static_cast<uint8_t>(crc >> 8) ^ byte;
  x ^= x >> 4;
  const uint8_t high = static_cast<uint8_t>(crc) ^ static_cast<uint8_t>(x << 4) ^ (x >> 3);
  const uint8_t low = static_cast<uint8_t>(x << 5) ^ x;
  return static_cast<uint16_t>(high << 8) | low;
}

}  // namespace baku
