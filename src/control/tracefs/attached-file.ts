import { TraceError } from '../../base/errno.js';
import type { TraceFile } from './node.js';
import { parseUnsigned } from './numbers.js';
import { textFile } from './text-file.js';

/** Called with what could not be done, and with the request: functions by their numbers, or words. */
export type Warn = (message: string, about: readonly number[] | string) => void;

/** How fentry was loaded into the process, and how to detach it. */
export interface Attachment {
  /** Whether fentry was attached while the program was running. */
  readonly isAttached: boolean;
  /** Undoes everything and ends the control thread; rejects with ETIMEDOUT if a thread is blocked. */
  detach(): Promise<void>;
  /** What was asked for at the start and cannot be done, for error_log. */
  readonly refused?: readonly string[];
  /** Sets the function that is called with what could not be done. */
  onUnreached(warn: Warn): void;
}

/** attached: 1 if fentry was loaded by `fentry attach`; then writing 0 removes it from the process. */
export const attachedFile = ({ isAttached, detach }: Attachment): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${isAttached ? 1 : 0}\n`,
    async store(text) {
      if (parseUnsigned(text) !== 0) throw new TraceError('EBUSY', 'fentry is already in this process');
      if (!isAttached) {
        throw new TraceError('EINVAL', 'this process was started with fentry, which cannot be removed: turn tracing off instead');
      }
      await detach();
    },
  });
