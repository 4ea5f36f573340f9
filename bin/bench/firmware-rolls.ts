/**
 * Whole matches through the committed firmware: two emulated Unos in virtual time, their bytes on the wire, the host's
 * own step, automatic players; every final ruling beside what really happened.
 *
 *     bakucore bench firmware-rolls [rolls, 100] [first seed, 7000000]
 */
import { readFileSync } from 'node:fs';
import type { BallRuling, RollRuling } from '../../host/sensing/ruling.ts';
import { createAvrBoard } from '../../sim/avr/board.ts';
import { assignedEeprom } from '../../sim/avr/identity.ts';
import type { BallTruth } from '../../sim/truth.ts';
import { interval } from './rolls.ts';
import { virtualTable, winnerIn } from './virtual-table.ts';

const wanted = Number(process.argv[2] ?? 100);
const firstSeed = Number(process.argv[3] ?? 7_000_000);
const hex = readFileSync(hexFile(), 'utf8');

const counts = new Map<string, Map<string, number>>();
const misses: string[] = [];
let rolls = 0;
let balls = 0;
let wrong = 0;
let doubtful = 0;
let virtualMs = 0;
let lines = 0;
const cpu = process.cpuUsage();

for (let seed = firstSeed; rolls < wanted; seed++) {
  const table = virtualTable({
    seed,
    judge: true,
    boards: ({ world, side, device }) =>
      createAvrBoard({ chip: 'uno', hex, world, eeprom: assignedEeprom('uno', device, side) }),
  });
  let done = 0;
  table.runUntil(() => {
    done = table.sim.truth().length;
    return rolls + done > wanted || winnerIn(table.state) !== undefined;
  }, 240_000);
  virtualMs += table.nowMs;
  lines += table.inputs.filter((input) => input.kind === 'line').length;
  const finals = new Map<string, RollRuling>();
  for (const output of table.outputs) {
    if (output.kind === 'ruling' && output.ruling.stage === 'final')
      finals.set(output.ruling.roll, output.ruling);
  }
  for (const truth of table.sim.truth()) {
    const ruling = finals.get(truth.roll);
    if (ruling === undefined || rolls >= wanted) continue;
    rolls++;
    for (const ball of truth.balls) compare(`${seed} ${truth.roll}`, ball, saidOf(ruling, ball));
  }
  if (process.stderr.isTTY) process.stderr.write(`\r${rolls} of ${wanted} rolls`);
}

const spent = process.cpuUsage(cpu);
const cpuS = (spent.user + spent.system) / 1e6;
console.log(`${rolls} rolls through the committed firmware on two emulated Unos, seeds from ${firstSeed}`);
for (const [name, row] of counts) {
  const cells = [...row].sort(([a], [b]) => a.localeCompare(b)).map(([said, n]) => `${said} ${n}`);
  console.log(`  ${name.padEnd(28)} ${cells.join('   ')}`);
}
console.log(`balls wrong in player, opened or attached  ${wrong} of ${balls}: ${interval(wrong, balls)}`);
console.log(
  `balls undetermined                         ${doubtful} of ${balls}: ${interval(doubtful, balls)}`,
);
console.log(
  `${(virtualMs / 1000).toFixed(0)} virtual seconds, ${lines} lines, ${cpuS.toFixed(0)} CPU seconds (${(virtualMs / 1000 / cpuS).toFixed(2)} virtual seconds a CPU second, host and players included)`,
);
for (const miss of misses) console.log(`  ${miss}`);

/** The entry of a ruling that is about this ball: by player, else the one nobody is sure of. */
function saidOf(ruling: RollRuling, ball: BallTruth): BallRuling | undefined {
  return (
    ruling.balls.find(({ player }) => player === ball.player) ??
    ruling.balls.find(({ player }) => player === 'undetermined')
  );
}

function compare(where: string, ball: BallTruth, said: BallRuling | undefined): void {
  balls++;
  const count = (name: string, what: string): void => {
    const row = counts.get(name) ?? new Map<string, number>();
    row.set(what, (row.get(what) ?? 0) + 1);
    counts.set(name, row);
  };
  if (said === undefined || said.player === 'undetermined') {
    doubtful++;
    count('player', 'undetermined');
    misses.push(`${where} ${ball.player} ${ball.ending}: whose ball is undetermined`);
    return;
  }
  count('player', 'right');
  const truly = ball.opened ? 'yes' : 'no';
  count(`opened, truly ${truly}`, said.opened);
  const touched = [...ball.contact].sort().join('+');
  const sure = [...said.contact.sure].sort().join('+');
  count('contact', said.contact.possible.length > 0 ? 'possible' : touched === sure ? 'right' : 'not all');
  const held = [...ball.attached].sort().join('+');
  const saidHeld = [...said.attached.sure].sort().join('+');
  const unsure = said.opened === 'undetermined' || said.attached.possible.length > 0;
  count(
    `attached, truly ${ball.attached.length}`,
    unsure ? 'undetermined' : held === saidHeld ? 'right' : 'wrong',
  );
  if (unsure) {
    doubtful++;
    misses.push(`${where} ${ball.player} ${ball.ending}: undetermined`);
  } else if (said.opened !== truly || held !== saidHeld) {
    wrong++;
    misses.push(
      `${where} ${ball.player} ${ball.ending}: opened ${truly} said ${said.opened}, holds ${held || '-'} said ${saidHeld || '-'}`,
    );
  }
}

function hexFile(): URL {
  const built = import.meta.url.endsWith('.js');
  return new URL(`${built ? '../../../' : '../../'}firmware-protocol/hex/uno.hex`, import.meta.url);
}
