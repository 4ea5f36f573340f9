/** Tracks made of other tracks: longer, later, lifted, or just standing. */
import { AT_REST, type Body, createPose, poseAt, type Stretch, stretchAt, type Track } from './ball.ts';

/** The track with a new stretch at its end, cut off where that begins. */
export function extended(track: Track, next: Stretch, restUs: number, goneUs = Infinity): Track {
  return {
    body: track.body,
    stretches: [...track.stretches.filter((s) => s.fromUs < next.fromUs), next],
    hops: track.hops.filter((hop) => hop.toUs <= next.fromUs),
    restUs,
    goneUs,
  };
}

/** The same track so much later, µs. */
export function shifted(track: Track, byUs: number): Track {
  return {
    body: track.body,
    stretches: track.stretches.map((s) => ({ ...s, fromUs: s.fromUs + byUs })),
    hops: track.hops.map((hop) => ({ fromUs: hop.fromUs + byUs, toUs: hop.toUs + byUs })),
    restUs: track.restUs + byUs,
    goneUs: track.goneUs + byUs,
  };
}

/** A ball that stands open on a spot, as after an opening long ago. */
export function standing(body: Body, atUs: number, x: number, y: number, jumpMm = 1.2): Track {
  return {
    body,
    stretches: [{ ...AT_REST, fromUs: atUs, x, y, jumped: jumpMm, open: true }],
    hops: [],
    restUs: atUs,
    goneUs: Infinity,
  };
}

/** The hand takes the ball: it rises smoothly within `ms` and is gone. */
export function lifted(track: Track, atUs: number, ms: number): Track {
  const pose = createPose();
  if (!poseAt(track, atUs, pose)) return track;
  const last = stretchAt(track, atUs);
  const endUs = atUs + Math.round(ms * 1000);
  return extended(
    track,
    {
      ...AT_REST,
      fromUs: atUs,
      x: pose.ballX,
      y: pose.ballY,
      tilt: pose.tilt,
      azimuth: last?.azimuth ?? 0,
      jumped: (last?.jumped ?? 0) + (last?.jump ?? 0),
      liftMm: 160,
      liftMs: ms,
      open: pose.open,
    },
    endUs,
    endUs,
  );
}
