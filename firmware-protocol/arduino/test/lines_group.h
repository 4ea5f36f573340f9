/// Lines down: the reader under noise, and what is answerable.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "../BakuTile/src/frames_down.h"
#include "../BakuTile/src/line_reader.h"
#include "check.h"
#include "noise.h"

using namespace baku;

namespace {

std::string summed(const std::string& body) {
  uint16_t crc = kCrcStart;
  for (char c : body) crc = crc16(crc, static_cast<uint8_t>(c));
  char text[8];
  std::snprintf(text, sizeof text, "%04X", crc);
  return body + text;
}

struct Heard {
  int good = 0, faults = 0, empty = 0;
  std::vector<int> tags;
};
Heard hear(LineReader& reader, const std::string& bytes) {
  Heard heard;
  for (char c : bytes) {
    const LineReader::Found found = reader.push(static_cast<uint8_t>(c));
    if (found == LineReader::kNothing) continue;
    Command command = Command();
    bool answerable = false;
    const LineFault fault =
        found == LineReader::kTooLong ? kLineTooLong : readCommand(reader.text(), reader.length(), command, answerable);
    if (fault == kNoFault) {
      heard.good++;
      heard.tags.push_back(command.tag);
    } else if (fault == kEmpty) {
      heard.empty++;
    } else {
      heard.faults++;
    }
  }
  return heard;
}

void readerGroup() {
  const std::string ping = summed("P1,04,");
  const std::string led = summed("L1,05,021,0040FF,80,0,");
  LineReader reader;
  Heard h = hear(reader, ping + "\n" + led + "\r\n\n\r\n");
  EQUAL(h.good, 2);
  EQUAL(h.empty, 2);
  EQUAL(h.faults, 0);
  // Two lines run together are one fault, and the next is heard.
  h = hear(reader, ping + ping + "\n" + led + "\n");
  EQUAL(h.faults, 1);
  EQUAL(h.good, 1);
  // A megabyte without a line end is one fault, and the next line is heard.
  h = hear(reader, std::string(1000000, 'L') + "\n" + ping + "\n");
  EQUAL(h.faults, 1);
  EQUAL(h.good, 1);
  // 59 characters fit, 60 do not; a carriage return does not count.
  for (int length = 55; length < 66; length++) {
    std::string line(length, 'Q');
    h = hear(reader, line + "\r\n");
    EQUAL(h.faults, 1);
    EQUAL(reader.length() <= 59 || length > 59, true);
  }
  LineReader exact;
  LineReader::Found found = LineReader::kNothing;
  for (char c : std::string(59, 'x') + "\r\n") found = exact.push(static_cast<uint8_t>(c));
  EQUAL(found, LineReader::kLine);
  EQUAL(exact.length(), 59);
  for (char c : std::string(60, 'x') + "\n") found = exact.push(static_cast<uint8_t>(c));
  EQUAL(found, LineReader::kTooLong);
  // Noise between lines costs at most the line it runs into.
  int heard = 0;
  for (int round = 0; round < 2000; round++) {
    std::string bytes;
    for (uint32_t n = noise(200); n != 0; n--) bytes.push_back(static_cast<char>(noise(256)));
    bytes += "\n" + ping + "\n";
    h = hear(reader, bytes);
    heard += h.good;
    for (int tag : h.tags) EQUAL(tag, 4);
  }
  EQUAL(heard, 2000);
  // No single damaged byte passes for a command.
  for (size_t at = 0; at < led.size(); at++) {
    for (int bit = 0; bit < 8; bit++) {
      std::string bad = led;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      h = hear(reader, bad + "\n");
      EQUAL(h.good, 0);
    }
  }
  // Who asks for something unknown is told so if the tag can be read.
  Command command = Command();
  bool answerable = false;
  const std::string unknown = summed("Z1,7E,");
  EQUAL(readCommand(unknown.data(), static_cast<uint8_t>(unknown.size()), command, answerable), kUnknownKind);
  EQUAL(answerable, true);
  EQUAL(command.tag, 0x7e);
  const std::string later = summed("L2,21,more,and,more,");
  EQUAL(readCommand(later.data(), static_cast<uint8_t>(later.size()), command, answerable), kWrongVersion);
  EQUAL(answerable, true);
  const std::string field = summed("L1,33,021,0040FF,80,9,");
  EQUAL(readCommand(field.data(), static_cast<uint8_t>(field.size()), command, answerable), kBadField);
  EQUAL(answerable, true);
  const std::string untagged = summed("L1,3,021,0040FF,80,0,");
  EQUAL(readCommand(untagged.data(), static_cast<uint8_t>(untagged.size()), command, answerable), kBadField);
  EQUAL(answerable, false);
}

}  // namespace
