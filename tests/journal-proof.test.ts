import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOfBase64, bytesOfBase64Url, textOfBase64, textOfBase64Url } from '../host/journal/base64.ts';
import { canonicalText } from '../host/journal/canonical.ts';
import { createChain, NO_PREV } from '../host/journal/chain.ts';
import { diskOver } from '../host/journal/disk.ts';
import { nodeHashing } from '../host/journal/hashing.ts';
import { isSignedBy, keyOf, openSigner } from '../host/journal/keys.ts';
import {
  consistencyProof,
  createKnownTree,
  inclusionProof,
  type KnownTree,
} from '../host/journal/known-tree.ts';
import { keyText, noteBody, readKey, readNote } from '../host/journal/note.ts';
import {
  type Digest,
  growTree,
  isConsistent,
  isIncluded,
  levelsBetween,
  rootOf,
  subtreesOf,
} from '../host/journal/tree.ts';
import { powerCutFiles } from './support/power-cut-files.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const unhex = (text: string): Uint8Array => Buffer.from(text, 'hex');

/** Leaves and roots that the Certificate Transparency project publishes for its tree (RFC 6962 and 9162 alike). */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => nodeHashing.leaf(unhex(text)));
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** What is known of these leaves where those of [from, to) are left by the hashes of whole subtrees only. */
function treeOf(leaves: readonly Digest[], from = 0, to = 0): KnownTree {
  const tree = createKnownTree(nodeHashing);
  for (const leaf of leaves.slice(0, from)) tree.append(leaf);
  if (to > from)
    tree.appendHidden(
      to,
      subtreesOf(nodeHashing, leaves, from, to).map(({ hash }) => hash),
    );
  for (const leaf of leaves.slice(to)) tree.append(leaf);
  return tree;
}

describe('the tree of RFC 9162', () => {
  it('gives the published roots for every size', () => {
    ROOTS.forEach((root, size) => {
      expect(hex(rootOf(nodeHashing, LEAVES.slice(0, size)))).toBe(root);
    });
  });

  it('gives the published inclusion and consistency proofs', () => {
    expect(inclusionProof(treeOf(LEAVES), 0, 8).map(hex)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect(inclusionProof(treeOf(LEAVES), 2, 3).map(hex)).toEqual([
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    ]);
    expect(consistencyProof(treeOf(LEAVES), 6, 8).map(hex)).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  it('proves what is there and nothing else, for any sizes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), (size, a, b) => {
        const leaves = Array.from({ length: size }, (_, i) => nodeHashing.leaf(Buffer.from(`leaf ${i}`)));
        const root = rootOf(nodeHashing, leaves);
        const index = a % size;
        const leaf = leaves[index] ?? nodeHashing.empty;
        const proof = inclusionProof(treeOf(leaves), index, size);
        expect(isIncluded(nodeHashing, leaf, index, size, proof, root)).toBe(true);
        expect(isIncluded(nodeHashing, nodeHashing.empty, index, size, proof, root)).toBe(false);
        if (size > 1) {
          expect(isIncluded(nodeHashing, leaf, (index + 1) % size, size, proof, root)).toBe(false);
          expect(isIncluded(nodeHashing, leaf, index, size, proof.slice(1), root)).toBe(false);
        }
        const first = b % (size + 1);
        const before = rootOf(nodeHashing, leaves.slice(0, first));
        const grown = consistencyProof(treeOf(leaves), first, size);
        const now = { size, root };
        expect(isConsistent(nodeHashing, { size: first, root: before }, now, grown)).toBe(true);
        if (first > 0) {
          expect(isConsistent(nodeHashing, { size: first, root: nodeHashing.empty }, now, grown)).toBe(false);
        }
      }),
    );
  });

  it('proves what is left over removed records just as over all of them, and says where it cannot', () => {
    const sizes = fc.oneof(fc.integer({ min: 2, max: 90 }), fc.integer({ min: 500, max: 1100 }));
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), fc.nat(), (size, a, b, c) => {
        const leaves = Array.from({ length: size }, (_, i) => nodeHashing.leaf(Buffer.from(`${i}`)));
        const from = a % size;
        const to = from + 1 + (b % (size - from));
        const all = treeOf(leaves);
        const left = treeOf(leaves, from, to);
        expect(left.rootOver(0, size)).toEqual(rootOf(nodeHashing, leaves));
        const place = c % size;
        const hidden = place >= from && place < to;
        if (!hidden) expect(inclusionProof(left, place, size)).toEqual(inclusionProof(all, place, size));
        if (!hidden || place === from)
          expect(consistencyProof(left, place, size)).toEqual(consistencyProof(all, place, size));
      }),
      { numRuns: 60 },
    );
    expect(() => consistencyProof(treeOf(LEAVES, 0, 8), 3, 8)).toThrow(RangeError);
    expect(() => treeOf(LEAVES).rootOver(0, 9)).toThrow(RangeError);
  });

  it('goes on from its frontier, and over subtrees known by their hash only', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 90 }), fc.nat(), fc.nat(), (size, a, b) => {
        const leaves = Array.from({ length: size }, (_, i) => nodeHashing.leaf(Buffer.from(`${i}`)));
        const from = a % size;
        const to = from + 1 + (b % (size - from));
        const start = growTree(nodeHashing);
        for (const leaf of leaves.slice(0, from)) start.append(leaf);
        const tree = growTree(nodeHashing, from, start.frontier());
        const known = subtreesOf(nodeHashing, leaves, from, to);
        expect(known.map(({ level }) => level)).toEqual(levelsBetween(from, to));
        for (const subtree of known) tree.appendSubtree(subtree);
        for (const leaf of leaves.slice(to)) tree.append(leaf);
        expect(hex(tree.root())).toBe(hex(rootOf(nodeHashing, leaves)));
      }),
    );
  });

  it('refuses a frontier that does not fit', () => {
    expect(() => growTree(nodeHashing, 3, [nodeHashing.empty])).toThrow(RangeError);
  });
});

describe('canonical records', () => {
  it('writes the examples of RFC 8785', () => {
    const numbers = [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001];
    expect(canonicalText({ numbers, literals: [null, true, false] })).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
    );
    expect(canonicalText({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6 })).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    );
  });

  it('changes no number and no string that JSON can hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalText(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalText(JSON.parse(text))).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(canonicalText(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('never throws, whatever it is given', () => {
    expect(canonicalText({ a: Number.NaN, b: undefined, c: '\ud800', '\udc00': 1 })).toBe(
      '{"a":null,"c":"\ufffd","\ufffd":1}',
    );
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(canonicalText(loop)).toBe('null');
  });

  it('ties each record to the one before by a hash that anybody can make', () => {
    const chain = createChain('t1');
    const first = chain.add('line', 1.5, { link: 'a', line: 'x' });
    expect(first).toBe(
      `{"atMs":1.5,"data":{"line":"x","link":"a"},"kind":"line","prev":"${NO_PREV}","seq":0,"table":"t1"}`,
    );
    const second = chain.add('tick', 2, {});
    const leaf = createHash('sha256')
      .update(Buffer.concat([Buffer.of(0), Buffer.from(first)]))
      .digest();
    expect(JSON.parse(second).prev).toBe(leaf.toString('base64url'));
    expect(canonicalText(JSON.parse(second))).toBe(second);
  });
});

describe('base64', () => {
  it('gives every byte back, in one spelling only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(textOfBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(textOfBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
        expect(bytesOfBase64(textOfBase64(bytes))).toEqual(Uint8Array.from(bytes));
        expect(bytesOfBase64Url(textOfBase64Url(bytes))).toEqual(Uint8Array.from(bytes));
      }),
    );
    expect(bytesOfBase64('AB==')).toBeUndefined();
    expect(bytesOfBase64('A A=')).toBeUndefined();
  });
});

describe('signed checkpoints', () => {
  const open = async () => {
    const files = powerCutFiles();
    const disk = diskOver(files);
    await disk.makeFolder('/data');
    return { files, disk, signer: await openSigner(disk, '/data', 'bakucore/shop/t1') };
  };

  it('have the form of signed notes, and are signed by the key they name', async () => {
    const { signer } = await open();
    const root = rootOf(nodeHashing, LEAVES);
    const note = signer.sign({ origin: 'bakucore/shop/t1', size: 8, root });
    const base64 = Buffer.from(root).toString('base64');
    expect(note).toMatch(
      new RegExp(
        `^bakucore/shop/t1\n8\n${base64.replace(/[+/]/g, '\\$&')}\n\n\u2014 bakucore/shop/t1 \\S{92}\n$`,
      ),
    );
    const read = readNote(note);
    expect(read).toMatchObject({ origin: 'bakucore/shop/t1', size: 8, keyName: 'bakucore/shop/t1' });
    if (read === undefined) throw new Error('no note');
    expect(read.body).toBe(noteBody({ origin: 'bakucore/shop/t1', size: 8, root }));
    expect(isSignedBy(signer.key, read.body, read.signature)).toBe(true);
    expect(isSignedBy(signer.key, read.body.replace('8', '9'), read.signature)).toBe(false);
    const key = readKey(keyText(signer.key));
    expect(key).toEqual({
      ...signer.key,
      keyId: Uint8Array.from(signer.key.keyId),
      publicKey: Uint8Array.from(signer.key.publicKey),
    });
    expect(hex(read.keyId)).toBe(hex(signer.key.keyId));
  });

  it('reads the key id as the note format defines it', () => {
    // Test key of the signed-note specification: name, key and id as published there.
    const key = readKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
    if (key === undefined) throw new Error('no key');
    expect(hex(keyOf(key.name, key.publicKey).keyId)).toBe('c74f20a3');
    const text =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
    const signed = bytesOfBase64(
      'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
    );
    if (signed === undefined) throw new Error('no signature');
    expect(isSignedBy(key, text, signed.subarray(4))).toBe(true);
  });

  it('takes no note with a single byte more or less', async () => {
    const { signer } = await open();
    const note = signer.sign({ origin: 'x', size: 3, root: rootOf(nodeHashing, LEAVES.slice(0, 3)) });
    for (let i = 0; i <= note.length; i += 1) {
      const other = `${note.slice(0, i)} ${note.slice(i)}`;
      const read = readNote(other);
      expect(
        read === undefined || !isSignedBy(signer.key, read.body, read.signature) || read.keyName !== 'x',
      ).toBe(true);
    }
    expect(readNote(note.replace('\n3\n', '\n03\n'))).toBeUndefined();
  });

  it('keeps its key, and refuses to overwrite one that it cannot read', async () => {
    const { disk, files, signer } = await open();
    const again = await openSigner(disk, '/data', 'bakucore/shop/t1');
    expect(again.isNew).toBe(false);
    expect(keyText(again.key)).toBe(keyText(signer.key));
    files.put('/data/journal-key.pem', Buffer.from('no key'));
    await expect(openSigner(disk, '/data', 'x')).rejects.toMatchObject({ code: 'journal/key-unusable' });
    expect(files.text('/data/journal-key.pem')).toBe('no key');
  });
});
