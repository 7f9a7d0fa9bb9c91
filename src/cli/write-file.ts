import { TraceError } from '../base/errno.js';
import type { TraceClient } from '../client/trace-client.js';
import { complain } from './output.js';

type Writable = Pick<TraceClient, 'write' | 'append'>;

/** What was said of a process's blocked threads: a verb writes to several files, and would repeat it for each. */
const said = new WeakMap<Writable, Set<string>>();

/** Prints that a thread is blocked: the write takes effect in the others now, and in that thread when it runs again. */
function complainOnce(client: Writable, message: string): void {
  const messages = said.get(client) ?? new Set();
  said.set(client, messages);
  if (messages.has(message)) return;
  messages.add(message);
  complain(message);
}

/** Writes to a file; an error says which file and which word. */
export async function writeFile(client: Writable, path: string, text: string, append = false): Promise<void> {
  try {
    await (append ? client.append(path, `${text}\n`) : client.write(path, `${text}\n`));
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    if (error.errno === 'ETIMEDOUT') {
      complainOnce(client, error.message);
      return;
    }
    throw new TraceError(error.errno, `${text === '' ? 'clearing' : `writing '${text}' to`} ${path}: ${error.message}`);
  }
}
