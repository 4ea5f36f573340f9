/// Lines up, as the board's state gives them, and the work that goes with a quiet line.
#pragma once

#include "../frames_up.h"
#include "../version.h"
#include "memory.h"
#include "state.h"

namespace baku {
namespace {

/// Codes of fault lines; their registry is in firmware-protocol/README.md, section 5.
enum FaultCode : uint8_t {
  kHallLowerRail = 0x01,
  kHallUpperRail = 0x02,
  kHallDead = 0x03,
  kInputStuck = 0x04,
  kEdgesDropped = 0x05,
  kScanLate = 0x06,
  kIdentityDamaged = 0x07,
  kLinesDropped = 0x08,
  kReceiveOverrun = 0x09,
  kSupplyLow = 0x0A,
  kStackLow = 0x0B,
};

Stamp nextStamp() {
  Stamp stamp = {static_cast<uint8_t>(store.bootId), seq++};
  return stamp;
}

struct MeansOfQuiet {
  uint16_t operator()(uint8_t channel) const { return means.quarters(channel); }
};

BAKU_SHARED void sendHello() {
  Hello hello;
  hello.atUs = scanner.nowUs();
  hello.bootId = store.bootId;
  hello.device = store.identity.device;
  hello.side = store.identity.side;
  hello.protocol = kProtocol;
  hello.major = kFirmwareMajor;
  hello.minor = kFirmwareMinor;
  hello.patch = kFirmwarePatch;
  hello.build = kBuild;
  hello.tiles = kTiles;
  hello.halls = kHalls;
  hello.sampleHz = kSampleHz;
  hello.capabilities = kCapabilities;
  hello.resetCause = resetCause;
  writeHello(wire, nextStamp(), hello);
}

uint16_t supplyMv() {
  const uint16_t raw = scanner.supplyRaw();
  // The reference is nominally 1.1 V (1.0 to 1.2 by part), so this is a hint, not a meter.
  return raw < 128 ? 0 : static_cast<uint16_t>(1126400UL / raw);
}

void answer(uint8_t tag, Status status) { writeAnswer(wire, nextStamp(), scanner.nowUs(), tag, status); }

void fault(FaultCode code, uint16_t detail) { writeFault(wire, nextStamp(), scanner.nowUs(), code, detail); }

/// Fault lines for what got worse in the last second.
BAKU_SHARED void tellWorse(const Health& health, uint8_t droppedInput) {
  if (health.edgeDrops != toldEdgeDrops) fault(kEdgesDropped, droppedInput);
  if (health.slipUs > 200) fault(kScanLate, health.slipUs);
  if (health.txDrops != toldTxDrops) fault(kLinesDropped, health.txDrops);
  if (health.rxOverruns != toldOverruns) fault(kReceiveOverrun, health.rxOverruns);
  if (health.supplyMv != 0 && health.supplyMv < 4500) fault(kSupplyLow, health.supplyMv);
  if (health.stackFree < 100) fault(kStackLow, health.stackFree);
  // A contact may be closed for long by a ball that rests; only the host can tell. A gate or stud may not.
  uint32_t bits = scanner.inputs() >> EdgeQueue::kFirstAuxInput;
  for (uint8_t i = 0; i < kSides * 3; i++, bits >>= 1) {
    if ((bits & 1) == 0) {
      stuckS[i] = 0;
    } else if (stuckS[i] <= 60 && ++stuckS[i] == 60) {
      fault(kInputStuck, EdgeQueue::kFirstAuxInput + i);
    }
  }
}

BAKU_SHARED void sendHealth() {
  Health health;
  health.atUs = scanner.nowUs();
  health.uptimeS = uptimeS;
  health.supplyMv = supplyMv();
  health.rxOverruns = usart.overruns();
  health.rxFaults = rxFaults;
  health.txDrops = txDrops;
  uint8_t droppedInput;
  {
    Atomic guard;
    health.edgeDrops = scanner.edges.drops();
    droppedInput = scanner.edges.dropped();
  }
  health.stackFree = stackFree();
  health.lostScans = scanner.lostScans();
  health.slipUs = scanner.takeSlip();
  writeHealth(wire, nextStamp(), health);
  tellWorse(health, droppedInput);
  toldEdgeDrops = health.edgeDrops;
  toldTxDrops = health.txDrops;
  toldOverruns = health.rxOverruns;
}

uint32_t inputs() {
  uint32_t bits = scanner.inputs();
  if (chains.armed()) bits |= 1UL << kInputArmed;
  return bits;
}

BAKU_SHARED void sendEdges() {
  while (!scanner.edges.empty()) {
    const Edge edge = scanner.edges.take();
    writeEdge(wire, nextStamp(), recentUs(scanner.nowUs(), edge.lowUs), edge.input & 0x7f, edge.input & 0x80);
  }
}

/// The line of every 20th scan, and what else looks at means.
BAKU_SHARED void sendQuiet(uint16_t slot) {
  const MeansOfQuiet mean = MeansOfQuiet();
  if (settling != 0) {
    settling--;
    activity.settle(mean);
  } else {
    quietCount = quietCount == 2 ? 0 : quietCount + 1;
    activity.follow(slot, mean, quietCount == 0, limits);
  }
  sendEdges();
  uint32_t headUs;
  const uint16_t head = scanner.head(headUs);
  // The means end with this scan's millisecond.
  const uint32_t atUs = headUs - 1000UL * static_cast<uint16_t>(head - slot - 1);
  writeQuiet(wire, nextStamp(), atUs, inputs(), kChannels, mean);
  const uint16_t* samples = scanner.ring.at(slot);
  const uint16_t* before = scanner.ring.at(slot - 1);
  for (uint8_t c = 0; c < kChannels; c++) {
    const RailFault rail = hallCheck.look(c, mean(c), samples[c], before[c]);
    if (rail != kNoRail) fault(rail == kLowerRail ? kHallLowerRail : kHallUpperRail, c);
  }
  hallCheck.next();
  means.clear();
}

/// Looks at every scan that has come in, in order.
BAKU_SHARED void lookAtScans() {
  while (seen != scanner.head()) {
    const uint16_t slot = seen++;
    const uint16_t* samples = scanner.ring.at(slot);
    const TileMask flags = scanner.ring.flags(slot);
    chains.tick();
    if (++msOfSecond == 1000) {
      msOfSecond = 0;
      uptimeS++;
    }
    if (settling == 0) {
      const TileMask fresh = flags & Ring::kGap ? 0 : scanner.fresh(slot);
      activity.scan(slot, samples, flags & static_cast<TileMask>(~Ring::kGap), fresh, limits);
      if (kSharedRate) scanner.watch(activity.watched());
    }
    if (means.add(samples)) sendQuiet(slot);
  }
}

/// Sends the oldest block that is due. True when there was one.
BAKU_SHARED bool sendBurst() {
  uint32_t headUs;
  const uint16_t head = scanner.head(headUs);
  uint16_t start;
  TileMask tiles;
  const uint8_t dropped = activity.due(head, start, tiles);
  // A line that is never made has its number all the same: so the host knows.
  seq += dropped;
  txDrops = txDrops > 0xffff - dropped ? 0xffff : txDrops + dropped;
  if (tiles == 0) return false;
  const RingBlock<Ring> block(scanner.ring, start, kHalls);
  const uint32_t atUs = headUs - 1000UL * static_cast<uint16_t>(head - start);
  writeBurst(wire, nextStamp(), tiles, atUs, block.gaps(), kTiles, kHalls, block);
  activity.sent(tiles, start, limits);
  return true;
}

}  // namespace
}  // namespace baku
