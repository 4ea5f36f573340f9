/** Bad lines on the wire of a whole host that plays: each is counted or told, and the next roll is ruled right. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checksumOf } from '../firmware-protocol/crc.ts';
import type { UplinkFrame } from '../firmware-protocol/frame.ts';
import { decodeLine, encodeDown, encodeUp } from '../firmware-protocol/line.ts';
import { createScriptedBoard } from '../sim/scripted-board.ts';
import type { Cable } from './support/cable.ts';
import { hostRig, type Rig } from './support/host-rig.ts';
import { ALL_KEPT, type Kept } from './support/kept.ts';

const CLEAN_ROLL = { wrong: [], doubts: [] };

function frameOf(line: string): UplinkFrame {
  const decoded = decodeLine(line.trimEnd());
  if (!decoded.ok) throw new Error(`no frame: ${line}`);
  return decoded.frame;
}

/** A body with its right checksum. */
function summed(body: string): string {
  return `${body}${checksumOf(body, body.length).toString(16).toUpperCase().padStart(4, '0')}\n`;
}

/** The last hex digit of a line's fields, changed. */
function altered(line: string): string {
  const at = line.indexOf(',', 11) - 1;
  return `${line.slice(0, at)}${line[at] === '0' ? '1' : '0'}${line.slice(at + 1)}`;
}

/** How much counters of a link rose while something was done. */
async function risen(
  rig: Rig,
  link: string,
  deed: () => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const before = rig.counts(link);
  await deed();
  const after = rig.counts(link);
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const by = value - (before[name] ?? 0);
      return by === 0 || name === 'lines' || name === 'fresh' ? [] : [[name, by]];
    }),
  );
}

function keptAll(kept: Kept): void {
  expect(kept.records.map(({ seq }) => seq)).toEqual(kept.records.map((_, i) => i));
  expect(kept).toMatchObject(ALL_KEPT);
}

describe('on one wire of a host that plays', () => {
  let rig: Rig;
  let a: Cable;
  beforeAll(async () => {
    rig = await hostRig();
    a = rig.cables.a;
    await rig.boot();
  });

  /** Does something to the wire and plays on: what was counted meanwhile, and whether the next roll is right. */
  async function played(deed: () => void, ms = 200): Promise<Readonly<Record<string, number>>> {
    const counted = await risen(rig, 'side-a', async () => {
      deed();
      await rig.pass(ms);
    });
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
    expect(rig.complaints()).toEqual([]);
    return counted;
  }

  it('a broken line', async () => {
    const counted = await played(() => a.once('Q1', (line) => [`${line.slice(0, -12)}\n`]));
    expect(counted).toEqual({ 'fault.no-checksum': 1, gaps: 1, lost: 1 });
    expect(rig.faults('link/gap').at(-1)).toBe('One line of board A0000001 did not arrive.');
  });

  it('an overlong line', async () => {
    const counted = await played(() => {
      a.put(`Q1,${'0'.repeat(300)}\n`);
      a.put(`Q1,${'0'.repeat(220)}\n`);
    });
    expect(counted).toEqual({ dropped: 1, 'fault.too-long': 1 });
  });

  it('a duplicated line', async () => {
    const before = rig.counts('side-a').fresh ?? 0;
    const lines: string[] = [];
    const counted = await played(() => {
      a.through = (line) => {
        if (lines.push(line) === 20) a.through = (other) => [other];
        return [line, line];
      };
    }, 500);
    expect(counted).toEqual({ repeats: 20 });
    expect(rig.counts('side-a').fresh ?? 0).toBeGreaterThan(before);
  });

  it('a reordered line', async () => {
    const counted = await played(() =>
      a.once('Q1', (late) => {
        a.once('Q1', (next) => [next, late]);
        return [];
      }),
    );
    expect(counted).toEqual({ gaps: 1, lost: 1, late: 1, recovered: 1 });
  });

  it('a line with a wrong checksum', async () => {
    const counted = await played(() => a.once('Q1', (line) => [altered(line)]));
    expect(counted).toEqual({ 'fault.bad-checksum': 1, gaps: 1, lost: 1 });
  });

  it('a line of another version', async () => {
    const counted = await played(() => a.put(summed('Q2,000000,00000000,')));
    expect(counted).toEqual({ 'fault.wrong-version': 1 });
  });

  it('binary noise', async () => {
    const counted = await played(() => {
      for (let i = 0; i < 30; i++) a.put(`${String.fromCharCode(128 + i, 0, 255 - i, 7)}\n`);
    });
    expect(counted).toEqual({ 'fault.not-ascii': 30 });
    expect(rig.handed.filter(({ raw }) => 'b64' in raw)).toHaveLength(30);
  });

  it('a megabyte without a newline', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const counted = await played(() => {
      for (let i = 0; i < 16; i++) a.put('x'.repeat(65_536));
      a.put('\n');
    });
    expect(counted).toMatchObject({ dropped: 1 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  });

  it('an unknown tile', async () => {
    const edgeOfTile9 = (line: string): string => {
      const { boot, seq, deviceUs } = frameOf(line);
      return `${encodeUp({ kind: 'edge', boot, seq, deviceUs, input: 9, closed: true })}\n`;
    };
    const counted = await played(() => a.once('Q1', (line) => [edgeOfTile9(line)]));
    expect(counted).toEqual({ 'refused.layout': 1 });
  });

  it('two lines run together', async () => {
    const counted = await played(() => a.once('Q1', (line) => [line.trimEnd()]));
    expect(counted).toEqual({ 'fault.bad-checksum': 1, gaps: 1, lost: 2 });
  });

  it('wrong-baud garbage that ends in a valid tail', async () => {
    const counted = await played(() => {
      a.once('Q1', (line) => {
        a.once('Q1', (next) => [`\xf8\x80\x00\xfc${next}`]);
        return [`x~!${line}`];
      });
    });
    expect(counted).toMatchObject({ 'fault.bad-checksum': 1, 'fault.not-ascii': 1, lost: 2 });
  });

  it('a wrong baud rate, said as such while it lasts', async () => {
    const noise = (line: string): readonly string[] => [line.replace(/[^\n]/g, '\xf8')];
    const counted = await risen(rig, 'side-a', async () => {
      a.through = noise;
      await rig.pass(2000);
    });
    expect(counted['fault.not-ascii']).toBeGreaterThan(50);
    expect(rig.link('side-a').complaints).toEqual([
      "Mostly noise on side-a: check baud 500000 and that this is the board's port.",
    ]);
    a.through = (line) => [line];
    await rig.until('the complaint is over', () => rig.complaints().length === 0);
    // Called while nothing was heard: may be doubted, must not be wrong.
    expect((await rig.nextRoll()).wrong).toEqual([]);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });

  it('a repeated boot id', async () => {
    const boot = { was: -1 };
    a.once('Q1', (line) => {
      boot.was = frameOf(line).boot;
      return [line];
    });
    await rig.pass(50);
    // The EEPROM kept nothing: the board counts the boot before once more.
    a.through = (line) => {
      const decoded = decodeLine(line.trimEnd());
      // A reset makes noise on the wire, which goes on as it is.
      if (!decoded.ok) return [line];
      const { frame } = decoded;
      const same = frame.kind === 'hello' ? { ...frame, bootId: boot.was } : frame;
      return [`${encodeUp({ ...same, boot: boot.was })}\n`];
    };
    const counted = await risen(rig, 'side-a', async () => {
      rig.sim.act({ act: 'fault', fault: 'reset', player: 'A', on: true });
      await rig.pass(3000);
    });
    expect(counted.resets).toBe(1);
    expect(counted.repeats).toBeUndefined();
    expect(rig.faults('link/reset').at(-1)).toBe(
      'Board A0000001 was reset and counts the same boot again: its EEPROM may be worn out.',
    );
    expect((await rig.nextRoll()).wrong).toEqual([]);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });

  it('lost nothing: every line stands in the journal as it came, and a replay says the same', async () => {
    const kept = await rig.close();
    keptAll(kept);
    expect(kept.records.filter(({ kind }) => kind === 'line').length).toBe(rig.handed.length);
  });
});

describe('on a host of its own', () => {
  const rigs: Rig[] = [];
  const open = async (...ask: Parameters<typeof hostRig>): Promise<Rig> => {
    const rig = await hostRig(...ask);
    rigs.push(rig);
    return rig;
  };
  afterEach(async () => {
    for (const rig of rigs.splice(0)) keptAll(await rig.close());
  });

  it('two boards claiming one side', async () => {
    const rig = await open({ tells: { B: 'A' } });
    await rig.boot();
    const [complaint = ''] = rig.link('side-b').complaints;
    expect(complaint).toBe(
      'Boards A0000001 on side-a and B0000001 on side-b both claim side A. B0000001 is not used. Unplug one, or change its side with `bakucore doctor --assign`.',
    );
    expect(rig.counts('side-b')['refused.side-taken']).toBeGreaterThan(50);
    // What doctor sends.
    const assign = encodeDown({ kind: 'assign', tag: 1, device: 'B0000001', side: 'B' });
    rig.sim.feed('sim-b', Buffer.from(`${assign}\n`));
    await rig.until('the complaint is over', () => rig.complaints().length === 0);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });

  it('the µs clock of both boards wrapping in mid-roll, as it does after 71.6 min', async () => {
    const wrapAtMs = 5000;
    const rig = await open({
      boards: (board) => createScriptedBoard({ ...board, clockStartUs: 2 ** 32 - (wrapAtMs - 1000) * 1000 }),
    });
    const low: number[] = [];
    rig.cables.a.through = (line) => {
      const { deviceUs } = frameOf(line);
      if (deviceUs < 1e6) low.push(rig.nowMs);
      return [line];
    };
    await rig.boot();
    expect(low).toEqual([]);
    await rig.pass(wrapAtMs - rig.nowMs - 800);
    const { ruling, wrong, doubts } = await rig.nextRoll();
    expect(low[0]).toBeGreaterThan(ruling.window.fromMs);
    expect(low[0]).toBeLessThan(ruling.window.toMs);
    expect({ wrong, doubts }).toEqual(CLEAN_ROLL);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
    expect(rig.outputs.filter(({ kind }) => kind === 'fault')).toEqual([]);
  });

  it('the host’s wall clock stepping in mid-roll', async () => {
    let wallMs = Date.UTC(2026, 2, 29);
    const rig = await open({ wall: () => wallMs });
    await rig.boot();
    for (const hours of [1, -26, 24 * 365 * 12]) {
      await rig.midRoll();
      wallMs += hours * 3_600_000;
      await rig.until('the roll is over', () => rig.sim.thrown().length === 0);
      expect(
        rig
          .scene()
          .rulings.at(-1)
          ?.balls.map(({ opened }) => opened),
      ).toEqual(['yes', 'yes']);
    }
    expect(rig.outputs.filter(({ kind }) => kind === 'fault')).toEqual([]);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });

  it('firmware and host of different protocols', async () => {
    const rig = await open();
    rig.cables.b.through = (line) => {
      const frame = frameOf(line);
      return [
        frame.kind === 'hello'
          ? summed(line.slice(0, line.lastIndexOf(',') + 1).replace(/^(H1(,[^,]*){5}),1,/, '$1,2,'))
          : line,
      ];
    };
    await rig.boot();
    expect(rig.link('side-b').complaints).toEqual([
      expect.stringMatching(
        /^The board on side-b speaks another protocol \(.*2.*\)\. Flash it with the firmware that came with this host\.$/,
      ),
      'Lines come on side-b from a board that has not said who it is.',
    ]);
    // Flashed.
    rig.cables.b.through = (line) => [line];
    rig.sim.act({ act: 'fault', fault: 'reset', player: 'B', on: true });
    await rig.until('the complaint is over', () => rig.complaints().length === 0);
    await rig.pass(1500);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });
});
