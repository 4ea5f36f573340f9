/// What the hello says of this firmware.
#pragma once

#include <stdint.h>

/// First 32 bits of the SHA-256 of the sources; the Makefile sets it. Zero: built some other way, from the IDE say.
#ifndef BAKU_BUILD
#define BAKU_BUILD 0x00000000UL
#endif

namespace baku {

static const uint8_t kProtocol = 1;
static const uint8_t kFirmwareMajor = 1;
static const uint8_t kFirmwareMinor = 0;
static const uint8_t kFirmwarePatch = 0;
static const uint32_t kBuild = BAKU_BUILD;

}  // namespace baku
