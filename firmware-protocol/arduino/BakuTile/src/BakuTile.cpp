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
#include "line_reader.h"
#include "quiet_mean.h"
#include "version.h"

namespace baku {
namespace {

/// Codes of fault lines; their registry is in firmware-protocol/README.md.
enum FaultCode : uint8_t {
  kIdentityDamaged = 1,
  kHallAtRail = 2,
  kInputStuck = 3,
  kIdentityNotWritten = 4,
};

/// Keys of configure lines.
enum ConfigKey : uint8_t {
  kKeyOnset = 1,         ///< Onset threshold in quarter counts, 4 to 1000.
  kKeyHoldMs = 2,        ///< Quiet milliseconds before a tile goes idle, 8 to 10000.
  kKeyOpenMs = 3,        ///< Milliseconds before a contact counts as open, 1 to 250.
  kKeyLedsPerLook = 4,   ///< LEDs written between two looks at the receiver, 1 to 36.
};

Usart usart;
Scanner scanner;
Store store;
Chains chains;
Activity<kTiles, kHalls, kSlots, kFastTiles> activity;
QuietMean<kChannels> means;
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

Stamp nextStamp() {
  Stamp stamp = {static_cast<uint8_t>(store.bootId), seq++};
  return stamp;
}

struct MeansOfQuiet {
  uint16_t operator()(uint8_t channel) const { return means.quarters(channel); }
};

void sendHello() {
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
  writeHello(usart, nextStamp(), hello);
}

uint16_t supplyMv() {
  const uint16_t raw = scanner.supplyRaw();
  // The reference is nominally 1.1 V (1.0 to 1.2 by part), so this is a hint, not a meter.
  return raw < 128 ? 0 : static_cast<uint16_t>(1126400UL / raw);
}

void sendHealth() {
  Health health;
  health.atUs = scanner.nowUs();
  health.uptimeS = uptimeS;
  health.supplyMv = supplyMv();
  health.rxOverruns = usart.overruns();
  health.rxFaults = rxFaults;
  health.txDrops = txDrops;
  {
    Atomic guard;
    health.edgeDrops = scanner.edges.drops();
  }
  health.stackFree = stackFree();
  health.lostScans = scanner.lostScans();
  health.slipUs = scanner.takeSlip();
  writeHealth(usart, nextStamp(), health);
}

uint32_t inputs() {
  uint32_t bits = scanner.inputs();
  if (chains.armed()) bits |= 1UL << 23;
  return bits;
}

void answer(uint8_t tag, Status status) { writeAnswer(usart, nextStamp(), scanner.nowUs(), tag, status); }

void fault(FaultCode code, uint16_t detail) { writeFault(usart, nextStamp(), scanner.nowUs(), code, detail); }

void sendEdges() {
  while (!scanner.edges.empty()) {
    const Edge edge = scanner.edges.take();
    writeEdge(usart, nextStamp(), recentUs(scanner.nowUs(), edge.lowUs), edge.input & 0x7f, edge.input & 0x80);
  }
}

/// Looks at every scan that has come in, in order. Sends the quiet line when its time is up.
void lookAtScans() {
  while (seen != scanner.head()) {
    const uint16_t slot = seen++;
    const uint16_t* samples = scanner.ring.at(slot);
    const TileMask flags = scanner.ring.flags(slot);
    const bool quietDue = means.add(samples);
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
    if (!quietDue) continue;
    if (settling != 0) {
      settling--;
      activity.settle(MeansOfQuiet());
    } else {
      quietCount = quietCount == 2 ? 0 : quietCount + 1;
      activity.follow(slot, MeansOfQuiet(), quietCount == 0, limits);
    }
    sendEdges();
    uint32_t headUs;
    const uint16_t head = scanner.head(headUs);
    const uint32_t atUs = headUs - 1000UL * static_cast<uint16_t>(head - slot);
    writeQuiet(usart, nextStamp(), atUs, inputs(), kChannels, MeansOfQuiet());
    means.clear();
  }
}

/// Sends the oldest block that is due. True when there was one.
bool sendBurst() {
  uint32_t headUs;
  const uint16_t head = scanner.head(headUs);
  uint16_t start;
  const TileMask tiles = activity.due(head, start, txDrops);
  if (tiles == 0) return false;
  const RingBlock<Ring> block(scanner.ring, start, kHalls);
  const uint32_t atUs = headUs - 1000UL * static_cast<uint16_t>(head - start);
  writeBurst(usart, nextStamp(), tiles, atUs, block.gaps(), kTiles, kHalls, block);
  activity.sent(tiles, start, limits);
  return true;
}

bool setSetting(uint8_t key, uint16_t value) {
  switch (key) {
    case kKeyOnset:
      if (value < 4 || value > 1000) return false;
      limits.onset = OnsetLimits::ofQuarters(value);
      return true;
    case kKeyHoldMs:
      if (value < kBlockMs || value > 10000) return false;
      limits.holdMs = value;
      return true;
    case kKeyOpenMs:
      if (value < 1 || value > 250) return false;
      limits.openMs = static_cast<uint8_t>(value);
      return true;
    case kKeyLedsPerLook:
      if (value < 1 || value > kTilesPerSide * kLedsPerTile) return false;
      chains.ledsBetweenLooks = static_cast<uint8_t>(value);
      return true;
    default:
      return false;
  }
}

void selfTest() {
  const uint16_t* samples = scanner.ring.at(scanner.head() - 1);
  uint16_t values[kChannels];
  for (uint8_t c = 0; c < kChannels; c++) values[c] = samples[c];
  for (uint8_t c = 0; c < kChannels; c++) {
    if (values[c] < 8 || values[c] > 1015) fault(kHallAtRail, c);
  }
  const uint32_t bits = inputs();
  for (uint8_t i = 0; i < 22; i++) {
    if ((bits >> i) & 1) fault(kInputStuck, i);
  }
}

bool tilesExist(uint16_t mask) { return (mask >> kTiles) == 0; }

bool sideFits(Side side) {
  if (side == kSideUnset) return true;
  return kSides == 2 ? side == kSideBoth : side != kSideBoth;
}

/// Does what a line asks. Gives false when the answer comes later.
bool obey(const Command& command, Status& status) {
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
      chains.arm(false);
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
      selfTest();
      return true;
    case kConfigure:
      if (!setSetting(command.key, command.value)) status = kRefused;
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

void takeLine() {
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
    chains.arm(true);
    answer(armTag, kOk);
  }
  if (store.turn()) {
    const bool good = store.found == kFound;
    if (!good) fault(kIdentityNotWritten, 0);
    answer(assignTag, good ? kOk : kRefused);
    sendHello();
  }
}

void sleepUntilMore() {
  cli();
  // Compared with interrupts off, and the chip runs one more instruction after sei: no wake-up is missed.
  while (!usart.received() && scanner.edges.empty() && scanner.ring.head() == seen) {
    sleep_enable();
    sei();
    sleep_cpu();
    sleep_disable();
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
  BAKU_PORT_OF(pins::kStatus)::direction() |= bitOf(pins::kStatus);
  beginInputs();
  limits.onset = OnsetLimits::ofQuarters(16);
  limits.holdMs = 500;
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
  scanner.begin();
  sei();
  sendHello();
  if (store.found == kDamaged) fault(kIdentityDamaged, 0);
}

void turn() {
  static uint16_t lastMs = 0;
  const uint16_t before = msOfSecond;
  listen();
  lookAtScans();
  // Right after a scan was looked at, while there is still most of the rest ahead.
  chains.turn(scanner, usart, armWanted);
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
