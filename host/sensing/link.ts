/** What links take and give: the settings, the verdict on a line, and what is counted. */
import type { FrameFault, Side, UplinkFrame } from '../../firmware-protocol/frame.ts';
import type { AtMs, LinkId } from '../ids.ts';
import type { Layout } from './layout.ts';

/** What may be assumed of lines that come over a wire. */
export interface Wire {
  /** Lines come in the order they were sent, each once: a number that goes back is another life of the board. */
  readonly ordered: boolean;
  /** Greatest deviation of a board's clock from nominal, as a share. */
  readonly rateLimit: number;
  /** Delay that even the quickest line may have, ms. */
  readonly floorMs: number;
  /** How long a missing line may still be on its way, ms. */
  readonly patienceMs: number;
}

/** Serial: 0.5 % for a ceramic resonator, USB and transmission within 3 ms. */
export const SERIAL_WIRE: Wire = { ordered: true, rateLimit: 0.005, floorMs: 3, patienceMs: 0 };
/** MQTT: RC oscillators of small radio chips, retries and brokers. Copies and reordering are normal. */
export const MQTT_WIRE: Wire = { ordered: false, rateLimit: 0.03, floorMs: 8, patienceMs: 300 };

/** Which ways in there are and what the boards have to fit. */
export interface LinkSetting {
  readonly links: readonly { readonly link: LinkId; readonly wire: Wire }[];
  readonly layout: Layout;
}

/** Where a line came from, as far as the wire itself says so. */
export type HeardFrom = { readonly device?: string; readonly retained?: boolean };

/** Why a good frame is not used. */
export type RefusalReason =
  /** Retained by a broker: old by nature. */
  | 'retained'
  /** No hello of this board was heard yet on this way in. */
  | 'no-hello'
  /** The board has no identity or no side. */
  | 'unset'
  /** Another board has the side. */
  | 'side-taken'
  /** Another board carries the same id. */
  | 'same-id'
  /** Tiles or halls do not fit the layout. */
  | 'layout'
  /** The topic names another device than the hello does. */
  | 'topic'
  /** Too old to tell whether it was heard before, or of a life of the board that is over. */
  | 'stale';

/** What became of a line. */
export type Heard =
  | {
      readonly kind: 'fresh';
      readonly frame: UplinkFrame;
      readonly device: string;
      readonly side: Side | 'both';
      /** Host time of the frame's device time, and its greatest error, ms. */
      readonly atMs: AtMs;
      readonly errorMs: number;
      /** It came after lines that the board made later. */
      readonly late: boolean;
    }
  | { readonly kind: 'repeat'; readonly device: string }
  | { readonly kind: 'fault'; readonly fault: FrameFault; readonly detail: string }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly text: string };

/** Every counter of a link with its meaning. */
export const LINK_COUNTS = {
  lines: 'Lines that arrived, good or bad',
  fresh: 'Frames used, each once',
  repeats: 'Lines heard before, on this link or another',
  late: 'Frames used that came after later ones',
  gaps: 'Runs of missing line numbers',
  lost: 'Line numbers given up',
  recovered: 'Lines that came after they had been given up, and were used',
  resets: 'New lives of a board noticed here',
  stalls: 'Times a board was not heard for 200 ms',
  downs: 'Times the link went down',
  dropped: 'Bytes or messages that the transport dropped before they were lines',
  'fault.empty': 'Lines with nothing in them',
  'fault.too-long': 'Lines over the limit of length',
  'fault.not-ascii': 'Lines with bytes that no line has: mostly a wrong baud rate',
  'fault.no-checksum': 'Lines without a checksum: mostly cut ones',
  'fault.bad-checksum': 'Lines that were altered on their way',
  'fault.wrong-version': 'Lines of another protocol version',
  'fault.unknown-kind': 'Lines of a kind that this host does not know',
  'fault.bad-field': 'Lines with a right checksum and a field that is not as specified',
  'refused.retained': 'Messages that a broker had retained',
  'refused.no-hello': 'Frames of a board that has not said who it is',
  'refused.unset': 'Frames of a board without an identity',
  'refused.side-taken': 'Frames of a second board of a side',
  'refused.same-id': 'Frames of a second board with the same id',
  'refused.layout': 'Frames that do not fit the layout',
  'refused.topic': 'Frames on the topic of another device',
  'refused.stale': 'Frames too old to tell whether they were heard before',
} as const;

export type LinkCount = keyof typeof LINK_COUNTS;
