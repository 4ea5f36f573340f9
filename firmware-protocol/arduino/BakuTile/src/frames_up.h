/// Every line a board sends, one function a kind. Field meanings: firmware-protocol/frame.ts.
#pragma once

#include <stdint.h>

#include "line_writer.h"

namespace baku {

/// Place of a board: one player's side, both, or not assigned yet.
enum Side : uint8_t { kSideUnset = 0, kSideA = 1, kSideB = 2, kSideBoth = 3 };

inline const char* sideText(Side side) {
  return side == kSideA ? "A" : side == kSideB ? "B" : side == kSideBoth ? "AB" : "-";
}

struct Hello {
  uint32_t atUs;
  uint16_t bootId;
  uint32_t device;
  Side side;
  uint8_t protocol;
  uint8_t major, minor, patch;
  uint32_t build;
  uint8_t tiles, halls;
  uint16_t sampleHz, capabilities;
  uint8_t resetCause;
};

template <class Sink>
BAKU_SHARED void writeHello(Sink sink, Stamp stamp, const Hello& hello) {
  LineWriter<Sink> line(sink, 'H', stamp);
  line.hex8(hello.atUs);
  line.hex4(hello.bootId);
  line.hex8(hello.device);
  line.text(sideText(hello.side));
  line.dec(hello.protocol);
  line.dotted(hello.major, hello.minor, hello.patch);
  line.hex8(hello.build);
  line.dec(hello.tiles);
  line.dec(hello.halls);
  line.dec(hello.sampleHz);
  line.hex4(hello.capabilities);
  line.hex2(hello.resetCause);
  line.end();
}

/// `means` gives a mean in quarter counts for a channel, tile by tile, hall by hall.
template <class Sink, class Means>
void writeQuiet(Sink sink, Stamp stamp, uint32_t atUs, uint32_t inputs, uint8_t channels, const Means& means) {
  LineWriter<Sink> line(sink, 'Q', stamp);
  line.hex8(atUs);
  line.hex6(inputs);
  line.packed();
  for (uint8_t i = 0; i < channels; i++) line.bits12(means(i));
  if (channels & 1) line.oddTail();
  line.end();
}

/// A block of eight scans. `block` gives `sample(tile, scan, hall)` and `contacts(tile)`, scan 0 in bit 7.
template <class Sink, class Block>
void writeBurst(Sink sink, Stamp stamp, uint16_t tileMask, uint32_t atUs, uint8_t gapMask, uint8_t tiles,
                uint8_t halls, const Block& block) {
  LineWriter<Sink> line(sink, 'B', stamp);
  line.hex3(tileMask);
  line.hex8(atUs);
  line.hex2(gapMask);
  line.packed();
  uint16_t bit = 1;
  for (uint8_t tile = 0; tile < tiles; tile++, bit <<= 1) {
    if ((tileMask & bit) == 0) continue;
    for (uint8_t scan = 0; scan < 8; scan++) {
      for (uint8_t hall = 0; hall < halls; hall++) line.bits10(block.sample(tile, scan, hall));
    }
    line.bits8(block.contacts(tile));
    line.flush();
  }
  line.end();
}

template <class Sink>
BAKU_SHARED void writeEdge(Sink sink, Stamp stamp, uint32_t atUs, uint8_t input, bool closed) {
  LineWriter<Sink> line(sink, 'E', stamp);
  line.hex8(atUs);
  line.hex2(input);
  line.hex1(closed ? 1 : 0);
  line.end();
}

struct Health {
  uint32_t atUs;
  uint32_t uptimeS;
  uint16_t supplyMv, rxOverruns, rxFaults, txDrops, edgeDrops, stackFree, lostScans, slipUs;
};

template <class Sink>
BAKU_SHARED void writeHealth(Sink sink, Stamp stamp, const Health& health) {
  LineWriter<Sink> line(sink, 'S', stamp);
  line.hex8(health.atUs);
  line.dec(health.uptimeS);
  line.dec(health.supplyMv);
  line.dec(health.rxOverruns);
  line.dec(health.rxFaults);
  line.dec(health.txDrops);
  line.dec(health.edgeDrops);
  line.dec(health.stackFree);
  line.dec(health.lostScans);
  line.dec(health.slipUs);
  line.end();
}

enum Status : uint8_t { kOk, kHeld, kRefused, kUnknown };

inline const char* statusText(Status status) {
  return status == kOk ? "ok" : status == kHeld ? "held" : status == kRefused ? "refused" : "unknown";
}

template <class Sink>
BAKU_SHARED void writeAnswer(Sink sink, Stamp stamp, uint32_t atUs, uint8_t tag, Status status) {
  LineWriter<Sink> line(sink, 'A', stamp);
  line.hex8(atUs);
  line.hex2(tag);
  line.text(statusText(status));
  line.end();
}

template <class Sink>
BAKU_SHARED void writeFault(Sink sink, Stamp stamp, uint32_t atUs, uint8_t code, uint16_t detail) {
  LineWriter<Sink> line(sink, 'F', stamp);
  line.hex8(atUs);
  line.hex2(code);
  line.hex4(detail);
  line.end();
}

}  // namespace baku
