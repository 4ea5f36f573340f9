/// Timetables of onsets, debounced contacts and edges.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "../BakuTile/src/debounce.h"
#include "../BakuTile/src/edge_queue.h"
#include "../BakuTile/src/onset.h"
#include "check.h"

using namespace baku;

namespace {

/// Index of the sample at which an onset is told, or -1.
int onsetAt(const std::vector<int>& samples) {
  HallOnset hall;
  hall.settle(512 * 4);
  const OnsetLimits limits = OnsetLimits::ofQuarters(20);
  for (size_t i = 0; i < samples.size(); i++) {
    if (hall.onset(static_cast<uint16_t>(samples[i]), limits)) return static_cast<int>(i);
  }
  return -1;
}

void onsetGroup() {
  // Baseline 512, threshold 5 counts: the third sample running beyond it, on one side.
  EQUAL(onsetAt({512, 512, 518, 518, 518}), 4);
  EQUAL(onsetAt({512, 506, 506, 506}), 3);
  EQUAL(onsetAt({517, 517, 517, 517, 517}), -1);
  EQUAL(onsetAt({507, 507, 507, 507, 507}), -1);
  EQUAL(onsetAt({600, 600, 512, 600, 600, 512}), -1);
  EQUAL(onsetAt({600, 400, 600, 400, 600, 400}), -1);
  EQUAL(onsetAt({1023, 1023, 1023}), 2);
  EQUAL(onsetAt({0, 0, 0}), 2);
  const OnsetLimits limits = OnsetLimits::ofQuarters(20);
  // The whole range of baselines and samples agrees with the plain inequality.
  for (int base = 0; base < 1024; base += 31) {
    for (int sample = 0; sample < 1024; sample++) {
      HallOnset hall;
      hall.settle(static_cast<uint16_t>(base * 4));
      bool told = false;
      for (int i = 0; i < 3; i++) told = hall.onset(static_cast<uint16_t>(sample), limits);
      EQUAL(told, (sample > base ? sample - base : base - sample) > 5);
    }
  }
  // Active: two samples running beyond 0.6 of it move the baseline, and then it is quiet there.
  HallOnset hall;
  hall.settle(512 * 4);
  EQUAL(hall.moved(516, limits), false);
  EQUAL(hall.moved(516, limits), true);
  EQUAL(hall.baseline(), 516 * 32);
  EQUAL(hall.moved(519, limits), false);
  EQUAL(hall.moved(519, limits), false);
  EQUAL(hall.moved(519, limits), false);
  // It centres on the mean of a level that stays.
  for (int i = 0; i < 20; i++) hall.centre(518 * 4, limits);
  HOLDS(hall.baseline() > 518 * 32 - 8 && hall.baseline() <= 518 * 32);
  // And lets a mean beyond the threshold to `moved`.
  hall.settle(512 * 4);
  hall.centre(530 * 4, limits);
  EQUAL(hall.baseline(), 512 * 32);
  // Idle: half a count is let lie, then 1/32 count a step.
  hall.settle(512 * 4);
  hall.creep(512 * 4 + 2);
  EQUAL(hall.baseline(), 512 * 32);
  for (int i = 0; i < 10; i++) hall.creep(512 * 4 + 3);
  EQUAL(hall.baseline(), 512 * 32 + 8);
  for (int i = 0; i < 17; i++) hall.creep(500 * 4);
  EQUAL(hall.baseline(), 512 * 32 - 9);
}

/// Debounced states of one tile for raw states given as text, a character a millisecond.
std::string debounced(const std::string& raw) {
  ContactDebounce<6> contacts;
  contacts.begin();
  std::string out;
  for (char c : raw) {
    contacts.sample(c == '#' ? 8 : 0, 20);
    EQUAL(contacts.closed() & ~8, 0);
    out.push_back(contacts.closed() & 8 ? '#' : '.');
  }
  return out;
}

void debounceGroup() {
  // Closed from the second sample on; one alone is a spike.
  HOLDS(debounced("..##..") == "...###");
  HOLDS(debounced(".#.#.#.#.") == ".........");
  // Open after 20 ms without a closed sample: the 21st.
  const std::string closed = "##";
  HOLDS(debounced(closed + std::string(20, '.')) == ".#" + std::string(20, '#'));
  HOLDS(debounced(closed + std::string(21, '.')) == ".#" + std::string(20, '#') + ".");
  // A ball that hops for up to 20 ms keeps it closed.
  std::string hops = closed, wanted = ".#";
  for (int i = 0; i < 5; i++) {
    hops += std::string(19, '.') + "#";
    wanted += std::string(20, '#');
  }
  HOLDS(debounced(hops) == wanted);
  // Tiles do not touch each other.
  ContactDebounce<12> all;
  all.begin();
  EQUAL(all.sample(0x801, 20), 0);
  EQUAL(all.sample(0x803, 20), 0x801);
  EQUAL(all.sample(0x803, 20), 0x002);
  EQUAL(all.closed(), 0x803);
}

void edgesGroup() {
  static EdgeQueue queue;
  // A contact that toggles at every look for a second; a gate that is blocked for 20 ms in the middle.
  std::deque<int> times, contactTimes;
  int gates = 0;
  int pushed = 0;
  for (int tick = 0; tick < 2000; tick++) {
    queue.push(static_cast<uint16_t>(tick * 500), 3, tick & 1);
    pushed++;
    if (tick == 1010 || tick == 1050) {
      queue.push(static_cast<uint16_t>(tick * 500), 16, tick == 1010);
      pushed++;
    }
    while (!queue.empty()) {
      const Edge edge = queue.take();
      times.push_back(tick);
      if ((edge.input & 0x7f) == 16) gates++;
    }
    queue.tick();
    while (!times.empty() && times.front() <= tick - 200) times.pop_front();
    HOLDS(times.size() <= 32);
  }
  EQUAL(gates, 2);
  HOLDS(queue.drops() > 1500 && queue.drops() < pushed);
  EQUAL(queue.dropped(), 3);
  // A queue nobody empties keeps the first sixteen and counts the rest.
  static EdgeQueue full;
  for (int i = 0; i < 20; i++) full.push(static_cast<uint16_t>(i), static_cast<uint8_t>(i % 6), true);
  int kept = 0;
  while (!full.empty()) {
    const Edge edge = full.take();
    EQUAL(edge.lowUs, kept);
    EQUAL(edge.input, 0x80 | kept % 6);
    kept++;
  }
  EQUAL(kept, 16);
  EQUAL(full.drops(), 4);
  EQUAL(recentUs(0x00012345, 0x2345), 0x00012345);
  EQUAL(recentUs(0x00010010, 0xfff0), 0x0000fff0);
  EQUAL(recentUs(0x00000005, 0xfffb), 0xfffffffbu);
}

}  // namespace
