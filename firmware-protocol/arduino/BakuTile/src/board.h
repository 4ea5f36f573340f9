/// Sizes and rates that differ between the two boards, and those that both share.
#pragma once

#include <stdint.h>

/// Kept out of line: it is called from many places and would swell the program.
#define BAKU_SHARED __attribute__((noinline))
/// Always in line: it is called for every byte or sample.
#define BAKU_HOT inline __attribute__((always_inline))

namespace baku {

static const uint8_t kHalls = 2;            ///< Hall sensors a tile.
static const uint8_t kBlockMs = 8;          ///< Scans in a burst line.
static const uint8_t kPreTriggerMs = 16;    ///< Samples sent from before an onset, at least.
static const uint16_t kSampleHz = 1000;     ///< Scans a second of an active tile.
static const uint8_t kQuietMs = 20;         ///< Spacing of quiet lines.
static const uint8_t kTilesPerSide = 6;
static const uint8_t kLedsPerTile = 6;

// Bits of the hello's capability field.
static const uint16_t kCapContacts = 1 << 0;
static const uint16_t kCapGates = 1 << 1;
static const uint16_t kCapStud = 1 << 2;
static const uint16_t kCapLeds = 1 << 3;
static const uint16_t kCapSharedRate = 1 << 5;

#if defined(__AVR_ATmega2560__)
static const uint8_t kSides = 2;
static const uint8_t kSlots = 64;           ///< Scans the ring holds.
static const uint8_t kFastTiles = 6;        ///< Most tiles scanned every millisecond.
static const uint16_t kCapabilities = kCapContacts | kCapGates | kCapStud | kCapLeds | kCapSharedRate;
#else
static const uint8_t kSides = 1;
static const uint8_t kSlots = 32;
static const uint8_t kFastTiles = 6;
static const uint16_t kCapabilities = kCapContacts | kCapGates | kCapStud | kCapLeds;
#endif

static const uint8_t kTiles = kTilesPerSide * kSides;
static const uint8_t kChannels = kTiles * kHalls;
/// True where the converter cannot read every channel each millisecond.
static const bool kSharedRate = kTiles > kFastTiles;

/// Smallest unsigned type with a bit for each tile and one to spare.
template <uint8_t Tiles>
struct TileBits {
  typedef uint16_t type;
};
template <>
struct TileBits<6> {
  typedef uint8_t type;
};
typedef TileBits<kTiles>::type TileMask;

}  // namespace baku
