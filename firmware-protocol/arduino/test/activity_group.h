/// What is sent of a tile, from before its onset to its rest.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "../BakuTile/src/activity.h"
#include "check.h"
#include "noise.h"

using namespace baku;

namespace {

typedef Activity<6, 2, 32> Tiles;
const ActivityLimits kLimits = {OnsetLimits::ofQuarters(20), 300, 20};

struct Sent {
  uint16_t start;
  uint8_t mask;
};

/// Runs tiles in virtual milliseconds; `lag` scans are looked at late.
struct Bench {
  Tiles tiles;
  uint16_t head = 0;
  int lost = 0;
  std::vector<Sent> lines;

  Bench(uint16_t from) {
    tiles.begin();
    head = from;
    uint16_t means[12];
    for (auto& mean : means) mean = 512 * 4;
    tiles.settle([&](uint8_t c) { return means[c]; });
    // The slots a board has counted so far.
    tiles.follow(from, [&](uint8_t c) { return means[c]; }, false, kLimits);
  }
  void ms(const uint16_t* samples, uint8_t contacts, bool fresh = true) {
    const uint16_t slot = head++;
    tiles.scan(slot, samples, contacts, fresh ? 0x3f : 0, kLimits);
    if (slot % 20 == 19) {
      tiles.follow(slot, [&](uint8_t c) { return static_cast<uint16_t>(samples[c] * 4); }, slot % 60 == 59, kLimits);
    }
  }
  /// Sends lines until none is due.
  void drain() {
    while (one()) {
    }
  }
  bool one() {
    uint16_t start;
    uint8_t mask;
    lost += tiles.due(head, start, mask);
    if (mask == 0) return false;
    HOLDS(static_cast<uint16_t>(head - start) >= 8);
    HOLDS(static_cast<uint16_t>(head - start) <= 27);
    EQUAL(start % 8, 0);
    lines.push_back({start, mask});
    tiles.sent(mask, start, kLimits);
    return true;
  }
};

void activityGroup() {
  uint16_t flat[12];
  for (auto& sample : flat) sample = 512;
  // Whatever the phase of the onset in its block, and across the wrap of slot numbers: at least 16 ms from before,
  // less than 24, then every block without gap or repeat until 300 ms of quiet.
  for (int phase = 0; phase < 16; phase++) {
    for (int byContact = 0; byContact < 2; byContact++) {
      Bench bench(static_cast<uint16_t>(phase < 8 ? 400 : 65500));
      for (int i = 0; i < 16 + phase % 8; i++) {
        bench.ms(flat, 0);
        bench.drain();
      }
      EQUAL(bench.lines.size(), 0);
      const uint16_t onset = bench.head;
      uint16_t moved[12];
      std::memcpy(moved, flat, sizeof flat);
      if (!byContact) moved[4] = 540;
      for (int i = 0; i < 400; i++) {
        bench.ms(moved, byContact ? 4 : 0);
        bench.drain();
      }
      HOLDS(bench.lines.size() > 3);
      const uint16_t first = bench.lines[0].start;
      const int before = static_cast<uint16_t>(onset - first);
      HOLDS(before >= 16 && before < 24);
      for (size_t i = 0; i < bench.lines.size(); i++) {
        EQUAL(bench.lines[i].mask, 4);
        EQUAL(bench.lines[i].start, static_cast<uint16_t>(first + 8 * i));
      }
      EQUAL(bench.tiles.active(), 0);
      EQUAL(bench.lost, 0);
      const uint16_t after = static_cast<uint16_t>(bench.lines.back().start + 8 - onset);
      HOLDS(after >= 300 && after <= 316);
    }
  }
  // A tile that joins sends its older blocks in lines of its own, then shares the others' line.
  {
    Bench bench(800);
    uint16_t moved[12];
    std::memcpy(moved, flat, sizeof flat);
    for (int i = 0; i < 100; i++) {
      if (i == 30) moved[0] = 560;
      if (i == 43) moved[7] = 560;
      moved[1] = static_cast<uint16_t>(moved[0] == 512 ? 512 : 512 + (i % 4) * 9);
      moved[6] = static_cast<uint16_t>(moved[7] == 512 ? 512 : 512 + (i % 4) * 9);
      bench.ms(moved, 0);
      bench.drain();
    }
    std::string masks;
    for (const Sent& line : bench.lines) masks.push_back(static_cast<char>('0' + line.mask));
    // Tile 0 (mask 1), then tile 3's own two or three blocks (mask 8), then both (9).
    const size_t own = masks.find('8'), both = masks.find('9');
    HOLDS(own != std::string::npos && both != std::string::npos && own < both);
    HOLDS(masks.find('8', both) == std::string::npos);
    HOLDS(masks.find('1', both) == std::string::npos);
    HOLDS(both - own == 2 || both - own == 3);
  }
  // A scan that only repeats is no sample: three repeats of a spike are no onset.
  {
    Bench bench(0);
    uint16_t spike[12];
    std::memcpy(spike, flat, sizeof flat);
    spike[2] = 600;
    bench.ms(spike, 0);
    for (int i = 0; i < 10; i++) bench.ms(spike, 0, false);
    bench.ms(flat, 0);
    EQUAL(bench.tiles.active(), 0);
  }
  // Awake again right after it went idle, a tile sends nothing twice.
  {
    Bench bench(1600);
    uint16_t moved[12];
    std::memcpy(moved, flat, sizeof flat);
    int level = 512;
    for (int i = 0; i < 3000; i++) {
      if (i % 330 == 5) level = level == 512 ? 550 : 512;
      moved[0] = static_cast<uint16_t>(level);
      bench.ms(moved, 0);
      bench.drain();
    }
    for (size_t i = 1; i < bench.lines.size(); i++) {
      HOLDS(static_cast<uint16_t>(bench.lines[i].start - bench.lines[i - 1].start) >= 8);
    }
    EQUAL(bench.lost, 0);
  }
  // Its old place is not taken for a recent one when slot numbers have wrapped, every 65.5 s.
  {
    Bench bench(0);
    uint16_t moved[12];
    for (int round = 0; round < 40; round++) {
      std::memcpy(moved, flat, sizeof flat);
      const size_t before = bench.lines.size();
      for (int i = 0; i < 65536 + 300 + round; i++) {
        moved[0] = i >= 100 && i < 110 ? 600 : 512;
        const uint16_t onset = bench.head;
        bench.ms(moved, 0);
        if (i == 100) {
          bench.drain();
          EQUAL(bench.lines.size(), before);
        }
        bench.drain();
        if (i == 120) HOLDS(static_cast<uint16_t>(onset - 20 - bench.lines[before].start) >= 16);
      }
    }
  }
  // A wire that falls behind loses whole blocks, counts them, and never sends one that may be overwritten.
  {
    Bench bench(0);
    uint16_t moved[12];
    for (int i = 0; i < 5000; i++) {
      for (int c = 0; c < 12; c++) moved[c] = static_cast<uint16_t>(500 + noise(40));
      bench.ms(moved, 0);
      if (i % 13 == 0) bench.one();
    }
    HOLDS(bench.lost > 0);
  }
}

}  // namespace
