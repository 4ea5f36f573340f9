/// Lines down: what each asks for, and the answer to it.
#pragma once

#include "../frames_down.h"
#include "state.h"
#include "telling.h"

namespace baku {
namespace {

/// Keys of configure lines; section 6 there.
enum ConfigKey : uint8_t {
  kKeyOnset = 0x01,
  kKeyHoldMs = 0x02,
  kKeyOpenMs = 0x03,
  kKeySpacingMs = 0x04,
  kKeyGreatestLevel = 0x05,
  /// Of our own, for tests: LEDs written between two looks at the receiver. 36 makes it overrun.
  kKeyLedsPerLook = 0x80,
};

/// Keeps a value that is within its range.
template <class Value>
Status keep(Value& setting, uint16_t value, uint16_t least, uint16_t most) {
  if (value < least || value > most) return kRefused;
  setting = static_cast<Value>(value);
  return kOk;
}

Status configure(uint8_t key, uint16_t value) {
  switch (key) {
    case kKeyOnset: {
      uint16_t quarters;
      if (keep(quarters, value, 8, 1020) != kOk) return kRefused;
      limits.onset = OnsetLimits::ofQuarters(quarters);
      return kOk;
    }
    case kKeyHoldMs:
      return keep(limits.holdMs, value, 50, 5000);
    case kKeyOpenMs:
      return keep(limits.openMs, value, 1, 100);
    case kKeySpacingMs:
      return keep(chains.spacingMs, value, 100, 1000);
    case kKeyGreatestLevel:
      return keep(chains.greatestLevel, value, 0, 255);
    case kKeyLedsPerLook:
      return keep(chains.ledsBetweenLooks, value, 1, kTilesPerSide * kLedsPerTile);
    default:
      return kUnknown;
  }
}

/// A fault line for every finding.
BAKU_SHARED void selfTest() {
  const uint16_t last = scanner.head() - 1;
  for (uint8_t c = 0; c < kChannels; c++) {
    const RailFault rail = railOf(scanner.ring.at(last)[c] * 4);
    if (rail != kNoRail) {
      fault(rail == kLowerRail ? kHallLowerRail : kHallUpperRail, c);
    } else if (hallCheck.dead(c)) {
      fault(kHallDead, c);
    }
  }
  uint32_t bits = scanner.inputs();
  for (uint8_t i = 0; bits != 0; i++, bits >>= 1) {
    if (bits & 1) fault(kInputStuck, i);
  }
}

bool tilesExist(uint16_t mask) { return (mask >> kTiles) == 0; }

bool sideFits(Side side) {
  if (side == kSideUnset) return true;
  return kSides == 2 ? side == kSideBoth : side != kSideBoth;
}

void setArmed(bool armed) {
  if (armed != chains.armed()) writeEdge(wire, nextStamp(), scanner.nowUs(), kInputArmed, armed);
  chains.arm(armed);
}

/// Does what a line asks. Gives false when the answer comes later.
BAKU_SHARED bool obey(const Command& command, Status& status) {
  status = kOk;
  switch (command.kind) {
    case kLed:
      if (!tilesExist(command.tileMask)) {
        status = kRefused;
        return true;
      }
      chains.set(command.tileMask, command.r, command.g, command.b, command.level, command.animation);
      if (chains.armed()) status = kHeld;
      return true;
    case kArm:
      armWanted = command.armed && !chains.armed();
      armTag = command.tag;
      if (armWanted) return false;
      if (!command.armed) setArmed(false);
      return true;
    case kGreet:
      sendHello();
      return true;
    case kIdentify:
      if (chains.armed() || !tilesExist(command.tileMask)) {
        status = kRefused;
      } else {
        chains.identify(command.tileMask);
      }
      return true;
    case kSelfTest:
      if (chains.armed()) {
        status = kRefused;
      } else {
        selfTest();
      }
      return true;
    case kConfigure:
      status = configure(command.key, command.value);
      return true;
    case kAssign: {
      if (chains.armed() || store.busy() || !sideFits(command.side)) {
        status = kRefused;
        return true;
      }
      const Identity identity = {command.side == kSideUnset ? 0 : command.device, command.side};
      store.assign(identity);
      assignTag = command.tag;
      return false;
    }
    default:
      return true;
  }
}

BAKU_SHARED void takeLine() {
  Command command = Command();
  bool answerable;
  const LineFault fault = readCommand(reader.text(), reader.length(), command, answerable);
  if (fault == kEmpty) return;
  Status status;
  if (fault == kNoFault) {
    if (obey(command, status)) answer(command.tag, status);
    return;
  }
  if (rxFaults != 0xffff) rxFaults++;
  if (answerable) answer(command.tag, fault == kBadField ? kRefused : kUnknown);
}

void listen() {
  while (usart.received()) {
    const LineReader::Found found = reader.push(usart.take());
    if (found == LineReader::kNothing) continue;
    if (found == LineReader::kLine) {
      takeLine();
    } else if (rxFaults != 0xffff) {
      rxFaults++;
    }
    return;
  }
}

void finishLater() {
  if (armWanted && !chains.dirty()) {
    armWanted = false;
    setArmed(true);
    answer(armTag, kOk);
  }
  if (store.turn()) {
    const bool good = store.found == kFound;
    if (!good) fault(kIdentityDamaged, 0);
    sendHello();
    answer(assignTag, good ? kOk : kRefused);
  }
}

}  // namespace
}  // namespace baku
