/// Every pin of both boards; no other file names one. wiring.md repeats this table and a test compares the two.
///
/// Contacts and studs close to ground. A gate's photo-transistor pulls its pin low while it is lit, so a blocked beam
/// reads high. All of these inputs have the internal pull-up switched on.
#pragma once

#include <stdint.h>

namespace baku {

/// Port letter and bit within the port.
struct Pin {
  char port;
  uint8_t bit;
};

/// `count` neighbouring bits of one port, lowest first.
struct PinRun {
  char port;
  uint8_t first;
  uint8_t count;
};

/// Uno and Nano, ATmega328P: one side, six tiles.
namespace uno {
static constexpr Pin kMuxA = {'C', 0};             // A0        common of the multiplexer; channel = tile * 2 + hall
static constexpr PinRun kSelect = {'B', 0, 4};     // D8..D11   S0..S3
static constexpr PinRun kContactsA = {'D', 2, 6};  // D2..D7    tiles 0..5
static constexpr Pin kGateNearA = {'C', 1};        // A1        beam at the table edge
static constexpr Pin kGateFarA = {'C', 2};         // A2        beam two card lengths in
static constexpr Pin kStudA = {'C', 3};            // A3        pass stud
static constexpr Pin kStripA = {'B', 4};           // D12       WS2812 data
static constexpr Pin kStatus = {'B', 5};           // D13       status LED
}  // namespace uno

/// Mega 2560: both sides, twelve tiles, 0..5 on side A and 6..11 on side B.
namespace mega {
static constexpr Pin kMuxA = {'F', 0};             // A0        common of side A's multiplexer
static constexpr Pin kMuxB = {'F', 1};             // A1        common of side B's multiplexer
static constexpr PinRun kSelect = {'A', 0, 4};     // D22..D25  S0..S3 of both
static constexpr PinRun kContactsA = {'C', 0, 6};  // D37..D32  tiles 0..5
static constexpr PinRun kContactsB = {'L', 0, 6};  // D49..D44  tiles 6..11
static constexpr Pin kGateNearA = {'K', 0};        // A8
static constexpr Pin kGateFarA = {'K', 1};         // A9
static constexpr Pin kStudA = {'K', 2};            // A10
static constexpr Pin kGateNearB = {'K', 3};        // A11
static constexpr Pin kGateFarB = {'K', 4};         // A12
static constexpr Pin kStudB = {'K', 5};            // A13
static constexpr Pin kStripA = {'B', 6};           // D12       WS2812 data, side A
static constexpr Pin kStripB = {'B', 5};           // D11       WS2812 data, side B
static constexpr Pin kStatus = {'B', 7};           // D13       status LED
}  // namespace mega

#if defined(__AVR_ATmega2560__)
namespace pins = mega;
#else
namespace pins = uno;
#endif

}  // namespace baku
