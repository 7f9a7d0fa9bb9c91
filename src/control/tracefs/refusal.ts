import { type Errno, TraceError } from '../../base/errno.js';
import type { ErrorLog } from './error-log.js';

/** Where a refused command is reported: an instance, or an object with its log and its clock. */
export interface RefusalLog {
  readonly errors: ErrorLog;
  readonly process: { now(): number };
}

/** What was refused, and why. */
export interface Refusal {
  /** The location in error_log: `trace_kprobe`, `set_event`. */
  readonly location: string;
  readonly message: string;
  /** The written text that the parser took as one command. */
  readonly command: string;
  /** Bytes of the command before the offending word. */
  readonly position?: number;
  readonly errno?: Errno;
}

/** Adds a refusal to error_log, and returns the error for the write. */
export function refusal({ errors, process }: RefusalLog, refused: Refusal): TraceError {
  const { location, message, command, position = 0, errno = 'EINVAL' } = refused;
  errors.log(process.now(), location, message, command, position);
  return new TraceError(errno, `${location}: ${message}`);
}
