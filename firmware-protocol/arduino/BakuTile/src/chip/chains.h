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
  static const uint8_t kIdentifySteps = 27;  ///< 3 s of `kStepMs`.
  /// A strip of 36 LEDs with its looks at the receiver, and room to spare, µs: tests measure it.
  static const uint16_t kWriteUs = 1100;
  /// Writes wait this long for a rest long enough, then take any rest.
  static const uint8_t kPatienceMs = 250;

  /// LEDs sent between two looks at the receiver.
  uint8_t ledsBetweenLooks;

  void begin() {
    BAKU_PORT_OF(pins::kStripA)::direction() |= bitOf(pins::kStripA);
#if defined(__AVR_ATmega2560__)
    BAKU_PORT_OF(pins::kStripB)::direction() |= bitOf(pins::kStripB);
#endif
    ledsBetweenLooks = 1;
    armed_ = false;
    identify_ = 0;
    identifyLeft_ = 0;
    step_ = 0;
    stepMs_ = 0;
    // LEDs may wake up in any colour: dark is the first thing they are told.
    dirty_ = kAllChains;
    for (uint8_t side = 0; side < kSides; side++) sinceMs_[side] = kStepMs;
  }

  void set(uint16_t tiles, uint8_t r, uint8_t g, uint8_t b, uint8_t level, uint8_t animation) {
    for (uint8_t tile = 0; tile < kTiles; tile++, tiles >>= 1) {
      if ((tiles & 1) == 0) continue;
      colours_[tile].set(r, g, b, level, animation);
      dirty_ |= chainOf(tile);
    }
  }
  void identify(uint16_t tiles) {
    identify_ = static_cast<TileMask>(tiles);
    identifyLeft_ = kIdentifySteps;
    dirty_ = kAllChains;
  }
  bool dirty() const { return dirty_ != 0; }
  bool armed() const { return armed_; }
  void arm(bool armed) {
    armed_ = armed;
    if (armed) {
      identifyLeft_ = 0;
      identify_ = 0;
    } else {
      dirty_ = kAllChains;
    }
  }

  /// Every millisecond.
  void tick() {
    for (uint8_t side = 0; side < kSides; side++) {
      if (sinceMs_[side] != 255) sinceMs_[side]++;
    }
    if (armed_ || ++stepMs_ < kStepMs) return;
    stepMs_ = 0;
    step_++;
    if (identifyLeft_ != 0) {
      dirty_ |= kAllChains;
      if (--identifyLeft_ == 0) identify_ = 0;
    }
    for (uint8_t tile = 0; tile < kTiles; tile++) {
      if (colours_[tile].moves()) dirty_ |= chainOf(tile);
    }
  }

  /// Writes a chain if one wants it, may have it, and the converter rests long enough. `urgent` waives the spacing.
  void turn(Scanner& scanner, Usart& usart, bool urgent) {
    if (dirty_ == 0 || armed_) return;
    for (uint8_t side = 0; side < kSides; side++) {
      const uint8_t chain = static_cast<uint8_t>(1 << side);
      if ((dirty_ & chain) == 0 || (!urgent && sinceMs_[side] < kStepMs)) continue;
      TileLight lights[kTilesPerSide];
      for (uint8_t i = 0; i < kTilesPerSide; i++) lights[i] = lightOf(side * kTilesPerSide + i);
      Atomic guard;
      // It ends before the scan after next: the one in between is lost and no other.
      const uint16_t rest = scanner.restLeft();
      if (rest == 0 || (rest < 2 * (kWriteUs - 1000) && sinceMs_[side] < kPatienceMs)) return;
      if (side == 0) {
        writeStrip<pins::kStripA.port, pins::kStripA.bit>(lights, usart, ledsBetweenLooks);
      } else {
#if defined(__AVR_ATmega2560__)
        writeStrip<pins::kStripB.port, pins::kStripB.bit>(lights, usart, ledsBetweenLooks);
#endif
      }
      dirty_ &= static_cast<uint8_t>(~chain);
      sinceMs_[side] = 0;
      return;
    }
  }

 private:
  static const uint8_t kAllChains = (1 << kSides) - 1;

  TileColour colours_[kTiles];
  uint8_t dirty_;  ///< Chains whose LEDs show something else than they should.
  uint8_t sinceMs_[kSides];
  bool armed_;
  TileMask identify_;
  uint8_t identifyLeft_;
  uint8_t step_;
  uint8_t stepMs_;

  static uint8_t chainOf(uint8_t tile) { return tile < kTilesPerSide ? 1 : 2; }

  TileLight lightOf(uint8_t tile) const {
    if ((identify_ >> tile) & 1) return plainLight(identifyLeft_ & 2 ? 96 : 0);
    return colours_[tile].at(step_, tile);
  }
};

}  // namespace baku
