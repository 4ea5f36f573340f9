/// Ports by letter, so that pins.h alone decides which register is meant. All of it folds to constants.
#pragma once

#include <avr/io.h>

#include "../pins.h"

namespace baku {

template <char Letter>
struct Port;

#define BAKU_PORT(LETTER, OUT, DIRECTION, IN)                              \
  template <>                                                              \
  struct Port<LETTER> {                                                    \
    static volatile uint8_t& out() { return OUT; }                         \
    static volatile uint8_t& direction() { return DIRECTION; }             \
    static volatile uint8_t& in() { return IN; }                           \
  };
BAKU_PORT('B', PORTB, DDRB, PINB)
BAKU_PORT('C', PORTC, DDRC, PINC)
BAKU_PORT('D', PORTD, DDRD, PIND)
#if defined(__AVR_ATmega2560__)
BAKU_PORT('A', PORTA, DDRA, PINA)
BAKU_PORT('F', PORTF, DDRF, PINF)
BAKU_PORT('K', PORTK, DDRK, PINK)
BAKU_PORT('L', PORTL, DDRL, PINL)
#endif
#undef BAKU_PORT

#define BAKU_PORT_OF(PIN) Port<PIN.port>

inline constexpr uint8_t bitOf(const Pin& pin) { return static_cast<uint8_t>(1 << pin.bit); }
inline constexpr uint8_t bitsOf(const PinRun& run) {
  return static_cast<uint8_t>(((1 << run.count) - 1) << run.first);
}

/// Level of an input as bit 0.
#define BAKU_LEVEL(PIN) ((BAKU_PORT_OF(PIN)::in() >> PIN.bit) & 1)
#define BAKU_PULL_UP(PIN) (BAKU_PORT_OF(PIN)::out() |= bitOf(PIN))

}  // namespace baku
