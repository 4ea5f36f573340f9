import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { decodeDownLine, decodeLine } from '../firmware-protocol/line.ts';

const read = (name: string) => readFileSync(new URL(`../firmware-protocol/${name}`, import.meta.url), 'utf8');
const readme = read('README.md');

function quoted(block: string): readonly string[] {
  const found = [...readme.matchAll(new RegExp(`\`\`\`${block}\\n([^\`]*)\`\`\``, 'g'))];
  return found.flatMap(([, text = '']) => text.trim().split('\n'));
}

describe('the specification', () => {
  test('every line quoted as good decodes, every line quoted as bad does not', () => {
    const up = quoted('up');
    const down = quoted('down');
    for (const line of up) expect(decodeLine(line), line).toMatchObject({ ok: true });
    for (const line of down) expect(decodeDownLine(line), line).toMatchObject({ ok: true });
    for (const line of quoted('bad')) expect(decodeLine(line), line).toMatchObject({ ok: false });
    expect(new Set(up.map((line) => line.charAt(0)))).toEqual(new Set('HQBESAFN'));
    expect(new Set(down.map((line) => line.charAt(0)))).toEqual(new Set('LMPGITCD'));
    expect(quoted('bad').length).toBeGreaterThan(0);
  });
  test('quotes no line outside those blocks', () => {
    const lines = readme.match(/^[A-Z]1,.*,[0-9A-F]{4}$/gm) ?? [];
    expect(lines.length).toBe(
      quoted('up').length +
        quoted('down').length +
        quoted('bad').filter((l) => /^[A-Z]1,.*,[0-9A-F]{4}$/.test(l)).length,
    );
  });
  test('what it says of the quoted bursts is what they hold', () => {
    const burst = (seq: number) => {
      for (const line of quoted('up')) {
        const got = decodeLine(line);
        if (got.ok && got.frame.kind === 'burst' && got.frame.seq === seq) return got.frame;
      }
      throw new Error(`no burst ${seq}`);
    };
    expect([...burst(0x100).samples]).toEqual(Array.from({ length: 16 }, (_, i) => 512 + i));
    expect(burst(0x101).contacts[0]).toBe(0b11111000);
    expect(burst(0x103).gapMask).toBe(1 << 5);
    expect(burst(0x106).halls).toBe(1);
  });
});

describe('the AsyncAPI document', () => {
  const doc = parse(read('asyncapi.yaml'));
  test('is version 3 and names the topics of the specification', () => {
    expect(doc.asyncapi).toBe('3.0.0');
    const topics = Object.values<{ address: string }>(doc.channels).map((channel) => channel.address);
    const inReadme = [...readme.matchAll(/`(bakucore\/v1\/[^`]*)`/g)].map(([, topic]) => topic);
    expect(new Set(topics)).toEqual(new Set(inReadme));
    expect(topics).toHaveLength(2);
  });
  test('every reference leads somewhere and every parameter of a topic is described', () => {
    const follow = (ref: string) =>
      ref
        .slice(2)
        .split('/')
        .reduce((at: Record<string, unknown> | undefined, key) => at?.[key] as never, doc);
    for (const [, ref = ''] of read('asyncapi.yaml').matchAll(/\$ref: '([^']*)'/g))
      expect(follow(ref), ref).toBeDefined();
    for (const channel of Object.values<{ address: string; parameters: object }>(doc.channels)) {
      const named = [...channel.address.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name);
      expect(Object.keys(channel.parameters)).toEqual(named);
    }
  });
  test('messages are never retained, at QoS 1, and their examples are good lines of their pattern', () => {
    for (const operation of Object.values<{ bindings: { mqtt: { qos: number; retain?: boolean } } }>(
      doc.operations,
    )) {
      expect(operation.bindings.mqtt.qos).toBe(1);
      expect(operation.bindings.mqtt.retain ?? false).toBe(false);
    }
    for (const [name, message] of Object.entries<{
      payload: { pattern: string };
      examples: { payload: string }[];
    }>(doc.components.messages)) {
      for (const { payload } of message.examples) {
        expect(payload).toMatch(new RegExp(message.payload.pattern));
        for (const line of payload.split('\n')) {
          expect((name === 'linesUp' ? decodeLine : decodeDownLine)(line)).toMatchObject({ ok: true });
        }
      }
    }
  });
});
