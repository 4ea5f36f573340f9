/// What the EEPROM holds: who the board is, and how often it booted.
#pragma once

#include <stdint.h>

#include "crc16.h"
#include "frames_up.h"

namespace baku {

static const uint8_t kIdentityAddress = 0;
static const uint8_t kIdentityBytes = 8;
static const uint8_t kBootAddress = 16;
static const uint8_t kBootBytes = 4;

struct Identity {
  uint32_t device;
  Side side;
};

inline uint16_t crcOf(const uint8_t* bytes, uint8_t count) {
  uint16_t crc = kCrcStart;
  for (uint8_t i = 0; i < count; i++) crc = crc16(crc, bytes[i]);
  return crc;
}

/// Spells an identity: side, a fixed byte, device most significant byte first, check.
inline void packIdentity(const Identity& identity, uint8_t* bytes) {
  bytes[0] = static_cast<uint8_t>(identity.side);
  bytes[1] = 0xB5;
  for (uint8_t i = 0; i < 4; i++) bytes[2 + i] = static_cast<uint8_t>(identity.device >> (24 - 8 * i));
  const uint16_t crc = crcOf(bytes, 6);
  bytes[6] = static_cast<uint8_t>(crc >> 8);
  bytes[7] = static_cast<uint8_t>(crc);
}

enum Found : uint8_t { kFound, kBlank, kDamaged };

/// Reads one; blank (a new chip) and damaged give the unset identity.
inline Found unpackIdentity(const uint8_t* bytes, Identity& identity) {
  identity.device = 0;
  identity.side = kSideUnset;
  bool blank = true;
  for (uint8_t i = 0; i < kIdentityBytes; i++) {
    if (bytes[i] != 0xff) blank = false;
  }
  if (blank) return kBlank;
  const uint16_t crc = crcOf(bytes, 6);
  if (bytes[1] != 0xB5 || bytes[0] > kSideBoth || bytes[6] != static_cast<uint8_t>(crc >> 8) ||
      bytes[7] != static_cast<uint8_t>(crc)) {
    return kDamaged;
  }
  identity.side = static_cast<Side>(bytes[0]);
  for (uint8_t i = 0; i < 4; i++) identity.device = identity.device << 8 | bytes[2 + i];
  return kFound;
}

/// Boot counts stand in two places that are written in turn, so that a power cut spoils at most the newer.
inline void packBoot(uint16_t boot, uint8_t* bytes) {
  bytes[0] = static_cast<uint8_t>(boot >> 8);
  bytes[1] = static_cast<uint8_t>(boot);
  bytes[2] = static_cast<uint8_t>(~bytes[0]);
  bytes[3] = static_cast<uint8_t>(~bytes[1]);
}
inline bool unpackBoot(const uint8_t* bytes, uint16_t& boot) {
  boot = static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
  return (bytes[0] ^ bytes[2]) == 0xff && (bytes[1] ^ bytes[3]) == 0xff;
}
/// Count of this boot and which place takes it, from what both places hold.
inline uint16_t nextBoot(const uint8_t* first, const uint8_t* second, uint8_t& place) {
  uint16_t a, b;
  const bool goodA = unpackBoot(first, a);
  const bool goodB = unpackBoot(second, b);
  // The counter wraps, hence the signed difference.
  const bool aIsNewer = goodA && (!goodB || static_cast<int16_t>(a - b) > 0);
  place = aIsNewer ? 1 : 0;
  if (!goodA && !goodB) return 1;
  return static_cast<uint16_t>((aIsNewer ? a : b) + 1);
}

}  // namespace baku
