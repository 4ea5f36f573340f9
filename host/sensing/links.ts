/** The links of a table, from raw lines to admitted frames in host time: everything that others may use. */
export type { Heard, HeardFrom, LinkCount, LinkSetting, RefusalReason, Wire } from './link.ts';
export { LINK_COUNTS, MQTT_WIRE, SERIAL_WIRE } from './link.ts';
export { hearLine, lineSent } from './link-admit.ts';
export { loadLinks, saveLinks } from './link-save.ts';
export { deviceOf, linksSeen, sendRouteFor } from './link-seen.ts';
export { createLinks, type Links } from './link-state.ts';
export { dropped, dueAt, linkDown, linkUp, settleLinks } from './link-watch.ts';
