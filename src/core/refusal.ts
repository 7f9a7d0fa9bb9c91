import { type Errno, TraceError } from '../base/errno.js';
import type { ErrorLog } from './error-log.js';

/** Where a refused command is told of: an instance, or whatever has its log and its clock. */
export interface RefusalLog {
  readonly errors: ErrorLog;
  readonly process: { now(): number };
}

/** What was refused, and why. */
export interface Refusal {
  /** Who refuses, as error_log names it: `trace_kprobe`, `set_event`. */
  readonly location: string;
  readonly message: string;
  /** What was written, as far as the parser read it as one command. */
  readonly command: string;
  /** 0-based place of the offending word in the command. */
  readonly position?: number;
  readonly errno?: Errno;
}

/** Notes a refusal in error_log, and makes the error that the write is answered with. */
export function refusal({ errors, process }: RefusalLog, refused: Refusal): TraceError {
  const { location, message, command, position = 0, errno = 'EINVAL' } = refused;
  errors.log(process.now(), location, message, command, position);
  return new TraceError(errno, `${location}: ${message}`);
}
