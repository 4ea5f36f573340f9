/// Everything the board knows. Part of BakuTile.cpp, as telling.h and orders.h are.
#pragma once

#include "../activity.h"
#include "../hall_check.h"
#include "../line_reader.h"
#include "../quiet_mean.h"
#include "chains.h"
#include "scanner.h"
#include "store.h"
#include "usart.h"

namespace baku {
namespace {

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

}  // namespace
}  // namespace baku
