/// Raw edges between the interrupt that sees them and the line that tells them, with a limit against chatter.
#pragma once

#include <stdint.h>

namespace baku {

struct Edge {
  uint16_t lowUs;  ///< Low half of the board's clock.
  uint8_t input;   ///< Input number, bit 7 set when closed.
};

/// Contacts share one allowance, gates and studs another, so that a contact that rattles cannot hide a launch.
class EdgeQueue {
 public:
  static const uint8_t kRoom = 16;
  static const uint8_t kMostInWindow = 32;
  /// Window of the limit in calls of `tick`, which come every half millisecond.
  static const uint8_t kWindowTicks = 200;
  static const uint8_t kFirstAuxInput = 16;

  EdgeQueue() : head_(0), tail_(0), ticksLeft_(kWindowTicks), contacts_(0), aux_(0), drops_(0) {}

  /// Interrupt side, every half millisecond.
  void tick() {
    if (--ticksLeft_ != 0) return;
    ticksLeft_ = kWindowTicks;
    contacts_ = 0;
    aux_ = 0;
  }
  /// Interrupt side.
  void push(uint16_t lowUs, uint8_t input, bool closed) {
    uint8_t& used = input < kFirstAuxInput ? contacts_ : aux_;
    if (used == kMostInWindow || static_cast<uint8_t>(head_ - tail_) == kRoom) {
      if (drops_ != 0xffff) drops_++;
      return;
    }
    used++;
    Edge& edge = edges_[head_ & (kRoom - 1)];
    edge.lowUs = lowUs;
    edge.input = closed ? input | 0x80 : input;
    head_ = head_ + 1;
  }

  bool empty() const { return head_ == tail_; }
  Edge take() {
    const Edge edge = edges_[tail_ & (kRoom - 1)];
    tail_ = tail_ + 1;
    return edge;
  }
  /// Edges that were not queued. Read with interrupts off.
  uint16_t drops() const { return drops_; }

 private:
  Edge edges_[kRoom];
  volatile uint8_t head_;
  volatile uint8_t tail_;
  uint8_t ticksLeft_;
  uint8_t contacts_;
  uint8_t aux_;
  uint16_t drops_;
};

/// The moment whose low half is `lowUs` and which is at most 65 ms before `nowUs`.
inline uint32_t recentUs(uint32_t nowUs, uint16_t lowUs) {
  return nowUs - static_cast<uint16_t>(static_cast<uint16_t>(nowUs) - lowUs);
}

}  // namespace baku
