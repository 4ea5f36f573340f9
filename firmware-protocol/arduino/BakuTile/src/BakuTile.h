/// The whole firmware of a side controller, as two calls for a sketch.
///
/// It owns Timer1, the converter, USART0 and their interrupts, so a sketch must not use Serial, analogRead, Servo or
/// tone beside it. Wiring is in pins.h, the line protocol in firmware-protocol/README.md.
#pragma once

namespace baku {

/// Sets the board up: pins, clock, converter, USART, identity. Queues the hello. Call once.
void begin();

/// One turn of the board's work, then sleep until an interrupt brings more. Call for ever.
void turn();

}  // namespace baku
