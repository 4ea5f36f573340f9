// Golden lines through the encoders and the decoder. Argument: path of vectors.tsv.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../BakuTile/src/frames_down.h"
#include "../BakuTile/src/frames_up.h"
#include "check.h"

using namespace baku;
typedef std::map<std::string, std::string> Fields;

namespace {

struct Text {
  std::string* to;
  void put(char c) { to->push_back(c); }
};

std::string unescaped(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x') {
      out.push_back(static_cast<char>(std::strtol(text.substr(i + 2, 2).c_str(), nullptr, 16)));
      i += 3;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

Fields fieldsOf(const std::string& text) {
  Fields fields;
  std::stringstream parts(text);
  std::string part;
  while (std::getline(parts, part, ';')) {
    const size_t is = part.find('=');
    fields[part.substr(0, is)] = is == std::string::npos ? "" : part.substr(is + 1);
  }
  return fields;
}

uint32_t number(const Fields& fields, const char* name) {
  const auto found = fields.find(name);
  HOLDS(found != fields.end());
  return found == fields.end() ? 0 : static_cast<uint32_t>(std::strtoul(found->second.c_str(), nullptr, 10));
}
uint32_t hexNumber(const Fields& fields, const char* name) {
  return static_cast<uint32_t>(std::strtoul(fields.at(name).c_str(), nullptr, 16));
}
std::vector<uint16_t> numbers(const std::string& text) {
  std::vector<uint16_t> out;
  std::stringstream parts(text);
  std::string part;
  while (std::getline(parts, part, ',')) out.push_back(static_cast<uint16_t>(std::strtoul(part.c_str(), nullptr, 10)));
  return out;
}

Side sideOf(const std::string& text) {
  return text == "A" ? kSideA : text == "B" ? kSideB : text == "both" ? kSideBoth : kSideUnset;
}

struct Means {
  std::vector<uint16_t> values;
  uint16_t operator()(uint8_t i) const { return values[i]; }
};

/// A block as a burst vector gives it: samples in line order, contacts with scan i in bit i.
struct GivenBlock {
  std::vector<uint16_t> samples, contacts;
  uint8_t place[16], halls;
  uint16_t sample(uint8_t tile, uint8_t scan, uint8_t hall) const {
    return samples[(place[tile] * 8 + scan) * halls + hall];
  }
  uint8_t contacts_(uint8_t tile) const {
    uint8_t bits = 0;
    for (int i = 0; i < 8; i++) bits = static_cast<uint8_t>(bits << 1 | ((this->contacts[place[tile]] >> i) & 1));
    return bits;
  }
};
struct BlockView {
  const GivenBlock& block;
  uint16_t sample(uint8_t tile, uint8_t scan, uint8_t hall) const { return block.sample(tile, scan, hall); }
  uint8_t contacts(uint8_t tile) const { return block.contacts_(tile); }
};

/// Writes the line of a frame; empty for a kind this firmware never sends.
std::string written(const Fields& f) {
  std::string out;
  const Text sink = {&out};
  const Stamp stamp = {static_cast<uint8_t>(number(f, "boot")), static_cast<uint16_t>(number(f, "seq"))};
  const std::string& kind = f.at("kind");
  if (kind == "hello") {
    Hello hello;
    hello.atUs = number(f, "deviceUs");
    hello.bootId = static_cast<uint16_t>(number(f, "bootId"));
    hello.device = hexNumber(f, "device");
    hello.side = sideOf(f.at("side"));
    hello.protocol = static_cast<uint8_t>(number(f, "protocol"));
    unsigned a = 0, b = 0, c = 0;
    EQUAL(std::sscanf(f.at("firmware").c_str(), "%u.%u.%u", &a, &b, &c), 3);
    hello.major = static_cast<uint8_t>(a);
    hello.minor = static_cast<uint8_t>(b);
    hello.patch = static_cast<uint8_t>(c);
    hello.build = hexNumber(f, "build");
    hello.tiles = static_cast<uint8_t>(number(f, "tiles"));
    hello.halls = static_cast<uint8_t>(number(f, "halls"));
    hello.sampleHz = static_cast<uint16_t>(number(f, "sampleHz"));
    hello.capabilities = static_cast<uint16_t>(number(f, "capabilities"));
    hello.resetCause = static_cast<uint8_t>(number(f, "resetCause"));
    writeHello(sink, stamp, hello);
  } else if (kind == "quiet") {
    const Means means = {numbers(f.at("means"))};
    writeQuiet(sink, stamp, number(f, "deviceUs"), number(f, "inputs"), static_cast<uint8_t>(means.values.size()),
               means);
  } else if (kind == "burst") {
    GivenBlock block;
    block.samples = numbers(f.at("samples"));
    block.contacts = numbers(f.at("contacts"));
    block.halls = static_cast<uint8_t>(number(f, "halls"));
    const uint16_t mask = static_cast<uint16_t>(number(f, "tileMask"));
    uint8_t place = 0;
    for (uint8_t tile = 0; tile < 12; tile++) {
      if ((mask >> tile) & 1) block.place[tile] = place++;
    }
    const BlockView view = {block};
    writeBurst(sink, stamp, mask, number(f, "deviceUs"), static_cast<uint8_t>(number(f, "gapMask")), 12, block.halls,
               view);
  } else if (kind == "edge") {
    writeEdge(sink, stamp, number(f, "deviceUs"), static_cast<uint8_t>(number(f, "input")), number(f, "closed") == 1);
  } else if (kind == "health") {
    Health health;
    health.atUs = number(f, "deviceUs");
    health.uptimeS = number(f, "uptimeS");
    health.supplyMv = static_cast<uint16_t>(number(f, "supplyMv"));
    health.rxOverruns = static_cast<uint16_t>(number(f, "rxOverruns"));
    health.rxFaults = static_cast<uint16_t>(number(f, "rxFaults"));
    health.txDrops = static_cast<uint16_t>(number(f, "txDrops"));
    health.edgeDrops = static_cast<uint16_t>(number(f, "edgeDrops"));
    health.stackFree = static_cast<uint16_t>(number(f, "stackFreeBytes"));
    health.lostScans = static_cast<uint16_t>(number(f, "lostScans"));
    health.slipUs = static_cast<uint16_t>(number(f, "slipUs"));
    writeHealth(sink, stamp, health);
  } else if (kind == "answer") {
    const std::string& s = f.at("status");
    const Status status = s == "ok" ? kOk : s == "held" ? kHeld : s == "refused" ? kRefused : kUnknown;
    writeAnswer(sink, stamp, number(f, "deviceUs"), static_cast<uint8_t>(number(f, "tag")), status);
  } else if (kind == "fault") {
    writeFault(sink, stamp, number(f, "deviceUs"), static_cast<uint8_t>(number(f, "code")),
               static_cast<uint16_t>(number(f, "detail")));
  } else {
    return "";
  }
  if (!out.empty() && out[out.size() - 1] == '\n') out.erase(out.size() - 1);
  return out;
}

const char* faultName(LineFault fault) {
  switch (fault) {
    case kNoFault: return "none";
    case kEmpty: return "empty";
    case kLineTooLong: return "too-long";
    case kNotAscii: return "not-ascii";
    case kNoChecksum: return "no-checksum";
    case kBadChecksum: return "bad-checksum";
    case kWrongVersion: return "wrong-version";
    case kUnknownKind: return "unknown-kind";
    case kBadField: return "bad-field";
  }
  return "?";
}

/// Feeds a line through the reader as the wire does and reads the command.
LineFault received(const std::string& line, Command& command) {
  LineReader reader;
  LineReader::Found found = LineReader::kNothing;
  for (char c : line + "\n") found = reader.push(static_cast<uint8_t>(c));
  if (found == LineReader::kTooLong) return kLineTooLong;
  bool answerable;
  return readCommand(reader.text(), reader.length(), command, answerable);
}

void checkCommand(const Fields& f, const Command& command) {
  const std::string& kind = f.at("kind");
  EQUAL(command.tag, number(f, "tag"));
  if (kind == "led") {
    EQUAL(command.kind, kLed);
    EQUAL(command.tileMask, number(f, "tileMask"));
    EQUAL(command.r << 16 | command.g << 8 | command.b, number(f, "rgb"));
    EQUAL(command.level, number(f, "level"));
    EQUAL(command.animation, number(f, "animation"));
  } else if (kind == "arm") {
    EQUAL(command.kind, kArm);
    EQUAL(command.armed, number(f, "armed"));
  } else if (kind == "identify") {
    EQUAL(command.kind, kIdentify);
    EQUAL(command.tileMask, number(f, "tileMask"));
  } else if (kind == "configure") {
    EQUAL(command.kind, kConfigure);
    EQUAL(command.key, number(f, "key"));
    EQUAL(command.value, number(f, "value"));
  } else if (kind == "assign") {
    EQUAL(command.kind, kAssign);
    EQUAL(command.device, hexNumber(f, "device"));
    EQUAL(command.side, sideOf(f.at("side")));
  } else {
    EQUAL(command.kind, kind == "ping" ? kPing : kind == "greet" ? kGreet : kSelfTest);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  std::string row;
  int up = 0, down = 0;
  while (std::getline(file, row)) {
    if (row.empty() || row[0] == '#') continue;
    const size_t one = row.find('\t'), two = row.find('\t', one + 1);
    const std::string direction = row.substr(0, one);
    std::string line = unescaped(row.substr(one + 1, two - one - 1));
    const Fields fields = fieldsOf(row.substr(two + 1));
    const bool good = fields.count("fault") == 0;
    const int before = check::failed();
    if (direction == "up" && good) {
      if (!line.empty() && line[line.size() - 1] == '\r') line.erase(line.size() - 1);
      const std::string out = written(fields);
      if (!out.empty()) {
        HOLDS(out == line);
        if (out != line) std::printf("  wrote  %s\n", out.c_str());
        up++;
      }
    } else if (direction == "down") {
      Command command = Command();
      const LineFault fault = received(line, command);
      const std::string wanted = good ? "none" : fields.at("fault");
      HOLDS(wanted == faultName(fault));
      if (wanted != faultName(fault)) std::printf("  gave   %s\n", faultName(fault));
      if (good && fault == kNoFault) checkCommand(fields, command);
      down++;
    }
    if (check::failed() != before) std::printf("  vector %s\n", row.c_str());
  }
  std::printf("%d lines up, %d lines down\n", up, down);
  HOLDS(up > 20);
  HOLDS(down > 20);
  return check::report();
}
