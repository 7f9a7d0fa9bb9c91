import { TraceError } from '../base/errno.js';
import type { TraceClient } from '../client/trace-client.js';

/** Writes to a file; an error says which file and which word. */
export async function writeFile(client: TraceClient, path: string, text: string, append = false): Promise<void> {
  try {
    await (append ? client.append(path, `${text}\n`) : client.write(path, `${text}\n`));
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    if (error.errno === 'ETIMEDOUT') {
      // A thread is blocked: the write takes effect in the others now, and in that thread when it runs again.
      process.stderr.write(`fentry: ${path}: ${error.message}\n`);
      return;
    }
    throw new TraceError(error.errno, `${text === '' ? 'clearing' : `writing '${text}' to`} ${path}: ${error.message}`);
  }
}
