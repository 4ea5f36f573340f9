/** What a host in virtual time is made of: a config in a folder of its own, and transports over cables that a test holds. */
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, parseConfig } from '../../host/config.ts';
import { LOW_SPACE_BYTES } from '../../host/journal/folder.ts';
import { PARTS, type Parts, withParts } from '../../host/parts.ts';
import { mqtt } from '../../host/transports/mqtt.ts';
import { serialKind } from '../../host/transports/serial.ts';
import type { Cable } from './cable.ts';
import { type Handed, tapped } from './kept.ts';

/** Virtual time stands still while the disk works: memory is quicker, where a host finds the room that it asks for. */
export function quickFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 * LOW_SPACE_BYTES ? memory : tmpdir();
}

/** Parts of the config that a test may ask for. */
export interface ConfigAsk {
  /** Links beside or instead of the two serial ones, as in the config. */
  readonly links?: ((serial: object) => object) | undefined;
  readonly broker?: object | undefined;
  /** Parts of the config's `http` beside the port. */
  readonly http?: object | undefined;
  /** Options of the game. */
  readonly options: object;
  /** Keys of the table's config beside its options and links. */
  readonly table: object;
}

/** The config of one table in this folder and the parts over these cables; what they hand on is kept in `handed`. */
export function rigConfig({
  folder,
  cables,
  handed,
  links,
  broker,
  http,
  options,
  table,
}: ConfigAsk & {
  readonly folder: string;
  readonly cables: { readonly a: Cable; readonly b: Cable };
  readonly handed: Handed[];
}): { readonly config: Config; readonly parts: Parts } {
  const parts = withParts(PARTS, {
    transports: [
      tapped(
        serialKind(async ({ path }) => {
          const cable = Object.values(cables).find((one) => one.path === path);
          if (cable === undefined) throw new Error(`no cable ${path}`);
          return cable.port();
        }),
        handed,
      ),
      tapped(mqtt, handed),
    ],
  });
  const ports = {
    'side-a': { transport: 'serial', path: cables.a.path, side: 'A' },
    'side-b': { transport: 'serial', path: cables.b.path, side: 'B' },
  };
  const parsed = parseConfig(
    JSON.stringify({
      http: { port: 0, ...http },
      dataDir: join(folder, 'data'),
      ...(broker === undefined ? {} : { broker }),
      tables: { t1: { ...table, rulesetOptions: options, links: links?.(ports) ?? ports } },
    }),
    'rig',
    parts,
  );
  if (!parsed.ok) throw new Error(parsed.problems.map(({ text }) => text).join('\n'));
  return { config: parsed.config, parts };
}
