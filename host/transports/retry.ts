/** First wait after a link went down, ms. */
export const FIRST_RETRY_MS = 100;
/** Longest wait between tries of a link that is merely absent, ms: a port or broker that is back is found in this time. */
export const LONGEST_RETRY_MS = 500;

/** Waits before try `attempt` (from 0): doubles from 100 ms and stays at 500 ms for ever. */
export function retryDelay(attempt: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempt, 8));
}
