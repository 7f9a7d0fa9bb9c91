import { TraceClient } from '../../client/trace-client.js';
import { isGone } from '../is-gone.js';
import { complain } from '../output.js';
import { attachProcess } from './attach-process.js';
import { Deadline } from './deadline.js';

/** Milliseconds that a process has to answer that runs without fentry. */
const ATTACHING = 10_000;

/**
 * Attaches to a process that runs without fentry, and detaches when `work` is done.
 * @throws TraceError as `fentry attach` does
 */
export async function whileAttached<T>(pid: number, work: (client: TraceClient) => Promise<T>): Promise<T> {
  const { socket, warning } = await attachProcess(pid, new Deadline(ATTACHING));
  complain(`process ${pid} runs without fentry: attached to it, until this ends`);
  if (warning !== undefined) complain(warning);
  const client = new TraceClient(pid, socket);
  try {
    return await work(client);
  } finally {
    await client.write('attached', '0\n').catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }
}
