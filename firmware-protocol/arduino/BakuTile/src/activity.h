/// Which tiles are active, and which block of each goes on the wire next.
#pragma once

#include <stdint.h>

#include "board.h"
#include "debounce.h"
#include "onset.h"

namespace baku {

/// Settings a host may change until the next reset.
struct ActivityLimits {
  OnsetLimits onset;
  uint16_t holdMs;  ///< An active tile goes idle after this long without a move. Below 32768.
  uint8_t openMs;   ///< A contact counts as open after this long.
};

/// `MaxActive` bounds how many tiles are active at a time (a board that cannot scan them all each millisecond).
template <uint8_t Tiles, uint8_t Halls, uint8_t Slots, uint8_t MaxActive = Tiles>
class Activity {
 public:
  typedef typename TileBits<Tiles>::type Mask;
  /// A block older than this when its line is begun could be overwritten before the line is out.
  static const uint8_t kOldest = Slots - 5;

  void begin() {
    active_ = 0;
    turnedAway_ = 0;
    contacts_.begin();
    for (uint8_t t = 0; t < Tiles; t++) {
      next_[t] = 0;
      moved_[t] = 0;
    }
    for (uint8_t c = 0; c < Tiles * Halls; c++) hall_[c].settle(2048);
  }

  /// Takes the present level of every channel as its baseline. `means(c)` gives quarter counts.
  template <class Means>
  void settle(const Means& means) {
    for (uint8_t c = 0; c < Tiles * Halls; c++) hall_[c].settle(means(c));
  }
  /// Lets baselines follow the means of the last 20 ms, `slot` being the newest: those of active tiles centre on a
  /// level that stays, those of idle tiles creep when `slow` says that it is time, every 60 ms.
  template <class Means>
  BAKU_SHARED void follow(uint16_t slot, const Means& means, bool slow, const ActivityLimits& limits) {
    Mask one = 1;
    HallOnset* hall = hall_;
    for (uint8_t tile = 0, c = 0; tile < Tiles; tile++, one = static_cast<Mask>(one << 1)) {
      const bool active = active_ & one;
      for (uint8_t h = 0; h < Halls; h++, c++, hall++) {
        if (active) {
          hall->centre(means(c), limits.onset);
        } else if (slow) {
          hall->creep(means(c));
        }
      }
      // Kept near, or it would look recent again when the slot numbers have wrapped.
      if (!active && static_cast<uint16_t>(slot - next_[tile]) > 2 * Slots) next_[tile] = slot - 2 * Slots;
    }
  }

  /// One scan in order. `fresh`: tiles that were really read in it.
  BAKU_SHARED void scan(uint16_t slot, const uint16_t* samples, Mask contacts, Mask fresh,
                        const ActivityLimits& limits) {
    // A contact that hops keeps its tile active though the debounced one lies still.
    Mask signs = active_ & (contacts ^ contacts_.closed());
    signs |= contacts_.sample(contacts, limits.openMs);
    Mask onsets = 0;
    const OnsetLimits onset = limits.onset;
    const Mask active = active_;
    HallOnset* hall = hall_;
    Mask one = 1;
    for (uint8_t tile = 0; tile < Tiles; tile++, one = static_cast<Mask>(one << 1)) {
      for (uint8_t h = 0; h < Halls; h++, hall++, samples++) {
        if ((fresh & one) == 0) continue;
        if (active & one ? hall->moved(*samples, onset) : hall->onset(*samples, onset)) onsets |= one;
      }
    }
    signs |= onsets;
    if (signs != 0) take(slot, signs, onsets);
  }

  Mask active() const { return active_; }
  /// Tiles that are active or about to be: worth a scan each millisecond.
  Mask watched() const {
    Mask mask = active_;
    Mask one = 1;
    for (uint8_t t = 0; t < Tiles; t++, one = static_cast<Mask>(one << 1)) {
      for (uint8_t h = 0; h < Halls; h++) {
        if (hall_[t * Halls + h].suspects()) mask |= one;
      }
    }
    return mask;
  }
  /// Debounced contacts.
  Mask closed() const { return contacts_.closed(); }
  /// Onsets that found the board full.
  uint16_t turnedAway() const { return turnedAway_; }

  /// Finds the oldest complete block that is due, `head` being the next slot to fill, and its tiles, none when none
  /// is due. Blocks too old to be sent whole are passed over: gives how many.
  BAKU_SHARED uint8_t due(uint16_t head, uint16_t& start, Mask& tiles) {
    Mask mask = 0;
    uint16_t oldest = 0;
    uint8_t lost = 0;
    Mask one = 1;
    for (uint8_t tile = 0; tile < Tiles; tile++, one = static_cast<Mask>(one << 1)) {
      if ((active_ & one) == 0) continue;
      uint16_t age = head - next_[tile];
      while (age > kOldest && age < 0x8000) {
        next_[tile] += kBlockMs;
        age -= kBlockMs;
        lost++;
      }
      if (age < kBlockMs || age >= 0x8000) continue;
      if (age > oldest) {
        oldest = age;
        mask = 0;
      }
      if (age == oldest) mask |= one;
    }
    start = head - oldest;
    tiles = mask;
    return lost;
  }
  /// The block at `start` of these tiles was sent. Tiles that have been quiet through it go idle.
  BAKU_SHARED void sent(Mask tiles, uint16_t start, const ActivityLimits& limits) {
    Mask one = 1;
    for (uint8_t tile = 0; tile < Tiles; tile++, one = static_cast<Mask>(one << 1)) {
      if ((tiles & one) == 0) continue;
      next_[tile] = start + kBlockMs;
      const int16_t quiet = static_cast<int16_t>(next_[tile] - moved_[tile]);
      if (quiet >= static_cast<int16_t>(limits.holdMs)) active_ &= static_cast<Mask>(~one);
    }
  }

 private:
  Mask active_;
  uint16_t turnedAway_;
  uint16_t next_[Tiles];   ///< First slot not yet sent.
  uint16_t moved_[Tiles];  ///< Slot of the last move.
  ContactDebounce<Tiles> contacts_;
  HallOnset hall_[Tiles * Halls];

  /// Tiles that showed a sign in a slot, `onsets` those whose sign was a hall's.
  BAKU_SHARED void take(uint16_t slot, Mask signs, Mask onsets) {
    Mask one = 1;
    for (uint8_t tile = 0; tile < Tiles; tile++, one = static_cast<Mask>(one << 1)) {
      if ((signs & one) == 0) continue;
      moved_[tile] = slot;
      if (active_ & one) continue;
      // It began so many scans ago.
      join(tile, one, slot - (onsets & one ? HallOnset::kRun - 1 : ContactDebounce<Tiles>::kCloseMs));
    }
  }

  /// `began` is the slot in which the tile first moved.
  BAKU_SHARED void join(uint8_t tile, Mask one, uint16_t began) {
    if (MaxActive < Tiles) {
      uint8_t count = 0;
      for (Mask left = active_; left != 0; left &= left - 1) count++;
      if (count >= MaxActive) {
        if (turnedAway_ != 0xffff) turnedAway_++;
        return;
      }
    }
    uint16_t start = (began - kPreTriggerMs) & ~static_cast<uint16_t>(kBlockMs - 1);
    // What was sent before the tile last went idle is not sent again.
    const uint16_t sentAhead = next_[tile] - start;
    if (sentAhead < Slots) start = next_[tile];
    next_[tile] = start;
    active_ |= one;
  }
};

}  // namespace baku
