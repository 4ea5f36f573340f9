/// The clock and the converter: every half millisecond a look at the inputs, every millisecond a scan of the halls.
///
/// Timer1 runs free at 2 MHz. Compare A comes every 500 µs; every second one starts a scan, and the conversions then
/// follow each other by interrupt. All times are Timer1's, so interrupts may be off for many milliseconds before
/// anything is lost but samples.
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>

#include "../board.h"
#include "../edge_queue.h"
#include "../sample_ring.h"
#include "../scan_plan.h"
#include "atomic.h"
#include "inputs.h"

namespace baku {

typedef SampleRing<kTiles, kHalls, kSlots> Ring;

class Scanner {
 public:
  static const uint16_t kTick = 1000;    ///< Half a millisecond in half microseconds.
  static const int16_t kTooLate = 200;   ///< A scan later than this is given up, so that samples keep their places.

  Ring ring;
  EdgeQueue edges;

  void begin() {
    ring.begin();
    BAKU_PORT_OF(pins::kSelect)::direction() |= bitsOf(pins::kSelect);
    DIDR0 = kSides == 2 ? 3 : 1;
    ADCSRB = 0;
    ADMUX = _BV(REFS0);
    TCCR1A = 0;
    TCCR1B = 0;
    TCNT1 = 0;
    OCR1A = 2 * kTick;
    nextTickUs_ = 1000;
    evenNext_ = true;
    owed_ = 0;
    lost_ = 0;
    slip_ = 0;
    supplyLeft_ = 0;
    supplyRaw_ = 0;
    contacts_ = readContacts();
    aux_ = readAux();
    plan_.begin();
    TIFR1 = _BV(OCF1A);
    TIMSK1 = _BV(OCIE1A);
    TCCR1B = _BV(CS11);
    ADCSRA = _BV(ADEN) | _BV(ADIF) | _BV(ADIE) | _BV(ADPS2) | _BV(ADPS1);
  }

  /// On compare A.
  void onTick() {
    uint16_t due = OCR1A;
    int16_t late = static_cast<int16_t>(TCNT1 - due);
    // A tick that was slept through with interrupts off is only counted; one about to come is taken at once, since
    // its compare could be missed.
    while (late >= static_cast<int16_t>(kTick - 32)) {
      if (evenNext_) owed_++;
      passTick();
      due += kTick;
      late -= kTick;
    }
    OCR1A = due + kTick;
    const bool busy = ring.isOpen() || supplyLeft_ != 0;
    if (evenNext_) {
      if (busy || late > kTooLate) {
        owed_++;
      } else {
        while (owed_ != 0) repay();
        channels_ = plan_.start();
        select(kSharedRate ? *channels_ : 0);
        ADCSRA |= _BV(ADSC);
        channel_ = 0;
        cursor_ = ring.open(nextTickUs_);
        if (late > slip_) slip_ = late;
      }
    }
    look(static_cast<uint16_t>(nextTickUs_) + static_cast<uint16_t>(late > 0 ? late / 2 : 0));
    const bool scanned = evenNext_;
    if (scanned) slotContacts_ = contacts_;
    passTick();
    if (scanned) return;
    // The receiver can wait 40 µs: two bytes in its buffer, a third in the shift register, and the start bit of the
    // fourth. This may take longer. What interrupts it touches none of it: the converter rests when a scan is owed,
    // and the plan is the next scan's.
    const bool slow = kSharedRate || owed_ != 0;
    if (slow) sei();
    if (!busy) {
      while (owed_ != 0) repay();
    }
    plan_.prepare();
    if (slow) cli();
  }

  /// On conversion complete. Twelve thousand times a second: it calls nothing, so that few registers are saved.
  void onConversion() {
    const uint16_t value = ADC;
    if (ring.isOpen()) {
      if (kSharedRate) {
        const uint8_t* at = channels_;
        cursor_[*at] = value;
        const uint8_t next = *++at;
        channels_ = at;
        if (next != plan_.kEnd) {
          select(next);
          ADCSRA |= _BV(ADSC);
          return;
        }
      } else {
        *cursor_++ = value;
        const uint8_t next = channel_ + 1;
        channel_ = next;
        if (next != kChannels) {
          select(next);
          ADCSRA |= _BV(ADSC);
          return;
        }
      }
      plan_.done(ring.head());
      ring.close(slotContacts_);
      if (kSharedRate) {
        // What the next scan does not read keeps its value. Nothing that may interrupt touches that slot.
        sei();
        ring.carry();
        cli();
      }
      return;
    }
    if (supplyLeft_ == 0) return;
    if (--supplyLeft_ != 0) {
      ADCSRA |= _BV(ADSC);
      return;
    }
    supplyRaw_ = value;
    ADMUX = _BV(REFS0);
  }

  /// Moment now, µs. With interrupts off or on.
  uint32_t nowUs() const {
    Atomic guard;
    return nextTickUs_ + static_cast<int32_t>(static_cast<int16_t>(TCNT1 - OCR1A) / 2);
  }
  /// Number of the slot that comes next and its time.
  uint16_t head(uint32_t& us) const {
    Atomic guard;
    us = ring.headUs();
    return ring.head();
  }
  uint16_t head() const {
    Atomic guard;
    return ring.head();
  }
  /// Half microseconds to the next scan when the converter rests, else 0.
  uint16_t restLeft() const {
    Atomic guard;
    if (ring.isOpen() || supplyLeft_ != 0) return 0;
    const uint16_t left = OCR1A - TCNT1;
    if (left > kTick) return 0;
    return evenNext_ ? left : left + kTick;
  }
  /// Starts to measure the internal reference against the supply if the rest is long enough for three conversions.
  bool measureSupply() {
    Atomic guard;
    if (restLeft() < 2 * (3 * 58 + 12)) return false;
#if defined(__AVR_ATmega2560__)
    ADMUX = _BV(REFS0) | 0x1e;
#else
    ADMUX = _BV(REFS0) | 0x0e;
#endif
    // The first two settle the reference.
    supplyLeft_ = 3;
    ADCSRA |= _BV(ADSC);
    return true;
  }
  /// Reading of the 1.1 V reference, 0 before the first.
  uint16_t supplyRaw() const {
    Atomic guard;
    return supplyRaw_;
  }
  /// Contacts in bits 0 to 11, gates and studs in the wire's places.
  uint32_t inputs() const {
    Atomic guard;
    return static_cast<uint32_t>(aux_) << 16 | contacts_;
  }
  uint16_t lostScans() const {
    Atomic guard;
    return lost_;
  }
  /// Largest lateness of a scan since the last call, µs.
  uint16_t takeSlip() {
    Atomic guard;
    const uint16_t slip = static_cast<uint16_t>(slip_) / 2;
    slip_ = 0;
    return slip;
  }
  /// Tiles that deserve a scan each millisecond (shared rate only).
  void watch(TileMask mask) { plan_.watch(mask); }
  /// Makes the next rest longer where it may be too short for a strip write.
  void lengthenRest() { plan_.shorten(); }
  /// Tiles that were really read in a slot.
  TileMask fresh(uint16_t slot) const { return plan_.fresh(slot); }

 private:
  uint32_t nextTickUs_;
  uint16_t* cursor_;       ///< Shared rate: the slot. Else: where the next value goes.
  uint16_t lost_;
  int16_t slip_;
  uint16_t supplyRaw_;
  TileMask contacts_;
  TileMask slotContacts_;
  uint8_t aux_;
  bool evenNext_;          ///< The tick to come starts a scan.
  uint8_t owed_;           ///< Scans lost that the ring does not know of yet.
  uint8_t channel_;          ///< Channel being read; not with the shared rate.
  const uint8_t* channels_;  ///< Shared rate: where in the plan the scan is.
  volatile uint8_t supplyLeft_;
  ScanPlan<kSharedRate> plan_;

  void passTick() {
    nextTickUs_ += 500;
    evenNext_ = !evenNext_;
    edges.tick();
  }

  void repay() {
    owed_--;
    plan_.skipped(ring.head());
    ring.repeat(contacts_);
    if (lost_ != 0xffff) lost_++;
  }

  static inline __attribute__((always_inline)) void select(uint8_t channel) {
    if (kSides == 2) {
      uint8_t input = 0;
      if (channel >= kTilesPerSide * kHalls) {
        input = 1;
        channel -= kTilesPerSide * kHalls;
      }
      ADMUX = _BV(REFS0) | input;
    }
    volatile uint8_t& out = BAKU_PORT_OF(pins::kSelect)::out();
    out = (out & static_cast<uint8_t>(~bitsOf(pins::kSelect))) |
          static_cast<uint8_t>(channel << pins::kSelect.first);
  }

  /// Compares all inputs with the look before and queues what changed.
  void look(uint16_t lowUs) {
    const TileMask contacts = readContacts();
    const TileMask turned = contacts ^ contacts_;
    if (turned != 0) {
      contacts_ = contacts;
      TileMask one = 1;
      for (uint8_t tile = 0; tile < kTiles; tile++, one <<= 1) {
        if (turned & one) edges.push(lowUs, tile, contacts & one);
      }
    }
    const uint8_t aux = readAux();
    const uint8_t auxTurned = aux ^ aux_;
    if (auxTurned != 0) {
      aux_ = aux;
      uint8_t one = 1;
      for (uint8_t i = 0; i < 6; i++, one <<= 1) {
        if (auxTurned & one) edges.push(lowUs, EdgeQueue::kFirstAuxInput + i, aux & one);
      }
    }
  }
};

}  // namespace baku
