import { TraceError } from '../base/errno.js';

/** Whether an error means that the process has ended: nobody listens, or the answer was cut off. */
export const isGone = (error: unknown): boolean =>
  error instanceof TraceError ? error.errno === 'ENODEV' : (error as NodeJS.ErrnoException).code === 'ECONNRESET';
