/**
 * Checkpoints as signed notes, the form that transparency logs use (C2SP signed-note and tlog-checkpoint):
 *
 *     bakucore/my-store/t1
 *     1024
 *     <root, base64>
 *
 *     — bakucore/my-store/t1 <base64 of key id and Ed25519 signature>
 *
 * Pure: signing and checking are handed in, so that browsers use the same code.
 */
import { bytesOfBase64, textOfBase64 } from './base64.ts';
import type { Digest } from './tree.ts';

/** What a checkpoint says: the journal named `origin` had `size` records under this root. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Digest;
}

/** A checkpoint with its signature, taken apart and not yet checked. */
export interface SignedCheckpoint extends Checkpoint {
  /** The text that was signed, with its last line end. */
  readonly body: string;
  readonly keyName: string;
  /** First four bytes of SHA-256 over name, line feed, 0x01 and public key. */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

/** A public key as checkpoints name it: `<name>+<key id, hex>+<base64 of 0x01 and the key>`. */
export interface NoteKey {
  readonly name: string;
  readonly keyId: Uint8Array;
  /** Raw Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** The text that is signed. */
export function noteBody(checkpoint: Checkpoint): string {
  return `${checkpoint.origin}\n${checkpoint.size}\n${textOfBase64(checkpoint.root)}\n`;
}

/** Body and signature as one note. */
export function noteText(body: string, key: NoteKey, signature: Uint8Array): string {
  const signed = new Uint8Array(4 + signature.length);
  signed.set(key.keyId);
  signed.set(signature, 4);
  return `${body}\n\u2014 ${key.name} ${textOfBase64(signed)}\n`;
}

/** Takes a note apart; undefined when it is no checkpoint with one signature, to the last byte. */
export function readNote(text: string): SignedCheckpoint | undefined {
  const lines = text.split('\n');
  const [origin, size, root, blank, signed, end] = lines;
  if (lines.length !== 6 || blank !== '' || end !== '') return undefined;
  if (origin === undefined || origin === '' || size === undefined || !/^(0|[1-9]\d{0,15})$/.test(size))
    return undefined;
  const hash = root === undefined ? undefined : bytesOfBase64(root);
  const match = /^\u2014 (\S+) (\S+)$/.exec(signed ?? '');
  const bytes = match?.[2] === undefined ? undefined : bytesOfBase64(match[2]);
  if (hash?.length !== 32 || bytes?.length !== 68 || match?.[1] === undefined) return undefined;
  return {
    origin,
    size: Number(size),
    root: hash,
    body: `${origin}\n${size}\n${root}\n`,
    keyName: match[1],
    keyId: bytes.subarray(0, 4),
    signature: bytes.subarray(4),
  };
}

/** A public key in its text form; undefined when it is none. The key id is not checked here. */
export function readKey(text: string): NoteKey | undefined {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim());
  const bytes = match?.[3] === undefined ? undefined : bytesOfBase64(match[3]);
  if (match?.[1] === undefined || match[2] === undefined || bytes?.length !== 33 || bytes[0] !== 1)
    return undefined;
  const keyId = Uint8Array.from(match[2].match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
  return { name: match[1], keyId, publicKey: bytes.subarray(1) };
}

/** A public key as text. */
export function keyText(key: NoteKey): string {
  const id = [...key.keyId].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const bytes = new Uint8Array(33);
  bytes[0] = 1;
  bytes.set(key.publicKey, 1);
  return `${key.name}+${id}+${textOfBase64(bytes)}`;
}

/** What a key id is made from; the id is the first four bytes of its SHA-256. */
export function keyIdSource(name: string, publicKey: Uint8Array): Uint8Array {
  const start = new TextEncoder().encode(`${name}\n`);
  const bytes = new Uint8Array(start.length + 1 + publicKey.length);
  bytes.set(start);
  bytes[start.length] = 1;
  bytes.set(publicKey, start.length + 1);
  return bytes;
}
