import { Command } from 'commander';
import { systemClock } from '../../host/clock.ts';
import { pinoLog } from '../../host/log.ts';
import { runBridge } from '../../host/transports/bridge.ts';
import { serial } from '../../host/transports/serial.ts';
import { baudRate, brokerUrl, filled } from '../option-values.ts';
import { untilStopped } from '../until-stopped.ts';

type Options = {
  readonly port: string;
  readonly baud: number;
  readonly broker: string;
  readonly store: string;
  readonly table: string;
  readonly username?: string;
  readonly passwordFile?: string;
  readonly json: boolean;
};

/** `bakucore bridge`: a serial board on MQTT, for a small computer beside the mat. */
export function bridge(): Command {
  return new Command('bridge')
    .description('Carry one serial board onto MQTT, both ways, until stopped.')
    .requiredOption('--port <path>', 'serial port of the board, best by /dev/serial/by-id/…', filled)
    .requiredOption('--broker <url>', 'address of the broker, as in mqtt://192.168.1.5:1883', brokerUrl)
    .requiredOption('--store <name>', 'store level of the topics')
    .requiredOption('--table <name>', 'table level of the topics')
    .option('--baud <rate>', 'rate of the port', baudRate, 500_000)
    .option('--username <name>', 'login at the broker')
    .option('--password-file <path>', 'file whose first line is the password')
    .option('--json', 'log as JSON lines', false)
    .addHelpText(
      'after',
      '\nExample:\n  bakucore bridge --port /dev/ttyACM0 --broker mqtt://127.0.0.1:1883 --store demo --table t1',
    )
    .action(async (options: Options) => {
      const log = await pinoLog({ json: options.json, stream: process.stderr });
      const place = {
        store: options.store,
        table: options.table,
        link: 'bridge',
        folder: process.cwd(),
        broker: { url: options.broker },
      };
      const running = await runBridge(
        {
          port: serial.parse({ path: options.port, baudRate: options.baud }, place),
          url: options.broker,
          store: options.store,
          table: options.table,
          ...(options.username === undefined ? {} : { username: options.username }),
          ...(options.passwordFile === undefined ? {} : { passwordFile: options.passwordFile }),
        },
        log,
        systemClock,
      );
      await untilStopped();
      await running.close();
    });
}
