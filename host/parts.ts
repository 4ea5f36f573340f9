import { bakugan } from './game/bakugan/bakugan.ts';
import type { Ruleset } from './game/ruleset.ts';
import { firmata } from './transports/firmata.ts';
import { mqtt } from './transports/mqtt.ts';
import { replay } from './transports/replay.ts';
import { serial } from './transports/serial.ts';
import type { TransportKind } from './transports/transport.ts';

/** Everything of which a table is put together, by name. A plain value: whoever starts a host may add to it. */
export interface Parts {
  readonly transports: readonly TransportKind<unknown>[];
  readonly rulesets: readonly Ruleset[];
}

/** The parts that every host has. */
export const PARTS: Parts = {
  transports: [serial, mqtt, replay, firmata],
  rulesets: [bakugan],
};

/**
 * The same parts and more. A part with a name that is there already takes that place, so that a test or a simulator
 * can stand in for the real one.
 */
export function withParts(parts: Parts, more: Partial<Parts>): Parts {
  return {
    transports: merged(parts.transports, more.transports),
    rulesets: merged(parts.rulesets, more.rulesets),
  };
}

/** The part of that name, or undefined. */
export function partNamed<Part extends { readonly name: string }>(
  parts: readonly Part[],
  name: string,
): Part | undefined {
  return parts.find((part) => part.name === name);
}

/** The rules of that name in that version, the newest or an older one; or undefined. */
export function rulesetUnder(parts: Parts, name: string, version: string): Ruleset | undefined {
  const newest = partNamed(parts.rulesets, name);
  return [newest, ...(newest?.earlier ?? [])].find((one) => one?.version === version);
}

/** Every version of the rules of that name, the newest first. */
export function versionsOf(parts: Parts, name: string): readonly string[] {
  const newest = partNamed(parts.rulesets, name);
  return newest === undefined ? [] : [newest, ...(newest.earlier ?? [])].map((one) => one.version);
}

function merged<Part extends { readonly name: string }>(
  parts: readonly Part[],
  more: readonly Part[] = [],
): readonly Part[] {
  return [...parts.filter(({ name }) => partNamed(more, name) === undefined), ...more];
}
