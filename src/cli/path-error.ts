import { TraceError } from '../base/errno.js';

/** Puts the path before the message of a TraceError, as `cat: x: No such file or directory` has it. */
export async function withPath<T>(path: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof TraceError) || error.message.includes(path)) throw error;
    throw new TraceError(error.errno, `${path}: ${error.message}`);
  }
}
