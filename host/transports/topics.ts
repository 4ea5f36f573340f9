/** One level of a topic: safe on every broker, in file names and in addresses. */
export const LEVEL = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** What a level must look like, for messages. */
export const LEVEL_RULE =
  'small letters, digits, "-" and "_", starting with a letter or digit, at most 32 characters';

/** Topics of one table. Store and table must be levels already. */
export interface TableTopics {
  /** Filter for the lines of every board. */
  readonly anyUp: string;
  /** `online` or `offline`, retained. */
  readonly status: string;
  /** Lines to one board, in lower case unless another spelling is given; undefined when its id is no level. */
  down(device: string, spelled?: string): string | undefined;
  /** Lines from one board, or undefined when its id is no level. */
  up(device: string): string | undefined;
  /** Whether the carrier of one board is `online`, retained. */
  boardStatus(device: string): string | undefined;
  /**
   * Device id of a topic that carries lines up, upper case as on lines, and as this board spells it; undefined for any
   * other topic.
   */
  deviceOf(topic: string): { readonly device: string; readonly spelled: string } | undefined;
}

export function tableTopics(store: string, table: string): TableTopics {
  const base = `bakucore/v1/${store}/${table}`;
  const ofDevice = (device: string, end: string, spelled = device.toLowerCase()): string | undefined =>
    LEVEL.test(device.toLowerCase()) ? `${base}/line/${spelled}/${end}` : undefined;
  const head = `${base}/line/`;
  return {
    anyUp: `${base}/line/+/up`,
    status: `${base}/status`,
    down: (device, spelled) => ofDevice(device, 'down', spelled),
    up: (device) => ofDevice(device, 'up'),
    boardStatus: (device) => ofDevice(device, 'status'),
    deviceOf(topic) {
      if (!topic.startsWith(head) || !topic.endsWith('/up')) return undefined;
      const spelled = topic.slice(head.length, -'/up'.length);
      return LEVEL.test(spelled.toLowerCase()) ? { device: spelled.toUpperCase(), spelled } : undefined;
    },
  };
}
