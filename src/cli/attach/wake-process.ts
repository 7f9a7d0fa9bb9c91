import { TraceError } from '../../base/errno.js';
import { attachProcess } from './attach-process.js';
import { Deadline } from './deadline.js';

/** The most milliseconds that a process has to answer. */
const PATIENCE = 10_000;

/**
 * Has a process that loads fentry, and is in its first turn, begin to listen.
 * @throws TraceError as `attachProcess` does, EEXIST left out: it has begun meanwhile
 */
export async function wakeProcess(pid: number, complain: (message: string) => void): Promise<void> {
  try {
    const { warning } = await attachProcess(pid, new Deadline(PATIENCE));
    if (warning !== undefined) complain(warning);
  } catch (error) {
    if (!(error instanceof TraceError) || error.errno !== 'EEXIST') throw error;
  }
}
