/// Identity in EEPROM, and colours.
#pragma once

#include <cstring>

#include "../BakuTile/src/identity.h"
#include "../BakuTile/src/lights.h"
#include "check.h"

using namespace baku;

namespace {

void identityGroup() {
  uint8_t bytes[kIdentityBytes];
  const Side sides[] = {kSideUnset, kSideA, kSideB, kSideBoth};
  for (Side side : sides) {
    const Identity wanted = {0x5C0FFEE1u, side};
    packIdentity(wanted, bytes);
    Identity got;
    EQUAL(unpackIdentity(bytes, got), kFound);
    EQUAL(got.device, wanted.device);
    EQUAL(got.side, side);
    for (int bit = 0; bit < 64; bit++) {
      uint8_t bad[kIdentityBytes];
      std::memcpy(bad, bytes, sizeof bad);
      bad[bit / 8] ^= 1 << (bit % 8);
      EQUAL(unpackIdentity(bad, got), kDamaged);
      EQUAL(got.side, kSideUnset);
      EQUAL(got.device, 0);
    }
  }
  std::memset(bytes, 0xff, sizeof bytes);
  Identity got;
  EQUAL(unpackIdentity(bytes, got), kBlank);
  std::memset(bytes, 0, sizeof bytes);
  EQUAL(unpackIdentity(bytes, got), kDamaged);

  // Boots count up through the wrap; after a write that was cut the next boot takes the same number, never an older.
  uint8_t places[2][kBootBytes];
  std::memset(places, 0xff, sizeof places);
  uint16_t last = 0;
  for (int boot = 0; boot < 140000; boot++) {
    uint8_t place;
    const uint16_t id = nextBoot(places[0], places[1], place);
    EQUAL(id, static_cast<uint16_t>(last + 1));
    uint8_t wanted[kBootBytes];
    packBoot(id, wanted);
    if (boot > 2 && boot % 1000 == 7) {
      // Power fails after one to three of the four bytes.
      std::memcpy(places[place], wanted, 1 + boot % 3);
      continue;
    }
    std::memcpy(places[place], wanted, kBootBytes);
    last = id;
  }
}

void lightsGroup() {
  TileColour colour;
  colour.set(255, 128, 2, 255, kSteady);
  TileLight light = colour.at(7, 3);
  EQUAL(light.full[0], 128);  // Green comes first on the wire.
  EQUAL(light.full[1], 255);
  EQUAL(light.full[2], 2);
  EQUAL(light.lit, 0x3f);
  EQUAL(colour.moves(), false);
  colour.set(255, 128, 2, 0, kSteady);
  EQUAL(colour.at(0, 0).full[1], 0);
  colour.set(200, 200, 200, 127, kBlink);
  EQUAL(colour.moves(), true);
  EQUAL(colour.at(0, 0).full[0], 100);
  EQUAL(colour.at(4, 0).full[0], 0);
  colour.set(200, 200, 200, 255, kChase);
  uint8_t seen = 0;
  for (uint8_t step = 0; step < 6; step++) {
    light = colour.at(step, 0);
    EQUAL(light.lit & (light.lit - 1), 0);
    seen |= light.lit;
    EQUAL(light.rest[0], light.full[0] / 8);
  }
  EQUAL(seen, 0x3f);
  colour.set(255, 255, 255, 255, kBreathe);
  int low = 255, high = 0;
  for (uint8_t step = 0; step < 16; step++) {
    const int level = colour.at(step, 0).full[0];
    low = level < low ? level : low;
    high = level > high ? level : high;
  }
  HOLDS(low > 0 && low < 64 && high > 200);
  // Dark tiles need no writes, whatever their animation.
  colour.set(0, 0, 0, 255, kBreathe);
  EQUAL(colour.moves(), false);
}

}  // namespace
