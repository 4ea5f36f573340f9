import { readFile } from 'node:fs/promises';
import { TableFault, wordsOf } from '../fault.ts';
import type { Side } from '../ids.ts';
import type { FeedToken } from './feed-roles.ts';

/** A token of the config: the secret itself lies in a file, never in the config. */
export type TokenFile = {
  readonly role: FeedToken['role'];
  readonly player?: Side;
  readonly name?: string;
  /** Path of a file whose first line is the secret; white space around it is ignored. */
  readonly file: string;
};

/** Shortest secret that is taken, characters. */
export const LEAST_SECRET = 16;

/** Reads the secrets. Rejects with a `TableFault` that names the file when one is absent, short or used twice. */
export async function readFeedTokens(files: readonly TokenFile[]): Promise<readonly FeedToken[]> {
  const tokens: FeedToken[] = [];
  for (const { file, ...rest } of files) {
    const [line = ''] = (await read(file)).split('\n');
    const secret = line.trim();
    if (secret.length < LEAST_SECRET || /\s/.test(secret)) {
      throw new TableFault(
        'config/bad-value',
        `The token in ${file} is shorter than ${LEAST_SECRET} characters or has spaces in it.`,
        'Make one with: openssl rand -hex 24',
      );
    }
    if (rest.role === 'player' && rest.player === undefined) {
      throw new TableFault(
        'config/missing-key',
        `The player token ${file} does not say which player.`,
        'Add player: A or B.',
      );
    }
    if (tokens.some((one) => one.secret === secret)) {
      throw new TableFault(
        'config/bad-value',
        `${file} holds the same token as another file.`,
        'Give each role its own.',
      );
    }
    tokens.push({ ...rest, secret });
  }
  return tokens;
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new TableFault(
      'config/unreadable',
      `The token file ${file} cannot be read: ${wordsOf(error)}.`,
      'Check the path and that this user may read it.',
      { cause: error },
    );
  }
}
