// Side controller of a BakuCore table. Everything lives in the library; wiring is in its pins.h.
#include <BakuTile.h>

void setup() { baku::begin(); }

void loop() { baku::turn(); }
