import { TraceError } from '../base/errno.js';
import type { TraceFile } from './node.js';
import { parseUnsigned } from './numbers.js';
import { textFile } from './text-file.js';

/** Told what could not be done, and what was asked for: functions by their numbers, or words. */
export type Warn = (message: string, about: readonly number[] | string) => void;

/** How fentry came into the process, and its way out. */
export interface Attachment {
  /** It came while the program ran already. */
  readonly isAttached: boolean;
  /** Undoes everything and ends the control thread; rejects with ETIMEDOUT when a thread cannot be reached for now. */
  detach(): Promise<void>;
  /** Has `warn` called with what could not be done of what was asked for. */
  onUnreached(warn: Warn): void;
}

/** attached: 1 when fentry came by `fentry attach`; then 0 takes it out of the process again. */
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
