import type { Server } from 'node:http';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';

/** Starts listening and gives the port. Rejects with a `TableFault` that says what is wrong and what to do. */
export async function listenOn(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const failed = (error: Error): void => reject(listenFault(error, host, port));
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function listenFault(error: Error, host: string, port: number): TableFault {
  const at = `${host}:${port}`;
  switch (systemCodeOf(error)) {
    case 'EADDRINUSE':
      return new TableFault(
        'http/port-taken',
        `Another program already listens on ${at}.`,
        'If it is an earlier host, stop it; else take another port: http.port in the config, or --port (0 takes any free one).',
        { cause: error },
      );
    case 'EACCES':
      return new TableFault(
        'http/failed',
        `This user may not listen on ${at}.`,
        'Ports below 1024 are for the system: set http.port to 1024 or more in the config.',
        { cause: error },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new TableFault(
        'http/failed',
        `${host} is no address of this machine.`,
        'Set http.host to 127.0.0.1 for this machine only, or to 0.0.0.0 for its network.',
        { cause: error },
      );
    default:
      return new TableFault('http/failed', `Listening on ${at} failed: ${wordsOf(error)}.`, '', {
        cause: error,
      });
  }
}
