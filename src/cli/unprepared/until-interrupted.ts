import { TraceError } from '../../base/errno.js';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Rejects with EINTR when a signal ends the command: the process's inspector must be closed first. */
export const untilInterrupted = (): Promise<never> =>
  new Promise((_resolve, reject) => {
    for (const signal of STOP_SIGNALS) process.once(signal, () => reject(new TraceError('EINTR', 'interrupted')));
  });
