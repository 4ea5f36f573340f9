/** A board's look at its contacts, gates and studs every half millisecond, with a limit against chatter. */
import { INPUT } from '../firmware-protocol/frame.ts';
import type { BoardWorld } from './world.ts';

export interface InputLook {
  /** Compares all inputs with the look before, tells the edges, gives the input bits now. */
  look(atUs: number): number;
  /** Edges over the limit so far, at most 65535. */
  drops(): number;
}

/** Contacts share one allowance in a window, gates and studs another. */
const EDGES_IN_WINDOW = 32;
const WINDOW_US = 100_000;

/** `both`: the gates and stud of side B are wired to this board too. */
export function createInputLook(
  world: BoardWorld,
  tiles: number,
  both: boolean,
  edge: (input: number, closed: boolean) => void,
): InputLook {
  const reads: readonly { readonly input: number; readonly read: (atUs: number) => boolean }[] = [
    { input: INPUT.nearGateA, read: (t) => world.gate(0, t) },
    { input: INPUT.farGateA, read: (t) => world.gate(1, t) },
    { input: INPUT.studA, read: (t) => world.stud(0, t) },
    ...(both
      ? [
          { input: INPUT.nearGateB, read: (t: number) => world.gate(2, t) },
          { input: INPUT.farGateB, read: (t: number) => world.gate(3, t) },
          { input: INPUT.studB, read: (t: number) => world.stud(1, t) },
        ]
      : []),
  ];
  let inputs = 0;
  let nextEdgeUs = -1;
  let windowUs = 0;
  let contacts = 0;
  let aux = 0;
  let drops = 0;

  const tell = (input: number, closed: boolean): void => {
    const isContact = input < INPUT.nearGateA;
    if ((isContact ? contacts : aux) >= EDGES_IN_WINDOW) {
      drops = Math.min(65535, drops + 1);
      return;
    }
    if (isContact) contacts += 1;
    else aux += 1;
    edge(input, closed);
  };

  return {
    drops: () => drops,
    look(atUs) {
      if (atUs - windowUs >= WINDOW_US) {
        windowUs = atUs;
        contacts = 0;
        aux = 0;
      }
      // Asked again each time: hands and balls may have come to the world since.
      if (nextEdgeUs > atUs && nextEdgeUs === world.nextEdgeUs(atUs)) return inputs;
      let now = 0;
      for (let t = 0; t < tiles; t += 1) if (world.contact(t, atUs)) now |= 1 << t;
      for (const { input, read } of reads) if (read(atUs)) now |= 1 << input;
      nextEdgeUs = world.nextEdgeUs(atUs);
      const turned = now ^ inputs;
      inputs = now;
      for (let bit = 0; turned >> bit !== 0; bit += 1) {
        if ((turned & (1 << bit)) !== 0) tell(bit, (now & (1 << bit)) !== 0);
      }
      return inputs;
    },
  };
}
