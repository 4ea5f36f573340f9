#include "BakuTile.h"

#if F_CPU != 16000000L
#error "Times are cut for 16 MHz boards (Uno, Nano, Mega 2560)."
#endif

#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "activity.h"
#include "chip/chains.h"
#include "chip/memory.h"
#include "chip/scanner.h"
#include "chip/store.h"
#include "chip/usart.h"
#include "frames_down.h"
#include "frames_up.h"
#include "hall_check.h"
#include "line_reader.h"
#include "quiet_mean.h"
#include "version.h"

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

/// Number of the input that says whether the board is armed.
const uint8_t kInputArmed = 23;

Usart usart;
/// Where lines go.
struct Wire {
  void put(char c) const { usart.put(c); }
};
const Wire wire = {};
Scanner scanner;
Store store;
Chains chains;
Activity<kTiles, kHalls, kSlots, kFastTiles> activity;
QuietMean<kChannels> means;
HallCheck<kChannels> hallCheck;
LineReader reader;

ActivityLimits limits;
uint16_t seq;
uint16_t seen;         // Slots before this one have been looked at.
uint16_t msOfSecond;
uint32_t uptimeS;
uint16_t rxFaults;
uint16_t txDrops;
uint8_t quietCount;    // Quiet lines so far, for what comes with every third.
uint8_t settling;      // Quiet lines until the baselines stand and onsets count.
bool supplyWanted;
bool armWanted;        // Armed as soon as the strips show what they should.
uint8_t armTag;
uint8_t assignTag;
uint8_t stuckS[kSides * 3];  // Seconds each gate and stud has been closed, up to a minute.
uint16_t toldEdgeDrops;      // Counters as of the last health line.
uint16_t toldTxDrops;
uint16_t toldOverruns;

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
      armWanted = command.armed;
      if (armWanted) {
        armTag = command.tag;
        return false;
      }
      setArmed(false);
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

BAKU_SHARED void sleepUntilMore() {
  cli();
  // Compared with interrupts off, and the chip runs one more instruction after sei: no wake-up is missed.
  while (!usart.received() && scanner.edges.empty() && scanner.ring.head() == seen) {
    sei();
    sleep_cpu();
    cli();
  }
  sei();
}

void showStatus() {
  // Short flash each second; lit while armed.
  if (chains.armed() || msOfSecond < 40) {
    BAKU_PORT_OF(pins::kStatus)::out() |= bitOf(pins::kStatus);
  } else {
    BAKU_PORT_OF(pins::kStatus)::out() &= static_cast<uint8_t>(~bitOf(pins::kStatus));
  }
}

}  // namespace

void begin() {
  cli();
#if defined(TIMSK0)
  // The Arduino core's millisecond tick would only wake the chip and delay scans.
  TIMSK0 = 0;
#endif
  set_sleep_mode(SLEEP_MODE_IDLE);
  sleep_enable();
  BAKU_PORT_OF(pins::kStatus)::direction() |= bitOf(pins::kStatus);
  beginInputs();
  limits.onset = OnsetLimits::ofQuarters(20);
  limits.holdMs = 300;
  limits.openMs = 20;
  seq = 0;
  seen = 0;
  msOfSecond = 0;
  uptimeS = 0;
  rxFaults = 0;
  txDrops = 0;
  quietCount = 0;
  settling = 2;
  supplyWanted = true;
  armWanted = false;
  store.begin();
  usart.begin();
  chains.begin();
  activity.begin();
  means.clear();
  hallCheck.begin();
  scanner.begin();
  sei();
  sendHello();
  if (store.found == kDamaged) fault(kIdentityDamaged, 0);
}

void turn() {
  static uint16_t lastMs = 0;
  const uint16_t before = msOfSecond;
  listen();
  // First of all after a scan, while there is still most of the rest ahead.
  chains.turn(scanner, usart, armWanted);
  lookAtScans();
  sendEdges();
  finishLater();
  if (msOfSecond < lastMs) sendHello();
  if (lastMs < 500 && msOfSecond >= 500) sendHealth();
  if (lastMs < 250 && msOfSecond >= 250) supplyWanted = true;
  lastMs = msOfSecond;
  if (supplyWanted && scanner.measureSupply()) supplyWanted = false;
  if (before != msOfSecond) showStatus();
  if (sendBurst()) return;
  sleepUntilMore();
}

ISR(TIMER1_COMPA_vect) { scanner.onTick(); }
ISR(ADC_vect) { scanner.onConversion(); }
#if defined(USART0_RX_vect)
ISR(USART0_RX_vect) { usart.onReceive(); }
ISR(USART0_UDRE_vect) { usart.onEmpty(); }
#else
ISR(USART_RX_vect) { usart.onReceive(); }
ISR(USART_UDRE_vect) { usart.onEmpty(); }
#endif

}  // namespace baku
