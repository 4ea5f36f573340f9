import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import type { Output } from '../host/advance/input.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { openPage } from './support/browser.ts';
import { bothHeard, eventually, type LiveChain, liveChain } from './support/live-chain.ts';
import { strangeCells } from './support/strip-colours.ts';
import { has, secondNode } from './support/system.ts';

/** The whole chain in real time: committed firmware on emulated boards, real serial ports, the real page. */
describe.skipIf(!has('socat') || !has('chromium'))('two emulated Unos over serial ports', () => {
  let chain: LiveChain | undefined;
  afterEach(async () => {
    await chain?.close();
    chain = undefined;
  });

  it('plays three automatic turns; the page shows a Victor; the strips show the scene', {
    timeout: 1_200_000,
  }, async () => {
    chain = await liveChain({ seed: 5 });
    const { view, outputs } = chain;
    await eventually('both boards are heard', () => chain !== undefined && bothHeard(chain));
    const page = await openPage(chain.host.url);
    chain.play();
    await eventually('a Victor', () => outputs.some(isVictor), 400_000);
    await page.waitForText(/Victor/);
    await page.close();
    await eventually('three turns', () => view().turn > 3, 400_000);
    await eventually('strips show the scene', () => stripsShowScene(chain));

    const wrong = outputs.filter((output) => output.kind === 'refused');
    expect(wrong).toEqual([]);
    await chain.close();
    const path = chain.journal();
    chain = undefined;
    const said = replay(process.execPath, path);
    expect(said).toMatch(/ [1-9]\d* rulings, [1-9]\d* lines to boards/);
    expect(replay(process.execPath, path)).toBe(said);
    if (secondNode !== undefined) expect(replay(secondNode, path)).toBe(said);
  });
});

/** What the record gives when it is run again and compared: counts and the hash of everything ruled, told and sent. */
function replay(node: string, path: string): string {
  return execFileSync(node, ['dist/bin/bakucore.js', 'replay', path, '--check']).toString();
}

function isVictor(output: Output): boolean {
  return output.kind === 'event' && output.event.type === 'victor/declared';
}

function stripsShowScene(chain: LiveChain | undefined): boolean {
  if (chain === undefined) return false;
  const { world } = chain;
  return (
    strangeCells(chain.scene(), FIXED_12, (side) => world.leds(`sim-${side.toLowerCase()}`)).length === 0
  );
}
