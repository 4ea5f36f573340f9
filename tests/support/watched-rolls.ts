import { createScene, launch, opens, type Scene } from '../../bin/bench/signals.ts';
import type { Watched } from '../../bin/bench/watch.ts';
import type { BallRuling } from '../../host/sensing/ruling.ts';

/** Both balls launched at 1700 ms, 700 ms after the call, and on no tile yet. */
export function bothLaunched(): Scene {
  const scene = createScene();
  launch(scene, 'A', 1700);
  launch(scene, 'B', 1700);
  return scene;
}

/** A opens on A3 (q0r1), B on B3 (q1r-1) with this share of a seated field (`SEATED_MT`), its sign included. */
export function bothOpen(levelB = -1.1): Scene {
  const scene = createScene();
  launch(scene, 'A', 1700);
  launch(scene, 'B', 1720);
  opens(scene, 'q0r1', 1950, 1.1);
  opens(scene, 'q1r-1', 1990, levelB);
  return scene;
}

/** The last word on whether each ball opened; empty without a final ruling. */
export function opened(watched: Watched): readonly string[] {
  return watched.final?.balls.map((b) => b.opened) ?? [];
}

/** Codes of the reasons for what is said of a ball; none where nothing is said. */
export function codesOf(ball: BallRuling | undefined): readonly string[] {
  return ball?.reasons.map((r) => r.code) ?? [];
}

/** Codes of the reasons in a final ruling, ball by ball. */
export function finalCodes(watched: Watched): readonly string[] {
  return watched.final?.balls.flatMap(codesOf) ?? [];
}
