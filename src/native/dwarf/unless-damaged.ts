import { asTraceError } from '../../base/errno.js';

/** What `read` returns; undefined if the debug information is damaged there. Other errors go on. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || asTraceError(error).errno === 'ENOEXEC') return undefined;
    throw error;
  }
}
