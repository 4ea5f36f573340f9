/** A user's, the system's, and that of a terminal that was closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first signal to stop. A second one ends the process at once. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      for (const one of SIGNALS) {
        process.removeListener(one, stop);
        process.once(one, () => process.exit(1));
      }
      resolve(signal);
    };
    for (const one of SIGNALS) process.once(one, stop);
  });
}
