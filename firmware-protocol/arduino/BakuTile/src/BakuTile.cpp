#include "BakuTile.h"

#if F_CPU != 16000000L
#error "Times are cut for 16 MHz boards (Uno, Nano, Mega 2560)."
#endif

#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "chip/orders.h"
#include "chip/state.h"
#include "chip/telling.h"

namespace baku {
namespace {

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
