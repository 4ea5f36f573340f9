/// Contacts, gates and studs as logical bits: 1 is closed, blocked, pressed.
#pragma once

#include "../board.h"
#include "ports.h"

namespace baku {

/// Bits of `AuxMask`, in the order of the wire's input numbers from 16 on.
enum : uint8_t { kGateNear = 1 << 0, kGateFar = 1 << 1, kStud = 1 << 2 };

inline void beginInputs() {
  BAKU_PORT_OF(pins::kContactsA)::out() |= bitsOf(pins::kContactsA);
  BAKU_PULL_UP(pins::kGateNearA);
  BAKU_PULL_UP(pins::kGateFarA);
  BAKU_PULL_UP(pins::kStudA);
#if defined(__AVR_ATmega2560__)
  BAKU_PORT_OF(pins::kContactsB)::out() |= bitsOf(pins::kContactsB);
  BAKU_PULL_UP(pins::kGateNearB);
  BAKU_PULL_UP(pins::kGateFarB);
  BAKU_PULL_UP(pins::kStudB);
#endif
}

inline TileMask readContacts() {
  const uint8_t a = (~BAKU_PORT_OF(pins::kContactsA)::in() & bitsOf(pins::kContactsA)) >> pins::kContactsA.first;
#if defined(__AVR_ATmega2560__)
  const uint8_t b = (~BAKU_PORT_OF(pins::kContactsB)::in() & bitsOf(pins::kContactsB)) >> pins::kContactsB.first;
  return static_cast<TileMask>(b) << kTilesPerSide | a;
#else
  return a;
#endif
}

/// Side A in bits 0 to 2, side B in bits 3 to 5.
inline uint8_t readAux() {
  uint8_t aux = 0;
  if (BAKU_LEVEL(pins::kGateNearA)) aux |= kGateNear;
  if (BAKU_LEVEL(pins::kGateFarA)) aux |= kGateFar;
  if (!BAKU_LEVEL(pins::kStudA)) aux |= kStud;
#if defined(__AVR_ATmega2560__)
  if (BAKU_LEVEL(pins::kGateNearB)) aux |= kGateNear << 3;
  if (BAKU_LEVEL(pins::kGateFarB)) aux |= kGateFar << 3;
  if (!BAKU_LEVEL(pins::kStudB)) aux |= kStud << 3;
#endif
  return aux;
}

}  // namespace baku
