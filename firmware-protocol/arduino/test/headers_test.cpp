// The headers of the firmware on this machine, each against its timetable. Compile once for each board
// (-D__AVR_ATmega2560__ for the Mega). Argument: a group's name.
#include <string>

#include "activity_group.h"
#include "lines_group.h"
#include "onsets_group.h"
#include "samples_group.h"
#include "state_group.h"

int main(int argc, char** argv) {
  const std::string group = argc == 2 ? argv[1] : "";
  if (group == "reader") readerGroup();
  if (group == "ring") ringGroup();
  if (group == "onset") onsetGroup();
  if (group == "debounce") debounceGroup();
  if (group == "activity") activityGroup();
  if (group == "edges") edgesGroup();
  if (group == "means") meansGroup();
  if (group == "identity") identityGroup();
  if (group == "lights") lightsGroup();
#if defined(__AVR_ATmega2560__)
  if (group == "plan") planGroup();
#endif
  return check::report();
}
