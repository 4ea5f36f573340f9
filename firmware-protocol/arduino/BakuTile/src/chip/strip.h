/// WS2812 chains, bit by bit with interrupts off, the receiver looked at between LEDs.
///
/// A LED takes 28 µs and the receiver can wait 40 µs, so no byte is lost. A pause of a few µs between LEDs is far from
/// the 50 µs after which they latch.
#pragma once

#include <avr/io.h>

#include "../lights.h"
#include "ports.h"

namespace baku {

/// One byte, most significant bit first, at 16 MHz: a 0 is high for 6 cycles of 18, a 1 for 12.
template <char Letter, uint8_t Bit>
inline __attribute__((always_inline)) void stripByte(uint8_t byte) {
  uint8_t count = 8;
  __asm__ volatile(
      "1: sbi %[port], %[bit]\n"  // 2, the line rises with the second
      "nop\n nop\n nop\n"         // 3
      "sbrs %[byte], 7\n"         // 1, or 2 over the next
      "cbi %[port], %[bit]\n"     // 2, a 0 falls after 6
      "lsl %[byte]\n"             // 1
      "nop\n nop\n nop\n nop\n"   // 4
      "cbi %[port], %[bit]\n"     // 2, a 1 falls after 12
      "nop\n"                     // 1
      "dec %[count]\n"            // 1
      "brne 1b\n"                 // 2
      : [byte] "+r"(byte), [count] "+r"(count)
      : [port] "I"(_SFR_IO_ADDR(PORTB)), [bit] "I"(Bit));
  static_assert(Letter == 'B', "the chains hang on port B, the only one this loop addresses");
}

/// Writes a side's LEDs. Interrupts must be off. `receiver` has `waiting()` and `onReceive()`; it is looked at after
/// every `ledsBetweenLooks` LEDs.
template <char Letter, uint8_t Bit, class Receiver>
void writeStrip(const TileLight* lights, Receiver& receiver, uint8_t ledsBetweenLooks) {
  uint8_t left = ledsBetweenLooks;
  for (uint8_t tile = 0; tile < kTilesPerSide; tile++) {
    const TileLight& light = lights[tile];
    uint8_t lit = light.lit;
    for (uint8_t led = 0; led < kLedsPerTile; led++, lit >>= 1) {
      const uint8_t* colour = lit & 1 ? light.full : light.rest;
      const uint8_t first = colour[0], second = colour[1], third = colour[2];
      stripByte<Letter, Bit>(first);
      stripByte<Letter, Bit>(second);
      stripByte<Letter, Bit>(third);
      if (--left != 0) continue;
      left = ledsBetweenLooks;
      while (receiver.waiting()) receiver.onReceive();
    }
  }
}

}  // namespace baku
