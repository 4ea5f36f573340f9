/// A stretch with interrupts off that ends with the block.
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>

namespace baku {

class Atomic {
 public:
  Atomic() : sreg_(SREG) { cli(); }
  ~Atomic() {
    __asm__ volatile("" ::: "memory");
    SREG = sreg_;
  }

 private:
  uint8_t sreg_;
};

}  // namespace baku
