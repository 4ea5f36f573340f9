/** What is wrong with a line that is no frame. */
import { COMMA } from './fields.ts';
import type { FrameFault } from './frame.ts';
import { PROTOCOL_VERSION } from './frame.ts';

export type Failed = { readonly ok: false; readonly fault: FrameFault; readonly detail: string };

export function failed(fault: FrameFault, detail: string): Failed {
  return { ok: false, fault, detail };
}

/** A line whose characters are not all printable ASCII is that before it is anything else. */
export function worst(line: string, length: number, fault: FrameFault, detail: string): Failed {
  for (let at = 0; at < length; at++) {
    const code = line.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) {
      return failed('not-ascii', `character ${code} at place ${at}`);
    }
  }
  return failed(fault, detail);
}

/** Version of a well-summed line that is not ours, or that it has none. */
export function unversioned(line: string, length: number): Failed {
  const head = /^[A-Z]([0-9]{1,3}),/.exec(line);
  return head === null
    ? worst(line, length, 'unknown-kind', 'no kind letter and version at the start')
    : worst(line, length, 'wrong-version', `line of protocol ${head[1]}, this is ${PROTOCOL_VERSION}`);
}

/** Whether a line begins with a kind and the version of this protocol. */
export function ofThisVersion(line: string): boolean {
  const letter = line.charCodeAt(0);
  // Code 49 is the digit 1, the version of every line of this protocol.
  return letter >= 65 && letter <= 90 && line.charCodeAt(1) === 49 && line.charCodeAt(2) === COMMA;
}
