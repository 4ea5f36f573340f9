import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { join } from 'node:path';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import type { Disk } from './disk.ts';
import { type Checkpoint, keyIdSource, type NoteKey, noteBody, noteText } from './note.ts';

/** Name of the file with the secret key, in the data folder. Back it up; give it to nobody. */
export const KEY_FILE = 'journal-key.pem';

/** Signs checkpoints of one journal. */
export interface Signer {
  readonly key: NoteKey;
  /** The key was made just now: there was none. */
  readonly isNew: boolean;
  sign(checkpoint: Checkpoint): string;
}

/**
 * The Ed25519 key of a data folder, made on first use. Throws a TableFault `journal/key-unusable` when the file is there
 * and is no such key: a host that overwrote it would make its own past unprovable.
 */
export async function openSigner(disk: Disk, dataDir: string, origin: string): Promise<Signer> {
  const path = join(dataDir, KEY_FILE);
  let secret: KeyObject;
  let isNew = false;
  try {
    secret = secretOf(Buffer.from(await disk.read(path)).toString('utf8'));
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') {
      throw new TableFault(
        'journal/key-unusable',
        `${path} is not a readable Ed25519 key (${wordsOf(error)}).`,
        'Restore it from a backup; or move it away, and a new key is made and the change noted in the journal.',
        { cause: error },
      );
    }
    secret = generateKeyPairSync('ed25519').privateKey;
    isNew = true;
    await disk.replace(path, Buffer.from(secret.export({ type: 'pkcs8', format: 'pem' })), 0o600);
  }
  const key = keyOf(origin, rawPublic(secret));
  return {
    key,
    isNew,
    sign(checkpoint) {
      const body = noteBody(checkpoint);
      return noteText(body, key, sign(null, Buffer.from(body), secret));
    },
  };
}

/** A public key under the name of a journal. */
export function keyOf(name: string, publicKey: Uint8Array): NoteKey {
  return { name, publicKey, keyId: hash('sha256', keyIdSource(name, publicKey), 'buffer').subarray(0, 4) };
}

/** Whether the body of a note was signed with this key. */
export function isSignedBy(key: NoteKey, body: string, signature: Uint8Array): boolean {
  const x = Buffer.from(key.publicKey).toString('base64url');
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(body), publicKey, signature);
  } catch {
    return false;
  }
}

function secretOf(pem: string): KeyObject {
  const secret = createPrivateKey(pem);
  if (secret.asymmetricKeyType !== 'ed25519') throw new Error(`a key of type ${secret.asymmetricKeyType}`);
  return secret;
}

function rawPublic(secret: KeyObject): Uint8Array {
  const { x } = createPublicKey(secret).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url');
}
