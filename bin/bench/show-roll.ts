/** Prints one simulated roll: what happened, what was said, and the arrivals with their features. */
import { FEATURES } from '../../host/sensing/features.ts';
import type { SensorLayout } from '../../host/sensing/layout.ts';
import { runRoll } from './roll-runs.ts';

const plain = process.argv.slice(2).filter((a) => !a.startsWith('--'));
const seed = Number(plain[0] ?? 1);
const conditions = plain[1] === 'impaired' || plain[1] === 'worn' ? plain[1] : 'clean';
const sensors = (plain[2] ?? 'collector+offset') as SensorLayout;
const run = runRoll({ seed, sensors, conditions, samePolarity: process.argv.includes('--same-polarity') });
const ms = (x: number | undefined): string => (x === undefined ? '' : x.toFixed(0));
for (const b of run.truth.balls) {
  const path = b.path.map((v) => `${v.cell}@${ms(v.fromMs)}-${ms(v.toMs)}`).join(' ');
  console.log(
    `truth ${b.player} ${b.ending} ${b.mode} pol ${b.polarity} opened ${b.opened} contact ${b.contact.join()} attached ${b.attached.join()} latch ${b.latchCell ?? ''}@${ms(b.latchMs)} off ${ms(b.offMs)} rest ${ms(b.restMs)} near ${ms(b.nearGateMs)} far ${ms(b.farGateMs)} | ${path}`,
  );
}
console.log(
  'faults',
  JSON.stringify(run.truth.contactFaults),
  'hands',
  run.truth.hands.join(),
  'vacant',
  12 - run.truth.cores.length,
);
for (const { output, outMs } of run.said) {
  if (output.kind !== 'ruling') console.log(ms(outMs), JSON.stringify(output));
  else {
    for (const b of output.ruling.balls) {
      console.log(
        ms(outMs),
        output.ruling.stage,
        b.player,
        b.opened,
        `touch ${b.contact.sure.join()}?${b.contact.possible.join()}`,
        `on ${b.attached.sure.join()}?${b.attached.possible.join()}`,
        JSON.stringify(b.confidence),
        b.reasons.map((r) => r.code).join(),
      );
    }
  }
}
const { live, tiles } = run.sensing;
for (const stand of live.stands.slice(0, live.count)) {
  const { visit } = stand;
  console.log(
    `visit ${tiles.cells[visit.cell]?.cell} ${ms(visit.startMs)}-${ms(visit.endMs)} confirmed ${visit.confirmed}`,
  );
  for (const a of stand.arrivals.slice(0, stand.arrived)) {
    console.log(
      `  arrival ${ms(a.atMs)} anchor ${ms(a.anchorMs)} rise ${a.rise.toFixed(3)} base ${a.base.toFixed(3)} windows ${a.windows} score ${a.score.toFixed(4)} peak ${a.peak.toFixed(3)} level ${a.level.toFixed(3)} left ${ms(a.leftMs)}`,
    );
    console.log(`    ${FEATURES.map((f, i) => `${f} ${(a.features[i] ?? 0).toFixed(2)}`).join(' ')}`);
  }
  if (process.argv.includes('--trace')) {
    console.log(`    ${Array.from(visit.level.subarray(0, visit.bins), (v) => v.toFixed(2)).join(' ')}`);
    console.log(`    ${Array.from(visit.touch.subarray(0, visit.bins), (v) => v.toFixed(1)).join(' ')}`);
    console.log(`    ${Array.from(visit.side.subarray(0, visit.bins), (v) => v.toFixed(1)).join(' ')}`);
  }
}
