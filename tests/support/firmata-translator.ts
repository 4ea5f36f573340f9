import type { UplinkFrame } from '../../firmware-protocol/frame.ts';
import { decodeLine } from '../../firmware-protocol/line.ts';
import { createTranslator, type TranslatorAsk } from '../../host/transports/firmata-translator.ts';

/** A translator at a clock that is set by hand, and what it said. */
export function translatorBench(more: Partial<TranslatorAsk> = {}) {
  const lines: string[] = [];
  const at = { us: 0 };
  const translator = createTranslator({
    device: '0F1A7A01',
    side: 'A',
    tiles: 2,
    samplingMs: 19,
    gates: true,
    stud: false,
    leds: false,
    bootId: 0x1234,
    build: '00C0FFEE',
    nowUs: () => at.us,
    say: (line) => lines.push(line) > 0,
    ...more,
  });
  const frames = (): UplinkFrame[] =>
    lines.map((line) => {
      const decoded = decodeLine(line);
      if (!decoded.ok) throw new Error(`${line}: ${decoded.detail}`);
      return decoded.frame;
    });
  const pass = (ms: number): void => {
    for (const end = at.us + ms * 1000; at.us < end; ) {
      at.us += 5000;
      translator.heard();
      translator.tick();
    }
  };
  const of = <Kind extends UplinkFrame['kind']>(kind: Kind) =>
    frames().filter((frame): frame is Extract<UplinkFrame, { kind: Kind }> => frame.kind === kind);
  return { translator, lines, at, frames, pass, of };
}
