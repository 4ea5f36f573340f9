/// The ring of scans, means of halls, and which channels the Mega reads.
#pragma once

#include "../BakuTile/src/hall_check.h"
#include "../BakuTile/src/quiet_mean.h"
#include "../BakuTile/src/sample_ring.h"
#include "../BakuTile/src/scan_plan.h"
#include "check.h"
#include "noise.h"

using namespace baku;

namespace {

void ringGroup() {
  typedef SampleRing<6, 2, 32> Ring;
  static Ring ring;
  ring.begin();
  uint32_t us = 4294900000u;  // The clock wraps on the way.
  for (int slot = 0; slot < 70000; slot++, us += 1000) {
    const bool lost = slot % 11 == 10;
    const uint8_t contacts = static_cast<uint8_t>(slot & 0x3f);
    if (lost) {
      ring.repeat(contacts);
    } else {
      uint16_t* to = ring.open(us);
      EQUAL(ring.headUs(), us);
      for (int c = 0; c < 12; c++) to[c] = static_cast<uint16_t>((slot * 13 + c) & 1023);
      ring.close(contacts);
    }
    if (slot < 40 || slot > 69900) {
      EQUAL(ring.head(), static_cast<uint16_t>(slot + 1));
      EQUAL(ring.headUs(), us + 1000);
      const uint16_t newest = static_cast<uint16_t>(slot);
      const int source = lost ? slot - 1 : slot;
      for (int c = 0; c < 12; c++) EQUAL(ring.at(newest)[c], (source * 13 + c) & 1023);
      EQUAL((ring.flags(newest) & Ring::kGap) != 0, lost);
      EQUAL(ring.flags(newest) & 0x3f, contacts);
    }
  }
  // A block gives scans in order, contacts with scan 0 first, gaps with scan 0 in bit 0.
  ring.begin();
  for (int slot = 0; slot < 16; slot++) {
    if (slot == 13) {
      ring.repeat(4);
      continue;
    }
    uint16_t* to = ring.open(slot * 1000u);
    for (int c = 0; c < 12; c++) to[c] = static_cast<uint16_t>(slot * 20 + c);
    ring.close(slot >= 11 ? 4 : 0);
  }
  const RingBlock<Ring> block(ring, 8, 2);
  EQUAL(block.gaps(), 1 << 5);
  EQUAL(block.contacts(2), 0x1f);
  EQUAL(block.contacts(1), 0);
  for (uint8_t scan = 0; scan < 8; scan++) {
    const int slot = scan == 5 ? 12 : 8 + scan;
    EQUAL(block.sample(3, scan, 1), slot * 20 + 7);
  }
}

void meansGroup() {
  QuietMean<12> means;
  means.clear();
  for (int round = 0; round < 50; round++) {
    int sums[12] = {0};
    for (int scan = 0; scan < 20; scan++) {
      uint16_t samples[12];
      for (int c = 0; c < 12; c++) {
        samples[c] = static_cast<uint16_t>(c == 11 ? 1023 : noise(1024));
        sums[c] += samples[c];
      }
      EQUAL(means.add(samples), scan == 19);
    }
    for (uint8_t c = 0; c < 12; c++) {
      // Nearest quarter of a count.
      const int twice = 2 * sums[c] * 4, got = means.quarters(c) * 40;
      HOLDS(got - twice <= 20 && twice - got <= 20);
    }
    EQUAL(means.quarters(11), 4092);
    means.clear();
  }
  // Halls: five seconds at a rail are told once; ten seconds without any change are dead.
  HallCheck<12> checked;
  checked.begin();
  int told = 0;
  for (int look = 0; look < 2000; look++) {
    for (uint8_t c = 0; c < 12; c++) {
      const uint16_t mean = c == 2 ? 4092 : c == 3 ? 0 : 2048;
      const uint16_t sample = static_cast<uint16_t>(512 + (c == 5 ? 0 : noise(2)));
      const RailFault rail = checked.look(c, mean, sample, 512);
      if (rail == kNoRail) continue;
      told++;
      EQUAL(look, 249);
      EQUAL(rail, c == 2 ? kUpperRail : kLowerRail);
    }
    checked.next();
    if (look < 499) {
      EQUAL(checked.dead(5), false);
    }
  }
  EQUAL(told, 2);
  for (uint8_t c = 0; c < 12; c++) EQUAL(checked.dead(c), c == 5);
}

#if defined(__AVR_ATmega2560__)
void planGroup() {
  // Every watched tile in every scan, every other in one of four, never more than fit a millisecond.
  for (int watched = 0; watched <= 6; watched++) {
    static ScanPlan<true> plan;
    plan.begin();
    const TileMask mask = static_cast<TileMask>(((1 << watched) - 1) << 3);
    plan.watch(mask);
    plan.prepare();
    plan.start();
    int last[12];
    for (auto& at : last) at = 0;
    for (int scan = 0; scan < 200; scan++) {
      plan.prepare();
      const uint8_t* channels = plan.start();
      TileMask read = 0;
      int count = 0;
      for (; channels[count] != ScanPlan<true>::kEnd; count++) {
        EQUAL(channels[count] & 1, count & 1);
        read |= static_cast<TileMask>(1 << (channels[count] / 2));
      }
      plan.done(static_cast<uint16_t>(scan));
      EQUAL(plan.fresh(static_cast<uint16_t>(scan)), read);
      EQUAL(read & mask, mask);
      // 57 µs a channel: 16 are 912 µs.
      HOLDS(count <= 16);
      for (int tile = 0; tile < 12; tile++) {
        if ((read >> tile) & 1) last[tile] = scan;
        HOLDS(scan - last[tile] <= 4);
      }
    }
  }
}
#endif

}  // namespace
