import type { Output } from '../../host/advance/input.ts';
import type { BallRuling, RollRuling } from '../../host/sensing/ruling.ts';

/** Said at every turn of priority; the passes that follow tell it better. */
const QUIET: ReadonlySet<string> = new Set(['window/opened', 'window/closed']);
/** Text before the rule numbers, characters; longer texts push them on. */
const WIDE = 92;

/** The log of a match as people read it: time, what happened, and the rule; a heading for every turn. */
export function logLines(output: Output): readonly string[] {
  switch (output.kind) {
    case 'event': {
      const { type, text, rules } = output.event;
      if (QUIET.has(type)) return [];
      const line = `${timeOf(output.atMs)}  ${text.padEnd(WIDE)} ${rules.join(', ')}`.trimEnd();
      return type === 'turn/started' ? ['', line] : [line];
    }
    case 'ruling':
      return output.ruling.stage === 'final' ? rulingLines(output.atMs, output.ruling) : [];
    case 'retraction':
      if (output.stage !== 'final') return [];
      return [
        `${timeOf(output.atMs)}  The ruling of roll ${output.roll} is taken back: ${output.why}`.padEnd(WIDE),
      ];
    case 'refused':
      return [`${timeOf(output.atMs)}  Refused: ${output.refusal.message}`];
    case 'fault':
      return [`${timeOf(output.atMs)}  ${output.text} (${output.link})`];
    case 'send':
    case 'calibrated':
    case 'accepted':
      return [];
    default:
      return output satisfies never;
  }
}

function rulingLines(atMs: number, { roll, balls, illegal }: RollRuling): readonly string[] {
  const indent = ' '.repeat(timeOf(atMs).length + 2);
  return [
    `${timeOf(atMs)}  Sensors, roll ${roll}: ${balls.map(ballText).join('; ')}.`,
    ...illegal.map(({ text, rules }) => `${indent}  ${text.padEnd(WIDE - 2)} ${rules.join(', ')}`),
    ...balls.flatMap(({ player, reasons }) =>
      reasons.map(({ text, rules }) =>
        `${indent}  ${player === 'undetermined' ? '?' : player}: ${text}`
          .padEnd(WIDE + indent.length)
          .concat(` ${rules.join(', ')}`)
          .trimEnd(),
      ),
    ),
  ];
}

function ballText({ player, opened, attached, confidence }: BallRuling): string {
  const who = player === 'undetermined' ? 'a ball of undetermined owner' : player;
  const sure = ` (${(Math.floor(confidence.opened * 1000) / 10).toFixed(1)} %)`;
  if (opened === 'undetermined') return `${who} undetermined${sure}`;
  if (opened === 'no') return `${who} did not open${sure}`;
  const held = attached.sure.length === 0 ? 'no core' : attached.sure.join(' and ');
  const perhaps = attached.possible.length === 0 ? '' : `, perhaps ${attached.possible.join(', ')}`;
  return `${who} opened and holds ${held}${perhaps}${sure}`;
}

/** `0:04.07` of the table's time. */
function timeOf(atMs: number): string {
  const hundredths = Math.floor(atMs / 10);
  const minutes = Math.floor(hundredths / 6000);
  const rest = hundredths - minutes * 6000;
  const seconds = String(Math.floor(rest / 100)).padStart(2, '0');
  return `${minutes}:${seconds}.${String(rest % 100).padStart(2, '0')}`;
}
