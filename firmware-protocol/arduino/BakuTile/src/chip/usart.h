/// USART0 at 500000 baud 8N1, both directions through rings and interrupts.
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "../board.h"
#include "atomic.h"

namespace baku {

class Usart {
 public:
  static const uint8_t kRxRoom = 64;

  void begin() {
    rxHead_ = rxTail_ = txHead_ = txTail_ = 0;
    overruns_ = 0;
    // 16 MHz / 16 / (1 + 1) is 500000 exactly.
    UBRR0 = 1;
    UCSR0A = 0;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
  }

  /// Sends one character; sleeps while the ring is full.
  BAKU_HOT void put(char c) {
    const uint8_t at = txHead_;
    const uint8_t next = static_cast<uint8_t>(at + 1);
    // Any interrupt ends the sleep, and the transmitter's comes within 20 µs.
    while (next == txTail_) sleep_cpu();
    tx_[at] = static_cast<uint8_t>(c);
    inOrder();
    txHead_ = next;
    if ((UCSR0B & _BV(UDRIE0)) == 0) startSending();
  }

  bool received() const { return rxHead_ != rxTail_; }
  /// A byte received; ask `received` first.
  uint8_t take() {
    const uint8_t byte = rx_[rxTail_];
    inOrder();
    rxTail_ = (rxTail_ + 1) & (kRxRoom - 1);
    return byte;
  }
  /// Bytes the receiver or its ring lost. Saturates.
  uint16_t overruns() const {
    Atomic guard;
    return overruns_;
  }

  /// Takes one byte from the chip; on receive interrupt, or polled with interrupts off.
  void onReceive() {
    // The overrun flag belongs to the byte that is about to be read and goes with it.
    const bool lost = UCSR0A & _BV(DOR0);
    const uint8_t byte = UDR0;
    const uint8_t next = (rxHead_ + 1) & (kRxRoom - 1);
    const bool full = next == rxTail_;
    if ((lost || full) && overruns_ != 0xffff) overruns_++;
    if (full) return;
    rx_[rxHead_] = byte;
    rxHead_ = next;
  }
  /// True when a byte waits in the chip.
  static bool waiting() { return UCSR0A & _BV(RXC0); }

  /// On data register empty. A byte is written before anything else, always.
  void onEmpty() {
    const uint8_t tail = txTail_;
    UDR0 = tx_[tail];
    const uint8_t next = static_cast<uint8_t>(tail + 1);
    txTail_ = next;
    if (next == txHead_) UCSR0B &= static_cast<uint8_t>(~_BV(UDRIE0));
  }

 private:
  uint8_t tx_[256];
  uint8_t rx_[kRxRoom];
  volatile uint8_t txHead_, txTail_, rxHead_, rxTail_;
  uint16_t overruns_;

  /// A byte is in its place before the other side may look, and read before its place is free.
  static void inOrder() { __asm__ volatile("" ::: "memory"); }

  BAKU_SHARED void startSending() {
    Atomic guard;
    // Looked at again: the handler may have sent everything since, and it must never run on an empty ring.
    if (txHead_ != txTail_) UCSR0B |= _BV(UDRIE0);
  }
};

}  // namespace baku
