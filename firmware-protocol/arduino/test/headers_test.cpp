// The headers of the firmware on this machine, each against its timetable. Compile once for each board
// (-D__AVR_ATmega2560__ for the Mega). Argument: a group's name.
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "../BakuTile/src/activity.h"
#include "../BakuTile/src/debounce.h"
#include "../BakuTile/src/edge_queue.h"
#include "../BakuTile/src/frames_down.h"
#include "../BakuTile/src/hall_check.h"
#include "../BakuTile/src/identity.h"
#include "../BakuTile/src/lights.h"
#include "../BakuTile/src/line_reader.h"
#include "../BakuTile/src/quiet_mean.h"
#include "../BakuTile/src/sample_ring.h"
#include "../BakuTile/src/scan_plan.h"
#include "check.h"

using namespace baku;

namespace {

uint32_t noiseState = 12345;
uint32_t noise(uint32_t below) {
  noiseState = noiseState * 1664525u + 1013904223u;
  return (noiseState >> 8) % below;
}

std::string summed(const std::string& body) {
  uint16_t crc = kCrcStart;
  for (char c : body) crc = crc16(crc, static_cast<uint8_t>(c));
  char text[8];
  std::snprintf(text, sizeof text, "%04X", crc);
  return body + text;
}

// ---- line reader -----------------------------------------------------------------------------------------------

struct Heard {
  int good = 0, faults = 0, empty = 0;
  std::vector<int> tags;
};
Heard hear(LineReader& reader, const std::string& bytes) {
  Heard heard;
  for (char c : bytes) {
    const LineReader::Found found = reader.push(static_cast<uint8_t>(c));
    if (found == LineReader::kNothing) continue;
    Command command = Command();
    bool answerable = false;
    const LineFault fault =
        found == LineReader::kTooLong ? kLineTooLong : readCommand(reader.text(), reader.length(), command, answerable);
    if (fault == kNoFault) {
      heard.good++;
      heard.tags.push_back(command.tag);
    } else if (fault == kEmpty) {
      heard.empty++;
    } else {
      heard.faults++;
    }
  }
  return heard;
}

void readerGroup() {
  const std::string ping = summed("P1,04,");
  const std::string led = summed("L1,05,021,0040FF,80,0,");
  LineReader reader;
  Heard h = hear(reader, ping + "\n" + led + "\r\n\n\r\n");
  EQUAL(h.good, 2);
  EQUAL(h.empty, 2);
  EQUAL(h.faults, 0);
  // Two lines run together are one fault, and the next is heard.
  h = hear(reader, ping + ping + "\n" + led + "\n");
  EQUAL(h.faults, 1);
  EQUAL(h.good, 1);
  // A megabyte without a line end is one fault, and the next line is heard.
  h = hear(reader, std::string(1000000, 'L') + "\n" + ping + "\n");
  EQUAL(h.faults, 1);
  EQUAL(h.good, 1);
  // 59 characters fit, 60 do not; a carriage return does not count.
  for (int length = 55; length < 66; length++) {
    std::string line(length, 'Q');
    h = hear(reader, line + "\r\n");
    EQUAL(h.faults, 1);
    EQUAL(reader.length() <= 59 || length > 59, true);
  }
  LineReader exact;
  LineReader::Found found = LineReader::kNothing;
  for (char c : std::string(59, 'x') + "\r\n") found = exact.push(static_cast<uint8_t>(c));
  EQUAL(found, LineReader::kLine);
  EQUAL(exact.length(), 59);
  for (char c : std::string(60, 'x') + "\n") found = exact.push(static_cast<uint8_t>(c));
  EQUAL(found, LineReader::kTooLong);
  // Noise between lines costs at most the line it runs into.
  int heard = 0;
  for (int round = 0; round < 2000; round++) {
    std::string bytes;
    for (uint32_t n = noise(200); n != 0; n--) bytes.push_back(static_cast<char>(noise(256)));
    bytes += "\n" + ping + "\n";
    h = hear(reader, bytes);
    heard += h.good;
    for (int tag : h.tags) EQUAL(tag, 4);
  }
  EQUAL(heard, 2000);
  // No single damaged byte passes for a command.
  for (size_t at = 0; at < led.size(); at++) {
    for (int bit = 0; bit < 8; bit++) {
      std::string bad = led;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      h = hear(reader, bad + "\n");
      EQUAL(h.good, 0);
    }
  }
  // Who asks for something unknown is told so if the tag can be read.
  Command command = Command();
  bool answerable = false;
  const std::string unknown = summed("Z1,7E,");
  EQUAL(readCommand(unknown.data(), static_cast<uint8_t>(unknown.size()), command, answerable), kUnknownKind);
  EQUAL(answerable, true);
  EQUAL(command.tag, 0x7e);
  const std::string later = summed("L2,21,more,and,more,");
  EQUAL(readCommand(later.data(), static_cast<uint8_t>(later.size()), command, answerable), kWrongVersion);
  EQUAL(answerable, true);
  const std::string field = summed("L1,33,021,0040FF,80,9,");
  EQUAL(readCommand(field.data(), static_cast<uint8_t>(field.size()), command, answerable), kBadField);
  EQUAL(answerable, true);
  const std::string untagged = summed("L1,3,021,0040FF,80,0,");
  EQUAL(readCommand(untagged.data(), static_cast<uint8_t>(untagged.size()), command, answerable), kBadField);
  EQUAL(answerable, false);
}

// ---- ring ------------------------------------------------------------------------------------------------------

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

// ---- onset -----------------------------------------------------------------------------------------------------

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

// ---- debounce --------------------------------------------------------------------------------------------------

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

// ---- activity --------------------------------------------------------------------------------------------------

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
  // Hours later its old place is not taken for a recent one: slot numbers wrap every 65.5 s.
  {
    Bench bench(0);
    uint16_t moved[12];
    for (int round = 0; round < 40; round++) {
      std::memcpy(moved, flat, sizeof flat);
      const size_t before = bench.lines.size();
      for (int i = 0; i < 65536 + 3 * (round % 5); i++) {
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

// ---- edges -----------------------------------------------------------------------------------------------------

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

// ---- the rest --------------------------------------------------------------------------------------------------

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

int main(int argc, char** argv) {
  const std::string group = argc == 2 ? argv[1] : "";
  if (group == "reader") readerGroup();
  if (group == "ring") ringGroup();
  if (group == "onset") onsetGroup();
  if (group == "debounce") debounceGroup();
  if (group == "activity") activityGroup();
  if (group == "edges") edgesGroup();
  if (group == "means") meansGroup();
  if (group == "identity") identityGroup();
  if (group == "lights") lightsGroup();
#if defined(__AVR_ATmega2560__)
  if (group == "plan") planGroup();
#endif
  return check::report();
}
