/// Stack margin by paint: free memory is filled before main, and what still has its colour was never used.
#pragma once

#include <avr/io.h>
#include <avr/wdt.h>
#include <stdint.h>

extern uint8_t _end;
extern uint8_t __stack;

namespace baku {

static const uint8_t kPaint = 0xC5;

/// Cause of the reset as the chip told it, kept before anything clears it. Survives the clearing of .bss.
static uint8_t resetCause __attribute__((section(".noinit")));

/// Runs before static data are set up: no calls, no stack.
void paintStack() __attribute__((naked, used, section(".init3")));
void paintStack() {
  resetCause = MCUSR;
  MCUSR = 0;
  // After a watchdog reset the watchdog goes on running until it is switched off.
  wdt_disable();
  __asm__ volatile(
      "ldi r30, lo8(_end)\n"
      "ldi r31, hi8(_end)\n"
      "ldi r24, %[paint]\n"
      "ldi r25, hi8(__stack)\n"
      "rjmp 2f\n"
      "1: st Z+, r24\n"
      "2: cpi r30, lo8(__stack)\n"
      "cpc r31, r25\n"
      "brlo 1b\n"
      "breq 1b\n"
      :
      : [paint] "M"(static_cast<int>(kPaint))
      : "r24", "r25", "r30", "r31", "memory");
}

/// Bytes above static data that the stack never reached.
inline uint16_t stackFree() {
  const uint8_t* at = &_end;
  while (at < &__stack && *at == kPaint) at++;
  return static_cast<uint16_t>(at - &_end);
}

}  // namespace baku
