import { hash } from 'node:crypto';
import { nodeHashing } from '../journal/hashing.ts';
import { isSignedBy } from '../journal/keys.ts';
import { hashOfSaved } from '../state-hash.ts';
import type { VerifyTools } from './verdict.ts';

/** Hashing and signatures by Node's own library. */
export const NODE_TOOLS: VerifyTools = {
  hashing: nodeHashing,
  sha256: (bytes) => hash('sha256', bytes, 'buffer'),
  isSigned: isSignedBy,
  stateHash: hashOfSaved,
};
