/// The LEDs: what every tile should show, and when a chain may be written.
#pragma once

#include "../board.h"
#include "../lights.h"
#include "scanner.h"
#include "strip.h"
#include "usart.h"

namespace baku {

class Chains {
 public:
  static const uint16_t kIdentifyMs = 3000;
  /// A strip of 36 LEDs with its looks at the receiver, and room to spare, µs: tests measure it.
  static const uint16_t kWriteUs = 1100;
  /// A chain waits this long beyond its spacing for a rest long enough, then takes any rest.
  static const uint8_t kPatienceMs = 150;

  uint16_t spacingMs;        ///< Least time between two writes of a chain.
  uint8_t greatestLevel;     ///< Bound on the level of every colour.
  uint8_t ledsBetweenLooks;  ///< LEDs sent between two looks at the receiver.

  void begin() {
    BAKU_PORT_OF(pins::kStripA)::direction() |= bitOf(pins::kStripA);
#if defined(__AVR_ATmega2560__)
    BAKU_PORT_OF(pins::kStripB)::direction() |= bitOf(pins::kStripB);
#endif
    spacingMs = 100;
    greatestLevel = 255;
    ledsBetweenLooks = 1;
    armed_ = false;
    identify_ = 0;
    identifyMs_ = 0;
    step_ = 0;
    stepMs_ = 0;
    // LEDs may wake up in any colour: dark is the first thing they are told.
    dirty_ = kAllChains;
    for (uint8_t side = 0; side < kSides; side++) waitMs_[side] = 0;
  }

  BAKU_SHARED void set(uint16_t tiles, uint8_t r, uint8_t g, uint8_t b, uint8_t level, uint8_t animation) {
    if (level > greatestLevel) level = greatestLevel;
    for (uint8_t tile = 0; tile < kTiles; tile++, tiles >>= 1) {
      if ((tiles & 1) == 0) continue;
      colours_[tile].set(r, g, b, level, animation);
      dirty_ |= chainOf(tile);
    }
  }
  void identify(uint16_t tiles) {
    identify_ = static_cast<TileMask>(tiles);
    identifyMs_ = kIdentifyMs;
    dirty_ = kAllChains;
  }
  /// True when the LEDs do not show yet what they should.
  bool dirty() const { return dirty_ != 0; }
  bool armed() const { return armed_; }
  void arm(bool armed) {
    armed_ = armed;
    identifyMs_ = 0;
    identify_ = 0;
    if (!armed) dirty_ = kAllChains;
  }

  /// Every millisecond.
  void tick() {
    for (uint8_t side = 0; side < kSides; side++) {
      if (waitMs_[side] > -kPatienceMs) waitMs_[side]--;
    }
    if (armed_) return;
    if (identifyMs_ != 0 && --identifyMs_ == 0) {
      identify_ = 0;
      dirty_ = kAllChains;
    }
    if (++stepMs_ < spacingMs) return;
    stepMs_ = 0;
    step_++;
    if (identify_ != 0) dirty_ = kAllChains;
    for (uint8_t tile = 0; tile < kTiles; tile++) {
      if (colours_[tile].moves()) dirty_ |= chainOf(tile);
    }
  }

  /// Writes a chain if one wants it, may have it, and the converter rests long enough. `urgent` waives the spacing,
  /// and what it took is waited for afterwards, so that ten writes a second stay the most.
  BAKU_SHARED void turn(Scanner& scanner, Usart& usart, bool urgent) {
    if (dirty_ == 0 || armed_) return;
    for (uint8_t side = 0; side < kSides; side++) {
      const uint8_t chain = static_cast<uint8_t>(1 << side);
      if ((dirty_ & chain) == 0 || (!urgent && waitMs_[side] > 0)) continue;
      if (!restsEnough(scanner, side, urgent)) {
        scanner.lengthenRest();
        return;
      }
      TileLight lights[kTilesPerSide];
      for (uint8_t i = 0; i < kTilesPerSide; i++) lights[i] = lightOf(side * kTilesPerSide + i);
      Atomic guard;
      if (!restsEnough(scanner, side, urgent)) return;
      if (side == 0) {
        writeStrip<pins::kStripA.port, pins::kStripA.bit>(lights, usart, ledsBetweenLooks);
      } else {
#if defined(__AVR_ATmega2560__)
        writeStrip<pins::kStripB.port, pins::kStripB.bit>(lights, usart, ledsBetweenLooks);
#endif
      }
      dirty_ &= static_cast<uint8_t>(~chain);
      waitMs_[side] = (waitMs_[side] > 0 ? waitMs_[side] : 0) + static_cast<int16_t>(spacingMs);
      return;
    }
  }

 private:
  static const uint8_t kAllChains = (1 << kSides) - 1;

  TileColour colours_[kTiles];
  uint8_t dirty_;  ///< Chains whose LEDs show something else than they should.
  int16_t waitMs_[kSides];
  bool armed_;
  TileMask identify_;
  uint16_t identifyMs_;
  uint8_t step_;
  uint16_t stepMs_;

  /// True when a write begun now ends before the scan after next: the one in between is lost and no other.
  bool restsEnough(const Scanner& scanner, uint8_t side, bool urgent) const {
    const uint16_t rest = scanner.restLeft();
    const bool patient = !urgent && waitMs_[side] > -kPatienceMs;
    return rest >= (patient ? 2 * (kWriteUs - 1000) : 1);
  }

  static uint8_t chainOf(uint8_t tile) { return tile < kTilesPerSide ? 1 : 2; }

  TileLight lightOf(uint8_t tile) const {
    if ((identify_ >> tile) & 1) return plainLight(step_ & 2 ? 0 : 96);
    return colours_[tile].at(step_, tile);
  }
};

}  // namespace baku
