/// A check that prints where it failed. `report` gives the exit code.
#pragma once

#include <cstdio>

namespace check {

inline int& failed() {
  static int count = 0;
  return count;
}
inline int& passed() {
  static int count = 0;
  return count;
}
inline void that(bool good, const char* file, int line, const char* what, long long got, long long wanted) {
  if (good) {
    passed()++;
    return;
  }
  failed()++;
  std::printf("%s:%d: %s: got %lld, wanted %lld\n", file, line, what, got, wanted);
}
inline int report() {
  std::printf("%d passed, %d failed\n", passed(), failed());
  return failed() == 0 && passed() > 0 ? 0 : 1;
}

}  // namespace check

#define EQUAL(got, wanted)                                                                            \
  do {                                                                                                \
    const long long g_ = static_cast<long long>(got), w_ = static_cast<long long>(wanted);            \
    check::that(g_ == w_, __FILE__, __LINE__, #got, g_, w_);                                          \
  } while (0)
#define HOLDS(what) check::that((what), __FILE__, __LINE__, #what, 0, 1)
