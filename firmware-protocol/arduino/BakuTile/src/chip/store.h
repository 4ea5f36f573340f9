/// Identity and boot counter in the chip's EEPROM.
#pragma once

#include <avr/eeprom.h>
#include <avr/io.h>

#include "../identity.h"

namespace baku {

class Store {
 public:
  Identity identity;
  uint16_t bootId;
  Found found;

  /// Reads the identity and counts this boot. Takes up to 14 ms.
  BAKU_SHARED void begin() {
    uint8_t bytes[kIdentityBytes];
    read(kIdentityAddress, bytes, kIdentityBytes);
    found = unpackIdentity(bytes, identity);
    uint8_t second[kBootBytes];
    read(kBootAddress, bytes, kBootBytes);
    read(kBootAddress + kBootBytes, second, kBootBytes);
    uint8_t place;
    bootId = nextBoot(bytes, second, place);
    packBoot(bootId, bytes);
    for (uint8_t i = 0; i < kBootBytes; i++) {
      eeprom_update_byte(reinterpret_cast<uint8_t*>(kBootAddress + place * kBootBytes + i), bytes[i]);
    }
    left_ = 0;
  }

  /// Begins to write an identity; `turn` does the work.
  void assign(const Identity& wanted) {
    packIdentity(wanted, bytes_);
    left_ = kIdentityBytes;
  }
  bool busy() const { return left_ != 0; }
  /// Writes one byte when the memory is ready (3.4 ms each), so that sampling never waits. True when the last is in
  /// and reads back right or wrong: `identity` and `found` then hold what the memory holds.
  BAKU_SHARED bool turn() {
    if (left_ == 0 || !eeprom_is_ready()) return false;
    const uint8_t at = kIdentityBytes - left_;
    if (eeprom_read_byte(reinterpret_cast<uint8_t*>(kIdentityAddress + at)) != bytes_[at]) {
      eeprom_write_byte(reinterpret_cast<uint8_t*>(kIdentityAddress + at), bytes_[at]);
      return false;
    }
    if (--left_ != 0) return false;
    uint8_t bytes[kIdentityBytes];
    read(kIdentityAddress, bytes, kIdentityBytes);
    found = unpackIdentity(bytes, identity);
    return true;
  }

 private:
  uint8_t bytes_[kIdentityBytes];
  uint8_t left_;

  static void read(uint8_t from, uint8_t* bytes, uint8_t count) {
    for (uint8_t i = 0; i < count; i++) bytes[i] = eeprom_read_byte(reinterpret_cast<const uint8_t*>(from + i));
  }
};

}  // namespace baku
