/// Raw edges between the interrupt that sees them and the line that tells them, with a limit against chatter.
#pragma once

#include <stdint.h>

namespace baku {

struct Edge {
  uint16_t lowUs;  ///< Low half of the board's clock.
  uint8_t input;   ///< Input number, bit 7 set when closed.
};

/// At most 32 edges in any 100 ms. Tile contacts may use 24 of them, so that one that rattles cannot hide a launch.
class EdgeQueue {
 public:
  static const uint8_t kRoom = 16;
  static const uint8_t kMostInWindow = 32;
  static const uint8_t kMostOfContacts = 24;
  static const uint8_t kFirstAuxInput = 16;
  /// The window slides by parts of 10 ms, which are 20 calls of `tick`; one part more than 100 ms are looked at.
  static const uint8_t kPartTicks = 20;
  static const uint8_t kParts = 11;

  EdgeQueue() : head_(0), tail_(0), part_(0), ticksLeft_(kPartTicks), sum_(0), drops_(0), dropped_(0) {
    for (uint8_t i = 0; i < kParts; i++) used_[i] = 0;
  }

  /// Interrupt side, every half millisecond.
  void tick() {
    if (--ticksLeft_ != 0) return;
    ticksLeft_ = kPartTicks;
    part_ = part_ + 1 == kParts ? 0 : part_ + 1;
    sum_ -= used_[part_];
    used_[part_] = 0;
  }
  /// Interrupt side.
  void push(uint16_t lowUs, uint8_t input, bool closed) {
    const uint8_t most = input < kFirstAuxInput ? kMostOfContacts : kMostInWindow;
    if (sum_ >= most || static_cast<uint8_t>(head_ - tail_) == kRoom) {
      if (drops_ != 0xffff) drops_++;
      dropped_ = input;
      return;
    }
    sum_++;
    used_[part_]++;
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
  /// Input of the last of them.
  uint8_t dropped() const { return dropped_; }

 private:
  Edge edges_[kRoom];
  volatile uint8_t head_;
  volatile uint8_t tail_;
  uint8_t used_[kParts];
  uint8_t part_;
  uint8_t ticksLeft_;
  uint8_t sum_;
  uint16_t drops_;
  uint8_t dropped_;
};

/// The moment whose low half is `lowUs` and which is at most 65 ms before `nowUs`.
inline uint32_t recentUs(uint32_t nowUs, uint16_t lowUs) {
  return nowUs - static_cast<uint16_t>(static_cast<uint16_t>(nowUs) - lowUs);
}

}  // namespace baku
