// Entry for builds without the Arduino core: the same setup and loop as in the IDE, and nothing else.
void setup();
void loop();

int main() {
  setup();
  for (;;) loop();
}
