import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { silentLog } from '../../host/log.ts';
import { type Broker, openBroker } from '../../host/transports/broker.ts';

/** A broker that a test can stop and start again on the same port. */
export interface TestBroker {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Removes what it left on disk. */
  dispose(): void;
}

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

export async function embedded(login?: Login): Promise<TestBroker> {
  const port = await freePort();
  let broker: Broker | undefined;
  return {
    url: `mqtt://127.0.0.1:${port}`,
    async start() {
      broker = await openBroker(
        { host: '127.0.0.1', port, ...(login === undefined ? {} : { login }) },
        silentLog,
      );
    },
    async stop() {
      await broker?.close();
      broker = undefined;
    },
    dispose: () => {},
  };
}

/** Debian's broker, killed hard on stop. */
export async function mosquitto(login?: Login): Promise<TestBroker> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-mosquitto-'));
  const passwords = join(folder, 'passwords');
  const config = [`listener ${port} 127.0.0.1`, `allow_anonymous ${login === undefined}`];
  if (login !== undefined) {
    spawnSync('mosquitto_passwd', ['-b', '-c', passwords, login.username, login.password]);
    config.push(`password_file ${passwords}`);
  }
  if (process.getuid?.() === 0) config.push('user root');
  const file = join(folder, 'broker.conf');
  writeFileSync(file, `${config.join('\n')}\n`);
  let child: ChildProcess | undefined;
  return {
    url: `mqtt://127.0.0.1:${port}`,
    async start() {
      child = spawn('mosquitto', ['-c', file], {
        stdio: 'ignore',
        env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
      });
      for (let i = 0; i < 6000; i++) {
        if (await answers(port)) return;
        await new Promise((done) => setTimeout(done, 10));
      }
      throw new Error('mosquitto does not listen');
    },
    async stop() {
      const running = child;
      child = undefined;
      if (running !== undefined && running.exitCode === null) {
        const ended = new Promise((done) => running.once('exit', done));
        running.kill('SIGKILL');
        await ended;
      }
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function answers(port: number): Promise<boolean> {
  const { connect: dial } = await import('node:net');
  return new Promise((resolve) => {
    const socket = dial(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** A board, or a curious program, on a broker. */
export async function client(url: string, options: IClientOptions = {}): Promise<MqttClient> {
  const made = connect(url, { protocolVersion: 4, clean: true, reconnectPeriod: 0, ...options });
  made.on('error', () => {});
  await new Promise<void>((done, fail) => {
    made.once('connect', () => done());
    made.once('close', () => fail(new Error(`no connection to ${url}`)));
  });
  return made;
}
