/**
 * Whole turns of the Bakugan rules a CPU second, on one core: games of bots with decks that the game deals and with decks
 * that nobody knows, the same inputs through the rules alone and as matches that keep every input, and one endless match
 * whose time and memory are looked at as it grows. With `--beside FOLDER` a comparable game on boardgame.io from that
 * folder in the same run. Arguments: turns of each kind, 10,000 by default; `--beside FOLDER`.
 */
import { besideGame } from './turns-beside.ts';
import { cpuSeconds, type Decks, endlessMatch, foldGames, keepGames, playGames } from './turns-played.ts';

const args = process.argv.slice(2);
const at = args.indexOf('--beside');
const folder = at < 0 ? undefined : args.splice(at, 2)[1];
const turns = Number(args[0] ?? 10_000);
if (!Number.isInteger(turns) || turns < 1 || (at >= 0 && folder === undefined)) {
  console.error('turns: [turns, a whole number] [--beside FOLDER with boardgame.io installed in it]');
  process.exit(2);
}
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const rate = (count: number, seconds: number): string => whole(count / seconds).padStart(8);

/** Turns a CPU second as matches that keep every input, as the other side does too, and steps a turn. */
function measure(decks: Decks): { readonly turnsS: number; readonly stepsTurn: number } {
  // What a compiler learns on the way belongs to no figure: a first pass over fewer turns is thrown away.
  const first = playGames(decks, Math.min(turns, 2000));
  foldGames(first);
  keepGames(first);
  const played = playGames(decks, turns);
  const folded = foldGames(played);
  const kept = keepGames(played);
  const { steps } = played;
  const what = decks === 'dealt' ? 'known decks, dealt by the game' : 'decks that nobody knows';
  console.log(
    `${what}: ${whole(played.games.length)} games, ${whole(played.turns)} turns, ${whole(steps)} steps, ${(steps / played.turns).toFixed(1)} a turn`,
  );
  console.log(
    `  rules alone                    ${rate(played.turns, folded)} turns  ${rate(steps, folded)} steps a CPU second`,
  );
  console.log(
    `  as matches, set-up included    ${rate(played.turns, kept)} turns  ${rate(steps, kept)} steps`,
  );
  console.log(
    `  bots on lists of legal inputs  ${rate(played.turns, played.listedS)} turns  ${rate(steps, played.listedS)} steps`,
  );
  return { turnsS: played.turns / kept, stepsTurn: steps / played.turns };
}

/** Where an endless match is looked at, steps. */
const MARKS = [1000, 2000, 5000, 10_000, 20_000];
/** Steps that are timed from each mark on. */
const TIMED = 500;

// Exact with `node --expose-gc`, as `bakucore bench` starts it.
const heapBytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

/** Steps a CPU second and heap at each mark of a match that goes on and on. */
function grow(name: string, next: () => void, steps: () => number, more = (): string => ''): void {
  const rows: string[] = [];
  const before = heapBytes();
  for (const mark of MARKS) {
    while (steps() < mark) next();
    const heap = (heapBytes() - before) / 1024;
    const from = steps();
    const seconds = cpuSeconds(() => {
      while (steps() < from + TIMED) next();
    });
    rows.push(`${whole(mark)}: ${whole((steps() - from) / seconds)}/s, ${whole(heap)} KiB${more()}`);
  }
  console.log(`  ${name.padEnd(13)} ${rows.join('; ')}`);
}

console.log(`Node ${process.versions.node}, one core`);
const dealt = measure('dealt');
measure('counts');
const perTurn = Math.round(dealt.stepsTurn);
const beside = folder === undefined ? undefined : besideGame(folder, perTurn);
if (folder !== undefined && beside !== undefined) {
  const short = besideGame(folder, perTurn);
  for (let i = 0; i < 5; i += 1) short.turn();
  // Matches as long as ours, one after the other: its figure falls as a match grows.
  const length = 8;
  let done = 0;
  const seconds = cpuSeconds(() => {
    for (; done < 400; done += length) {
      const match = besideGame(folder, perTurn);
      for (let i = 0; i < length; i += 1) match.turn();
    }
  });
  const theirs = done / seconds;
  console.log(`boardgame.io ${beside.version}, ${perTurn} moves a turn, matches of ${length} turns`);
  console.log(
    `  its reducer                    ${rate(done, seconds)} turns  ${rate(done * perTurn, seconds)} steps a CPU second`,
  );
  console.log(
    `  ratio, matches to matches      ${(dealt.turnsS / theirs).toFixed(1).padStart(8)} times the turns`,
  );
}
console.log('one match that grows, steps a CPU second and heap:');
const endless = endlessMatch();
grow(
  'this program',
  () => endless.next(),
  () => endless.seq,
  // What grows are the inputs, which are kept to fold the match from; the state does not.
  () => `, state ${whole(endless.stateBytes)} B`,
);
if (beside !== undefined) {
  const theirs = beside;
  grow(
    'boardgame.io',
    () => theirs.turn(),
    () => theirs.moves,
  );
}
