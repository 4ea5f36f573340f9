import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import type {
  AnswerFrame,
  BoardSide,
  HealthFrame,
  HelloFrame,
  UplinkFrame,
} from '../../firmware-protocol/frame.ts';
import { PROTOCOL_VERSION } from '../../firmware-protocol/frame.ts';
import { decodeLine, encodeDown } from '../../firmware-protocol/line.ts';
import { systemClock } from '../../host/clock.ts';
import { TableFault } from '../../host/fault.ts';
import { serial } from '../../host/transports/serial.ts';
import type { Transport } from '../../host/transports/transport.ts';
import { baudRate, filled } from '../option-values.ts';
import { say } from '../say.ts';

type Options = {
  readonly port: string;
  readonly baud: number;
  readonly assign?: 'A' | 'B' | 'both';
  readonly json: boolean;
};

/** A board says hello within its boot time, about a second, and once a second after. */
const HELLO_WITHIN_MS = 6000;
const ANSWER_WITHIN_MS = 3000;
const ASSIGN_TAG = 1;

/** `bakucore doctor`: looks at one board, and gives it its identity. */
export function doctor(): Command {
  return new Command('doctor')
    .description(
      'Look at one board on a serial port: who it is and how it fares; or tell it which side it is.',
    )
    .requiredOption('--port <path>', 'serial port of the board', filled)
    .option('--baud <rate>', 'rate of the port', baudRate, 500_000)
    .addOption(
      new Option('--assign <side>', 'write this side and an identity into the board').choices([
        'A',
        'B',
        'both',
      ]),
    )
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore doctor --port /dev/ttyACM0\n  bakucore doctor --port /dev/ttyACM0 --assign A',
    )
    .action(async (options: Options) => {
      const board = await openBoard(options);
      try {
        let hello = await board.wait('a hello', HELLO_WITHIN_MS, isHello);
        if (options.assign !== undefined) hello = await assign(board, hello, options.assign);
        const health = await board.wait('how it fares', ANSWER_WITHIN_MS, isHealth);
        if (options.json) say(JSON.stringify({ hello, health }));
        else say(...describe(hello), ...describeHealth(health));
      } finally {
        await board.close();
      }
    });
}

type OpenBoard = {
  send(line: string): boolean;
  /** The next frame that fits. Rejects with a TableFault when none comes in time. */
  wait<Frame extends UplinkFrame>(
    what: string,
    withinMs: number,
    fits: (frame: UplinkFrame) => frame is Frame,
  ): Promise<Frame>;
  close(): Promise<void>;
};

async function openBoard(options: Options): Promise<OpenBoard> {
  let listener: ((frame: UplinkFrame) => void) | undefined;
  let whyDown = '';
  let heardNoise = false;
  const place = {
    store: 'doctor',
    table: 'doctor',
    link: 'board',
    folder: process.cwd(),
    broker: { url: '' },
  };
  const transport: Transport = await serial.open(
    'board',
    serial.parse({ path: options.port, baudRate: options.baud }, place),
    {
      line(_link, raw) {
        const decoded = 'line' in raw ? decodeLine(raw.line) : undefined;
        if (decoded?.ok) listener?.(decoded.frame);
        else heardNoise = true;
      },
      up() {
        whyDown = '';
      },
      down(_link, reason, remedy) {
        whyDown = remedy === undefined ? reason : `${reason} ${remedy}`;
      },
      dropped() {
        heardNoise = true;
      },
    },
    systemClock,
  );
  return {
    send: (line) => transport.send(line),
    wait: (what, withinMs, fits) =>
      new Promise((resolve, reject) => {
        const cancel = systemClock.after(withinMs, () => {
          listener = undefined;
          reject(
            whyDown === '' && heardNoise
              ? new TableFault(
                  'serial/silent',
                  `The port speaks, but no line of a board.`,
                  'Check baud 500000.',
                )
              : new TableFault(
                  whyDown === '' ? 'serial/silent' : 'serial/failed',
                  whyDown === '' ? `The board did not say ${what}.` : whyDown,
                  whyDown === '' ? 'Check cable and firmware.' : '',
                ),
          );
        });
        listener = (frame) => {
          if (!fits(frame)) return;
          listener = undefined;
          cancel();
          resolve(frame);
        };
      }),
    close: () => transport.close(),
  };
}

function isHealth(frame: UplinkFrame): frame is HealthFrame {
  return frame.kind === 'health';
}

function isHello(frame: UplinkFrame): frame is HelloFrame {
  return frame.kind === 'hello';
}

async function assign(board: OpenBoard, hello: HelloFrame, side: BoardSide): Promise<HelloFrame> {
  const device = hello.device === '00000000' ? randomBytes(4).toString('hex').toUpperCase() : hello.device;
  if (!board.send(encodeDown({ kind: 'assign', tag: ASSIGN_TAG, device, side }))) {
    throw new TableFault('serial/failed', 'The port does not take a line.', 'Plug the board in again.');
  }
  const answer = await board.wait(
    'that it took its identity',
    ANSWER_WITHIN_MS,
    (frame): frame is AnswerFrame => frame.kind === 'answer' && frame.tag === ASSIGN_TAG,
  );
  if (answer.status !== 'ok') {
    throw new TableFault(
      'serial/failed',
      'The board refused the identity.',
      'A board with six tiles takes A or B, one with twelve takes both.',
    );
  }
  board.send(encodeDown({ kind: 'greet', tag: 2 }));
  return board.wait(
    'its new identity',
    HELLO_WITHIN_MS,
    (frame): frame is HelloFrame => isHello(frame) && frame.side === side,
  );
}

function describe(hello: HelloFrame): readonly string[] {
  const protocol =
    hello.protocol === PROTOCOL_VERSION
      ? `protocol ${hello.protocol}`
      : `protocol ${hello.protocol}, this host speaks ${PROTOCOL_VERSION}: flash the firmware of this host`;
  const side =
    hello.side === 'unset' ? 'no side yet: run again with --assign A or --assign B' : `side ${hello.side}`;
  return [
    `Board ${hello.device}, ${side}`,
    `  firmware ${hello.firmware} (build ${hello.build}), ${protocol}`,
    `  ${hello.tiles} tiles, ${hello.halls} halls a tile, ${hello.sampleHz} scans a second`,
    `  boot ${hello.bootId}, last reset: ${resetWords(hello.resetCause)}`,
  ];
}

function resetWords(cause: number): string {
  const words = ['power on', 'reset button or port opened', 'brown-out: check the supply', 'watchdog'];
  return words.filter((_, bit) => (cause >> bit) & 1).join(', ') || 'unknown';
}

function describeHealth(health: HealthFrame): readonly string[] {
  const supply =
    health.supplyMv === 0 ? 'supply not measured' : `supply ${(health.supplyMv / 1000).toFixed(2)} V`;
  return [
    `  up ${health.uptimeS} s, ${supply}, ${health.stackFreeBytes} bytes of stack never used`,
    `  ${health.rxOverruns} bytes lost on the way down, ${health.rxFaults} bad lines down, ${health.txDrops} lines up and ${health.edgeDrops} edges dropped`,
  ];
}
